"""The live picture with a drawing over it, as the table page and the set-up show it."""

from __future__ import annotations

from html import escape

from nicegui import ui

from deskref.language import say


class LivePicture:
    """A picture that moves, and the drawing over it; for one window."""

    def __init__(self, *, above: bool = False) -> None:
        """Draw both into the current element.

        Args:
            above: the view from above instead of the camera's.
        """
        self._drawn = ""
        address = "/stream.mjpg?above=true" if above else "/stream.mjpg"
        with ui.element("div").classes("picture above" if above else "picture"):
            ui.html(f'<img src="{address}" alt="{escape(say("page_camera_alt"), quote=True)}">', sanitize=False)
            self.over = ui.html("", sanitize=False)

    def draw(self, elements: str, size: tuple[int, int]) -> None:
        """Put SVG elements over the picture, in the pixels of a picture of this size."""
        width, height = size
        drawn = (
            f'<svg class="over" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(say("page_overlay_label"), quote=True)}">{elements}</svg>'
        )
        if drawn != self._drawn:
            self._drawn = drawn
            self.over.set_content(drawn)
