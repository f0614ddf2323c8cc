"""Tests under way: what each roll and each told number leads to, from the first die to the last wound.

Tests lie on a stack, for a Strike at a shooter is fought out while the shot waits. An Attack Test runs: Attack Roll,
Defense Roll, base damage, what the defence takes off, and then the reserve, Endure Wounds or the Resilience Test.

Rule: World Saga, Attack Test; Combat Mode, Special Circumstances, Detection and Hidden, Fear Tests. Readings: Endure
Wounds is taken when Stamina overflows or the target is Weary; a non-lethal attack on a Weary target lowers its Stamina,
but what is over becomes no Wounds; an attack that does no damage calls for neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.ruling import Reason, total
from rules.world_saga.d20 import OpposedResult, Special, TestResult, explain, oppose, read_many
from rules.world_saga.rolls import RollDue
from rules.world_saga.situation import strikers
from rules.world_saga.state import (
    RESILIENCE,
    Blow,
    Case,
    Combat,
    Combatant,
    Purpose,
    Reserve,
    Stage,
    TestKind,
)
from rules.world_saga.turns import Progress, with_combatant
from rules.world_saga.words import (
    ACTIONS,
    ATTACK_TEST,
    CATALOGUE,
    DETECTION,
    FEAR,
    GAME_MASTER,
    NON_LETHAL,
    SHOOTING,
)

OVERFLOW = {Reserve.STAMINA: "wounds", Reserve.FOCUS: "stress", Reserve.COURAGE: "fear"}
"""What damage beyond a reserve becomes (Attack Test)."""


class Event(StrEnum):
    """What an action led to."""

    BEGUN = "begun"
    INITIATIVE = "initiative"
    ORDER = "order"
    STRODE = "strode"
    MOVED = "moved"
    WITHDREW = "withdrew"
    HELD = "held"
    DECLARED = "declared"
    """A test begins; its first roll, or a Strike at the shooter, is waited for."""
    DECLINED = "declined"
    MISS = "miss"
    DEFENCE_DUE = "defence_due"
    NUMBER_DUE = "number_due"
    NO_DAMAGE = "no_damage"
    DAMAGE = "damage"
    ENDURE_DUE = "endure_due"
    ENDURED = "endured"
    RESILIENCE_DUE = "resilience_due"
    STAYS_UP = "stays_up"
    KNOCKED_OUT = "knocked_out"
    WON = "won"
    LOST = "lost"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    HIDDEN = "hidden"
    FOUND = "found"
    REVEALED = "revealed"
    FEAR = "fear"
    DELAYED = "delayed"
    TURN = "turn"
    ROUND = "round"
    ADJUSTED = "adjusted"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened."""

    event: Event
    who: str | None = None
    target: str | None = None
    result: TestResult | None = None
    """The d20 just read."""
    damage: int | None = None
    squares: float | None = None
    """What a Stride cost."""


Told = tuple[Combat, Outcome, tuple[Reason, ...]]
"""A combat, what happened and why."""


def begin_attack(combat: Combat, who: str, target: str, blow: Blow) -> Told:
    """Declare an attack, pay for it, and offer Strikes to those engaged with a shooter."""
    attacker, defender = combat.get(who), combat.get(target)
    reasons = [CATALOGUE.reason("ws_attacks", ACTIONS, who=attacker.label, name=blow.name, target=defender.label)]
    cost = stamina_cost(attacker, blow)
    if cost and attacker.stamina is not None:
        attacker = replace(attacker, stamina=attacker.stamina - cost)
        combat = with_combatant(combat, attacker)
        reasons.append(CATALOGUE.reason("ws_pays", ACTIONS, who=attacker.label, cost=cost, left=str(attacker.stamina)))
    offered = strikers(combat, who) if blow.is_ranged else ()
    reasons += [CATALOGUE.reason("ws_may_strike", SHOOTING, who=combat.get(other).label) for other in offered]
    case = Case(
        purpose=Purpose.ATTACK,
        stage=Stage.OFFER if offered else _first_stage(blow),
        who=who,
        target=target,
        name=blow.name,
        blow=blow,
        kind=blow.test,
        skill=blow.skill,
        rank=known_rank(attacker, blow.skill, blow.rank),
        answer_skill=blow.defence_skill,
        answer_rank=known_rank(defender, blow.defence_skill, blow.defence_rank),
        answer_modifiers=blow.defence_modifiers,
        answer_boons=blow.defence_boons,
        offered=offered,
    )
    return replace(combat, cases=(*combat.cases, case)), Outcome(Event.DECLARED, who, target), tuple(reasons)


