// Plays a list of [frequency in Hz, duration in ms]; 0 Hz is a pause. A newer list replaces one that still sounds.
(() => {
  let audio = null;
  let playing = [];
  window.deskrefTones = (tones) => {
    audio ??= new AudioContext();
    audio.resume();
    playing.forEach((oscillator) => oscillator.stop());
    playing = [];
    let start = audio.currentTime + 0.02;
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
        oscillator.connect(volume).connect(audio.destination);
        oscillator.start(start);
        oscillator.stop(start + seconds);
        playing.push(oscillator);
      }
      start += seconds;
    }
  };
})();
