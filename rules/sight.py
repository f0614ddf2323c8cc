"""Line of sight and cover: what share of a figure is hidden from another by the obstacles on the table.

The model: the eye looks from the middle of the attacker's base, at 0.9 of its height. The target is an upright
rectangle through the middle of its base, square to the view, as wide as its base and as tall as it is. An obstacle is
its outline raised to its height, standing on the table. What the eye cannot see of the rectangle, divided by the whole,
is the hidden share. It is computed exactly: seen from the eye, the top of a prism is a broken line, everything below
it is in its shadow, and the shadows of several obstacles are united under the highest of their lines.

Distances are millimetres on the table: x right, y down, heights up from the table's surface.

Rule: World Saga, Combat Mode, Concealment and Cover. Skuffle Wammer takes its proposal of cover from the same share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, pairwise

from rules.outline import Outline, Point, check_outline, contains, stretches_inside
from rules.ruling import Catalogue, Message, listed

EYE_SHARE = 0.9
"""Height of the eye as a share of the figure's height: our reading, about where a miniature's head sits."""
PRONE_SHARE = 0.25
"""Height of a prone figure as a share of its standing height: our reading."""
COVER_FROM = 0.375
"""Hidden share from which a target has cover: midway between 1/4 (not yet) and the rule's one-half."""
GREATER_FROM = 0.625
"""Hidden share from which cover is greater: midway between the rule's one-half and its three-quarters."""
NO_SIGHT_FROM = 0.99
"""Hidden share from which nothing worth aiming at is left: our reading, just under the whole."""
BORDERLINE = 0.05
"""Within this of a limit the Game Master is asked, who has the final decision by the rule's own words."""
GRAZE_MM = 1.0
"""An obstacle that reaches less than this into the view only grazes it: about the accuracy of a camera."""
LEAN_SHARE = 0.8
"""How far a figure leans out to either side, as a share of its base radius, where leaning is played."""
ROUNDING = 1e-9
"""Shares nearer than this are the same: far below what a camera sees, far above the error of the arithmetic."""

WORDS = {
    "sight_plain": "{target} is in plain view of {attacker}: no cover.",
    "sight_hidden": "{target}: {percent} % hidden by {obstacles}: {degree}.",
    "sight_borderline": "{target}: {percent} % hidden by {obstacles}: {degree}, but it is close: the GM decides.",
    "sight_seen_back": "{target}: {percent} % hidden by {obstacles}, but sees {attacker} and so can be seen: {degree}.",
}
"""What is said of a view, in English."""
_CATALOGUE = Catalogue(WORDS)


class Degree(Enum):
    """How well a target is hidden."""

    NONE = "none"
    COVER = "cover"
    GREATER = "greater"
    NO_SIGHT = "no_line_of_sight"

    @property
    def words(self) -> str:
        """The degree as a player says it."""
        return _DEGREE_WORDS[self]


_DEGREE_WORDS = {
    Degree.NONE: "no cover",
    Degree.COVER: "cover",
    Degree.GREATER: "greater cover",
    Degree.NO_SIGHT: "no line of sight",
}


class ObstacleKind(Enum):
    """What stands in the way: a thing, or another figure, which gives cover only where the players want that."""

    OBJECT = "object"
    CREATURE = "creature"