def stamina_cost(attacker: Combatant, blow: Blow) -> int:
    """Return what an attack costs: as told, else the attacker's own Strike hand to hand and nothing at range."""
    if blow.stamina_cost is not None:
        return blow.stamina_cost
    return 0 if blow.is_ranged else attacker.strike_cost


def known_rank(combatant: Combatant, skill: str, told: int | None) -> int:
    """Return the Rank told, or the combatant's own; `check` has made sure that there is one."""
    rank = told if told is not None else combatant.rank(skill)
    assert rank is not None
    return rank


def refuse_strike(combat: Combat, who: str) -> Progress:
    """Let somebody's chance to Strike at the shooter go."""
    case = combat.cases[-1]
    case = replace(case, offered=tuple(other for other in case.offered if other != who))
    return _top(combat, case), (CATALOGUE.reason("ws_declines", SHOOTING, who=combat.get(who).label),)


def settle_cases(combat: Combat) -> Progress:
    """Go on with a shot once nobody may Strike at the shooter any more, or lose it with the shooter."""
    reasons: tuple[Reason, ...] = ()
    while combat.cases and combat.cases[-1].stage is Stage.OFFER:
        case = combat.cases[-1]
        if not combat.get(case.who).can_act:
            combat = _pop(combat)
            reasons += (CATALOGUE.reason("ws_shot_lost", SHOOTING, who=combat.get(case.who).label),)
            continue
        offered = tuple(who for who in case.offered if who in strikers(combat, case.who))
        if offered:
            return _top(combat, replace(case, offered=offered)), reasons
        assert case.blow is not None
        combat = _top(combat, replace(case, offered=(), stage=_first_stage(case.blow)))
    return combat, reasons


def take_roll(combat: Combat, due: RollDue, faces: tuple[int, ...]) -> Told:
    """Read the d20 that were waited for and go on with the test."""
    case = combat.cases[-1]
    result = read_many(due.tn, faces, boons=due.counted_boons)
    reasons = (*due.reasons, *explain(combat.get(due.who).label, result, is_complex=due.is_complex))
    if case.stage is Stage.RESILIENCE:
        combat, outcome, more = _resilience(combat, case, result)
    elif case.stage is Stage.ANSWER:
        combat, outcome, more = _answered(combat, replace(case, answer=result), result)
    elif case.blow is not None:
        combat, outcome, more = _attacked(combat, replace(case, result=result), case.blow, result)
    else:
        combat, outcome, more = _tested(combat, replace(case, result=result), result)
    return combat, replace(outcome, result=result), (*reasons, *more)


def tell_number(combat: Combat, value: int) -> Told:
    """Take a number that the table tells and go on."""
    case = combat.cases[-1]
    if case.stage is Stage.COURAGE:
        return _lose_courage(_pop(combat), case.who, value)
    if case.stage is Stage.BASE:
        return _with_base(combat, replace(case, base=value))
    return _damage(combat, replace(case, reduction=value))


def tell_conflict(combat: Combat, winner: str, degree: str) -> Told:
    """Take the table's word on a Conflict Test."""
    case = combat.cases[-1]
    code = "ws_conflict_degree" if degree else "ws_conflict"
    reason = CATALOGUE.reason(code, GAME_MASTER, winner=combat.get(winner).label, degree=degree)
    event = Event.WON if winner == case.who else Event.LOST
    return _pop(combat), Outcome(event, case.who, case.target), (reason, _open_effect())


def tell_endured(combat: Combat, *, wounds: int, is_unconscious: bool, is_out: bool) -> Told:
    """Take the table's word on Endure Wounds, or on the Resilience Test that a non-lethal attack calls for instead."""
    case = combat.cases[-1]
    assert case.target is not None
    target = combat.get(case.target)
    spares = spares_wounds(combat, case) and not is_out
    result = "is out of the combat" if is_out else "falls unconscious" if is_unconscious else "fights on"
    target = replace(
        target,
        wounds=wounds,
        is_unconscious=target.is_unconscious or is_unconscious,
        is_out=target.is_out or is_out,
    )
    combat = _pop(with_combatant(combat, target))
    if spares:
        return _after_resilience(combat, case, target, GAME_MASTER, stays_up=not is_unconscious)
    reason = CATALOGUE.reason("ws_endured", GAME_MASTER, who=target.label, result=result)
    return combat, Outcome(Event.ENDURED, case.who, case.target), (reason,)


