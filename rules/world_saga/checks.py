"""What the rules refuse in a World Saga combat, and what they only advise against.

`check` changes nothing. Whoever has a test under way finishes it first; whoever has the turn acts; the rest waits.
"""

from __future__ import annotations

from typing import assert_never

from rules.cards import parse_card
from rules.ruling import Message, listed, told
from rules.sight import Degree as CoverDegree
from rules.world_saga import actions
from rules.world_saga.attacks import spares_wounds, stamina_cost
from rules.world_saga.d20 import FACES
from rules.world_saga.hiding import knows_of, may_seek, may_target, shelter, walk_may_reveal
from rules.world_saga.rolls import roll_due
from rules.world_saga.situation import are_adjacent, are_engaged
from rules.world_saga.state import (
    INVESTIGATE,
    RESOLVE,
    STEALTH,
    Blow,
    Combat,
    Combatant,
    InitiativeMode,
    Phase,
    Stage,
    TestKind,
    Turn,
)
from rules.world_saga.striding import StridePlan, check_place, plan_stride
from rules.world_saga.turns import entries_due
from rules.world_saga.words import CATALOGUE

DUE_CODES = {
    Stage.OFFER: "ws_for_strike",
    Stage.BASE: "ws_for_base",
    Stage.REDUCTION: "ws_for_reduction",
    Stage.ENDURE: "ws_for_endure",
    Stage.CONFLICT: "ws_for_conflict",
    Stage.COURAGE: "ws_for_courage",
}
"""What is waited for where no die is rolled."""

_NUMBERS = (Stage.BASE, Stage.REDUCTION, Stage.COURAGE)


def check(combat: Combat, action: actions.Action) -> tuple[Message, ...]:
    """Refuse what the rules refuse.

    Returns:
        Advice on what the rules leave to people; empty where there is none.

    Raises:
        IllegalActionError: naming what is wrong and what is possible.
    """
    if isinstance(action, actions.Begin):
        return _check_begin(combat)
    if combat.phase is Phase.SETUP:
        raise CATALOGUE.refusal("ws_not_begun")
    if combat.phase is Phase.OVER:
        raise CATALOGUE.refusal("ws_over")
    if isinstance(action, actions.Answer):
        return _check_case(combat, action)
    match action:
        case actions.Adjust():
            before = _known(combat, action.combatant.id)
            _check_groups(tuple(action.combatant if c is before else c for c in combat.combatants))
            if action.combatant.place is not None:
                check_place(combat, action.combatant.place)
        case actions.SetHidden():
            _known(combat, action.who)
        case actions.SetEngaged():
            _check_set_engaged(combat, action)
        case actions.EndCombat():
            pass
        case actions.Join():
            if any(combatant.id == action.combatant.id for combatant in combat.combatants):
                raise CATALOGUE.refusal("ws_same_id", who=action.combatant.id)
            _check_groups((*combat.combatants, action.combatant))
        case _:
            _nothing_under_way(combat)
            return _check_free(combat, action)
    return ()


def _check_free(combat: Combat, action: actions.FreeAction) -> tuple[Message, ...]:
    """Check what is done while no test is under way."""
    match action:
        case actions.RollInitiative():
            _check_entry(combat, action.entry, by_cards=False)
            if action.face not in FACES:
                raise CATALOGUE.refusal("ws_no_face", face=action.face)
        case actions.DealCard():
            _check_card(combat, action)
        case actions.ChooseOrder():
            _check_choice(combat, action)
        case actions.Stride():
            return check_stride(combat, action).advice
        case actions.MoveAction():
            _move_slot(combat, _turn(combat, action.who))
            if action.to is not None:
                check_place(combat, action.to)
        case actions.Withdraw():
            _check_withdraw(combat, action)
        case actions.Attack():
            _action_slot(combat, _turn(combat, action.who))
            return _check_attack(combat, action.who, action.target, action.blow)
        case actions.Test():
            _check_test(combat, action)
        case actions.AreaReflexes() | actions.FearTest():
            who = _known(combat, action.who)
            if not who.can_act:
                raise CATALOGUE.refusal("ws_cannot_act", who=who.label)
            if isinstance(action, actions.FearTest):
                _rank(who, RESOLVE, action.rank)
        case actions.Hide():
            _check_hide(combat, action)
        case actions.Seek():
            _check_seek(combat, action)
        case actions.Reveal():
            _check_reveal(combat, action)
        case actions.Delay():
            turn = _turn(combat, action.who)
            if turn.has_begun:
                raise CATALOGUE.refusal("ws_acted", who=combat.get(action.who).label)
        case actions.ActNow():
            _check_act_now(combat, action)
        case actions.EndTurn():
            _turn(combat, action.who)
        case actions.NextRound():
            if combat.phase is not Phase.ROUND_END:
                _in_turns(combat)
                current = combat.get(combat.turn.who).label if combat.turn is not None else ""
                raise CATALOGUE.refusal("ws_round_goes_on", current=current)
        case _:
            assert_never(action)
    return ()


