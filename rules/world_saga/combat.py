"""World Saga's combat mode: what an action does to a combat, and why.

`check` refuses what the rules refuse and changes nothing; `resolve` checks and returns the next combat with its
reasons; `pending` says which roll or word the combat waits for. Dice, cards and whatever the public text leaves open
come in as values.

Rule: World Saga, Combat Mode.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.cards import parse_card, world_saga_order
from rules.dice import steps
from rules.ruling import DiceNeed, Message, Pending, Reason, Ruling, listed
from rules.world_saga import actions, attacks, plain_tests, striding, turns
from rules.world_saga.attacks import Event, Outcome, Told
from rules.world_saga.checks import check, check_stride, due
from rules.world_saga.d20 import BEST_FACE, Special, read
from rules.world_saga.hiding import Hiding
from rules.world_saga.rolls import RollDue, chance, is_opposed, roll_due
from rules.world_saga.state import (
    Board,
    Combat,
    Combatant,
    InitiativeMode,
    Pair,
    Phase,
    Purpose,
    Reserve,
    Score,
    Settings,
    Stage,
    Turn,
)
from rules.world_saga.words import (
    CATALOGUE,
    DETECTION,
    GAME_MASTER,
    INITIATIVE,
    MOVEMENT,
    OPTIONS,
    ROUNDS,
)

__all__ = [
    "Combat",
    "CombatRuling",
    "Combatant",
    "Event",
    "Outcome",
    "Reserve",
    "Settings",
    "Special",
    "check",
    "legal_actions",
    "new_combat",
    "pending",
    "reach",
    "resolve",
    "squares_left",
]

CombatRuling = Ruling[Combat, Outcome]

reach = striding.reach_of
squares_left = striding.squares_left


def new_combat(
    combatants: tuple[Combatant, ...], *, board: Board | None = None, settings: Settings | None = None
) -> Combat:
    """Return a combat being set up; `Begin` begins it."""
    return Combat(combatants, board, settings or Settings())


def resolve(combat: Combat, action: actions.Action) -> CombatRuling:
    """Return the combat after an action, what happened and why. Raises what `check` raises."""
    advice = check(combat, action)
    after, outcome, reasons = _done(combat, action)
    after, settled = attacks.settle_cases(after)
    after, finished = turns.finish(after)
    return Ruling(after, outcome, (*reasons, *settled, *finished), (*advice, *_hints(combat, outcome)))


def legal_actions(combat: Combat) -> tuple[type[actions.Action], ...]:
    """Return the kinds of action that take the combat on now; the table's own words are possible besides."""
    if combat.cases:
        stage = combat.cases[-1].stage
        return _ANSWERS.get(stage, (actions.Roll,))
    match combat.phase:
        case Phase.SETUP:
            return (actions.Begin,)
        case Phase.INITIATIVE:
            return (
                (actions.DealCard,) if combat.settings.initiative is InitiativeMode.CARDS else (actions.RollInitiative,)
            )
        case Phase.CHOICE:
            return (actions.ChooseOrder,)
        case Phase.ROUND_END:
            return (actions.ActNow, actions.NextRound)
        case Phase.OVER:
            return ()
        case Phase.TURN:
            return _turn_actions(combat)
        case _:
            assert_never(combat.phase)


def pending(combat: Combat) -> Pending | None:
    """Return what the combat waits for: a roll, or, with no dice, a word of the table. None while a turn is free."""
    roll = roll_due(combat)
    if roll is not None:
        return _pending_roll(combat, roll)
    if combat.cases:
        case = combat.cases[-1]
        who = case.offered[0] if case.stage is Stage.OFFER else case.target or case.who
        return Pending(who, (), due(combat), CATALOGUE.message("ws_told"))
    if combat.phase is Phase.INITIATIVE:
        return _pending_initiative(combat)
    if combat.phase is Phase.CHOICE:
        tied = combat.choices[0]
        purpose = CATALOGUE.message("ws_for_choice", tied=listed(tied))
        return Pending(tied[0], (), purpose, CATALOGUE.message("ws_told"))
    return None


_WITH_SIX_SIDED = (CATALOGUE.message("ws_with_six_sided"), *steps(20))
"""How to throw each d20 with the dice on the desk; `rules.dice.emulate` reads it."""

