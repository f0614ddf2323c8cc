"""What is remembered of each die, figure and obstacle, and how what is seen now is matched to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from vision.observation import Point, Pose, SeenFigure, SeenHand, SeenMotion

DIE_GATE_MM = 6.0
"""A die at rest is found again within this: still dice scatter by less than 1.5 mm and lie at least 9 apart."""
FIGURE_GATE_MM = 12.0
"""A base is at least 15 mm wide, so two standing figures cannot be closer."""
STILL_MM = 1.6
"""A thing whose place scatters less between frames lies still; the finder's scatter on still scenes is below 0.8."""
READINGS = 5
"""The settle rule looks at this many of the latest readings of a still die."""
AGREEING = 4
"""and this many of them must say the same."""


class DieStatus(Enum):
    """What a known die is doing."""

    RESTING = "resting"
    LOOSE = "loose"
    """Seen, but not settled: it rolls, is carried, or was just put down."""
    HELD = "held"
    """Taken from the table; may come back anywhere."""


class FigureStatus(Enum):
    """What a known figure is doing."""

    SEATED = "seated"
    LIFTED = "lifted"
    GONE = "gone"
    """Left the table; known again if it comes back."""


@dataclass(frozen=True, slots=True)
class DieTrack:
    """One die through time."""

    die: int
    mm: Point
    status: DieStatus
    colour: str | None = None
    size_mm: float | None = None
    value: int | None = None
    """Settled."""
    confidence: float = 0.0
    readings: tuple[int | None, ...] = ()
    """Of the latest frames in which it lay still and in view, newest last."""
    confidences: tuple[float, ...] = ()
    still: int = 0
    """Frames in view without movement."""
    missing: int = 0
    """Frames for which its place was in view and empty."""
    moved_s: float = 0.0
    """When it last moved."""
    seen_s: float = 0.0
    hidden_s: float | None = None
    """Since when its place has been out of view, None while in view."""
    free: bool = False
    """Whether it was seen to move, or came to lie, without a hand over it."""
    known: bool = False
    """Whether its number has been told to anybody."""
    travelled_mm: float = 0.0
    steps: int = 0
    """Frames in a row in which it moved."""
    removed: bool = False
    """Whether it was told to be off the table."""


@dataclass(frozen=True, slots=True)
class FigureTrack:
    """One figure through time."""

    figure: int
    mm: Point
    """Where it was last said to be."""
    now_mm: Point
    """Where it is seen."""
    pose: Pose
    status: FigureStatus
    poses: tuple[Pose, ...] = ()
    """Latest poses seen, newest last."""
    still: int = 0
    missing: int = 0
    seen_s: float = 0.0
    hidden_s: float | None = None
    confidence: float = 0.0
    height_mm: float | None = None
    base_mm: float | None = None
    appearance: tuple[float, ...] = ()
    weight: float = 0.0
    """How many frames the appearance is the mean of."""
    known: bool = False
    touched: bool = False
    """Whether a hand was over it since it was last said to be somewhere."""
    stood_s: float = 0.0
    """Since when it stands where it stands, in plain view."""
    doubt_mm: float | None = None
    """How far off its place may be that was last told; None where it is not known."""
    surer: int = 0
    """Frames in plain view in which its place was known clearly better than when it was told."""


@dataclass(frozen=True, slots=True)
class ObstacleTrack:
    """One obstacle through time."""

    obstacle: int
    outline_mm: tuple[Point, ...]
    height_mm: float
    still: int = 0
    missing: int = 0
    known: bool = False
    told_mm: Point | None = None


def distance(one: Point, other: Point) -> float:
    """Give the distance of two places in mm."""
    return math.hypot(one[0] - other[0], one[1] - other[1])


def middle(outline: Sequence[Point]) -> Point:
    """Give the mean of an outline's corners."""
    return sum(p[0] for p in outline) / len(outline), sum(p[1] for p in outline) / len(outline)


def within(point: Point, outline: Sequence[Point]) -> bool:
    """Whether a point lies inside a closed outline."""
    inside = False
    x, y = point
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def distance_to(point: Point, outline: Sequence[Point]) -> float:
    """Give the distance from a point to an outline's area in mm; 0 inside."""
    if len(outline) < 3:
        return min((distance(point, p) for p in outline), default=math.inf)
    if within(point, outline):
        return 0.0
    best = math.inf
    x, y = point
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        share = 0.0 if length == 0 else min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / length))
        best = min(best, math.hypot(x - ax - share * dx, y - ay - share * dy))
    return best


def hand_gap_mm(point: Point, hands: Sequence[SeenHand]) -> float:
    """Give how far the nearest hand's outline is from a place; infinite without hands."""
    return min((distance_to(point, h.outline_mm) for h in hands if h.outline_mm), default=math.inf)


def motion_gap_mm(point: Point, motions: Sequence[SeenMotion]) -> float:
    """Give how far the nearest motion is from a place; infinite without any."""
    return min((distance_to(point, m.outline_mm) for m in motions), default=math.inf)


def match(
    known: Sequence[Point], seen: Sequence[Point], gate_mm: float, *, penalty: Sequence[Sequence[float]] | None = None
) -> dict[int, int]:
    """Pair known places with seen ones, nearest pairs first.

    Args:
        known: places remembered.
        seen: places seen now.
        gate_mm: pairs farther apart are none.
        penalty: for each known and each seen, millimetres added to the distance for looking different.

    Returns:
        Index of `seen` for each index of `known` that found one.
    """
    candidates = []
    for i, a in enumerate(known):
        for j, b in enumerate(seen):
            apart = distance(a, b)
            if apart <= gate_mm:
                candidates.append((apart + (penalty[i][j] if penalty else 0.0), i, j))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(candidates):
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def unlike(one: Sequence[float], other: Sequence[float]) -> float:
    """Give how different two colour signatures are, 0..1; 0.3 where one is unknown."""
    if not one or not other or len(one) != len(other):
        return 0.3
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / 2


def difference_of(track: FigureTrack, seen: SeenFigure) -> float:
    """Give how unlike a remembered figure a seen one is; 0 is the same, above 1 is surely another."""
    total = 1.6 * unlike(track.appearance, seen.appearance)
    if track.height_mm and seen.height_mm:
        total += 0.6 * min(1.0, abs(track.height_mm - seen.height_mm) / 15)
    if track.base_mm and seen.base_mm:
        total += 0.4 * min(1.0, abs(track.base_mm - seen.base_mm) / 8)
    return total


def learnt(track: FigureTrack, seen: SeenFigure, *, most: float = 120.0) -> FigureTrack:
    """Blend what is seen of a figure into what is remembered of it."""
    weight = min(track.weight, most)
    share = 1 / (weight + 1)
    looks = seen.appearance or track.appearance
    if track.appearance and len(track.appearance) == len(looks):
        looks = tuple(a + (b - a) * share for a, b in zip(track.appearance, looks, strict=True))

    def blend(old: float | None, new: float | None) -> float | None:
        return old if new is None else new if old is None else old + (new - old) * share

    standing = seen.pose is Pose.STANDING
    return replace(
        track,
        appearance=looks,
        height_mm=blend(track.height_mm, seen.height_mm) if standing else track.height_mm or seen.height_mm,
        base_mm=blend(track.base_mm, seen.base_mm) if standing else track.base_mm or seen.base_mm,
        weight=weight + 1,
    )
