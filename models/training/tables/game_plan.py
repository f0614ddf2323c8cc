"""A random game of Skuffle Wammer planned as a film: who puts what where, what is thrown, and the truth about it.

The rules' engine plays the game; the plan keeps out of what a referee cannot know: targets are clearly the nearest,
dice lie in one pool only and in plain view of the camera, and no value hangs on a cover that is seen by a hair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from calibration.table_view import TableView
from deskref.desk import Desk, DeskFigure, DeskObstacle
from deskref.tabletop import SEAT_MM, nearest_enemy, rules_from_table, view_of
from models.training.tables.figures import Miniature, miniature
from models.training.tables.scene import Body, camera, triangles
from models.training.tables.shapes import Array, Mesh, lowest_rest, turned
from models.training.tables.things import Obstacle, die, die_turn, obstacle
from rules.skuffle import resolve, start
from rules.skuffle_state import (
    AREA_20X20_MM,
    Attack,
    AttackKind,
    Die,
    Event,
    Game,
    Move,
    Options,
    Pass,
    Phase,
    Soldier,
    Tipped,
)
from vision.lean import cube_outline, prism_outline
from vision.observation import Pose as FigurePose

Random = np.random.Generator
Point = tuple[float, float]
NEAR, FAR = -1, 1
"""The two players' sides of the mat."""

NAMES = ("Arden", "Brock", "Cinder", "Doyle")
GONE_S = 0.9
"""Pause after each hand: the table lies free and still."""
READ_S = 1.6
"""Pause after a roll."""
REACH_MM = 85.0
"""Figures stand within this of the mat's middle, to each side."""
BASES_APART_MM = 66.0
"""Between the middles of two figures at least, so that pools can be told apart."""
POOL_GAP_MM = (4.0, 18.0)
"""From a base's edge to the middle of a die of its pool, less half a die."""
OTHER_POOL_MM = 14.0
"""By so much a pool's die is nearer to its own base than to any other."""
CLEAR_MM = 46.0
"""A thrown die rests at least so far from every base's edge: pools reach 40 mm."""
NEAREST_MM = 20.0
"""By so much the target of an attack is nearer than any other enemy."""
FIRST_MM = 12.0
"""By so much one soldier is nearer to the seat than the next,"""
TURN_DEGREES = 8.0
"""and by so much the others' bearings differ: who is next hangs on no millimetre."""
ELEVATION_DEGREES = (45.0, 76.0)
"""Of the cameras: what the mat's instructions ask for."""
MOST_HIDDEN_SHARE = 0.2
"""Of a die's outline behind taller things: players put a die where the camera sees it, when they are told."""
MOST_HIDDEN_FIGURE = 0.4
PIP_CONTRAST = 3.0
"""By so much the brighter of a die's colours reflects more than the darker: nobody plays with dice without pips."""
COVER_MARGIN = 0.15
"""Where the hidden share of a target is nearer to the limit than this, no value is thrown that hangs on it."""
ATTACK_SHARE = 0.75
"""Of the turns in which both an attack and a move are possible."""
SHORTEST_S = 60.0
"""Shorter games are left out,"""
VISIT_S = 0.9
"""reckoned with so long for each hand and each throw."""
LONGEST_TURNS = 26
"""A game that lasts longer is cut off, and has no winner."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """How a thing lies: its mesh's turn, shape (3, 3), and where its origin is."""

    turn: Array
    at_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something that stands or lies on the table at some time."""

    name: str
    kind: str
    """As `models.training.tables.scene.Body` has it."""
    mesh: Mesh
    """About its own origin."""
    paint: int
    """Seed of its colours: dice of one seed look alike."""
    height_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """A hand reaches in from a side and puts each thing down as it then lies; None takes it away."""

    side: int
    things: tuple[tuple[str, Lying | None], ...]
    facts: tuple[dict[str, Any], ...]
    """Lines of truth of the moment when it lets go."""


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """A die is thrown from a side and rolls to where it then lies."""

    side: int
    die: str
    end: Lying
    facts: tuple[dict[str, Any], ...]
    """Of the moment when it lies still."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing happens for a while."""

    seconds: float
    facts: tuple[dict[str, Any], ...] = ()


