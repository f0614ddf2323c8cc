"""The roll that a combat waits for: who rolls what against which Target Number, and with which Boons or Banes.

Penalties and bonuses that the state of the combat gives come in here, each with its rule: surrounding, Distracted,
Exposed, non-lethal, Weary, cover and concealment.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.ruling import Message, Reason
from rules.world_saga import odds
from rules.world_saga.hiding import COVER_STEPS, shelter
from rules.world_saga.modifiers import Modifier, ModifierType, target_number
from rules.world_saga.situation import attackers_of, surrounding_bonus
from rules.world_saga.state import (
    Blow,
    BoonMode,
    Case,
    Combat,
    Purpose,
    Stage,
    TestKind,
)
from rules.world_saga.words import CATALOGUE, CONDITIONS, COVER, GAME_MASTER, NON_LETHAL, SURROUNDING

NON_LETHAL_PENALTY = -2
"""Untyped, unless the weapon is Subdued (Non-Lethal Attacks)."""


@dataclass(frozen=True, slots=True)
class RollDue:
    """A d20 test that is to be rolled now."""

    who: str
    skill: str
    tn: int
    boons: int
    """Net Boons; Banes under 0."""
    dice: int
    """How many d20 are told: one where the table rolls Boons and Banes its own way."""
    is_complex: bool
    purpose: Message
    reasons: tuple[Reason, ...]
    """What makes the Target Number, and the Boons and Banes."""

    @property
    def counted_boons(self) -> int:
        """The Boons (Banes under 0) that extra dice stand for; 0 where the table rolls them itself."""
        return 0 if self.dice == 1 else self.boons


def roll_due(combat: Combat, case: Case | None = None) -> RollDue | None:
    """Return the roll that a test waits for, None where it waits for something else; the topmost test by default."""
    case = case if case is not None else (combat.cases[-1] if combat.cases else None)
    if case is None:
        return None
    if case.stage is Stage.ROLL:
        return _attack_roll(combat, case, case.blow) if case.blow is not None else _plain_roll(combat, case)
    if case.stage is Stage.ANSWER:
        return _answer(combat, case)
    if case.stage is Stage.RESILIENCE:
        assert case.target is not None
        purpose = CATALOGUE.message("ws_for_resilience", who=combat.get(case.target).label)
        return _due(combat, case.target, case.answer_skill, case.answer_rank, (), (), 0, False, purpose)
    return None


def chance(combat: Combat, due: RollDue) -> Fraction | None:
    """Return the exact chance that the roll succeeds; None where the table rolls Boons and Banes its own way.

    In an Opposed Test it is the chance that the one who rolls wins.
    """
    case = combat.cases[-1]
    if due.boons and due.dice == 1:
        return None
    if not is_opposed(case):
        return odds.success_chance(due.tn, boons=due.counted_boons)
    if case.stage is Stage.ANSWER:
        assert case.result is not None
        return 1 - odds.opposed_chance_after(case.result, due.tn, defender_boons=due.counted_boons)
    answer = _answer(combat, case)
    if answer.boons and answer.dice == 1:
        return None
    return odds.opposed_chance(due.tn, answer.tn, attacker_boons=due.counted_boons, defender_boons=answer.counted_boons)


def is_opposed(case: Case) -> bool:
    """Say whether both rolls of a test together decide it."""
    if case.stage is Stage.RESILIENCE:
        return False
    kind = case.blow.test if case.blow is not None else case.kind
    return kind is TestKind.OPPOSED


def _plain_roll(combat: Combat, case: Case) -> RollDue:
    label = combat.get(case.who).label
    match case.purpose:
        case Purpose.HIDE:
            purpose = CATALOGUE.message("ws_for_hide", who=label)
        case Purpose.SEEK:
            purpose = CATALOGUE.message("ws_for_seek", who=label, target=combat.get(str(case.target)).label)
        case Purpose.FEAR:
            purpose = CATALOGUE.message("ws_for_fear", who=label)
        case _:
            code = "ws_for_opposed" if case.kind is TestKind.OPPOSED else "ws_for_test"
            purpose = CATALOGUE.message(code, who=label, name=case.name, skill=case.skill)
    boons = [_typed_boons(case.boons)]
    if case.cover_boons:
        boons.append(_boon(case.cover_boons, "ws_boon_cover", who=label))
    is_complex = case.kind is TestKind.COMPLEX
    return _due(
        combat,
        case.who,
        case.skill,
        case.rank,
        case.modifiers,
        boons,
        case.boons + case.cover_boons,
        is_complex,
        purpose,
    )


def _attack_roll(combat: Combat, case: Case, blow: Blow) -> RollDue:
    assert case.target is not None
    attacker, target = combat.get(case.who), combat.get(case.target)
    modifiers = [*blow.modifiers]
    attackers = attackers_of(combat, attacker.id, target.id)
    bonus = surrounding_bonus(attackers)
    if bonus:
        words = CATALOGUE.told("ws_surrounding", count=attackers, target=target.label)
        modifiers.append(Modifier(ModifierType.SITUATION, bonus, words, SURROUNDING))
    if attacker.distracted:
        words = CATALOGUE.told("ws_distracted", count=attacker.distracted)
        modifiers.append(Modifier(ModifierType.CONDITION, -attacker.distracted, words, CONDITIONS))
    if blow.is_non_lethal and not blow.is_subdued:
        words = CATALOGUE.told("ws_non_lethal")
        modifiers.append(Modifier(ModifierType.UNTYPED, NON_LETHAL_PENALTY, words, NON_LETHAL))
    boons, net = [_typed_boons(blow.boons)], blow.boons
    if blow.test is TestKind.ATTACK:
        steps = COVER_STEPS[blow.cover]
        net -= shelter(blow.cover, is_concealed=blow.is_concealed).attack_banes
        if steps:
            boons.append(_boon(-steps, "ws_bane_cover", target=target.label, degree=blow.cover.words))
        if blow.is_concealed:
            boons.append(_boon(-1, "ws_bane_concealed", target=target.label))
    purpose = CATALOGUE.message("ws_for_attack", who=attacker.label, target=target.label, name=blow.name)
    is_complex = blow.test is TestKind.ATTACK
    return _due(combat, attacker.id, case.skill, case.rank, modifiers, boons, net, is_complex, purpose)


def _answer(combat: Combat, case: Case) -> RollDue:
    assert case.target is not None
    attacker, defender = combat.get(case.who), combat.get(case.target)
    modifiers = [*case.answer_modifiers]
    if case.blow is not None:
        if defender.exposed:
            words = CATALOGUE.told("ws_exposed", count=defender.exposed)
            modifiers.append(Modifier(ModifierType.CONDITION, -defender.exposed, words, CONDITIONS))
        purpose = CATALOGUE.message("ws_for_defence", who=defender.label, by=attacker.label, skill=case.answer_skill)
    elif case.purpose is Purpose.SEEK:
        purpose = CATALOGUE.message("ws_for_unseen", who=defender.label, by=attacker.label)
    else:
        purpose = CATALOGUE.message("ws_for_opposed", who=defender.label, name=case.name, skill=case.answer_skill)
    is_complex = case.blow is not None and case.blow.test is TestKind.ATTACK
    boons = [_typed_boons(case.answer_boons)]
    return _due(
        combat,
        defender.id,
        case.answer_skill,
        case.answer_rank,
        modifiers,
        boons,
        case.answer_boons,
        is_complex,
        purpose,
    )


def _due(
    combat: Combat,
    who: str,
    skill: str,
    rank: int,
    modifiers: list[Modifier] | tuple[Modifier, ...],
    boon_reasons: list[Reason | None] | tuple[Reason | None, ...],
    boons: int,
    is_complex: bool,
    purpose: Message,
) -> RollDue:
    """Put a roll together; being Weary counts on every one, where the table says that it does."""
    settings = combat.settings
    if combat.get(who).is_weary and settings.weary_penalty:
        words = CATALOGUE.told("ws_weary")
        weary = Modifier(ModifierType.CONDITION, -settings.weary_penalty, words, CONDITIONS)
        modifiers = [*modifiers, weary]
    tn, reasons = target_number(skill, rank, modifiers)
    told = [reason for reason in boon_reasons if reason is not None]
    if told:
        code = "ws_net_boons" if boons > 0 else "ws_net_banes" if boons < 0 else "ws_even"
        told.append(_boon(boons, code) if boons else CATALOGUE.reason(code, COVER))
    dice = 1 + abs(boons) if settings.boons is BoonMode.EXTRA_D20 else 1
    return RollDue(who, skill, tn, boons, dice, is_complex, purpose, (*reasons, *told))


def _typed_boons(boons: int) -> Reason | None:
    if boons == 0:
        return None
    return CATALOGUE.reason("ws_typed_boons" if boons > 0 else "ws_typed_banes", GAME_MASTER, count=abs(boons))


def _boon(boons: int, code: str, **gaps: str) -> Reason:
    return CATALOGUE.reason(code, COVER, None, count=abs(boons), **gaps)
