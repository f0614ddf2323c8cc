"""A ZIP file for whoever helps a player: findings, versions, settings, the last messages, the last game.

No password goes into it, and no picture unless the player asked for one. It is written to a place of the player's own
and sent nowhere.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import logging
import platform
import re
import zipfile
from collections import deque
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import cv2

from deskref import settings
from deskref.doctor import Examination
from deskref.given_file import making

MESSAGES_KEPT: Final = 500
"""The last messages of the program that go into the file."""

GAME_BYTES: Final = 5_000_000
"""Of the last game's journal only the end goes into the file, where it is longer: some minutes with a camera, a whole
game without."""

HIDDEN: Final = "***"

SECRET: Final = re.compile(
    r"""(?i)(?<![?&])(["']?\w*(?:password|token|secret)\w*["']?\s*=\s*)(?:\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|.*)"""
)
"""A secret in the settings and all that follows in its line, whether the file can be read or not."""

IN_ADDRESS: Final = re.compile(r"(\w+://)[^/\s@\"']+@")
"""Name and password in an address: `rtsp://user:password@camera`."""

QUERY_SECRET: Final = re.compile(r"(?i)([?&](?:password|pass|pwd|token|key|auth)=)[^&\s\"']+")


class Messages(logging.Handler):
    """Remembers the last messages of the program."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(logging.INFO)
        self.lines: deque[str] = deque(maxlen=MESSAGES_KEPT)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Remember a message; one that cannot be put into words is passed over."""
        try:
            self.lines.append(self.format(record))
        except (TypeError, ValueError):
            self.lines.append(f"{record.name}: a message without words: {record.msg!r}")


MESSAGES: Final = Messages()


def remember_messages() -> None:
    """Remember from now on what the program's parts say."""
    for package in ("calibration", "deskref", "devices", "models", "vision"):
        logger = logging.getLogger(package)
        if MESSAGES not in logger.handlers:
            logger.addHandler(MESSAGES)
            logger.setLevel(min(logging.INFO, logger.level or logging.INFO))


def bundle_bytes(found: Examination, home: Path, *, with_picture: bool) -> bytes:
    """Make the file.

    Args:
        found: by the doctor.
        home: folder of settings and games.
        with_picture: whether the newest picture of each camera goes into it.
    """
    parts: dict[str, bytes] = {
        "findings.json": _json([finding.as_json() for finding in found.findings]),
        "computer.json": _json({"system": platform.platform(), "python": platform.python_version()}),
        "packages.txt": "\n".join(
            sorted(f"{d.metadata['Name']} {d.version}" for d in importlib.metadata.distributions())
        ).encode(),
        "messages.txt": "\n".join(MESSAGES.lines).encode(),
    }
    own = home / settings.FILE_NAME
    if own.is_file():
        parts["settings.toml"] = own.read_bytes()
    games = sorted((home / "games").glob("*.jsonl")) if (home / "games").is_dir() else []
    if games:
        parts["last-game.jsonl"] = _end_of(games[-1])
    made = {name: without_secrets(part.decode(errors="replace")).encode() for name, part in parts.items()}
    if with_picture:
        for number, look in enumerate(found.looks):
            if look.image_bgr is not None:
                made[f"camera-{number}.jpg"] = cv2.imencode(".jpg", look.image_bgr)[1].tobytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made.items():
            archive.writestr(name, content)
    return packed.getvalue()


def write_bundle(path: Path, found: Examination, home: Path, *, with_picture: bool) -> None:
    """Write the file, in a folder that is made where it is missing; `OSError` where that cannot be done."""
    data = bundle_bytes(found, home, with_picture=with_picture)
    with making(path):
        path.write_bytes(data)


def bundle_name() -> str:
    """Name the file by when it is made."""
    return f"deskref-diagnostics-{datetime.now(UTC):%Y-%m-%d-%H%M}.zip"


def without_secrets(text: str) -> str:
    """Hide passwords, names in addresses and the name of the player's own folder."""
    text = SECRET.sub(rf"\g<1>{HIDDEN}", text)
    text = IN_ADDRESS.sub(rf"\g<1>{HIDDEN}@", text)
    text = QUERY_SECRET.sub(rf"\g<1>{HIDDEN}", text)
    own = str(Path.home())
    for written in (json.dumps(own)[1:-1], own) if len(own) > 1 else ():
        text = text.replace(written, "~")
    return text


def _end_of(journal: Path) -> bytes:
    with journal.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - GAME_BYTES))
        if size > GAME_BYTES:
            file.readline()
        return file.read()


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()
