"""What a player may type or choose as a camera, and the source it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from devices.camera import Source, TroubleCode, source_error
from devices.camera_list import CameraInfo, find_camera, list_cameras
from devices.camera_opening import WANTED_SIZE
from devices.film import Film, Speed, check_film_file
from devices.http_answer import shown
from devices.network_film import NetworkFilm
from devices.picture_folder import PictureFolder
from devices.pictures import PICTURE_SUFFIXES
from devices.stream import Stream
from devices.webcam import Webcam

FILM_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".wmv", ".3gp", ".ogv"}
)
"""File names that mean a film, so that a missing one is reported as a missing file and not as a missing camera."""

FILM_SCHEMES = ("rtsp", "rtsps", "rtmp", "udp", "tcp", "srt")
"""Addresses that FFmpeg opens."""

FILM_ADDRESS_SUFFIXES = (".mp4", ".m3u8", ".ts", ".mkv", ".webm", ".mov", ".mpd", ".flv")
"""Ends of http addresses that FFmpeg opens, since they are films and not motion JPEG."""


def open_source(
    spec: str | int,
    *,
    speed: Speed = "own",
    is_held: bool = False,
    size: tuple[int, int] = WANTED_SIZE,
    cameras: Callable[[], tuple[CameraInfo, ...]] = list_cameras,
) -> Source:
    """Return the source that is meant. Files are looked at now; cameras and addresses are opened by the first `read`.

    Args:
        spec: a camera's name, part of its name, identity, number or `/dev/video0`; `auto` for the only camera;
            the path of a film, a picture or a folder of pictures; an address with http, https or rtsp; or a bare one,
            `192.168.1.20:8080`.
        speed: of films and folders: `own` as a camera would give them, `steady` every frame, slower where
            they cannot be looked at in time, `fast` every frame without waiting.
        is_held: whether a picture, or a folder's last one, stays as a camera's that shows a still table.
        size: width and height to ask a camera for.
        cameras: lists what is plugged in.

    Raises:
        SourceError: there is no such thing; the message says what there is, or what to do.
    """
    text = str(spec).strip()
    if not text:
        raise source_error(TroubleCode.NO_SUCH_CAMERA, "cam_not_named")
    if "://" in text:
        return _network_source(text)
    path = _path(text)
    if path.is_dir():
        return _checked(PictureFolder(path, speed=speed, is_held=is_held))
    if path.is_file():
        if path.suffix.lower() in PICTURE_SUFFIXES:
            return _checked(PictureFolder(path, speed=speed, is_held=is_held))
        return _opened(Film(path, speed=speed))
    if _looks_like_file(text) or _is_no_camera(path):
        check_film_file(path)
    if _looks_like_address(text):
        return Stream(f"http://{text}")
    if _may_be_file(text):
        check_film_file(path)
    return Webcam(find_camera(text, cameras()), size=size, cameras=cameras)


def _path(text: str) -> Path:
    """The path that a text may be; refuses what no system takes for one, such as a word of a thousand letters."""
    path = Path(text)
    try:
        path = path.expanduser()
        path.is_dir()
    except (OSError, RuntimeError) as error:  # RuntimeError: the folder of a user who is not there
        raise source_error(
            TroubleCode.NO_SUCH_FILE, "cam_no_file_name", path=f"{text[:60]!r}", why=getattr(error, "strerror", "?")
        ) from error
    return path


def open_film(path: Path) -> Source:
    """Return the film, picture or folder of pictures at a path, every frame of it; never a camera.

    Raises:
        SourceError: there is no such thing, or it cannot be read.
    """
    if path.is_dir() or (path.is_file() and path.suffix.lower() in PICTURE_SUFFIXES):
        return _checked(PictureFolder(path, speed="fast"))
    return _opened(Film(path, speed="fast"))


def _opened(source: Source) -> Source:
    """Open a file now, so that a broken one is reported before anything else starts."""
    source.open()
    return source


def _checked(source: PictureFolder) -> Source:
    """The same for pictures, of which one at least has to be readable."""
    source.check()
    return source


def _network_source(address: str) -> Source:
    """Choose the reader for an address."""
    scheme = address.partition("://")[0].lower()
    if scheme in FILM_SCHEMES:
        return NetworkFilm(address)
    if scheme in ("http", "https"):
        if re.split(r"[?#]", address)[0].lower().endswith(FILM_ADDRESS_SUFFIXES):
            return NetworkFilm(address)
        return Stream(address)
    raise source_error(
        TroubleCode.WRONG_ADDRESS, "cam_wrong_scheme", address=f"{shown(address)!r}", scheme=f"{scheme!r}"
    )


def _looks_like_file(text: str) -> bool:
    """Whether a name that does not exist was meant as a file: by its ending, or as a path that is no device."""
    if _looks_like_device(text):
        return False
    suffix = Path(text).suffix.lower()
    if suffix in FILM_SUFFIXES | PICTURE_SUFFIXES:
        return True
    return text.startswith(("/", "./", "../", "~")) or re.match(r"[A-Za-z]:[\\/]", text) is not None


def _looks_like_device(text: str) -> bool:
    return re.match(r"/dev/|\\\\[.?]\\", text) is not None or ":" in text.partition("/")[0][2:]


def _is_no_camera(path: Path) -> bool:
    """Whether something is there that is neither a file nor a device that OpenCV could open as a camera."""
    try:
        return path.exists() and not path.resolve().name.startswith("video")
    except OSError:  # no name of a file at all
        return False


def _may_be_file(text: str) -> bool:
    """Whether a name that is no address was rather meant as a file: it has an ending, or stands in a folder."""
    if _looks_like_device(text):
        return False
    path = Path(text)
    has_ending = re.fullmatch(r"\.[a-z][a-z0-9]{1,4}", path.suffix.lower()) is not None
    return has_ending or (len(path.parts) > 1 and path.parent.is_dir())


def _looks_like_address(text: str) -> bool:
    """Whether text without a scheme is an address: numbers with dots, or a host with a port or a path."""
    host = r"(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]|[A-Za-z0-9][A-Za-z0-9.-]*)"
    return (
        re.fullmatch(rf"\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?:/\S*)?|{host}:\d{{1,5}}(?:/\S*)?", text) is not None
        or re.fullmatch(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:local|lan|home)(?:/\S*)?", text) is not None
    )
