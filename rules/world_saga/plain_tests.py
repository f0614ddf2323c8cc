"""Tests without the Attack trait: what each begins with, and whether it takes the Action of the turn.

Rule: World Saga, Test Types; Combat Mode, Detection and Hidden, Concealment and Cover, Fear Tests.
"""

from __future__ import annotations

from typing import assert_never

from rules.world_saga.actions import AreaReflexes, FearTest, Hide, Seek, Test
from rules.world_saga.attacks import known_rank
from rules.world_saga.hiding import HiddenBy, Hiding, shelter
from rules.world_saga.state import INVESTIGATE, REFLEXES, RESOLVE, STEALTH, Case, Combat, Purpose, Stage, TestKind

Begun = Test | AreaReflexes | Hide | Seek | FearTest
"""The actions that begin such a test."""


def takes_action(action: Begun) -> bool:
    """Say whether a test is the Action of its turn; against fear and area effects it is rolled at any time."""
    return action.takes_action if isinstance(action, Test) else isinstance(action, Hide | Seek)


def case_of(combat: Combat, action: Begun) -> Case:
    """Return the test that an action begins, before its first roll; `check` has let the action pass."""
    match action:
        case Test():
            return _test(combat, action)
        case AreaReflexes():
            return Case(
                purpose=Purpose.TEST,
                stage=Stage.ROLL,
                who=action.who,
                name="Area effect",
                skill=REFLEXES,
                rank=combat.get(action.who).reflexes,
                modifiers=action.modifiers,
                boons=action.boons,
                cover_boons=shelter(action.cover, is_concealed=False).area_reflex_boons,
            )
        case Hide():
            return _hide(combat, action)
        case Seek():
            return _seek(combat, action)
        case FearTest():
            return Case(
                purpose=Purpose.FEAR,
                stage=Stage.ROLL,
                who=action.who,
                name="Fear Test",
                kind=TestKind.COMPLEX if action.is_complex else TestKind.BASIC,
                skill=RESOLVE,
                rank=known_rank(combat.get(action.who), RESOLVE, action.rank),
                modifiers=action.modifiers,
                boons=action.boons,
                courage=action.courage,
            )
        case _:
            assert_never(action)


def _test(combat: Combat, action: Test) -> Case:
    against = None if action.against is None else combat.get(action.against)
    return Case(
        purpose=Purpose.TEST,
        stage=Stage.ROLL,
        who=action.who,
        target=action.against,
        name=action.name,
        kind=action.kind,
        skill=action.skill,
        rank=known_rank(combat.get(action.who), action.skill, action.rank),
        modifiers=action.modifiers,
        boons=action.boons,
        answer_skill=action.against_skill,
        answer_rank=0 if against is None else known_rank(against, action.against_skill, action.against_rank),
        answer_modifiers=action.against_modifiers,
        answer_boons=action.against_boons,
    )


def _hide(combat: Combat, action: Hide) -> Case:
    """Begin to hide.

    Reading: who has cover besides haze or darkness is hidden by those, for whoever walks round the cover meets them.
    """
    who = combat.get(action.who)
    place = shelter(action.cover, is_concealed=action.is_concealed, is_dark=action.is_dark)
    by = HiddenBy.CONCEALMENT if action.is_concealed else HiddenBy.LIGHT if action.is_dark else HiddenBy.COVER
    return Case(
        purpose=Purpose.HIDE,
        stage=Stage.ROLL,
        who=action.who,
        name="Hide",
        skill=STEALTH,
        rank=known_rank(who, STEALTH, action.rank),
        modifiers=action.modifiers,
        boons=action.boons,
        cover_boons=place.hide_boons,
        hiding=Hiding(by, who.hiding.unaware if who.hiding is not None else ()),
    )


def _seek(combat: Combat, action: Seek) -> Case:
    return Case(
        purpose=Purpose.SEEK,
        stage=Stage.ROLL,
        who=action.who,
        target=action.target,
        name="Seek",
        kind=TestKind.OPPOSED,
        skill=INVESTIGATE,
        rank=known_rank(combat.get(action.who), INVESTIGATE, action.rank),
        modifiers=action.modifiers,
        boons=action.boons,
        answer_skill=STEALTH,
        answer_rank=known_rank(combat.get(action.target), STEALTH, action.target_rank),
        answer_modifiers=action.target_modifiers,
        answer_boons=action.target_boons,
    )
