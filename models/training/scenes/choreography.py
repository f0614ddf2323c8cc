"""The demo game: a legal game of Skuffle Wammer for two teams of two, as a film and as the truth about it.

Play follows Skuffle Wammer, Setup to Winner: two dice each, the soldier nearest to the near edge's middle first, then
its team, then the other team. Each roll's value is chosen here; the flight that ends in it is physics.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from models.training.scenes import dice_shape, miniature, physics
from models.training.scenes.film import Film, turned
from models.training.scenes.physics import Block, Pose
from models.training.scenes.scene import (
    Camera,
    Die,
    DieStyle,
    Figure,
    Hand,
    Lamp,
    Light,
    Mat,
    Obstacle,
    Place,
    Scene,
    Sensor,
    Table,
)
from models.training.scenes.turning import about_axis, about_vertical, matrix, times
from models.training.scenes.view import orbit

FRAMES_PER_SECOND = 30
"""Of the recording."""
STEP_S = 1 / 60
"""Between the poses of a die in flight."""
DIE_MM = 16.0
NEAR, FAR = -1, 1
"""The two players' sides of the mat."""
GONE_S = 1.5
"""Pause after each hand: a referee needs a second of still, free table."""
READ_S = 2.6
"""Pause after a roll: players look at it."""
CLEAR_OF_BASES_MM = 55.0
"""A thrown die rests at least this far from any base edge, so that it joins no pool (40 mm)."""
TEAMS = {"Wardens": NEAR, "Ironclad": FAR}

IVORY = DieStyle(body=(0.82, 0.74, 0.55), pips=(0.012, 0.012, 0.012))
BLUE = DieStyle(body=(0.03, 0.09, 0.36), pips=(0.85, 0.85, 0.85))
FIGURES = (
    Figure("Brand", (-40.0, -80.0, 0.15), about_vertical(75), "soldier", 11, 25.0, 32.0, "painted", (0.45, 0.06, 0.05)),
    Figure("Mirel", (66.0, -58.0, 0.15), about_vertical(110), "robed", 4, 25.0, 34.0, "painted", (0.3, 0.5, 0.12)),
    Figure("Grinder", (-62.0, 60.0, 0.15), about_vertical(-60), "walker", 6, 32.0, 33.0, "painted", (0.5, 0.34, 0.07)),
    Figure("Harrow", (64.0, 66.0, 0.15), about_vertical(-115), "beast", 3, 28.0, 30.0, "plastic", (0.22, 0.24, 0.27)),
)
TEAM_OF = {"Brand": "Wardens", "Mirel": "Wardens", "Grinder": "Ironclad", "Harrow": "Ironclad"}
ERASER = Obstacle("eraser", (-20.3, 45.2), (56.0, 12.0, 19.0), "box", 70.5, (0.72, 0.3, 0.28), (0.03, 0.1, 0.4))
POOLS: dict[str, tuple[Place, Place]] = {
    "Brand": ((-10.0, -63.0), (-6.0, -87.0)),
    "Mirel": ((94.0, -60.0), (82.0, -86.0)),
    "Grinder": ((-58.0, 89.0), (-87.0, 79.0)),
    "Harrow": ((92.0, 56.0), (86.0, 84.0)),
}
"""Where each soldier's two dice are put down first."""


@dataclass(slots=True)
class Recording:
    """The film, its truth, and how many dice each soldier has left while the game is played."""

    film: Film = field(default_factory=Film)
    truth: list[dict[str, Any]] = field(default_factory=list)  # Any: JSON values
    pools: dict[str, int] = field(default_factory=dict)
    at: dict[str, Place] = field(default_factory=dict)
    dead: set[str] = field(default_factory=set)
    dice: dict[str, list[str]] = field(default_factory=dict)
    throws: list[tuple[float, float]] = field(default_factory=list)

    def tell(self, event: str, time_s: float | None = None, **facts: Any) -> None:  # Any: JSON values
        """Add one line of truth."""
        when = self.film.now_s if time_s is None else time_s
        self.truth.append({"time_s": round(when, 3), "frame": round(when * FRAMES_PER_SECOND), "event": event, **facts})


