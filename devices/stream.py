"""A camera in the network: motion JPEG or single pictures by HTTP, from a phone's app or a network camera.

OpenCV's own reader is not used for these: it decodes every frame whether wanted or not, queues what is not read (a
reader of 6 frames a second is 4.5 s behind after 40 frames, measured), and cannot tell a wrong address from a
phone that sleeps.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Clock, Sleep, Source, SourceDetails, SourceError, TroubleCode, now_s, source_error
from devices.film import as_bgr
from devices.frame import Frame
from devices.http_answer import HttpAnswer, ask, shown
from devices.mjpeg import MjpegParser, jpeg_size

CONNECT_TIMEOUT_S = 3.0
"""For connecting and for each piece of the answer's head; a phone on the same Wi-Fi answers within 0.3 s."""

USUAL_PATHS = ("/video", "/videofeed", "/mjpegfeed", "/?action=stream", "/shot.jpg")
"""Where phones' apps and small servers keep the stream, tried when an address leads to a page: IP Webcam and DroidCam
(`/video`), others (`/videofeed`, `/mjpegfeed`), mjpg-streamer (`/?action=stream`), a single picture last."""

FRAME_MOST_PIXELS = 4096 * 3072
"""Larger pictures are refused: decoding one takes longer than the time between frames, and a few fill the memory."""

BROKEN_AT_MOST = 10
"""Broken pictures in a row before the stream counts as broken; a phone at the edge of its Wi-Fi sends a few."""

STILL_INTERVAL_S = 0.1
"""Wait between two requests for a single picture: about 5 to 8 a second, which phones serve without getting hot."""

DRAIN_BYTES = 8 * 1024 * 1024
"""Read at most so much in search of a newer frame before the newest is decoded."""


class Stream(Source):
    """A camera behind an http or https address."""

    is_live = True
    first_frame_s = 8.0

    def __init__(self, address: str, *, clock: Clock = now_s, sleep: Sleep = time.sleep) -> None:
        """Remember the address; `open` connects.

        Args:
            address: of the stream, of a single picture, or of the page that shows them.
            clock: seconds.
            sleep: waits.
        """
        super().__init__()
        self._address = address
        self._clock = clock
        self._sleep = sleep
        self.name = shown(address)
        self.identity = f"address:{self.name}"
        self._found: str | None = None
        self._answer: HttpAnswer | None = None
        self._parser: MjpegParser | None = None
        self._asked_s: float | None = None
        self._broken = 0
        self._details = SourceDetails()

    @property
    def details(self) -> SourceDetails:
        """The address that was found, and the size."""
        return self._details

    def again(self) -> Stream:
        """Return the same stream, not connected."""
        return Stream(self._address, clock=self._clock, sleep=self._sleep)._count_from(self)

    def open(self) -> None:
        """Connect; try the usual places if the address leads to a page.

        Raises:
            SourceError: nobody answers, or nothing there is a stream.
        """
        if self._found is not None:
            return
        refusal: SourceError | None = None
        for address in addresses_to_try(self._address):
            answer = ask(address, timeout_s=CONNECT_TIMEOUT_S)
            if self._is_taken(address, answer):
                return
            answer.close()
            refusal = refusal or _refusal(address, answer)
            if refusal.code is TroubleCode.NEEDS_PASSWORD:
                break
        assert refusal is not None
        raise refusal

    def read(self, timeout_s: float) -> Frame | None:
        """Return the newest frame that has come whole.

        Raises:
            SourceError: the stream ended, broke, or sends garbage.
        """
        self.open()
        data = self._newest_jpeg(timeout_s) if self._parser is not None else self._next_still(timeout_s)
        if data is None:
            return None
        image = decode_frame(data)
        if image is None:
            self._broken += 1
            if self._broken >= BROKEN_AT_MOST:
                raise source_error(TroubleCode.BROKEN_FRAMES, "cam_stream_broken", name=f"{self.name!r}")
            return None
        self._broken = 0
        frame = Frame(image, self._clock(), self._next_number())
        if frame.size != self._details.size:
            self._details = replace(self._details, size=frame.size)
        return frame

    def close(self) -> None:
        """Close the connection."""
        if self._answer is not None:
            self._answer.close()
        self._answer = None
        self._parser = None
        self._found = None
        self._asked_s = None
        self._broken = 0

    def _is_taken(self, address: str, answer: HttpAnswer) -> bool:
        """Use an answer if it is a stream or a picture."""
        if answer.head.status != 200:
            return False
        kind = answer.head.content_type
        if kind.startswith("multipart/"):
            boundary = re.search(r'boundary\s*=\s*("[^"]+"|[^;\s]+)', answer.head.fields["content-type"], re.IGNORECASE)
            self._parser = MjpegParser(boundary[1] if boundary else "")
            self._answer = answer
            self._details = SourceDetails(way=f"motion JPEG, {shown(address)}")
        elif kind in ("image/jpeg", "image/jpg", "image/pjpeg"):
            answer.close()
            self._details = SourceDetails(way=f"single pictures, {shown(address)}")
        else:
            return False
        self._found = address
        return True

    def _newest_jpeg(self, timeout_s: float) -> bytes | None:
        """Read until a picture is whole, then on while more lies ready, and return the last whole one."""
        assert self._answer is not None
        assert self._parser is not None
        newest: bytes | None = None
        received = 0
        deadline_s = self._clock() + timeout_s
        while True:
            wait_s = 0.0 if newest is not None else max(0.0, deadline_s - self._clock())
            try:
                data = self._answer.read(wait_s)
            except OSError as error:
                raise _gone(self.name) from error
            if data is None:
                return newest
            if not data:
                if newest is not None:
                    return newest
                raise _gone(self.name)
            received += len(data)
            pictures = self._parser.feed(data)
            if pictures:
                newest = pictures[-1]
            if newest is not None and received > DRAIN_BYTES:
                return newest
            if newest is None and self._clock() >= deadline_s:
                return None

    def _next_still(self, timeout_s: float) -> bytes | None:
        """Request one picture, not sooner than the interval allows."""
        assert self._found is not None
        if self._asked_s is not None:
            wait_s = self._asked_s + STILL_INTERVAL_S - self._clock()
            if wait_s > timeout_s:
                self._sleep(timeout_s)
                return None
            if wait_s > 0:
                self._sleep(wait_s)
        self._asked_s = self._clock()
        answer = ask(self._found, timeout_s=CONNECT_TIMEOUT_S)
        try:
            if answer.head.status != 200:
                raise _refusal(self._found, answer)
            data = bytearray()
            while True:
                piece = answer.read(CONNECT_TIMEOUT_S)
                if piece is None:
                    raise _gone(self.name)
                if not piece:
                    return bytes(data)
                data += piece
                if len(data) > DRAIN_BYTES:
                    return b""
        except OSError as error:
            raise _gone(self.name) from error
        finally:
            answer.close()


