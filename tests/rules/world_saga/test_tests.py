from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.grid import SquareBoard
from rules.sight import Degree as CoverDegree
from rules.world_saga import odds
from rules.world_saga.actions import (
    Adjust,
    AreaReflexes,
    Attack,
    EndTurn,
    FearTest,
    Hide,
    Reveal,
    Roll,
    Seek,
    SetEngaged,
    SetHidden,
    Stride,
    TellNumber,
    Test,
)
from rules.world_saga.combat import Event, legal_actions, pending
from rules.world_saga.hiding import HiddenBy, Hiding
from rules.world_saga.modifiers import Modifier, ModifierType
from rules.world_saga.rolls import roll_due
from rules.world_saga.state import BoonMode, TestKind

UNTYPED = ModifierType.UNTYPED


def codes(reasons: Any) -> list[str]:
    return [reason.code for reason in reasons]


@pytest.mark.parametrize(("face", "event"), [(8, Event.SUCCEEDED), (9, Event.FAILED)])
def test_a_basic_test_takes_the_action(duel: Any, face: int, event: Event) -> None:
    duel.do(Test(who="ann", name="Recall", skill="Investigate"))
    assert pending(duel.combat).purpose.text == "Recall: Investigate Test of ann"
    ruling = duel.do(Roll((face,)))
    assert ruling.outcome.event is event
    assert "ws_degree" not in codes(ruling.reasons)
    assert duel.refused(Test(who="ann", name="Recall", skill="Investigate")) == "ws_no_action"


def test_a_complex_test_tells_its_degree(duel: Any) -> None:
    modifiers = (Modifier(UNTYPED, 2, "help"),)
    duel.do(
        Test(who="ann", name="Climb", skill="Athletics", rank=9, kind=TestKind.COMPLEX, modifiers=modifiers, boons=1)
    )
    due = roll_due(duel.combat)
    assert (due.tn, due.boons) == (11, 1)
    ruling = duel.do(Roll((10,)))
    assert codes(ruling.reasons)[-1] == "ws_degree"
    assert ruling.outcome.result.degree == "strong"


@pytest.mark.parametrize(("answer", "event"), [(6, Event.WON), (8, Event.LOST), (15, Event.WON)])
def test_an_opposed_test_is_answered(duel: Any, answer: int, event: Event) -> None:
    duel.do(
        Test(
            who="ann",
            name="Trick",
            skill="Stealth",
            kind=TestKind.OPPOSED,
            against="orc",
            against_skill="Investigate",
            against_modifiers=(Modifier(UNTYPED, 1, "wary"),),
        )
    )
    assert pending(duel.combat).purpose.text == "Trick: opposed Stealth Test of ann"
    assert pending(duel.combat).chance == odds.opposed_chance(13, 9)
    duel.do(Roll((7,)))
    due = roll_due(duel.combat)
    assert (due.who, due.tn, due.purpose.text) == ("orc", 9, "Trick: opposed Investigate Test of orc")
    assert duel.do(Roll((answer,))).outcome.event is event
    assert duel.combat.cases == ()


def test_reactions_are_tested_at_any_time(duel: Any) -> None:
    duel.do(Test(who="orc", name="Dodge", skill="Reflexes", takes_action=False))
    duel.do(Roll((3,)))
    assert duel.current == "ann"
    assert duel.combat.turn.action_left
    assert not duel.combat.turn.has_begun
    duel.do(Test(who="ann", name="Dodge", skill="Reflexes", takes_action=False), Roll((3,)))
    assert duel.combat.turn.action_left


def test_what_cannot_be_tested(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc", ranks=()), npc("down", is_unconscious=True))

    def opposed(**more: Any) -> Test:
        return Test(who="ann", name="x", skill="Stealth", kind=TestKind.OPPOSED, against_skill="Stealth", **more)

    assert play.refused(Test(who="orc", name="x", skill="Stealth")) == "ws_not_your_turn"
    assert play.refused(Test(who="orc", name="x", skill="Stealth", takes_action=False)) == "ws_no_rank"
    assert play.refused(Test(who="down", name="x", skill="Stealth", takes_action=False)) == "ws_cannot_act"
    assert play.refused(Test(who="who", name="x", skill="Stealth", takes_action=False)) == "ws_unknown"
    assert play.refused(Test(who="ann", name="x", skill="Cooking")) == "ws_no_rank"
    assert play.refused(opposed(against="ann")) == "ws_own_target"
    assert play.refused(opposed(against="orc")) == "ws_no_rank"
    assert play.refused(opposed(against="down")) == "ws_cannot_act"
    assert play.refused(opposed(against="who")) == "ws_unknown"
    play.do(opposed(against="orc", against_rank=4))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": TestKind.ATTACK},
        {"kind": TestKind.CONFLICT},
        {"kind": TestKind.OPPOSED},
        {"kind": TestKind.BASIC, "against": "orc"},
    ],
)
def test_impossible_tests_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"Basic, Complex or Opposed|against somebody"):
        Test(who="ann", name="x", skill="Stealth", **wrong)