def spares_wounds(combat: Combat, case: Case) -> bool:
    """Say whether an attack calls for a Resilience Test instead of Endure Wounds: non-lethal, on somebody Weary."""
    return case.blow is not None and case.blow.is_non_lethal and combat.get(str(case.target)).is_weary


def _first_stage(blow: Blow) -> Stage:
    return Stage.CONFLICT if blow.test is TestKind.CONFLICT else Stage.ROLL


def _top(combat: Combat, case: Case) -> Combat:
    return replace(combat, cases=(*combat.cases[:-1], case))


def _pop(combat: Combat) -> Combat:
    return replace(combat, cases=combat.cases[:-1])


def _open_effect() -> Reason:
    return CATALOGUE.reason("ws_effect_open", GAME_MASTER)


def _attacked(combat: Combat, case: Case, blow: Blow, result: TestResult) -> Told:
    """Go on after the Attack Roll."""
    assert case.target is not None
    target = combat.get(case.target)
    outcome = Outcome(Event.DEFENCE_DUE, case.who, case.target)
    if not result.is_success and blow.test is TestKind.ATTACK:
        reason = CATALOGUE.reason("ws_miss", ATTACK_TEST, who=combat.get(case.who).label, target=target.label)
        return _pop(combat), replace(outcome, event=Event.MISS), (reason,)
    if target.can_act:
        return _top(combat, replace(case, stage=Stage.ANSWER)), outcome, ()
    reason = CATALOGUE.reason("ws_no_defence", ACTIONS, who=target.label)
    if blow.test is TestKind.ATTACK:
        combat, outcome, more = _base(combat, case)
        return combat, outcome, (reason, *more)
    event = Event.WON if result.is_success else Event.LOST
    return _pop(combat), replace(outcome, event=event), (reason, _open_effect())


def _answered(combat: Combat, case: Case, answer: TestResult) -> Told:
    """Go on after the Defense Roll or the other's roll in an Opposed Test."""
    if case.kind is TestKind.ATTACK:
        if answer.special is Special.CRITICAL_SUCCESS:
            reason = CATALOGUE.reason("ws_defence_critical", ATTACK_TEST)
            outcome = Outcome(Event.NO_DAMAGE, case.who, case.target, damage=0)
            return _pop(combat), outcome, (reason,)
        return _base(combat, case)
    opposed = _oppose(combat, case, answer)
    if case.purpose is Purpose.SEEK:
        return _sought(_pop(combat), case, opposed)
    event = Event.WON if opposed.attacker_wins else Event.LOST
    return _pop(combat), Outcome(event, case.who, case.target), (opposed.reason, _open_effect())


def _oppose(combat: Combat, case: Case, answer: TestResult) -> OpposedResult:
    assert case.result is not None
    assert case.target is not None
    return oppose(combat.get(case.who).label, case.result, combat.get(case.target).label, answer)


def _base(combat: Combat, case: Case) -> Told:
    """Take base damage from the table's setting, or ask for it."""
    degree = case.result.degree if case.result is not None else None
    assert degree is not None
    table = combat.settings.damage_table
    if table is None:
        return _top(combat, replace(case, stage=Stage.BASE)), Outcome(Event.NUMBER_DUE, case.who, case.target), ()
    return _with_base(combat, replace(case, base=table.of(degree)))


def _with_base(combat: Combat, case: Case) -> Told:
    """Take what a successful defence takes off from the table's setting, or ask for it."""
    degree = case.answer.degree if case.answer is not None else None
    if degree is None:
        return _damage(combat, case)
    table = combat.settings.defence_table
    if table is None:
        case = replace(case, stage=Stage.REDUCTION)
        return _top(combat, case), Outcome(Event.NUMBER_DUE, case.who, case.target), ()
    return _damage(combat, replace(case, reduction=table.of(degree)))