def play() -> Recording:
    """Play the whole demo game.

    Raises:
        ValueError: the plan breaks a rule of the game or of its own making (a pool too near, a target not the nearest).
    """
    game = Recording()
    game.film.hold(3.0)
    _set_up(game)
    order = _order(game)
    game.tell("game_started", order=order, minutes=3)
    game.film.hold(2.0)
    game.tell("turn", soldier="Brand", round=1)
    _attack(game, "Brand", "Grinder", value=5, zone=(8.0, -4.0), seed=100)
    game.tell("turn", soldier="Mirel", round=1)
    _move(game, "Mirel", (0.0, 38.0), 150.0, ((28.0, 20.0), (8.0, 4.0)), cover="eraser")
    game.tell("turn", soldier="Grinder", round=1)
    _attack(game, "Grinder", "Mirel", value=4, zone=(64.0, -52.0), seed=200, modifier=-1, cover="eraser")
    game.tell("turn", soldier="Harrow", round=1)
    _move(game, "Harrow", (-38.0, -49.0), -95.0, ((-72.0, -36.0), (-50.0, -17.0)))
    game.tell("turn", soldier="Brand", round=2)
    _attack(game, "Brand", "Harrow", value=2, zone=(62.0, -50.0), seed=300)
    game.tell("turn", soldier="Mirel", round=2)
    _attack(game, "Mirel", "Grinder", value=6, zone=(66.0, -48.0), seed=400, fall=(0.1, -1.0))
    game.tell("turn", soldier="Harrow", round=2)
    _attack(game, "Harrow", "Brand", value=3, zone=(70.0, 62.0), seed=500, fall=(1.0, -0.1))
    game.tell("turn", soldier="Mirel", round=3)
    _attack(game, "Mirel", "Harrow", value=4, zone=(66.0, -50.0), seed=600, fall=(0.7, 0.7))
    game.film.hold(4.0)
    _check_spacing(game)
    game.truth.sort(key=lambda line: line["time_s"])
    return game


def setting() -> Scene:
    """Describe the table, light and camera of the recording, with everything that ever appears on it."""
    camera = orbit(450.0, 56.0, 5.0, (0.0, 0.0))
    dice = tuple(
        Die(f"{name}-{i}", (0.0, 0.0, DIE_MM / 2), style=IVORY if TEAM_OF[name] == "Wardens" else BLUE)
        for name in TEAM_OF
        for i in (1, 2)
    )
    hands = tuple(
        Hand(f"{who}-{grip}", (0.0, 0.0, 0.0), 90.0, grip, skin, sleeve)
        for who, skin, sleeve in (
            ("near", (0.62, 0.36, 0.25), (0.05, 0.08, 0.16)),
            ("far", (0.3, 0.16, 0.1), (0.25, 0.04, 0.03)),
        )
        for grip in ("pinch", "wide")
    )
    return Scene(
        Mat(look="paper", curl_mm=1.0),
        Table(look="wood", colour=(0.23, 0.12, 0.06), seed=5),
        Light(lamps=(Lamp((-260.0, 190.0, 520.0), 95.0),), surroundings="interior", surroundings_strength=0.5),
        Camera(at_mm=camera.at_mm, target_mm=camera.target_mm, focal_px=1370.0, size=(1280, 720)),
        Sensor(noise_sigma=2.0),
        FIGURES,
        dice,
        (ERASER,),
        hands,
    )


def setup_form() -> dict[str, Any]:  # Any: JSON values
    """Give what the players type before the game: nothing about what happens later."""
    return {
        "game": "skuffle-wammer",
        "minutes": 3,
        "soldiers": [{"name": f.name, "team": TEAM_OF[f.name], "start_mm": [f.at_mm[0], f.at_mm[1]]} for f in FIGURES],
    }


def truth_lines(game: Recording) -> str:
    """Give the truth as JSON lines."""
    return "".join(json.dumps(line) + "\n" for line in game.truth)


# --- the game's actions ---------------------------------------------------------------------------------------------


def _hand(side: int, grip: str) -> str:
    return f"{'near' if side == NEAR else 'far'}-{grip}"