Step = Visit | Throw | Hold


@dataclass(slots=True, eq=False)
class Plan:
    """A whole game."""

    seed: int
    view: TableView
    """Of the camera, in plain view of which everything happens."""
    things: dict[str, Thing] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    setup: dict[str, Any] = field(default_factory=dict)
    """As `deskref play --setup` reads it."""


@dataclass(slots=True, eq=False)
class _Table:
    """What stands where while the game is planned."""

    random: Random
    plan: Plan
    figures: dict[str, Miniature] = field(default_factory=dict)
    at: dict[str, Point] = field(default_factory=dict)
    headings: dict[str, float] = field(default_factory=dict)
    tipped: set[str] = field(default_factory=set)
    dice: dict[str, dict[str, Point]] = field(default_factory=dict)
    """Of each soldier, its dice and where they lie."""
    values: dict[str, Lying] = field(default_factory=dict)
    obstacles: dict[str, tuple[Obstacle, Point]] = field(default_factory=dict)
    side: dict[str, int] = field(default_factory=dict)
    die_mm: float = 16.0

    def radius(self, name: str) -> float:
        """Half of a figure's base."""
        return (self.figures[name].base_mm or 25.0) / 2


def plan_game(seed: int) -> Plan:
    """Plan the game of a seed.

    Raises:
        ValueError: this seed's table has no room for its game, or the game is too short; the next one may do.
    """
    random = np.random.default_rng((seed, 0))
    plan = Plan(seed, _camera(np.random.default_rng((seed, 4))))
    table = _Table(random, plan)
    count, minutes, in_teams = ((4, 3, True), (3, 3, False), (2, 5, False), (4, 1, True), (3, 5, False))[seed % 5]
    _place_all(table, count)
    pool = {1: 1, 3: 2, 5: 3}[minutes]
    side_mm = float(random.choice([12.0, 16.0, 16.0]))
    table.die_mm = side_mm
    names = NAMES[:count]
    teams = {name: ("Ash", "Bone")[k % 2] if in_teams else None for k, name in enumerate(names)}
    _check_order(table, names)
    plan.setup = {
        "game": "skuffle-wammer",
        "minutes": minutes,
        "soldiers": [
            {"name": n, "start_mm": [round(v, 1) for v in table.at[n]], **({"team": t} if (t := teams[n]) else {})}
            for n in names
        ],
    }
    _set_up(table, names, pool)
    soldiers = tuple(
        Soldier(n, rules_from_table(table.at[n], AREA_20X20_MM), teams[n], base_radius_mm=table.radius(n), name=n)
        for n in names
    )
    game = start(soldiers, Options(minutes=minutes, area_mm=AREA_20X20_MM)).state
    plan.steps.append(Hold(3.0, ({"event": "game_started", "order": list(game.order)},)))
    for _ in range(LONGEST_TURNS):
        if game.phase is Phase.OVER:
            break
        game = _turn(table, game)
    if game.phase is Phase.OVER:
        winner = {"event": "winner", "standing": sorted(game.winners)}
        plan.steps.append(Hold(2.0, (winner,)))
    if sum(step.seconds if isinstance(step, Hold) else VISIT_S for step in plan.steps) < SHORTEST_S:
        raise ValueError(f"the game is shorter than {SHORTEST_S:.0f} s")
    return plan


def _camera(random: Random) -> TableView:
    """Place a camera that has the whole mat in view, as deskref's set-up page asks for."""
    while True:
        view = camera(random)
        corners = view.to_frame([(x, y) for x in (-100.0, 100.0) for y in (-130.0, 130.0)])
        is_whole = np.isfinite(corners).all() and (corners > 8).all() and (corners < np.array(view.size) - 8).all()
        if is_whole and ELEVATION_DEGREES[0] < view.elevation_degrees < ELEVATION_DEGREES[1]:
            return view


# --- the table ------------------------------------------------------------------------------------------------------