def check_stride(combat: Combat, action: actions.Stride) -> StridePlan:
    """Refuse a Stride that cannot be made; return what it costs."""
    turn = _turn(combat, action.who)
    used = turn.stride_used_squares
    if not turn.is_striding or action.starts_anew:
        used = 0
        if turn.strides >= combat.settings.strides_per_turn:
            raise CATALOGUE.refusal("ws_stride_used", who=combat.get(action.who).label)
        _move_slot(combat, turn)
    plan = plan_stride(combat, action.who, action.path, used_squares=used)
    if plan.requires_withdraw:
        raise CATALOGUE.refusal(
            "ws_requires_withdraw",
            who=combat.get(action.who).label,
            enemies=", ".join(combat.get(enemy).label for enemy in plan.requires_withdraw),
        )
    return plan


def due(combat: Combat) -> Message:
    """Say what the topmost test waits for."""
    roll = roll_due(combat)
    if roll is not None:
        return roll.purpose
    case = combat.cases[-1]
    if case.stage is Stage.OFFER:
        names = ", ".join(combat.get(who).label for who in case.offered)
        return CATALOGUE.message(DUE_CODES[case.stage], who=names, target=combat.get(case.who).label)
    who = case.who if case.target is None else case.target
    if case.stage is Stage.ENDURE and spares_wounds(combat, case):
        return CATALOGUE.message("ws_for_resilience", who=combat.get(who).label)
    return CATALOGUE.message(DUE_CODES[case.stage], who=combat.get(who).label, name=case.name)


def _check_begin(combat: Combat) -> tuple[Message, ...]:
    if combat.phase is not Phase.SETUP:
        raise CATALOGUE.refusal("ws_begun")
    ids = [combatant.id for combatant in combat.combatants]
    for who in ids:
        if ids.count(who) > 1:
            raise CATALOGUE.refusal("ws_same_id", who=who)
    _check_groups(combat.combatants)
    if len({combatant.allegiance for combatant in combat.combatants if combatant.can_act}) < 2:
        raise CATALOGUE.refusal("ws_too_few")
    return ()


def _check_groups(combatants: tuple[Combatant, ...]) -> None:
    """Refuse a group that is called like somebody outside of it: both would have one place in the initiative."""
    groups = {combatant.group for combatant in combatants if combatant.group}
    for combatant in combatants:
        if combatant.id in groups and combatant.group != combatant.id:
            raise CATALOGUE.refusal("ws_group_is_somebody", who=combatant.id)


def _known(combat: Combat, who: str) -> Combatant:
    try:
        return combat.get(who)
    except KeyError:
        known = ", ".join(combatant.id for combatant in combat.combatants)
        raise CATALOGUE.refusal("ws_unknown", who=who, known=known) from None


def _rank(combatant: Combatant, skill: str, told: int | None) -> None:
    if told is None and combatant.rank(skill) is None:
        raise CATALOGUE.refusal("ws_no_rank", who=combatant.label, skill=skill)


def _nothing_under_way(combat: Combat) -> None:
    if combat.cases:
        raise CATALOGUE.refusal("ws_roll_due", due=told(due(combat)))


def _in_turns(combat: Combat) -> None:
    """Refuse what has to wait for initiative."""
    if combat.phase is Phase.INITIATIVE:
        raise CATALOGUE.refusal("ws_initiative_due", due=", ".join(entries_due(combat)))
    if combat.phase is Phase.CHOICE:
        raise CATALOGUE.refusal("ws_choice_due", tied=listed(combat.choices[0]))


def _turn(combat: Combat, who: str) -> Turn:
    """Return the turn that is on, if it is this one's."""
    combatant = _known(combat, who)
    _in_turns(combat)
    if combat.turn is None:
        raise CATALOGUE.refusal("ws_no_turn")
    if combat.turn.who != who:
        current = combat.get(combat.turn.who).label
        raise CATALOGUE.refusal("ws_not_your_turn", current=current, who=combatant.label)
    return combat.turn


def _action_slot(combat: Combat, turn: Turn) -> None:
    if not turn.action_left:
        raise CATALOGUE.refusal("ws_no_action", who=combat.get(turn.who).label)


def _move_slot(combat: Combat, turn: Turn) -> None:
    if not turn.move_left and not turn.action_left:
        raise CATALOGUE.refusal("ws_no_move", who=combat.get(turn.who).label)


