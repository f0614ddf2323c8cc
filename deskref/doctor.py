"""Check what deskref needs on this computer; each finding with its remedy in plain words."""

from __future__ import annotations

import importlib.metadata
import json as json_text
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import cv2
import typer
from rich.console import Console
from rich.table import Table

from deskref import settings
from deskref.demo import FILM, SETUP
from deskref.page.port import PortTakenError, check_port
from devices.board import BoardError
from devices.board_list import Chance, Consents, list_boards
from devices.board_port import open_port
from devices.camera import SourceError
from devices.camera_list import list_cameras
from devices.camera_spec import open_source
from models.runner import MODEL_FOLDER, ModelError, load_model


class Health(StrEnum):
    """How a check came out."""

    GOOD = "good"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked."""

    what: str
    health: Health
    found: str
    remedy: str = ""


def run(*, json: bool) -> int:
    """Print the findings; the exit status is 2 where something is bad."""
    findings = list(findings_now())
    if json:
        for f in findings:
            data = {"check": f.what, "health": f.health.value, "found": f.found, "remedy": f.remedy}
            typer.echo(json_text.dumps(data, ensure_ascii=False))
    else:
        table = Table("Check", "", "Found", "What to do")
        marks = {Health.GOOD: "ok", Health.NOTE: "-", Health.BAD: "!!"}
        for f in findings:
            table.add_row(f.what, marks[f.health], f.found, f.remedy)
        Console().print(table)
    return 2 if any(f.health is Health.BAD for f in findings) else 0


def findings_now() -> Iterator[Finding]:
    """Check one thing after the other."""
    checks: tuple[Callable[[], Iterator[Finding]], ...] = (
        _versions,
        _opencv,
        _models,
        _settings,
        _page,
        _recording,
        _cameras,
        _board,
    )
    for check in checks:
        yield from check()


def _versions() -> Iterator[Finding]:
    yield Finding("deskref", Health.GOOD, importlib.metadata.version("deskref"))
    python = platform.python_version()
    good = sys.version_info >= (3, 11)
    yield Finding(
        "Python", Health.GOOD if good else Health.BAD, f"{python} on {platform.platform(terse=True)}",
        "" if good else "Install Python 3.11 or newer.",
    )  # fmt: skip
    for package in ("numpy", "onnxruntime", "nicegui"):
        yield Finding(package, Health.GOOD, importlib.metadata.version(package))


def _opencv() -> Iterator[Finding]:
    wheels = [
        d.metadata["Name"] for d in importlib.metadata.distributions() if d.metadata["Name"].startswith("opencv-")
    ]
    several = len(wheels) > 1
    yield Finding(
        "OpenCV",
        Health.BAD if several else Health.GOOD,
        f"{cv2.__version__} ({', '.join(sorted(wheels))})",
        f"Keep one of them only: pip uninstall {' '.join(wheels)}, then pip install opencv-python" if several else "",
    )


def _models() -> Iterator[Finding]:
    names = sorted(path.stem for path in MODEL_FOLDER.glob("*.onnx"))
    for name in names:
        try:
            load_model(name)
        except ModelError as error:
            yield Finding(f"model {name}", Health.BAD, str(error), "Install deskref again.")
            continue
        yield Finding(f"model {name}", Health.GOOD, "loads")


def _settings() -> Iterator[Finding]:
    home = settings.home()
    loaded = settings.load(home)
    if loaded.trouble:
        yield Finding("settings", Health.BAD, loaded.trouble, "Mend the file, or delete it to begin afresh.")
        return
    where = home if home.exists() else home.parent
    while not where.exists():
        where = where.parent
    writable = os.access(where, os.W_OK)
    yield Finding(
        "settings",
        Health.GOOD if writable else Health.BAD,
        str(home),
        "" if writable else f"Let your user write there, or set {settings.FOLDER_VARIABLE} to another folder.",
    )


def _page() -> Iterator[Finding]:
    port = settings.load(settings.home()).settings.page.port
    try:
        check_port(port)
    except PortTakenError as error:
        yield Finding("page", Health.NOTE, f"port {port} is in use", str(error))
        return
    yield Finding("page", Health.GOOD, f"port {port} is free")


def _recording() -> Iterator[Finding]:
    if not FILM.exists() or not SETUP.exists():
        yield Finding("demo recording", Health.BAD, "not there", "Install deskref again.")
        return
    try:
        with open_source(str(FILM), speed="fast") as source:
            size = source.read(5.0)
    except SourceError as error:
        yield Finding("demo recording", Health.BAD, error.trouble.message, error.trouble.remedy)
        return
    yield Finding("demo recording", Health.GOOD, f"{size.size[0]}x{size.size[1]}" if size else "opens")


def _cameras() -> Iterator[Finding]:
    found = list_cameras()
    if not found:
        yield Finding(
            "cameras",
            Health.NOTE,
            "none",
            "Plug one in, use a phone's address, or play with typed dice: deskref play --camera none",
        )
    for camera in found:
        try:
            with open_source(camera.identity) as source:
                frame = source.read(5.0)
        except SourceError as error:
            yield Finding(camera.name, Health.BAD, error.trouble.message, error.trouble.remedy)
            continue
        if frame is None:
            yield Finding(camera.name, Health.BAD, "no picture in 5 s", "Unplug it and plug it in again.")
            continue
        bright = float(frame.image_bgr.mean())
        dark = bright < 40
        yield Finding(
            camera.name,
            Health.NOTE if dark else Health.GOOD,
            f"{frame.size[0]}x{frame.size[1]}, brightness {bright:.0f} of 255",
            "Turn on a lamp, or take the cover off the camera." if dark else "",
        )


def _board() -> Iterator[Finding]:
    """Look whether a port may be used; only what deskref would open anyway is opened."""
    own = settings.load(settings.home()).settings.board
    if own.kind == "none":
        yield Finding("light board", Health.NOTE, 'not wanted (kind = "none" under [board])')
        return
    consents = Consents(settings.home())
    found = [port for port in list_boards() if port.chance is not Chance.NO or port.path == own.port]
    if not found:
        yield Finding("light board", Health.NOTE, "none (optional)", "docs/board.md says how to build one.")
    for port in found:
        name = f"light board {port.path}"
        if port.path != own.port and not consents.may_try(port):
            yield Finding(name, Health.NOTE, f"{port.name}: not tried", f"deskref board test --port {port.path}")
            continue
        try:
            open_port(port.path).close()
        except BoardError as error:
            yield Finding(name, Health.BAD, error.trouble.message, error.trouble.remedy)
            continue
        yield Finding(name, Health.GOOD, f"{port.name}: can be opened", "deskref board test tries it.")