def _place_all(table: _Table, count: int) -> None:
    """Choose figures, obstacles and where they stand."""
    random, plan = table.random, table.plan
    for number in range(int(random.choice([0, 1, 1, 2]))):
        thing = obstacle(random)
        for _ in range(50):
            if float(np.hypot(*thing.outline.T).max()) < 36 and 12 < thing.height_mm < 60:
                break
            thing = obstacle(random)
        place = (float(random.uniform(-50, 50)), float(random.uniform(-50, 50)))
        if all(math.dist(place, p) > 80 for _, p in table.obstacles.values()):
            name = f"obstacle-{number}"
            table.obstacles[name] = (thing, place)
            plan.things[name] = Thing(name, "obstacle", thing.mesh, plan.seed * 100 + 50 + number, thing.height_mm)
    for number, name in enumerate(NAMES[:count]):
        mini = miniature(random)
        for _ in range(200):
            wide = float(np.hypot(*mini.footprint.T).max())
            if mini.base_mm is not None and 18 <= mini.height_mm <= 48 and wide < 18 and _can_lie(mini):
                break
            mini = miniature(random)
        table.figures[name] = mini
        table.side[name] = NEAR if number % 2 == 0 else FAR
        half = (-REACH_MM, -15.0) if table.side[name] == NEAR else (15.0, REACH_MM)
        table.at[name] = _free_place(table, name, half)
        table.headings[name] = float(random.uniform(0, 2 * math.pi))
        plan.things[name] = Thing(name, "figure", mini.mesh, plan.seed * 100 + number, mini.height_mm)


def _can_lie(mini: Miniature) -> bool:
    """Whether it comes to lie on its side when it is tipped."""
    turn, _ = lowest_rest(mini.mesh.vertices, np.random.default_rng(1), np.array([1.0, 0.2, 0.1]))
    return abs(float(turn[2, 2])) < 0.7


def _free_place(table: _Table, name: str, depth_mm: tuple[float, float]) -> Point:
    """Find a place for a figure, clear of all others, of obstacles and of other figures' dice.

    Raises:
        ValueError: there is none.
    """
    for _ in range(400):
        place = (float(table.random.uniform(-REACH_MM, REACH_MM)), float(table.random.uniform(*depth_mm)))
        is_free = all(math.dist(place, p) > BASES_APART_MM for n, p in table.at.items() if n != name)
        if not is_free or not _is_bare(table, place, table.radius(name) + 6, without=name):
            continue
        if _hidden_share(table, _cylinder(table, name, place), place, but=name) < MOST_HIDDEN_FIGURE:
            return place
    raise ValueError(f"no room for {name}")


def _is_bare(table: _Table, place: Point, radius_mm: float, *, without: str | None = None) -> bool:
    """Whether no obstacle and no die, those of `without` left out, lies within a radius."""
    for thing, at in table.obstacles.values():
        if math.dist(at, place) < float(np.hypot(*thing.outline.T).max()) + radius_mm:
            return False
    return all(
        math.dist(p, place) > radius_mm + table.die_mm
        for owner, dice in table.dice.items()
        if owner != without
        for p in dice.values()
    )


def _is_in_view(table: _Table, place: Point) -> bool:
    """Whether the camera sees a die that lies there."""
    cube = cube_outline(place, table.die_mm, 0.0, table.plan.view)
    return _hidden_share(table, cube, place) < MOST_HIDDEN_SHARE


def _cylinder(table: _Table, name: str, place: Point) -> Array:
    """Give the outline of a figure as the camera sees it, thrown on the table: a cylinder as wide as its base."""
    angle = np.arange(16) * math.pi / 8
    base = np.column_stack([np.cos(angle), np.sin(angle)]) * table.radius(name) * 0.8 + np.asarray(place)
    height = 8.0 if name in table.tipped else table.figures[name].height_mm
    return prism_outline(base, height, table.plan.view)


def _hidden_share(table: _Table, outline: Array, place: Point, *, but: str | None = None) -> float:
    """Give how much of an outline lies behind obstacles and figures that are nearer to the camera."""
    view = table.plan.view
    others = [
        (prism_outline(thing.outline + np.asarray(at), thing.height_mm, view), at)
        for thing, at in table.obstacles.values()
    ]
    others += [(_cylinder(table, name, at), at) for name, at in table.at.items() if name != but]
    mine = outline.astype(np.float32)
    covered = 0.0
    foot = view.camera_mm[:2]
    for other, at in others:
        if math.dist(at, foot) < math.dist(place, foot):
            hull = cv2.convexHull(other.astype(np.float32))
            covered += float(cv2.intersectConvexConvex(cv2.convexHull(mine), hull)[0])
    return covered / max(1e-6, float(cv2.contourArea(cv2.convexHull(mine))))


