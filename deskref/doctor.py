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

from calibration.store import StoreError, calibrated_cameras, load_print_scale
from calibration.table import TableNotFound
from deskref import settings
from deskref.calibrated import identity_of, lens_of, table_of
from deskref.demo import FILM, SETUP
from deskref.page.port import PortTakenError, check_port
from deskref.table_choice import TableChoice
from deskref.view_advice import advice_on
from devices.board import BoardError
from devices.board_list import Chance, Consents, list_boards
from devices.board_port import open_port
from devices.camera import SourceError, TroubleCode
from devices.camera_list import list_cameras
from devices.camera_spec import open_source
from devices.camera_trial import try_source
from models.runner import MODEL_FOLDER, ModelError, load_model

OWN_NAMES = ("", "none", "browser", "phone")
"""Settings of the camera that mean no device of this computer."""

NO_CORNERS = settings.TableSettings()
"""For another camera than the settings': corners that were clicked in that one's picture do not count in its."""

LOOK_S = 1.5
"""So long each camera is looked at: its exposure settles and its rate is measured."""


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
        _calibrations,
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
    """Look through each camera that is plugged in, and through the one of the settings where that is another."""
    home = settings.home()
    loaded = settings.load(home).settings
    own = loaded.camera.source
    identity = identity_of(own) if own not in OWN_NAMES else ""
    specs = [camera.identity for camera in list_cameras()]
    if identity and identity not in specs:
        specs.append(own)
    if not specs:
        yield Finding(
            "cameras",
            Health.NOTE,
            "none",
            "Plug one in, use a phone's address, or play with typed dice: deskref play --camera none",
        )
    for spec in specs:
        yield from _camera(spec, table_of(home, loaded.table if spec in (own, identity) else NO_CORNERS))


def _camera(spec: str, table: TableChoice) -> Iterator[Finding]:
    """Look through one camera for a moment: what it delivers, and how it sees the table."""
    try:
        source = open_source(spec)
    except SourceError as error:
        yield Finding(f"camera {spec}", Health.BAD, error.trouble.message, error.trouble.remedy)
        return
    name = source.name
    lens = lens_of(settings.home(), source)
    trial = try_source(source, look_s=LOOK_S)
    status, frame = trial.status, trial.frame
    if frame is None:
        trouble = status.trouble
        yield Finding(
            name,
            Health.BAD,
            trouble.message if trouble else "no picture came",
            trouble.remedy if trouble else "Unplug it and plug it in again.",
        )
        return
    rate = f", {status.rate_hz:.0f} pictures a second" if status.rate_hz else ""
    known = ", lens calibrated" if lens is not None and lens.fits(frame.size) else ""
    bad = [t for t in status.advice if t.code is not TroubleCode.NOTE]
    yield Finding(
        name,
        Health.NOTE if bad else Health.GOOD,
        " ".join([f"{frame.size[0]}x{frame.size[1]}{rate}{known}.", *(t.message for t in bad)]),
        " ".join(t.remedy for t in bad),
    )
    advice = advice_on(frame, table, lens=lens)
    if isinstance(advice, TableNotFound):
        yield Finding(f"table in {name}", Health.NOTE, advice.message, advice.advice)
    elif not advice:
        yield Finding(f"table in {name}", Health.GOOD, "seen well")
    for one in advice if isinstance(advice, tuple) else ():
        what, _, remedy = one.message.partition(". ")
        serious = Health.BAD if one.is_serious else Health.NOTE
        yield Finding(f"table in {name}", serious, f"{what.removesuffix('.')}.", remedy)


def _calibrations() -> Iterator[Finding]:
    """Look whether what was measured of lenses and print can be read."""
    home = settings.home()
    try:
        cameras, scale = calibrated_cameras(home), load_print_scale(home, "mat")
    except StoreError as error:
        yield Finding("calibration", Health.BAD, str(error), "Until then lenses are estimated from the mat.")
        return
    lenses = f"lenses of {', '.join(cameras)}" if cameras else "no lens (optional)"
    printed = "" if scale == 1.0 else f"; the mat printed at {100 * scale:.1f} %"
    yield Finding("calibration", Health.GOOD, lenses + printed)


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
