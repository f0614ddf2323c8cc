// The strip of lights: a canvas over the dark ones, drawn only where a picture differs from the one before.
(() => {
  const DARK = "000000";
  const running = new Map();

  const draw = (strip, picture) => {
    if (strip.dataset.shown === picture) return;
    strip.dataset.shown = picture;
    const canvas = strip.querySelector("canvas");
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [strip.clientWidth * scale, strip.clientHeight * scale].map(Math.round);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    [...strip.querySelectorAll("i")].forEach((light, n) => {
      const colour = picture.slice(6 * n, 6 * n + 6);
      if (colour === "" || colour === DARK) return;
      pen.fillStyle = `#${colour}`;
      pen.beginPath();
      pen.roundRect(light.offsetLeft * scale, 0, light.offsetWidth * scale, height, 4 * scale);
      pen.fill();
    });
  };

  // Shows pictures one after the other, a step of milliseconds apart; newer ones replace those that still wait.
  window.deskrefStrip = (id, pictures, step) => {
    clearInterval(running.get(id));
    const strip = document.getElementById(id)?.querySelector(".strip");
    if (!strip) return;
    let next = 0;
    const show = () => {
      draw(strip, pictures[next++]);
      if (next >= pictures.length) clearInterval(running.get(id));
    };
    running.set(id, setInterval(show, step));
    show();
  };
})();
