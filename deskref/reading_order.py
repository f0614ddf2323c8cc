"""The order in which a person reads the dice of a picture: row by row, from left to right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vision.observation import SeenDie

SAME_ROW: Final = 0.5
"""Two dice stand in one row where the smaller one's height is shared by so much: dice thrown by hand make no straight
rows, and in a real row even the most askew pair shares more than half."""


def in_reading_order(dice: Iterable[SeenDie]) -> tuple[SeenDie, ...]:
    """Return the dice row by row from the top, each row from the left.

    A row begins with the topmost die that is left and takes each one that overlaps its last die in height.
    """
    left = sorted(dice, key=_from_left)
    ordered: list[SeenDie] = []
    while left:
        top = min(left, key=lambda die: (die.box[1] + die.box[3]) / 2)
        row = _row_of(top, left)
        ordered += row
        left = [die for die in left if all(die is not taken for taken in row)]
    return tuple(ordered)


def _row_of(first: SeenDie, dice: list[SeenDie]) -> list[SeenDie]:
    """The dice beside the first one, followed neighbour by neighbour to both sides: rows may slant."""
    at = next(index for index, die in enumerate(dice) if die is first)
    row = [first]
    for side, end in ((dice[at + 1 :], -1), (dice[:at][::-1], 0)):
        for die in side:
            if _shared(die, row[end]) >= SAME_ROW:
                row.insert(len(row) if end else 0, die)
    return row


def _from_left(die: SeenDie) -> float:
    return (die.box[0] + die.box[2]) / 2


def _shared(one: SeenDie, other: SeenDie) -> float:
    """The share of the smaller one's height that both have."""
    (_, top, _, bottom), (_, top_2, _, bottom_2) = one.box, other.box
    least = min(bottom - top, bottom_2 - top_2)
    return (min(bottom, bottom_2) - max(top, top_2)) / least if least > 0 else 0.0