@pytest.mark.parametrize(("cover", "boons"), [(CoverDegree.NONE, 0), (CoverDegree.COVER, 1), (CoverDegree.GREATER, 2)])
def test_cover_helps_against_area_effects(duel: Any, cover: CoverDegree, boons: int) -> None:
    """World Saga, Concealment and Cover: "a Boon on Reflexes to avoid area of effect attacks"."""
    duel.do(AreaReflexes(who="orc", cover=cover, modifiers=(Modifier(UNTYPED, -1, "ice"),)))
    due = roll_due(duel.combat)
    assert (due.who, due.skill, due.tn, due.boons) == ("orc", "Reflexes", 9, boons)
    assert duel.do(Roll((9,))).outcome.event is Event.SUCCEEDED
    assert duel.refused(AreaReflexes(who="who")) == "ws_unknown"


def test_boons_of_the_table_come_on_top(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), boons=BoonMode.EXTRA_D20)
    play.do(AreaReflexes(who="ann", cover=CoverDegree.COVER, boons=1))
    assert roll_due(play.combat).dice == 3
    assert codes(roll_due(play.combat).reasons) == ["ws_rank", "ws_typed_boons", "ws_boon_cover", "ws_net_boons"]
    assert pending(play.combat).chance == Fraction(7, 8)


@pytest.mark.parametrize("action", [FearTest(who="ann", courage=1), AreaReflexes(who="ann")])
def test_what_befalls_somebody_takes_no_action(duel: Any, action: FearTest | AreaReflexes) -> None:
    duel.do(action, Roll((1,)))
    assert duel.combat.turn.action_left
    assert not duel.combat.turn.has_begun


# Hide and Seek


@pytest.mark.parametrize(
    ("hide", "by", "boons"),
    [
        ({"cover": CoverDegree.COVER}, HiddenBy.COVER, 1),
        ({"cover": CoverDegree.GREATER, "is_concealed": True}, HiddenBy.CONCEALMENT, 2),
        ({"cover": CoverDegree.COVER, "is_dark": True}, HiddenBy.LIGHT, 1),
        ({"is_concealed": True, "is_dark": True}, HiddenBy.CONCEALMENT, 0),
        ({"is_dark": True}, HiddenBy.LIGHT, 0),
    ],
)
def test_hide_needs_something_to_hide_by(duel: Any, hide: dict[str, Any], by: HiddenBy, boons: int) -> None:
    """World Saga, Detection and Hidden: "Hidden due to Concealment or the lighting, simply moving will not reveal"."""
    assert duel.refused(Hide(who="ann")) == "ws_no_hiding_place"
    duel.do(Hide(who="ann", **hide))
    due = roll_due(duel.combat)
    assert (due.tn, due.boons, due.purpose.text) == (13, boons, "Hide: Stealth Test of ann")
    ruling = duel.do(Roll((13,)))
    assert ruling.outcome.event is Event.HIDDEN
    assert duel["ann"].hiding == Hiding(by)
    assert not duel.combat.turn.action_left


def test_a_failed_hide_hides_nobody(duel: Any) -> None:
    duel.do(Hide(who="ann", cover=CoverDegree.COVER, rank=9, modifiers=(Modifier(UNTYPED, -2, "loud"),), boons=-1))
    assert (roll_due(duel.combat).tn, roll_due(duel.combat).boons) == (7, 0)
    ruling = duel.do(Roll((8,)))
    assert ruling.outcome.event is Event.FAILED
    assert codes(ruling.reasons)[-1] == "ws_hide_fails"
    assert duel["ann"].hiding is None


def test_hiding_anew_keeps_who_was_unaware(duel: Any) -> None:
    duel.do(SetHidden("ann", HiddenBy.COVER, ("orc",)))
    duel.do(Hide(who="ann", is_dark=True), Roll((3,)))
    assert duel["ann"].hiding == Hiding(HiddenBy.LIGHT, ("orc",))


@pytest.fixture
def hunt(fighting: Any, pc: Any, npc: Any) -> Any:
    """Ann's turn; an orc hidden by cover, an elk hidden by fog, a lurker that she does not know of."""
    return fighting(
        pc("ann"),
        npc("orc", hiding=Hiding(HiddenBy.COVER)),
        npc("elk", hiding=Hiding(HiddenBy.CONCEALMENT)),
        npc("lurker", hiding=Hiding(HiddenBy.COVER, unaware=("ann",))),
        npc("plain", ranks=()),
    )


