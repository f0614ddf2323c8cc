"""The Quick Skirmish: what is refused and in which words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.cards import DECK, Card, parse_card
from rules.ruling import IllegalActionError
from rules.skirmish.checks import check, legal_actions
from rules.skirmish.damage import Condition
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.state import (
    Accept,
    Action,
    Adjust,
    Award,
    Circumstances,
    Deal,
    Delay,
    Edition,
    Fighter,
    Leave,
    Options,
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
from rules.skirmish.trait import Level

ANNA = Fighter("a", Condition(6), name="Anna")
BO = Fighter("b", Condition(6), name="Bo")
DOG = Fighter("d", Condition(5, is_wild_card=False), bennies=0, ally_of="a", name="Dog")
ANYTHING: tuple[Action, ...] = (
    Deal(()),
    Throw((1, 1)),
    Skirmish("a", "Fighting", 8),
    Accept(),
    Reroll(),
    Receive("a"),
    Soak(),
    TakeWounds(),
    Unshake("a"),
    Delay("a"),
    StepIn("a"),
    Leave("a"),
    Overrule(Level.RAISE, ""),
    Adjust("a", "", 0, False, False, 0, 0),
    Circumstances(0, 0, ""),
    Award("a"),
)


def dealt(cards: str = "KS 9S", *fighters: Fighter, **options: Any) -> Scene:
    scene = new_scene(fighters or (ANNA, BO, DOG), 6, Options(**options))
    heroes = [fighter.id for fighter in scene.heroes]
    return resolve(scene, Deal(tuple(zip(heroes, map(parse_card, cards.split()), strict=True)))).state


def after(scene: Scene, *actions: Action) -> Scene:
    for action in actions:
        scene = resolve(scene, action).state
    return scene


def in_phase(phase: Phase) -> Scene:
    """A scene in the phase asked for; Anna has the turn."""
    shaken = replace(ANNA, condition=Condition(6, 0, True))
    roll = after(dealt(), Skirmish("a", "Fighting", 8))
    accept = after(roll, Throw((5, 2)))
    receiver = after(accept, Accept())
    damage = after(receiver, Receive("a"))
    soak = after(damage, Throw((5, 5)))
    scenes = {
        Phase.DEAL: new_scene((ANNA, BO, DOG), 6),
        Phase.SPIRIT: dealt("KS 9S", shaken, BO, DOG),
        Phase.TURN: dealt(),
        Phase.ROLL: roll,
        Phase.ACCEPT: accept,
        Phase.RECEIVER: receiver,
        Phase.DAMAGE: damage,
        Phase.SOAK: soak,
        Phase.OVER: after(dealt(), Adjust("b", "", 0, False, False, 0, 6)),
    }
    assert scenes[phase].phase is phase
    return scenes[phase]


def refused(scene: Scene, action: Action) -> tuple[str, str]:
    """Code and sentence of a refusal."""
    with pytest.raises(IllegalActionError) as error:
        resolve(scene, action)
    return error.value.code, error.value.text


WAITS = {
    Phase.DEAL: ("awaits_deal", "The round begins with action cards. Deal one to each: Anna, Bo."),
    Phase.SPIRIT: ("awaits_spirit", "Anna is Shaken. Roll Spirit first, or spend a Benny."),
    Phase.TURN: ("awaits_turn", "It is the turn of Anna. Declare a skirmish roll."),
    Phase.ROLL: ("awaits_dice", "The dice of Anna are awaited. Throw them."),
    Phase.ACCEPT: ("awaits_accept", "Keep the roll of Anna, or spend a Benny on another."),
    Phase.RECEIVER: ("awaits_receiver", "Choose who takes the damage: Anna, Dog."),
    Phase.DAMAGE: ("awaits_dice", "The dice of Anna are awaited. Throw them."),
    Phase.SOAK: ("awaits_soak", "Anna is about to take wounds. Soak them for a Benny, or take them."),
    Phase.OVER: ("scene_over", "The scene is over. Start another, or take back the last step."),
}
BETWEEN = (Phase.DEAL, Phase.SPIRIT, Phase.TURN)
BELONGS = {
    Deal: (Phase.DEAL,),
    Throw: (Phase.SPIRIT, Phase.ROLL, Phase.DAMAGE),
    Skirmish: (Phase.TURN,),
    Accept: (Phase.ACCEPT,),
    Reroll: (Phase.ACCEPT,),
    Receive: (Phase.RECEIVER,),
    Soak: (Phase.SOAK,),
    TakeWounds: (Phase.SOAK,),
    Unshake: (*BETWEEN, Phase.RECEIVER, Phase.DAMAGE),
    Delay: (Phase.SPIRIT, Phase.TURN),
    StepIn: (Phase.SPIRIT, Phase.TURN),
    Leave: BETWEEN,
    Overrule: (Phase.SPIRIT, Phase.ROLL, Phase.ACCEPT),
    Adjust: BETWEEN,
    Circumstances: tuple(phase for phase in Phase if phase is not Phase.OVER),
    Award: tuple(Phase),
}


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("action", ANYTHING, ids=lambda action: type(action).__name__)
def test_each_phase_refuses_what_belongs_to_another(phase: Phase, action: Action) -> None:
    """The sentence says what this phase waits for; an action in its own phase meets other checks or none."""
    scene = in_phase(phase)
    if phase not in BELONGS[type(action)]:
        assert refused(scene, action) == WAITS[phase]
        return
    code = ""
    try:
        check(scene, action)
    except IllegalActionError as refusal:
        code = refusal.code
    except ValueError:
        assert isinstance(action, Throw), "only dice can be thrown in the wrong number"
    assert code not in {code for code, _ in WAITS.values()}


@pytest.mark.parametrize(
    ("cards", "refusal"),
    [
        ("a:KS", ("wrong_hands", "Cards go to Anna, Bo, one each. Deal them so.")),
        ("a:KS b:9S d:8S", ("wrong_hands", "Cards go to Anna, Bo, one each. Deal them so.")),
        ("a:KS a:9S", ("wrong_hands", "Cards go to Anna, Bo, one each. Deal them so.")),
        ("a:KS b:KS", ("card_twice", "The King of Spades is dealt twice. Deal another.")),
        ("a:KS b:2C", ("card_gone", "The 2 of Clubs is not in the deck. Deal another.")),
    ],
)
def test_a_deal_gives_each_hero_a_card_that_the_deck_holds(cards: str, refusal: tuple[str, str]) -> None:
    """One each, from what is left of the deck."""
    scene = replace(new_scene((ANNA, BO, DOG), 6), discards=(Card("2", "C"),))
    deal = Deal(tuple((who, parse_card(card)) for who, card in (dealt.split(":") for dealt in cards.split())))
    assert refused(scene, deal) == refusal


def test_cards_in_hands_are_not_shuffled_back() -> None:
    """Reading QS-R5: when the deck runs out in a deal, the card dealt before cannot come again."""
    gone = tuple(card for card in DECK if card != Card("2", "C"))
    scene = replace(new_scene((ANNA, BO), 6), discards=gone)
    assert refused(scene, Deal((("a", Card("2", "C")), ("b", Card("2", "C")))))[0] == "card_twice"
    assert refused(scene, Deal((("a", Card("A", "S")), ("b", Card("2", "C")))))[0] == "card_gone"


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        (
            Skirmish("b", "x", 8),
            ("not_your_card", "It is the turn of Anna, not of Bo. Let Anna act."),
        ),
        (
            Skirmish("x", "x", 8),
            ("unknown_fighter", "There is nobody called x in this scene. There are: Anna, Bo, Dog."),
        ),
        (
            Skirmish("a", "x", 20),
            ("unknown_trait_die", "A trait is d4, d6, d8, d10 or d12, not d20. Choose one of those."),
        ),
        (
            Skirmish("a", "x", 6, is_untrained=True),
            ("untrained_die", "Without the skill the die is a d4, not a d6. Roll a d4."),
        ),
        *(
            (
                Skirmish("a", "x", 6, inspired),
                ("inspired_range", f"A description gives 0, +1 or +2, not {inspired}. Choose one of those."),
            )
            for inspired in (-1, 3)
        ),
        (Unshake("a"), ("not_shaken", "Anna is not Shaken. Keep the Benny.")),
        (Delay("a"), ("no_joker", "Anna holds no Joker and cannot wait. Take the turn now.")),
        (Delay("b"), ("not_your_card", "It is the turn of Anna, not of Bo. Let Anna act.")),
        (StepIn("b"), ("not_waiting", "Bo is not waiting with a Joker. It is the turn of Anna.")),
        (Leave("a"), ("cannot_leave", "Anna may leave only when a milestone says so. Fight on.")),
        (Award("a"), ("no_award", "No Benny is to be given now. Play the scene to its end.")),
        *(
            (
                Circumstances(*numbers, ""),
                ("modifier_range", "Competence and tactics go from -2 to +2. Choose within that."),
            )
            for numbers in ((3, 0), (-3, 0), (0, 3), (0, -3))
        ),
        *(
            (
                Adjust("a", "", wounds, False, False, 0, 0),
                (
                    "adjust_wounds",
                    f"Anna bears wounds from 0 to 3, not {wounds}. Declare more as incapacitated.",
                ),
            )
            for wounds in (-1, 4)
        ),
        *(
            (
                Adjust("a", "", 0, False, False, *numbers),
                ("adjust_numbers", "Bennies and tokens are 0 or more. Change the numbers of Anna."),
            )
            for numbers in ((-1, 0), (0, -1))
        ),
        (
            Adjust("a", "", 0, False, False, 0, 7),
            ("adjust_pile", "Only 6 tokens are left on the table. Give Anna no more than those."),
        ),
        (
            Adjust("d", "", 2, False, False, 0, 0),
            ("adjust_wounds", "Dog bears wounds from 0 to 1, not 2. Declare more as incapacitated."),
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_possible(action: Action, refusal: tuple[str, str]) -> None:
    """In Anna's turn."""
    assert refused(dealt(), action) == refusal


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_the_dice_of_traits_are_known(sides: int) -> None:
    """d4 to d12; untrained only the d4."""
    check(dealt(), Skirmish("a", "x", sides, 2))
    check(dealt(), Skirmish("a", "x", 4, is_untrained=True))


