"""The commands `deskref board ...`: which ports there are, does the board work, how its program gets onto it."""

from __future__ import annotations

import json as json_text
import queue
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import typer
from rich.console import Console
from rich.table import Table

from deskref import settings
from deskref.light_and_sound import PROGRAMS
from deskref.lights import Light, Lights, picture_at
from deskref.settings import BoardSettings
from deskref.typed_command import as_typed
from devices import board_list
from devices.board import Board, BoardError, BoardState, BoardStatus
from devices.board_choice import BoardChoice, Kind, make_board
from devices.board_list import Chance, Consents, PortFound

Chip = Literal["uno", "nano", "nano-old", "pico"]

FIRMWARE = Path(board_list.__file__).parent / "firmware"

READY_S = 15.0
"""How long a board may take: three seconds of greeting for ours, eight for WLED, and one more attempt."""

LONGEST_SHOW_S = 2.0
NO_BOARD = 2
"""Exit status of watching a board that never was there; that of every other thing that does not work."""
"""Programs without an end are shown so long."""

PLUG_IN = "Plug the board in; a cable for charging only has no data lines."

BUILT_LEDS = (48, 144)
"""Strips for which there is a built program."""


def list_ports(*, json: bool) -> None:
    """Print the serial ports, likely boards first."""
    consents = Consents(settings.home())
    found = board_list.list_boards()
    if json:
        for port in found:
            data = {
                "port": port.path, "name": port.name, "chance": port.chance.value,
                "agreed": consents.answer(port), "tried": consents.may_try(port),
            }  # fmt: skip
            typer.echo(json_text.dumps(data, ensure_ascii=False))
        return
    if not found:
        typer.echo(f"There is no serial port. {PLUG_IN}")
        return
    table = Table("Port", "What it is", "Used by deskref")
    for port in found:
        table.add_row(port.path, port.name, _use_of(port, consents))
    Console().print(table)
    if all(port.chance is Chance.NO for port in found):
        typer.echo(f"None of them looks like a board. {PLUG_IN}")


def ignore(port: str) -> None:
    """Remember that what is at a port is no board, so that it is not asked about again.

    Raises:
        BoardError: there is no such port, or it cannot be told apart from others.
    """
    Consents(settings.home()).remember(_named(port), agreed=False)
    typer.echo(as_typed(f"{port} is left alone from now on. `deskref board test --port {port}` takes that back."))


def test(*, port: str | None, kind: Kind | None, leds: int | None, sound: bool) -> None:
    """Show and play every program on the board, one after the other.

    A board that answers at a named port is remembered, so that it is found without being named.

    Raises:
        BoardError: no board answers; the message says why and what to do.
    """
    choice = _choice(port, kind, leds)
    board, told = _opened(choice)
    try:
        status = _ready(board, told)
        typer.echo(f"{status.name} at {status.port}: {status.leds} LEDs{'' if status.has_sound else ', no sound'}")
        if status.trouble is not None:
            typer.echo(as_typed(str(status.trouble)))
        _remember(choice)
        for kind_shown, program in PROGRAMS.items():
            typer.echo(f"  {kind_shown.value.replace('_', ' ')}")
            if sound:
                board.play(tuple((tone.hz, tone.ms) for tone in program.tones))
            light = Light(program, 1, kind_shown, place=0.625)
            _show(board, Lights(current=light), min(program.duration_s, LONGEST_SHOW_S))
        typer.echo("That was everything. Did the light run round the mat's edge clockwise, beginning far left?")
    finally:
        board.close()


def monitor(*, port: str | None, kind: Kind | None, seconds: float | None) -> int:
    """Print how the board is, whenever that changes, until it is interrupted or the time is over.

    Returns:
        The exit status: 2 where no board has been ready in the given time.

    Raises:
        BoardError: the settings lack something.
    """
    board, told = _opened(_choice(port, kind, None))
    end_s = time.monotonic() + seconds if seconds is not None else float("inf")
    was_ready = False
    try:
        while (left_s := end_s - time.monotonic()) > 0:
            try:
                status = told.get(timeout=min(1.0, left_s))
            except queue.Empty:
                continue
            was_ready = was_ready or status.is_ready
            words = [status.state.value, status.port, status.name]
            words += [f"{status.leds} LEDs"] if status.is_ready else []
            words += [str(status.trouble)] if status.trouble is not None else []
            typer.echo(f"{time.strftime('%H:%M:%S')}  {'  '.join(word for word in words if word)}")
    finally:
        board.close()
    return 0 if was_ready else NO_BOARD


