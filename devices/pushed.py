"""Frames that a browser or a phone sends by itself, one picture for each POST: the receiving end.

The page checks who may send; here the bytes are judged. Nothing is decoded in the web server's thread.
"""

from __future__ import annotations

import io
import math
import threading
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from devices.camera import Clock, Source, SourceDetails, SourceError, TroubleCode, now_s, source_error, trouble
from devices.frame import Frame
from devices.latest import Latest
from devices.mjpeg import jpeg_size
from devices.pictures import decode_picture
from devices.stream import decode_frame

PUSH_MOST_BYTES = 4 * 1024 * 1024
"""Largest picture taken; a 1080p JPEG of best quality has 1.5 MB."""

PUSH_MOST_PIXELS = 4096 * 3072
"""Largest picture taken, in pixels."""

SENDER_KEPT_S = 3.0
"""A second phone is refused until the first was silent for so long: frames of two views in turn would look like a
table that jumps."""

BROKEN_AT_MOST = 10
"""Broken pictures in a row before the players are told."""


NOT_SENDING = trouble(TroubleCode.NO_FRAMES, "cam_phone_silent")
"""For the screen while nothing comes."""


@dataclass(frozen=True, slots=True)
class _Push:
    data: bytes
    time_s: float


class PushedSource(Source):
    """A camera whose frames are brought. `push` may be called from any thread, the rest by the reading thread."""

    is_live = True
    first_frame_s = float("inf")
    waiting = NOT_SENDING

    def __init__(self, name: str = "phone", *, clock: Clock = now_s) -> None:
        """Name it for the screen; the identity is made from the name."""
        super().__init__()
        self.name = name
        self.identity = f"pushed:{name}"
        self._clock = clock
        self._newest: Latest[_Push] = Latest()
        self._sender: tuple[str, float] | None = None
        self._sender_guard = threading.Lock()
        self._broken = 0
        self._size: tuple[int, int] | None = None

    @property
    def details(self) -> SourceDetails:
        """Size of the pictures."""
        return SourceDetails(size=self._size, way="sent by a page")

    def again(self) -> PushedSource:
        """Return this source itself, since the senders know no other; its `read` cannot hang."""
        return self

    def push(self, data: bytes, *, sender: str = "") -> None:
        """Take one picture, JPEG, PNG or WEBP. Cheap: its head is looked at, the newest is decoded by `read`.

        Args:
            data: the body of the POST.
            sender: tells the senders apart, for example the token's or connection's name.

        Raises:
            SourceError: too large, not a picture, or another sender is the camera now; its code tells which.
        """
        if len(data) > PUSH_MOST_BYTES:
            raise source_error(
                TroubleCode.TOO_LARGE,
                "cam_push_large",
                megabytes=f"{math.ceil(len(data) / 100000.0) / 10:.1f}",
                most=f"{math.floor(PUSH_MOST_BYTES / 100000.0) / 10:.1f}",
            )
        size = _size_in_head(data)
        if size is None:
            raise source_error(TroubleCode.NOT_A_PICTURE, "cam_push_no_picture")
        if size[0] * size[1] > PUSH_MOST_PIXELS or min(size) < 1:
            raise source_error(TroubleCode.TOO_LARGE, "cam_push_many_pixels", width=size[0], height=size[1])
        time_s = self._clock()
        with self._sender_guard:
            if self._sender is not None:
                name, seen_s = self._sender
                if name != sender and time_s - seen_s < SENDER_KEPT_S:
                    raise source_error(TroubleCode.BUSY, "cam_push_other")
            self._sender = (sender, time_s)
        self._newest.put(_Push(data, time_s))

    def open(self) -> None:
        """Forget what came before, so that nothing old is read."""
        self._newest.clear()

    def read(self, timeout_s: float) -> Frame | None:
        """Return the newest picture that was sent and not yet read.

        Raises:
            SourceError: the pictures arrive broken.
        """
        push = self._newest.take(timeout_s)
        if push is None:
            return None
        image = _decoded(push.data)
        if image is None:
            self._broken += 1
            if self._broken >= BROKEN_AT_MOST:
                self._broken = 0
                raise source_error(TroubleCode.BROKEN_FRAMES, "cam_push_broken", name=f"{self.name!r}")
            return None
        self._broken = 0
        frame = Frame(image, push.time_s, self._next_number())
        self._size = frame.size
        return frame

    def close(self) -> None:
        """Forget what came; pushing goes on to be possible."""
        self._newest.clear()


def _size_in_head(data: bytes) -> tuple[int, int] | None:
    """Read width and height from the head of a JPEG, PNG or WEBP; None for anything else."""
    if data.startswith(b"\xff\xd8"):
        return jpeg_size(data)
    if not data.startswith((b"\x89PNG\r\n\x1a\n", b"RIFF")):
        return None
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "WEBP")) as image:
            return image.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None


def _decoded(data: bytes) -> npt.NDArray[np.uint8] | None:
    """Decode one picture; None if it is broken."""
    if data.startswith(b"\xff\xd8"):
        return decode_frame(data)
    try:
        return decode_picture(data, name="sent picture", full_pixels=PUSH_MOST_PIXELS).image_bgr
    except SourceError:
        return None