def test_what_is_just_possible_is_possible() -> None:
    """The other side of each number."""
    check(dealt(), Adjust("a", "", 3, False, False, 0, 6))
    check(dealt(), Adjust("d", "", 1, False, True, 0, 0))
    check(dealt(), Circumstances(-2, 2, ""))
    check(dealt(), Circumstances(2, -2, ""))


def test_without_a_benny_nothing_is_bought() -> None:
    """Shaken stays, wounds are taken."""
    poor = replace(ANNA, condition=Condition(6, 0, True), bennies=0)
    assert refused(dealt("KS 9S", poor, BO), Unshake("a")) == ("no_benny", "Anna has no Benny. Go on without.")
    soak = in_phase(Phase.SOAK)
    broke = replace(soak, fighters=tuple(replace(fighter, bennies=0) for fighter in soak.fighters))
    assert refused(broke, Soak()) == ("no_benny", "Anna has no Benny. Go on without.")


def test_only_the_hero_and_its_able_allies_take_the_damage() -> None:
    """Not another player's hero, and nobody who is out."""
    scene = in_phase(Phase.RECEIVER)
    assert refused(scene, Receive("b")) == ("not_receiver", "Bo cannot take this damage. Choose one of: Anna, Dog.")
    assert refused(scene, Receive("x"))[0] == "unknown_fighter"


