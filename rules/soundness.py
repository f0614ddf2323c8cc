"""What a game that was read from a file must not contradict: its own ids, its phase, and what that phase waits for.

The referees make no such game, and they trust the one they are given. A file may have been written by hand, so
`rules.replay` asks here before it plays one on.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules import skuffle_state as skuffle
from rules.dice import SIDES
from rules.ruling import total
from rules.skirmish import state as skirmish
from rules.skirmish.rolls import TRAIT_SIDES, awaited_dice
from rules.world_saga import state as saga

MOST_MODIFIER = 1000
"""Modifiers of a roll stay within this: far beyond any table's, and its chances can still be counted."""


def check_state(state: object) -> None:
    """Raise `ValueError` for a game of one of the rule sets that contradicts itself, saying what does."""
    if isinstance(state, skuffle.Game):
        _check_game(state)
    elif isinstance(state, skirmish.Scene):
        _check_scene(state)
    elif isinstance(state, saga.Combat):
        _check_combat(state)


def _require(is_sound: bool, what: str) -> None:
    if not is_sound:
        raise ValueError(f"the game contradicts itself: {what}")


def _check_ids(ids: Iterable[str]) -> tuple[str, ...]:
    ids = tuple(ids)
    twice = [each for each in ids if ids.count(each) > 1]
    _require(not twice, f"there are two {twice[:1]!r}")
    return ids


def _check_named(named: Iterable[str | None], ids: Iterable[str], what: str) -> None:
    unknown = [each for each in named if each is not None and each not in ids]
    _require(not unknown, f"{what} names {unknown[:1]!r}, which it does not hold")


# Skuffle Wammer


def _check_game(game: skuffle.Game) -> None:
    phase = game.phase
    _require((phase is skuffle.Phase.AWAIT_DIE) == (game.attack is not None), "an attack and its die come together")
    _require(
        (phase is skuffle.Phase.AWAIT_TIP) == (game.fallen is not None), "the fallen and the tipping come together"
    )
    _require((phase is skuffle.Phase.OVER) == (game.result is not None), "an end and its result come together")
    if phase is skuffle.Phase.SETUP:
        return
    ids = _check_ids(soldier.id for soldier in game.soldiers)
    _require(sorted(game.order) == sorted(ids), "the turn order names every soldier once")
    _require(bool(game.standing), "somebody stands")
    for soldier in game.soldiers:
        _require(
            soldier.pool <= 0 if soldier.is_dead else soldier.pool >= 0, f"the dice of {soldier.id!r} and its life"
        )
    _check_named(game.winners, ids, "the end")
    if phase is not skuffle.Phase.OVER:
        # Whoever fell out of turn may still be the one whose turn it was.
        able = ids if phase is skuffle.Phase.AWAIT_TIP else [soldier.id for soldier in game.standing]
        _check_named([str(game.current)], able, "the turn")
        _check_named([game.fallen], [soldier.id for soldier in game.soldiers if soldier.is_dead], "the tipping")
    if game.attack is not None:
        fighting = [soldier.id for soldier in game.standing]
        _check_named((game.attack.by, game.attack.target), fighting, "the attack")
        _require(game.attack.by != game.attack.target, "an attack has two sides")


# Quick Skirmish

_ROLLS_OF_PHASE = {
    skirmish.Phase.SPIRIT: (skirmish.RollKind.SPIRIT,),
    skirmish.Phase.ROLL: (skirmish.RollKind.SKIRMISH, skirmish.RollKind.SOAK),
    skirmish.Phase.ACCEPT: (skirmish.RollKind.SPIRIT, skirmish.RollKind.SKIRMISH, skirmish.RollKind.SOAK),
    skirmish.Phase.DAMAGE: (skirmish.RollKind.DAMAGE,),
}
"""What is thrown in each phase; nothing in the others."""


def _check_scene(scene: skirmish.Scene) -> None:
    phase, roll = scene.phase, scene.roll
    ids = _check_ids(fighter.id for fighter in scene.fighters)
    heroes = [hero.id for hero in scene.heroes]
    _check_named((fighter.ally_of for fighter in scene.fighters), heroes, "an ally")
    _require(bool(heroes) and scene.tokens_left >= 0, "a hero and a pile of 0 tokens or more")
    _require((phase is skirmish.Phase.OVER) == (scene.result is not None), "an end and its result come together")
    for fighter in scene.fighters:
        _require({fighter.spirit, fighter.vigor} <= set(TRAIT_SIDES), f"the dice of {fighter.id!r}")
        _require(min(fighter.bennies, fighter.tokens, fighter.condition.wounds) >= 0, f"the counts of {fighter.id!r}")
        _require(abs(fighter.next_bonus) <= MOST_MODIFIER, f"the next bonus of {fighter.id!r}")
    cards = [fighter.card for fighter in scene.fighters if fighter.card is not None]
    _require(len({*cards, *scene.discards}) == len(cards) + len(scene.discards), "a card lies in one place")
    is_between = phase in (skirmish.Phase.DEAL, skirmish.Phase.OVER)
    _require(is_between == (scene.current is None), "a turn is somebody's")
    if scene.current is not None:
        _check_named([scene.current], [hero.id for hero in scene.heroes if not hero.is_out], "the turn")
    kinds = _ROLLS_OF_PHASE.get(phase, ())
    _require(roll.kind in kinds if roll is not None else not kinds, "a roll and the phase that waits for it")
    if roll is not None:
        _check_roll(scene, roll, ids)
    is_soak = phase is skirmish.Phase.SOAK or (roll is not None and roll.kind is skirmish.RollKind.SOAK)
    hurts = is_soak or phase in (skirmish.Phase.DAMAGE, skirmish.Phase.RECEIVER)
    _require(scene.damage_dice in range(1, 5) if hurts else scene.damage_dice == 0, "damage and its dice")
    if is_soak or phase is skirmish.Phase.DAMAGE:
        _check_named([str(scene.receiver)], ids, "the damage")
    _require(not is_soak or scene.blow is not None, "wounds and the blow that deals them")


