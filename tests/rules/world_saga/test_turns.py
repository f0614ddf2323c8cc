from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.world_saga.actions import (
    ActNow,
    Adjust,
    Attack,
    Begin,
    ChooseOrder,
    DealCard,
    Delay,
    EndCombat,
    EndTurn,
    Join,
    NextRound,
    Roll,
    RollInitiative,
)
from rules.world_saga.combat import Event, legal_actions, pending
from rules.world_saga.state import InitiativeMode, Phase

CARDS, ONCE = InitiativeMode.CARDS, InitiativeMode.ONCE


def rounds(play: Any, *faces: tuple[str, int]) -> None:
    """Roll initiative."""
    play.do(*[RollInitiative(who, face) for who, face in faces])


def test_everybody_rolls_and_the_highest_acts_first(setting_up: Any, pc: Any, npc: Any) -> None:
    """World Saga, Rolling Initiative."""
    play = setting_up(pc("ann", reflexes=10), npc("orc", reflexes=6), npc("wolf", reflexes=7))
    play.do(Begin())
    assert play.combat.phase is Phase.INITIATIVE
    assert play.combat.round == 1
    asked = pending(play.combat)
    assert asked.who == "ann"
    assert [(need.count, need.sides, need.role) for need in asked.dice] == [(1, 20, "initiative")]
    assert asked.purpose.text == "Initiative for ann: 1d20 + Reflexes 10"
    assert asked.chance is None
    assert asked.steps[0].text == "Throw one d20."
    assert [step.code for step in asked.steps[1:3]] == ["ws_with_six_sided", "throw_for_half"]
    ruling = play.do(RollInitiative("orc", 9))
    assert ruling.reasons[0].text == "orc: 9 + Reflexes 6 = 15."
    rounds(play, ("ann", 5), ("wolf", 15))
    assert play.combat.order == ("wolf", "ann", "orc")
    assert play.current == "wolf"
    assert pending(play.combat) is None
    play.do(EndTurn("wolf"), EndTurn("ann"))
    assert play.current == "orc"


def test_a_new_round_rolls_anew(duel: Any) -> None:
    duel.do(EndTurn("ann"))
    ruling = duel.do(EndTurn("orc"))
    assert ruling.outcome.event is Event.TURN
    assert [reason.code for reason in ruling.reasons] == ["ws_turn_over", "ws_round_over"]
    assert duel.combat.round == 2
    assert duel.combat.phase is Phase.INITIATIVE
    rounds(duel, ("ann", 3), ("orc", 4))
    assert duel.current == "orc"


