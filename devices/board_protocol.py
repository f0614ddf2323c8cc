"""The bytes of `deskref-board/1`: frames, commands and answers, without any port.

A frame is `COBS(kind, number, payload, CRC-16) 00`. COBS leaves no 00 inside, so that 00 always ends a frame and a
receiver that was lost is found at the next one. The CRC is CCITT (polynomial 1021, start FFFF, high byte first).
The host has one frame in flight: the board answers after the strip was clocked out, since an AVR hears nothing then.
`docs/board.md` describes the protocol for those who build a board of their own.
"""

from __future__ import annotations

import binascii
import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from devices.board import Colour, Picture, Tune

VERSION = 1
"""Of the protocol; boards of another are refused with advice."""

MAGIC = b"deskref"
"""Ends the greeting: nothing else in a house answers so by chance."""

BAUD = 115_200
"""What every USB serial chip and every board can do: 11.52 bytes a millisecond."""

MOST_PAYLOAD = 250
"""Bytes; with head and checksum a frame is one COBS block, which an AVR can hold."""

MOST_TONES = 8
"""Tones in one command."""

MOST_RUNS_SHORT = 40
MOST_RUNS_LONG = 31
"""Runs of one picture on strips of up to 60 LEDs, and on longer ones: with the strip's own time the light is there
within 20 ms at 115200 baud (169 and 133 bytes)."""


MOST_LEDS = 490
"""A longer strip is used so far, as WLED's UDP form allows: nobody waits for a picture of 65535 LEDs."""


class Command(IntEnum):
    """Kinds of frames."""

    HELLO = 0x01
    PING = 0x02
    READY = 0x03
    """The board's own word after a reset, with the payload of the answer to HELLO."""
    PIXELS = 0x10
    FILL = 0x11
    SHOW = 0x12
    RUNS = 0x13
    TONE = 0x20
    OFF = 0x30
    ACK = 0x80
    NAK = 0x81


class Refusal(IntEnum):
    """Why a board did not obey."""

    CRC = 1
    UNKNOWN = 2
    LENGTH = 3
    OVERRUN = 4


class Kind(IntEnum):
    """Kinds of boards, by the number in their greeting."""

    AVR = 1
    RP2040 = 2


KIND_NAMES = {Kind.AVR: "Arduino", Kind.RP2040: "Raspberry Pi Pico"}

SHOW_NOW = 1
"""Flag of a picture command: show it at once."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it was meant."""

    kind: int
    number: int
    """0 to 255; the answer has the number of what it answers."""
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes between two 00 that are no frame."""

    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What a board says about itself."""

    protocol: int
    kind: int
    leds: int
    limit_ma: int
    """The current that the board never exceeds, for the whole strip."""
    most_payload: int

    @property
    def name(self) -> str:
        """What it is, for people."""
        known = KIND_NAMES[Kind(self.kind)] if self.kind in set(Kind) else f"board of kind {self.kind}"
        return f"{known} (deskref-board/{self.protocol})"


def cobs(data: bytes) -> bytes:
    """Encode bytes so that no 00 is among them."""
    out = bytearray()
    block = bytearray()
    for value in data:
        if value == 0:
            out += bytes((len(block) + 1,)) + block
            block.clear()
            continue
        block.append(value)
        if len(block) == 254:
            out += b"\xff" + block
            block.clear()
    return bytes(out + bytes((len(block) + 1,)) + block)


def uncobs(data: bytes) -> bytes | None:
    """Decode; None where the bytes cannot have been encoded so."""
    out = bytearray()
    at = 0
    while at < len(data):
        length = data[at]
        block = data[at + 1 : at + length]
        if length == 0 or len(block) != length - 1 or 0 in block:
            return None
        out += block
        at += length
        if length < 255 and at < len(data):
            out.append(0)
    return bytes(out)


def encode(frame: Frame) -> bytes:
    """The bytes of a frame with its end.

    Raises:
        ValueError: kind or number is no byte, or the payload is too long.
    """
    if not 0 <= frame.kind <= 255 or not 0 <= frame.number <= 255:
        raise ValueError(f"kind and number of a frame are bytes, not {frame.kind!r} and {frame.number!r}")
    if len(frame.payload) > MOST_PAYLOAD:
        raise ValueError(f"a payload has at most {MOST_PAYLOAD} bytes, not {len(frame.payload)!r}")
    body = bytes((frame.kind, frame.number)) + frame.payload
    return cobs(body + struct.pack(">H", binascii.crc_hqx(body, 0xFFFF))) + b"\0"


def decode(data: bytes) -> Frame | Damaged:
    """The frame in the bytes between two 00."""
    body = uncobs(data)
    if body is None or len(body) < 4 or binascii.crc_hqx(body, 0xFFFF) != 0:
        return Damaged(data)
    return Frame(body[0], body[1], body[2:-2])