def _damage(combat: Combat, case: Case) -> Told:
    """Count the damage and do it."""
    blow, base = case.blow, case.base
    assert blow is not None
    assert base is not None
    assert case.target is not None
    reasons = _damage_reasons(combat, case, blow, base)
    damage = total(reasons)
    combat = _pop(combat)
    outcome = Outcome(Event.DAMAGE if damage else Event.NO_DAMAGE, case.who, case.target, damage=damage)
    if not damage:
        return combat, outcome, reasons
    target = combat.get(case.target)
    spares = spares_wounds(combat, case)
    target, over, more = _lose(target, blow.reserve, damage, keeps_overflow=not spares)
    combat = with_combatant(combat, target)
    if blow.reserve is not Reserve.STAMINA or not target.can_act:
        return combat, outcome, (*reasons, *more)
    if spares:
        asked = CATALOGUE.reason("ws_knockout_test", NON_LETHAL, who=target.label)
        resilience = target.rank(RESILIENCE)
        if resilience is None:  # the table rolls it and tells how it went, as it does for Endure Wounds
            case = replace(case, stage=Stage.ENDURE)
        else:
            case = replace(case, stage=Stage.RESILIENCE, answer_skill=RESILIENCE, answer_rank=resilience)
        combat = replace(combat, cases=(*combat.cases, case))
        return combat, replace(outcome, event=Event.RESILIENCE_DUE), (*reasons, *more, asked)
    if over or target.is_weary:
        asked = CATALOGUE.reason("ws_endure", ATTACK_TEST, who=target.label)
        combat = replace(combat, cases=(*combat.cases, replace(case, stage=Stage.ENDURE)))
        return combat, replace(outcome, event=Event.ENDURE_DUE), (*reasons, *more, asked)
    return combat, outcome, (*reasons, *more)


def _damage_reasons(combat: Combat, case: Case, blow: Blow, base: int) -> tuple[Reason, ...]:
    """Explain the damage: the amounts add up to it."""
    assert case.result is not None
    degree = case.result.degree.word if case.result.degree is not None else ""
    if combat.settings.damage_table is None:
        reasons = [CATALOGUE.reason("ws_base_typed", GAME_MASTER, base)]
    else:
        reasons = [CATALOGUE.reason("ws_base", ATTACK_TEST, base, degree=degree)]
    if blow.attribute_modifier:
        reasons.append(CATALOGUE.reason("ws_attribute", ATTACK_TEST, blow.attribute_modifier))
    if blow.item_bonus:
        reasons.append(CATALOGUE.reason("ws_item", ATTACK_TEST, blow.item_bonus))
    if case.reduction is not None:
        if combat.settings.defence_table is None:
            reasons.append(CATALOGUE.reason("ws_reduced_typed", GAME_MASTER, -case.reduction))
        else:
            assert case.answer is not None
            answer_degree = case.answer.degree.word if case.answer.degree is not None else ""
            reasons.append(CATALOGUE.reason("ws_reduced", ATTACK_TEST, -case.reduction, degree=answer_degree))
    below = total(reasons)
    if below < 0:
        reasons.append(CATALOGUE.reason("ws_at_least_zero", ATTACK_TEST, -below))
    return tuple(reasons)


def _lose(
    combatant: Combatant, reserve: Reserve, amount: int, *, keeps_overflow: bool
) -> tuple[Combatant, int, tuple[Reason, ...]]:
    """Take damage off a reserve, which stops at 0; return what was over as well."""
    had = combatant.reserve(reserve)
    if had is None:
        reason = CATALOGUE.reason(
            "ws_untracked", ATTACK_TEST, who=combatant.label, lost=amount, reserve=reserve.value.title()
        )
        return combatant, 0, (reason,)
    left, over = max(0, had - amount), max(0, amount - had)
    reasons = [
        CATALOGUE.reason(
            "ws_loses", ATTACK_TEST, who=combatant.label, lost=had - left, reserve=reserve.value.title(), left=left
        )
    ]
    if reserve is Reserve.STAMINA:
        combatant = replace(combatant, stamina=left, wounds=combatant.wounds + over * keeps_overflow)
    elif reserve is Reserve.FOCUS:
        combatant = replace(combatant, focus=left, stress=combatant.stress + over)
    else:
        combatant = replace(combatant, courage=left, fear=combatant.fear + over)
    if over and keeps_overflow:
        overflow = OVERFLOW[reserve].title()
        reasons.append(CATALOGUE.reason("ws_overflow", ATTACK_TEST, lost=over, who=combatant.label, overflow=overflow))
    return combatant, over, tuple(reasons)