def decode_frame(data: bytes) -> npt.NDArray[np.uint8] | None:
    """Decode one JPEG of a stream to shape (rows, columns, 3) BGR; None if it is broken or beyond the size limit."""
    size = jpeg_size(data)
    # A JPEG without its end mark is one whose rest was lost: half of it would be gray.
    if size is None or size[0] * size[1] > FRAME_MOST_PIXELS or b"\xff\xd9" not in data[-64:]:
        return None
    try:
        image: Any = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else as_bgr(np.asarray(image, np.uint8))


def addresses_to_try(address: str) -> tuple[str, ...]:
    """List the address itself and, if it has no path of its own, the usual places of a stream there."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return (address,)
    if parts.query or parts.path.rstrip("/") not in ("", "/index.html", "/browserfs.html", "/js.html"):
        return (address,)
    base = parts._replace(path="", query="", fragment="")
    return (address, *(urlunsplit(base) + path for path in USUAL_PATHS))


def _refusal(address: str, answer: HttpAnswer) -> SourceError:
    """Say why an answer is no stream."""
    status, kind = answer.head.status, answer.head.content_type
    if status in (401, 403):
        return source_error(TroubleCode.NEEDS_PASSWORD, "cam_password", address=f"{shown(address)!r}")
    if status == 503:
        return source_error(TroubleCode.BUSY, "cam_stream_busy", address=f"{shown(address)!r}")
    at = f"{shown(address)!r}"
    if status != 200:
        return source_error(TroubleCode.NOT_A_STREAM, "cam_no_stream_status", address=at, status=status)
    if kind:
        return source_error(TroubleCode.NOT_A_STREAM, "cam_no_stream_type", address=at, type=kind)
    return source_error(TroubleCode.NOT_A_STREAM, "cam_no_stream", address=at)


def _gone(name: str) -> SourceError:
    """Say that the connection broke."""
    return source_error(TroubleCode.UNPLUGGED, "cam_connection_broke", name=f"{name!r}")
