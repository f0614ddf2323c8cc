from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.grid import SquareBoard
from rules.ruling import total
from rules.sight import Degree as CoverDegree
from rules.world_saga import odds
from rules.world_saga.actions import (
    Attack,
    Begin,
    DeclineStrike,
    EndTurn,
    Roll,
    RollInitiative,
    SetEngaged,
    SetHidden,
    TakeStrike,
    TellConflict,
    TellEndured,
    TellNumber,
)
from rules.world_saga.combat import Event, Reserve, legal_actions, pending
from rules.world_saga.d20 import Special, read
from rules.world_saga.hiding import HiddenBy, Hiding
from rules.world_saga.modifiers import Modifier, ModifierType
from rules.world_saga.rolls import roll_due
from rules.world_saga.state import Blow, BoonMode, Case, Combat, Phase, Purpose, Stage, TestKind
from tests.rules.world_saga.blows import FIRE, TABLE, codes


def test_an_attack_runs_from_the_roll_to_the_reserve(duel: Any) -> None:
    """World Saga, Attack Test, with nothing of what the public text leaves open filled in."""
    ruling = duel.do(Attack("ann", "orc", Blow(attribute_modifier=1, item_bonus=2)))
    assert ruling.outcome.event is Event.DECLARED
    asked = pending(duel.combat)
    assert asked.who == "ann"
    assert asked.purpose.text == "Attack Roll of ann against orc (Strike)"
    assert asked.winning_faces == tuple(range(1, 13))
    assert asked.chance == Fraction(12, 20)
    assert asked.steps[0].text == "Throw one d20."
    assert legal_actions(duel.combat) == (Roll,)

    ruling = duel.do(Roll((10,)))
    assert ruling.outcome.event is Event.DEFENCE_DUE
    assert ruling.outcome.result == read(12, 10)
    assert codes(ruling.reasons) == ["ws_rank", "ws_roll", "ws_success", "ws_degree"]
    asked = pending(duel.combat)
    assert asked.who == "orc"
    assert asked.purpose.text == "Defense Roll of orc against ann (Reflexes)"
    assert asked.chance == Fraction(1, 2)

    assert duel.do(Roll((4,))).outcome.event is Event.NUMBER_DUE
    assert legal_actions(duel.combat) == (TellNumber,)
    assert pending(duel.combat).purpose.text == "The base damage of Strike against orc"
    assert pending(duel.combat).dice == ()
    assert duel.do(TellNumber(6)).outcome.event is Event.NUMBER_DUE
    assert pending(duel.combat).purpose.text == "What the defence of orc takes off"
    ruling = duel.do(TellNumber(2))
    assert ruling.outcome.event is Event.DAMAGE
    assert ruling.outcome.damage == 7
    assert [(reason.code, reason.amount) for reason in ruling.reasons] == [
        ("ws_base_typed", 6),
        ("ws_attribute", 1),
        ("ws_item", 2),
        ("ws_reduced_typed", -2),
        ("ws_loses", None),
    ]
    assert total(ruling.reasons) == 7
    assert duel["orc"].stamina == 3
    assert duel.combat.cases == ()
    assert duel.refused(Attack("ann", "orc")) == "ws_no_action"


@pytest.mark.parametrize(
    ("face", "event"), [(12, Event.DEFENCE_DUE), (13, Event.MISS), (20, Event.MISS), (1, Event.DEFENCE_DUE)]
)
def test_an_attack_roll_over_the_target_number_misses(duel: Any, face: int, event: Event) -> None:
    duel.do(Attack("ann", "orc"))
    ruling = duel.do(Roll((face,)))
    assert ruling.outcome.event is event
    if event is Event.MISS:
        assert ruling.reasons[-1].text == "ann misses orc."
        assert duel.combat.cases == ()
        assert duel["orc"].stamina == 10


def test_a_failed_defence_takes_nothing_off(duel: Any) -> None:
    duel.do(Attack("ann", "orc"), Roll((10,)), Roll((11,)))
    ruling = duel.do(TellNumber(4))
    assert ruling.outcome.damage == 4
    assert duel["orc"].stamina == 6