def _resilience(combat: Combat, case: Case, result: TestResult) -> Told:
    """Knock the Weary target of a non-lethal attack out, or not."""
    assert case.target is not None
    target = combat.get(case.target)
    combat = with_combatant(_pop(combat), replace(target, is_unconscious=not result.is_success))
    return _after_resilience(combat, case, target, NON_LETHAL, stays_up=result.is_success)


def _after_resilience(combat: Combat, case: Case, target: Combatant, source: str, *, stays_up: bool) -> Told:
    reason = CATALOGUE.reason("ws_stays_up" if stays_up else "ws_knocked_out", source, who=target.label)
    return combat, Outcome(Event.STAYS_UP if stays_up else Event.KNOCKED_OUT, case.who, case.target), (reason,)


def _tested(combat: Combat, case: Case, result: TestResult) -> Told:
    """Go on after the roll of a test without the Attack trait."""
    who = combat.get(case.who)
    if case.kind is TestKind.OPPOSED:
        outcome = Outcome(Event.DEFENCE_DUE, case.who, case.target)
        return _top(combat, replace(case, stage=Stage.ANSWER)), outcome, ()
    outcome = Outcome(Event.SUCCEEDED if result.is_success else Event.FAILED, case.who)
    if case.purpose is Purpose.HIDE:
        if not result.is_success:
            reason = CATALOGUE.reason("ws_hide_fails", DETECTION, who=who.label)
            return _pop(combat), outcome, (reason,)
        combat = with_combatant(_pop(combat), replace(who, hiding=case.hiding))
        reason = CATALOGUE.reason("ws_hides", DETECTION, who=who.label)
        return combat, replace(outcome, event=Event.HIDDEN), (reason,)
    if case.purpose is Purpose.FEAR:
        return _feared(combat, case, result)
    return _pop(combat), outcome, ()


def _feared(combat: Combat, case: Case, result: TestResult) -> Told:
    """Lose Courage to fear, or not."""
    who = combat.get(case.who)
    if result.is_success:
        reason = CATALOGUE.reason("ws_fear_holds", FEAR, who=who.label)
        if not combat.settings.horror:
            return _pop(combat), Outcome(Event.SUCCEEDED, case.who), (reason,)
        horror = CATALOGUE.reason("ws_horror", FEAR)
        combat, outcome, more = _lose_courage(_pop(combat), case.who, 1)
        return combat, outcome, (reason, horror, *more)
    reason = CATALOGUE.reason("ws_fear_fails", FEAR, who=who.label)
    if case.courage is None:
        outcome = Outcome(Event.NUMBER_DUE, case.who)
        return _top(combat, replace(case, stage=Stage.COURAGE)), outcome, (reason,)
    combat, outcome, more = _lose_courage(_pop(combat), case.who, case.courage)
    return combat, outcome, (reason, *more)


def _lose_courage(combat: Combat, who: str, amount: int) -> Told:
    outcome = Outcome(Event.FEAR, who, damage=amount)
    if amount == 0:
        return combat, outcome, ()
    combatant, _, reasons = _lose(combat.get(who), Reserve.COURAGE, amount, keeps_overflow=True)
    return with_combatant(combat, combatant), outcome, reasons


def _sought(combat: Combat, case: Case, opposed: OpposedResult) -> Told:
    """Find the hidden opponent, or not."""
    assert case.target is not None
    seeker, hidden = combat.get(case.who), combat.get(case.target)
    code = "ws_found" if opposed.attacker_wins else "ws_not_found"
    reason = CATALOGUE.reason(code, DETECTION, seeker=seeker.label, hidden=hidden.label)
    outcome = Outcome(Event.FOUND if opposed.attacker_wins else Event.FAILED, case.who, case.target)
    if opposed.attacker_wins:
        combat = with_combatant(combat, found(hidden, seeker.id))
    return combat, outcome, (opposed.reason, reason)


def found(hidden: Combatant, seeker: str) -> Combatant:
    """Return somebody hidden as found by a seeker."""
    hiding = hidden.hiding
    assert hiding is not None
    return replace(hidden, hiding=replace(hiding, located_by=(*hiding.located_by, seeker)))
