"""Settings that OpenCV reads from the environment while it is being imported.

Importing this module sets them, so it has to come before the first `import cv2` of the program. Values that the user
set are kept. The module itself does not import OpenCV.
"""

from __future__ import annotations

import os
import sys
from typing import Any

SETTINGS = {
    "OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS": "0",
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "3",
    "OPENCV_LOG_LEVEL": "SILENT",
    "OPENCV_FFMPEG_LOGLEVEL": "-8",
}
"""Windows' Media Foundation takes 12 s to minutes to open a camera with hardware transforms (opencv issue 17687);
a Video4Linux camera that went silent is given up after 3 s and not after 10; neither OpenCV nor its FFmpeg writes to
the terminal, because deskref says the same in words that help (measured with OpenCV 5.0: opening a film that is cut
off prints nothing)."""


SILENT = 0
"""OpenCV's number for the level that its environment calls SILENT."""


def apply_settings() -> bool:
    """Set what is not set yet and say whether that came in time, before OpenCV was imported."""
    in_time = "cv2" not in sys.modules
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    return in_time


def quiet_opencv() -> None:
    """Silence OpenCV's own messages also where it was imported before; the user's level is kept."""
    import cv2

    if os.environ.get("OPENCV_LOG_LEVEL") == SETTINGS["OPENCV_LOG_LEVEL"]:
        # The function's place differs, 4.12 and 5.0 have only one of these each, and the stubs know only theirs.
        place: Any = cv2 if hasattr(cv2, "setLogLevel") else cv2.utils.logging
        place.setLogLevel(SILENT)


SET_IN_TIME = apply_settings()
"""False if OpenCV was imported first; on Windows a camera may then take a minute to open."""
