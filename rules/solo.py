"""Opponents that the desk plays, so that one person can play a whole game of Skuffle Wammer.

They do not think, they follow an algorithm: the one whose turn it is looks at who stands where, and the plan says where
to push it or whom it attacks. The same table always gives the same plan. Ghouls are the author's, their pack is our
reading of him; zombies and robots are deskref's own designs in that spirit.

- A **ghoul** runs with its pack at one prey, the enemy nearest to any of the pack, and strikes what it reaches.
  Without dice it slinks away.
- A **zombie** shambles at whoever is nearest and bites. Without dice it shambles on.
- A **robot** shoots whom it can finish, else the weakest. With a single die left, and nobody to finish, it backs off;
  cornered it fires. Without dice it stands still.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final

from rules.ruling import Catalogue, Reason
from rules.skuffle_checks import gap_mm
from rules.skuffle_state import Attack, AttackKind, Breed, Game, Move, Pass, Phase, Point, Soldier

STRIDE_MM: Final = {Breed.GHOUL: 80.0, Breed.ZOMBIE: 30.0, Breed.ROBOT: 50.0}
"""Farthest push in one turn. Our design: over a 200 mm table a ghoul takes two turns, a robot four, a zombie six."""

CONTACT_GAP_MM: Final = 1.0
"""Gap left between bases that meet, so that rounding to whole millimetres never makes them overlap."""

ROUNDING_MM: Final = 0.75
"""Room left for rounding a place to whole millimetres, which shifts it by up to half a diagonal, 0.71 mm."""

DIRECTIONS: Final = 24
"""Directions tried around a figure: every 15 degrees, finer than a hand pushes."""

ROBOT_RESERVE: Final = 1
"""A robot keeps this many dice back while it has nobody to finish."""

SOURCE: Final = "Skuffle Wammer, solo play"

WORDS: Final = {
    "solo_pack": "{soldier} runs with the pack at {prey}, the nearest to any of them.",
    "solo_nearest": "{soldier} goes for {prey}, the nearest.",
    "solo_finish": "{soldier} can finish {prey}.",
    "solo_weakest": "{soldier} picks {prey}, who has the fewest dice.",
    "solo_search": "{soldier} sees nobody and looks for {prey}, the nearest.",
    "solo_strike": "{prey} is within reach: {soldier} strikes.",
    "solo_shoot": "{soldier} shoots.",
    "solo_push": "Push {soldier} {distance_mm} mm, to {x} mm from the left and {y} mm from the far edge.",
    "solo_back_off": "{soldier} keeps its last die and backs off.",
    "solo_slink_away": "{soldier} has no dice and slinks away.",
    "solo_cornered": "{soldier} cannot back off.",
    "solo_stand_still": "{soldier} has no dice and stands still.",
    "solo_hemmed_in": "{soldier} finds no free place nearer and waits.",
}

CATALOGUE: Final = Catalogue(WORDS)

IsBlocked = Callable[[Point, float], bool]
"""Whether a base of this radius in mm cannot stand at this place."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the desk does with one of its figures."""

    action: Move | Attack | Pass
    """To be resolved by the referee; an attack gets its bonuses from the table as any other."""
    reasons: tuple[Reason, ...]
    """Why, and what the player is to do."""


def is_automated(game: Game) -> bool:
    """Whether the desk plays the one whose turn it is."""
    return game.phase is Phase.TURN and game.soldier(str(game.current)).breed is not Breed.SOLDIER


def plan(game: Game, *, hidden: Collection[str] = (), is_blocked: IsBlocked | None = None) -> Plan:
    """Return what the figure does whose turn it is.

    Args:
        game: in a turn of a figure that the desk plays.
        hidden: ids that this figure cannot see at all; a robot does not shoot at them.
        is_blocked: tells where an obstacle stands; None leaves only the other bases in the way.

    Raises:
        ValueError: if a player plays the one whose turn it is.
    """
    if not is_automated(game):
        raise ValueError(f"a player plays {game.current!r}, not the desk")
    table = _Table(game, game.soldier(str(game.current)), hidden, is_blocked)
    match table.me.breed:
        case Breed.GHOUL:
            return _plan_ghoul(table)
        case Breed.ROBOT:
            return _plan_robot(table)
        case _:
            return _plan_zombie(table)


