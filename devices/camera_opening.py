"""Opening a webcam through OpenCV: which way on which system, in which order, and what came of it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Clock, SourceDetails, SourceError, Trouble, TroubleCode, now_s, source_error, trouble
from devices.camera_list import CameraInfo
from devices.film import fourcc_text
from devices.opencv_settings import quiet_opencv
from devices.video4linux import busy, why_not_open

logger = logging.getLogger(__name__)

WANTED_SIZE = (1280, 720)
"""Width and height asked for: a 16 mm die has 52 px then on the printed mat; more costs time and gives little."""

WANTED_RATE_HZ = 30.0
"""Frames a second asked for."""

COMPRESSED = cv2.VideoWriter.fourcc(*"MJPG")
"""Uncompressed pictures of 1280x720 pass USB 2 only 5 to 10 times a second."""

QUICK_FAILURE_S = 1.0
"""A first frame that is refused sooner was refused by the system, as when the USB bus is full; later, none came."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used; tests have their own."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether it is open."""
        ...

    def grab(self) -> bool:
        """Wait for the next frame."""
        ...

    def retrieve(self) -> tuple[bool, Any]:
        """Decode the frame that was waited for."""
        ...

    def get(self, prop: int, /) -> float:
        """Read a property."""
        ...

    def set(self, prop: int, value: float, /) -> bool:
        """Set a property."""
        ...

    def release(self) -> None:
        """Close it."""
        ...


MakeCapture = Callable[[int, int], Capture]
"""Makes a capture from OpenCV's number and backend."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to ask for pictures."""

    size: tuple[int, int]
    """Width and height in pixels."""
    compressed: bool
    """Whether to ask for motion JPEG."""


@dataclass(frozen=True, slots=True)
class OpenCamera:
    """A webcam that has given its first frame."""

    capture: Capture
    details: SourceDetails


def make_opencv_capture(index: int, backend: int) -> Capture:
    """Open a camera by OpenCV."""
    quiet_opencv()
    return cv2.VideoCapture(index, backend)


def open_camera(
    camera: CameraInfo,
    *,
    size: tuple[int, int] = WANTED_SIZE,
    make: MakeCapture = make_opencv_capture,
    platform: str = sys.platform,
    clock: Clock = now_s,
) -> OpenCamera:
    """Open a camera and get its first frame, smaller if the full size does not pass.

    Args:
        camera: which, from `list_cameras`.
        size: width and height to ask for; what comes may differ.
        make: opens it.
        platform: as `sys.platform`.
        clock: seconds.

    Raises:
        SourceError: it cannot be opened or gives no frame; says why as far as the system tells.
    """
    plans = _plans(size)
    for number, plan in enumerate(plans):
        capture = _made(camera, make)
        if not capture.isOpened():
            capture.release()
            raise _why_closed(camera, platform)
        _ask(capture, plan)
        began_s = clock()
        image = _first_image(capture, clock)
        if image is not None:
            return OpenCamera(capture, _details(camera, capture, image, plan, plans[0] if number else None))
        waited_s = clock() - began_s
        capture.release()
        logger.info("camera %r gave no frame at %s after %.1f s", camera.name, plan, waited_s)
        if waited_s > QUICK_FAILURE_S:
            break
    raise _why_no_frame(camera, platform)


def lock_picture(capture: Capture, *, settle: Callable[[], float]) -> tuple[Trouble, ...]:
    """Hold exposure, white balance and focus where the automatic has brought them.

    No value is ever invented: a fixed exposure that suits one camera makes another's picture black.

    Args:
        capture: an open camera.
        settle: lets some frames pass and returns the brightness then, 0 to 255.

    Returns:
        One trouble for each that could not be held; the picture is then as before.
    """
    refused = []
    before = settle()
    exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
    automatic = capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
    if not _hold(capture, cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURES, cv2.CAP_PROP_EXPOSURE, exposure):
        refused.append("exposure")
    else:
        after = settle()
        if not LOCK_KEEPS[0] * before <= after <= LOCK_KEEPS[1] * before:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, automatic)
            settle()
            refused.append("exposure")
    warmth = capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
    if not _hold(capture, cv2.CAP_PROP_AUTO_WB, (0.0,), cv2.CAP_PROP_WB_TEMPERATURE, warmth):
        refused.append("white_balance")
    focus = capture.get(cv2.CAP_PROP_FOCUS)
    if not _hold(capture, cv2.CAP_PROP_AUTOFOCUS, (0.0,), cv2.CAP_PROP_FOCUS, focus):
        refused.append("focus")
    return tuple(trouble(TroubleCode.NOT_LOCKED, f"cam_not_held_{what}") for what in refused)


AUTOMATICS = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
"""What `lock_picture` switches off."""


