"""Which die belongs to which figure: dice belong by place, to the base that they lie beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.observation import Point
from vision.track import distance

REACH_MM = 40.0
"""A die farther from a base's edge than this belongs to nobody: two widths of a die and a finger's width."""
CLEAR_MM = 8.0
"""By so much the nearest base must be nearer than the next, else the die's owner is unsure: half a die's width."""

Rectangle = tuple[float, float, float, float]
"""Left, near, right, far in table mm."""


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die at rest."""

    die: int
    mm: Point


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A figure on the table."""

    figure: int
    mm: Point
    base_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Pools:
    """The dice of the table, parted by owner; every die is in exactly one of them."""

    of_figure: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Each figure that has dice, with their numbers."""
    unsure: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Each die between two or more figures, with the figures whose it may be, nearest first: the player is asked."""
    tray: tuple[int, ...] = ()
    free: tuple[int, ...] = ()

    def owner(self, die: int) -> int | None:
        """Give the figure that a die belongs to, None where it belongs to none or that is unsure."""
        return next((figure for figure, dice in self.of_figure if die in dice), None)

    def dice_of(self, figure: int) -> tuple[int, ...]:
        """Give the dice of a figure."""
        return next((dice for owner, dice in self.of_figure if owner == figure), ())


def pools(
    figures: Sequence[PlacedFigure],
    dice: Sequence[PlacedDie],
    *,
    reach_mm: float = REACH_MM,
    clear_mm: float = CLEAR_MM,
    trays_mm: Sequence[Rectangle] = (),
) -> Pools:
    """Part the dice by owner.

    Args:
        figures: all figures that may own dice.
        dice: all dice at rest.
        reach_mm: from a base's edge to a die's centre, at most.
        clear_mm: by how much the owner must be nearer than any other figure.
        trays_mm: places for rolled dice, which belong to nobody.
    """
    owned: dict[int, list[int]] = {}
    unsure: list[tuple[int, tuple[int, ...]]] = []
    tray: list[int] = []
    free: list[int] = []
    for die in sorted(dice, key=lambda d: d.die):
        x, y = die.mm
        if any(left <= x <= right and near <= y <= far for left, near, right, far in trays_mm):
            tray.append(die.die)
            continue
        gaps = sorted((max(0.0, distance(f.mm, die.mm) - (f.base_mm or 25.0) / 2), f.figure) for f in figures)
        near_ones = [(gap, figure) for gap, figure in gaps if gap <= reach_mm]
        if not near_ones:
            free.append(die.die)
            continue
        rivals = [figure for gap, figure in gaps if gap - near_ones[0][0] < clear_mm and gap <= reach_mm]
        if len(rivals) > 1:
            unsure.append((die.die, tuple(rivals)))
        else:
            owned.setdefault(near_ones[0][1], []).append(die.die)
    return Pools(
        tuple((figure, tuple(numbers)) for figure, numbers in sorted(owned.items())),
        tuple(unsure),
        tuple(tray),
        tuple(free),
    )
