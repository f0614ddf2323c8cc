"""Skuffle Wammer, the universe's smallest wargame: what an action does to a game, and why.

`check` refuses what the rules refuse and changes nothing; `resolve` checks and returns the next game with its reasons.
Dice come in as values. Cover and vantage come in as reasons with the attack, for who sees what is measured elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import assert_never

from rules.ruling import Message, Reason, Ruling, total
from rules.skuffle_checks import check, gap_mm
from rules.skuffle_choices import (
    ATTACK_BONUS,
    DEFENCE_BONUS,
    cover_reason,
    hit_chance,
    hitting_faces,
    legal_actions,
    needed_value,
    pending,
    propose_cover,
    propose_kind,
    propose_vantage,
    targets,
    vantage_reason,
)
from rules.skuffle_order import next_in_turn, turn_order
from rules.skuffle_state import (
    POOL_OF_MINUTES,
    Action,
    Adjust,
    Attack,
    AttackKind,
    Breed,
    Cancel,
    DeclaredAttack,
    Die,
    Event,
    Game,
    Move,
    Options,
    Outcome,
    Overrule,
    Pass,
    Phase,
    Reposition,
    Result,
    Soldier,
    Start,
    Tipped,
    TurnOrder,
    pool_at_start,
)
from rules.skuffle_words import BONUS, CATALOGUE, DAMAGE, EXPANSION, GAME_MASTER, GAMEPLAY, SETUP, WINNER

__all__ = [
    "Action",
    "Adjust",
    "Attack",
    "AttackKind",
    "Breed",
    "Cancel",
    "DeclaredAttack",
    "Die",
    "Event",
    "Game",
    "Move",
    "Options",
    "Outcome",
    "Overrule",
    "Pass",
    "Phase",
    "Reposition",
    "Result",
    "SkuffleRuling",
    "Soldier",
    "Start",
    "Tipped",
    "TurnOrder",
    "check",
    "cover_reason",
    "gap_mm",
    "hit_chance",
    "hitting_faces",
    "legal_actions",
    "needed_value",
    "new_game",
    "pending",
    "propose_cover",
    "propose_kind",
    "propose_vantage",
    "resolve",
    "start",
    "targets",
    "turn_order",
    "vantage_reason",
]

QUIET_ROUNDS = 2
"""After so many full rounds without an attack the players may want to stop (reading SK-R13)."""

SkuffleRuling = Ruling[Game, Outcome]


def new_game(soldiers: tuple[Soldier, ...], options: Options | None = None) -> Game:
    """Return a game being set up; `Start` begins it."""
    return Game(soldiers, options or Options())


def start(soldiers: tuple[Soldier, ...], options: Options | None = None) -> SkuffleRuling:
    """Set up and begin in one step."""
    return resolve(new_game(soldiers, options), Start())


def resolve(game: Game, action: Action) -> SkuffleRuling:
    """Return the game after an action, what happened and why. Raises what `check` raises."""
    advice = check(game, action)
    match action:
        case Attack():
            return _declare(game, action, advice)
        case Die():
            return _land(game, action.value, None)
        case Overrule():
            return _land(game, action.value, action)
        case Move():
            return _move(game, action, advice)
        case Pass():
            soldier = game.soldier(action.by)
            reason = CATALOGUE.reason("passed", GAMEPLAY, soldier=soldier.label)
            soldiers = _with(game, soldier.changed(turns=soldier.turns + 1))
            return _next(game, soldiers, Outcome(Event.PASSED, soldier.id), (reason,), advice)
        case Tipped():
            reason = CATALOGUE.reason("tipped", DAMAGE, soldier=game.soldier(action.soldier).label)
            return _next(game, game.soldiers, Outcome(Event.TIPPED, action.soldier), (reason,))
        case Cancel():
            return _cancel(game)
        case Start():
            return _start(game)
        case Reposition():
            soldier = game.soldier(action.soldier)
            reason = CATALOGUE.reason("repositioned", GAME_MASTER, soldier=soldier.label)
            soldiers = _with(game, soldier.changed(pos=action.to))
            return Ruling(replace(game, soldiers=soldiers), Outcome(Event.REPOSITIONED, soldier.id), (reason,))
        case Adjust():
            return _adjust(game, action)
        case _:
            assert_never(action)


def _start(game: Game) -> SkuffleRuling:
    options = game.options
    dice = POOL_OF_MINUTES[options.minutes]
    reasons = [CATALOGUE.reason("pools_dealt", SETUP, minutes=options.minutes, dice=dice)]
    soldiers = []
    for soldier in game.soldiers:
        pool = pool_at_start(soldier, options.minutes)
        if soldier.own_pool is not None:
            reasons.append(CATALOGUE.reason("own_pool", SETUP, soldier=soldier.label, dice=pool))
        elif soldier.breed is Breed.GHOUL:
            reasons.append(CATALOGUE.reason("ghoul_pool", EXPANSION, soldier=soldier.label, dice=pool))
        soldiers.append(soldier.changed(pool=pool, is_dead=False, turns=0))
    order = turn_order(soldiers, seat=options.seat, centre=options.centre)
    first = game.soldier(order[0]).label
    reasons.append(
        CATALOGUE.reason("first_turn" if options.seat_mm is None else "first_turn_seat", SETUP, soldier=first)
    )
    game = replace(game, soldiers=tuple(soldiers), phase=Phase.TURN, order=order, current=order[0], round=1)
    return Ruling(game, Outcome(Event.STARTED), tuple(reasons))


def _declare(game: Game, action: Attack, advice: tuple[Message, ...]) -> SkuffleRuling:
    """Take the die out of the pool, which is when it is spent, and wait for what it shows."""
    attacker, target = game.soldier(action.by), game.soldier(action.target)
    gained, attack_sources = _bonus(action.attack_bonus, ATTACK_BONUS, attacker, attacker.defence_sources)
    suffered, defence_sources = _bonus(action.defence_bonus, DEFENCE_BONUS, target, target.attack_sources)
    left = attacker.pool - 1
    declared = DeclaredAttack(
        action.by,
        action.target,
        action.kind,
        needed_value(attacker, action.kind),
        gained + suffered,
        attack_sources,
        defence_sources,
    )
    soldiers = _with(game, attacker.changed(pool=left))
    spent = CATALOGUE.reason("die_spent", GAMEPLAY, soldier=attacker.label, left=left)
    outcome = Outcome(Event.ATTACK, action.by, action.target, needed=declared.needed)
    game = _game(game, soldiers, Phase.AWAIT_DIE, game.current, game.round, game.last_attack_round, attack=declared)
    return Ruling(game, outcome, (spent, *declared.modifiers), advice)


def _bonus(
    reasons: tuple[Reason, ...], amount: int, soldier: Soldier, other_sources: tuple[str, ...]
) -> tuple[tuple[Reason, ...], tuple[str, ...]]:
    """Make one bonus of many reasons, and name the thing that it comes from where that is known.

    Reading: the first reason counts and the others say that they add nothing. A thing that already gives the soldier
    the other bonus where it stands gives it no second one.
    """
    counted: list[Reason] = []
    sources: tuple[str, ...] = ()
    has_bonus = False
    for reason in reasons:
        by = str(dict(reason.params).get("by", ""))
        if by and by in other_sources:
            counted.append(CATALOGUE.reason("source_used", BONUS, 0, by=by, soldier=soldier.label))
        elif has_bonus:
            counted.append(CATALOGUE.reason("one_bonus", BONUS, 0, soldier=soldier.label))
        else:
            has_bonus = True
            counted.append(replace(reason, amount=amount))
            sources = (by,) if by else ()
    return tuple(counted), sources


def _land(game: Game, value: int | None, overrule: Overrule | None) -> SkuffleRuling:
    """Decide the declared attack by its die, or by the game master."""
    attack = game.attack
    assert attack is not None
    reasons: list[Reason] = []
    modified = None
    if value is not None:
        modified = value + total(attack.modifiers)
        reasons = [CATALOGUE.reason("die_shows", GAMEPLAY, value, value=value), *attack.modifiers]
    if overrule is not None:
        is_hit = overrule.is_hit
        reasons.append(CATALOGUE.reason("gm_hit" if is_hit else "gm_miss", GAME_MASTER, why=overrule.why))
    else:
        assert modified is not None
        is_hit = modified >= attack.needed
        decision = "reaches" if is_hit else "falls_short"
        reasons.append(CATALOGUE.reason(decision, GAMEPLAY, modified=modified, needed=attack.needed))

    attacker, target = game.soldier(attack.by), game.soldier(attack.target)
    attack_sources = _joined(attacker.attack_sources, attack.attack_sources)
    attacker = attacker.changed(turns=attacker.turns + 1, attack_sources=attack_sources)
    left = target.pool - 1 if is_hit else target.pool
    is_killed = is_hit and left <= 0
    defence_sources = _joined(target.defence_sources, attack.defence_sources)
    target = target.changed(pool=left, is_dead=is_killed, defence_sources=defence_sources)
    soldiers = _with(game, attacker, target)
    event = Event.KILL if is_killed else Event.HIT if is_hit else Event.MISS
    outcome = Outcome(event, attack.by, attack.target, value, modified, attack.needed)
    if is_hit:
        loss = "damage" if left >= 0 else "damage_below_zero"
        reasons.append(CATALOGUE.reason(loss, DAMAGE, soldier=target.label, left=left))
    if is_killed:
        reasons.append(CATALOGUE.reason("death", DAMAGE, soldier=target.label, left=left))
        game = _game(game, soldiers, Phase.AWAIT_TIP, game.current, game.round, game.round, fallen=target.id)
        return Ruling(game, outcome, tuple(reasons))
    return _next(game, soldiers, outcome, tuple(reasons), last_attack_round=game.round)


def _cancel(game: Game) -> SkuffleRuling:
    attack = game.attack
    assert attack is not None
    attacker = game.soldier(attack.by)
    attacker = attacker.changed(pool=attacker.pool + 1)
    reason = CATALOGUE.reason("die_returned", GAMEPLAY, soldier=attacker.label, left=attacker.pool)
    game = _game(game, _with(game, attacker), Phase.TURN, game.current, game.round, game.last_attack_round)
    return Ruling(game, Outcome(Event.CANCELLED, attack.by, attack.target), (reason,))


def _move(game: Game, action: Move, advice: tuple[Message, ...]) -> SkuffleRuling:
    """Move, and leave behind what gave bonuses where the soldier stood."""
    soldier = game.soldier(action.by)
    distance_mm = round(math.dist(soldier.pos, action.to))
    if distance_mm:
        reason = CATALOGUE.reason("moved", GAMEPLAY, soldier=soldier.label, distance_mm=distance_mm)
    else:  # told at a table that nobody measures
        reason = CATALOGUE.reason("moved_about", GAMEPLAY, soldier=soldier.label)
    soldier = soldier.changed(pos=action.to, turns=soldier.turns + 1, attack_sources=(), defence_sources=())
    return _next(game, _with(game, soldier), Outcome(Event.MOVED, soldier.id), (reason,), advice)


def _adjust(game: Game, action: Adjust) -> SkuffleRuling:
    righted = game
    reasons = []
    for one in action.all:
        soldier = righted.soldier(one.soldier)
        code = "gm_dead" if one.is_dead else "gm_alive"
        reasons.append(CATALOGUE.reason(code, GAME_MASTER, soldier=soldier.label, left=one.pool, why=one.why))
        # Somebody raised from the dead joins the round that is on, and does not catch up on the turns it has missed.
        turns = max(soldier.turns, game.round - 1)
        soldier = soldier.changed(pool=one.pool, is_dead=one.is_dead, turns=turns)
        righted = replace(righted, soldiers=_with(righted, soldier))
    return _next(game, righted.soldiers, Outcome(Event.ADJUSTED, action.soldier), tuple(reasons))


def _next(
    game: Game,
    soldiers: tuple[Soldier, ...],
    outcome: Outcome,
    reasons: tuple[Reason, ...],
    advice: tuple[Message, ...] = (),
    *,
    last_attack_round: int | None = None,
) -> SkuffleRuling:
    """End the game or hand the turn on.

    Reading: the game also ends when only one side stands, for nothing can change any more.
    """
    attacked = game.last_attack_round if last_attack_round is None else last_attack_round
    standing = [soldier for soldier in soldiers if not soldier.is_dead]
    is_one_side = len({soldier.side for soldier in standing}) == 1
    if is_one_side or not any(soldier.pool for soldier in standing):
        reasons += _verdict(standing, is_one_side)
        winners = tuple([soldier.id for soldier in standing])
        result = Result.WIN if is_one_side else Result.SHARED
        game = replace(_game(game, soldiers, Phase.OVER, None, game.round, attacked), winners=winners, result=result)
        return Ruling(game, outcome, reasons, advice)
    following = next_in_turn(soldiers, game.order, game.options.turn_order)
    begun = 1 + min([soldier.turns for soldier in standing])
    if begun > game.round and begun - attacked > QUIET_ROUNDS:
        advice += (CATALOGUE.message("stalemate_possible"),)
    return Ruling(_game(game, soldiers, Phase.TURN, following.id, begun, attacked), outcome, reasons, advice)


def _verdict(standing: list[Soldier], is_one_side: bool) -> tuple[Reason, ...]:
    """Say why the game is over and who has won: everybody who stands (Skuffle Wammer, Winner)."""
    verdict = "shared" if not is_one_side else "winner" if len(standing) == 1 else "winners"
    names = ", ".join(soldier.label for soldier in standing)
    return (
        CATALOGUE.reason("one_side_stands" if is_one_side else "no_dice_left", WINNER),
        CATALOGUE.reason(verdict, WINNER, winners=names),
    )


def _game(
    game: Game,
    soldiers: tuple[Soldier, ...],
    phase: Phase,
    current: str | None,
    round_number: int,
    last_attack_round: int,
    *,
    attack: DeclaredAttack | None = None,
    fallen: str | None = None,
) -> Game:
    """Return the game with what changes in play; an attack and a fallen soldier are there only when given."""
    return Game(soldiers, game.options, phase, game.order, current, round_number, last_attack_round, attack, fallen)


def _with(game: Game, *changed: Soldier) -> tuple[Soldier, ...]:
    """Return the game's soldiers with changed ones in the place of those with their ids."""
    by_id = {soldier.id: soldier for soldier in changed}
    return tuple(by_id.get(soldier.id, soldier) for soldier in game.soldiers)


def _joined(sources: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return sources + tuple(source for source in more if source not in sources)
