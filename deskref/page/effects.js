// Cheerful sounds, made here from oscillators and noise; nothing is recorded. Each maker schedules its sound from a
// time on and returns how many seconds it lasts, so that a test can render it without loudspeakers.
(() => {
  const noise = (audio, seconds) => {
    const buffer = audio.createBuffer(1, Math.ceil(seconds * audio.sampleRate), audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    const source = audio.createBufferSource();
    source.buffer = buffer;
    return source;
  };
  const loudness = (audio, at, points) => {
    const gain = audio.createGain();
    gain.gain.setValueAtTime(0, at);
    for (const [after, level] of points) gain.gain.linearRampToValueAtTime(level, at + after);
    return gain;
  };
  const filter = (audio, type, hz, q = 1) => {
    const made = audio.createBiquadFilter();
    made.type = type;
    made.frequency.value = hz;
    made.Q.value = q;
    return made;
  };
  const run = (source, at, seconds, ...chain) => {
    chain.reduce((from, to) => from.connect(to), source);
    source.start(at);
    source.stop(at + seconds);
  };
  const tone = (audio, type, hz) => {
    const oscillator = audio.createOscillator();
    oscillator.type = type;
    oscillator.frequency.value = hz;
    return oscillator;
  };
  const zap = (audio, out, at, top, bottom, level) => {
    const beam = tone(audio, "sawtooth", top);
    beam.frequency.setValueAtTime(top, at);
    beam.frequency.exponentialRampToValueAtTime(bottom, at + 0.2);
    run(beam, at, 0.24, filter(audio, "lowpass", 5000), loudness(audio, at, [[0.004, level], [0.05, level * 0.7], [0.24, 0]]), out);
  };

  const jets = (audio, out, at) => {
    const roar = filter(audio, "bandpass", 500, 0.7);
    roar.frequency.setValueAtTime(350, at);
    roar.frequency.linearRampToValueAtTime(1400, at + 0.35);
    roar.frequency.linearRampToValueAtTime(300, at + 0.9);
    run(noise(audio, 0.9), at, 0.9, roar, loudness(audio, at, [[0.12, 0.8], [0.5, 0.6], [0.9, 0]]), out);
    run(tone(audio, "sawtooth", 55), at, 0.9, filter(audio, "lowpass", 180), loudness(audio, at, [[0.15, 0.4], [0.9, 0]]), out);
    return 0.9;
  };
  const lasgun = (audio, out, at) => {
    zap(audio, out, at, 2400, 180, 0.5);
    run(noise(audio, 0.12), at + 0.16, 0.12, filter(audio, "highpass", 1800), loudness(audio, at + 0.16, [[0.01, 0.3], [0.12, 0]]), out);
    return 0.28;
  };
  const lasgun_past = (audio, out, at) => {
    zap(audio, out, at, 2400, 300, 0.4);
    const ricochet = tone(audio, "sine", 1500);
    ricochet.frequency.setValueAtTime(1500, at + 0.2);
    ricochet.frequency.exponentialRampToValueAtTime(2600, at + 0.55);
    run(ricochet, at + 0.2, 0.36, loudness(audio, at + 0.2, [[0.02, 0.25], [0.36, 0]]), out);
    return 0.56;
  };
  const clank = (audio, out, at) => {
    // A struck plate: partials in the ratios of a free bar, the higher ones die sooner.
    [1, 2.756, 5.404, 8.933].forEach((ratio, i) => {
      const lasts = 0.7 / (1 + i * 0.8);
      run(tone(audio, "sine", 410 * ratio), at, lasts, loudness(audio, at, [[0.002, 0.35 / (1 + i * 0.5)], [lasts * 0.3, 0.12 / (1 + i)], [lasts, 0]]), out);
    });
    run(noise(audio, 0.03), at, 0.03, filter(audio, "highpass", 2500), loudness(audio, at, [[0.001, 0.4], [0.03, 0]]), out);
    return 0.7;
  };
  const swish = (audio, out, at) => {
    const air = filter(audio, "bandpass", 800, 2);
    air.frequency.setValueAtTime(600, at);
    air.frequency.linearRampToValueAtTime(2600, at + 0.16);
    air.frequency.linearRampToValueAtTime(700, at + 0.34);
    run(noise(audio, 0.34), at, 0.34, air, loudness(audio, at, [[0.14, 0.7], [0.34, 0]]), out);
    return 0.34;
  };
  const topple = (audio, out, at) => {
    [0, 0.16, 0.27, 0.34].forEach((after, i) => {
      const knock = tone(audio, "triangle", 240 - 25 * i);
      const level = 0.6 / (1 + i);
      run(knock, at + after, 0.12, loudness(audio, at + after, [[0.003, level], [0.12, 0]]), out);
      run(noise(audio, 0.05), at + after, 0.05, filter(audio, "lowpass", 900), loudness(audio, at + after, [[0.002, level], [0.05, 0]]), out);
    });
    return 0.46;
  };
  const fanfare = (audio, out, at) => {
    [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.14], [1047, 0.42, 0.5], [784, 0.42, 0.5]].forEach(([hz, after, lasts]) => {
      run(tone(audio, "square", hz), at + after, lasts, filter(audio, "lowpass", 3000), loudness(audio, at + after, [[0.01, 0.16], [lasts * 0.8, 0.12], [lasts, 0]]), out);
    });
    return 0.92;
  };
  const kettle = (audio, out, at) => {
    const hiss = filter(audio, "bandpass", 3000, 1.5);
    run(noise(audio, 3.2), at, 3.2, hiss, loudness(audio, at, [[1.2, 0.12], [2.8, 0.12], [3.2, 0]]), out);
    [1, 1.02].forEach((ratio) => {
      const whistle = tone(audio, "sine", 900 * ratio);
      whistle.frequency.setValueAtTime(900 * ratio, at);
      whistle.frequency.exponentialRampToValueAtTime(2350 * ratio, at + 1.4);
      run(whistle, at, 3.2, loudness(audio, at, [[0.4, 0.02], [1.4, 0.25], [2.8, 0.25], [3.2, 0]]), out);
    });
    return 3.2;
  };

  window.deskrefEffects = { jets, lasgun, lasgun_past, clank, swish, topple, fanfare, kettle };
  window.deskrefEffect = (name) => window.deskrefSound((audio, out, at) => window.deskrefEffects[name](audio, out, at));
  window.deskrefSpeak = (words, language) => {
    if (!("speechSynthesis" in window)) return;
    // Somebody who rolls fast is not talked at for a minute: what waits is left out for what is new.
    if (speechSynthesis.pending) speechSynthesis.cancel();
    const said = new SpeechSynthesisUtterance(words);
    said.lang = language;
    speechSynthesis.speak(said);
  };
  window.deskrefHush = () => {
    window.deskrefSilence();
    if ("speechSynthesis" in window) speechSynthesis.cancel();
  };
})();
