"""What Skuffle Wammer refuses and what it only advises on.

Refusals say in one sentence what is wrong and what is possible. Range, sight, area and turn order are left to people
by the rules: unless the game is strict they are advice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import assert_never

from rules.ruling import Message, Param
from rules.skuffle_state import (
    Action,
    Adjust,
    Attack,
    AttackKind,
    Cancel,
    Die,
    Game,
    Move,
    Overrule,
    Pass,
    Phase,
    Point,
    Reposition,
    Soldier,
    Start,
    Tipped,
    pool_at_start,
)
from rules.skuffle_words import CATALOGUE


def check(game: Game, action: Action) -> tuple[Message, ...]:
    """Return the advice on an action, or raise `IllegalActionError` where the rules refuse it.

    Raises:
        IllegalActionError: with a code and a sentence that says what is possible.
        ValueError: for what no table can show: a seventh face, a place that is not a number.
    """
    match action:
        case Attack():
            return _check_attack(game, action)
        case Move():
            return _check_move(game, action)
        case Pass():
            return _check_actor(game, action.by, dead="actor_dead")
        case Die():
            _check_die(game, action.value)
        case Overrule():
            _check_die(game, action.value)
        case Cancel():
            _require_phase(game, Phase.AWAIT_DIE)
        case Tipped():
            _check_tipped(game, action.soldier)
        case Start():
            _check_start(game)
        case Reposition():
            known(game, action.soldier)
            _check_place(action.to)
        case Adjust():
            _check_adjust(game, action)
        case _:
            assert_never(action)
    return ()


def known(game: Game, soldier_id: str) -> Soldier:
    """Return a soldier by id; the refusal names those there are."""
    for soldier in game.soldiers:
        if soldier.id == soldier_id:
            return soldier
    raise CATALOGUE.refusal("unknown_soldier", soldier=soldier_id, known=_labels(game.soldiers))


def gap_mm(one: Soldier, other: Soldier) -> float:
    """Return the gap between the edges of two bases, mm; below 0 where they overlap."""
    return math.dist(one.pos, other.pos) - one.base_radius_mm - other.base_radius_mm


def _check_start(game: Game) -> None:
    if game.phase is not Phase.SETUP:
        raise CATALOGUE.refusal("already_started")
    soldiers = game.soldiers
    if len(soldiers) < 2:
        raise CATALOGUE.refusal("too_few", count=len(soldiers))
    ids = [soldier.id for soldier in soldiers]
    for soldier in soldiers:
        _check_place(soldier.pos)
        if ids.count(soldier.id) > 1:
            raise CATALOGUE.refusal("same_id", soldier=soldier.id)
        if not _is_inside(game, soldier.pos):
            raise CATALOGUE.refusal("not_inside", soldier=soldier.label)
    if len({soldier.side for soldier in soldiers}) == 1:
        raise CATALOGUE.refusal("only_one_side")
    pools = [pool_at_start(soldier, game.options.minutes) for soldier in soldiers]
    if min(pools) < 0:
        raise ValueError(f"a soldier starts with 0 dice or more, not {min(pools)}")
    if max(pools) == 0:
        raise CATALOGUE.refusal("no_dice_at_all")


def _check_attack(game: Game, action: Attack) -> tuple[Message, ...]:
    advice = list(_check_actor(game, action.by, dead="attacker_dead"))
    attacker, target = known(game, action.by), known(game, action.target)
    if attacker.pool < 1:
        raise CATALOGUE.refusal("no_dice", soldier=attacker.label)
    others = _labels(soldier for soldier in game.standing if soldier is not attacker)
    if target is attacker:
        raise CATALOGUE.refusal("own_target", soldier=attacker.label, standing=others)
    if target.is_dead:
        raise CATALOGUE.refusal("target_dead", target=target.label, standing=others)
    if target.side == attacker.side:
        advice.append(CATALOGUE.message("friend_attacked", soldier=attacker.label, target=target.label))
    strict, limit_mm = game.options.strict, game.options.melee_gap_mm
    if not (math.isfinite(action.gap_doubt_mm) and action.gap_doubt_mm >= 0):
        raise ValueError(f"a gap is off by 0 mm or more, not {action.gap_doubt_mm!r}")
    gap = gap_mm(attacker, target)
    if action.kind is AttackKind.MELEE and gap - action.gap_doubt_mm > limit_mm:
        measured: dict[str, Param] = {"target": target.label, "gap_mm": math.ceil(gap), "limit_mm": _short(limit_mm)}
        if strict:
            raise CATALOGUE.refusal("too_far_for_melee", **measured)
        advice.append(CATALOGUE.message("melee_gap", **measured))
    if action.is_target_hidden:
        if strict and action.kind is AttackKind.RANGED:
            raise CATALOGUE.refusal("out_of_sight", soldier=attacker.label, target=target.label)
        advice.append(CATALOGUE.message("target_hidden", soldier=attacker.label, target=target.label))
    return tuple(advice)


def _check_move(game: Game, action: Move) -> tuple[Message, ...]:
    advice = list(_check_actor(game, action.by, dead="actor_dead"))
    _check_place(action.to)
    soldier, options = known(game, action.by), game.options

    def object_to(refusal: str, message: str, **params: Param) -> None:
        if options.strict:
            raise CATALOGUE.refusal(refusal, soldier=soldier.label, **params)
        advice.append(CATALOGUE.message(message, soldier=soldier.label, **params))

    if not _is_inside(game, action.to):
        object_to("outside_area", "area_left")
    for other in game.standing:
        reach_mm = soldier.base_radius_mm + other.base_radius_mm
        if other.id != soldier.id and math.dist(action.to, other.pos) < reach_mm:
            object_to("on_base", "base_overlap", other=other.label)
    distance_mm = math.dist(soldier.pos, action.to)
    if options.max_move_mm is not None and distance_mm > options.max_move_mm:
        limit_mm = _short(options.max_move_mm)
        object_to("too_far", "move_too_far", distance_mm=math.ceil(distance_mm), limit_mm=limit_mm)
    return tuple(advice)


def _check_actor(game: Game, soldier_id: str, *, dead: str) -> tuple[Message, ...]:
    """Check that a soldier may have a turn now; `dead` is the refusal of a dead one."""
    _require_phase(game, Phase.TURN)
    soldier = known(game, soldier_id)
    current = known(game, str(game.current))
    if soldier.is_dead:
        raise CATALOGUE.refusal(dead, soldier=soldier.label, current=current.label)
    if soldier is current:
        return ()
    if game.options.strict:
        raise CATALOGUE.refusal("not_your_turn", soldier=soldier.label, current=current.label)
    return (CATALOGUE.message("out_of_turn", soldier=soldier.label, current=current.label),)


def _check_die(game: Game, value: int | None) -> None:
    if value is not None and value not in range(1, 7):
        raise ValueError(f"a six-sided die cannot show {value!r}")
    _require_phase(game, Phase.AWAIT_DIE)


def _check_tipped(game: Game, soldier_id: str) -> None:
    _require_phase(game, Phase.AWAIT_TIP)
    soldier, fallen = known(game, soldier_id), known(game, str(game.fallen))
    if soldier is not fallen:
        raise CATALOGUE.refusal("other_to_tip", soldier=soldier.label, fallen=fallen.label)


def _check_adjust(game: Game, action: Adjust) -> None:
    _require_phase(game, Phase.TURN)
    is_standing = {soldier.id: not soldier.is_dead for soldier in game.soldiers}
    for one in action.all:
        soldier = known(game, one.soldier)
        if one.is_dead and one.pool > 0:
            raise CATALOGUE.refusal("dead_pool", soldier=soldier.label, pool=one.pool)
        if not one.is_dead and one.pool < 0:
            raise CATALOGUE.refusal("living_pool", soldier=soldier.label, pool=one.pool)
        is_standing[one.soldier] = not one.is_dead
    if not any(is_standing.values()):
        raise CATALOGUE.refusal("nobody_left", soldier=known(game, action.soldier).label)


def _require_phase(game: Game, phase: Phase) -> None:
    """Refuse what belongs to another phase, saying what this one waits for."""
    if game.phase is phase:
        return
    match game.phase:
        case Phase.SETUP:
            raise CATALOGUE.refusal("not_started")
        case Phase.OVER:
            raise CATALOGUE.refusal("game_over")
        case Phase.AWAIT_TIP:
            fallen = known(game, str(game.fallen))
            raise CATALOGUE.refusal("tip_awaited" if fallen.pool == 0 else "tip_awaited_no_die", soldier=fallen.label)
        case Phase.AWAIT_DIE:
            assert game.attack is not None
            raise CATALOGUE.refusal("die_awaited", soldier=known(game, game.attack.by).label)
        case Phase.TURN if phase is Phase.AWAIT_TIP:
            raise CATALOGUE.refusal("nobody_to_tip", current=known(game, str(game.current)).label)
        case Phase.TURN:
            raise CATALOGUE.refusal("no_attack")


def _check_place(place: Point) -> None:
    x, y = place
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"a place is two finite numbers in mm, not {place!r}")


def _is_inside(game: Game, place: Point) -> bool:
    """Reading: a soldier is inside while the centre of its base is."""
    (x, y), (width_mm, height_mm) = place, game.options.area_mm
    return 0 <= x <= width_mm and 0 <= y <= height_mm


def _labels(soldiers: Iterable[Soldier]) -> str:
    return ", ".join(soldier.label for soldier in soldiers)


def _short(number: float) -> int | float:
    """Write 10.0 as 10, as a player would."""
    return int(number) if number == int(number) else number