def test_who_is_out_takes_no_part() -> None:
    """Incapacitated or gone."""
    out = replace(BO, condition=Condition(6, 3, True, True), may_leave=True)
    gone = replace(BO, has_left=True, may_leave=True, condition=Condition(6, 0, True))
    for fighter in (out, gone):
        scene = after(new_scene((ANNA, fighter), 6, Options(edition=Edition.SWD)), Deal((("a", Card("K", "S")),)))
        for action in (Skirmish("b", "x", 8), Unshake("b"), Delay("b"), StepIn("b"), Leave("b")):
            assert refused(scene, action) == ("has_gone", "Bo takes no more part. Choose somebody who does.")


def test_a_jokers_holder_waits_only_for_somebody() -> None:
    """A turn begun is not put off, and with nobody to come there is nothing to wait for."""
    assert refused(dealt("J*B", ANNA), Delay("a")) == (
        "nobody_to_wait_for",
        "Nobody else has a turn to come. Take the turn now.",
    )
    both = after(dealt("J*B J*R", ANNA, BO), Delay("a"))
    assert refused(both, Delay("b"))[0] == "nobody_to_wait_for"
    gone = replace(BO, condition=Condition(6, 3, True, True))
    assert refused(dealt("J*B 9S", ANNA, gone), Delay("a"))[0] == "nobody_to_wait_for"
    late = after(dealt("J*B J*R", ANNA, BO), Skirmish("a", "x", 8), Throw((7, 2)))
    assert late.current == "b"
    assert refused(late, Delay("b"))[0] == "nobody_to_wait_for"


