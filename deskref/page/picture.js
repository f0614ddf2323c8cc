// The live picture: asked for in as many pixels as it is wide on this screen, and anew when the window changes.
(() => {
  const STEP_PX = 32;
  const QUIET_MS = 300;
  const MUCH_SMALLER = 0.7;

  // Lets the last picture stand until the first one of the new size has come: else the page jumps and flashes.
  const hold = (image) => {
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    if (!width || !height) return;
    const last = document.createElement("canvas");
    [last.width, last.height] = [width, height];
    last.getContext("2d").drawImage(image, 0, 0);
    image.style.background = `center / 100% 100% url(${last.toDataURL("image/jpeg")})`;
    image.style.aspectRatio = `${width} / ${height}`;
    const free = () => { image.style.background = image.style.aspectRatio = ""; };
    image.addEventListener("load", free, { once: true });
  };

  const fit = (image) => {
    const shown = image.clientWidth * (window.devicePixelRatio || 1);
    if (shown <= 0) return;
    const stream = image.dataset.stream;
    const wide = STEP_PX * Math.ceil(shown / STEP_PX);
    const has = image.dataset.showing === stream ? Number(image.dataset.wide) : 0;
    if (wide <= has && wide >= MUCH_SMALLER * has) return;
    if (has) hold(image);
    image.dataset.showing = stream;
    image.dataset.wide = wide;
    image.src = `${stream}${stream.includes("?") ? "&" : "?"}wide=${wide}`;
  };

  // The style sheet lets the picture be seen whole, whatever its shape is.
  const tellShape = ({ target: image }) => {
    const shape = image.naturalWidth / image.naturalHeight;
    const page = document.documentElement.style;
    if (shape > 0 && Math.abs(shape - Number(page.getPropertyValue("--aspect"))) > 0.01) page.setProperty("--aspect", shape.toFixed(3));
  };

  const waiting = new WeakMap();
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.parentElement.closest(".picture")?.dispatchEvent(new CustomEvent("shown", { detail: target.clientWidth }));
      clearTimeout(waiting.get(target));
      waiting.set(target, setTimeout(() => fit(target), QUIET_MS));
    }
  });

  // Shows a stream in the image of an element. The image gets another address and is not made anew.
  window.deskrefPicture = (id, stream) => {
    const image = document.querySelector(`#${id} img`);
    if (!image) return;
    image.dataset.stream = stream;
    image.addEventListener("load", tellShape);
    fit(image);
    sizes.observe(image);
  };
})();
