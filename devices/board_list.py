"""Which serial ports may be a board, which of them may be tried unasked, and which the player has agreed to.

A port that is opened may reset what hangs on it: a 3D printer in the middle of its work, for example. So only boards
whose USB numbers say that they are an Uno or a Pico are tried unasked; a bare serial chip is asked about once and then
remembered by its serial number.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from serial.tools import list_ports

logger = logging.getLogger(__name__)

KNOWN_BOARDS = {
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2341, 0x0243): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
    (0x2E8A, 0x0005): "Raspberry Pi Pico with MicroPython",
}
"""Vendor and product numbers that are tried unasked. An Arduino Mega is not among them: many are 3D printers."""

SERIAL_CHIPS = {
    0x1A86: "CH340 serial chip (Arduino Nano, ESP32)",
    0x0403: "FTDI serial chip",
    0x10C4: "CP210x serial chip (ESP32)",
    0x303A: "Espressif ESP32",
    0x239A: "Adafruit board",
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x2E8A: "Raspberry Pi board",
}
"""Vendors behind which a board may hide, but also a printer, a CNC mill or a GPS receiver."""

FILE_NAME = "board-ports.json"


class Chance(Enum):
    """How likely a port is a board of ours."""

    KNOWN = "known"
    """May be tried unasked."""
    ASK = "ask"
    """May be tried when the player says so."""
    NO = "no"
    """Not from USB, or of a vendor of whom no board is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortIdentity:
    """What stays the same when a device is plugged in again elsewhere or gets another name."""

    vid: int
    pid: int
    serial: str = ""
    """The device's own serial number; CH340 chips have none."""
    place: str = ""
    """The USB socket, only where there is no serial number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortFound:
    """A serial port of this computer."""

    path: str
    name: str
    chance: Chance
    identity: PortIdentity | None = None
    """None for ports that are not on USB."""


def list_boards(ports: Callable[[], Iterable[Any]] = list_ports.comports) -> tuple[PortFound, ...]:
    """The serial ports of this computer, likely boards first.

    On Windows this may take seconds where there are Bluetooth ports: not for the game's thread.

    Args:
        ports: what lists the ports; pyserial's by default, whose values carry no types.
    """
    found = [_described(port) for port in ports()]
    order = list(Chance)
    return tuple(sorted(found, key=lambda port: (order.index(port.chance), port.path)))


def _described(port: Any) -> PortFound:
    if port.vid is None:
        said = port.description if port.description not in (None, "", "n/a") else "built in, not on USB"
        return PortFound(path=port.device, name=said, chance=Chance.NO)
    serial = port.serial_number or ""
    identity = PortIdentity(vid=port.vid, pid=port.pid, serial=serial, place="" if serial else port.location or "")
    known = KNOWN_BOARDS.get((port.vid, port.pid))
    chip = SERIAL_CHIPS.get(port.vid)
    name = known or chip or port.description or port.device
    chance = Chance.KNOWN if known else Chance.ASK if chip else Chance.NO
    return PortFound(path=port.device, name=name, chance=chance, identity=identity)


class Consents:
    """Which devices the player has agreed to try, kept in a file of a folder that the caller names."""

    def __init__(self, folder: Path | None) -> None:
        """Read what is remembered; a file that cannot be read counts as empty.

        Args:
            folder: where the file lies; None remembers until the program ends.
        """
        self._path = folder / FILE_NAME if folder is not None else None
        self._agreed: dict[PortIdentity, bool] = {}
        if self._path is None:
            return
        try:
            for entry in json.loads(self._path.read_text(encoding="utf-8")):
                self._agreed[PortIdentity(**entry["port"])] = bool(entry["agreed"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            logger.warning("%s cannot be read; serial devices are asked about again: %s", self._path, error)

    def answer(self, port: PortFound) -> bool | None:
        """What the player said about the device; None where nobody asked yet."""
        return self._agreed.get(port.identity) if port.identity is not None else None

    def may_try(self, port: PortFound) -> bool:
        """Whether the port may be opened without asking."""
        said = self.answer(port)
        return port.chance is Chance.KNOWN if said is None else said

    def remember(self, port: PortFound, *, agreed: bool) -> None:
        """Remember what the player said; a file that cannot be written only means to be asked again."""
        if port.identity is None:
            return
        self._agreed = {**self._agreed, port.identity: agreed}  # as a whole: the board's thread reads it
        if self._path is None:
            return
        entries = [{"port": asdict(identity), "agreed": said} for identity, said in self._agreed.items()]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            scratch = self._path.with_suffix(".new")
            scratch.write_text(json.dumps(entries, indent=1), encoding="utf-8")
            scratch.replace(self._path)
        except OSError as error:
            logger.warning("%s cannot be written: %s", self._path, error)
