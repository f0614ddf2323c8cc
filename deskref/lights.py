"""Which light is shown when: rulings in the order in which they were said, between them whose turn it is.

A pure fold that drives the board and the strip on the page alike, so that they never contradict each other. A program
of priority 3 or more takes the strip at once, or, where another ruling has just begun, after half a second, so that
each is seen and nothing flashes faster than twice a second. Turns and troubles are shown while no ruling is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from deskref.light_and_sound import DARK, PROGRAMS, SIDE_COLOURS, Colour, Motion, Program, edge_place, leds_at
from deskref.signal import Signal, SignalKind

RULING = 3
"""Priority from which a program is a ruling: it is played, one after the other, and never left out silently."""

LEAST_S = 0.5
"""A program stays at least so long where the next one waits: two changes a second (WCAG 2.3.1 allows three)."""

WAITING_MOST = 8
"""Rulings that may wait: four seconds; beyond it the least important is dropped."""

CHASE_S = 3.0
"""So long the winner's wave runs before it stays lit, and other programs may take over."""

WORRIES = frozenset({SignalKind.UNREADABLE, SignalKind.TROUBLE})
"""They stay until something else happens in the game."""

CALMING = frozenset(
    {
        SignalKind.STARTED,
        SignalKind.YOUR_TURN,
        SignalKind.ROLL,
        SignalKind.HIT,
        SignalKind.MISS,
        SignalKind.SAVED,
        SignalKind.DEATH,
        SignalKind.MOVED,
        SignalKind.PASSED,
        SignalKind.WINNER,
        SignalKind.UNDONE,
        SignalKind.REDONE,
        SignalKind.CORRECTED,
        SignalKind.GAME_MASTER,
    }
)
"""They end a worry: the die was read, the table is seen."""

BEGINNING = frozenset({SignalKind.SET_UP, SignalKind.STARTED})
"""They begin a game: nothing of the one before is shown any more."""

TABLE_FOUND = "table_found"
"""Code of the message that ends the trouble of a lost table."""

Sides = Callable[[str], int]
"""The number of a soldier's side in the order of the set-up, from 0."""


@dataclass(frozen=True, slots=True)
class Light:
    """A program for one signal."""

    program: Program
    number: int
    """Of the signal."""
    kind: SignalKind
    place: float = 0.0
    """On the table's edge, 0 to 1 clockwise from the far left corner."""
    colour: Colour | None = None
    """Instead of the program's: a side's own."""


@dataclass(frozen=True, slots=True)
class Lights:
    """What the strip does."""

    turn: Light | None = None
    """Whose turn it is, or who has won."""
    worry: Light | None = None
    current: Light | None = None
    """What is shown, over turn and worry."""
    since_s: float = 0.0
    until_s: float = 0.0
    waiting: tuple[Light, ...] = ()
    minor: Light | None = None
    """The newest program below the rulings that has not begun."""
    resting: Light | None = None
    """Which of turn and worry is shown where nothing is current."""
    resting_s: float = 0.0
    """When it began."""
    changed_s: float = -math.inf
    """When the last program began."""
    announced: int = 0
    """Number of the newest turn that was shown; one that comes back after a worry does not sound again."""
    dropped: int = 0
    """Rulings that were never shown: too many came at once, or were taken back or followed by a new game meanwhile."""


def light_of(signal: Signal, sides: Sides) -> Light | None:
    """The light of a signal; None where it has none."""
    program = PROGRAMS.get(signal.kind)
    if program is None:
        return None
    place = edge_place(signal.place_mm) if signal.place_mm is not None else 0.0
    colour = None
    who = signal.winners[0] if signal.winners else signal.soldier
    if signal.kind in (SignalKind.YOUR_TURN, SignalKind.WINNER) and who is not None:
        colour = SIDE_COLOURS[sides(who) % len(SIDE_COLOURS)]
    return Light(program, signal.number, signal.kind, place, colour)


def hear(lights: Lights, signals: Iterable[Signal], sides: Sides) -> Lights:
    """Take signals in; `advance` then says what begins."""
    for signal in signals:
        if lights.worry is not None and (signal.kind in CALMING or signal.message.code == TABLE_FOUND):
            lights = replace(lights, worry=None)
        if signal.kind in BEGINNING:
            lights = _without_winner(lights)
            lights = replace(lights, turn=None, waiting=(), minor=None, dropped=lights.dropped + len(lights.waiting))
        elif signal.kind is SignalKind.UNDONE:
            lights = _without_winner(lights)
        light = light_of(signal, sides)
        if light is None:
            continue
        if light.kind in WORRIES:
            lights = replace(lights, worry=light)
        elif light.program.priority >= RULING:
            lights = _queued(lights, light)
        elif math.isinf(light.program.duration_s):
            lights = replace(lights, turn=light)
        else:
            lights = replace(lights, minor=light)
    return lights