def _set_up(game: Recording) -> None:
    film = game.film
    eraser = Pose((*ERASER.at_mm, 0.0), about_vertical(ERASER.heading_degrees))
    _bracket(
        game,
        FAR,
        lambda: game.tell(
            "obstacle_placed",
            film.bring(_hand(FAR, "pinch"), FAR, [("eraser", eraser)], grip_mm=12.0),
            name="eraser",
            mm=list(ERASER.at_mm),
        ),
    )
    for figure in FIGURES:
        side = TEAMS[TEAM_OF[figure.name]]
        pose = Pose(figure.at_mm, figure.turn)
        start = film.now_s
        when = film.bring(_hand(side, "wide"), side, [(figure.name, pose)], grip_mm=20.0)
        game.at[figure.name] = (figure.at_mm[0], figure.at_mm[1])
        game.tell("figure_placed", when, name=figure.name, team=TEAM_OF[figure.name], mm=list(game.at[figure.name]))
        _hand_seen(game, side, start)
        film.hold(GONE_S)
    generator = np.random.default_rng(7)
    for figure in FIGURES:
        side = TEAMS[TEAM_OF[figure.name]]
        names = [f"{figure.name}-{i}" for i in (1, 2)]
        poses = [
            _resting(place, int(generator.integers(1, 7)), float(generator.uniform(0, 90)))
            for place in POOLS[figure.name]
        ]
        start = film.now_s
        when = film.bring(_hand(side, "pinch"), side, list(zip(names, poses, strict=True)), grip_mm=10.0)
        game.pools[figure.name], game.dice[figure.name] = 2, names
        game.tell(
            "pool_placed",
            when,
            name=figure.name,
            dice=list(names),
            pool=2,
            values=[dice_shape.value_up(p.turn) for p in poses],
            mm=[list(p.at_mm[:2]) for p in poses],
        )
        _hand_seen(game, side, start)
        film.hold(GONE_S)


def _bracket(game: Recording, side: int, act: Any) -> None:  # Any: a callable without arguments
    start = game.film.now_s
    act()
    _hand_seen(game, side, start)
    game.film.hold(GONE_S)


def _hand_seen(game: Recording, side: int, start: float) -> None:
    where = "near" if side == NEAR else "far"
    game.tell("hand_over", start, side=where)
    game.tell("hand_gone", side=where)


def _resting(place: Place, value: int, heading_degrees: float) -> Pose:
    lying = about_vertical(heading_degrees)
    return Pose((*place, DIE_MM / 2 + 0.15), times(lying, dice_shape.relabelling(1, value)))


def _order(game: Recording) -> list[str]:
    """Skuffle Wammer, Setup: nearest to the near edge's middle first, then its team, then the other team."""
    near = sorted(game.at, key=lambda name: math.dist(game.at[name], (0.0, -100.0)))
    teams = sorted(TEAMS, key=lambda team: min(near.index(n) for n in near if TEAM_OF[n] == team))
    return [name for team in teams for name in near if TEAM_OF[name] == team]


def _gap_mm(game: Recording, one: str, other: str) -> float:
    base = {figure.name: figure.base_mm for figure in FIGURES}
    return math.dist(game.at[one], game.at[other]) - (base[one] + base[other]) / 2


def _attack(
    game: Recording,
    attacker: str,
    target: str,
    *,
    value: int,
    zone: Place,
    seed: int,
    modifier: int = 0,
    cover: str | None = None,
    fall: tuple[float, float] | None = None,
) -> None:
    film, side = game.film, TEAMS[TEAM_OF[attacker]]
    _check_target(game, attacker, target)
    die = game.dice[attacker].pop(0)
    start = film.now_s
    when = film.take(_hand(side, "pinch"), side, die)
    game.pools[attacker] -= 1
    game.tell("die_taken", when, soldier=attacker, die=die, pool=game.pools[attacker])
    _hand_seen(game, side, start)
    film.hold(GONE_S)
    flight = _find_flight(game, side, value=value, zone=zone, seed=seed)
    start = film.now_s
    released, rests = film.throw_die(_hand(side, "pinch"), side, die, flight, step_s=STEP_S)
    game.throws.append((start, film.now_s))
    game.tell("die_thrown", released, soldier=attacker, die=die)
    game.tell(
        "die_at_rest", rests, soldier=attacker, die=die, value=value, mm=[round(c, 1) for c in flight[-1].at_mm[:2]]
    )
    game.tell("hand_over", start, side="near" if side == NEAR else "far")
    game.tell("hand_gone", released + 0.55, side="near" if side == NEAR else "far")
    kind = "melee" if _gap_mm(game, attacker, target) <= 10.0 else "ranged"
    needed = 3 if kind == "melee" else 4
    is_hit = value + modifier >= needed
    result = "hit" if is_hit else ("saved" if value >= needed else "miss")
    if is_hit:
        game.pools[target] -= 1
        if game.pools[target] <= 0:
            game.dead.add(target)
    game.tell(
        "ruling",
        rests,
        attacker=attacker,
        target=target,
        kind=kind,
        natural=value,
        modifier=modifier,
        total=value + modifier,
        needed=needed,
        result=result,
        cover=cover,
        pools=dict(game.pools),
        killed=target in game.dead,
    )
    film.hold(READ_S)
    target_side = TEAMS[TEAM_OF[target]]
    if is_hit and game.dice[target]:
        lost = game.dice[target].pop(0)
        start = film.now_s
        when = film.take(_hand(target_side, "pinch"), target_side, lost)
        game.tell("die_removed", when, soldier=target, die=lost, pool=game.pools[target])
        _hand_seen(game, target_side, start)
        film.hold(GONE_S)
    start = film.now_s
    when = film.take(_hand(side, "pinch"), side, die)
    game.tell("spent_die_removed", when, soldier=attacker, die=die)
    _hand_seen(game, side, start)
    film.hold(GONE_S)
    if fall is not None:
        if target not in game.dead:
            raise ValueError(f"{target} is not dead and cannot be tipped")
        _tip(game, target, target_side, fall)
        _tell_winner(game)
    film.hold(1.0)


