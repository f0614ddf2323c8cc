"""The live picture as the browser takes it: each frame is compressed once, however many pages look."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator

import cv2
import numpy as np
import numpy.typing as npt

from deskref.live import LiveGame
from vision.observation import Box

JPEG_QUALITY = 80
"""At 1280x720 about 150 KB a picture: no blocks to be seen, and 3 MB a second on the computer's own loopback."""

PICTURES_HZ = 20.0
"""So many pictures a second are sent at most: smooth to the eye, and half of what compressing every frame costs."""

BOUNDARY = "frame"


class Pictures:
    """The newest frame as JPEG, made when somebody asks for it."""

    def __init__(self, game: LiveGame) -> None:
        """Take frames from a running game."""
        self.game = game
        self._number = -1
        self._jpeg = b""

    def newest(self) -> tuple[int, bytes]:
        """The newest frame's number and its JPEG; -1 and nothing before the first."""
        seen = self.game.seen
        if seen is None:
            return -1, b""
        if seen.frame.number != self._number:
            self._jpeg = jpeg(seen.frame.image_bgr)
            self._number = seen.frame.number
        return self._number, self._jpeg

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield the parts of a multipart stream, newest frame each time, until the listener goes."""
        sent = -1
        while True:
            number, picture = await asyncio.to_thread(self.newest)
            if number != sent and picture:
                sent = number
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                yield head.encode() + picture + b"\r\n"
            await asyncio.sleep(1 / PICTURES_HZ)


def jpeg(image_bgr: npt.NDArray[np.uint8]) -> bytes:
    """Compress a picture of shape (rows, columns, 3)."""
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"a picture of shape {image_bgr.shape!r} cannot be compressed")
    return bytes(data)


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
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(np.asarray(piece, dtype=np.uint8))).decode()
