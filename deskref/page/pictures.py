"""The live picture as the browser takes it: each frame is compressed once, however many pages look."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import AsyncIterator

import cv2
import numpy as np
import numpy.typing as npt

from deskref.live import LiveGame
from deskref.page.above import AboveMaker, above_of
from devices.frame import Frame
from vision.observation import Box

JPEG_QUALITY = 80
"""At 1280x720 about 150 KB a picture: no blocks to be seen, and 3 MB a second on the computer's own loopback."""

PICTURES_HZ = 15.0
"""So many pictures a second are sent at most: smooth to the eye, and half of what showing every frame costs."""

LOOKS_BEFORE_AGAIN = 8
"""After so many looks at the same picture it is sent once more: some browsers show a picture when the next one begins,
and would show none of a film that is over."""

BOUNDARY = "frame"


class Pictures:
    """The newest frame as JPEG, made when somebody asks for it."""

    def __init__(self, game: LiveGame) -> None:
        """Take frames from a running game."""
        self.game = game
        self._made: dict[bool, tuple[Frame | None, int, bytes]] = {}
        self._above = AboveMaker()
        self._making = threading.Lock()
        """Held while a picture is made: several pages look at the same one."""
        self._count = 0

    def newest(self, *, from_above: bool = False) -> tuple[int, bytes]:
        """The newest picture's number and its JPEG; -1 and nothing before the first.

        Args:
            from_above: the table as a map; where it is not found, the camera's picture.
        """
        number, _, picture = self._newest(from_above=from_above)
        return number, picture

    def _newest(self, *, from_above: bool) -> tuple[int, int, bytes]:
        """The newest picture's number, its frame's, and its JPEG."""
        seen = self.game.seen
        if seen is None:
            return -1, -1, b""
        with self._making:
            frame, number, picture = self._made.get(from_above, (None, -1, b""))
            if frame is not seen.frame:
                image = seen.frame.image_bgr
                if from_above and seen.view is not None:
                    image = self._above.picture(image, seen.view, above_of(self.game.table))
                self._count += 1
                number, picture = self._count, jpeg(image)
                self._made[from_above] = (seen.frame, number, picture)
        return number, seen.frame.number, picture

    async def stream(self, *, from_above: bool = False) -> AsyncIterator[bytes]:
        """Yield the parts of a multipart stream, newest frame each time, until the listener goes.

        The boundary is sent behind each picture and not before the next: browsers show a picture when they have seen
        where it ends, so that it would always be one frame old, and a table that stands still would not be shown.
        `X-Frame` numbers the frame, as `data-frame` of the drawing over it does: so its delay can be measured.
        """
        sent, looks = -1, 0
        yield f"--{BOUNDARY}\r\n".encode()
        while True:
            number, frame, picture = await asyncio.to_thread(lambda: self._newest(from_above=from_above))
            looks = 0 if number != sent else looks + 1
            if picture and looks in (0, LOOKS_BEFORE_AGAIN):
                sent = number
                head = f"Content-Type: image/jpeg\r\nX-Frame: {frame}\r\nContent-Length: {len(picture)}\r\n\r\n"
                yield head.encode() + picture + f"\r\n--{BOUNDARY}\r\n".encode()
            await asyncio.sleep(1 / PICTURES_HZ)


def jpeg(image_bgr: npt.NDArray[np.uint8]) -> bytes:
    """Compress a picture of shape (rows, columns, 3)."""
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"a picture of shape {image_bgr.shape!r} cannot be compressed")
    return bytes(data)


def picture_address(image_bgr: npt.NDArray[np.uint8]) -> str:
    """A whole picture as an address that an `<img>` shows."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(image_bgr)).decode()


def crop_address(image_bgr: npt.NDArray[np.uint8], box: Box, *, side_px: int = 160) -> str:
    """A piece of the picture, with a margin of a third, as an address that an `<img>` shows."""
    x0, y0, x1, y1 = box
    reach = 0.66 * max(x1 - x0, y1 - y0)
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    rows, columns = image_bgr.shape[:2]
    left, right = (int(np.clip(v, 0, columns)) for v in (cx - reach, cx + reach))
    top, bottom = (int(np.clip(v, 0, rows)) for v in (cy - reach, cy + reach))
    if right - left < 2 or bottom - top < 2:
        return ""
    piece = cv2.resize(image_bgr[top:bottom, left:right], (side_px, side_px), interpolation=cv2.INTER_AREA)
    return picture_address(np.asarray(piece, dtype=np.uint8))
