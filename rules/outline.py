"""Outlines on the table: what lies inside them and which stretches of a line cross them.

An outline is a simple polygon in table millimetres (x right, y down), its corners in order, either way round, the
last joined to the first. Obstacles, walls and difficult ground have one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

Point = tuple[float, float]
"""A place on the table: (x, y) in mm."""

Outline = tuple[Point, ...]
"""The corners of a simple polygon in order, in mm."""

TOUCHING_MM = 1e-9
"""A point this near to an edge lies on it: far below a camera's accuracy, far above the error of the arithmetic."""


def check_outline(outline: Outline) -> None:
    """Refuse what bounds no area.

    Raises:
        ValueError: fewer than three corners, a coordinate that is no finite number, or no area.
    """
    if len(outline) < 3:
        raise ValueError(f"an outline needs at least three corners, got {len(outline)!r}")
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in outline):
        raise ValueError(f"an outline's corners must be finite, got {outline!r}")
    if area_mm2(outline) == 0:
        raise ValueError(f"an outline must bound some area, got {outline!r}")


def area_mm2(outline: Outline) -> float:
    """Return the area within the outline, in mm²."""
    total = 0.0
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        total += x0 * y1 - x1 * y0
        x0, y0 = x1, y1
    return abs(total) / 2


def contains(outline: Outline, point: Point) -> bool:
    """Say whether the point lies inside the outline or on its edge."""
    px, py = point
    inside = False
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        if _on_edge(px, py, x0, y0, x1, y1):
            return True
        # Even-odd: count the edges that a ray to the right meets; each corner belongs to the edge below it.
        if (y0 > py) != (y1 > py) and px < x0 + (py - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
        x0, y0 = x1, y1
    return inside


def _on_edge(px: float, py: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Say whether (px, py) lies within `TOUCHING_MM` of the edge from (x0, y0) to (x1, y1)."""
    dx, dy = x1 - x0, y1 - y0
    length_squared = dx * dx + dy * dy
    if length_squared == 0:
        return math.hypot(px - x0, py - y0) <= TOUCHING_MM
    along = min(1.0, max(0.0, ((px - x0) * dx + (py - y0) * dy) / length_squared))
    return math.hypot(px - x0 - along * dx, py - y0 - along * dy) <= TOUCHING_MM


def stretches_inside(start: Point, end: Point, outline: Outline) -> tuple[tuple[float, float], ...]:
    """Return the stretches of the line from start to end that lie inside the outline.

    Each stretch is (from, to) as shares of the line, 0 at its start and 1 at its end, in order. A line along an edge
    counts as inside on one side of the outline only, so that two outlines side by side share it once.
    """
    x0, y0 = start
    dx, dy = end[0] - x0, end[1] - y0
    length_squared = dx * dx + dy * dy
    if length_squared == 0:
        return ()
    meetings = []
    ax, ay = outline[-1]
    a_side = dx * (ay - y0) - dy * (ax - x0)
    for bx, by in outline:
        b_side = dx * (by - y0) - dy * (bx - x0)
        if (a_side > 0) != (b_side > 0):
            share = a_side / (a_side - b_side)
            mx, my = ax + share * (bx - ax) - x0, ay + share * (by - ay) - y0
            meetings.append((mx * dx + my * dy) / length_squared)
        ax, ay, a_side = bx, by, b_side
    meetings.sort()
    clipped = ((max(0.0, enter), min(1.0, leave)) for enter, leave in zip(meetings[::2], meetings[1::2], strict=True))
    return tuple((enter, leave) for enter, leave in clipped if enter < leave)


def share_inside(start: Point, end: Point, outlines: Iterable[Outline]) -> float:
    """Return the share of the line from start to end, 0 to 1, that lies inside any of the outlines, each part once."""
    total, reached = 0.0, 0.0
    for enter, leave in sorted(stretch for outline in outlines for stretch in stretches_inside(start, end, outline)):
        if leave > reached:
            total += leave - max(enter, reached)
            reached = leave
    return total
