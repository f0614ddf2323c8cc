"""What always holds of the fold from observations to events, on plays that nobody made up."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.simulated_table import Die, Figure, SimulatedTable
from vision.events import CameraMoved, DieEvent, FigureEvent, TableEvent, event_as_json
from vision.observation import Observation, Point, Pose, TableSeen
from vision.records import observation_as_record, observation_from_record
from vision.table_state import TableState, settle

Seen = TypeVar("Seen")
LOOKS = ((0.1, 0.1, 0.1, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.1, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0))
PLAYS = st.integers(0, 5)
BUMP_FRAMES = 10


@cache
def played(seed: int) -> tuple[tuple[Observation, ...], tuple[int, ...]]:
    """A random play: what was seen, and the frames at which the table was at rest between two acts."""
    chance = random.Random(seed)
    table = SimulatedTable(seed, rate=15.0)
    figures = [table.figure((-50.0 + 100 * k, 40.0), looks, 30.0 + 4 * k) for k, looks in enumerate(LOOKS)]
    dice = [table.die((x, -60.0), chance.randint(1, 6), chance.choice(["ivory", "blue"])) for x in (-60.0, 0.0, 60.0)]
    table.obstacles.append(((0.0, 80.0), 12.0))
    table.wait(2.0)
    rests = []
    for _ in range(2):
        rests.append(table.frame)
        _act(chance, table, figures, dice)
        table.wait(2.0)
    rests.append(table.frame)
    table.wait(1.0)
    return tuple(table.observations), tuple(rests)


def _act(chance: random.Random, table: SimulatedTable, figures: list[Figure], dice: list[Die]) -> None:
    """Throw a die, move or tip a figure, or carry a die."""
    place: Point = (chance.uniform(-80, 80), chance.uniform(-30, 10))
    what = chance.choice(["throw", "move", "tip", "carry"])
    figure, die = chance.choice(figures), chance.choice(dice)
    if what in ("throw", "carry"):
        table.take(die)
        if what == "throw":
            table.throw([(die, place, chance.randint(1, 6))], (place[0] - 30, place[1] - 50))
        else:
            table.put(die, place)
        return
    assert figure.mm is not None
    table.reach(figure.mm)
    if what == "tip":
        figure.pose = Pose.TIPPED if figure.pose is Pose.STANDING else Pose.STANDING
        figure.mm = (figure.mm[0] + 10, figure.mm[1] + 4)
    else:
        figure.mm = None
        table.reach((place[0], place[1] + 60), 0.5)
        figure.mm = (place[0], place[1] + 60)
    table.wait(0.3)
    table.reach(None)


def folded(observations: Sequence[Observation]) -> list[TableEvent]:
    """All events of a film."""
    state, told = TableState(), []
    for seen in observations:
        state, events = settle(state, seen)
        told += events
    return told


def as_lines(events: Sequence[TableEvent]) -> list[str]:
    return [json.dumps(event_as_json(event)) for event in events]


def facts(events: Sequence[TableEvent]) -> list[tuple[object, ...]]:
    """What happened, without when and to the last tenth of a millimetre."""
    told: list[tuple[object, ...]] = []
    for event in events:
        match event:
            case DieEvent():
                told.append((event.kind, event.die, event.value))
            case FigureEvent():
                told.append((event.kind, event.figure, event.pose))
            case _:
                told.append((event.kind,))
    return sorted(told, key=str)


def shuffled(chance: random.Random, things: tuple[Seen, ...]) -> tuple[Seen, ...]:
    return tuple(chance.sample(things, len(things)))


@settings(max_examples=5, deadline=None)
@given(PLAYS, st.integers(0, 10**6))
def test_the_order_of_what_is_seen_changes_no_byte(seed: int, shuffle: int) -> None:
    """Numbers included: the first die is the first one whichever the finder names first."""
    observations, _ = played(seed)
    chance = random.Random(shuffle)
    turned = [
        replace(
            seen,
            dice=shuffled(chance, seen.dice),
            figures=shuffled(chance, seen.figures),
            obstacles=shuffled(chance, seen.obstacles),
            hands=shuffled(chance, seen.hands),
            motions=shuffled(chance, seen.motions),
        )
        for seen in observations
    ]
    assert as_lines(folded(turned)) == as_lines(folded(observations))


@settings(max_examples=5, deadline=None)
@given(PLAYS, st.integers(0, 2), st.integers(0, 12), st.integers(0, 10**6))
def test_a_bump_changes_no_event(seed: int, act: int, later: int, shake: int) -> None:
    """Between two acts the camera is pushed: for some frames everything is seen centimetres off, then as before."""
    observations, rests = played(seed)
    chance = random.Random(shake)
    at = rests[act] + later - 12
    step_s = observations[1].time_s - observations[0].time_s
    bumped = list(observations[:at])
    for k in range(BUMP_FRAMES):
        away = (chance.uniform(-30, 30), chance.uniform(-30, 30))
        seen = observations[at]
        table = TableSeen(True, 6, moved=k == 0, steady=False)
        dice = tuple(replace(d, mm=(d.mm[0] + away[0], d.mm[1] + away[1])) for d in seen.dice if d.mm is not None)
        figures = tuple(replace(f, mm=(f.mm[0] + away[0], f.mm[1] + away[1])) for f in seen.figures if f.mm is not None)
        bumped.append(
            replace(
                seen,
                frame=at + k,
                time_s=seen.time_s + k * step_s,
                table=table,
                dice=dice,
                figures=figures,
                moving=True,
            )
        )
    bumped += [
        replace(seen, frame=seen.frame + BUMP_FRAMES, time_s=seen.time_s + BUMP_FRAMES * step_s)
        for seen in observations[at:]
    ]
    told = folded(bumped)
    assert [e for e in told if isinstance(e, CameraMoved)]
    assert facts([e for e in told if not isinstance(e, CameraMoved)]) == facts(folded(observations))


@settings(max_examples=4, deadline=None)
@given(PLAYS)
def test_a_replay_of_what_was_recorded_gives_the_same_bytes(seed: int) -> None:
    observations, _ = played(seed)
    lines = [json.dumps(observation_as_record(seen)) for seen in observations]
    once, again = (as_lines(folded([observation_from_record(json.loads(line)) for line in lines])) for _ in range(2))
    assert once == again
    assert once


@settings(max_examples=4, deadline=None)
@given(PLAYS, st.floats(0.0, 0.1))
def test_things_that_lie_still_are_told_once_however_they_flicker(seed: int, flicker: float) -> None:
    """A film without movement has no hand, no throw, no move and no obstacle that comes or goes after the start."""
    table = SimulatedTable(seed, rate=15.0, flicker=flicker, misread=flicker)
    for k in range(4):
        table.figure((-70.0 + 45 * k, 50.0), LOOKS[k % 2])
        table.die((-70.0 + 45 * k, -20.0), k + 1)
    table.obstacles += [((-40.0, -70.0), 15.0), ((50.0, -70.0), 11.0)]
    table.wait(9.0)
    counts = Counter(e.kind for e in table.events if e.kind != "die_value")
    assert counts == {"table_found": 1, "die_appeared": 4, "figure_entered": 4, "obstacle_moved": 2}