@dataclass(frozen=True, slots=True)
class Eye:
    """A point to look from."""

    at_mm: Point
    height_mm: float | None = None
    """Height over the table; None looks in plan: every obstacle is taller than everything."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that looks or is looked at."""

    name: str
    at_mm: Point
    """Middle of the base."""
    radius_mm: float
    height_mm: float | None = None
    """From the base to the top when standing; None where no height is known: then views are taken in plan."""
    base_mm: float = 0.0
    """Height over the table of what the figure stands on."""
    prone: bool = False

    def __post_init__(self) -> None:
        if not self.radius_mm > 0:
            raise ValueError(f"a base radius must be over 0 mm, got {self.radius_mm!r} for {self.name!r}")
        if self.height_mm is not None and not self.height_mm > 0:
            raise ValueError(f"a figure's height must be over 0 mm, got {self.height_mm!r} for {self.name!r}")

    @property
    def top_mm(self) -> float | None:
        """Height of its highest point over the table, None where its height is unknown."""
        if self.height_mm is None:
            return None
        return self.base_mm + self.height_mm * (PRONE_SHARE if self.prone else 1.0)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A thing that may hide figures."""

    name: str
    outline_mm: Outline
    height_mm: float | None = None
    """Height over the table; None is taller than everything."""
    kind: ObstacleKind = ObstacleKind.OBJECT

    def __post_init__(self) -> None:
        check_outline(self.outline_mm)
        if self.height_mm is not None and not self.height_mm > 0:
            raise ValueError(f"an obstacle's height must be over 0 mm, got {self.height_mm!r} for {self.name!r}")


@dataclass(frozen=True, slots=True)
class SightRules:
    """What the players may choose about sight."""

    eye_share: float = EYE_SHARE
    cover_from: float = COVER_FROM
    greater_from: float = GREATER_FROM
    no_sight_from: float = NO_SIGHT_FROM
    borderline: float = BORDERLINE
    graze_mm: float = GRAZE_MM
    creatures_cover: bool = False
    """Whether figures in between count as obstacles. The rule text says "an object", so by default they do not."""
    lean: bool = False
    """Whether an attacker may lean out of its base to either side, taking the best of three views."""


PLAIN_RULES = SightRules()
"""The rules of sight as they are without any choice made."""


@dataclass(frozen=True, slots=True)
class Hider:
    """An obstacle with the share of the target that it alone would hide."""

    name: str
    share: float


@dataclass(frozen=True, slots=True)
class Cover:
    """What one figure sees of another."""

    attacker: str
    target: str
    hidden_share: float
    """0 in plain view to 1 wholly hidden, as seen by the attacker."""
    degree: Degree
    borderline: bool
    """Whether the share is so near to a limit that the Game Master should decide."""
    hiders: tuple[Hider, ...]
    """What hides the target, most first."""
    message: Message
    """All this in one sentence for the players."""

    @property
    def can_target(self) -> bool:
        """Whether there is a line of sight."""
        return self.degree is not Degree.NO_SIGHT


def cover(
    attacker: Figure, target: Figure, obstacles: Iterable[Obstacle], *, sight_rules: SightRules = PLAIN_RULES
) -> Cover:
    """Judge how well the target is hidden from the attacker.

    Targeting is symmetric: where either of the two sees a part of the other, both may aim, and a target that is wholly
    hidden in one direction only has greater cover in that direction.
    """
    obstacles = tuple(obstacles)
    share, hiders = _best_view(attacker, target, obstacles, sight_rules)
    degree = degree_of(share, sight_rules=sight_rules)
    seen_back = False
    if degree is Degree.NO_SIGHT:
        back_share, _ = _best_view(target, attacker, obstacles, sight_rules)
        seen_back = degree_of(back_share, sight_rules=sight_rules) is not Degree.NO_SIGHT
        degree = Degree.GREATER if seen_back else degree
    borderline = is_borderline(share, sight_rules=sight_rules)
    message = _sentence(attacker.name, target.name, share, degree, hiders, borderline=borderline, seen_back=seen_back)
    return Cover(attacker.name, target.name, share, degree, borderline, hiders, message)


def hidden_share(
    eye: Eye, target: Figure, obstacles: Iterable[Obstacle], *, sight_rules: SightRules = PLAIN_RULES
) -> float:
    """Return the share of the target, 0 to 1, that is hidden from the eye."""
    return _view(eye, eye.at_mm, target, tuple(obstacles), sight_rules)[0]


def eye_of(figure: Figure, *, sight_rules: SightRules = PLAIN_RULES) -> Eye:
    """Return the point that the figure looks from."""
    if figure.top_mm is None:
        return Eye(figure.at_mm)
    return Eye(figure.at_mm, figure.base_mm + sight_rules.eye_share * (figure.top_mm - figure.base_mm))


def degree_of(share: float, *, sight_rules: SightRules = PLAIN_RULES) -> Degree:
    """Return the degree of cover that a hidden share gives."""
    if reaches(share, sight_rules.no_sight_from):
        return Degree.NO_SIGHT
    if reaches(share, sight_rules.greater_from):
        return Degree.GREATER
    if reaches(share, sight_rules.cover_from):
        return Degree.COVER
    return Degree.NONE


def reaches(share: float, limit: float) -> bool:
    """Say whether a hidden share reaches a limit; a share of exactly the limit does, whatever the binary rounding."""
    return share + ROUNDING >= limit


def is_borderline(share: float, *, sight_rules: SightRules = PLAIN_RULES) -> bool:
    """Say whether a hidden share is so near to a limit that the Game Master should decide.

    Reading: a target of which nothing at all can be seen is no close call, although 1 is near to the last limit.
    """
    if share >= 1:
        return False
    limits = (sight_rules.cover_from, sight_rules.greater_from, sight_rules.no_sight_from)
    return any(abs(share - limit) <= sight_rules.borderline + ROUNDING for limit in limits)


def _best_view(
    attacker: Figure, target: Figure, obstacles: tuple[Obstacle, ...], sight_rules: SightRules
) -> tuple[float, tuple[Hider, ...]]:
    """Return the smallest hidden share over the attacker's eye points, with what hides the target there."""
    eye = eye_of(attacker, sight_rules=sight_rules)
    best = _view(eye, attacker.at_mm, target, obstacles, sight_rules)
    if sight_rules.lean and best[0] > 0:
        counting = [obstacle for obstacle in obstacles if _counts(obstacle, attacker.at_mm, target, sight_rules)]
        for leaning in _leaning_eyes(eye, attacker, target, counting):
            view = _view(leaning, attacker.at_mm, target, obstacles, sight_rules)
            if view[0] < best[0]:
                best = view
    return best


