"""Check what deskref needs on this computer; each finding with its remedy in plain words."""

from __future__ import annotations

import importlib.metadata
import json as json_text
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import typer
from rich.console import Console
from rich.table import Table

from calibration.lens import Lens
from calibration.store import StoreError, calibrated_cameras, load_lenses, load_print_scale
from deskref import language, settings
from deskref.calibrated import table_of
from deskref.camera_language import trouble_told
from deskref.demo import FILM, SETUP
from deskref.doctor_camera import CameraLook, camera_findings, look_at
from deskref.doctor_network import broker_findings, wled_finding
from deskref.finding import Finding, Health
from deskref.language import say
from deskref.page.port import PortTakenError, check_port
from deskref.plain_errors import said_of
from deskref.recording import RecordingError, count_games, read_journal
from deskref.settings import Settings, TableSettings
from deskref.table_choice import MAT_TABLE, TableChoice
from deskref.typed_command import as_typed
from devices.board import BoardError, BoardStatus
from devices.board_list import Chance, Consents, list_boards
from devices.board_port import open_port
from devices.camera import SourceError
from devices.camera_list import list_cameras
from devices.camera_spec import open_source
from devices.camera_trial import opencv_troubles
from models.runner import MODEL_FOLDER, ModelError, load_model

PACKAGES: Final = ("numpy", "onnxruntime", "nicegui", "pyserial")

NO_CAMERA: Final = ("", "none", "browser", "phone")
"""Cameras of the settings that are not opened by this computer."""

LEAST_FREE_BYTES: Final = 200_000_000
"""Room for two hours of play: an hour's journal of a watched table takes about 100 MB (15 observations a second of
2 kB each)."""