def _check_entry(combat: Combat, entry: str, *, by_cards: bool) -> None:
    if combat.phase is not Phase.INITIATIVE or entry not in entries_due(combat):
        awaited = ", ".join(entries_due(combat)) if combat.phase is Phase.INITIATIVE else ""
        raise CATALOGUE.refusal("ws_no_initiative_due", who=entry, due=awaited or "nobody")
    if by_cards is not (combat.settings.initiative is InitiativeMode.CARDS):
        raise CATALOGUE.refusal("ws_dice_played" if by_cards else "ws_cards_played", who=entry)


def _check_card(combat: Combat, action: actions.DealCard) -> None:
    _check_entry(combat, action.entry, by_cards=True)
    try:
        card = str(parse_card(action.card))
    except ValueError:
        raise CATALOGUE.refusal("ws_no_such_card", card=action.card) from None
    for score in combat.scores:
        if score.card == card:
            raise CATALOGUE.refusal("ws_card_dealt", card=card, who=score.entry)


def _check_choice(combat: Combat, action: actions.ChooseOrder) -> None:
    if combat.phase is not Phase.CHOICE:
        raise CATALOGUE.refusal("ws_no_choice")
    if sorted(action.ids) != sorted(combat.choices[0]):
        raise CATALOGUE.refusal("ws_wrong_choice", tied=listed(combat.choices[0]))


def _check_withdraw(combat: Combat, action: actions.Withdraw) -> None:
    _turn(combat, action.who)
    who = combat.get(action.who)
    for enemy_id in action.enemies:
        enemy = _known(combat, enemy_id)
        if enemy.allegiance == who.allegiance or not enemy.can_act:
            raise CATALOGUE.refusal("ws_nobody_to_leave", who=who.label, enemies=enemy.label)


def _check_target(combat: Combat, who: str, target: str) -> Combatant:
    """Refuse a target that is oneself, out of the combat, or at no known place."""
    seeker, other = combat.get(who), _known(combat, target)
    if who == target:
        raise CATALOGUE.refusal("ws_own_target", who=seeker.label)
    if other.is_out:
        raise CATALOGUE.refusal("ws_target_out", target=other.label)
    if not knows_of(who, other.hiding):
        raise CATALOGUE.refusal("ws_unknown_presence", who=seeker.label, target=other.label)
    if not may_target(who, other.hiding):
        raise CATALOGUE.refusal("ws_unlocated", who=seeker.label, target=other.label)
    return other


def _check_attack(combat: Combat, who: str, target: str, blow: Blow) -> tuple[Message, ...]:
    """Check an attack apart from whose turn it is."""
    attacker, defender = combat.get(who), _check_target(combat, who, target)
    _rank(attacker, blow.skill, blow.rank)
    _rank(defender, blow.defence_skill, blow.defence_rank)
    cost = stamina_cost(attacker, blow)
    if attacker.stamina is not None and attacker.stamina < cost:
        raise CATALOGUE.refusal("ws_no_stamina", who=attacker.label, left=attacker.stamina, name=blow.name, cost=cost)
    names = {"who": attacker.label, "target": defender.label}
    advice = []
    if attacker.allegiance == defender.allegiance:
        advice.append(CATALOGUE.message("ws_advice_friend", **names))
    if blow.is_ranged and blow.cover is CoverDegree.NO_SIGHT:
        if combat.settings.strict:
            raise CATALOGUE.refusal("ws_no_sight", **names)
        advice.append(CATALOGUE.message("ws_advice_no_sight", **names))
    on_board = combat.board is not None and attacker.place is not None and defender.place is not None
    beside = are_engaged(combat, who, target) or are_adjacent(combat, attacker, defender)
    if not blow.is_ranged and on_board and not beside:
        if combat.settings.strict:
            raise CATALOGUE.refusal("ws_not_engaged", **names)
        advice.append(CATALOGUE.message("ws_advice_not_engaged", **names))
    return tuple(advice)


def _check_test(combat: Combat, action: actions.Test) -> None:
    if action.takes_action:
        _action_slot(combat, _turn(combat, action.who))
    who = _known(combat, action.who)
    if not who.can_act:
        raise CATALOGUE.refusal("ws_cannot_act", who=who.label)
    _rank(who, action.skill, action.rank)
    if action.kind is TestKind.OPPOSED:
        assert action.against is not None
        if action.against == action.who:
            raise CATALOGUE.refusal("ws_own_target", who=who.label)
        other = _known(combat, action.against)
        if not other.can_act:
            raise CATALOGUE.refusal("ws_cannot_act", who=other.label)
        _rank(other, action.against_skill, action.against_rank)


def _check_hide(combat: Combat, action: actions.Hide) -> None:
    _action_slot(combat, _turn(combat, action.who))
    who = combat.get(action.who)
    _rank(who, STEALTH, action.rank)
    if not shelter(action.cover, is_concealed=action.is_concealed, is_dark=action.is_dark).may_hide:
        raise CATALOGUE.refusal("ws_no_hiding_place", who=who.label)


