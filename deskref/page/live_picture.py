"""The live picture with a drawing over it, as the table page and the set-up show it."""

from __future__ import annotations

import json
from html import escape
from typing import Final

from nicegui import ui

from deskref.language import say

CAMERA: Final = "/stream.mjpg"
ABOVE: Final = "/stream.mjpg?above=true"


class LivePicture:
    """A picture that moves, and the drawing over it; for one window."""

    def __init__(self) -> None:
        """Draw both into the current element: the camera's view."""
        self._drawn = ""
        self._box = ui.element("div").classes("picture")
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

    def draw(self, elements: str, size: tuple[int, int], *, frame: int = -1) -> None:
        """Put SVG elements over the picture, in the pixels of a picture of this size.

        Args:
            elements: the drawing; the same one again is not sent again.
            size: width and height.
            frame: number of the frame that the drawing is of.
        """
        width, height = size
        label = escape(say("page_overlay_label"), quote=True)
        drawn = f'viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{elements}</svg>'
        if drawn != self._drawn:
            self._drawn = drawn
            self.over.set_content(f'<svg class="over" data-frame="{frame}" {drawn}')


def show_stream(box: ui.element, address: str) -> None:
    """Let the image in an element show a stream, in pictures as wide as it is: what is wider costs and shows nothing.

    The script `picture.js` asks for them and follows the window's size.
    """
    ui.run_javascript(f"deskrefPicture({json.dumps(box.html_id)}, {json.dumps(address)})")