def test_a_critical_defence_takes_everything_off(duel: Any) -> None:
    duel.do(Attack("ann", "orc"), Roll((10,)))
    ruling = duel.do(Roll((10,)))
    assert (ruling.outcome.event, ruling.outcome.damage) == (Event.NO_DAMAGE, 0)
    assert ruling.reasons[-1].code == "ws_defence_critical"
    assert duel["orc"].stamina == 10


@pytest.mark.parametrize(
    ("face", "defence", "damage"),
    [(2, 19, 2), (5, 19, 4), (10, 19, 6), (15, 19, 8), (15, 2, 6), (15, 9, 4), (5, 5, 0), (2, 9, 0)],
)
def test_tables_of_the_setting_answer_by_degree(
    fighting: Any, pc: Any, npc: Any, face: int, defence: int, damage: int
) -> None:
    play = fighting(pc("ann", ranks=(("Fighting", 16),)), npc("orc"), damage_table=TABLE, defence_table=TABLE)
    play.do(Attack("ann", "orc"), Roll((face,)))
    ruling = play.do(Roll((defence,)))
    assert ruling.outcome.event is (Event.DAMAGE if damage else Event.NO_DAMAGE)
    assert ruling.outcome.damage == damage
    assert total(reason for reason in ruling.reasons if reason.code in DAMAGE_CODES) == damage
    assert play["orc"].stamina == 10 - damage


DAMAGE_CODES = {"ws_base", "ws_attribute", "ws_item", "ws_reduced", "ws_at_least_zero"}


