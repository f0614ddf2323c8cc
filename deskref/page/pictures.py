"""The live picture as the browser takes it: each frame is compressed once, however many pages look."""

from __future__ import annotations

import asyncio
import base64
import math
import threading
import time
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

FITTED_QUALITY = 86
"""Of a picture that was made smaller for who looks, whose compression nothing smooths over any more."""

PICTURES_HZ = 15.0
"""So many pictures a second are sent at most: smooth to the eye, and half of what showing every frame costs."""

AGAIN_S = 0.5
"""A picture that stays so long is sent once more: some browsers show a picture when the next one begins, and would
show none of a film that is over."""

LOOK_S = 1 / 60
"""How often a stream that is due looks for a new frame."""

WIDEST = 7680
"""Pixels that a picture may be asked for: those of the widest screens."""

BOUNDARY = "frame"


class Pictures:
    """The newest frame as JPEG, made when somebody asks for it."""

    def __init__(self, game: LiveGame) -> None:
        """Take frames from a running game."""
        self.game = game
        self._made: dict[tuple[bool, int], tuple[Frame | None, int, bytes]] = {}
        self._above = AboveMaker()
        self._making = threading.Lock()
        """Held while a picture is made: several pages look at the same one."""
        self._count = 0
        self._has_ended = False

    def end(self) -> None:
        """End all streams: the program ends, and they would be cut off."""
        self._has_ended = True

    def newest(self, *, from_above: bool = False, wide: int = 0) -> tuple[int, bytes]:
        """The newest picture's number and its JPEG; -1 and nothing before the first.

        Args:
            from_above: the table as a map; where it is not found, the camera's picture.
            wide: pixels that who looks can show; a wider picture is made so wide. 0 takes it as it is.
        """
        number, _, picture = self._newest(from_above=from_above, wide=wide)
        return number, picture

    def _newest(self, *, from_above: bool, wide: int) -> tuple[int, Frame | None, bytes]:
        """The newest picture's number, its frame, and its JPEG."""
        seen = self.game.seen
        if seen is None:
            return -1, None, b""
        with self._making:
            frame, number, picture = self._made.get((from_above, wide), (None, -1, b""))
            if frame is not seen.frame:
                image = seen.frame.image_bgr
                if from_above and seen.view is not None:
                    image = self._above.picture(image, seen.view, above_of(self.game.table))
                self._count += 1
                number, picture = self._count, _fitted(image, wide)
                # Windows that were closed or made larger leave their last pictures here; only of this frame are kept.
                self._made = {key: made for key, made in self._made.items() if made[0] is seen.frame}
                self._made[from_above, wide] = (seen.frame, number, picture)
        return number, seen.frame, picture

    async def stream(self, *, from_above: bool = False, wide: int = 0) -> AsyncIterator[bytes]:
        """Yield the parts of a multipart stream, newest frame each time, until the listener goes or the program ends.

        The boundary is sent behind each picture and not before the next: browsers show a picture when they have seen
        where it ends, so that it would always be one frame old, and a table that stands still would not be shown.
        `X-Frame` numbers the frame, as `data-frame` of the drawing over it does: so its delay can be measured.

        Args:
            from_above: the table as a map; where it is not found, the camera's picture.
            wide: pixels that who looks can show; a wider picture is made so wide. 0 takes it as it is.
        """
        sent: Frame | None = None
        again_s = due_s = time.monotonic()
        yield f"--{BOUNDARY}\r\n".encode()
        while not self._has_ended:
            seen, now_s = self.game.seen, time.monotonic()
            is_new = seen is not None and seen.frame is not sent
            if seen is None or now_s < due_s or not (is_new or now_s >= again_s):
                await asyncio.sleep(max(LOOK_S, due_s - now_s))
                continue
            _, frame, picture = await asyncio.to_thread(lambda: self._newest(from_above=from_above, wide=wide))
            if frame is None:
                continue
            # Counted from when it was due, so that the pace is kept; not caught up with where all was late.
            due_s = max(due_s, now_s - LOOK_S) + 1 / PICTURES_HZ
            again_s = now_s + AGAIN_S if is_new else math.inf
            sent = frame
            head = f"Content-Type: image/jpeg\r\nX-Frame: {frame.number}\r\nContent-Length: {len(picture)}\r\n\r\n"
            yield head.encode() + picture + f"\r\n--{BOUNDARY}\r\n".encode()


def _fitted(image_bgr: npt.NDArray[np.uint8], wide: int) -> bytes:
    """Compress a picture, made smaller where it is wider than can be shown."""
    rows, columns = image_bgr.shape[:2]
    if not 0 < wide < columns:
        return jpeg(image_bgr)
    small = cv2.resize(image_bgr, (wide, max(1, round(rows * wide / columns))), interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(small, dtype=np.uint8), quality=FITTED_QUALITY)


def jpeg(image_bgr: npt.NDArray[np.uint8], *, quality: int = JPEG_QUALITY) -> bytes:
    """Compress a picture of shape (rows, columns, 3), with a quality of 0 to 100."""
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
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