def _leaning_eyes(eye: Eye, attacker: Figure, target: Figure, obstacles: Sequence[Obstacle]) -> list[Eye]:
    """Return the eye moved to either side of the line to the target; nobody leans through what is taller than it."""
    (ax, ay), (tx, ty) = attacker.at_mm, target.at_mm
    reach = LEAN_SHARE * attacker.radius_mm / math.dist(attacker.at_mm, target.at_mm)
    across = (-(ty - ay) * reach, (tx - ax) * reach)
    places = [(ax + side * across[0], ay + side * across[1]) for side in (1, -1)]
    return [
        Eye(place, eye.height_mm)
        for place in places
        if not any(
            _is_over(obstacle, eye) and stretches_inside(attacker.at_mm, place, obstacle.outline_mm)
            for obstacle in obstacles
        )
    ]


def _is_over(obstacle: Obstacle, eye: Eye) -> bool:
    """Say whether an obstacle is at least as tall as the eye is high; without heights it is."""
    return obstacle.height_mm is None or eye.height_mm is None or obstacle.height_mm >= eye.height_mm


def _counts(obstacle: Obstacle, stand: Point, target: Figure, sight_rules: SightRules) -> bool:
    """Say whether an obstacle can hide the target: a thing, and not one that either of the two stands on."""
    return (
        (obstacle.kind is ObstacleKind.OBJECT or sight_rules.creatures_cover)
        and not contains(obstacle.outline_mm, stand)
        and not contains(obstacle.outline_mm, target.at_mm)
    )


# A piece of a shadow's upper line on the target's rectangle: from across_a with height_a to across_b with height_b.
# `across` runs along the rectangle, 0 at the middle of the base; heights are over the table and may be infinite.
_Piece = tuple[float, float, float, float]


