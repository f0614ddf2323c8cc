"""Who is engaged with whom: adjacency on squares, on hexes and on the free table, and the steps that end it.

Reading: the rule text uses Engaged without defining it; the published conditions say "in active melee, normally when
adjacent", and that leaving takes a Withdraw. So two enemies are engaged while they are adjacent, unless the players
say otherwise. Who counts as an enemy at all (conscious, located, still fighting) is for the caller to say.

Rule: World Saga, Combat Mode, Movement and Surrounding Bonus.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rules.footprints import ONE_SQUARE, Cell, Footprint, cells_of
from rules.grid import SquareBoard
from rules.hexes import HexBoard, distance
from rules.outline import Point

ENGAGED_GAP_MM = 12.7
"""Bases this near to each other are adjacent on the free table: our reading. It makes 1-inch bases adjacent when they
stand on neighbouring inch squares, diagonals included (gap 10.5 mm), and not when a square lies between (25.4 mm)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure on squares or hexes."""

    who: str
    at: Cell
    """Top left square of its base."""
    footprint: Footprint = ONE_SQUARE


def adjacent_on_squares(board: SquareBoard, a: Iterable[Cell], b: Iterable[Cell]) -> bool:
    """Say whether two figures, given by the squares they stand on, are next to each other, diagonals included.

    A wall between two squares parts them; a diagonal is parted where both ways round its corner are walled up.
    Figures on the same square, as a camera may see them, are adjacent.
    """
    walls = set(board.walls)
    fences = {pair for one, two in board.fences for pair in ((one, two), (two, one))}
    b = tuple(b)
    return any(_touch(walls, fences, here, there) for here in a for there in b)


def _touch(walls: set[Cell], fences: set[tuple[Cell, Cell]], here: Cell, there: Cell) -> bool:
    right, down = there[0] - here[0], there[1] - here[1]
    if max(abs(right), abs(down)) > 1:
        return False
    if not (right and down):
        return (here, there) not in fences
    ways = ((here[0] + right, here[1]), (here[0], here[1] + down))
    return not all(way in walls or (here, way) in fences or (way, there) in fences for way in ways)


def adjacent_on_hexes(board: HexBoard, a: Cell, b: Cell) -> bool:
    """Say whether two figures stand on neighbouring hexes with no wall between (or on the same hex)."""
    return distance(a, b) <= 1 and (a, b) not in board.fences and (b, a) not in board.fences


def gap_mm(a: Point, a_radius_mm: float, b: Point, b_radius_mm: float) -> float:
    """Return the daylight between two round bases in mm, under 0 where they overlap."""
    return math.dist(a, b) - a_radius_mm - b_radius_mm


def adjacent_on_table(
    a: Point, a_radius_mm: float, b: Point, b_radius_mm: float, *, most_gap_mm: float = ENGAGED_GAP_MM
) -> bool:
    """Say whether two round bases on the free table are near enough to fight."""
    # The small addition keeps two bases that are exactly the gap apart adjacent, whatever the binary rounding.
    return gap_mm(a, a_radius_mm, b, b_radius_mm) <= most_gap_mm + 1e-9


def withdrawals_on_squares(
    board: SquareBoard, path: Sequence[Cell], footprint: Footprint, engaged: Iterable[Standing]
) -> tuple[tuple[str, ...], ...]:
    """Return for each step of a path (the start first) the engaged enemies that it leaves: each needs a Withdraw.

    Sliding round an enemy leaves nobody. An enemy that the path meets and leaves again on its way counts as well.
    """
    engaged = tuple(engaged)
    beside = [
        {
            enemy.who
            for enemy in engaged
            if adjacent_on_squares(board, cells_of(cell, footprint), cells_of(enemy.at, enemy.footprint))
        }
        for cell in path
    ]
    return _left_behind(beside)


def withdrawals_on_hexes(
    board: HexBoard, path: Sequence[Cell], engaged: Iterable[Standing]
) -> tuple[tuple[str, ...], ...]:
    """Return for each step of a path over hexes (the start first) the engaged enemies that it leaves."""
    engaged = tuple(engaged)
    return _left_behind([{enemy.who for enemy in engaged if adjacent_on_hexes(board, cell, enemy.at)} for cell in path])


@dataclass(frozen=True, slots=True)
class StandingFree:
    """A figure on the free table."""

    who: str
    at_mm: Point
    radius_mm: float


def withdrawals_on_table(
    path: Sequence[Point], radius_mm: float, enemies: Iterable[StandingFree], *, most_gap_mm: float = ENGAGED_GAP_MM
) -> tuple[tuple[str, ...], ...]:
    """Return for each straight stretch of a path (the start first) the enemies that it comes near to and leaves."""
    enemies = tuple(enemies)
    return tuple(
        tuple(
            sorted(
                enemy.who
                for enemy in enemies
                if adjacent_on_table(
                    _nearest(start, end, enemy.at_mm), radius_mm, enemy.at_mm, enemy.radius_mm, most_gap_mm=most_gap_mm
                )
                and not adjacent_on_table(end, radius_mm, enemy.at_mm, enemy.radius_mm, most_gap_mm=most_gap_mm)
            )
        )
        for start, end in pairwise(path)
    )


def _nearest(start: Point, end: Point, point: Point) -> Point:
    """Return the place between start and end that is nearest to the point."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length_squared = dx * dx + dy * dy
    if length_squared == 0:
        return start
    share = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length_squared
    share = min(1.0, max(0.0, share))
    return (start[0] + share * dx, start[1] + share * dy)


def _left_behind(beside: list[set[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sorted(before - after)) for before, after in pairwise(beside))
