// The camera of this phone or browser: one JPEG a POST, the next when the last was taken, so nothing ever queues up.
"use strict";
window.deskrefCamera = (() => {
  const LONGEST_SIDE = 1280, QUALITY = 0.85, LEAST_MS = 66, REST_MS = 1000;
  const sender = Math.random().toString(36).slice(2, 12);
  let stream = null, video = null, running = false, awake = null, sent = [], onState = () => {};

  async function keepAwake() {
    try { awake = await navigator.wakeLock?.request("screen"); } catch { awake = null; }
  }
  document.addEventListener("visibilitychange", () => { if (running && document.visibilityState === "visible") keepAwake(); });

  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const toJpeg = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));

  function rate() {
    const now = performance.now();
    sent = sent.filter((at) => now - at < 3000);
    return sent.length / 3;
  }

  async function send(kind) {
    const canvas = document.createElement("canvas");
    const paint = canvas.getContext("2d", { alpha: false });
    while (running) {
      const began = performance.now();
      if (video.readyState >= 2 && video.videoWidth) {
        const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
        canvas.width = Math.round(video.videoWidth * scale);
        canvas.height = Math.round(video.videoHeight * scale);
        paint.drawImage(video, 0, 0, canvas.width, canvas.height);
        const body = await toJpeg(canvas);
        try {
          const answer = await fetch(`/frame?as=${kind}&sender=${sender}`, { method: "POST", body, headers: { "Content-Type": "image/jpeg" } });
          if (answer.ok) { sent.push(began); onState("sending", rate()); }
          else { onState("refused", await answer.text()); await rest(REST_MS); }
        } catch { onState("lost", 0); await rest(REST_MS); }
      }
      await rest(Math.max(0, LEAST_MS - (performance.now() - began)));
    }
  }

  async function start(kind, element, told) {
    await stop();
    onState = told || (() => {});
    if (!navigator.mediaDevices?.getUserMedia) { onState("insecure"); return false; }
    const wanted = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
    if (kind === "phone") wanted.facingMode = "environment";
    try { stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false }); }
    catch (error) { onState(error.name === "NotAllowedError" ? "denied" : "absent", error.message); return false; }
    video = element || document.createElement("video");
    video.muted = true; video.playsInline = true; video.srcObject = stream;
    stream.getVideoTracks()[0].addEventListener("ended", () => { if (running) { stop(); onState("absent"); } });
    try { await video.play(); } catch { /* a picture comes anyway, or not at all */ }
    running = true;
    keepAwake();
    send(kind);
    return true;
  }

  async function stop() {
    running = false;
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    try { await awake?.release(); } catch { /* it is gone */ }
    awake = null;
  }

  return { start, stop, get running() { return running; } };
})();