def _check_seek(combat: Combat, action: actions.Seek) -> None:
    _action_slot(combat, _turn(combat, action.who))
    seeker, hidden = combat.get(action.who), _known(combat, action.target)
    if not knows_of(action.who, hidden.hiding):
        raise CATALOGUE.refusal("ws_unknown_presence", who=seeker.label, target=hidden.label)
    if not may_seek(action.who, hidden.hiding):
        raise CATALOGUE.refusal("ws_not_hidden", who=seeker.label, target=hidden.label)
    _rank(seeker, INVESTIGATE, action.rank)
    _rank(hidden, STEALTH, action.target_rank)


def _check_reveal(combat: Combat, action: actions.Reveal) -> None:
    seeker, hidden = _known(combat, action.who), _known(combat, action.target)
    if not knows_of(action.who, hidden.hiding):
        raise CATALOGUE.refusal("ws_unknown_presence", who=seeker.label, target=hidden.label)
    if hidden.hiding is None or not may_seek(action.who, hidden.hiding):
        raise CATALOGUE.refusal("ws_not_hidden", who=seeker.label, target=hidden.label)
    if not walk_may_reveal(action.who, hidden.hiding):
        raise CATALOGUE.refusal("ws_walk_reveals_not", target=hidden.label, by=hidden.hiding.by.value)


def _check_act_now(combat: Combat, action: actions.ActNow) -> None:
    who = _known(combat, action.who)
    _in_turns(combat)
    if action.who not in combat.delaying:
        waiting = ", ".join(combat.get(other).label for other in combat.delaying) or "nobody"
        raise CATALOGUE.refusal("ws_not_delaying", who=who.label, waiting=waiting)
    if not who.can_act:
        raise CATALOGUE.refusal("ws_cannot_act", who=who.label)
    if combat.turn is not None and combat.turn.has_begun:
        current = combat.get(combat.turn.who).label
        raise CATALOGUE.refusal("ws_turn_begun", current=current, who=who.label)


def _check_set_engaged(combat: Combat, action: actions.SetEngaged) -> None:
    who, other = _known(combat, action.who), _known(combat, action.other)
    if who.allegiance == other.allegiance:
        raise CATALOGUE.refusal("ws_not_enemies", who=who.label, other=other.label)


def _check_case(combat: Combat, action: actions.Answer) -> tuple[Message, ...]:
    """Check what answers the topmost test."""
    if not combat.cases:
        _in_turns(combat)
        current = combat.get(combat.turn.who).label if combat.turn is not None else "nobody"
        raise CATALOGUE.refusal("ws_nothing_due", current=current)
    case = combat.cases[-1]
    match action:
        case actions.Roll():
            roll = roll_due(combat)
            if roll is None:
                raise CATALOGUE.refusal("ws_not_that", due=told(due(combat)))
            for face in action.faces:
                if face not in FACES:
                    raise CATALOGUE.refusal("ws_no_face", face=face)
            if len(action.faces) != roll.dice:
                raise CATALOGUE.refusal("ws_wrong_count", count=roll.dice, given=len(action.faces))
        case actions.TellNumber():
            if case.stage not in _NUMBERS:
                raise CATALOGUE.refusal("ws_not_that", due=told(due(combat)))
            if action.value < 0:
                raise CATALOGUE.refusal("ws_no_damage", value=action.value)
        case actions.TellEndured():
            if case.stage is not Stage.ENDURE:
                raise CATALOGUE.refusal("ws_not_that", due=told(due(combat)))
            if action.wounds < 0:
                raise CATALOGUE.refusal("ws_no_wounds", value=action.wounds)
        case actions.TellConflict():
            if case.stage is not Stage.CONFLICT:
                raise CATALOGUE.refusal("ws_not_that", due=told(due(combat)))
            if action.winner not in (case.who, case.target):
                names = {"who": combat.get(case.who).label, "target": combat.get(str(case.target)).label}
                raise CATALOGUE.refusal("ws_no_winner", **names)
        case actions.TakeStrike() | actions.DeclineStrike():
            return _check_strike(combat, action)
        case _:
            assert_never(action)
    return ()


def _check_strike(combat: Combat, action: actions.TakeStrike | actions.DeclineStrike) -> tuple[Message, ...]:
    case = combat.cases[-1]
    if case.stage is not Stage.OFFER:
        raise CATALOGUE.refusal("ws_not_that", due=told(due(combat)))
    who = _known(combat, action.who)
    if action.who not in case.offered:
        offered = ", ".join(combat.get(other).label for other in case.offered)
        raise CATALOGUE.refusal("ws_no_strike", who=who.label, offered=offered)
    if isinstance(action, actions.DeclineStrike):
        return ()
    if action.blow.is_ranged:
        raise CATALOGUE.refusal("ws_strike_only", target=combat.get(case.who).label)
    return _check_attack(combat, action.who, case.who, action.blow)