def flash(*, chip: Chip, port: str | None, leds: int, run: bool) -> None:
    """Say how deskref's program gets onto a board, or do it for an Arduino.

    Args:
        chip: `uno`; `nano`, or `nano-old` with the old boot loader; `pico`.
        port: the Arduino's port.
        leds: length of the strip.
        run: whether to do it now.

    Raises:
        BoardError: it cannot be done.
    """
    if chip == "pico":
        if run:
            raise BoardError("A Pico's program is copied by hand.", "Leave out --run to see how.")
        typer.echo(as_typed("\n".join(_pico_steps(leds))))
        return
    if leds not in BUILT_LEDS:
        raise BoardError(
            f"There is no built program for {leds} LEDs, only for {' and '.join(map(str, BUILT_LEDS))}.",
            f"Build it: make -C {FIRMWARE / 'avr'} LEDS={leds} OUT=. ; docs/board.md says what that needs. "
            "Or use the next longer one: a strip may be shorter.",
        )
    where = port or _only_arduino(is_needed=run)
    command = [
        "avrdude", "-p", "atmega328p", "-c", "arduino", "-P", where, "-b", "57600" if chip == "nano-old" else "115200",
        "-U", f"flash:w:{FIRMWARE / 'avr' / f'deskref-board-{leds}.hex'}:i",
    ]  # fmt: skip
    if not run:
        typer.echo("This puts deskref's program on the Arduino, in place of the one that is there:\n")
        typer.echo("  " + " ".join(f'"{word}"' if " " in word else word for word in command))
        if where == "PORT":
            which = "\nPORT stands for the Arduino's port: plug it in, and `deskref board list` says which it is."
            typer.echo(as_typed(which))
        typer.echo(as_typed("\nEnter it, or let it be done: the same command with --run. Then: deskref board test"))
        return
    if shutil.which("avrdude") is None:
        raise BoardError(
            "avrdude is not installed.",
            "Debian and Ubuntu: sudo apt-get install avrdude; macOS: brew install avrdude; Windows: it comes with the "
            "Arduino IDE.",
        )
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        raise BoardError(
            "avrdude did not succeed; its words are above.",
            "A Nano with the old boot loader needs --chip nano-old; a port that is open elsewhere must be closed.",
        )
    typer.echo(as_typed("Done. Now: deskref board test"))


def _pico_steps(leds: int) -> Iterator[str]:
    program = FIRMWARE / "rp2040" / "main.py"
    yield "A Pico runs deskref's program in MicroPython:"
    yield "1. Once: hold BOOTSEL, plug the Pico in, and copy MicroPython's .uf2 file (micropython.org/download)"
    yield "   onto the drive that appears. It restarts by itself."
    yield f"2. Copy {program} onto the Pico as main.py, with Thonny, or with mpremote:"
    yield "     pip install mpremote"
    yield f'     mpremote fs cp "{program}" :main.py + reset'
    if leds != 48:
        yield f"   The strip has {leds} LEDs: change LEDS = 48 at its top first."
    yield "3. deskref board test"


def _only_arduino(*, is_needed: bool) -> str:
    """The port of the Arduino; a placeholder where it is not needed yet."""
    likely = [p for p in board_list.list_boards() if p.chance is not Chance.NO]
    only = likely[0] if len(likely) == 1 else None
    if only is not None and (not is_needed or Consents(settings.home()).may_try(only)):
        return only.path
    if not is_needed:
        return "PORT"
    if only is not None:
        raise BoardError(
            f"{only.name} at {only.path} may be an Arduino, or a printer at work.",
            f"If it is your Arduino, name it: --port {only.path}",
        )
    if not likely:
        raise BoardError("No Arduino is plugged in.", "Plug it in, or name its port with --port.")
    raise BoardError(
        f"There are {len(likely)} devices: {', '.join(f'{p.path} ({p.name})' for p in likely)}.",
        "Name the Arduino's port with --port.",
    )


def _named(port: str) -> PortFound:
    found = next((p for p in board_list.list_boards() if p.path == port), None)
    if found is None:
        raise BoardError(f"There is no port {port!r}.", "`deskref board list` shows the ports of this computer.")
    if found.identity is None:
        raise BoardError(f"{port} is not on USB.", "It is never tried unless it is named.")
    return found


def _use_of(port: PortFound, consents: Consents) -> str:
    said = consents.answer(port)
    if said is not None:
        return "yes, as you said" if said else "no, as you said"
    if port.chance is Chance.KNOWN:
        return "yes"
    return as_typed(f"if you say so: deskref board test --port {port.path}") if port.chance is Chance.ASK else "no"


def _choice(port: str | None, kind: Kind | None, leds: int | None) -> BoardChoice:
    own: BoardSettings = settings.load(settings.home()).settings.board
    wanted = kind or own.kind
    return BoardChoice(
        kind="auto" if wanted == "none" else wanted,
        port=own.port if port is None else port,
        leds=own.leds if leds is None else leds,
    )


def _opened(choice: BoardChoice) -> tuple[Board, queue.Queue[BoardStatus]]:
    told: queue.Queue[BoardStatus] = queue.Queue()
    try:
        board = make_board(choice, Consents(settings.home()), on_status=told.put)
    except ValueError as error:
        raise BoardError(f"{error}.") from error
    board.start()
    return board, told


def _ready(board: Board, told: queue.Queue[BoardStatus]) -> BoardStatus:
    """Wait for the board; the first thing that is wrong with it is the answer."""
    end_s = time.monotonic() + READY_S
    while (left_s := end_s - time.monotonic()) > 0:
        try:
            status = told.get(timeout=left_s)
        except queue.Empty:
            break
        if status.is_ready:
            return status
        if status.state is BoardState.LOST and status.trouble is not None:
            trouble = status.trouble
            raise BoardError(trouble.message, trouble.remedy if trouble.is_news else PLUG_IN)
    raise BoardError("The board does not answer.", "Unplug it and plug it in again.")


def _remember(choice: BoardChoice) -> None:
    named = [p for p in board_list.list_boards() if p.path == choice.port]
    for found in named:
        Consents(settings.home()).remember(found, agreed=True)


def _show(board: Board, lights: Lights, lasts_s: float) -> None:
    began_s = time.monotonic()
    while (age_s := time.monotonic() - began_s) < lasts_s:
        board.show(picture_at(lights, age_s, count=board.status.leds or 48))
        time.sleep(0.05)
