"""A film file as a source: at its own speed like a camera, or as fast as it can be read."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import (
    Clock,
    Sleep,
    Source,
    SourceDetails,
    SourceEnded,
    SourceError,
    TroubleCode,
    now_s,
    source_error,
)
from devices.frame import Frame
from devices.opencv_settings import quiet_opencv

Speed = Literal["own", "steady", "fast"]
"""`own`: a second of film takes a second, frames are skipped when the reader is late. `steady`: as `own`, but the film
slows down and no frame is skipped. `fast`: every frame, in order."""

FALLBACK_RATE_HZ = 30.0
"""For films that do not say their rate: what webcams record with."""

FASTEST_RATE_HZ = 1000.0
"""A container that claims more has no rate: some write their time base (90000) there."""

SKIPS_AT_MOST = 30
"""Frames skipped in a row when late. A computer too slow for the film still shows one frame in 31 and does not stop."""

LATE_TOO_MUCH_S = 0.5
"""Later than this after skipping, the film goes on from here: the computer slept or cannot keep up."""

MISSING_FRAMES_ALLOWED = 5
"""Containers count up to a few frames too many (edit lists, an unfinished last group)."""

MISSING_PART_ALLOWED = 0.02
"""The same as a part of the film; a film that lacks more is cut off."""


class Film(Source):
    """A film file. `Frame.time_s` is the film's own time, from 0, at either speed."""

    is_live = False

    def __init__(self, path: Path, *, speed: Speed = "own", clock: Clock = now_s, sleep: Sleep = time.sleep) -> None:
        """Remember the file; `open` reads it.

        Args:
            path: of the film.
            speed: see `Speed`.
            clock: for `own` speed.
            sleep: for `own` speed.
        """
        super().__init__()
        if speed not in ("own", "steady", "fast"):
            raise ValueError(f"a film's speed is 'own', 'steady' or 'fast', not {speed!r}")
        self.path = path
        """Of the file."""
        self._speed: Speed = speed
        self.is_patient = speed == "steady"
        self._clock = clock
        self._sleep = sleep
        self.name = path.name
        self.identity = f"film:{path.name}"
        self._capture: cv2.VideoCapture | None = None
        self._details = SourceDetails()
        self._rate_hz = FALLBACK_RATE_HZ
        self._grabbed = 0
        self._grabbed_time_s: float | None = None
        self._last_time_s = -math.inf
        self._started_s: float | None = None

    @property
    def details(self) -> SourceDetails:
        """Size, rate and number of frames."""
        return self._details

    def again(self) -> Film:
        """Return the same film from its beginning."""
        return Film(self.path, speed=self._speed, clock=self._clock, sleep=self._sleep)

    def open(self) -> None:
        """Open the file.

        Raises:
            SourceError: there is no such file, it is empty, cut off, or no film.
        """
        if self._capture is not None:
            return
        check_film_file(self.path)
        quiet_opencv()
        # One thread: a 720p film costs 3.6 ms of one core a frame with one thread, 4.1 ms with two (measured), and the
        # other core belongs to the vision.
        capture = cv2.VideoCapture(str(self.path), cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
        if not capture.isOpened() or not capture.grab():
            capture.release()
            raise _why_not_a_film(self.path)
        rate_hz = capture.get(cv2.CAP_PROP_FPS)
        known_rate_hz = rate_hz if 0 < rate_hz <= FASTEST_RATE_HZ else None
        count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._rate_hz = known_rate_hz or FALLBACK_RATE_HZ
        self._details = SourceDetails(
            size=(int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))),
            rate_hz=known_rate_hz,
            frame_count=count if count > 0 else None,
            way=f"film, {fourcc_text(capture.get(cv2.CAP_PROP_FOURCC))}",
        )
        self._capture = capture
        self._grabbed = 0
        self._last_time_s = -math.inf
        self._started_s = None
        self._note_grabbed(capture)

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame: the next of all when `fast` or `steady`, the one that is due when `own`.

        Raises:
            SourceError: the film is cut off here.
            SourceEnded: the film is over.
        """
        self.open()
        capture = self._capture
        assert capture is not None
        if self._grabbed_time_s is None:
            self._grab(capture)
        if self._speed != "fast" and not self._wait_until_due(capture, timeout_s):
            return None
        time_s = self._grabbed_time_s
        assert time_s is not None
        number = self._grabbed - 1
        self._grabbed_time_s = None
        ok, image = capture.retrieve()
        if not ok or image is None:
            raise self._cut_off()
        return Frame(as_bgr(np.asarray(image, np.uint8)), time_s, number)

    def close(self) -> None:
        """Close the file; opened again, it starts from its beginning."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
        self._grabbed_time_s = None

    def _wait_until_due(self, capture: cv2.VideoCapture, timeout_s: float) -> bool:
        """Skip frames that are over, wait for the next one; False if that is not due within the timeout."""
        assert self._grabbed_time_s is not None
        if self._started_s is None:
            self._started_s = self._clock() - self._grabbed_time_s
        interval_s = 1 / self._rate_hz
        skipped = 0
        if self._speed == "steady":
            self._started_s = max(self._started_s, self._clock() - self._grabbed_time_s)
        while self._speed == "own" and (late_s := self._clock() - self._started_s - self._grabbed_time_s) > interval_s:
            if skipped == SKIPS_AT_MOST:
                if late_s > LATE_TOO_MUCH_S:
                    self._started_s += late_s
                break
            self._grab(capture)
            skipped += 1
        wait_s = self._started_s + self._grabbed_time_s - self._clock()
        if wait_s > timeout_s:
            self._sleep(timeout_s)
            return False
        if wait_s > 0:
            self._sleep(wait_s)
        return True

    def _grab(self, capture: cv2.VideoCapture) -> None:
        """Decode the next frame without converting it."""
        if not capture.grab():
            expected = self._details.frame_count
            missing = 0 if expected is None else expected - self._grabbed
            if expected is not None and missing > max(MISSING_FRAMES_ALLOWED, MISSING_PART_ALLOWED * expected):
                raise self._cut_off()
            raise SourceEnded
        self._note_grabbed(capture)

    def _note_grabbed(self, capture: cv2.VideoCapture) -> None:
        """Note the time of the frame that was just decoded; times that do not grow are replaced by counting."""
        time_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if not math.isfinite(time_s) or time_s <= self._last_time_s:
            time_s = 0.0 if self._grabbed == 0 else self._last_time_s + 1 / self._rate_hz
        self._last_time_s = time_s
        self._grabbed_time_s = time_s
        self._grabbed += 1

    def _cut_off(self) -> SourceError:
        """Say where the film breaks off."""
        expected = self._details.frame_count
        name, after = f"{self.name!r}", f"{self._last_time_s:.1f}"
        if expected is None:
            return source_error(TroubleCode.CUT_OFF, "cam_film_breaks_off", name=name, seconds=after)
        whole = f"{expected / self._rate_hz:.0f}"
        return source_error(TroubleCode.CUT_OFF, "cam_film_cut_off", name=name, seconds=after, whole=whole)