def test_one_table_may_be_set_and_the_other_asked_for(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc"), damage_table=TABLE)
    play.do(Attack("ann", "orc"), Roll((10,)))
    assert play.do(Roll((5,))).outcome.event is Event.NUMBER_DUE
    assert play.combat.cases[-1].base == 6
    assert play.do(TellNumber(9)).outcome.damage == 0
    assert codes(play.ruling.reasons) == ["ws_base", "ws_reduced_typed", "ws_at_least_zero"]
    other = fighting(pc("ann"), npc("orc"), defence_table=TABLE)
    other.do(Attack("ann", "orc"), Roll((10,)), Roll((5,)))
    assert other.do(TellNumber(9)).outcome.damage == 5


def test_a_negative_attribute_modifier_lowers_damage(duel: Any) -> None:
    duel.do(Attack("ann", "orc", Blow(attribute_modifier=-2)), Roll((10,)), Roll((19,)))
    assert duel.do(TellNumber(3)).outcome.damage == 1


@pytest.mark.parametrize(
    ("reserve", "field", "overflow"),
    [(Reserve.STAMINA, "stamina", "wounds"), (Reserve.FOCUS, "focus", "stress"), (Reserve.COURAGE, "courage", "fear")],
)
@pytest.mark.parametrize(("damage", "left", "over"), [(3, 1, 0), (4, 0, 0), (6, 0, 2)])
def test_reserves_stop_at_zero_and_the_rest_overflows(
    fighting: Any, pc: Any, npc: Any, reserve: Reserve, field: str, overflow: str, damage: int, left: int, over: int
) -> None:
    """World Saga, Attack Test: Stamina and Wounds, Focus and Stress, Courage and Fear."""
    play = fighting(pc("ann"), npc("orc", **{field: 4, overflow: 1}))
    play.do(Attack("ann", "orc", Blow(reserve=reserve)), Roll((10,)), Roll((19,)))
    ruling = play.do(TellNumber(damage))
    assert getattr(play["orc"], field) == left
    assert getattr(play["orc"], overflow) == 1 + over
    assert ("ws_overflow" in codes(ruling.reasons)) is (over > 0)
    endures = over > 0 and reserve is Reserve.STAMINA
    assert ruling.outcome.event is (Event.ENDURE_DUE if endures else Event.DAMAGE)


def test_a_reserve_that_the_table_keeps_is_only_told(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc", stamina=None))
    play.do(Attack("ann", "orc"), Roll((10,)), Roll((19,)))
    ruling = play.do(TellNumber(5))
    assert ruling.reasons[-1].text == "orc takes 5 damage to Stamina, which the table keeps."
    assert play["orc"].stamina is None


@pytest.mark.parametrize(
    ("told", "unconscious", "out", "words"),
    [
        (TellEndured(2), False, False, "fights on"),
        (TellEndured(3, is_unconscious=True), True, False, "falls unconscious"),
        (TellEndured(4, is_out=True), False, True, "is out of the combat"),
    ],
)
def test_how_endure_wounds_went_the_table_tells(
    fighting: Any, pc: Any, npc: Any, told: TellEndured, unconscious: bool, out: bool, words: str
) -> None:
    play = fighting(pc("ann"), npc("orc", stamina=1), npc("elk"))
    play.do(Attack("ann", "orc"), Roll((10,)), Roll((19,)), TellNumber(3))
    assert legal_actions(play.combat) == (TellEndured,)
    assert pending(play.combat).purpose.text == "How Endure Wounds goes for orc"
    assert pending(play.combat).who == "orc"
    ruling = play.do(told)
    assert ruling.outcome.event is Event.ENDURED
    assert words in ruling.reasons[0].text
    assert (play["orc"].wounds, play["orc"].is_unconscious, play["orc"].is_out) == (told.wounds, unconscious, out)


def test_any_damage_makes_the_weary_endure(fighting: Any, pc: Any, npc: Any) -> None:
    """The text implies it: an attack on a Weary opponent causes it "to take the Endure Wounds reaction"."""
    for stamina in (10, None):
        play = fighting(pc("ann"), npc("orc", stamina=stamina, is_weary=True))
        play.do(Attack("ann", "orc"), Roll((10,)), Roll((19,)))
        assert play.do(TellNumber(1)).outcome.event is Event.ENDURE_DUE


def test_an_unconscious_target_makes_no_defense_roll(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann"), npc("orc", is_unconscious=True), npc("elk"))
    play.do(Attack("ann", "orc"))
    ruling = play.do(Roll((10,)))
    assert ruling.outcome.event is Event.NUMBER_DUE
    assert "ws_no_defence" in codes(ruling.reasons)
    # It is out of the fight already: Endure Wounds is no matter of this combat.
    assert play.do(TellNumber(30)).outcome.event is Event.DAMAGE
    play = fighting(pc("ann"), npc("orc", is_unconscious=True), npc("elk"), damage_table=TABLE)
    play.do(Attack("ann", "orc"))
    assert play.do(Roll((10,))).outcome.damage == 6


# What goes into the roll


def due_of(play: Any, blow: Blow) -> Any:
    play.do(Attack("ann", "orc", blow))
    return roll_due(play.combat)


@pytest.mark.parametrize(
    ("blow", "tn"),
    [
        (Blow(), 12),
        (Blow(rank=9), 9),
        (Blow(modifiers=(Modifier(ModifierType.ITEM, 2, "sharp"),)), 14),
        (Blow(is_non_lethal=True), 10),
        (Blow(is_non_lethal=True, is_subdued=True), 12),
        (Blow(is_subdued=True), 12),
        (FIRE, 11),
    ],
)
def test_the_target_number_of_an_attack(duel: Any, blow: Blow, tn: int) -> None:
    due = due_of(duel, blow)
    assert due.tn == tn == total(due.reasons)


def test_conditions_count_on_the_rolls_that_they_name(fighting: Any, pc: Any, npc: Any) -> None:
    """Distracted on Attack Rolls, Exposed on Defense Rolls, each as a condition."""
    play = fighting(pc("ann", distracted=2, exposed=4), npc("orc", distracted=4, exposed=3))
    due = due_of(play, Blow(modifiers=(Modifier(ModifierType.CONDITION, -1, "a cold"),)))
    assert due.tn == 10
    assert [reason.amount for reason in due.reasons] == [12, 0, -2]
    play.do(Roll((5,)))
    assert roll_due(play.combat).tn == 7
    assert roll_due(play.combat).reasons[1].text == "Exposed 3: -3, condition."


def test_what_weary_does_is_a_setting(fighting: Any, pc: Any, npc: Any) -> None:
    """The older edition's -2: the published example says that Weary and Exposed 2 are -2 on defence, same type."""
    for penalty in (0, 2):
        play = fighting(pc("ann", is_weary=True), npc("orc", is_weary=True, exposed=2), weary_penalty=penalty)
        assert due_of(play, Blow()).tn == 12 - penalty
        play.do(Roll((5,)))
        assert roll_due(play.combat).tn == 8


def test_surrounding_is_a_situation_bonus(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(
        pc("ann", place=(2, 2)), pc("bo", place=(3, 4)), pc("cy", place=(4, 2)), npc("orc", place=(3, 3)), board=field
    )
    due = due_of(play, Blow(modifiers=(Modifier(ModifierType.SITUATION, 1, "high ground"),)))
    assert due.tn == 14
    assert [reason.amount for reason in due.reasons] == [12, 0, 2]
    assert due.reasons[2].text.startswith("3 engaged with orc: one for each additional ally, at most 4: +2, situation")
    assert "Surrounding" in due.reasons[2].source


def test_the_reason_of_a_capped_surrounding_bonus_counts_everybody(
    fighting: Any, pc: Any, npc: Any, field: SquareBoard
) -> None:
    around = [(2, 2), (3, 2), (4, 2), (2, 3), (4, 3), (2, 4)]
    names = ("ann", "bo", "cy", "di", "ed", "flo")
    heroes = [pc(name, place=place) for name, place in zip(names, around, strict=True)]
    due = due_of(fighting(*heroes, npc("orc", place=(3, 3)), board=field), Blow())
    assert due.tn == 16
    assert due.reasons[1].text.startswith("6 engaged with orc: one for each additional ally, at most 4: +4, situation")


def test_defence_modifiers_skill_and_rank_may_be_told(duel: Any) -> None:
    blow = Blow(
        defence_skill="Intercept",
        defence_rank=7,
        defence_modifiers=(Modifier(ModifierType.ITEM, 2, "shield"),),
        defence_boons=1,
    )
    duel.do(Attack("ann", "orc", blow), Roll((5,)))
    due = roll_due(duel.combat)
    assert (due.tn, due.boons, due.skill) == (9, 1, "Intercept")
    assert due.purpose.text == "Defense Roll of orc against ann (Intercept)"


@pytest.mark.parametrize(
    ("blow", "boons", "said"),
    [
        (Blow(), 0, []),
        (Blow(cover=CoverDegree.COVER), -1, ["ws_bane_cover", "ws_net_banes"]),
        (Blow(cover=CoverDegree.GREATER), -2, ["ws_bane_cover", "ws_net_banes"]),
        (Blow(is_concealed=True), -1, ["ws_bane_concealed", "ws_net_banes"]),
        (
            Blow(cover=CoverDegree.GREATER, is_concealed=True),
            -3,
            ["ws_bane_cover", "ws_bane_concealed", "ws_net_banes"],
        ),
        (Blow(cover=CoverDegree.COVER, boons=1), 0, ["ws_typed_boons", "ws_bane_cover", "ws_even"]),
        (Blow(cover=CoverDegree.COVER, boons=3), 2, ["ws_typed_boons", "ws_bane_cover", "ws_net_boons"]),
        (Blow(boons=-1), -1, ["ws_typed_banes", "ws_net_banes"]),
        (Blow(test=TestKind.OPPOSED, cover=CoverDegree.GREATER, is_concealed=True), 0, []),
    ],
)
def test_cover_and_concealment_are_banes_on_attack_tests(duel: Any, blow: Blow, boons: int, said: list[str]) -> None:
    """World Saga, Concealment and Cover: "a Bane to Attack Rolls on Attack Tests"."""
    due = due_of(duel, blow)
    assert due.boons == boons
    assert [code for code in codes(due.reasons) if code != "ws_rank"] == said
    assert due.tn == 12


def test_by_default_the_table_rolls_boons_and_banes_its_own_way(duel: Any) -> None:
    due = due_of(duel, Blow(cover=CoverDegree.GREATER))
    assert (due.dice, due.counted_boons) == (1, 0)
    asked = pending(duel.combat)
    assert asked.chance is None
    assert asked.steps[0].text == "2 Banes: roll as your table plays them and tell the die that counts."
    assert asked.dice[0].count == 1
    assert asked.winning_faces == tuple(range(1, 13))
    duel.do(Roll((12,)))
    assert duel.ruling.outcome.result.special is Special.CRITICAL_SUCCESS


@pytest.mark.parametrize(
    ("blow", "faces", "face", "step"),
    [
        (Blow(cover=CoverDegree.COVER), (5, 13), 13, "Throw 2 d20: the worst one counts."),
        (Blow(boons=2), (13, 5, 20), 5, "Throw 3 d20: the best one counts."),
    ],
)
def test_extra_dice_are_a_setting(
    fighting: Any, pc: Any, npc: Any, blow: Blow, faces: tuple[int, ...], face: int, step: str
) -> None:
    play = fighting(pc("ann"), npc("orc"), boons=BoonMode.EXTRA_D20)
    due = due_of(play, blow)
    assert due.dice == len(faces)
    asked = pending(play.combat)
    assert asked.dice[0].count == len(faces)
    assert asked.steps[0].text == step
    assert asked.winning_faces == ()
    assert asked.chance == odds.success_chance(12, boons=due.boons)
    assert play.refused(Roll(faces[:-1])) == "ws_wrong_count"
    assert play.refused(Roll((*faces, 3))) == "ws_wrong_count"
    play.do(Roll(faces))
    assert play.ruling.outcome.result.face == face


@pytest.mark.parametrize(
    ("rank", "says"),
    [
        (1, "Only a 1 succeeds"),
        (2, "2 or less succeeds, and of these the higher the better"),
        (19, "19 or less succeeds, and of these the higher the better"),
        (20, "1 to 19 succeed, the higher the better; a 20 always fails"),
        (23, "1 to 19 succeed, the higher the better; a 20 always fails"),
    ],
)
def test_what_a_roll_needs_is_said_by_its_faces(duel: Any, rank: int, says: str) -> None:
    """World Saga, Test Types; a 20 is spoken of only where the Target Number seems to let it succeed."""
    duel.do(Attack("ann", "orc", Blow(rank=rank)))
    asked = pending(duel.combat)
    assert asked.success.text == says
    assert asked.winning_faces == tuple(range(1, min(rank, 19) + 1))


def test_a_hopeless_roll_says_so(duel: Any) -> None:
    duel.do(Attack("ann", "orc", Blow(rank=0)))
    asked = pending(duel.combat)
    assert asked.winning_faces == ()
    assert asked.chance == 0
    assert asked.success.code == "ws_needs_nothing"


# Refusals and advice


def test_what_cannot_be_attacked(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(
        pc("ann", ranks=(("Fighting", 9),)),
        npc("orc", ranks=()),
        npc("gone", is_out=True),
        npc("sly", hiding=Hiding(HiddenBy.COVER)),
        npc("lurker", hiding=Hiding(HiddenBy.COVER, unaware=("ann",))),
    )
    assert play.refused(Attack("ann", "ann")) == "ws_own_target"
    assert play.refused(Attack("ann", "who")) == "ws_unknown"
    assert play.refused(Attack("ann", "gone")) == "ws_target_out"
    assert play.refused(Attack("ann", "sly")) == "ws_unlocated"
    assert play.refused(Attack("ann", "lurker")) == "ws_unknown_presence"
    assert play.refused(Attack("ann", "orc", FIRE)) == "ws_no_rank"
    assert play.refused(Attack("ann", "orc", Blow(defence_skill="Resolve"))) == "ws_no_rank"
    assert play.refused(Attack("orc", "ann")) == "ws_not_your_turn"
    assert play.refused(Roll((3,))) == "ws_nothing_due"
    play.do(SetHidden("sly", None), Attack("ann", "sly"))
    assert play.refused(Roll((0,))) == "ws_no_face"
    assert play.refused(Roll((21,))) == "ws_no_face"
    assert play.refused(Roll(())) == "ws_wrong_count"
    assert play.refused(TellNumber(3)) == "ws_not_that"
    assert play.refused(TellEndured(3)) == "ws_not_that"
    assert play.refused(TellConflict("ann")) == "ws_not_that"
    assert play.refused(TakeStrike("orc")) == "ws_not_that"
    play.do(Roll((5,)), Roll((19,)))
    assert play.refused(TellNumber(-1)) == "ws_no_damage"
    play.do(TellNumber(99))
    assert play.refused(TellEndured(-1)) == "ws_no_wounds"


@pytest.mark.parametrize(
    ("target", "blow", "strict_code", "advice"),
    [
        ("bo", Blow(stamina_cost=0), None, "ws_advice_friend"),
        ("far", Blow(), "ws_not_engaged", "ws_advice_not_engaged"),
        ("far", replace(FIRE, cover=CoverDegree.NO_SIGHT), "ws_no_sight", "ws_advice_no_sight"),
        ("far", FIRE, None, None),
        ("orc", Blow(), None, None),
        ("orc", Blow(cover=CoverDegree.NO_SIGHT), None, None),
        ("limbo", Blow(), None, None),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_physical_facts_are_advice_unless_strict(
    fighting: Any,
    pc: Any,
    npc: Any,
    field: SquareBoard,
    target: str,
    blow: Blow,
    strict_code: str | None,
    advice: str | None,
    strict: bool,
) -> None:
    play = fighting(
        pc("ann", place=(2, 2)),
        pc("bo", place=(3, 2)),
        npc("orc", place=(2, 3), stamina=0, strike_cost=1),
        npc("far", place=(9, 9)),
        npc("limbo"),
        board=field,
        strict=strict,
    )
    if strict and strict_code:
        assert play.refused(Attack("ann", target, blow)) == strict_code
    else:
        assert [message.code for message in play.do(Attack("ann", target, blow)).advice] == ([advice] if advice else [])


def test_pairs_that_the_table_engages_may_strike_from_afar(
    fighting: Any, pc: Any, npc: Any, field: SquareBoard
) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("far", place=(9, 9)), board=field, strict=True)
    play.do(SetEngaged("ann", "far", True), Attack("ann", "far"))


def test_a_critical_failure_recalls_the_older_edition(duel: Any) -> None:
    duel.do(Attack("ann", "orc"))
    ruling = duel.do(Roll((20,)))
    assert [message.code for message in ruling.advice] == ["ws_advice_critical"]
    assert duel["ann"].exposed == 0


def test_so_does_one_with_a_shot(duel: Any) -> None:
    duel.do(Attack("ann", "orc", FIRE))
    ruling = duel.do(Roll((20,)))
    assert [message.code for message in ruling.advice] == ["ws_advice_critical", "ws_advice_friendly"]


def test_a_critical_failure_of_the_defence_recalls_nothing(duel: Any) -> None:
    duel.do(Attack("ann", "orc"), Roll((5,)))
    assert duel.do(Roll((20,))).advice == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"is_non_lethal": True, "test": TestKind.OPPOSED},
        {"test": TestKind.BASIC},
        {"test": TestKind.COMPLEX},
        {"stamina_cost": -1},
    ],
)
def test_impossible_blows_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"[Aa]ttack"):
        Blow(**wrong)


def test_the_story_of_ann(setting_up: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    """A worked example: Ann ties with the orc and goes first; she shoots at a bandit behind a table (1 Bane)
    while the orc is adjacent: the orc may Strike first; two friends beside the orc give each attacker +2.
    """
    play = setting_up(
        pc("ann", place=(3, 3)),
        pc("bo", place=(5, 3)),
        pc("cy", place=(5, 5)),
        npc("orc", place=(4, 4), reflexes=6),
        npc("bandit", place=(10, 3)),
        board=field,
    )
    play.do(Begin())
    for who, face in (("ann", 5), ("bo", 3), ("cy", 2), ("orc", 9), ("bandit", 1)):
        play.do(RollInitiative(who, face))
    assert play.combat.order == ("ann", "orc", "bo", "cy", "bandit")
    play.do(Attack("ann", "bandit", replace(FIRE, cover=CoverDegree.COVER)))
    assert pending(play.combat).who == "orc"
    play.do(DeclineStrike("orc"))
    assert roll_due(play.combat).boons == -1
    play.do(Roll((15,)), EndTurn("ann"), EndTurn("orc"), Attack("bo", "orc"))
    assert roll_due(play.combat).tn == 14


def test_nothing_is_due_without_a_test() -> None:
    case = Case(purpose=Purpose.TEST, stage=Stage.BASE, who="ann", name="x")
    assert roll_due(Combat((), cases=(case,))) is None
    assert roll_due(Combat((), phase=Phase.TURN)) is None
