"""Check that the system libraries which the packages need are there, and name the remedy where one is not."""

from __future__ import annotations

import sys


def missing_library() -> str | None:
    """Say what is missing and how to get it, or None where everything loads.

    OpenCV's wheel needs a few shared libraries of the system which a bare server or container lacks.
    """
    try:
        import cv2  # noqa: F401
    except ImportError as error:
        if ".so" in str(error):
            return (
                f"OpenCV cannot start, a system library is missing: {error}.\n"
                "Debian and Ubuntu: sudo apt-get install libgl1 libglib2.0-0\n"
                "Fedora: sudo dnf install mesa-libGL glib2"
            )
        return f"OpenCV is not installed: {error}.\nInstall it with: python -m pip install opencv-python"
    return None


if __name__ == "__main__":
    sys.exit(missing_library())
