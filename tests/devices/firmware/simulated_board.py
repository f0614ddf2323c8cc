"""The board's real program on a simulated chip: built here, run from a script or live at a pty, its pins decoded."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from devices.board import Colour
from devices.board_protocol import Damaged, Decoder, Frame

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent.parent / "devices" / "firmware"

NEED = "DESKREF_NEED_FIRMWARE_TOOLS"
"""Environment variable; where it is 1, a missing tool is a failure instead of a skip."""

NODE_FOLDER = "DESKREF_NODE_MODULES"
"""Environment variable that names the folder `node_modules` with avr8js and MicroPython."""

AVR_TOOLS = "apt-get install gcc-avr avr-libc binutils-avr simavr libsimavr-dev libelf-dev gcc make"


def need(*, is_there: bool, what: str, remedy: str) -> None:
    """Skip where a tool is missing, or fail where the environment says that it must be there."""
    if is_there:
        return
    if os.environ.get(NEED) == "1":
        pytest.fail(f"{what} is missing although {NEED}=1: {remedy}")
    pytest.skip(f"{what} is missing: {remedy}")


def need_avr_tools() -> None:
    """Skip or fail where the compiler for the chip or the simulator is missing."""
    for tool in ("avr-gcc", "avr-objcopy", "gcc", "make"):
        need(is_there=shutil.which(tool) is not None, what=tool, remedy=AVR_TOOLS)
    need(is_there=Path("/usr/include/simavr/sim_avr.h").exists(), what="libsimavr-dev", remedy=AVR_TOOLS)


def node_modules(package: str) -> Path:
    """The folder of an npm package; skips or fails where it or node is missing."""
    remedy = (
        f"npm install --no-package-lock avr8js @micropython/micropython-webassembly-pyscript, and set {NODE_FOLDER}"
    )
    need(is_there=shutil.which("node") is not None, what="node", remedy=remedy)
    folder = Path(os.environ.get(NODE_FOLDER, HERE / "node_modules"))
    need(is_there=(folder / package / "package.json").exists(), what=package, remedy=remedy)
    return folder


def run(*command: str | Path, timeout_s: float = 120.0, **options: Any) -> str:
    """Run a program and give what it printed; its error output becomes the failure's text."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout_s, **options)
    if done.returncode != 0:
        pytest.fail(f"{command[0]}: {done.stderr[-2000:]}{done.stdout[-1000:]}")
    printed: str = done.stdout
    return printed


def build(folder: Path, leds: int) -> Path:
    """Compile the program for a strip; gives the ELF file."""
    run("make", "-C", FIRMWARE / "avr", f"OUT={folder}", f"LEDS={leds}")
    return folder / f"deskref-board-{leds}.elf"


def build_simulator(folder: Path) -> Path:
    """Compile the simulator's harness."""
    out = folder / "board_sim"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-I/usr/include/simavr"]
    run("gcc", *flags, "-o", out, HERE / "board_sim.c", "-lsimavr", "-lelf")
    return out


@dataclass(frozen=True, slots=True)
class Strip:
    """The strip took over a picture."""

    began_s: float
    """When its first bit came, by the chip's clock."""
    ended_s: float
    mono_s: float
    """When it was latched, by the real clock."""
    zero_ns: tuple[int, int]
    """Shortest and longest high time of a 0."""
    one_ns: tuple[int, int]
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Pitch:
    """The buzzer changed its pitch; 0 is silence."""

    time_s: float
    hz: float


@dataclass(frozen=True, slots=True)
class Said:
    """The board said something."""

    time_s: float
    frame: Frame | Damaged


Event = Strip | Pitch | Said


def event_in(line: str) -> Event | None:
    """One line of the simulator."""
    words = line.split()
    match words:
        case ["strip", began, ended, mono, *widths, colours] if len(widths) == 4:
            assert not colours.startswith("broken"), line
            zero0, zero1, one0, one1 = (int(w) for w in widths)
            data = bytes.fromhex(colours)
            leds = tuple((data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 3))
            return Strip(float(began), float(ended), float(mono), (zero0, zero1), (one0, one1), leds)
        case ["tone", time, hz]:
            return Pitch(float(time), float(hz))
        case ["said", time, data_hex]:
            (frame,) = Decoder().feed(bytes.fromhex(data_hex))
            return Said(float(time), frame)
        case ["crashed", *_]:
            raise AssertionError(line)
    return None


