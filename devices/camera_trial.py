"""Try a source for a moment, as a list of cameras with pictures and a doctor's report need it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata

from devices import opencv_settings
from devices.camera import Source, Trouble, TroubleCode, now_s, trouble
from devices.camera_loop import CameraState, CameraStatus
from devices.camera_thread import CameraThread
from devices.frame import Frame
from devices.latest import Latest

TRIAL_S = 3.0
"""Frames are looked at for so long: the rate settles and a searching focus comes to rest."""

STOP_S = 4.0
"""Wait for the camera to be released, so that the game can open it."""

OPENCV_PACKAGES = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
"""Each brings the folder `cv2`; two of them overwrite each other's files."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What came of a trial."""

    status: CameraStatus
    """As it stood at the end, before the source was closed."""
    frame: Frame | None
    """The last frame, for a thumbnail; None if none came."""
    seconds_to_first_frame: float | None
    """From opening to the first frame handed on; None if none came."""


def try_source(source: Source, *, open_s: float = 15.0, look_s: float = TRIAL_S) -> Trial:
    """Open a source, look at it for some seconds and close it; whatever it does, this returns.

    Args:
        source: belongs to the trial from now on.
        open_s: longest wait for the first frame.
        look_s: how long to look from then on.
    """
    latest: Latest[Frame] = Latest()
    thread = CameraThread(source, latest)
    frame: Frame | None = None
    first_s: float | None = None
    began_s = now_s()
    thread.start()
    try:
        deadline_s = began_s + open_s
        while (left_s := deadline_s - now_s()) > 0 and thread.status.state is not CameraState.ENDED:
            newer = latest.take(min(left_s, 0.5))
            if newer is None:
                if first_s is None and thread.status.state is CameraState.LOST:
                    break
                continue
            frame = newer
            if first_s is None:
                first_s = now_s() - began_s
                deadline_s = now_s() + look_s
        status = thread.status
    finally:
        thread.stop()
        thread.join(STOP_S)
    return Trial(status, frame, first_s)


def opencv_troubles(installed: Iterable[str] | None = None) -> tuple[Trouble, ...]:
    """Say what is wrong with how OpenCV is installed or was started.

    Args:
        installed: names of the installed packages; by default as the environment has them.
    """
    if installed is None:
        installed = (package.metadata["Name"] or "" for package in metadata.distributions())
    names = {name.lower().replace("_", "-") for name in installed}
    found = [package for package in OPENCV_PACKAGES if package in names]
    troubles = []
    if len(found) > 1:
        troubles.append(
            trouble(TroubleCode.NOTE, "cam_opencv_twice", found=", ".join(found), all=" ".join(found), first=found[0])
        )
    if not opencv_settings.SET_IN_TIME:
        troubles.append(trouble(TroubleCode.NOTE, "cam_opencv_early"))
    return tuple(troubles)
