"""What Linux itself says about a camera that OpenCV only calls "not open": its kind, who may use it, who does."""

from __future__ import annotations

import errno
import os
import struct
import sys
from pathlib import Path

from devices.camera import SourceError, TroubleCode, source_error

if sys.platform != "win32":
    import fcntl

QUERY_CAPABILITIES = 0x80685600
"""VIDIOC_QUERYCAP of linux/videodev2.h, a struct of 104 bytes: driver 16, card 32, bus 32, 6 numbers of 32 bits."""

CAPABILITIES_FORMAT = "16s32s32sIII12x"
"""Layout of that struct: version, capabilities of the whole device, of this node, reserve."""

DEVICE_CAPS_ARE_SET = 0x8000_0000
"""V4L2_CAP_DEVICE_CAPS: the node's own capabilities are in their field."""

CAPTURES = 0x0000_0001
"""V4L2_CAP_VIDEO_CAPTURE. Metadata nodes, codecs and scalers lack it."""

CAPTURES_IN_PLANES = 0x0000_1000
"""V4L2_CAP_VIDEO_CAPTURE_MPLANE: how boards' built-in cameras say it; OpenCV reads these too."""

REQUEST_BUFFERS = 0xC0145608
"""VIDIOC_REQBUFS, a struct of 20 bytes: count, type, memory, capabilities, flags; EBUSY while another streams."""

REQUEST_FORMAT = "IIIII"
"""Layout of that struct; type 1 is video capture, memory 1 is mapped."""


def can_capture(path: str) -> bool:
    """Whether the node delivers pictures; True if it does not say, so that opening it can tell."""
    if sys.platform == "win32":
        return True
    try:
        node = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        answer = fcntl.ioctl(node, QUERY_CAPABILITIES, bytes(struct.calcsize(CAPABILITIES_FORMAT)))
    except OSError:
        return True
    finally:
        os.close(node)
    return answer_says_capture(answer)


def answer_says_capture(answer: bytes) -> bool:
    """Read the answer to `QUERY_CAPABILITIES`."""
    _, _, _, _, device, node = struct.unpack(CAPABILITIES_FORMAT, answer)
    capabilities = node if device & DEVICE_CAPS_ARE_SET else device
    return bool(capabilities & (CAPTURES | CAPTURES_IN_PLANES))


def why_not_open(path: str, *, name: str, processes: Path = Path("/proc")) -> SourceError | None:
    """Find out why a camera would not open.

    Args:
        path: `/dev/video0`.
        name: of the camera, for the message.
        processes: where the system lists its processes.

    Returns:
        The reason, or None if the system sees none.
    """
    if not os.path.exists(path):
        return source_error(TroubleCode.UNPLUGGED, "cam_gone", name=f"{name!r}")
    if not os.access(path, os.R_OK | os.W_OK):
        return source_error(TroubleCode.NO_PERMISSION, "cam_no_right", name=f"{name!r}", path=path)
    users = programs_using(path, processes=processes)
    if users or _is_busy(path):
        return busy(name, users)
    return None


def busy(name: str, programs: tuple[str, ...] = ()) -> SourceError:
    """Say that another program holds the camera."""
    if programs:
        return source_error(TroubleCode.BUSY, "cam_busy_by", name=f"{name!r}", programs=", ".join(programs))
    return source_error(TroubleCode.BUSY, "cam_busy", name=f"{name!r}")


def programs_using(path: str, *, processes: Path = Path("/proc")) -> tuple[str, ...]:
    """Name the other programs of this user that hold the node open; others' cannot be seen."""
    names: list[str] = []
    own = str(os.getpid())
    try:
        entries = sorted(entry for entry in processes.iterdir() if entry.name.isdecimal() and entry.name != own)
    except OSError:
        return ()
    for entry in entries:
        try:
            holds = any(os.readlink(link) == path for link in (entry / "fd").iterdir())
            if holds:
                names.append((entry / "comm").read_text(encoding="utf-8", errors="replace").strip())
        except OSError:
            continue
    return tuple(dict.fromkeys(names))


def _is_busy(path: str) -> bool:
    """Whether the driver refuses buffers because another program streams."""
    if sys.platform == "win32":
        return False
    try:
        node = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        return error.errno == errno.EBUSY
    try:
        fcntl.ioctl(node, REQUEST_BUFFERS, struct.pack(REQUEST_FORMAT, 1, 1, 1, 0, 0))
        fcntl.ioctl(node, REQUEST_BUFFERS, struct.pack(REQUEST_FORMAT, 0, 1, 1, 0, 0))
    except OSError as error:
        return error.errno == errno.EBUSY
    finally:
        os.close(node)
    return False