def test_seek_is_opposed_by_stealth(hunt: Any) -> None:
    """World Saga, Detection and Hidden; Seek: Investigate against Stealth."""
    hunt.do(Seek(who="ann", target="orc", modifiers=(Modifier(UNTYPED, 2, "lamp"),)))
    assert pending(hunt.combat).purpose.text == "Seek: Investigate Test of ann for orc"
    assert pending(hunt.combat).chance == odds.opposed_chance(10, 13)
    hunt.do(Roll((9,)))
    assert pending(hunt.combat).purpose.text == "Stealth Test of orc to stay hidden from ann"
    ruling = hunt.do(Roll((8,)))
    assert ruling.outcome.event is Event.FOUND
    assert ruling.reasons[-1].text == "ann finds orc."
    assert hunt["orc"].hiding.located_by == ("ann",)
    assert hunt.refused(Reveal("ann", "orc")) == "ws_not_hidden"
    hunt.do(EndTurn("ann"))
    assert hunt.refused(Seek(who="ann", target="orc")) == "ws_not_your_turn"


def test_a_failed_seek_leaves_no_target(hunt: Any) -> None:
    """Detection and Hidden: "If they fail, they cannot target the opponent with Actions"."""
    hunt.do(Seek(who="ann", target="orc"), Roll((5,)))
    ruling = hunt.do(Roll((6,)))
    assert ruling.outcome.event is Event.FAILED
    assert ruling.reasons[-1].code == "ws_not_found"
    assert hunt["orc"].hiding == Hiding(HiddenBy.COVER)
    assert hunt.refused(Attack("ann", "orc")) == "ws_no_action"


def test_who_cannot_be_sought(hunt: Any) -> None:
    assert hunt.refused(Seek(who="ann", target="lurker")) == "ws_unknown_presence"
    assert hunt.refused(Seek(who="ann", target="plain")) == "ws_not_hidden"
    assert hunt.refused(Seek(who="ann", target="who")) == "ws_unknown"
    assert hunt.refused(Attack("ann", "orc")) == "ws_unlocated"
    hunt.do(SetHidden("plain", HiddenBy.COVER))
    assert hunt.refused(Seek(who="ann", target="plain")) == "ws_no_rank"
    hunt.do(Seek(who="ann", target="plain", target_rank=6, target_boons=1, rank=12, boons=-1))
    assert (roll_due(hunt.combat).tn, roll_due(hunt.combat).boons) == (12, -1)


def test_a_critical_failure_in_seeking_recalls_the_older_edition(hunt: Any) -> None:
    hunt.do(Seek(who="ann", target="orc"))
    assert [message.code for message in hunt.do(Roll((20,))).advice] == ["ws_advice_seek"]
    hunt.do(Roll((3,)))
    hunt.do(Test(who="orc", name="x", skill="Stealth", takes_action=False))
    assert hunt.do(Roll((20,))).advice == ()


def test_walking_round_reveals_only_what_cover_hides(hunt: Any) -> None:
    """Detection and Hidden: "if the opponent is Hidden due to Concealment or the lighting, simply moving will not"."""
    ruling = hunt.do(Reveal("ann", "orc"))
    assert ruling.outcome.event is Event.REVEALED
    assert hunt["orc"].hiding.located_by == ("ann",)
    assert hunt.refused(Reveal("ann", "elk")) == "ws_walk_reveals_not"
    assert hunt.refused(Reveal("ann", "lurker")) == "ws_unknown_presence"
    assert hunt.refused(Reveal("ann", "plain")) == "ws_not_hidden"
    assert hunt.refused(Reveal("who", "plain")) == "ws_unknown"


def test_the_game_master_hides_and_shows(hunt: Any) -> None:
    hunt.do(SetHidden("plain", HiddenBy.LIGHT, ("ann",)))
    assert hunt["plain"].hiding == Hiding(HiddenBy.LIGHT, ("ann",))
    hunt.do(SetHidden("plain", None))
    assert hunt["plain"].hiding is None
    assert hunt.refused(SetHidden("who", None)) == "ws_unknown"


def test_the_hidden_are_found_again_when_shown(duel: Any) -> None:
    duel.do(SetHidden("orc", HiddenBy.LIGHT))
    assert duel.refused(Attack("ann", "orc")) == "ws_unlocated"
    duel.do(SetHidden("orc", None), Attack("ann", "orc"))