class Decoder:
    """Cuts a stream of bytes into frames, however it was split or damaged."""

    MOST = 4 + MOST_PAYLOAD + 8
    """Bytes without a 00 beyond which they cannot become a frame."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._is_lost = False

    def feed(self, data: bytes) -> tuple[Frame | Damaged, ...]:
        """Take further bytes and give what they complete."""
        found: list[Frame | Damaged] = []
        *ended, rest = data.split(b"\0")
        for part in ended:
            self._keep(part)
            if self._is_lost:
                found.append(Damaged(bytes(self._kept)))
            elif self._kept:
                found.append(decode(bytes(self._kept)))
            self._kept.clear()
            self._is_lost = False
        self._keep(rest)
        return tuple(found)

    def _keep(self, part: bytes) -> None:
        room = self.MOST - len(self._kept)
        self._kept += part[:room]
        self._is_lost = self._is_lost or len(part) > room


def greeting_in(payload: bytes) -> Greeting | None:
    """Read the payload of READY or of the answer to HELLO; None where it is no greeting of ours.

    The first byte of an answer, 0 for "done", is part of both.
    """
    if len(payload) < 8 + len(MAGIC) or payload[0] != 0 or not payload.endswith(MAGIC):
        return None
    _, protocol, kind, leds, limit_ma, most = struct.unpack(">BBBHHB", payload[:8])
    return Greeting(protocol=protocol, kind=kind, leds=leds, limit_ma=limit_ma, most_payload=most)


def greeting_payload(greeting: Greeting) -> bytes:
    """The payload with which a board greets; the inverse of `greeting_in`."""
    g = greeting
    return struct.pack(">BBBHHB", 0, g.protocol, g.kind, g.leds, g.limit_ma, g.most_payload) + MAGIC


def runs_of(picture: Picture, *, most: int | None = None) -> tuple[tuple[int, Colour], ...]:
    """A picture as runs of equal colour, as (count, colour).

    Where there would be more than `most`, the neighbours that differ least are made one, step by step, so the picture
    loses what is seen least.

    Args:
        picture: the strip.
        most: by default what fits into 20 ms: `MOST_RUNS_SHORT`, or `MOST_RUNS_LONG` for more than 60 LEDs.
    """
    limit = most or (MOST_RUNS_SHORT if len(picture) <= 60 else MOST_RUNS_LONG)
    runs: list[tuple[int, Colour]] = []
    for colour in picture:
        if runs and runs[-1][1] == colour and runs[-1][0] < 255:
            runs[-1] = (runs[-1][0] + 1, colour)
        else:
            runs.append((1, colour))
    costs = [_cost(one, other) for one, other in itertools.pairwise(runs)]
    while len(runs) > limit:
        i = costs.index(min(costs))
        runs[i : i + 2] = [_joined(runs[i], runs[i + 1])]
        del costs[i]
        for j in (i - 1, i):
            if 0 <= j < len(costs):
                costs[j] = _cost(runs[j], runs[j + 1])
    return tuple(runs)


def _cost(one: tuple[int, Colour], other: tuple[int, Colour]) -> int:
    """How much is seen of joining two runs; far too much where the count would not fit into a byte."""
    if one[0] + other[0] > 255:
        return 1 << 30
    return min(one[0], other[0]) * max(abs(a - b) for a, b in zip(one[1], other[1], strict=True))


def _joined(one: tuple[int, Colour], other: tuple[int, Colour]) -> tuple[int, Colour]:
    count = one[0] + other[0]
    red, green, blue = (
        (one[0] * a + other[0] * b + count // 2) // count for a, b in zip(one[1], other[1], strict=True)
    )
    return count, (red, green, blue)


def runs_payload(picture: Picture) -> bytes:
    """The payload of RUNS that shows the whole picture at once."""
    body = b"".join(bytes((count, *colour)) for count, colour in runs_of(picture))
    return struct.pack(">BH", SHOW_NOW, 0) + body


def fill_payload(first: int, count: int, colour: Colour, *, show: bool = True) -> bytes:
    """The payload of FILL: `count` LEDs from `first` in one colour."""
    return struct.pack(">BHH", SHOW_NOW if show else 0, first, count) + bytes(colour)


def pixels_payload(first: int, colours: Sequence[Colour], *, show: bool = True) -> bytes:
    """The payload of PIXELS: a colour for each LED from `first`."""
    return struct.pack(">BH", SHOW_NOW if show else 0, first) + b"".join(bytes(c) for c in colours)


def tone_payload(tune: Tune) -> bytes:
    """The payload of TONE; a longer tune is cut after `MOST_TONES`."""
    return b"".join(struct.pack(">HH", min(hz, 65535), min(ms, 65535)) for hz, ms in tune[:MOST_TONES])
