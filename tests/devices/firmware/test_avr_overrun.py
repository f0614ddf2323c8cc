"""Why the board answers after the strip was clocked out: the chip's own receive buffer, cycle by cycle."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devices.board import Colour
from devices.board_protocol import Command, Decoder, Frame, encode, runs_payload
from tests.devices.firmware.simulated_board import FIRMWARE, HERE, node_modules, run

PICTURES = 60


def colour(n: int) -> Colour:
    """Of the n-th picture: dim, so that the current's limit leaves it alone."""
    return n % 16, n // 16, 1


def green_first(n: int) -> bytes:
    """The colour as the strip gets it."""
    red, green, blue = colour(n)
    return bytes((green, red, blue))


def play(leds: int, *, waits: bool) -> dict[str, Any]:
    frames = [encode(Frame(Command.RUNS, n, runs_payload((colour(n),) * leds))) for n in range(1, PICTURES + 1)]
    job = {
        "modules": str(node_modules("avr8js")),
        "hex": str(FIRMWARE / "avr" / f"deskref-board-{leds}.hex"),
        "frames": [f.hex() for f in frames],
        "waits": waits,
        "until_ms": 800,
    }
    played: dict[str, Any] = json.loads(run("node", HERE / "avr8js_batch.mjs", input=json.dumps(job)))
    return played


@pytest.mark.parametrize("leds", [48, 144])
def test_with_one_frame_in_flight_nothing_is_lost(leds: int) -> None:
    """60 pictures sent, 60 answered, 60 shown."""
    played = play(leds, waits=True)
    answers = [Decoder().feed(bytes.fromhex(s))[0] for s in played["said"]][1:]
    assert played["lost"] == 0
    assert [a.kind for a in answers if isinstance(a, Frame)] == [Command.ACK] * PICTURES
    shown = [bytes.fromhex(s) for s in played["strips"]][1:]
    assert shown == [green_first(n) * leds for n in range(1, PICTURES + 1)]


def test_back_to_back_it_would_lose_bytes() -> None:
    """The reason for waiting; and what is lost is refused, never shown wrongly."""
    played = play(144, waits=False)
    assert played["lost"] > 0
    shown = [bytes.fromhex(s) for s in played["strips"]][1:]
    assert len(shown) < PICTURES
    assert all(s in [green_first(n) * 144 for n in range(1, PICTURES + 1)] for s in shown)
