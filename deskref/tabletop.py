"""From millimetres on the desk to the game's terms: who stands where, whose dice are whose, who is near, who has cover.

The only place where table millimetres (origin in the middle, y away from the near edge) become the rules' millimetres
(origin at the far left corner, y towards the players).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from deskref.desk import Desk, DeskDie, DeskFigure
from rules import sight, skuffle
from rules.ruling import Reason
from rules.skuffle_state import SMALL_BASE_RADIUS_MM, Game, Soldier
from vision.observation import Point

POOL_REACH_MM = 40.0
"""A die belongs to a figure up to this far from the edge of its base: about two and a half dice, what players lay
beside a miniature without thinking."""

POOL_CLEARLY_MM = 8.0
"""A die this much nearer to one figure than to the next is clearly that figure's; half a die."""

SEAT_MM: Point = (0.0, -100.0)
"""The middle of the near edge, where the players sit."""

FIGURE_HEIGHT_MM = 30.0
"""Height of a figure of which none was measured: a common 28-32 mm miniature."""

Bindings = tuple[tuple[int, str], ...]
"""Figure's track and the id of the soldier that it is."""


def rules_from_table(point_mm: Point, area_mm: tuple[float, float]) -> Point:
    """Map a table point to the rules' play area, in mm."""
    return (round(point_mm[0] + area_mm[0] / 2, 1), round(area_mm[1] / 2 - point_mm[1], 1))


def table_from_rules(point_mm: Point, area_mm: tuple[float, float]) -> Point:
    """Map a point of the rules' play area to the table, in mm."""
    return (point_mm[0] - area_mm[0] / 2, area_mm[1] / 2 - point_mm[1])


Owners = tuple[tuple[int, str], ...]
"""Die's track and the id of the soldier in whose pool it lies."""


@dataclass(frozen=True, slots=True)
class Pools:
    """Which die on the desk belongs to whom, by place."""

    of: tuple[tuple[str, tuple[int, ...]], ...]
    """Soldier's id and the tracks of its dice."""
    free: tuple[int, ...]
    """Dice that lie beside nobody."""
    shared: tuple[int, ...]
    """Dice that lie between two figures: nobody can say whose they are."""

    def count(self, soldier: str) -> int:
        """How many dice surely lie beside a soldier."""
        return len(dict(self.of).get(soldier, ()))

    def owner(self, die: int) -> str | None:
        """Whose pool a die lies in, None where it is free or shared."""
        return next((soldier for soldier, dice in self.of if die in dice), None)


def figure_of(desk: Desk, bindings: Bindings, soldier: str) -> DeskFigure | None:
    """Find the figure that plays a soldier."""
    return next((desk.figure(track) for track, bound in bindings if bound == soldier), None)


def pools_on(desk: Desk, bindings: Bindings, *, owners: Owners = (), without: tuple[int, ...] = ()) -> Pools:
    """Part the dice on the desk into pools by place.

    Args:
        desk: what lies where.
        bindings: which figure is which soldier.
        owners: dice that were somebody's before and have not been touched since; they stay so whoever comes near.
        without: dice that belong to no pool wherever they lie, because they are spent.
    """
    figures = [(soldier, figure) for track, soldier in bindings if (figure := desk.figure(track)) is not None]
    of: dict[str, list[int]] = {soldier: [] for soldier, _ in figures}
    owned = dict(owners)
    free: list[int] = []
    shared: list[int] = []
    for die in desk.dice:
        if die.die in without:
            continue
        if die.die in owned:
            of.setdefault(owned[die.die], []).append(die.die)
            continue
        near = sorted((_gap_to_die(figure, die), soldier) for soldier, figure in figures)
        if not near or near[0][0] > POOL_REACH_MM:
            free.append(die.die)
        elif len(near) > 1 and near[1][0] <= POOL_REACH_MM and near[1][0] - near[0][0] < POOL_CLEARLY_MM:
            shared.append(die.die)
        else:
            of[near[0][1]].append(die.die)
    return Pools(tuple((soldier, tuple(dice)) for soldier, dice in of.items()), tuple(free), tuple(shared))


def nearest_enemy(game: Game, attacker: Soldier) -> Soldier | None:
    """The standing enemy whose base is nearest: whom an attack is meant for until the player says otherwise."""
    near_to_far = (game.soldier(target) for target in skuffle.targets(game, attacker.id))
    return next((soldier for soldier in near_to_far if soldier.side != attacker.side), None)


@dataclass(frozen=True, slots=True)
class View:
    """What an attacker sees of its target, as reasons that the rules take."""

    cover: tuple[Reason, ...]
    vantage: tuple[Reason, ...]
    is_hidden: bool
    """Whether nothing of the target can be seen."""
    hidden_share: float = 0.0
    """How much of the target the attacker does not see, 0 to 1."""


def view_of(game: Game, desk: Desk, bindings: Bindings, attacker: Soldier, target: Soldier) -> View:
    """Judge cover and vantage from what stands on the desk."""
    area = game.options.area_mm
    one, other = (_sight_figure(desk, bindings, soldier) for soldier in (attacker, target))
    seen = sight.cover(
        one,
        other,
        [
            sight.Obstacle(
                f"obstacle {o.obstacle}", tuple(rules_from_table(p, area) for p in o.outline_mm), o.height_mm
            )
            for o in desk.obstacles
            if len(o.outline_mm) >= 3 and o.height_mm > 0
        ],
    )
    by = seen.hiders[0].name if seen.hiders else ""
    return View(
        cover=skuffle.propose_cover(game.options, by, seen.hidden_share),
        vantage=skuffle.propose_vantage(game.options, "higher ground", one.base_mm - other.base_mm),
        is_hidden=not seen.can_target,
        hidden_share=seen.hidden_share,
    )


def base_radius(figure: DeskFigure | None) -> float:
    """Half of a figure's base in mm, or of a common base where none was made out."""
    return figure.base_mm / 2 if figure is not None and figure.base_mm else SMALL_BASE_RADIUS_MM


def _gap_to_die(figure: DeskFigure, die: DeskDie) -> float:
    return max(0.0, math.dist(figure.mm, die.mm) - base_radius(figure))


def _sight_figure(desk: Desk, bindings: Bindings, soldier: Soldier) -> sight.Figure:
    figure = figure_of(desk, bindings, soldier.id)
    height = figure.height_mm if figure is not None and figure.height_mm else FIGURE_HEIGHT_MM
    return sight.Figure(soldier.label, soldier.pos, soldier.base_radius_mm, height)