def _check_roll(scene: skirmish.Scene, roll: skirmish.Roll, ids: tuple[str, ...]) -> None:
    is_damage = roll.kind is skirmish.RollKind.DAMAGE
    who = scene.receiver if is_damage or roll.kind is skirmish.RollKind.SOAK else scene.current
    _require(roll.who == who and who in ids, "a roll is made by whose it is")
    _require(len(roll.sides) == len(roll.faces) and bool(roll.sides), "dice and their faces")
    _require(all(sides in SIDES for sides in roll.sides), "the dice of a roll")
    dice = scene.damage_dice if is_damage else 2 if scene.fighter(roll.who).condition.is_wild_card else 1
    _require(len(roll.sides) == dice, "the number of a roll's dice")
    _require(not is_damage or set(roll.sides) == {6}, "dice of damage have six sides")
    _require(abs(total(roll.modifiers)) <= MOST_MODIFIER, "the modifiers of a roll")
    waits = bool(awaited_dice(roll))
    is_made = scene.phase is skirmish.Phase.ACCEPT
    _require(waits is not is_made and (not is_made or roll.kept is not None), "a roll and what it still waits for")


# World Saga

_NEEDS_BLOW = (saga.Stage.OFFER, saga.Stage.BASE, saga.Stage.REDUCTION, saga.Stage.ENDURE, saga.Stage.CONFLICT)
_NEEDS_RESULT = (saga.Stage.ANSWER, saga.Stage.BASE, saga.Stage.REDUCTION, saga.Stage.ENDURE, saga.Stage.RESILIENCE)
_NEEDS_BASE = (saga.Stage.REDUCTION,)


def _check_combat(combat: saga.Combat) -> None:
    ids = tuple(combatant.id for combatant in combat.combatants)
    is_setup = combat.phase is saga.Phase.SETUP
    if not is_setup:
        _check_ids(ids)
    _check_ids((*combat.order, *combat.delaying))
    entries = {combatant.entry for combatant in combat.combatants}
    _check_named((*combat.order, *combat.delaying, *combat.winners), ids, "the order of turns")
    _check_named((who for pair in combat.pairs for who in (pair.a, pair.b)), ids, "who is engaged")
    _check_named((score.entry for score in combat.scores), entries, "initiative")
    _check_named((*combat.settled, *(who for tie in combat.choices for who in tie)), entries, "initiative")
    _check_ids(score.entry for score in combat.scores)
    _check_ids(combat.settled)
    turn = combat.turn
    _require((combat.phase is saga.Phase.TURN) == (turn is not None), "a turn is somebody's")
    _require(combat.phase is not saga.Phase.CHOICE or bool(combat.choices), "a choice and what it is between")
    _require(all(combat.choices), "a tie has somebody in it")
    if turn is not None:
        _check_named([turn.who, *turn.withdrawn_from], ids, "the turn")
        is_first = turn.who in combat.order[:1]
        _require(turn.who not in combat.delaying and (turn.is_extra or is_first), "the turn is the next in order")
    _require(not combat.cases or not (is_setup or combat.phase is saga.Phase.OVER), "a test needs a combat")
    for case in combat.cases:
        _check_case(case, ids)
    # Deeper down, those who were offered a Strike may just be making it.
    for case in combat.cases[-1:]:
        _require(case.stage is not saga.Stage.OFFER or bool(case.offered), "a Strike is offered to somebody")


def _check_case(case: saga.Case, ids: tuple[str, ...]) -> None:
    _check_named((case.who, case.target, *case.offered), ids, "a test")
    stage, blow = case.stage, case.blow
    is_attack = blow is not None
    _require(is_attack == (case.purpose is saga.Purpose.ATTACK), "an attack and its blow come together")
    _require(is_attack or stage not in _NEEDS_BLOW, "an attack and its blow come together")
    is_two_sided = is_attack or stage in (saga.Stage.ANSWER, saga.Stage.RESILIENCE)
    is_two_sided = is_two_sided or case.kind is saga.TestKind.OPPOSED or case.purpose is saga.Purpose.SEEK
    _require(not is_two_sided or case.target is not None, "a test against somebody has a target")
    if stage in _NEEDS_RESULT:
        is_done = case.result is not None
        _require(is_done, "a test and the roll that it has had")
        if is_attack and blow is not None and blow.test is saga.TestKind.ATTACK:
            degree = case.result.degree if case.result is not None else None
            _require(degree is not None, "an attack that hits has a degree")
    _require(stage not in _NEEDS_BASE or case.base is not None, "damage and what it begins with")
    if is_attack and blow is not None:
        _require(case.kind is blow.test, "an attack is the test that its blow is")
        is_damage = stage in (saga.Stage.BASE, saga.Stage.REDUCTION, saga.Stage.ENDURE, saga.Stage.RESILIENCE)
        _require(not is_damage or blow.test is saga.TestKind.ATTACK, "only an Attack Test does damage")
        _require(stage is not saga.Stage.COURAGE, "an attack is no Fear Test")
    _require((stage is saga.Stage.COURAGE) <= (case.purpose is saga.Purpose.FEAR), "Courage is lost to fear")
    has_answer = case.kind is saga.TestKind.OPPOSED or (is_attack and case.kind is saga.TestKind.ATTACK)
    _require(stage is not saga.Stage.ANSWER or has_answer, "a test that is answered")