def advance(lights: Lights, time_s: float) -> tuple[Lights, tuple[Light, ...]]:
    """Bring the strip to a moment.

    Returns:
        The lights then, and what began with it, whose sound is to be played.
    """
    begun: list[Light] = []
    while True:
        current = lights.current
        if current is not None:
            shown_s = time_s - lights.since_s
            next_waits = bool(lights.waiting) or (lights.minor is not None and current.program.priority < RULING)
            may_cut = shown_s >= LEAST_S or (current.program.priority < RULING and bool(lights.waiting))
            if time_s < lights.until_s and not (next_waits and may_cut):
                break
            lights = _ended(lights, current)
        if lights.waiting:
            lights = _begun(replace(lights, waiting=lights.waiting[1:], minor=None), lights.waiting[0], time_s)
        elif lights.minor is not None and time_s - lights.changed_s >= LEAST_S:
            lights = _begun(replace(lights, minor=None), lights.minor, time_s)
        else:
            wanted = lights.worry or lights.turn
            if wanted is not lights.resting and time_s - lights.changed_s >= LEAST_S:
                lights = replace(lights, resting=wanted, resting_s=time_s, changed_s=time_s)
                if wanted is not None and (wanted is lights.worry or wanted.number > lights.announced):
                    begun.append(wanted)
                if wanted is not None and wanted is lights.turn:
                    lights = replace(lights, announced=wanted.number)
            break
        assert lights.current is not None
        begun.append(lights.current)
    return lights, tuple(begun)


def picture_at(lights: Lights, time_s: float, *, count: int, brightness: float = 1.0) -> tuple[Colour, ...]:
    """The strip at a moment to which it was advanced.

    Args:
        lights: what it does.
        time_s: the moment.
        count: number of LEDs.
        brightness: 0 to 1; what is lit stays lit at least faintly unless it is 0.
    """
    light, since_s = (
        (lights.current, lights.since_s) if lights.current is not None else (lights.resting, lights.resting_s)
    )
    if light is None or brightness <= 0:
        return (DARK,) * count
    age_s = max(0.0, time_s - since_s)
    picture = leds_at(light.program, age_s, count=count, place=light.place, colour=light.colour)
    return picture if brightness >= 1 else tuple(_scaled(led, brightness) for led in picture)


def is_moving(lights: Lights, time_s: float) -> bool:
    """Whether the strip changes by itself after a moment."""
    light = lights.current or lights.resting
    if lights.current is not None or lights.waiting or lights.minor is not None:
        return True
    if (lights.worry or lights.turn) is not lights.resting:
        return True
    if light is None or light.program.motion in (Motion.CORNERS, Motion.STILL):
        return False
    return not (light.program.motion is Motion.CHASE_ROUND and time_s - lights.resting_s > CHASE_S)


def _without_winner(lights: Lights) -> Lights:
    """Let nobody's win be lit any more, and none that waits."""
    if lights.turn is not None and lights.turn.kind is SignalKind.WINNER:
        lights = replace(lights, turn=None)
    if lights.current is not None and lights.current.kind is SignalKind.WINNER:
        lights = replace(lights, current=None)
    waiting = tuple(one for one in lights.waiting if one.kind is not SignalKind.WINNER)
    return replace(lights, waiting=waiting, dropped=lights.dropped + len(lights.waiting) - len(waiting))


def _queued(lights: Lights, light: Light) -> Lights:
    waiting = (*lights.waiting, light)
    if len(waiting) <= WAITING_MOST:
        return replace(lights, waiting=waiting)
    least = min(range(len(waiting)), key=lambda i: (waiting[i].program.priority, i))
    return replace(lights, waiting=waiting[:least] + waiting[least + 1 :], dropped=lights.dropped + 1)


def _begun(lights: Lights, light: Light, time_s: float) -> Lights:
    lasts_s = light.program.duration_s if math.isfinite(light.program.duration_s) else CHASE_S
    return replace(lights, current=light, since_s=time_s, until_s=time_s + lasts_s, changed_s=time_s)


def _ended(lights: Lights, light: Light) -> Lights:
    """After a program the turn shows at once; a winner stays lit unless a newer turn was said."""
    lights = replace(lights, current=None, changed_s=-math.inf)
    if math.isinf(light.program.duration_s) and (lights.turn is None or lights.turn.number < light.number):
        return replace(
            lights, turn=light, resting=light, resting_s=lights.since_s, announced=max(lights.announced, light.number)
        )
    return lights


def _scaled(colour: Colour, share: float) -> Colour:
    red, green, blue = (max(1, round(v * share)) if v else 0 for v in colour)
    return red, green, blue