@dataclass(frozen=True, slots=True)
class _Table:
    """The table as the figure to act finds it."""

    game: Game
    me: Soldier
    hidden: Collection[str]
    is_blocked: IsBlocked | None

    def enemies(self) -> tuple[Soldier, ...]:
        """Everybody of another side who stands; at least one while the game runs."""
        return tuple(soldier for soldier in self.game.standing if soldier.side != self.me.side)

    def in_reach(self) -> tuple[Soldier, ...]:
        """Enemies that melee reaches."""
        limit_mm = self.game.options.melee_gap_mm
        return tuple(soldier for soldier in self.enemies() if gap_mm(self.me, soldier) <= limit_mm)

    def stride_mm(self) -> float:
        """Farthest push."""
        own_mm, agreed_mm = STRIDE_MM[self.me.breed], self.game.options.max_move_mm
        return max(0.0, (own_mm if agreed_mm is None else min(own_mm, agreed_mm)) - ROUNDING_MM)

    def is_free(self, place: Point) -> bool:
        """Whether the figure can stand there: inside, on no base, on no obstacle."""
        (x, y), (width_mm, height_mm) = place, self.game.options.area_mm
        if not (0 <= x <= width_mm and 0 <= y <= height_mm):
            return False
        for other in self.game.standing:
            if other.id != self.me.id and math.dist(place, other.pos) < self.me.base_radius_mm + other.base_radius_mm:
                return False
        return self.is_blocked is None or not self.is_blocked(place, self.me.base_radius_mm)

    def because(self, code: str, **params: str | int) -> Reason:
        """Give a reason about the figure."""
        return CATALOGUE.reason(code, SOURCE, None, soldier=self.me.label, **params)


def _plan_ghoul(table: _Table) -> Plan:
    me = table.me
    if me.pool < 1:
        return _away(table, "solo_slink_away")
    pack = [soldier for soldier in table.game.standing if soldier.side == me.side and soldier.breed is Breed.GHOUL]
    prey = min(table.enemies(), key=lambda enemy: (min(gap_mm(ghoul, enemy) for ghoul in pack), enemy.pool, enemy.id))
    why = table.because("solo_pack", prey=prey.label)
    reached = table.in_reach()
    if prey in reached:
        return _strike(table, prey, why)
    if reached:
        beside = _nearest(me, reached)
        return _strike(table, beside, table.because("solo_nearest", prey=beside.label))
    return _towards(table, prey, why)


def _plan_zombie(table: _Table) -> Plan:
    prey = _nearest(table.me, table.enemies())
    why = table.because("solo_nearest", prey=prey.label)
    if table.me.pool > 0 and prey in table.in_reach():
        return _strike(table, prey, why)
    return _towards(table, prey, why)


def _plan_robot(table: _Table) -> Plan:
    me = table.me
    if me.pool < 1:
        return Plan(Pass(me.id), (table.because("solo_stand_still"),))
    seen = tuple(enemy for enemy in table.enemies() if enemy.id not in table.hidden)
    if not seen:
        prey = _nearest(me, table.enemies())
        return _towards(table, prey, table.because("solo_search", prey=prey.label))
    prey = min(seen, key=lambda enemy: (enemy.pool, gap_mm(me, enemy), enemy.id))
    if prey.pool <= 1:
        return _shoot(table, prey, table.because("solo_finish", prey=prey.label))
    if me.pool > ROBOT_RESERVE:
        return _shoot(table, prey, table.because("solo_weakest", prey=prey.label))
    return _away(table, "solo_back_off", cornered=lambda: _shoot(table, prey, table.because("solo_cornered")))


