"""What each signal looks and sounds like: one table for the board, the strip on the page and the page's tones.

A program never speaks by colour alone: place on the table's edge, motion and pitch say the same thing. At most two
flashes a second; blue against orange, never red against green.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from deskref.signal import SignalKind
from vision.observation import Point

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255, as sent to the LEDs."""

DARK: Colour = (0, 0, 0)
BRACKET: Colour = (40, 40, 40)
"""The white ends that stand for cover."""

SPOT_LEDS_IN_48 = 6
"""How many of 48 LEDs light up near a figure: an eighth of the table's edge, 10 cm."""

SPOT_LEDS_MOST = 12
"""Bright spots stay within so many LEDs on any strip: 12 at full level take 120 mA of the 400 that a USB port gives."""

SIDE_COLOURS: tuple[Colour, ...] = ((0, 4, 24), (24, 8, 0), (12, 12, 12), (16, 0, 20))
"""Of the sides in the order of the set-up: blue, orange, white, violet."""


class Motion(Enum):
    """How a program moves on the strip."""

    BREATHE = "breathe"
    """The nearest side swells and fades once a second."""
    CHASE_SLOWLY = "chase_slowly"
    """Two LEDs run round."""
    PULSE_TWICE = "pulse_twice"
    """The place lights up twice, closing in."""
    FADE_OUT = "fade_out"
    """The place lights up and spreads while it fades."""
    BRACKETS = "brackets"
    """The place stands still between two white ends."""
    DRAIN = "drain"
    """The place goes dark LED by LED."""
    BLINK_ALTERNATELY = "blink_alternately"
    """Every other LED, twice."""
    WIPE_BACK = "wipe_back"
    """Once round against the clock."""
    CHASE_ROUND = "chase_round"
    """A wave runs round the whole strip, then it stays lit."""
    CORNERS = "corners"
    """The four corners, still."""
    STILL = "still"


@dataclass(frozen=True, slots=True)
class Tone:
    """One tone; 0 Hz is a pause."""

    hz: int
    ms: int


@dataclass(frozen=True, slots=True)
class Program:
    """A light and its sound."""

    colour: Colour
    motion: Motion
    duration_s: float
    """After this the strip returns to rest; infinite programs stay until another comes."""
    tones: tuple[Tone, ...]
    priority: int
    """A higher one takes the strip at once; a lower one waits or is dropped."""


PROGRAMS: dict[SignalKind, Program] = {
    SignalKind.YOUR_TURN: Program((0, 4, 24), Motion.BREATHE, math.inf, (Tone(880, 60),), 1),
    SignalKind.UNREADABLE: Program((12, 12, 12), Motion.CHASE_SLOWLY, math.inf, (Tone(500, 40),), 2),
    SignalKind.HIT: Program((96, 32, 0), Motion.PULSE_TWICE, 1.2, (Tone(880, 70), Tone(1320, 90)), 3),
    SignalKind.MISS: Program((0, 8, 40), Motion.FADE_OUT, 1.0, (Tone(660, 70), Tone(440, 110)), 3),
    SignalKind.SAVED: Program((0, 28, 56), Motion.BRACKETS, 0.8, (Tone(660, 60), Tone(0, 40), Tone(660, 60)), 3),
    SignalKind.DEATH: Program((80, 10, 0), Motion.DRAIN, 1.2, (Tone(660, 120), Tone(494, 120), Tone(330, 240)), 4),
    SignalKind.ILLEGAL: Program(
        (48, 48, 48), Motion.BLINK_ALTERNATELY, 1.0, (Tone(220, 90), Tone(0, 60), Tone(220, 90)), 5
    ),
    SignalKind.DISAGREE: Program(
        (48, 48, 48), Motion.BLINK_ALTERNATELY, 1.0, (Tone(220, 90), Tone(0, 60), Tone(220, 90)), 5
    ),
    SignalKind.UNDONE: Program((16, 16, 16), Motion.WIPE_BACK, 0.8, (Tone(1320, 40), Tone(880, 40)), 2),
    SignalKind.CORRECTED: Program((16, 16, 16), Motion.WIPE_BACK, 0.8, (Tone(1320, 40), Tone(880, 40)), 2),
    SignalKind.WINNER: Program(
        (24, 8, 0), Motion.CHASE_ROUND, math.inf, (Tone(523, 120), Tone(659, 120), Tone(784, 120), Tone(1047, 300)), 6
    ),
    SignalKind.TROUBLE: Program((24, 0, 16), Motion.CORNERS, math.inf, (), 1),
}
"""The light and sound of every signal that has one; the others are quiet and leave the strip as it is."""