def test_a_turn_that_has_begun_is_not_interrupted() -> None:
    """Once the Spirit roll has failed the turn goes on."""
    shaken = replace(BO, condition=Condition(6, 0, True), bennies=0)
    scene = after(dealt("J*B 9S", ANNA, shaken, may_reroll=False), Delay("a"))
    check(scene, StepIn("a"))
    begun = after(scene, Throw((1, 2)))
    assert refused(begun, StepIn("a")) == ("turn_begun", "Bo has begun this turn. Step in after it.")
    own = after(dealt("J*B 9S", replace(shaken, id="a", name="Anna"), BO), Throw((1, 1)))
    assert refused(own, Delay("a")) == ("turn_begun", "Anna has begun this turn. Step in after it.")


def test_the_benny_for_most_tokens_goes_to_one_of_them() -> None:
    """Reading QS-R10."""
    rich = (replace(ANNA, tokens=3), replace(BO, tokens=3), Fighter("c", Condition(6), name="Cy"))
    scene = replace(new_scene(rich, 1), phase=Phase.OVER, tokens_left=0, can_award=True)
    assert refused(scene, Award("c")) == ("not_most", "Cy does not have most tokens. Choose one of: Anna, Bo.")
    assert refused(scene, Award("x"))[0] == "unknown_fighter"
    given = after(scene, Award("b"))
    assert refused(given, Award("a"))[0] == "no_award"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1,), r"dice awaited: 2; faces given: \(1,\)"),
        ((1, 2, 3), r"dice awaited: 2; faces given: \(1, 2, 3\)"),
        ((9, 1), "a d8 cannot show 9"),
        ((1, 7), "a d6 cannot show 7"),
        ((0, 1), "a d8 cannot show 0"),
    ],
)
def test_only_the_dice_awaited_are_thrown(values: tuple[int, ...], message: str) -> None:
    """A caller's mistake: other dice or faces than asked for."""
    with pytest.raises(ValueError, match=message):
        check(in_phase(Phase.ROLL), Throw(values))


@pytest.mark.parametrize(
    ("phase", "actions"),
    [
        (Phase.DEAL, ()),
        (Phase.SPIRIT, (Unshake("a"),)),
        (Phase.TURN, ()),
        (Phase.ROLL, ()),
        (Phase.ACCEPT, (Accept(), Reroll())),
        (Phase.RECEIVER, (Receive("a"), Receive("d"))),
        (Phase.DAMAGE, ()),
        (Phase.SOAK, (Soak(), TakeWounds())),
        (Phase.OVER, ()),
    ],
)
def test_the_players_choices_follow_the_phase(phase: Phase, actions: tuple[Action, ...]) -> None:
    """For the buttons of the page."""
    assert legal_actions(in_phase(phase)) == actions


def test_choices_come_with_a_joker_a_milestone_and_a_tie() -> None:
    """Wait, step in, leave, give the Benny."""
    scene = dealt("J*B 9S", replace(ANNA, may_leave=True), BO)
    assert legal_actions(scene) == (Delay("a"), Leave("a"))
    assert legal_actions(after(scene, Delay("a"))) == (StepIn("a"), Leave("a"))
    tie = replace(new_scene((replace(ANNA, tokens=3), replace(BO, tokens=3)), 1), phase=Phase.OVER, can_award=True)
    assert legal_actions(tie) == (Award("a"), Award("b"))