MARKS: Final = {Health.GOOD: "ok", Health.NOTE: "-", Health.BAD: "!!"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What runs while the page's doctor looks: that is asked, not opened a second time."""

    camera: CameraLook | None = None
    board: BoardStatus | None = None
    port: int | None = None
    """Of the page."""
    table: TableChoice = MAT_TABLE


NOTHING_RUNS: Final = Running()


@dataclass(frozen=True, slots=True, eq=False)
class Examination:
    """Everything that the doctor found."""

    findings: tuple[Finding, ...]
    looks: tuple[CameraLook, ...]
    """At cameras, with their pictures."""


def run(*, json: bool, bundle: Path | None = None, picture: bool = False) -> int:
    """Print the findings; the exit status is 2 where something is bad.

    Args:
        json: whether lines of JSON are printed.
        bundle: a diagnostics file that is written as well.
        picture: whether a picture of each camera goes into it.
    """
    language.use(settings.load(settings.home()).settings.page.language)
    found = examine()
    if json:
        for finding in found.findings:
            typer.echo(json_text.dumps(finding.as_json(), ensure_ascii=False))
    else:
        print_findings(found.findings, Console())
    if bundle is not None:
        from deskref.diagnostics import write_bundle

        try:
            write_bundle(bundle, found, settings.home(), with_picture=picture)
        except OSError as error:
            typer.echo(say("doc_bundle_failed", why=said_of(error)), err=True)
            return 2
        has_picture = picture and any(look.image_bgr is not None for look in found.looks)
        what = say("doc_bundle_what_picture" if has_picture else "doc_bundle_what")
        typer.echo(say("doc_bundle_written", path=str(bundle), what=what), err=True)
    return 2 if any(f.health is Health.BAD for f in found.findings) else 0


def print_findings(findings: tuple[Finding, ...], console: Console) -> None:
    """Print a table of what was found and, below it, what to do: there a command is whole, however long it is."""
    table = Table(say("doc_check"), "")
    table.add_column(say("doc_found"), overflow="fold")
    for finding in findings:
        table.add_row(finding.what, MARKS[finding.health], finding.found)
    console.print(table, markup=False)
    to_do = [f"{MARKS[f.health]:2} {f.what}: {f.remedy}" for f in findings if f.remedy]
    for line in (f"{say('doc_to_do')}:", *to_do) if to_do else ():
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def examine(running: Running = NOTHING_RUNS) -> Examination:
    """Check everything; cameras take some seconds each."""
    home = settings.home()
    own = settings.load(home).settings
    looks: list[CameraLook] = []
    findings = (
        *_versions(),
        *_opencv(),
        *_models(),
        *_settings(home),
        *_calibrations(home),
        *_games(home),
        *_disk(home),
        *_page(own, running),
        *_recording(),
        *_cameras(own, running, looks),
        *_board(running),
        *broker_findings(own.mqtt),
    )
    return Examination(findings, tuple(looks))


def _versions() -> Iterator[Finding]:
    yield Finding("deskref", Health.GOOD, importlib.metadata.version("deskref"))
    good = sys.version_info >= (3, 11)
    yield Finding(
        "Python",
        Health.GOOD if good else Health.BAD,
        say("doc_python_on", version=platform.python_version(), system=platform.platform(terse=True)),
        "" if good else say("doc_python_old"),
    )
    for package in PACKAGES:
        try:
            yield Finding(package, Health.GOOD, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(package, Health.BAD, say("doc_missing"), say("doc_install_again"))
    try:
        yield Finding("paho-mqtt", Health.GOOD, importlib.metadata.version("paho-mqtt"))
    except importlib.metadata.PackageNotFoundError:
        yield Finding("paho-mqtt", Health.NOTE, say("doc_missing"), say("doc_mqtt_extra", python=sys.executable))


def _opencv() -> Iterator[Finding]:
    troubles = opencv_troubles()
    if not troubles:
        yield Finding("OpenCV", Health.GOOD, cv2.__version__)
    for trouble in troubles:
        message, remedy = trouble_told(trouble)
        yield Finding("OpenCV", Health.BAD, f"{cv2.__version__}. {message}", remedy)


def _models() -> Iterator[Finding]:
    for name in sorted(path.stem for path in MODEL_FOLDER.glob("*.onnx")):
        what = say("doc_model", name=name)
        try:
            load_model(name)
        except ModelError as error:
            yield Finding(what, Health.BAD, str(error), say("doc_install_again"))
        else:
            yield Finding(what, Health.GOOD, say("doc_loads"))


def _settings(home: Path) -> Iterator[Finding]:
    trouble = settings.load(home).trouble
    if trouble:
        yield Finding(say("doc_settings"), Health.BAD, trouble, say("doc_settings_mend"))
    elif os.access(_existing(home), os.W_OK):
        yield Finding(say("doc_settings"), Health.GOOD, str(home))
    else:
        remedy = say("doc_no_right", variable=settings.FOLDER_VARIABLE)
        yield Finding(say("doc_settings"), Health.BAD, str(home), remedy)


def _games(home: Path) -> Iterator[Finding]:
    what = say("doc_games")
    folder = home / "games"
    games = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    count = 0
    try:
        for _ in read_journal(games[-1]) if games else ():
            pass
        count = sum(map(count_games, games))
    except (RecordingError, OSError) as error:
        yield Finding(what, Health.NOTE, say("doc_games_broken", why=str(error)), say("doc_games_broken_do"))
        return
    yield Finding(what, Health.GOOD, say("doc_games_sound", count=count) if count else say("doc_games_none"))


def _disk(home: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(_existing(home)).free
    good = free >= LEAST_FREE_BYTES
    found = say("doc_disk_free", free=f"{free / 1e9:.1f}")
    yield Finding(say("doc_disk"), Health.GOOD if good else Health.BAD, found, "" if good else say("doc_disk_full"))


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    while not folder.exists():
        folder = folder.parent
    return folder


def _page(own: Settings, running: Running) -> Iterator[Finding]:
    if running.port is not None:
        yield Finding(say("doc_page"), Health.GOOD, say("doc_port_here", port=running.port))
        return
    port = own.page.port
    try:
        check_port(port, phones_port=own.phones.port)
    except PortTakenError as error:
        yield Finding(say("doc_page"), Health.NOTE, say("doc_port_used", port=port), str(error))
    else:
        yield Finding(say("doc_page"), Health.GOOD, say("doc_port_free", port=port))


def _recording() -> Iterator[Finding]:
    what = say("doc_demo")
    if not FILM.exists() or not SETUP.exists():
        yield Finding(what, Health.BAD, say("doc_demo_none"), say("doc_install_again"))
        return
    try:
        with open_source(str(FILM), speed="fast") as source:
            frame = source.read(5.0)
    except SourceError as error:
        message, remedy = trouble_told(error.trouble)
        yield Finding(what, Health.BAD, message, remedy or say("doc_install_again"))
        return
    yield Finding(what, Health.GOOD, f"{frame.size[0]} x {frame.size[1]}" if frame else say("doc_opens"))


def _cameras(own: Settings, running: Running, looks: list[CameraLook]) -> Iterator[Finding]:
    """Look at the camera in use, at every other one of this computer, and at the one that the settings name."""
    in_use = running.camera
    if in_use is not None:
        looks.append(in_use)
        yield from camera_findings(in_use, running.table, _lens(in_use))
    wanted = {camera.identity: camera.name for camera in list_cameras()}
    named = own.camera.source
    if named not in NO_CAMERA and named not in wanted and named not in wanted.values():
        wanted[named] = named
    if not wanted and in_use is None:
        yield Finding(say("doc_cameras"), Health.NOTE, say("doc_no_camera"), say("doc_no_camera_do"))
    for identity, name in wanted.items():
        if in_use is not None and in_use.status.identity == identity:
            continue
        look = look_at(name, identity)
        if isinstance(look, Finding):
            yield look
            continue
        looks.append(look)
        is_own = named in (identity, name)
        table = table_of(settings.home(), own.table if is_own or own.table.kind != "corners" else TableSettings())
        yield from camera_findings(look, table, _lens(look))


def _lens(look: CameraLook) -> Lens | None:
    try:
        return load_lenses(settings.home(), look.status.identity)
    except StoreError:
        return None  # said by `_calibrations`


def _calibrations(home: Path) -> Iterator[Finding]:
    """Look whether what was measured of lenses and of the print can be read."""
    what = say("doc_calibration")
    try:
        cameras, scale = calibrated_cameras(home), load_print_scale(home, "mat")
    except StoreError as error:
        yield Finding(what, Health.BAD, str(error), say("doc_calibration_broken_do"))
        return
    lenses = say("doc_lenses", cameras=", ".join(cameras)) if cameras else say("doc_no_lens")
    yield Finding(what, Health.GOOD, f"{lenses}; {say('doc_printed', percent=f'{100 * scale:.1f}')}")


def _board(running: Running = NOTHING_RUNS) -> Iterator[Finding]:
    """Look whether a port may be used, or WLED answers; only what deskref would open anyway is opened."""
    own = settings.load(settings.home()).settings.board
    what = say("doc_board")
    if own.kind == "wled-udp" and (running.board is None or not running.board.is_ready):
        yield wled_finding(own)
        return
    if running.board is not None:
        yield _running_board(running.board)
        return
    if own.kind == "none":
        yield Finding(what, Health.NOTE, say("doc_board_off"), say("doc_board_off_do"))
        return
    consents = Consents(settings.home())
    found = [port for port in list_boards() if port.chance is not Chance.NO or port.path == own.port]
    if own.port and all(port.path != own.port for port in found):
        yield _named_board(own.port)
    elif not found:
        yield Finding(what, Health.NOTE, say("doc_board_none"), say("doc_board_build"))
    for port in found:
        what = say("doc_board_at", port=port.path)
        if port.path != own.port and not consents.may_try(port):
            remedy = say("doc_board_try", port=port.path)
            yield Finding(what, Health.NOTE, say("doc_board_untried", name=port.name), remedy)
            continue
        try:
            open_port(port.path).close()
        except BoardError as error:
            yield Finding(what, Health.BAD, error.trouble.message, as_typed(error.trouble.remedy))
            continue
        yield Finding(what, Health.GOOD, say("doc_board_opens", name=port.name), say("doc_board_test"))


def _named_board(port: str) -> Finding:
    """Try a port that the settings name, but no list of this computer has: an address, or unplugged."""
    what = say("doc_board_at", port=port)
    try:
        open_port(port).close()
    except BoardError as error:
        why = error.trouble.message.rstrip(".")
        return Finding(what, Health.BAD, say("doc_board_named", why=why), say("doc_board_named_do"))
    return Finding(what, Health.GOOD, say("doc_board_opens", name=port), say("doc_board_test"))


def _running_board(status: BoardStatus) -> Finding:
    trouble = status.trouble
    if status.is_ready:
        what = say("doc_board_at", port=status.port)
        found = say("doc_board_runs", name=status.name, leds=status.leds)
        if trouble is None:
            return Finding(what, Health.GOOD, found, say("doc_board_test"))
        return Finding(what, Health.NOTE, f"{found}. {trouble.message}", as_typed(trouble.remedy))
    if trouble is None or not trouble.is_news:
        return Finding(say("doc_board"), Health.NOTE, say("doc_board_none"), say("doc_board_build"))
    health = Health.NOTE if trouble.asks is not None else Health.BAD
    return Finding(say("doc_board"), health, trouble.message, as_typed(trouble.remedy) or say("doc_board_build"))
