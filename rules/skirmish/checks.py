"""What a Quick Skirmish refuses, in one sentence that says what is wrong and what is possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rules.dice import check_face
from rules.ruling import IllegalActionError
from rules.skirmish.deck import draw, who_draws
from rules.skirmish.rolls import TRAIT_SIDES, UNTRAINED_SIDES, awaited_dice
from rules.skirmish.state import (
    INSPIRED_RANGE,
    MODIFIER_RANGE,
    Accept,
    Action,
    Adjust,
    Award,
    Circumstances,
    Deal,
    Delay,
    Fighter,
    Leave,
    Overrule,
    Phase,
    Receive,
    Reroll,
    Scene,
    Skirmish,
    Soak,
    StepIn,
    TakeWounds,
    Throw,
    Unshake,
)
from rules.skirmish.words import CATALOGUE

BETWEEN_ROLLS = (Phase.DEAL, Phase.SPIRIT, Phase.TURN)
"""Phases in which nothing is half done."""


def check(scene: Scene, action: Action) -> None:
    """Raise where the rules refuse an action.

    Raises:
        IllegalActionError: with a code and a sentence that says what is possible.
        ValueError: for what no table can show: a face that the die does not have, more dice than were asked for.
    """
    if scene.phase is Phase.OVER and not isinstance(action, Award):
        raise CATALOGUE.refusal("scene_over")
    match action:
        case Deal():
            _check_deal(scene, action)
        case Throw():
            _check_throw(scene, action)
        case Skirmish():
            _check_skirmish(scene, action)
        case Accept():
            _require(scene, Phase.ACCEPT)
        case Reroll():
            _require(scene, Phase.ACCEPT)
        case Receive():
            _require(scene, Phase.RECEIVER)
            able = able_receivers(scene)
            if known(scene, action.who) not in able:
                who = known(scene, action.who).label
                raise CATALOGUE.refusal("not_receiver", who=who, able=labels(able))
        case Soak():
            _require(scene, Phase.SOAK)
            _check_benny(scene.fighter(str(scene.receiver)))
        case TakeWounds():
            _require(scene, Phase.SOAK)
        case Unshake():
            _require(scene, *BETWEEN_ROLLS, Phase.RECEIVER, Phase.DAMAGE)
            fighter = _present(scene, action.who)
            if not fighter.condition.is_shaken:
                raise CATALOGUE.refusal("not_shaken", who=fighter.label)
            _check_benny(fighter)
        case Delay():
            _check_delay(scene, action)
        case StepIn():
            _check_step_in(scene, action)
        case Leave():
            _require(scene, *BETWEEN_ROLLS)
            if not _present(scene, action.by).may_leave:
                raise CATALOGUE.refusal("cannot_leave", who=scene.fighter(action.by).label)
        case Overrule():
            _require(scene, Phase.SPIRIT, Phase.ROLL, Phase.ACCEPT)
        case Adjust():
            _check_adjust(scene, action)
        case Circumstances():
            if action.competence not in MODIFIER_RANGE or action.tactics not in MODIFIER_RANGE:
                raise CATALOGUE.refusal("modifier_range")
        case Award():
            if not scene.can_award:
                raise CATALOGUE.refusal("no_award")
            if action.to not in scene.most_tokens:
                who = known(scene, action.to).label
                most = labels(scene.fighter(hero) for hero in scene.most_tokens)
                raise CATALOGUE.refusal("not_most", who=who, most=most)
        case _:
            assert_never(action)


def legal_actions(scene: Scene) -> tuple[Action, ...]:
    """Return what the players may do now besides throwing, choosing a trait, and what only the game master does.

    For the buttons of the page: every action is ready to be resolved. Dice are asked for by `pending`, and a hero's
    skirmish roll is possible whenever the phase is TURN.
    """
    fighters = [fighter.id for fighter in scene.fighters]
    candidates: tuple[Action, ...] = (
        *(Receive(who) for who in fighters),
        Accept(),
        Reroll(),
        Soak(),
        TakeWounds(),
        *(Delay(who) for who in fighters),
        *(StepIn(who) for who in fighters),
        *(Unshake(who) for who in fighters),
        *(Leave(who) for who in fighters),
        *(Award(who) for who in fighters),
    )
    return tuple(action for action in candidates if _is_legal(scene, action))


def known(scene: Scene, fighter_id: str) -> Fighter:
    """Return a fighter by id; the refusal names those there are."""
    for fighter in scene.fighters:
        if fighter.id == fighter_id:
            return fighter
    raise CATALOGUE.refusal("unknown_fighter", who=fighter_id, known=labels(scene.fighters))


def able_receivers(scene: Scene) -> tuple[Fighter, ...]:
    """Return who can take the damage of a success: the hero whose turn it is, and the allies of its player."""
    return tuple(
        fighter
        for fighter in scene.fighters
        if scene.current in (fighter.id, fighter.ally_of) and not fighter.condition.is_incapacitated
    )


def labels(fighters: Iterable[Fighter]) -> str:
    """Name fighters one after the other."""
    return ", ".join(fighter.label for fighter in fighters)


def _is_legal(scene: Scene, action: Action) -> bool:
    try:
        check(scene, action)
    except IllegalActionError:
        return False
    return True


def _check_deal(scene: Scene, deal: Deal) -> None:
    _require(scene, Phase.DEAL)
    hands = who_draws(scene)
    if sorted(who for who, _ in deal.cards) != sorted(hero.id for hero in hands):
        raise CATALOGUE.refusal("wrong_hands", who=labels(hands))
    draw(scene, deal)


def _check_throw(scene: Scene, action: Throw) -> None:
    _require(scene, Phase.SPIRIT, Phase.ROLL, Phase.DAMAGE)
    roll = scene.roll
    assert roll is not None
    awaited = awaited_dice(roll)
    if len(action.values) != len(awaited):
        raise ValueError(f"dice awaited: {len(awaited)}; faces given: {action.values!r}")
    for die, value in zip(awaited, action.values, strict=True):
        check_face(value, roll.sides[die])


def _check_skirmish(scene: Scene, action: Skirmish) -> None:
    if scene.phase is not Phase.SPIRIT or action.by != scene.current:
        _require(scene, Phase.TURN, Phase.SPIRIT)
        _check_current(scene, action.by)
    _require(scene, Phase.TURN)
    if action.sides not in TRAIT_SIDES:
        raise CATALOGUE.refusal("unknown_trait_die", sides=action.sides)
    if action.is_untrained and action.sides != UNTRAINED_SIDES:
        raise CATALOGUE.refusal("untrained_die", sides=action.sides)
    if action.inspired not in INSPIRED_RANGE:
        raise CATALOGUE.refusal("inspired_range", inspired=action.inspired)


def _check_delay(scene: Scene, action: Delay) -> None:
    _require(scene, Phase.SPIRIT, Phase.TURN)
    hero = _check_current(scene, action.by)
    if hero.card is None or not hero.card.is_joker:
        raise CATALOGUE.refusal("no_joker", who=hero.label)
    if scene.is_still_shaken:
        raise CATALOGUE.refusal("turn_begun", current=hero.label)
    others = (other for other in scene.heroes if other.id != hero.id and not other.is_delaying)
    if not any(other.card is not None and not other.has_acted and not other.is_out for other in others):
        raise CATALOGUE.refusal("nobody_to_wait_for")


def _check_step_in(scene: Scene, action: StepIn) -> None:
    _require(scene, Phase.SPIRIT, Phase.TURN)
    hero = _present(scene, action.by)
    current = scene.fighter(str(scene.current)).label
    if not hero.is_delaying:
        raise CATALOGUE.refusal("not_waiting", who=hero.label, current=current)
    if scene.is_still_shaken:
        raise CATALOGUE.refusal("turn_begun", current=current)


def _check_adjust(scene: Scene, action: Adjust) -> None:
    _require(scene, *BETWEEN_ROLLS)
    fighter = known(scene, action.who)
    bears = max(fighter.condition.bears, 1)
    if not 0 <= action.wounds <= bears:
        raise CATALOGUE.refusal("adjust_wounds", who=fighter.label, bears=bears, wounds=action.wounds)
    if action.bennies < 0 or action.tokens < 0:
        raise CATALOGUE.refusal("adjust_numbers", who=fighter.label)
    if action.tokens - fighter.tokens > scene.tokens_left:
        raise CATALOGUE.refusal("adjust_pile", who=fighter.label, left=scene.tokens_left)


def _check_current(scene: Scene, fighter_id: str) -> Fighter:
    fighter = _present(scene, fighter_id)
    if fighter_id != scene.current:
        current = scene.fighter(str(scene.current)).label
        raise CATALOGUE.refusal("not_your_card", who=fighter.label, current=current)
    return fighter


def _present(scene: Scene, fighter_id: str) -> Fighter:
    fighter = known(scene, fighter_id)
    if fighter.is_out:
        raise CATALOGUE.refusal("has_gone", who=fighter.label)
    return fighter


def _check_benny(fighter: Fighter) -> None:
    if fighter.bennies < 1:
        raise CATALOGUE.refusal("no_benny", who=fighter.label)


def _require(scene: Scene, *phases: Phase) -> None:
    """Refuse what belongs to other phases, saying what this one waits for."""
    if scene.phase in phases:
        return
    match scene.phase:
        case Phase.DEAL:
            raise CATALOGUE.refusal("awaits_deal", who=labels(who_draws(scene)))
        case Phase.SPIRIT:
            raise CATALOGUE.refusal("awaits_spirit", who=_current(scene))
        case Phase.TURN:
            raise CATALOGUE.refusal("awaits_turn", who=_current(scene))
        case Phase.ROLL | Phase.DAMAGE:
            raise CATALOGUE.refusal("awaits_dice", who=_roller(scene))
        case Phase.ACCEPT:
            raise CATALOGUE.refusal("awaits_accept", who=_roller(scene))
        case Phase.RECEIVER:
            raise CATALOGUE.refusal("awaits_receiver", who=labels(able_receivers(scene)))
        case Phase.SOAK:
            raise CATALOGUE.refusal("awaits_soak", who=scene.fighter(str(scene.receiver)).label)


def _current(scene: Scene) -> str:
    return scene.fighter(str(scene.current)).label


def _roller(scene: Scene) -> str:
    assert scene.roll is not None
    return scene.fighter(scene.roll.who).label