def _pool_places(table: _Table, name: str, count: int) -> list[Point]:
    """Find places for a soldier's dice beside its base.

    Raises:
        ValueError: there is no room.
    """
    places: list[Point] = []
    for _ in range(600):
        if len(places) == count:
            break
        angle = float(table.random.uniform(0, 2 * math.pi))
        gap = table.radius(name) + table.die_mm / 2 + float(table.random.uniform(*POOL_GAP_MM))
        x, y = table.at[name]
        place = (x + gap * math.cos(angle), y + gap * math.sin(angle))
        own = gap - table.radius(name)
        others = [math.dist(p, place) - table.radius(n) for n, p in table.at.items() if n != name]
        if max(abs(place[0]), abs(place[1])) > 97 or min(others, default=99.0) - own < OTHER_POOL_MM:
            continue
        if any(math.dist(place, p) < table.die_mm * 1.6 for p in places):
            continue
        if _is_bare(table, place, table.die_mm * 0.8, without=name) and _is_in_view(table, place):
            places.append(place)
    if len(places) < count:
        raise ValueError(f"no room for the dice of {name}")
    return places


def _lying_die(table: _Table, place: Point, value: int) -> Lying:
    return Lying(die_turn(value, table.random), (*place, table.die_mm / 2))


def _standing(table: _Table, name: str) -> Lying:
    return Lying(turned((0, 0, 1), table.headings[name]), (*table.at[name], 0.0))


def _check_order(table: _Table, names: Sequence[str]) -> None:
    """Raise ValueError where the order of turns hangs on a hair."""
    apart = sorted(math.dist(table.at[n], SEAT_MM) for n in names)
    bearings = sorted(math.degrees(math.atan2(table.at[n][1], table.at[n][0])) for n in names)
    turns = [b - a for a, b in pairwise([*bearings, bearings[0] + 360])]
    nearest = min(b - a for a, b in pairwise(apart))  # within a team the nearer to the seat is earlier
    if nearest < FIRST_MM or min(turns) < TURN_DEGREES:
        raise ValueError("the order of turns hangs on a hair")


# --- play -----------------------------------------------------------------------------------------------------------


def _set_up(table: _Table, names: Sequence[str], pool: int) -> None:
    """Put everything on the empty table, one hand after the other."""
    plan = table.plan
    plan.steps.append(Hold(2.0))
    for name, (thing, place) in table.obstacles.items():
        fact = {"event": "obstacle_placed", "name": name, "mm": _rounded(place), "height_mm": round(thing.height_mm, 1)}
        plan.steps += [Visit(FAR, ((name, Lying(np.eye(3), (*place, 0.0))),), (fact,)), Hold(GONE_S)]
    for name in names:
        fact = {"event": "figure_placed", "name": name, "mm": _rounded(table.at[name])}
        plan.steps += [Visit(table.side[name], ((name, _standing(table, name)),), (fact,)), Hold(GONE_S)]
    for number, name in enumerate(names):
        places = _pool_places(table, name, pool)
        table.dice[name] = {}
        put = []
        for k, place in enumerate(places):
            label = f"{name}-{k + 1}"
            cube = die(np.random.default_rng(plan.seed * 100 + 70 + number % 2), table.die_mm)
            paint = _readable_paint(cube, plan.seed * 100 + 80 + number % 2, table.die_mm)
            plan.things[label] = Thing(label, "die", cube, paint, table.die_mm)
            table.dice[name][label] = place
            put.append((label, _lying_die(table, place, int(table.random.integers(1, 7)))))
        fact = {"event": "pool_placed", "name": name, "dice": len(put), "mm": [_rounded(p) for p in places]}
        plan.steps += [Visit(table.side[name], tuple(put), (fact,)), Hold(GONE_S)]


