"""What the eyes see is what a journal holds, to the last digit: a replay cannot come to something else."""

from __future__ import annotations

from deskref.eyes import Eyes
from devices.frame import Frame
from tests.vision.drawn_table import DrawnTable
from vision.records import observation_as_record, observation_from_record


def test_what_is_seen_is_what_its_record_says() -> None:
    table = DrawnTable(3)
    table.die((55.0, -35.0), 5, "red")
    table.paint(table.figure((-40.03, 30.07), ()), (60, 60, 190))
    eyes = Eyes()
    for number in range(6):
        seen = eyes.look(Frame(table.image(), number / 30, number)).observation
    assert seen.dice
    assert seen.figures
    assert observation_from_record(observation_as_record(seen)) == seen