def _view(
    eye: Eye, stand: Point, target: Figure, obstacles: tuple[Obstacle, ...], sight_rules: SightRules
) -> tuple[float, tuple[Hider, ...]]:
    """Return the hidden share and what hides; `stand` is where the looking figure's base is."""
    depth = math.dist(eye.at_mm, target.at_mm)
    if depth == 0:
        return 0.0, ()
    in_plan = eye.height_mm is None or target.top_mm is None
    eye_height = eye.height_mm if eye.height_mm is not None else 0.0
    bottom, top = target.base_mm, target.top_mm if target.top_mm is not None else target.base_mm + 1.0
    whole = 2 * target.radius_mm * (top - bottom)
    shadows = []
    for obstacle in obstacles:
        corners = _seen_from(eye.at_mm, target.at_mm, depth, obstacle.outline_mm)
        # The cheap question first: most obstacles are nowhere near the view.
        if not _meets_view(corners, depth, target.radius_mm) or not _counts(obstacle, stand, target, sight_rules):
            continue
        height = math.inf if in_plan or obstacle.height_mm is None else obstacle.height_mm
        pieces = _shadow(corners, depth, target.radius_mm, eye_height, height, sight_rules.graze_mm)
        pieces = [piece for piece in pieces if max(piece[2], piece[3]) > bottom]
        if pieces:
            shadows.append((obstacle.name, pieces))
    hiders = tuple(
        sorted(
            (Hider(name, _share([pieces], bottom, top, whole)) for name, pieces in shadows),
            key=lambda hider: (-hider.share, hider.name),
        )
    )
    if len(shadows) == 1:
        return hiders[0].share, hiders
    return _share([pieces for _, pieces in shadows], bottom, top, whole), hiders


def _seen_from(eye: Point, target: Point, depth: float, outline: Outline) -> list[Point]:
    """Turn an outline so that the eye is the origin and x runs to the target."""
    (ex, ey), along_x, along_y = eye, (target[0] - eye[0]) / depth, (target[1] - eye[1]) / depth
    return [((x - ex) * along_x + (y - ey) * along_y, (y - ey) * along_x - (x - ex) * along_y) for x, y in outline]


def _meets_view(corners: list[Point], depth: float, radius: float) -> bool:
    """Say whether an outline may reach into the view, a triangle from the eye to the target's rectangle."""
    slope = radius / depth
    return (
        any(x > 0 for x, _ in corners)
        and any(x < depth for x, _ in corners)
        and any(y < slope * x for x, y in corners)
        and any(y > -slope * x for x, y in corners)
    )


def _shadow(
    corners: list[Point], depth: float, radius: float, eye_height: float, height: float, graze_mm: float
) -> list[_Piece]:
    """Return the upper line of an obstacle's shadow on the rectangle, as pieces that do not overlap.

    A sight line that meets the rectangle at `across` is at (depth, across) / u when it has done 1/u of its way. Along
    a straight edge of the outline u is linear in `across`, and the height of the shadow's line there is
    eye_height + (height - eye_height) * u: so every piece is straight.
    """
    # Between two neighbouring marks no sight line meets a corner of the outline, nor the outline the rectangle.
    marks = {-radius, radius}
    edges = []
    ax, ay = corners[-1]
    for bx, by in corners:
        if ax > 0:
            marks.add(depth * ay / ax)
        if (ax > depth) != (bx > depth):
            marks.add(ay + (depth - ax) * (by - ay) / (bx - ax))
        edges.append((ax, ay, bx, by))
        ax, ay = bx, by
    pieces = []
    touched: list[Point] = []
    for left, right in pairwise(sorted(mark for mark in marks if -radius <= mark <= radius)):
        middle = (left + right) / 2
        meetings = []
        for ax, ay, bx, by in edges:
            constant = ax * by - bx * ay
            # An edge in line with the eye (constant 0) is met along its length or not at all: its neighbours tell.
            if constant != 0 and (depth * ay > middle * ax) != (depth * by > middle * bx):
                u_left, u_right = ((depth * (by - ay) - across * (bx - ax)) / constant for across in (left, right))
                # u below 1 lies behind the rectangle, below 0 behind the eye.
                if u_left + u_right > 2 + ROUNDING:
                    meetings.append((u_left, u_right))
        if not meetings:
            continue
        if len(meetings) % 2:
            # The sight line is still inside the obstacle where it reaches the rectangle.
            meetings.append((1.0, 1.0))
        for u_left, u_right in meetings:
            touched += [(depth / u_left, left / u_left), (depth / u_right, right / u_right)]
        # A top over the eye hides most where the sight line enters, a top under it where the line leaves.
        u_left, u_right = max(meetings, key=sum) if height > eye_height else min(meetings, key=sum)
        rise = height - eye_height
        pieces.append((left, right, eye_height + rise * u_left, eye_height + rise * u_right))
    if all(math.dist(a, b) < graze_mm for a, b in combinations(touched, 2)):
        return []
    return pieces


