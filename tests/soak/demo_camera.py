"""A simulated webcam that looks at the demo's desk: as quick as its pictures are taken, and with a webcam's faults."""

from __future__ import annotations

import threading
import time
from collections import deque
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Source, SourceDetails, SourceError, TroubleCode
from devices.frame import Frame
from devices.opencv_settings import quiet_opencv

RATE_HZ = 30.0
"""Of the demo's film."""

BREATH = 0.4
"""A first picture after a pause takes this part of the time between pictures, or the camera's thread would take it for
one that waited in a queue, as `devices.camera_loop.AT_ONCE_PART` tells them, and skip it."""

RATE_FRAMES = 31
"""Over so many pictures that thread measures the time between them."""

DRAWN_SIZE = (72, 128, 3)
"""Of a picture that nobody looks into: rows, columns, colours."""

PAUSE_S = 0.3
"""Well under the pause after which the camera's thread looks for such pictures."""

BLACK_S = 1 / RATE_HZ
"""How often a covered lens gives a picture."""


class DemoCamera(Source):
    """A live camera over the demo's desk. While it is unplugged, covered or held, nothing happens on the desk.

    The faults may be called by any thread; all else belongs to the camera's.
    """

    is_live = True
    is_patient = True
    name = "camera of the soak"
    identity = "soak:demo"

    def __init__(self, film: Path | None, *, first: int = 0, hold_at: int | None = None, count: int = 10**6) -> None:
        """Look at the desk as a film shows it.

        Args:
            film: of the desk; None gives pictures that only say which frame they stand for.
            count: frames that there are, where there is no film.
            first: number of the film's frame to begin with.
            hold_at: frame before which it holds by itself; None for none.
        """
        super().__init__()
        self.changed = threading.Condition()
        """Told whenever one of the numbers below changes."""
        self.shown = first
        """Number of the film's frame that comes next."""
        self.is_over = False
        """Whether the film has no further frame: the desk stays as it is, and no picture comes any more."""
        self.closed = self.opened = 0
        self.black = 0
        """Black pictures given."""
        self.hold_at = hold_at
        self._count = count
        self._is_plugged = True
        self._is_black = False
        self._is_held = False
        self._capture = _film_at(film, first) if film is not None else None
        self._paused_s = 0.0
        self._gave: tuple[float, float] | None = None
        """Time of the last frame's end by the film's clock, and by that of the computer."""
        self._has_paused = False
        self._times_s: deque[float] = deque(maxlen=RATE_FRAMES)
        self._given = -1

    @property
    def details(self) -> SourceDetails:
        """Size and rate of the film."""
        return SourceDetails(size=(1280, 720), rate_hz=RATE_HZ, way="simulated")

    def again(self) -> DemoCamera:
        """Nobody asks for another: this one never hangs."""
        raise NotImplementedError

    def unplug(self) -> None:
        """Pull the plug."""
        self._set(_is_plugged=False)

    def plug(self) -> None:
        """Put it in again."""
        self._set(_is_plugged=True)

    def cover(self, *, is_black: bool) -> None:
        """Put something over the lens, or take it away."""
        self._set(_is_black=is_black)

    def hold(self, *, is_held: bool) -> None:
        """Let nothing happen on the desk, and no picture come, or let it go on."""
        self._set(_is_held=is_held)

    def go_on_to(self, frame: int | None) -> None:
        """Go on, and hold by itself before a frame; None goes on to the end."""
        self._set(hold_at=frame)

    def put_away(self) -> None:
        """Let go of the film; the camera's thread has ended."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def open(self) -> None:
        """Open it, where it is plugged in."""
        with self.changed:
            if not self._is_plugged:
                raise SourceError(TroubleCode.UNPLUGGED, "The camera is gone.", "Plug it in again.")
            self.opened += 1
            self.changed.notify_all()

    def close(self) -> None:
        """Close it; the desk stays as it is."""
        with self.changed:
            self.closed += 1
            self._has_paused = True
            self.changed.notify_all()

    def read(self, timeout_s: float) -> Frame | None:
        """Give the next frame of the film, a black picture, or nothing."""
        with self.changed:
            if not self._is_plugged:
                self._has_paused = True
                raise SourceError(TroubleCode.UNPLUGGED, "The camera is gone.", "Plug it in again.")
            if self._is_black:
                self._has_paused = True
                self.black += 1
                self.changed.wait(BLACK_S)
                return Frame(np.zeros((720, 1280, 3), np.uint8), self._film_s + self._paused_s, self._next_number())
            if self._is_held or self.is_over or self.shown == self.hold_at:
                self._has_paused = True
                self.changed.notify_all()
                self.changed.wait(timeout_s)
                return None
        frame = self._next()
        with self.changed:
            self.is_over = frame is None
            self.shown += frame is not None
            self.changed.notify_all()
        return frame

    @property
    def given(self) -> int:
        """Number of the last frame of the film that was given, as the camera counts."""
        return self._given

    @property
    def _film_s(self) -> float:
        return self.shown / RATE_HZ

    def _next(self) -> Frame | None:
        now_s = time.monotonic()
        if self._gave is not None and now_s - self._gave[1] > PAUSE_S:
            time.sleep(BREATH * (self._times_s[-1] - self._times_s[0] + 1.0) / len(self._times_s))
        image = self._picture()
        if image is None:
            return None
        number = self._next_number()
        # A film's still pictures are alike to the bit, a camera's never: a corner far from the mat carries the numbers.
        image[0, 0] = (number % 251, number // 251 % 251, number // 251**2)
        image[0, 1] = (self.shown % 256, self.shown // 256, 0)
        if self._has_paused and self._gave is not None:
            self._paused_s += max(0.0, time.monotonic() - self._gave[1])
        self._has_paused = False
        time_s = self._film_s + self._paused_s
        self._gave = (time_s, time.monotonic())
        self._times_s.append(self._gave[1])
        self._given = number
        return Frame(image, time_s, number)

    def _picture(self) -> npt.NDArray[np.uint8] | None:
        """Give the film's next picture; None after its last."""
        if self._capture is None:
            return np.full(DRAWN_SIZE, 90, np.uint8) if self.shown < self._count else None
        ok, image = self._capture.read()
        return np.asarray(image, np.uint8) if ok else None

    def _set(self, **changes: object) -> None:
        with self.changed:
            for name, value in changes.items():
                setattr(self, name, value)
            self.changed.notify_all()


def _film_at(film: Path, frame: int) -> cv2.VideoCapture:
    """Open a film at a frame; by going there, for films may jump elsewhere."""
    quiet_opencv()
    capture = cv2.VideoCapture(str(film), cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
    for _ in range(frame):
        capture.grab()
    return capture


def film_frame_of(frame: Frame) -> int:
    """Tell which frame of the film a picture is."""
    low, high, _ = frame.image_bgr[0, 1].tolist()
    return int(low) + 256 * int(high)