def _tell_winner(game: Recording) -> None:
    """Skuffle Wammer, Winner: over when no dice are left, or one side alone stands."""
    standing = [name for name in game.at if name not in game.dead]
    teams = sorted({TEAM_OF[name] for name in standing})
    if len(teams) == 1 or not any(game.pools[name] > 0 for name in standing):
        game.tell("winner", result="win" if len(teams) == 1 else "shared", teams=teams, standing=standing)


def _tip(game: Recording, name: str, side: int, fall: tuple[float, float]) -> None:
    film = game.film
    figure = next(f for f in FIGURES if f.name == name)
    points = miniature.all_vertices(miniature.build(figure))
    here = film.last(name)
    tilt = times(about_axis((-fall[1], fall[0], 0.0), 78.0), here.turn)
    low = float((points @ matrix(tilt).T)[:, 2].min())
    start_pose = Pose((here.at_mm[0], here.at_mm[1], 1.0 - low), tilt)
    lying = physics.settle(start_pose, points[::5], blocks=_blocks(game, without=(name,)))
    if lying is None:
        raise ValueError(f"{name} does not come to rest")
    low = float((points @ matrix(lying.turn).T)[:, 2].min())
    lying = Pose((lying.at_mm[0], lying.at_mm[1], 0.2 - low), lying.turn)
    start = film.now_s
    when = film.tip(_hand(side, "wide"), side, name, lying, grip_mm=22.0)
    shape = points @ matrix(lying.turn).T + np.array(lying.at_mm)
    middle = (shape[:, :2].min(0) + shape[:, :2].max(0)) / 2
    game.tell(
        "figure_tipped",
        when,
        name=name,
        mm=[round(float(c), 1) for c in middle],
        base_mm=[round(c, 1) for c in lying.at_mm[:2]],
    )
    game.tell("death", when, name=name)
    _hand_seen(game, side, start)
    film.hold(GONE_S)


def _move(
    game: Recording, name: str, to: Place, heading_degrees: float, pool: Sequence[Place], *, cover: str | None = None
) -> None:
    film, side = game.film, TEAMS[TEAM_OF[name]]
    start = film.now_s
    new = Pose((*to, 0.15), about_vertical(heading_degrees))
    old_place = game.at[name]
    lifted, stands = film.carry(_hand(side, "wide"), side, [(name, new)], grip_mm=20.0)
    game.at[name] = to
    game.tell("figure_lifted", lifted, name=name)
    game.tell("figure_moved", stands, name=name, from_mm=list(old_place), to_mm=list(to), cover=cover)
    _hand_seen(game, side, start)
    film.hold(GONE_S)
    moves = []
    for die, place in zip(game.dice[name], pool, strict=True):
        old = film.last(die)
        moves.append((die, Pose((*place, old.at_mm[2]), old.turn)))
    start = film.now_s
    lifted, stands = film.carry(_hand(side, "pinch"), side, moves, grip_mm=10.0)
    game.tell(
        "pool_moved", stands, name=name, dice=list(game.dice[name]), pool=game.pools[name], mm=[list(p) for p in pool]
    )
    _hand_seen(game, side, start)
    film.hold(GONE_S + 0.8)


# --- throwing -------------------------------------------------------------------------------------------------------


