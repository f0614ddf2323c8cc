"""Movement without a grid: the length of a walk measured in millimetres, as with a ruler.

One square is 1 inch (25.4 mm), or 25 mm where the players choose that. There is no diagonal rule. The rule charges one
more for every square of difficult terrain entered; measured freely, the part of the walk inside difficult terrain
counts twice (reading: the same for a walk that fills its squares).

Rule: World Saga, Combat Mode, Movement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rules.footprints import MM_PER_INCH
from rules.outline import Outline, Point, check_outline, share_inside, stretches_inside

TOLERANCE_MM = 2.0
"""What a camera may misplace a figure by; nobody is refused a move for less."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The table as a walk meets it."""

    square_mm: float = MM_PER_INCH
    difficult: tuple[Outline, ...] = ()
    """Outlines of difficult terrain; where they overlap it counts once."""
    walls: tuple[Outline, ...] = ()
    """Outlines that no walk may cross."""

    def __post_init__(self) -> None:
        if not self.square_mm > 0:
            raise ValueError(f"a square must be over 0 mm, got {self.square_mm!r}")
        for outline in (*self.difficult, *self.walls):
            check_outline(outline)


@dataclass(frozen=True, slots=True)
class MeasuredWalk:
    """A walk as the ruler has it."""

    length_mm: float
    difficult_mm: float
    """The part of the length inside difficult terrain, which counts twice."""
    squares: float
    """What the walk costs."""
    crosses_wall: bool


def measure(ground: Ground, path: Iterable[Point]) -> MeasuredWalk:
    """Measure a walk along straight lines from point to point, the first point being its start."""
    length = difficult = 0.0
    crosses_wall = False
    for start, end in pairwise(path):
        stretch = math.dist(start, end)
        length += stretch
        difficult += stretch * share_inside(start, end, ground.difficult)
        crosses_wall = crosses_wall or any(stretches_inside(start, end, wall) for wall in ground.walls)
    return MeasuredWalk(length, difficult, (length + difficult) / ground.square_mm, crosses_wall)


def forgiven_squares(ground: Ground) -> float:
    """Return what a walk may cost more than the movement that is left: what a camera may misplace, in squares."""
    # The small addition keeps a walk of exactly that length within it, whatever the binary rounding.
    return TOLERANCE_MM / ground.square_mm + 1e-9
