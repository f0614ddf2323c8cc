// Keys before the page is connected wait until it is, in their order: a slow computer loses nothing that is pressed.
// Enter and the space bar on a button, a link or a box are that control's, and no word to the game.
"use strict";
(() => {
  const TYPED_INTO = "input, select, textarea";
  const CONTROLS = "button, a[href], summary, [role=button], [role=checkbox], [role=switch], [role=radio], [role=option]";
  // What has use for arrow keys of its own.
  const WITH_ARROWS = `${TYPED_INTO}, [role=dialog], [role=listbox], [role=radiogroup], [contenteditable]`;
  const LOOK_MS = 10;
  const held = [];

  const isIn = (event, what) => event.target instanceof Element && event.target.closest(what) !== null;
  const isOfControl = (event) => (event.key === "Enter" || event.key === " ") && isIn(event, CONTROLS);

  function hold(event) {
    if (!event.isTrusted || (window.did_handshake && held.length === 0)) return;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab" || isIn(event, TYPED_INTO) || isOfControl(event)) return;
    event.stopImmediatePropagation();
    held.push(event);
    if (held.length === 1) setTimeout(give, LOOK_MS);
  }

  function give() {
    if (!window.did_handshake) { setTimeout(give, LOOK_MS); return; }
    for (const { key, code, shiftKey, location } of held.splice(0))
      document.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, location, bubbles: true }));
  }

  // On a drawn board arrow keys aim, so they must not scroll the page from under it as well.
  function keepStill(event) {
    if (!event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector(".board-room svg.board") !== null && !isIn(event, WITH_ARROWS)) event.preventDefault();
  }

  window.addEventListener("keydown", keepStill, true);
  window.addEventListener("keydown", hold, true);
  // The library listens at the document, so what ends at the body does not reach the game.
  document.addEventListener("DOMContentLoaded", () => document.body.addEventListener("keydown", (event) => {
    if (isOfControl(event)) event.stopPropagation();
  }));

  // A menu closes by Escape, by a choice in it, and by a click beside it.
  const menus = () => document.querySelectorAll("details.menu[open]");
  document.addEventListener("click", (event) => menus().forEach((menu) => {
    if (!menu.contains(event.target) || event.target.closest("button") !== null) menu.open = false;
  }));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menus().forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
  });
})();
