"""The live picture with a drawing over it, as the table page and the set-up show it."""

from __future__ import annotations

import json
from html import escape
from typing import Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.language import say
from deskref.page.overlay import USUAL_SCALE

CAMERA: Final = "/stream.mjpg"
LARGEST_SCALE: Final = 5.0
"""A picture of 1920 pixels on the narrowest phone."""
ABOVE: Final = "/stream.mjpg?above=true"


class LivePicture:
    """A picture that moves, and the drawing over it; for one window."""

    def __init__(self) -> None:
        """Draw both into the current element: the camera's view."""
        self._drawn = ""
        self.shown_px = 0.0
        """How wide the browser shows it; 0 until it has said so."""
        self._box = ui.element("div").classes("picture")
        self._box.on("shown", self._hear_width, args=["detail"])
        with self._box:
            ui.html(f'<img alt="{escape(say("page_camera_alt"), quote=True)}">', sanitize=False)
            self.over = ui.html("", sanitize=False)
        show_stream(self._box, CAMERA)

    def show(self, *, above: bool) -> None:
        """Show the view from above, or the camera's again.

        The image gets another address and is not made anew: browsers let the stream of an image that was taken away
        run on for a while, and have only six connections.
        """
        self._box.classes(replace="picture above" if above else "picture")
        show_stream(self._box, ABOVE if above else CAMERA)

    def scale(self, size: tuple[int, int]) -> float:
        """Pixels of a picture of this size for one of the screen: what is drawn is then as large on every screen."""
        return min(max(size[0] / self.shown_px, 1.0), LARGEST_SCALE) if self.shown_px else USUAL_SCALE

    def _hear_width(self, event: GenericEventArguments) -> None:
        told = event.args.get("detail") if isinstance(event.args, dict) else None
        if isinstance(told, int | float) and told > 0:
            self.shown_px = float(told)

    def draw(self, elements: str, size: tuple[int, int], *, frame: int = -1) -> None:
        """Put SVG elements over the picture, in the pixels of a picture of this size.

        Args:
            elements: the drawing; the same one again is not sent again.
            size: width and height.
            frame: number of the frame that the drawing is of.
        """
        width, height = size
        label = escape(say("page_overlay_label"), quote=True)
        letters = f'style="--u: {self.scale(size):.2f}"'  # the style sheet's sizes are of the screen
        drawn = f'viewBox="0 0 {width} {height}" {letters} role="img" aria-label="{label}">{elements}</svg>'
        if drawn != self._drawn:
            self._drawn = drawn
            self.over.set_content(f'<svg class="over" data-frame="{frame}" {drawn}')


def show_stream(box: ui.element, address: str) -> None:
    """Let the image in an element show a stream, in pictures as wide as it is: what is wider costs and shows nothing.

    The script `picture.js` asks for them and follows the window's size.
    """
    ui.run_javascript(f"deskrefPicture({json.dumps(box.html_id)}, {json.dumps(address)})")