def _blocks(game: Recording, *, without: Sequence[str] = ()) -> list[Block]:
    film, blocks = game.film, []
    for figure in FIGURES:
        if figure.name in without or figure.name not in game.at:
            continue
        x, y, _ = film.last(figure.name).at_mm
        blocks.append(
            Block((x, y, figure.height_mm / 2), (figure.base_mm, figure.base_mm, figure.height_mm), is_round=True)
        )
    for dice in game.dice.values():
        for die in dice:
            pose = film.last(die)
            blocks.append(Block(pose.at_mm, (DIE_MM,) * 3, pose.turn))
    length, width, height = ERASER.size_mm
    blocks.append(Block((*ERASER.at_mm, height / 2), (length, width, height), about_vertical(ERASER.heading_degrees)))
    return blocks


def _find_flight(game: Recording, side: int, *, value: int, zone: Place, seed: int) -> tuple[Pose, ...]:
    """Throw until a die rests near `zone`, flat, free of all pools, after 0.5 to 1.5 s; then renumber its faces."""
    blocks = _blocks(game)
    for attempt in range(1500):
        generator = np.random.default_rng(seed * 10_000 + attempt)
        parts = generator.normal(size=4)
        w, x, y, z = (float(p) for p in parts / np.linalg.norm(parts))
        from_x = float(np.clip(zone[0] + generator.uniform(-45, 45), -40, 70))
        start = Pose((from_x, side * 172.0, 48.0), (w, x, y, z))
        seconds = float(generator.uniform(0.15, 0.3))
        velocity = (
            (zone[0] - from_x) / seconds,
            (zone[1] - side * 172.0) / seconds,
            float(generator.uniform(-150, 250)),
        )
        spin = tuple(float(s) for s in generator.uniform(-28, 28, 3))
        flight = physics.throw(
            start,
            velocity_mm_s=velocity,
            spin_rad_s=(spin[0], spin[1], spin[2]),
            size_mm=DIE_MM,
            blocks=blocks,
            step_s=STEP_S,
        )
        if flight is None or not 0.5 <= len(flight) * STEP_S <= 1.5:
            continue
        end = flight[-1]
        if math.dist(end.at_mm[:2], zone) > 18 or dice_shape.cocked_degrees(end.turn) > 0.5:
            continue
        if abs(end.at_mm[2] - DIE_MM / 2) > 0.3 or not _is_clear(game, (end.at_mm[0], end.at_mm[1])):
            continue
        turn = dice_shape.relabelling(dice_shape.value_up(end.turn), value)
        lifted = [Pose((p.at_mm[0], p.at_mm[1], p.at_mm[2] + 0.15), p.turn) for p in flight]
        return tuple(turned(pose, turn) for pose in lifted)
    raise ValueError(f"no throw came to rest near {zone!r}")


def _is_clear(game: Recording, place: Place) -> bool:
    for figure in FIGURES:
        if math.dist(game.at[figure.name], place) - figure.base_mm / 2 < CLEAR_OF_BASES_MM:
            return False
    return all(math.dist(game.film.last(die).at_mm[:2], place) > 34 for dice in game.dice.values() for die in dice)


# --- what a referee needs -------------------------------------------------------------------------------------------


def _check_target(game: Recording, attacker: str, target: str) -> None:
    """The target must be the nearest standing enemy by 25 mm, or the referee would guess another."""
    enemies = [n for n in game.at if TEAM_OF[n] != TEAM_OF[attacker] and n not in game.dead]
    gaps = sorted((_gap_mm(game, attacker, n), n) for n in enemies)
    if game.pools[attacker] < 1 or attacker in game.dead:
        raise ValueError(f"{attacker} cannot attack")
    if gaps[0][1] != target or (len(gaps) > 1 and gaps[1][0] - gaps[0][0] < 25.0):
        raise ValueError(f"{target} is not clearly the nearest enemy of {attacker}: {gaps!r}")


def _check_spacing(game: Recording) -> None:
    """Each pool die must be within 40 mm of its own base's edge and 12 mm nearer to it than to any other."""
    base = {figure.name: figure.base_mm / 2 for figure in FIGURES}
    for line in game.truth:
        if line["event"] not in ("pool_placed", "pool_moved"):
            continue
        when = line["time_s"]
        for name in base:
            where = {n: game.film.pose(n, when) for n in base}
            for i in (1, 2):
                die = game.film.pose(f"{name}-{i}", when)
                if die is None or (line["event"] == "pool_placed" and name != line["name"]):
                    continue
                gaps = {n: math.dist(p.at_mm[:2], die.at_mm[:2]) - base[n] for n, p in where.items() if p is not None}
                own = gaps.pop(name)
                if own > 32.0 or min(gaps.values()) - own < 12.0:
                    raise ValueError(f"die {i} of {name} is {own:.0f} mm from it at {when} s, others {gaps!r}")
