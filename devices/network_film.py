"""A network camera's film stream by RTSP, or a film behind an http address, through OpenCV's FFmpeg."""

from __future__ import annotations

import cv2
import numpy as np

from devices.camera import Clock, Source, SourceDetails, TroubleCode, now_s, source_error
from devices.film import FASTEST_RATE_HZ, as_bgr, fourcc_text
from devices.frame import Frame
from devices.http_answer import shown
from devices.opencv_settings import quiet_opencv

OPEN_TIMEOUT_MS = 5000
"""OpenCV waits 30 s by itself; an RTSP camera needs 1 to 3 s for its first key frame."""

READ_TIMEOUT_MS = 3000
"""A silent camera is given up after this; measured: a read returns at 3.0 s."""


class NetworkFilm(Source):
    """A stream that FFmpeg opens. Each `read` takes the next frame, so it has to be read steadily to stay current."""

    is_live = True
    first_frame_s = 8.0
    frozen_s = 30.0
    """A film encoder may leave a still table unchanged from one key frame to the next, in network cameras for 10 s and
    more; a dead camera shows by its silence here."""

    def __init__(self, address: str, *, clock: Clock = now_s) -> None:
        """Remember the address; `open` connects."""
        super().__init__()
        self._address = address
        self._clock = clock
        self.name = shown(address)
        self.identity = f"address:{self.name}"
        self._capture: cv2.VideoCapture | None = None
        self._details = SourceDetails()

    @property
    def details(self) -> SourceDetails:
        """Size, rate and codec."""
        return self._details

    def again(self) -> NetworkFilm:
        """Return the same stream, not connected."""
        return NetworkFilm(self._address, clock=self._clock)._count_from(self)

    def open(self) -> None:
        """Connect.

        Raises:
            SourceError: nobody answers, or nothing there can be played.
        """
        if self._capture is not None:
            return
        quiet_opencv()
        settings = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            OPEN_TIMEOUT_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            READ_TIMEOUT_MS,
            cv2.CAP_PROP_N_THREADS,
            1,
        ]
        capture = cv2.VideoCapture(self._address, cv2.CAP_FFMPEG, settings)
        if not capture.isOpened():
            capture.release()
            raise source_error(TroubleCode.NO_ANSWER, "cam_no_film_stream", name=f"{self.name!r}")
        rate_hz = capture.get(cv2.CAP_PROP_FPS)
        self._capture = capture
        self._details = SourceDetails(
            size=(int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))),
            rate_hz=rate_hz if 0 < rate_hz <= FASTEST_RATE_HZ else None,
            way=f"FFmpeg, {fourcc_text(capture.get(cv2.CAP_PROP_FOURCC))}, {self.name}",
        )

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame; waits up to `READ_TIMEOUT_MS`, whatever the timeout.

        Raises:
            SourceError: the stream ended or went silent.
        """
        self.open()
        assert self._capture is not None
        ok, image = self._capture.read()
        if not ok or image is None:
            raise source_error(TroubleCode.UNPLUGGED, "cam_stream_stopped", name=f"{self.name!r}")
        return Frame(as_bgr(np.asarray(image, np.uint8)), self._clock(), self._next_number())

    def close(self) -> None:
        """Close the connection."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
