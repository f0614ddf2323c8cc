"""The Pico's program in real MicroPython: its protocol, current limit, tunes and failsafe; not the chip's pins."""

from __future__ import annotations

import json
import random

import pytest

from devices.board import Picture
from devices.board_protocol import (
    Command,
    Decoder,
    Frame,
    Kind,
    Refusal,
    encode,
    fill_payload,
    greeting_in,
    pixels_payload,
    runs_payload,
    tone_payload,
)
from tests.devices.firmware.simulated_board import FIRMWARE, HERE, node_modules, run
from tests.devices.firmware.test_avr import WHITE, current_ma, mutated

PACKAGE = "@micropython/micropython-webassembly-pyscript"
DARK = (0, 0, 0)


class Happened:
    """What the board showed, said and sounded, each with its millisecond."""

    def __init__(self, printed: str) -> None:
        self.strips: list[tuple[int, Picture]] = []
        self.pitches: list[tuple[int, int]] = []
        self.said: list[Frame] = []
        for line in printed.splitlines():
            event = json.loads(line)
            if "strip" in event:
                data = bytes.fromhex(event["strip"])
                leds = tuple((data[i + 1], data[i], data[i + 2]) for i in range(0, len(data), 3))
                self.strips.append((event["ms"], leds))
            elif "hz" in event:
                self.pitches.append((event["ms"], event["hz"]))
            else:
                (frame,) = Decoder().feed(bytes.fromhex(event["said"]))
                assert isinstance(frame, Frame)
                self.said.append(frame)


def play(*steps: tuple[int, bytes], until_ms: int, leds: int = 48) -> Happened:
    """Run the program with bytes that come at given milliseconds."""
    job = {
        "modules": str(node_modules(PACKAGE)),
        "program": str(FIRMWARE / "rp2040" / "main.py"),
        "leds": leds,
        "limit_ma": 400,
        "until_ms": until_ms,
        "steps": [[ms, data.hex()] for ms, data in steps],
    }
    return Happened(run("node", HERE / "micropython_board.mjs", input=json.dumps(job)))


def test_it_greets_shows_and_plays() -> None:
    chance = random.Random(7)
    runs = ((1, 2, 3),) * 10 + ((24, 8, 0),) * 38
    pixels = tuple((chance.randrange(16), chance.randrange(16), chance.randrange(16)) for _ in range(48))
    tone = encode(Frame(Command.TONE, 5, tone_payload(((880, 70), (0, 60), (1320, 90)))))
    happened = play(
        (10, encode(Frame(Command.HELLO, 0))),
        (20, encode(Frame(Command.RUNS, 1, runs_payload(runs)))),
        (30, encode(Frame(Command.FILL, 2, fill_payload(5, 3, (9, 9, 9))))),
        (40, encode(Frame(Command.PIXELS, 3, pixels_payload(0, pixels, show=False)))),
        (50, encode(Frame(Command.SHOW, 4))),
        (60, tone),
        (90, tone),
        (500, encode(Frame(Command.PING, 6))),
        (600, encode(Frame(Command.OFF, 7))),
        until_ms=700,
    )
    assert [(f.kind, f.number) for f in happened.said] == [
        (Command.READY, 0),
        *((Command.ACK, number) for number in (0, 1, 2, 3, 4, 5, 5, 6, 7)),
    ]
    greeting = greeting_in(happened.said[1].payload)
    assert greeting is not None
    assert (greeting.kind, greeting.leds, greeting.limit_ma) == (Kind.RP2040, 48, 400)
    assert [leds for _, leds in happened.strips] == [
        (DARK,) * 48,
        runs,
        (*runs[:5], (9, 9, 9), (9, 9, 9), (9, 9, 9), *runs[8:]),
        pixels,
        (DARK,) * 48,
    ]
    assert happened.pitches[1:] == [(60, 880), (130, 0), (190, 1320), (280, 0), (600, 0)]


@pytest.mark.parametrize("leds", [48, 144])
def test_the_current_never_exceeds_the_limit(leds: int) -> None:
    happened = play((10, encode(Frame(Command.FILL, 1, fill_payload(0, leds, WHITE)))), until_ms=50, leds=leds)
    assert 350 <= current_ma(happened.strips[-1][1]) <= 400


def test_it_goes_dark_when_nobody_speaks_for_three_seconds() -> None:
    lit = encode(Frame(Command.FILL, 1, fill_payload(0, 48, (9, 9, 9))))
    endless = encode(Frame(Command.TONE, 2, tone_payload(((440, 60_000),))))
    happened = play((10, lit), (1000, endless), until_ms=5000)
    assert [(ms, set(leds)) for ms, leds in happened.strips[1:]] == [(10, {(9, 9, 9)}), (4000, {DARK})]
    assert happened.pitches[-1] == (4000, 0)


def test_what_it_cannot_obey_it_refuses_with_the_reason() -> None:
    good = bytearray(encode(Frame(Command.FILL, 7, fill_payload(0, 48, WHITE))))
    good[5] ^= 0x40
    steps = [
        (bytes(good), Refusal.CRC),
        (encode(Frame(0x77, 7)), Refusal.UNKNOWN),
        (encode(Frame(Command.FILL, 7, b"\1\0")), Refusal.LENGTH),
        (encode(Frame(Command.RUNS, 7, b"\1\0\0\1\2")), Refusal.LENGTH),
        (encode(Frame(Command.TONE, 7, bytes(36))), Refusal.LENGTH),
        (b"\x11" * 300 + b"\0", Refusal.LENGTH),
        (b"hello world\r\n\0", Refusal.CRC),
    ]
    happened = play(*((10 + 10 * i, data) for i, (data, _) in enumerate(steps)), until_ms=200)
    assert [(f.kind, f.payload) for f in happened.said[1:]] == [(Command.NAK, bytes((why,))) for _, why in steps]
    assert len(happened.strips) == 1


def test_a_picture_beyond_the_strip_is_cut() -> None:
    happened = play(
        (10, encode(Frame(Command.FILL, 1, fill_payload(47, 65535, (1, 1, 1))))),
        (20, encode(Frame(Command.FILL, 2, fill_payload(65535, 65535, (1, 1, 1))))),
        (30, encode(Frame(Command.RUNS, 3, b"\1\0\0" + bytes((255, 2, 2, 2)) * 61))),
        until_ms=50,
    )
    assert [len(leds) for _, leds in happened.strips] == [48] * 4
    assert happened.strips[2][1] == (*(DARK,) * 47, (1, 1, 1))
    assert set(happened.strips[3][1]) == {(2, 2, 2)}


def test_a_thousand_strange_strings_do_not_disturb_it() -> None:
    """After each twenty of them a good frame is obeyed, split wherever it may be."""
    chance = random.Random(1)
    steps: list[tuple[int, bytes]] = []
    for n in range(1000):
        steps.append((10 + n, mutated(chance)))
        if n % 20 == 19:
            check = (
                b"\0"
                + encode(Frame(Command.HELLO, 0))
                + encode(Frame(Command.FILL, 1, fill_payload(0, 48, (1 + n // 20, 1, 1))))
            )
            cut = chance.randrange(len(check))
            steps += [(10 + n, check[:cut]), (11 + n, check[cut:])]
    happened = play(*steps, until_ms=1200)
    shown = [leds for _, leds in happened.strips]
    at = 0
    for n in range(50):
        at = shown.index(((1 + n, 1, 1),) * 48, at) + 1
    assert all(current_ma(leds) <= 400 for leds in shown)
