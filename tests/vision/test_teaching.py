"""Teaching the faces of dice that lie on the table: known again there, never against pips."""

from __future__ import annotations

import numpy as np
import pytest

from models.dice_nets import DiceNets
from tests.vision import drawn_table
from tests.vision.drawn_table import DrawnTable
from vision.dice import DieCandidate, read_dice
from vision.observation import SeenDie
from vision.taught_faces import TaughtFaces
from vision.teaching import pips_on, teach_face, teach_seen_die

CROSS = [(a * k / 6, k / 6) for a in (-1, 1) for k in range(-4, 5)]
"""So many overlapping pips make a cross."""


@pytest.fixture(scope="module")
def nets() -> DiceNets:
    return DiceNets.load(threads=1)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> DrawnTable:
    """A die that shows a cross, which counts as a 1, beside one that shows a 5."""
    monkeypatch.setitem(drawn_table.PIPS, 1, CROSS)
    table = DrawnTable(2)
    for mm, value in (((0.0, 0.0), 1), ((50.0, 10.0), 5)):
        table.yaws[id(table.die(mm, value))] = 0.0
    return table


def seen(table: DrawnTable, nets: DiceNets, taught: TaughtFaces | None = None) -> tuple[SeenDie, ...]:
    """Both dice as they are read in a new frame."""
    places = [d.mm for d in table.dice if d.mm is not None]
    boxes = [table.view.to_frame(np.array([mm]), height_mm=8.0)[0] for mm in places]
    candidates = [
        DieCandidate((x - 20, y - 20, x + 20, y + 20), mm=mm) for mm, (x, y) in zip(places, boxes, strict=True)
    ]
    return read_dice(table.image(), view=table.view, candidates=candidates, nets=nets, taught=taught)


def test_a_face_taught_on_the_table_is_known_there_in_the_next_frames(table: DrawnTable, nets: DiceNets) -> None:
    cross, five = seen(table, nets)
    assert (cross.value, five.value) == (None, 5)
    face = teach_seen_die(table.image(), cross, 1, nets=nets)
    assert face is not None
    for _ in range(3):
        cross, five = seen(table, nets, TaughtFaces().with_face(face))
        assert (cross.value, five.value) == (1, 5)
        assert cross.why is None


def test_pips_are_not_overruled_by_what_was_taught(table: DrawnTable, nets: DiceNets) -> None:
    """Somebody taught the very face of the 5 as a 2."""
    five = seen(table, nets)[1]
    face = teach_seen_die(table.image(), five, 2, nets=nets)
    assert face is not None
    assert seen(table, nets, TaughtFaces().with_face(face))[1].value == 5


def test_a_face_with_pips_says_how_many_and_a_cross_has_none(table: DrawnTable, nets: DiceNets) -> None:
    cross, five = seen(table, nets)
    assert pips_on(table.image(), five) == 5
    assert pips_on(table.image(), cross) is None


def test_a_die_whose_top_was_not_made_out_cannot_be_taught(nets: DiceNets) -> None:
    die = SeenDie((10.0, 10.0, 50.0, 50.0), None, 0.5)
    assert teach_seen_die(np.zeros((80, 80, 3), np.uint8), die, 1, nets=nets) is None
    assert pips_on(np.zeros((80, 80, 3), np.uint8), die) is None


def test_where_no_die_is_nothing_is_taught(nets: DiceNets) -> None:
    assert teach_face(np.full((120, 160, 3), 90, np.uint8), (80.0, 60.0), 1, nets=nets) is None


def test_the_watcher_reads_a_question_mark_anew_when_its_face_is_taught(table: DrawnTable, nets: DiceNets) -> None:
    """And what it has read before stays as it is in every frame."""
    table.wait(0.6)
    values = {d.value for d in table.observations[-1].dice}
    assert values == {None, 5}
    cross = next(d for d in table.observations[-1].dice if d.value is None)
    face = teach_seen_die(table.image(), cross, 1, nets=nets)
    assert face is not None
    table.watcher.know_faces(TaughtFaces().with_face(face))
    before = len(table.observations)
    table.wait(0.4)
    assert {d.value for d in table.observations[-1].dice} == {1, 5}
    assert all(5 in {d.value for d in o.dice} for o in table.observations[before:])
