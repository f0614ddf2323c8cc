// The page's one sound: where it comes out, and lists of tones. A browser lets a page sound only after somebody has
// clicked or pressed a key in it; what was to be heard before that is left out, not kept for later.
(() => {
  const LATE_MS = 400;
  let audio = null;
  let limit = null;
  let out = null;
  const begin = () => {
    if (audio === null) {
      audio = new AudioContext();
      limit = audio.createDynamicsCompressor();
      limit.connect(audio.destination);
      out = audio.createGain();
      out.connect(limit);
    }
    return audio.resume();
  };
  // Lets `make(audio, out, at)` schedule a sound now.
  window.deskrefSound = (make) => {
    const asked = performance.now();
    begin().then(() => {
      if (performance.now() - asked < LATE_MS) make(audio, out, audio.currentTime + 0.02);
    });
  };
  window.deskrefWake = () => begin();
  window.deskrefSilence = () => {
    if (audio === null) return;
    out.gain.setValueAtTime(0, audio.currentTime);
    out = audio.createGain();
    out.connect(limit);
  };

  let playing = [];
  // Plays a list of [frequency in Hz, duration in ms]; 0 Hz is a pause. A newer list replaces one that still sounds.
  window.deskrefTones = (tones) => window.deskrefSound((audio, out, at) => {
    playing.forEach((oscillator) => oscillator.stop());
    playing = [];
    let start = at;
    for (const [hz, ms] of tones) {
      const seconds = ms / 1000;
      if (hz > 0) {
        const oscillator = audio.createOscillator();
        const volume = audio.createGain();
        oscillator.frequency.value = hz;
        oscillator.type = "triangle";
        volume.gain.setValueAtTime(0, start);
        volume.gain.linearRampToValueAtTime(0.2, start + 0.008);
        volume.gain.setValueAtTime(0.2, start + Math.max(0.008, seconds - 0.015));
        volume.gain.linearRampToValueAtTime(0, start + seconds);
        oscillator.connect(volume).connect(out);
        oscillator.start(start);
        oscillator.stop(start + seconds);
        playing.push(oscillator);
      }
      start += seconds;
    }
  });
})();