def _share(shadows: Sequence[Sequence[_Piece]], bottom: float, top: float, whole: float) -> float:
    """Return the shaded share of the whole rectangle; "all of it" is not left to the rounding of a sum."""
    share = _area(shadows, bottom, top) / whole
    return 1.0 if share > 1 - ROUNDING else share


def _area(shadows: Sequence[Sequence[_Piece]], bottom: float, top: float) -> float:
    """Return the area, in mm², between bottom and top that lies under the highest of the shadows' lines."""
    marks = sorted({mark for pieces in shadows for piece in pieces for mark in piece[:2]})
    total = 0.0
    for left, right in pairwise(marks):
        lines = [
            _heights_at(piece, left, right)
            for pieces in shadows
            for piece in pieces
            if piece[0] <= left and right <= piece[1]
        ]
        total += (right - left) * _mean_height(lines, bottom, top)
    return total


def _heights_at(piece: _Piece, left: float, right: float) -> tuple[float, float]:
    """Return the heights of a piece's line at two places along it."""
    start, end, height_start, height_end = piece
    if height_start == height_end:
        return height_start, height_end
    slope = (height_end - height_start) / (end - start)
    return height_start + slope * (left - start), height_start + slope * (right - start)


def _mean_height(lines: list[tuple[float, float]], bottom: float, top: float) -> float:
    """Return the mean height over bottom of the highest of the lines, cut off at bottom and top.

    Each line is its height at the left and at the right end of one stretch.
    """
    if any(left >= top and right >= top for left, right in lines):
        return top - bottom
    # Where the highest line changes, or crosses bottom or top, the height bends: between the bends it is straight.
    bends = {0.0, 1.0}
    for (a_left, a_right), (b_left, b_right) in combinations([*lines, (bottom, bottom), (top, top)], 2):
        left_gap, right_gap = a_left - b_left, a_right - b_right
        if left_gap * right_gap < 0:
            bends.add(left_gap / (left_gap - right_gap))
    heights = []
    for share in sorted(bends):
        highest = max((left + share * (right - left) for left, right in lines), default=bottom)
        heights.append((share, min(top, max(bottom, highest)) - bottom))
    return sum((b - a) * (at_a + at_b) / 2 for (a, at_a), (b, at_b) in pairwise(heights))


def _sentence(
    attacker: str,
    target: str,
    share: float,
    degree: Degree,
    hiders: tuple[Hider, ...],
    *,
    borderline: bool,
    seen_back: bool,
) -> Message:
    """Say a view in one sentence."""
    if not hiders:
        return _CATALOGUE.message("sight_plain", target=target, attacker=attacker)
    code = "sight_seen_back" if seen_back else "sight_borderline" if borderline else "sight_hidden"
    named = [_with_article(hider.name) for hider in hiders]
    return _CATALOGUE.message(
        code,
        target=target,
        attacker=attacker,
        percent=whole_percent(share),
        obstacles=listed(named),
        degree=degree.words,
    )


def whole_percent(share: float) -> int:
    """Round a hidden share to whole percent, but never up to 100 while a part can be seen."""
    percent = round(100 * share)
    return min(percent, 99) if share < 1 else percent


def _with_article(name: str) -> str:
    """Put "the" before a thing's name, but not before a proper name or a name that has an article."""
    return name if name[:1].isupper() or name.startswith(("the ", "a ", "an ")) else f"the {name}"
