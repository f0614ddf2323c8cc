"""Dice are told row by row, from left to right, however they were found."""

from __future__ import annotations

import random

import pytest

from deskref.reading_order import in_reading_order
from vision.observation import SeenDie


def die(value: int, x: float, y: float, side: float = 40.0) -> SeenDie:
    return SeenDie((x, y, x + side, y + side), value, 0.9)


ROWS = {
    "straight": [die(1, 0, 0), die(2, 60, 0), die(3, 120, 0), die(4, 0, 60), die(5, 60, 60)],
    "uneven": [die(1, 0, 12), die(2, 60, 0), die(3, 120, 15), die(4, 5, 70), die(5, 80, 58), die(6, 160, 74)],
    "slanting": [die(n, 60.0 * n, 10.0 * n) for n in range(1, 7)],
    "slanting up": [die(n, 60.0 * n, 100 - 10.0 * n) for n in range(1, 7)],
    "of two sizes": [die(1, 0, 0, 80), die(2, 100, 20), die(3, 0, 120, 80), die(4, 100, 140)],
    "one below the other": [die(n, 3.0 * (n % 2), 50.0 * n) for n in range(1, 5)],
    "one": [die(4, 10, 10)],
    "none": [],
}


@pytest.mark.parametrize("dice", ROWS.values(), ids=ROWS.keys())
def test_dice_are_read_as_a_person_does(dice: list[SeenDie]) -> None:
    chance = random.Random(1)
    for _ in range(20):
        found = chance.sample(dice, len(dice))
        assert [d.value for d in in_reading_order(found)] == [d.value for d in dice]


def test_every_die_is_told_once_however_they_lie() -> None:
    chance = random.Random(2)
    for _ in range(50):
        dice = [die(n, chance.uniform(0, 400), chance.uniform(0, 400)) for n in range(9)]
        assert sorted(d.value or 0 for d in in_reading_order(dice)) == list(range(9))