def check_film_file(path: Path) -> None:
    """Raise a `SourceError` if there is no readable file with something in it."""
    try:
        is_there, is_ordinary = path.exists(), path.is_file() or path.is_fifo() or path.is_dir()
    except OSError as error:
        raise source_error(
            TroubleCode.NO_SUCH_FILE, "cam_no_file_name", path=f"{str(path)[:60]!r}", why=error.strerror or "?"
        ) from error
    if not is_there:
        raise source_error(TroubleCode.NO_SUCH_FILE, "cam_no_file", path=f"{str(path)!r}")
    if not is_ordinary:
        raise source_error(TroubleCode.NOT_A_FILM, "cam_no_film", name=f"{str(path)!r}")
    try:
        with path.open("rb") as file:
            start = file.read(1)
    except OSError as error:
        raise source_error(
            TroubleCode.NO_PERMISSION, "cam_file_unreadable", path=f"{str(path)!r}", why=error.strerror or "?"
        ) from error
    if not start:
        raise source_error(TroubleCode.EMPTY_FILE, "cam_file_empty", name=f"{path.name!r}")


def _why_not_a_film(path: Path) -> SourceError:
    """Tell a film that is cut off from something that never was one."""
    if _is_mp4_without_index(path):
        return source_error(TroubleCode.CUT_OFF, "cam_film_no_index", name=f"{path.name!r}")
    return source_error(TroubleCode.NOT_A_FILM, "cam_no_film", name=f"{path.name!r}")


def _is_mp4_without_index(path: Path) -> bool:
    """Whether the file starts as MP4 and has no complete `moov` box: an interrupted recording or copy."""
    size = path.stat().st_size
    with path.open("rb") as file:
        position = 0
        first = True
        while position + 8 <= size:
            file.seek(position)
            head = file.read(16)
            length, kind = int.from_bytes(head[:4], "big"), head[4:8]
            if first and kind != b"ftyp":
                return False
            first = False
            if length == 1:
                length = int.from_bytes(head[8:16], "big")
            if kind == b"moov":
                return position + length > size
            if length < 8:
                return True
            position += length
    return not first


def as_bgr(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Give a single-channel picture three channels; others are passed through without a copy."""
    if image.ndim == 3 and image.shape[2] == 3:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


def fourcc_text(code: float) -> str:
    """Spell a FOURCC number, `H264`; `?` for one that has no letters."""
    letters = int(code).to_bytes(4, "little", signed=False) if 0 < code < 2**32 else b""
    text = letters.decode("ascii", errors="replace").strip("\x00 ")
    return text if text.isprintable() and text else "?"