class Script:
    """What is done to the board, by the chip's clock."""

    def __init__(self) -> None:
        self._lines: list[tuple[float, str]] = []

    def send(self, at_s: float, data: bytes) -> None:
        """Put bytes on the wire."""
        self._lines.append((at_s, f"send {data.hex()}"))

    def reset(self, at_s: float) -> None:
        """Press the reset button."""
        self._lines.append((at_s, "reset"))

    def run(self, simulator: Path, program: Path, *, until_s: float, timeout_s: float = 120.0) -> tuple[Event, ...]:
        """Run until a moment and give everything that happened."""
        lines = [f"{round(at_s * 1e6)} {what}" for at_s, what in [*self._lines, (until_s, "end")]]
        path = program.parent / f"script-{os.getpid()}-{id(self)}.txt"
        path.write_text("\n".join(lines) + "\n")
        try:
            said = run(simulator, program, "script", path, timeout_s=timeout_s)
        finally:
            path.unlink()
        return tuple(event for event in map(event_in, said.splitlines()) if event is not None)


def strips(events: Iterable[Event]) -> list[Strip]:
    """Only the pictures."""
    return [e for e in events if isinstance(e, Strip)]


def pitches(events: Iterable[Event]) -> list[Pitch]:
    """Only the buzzer."""
    return [e for e in events if isinstance(e, Pitch)]


def frames(events: Iterable[Event]) -> list[Frame]:
    """Only what the board said; damaged frames are a failure."""
    found = [e.frame for e in events if isinstance(e, Said)]
    assert not any(isinstance(f, Damaged) for f in found)
    return [f for f in found if isinstance(f, Frame)]


@dataclass(slots=True)
class LiveBoard:
    """A simulated board in real time; `port` is its serial port."""

    simulator: Path
    program: Path
    port: Path
    events: list[Event] = field(default_factory=list)
    _process: subprocess.Popen[str] | None = None
    _reader: threading.Thread | None = None
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _plugs: int = 0

    def __enter__(self) -> LiveBoard:
        command = [str(self.simulator), str(self.program), "live", str(self.port)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.wait_for(lambda: self._plugs >= 1, 20.0)
        return self

    def __exit__(self, *args: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._reader is not None
        if self._process.poll() is None:
            self.tell("quit")
            self._process.wait(20.0)
        self._reader.join(20.0)
        self._process.stdin.close()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def tell(self, word: str) -> None:
        """Give a command: reset, unplug, plug, hang, go."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()

    def plug(self) -> None:
        """Plug the board in again and wait until the port is there."""
        before = self._plugs
        self.tell("plug")
        self.wait_for(lambda: self._plugs > before, 20.0)

    def unplug(self) -> None:
        """Pull the plug and wait until the port is gone."""
        self.tell("unplug")
        self.wait_for(lambda: not self.port.is_symlink(), 20.0)

    def wait_for(self, is_so: Callable[[], bool], timeout_s: float) -> None:
        """Wait until something is so, looked at whenever the board did something."""
        with self._changed:
            assert self._changed.wait_for(is_so, timeout_s), "the board did not do it in time"

    def wait_for_picture(self, colours: tuple[Colour, ...], *, after: int = 0, timeout_s: float = 20.0) -> Strip:
        """Wait for a picture among the events after the first `after`."""
        found: list[Strip] = []

        def is_there() -> bool:
            found.extend(s for s in strips(self.events[after:]) if s.colours == colours)
            return bool(found)

        self.wait_for(is_there, timeout_s)
        return found[0]

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = event_in(line)
            with self._changed:
                if event is not None:
                    self.events.append(event)
                self._plugs += line.startswith("plugged")
                self._changed.notify_all()