# Fear


@pytest.mark.parametrize("is_complex", [False, True])
def test_failing_a_fear_test_costs_courage(fighting: Any, pc: Any, npc: Any, is_complex: bool) -> None:
    """World Saga, Fear Tests: "a Basic or Complex Resolve Test. Failure usually results in ... Courage damage"."""
    play = fighting(pc("ann", courage=5), npc("orc"))
    play.do(FearTest(who="ann", is_complex=is_complex, courage=2))
    assert pending(play.combat).purpose.text == "Fear Test of ann (Resolve)"
    assert roll_due(play.combat).is_complex is is_complex
    ruling = play.do(Roll((10,)))
    assert (ruling.outcome.event, ruling.outcome.damage) == (Event.FEAR, 2)
    assert play["ann"].courage == 3
    assert codes(ruling.reasons)[-2:] == ["ws_fear_fails", "ws_loses"]


def test_what_failing_costs_may_be_told_afterwards(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann", courage=1), npc("orc"))
    play.do(FearTest(who="ann", rank=5, modifiers=(Modifier(UNTYPED, -1, "dark"),), boons=-1))
    assert (roll_due(play.combat).tn, roll_due(play.combat).boons) == (4, -1)
    assert play.do(Roll((5,))).outcome.event is Event.NUMBER_DUE
    assert legal_actions(play.combat) == (TellNumber,)
    assert pending(play.combat).purpose.text == "How much Courage ann loses"
    play.do(TellNumber(3))
    assert (play["ann"].courage, play["ann"].fear) == (0, 2)
    assert play.combat.cases == ()


@pytest.mark.parametrize(("horror", "courage", "event"), [(False, 5, Event.SUCCEEDED), (True, 4, Event.FEAR)])
def test_horror_costs_one_even_on_success(
    fighting: Any, pc: Any, npc: Any, horror: bool, courage: int, event: Event
) -> None:
    """Fear Tests: "might have the character lose 1 point of Courage even if they succeed on the test"."""
    play = fighting(pc("ann", courage=5), npc("orc"), horror=horror)
    play.do(FearTest(who="ann", courage=2))
    assert play.do(Roll((9,))).outcome.event is event
    assert play["ann"].courage == courage
    play.do(FearTest(who="ann", courage=2), Roll((10,)))
    assert play["ann"].courage == courage - 2


def test_fear_may_cost_nothing(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann", courage=5), npc("orc"))
    play.do(FearTest(who="ann", courage=0))
    assert play.do(Roll((19,))).outcome.damage == 0
    assert play["ann"].courage == 5


def test_who_can_be_afraid(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc", ranks=()), npc("down", is_unconscious=True))
    assert play.refused(FearTest(who="orc")) == "ws_no_rank"
    assert play.refused(FearTest(who="down")) == "ws_cannot_act"
    play.do(FearTest(who="orc", rank=4))
    assert play.refused(FearTest(who="ann")) == "ws_roll_due"


# The table's word


def test_the_table_puts_things_right(duel: Any, pc: Any) -> None:
    ruling = duel.do(Adjust(replace(duel["orc"], is_weary=True, stamina=2), "after lunch"))
    assert ruling.outcome.event is Event.ADJUSTED
    assert ruling.reasons[0].text == "The table puts orc right. after lunch"
    assert duel["orc"].is_weary
    assert duel.refused(Adjust(pc("who"))) == "ws_unknown"


def test_friends_are_never_engaged(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), pc("bo"), npc("orc"))
    assert play.refused(SetEngaged("ann", "bo", True)) == "ws_not_enemies"
    assert play.refused(SetEngaged("ann", "who", True)) == "ws_unknown"
    for said, words in ((True, "engaged."), (False, "not engaged."), (None, "engaged as their places say.")):
        assert play.do(SetEngaged("ann", "orc", said)).reasons[0].text.endswith(words)


def test_everything_in_the_turn_is_offered(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(1, 1)), npc("orc", place=(5, 5)), board=field)
    names = [action.__name__ for action in legal_actions(play.combat)]
    assert names == ["Stride", "Withdraw", "MoveAction", "Attack", "Test", "Hide", "Seek", "Delay", "EndTurn"]
    play.do(Stride("ann", ((2, 2),)))
    names = [action.__name__ for action in legal_actions(play.combat)]
    assert names == ["Stride", "Withdraw", "MoveAction", "Attack", "Test", "Hide", "Seek", "EndTurn"]
    play.do(Attack("ann", "orc"), Roll((19,)))
    assert [action.__name__ for action in legal_actions(play.combat)] == ["Stride", "Withdraw", "EndTurn"]
