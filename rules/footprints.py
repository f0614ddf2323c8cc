"""Which squares a base stands on, and which it newly covers with a step.

A footprint is (width, height) in squares, anchored at its top left square; squares are (column, row), rows downwards.
"""

from __future__ import annotations

from functools import cache

Cell = tuple[int, int]
"""A square as (column, row), or a hex as axial (q, r)."""

Footprint = tuple[int, int]
"""Width and height of a base in squares."""

ONE_SQUARE: Footprint = (1, 1)

MOST_SIDE = 1000
"""Squares or hexes of a board each way: far beyond any table, and its reach is still found within seconds."""

MOST_FOOTPRINT = 50
"""Squares of a base each way: beyond any figure."""

MM_PER_INCH = 25.4


def footprint_of_base(diameter_mm: float) -> Footprint:
    """Return the footprint of a round base: its diameter in inches to the nearest whole square, at least one.

    Halves round up: a 38.1 mm base (1.5 inches) stands on two squares by two.
    """
    if not diameter_mm > 0:
        raise ValueError(f"a base diameter must be over 0 mm, got {diameter_mm!r}")
    side = max(1, int(diameter_mm / MM_PER_INCH + 0.5))
    return (side, side)


def cells_of(anchor: Cell, footprint: Footprint = ONE_SQUARE) -> tuple[Cell, ...]:
    """Return the squares that a base at this anchor covers, row by row."""
    column, row = anchor
    return tuple((column + right, row + down) for right, down in offsets(footprint))


@cache
def offsets(footprint: Footprint) -> tuple[Cell, ...]:
    """Return the squares of a footprint relative to its anchor, row by row."""
    width, height = footprint
    if width < 1 or height < 1:
        raise ValueError(f"a footprint covers at least one square each way, got {footprint!r}")
    return tuple((right, down) for down in range(height) for right in range(width))


@cache
def newly_covered(footprint: Footprint, step: Cell) -> tuple[Cell, ...]:
    """Return the squares, relative to the anchor before the step, that the step covers and that were not covered."""
    before = set(offsets(footprint))
    return tuple(
        cell for right, down in offsets(footprint) if (cell := (right + step[0], down + step[1])) not in before
    )