def edge_place(point_mm: Point, *, half_mm: float = 100.0) -> float:
    """Where on the table's edge a point is nearest to: 0 to 1 clockwise from the far left corner, as seen from above.

    Args:
        point_mm: table millimetres, x right, y away from the near edge.
        half_mm: half the side of the play area.
    """
    x, y = (max(-half_mm, min(half_mm, v)) for v in point_mm)
    along_x, along_y = (x + half_mm) / (2 * half_mm), (half_mm - y) / (2 * half_mm)
    distances = {"far": half_mm - y, "right": half_mm - x, "near": y + half_mm, "left": x + half_mm}
    side = min(distances, key=lambda name: distances[name])
    return {"far": along_x, "right": 1 + along_y, "near": 3 - along_x, "left": 4 - along_y}[side] / 4 % 1.0


def leds_at(
    program: Program, age_s: float, *, count: int, place: float = 0.0, colour: Colour | None = None
) -> tuple[Colour, ...]:
    """The strip at one moment of a program.

    Args:
        program: what is shown.
        age_s: since it began.
        count: number of LEDs, clockwise from the far left corner.
        place: on the edge, 0 to 1, as `edge_place` gives it.
        colour: instead of the program's, for a side's own.

    Returns:
        `count` colours; all dark after the program's end.
    """
    if age_s < 0 or age_s > program.duration_s:
        return (DARK,) * count
    lit = colour or program.colour
    centre = place * count
    spot = min(SPOT_LEDS_MOST, max(2, round(SPOT_LEDS_IN_48 * count / 48)))
    away = [min((i + 0.5 - centre) % count, (centre - i - 0.5) % count) for i in range(count)]
    rank = {led: n for n, led in enumerate(sorted(range(count), key=lambda i: (away[i], i)))}
    share = age_s / program.duration_s if math.isfinite(program.duration_s) else 0.0

    def nearest(most: float, shown: Colour) -> tuple[Colour, ...]:
        return tuple(shown if rank[i] < max(1, round(most)) else DARK for i in range(count))

    match program.motion:
        case Motion.BREATHE:
            swell = 0.35 + 0.65 * (0.5 - 0.5 * math.cos(2 * math.pi * age_s))
            return nearest(count / 4, _dimmed(lit, swell))
        case Motion.CHASE_SLOWLY:
            head = int(age_s * count / 8) % count
            return tuple(lit if (i - head) % count < 2 else DARK for i in range(count))
        case Motion.PULSE_TWICE:
            beat = 1.0 - 2 * share % 1.0  # full at once: the light is there with the ruling
            return nearest(spot * (1.0 - 0.5 * share), _dimmed(lit, beat))
        case Motion.FADE_OUT:
            return nearest(spot * (0.4 + 0.6 * share), _dimmed(lit, 1 - share))
        case Motion.BRACKETS:
            inner = max(1, spot - 2)
            return tuple(lit if rank[i] < inner else BRACKET if rank[i] < spot else DARK for i in range(count))
        case Motion.DRAIN:
            return nearest(spot * (1 - share), _dimmed(lit, 1 - share))
        case Motion.BLINK_ALTERNATELY:
            on = int(share * 4) % 2 == 0
            return tuple(lit if rank[i] < spot and (i % 2 == 0) == on else DARK for i in range(count))
        case Motion.WIPE_BACK:
            return tuple(lit if (count - i) / count <= share else DARK for i in range(count))
        case Motion.CHASE_ROUND:
            if age_s > 3.0:
                return (lit,) * count
            return tuple(_dimmed(lit, 0.5 + 0.5 * math.cos(2 * math.pi * (i / count - age_s))) for i in range(count))
        case Motion.CORNERS:
            side = count / 4
            return tuple(lit if min((i + 0.5) % side, -(i + 0.5) % side) <= 1 else DARK for i in range(count))
        case Motion.STILL:
            return (lit,) * count


def _dimmed(colour: Colour, share: float) -> Colour:
    red, green, blue = (round(max(0.0, min(1.0, share)) * v) for v in colour)
    return red, green, blue