def _readable_paint(cube: Mesh, seed: int, side_mm: float) -> int:
    """Give the first of many seeds of colours, this one first, by which pips stand out from a die's body."""
    while True:
        body = Body("die", (0.0, 0.0), cube, height_mm=side_mm, local=cube.vertices)
        painted = triangles([body], np.random.default_rng(seed))
        levels = sorted((float(painted.colour.mean()), float(painted.second.mean())))
        if levels[1] > PIP_CONTRAST * levels[0]:
            return seed
        seed += 1_000_000


def _turn(table: _Table, game: Game) -> Game:
    """Let the soldier whose turn it is attack, move or pass."""
    name = str(game.current)
    attack = _possible_attack(table, game, name)
    zone = _throw_place(table) if attack is not None else None
    if attack is not None and zone is not None and table.random.random() < ATTACK_SHARE:
        return _attack(table, game, attack, zone)
    moved = _move(table, game, name)
    if moved is not None:
        return moved
    if attack is not None and zone is not None:
        return _attack(table, game, attack, zone)
    table.plan.steps.append(Hold(0.5, ({"event": "pass", "name": name},)))
    return resolve(game, Pass(name)).state


def _desk(table: _Table) -> tuple[Desk, tuple[tuple[int, str], ...]]:
    """Give the desk as it truly is, and which figure is whom."""
    figures = tuple(
        DeskFigure(k, table.at[n], FigurePose.STANDING, table.figures[n].height_mm, table.figures[n].base_mm)
        for k, n in enumerate(table.figures)
    )
    obstacles = tuple(
        DeskObstacle(k, tuple((float(x + p[0]), float(y + p[1])) for x, y in thing.outline), thing.height_mm)
        for k, (thing, p) in enumerate(table.obstacles.values())
    )
    return Desk(figures=figures, obstacles=obstacles, table_found=True), tuple(enumerate(table.figures))


def _possible_attack(table: _Table, game: Game, name: str) -> Attack | None:
    """Give the attack on the nearest enemy, where it is clear whom it is meant for and that it is seen."""
    attacker = game.soldier(name)
    target = nearest_enemy(game, attacker)
    if attacker.pool < 1 or target is None:
        return None
    gaps = sorted(math.dist(attacker.pos, s.pos) for s in game.standing if s.side != attacker.side)
    if len(gaps) > 1 and gaps[1] - gaps[0] < NEAREST_MM:
        return None
    view = view_of(game, *_desk(table), attacker, target)
    if view.hidden_share > 1 - COVER_MARGIN:
        return None
    return Attack(name, target.id, AttackKind.RANGED, (), view.cover)


def _attack(table: _Table, game: Game, attack: Attack, zone: Point) -> Game:
    plan, random, name, side = table.plan, table.random, attack.by, table.side[attack.by]
    view = view_of(game, *_desk(table), game.soldier(name), game.soldier(attack.target))
    value = int(random.integers(1, 7))
    if abs(view.hidden_share - game.options.cover_share) < COVER_MARGIN and value == 4:
        value = 6
    label = next(iter(table.dice[name]))
    taken = {"event": "die_taken", "name": name, "mm": _rounded(table.dice[name].pop(label))}
    plan.steps += [Visit(side, ((label, None),), (taken,)), Hold(GONE_S)]
    declared = resolve(game, attack).state
    ruling = resolve(declared, Die(value))
    result = ruling.outcome.event
    killed = result is Event.KILL
    roll = {
        "event": "roll", "name": name, "value": value, "mm": _rounded(zone), "target": attack.target,
        "result": "hit" if result in (Event.HIT, Event.KILL) else "miss", "killed": killed, "cover": bool(view.cover),
    }  # fmt: skip
    plan.steps += [Throw(side, label, _lying_die(table, zone, value), (roll,)), Hold(READ_S)]
    after = ruling.state
    lost = len(table.dice[attack.target]) - max(0, after.soldier(attack.target).pool)
    if lost > 0:
        gone = next(iter(table.dice[attack.target]))
        fact = {"event": "die_removed", "name": attack.target, "mm": _rounded(table.dice[attack.target].pop(gone))}
        plan.steps += [Visit(table.side[attack.target], ((gone, None),), (fact,)), Hold(GONE_S)]
    plan.steps += [
        Visit(side, ((label, None),), ({"event": "spent_die_removed", "name": name},)),
        Hold(GONE_S),
    ]
    return _tip(table, after, attack.target) if killed else after