def _strike(table: _Table, prey: Soldier, why: Reason) -> Plan:
    action = Attack(table.me.id, prey.id, AttackKind.MELEE)
    return Plan(action, (why, table.because("solo_strike", prey=prey.label)))


def _shoot(table: _Table, prey: Soldier, why: Reason) -> Plan:
    """Shoot, or strike what is within reach, for that hits more easily."""
    if prey in table.in_reach():
        return _strike(table, prey, why)
    return Plan(Attack(table.me.id, prey.id, AttackKind.RANGED), (why, table.because("solo_shoot")))


def _towards(table: _Table, prey: Soldier, why: Reason) -> Plan:
    """Push the figure as near to its prey as it gets; of places equally near, the shortest push."""
    me, stride_mm = table.me, table.stride_mm()
    contact_mm = me.base_radius_mm + prey.base_radius_mm + CONTACT_GAP_MM
    bearing = math.atan2(prey.pos[1] - me.pos[1], prey.pos[0] - me.pos[0])
    step_mm = min(stride_mm, max(0.0, math.dist(me.pos, prey.pos) - contact_mm))
    places = [
        *_around(me.pos, step_mm, bearing),
        *_around(me.pos, stride_mm / 2, bearing),
        *_around(prey.pos, contact_mm, bearing + math.pi),
    ]
    limit_mm = stride_mm + ROUNDING_MM
    near_enough = [place for place in places if math.dist(me.pos, place) <= limit_mm and table.is_free(place)]

    def badness(place: Point) -> tuple[float, float]:
        return (max(contact_mm, math.dist(place, prey.pos)), math.dist(me.pos, place))

    place = min(near_enough, key=badness, default=me.pos)
    if badness(place) >= badness(me.pos):
        return Plan(Pass(me.id), (why, table.because("solo_hemmed_in")))
    return _push(table, place, why)


def _away(table: _Table, code: str, *, cornered: Callable[[], Plan] | None = None) -> Plan:
    """Push the figure as far from its nearest enemy as it gets; `cornered` says what it does where it gets nowhere."""
    me, enemies = table.me, table.enemies()

    def safety(place: Point) -> float:
        return min(math.dist(place, enemy.pos) for enemy in enemies)

    places = [*_around(me.pos, table.stride_mm(), 0.0), *_around(me.pos, table.stride_mm() / 2, 0.0)]
    place = max(filter(table.is_free, places), key=safety, default=me.pos)
    if safety(place) > safety(me.pos):
        return _push(table, place, table.because(code))
    return cornered() if cornered else Plan(Pass(me.id), (table.because("solo_hemmed_in"),))


def _push(table: _Table, place: Point, why: Reason) -> Plan:
    me = table.me
    distance_mm, (x, y) = round(math.dist(me.pos, place)), place
    push = table.because("solo_push", distance_mm=distance_mm, x=round(x), y=round(y))
    return Plan(Move(me.id, place), (why, push))


def _nearest(me: Soldier, others: Iterable[Soldier]) -> Soldier:
    """The nearest of the others; of those equally near the weakest, then by id."""
    return min(others, key=lambda other: (gap_mm(me, other), other.pool, other.id))


def _around(centre: Point, radius_mm: float, first_rad: float) -> list[Point]:
    """Places on a circle, whole millimetres, starting in one direction and going both ways round from it."""
    places = []
    for turn in range(DIRECTIONS):
        sign = 1 if turn % 2 else -1
        angle = first_rad + sign * math.ceil(turn / 2) * 2 * math.pi / DIRECTIONS
        place = (centre[0] + radius_mm * math.cos(angle), centre[1] + radius_mm * math.sin(angle))
        places.append((float(round(place[0])), float(round(place[1]))))
    return places
