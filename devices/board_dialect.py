"""How a link speaks with one kind of board, and the dialect of boards that speak `deskref-board/1`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import serial

from devices import board_protocol as protocol
from devices.board import BoardError, Picture, Tune
from devices.board_port import Port
from devices.board_protocol import Command, Damaged, Decoder, Frame, Greeting

ANSWER_S = 0.12
"""How long an answer may take: 40 ms for the longest frame and strip, and FTDI chips hold bytes back for 16 ms."""

TRIES = 3
"""Times that a frame is sent before the board counts as lost."""

HELLO_EVERY_S = 0.3
HELLO_FOR_S = 3.0
"""Opening resets an Arduino, whose boot loader swallows bytes for one to two seconds: greet again and again."""


class SilentError(BoardError):
    """What is at the port does not answer in the language in which it was asked."""

    def __init__(self, message: str, remedy: str = "", *, is_recognised: bool = False) -> None:
        """Say what is wrong.

        Args:
            message: for the player.
            remedy: what to do.
            is_recognised: whether it is surely of the kind that was asked for, although it does not answer.
        """
        super().__init__(message, remedy)
        self.is_recognised = is_recognised


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """What answered."""

    name: str
    leds: int
    has_sound: bool


class Dialect(Protocol):
    """One language of boards; used by the link's thread only. Every method may raise what a port raises."""

    @property
    def beat_s(self) -> float:
        """How often `beat` is wanted."""

    @property
    def picture_s(self) -> float:
        """Least time between two pictures."""

    def greet(self, port: Port, is_stopped: Callable[[], bool]) -> Met:
        """Find out who is there; raises BoardError where nobody suitable answers."""

    def show(self, port: Port, picture: Picture) -> None:
        """Show a picture and wait until it is shown, where the board says so."""

    def play(self, port: Port, tune: Tune) -> None:
        """Begin to play."""

    def beat(self, port: Port) -> None:
        """Say that we are there, and find out whether the board is."""

    def hears_reset(self, port: Port) -> bool:
        """Read what came unasked; True where the board began afresh and must be told its picture again."""

    def leave(self, port: Port) -> None:
        """Make it dark and silent."""


class DeskrefDialect:
    """The dialect of `deskref-board/1`: one frame in flight, answered when obeyed, else repeated."""

    beat_s = 1.0
    picture_s = 0.0

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.greeting: Greeting | None = None
        self.repeats = 0
        """Frames sent again, since the link began."""
        self._clock = clock
        self._decoder = Decoder()
        self._number = 0
        self._was_reset = False

    def greet(self, port: Port, is_stopped: Callable[[], bool]) -> Met:
        """Greet until the board answers, for three seconds at most."""
        self._decoder = Decoder()
        heard = bytearray()
        end_s = self._clock() + HELLO_FOR_S
        while not is_stopped() and self._clock() < end_s:
            port.write(b"\0" + protocol.encode(Frame(Command.HELLO, 0)))
            next_s = min(end_s, self._clock() + HELLO_EVERY_S)
            while self._clock() < next_s and not is_stopped():
                data = self._read(port)
                heard += data[: 200 - len(heard)]
                for frame in self._decoder.feed(data):
                    greeting = _greeting(frame)
                    if greeting is not None:
                        return self._met(greeting)
        raise SilentError("The board does not answer.", advice_on(bytes(heard)))

    def show(self, port: Port, picture: Picture) -> None:
        """Show the picture; returns when the strip has it."""
        self._ask(port, Command.RUNS, protocol.runs_payload(picture))

    def play(self, port: Port, tune: Tune) -> None:
        """Play a tune; the board keeps time itself."""
        self._ask(port, Command.TONE, protocol.tone_payload(tune))

    def beat(self, port: Port) -> None:
        """Ping; without any frame for three seconds the board goes dark by itself."""
        self._ask(port, Command.PING)

    def hears_reset(self, port: Port) -> bool:
        """Whether the board said READY of its own accord since the last call."""
        if port.in_waiting:
            for frame in self._decoder.feed(self._read(port)):
                self._was_reset = self._was_reset or _is_ready(frame)
        was, self._was_reset = self._was_reset, False
        return was

    def leave(self, port: Port) -> None:
        """Switch the strip and the buzzer off."""
        self._ask(port, Command.OFF)

    def _met(self, greeting: Greeting) -> Met:
        if greeting.protocol < protocol.VERSION:
            raise BoardError(
                f"The board speaks deskref-board/{greeting.protocol}, which is too old.",
                "Flash it again: `deskref board flash`.",
            )
        if greeting.protocol > protocol.VERSION:
            raise BoardError(
                f"The board speaks deskref-board/{greeting.protocol}, which is newer than this deskref.",
                "Update deskref, or flash the board again: `deskref board flash`.",
            )
        self.greeting = greeting
        self._was_reset = False
        return Met(name=greeting.name, leds=min(greeting.leds, protocol.MOST_LEDS), has_sound=True)

    def _ask(self, port: Port, kind: Command, payload: bytes = b"") -> None:
        self._number = self._number % 255 + 1
        frame = protocol.encode(Frame(kind, self._number, payload))
        for attempt in range(TRIES):
            self.repeats += attempt > 0
            try:
                port.write(frame if attempt == 0 else b"\0" + frame)  # 00 ends what may have come over in part
            except serial.SerialTimeoutException:
                continue
            if self._is_answered(port, kind):
                return
        raise BoardError(
            "The board stopped answering.", "If it stays so, unplug it, wait a moment and plug it in again."
        )

    def _is_answered(self, port: Port, kind: Command) -> bool:
        """Wait for the answer to the frame in flight; False where it must be sent again."""
        end_s = self._clock() + ANSWER_S
        while self._clock() < end_s:
            for frame in self._decoder.feed(self._read(port)):
                if isinstance(frame, Damaged):
                    continue
                if _is_ready(frame):
                    self._was_reset = True
                elif frame.kind == Command.ACK and frame.number == self._number:
                    return True
                elif frame.kind == Command.NAK and frame.payload[:1] == bytes((protocol.Refusal.UNKNOWN,)):
                    if frame.number == self._number:
                        raise BoardError(
                            f"The board does not know the command {kind.name}.",
                            "Flash it again: `deskref board flash`.",
                        )
                elif frame.kind == Command.NAK:
                    return False
        return False

    def _read(self, port: Port) -> bytes:
        return port.read(max(1, port.in_waiting))


def advice_on(heard: bytes) -> str:
    """What to do about a device that did not greet, by what it said instead."""
    if b"Ada" in heard or b"WLED" in heard:
        return 'It looks like WLED: set kind = "wled" under [board] in the settings.'
    if b"MicroPython" in heard or b">>>" in heard or b"CircuitPython" in heard:
        return "Python runs on it, but not deskref's program: `deskref board flash` says how to copy it."
    if heard.strip(b"\0"):
        said = "".join(chr(v) if 32 <= v < 127 else "." for v in heard[:40])
        return f"It says {said!r}: is it the right device? `deskref board flash` puts deskref's program on it."
    return "Is it the right port, and is deskref's program on it? `deskref board flash` puts it there."


def _greeting(frame: Frame | Damaged) -> Greeting | None:
    if isinstance(frame, Damaged) or frame.kind not in (Command.ACK, Command.READY):
        return None
    return protocol.greeting_in(frame.payload)


def _is_ready(frame: Frame | Damaged) -> bool:
    return isinstance(frame, Frame) and frame.kind == Command.READY
