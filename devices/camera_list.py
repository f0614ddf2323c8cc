"""Which cameras there are, by name and by an identity that survives replugging; none of them is opened to find out.

Numbers change when another camera is plugged in, and the same number may be a camera today and a metadata node
tomorrow. Names and identities stay, so a camera is chosen by number only the first time.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from devices.camera import TroubleCode, source_error
from devices.video4linux import can_capture

logger = logging.getLogger(__name__)

KINDS = {cv2.CAP_DSHOW: "dshow", cv2.CAP_MSMF: "msmf", cv2.CAP_AVFOUNDATION: "avf"}
"""First part of an identity: the way to reach the camera, as the same device has another path in each."""


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """One camera that is plugged in."""

    name: str
    """As the maker calls it: "HD Pro Webcam C920"."""
    identity: str
    """Stays the same through replugging and restarts, as far as the system can tell two cameras apart."""
    index: int
    """OpenCV's number for it today, together with `backend`."""
    backend: int
    """OpenCV's constant for the way to reach it; `cv2.CAP_ANY` lets OpenCV choose."""
    path: str = ""
    """Where the system keeps it: `/dev/video0`; empty where there is no such place."""


def list_cameras(
    *, platform: str = sys.platform, system_files: Path = Path("/"), enumerate_backend: EnumerateBackend | None = None
) -> tuple[CameraInfo, ...]:
    """List the cameras that deliver pictures, in the system's order.

    Args:
        platform: as `sys.platform`.
        system_files: where `sys` and `dev` are, for Linux.
        enumerate_backend: lists `(index, name, path)` for an OpenCV backend; by default by cv2-enumerate-cameras.
    """
    if platform.startswith("linux"):
        found = _linux_cameras(system_files)
    elif platform == "win32":
        found = _enumerated_cameras(cv2.CAP_DSHOW, enumerate_backend or _enumerate_by_library)
        # Some newer cameras are known to Media Foundation only; the others open faster by DirectShow.
        names = {camera.name for camera in found}
        others = _enumerated_cameras(cv2.CAP_MSMF, enumerate_backend or _enumerate_by_library)
        found += [camera for camera in others if camera.name not in names]
    elif platform == "darwin":
        found = _enumerated_cameras(cv2.CAP_AVFOUNDATION, enumerate_backend or _enumerate_by_library)
    else:
        found = []
    return _with_distinct_identities(found)


def find_camera(wanted: str | int, cameras: Iterable[CameraInfo]) -> CameraInfo:
    """Find a camera by identity, path, number or name.

    Args:
        wanted: an identity, a path such as `/dev/video0`, OpenCV's number, a name or a part of a name; `auto` for the
            only camera there is.
        cameras: that are plugged in.

    Raises:
        SourceError: there is none such, or several; the message lists what there is.
    """
    cameras = tuple(cameras)
    text = str(wanted).strip()
    if text == "auto":
        matches: tuple[CameraInfo, ...] = cameras
    elif text.isdecimal():
        matches = tuple(camera for camera in cameras if camera.index == int(text))
    else:
        folded = text.casefold()
        matches = (
            tuple(camera for camera in cameras if text in (camera.identity, camera.path))
            or tuple(camera for camera in cameras if camera.name.casefold() == folded)
            or tuple(camera for camera in cameras if folded and folded in camera.name.casefold())
        )
    if len(matches) == 1:
        return matches[0]
    if matches:
        several = _names_of(matches, in_full=True)
        if text == "auto":
            raise source_error(TroubleCode.SEVERAL_CAMERAS, "cam_several", cameras=several)
        raise source_error(TroubleCode.SEVERAL_CAMERAS, "cam_several_fit", text=f"{text!r}", cameras=several)
    if not cameras and text == "auto":
        raise source_error(TroubleCode.NO_SUCH_CAMERA, "cam_none")
    if not cameras:
        raise source_error(TroubleCode.NO_SUCH_CAMERA, "cam_none_such", text=f"{text!r}")
    raise source_error(TroubleCode.NO_SUCH_CAMERA, "cam_no_such", text=f"{text!r}", cameras=_names_of(cameras))


EnumerateBackend = Callable[[int], Iterable[tuple[int, str, str]]]
"""Gives OpenCV's number, the name and the system's path of each camera of a backend."""


def _names_of(cameras: Iterable[CameraInfo], *, in_full: bool = False) -> str:
    """Write names with numbers, and identities where names may be alike."""
    return ", ".join(
        f"{camera.index}: {camera.name}" + (f" ({camera.identity})" if in_full else "") for camera in cameras
    )


def _linux_cameras(root: Path) -> list[CameraInfo]:
    """Read the cameras from `/sys/class/video4linux` and their lasting names from `/dev/v4l`."""
    folder = root / "sys/class/video4linux"
    if not folder.is_dir():
        return []
    by_id = _links_to(root / "dev/v4l/by-id")
    by_path = _links_to(root / "dev/v4l/by-path")
    found = []
    nodes = (node for node in folder.iterdir() if node.name.startswith("video") and node.name[5:].isdecimal())
    for node in sorted(nodes, key=lambda node: int(node.name[5:])):
        # A USB camera has a node for pictures (index 0) and one for metadata, which opens and gives nothing; boards
        # list their codecs here too.
        path = root / "dev" / node.name
        if _text_of(node / "index") not in ("", "0") or not can_capture(str(path)):
            continue
        name = _text_of(node / "name") or node.name
        # "USB 2.0 Camera: USB Camera" is how drivers join the maker's two names.
        first, _, second = name.partition(": ")
        name = first if second and (first.startswith(second) or second.startswith(first)) else name
        # Two cheap cameras of one make share the name by id, which then links to only one of them; the place of the
        # plug tells them apart.
        lasting = by_id.get(node.name) or by_path.get(node.name) or node.name
        found.append(CameraInfo(name, f"v4l:{lasting}", int(node.name[5:]), cv2.CAP_V4L2, str(path)))
    return found


def _links_to(folder: Path) -> dict[str, str]:
    """Map the last part of each link's target to the link's own name."""
    if not folder.is_dir():
        return {}
    return {path.readlink().name: path.name for path in sorted(folder.iterdir()) if path.is_symlink()}


def _text_of(path: Path) -> str:
    """Read a system file; empty if it went away."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _enumerated_cameras(backend: int, enumerate_backend: EnumerateBackend) -> list[CameraInfo]:
    """Ask the library for the cameras of one backend."""
    kind = KINDS[backend]
    return [
        CameraInfo(name or f"camera {index}", f"{kind}:{path or name or index}", index, backend)
        for index, name, path in enumerate_backend(backend)
    ]


def _enumerate_by_library(backend: int) -> Iterable[tuple[int, str, str]]:
    """Ask cv2-enumerate-cameras; none if it is missing or fails, since listing must not stop the game."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras
    except ImportError:
        logger.warning("cameras cannot be listed by name: the package cv2-enumerate-cameras is missing")
        return []
    try:
        return [(camera.index, str(camera.name or ""), str(camera.path or "")) for camera in enumerate_cameras(backend)]
    except (OSError, RuntimeError, ValueError) as error:
        logger.warning("the system would not list its cameras: %s", error)
        return []


def _with_distinct_identities(cameras: Iterable[CameraInfo]) -> tuple[CameraInfo, ...]:
    """Number the identities that the system gave twice."""
    seen: dict[str, int] = {}
    distinct = []
    for camera in cameras:
        count = seen.get(camera.identity, 0) + 1
        seen[camera.identity] = count
        distinct.append(camera if count == 1 else replace(camera, identity=f"{camera.identity}#{count}"))
    return tuple(distinct)