_ANSWERS: dict[Stage, tuple[type[actions.Action], ...]] = {
    Stage.OFFER: (actions.TakeStrike, actions.DeclineStrike),
    Stage.BASE: (actions.TellNumber,),
    Stage.REDUCTION: (actions.TellNumber,),
    Stage.COURAGE: (actions.TellNumber,),
    Stage.ENDURE: (actions.TellEndured,),
    Stage.CONFLICT: (actions.TellConflict,),
}


def _turn_actions(combat: Combat) -> tuple[type[actions.Action], ...]:
    turn = combat.turn
    assert turn is not None
    possible: list[type[actions.Action]] = []
    has_slot = turn.move_left or turn.action_left
    if combat.board is not None and combat.get(turn.who).place is not None:
        can_begin = has_slot and turn.strides < combat.settings.strides_per_turn
        possible += [actions.Stride] * (turn.is_striding or can_begin)
        possible += [actions.Withdraw]
    possible += [actions.MoveAction] * has_slot
    possible += [actions.Attack, actions.Test, actions.Hide, actions.Seek] * turn.action_left
    if not turn.has_begun:
        possible += [actions.Delay]
        possible += [actions.ActNow] * any(combat.get(who).can_act for who in combat.delaying)
    return (*possible, actions.EndTurn)


def _pending_roll(combat: Combat, roll: RollDue) -> Pending:
    faces = tuple(face for face in range(1, 21) if read(roll.tn, face).is_success)
    success = _needs(roll.tn)
    if roll.dice > 1:
        step = CATALOGUE.message("ws_throw_best" if roll.boons > 0 else "ws_throw_worst", count=roll.dice)
    elif roll.boons:
        step = CATALOGUE.message("ws_table_boons" if roll.boons > 0 else "ws_table_banes", count=abs(roll.boons))
    else:
        step = CATALOGUE.message("ws_throw_one")
    return Pending(
        who=roll.who,
        dice=(DiceNeed(roll.dice, 20, "test"),),
        purpose=roll.purpose,
        success=success,
        winning_faces=faces if roll.dice == 1 and not is_opposed(combat.cases[-1]) else (),
        modifiers=roll.reasons,
        chance=chance(combat, roll),
        steps=(step, *_WITH_SIX_SIDED),
    )


def _needs(tn: int) -> Message:
    """Say which faces of a d20 succeed against a Target Number."""
    if tn < 1:
        return CATALOGUE.message("ws_needs_nothing", tn=tn)
    if tn == 1:
        return CATALOGUE.message("ws_needs_one")
    return CATALOGUE.message("ws_needs", tn=tn) if tn < BEST_FACE else CATALOGUE.message("ws_needs_no_20")


def _pending_initiative(combat: Combat) -> Pending | None:
    entry = turns.entries_due(combat)[0]
    first = turns.members_of(combat, entry)[0]
    success = CATALOGUE.message("ws_highest")
    if combat.settings.initiative is InitiativeMode.CARDS:
        return Pending(entry, (), CATALOGUE.message("ws_for_card", who=entry), success)
    purpose = CATALOGUE.message("ws_for_initiative", who=entry, reflexes=first.reflexes)
    return Pending(
        entry,
        (DiceNeed(1, 20, "initiative"),),
        purpose,
        success,
        steps=(CATALOGUE.message("ws_throw_one"), *_WITH_SIX_SIDED),
    )