def release_picture(capture: Capture, automatics: Mapping[int, float]) -> None:
    """Undo `lock_picture`.

    Args:
        capture: an open camera, or one that was just unplugged.
        automatics: what each of `AUTOMATICS` was before.
    """
    for prop, before in automatics.items():
        if capture.get(prop) != before:
            capture.set(prop, before)


MANUAL_EXPOSURES = (1.0, 0.25, 0.0)
"""What switches the automatic exposure off, by backend and version: Video4Linux takes 1, older ones 0.25, DirectShow
0.25 or 0 (opencv issue 9738). Each is tried and read back."""

LOCK_KEEPS = (0.6, 1.6)
"""Brightness after holding the exposure, relative to before; beyond, the camera took another exposure."""


def _plans(size: tuple[int, int]) -> Sequence[Plan]:
    """List the ways to ask, the best first."""
    plans = [Plan(size, compressed=True)]
    if size[0] > 640:
        plans.append(Plan((640, 480), compressed=True))
    plans.append(Plan((640, 480), compressed=False))
    return plans


def _made(camera: CameraInfo, make: MakeCapture) -> Capture:
    """Open by OpenCV; its errors become a `SourceError`."""
    try:
        return make(camera.index, camera.backend)
    except cv2.error as error:
        raise _does_not_open(camera) from error


def _ask(capture: Capture, plan: Plan) -> None:
    """Set pixel format, then size, then rate, each once: other orders are not taken by some backends, and each change
    restarts the camera in Media Foundation.
    """
    if plan.compressed:
        capture.set(cv2.CAP_PROP_FOURCC, COMPRESSED)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, plan.size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, plan.size[1])
    capture.set(cv2.CAP_PROP_FPS, WANTED_RATE_HZ)


def _first_image(capture: Capture, clock: Clock) -> npt.NDArray[np.uint8] | None:
    """Get the first frame; a few may be refused while the camera starts."""
    began_s = clock()
    for _ in range(3):
        try:
            ok, image = capture.retrieve() if capture.grab() else (False, None)
        except cv2.error:
            return None
        if ok and image is not None:
            return np.asarray(image, np.uint8)
        if clock() - began_s > QUICK_FAILURE_S:
            return None
    return None


def _details(
    camera: CameraInfo, capture: Capture, image: npt.NDArray[np.uint8], plan: Plan, wanted: Plan | None
) -> SourceDetails:
    """Read back what the camera really does."""
    height, width = image.shape[:2]
    rate_hz = capture.get(cv2.CAP_PROP_FPS)
    pixels = fourcc_text(capture.get(cv2.CAP_PROP_FOURCC))
    advice: tuple[Trouble, ...] = ()
    if wanted is not None and (width, height) != wanted.size:
        advice = (
            trouble(
                TroubleCode.NO_BANDWIDTH,
                "cam_usb_full",
                wanted_width=wanted.size[0],
                wanted_height=wanted.size[1],
                width=width,
                height=height,
            ),
        )
    backend = cv2.videoio_registry.getBackendName(camera.backend) if camera.backend else "any"
    return SourceDetails(
        size=(width, height),
        rate_hz=rate_hz if rate_hz > 0 else None,
        way=f"{backend} {camera.index}, {pixels}",
        advice=advice,
    )


def _why_closed(camera: CameraInfo, platform: str) -> SourceError:
    """Say why a camera that is listed would not open."""
    if platform.startswith("linux") and camera.path:
        known = why_not_open(camera.path, name=camera.name)
        if known is not None:
            return known
    if platform == "darwin":
        return source_error(TroubleCode.NO_PERMISSION, "cam_permission_mac", name=f"{camera.name!r}")
    if platform == "win32":
        return source_error(TroubleCode.BUSY, "cam_busy_windows", name=f"{camera.name!r}")
    return _does_not_open(camera)


def _why_no_frame(camera: CameraInfo, platform: str) -> SourceError:
    """Say why a camera that opened gives no frame."""
    if platform.startswith("linux") and camera.path:
        known = why_not_open(camera.path, name=camera.name)
        if known is not None:
            return known
    if platform == "win32":
        return busy(camera.name)
    return source_error(TroubleCode.NO_FRAMES, "cam_opened_empty", name=f"{camera.name!r}")


def _does_not_open(camera: CameraInfo) -> SourceError:
    """Say that it did not open and nobody knows why."""
    return source_error(TroubleCode.DOES_NOT_OPEN, "cam_does_not_open", name=f"{camera.name!r}")


def _hold(capture: Capture, automatic: int, off_values: tuple[float, ...], prop: int, value: float) -> bool:
    """Switch one automatic off, keep its value, and read back whether it stayed off."""
    before = capture.get(automatic)
    for off in off_values:
        if capture.set(automatic, off) and capture.get(automatic) == off:
            capture.set(prop, value)
            return True
    capture.set(automatic, before)
    return False
