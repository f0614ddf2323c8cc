"""Skuffle Wammer's opponents that the desk plays: where they begin, and what the one whose turn it is does."""

from __future__ import annotations

from shapely import Point as Spot
from shapely import Polygon

from deskref.inputs import AutomatedSoldier, Setup, SoldierSetup
from deskref.session import Session
from deskref.tabletop import rules_from_table, view_of
from rules import solo
from rules.skuffle_state import Breed, Point

ROW_SHARE = 0.3
"""How far from the middle the two rows of a game without a camera stand, as a share of the play area's height: 120 mm
apart on the 20 x 20 cm mat, four pushes of a zombie and two of a ghoul."""


def breed_of(soldier: SoldierSetup) -> Breed:
    """Return what somebody of a set-up is: a soldier of the players, or a breed that the desk plays."""
    return soldier.breed if isinstance(soldier, AutomatedSoldier) else Breed.SOLDIER


def opposite_places(setup: Setup) -> tuple[Point, ...]:
    """Return places for a game without a camera, in table mm: the players' row near the seat, the desk's opposite."""
    width, height = setup.options.area_mm
    rows = [isinstance(soldier, AutomatedSoldier) for soldier in setup.soldiers]
    places = []
    for index, is_automated in enumerate(rows):
        beside, count = rows[:index].count(is_automated), rows.count(is_automated)
        x = -width / 2 + (beside + 1) * width / (count + 1)
        places.append((round(x, 1), (ROW_SHARE if is_automated else -ROW_SHARE) * height))
    return tuple(places)


def plan_of(session: Session) -> solo.Plan | None:
    """Return what the figure does whose turn it is; None where a player plays it."""
    game = session.game
    if game is None or not solo.is_automated(game):
        return None
    me = game.soldier(str(game.current))
    hidden = frozenset(
        other.id
        for other in game.standing
        if other.side != me.side and view_of(game, session.desk, session.bindings, me, other).is_hidden
    )
    area = game.options.area_mm
    outlines = [
        Polygon([rules_from_table(point, area) for point in obstacle.outline_mm])
        for obstacle in session.desk.obstacles
        if len(obstacle.outline_mm) >= 3
    ]

    def is_blocked(place: Point, radius_mm: float) -> bool:
        return any(outline.distance(Spot(place)) < radius_mm for outline in outlines)

    return solo.plan(game, hidden=hidden, is_blocked=is_blocked)