def _done(combat: Combat, action: actions.Action) -> Told:
    """Do what `check` has let pass."""
    match action:
        case actions.Begin():
            return _with(Outcome(Event.BEGUN), turns.begin_round(combat))
        case actions.RollInitiative():
            return _initiative(combat, action)
        case actions.DealCard():
            return _card(combat, action)
        case actions.ChooseOrder():
            return _with(Outcome(Event.ORDER), turns.choose(combat, action.ids))
        case actions.Stride():
            return _stride(combat, action)
        case actions.MoveAction():
            return _move(combat, action)
        case actions.Withdraw():
            return _withdraw(combat, action)
        case actions.Attack():
            return attacks.begin_attack(_acting(combat, takes_action=True), action.who, action.target, action.blow)
        case actions.TakeStrike():
            case = combat.cases[-1]
            offered = tuple(who for who in case.offered if who != action.who)
            combat = replace(combat, cases=(*combat.cases[:-1], replace(case, offered=offered)))
            return attacks.begin_attack(combat, action.who, case.who, action.blow)
        case actions.DeclineStrike():
            return _with(Outcome(Event.DECLINED, action.who), attacks.refuse_strike(combat, action.who))
        case actions.Roll():
            roll = roll_due(combat)
            assert roll is not None
            return attacks.take_roll(combat, roll, action.faces)
        case actions.TellNumber():
            return attacks.tell_number(combat, action.value)
        case actions.TellEndured():
            return attacks.tell_endured(
                combat, wounds=action.wounds, is_unconscious=action.is_unconscious, is_out=action.is_out
            )
        case actions.TellConflict():
            return attacks.tell_conflict(combat, action.winner, action.degree)
        case actions.Test() | actions.AreaReflexes() | actions.Hide() | actions.Seek() | actions.FearTest():
            return _test(combat, action)
        case actions.Reveal():
            hidden, seeker = combat.get(action.target), combat.get(action.who)
            reason = CATALOGUE.reason("ws_revealed", DETECTION, hidden=hidden.label, seeker=seeker.label)
            combat = turns.with_combatant(combat, attacks.found(hidden, action.who))
            return combat, Outcome(Event.REVEALED, action.who, action.target), (reason,)
        case actions.SetHidden():
            return _set_hidden(combat, action)
        case actions.Delay():
            return _with(Outcome(Event.DELAYED, action.who), turns.delay(combat, action.who))
        case actions.ActNow():
            return _with(Outcome(Event.TURN, action.who), turns.act_now(combat, action.who))
        case actions.EndTurn():
            return _with(Outcome(Event.TURN, action.who), turns.end_turn(combat))
        case actions.NextRound():
            combat, reasons = turns.begin_round(combat)
            over = CATALOGUE.reason("ws_round_over", ROUNDS)
            return combat, Outcome(Event.ROUND), (over, *reasons)
        case actions.Join():
            joined = replace(combat, combatants=(*combat.combatants, action.combatant))
            reason = CATALOGUE.reason("ws_joins", GAME_MASTER, who=action.combatant.label)
            return joined, Outcome(Event.ADJUSTED, action.combatant.id), (reason,)
        case actions.Adjust():
            combat = turns.with_combatant(combat, action.combatant)
            reason = CATALOGUE.reason("ws_adjusted", GAME_MASTER, who=action.combatant.label, why=action.why)
            return combat, Outcome(Event.ADJUSTED, action.combatant.id), (reason,)
        case actions.SetEngaged():
            return _set_engaged(combat, action)
        case actions.EndCombat():
            reason = CATALOGUE.reason("ws_combat_ended", GAME_MASTER)
            return turns.over(combat), Outcome(Event.OVER), (reason,)
        case _:
            assert_never(action)


def _with(outcome: Outcome, progress: turns.Progress) -> Told:
    combat, reasons = progress
    return combat, outcome, reasons


def _acting(combat: Combat, *, takes_action: bool) -> Combat:
    """Note that the turn has begun and, where it does, that its Action is used."""
    turn = combat.turn
    assert turn is not None
    turn = replace(turn, has_begun=True, action_left=turn.action_left and not takes_action)
    return replace(combat, turn=turn)


def _moving(turn: Turn) -> tuple[Turn, tuple[Reason, ...]]:
    """Use the Move action of a turn, or its Action for a second one."""
    if turn.move_left:
        return replace(turn, has_begun=True, move_left=False), ()
    second = CATALOGUE.reason("ws_second_move", MOVEMENT)
    return replace(turn, has_begun=True, action_left=False), (second,)


def _initiative(combat: Combat, action: actions.RollInitiative) -> Told:
    first = turns.members_of(combat, action.entry)[0]
    score = action.face + first.reflexes
    reason = CATALOGUE.reason(
        "ws_initiative", INITIATIVE, who=action.entry, roll=action.face, reflexes=first.reflexes, total=score
    )
    combat = replace(combat, scores=(*combat.scores, Score(action.entry, score)))
    combat, more = turns.settle_initiative(combat)
    return combat, Outcome(Event.INITIATIVE, action.entry), (reason, *more)


def _card(combat: Combat, action: actions.DealCard) -> Told:
    card = parse_card(action.card)
    score = Score(action.entry, world_saga_order(card), str(card))
    reason = CATALOGUE.reason("ws_card", OPTIONS, who=action.entry, card=card.name)
    combat, more = turns.settle_initiative(replace(combat, scores=(*combat.scores, score)))
    return combat, Outcome(Event.INITIATIVE, action.entry), (reason, *more)


