"""The recordings that are kept as golden ones: short plays on the simulated table, one for dice, figures, the rest.

    python -m tests.vision.golden_stories

writes them anew into `tests/golden`. A changed line there says that what is told of the same sight has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.vision.simulated_table import SimulatedTable
from vision.events import event_as_json
from vision.observation import Observation, Pose
from vision.records import observation_as_record, observation_from_record
from vision.table_state import TableState, settle

FOLDER = Path(__file__).parent.parent / "golden"
RED = (0.1, 0.1, 0.1, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0)
GREEN = (0.1, 0.2, 0.1, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0)
GREENISH = (0.1, 0.22, 0.1, 0.0, 0.0, 0.58, 0.0, 0.0, 0.0)


class QuietTable(SimulatedTable):
    """Without scatter, so that a still table takes one line; 15 pictures a second."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, rate=15.0, scatter_mm=0.0, flicker=0.0, misread=0.0)
        self.unread = False
        """Whether no die can be read."""
        self.doubt_mm: float | None = None
        """How far off places may be."""

    def observation(self) -> Observation:
        seen = super().observation()
        looks = tuple(replace(f, appearance=tuple(round(v, 1) for v in f.appearance)) for f in seen.figures)
        dice = tuple(replace(d, value=None, why="blurred") for d in seen.dice) if self.unread else seen.dice
        return replace(seen, figures=looks, dice=dice, table=replace(seen.table, doubt_mm=self.doubt_mm))


def dice() -> QuietTable:
    """Put down, taken, thrown, thrown to the same face, knocked, read late, taken off the table."""
    table = QuietTable(1)
    one, other = table.die((-30.0, 40.0), 3), table.die((30.0, 40.0), 5, "blue")
    table.wait(1.0)
    table.take(one)
    table.throw([(one, (0.0, -30.0), 3)], (-40.0, -60.0))
    table.wait(1.5)
    table.reach((30.0, 20.0))
    other.mm = (30.0, 45.0)
    table.wait(0.4)
    table.reach(None)
    table.wait(0.8)
    late = table.die((-60.0, -60.0), 4)
    late.mm = None
    table.put(late, (60.0, -60.0))
    table.wait(0.6)
    table.take(one)
    table.reach(None)
    table.wait(5.0)
    return table


def late_reading() -> QuietTable:
    """A thrown die is unreadable at first, told without a value, and read later."""
    table = QuietTable(2)
    die = table.die((-30.0, 40.0), 3)
    table.wait(1.0)
    table.take(die)
    table.throw([(die, (10.0, -30.0), 6)], (-40.0, -60.0))
    table.unread = True
    table.wait(2.0)
    table.unread = False
    table.wait(1.0)
    return table


def figures() -> QuietTable:
    """Entered, lifted and moved, tipped, stood up, left and back, two alike that nobody can tell apart."""
    table = QuietTable(3)
    red, green = table.figure((-50.0, 40.0), RED), table.figure((50.0, 40.0), GREEN, 36.0)
    table.wait(1.5)
    table.reach((-50.0, 40.0))
    red.mm = None
    table.reach((0.0, -40.0), 0.5)
    red.mm = (0.0, -40.0)
    table.wait(0.3)
    table.reach(None)
    table.wait(1.0)
    for pose, mm in ((Pose.TIPPED, (62.0, 44.0)), (Pose.STANDING, (55.0, 41.0))):
        table.reach((50.0, 40.0))
        green.pose, green.mm = pose, mm
        table.wait(0.3)
        table.reach(None)
        table.wait(1.2)
    table.reach((0.0, -40.0))
    red.mm = None
    table.reach(None)
    table.wait(5.0)
    table.put(red, (-20.0, 0.0))
    table.wait(2.5)
    twin = table.figure((-70.0, -70.0), GREENISH, 36.0)
    table.wait(3.0)
    table.reach((55.0, 41.0))
    green.mm = None
    table.reach((-70.0, -70.0), 0.6)
    twin.mm = None
    table.reach((10.0, 60.0), 0.6)
    twin.mm = (10.0, 60.0)
    table.wait(0.3)
    table.reach(None)
    table.wait(1.5)
    return table


def places_known_better() -> QuietTable:
    """Half of the markers are covered at first: when they come into view, the figure's place is told anew."""
    table = QuietTable(4)
    table.figure((-50.0, 40.0), RED)
    table.doubt_mm = 2.0
    table.wait(1.5)
    table.doubt_mm = 0.3
    table.wait(1.5)
    return table


def the_rest() -> QuietTable:
    """An obstacle comes, moves and goes; a hand; a bump; the table is lost and found."""
    table = QuietTable(5)
    table.wait(0.5)
    table.reach((20.0, 10.0))
    table.obstacles.append(((20.0, 10.0), 16.0))
    table.reach(None)
    table.wait(1.5)
    table.obstacles[0] = ((60.0, 10.0), 16.0)
    table.wait(3.0)
    table.moved = True
    for _ in range(3):
        table.step()
    table.moved = False
    table.wait(0.5)
    table.found = False
    table.wait(0.5)
    table.found = True
    table.wait(0.5)
    table.obstacles.clear()
    table.wait(2.5)
    return table


STORIES: dict[str, Callable[[], QuietTable]] = {
    "dice": dice,
    "late-reading": late_reading,
    "figures": figures,
    "places-known-better": places_known_better,
    "the-rest": the_rest,
}


def records(observations: list[Observation]) -> Iterator[dict[str, Any]]:
    """Give the lines of a recording; a sight that is as in the line before is told as such."""
    before: dict[str, Any] | None = None
    for seen in observations:
        record = observation_as_record(seen)
        now = {k: v for k, v in record.items() if k not in ("frame", "time_s")}
        yield {"frame": record["frame"], "time_s": record["time_s"], "same": True} if now == before else record
        before = now


def observations(lines: list[str]) -> Iterator[Observation]:
    """Give what a recording's lines say was seen."""
    whole: dict[str, Any] = {}
    for line in lines:
        record = json.loads(line)
        same = record.pop("same", False)
        whole = {**whole, **record} if same else record
        yield observation_from_record(whole)


def told(lines: list[str]) -> list[str]:
    """Give the events that follow from a recording's lines, as the JSON lines that are kept."""
    state, said = TableState(), []
    for seen in observations(lines):
        state, events = settle(state, seen)
        said += [json.dumps(event_as_json(event)) for event in events]
    return said


def main() -> None:
    """Write all recordings anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, story in STORIES.items():
        table = story()
        lines = [json.dumps(record) for record in records(table.observations)]
        (FOLDER / f"{name}.observations.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (FOLDER / f"{name}.events.jsonl").write_text("\n".join(told(lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
