"""A webcam, or anything that the system shows as one: a virtual camera, a phone's app, OBS."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable

import cv2
import numpy as np

from devices.camera import Clock, Sleep, Source, SourceDetails, Trouble, TroubleCode, now_s, source_error
from devices.camera_list import CameraInfo, list_cameras
from devices.camera_opening import (
    AUTOMATICS,
    WANTED_SIZE,
    Capture,
    MakeCapture,
    lock_picture,
    make_opencv_capture,
    open_camera,
    release_picture,
)
from devices.film import as_bgr
from devices.frame import Frame

logger = logging.getLogger(__name__)

FAILURES_ALLOWED_S = 1.0
"""Frames refused for so long mean that the camera is gone: drivers refuse a single one now and then."""

FAILURE_WAIT_S = 0.05
"""Wait after a refused frame: after unplugging, OpenCV refuses at once, and asking again at once takes a whole core."""

DRIVER_AGE_S = 2.0
"""A driver's time for a frame is believed if it is not in the future and not older than this."""

LOCK_FRAMES = 5
"""Frames that pass before the effect of a setting is looked at: webcams take 2 to 4."""

ListCameras = Callable[[], tuple[CameraInfo, ...]]
"""Lists what is plugged in now."""


class Webcam(Source):
    """A camera of this computer, found again by its identity wherever the system lists it after replugging."""

    is_live = True
    warm_up_frames = 4
    first_frame_s = 10.0

    def __init__(
        self,
        camera: CameraInfo,
        *,
        size: tuple[int, int] = WANTED_SIZE,
        make: MakeCapture = make_opencv_capture,
        cameras: ListCameras = list_cameras,
        platform: str = sys.platform,
        clock: Clock = now_s,
        sleep: Sleep = time.sleep,
    ) -> None:
        """Remember which camera; `open` opens it.

        Args:
            camera: from `list_cameras`.
            size: width and height to ask for.
            make: opens a capture.
            cameras: lists what is plugged in.
            platform: as `sys.platform`.
            clock: seconds, the same as the drivers' on Linux.
            sleep: waits.
        """
        super().__init__()
        self._camera = camera
        self._size = size
        self._make = make
        self._cameras = cameras
        self._platform = platform
        self._clock = clock
        self._sleep = sleep
        self.name = camera.name
        self.identity = camera.identity
        self.opens_on_main_thread = platform == "darwin"
        self._capture: Capture | None = None
        self._automatics: dict[int, float] | None = None
        """What was automatic before a lock; None while nothing is held."""
        self._details = SourceDetails()
        self._others: frozenset[str] | None = None
        self._refused_since_s: float | None = None

    @property
    def details(self) -> SourceDetails:
        """Size, rate, backend and pixel format as read back."""
        return self._details

    def again(self) -> Webcam:
        """Return the same camera, not yet open."""
        fresh = Webcam(
            self._camera,
            size=self._size,
            make=self._make,
            cameras=self._cameras,
            platform=self._platform,
            clock=self._clock,
            sleep=self._sleep,
        )
        fresh._others = self._others
        return fresh._count_from(self)

    def open(self) -> None:
        """Find the camera among those plugged in now and open it.

        Raises:
            SourceError: it is not there, or does not open; no other camera is ever taken instead.
        """
        if self._capture is not None:
            return
        cameras = self._cameras()
        camera = self._found_again(cameras)
        opened = open_camera(camera, size=self._size, make=self._make, platform=self._platform, clock=self._clock)
        self._camera = camera
        self._others = frozenset(other.identity for other in cameras if other.identity != camera.identity)
        self._capture = opened.capture
        self._details = opened.details
        self._refused_since_s = None

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame; OpenCV may block for longer than the timeout if the camera hangs.

        Raises:
            SourceError: it gives no frames any more.
        """
        self.open()
        capture = self._capture
        assert capture is not None
        try:
            ok, image = capture.retrieve() if capture.grab() else (False, None)
        except cv2.error as error:
            logger.info("the camera %r failed: %s", self.name, error.code)
            ok, image = False, None
        now = self._clock()
        if not ok or image is None:
            self._note_refused(now, timeout_s)
            return None
        self._refused_since_s = None
        return Frame(as_bgr(np.asarray(image, np.uint8)), self._time_of(capture, now), self._next_number())

    def close(self) -> None:
        """Release the camera."""
        if self._capture is not None:
            self.unlock()
            self._capture.release()
            self._capture = None

    def lock(self) -> tuple[Trouble, ...]:
        """Hold exposure, white balance and focus as they are now; see `lock_picture`."""
        capture = self._capture
        if capture is None:
            return ()
        if self._automatics is None:
            self._automatics = {prop: capture.get(prop) for prop in AUTOMATICS}
        return lock_picture(capture, settle=lambda: _brightness_after(capture, LOCK_FRAMES))

    def unlock(self) -> None:
        """Give everything back to the camera's automatic; some drivers keep a lock for the next program otherwise."""
        automatics, self._automatics = self._automatics, None
        if self._capture is not None and automatics is not None:
            release_picture(self._capture, automatics)

    def _found_again(self, cameras: tuple[CameraInfo, ...]) -> CameraInfo:
        """Find this camera by identity, or as the only new one of its name, which is how a new socket shows."""
        for camera in cameras:
            if camera.identity == self._camera.identity:
                return camera
        if self._others is not None:
            new = [c for c in cameras if c.name == self._camera.name and c.identity not in self._others]
            if len(new) == 1:
                return new[0]
        others = ", ".join(camera.name for camera in cameras)
        if others:
            raise source_error(TroubleCode.UNPLUGGED, "cam_unplugged_others", name=f"{self.name!r}", cameras=others)
        raise source_error(TroubleCode.UNPLUGGED, "cam_unplugged", name=f"{self.name!r}")

    def _note_refused(self, now: float, timeout_s: float) -> None:
        """Wait a little after a refused frame; after too many, say that the camera is gone."""
        if self._refused_since_s is None:
            self._refused_since_s = now
        if now - self._refused_since_s < FAILURES_ALLOWED_S:
            self._sleep(min(FAILURE_WAIT_S, timeout_s))
            return
        self._found_again(self._cameras())
        raise source_error(TroubleCode.NO_FRAMES, "cam_no_more_pictures", name=f"{self.name!r}")

    def _time_of(self, capture: Capture, now: float) -> float:
        """Return when the frame was taken: the driver's time on Linux, which is this clock, else when it came."""
        if self._platform.startswith("linux"):
            taken_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if 0 <= now - taken_s <= DRIVER_AGE_S:
                return taken_s
        return now


def _brightness_after(capture: Capture, frames: int) -> float:
    """Let some frames pass and return the mean brightness of the last, 0 to 255; 0 without a frame."""
    brightness = 0.0
    for _ in range(frames):
        ok, image = capture.retrieve() if capture.grab() else (False, None)
        if ok and image is not None:
            brightness = float(np.asarray(image)[::8, ::8].mean())
    return brightness