def _stride(combat: Combat, action: actions.Stride) -> Told:
    plan = check_stride(combat, action)
    turn = combat.turn
    assert turn is not None
    reasons: tuple[Reason, ...] = ()
    if not turn.is_striding or action.starts_anew:
        turn, reasons = _moving(turn)
        turn = replace(turn, strides=turn.strides + 1, is_striding=True, stride_used_squares=0)
    used = turn.stride_used_squares + plan.squares
    turn = replace(turn, stride_used_squares=used, diagonals_used=plan.diagonals_used)
    who = combat.get(action.who)
    combat = turns.with_combatant(replace(combat, turn=turn), replace(who, place=plan.end))
    reasons += (CATALOGUE.reason("ws_stride", MOVEMENT, who=who.label, squares=round(plan.squares, 1)),)
    if plan.left is not None:
        left = round(max(0.0, plan.left), 1)
        reasons += (CATALOGUE.reason("ws_stride_left", MOVEMENT, left=int(left) if left == int(left) else left),)
    return combat, Outcome(Event.STRODE, action.who, squares=plan.squares), reasons


def _move(combat: Combat, action: actions.MoveAction) -> Told:
    assert combat.turn is not None
    turn, reasons = _moving(combat.turn)
    turn = replace(turn, is_striding=False, diagonals_used=turn.diagonals_used + action.diagonals)
    who = combat.get(action.who)
    if action.to is not None:
        who = replace(who, place=action.to)
    if action.name is actions.MoveName.DIVE_PRONE:
        who = replace(who, is_prone=True)
    reason = CATALOGUE.reason("ws_move_action", MOVEMENT, who=who.label, name=action.name.value)
    combat = turns.with_combatant(replace(combat, turn=turn), who)
    return combat, Outcome(Event.MOVED, action.who), (*reasons, reason)


def _withdraw(combat: Combat, action: actions.Withdraw) -> Told:
    combat = _acting(combat, takes_action=False)
    turn = combat.turn
    assert turn is not None
    code, event = ("ws_withdraws", Event.WITHDREW) if action.is_success else ("ws_held", Event.HELD)
    if action.is_success:
        combat = replace(combat, turn=replace(turn, withdrawn_from=(*turn.withdrawn_from, *action.enemies)))
    enemies = ", ".join(combat.get(enemy).label for enemy in action.enemies)
    reason = CATALOGUE.reason(code, MOVEMENT, who=combat.get(action.who).label, enemies=enemies)
    return combat, Outcome(event, action.who), (reason,)


def _test(combat: Combat, action: plain_tests.Begun) -> Told:
    """Put a test without the Attack trait on the stack."""
    case = plain_tests.case_of(combat, action)
    if plain_tests.takes_action(action):
        combat = _acting(combat, takes_action=True)
    return replace(combat, cases=(*combat.cases, case)), Outcome(Event.DECLARED, action.who, case.target), ()


def _set_hidden(combat: Combat, action: actions.SetHidden) -> Told:
    who = combat.get(action.who)
    hiding = None if action.by is None else Hiding(action.by, action.unaware)
    reason = CATALOGUE.reason("ws_adjusted", GAME_MASTER, who=who.label, why="")
    return turns.with_combatant(combat, replace(who, hiding=hiding)), Outcome(Event.ADJUSTED, who.id), (reason,)


def _set_engaged(combat: Combat, action: actions.SetEngaged) -> Told:
    kept = tuple(pair for pair in combat.pairs if {pair.a, pair.b} != {action.who, action.other})
    said = () if action.is_engaged is None else (Pair(action.who, action.other, action.is_engaged),)
    state = {True: "engaged", False: "not engaged", None: "engaged as their places say"}[action.is_engaged]
    reason = CATALOGUE.reason(
        "ws_engaged_set",
        GAME_MASTER,
        who=combat.get(action.who).label,
        other=combat.get(action.other).label,
        state=state,
    )
    return replace(combat, pairs=(*kept, *said)), Outcome(Event.ADJUSTED, action.who, action.other), (reason,)


def _hints(combat: Combat, outcome: Outcome) -> tuple[Message, ...]:
    """Mention what an older edition made of a critical failure; nothing is done by itself."""
    if outcome.result is None or outcome.result.special is not Special.CRITICAL_FAILURE:
        return ()
    case = combat.cases[-1]
    who = combat.get(case.who).label
    if case.stage is not Stage.ROLL:
        return ()
    if case.purpose is Purpose.SEEK:
        return (CATALOGUE.message("ws_advice_seek", who=who),)
    if case.blow is None:
        return ()
    hints = [CATALOGUE.message("ws_advice_critical", who=who)]
    if case.blow.is_ranged:
        hints.append(CATALOGUE.message("ws_advice_friendly"))
    return tuple(hints)
