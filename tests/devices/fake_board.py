"""A board in memory that speaks `deskref-board/1`, with the faults of real ones; and ports that fail."""

from __future__ import annotations

import threading
from collections.abc import Callable

import serial

from devices.board import Picture, Tune
from devices.board_port import AbsentError, Port
from devices.board_protocol import (
    Command,
    Damaged,
    Decoder,
    Frame,
    Greeting,
    Kind,
    encode,
    greeting_payload,
)

PATIENCE_S = 10.0
"""How long tests wait for what must happen."""


class FakeBoard:
    """A board; `port()` opens it. Whatever happens wakes `wait_for`."""

    def __init__(self, *, leds: int = 48, protocol: int = 1) -> None:
        self.greeting = Greeting(protocol=protocol, kind=Kind.AVR, leds=leds, limit_ma=400, most_payload=250)
        self.pictures: list[Picture] = []
        self.tunes: list[Tune] = []
        self.commands: list[int] = []
        self.is_plugged = True
        self.is_silent = False
        """It hears and says nothing."""
        self.is_hung = False
        """Its driver takes no bytes: each write runs into its time limit."""
        self.deaf_hellos = 0
        """So many greetings are swallowed, as by a boot loader."""
        self.lost_answers = 0
        self.refused = 0
        """So many frames are refused as damaged."""
        self.unknown: set[int] = set()
        self.opened = 0
        self.closed = 0
        self.changed = threading.Condition()
        self._out = bytearray()
        self._decoder = Decoder()
        self._last: int | None = None

    def open(self) -> tuple[Port, str]:
        """Open its port, as an opener of a link does."""
        with self.changed:
            if not self.is_plugged:
                raise AbsentError("There is no board at fake.", "Plug it in.")
            self.opened += 1
            self._out.clear()
            self._decoder = Decoder()
            return FakePort(self), "fake"

    def wait_for(self, is_so: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
        """Wait until something is so."""
        with self.changed:
            assert self.changed.wait_for(is_so, timeout_s), "it did not happen in time"

    def say(self, data: bytes) -> None:
        """Let it say bytes of its own accord."""
        with self.changed:
            self._out += data
            self.changed.notify_all()

    def unplug(self) -> None:
        """Pull the plug: the open port fails from now on."""
        with self.changed:
            self.is_plugged = False
            self.changed.notify_all()

    def plug(self) -> None:
        """Plug it in again: it is dark."""
        with self.changed:
            self.is_plugged = True
            self._last = None
            self.changed.notify_all()

    def reset(self) -> None:
        """Press its button: it is dark and says READY."""
        with self.changed:
            self._last = None
            self.pictures.append(((0, 0, 0),) * self.greeting.leds)
        self.say(encode(Frame(Command.READY, 0, greeting_payload(self.greeting))))

    def forget(self) -> None:
        """Forget what happened, in long tests."""
        with self.changed:
            self.pictures.clear()
            self.tunes.clear()
            self.commands.clear()

    def hear(self, data: bytes) -> None:
        """Take what was written."""
        with self.changed:
            for frame in self._decoder.feed(data):
                self._answer(frame)
            self.changed.notify_all()

    def take(self, size: int) -> bytes:
        """Give what it said."""
        with self.changed:
            data = bytes(self._out[:size])
            del self._out[:size]
            return data

    @property
    def waiting(self) -> int:
        """How much it said that nobody read."""
        return len(self._out)

    def _answer(self, frame: Frame | Damaged) -> None:
        if self.is_silent:
            return
        if isinstance(frame, Damaged):
            self._out += encode(Frame(Command.NAK, 0, b"\1"))
            return
        if frame.kind == Command.HELLO and self.deaf_hellos > 0:
            self.deaf_hellos -= 1
            return
        if frame.kind in self.unknown:
            self._out += encode(Frame(Command.NAK, frame.number, b"\2"))
            return
        if self.refused > 0 and frame.kind != Command.HELLO:
            self.refused -= 1
            self._out += encode(Frame(Command.NAK, 0, b"\1"))
            return
        is_repeated = frame.number == self._last
        self.commands.append(frame.kind)
        payload = b"\0"
        if frame.kind == Command.HELLO:
            self._last = None
            payload = greeting_payload(self.greeting)
        elif frame.kind == Command.PING:
            payload = b"\0\0\1"
        elif not is_repeated:
            self._last = frame.number
            self._obey(frame)
        if self.lost_answers > 0 and frame.kind != Command.HELLO:
            self.lost_answers -= 1
            return
        self._out += encode(Frame(Command.ACK, frame.number, payload))

    def _obey(self, frame: Frame) -> None:
        data = frame.payload
        if frame.kind == Command.RUNS:
            runs = [data[i : i + 4] for i in range(3, len(data), 4)]
            self.pictures.append(tuple((r[1], r[2], r[3]) for r in runs for _ in range(r[0])))
        elif frame.kind == Command.OFF:
            self.pictures.append(((0, 0, 0),) * self.greeting.leds)
        elif frame.kind == Command.TONE:
            words = [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]
            self.tunes.append(tuple(zip(words[::2], words[1::2], strict=True)))


class FakePort:
    """An open port of a fake board; fails as pyserial does when the board is unplugged."""

    def __init__(self, board: FakeBoard) -> None:
        self._board = board
        self._is_dead = False

    @property
    def in_waiting(self) -> int:
        """As pyserial: a bare OSError when the device is gone."""
        self._check(OSError(5, "Input/output error"))
        return self._board.waiting

    def read(self, size: int = 1) -> bytes:
        """Wait for bytes as a port with a short timeout does."""
        board = self._board
        with board.changed:
            board.changed.wait_for(lambda: board.waiting > 0 or not board.is_plugged, 0.02)
        self._check(serial.SerialException("device reports readiness to read but returned no data"))
        return board.take(size)

    def write(self, data: bytes, /) -> int | None:
        """Take bytes, or run into the time limit where the board's driver hangs."""
        self._check(serial.SerialException("write failed: [Errno 5] Input/output error"))
        if self._board.is_hung:
            with self._board.changed:
                self._board.changed.wait_for(lambda: not self._board.is_hung, 0.05)
            raise serial.SerialTimeoutException("Write timeout")
        self._board.hear(data)
        return len(data)

    def close(self) -> None:
        """Close it."""
        self._board.closed += 1

    def _check(self, error: Exception) -> None:
        self._is_dead = self._is_dead or not self._board.is_plugged
        if self._is_dead:
            raise error


def plain(index: int, leds: int = 48) -> Picture:
    """A picture that can be told from others."""
    return ((index % 90, index // 90 % 90, 7),) * leds