def test_tied_players_choose(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann", reflexes=9), pc("bo", reflexes=7), npc("orc", reflexes=5))
    play.do(Begin())
    rounds(play, ("ann", 8), ("bo", 10), ("orc", 12))
    assert play.combat.phase is Phase.CHOICE
    assert play.combat.choices == (("ann", "bo"),)
    assert legal_actions(play.combat) == (ChooseOrder,)
    assert pending(play.combat).purpose.text == "The order of ann and bo, who tie: the players choose"
    assert play.refused(ChooseOrder(("ann",))) == "ws_wrong_choice"
    assert play.refused(ChooseOrder(("ann", "ann"))) == "ws_wrong_choice"
    assert play.refused(EndTurn("ann")) == "ws_choice_due"
    play.do(ChooseOrder(("bo", "ann")))
    assert play.combat.order == ("bo", "ann", "orc")
    assert play.refused(ChooseOrder(("bo", "ann"))) == "ws_no_choice"


def test_two_ties_are_chosen_one_after_the_other(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("a"), pc("b"), pc("c"), pc("d"), npc("orc"))
    play.do(Begin())
    rounds(play, ("a", 5), ("b", 9), ("c", 5), ("d", 9), ("orc", 1))
    play.do(ChooseOrder(("d", "b")))
    assert play.combat.phase is Phase.CHOICE
    play.do(ChooseOrder(("c", "a")))
    assert play.combat.order == ("d", "b", "c", "a", "orc")


def test_a_group_rolls_once_and_acts_one_after_the_other(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(npc("w1", group="wolves"), pc("ann"), npc("w2", group="wolves", reflexes=2))
    play.do(Begin())
    assert pending(play.combat).who == "wolves"
    assert play.refused(RollInitiative("w1", 3)) == "ws_no_initiative_due"
    rounds(play, ("wolves", 10), ("ann", 5))
    assert play.combat.order == ("w1", "w2", "ann")


def test_rolled_once_the_order_stands(setting_up: Any, pc: Any, npc: Any) -> None:
    """World Saga, Alternative Initiative Options: "roll once for the beginning of combat"."""
    play = setting_up(pc("ann"), pc("bo"), npc("orc"), initiative=ONCE)
    play.do(Begin())
    rounds(play, ("ann", 8), ("bo", 8), ("orc", 12))
    play.do(ChooseOrder(("bo", "ann")))
    play.do(EndTurn("orc"), EndTurn("bo"))
    ruling = play.do(EndTurn("ann"))
    assert play.combat.round == 2
    assert play.combat.order == ("orc", "bo", "ann")
    assert "ws_same_order" in [reason.code for reason in ruling.reasons]
    # Who joins has a place from the next round on and rolls for it alone.
    play.do(Join(pc("cy")))
    assert play.combat.order == ("orc", "bo", "ann")
    play.do(EndTurn("orc"), EndTurn("bo"), EndTurn("ann"))
    assert play.combat.phase is Phase.INITIATIVE
    assert pending(play.combat).who == "cy"
    rounds(play, ("cy", 15))
    play.do(ChooseOrder(("ann", "bo")))
    assert play.combat.order == ("cy", "orc", "ann", "bo")


def test_cards_are_dealt_anew_each_round(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann", reflexes=10), npc("orc", reflexes=12), pc("bo"), initiative=CARDS)
    play.do(Begin())
    asked = pending(play.combat)
    assert asked.dice == ()
    assert asked.purpose.text == "An action card for ann"
    assert legal_actions(play.combat) == (DealCard,)
    assert play.refused(RollInitiative("ann", 3)) == "ws_cards_played"
    assert play.refused(DealCard("ann", "1S")) == "ws_no_such_card"
    ruling = play.do(DealCard("ann", "9c"))
    assert ruling.reasons[0].text == "ann is dealt 9 of Clubs."
    assert play.refused(DealCard("orc", "9C")) == "ws_card_dealt"
    assert play.refused(DealCard("ann", "8C")) == "ws_no_initiative_due"
    play.do(DealCard("orc", "9S"), DealCard("bo", "J*R"))
    assert play.combat.order == ("bo", "orc", "ann")
    play.do(EndTurn("bo"), EndTurn("orc"), EndTurn("ann"))
    assert play.combat.scores == ()
    play.do(DealCard("ann", "9C"))


def test_cards_are_for_card_combats(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann"), npc("orc"))
    play.do(Begin())
    assert legal_actions(play.combat) == (RollInitiative,)
    assert play.refused(DealCard("ann", "9C")) == "ws_dice_played"
    assert play.refused(RollInitiative("ann", 0)) == "ws_no_face"
    assert play.refused(RollInitiative("ann", 21)) == "ws_no_face"
    assert play.refused(RollInitiative("who", 3)) == "ws_no_initiative_due"
    assert play.refused(EndTurn("ann")) == "ws_initiative_due"
    assert play.refused(Roll((3,))) == "ws_initiative_due"
    play.do(RollInitiative("ann", 20), RollInitiative("orc", 1))
    assert play.refused(RollInitiative("ann", 3)) == "ws_no_initiative_due"


# Delay


def test_who_delays_acts_between_two_turns(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    assert play.do(Delay("ann")).outcome.event is Event.DELAYED
    assert play.current == "orc"
    assert play.combat.delaying == ("ann",)
    play.do(EndTurn("orc"))
    assert ActNow in legal_actions(play.combat)
    play.do(ActNow("ann"))
    assert play.current == "ann"
    assert play.combat.delaying == ()
    play.do(EndTurn("ann"))
    assert play.current == "bo"
    play.do(EndTurn("bo"))
    assert play.combat.round == 2


def test_nobody_breaks_into_a_turn_that_has_begun(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    play.do(Delay("ann"), Attack("orc", "bo"), Roll((19,)))
    assert play.refused(ActNow("ann")) == "ws_turn_begun"
    assert play.refused(Delay("orc")) == "ws_acted"
    assert ActNow not in legal_actions(play.combat)
    assert Delay not in legal_actions(play.combat)


def test_who_delays_again_waits_again(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    play.do(Delay("ann"), EndTurn("orc"), ActNow("ann"), Delay("ann"))
    assert play.current == "bo"
    assert play.combat.delaying == ("ann",)
    assert play.combat.order == ("bo",)


def test_one_who_waits_may_step_in_before_another(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), pc("bo"), npc("orc"))
    play.do(Delay("ann"), Delay("bo"), ActNow("ann"), ActNow("bo"))
    assert play.current == "bo"
    assert play.combat.delaying == ("ann",)
    play.do(EndTurn("bo"))
    assert play.current == "orc"


def test_delaying_past_the_end_of_the_round_means_no_roll_and_a_turn_at_any_time(
    fighting: Any, pc: Any, npc: Any
) -> None:
    """World Saga: "they do not roll initiative in the next round. They can take their turn anytime" in it."""
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    play.do(Delay("ann"), EndTurn("orc"), EndTurn("bo"))
    assert play.combat.phase is Phase.ROUND_END
    assert play.current is None
    assert legal_actions(play.combat) == (ActNow, NextRound)
    assert play.refused(EndTurn("bo")) == "ws_no_turn"
    ruling = play.do(NextRound())
    assert [reason.code for reason in ruling.reasons] == ["ws_round_over", "ws_floating"]
    assert play.refused(RollInitiative("ann", 9)) == "ws_no_initiative_due"
    rounds(play, ("orc", 9), ("bo", 3))
    assert play.combat.order == ("orc", "bo")
    play.do(ActNow("ann"))
    assert play.current == "ann"
    play.do(EndTurn("ann"))
    assert play.current == "orc"
    play.do(EndTurn("orc"), EndTurn("bo"))
    # Having acted, she rolls again.
    assert play.combat.phase is Phase.INITIATIVE
    assert pending(play.combat).who == "ann"


def test_the_last_may_act_after_everybody(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"))
    play.do(Delay("ann"), EndTurn("orc"), ActNow("ann"))
    assert play.current == "ann"
    play.do(EndTurn("ann"))
    assert (play.combat.round, play.combat.phase) == (2, Phase.INITIATIVE)


def test_rounds_go_by_while_everybody_waits(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"))
    play.do(Delay("ann"), Delay("orc"))
    assert play.combat.phase is Phase.ROUND_END
    play.do(NextRound())
    assert (play.combat.round, play.combat.phase) == (2, Phase.ROUND_END)
    assert play.combat.delaying == ("ann", "orc")
    play.do(ActNow("orc"), EndTurn("orc"))
    assert play.combat.phase is Phase.ROUND_END
    play.do(NextRound())
    assert pending(play.combat).who == "orc"


def test_a_delayer_keeps_the_place_of_one_roll_for_all(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann"), npc("orc"), pc("bo"), initiative=ONCE)
    play.do(Begin())
    rounds(play, ("ann", 18), ("orc", 12), ("bo", 5))
    play.do(Delay("ann"), EndTurn("orc"), EndTurn("bo"), NextRound())
    assert play.combat.order == ("orc", "bo")
    play.do(ActNow("ann"), EndTurn("ann"), EndTurn("orc"), EndTurn("bo"))
    assert play.combat.order == ("ann", "orc", "bo")


def test_a_new_roll_keeps_the_places_of_those_who_wait_or_wake(setting_up: Any, pc: Any, npc: Any) -> None:
    """Rolled once: somebody joins while ann delays and bo lies unconscious; both have their places afterwards."""
    play = setting_up(pc("ann"), npc("orc"), pc("bo", reflexes=8), initiative=ONCE)
    play.do(Begin())
    rounds(play, ("ann", 18), ("orc", 12), ("bo", 5))
    play.do(Delay("ann"), Join(pc("cy")), Adjust(replace(play["bo"], is_unconscious=True)), EndTurn("orc"), NextRound())
    rounds(play, ("cy", 2))
    assert play.combat.order == ("orc", "cy")
    play.do(ActNow("ann"), EndTurn("ann"), EndTurn("orc"), Adjust(replace(play["bo"], is_unconscious=False)))
    assert play.combat.order == ("cy",)
    play.do(EndTurn("cy"))
    assert play.combat.order == ("ann", "orc", "bo", "cy")


def test_a_group_is_not_called_like_somebody_outside_of_it(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann"), npc("w1", group="ann"))
    assert play.refused(Begin()) == "ws_group_is_somebody"
    play = setting_up(pc("ann"), npc("w1", group="w1"), npc("w2", group="w1"))
    play.do(Begin())
    assert play.refused(Join(npc("w3", group="ann"))) == "ws_group_is_somebody"
    assert play.refused(Adjust(replace(play["w2"], group="ann"))) == "ws_group_is_somebody"
    play.do(Join(npc("w3", group="w1")))


def test_regrouping_while_initiative_is_rolled_breaks_nothing(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann"), npc("w1", group="wolves"), npc("w2"))
    play.do(Begin())
    rounds(play, ("wolves", 9))
    play.do(Adjust(replace(play["w1"], group="pack")))
    assert pending(play.combat).who == "ann"
    rounds(play, ("ann", 1), ("pack", 3), ("w2", 4))
    assert play.combat.order == ("w2", "w1", "ann")


def test_who_waits_is_who_may_act_now(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    assert play.refused(ActNow("bo")) == "ws_not_delaying"
    assert play.refused(NextRound()) == "ws_round_goes_on"
    play.do(Delay("ann"))
    play.do(Adjust(replace(play["ann"], is_unconscious=True)))
    assert play.refused(ActNow("ann")) == "ws_cannot_act"
    assert ActNow not in legal_actions(play.combat)
    play.do(EndTurn("orc"), EndTurn("bo"))
    # Nobody is left to wait for, so the round is over.
    assert (play.combat.round, play.combat.phase) == (2, Phase.INITIATIVE)
    assert play.combat.delaying == ()


# Being felled, and the end


def test_who_cannot_act_is_skipped_and_does_not_roll(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    play.do(Adjust(replace(play["orc"], distracted=3)))
    play.do(Adjust(replace(play["bo"], is_unconscious=True)))
    play.do(EndTurn("ann"), EndTurn("orc"))
    assert play.combat.round == 2
    assert play["orc"].distracted == 0
    assert play.refused(RollInitiative("bo", 3)) == "ws_no_initiative_due"


def test_felled_in_ones_own_turn_the_next_one_acts(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    ruling = play.do(Adjust(replace(play["ann"], is_unconscious=True), "a trap"))
    assert play.current == "orc"
    assert [reason.code for reason in ruling.reasons] == ["ws_adjusted", "ws_turn_over", "ws_turn"]


def test_taken_out_while_initiative_is_rolled(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann"), npc("orc"), pc("bo"))
    play.do(Begin())
    rounds(play, ("ann", 8), ("orc", 12))
    play.do(Adjust(replace(play["bo"], is_out=True)))
    assert play.current == "orc"
    assert play.combat.order == ("orc", "ann")


def test_taken_out_after_rolling(setting_up: Any, pc: Any, npc: Any) -> None:
    play = setting_up(pc("ann"), npc("orc"), pc("bo"))
    play.do(Begin())
    rounds(play, ("bo", 19))
    play.do(Adjust(replace(play["bo"], is_out=True)))
    rounds(play, ("ann", 8), ("orc", 12))
    assert play.combat.order == ("orc", "ann")


def test_the_last_waiting_one_is_taken_out(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo"))
    play.do(Delay("ann"), EndTurn("orc"), EndTurn("bo"), Adjust(replace(play["ann"], is_out=True)))
    assert (play.combat.round, play.combat.phase) == (2, Phase.INITIATIVE)


def test_the_combat_is_over_when_one_side_stands(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), pc("bo", is_unconscious=True))
    ruling = play.do(Adjust(replace(play["orc"], is_out=True)))
    assert play.combat.phase is Phase.OVER
    assert play.combat.winners == ("ann",)
    assert ruling.reasons[-1].text == "The combat is over: the field belongs to ann."
    assert legal_actions(play.combat) == ()
    assert pending(play.combat) is None
    assert play.refused(EndTurn("ann")) == "ws_over"
    assert play.refused(Begin()) == "ws_begun"


def test_everybody_may_fall(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"))
    play.combat = replace(
        play.combat, combatants=tuple(replace(c, is_out=c.id == "orc") for c in play.combat.combatants)
    )
    ruling = play.do(Adjust(replace(play["ann"], is_out=True)))
    assert play.combat.winners == ()
    assert "nobody" in ruling.reasons[-1].text


def test_the_game_master_may_end_it(duel: Any) -> None:
    assert duel.do(EndCombat()).outcome.event is Event.OVER
    assert duel.combat.winners == ("ann", "orc")


def test_the_distracted_recover_at_the_end_of_their_turn(fighting: Any, pc: Any, npc: Any) -> None:
    """Conditions: Distracted is "until the turn ends"."""
    play = fighting(pc("ann", distracted=2, exposed=2), npc("orc", distracted=1))
    ruling = play.do(EndTurn("ann"))
    assert play["ann"].distracted == 0
    assert play["ann"].exposed == 2
    assert play["orc"].distracted == 1
    assert "ws_distracted_ends" in [reason.code for reason in ruling.reasons]


# Beginning


def test_what_keeps_a_combat_from_beginning(setting_up: Any, pc: Any, npc: Any) -> None:
    assert setting_up(pc("ann"), pc("bo")).refused(Begin()) == "ws_too_few"
    assert setting_up(pc("ann"), npc("orc", is_out=True)).refused(Begin()) == "ws_too_few"
    assert setting_up(pc("ann"), npc("ann")).refused(Begin()) == "ws_same_id"
    play = setting_up(pc("ann"), npc("orc"))
    assert play.refused(EndTurn("ann")) == "ws_not_begun"
    assert legal_actions(play.combat) == (Begin,)
    assert pending(play.combat) is None
    assert play.do(Begin()).outcome.event is Event.BEGUN
    assert play.refused(Begin()) == "ws_begun"


def test_two_teams_of_players_may_fight(setting_up: Any, pc: Any) -> None:
    play = setting_up(pc("ann", team="red"), pc("bo", team="blue"))
    play.do(Begin())
    rounds(play, ("ann", 3), ("bo", 9))
    assert play.current == "bo"


def test_who_joins_needs_a_name_of_its_own(duel: Any, pc: Any) -> None:
    assert duel.refused(Join(pc("ann"))) == "ws_same_id"
    assert duel.do(Join(pc("bo"))).reasons[0].code == "ws_joins"
    assert duel.combat.order == ("ann", "orc")
    duel.do(EndTurn("ann"), EndTurn("orc"))
    rounds(duel, ("ann", 1), ("orc", 2), ("bo", 3))
    assert duel.current == "bo"


@pytest.mark.parametrize(
    "wrong", [{"group": "g"}, {"stamina": -1}, {"speed": -1}, {"distracted": -2}, {"exposed": -1}, {"wounds": -1}]
)
def test_impossible_combatants_are_refused(pc: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="'ann'"):
        pc("ann", **wrong)