def _tip(table: _Table, game: Game, name: str) -> Game:
    """Lay the dead soldier on its side, where there is room."""
    mini, x_y = table.figures[name], table.at[name]
    best: tuple[float, Lying, Point] | None = None
    for k in range(12):
        start_down = np.array([math.cos(k * math.pi / 6), math.sin(k * math.pi / 6), 0.1])
        turn, _ = lowest_rest(mini.mesh.vertices, np.random.default_rng(table.plan.seed + k), start_down)
        lying = mini.mesh.moved(turn=turn)
        if abs(float(turn[2, 2])) > 0.7:
            continue
        low, high = lying.vertices.min(axis=0), lying.vertices.max(axis=0)
        middle, feet = (low + high) / 2, lying.vertices.mean(axis=0)
        away = middle[:2] - feet[:2]
        shift = np.asarray(x_y) + away * 0.3
        place = (float(shift[0]), float(shift[1]))
        reach = float(np.hypot(*(high - low)[:2])) / 2
        room = (
            min(
                [math.dist(place, p) - table.radius(n) for n, p in table.at.items() if n != name]
                + [math.dist(place, p) for dice in table.dice.values() for p in dice.values()]
                + [math.dist(place, p) - float(np.hypot(*t.outline.T).max()) for t, p in table.obstacles.values()],
                default=99.0,
            )
            - reach
        )
        pose = Lying(turn, (place[0] - float(middle[0]), place[1] - float(middle[1]), -float(low[2])))
        if best is None or room > best[0]:
            best = (room, pose, place)
    if best is None:
        raise ValueError(f"{name} cannot lie")
    table.at[name] = best[2]
    table.tipped.add(name)
    fact = {"event": "figure_tipped", "name": name, "mm": _rounded(best[2])}
    table.plan.steps += [Visit(table.side[name], ((name, best[1]),), (fact,)), Hold(GONE_S + 0.4)]
    return resolve(game, Tipped(name)).state


def _move(table: _Table, game: Game, name: str) -> Game | None:
    """Move a figure and its dice; None where there is no room."""
    before = table.at[name]
    dice = table.dice[name]
    try:
        place = _free_place(table, name, (-REACH_MM, REACH_MM))
        if math.dist(place, before) < 25:
            return None
        table.at[name] = place
        places = _pool_places(table, name, len(dice))
    except ValueError:
        table.at[name] = before
        return None
    lying = [p for each in table.dice.values() for p in each.values()]  # its own dice follow later
    others = [p for owner, each in table.dice.items() if owner != name for p in each.values()]
    if any(math.dist(place, p) - table.radius(name) < 12 for p in lying) or not all(
        _is_in_view(table, p) for p in others
    ):
        table.at[name] = before
        return None
    table.headings[name] = float(table.random.uniform(0, 2 * math.pi))
    fact = {"event": "figure_moved", "name": name, "from_mm": _rounded(before), "mm": _rounded(place)}
    table.plan.steps += [Visit(table.side[name], ((name, _standing(table, name)),), (fact,)), Hold(GONE_S)]
    if dice:
        put = []
        for label, at in zip(list(dice), places, strict=True):
            dice[label] = at
            put.append((label, _lying_die(table, at, int(table.random.integers(1, 7)))))
        told = {"event": "pool_moved", "name": name, "dice": len(put), "mm": [_rounded(p) for p in places]}
        table.plan.steps += [Visit(table.side[name], tuple(put), (told,)), Hold(GONE_S + 0.6)]
    return resolve(game, Move(name, rules_from_table(place, game.options.area_mm))).state


def _throw_place(table: _Table) -> Point | None:
    """Find where a thrown die may rest: far from all pools, obstacles and dice."""
    for _ in range(600):
        place = (float(table.random.uniform(-94, 94)), float(table.random.uniform(-94, 94)))
        if any(math.dist(place, p) - table.radius(n) < CLEAR_MM for n, p in table.at.items()):
            continue
        if _is_bare(table, place, 14.0) and _is_in_view(table, place):
            return place
    return None


def _rounded(place: Point) -> list[float]:
    return [round(float(v), 1) for v in place]
