"""World Saga: Opposed and Conflict attacks, non-lethal ones, shooting in melee."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.grid import SquareBoard
from rules.world_saga import odds
from rules.world_saga.actions import (
    Adjust,
    Attack,
    DeclineStrike,
    EndTurn,
    Roll,
    SetEngaged,
    TakeStrike,
    TellConflict,
    TellEndured,
    TellNumber,
)
from rules.world_saga.combat import Event, legal_actions, pending
from rules.world_saga.d20 import read
from rules.world_saga.rolls import roll_due
from rules.world_saga.state import Blow, BoonMode, Stage, TestKind
from tests.rules.world_saga.blows import FIRE, codes

# Opposed and Conflict


def test_an_opposed_attack_is_decided_by_the_higher_success(duel: Any) -> None:
    blow = Blow(name="Grapple", test=TestKind.OPPOSED)
    duel.do(Attack("ann", "orc", blow))
    assert pending(duel.combat).chance == odds.opposed_chance(12, 10)
    assert pending(duel.combat).winning_faces == ()
    ruling = duel.do(Roll((9,)))
    assert ruling.outcome.event is Event.DEFENCE_DUE
    assert "ws_degree" not in codes(ruling.reasons)
    assert pending(duel.combat).chance == 1 - odds.opposed_chance_after(read(12, 9), 10)
    ruling = duel.do(Roll((8,)))
    assert ruling.outcome.event is Event.WON
    assert codes(ruling.reasons)[-2:] == ["ws_opposed", "ws_effect_open"]


def test_even_a_failed_roll_is_answered_in_an_opposed_attack(duel: Any) -> None:
    duel.do(Attack("ann", "orc", Blow(test=TestKind.OPPOSED)))
    assert duel.do(Roll((13,))).outcome.event is Event.DEFENCE_DUE
    assert duel.do(Roll((15,))).outcome.event is Event.LOST


@pytest.mark.parametrize(("face", "event"), [(12, Event.WON), (13, Event.LOST)])
def test_nobody_unconscious_opposes(fighting: Any, pc: Any, npc: Any, face: int, event: Event) -> None:
    play = fighting(pc("ann"), npc("orc", is_unconscious=True), npc("elk"))
    play.do(Attack("ann", "orc", Blow(test=TestKind.OPPOSED)))
    assert play.do(Roll((face,))).outcome.event is event
    assert play.combat.cases == ()


@pytest.mark.parametrize(("side", "boons"), [("boons", 1), ("defence_boons", -1)])
def test_boons_of_either_side_are_in_the_chance(fighting: Any, pc: Any, npc: Any, side: str, boons: int) -> None:
    blow = Blow(test=TestKind.OPPOSED, **{side: boons})
    told = fighting(pc("ann"), npc("orc"))
    told.do(Attack("ann", "orc", blow))
    assert pending(told.combat).chance is None
    thrown = fighting(pc("ann"), npc("orc"), boons=BoonMode.EXTRA_D20)
    thrown.do(Attack("ann", "orc", blow))
    attacker, defender = (boons, 0) if side == "boons" else (0, boons)
    expected = odds.opposed_chance(12, 10, attacker_boons=attacker, defender_boons=defender)
    assert pending(thrown.combat).chance == expected


@pytest.mark.parametrize(("winner", "event"), [("ann", Event.WON), ("orc", Event.LOST)])
def test_who_wins_a_conflict_the_table_tells(duel: Any, winner: str, event: Event) -> None:
    """The Conflict Test is not in the public text."""
    duel.do(Attack("ann", "orc", Blow(name="Insult", test=TestKind.CONFLICT, defence_skill="Resolve")))
    assert pending(duel.combat).purpose.text == "Who wins the Conflict Test Insult against orc"
    assert legal_actions(duel.combat) == (TellConflict,)
    assert duel.refused(TellConflict("elk")) == "ws_no_winner"
    assert duel.refused(Roll((3,))) == "ws_not_that"
    ruling = duel.do(TellConflict(winner, "strong"))
    assert ruling.outcome.event is event
    assert ruling.reasons[0].text == f"The table says that {winner} wins the Conflict with degree strong."
    assert duel.combat.cases == ()


# Non-lethal


def weary_orc(fighting: Any, pc: Any, npc: Any, **more: Any) -> Any:
    orc = npc("orc", **{"stamina": 2, "is_weary": True, **more})
    play = fighting(pc("ann"), orc, npc("elk"))
    play.do(Attack("ann", "orc", Blow(is_non_lethal=True)), Roll((5,)), Roll((19,)))
    return play


@pytest.mark.parametrize(
    ("face", "event", "unconscious"),
    [(10, Event.STAYS_UP, False), (11, Event.KNOCKED_OUT, True), (20, Event.KNOCKED_OUT, True)],
)
def test_the_weary_test_resilience_against_a_non_lethal_attack(
    fighting: Any, pc: Any, npc: Any, face: int, event: Event, unconscious: bool
) -> None:
    """World Saga, Non-Lethal Attacks: "must succeed on a Basic Resilience Test, or they are ... unconscious"."""
    play = weary_orc(fighting, pc, npc)
    ruling = play.do(TellNumber(5))
    assert ruling.outcome.event is Event.RESILIENCE_DUE
    assert ruling.reasons[-1].code == "ws_knockout_test"
    assert (play["orc"].stamina, play["orc"].wounds) == (0, 0)
    asked = pending(play.combat)
    assert asked.who == "orc"
    assert asked.purpose.text == "Resilience Test of orc to stay conscious"
    assert asked.chance == Fraction(1, 2)
    ruling = play.do(Roll((face,)))
    assert ruling.outcome.event is event
    assert "ws_degree" not in codes(ruling.reasons)
    assert play["orc"].is_unconscious is unconscious
    assert play.combat.cases == ()


def test_without_damage_there_is_no_resilience_test(fighting: Any, pc: Any, npc: Any) -> None:
    play = weary_orc(fighting, pc, npc)
    assert play.do(TellNumber(0)).outcome.event is Event.NO_DAMAGE
    assert play.combat.cases == ()


def test_without_a_known_rank_the_table_tells_how_the_weary_fare(fighting: Any, pc: Any, npc: Any) -> None:
    """World Saga, Non-Lethal Attacks: a hit "does not cause the opponent to take the Endure Wounds reaction"."""
    for unconscious, event, code in (
        (True, Event.KNOCKED_OUT, "ws_knocked_out"),
        (False, Event.STAYS_UP, "ws_stays_up"),
    ):
        play = weary_orc(fighting, pc, npc, ranks=())
        ruling = play.do(TellNumber(1))
        assert ruling.outcome.event is Event.RESILIENCE_DUE
        assert ruling.reasons[-1].code == "ws_knockout_test"
        assert pending(play.combat).purpose.text == "Resilience Test of orc to stay conscious"
        ruling = play.do(TellEndured(is_unconscious=unconscious))
        assert (ruling.outcome.event, ruling.reasons[0].code) == (event, code)
        assert play["orc"].is_unconscious is unconscious


def test_the_table_may_say_that_the_weary_are_out(fighting: Any, pc: Any, npc: Any) -> None:
    play = weary_orc(fighting, pc, npc, ranks=())
    play.do(TellNumber(1))
    ruling = play.do(TellEndured(is_out=True))
    assert ruling.outcome.event is Event.ENDURED
    assert ruling.reasons[0].text == "Endure Wounds, told by the table: orc is out of the combat."


def test_the_weary_endure_wounds_after_any_other_attack(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc", is_weary=True), npc("elk"))
    play.do(Attack("ann", "orc"), Roll((5,)), Roll((19,)))
    ruling = play.do(TellNumber(1))
    assert ruling.outcome.event is Event.ENDURE_DUE
    assert pending(play.combat).purpose.text == "How Endure Wounds goes for orc"


def test_those_not_weary_take_non_lethal_damage_as_usual(fighting: Any, pc: Any, npc: Any) -> None:
    play = weary_orc(fighting, pc, npc, is_weary=False)
    assert play.do(TellNumber(1)).outcome.event is Event.DAMAGE
    play = weary_orc(fighting, pc, npc, is_weary=False)
    assert play.do(TellNumber(5)).outcome.event is Event.ENDURE_DUE
    assert play["orc"].wounds == 3


# Shooting in melee


@pytest.fixture
def brawl(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> Any:
    """Ann, whose turn it is, with an orc and an elk beside her and a bandit far away."""
    return fighting(
        pc("ann", place=(2, 2)),
        npc("orc", place=(3, 3), strike_cost=2),
        npc("elk", place=(1, 1)),
        npc("bandit", place=(9, 9)),
        board=field,
    )


def test_the_engaged_may_strike_before_the_shot(brawl: Any) -> None:
    """World Saga, Shooting in Melee: "an immediate Strike action (paying the normal Stamina cost)"."""
    ruling = brawl.do(Attack("ann", "bandit", FIRE))
    assert codes(ruling.reasons) == ["ws_attacks", "ws_may_strike", "ws_may_strike"]
    assert legal_actions(brawl.combat) == (TakeStrike, DeclineStrike)
    asked = pending(brawl.combat)
    assert asked.who == "orc"
    assert asked.purpose.text == "Whether to Strike at ann: orc, elk"
    assert brawl.refused(Roll((3,))) == "ws_not_that"
    assert brawl.refused(TakeStrike("bandit")) == "ws_no_strike"
    assert brawl.refused(TakeStrike("orc", FIRE)) == "ws_strike_only"
    assert brawl.refused(EndTurn("ann")) == "ws_roll_due"

    ruling = brawl.do(TakeStrike("orc"))
    assert "ws_pays" in codes(ruling.reasons)
    assert brawl["orc"].stamina == 8
    assert roll_due(brawl.combat).who == "orc"
    brawl.do(Roll((19,)))
    # The elk may still Strike.
    assert pending(brawl.combat).who == "elk"
    brawl.do(DeclineStrike("elk"))
    assert roll_due(brawl.combat).who == "ann"
    assert roll_due(brawl.combat).purpose.text == "Attack Roll of ann against bandit (Fire)"
    assert brawl.do(Roll((19,))).outcome.event is Event.MISS
    assert brawl.current == "ann"


def test_a_shooter_knocked_out_loses_the_shot(brawl: Any) -> None:
    brawl.do(Adjust(replace(brawl["ann"], stamina=0)))
    brawl.combat = replace(
        brawl.combat, combatants=(*brawl.combat.combatants, replace(brawl["ann"], id="bo", place=None))
    )
    brawl.do(Attack("ann", "bandit", FIRE), TakeStrike("orc"), Roll((5,)), Roll((19,)), TellNumber(4))
    ruling = brawl.do(TellEndured(4, is_unconscious=True))
    assert "ws_shot_lost" in codes(ruling.reasons)
    assert brawl.combat.cases == ()
    assert brawl["bandit"].stamina == 10
    assert brawl.current == "orc"


def test_declining_everything_leaves_the_shot(brawl: Any) -> None:
    assert brawl.do(Attack("ann", "bandit", FIRE), DeclineStrike("orc")).outcome.event is Event.DECLINED
    assert brawl.refused(DeclineStrike("orc")) == "ws_no_strike"
    brawl.do(DeclineStrike("elk"))
    assert brawl.combat.cases[-1].stage is Stage.ROLL


def test_who_is_no_longer_engaged_or_able_loses_the_chance(brawl: Any) -> None:
    brawl.do(Attack("ann", "bandit", FIRE))
    brawl.do(SetEngaged("ann", "orc", False))
    assert brawl.combat.cases[-1].offered == ("elk",)
    brawl.do(Adjust(replace(brawl["elk"], is_unconscious=True)))
    assert roll_due(brawl.combat).who == "ann"


def test_nobody_strikes_at_who_is_not_engaged_or_does_not_shoot(brawl: Any) -> None:
    brawl.do(Attack("ann", "orc"))
    assert roll_due(brawl.combat).who == "ann"
    brawl.do(Roll((19,)), EndTurn("ann"), EndTurn("orc"), EndTurn("elk"), Attack("bandit", "ann", FIRE))
    assert roll_due(brawl.combat).who == "bandit"


def test_a_conflict_shot_in_melee_is_told_after_the_strikes(brawl: Any) -> None:
    blow = Blow(name="Curse", is_ranged=True, test=TestKind.CONFLICT)
    brawl.do(Attack("ann", "bandit", blow), DeclineStrike("orc"), DeclineStrike("elk"))
    assert legal_actions(brawl.combat) == (TellConflict,)


# Stamina


@pytest.mark.parametrize(
    ("blow", "stamina", "left"),
    [
        (Blow(), 10, 7),
        (Blow(), 3, 0),
        (Blow(stamina_cost=1), 10, 9),
        (Blow(stamina_cost=0), 0, 0),
        (FIRE, 10, 10),
        (replace(FIRE, stamina_cost=2), 10, 8),
        (Blow(), None, None),
    ],
)
def test_attacks_cost_stamina(fighting: Any, pc: Any, npc: Any, blow: Blow, stamina: Any, left: Any) -> None:
    play = fighting(pc("ann", stamina=stamina, strike_cost=3), npc("orc"))
    play.do(Attack("ann", "orc", blow))
    assert play["ann"].stamina == left


def test_who_cannot_pay_cannot_attack(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann", stamina=2, strike_cost=3), npc("orc"))
    assert play.refused(Attack("ann", "orc")) == "ws_no_stamina"
    assert play.combat.turn.action_left
