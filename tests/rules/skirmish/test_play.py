"""The Quick Skirmish: turns, tokens, Spirit, Soak, Bennies, milestones, victory and defeat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.cards import DECK, Card
from rules.ruling import IllegalActionError, total
from rules.skirmish.damage import Condition
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.state import (
    Adjust,
    Award,
    Circumstances,
    Deal,
    Delay,
    Edition,
    Event,
    Fighter,
    Leave,
    Milestone,
    MilestoneEffect,
    Options,
    Outcome,
    Overrule,
    Phase,
    Receive,
    Result,
    RollKind,
    Scene,
    Skirmish,
    Soak,
    StepIn,
    Throw,
)
from rules.skirmish.trait import Level
from tests.rules.skirmish.scenes import (
    SWADE,
    SWD,
    SkirmishRuling,
    ally,
    codes,
    deal,
    dealt,
    hero,
    play,
    skirmish,
    wounded,
)

# set-up


@pytest.mark.parametrize(
    ("fighters", "tokens", "message"),
    [
        ((), 3, "a scene needs a hero who can fight and a token, not 0 and 3"),
        ((hero(),), 0, "a scene needs a hero who can fight and a token, not 1 and 0"),
        ((Fighter("a", Condition(6, 3, True, True)),), 3, "a hero who can fight and a token, not 0 and 3"),
        ((hero(has_left=True),), 3, "a scene needs a hero who can fight and a token, not 0 and 3"),
        ((hero(), hero()), 3, "two fighters are called 'a'"),
        ((hero(), ally("x", "b")), 3, "'x' is an ally of 'b', who is no hero of the scene"),
        ((hero(), ally("x", "a"), ally("y", "x")), 3, "'y' is an ally of 'x', who is no hero of the scene"),
    ],
)
def test_a_scene_needs_heroes_and_tokens(fighters: tuple[Fighter, ...], tokens: int, message: str) -> None:
    """A caller's mistakes are named."""
    with pytest.raises(ValueError, match=message):
        new_scene(fighters, tokens)


@pytest.mark.parametrize("name", ["competence", "tactics"])
@pytest.mark.parametrize(("value", "is_known"), [(-3, False), (-2, True), (2, True), (3, False)])
def test_the_game_masters_modifiers_go_from_minus_2_to_plus_2(name: str, value: int, is_known: bool) -> None:
    """Quick Skirmish."""
    if is_known:
        assert getattr(Options(**{name: value}), name) == value
        return
    with pytest.raises(ValueError, match=rf"{name} goes from -2 to \+2, not {value}"):
        Options(**{name: value})


def test_a_milestone_stands_at_a_token_or_more() -> None:
    """At none it would fire before the fight."""
    assert Milestone(1, MilestoneEffect.NOTE).tokens == 1
    with pytest.raises(ValueError, match="a milestone stands at 1 token or more, not 0"):
        Milestone(0, MilestoneEffect.NOTE)


# cards


def test_the_highest_card_acts_first() -> None:
    """Rank, then suit; everybody acts once a round and the next round is dealt."""
    scene = dealt("9C 9S KD", hero("a"), hero("b"), hero("c"))
    assert (scene.round, scene.phase, scene.current) == (1, Phase.TURN, "c")
    turns = []
    for _ in range(3):
        who = str(scene.current)
        turns.append(who)
        scene = skirmish(scene, (7, 6), (5,), by=who).state
    assert turns == ["c", "b", "a"]
    assert (scene.phase, scene.current, scene.round) == (Phase.DEAL, None, 1)
    assert all(fighter.card is None and not fighter.has_acted for fighter in scene.fighters)
    assert deal(scene, "2S 3S 4S").state.round == 2


def test_a_deal_tells_every_card() -> None:
    """From the first to act to the last."""
    ruling = deal(new_scene((hero("a", name="Anna"), hero("b", name="Bo")), 3), "9C J*R")
    assert [reason.text for reason in ruling.reasons] == [
        "Bo draws the red Joker.",
        "Anna draws the 9 of Clubs.",
        "Bo has a Joker: every player gets a Benny.",
    ]
    assert ruling.outcome == Outcome(Event.DEALT, awards=("a", "b"))
    assert [fighter.bennies for fighter in ruling.state.fighters] == [1, 1]


def test_jokers_give_bennies_in_swade_only_and_allies_get_none() -> None:
    """SPEC 2.7: every player, for every Joker."""
    fighters = (hero("a"), hero("b"), ally("x", "a"))
    assert [fighter.bennies for fighter in dealt("J*B J*R", *fighters).fighters] == [2, 2, 0]
    ruling = deal(new_scene(fighters, 3, Options(edition=SWD)), "J*B J*R")
    assert [fighter.bennies for fighter in ruling.state.fighters] == [0, 0, 0]
    assert ruling.outcome.awards == ()
    assert codes(ruling) == ["drawn", "drawn"]


def test_the_deck_is_shuffled_after_a_joker_only() -> None:
    """Otherwise the fight goes on with the remaining cards."""
    after = skirmish(dealt("AS"), (7, 1), inspired=1)
    assert after.state.discards == (Card("A", "S"),)
    assert "reshuffle" not in codes(after)
    again = skirmish(deal(after.state, "J*B").state, (7, 2))
    assert again.state.phase is Phase.DEAL
    assert again.state.discards == ()
    assert again.reasons[-1].text == "A Joker was dealt: shuffle the whole deck."


def test_the_discards_are_shuffled_when_the_deck_runs_out() -> None:
    """Reading QS-R5: in the middle of a deal, and not the cards in hands."""
    scene = new_scene((hero("a"), hero("b")), 9)
    gone = tuple(card for card in DECK if card != Card("2", "C"))
    ruling = resolve(replace(scene, discards=gone), Deal((("a", Card("2", "C")), ("b", Card("A", "S")))))
    assert codes(ruling) == ["deck_ran_out", "drawn", "drawn"]
    assert ruling.state.discards == ()


def test_a_new_fight_goes_on_with_the_deck_of_the_last() -> None:
    """Seen in a public tool, which shuffled at every fight: only a Joker is a reason to."""
    last = skirmish(dealt("AS"), (7, 6), (2,)).state
    scene = new_scene((hero(),), 3, discards=last.discards)
    with pytest.raises(IllegalActionError, match="The Ace of Spades is not in the deck"):
        deal(scene, "AS")


def test_a_joker_helps_its_holder_only() -> None:
    """Seen in a public tool, which gave everybody the +2."""
    scene = skirmish(dealt("J*B KS", hero("a"), hero("b")), (6, 2)).state
    assert skirmish(scene, (3, 2), by="b").outcome.total == 3


@pytest.mark.parametrize(("edition", "draws"), [(SWADE, "ab"), (SWD, "b")])
def test_the_incapacitated_draw_in_swade_and_have_no_turn(edition: Edition, draws: str) -> None:
    """SPEC 2.7 and reading QS-R8."""
    out = replace(hero("a"), condition=Condition(6, 3, True, True))
    scene = new_scene((out, hero("b")), 3, Options(edition=edition))
    cards = {"a": Card("A", "S"), "b": Card("2", "C")}
    scene = resolve(scene, Deal(tuple((who, cards[who]) for who in draws))).state
    assert scene.current == "b"
    after = skirmish(scene, (7, 1), by="b", inspired=2)
    assert after.state.phase is Phase.DAMAGE
    assert resolve(after.state, Throw((1, 1))).state.phase is Phase.DEAL


# modifiers


@pytest.mark.parametrize(
    ("card", "fighter", "options", "fields", "expected"),
    [
        ("9S", {}, {}, {}, []),
        ("9C", {}, {}, {}, [("clubs", -2)]),
        ("J*B", {}, {}, {}, [("joker", 2)]),
        ("9S", {"wounds": 1}, {}, {}, [("wound_penalty", -1)]),
        ("9S", {"wounds": 3}, {}, {}, [("wound_penalty", -3)]),
        ("9S", {"next_bonus": 2}, {}, {}, [("milestone_bonus", 2)]),
        ("9S", {}, {"competence": 2, "tactics": -1}, {}, [("competence", 2), ("tactics", -1)]),
        ("9S", {}, {}, {"inspired": 1}, [("inspired", 1)]),
        ("9S", {}, {}, {"inspired": 2}, [("inspired", 2)]),
        ("9S", {}, {}, {"is_untrained": True, "sides": 4}, [("untrained", -2)]),
    ],
)
def test_each_modifier_of_a_skirmish_roll(
    card: str, fighter: dict[str, Any], options: dict[str, Any], fields: dict[str, Any], expected: list[tuple[str, int]]
) -> None:
    """SPEC 2.1: what is added, and by which rule."""
    scene = dealt(card, hero(**fighter), **options)
    ruling = resolve(scene, Skirmish("a", "Fighting", **{"sides": 8, **fields}))
    assert [(reason.code, reason.amount) for reason in ruling.reasons] == expected
    assert ruling.outcome == Outcome(Event.DECLARED, "a")
    assert ruling.state.fighter("a").next_bonus == 0
    made = resolve(ruling.state, Throw((3, 2)))
    assert made.outcome.total == 3 + sum(amount for _, amount in expected)
    assert total(made.reasons) == made.outcome.total


def test_a_shaken_hero_on_clubs_with_a_wound() -> None:
    """SPEC 2.8, the second example: Spirit 4-1 fails; d12 shows 11: 11-2-2-1 = 6, one token, 2d6."""
    scene = dealt("9C", hero(shaken=True, wounds=1), tokens=4)
    assert scene.phase is Phase.SPIRIT
    still = resolve(scene, Throw((4, 2)))
    assert (still.outcome, still.state.phase) == (Outcome(Event.STILL_SHAKEN, "a", 3), Phase.TURN)
    assert still.reasons[-1].text == "a stays Shaken: -2 to the skirmish roll."
    ruling = skirmish(still.state, (11, 2), sides=12)
    assert ruling.outcome == Outcome(Event.SUCCESS, "a", 6, 1, 2)
    assert [(reason.code, reason.amount) for reason in ruling.reasons[2:5]] == [
        ("clubs", -2),
        ("still_shaken", -2),
        ("wound_penalty", -1),
    ]
    assert (ruling.state.phase, ruling.state.receiver, ruling.state.tokens_left) == (Phase.DAMAGE, "a", 3)


def test_a_failure_on_clubs_soaked_away() -> None:
    """SPEC 2.8, the first example: 5-2 = 3 fails, 4d6 make 16 against Toughness 6, Vigor 8 cancels both wounds."""
    ruling = skirmish(dealt("7C", hero(bennies=1, vigor=8), may_reroll=False), (5, 2), sides=6)
    assert ruling.outcome == Outcome(Event.FAILURE, "a", 3, 0, 4)
    assert ruling.reasons[-1].text == "Damage: 4d6."
    ruling = resolve(ruling.state, Throw((6, 2, 1, 4)))
    assert ruling.outcome == Outcome(Event.THROWN_AGAIN, "a")
    ruling = resolve(ruling.state, Throw((3,)))
    assert ruling.outcome == Outcome(Event.MAY_SOAK, "a", 16, new_wounds=2)
    assert [(reason.text, reason.amount) for reason in ruling.reasons] == [
        ("Damage die: 6 + 3.", 9),
        ("Damage die: 2.", 2),
        ("Damage die: 1.", 1),
        ("Damage die: 4.", 4),
        ("16 is 10 over Toughness 6: Shaken, and a wound for every full 4: 2.", None),
    ]
    ruling = play(ruling.state, Soak(), Throw((8, 2)), Throw((1,)))
    assert ruling.outcome == Outcome(Event.SOAKED, "a", 9)
    after = ruling.state.fighter("a")
    assert (after.condition, after.bennies) == (Condition(6), 0)
    assert ruling.state.phase is Phase.DEAL


# tokens and damage


@pytest.mark.parametrize(
    ("card", "throw", "event", "taken", "dice"),
    [
        ("9S", (3, 2), Event.FAILURE, 0, 3),
        ("9C", (5, 2), Event.FAILURE, 0, 4),
        ("9S", (4, 2), Event.SUCCESS, 1, 2),
        ("9C", (6, 2), Event.SUCCESS, 1, 2),
        ("9S", (7, 2), Event.SUCCESS, 1, 2),
        ("9S", (9, 2), Event.RAISE, 2, 0),
        ("J*R", (6, 2), Event.RAISE, 2, 0),
    ],
)
def test_failure_success_and_raise(card: str, throw: tuple[int, int], event: Event, taken: int, dice: int) -> None:
    """Quick Skirmish: no token and 3d6, or 4d6 on Clubs; a token and 2d6; two tokens and nobody hurt."""
    ruling = skirmish(dealt(card), throw, sides=10)
    assert (ruling.outcome.event, ruling.outcome.tokens_taken, ruling.outcome.damage_dice) == (event, taken, dice)
    assert (ruling.state.tokens_left, ruling.state.fighter("a").tokens) == (9 - taken, taken)
    assert ruling.state.phase is (Phase.DAMAGE if dice else Phase.DEAL)
    assert ruling.state.damage_dice == dice
    if taken:
        told = f"a takes tokens: {taken}; left on the table: {9 - taken}."
        assert told in [reason.text for reason in ruling.reasons]
    if dice:
        assert ruling.state.roll is not None
        assert (ruling.state.roll.kind, ruling.state.roll.sides) == (RollKind.DAMAGE, (6,) * dice)
    else:
        assert ruling.reasons[-1].text in ("Nobody is hurt.", "A Joker was dealt: shuffle the whole deck.")


def test_many_raises_take_two_tokens() -> None:
    """Reading QS-R6."""
    ruling = skirmish(dealt("9S"), (10, 1), (10,), (9,), sides=10)
    assert (ruling.outcome.total, ruling.outcome.tokens_taken) == (29, 2)
    assert ruling.state.fighter("a").tokens == 2


@pytest.mark.parametrize(
    ("toughness", "event", "condition"),
    [
        (13, Event.UNHURT, Condition(13)),
        (12, Event.SHAKEN, Condition(12, 0, True)),
        (9, Event.SHAKEN, Condition(9, 0, True)),
        (8, Event.WOUNDED, Condition(8, 1, True)),
        (4, Event.WOUNDED, Condition(4, 2, True)),
    ],
)
def test_damage_is_suffered(toughness: int, event: Event, condition: Condition) -> None:
    """3d6 make 12."""
    scene = skirmish(dealt("9S", hero(toughness=toughness)), (3, 2)).state
    ruling = resolve(scene, Throw((5, 4, 3)))
    assert (ruling.outcome.event, ruling.outcome.total, ruling.outcome.who) == (event, 12, "a")
    assert ruling.state.fighter("a").condition == condition
    assert ruling.outcome.new_wounds == condition.wounds
    assert (ruling.state.phase, ruling.state.roll, ruling.state.receiver) == (Phase.DEAL, None, None)
    assert (ruling.state.damage_dice, ruling.state.blow) == (0, None)


@pytest.mark.parametrize(
    ("edition", "advice"),
    [
        (SWADE, "Vigor roll: death on a critical failure; else an injury"),
        (SWD, "Vigor roll: death on a total of 1 or less"),
    ],
)
def test_incapacitation_comes_with_a_hint(edition: Edition, advice: str) -> None:
    """Reading QS-R14: shown and not simulated."""
    scene = skirmish(dealt("KS 9S", hero(wounds=3), hero("b"), edition=edition), (7, 2)).state
    ruling = resolve(scene, Throw((5, 5)))
    assert (ruling.outcome.event, ruling.state.fighter("a").condition.is_incapacitated) == (Event.INCAPACITATED, True)
    assert ruling.advice[0].text.startswith(advice)
    assert ruling.state.fighter("a").condition.wounds == 3
    assert ruling.state.current == "b"


def test_a_joker_adds_nothing_to_damage_suffered() -> None:
    """Reading QS-R4."""
    scene = skirmish(dealt("J*B", hero(toughness=5), may_reroll=False), (2, 3)).state
    assert scene.phase is Phase.DAMAGE
    ruling = resolve(scene, Throw((1, 3)))
    assert (ruling.outcome.total, ruling.outcome.event) == (4, Event.UNHURT)


# allies


def test_a_success_may_hurt_an_ally_instead() -> None:
    """Quick Skirmish: the character or an ally under their control."""
    scene = dealt("9S 8S", hero("a"), hero("b"), ally("x", "a"), ally("y", "b"))
    ruling = skirmish(scene, (5, 2))
    assert (ruling.state.phase, ruling.state.damage_dice) == (Phase.RECEIVER, 2)
    chosen = resolve(ruling.state, Receive("x"))
    assert chosen.outcome == Outcome(Event.RECEIVER, "x", damage_dice=2)
    assert chosen.reasons[0].text == "x takes the damage of 2d6."
    hurt = resolve(chosen.state, Throw((5, 5)))
    assert (hurt.outcome.event, hurt.outcome.who) == (Event.INCAPACITATED, "x")
    assert hurt.advice == ()
    assert hurt.state.current == "b"
    assert resolve(ruling.state, Receive("a")).state.receiver == "a"


def test_without_an_able_ally_the_hero_takes_it() -> None:
    """Nobody is asked where there is no choice; a failure hurts the character in any case."""
    out = replace(ally("x", "a"), condition=Condition(5, 1, True, True, is_wild_card=False))
    assert skirmish(dealt("9S", hero(), out), (5, 2)).state.receiver == "a"
    assert skirmish(dealt("9S", hero(), ally("x", "a")), (3, 2)).state.receiver == "a"


def test_an_ally_soaks_with_its_own_bennies_and_its_players_card() -> None:
    """Savage Worlds: an ally acts on its player's card; Bennies are for one's own character."""
    scene = dealt("J*B", hero("a", bennies=0), ally("x", "a", wild=True), edition=SWD)
    hit = play(skirmish(scene, (2, 1)).state, Receive("x"), Throw((5, 5)))
    assert hit.outcome.event is Event.WOUNDED
    rich = dealt("J*B", hero("a"), ally("x", "a", wild=True, bennies=1), edition=SWD)
    soaking = play(skirmish(rich, (2, 1)).state, Receive("x"), Throw((5, 5)), Soak())
    assert [(reason.code, reason.amount) for reason in soaking.reasons] == [("benny_spent", None), ("joker", 2)]
    assert play(soaking.state, Throw((2, 1))).outcome == Outcome(Event.SOAKED, "x", 4)


def test_an_extra_rolls_without_a_wild_die() -> None:
    """Savage Worlds, Trait rolls; also an Extra's Soak roll."""
    scene = dealt("9S", hero("a"), ally("x", "a", bennies=1))
    soaking = play(skirmish(scene, (5, 1)).state, Receive("x"), Throw((5, 5)), Soak()).state
    assert soaking.roll is not None
    assert soaking.roll.sides == (6,)
    ruling = resolve(soaking, Throw((4,)))
    assert (ruling.outcome.event, ruling.state.fighter("x").condition) == (
        Event.SOAKED,
        Condition(5, is_wild_card=False),
    )


# victory and defeat


def test_the_empty_pile_is_victory_at_once() -> None:
    """Reading QS-R7: players who have not acted do not roll."""
    scene = dealt("KS 9S", hero("a"), hero("b"), tokens=2)
    ruling = skirmish(scene, (7, 6), (2,))
    assert (ruling.state.phase, ruling.state.result, ruling.state.current) == (Phase.OVER, Result.VICTORY, None)
    assert ruling.reasons[-1].text == "No tokens are left: the heroes are victorious."
    assert not ruling.state.fighter("b").has_acted


def test_the_damage_of_the_last_token_is_still_taken() -> None:
    """Reading QS-R1: and it is a victory whoever falls."""
    scene = dealt("KS", hero(wounds=3, toughness=2), tokens=1)
    ruling = skirmish(scene, (7, 3))
    assert (ruling.state.tokens_left, ruling.state.phase) == (0, Phase.DAMAGE)
    ruling = resolve(ruling.state, Throw((5, 5)))
    assert ruling.outcome.event is Event.INCAPACITATED
    assert ruling.state.result is Result.VICTORY


def test_a_raise_takes_no_more_than_there_is() -> None:
    """Reading QS-R6."""
    ruling = skirmish(dealt("KS", tokens=1), (7, 6), (2,))
    assert (ruling.outcome.tokens_taken, ruling.state.fighter("a").tokens) == (1, 1)
    assert ruling.state.tokens_left == 0


def test_nobody_left_with_tokens_on_the_table_is_defeat() -> None:
    """Reading QS-R8: incapacitated or gone."""
    scene = dealt("KS 9S", hero("a", may_leave=True), hero("b", wounds=3, toughness=2))
    scene = resolve(scene, Leave("a")).state
    assert scene.phase is Phase.TURN
    ruling = resolve(skirmish(scene, (3, 2), by="b").state, Throw((5, 5, 5)))
    assert (ruling.state.phase, ruling.state.result, ruling.state.roll) == (Phase.OVER, Result.DEFEAT, None)
    assert ruling.reasons[-1].text == "Nobody is left to fight and tokens remain: the heroes are beaten."
    alone = resolve(dealt("KS", hero(may_leave=True)), Leave("a"))
    assert alone.state.result is Result.DEFEAT


def test_most_tokens_win_a_benny_where_the_game_master_said_so() -> None:
    """Quick Skirmish: for a scene in mid-game; reading QS-R10 where players tie."""
    scene = dealt("KS", hero("a"), tokens=2, has_benny_for_most=True)
    alone = skirmish(scene, (7, 6), (2,))
    assert alone.state.fighter("a").bennies == 1
    assert alone.outcome.awards == ("a",)
    assert alone.reasons[-1].text == "a has most tokens and gets a Benny."
    assert not alone.state.can_award
    fighters = (hero("a"), hero("b", tokens=2), hero("c", has_left=True))
    scene = dealt("KS 9S", *fighters, tokens=2, has_benny_for_most=True)
    tie = skirmish(scene, (7, 6), (2,))
    assert tie.state.most_tokens == ("a", "b")
    assert tie.reasons[-1].text == "Most tokens: a, b. The game master chooses who gets a Benny."
    assert tie.state.can_award
    chosen = resolve(tie.state, Award("b"))
    assert chosen.outcome == Outcome(Event.AWARDED, "b", awards=("b",))
    assert (chosen.state.fighter("b").bennies, chosen.state.can_award) == (1, False)
    plain = skirmish(dealt("KS", tokens=2), (7, 6), (2,))
    assert (plain.state.fighter("a").bennies, plain.state.can_award) == (0, False)


def test_nobody_has_most_tokens_without_any() -> None:
    """A victory by the game master's hand alone names nobody."""
    scene = new_scene((hero("a"), hero("b")), 3)
    assert scene.most_tokens == ()
    won = resolve(
        replace(scene, tokens_left=0, options=Options(has_benny_for_most=True)),
        Adjust("a", "Nothing to fight.", 0, False, False, 0, 0),
    )
    assert (won.state.result, won.state.can_award) == (Result.VICTORY, False)


# Jokers


def test_a_jokers_holder_may_wait_and_step_in() -> None:
    """Savage Worlds, Action cards: act whenever wanted, may interrupt."""
    scene = dealt("J*B KS 9S", hero("a"), hero("b"), hero("c"))
    assert scene.current == "a"
    delayed = resolve(scene, Delay("a"))
    assert (delayed.outcome, delayed.state.current) == (Outcome(Event.DELAYED, "a"), "b")
    assert delayed.reasons[0].text == "a has a Joker and waits for the right moment."
    stepped = resolve(delayed.state, StepIn("a"))
    assert (stepped.outcome, stepped.state.current) == (Outcome(Event.STEPPED_IN, "a"), "a")
    assert not stepped.state.fighter("a").is_delaying
    after = skirmish(stepped.state, (7, 6), (2,)).state
    assert after.current == "b"
    late = skirmish(delayed.state, (7, 6), (2,), by="b").state
    assert late.current == "c"
    last = skirmish(late, (7, 6), (2,), by="c").state
    assert (last.current, last.fighter("a").is_delaying) == ("a", False)


def test_two_waiting_jokers_come_black_before_red() -> None:
    """Reading QS-R5."""
    scene = dealt("J*R J*B 9S", hero("a"), hero("b"), hero("c"))
    scene = play(scene, Delay("b"), Delay("a")).state
    assert scene.current == "c"
    scene = skirmish(scene, (7, 6), (2,), by="c").state
    assert scene.current == "b"


# the game master


@pytest.mark.parametrize(
    ("level", "outcome"),
    [
        (Level.FAILURE, Outcome(Event.FAILURE, "a", None, 0, 3)),
        (Level.SUCCESS, Outcome(Event.SUCCESS, "a", None, 1, 2)),
        (Level.RAISE, Outcome(Event.RAISE, "a", None, 2, 0)),
    ],
)
def test_the_game_master_may_decide_a_skirmish_roll(level: Level, outcome: Outcome) -> None:
    """Before the dice or instead of keeping them; the ruling says so."""
    declared = resolve(dealt("9S", hero(bennies=1)), Skirmish("a", "Fighting", 8)).state
    thrown = resolve(declared, Throw((5, 3))).state
    for scene in (declared, thrown):
        ruling = resolve(scene, Overrule(level, "A cocked die."))
        assert ruling.outcome == outcome
        assert ruling.reasons[0].text == f"The game master decides: {level}. A cocked die."
        assert ruling.reasons[0].source == "the game master"


def test_the_game_master_may_decide_spirit_and_soak() -> None:
    """Any trait roll."""
    scene = dealt("9S", hero(shaken=True))
    assert resolve(scene, Overrule(Level.SUCCESS, "")).outcome == Outcome(Event.RECOVERED, "a")
    assert resolve(scene, Overrule(Level.FAILURE, "")).outcome == Outcome(Event.STILL_SHAKEN, "a")
    soaking = resolve(wounded(hero(toughness=4, bennies=1)).state, Soak()).state
    assert resolve(soaking, Overrule(Level.FAILURE, "")).outcome.new_wounds == 2
    assert resolve(soaking, Overrule(Level.SUCCESS, "")).outcome.new_wounds == 1
    assert resolve(soaking, Overrule(Level.RAISE, "")).outcome.event is Event.SOAKED


def put_right(scene: Scene, who: str = "a", **fields: Any) -> SkirmishRuling:
    """Adjust a fighter, keeping what is not named."""
    fighter = scene.fighter(who)
    values = {
        "wounds": fighter.condition.wounds,
        "is_shaken": fighter.condition.is_shaken,
        "is_incapacitated": fighter.condition.is_incapacitated,
        "bennies": fighter.bennies,
        "tokens": fighter.tokens,
    }
    return resolve(scene, Adjust(who, "So be it.", **{**values, **fields}))


def test_the_game_master_may_put_a_fighter_right() -> None:
    """Tokens come from the pile and go back to it."""
    ruling = put_right(dealt("9S", hero(tokens=1)), wounds=2, bennies=4, tokens=3)
    after = ruling.state.fighter("a")
    assert (after.condition.wounds, after.bennies, after.tokens, ruling.state.tokens_left) == (2, 4, 3, 7)
    assert (ruling.outcome, ruling.reasons[0].text) == (
        Outcome(Event.ADJUSTED, "a"),
        "The game master puts a right. So be it.",
    )
    assert ruling.state.phase is Phase.TURN
    assert put_right(ruling.state, tokens=0).state.tokens_left == 10
    assert put_right(ruling.state, tokens=10).state.result is Result.VICTORY


def test_putting_right_whose_turn_it_is_opens_the_turn_anew_where_needed() -> None:
    """Shaken now: Spirit first; calm now: none; out now: the next one's turn."""
    scene = dealt("KS 9S", hero("a"), hero("b"))
    shaken = put_right(scene, is_shaken=True).state
    assert shaken.phase is Phase.SPIRIT
    assert shaken.roll is not None
    calm = put_right(shaken, is_shaken=False).state
    assert (calm.phase, calm.roll) == (Phase.TURN, None)
    burdened = put_right(shaken, wounds=2).state
    assert burdened.roll is not None
    assert [reason.code for reason in burdened.roll.modifiers] == ["wound_penalty"]
    out = put_right(shaken, is_incapacitated=True).state
    assert (out.current, out.phase, out.roll) == ("b", Phase.TURN, None)
    failed = resolve(shaken, Throw((1, 2))).state
    assert put_right(failed, bennies=1).state.is_still_shaken
    assert put_right(scene, "b", is_shaken=True).state.phase is Phase.TURN
    assert put_right(put_right(scene, "b", is_incapacitated=True).state, is_incapacitated=True).state.result is (
        Result.DEFEAT
    )
    assert put_right(new_scene((hero("a"), hero("b")), 3), is_incapacitated=True).state.phase is Phase.DEAL


def test_the_game_master_may_change_the_circumstances() -> None:
    """For the rolls that are declared from then on."""
    ruling = resolve(dealt("9S"), Circumstances(2, -1, "The bridge falls."))
    assert ruling.outcome == Outcome(Event.CIRCUMSTANCES)
    assert ruling.reasons[0].text == "The game master sets competence to 2 and tactics to -1. The bridge falls."
    assert skirmish(ruling.state, (3, 2)).outcome.total == 4
    declared = resolve(dealt("9S"), Skirmish("a", "x", 8)).state
    assert play(declared, Circumstances(2, 2, ""), Throw((3, 2))).outcome.total == 3


def test_nobody_unknown_is_found() -> None:
    """A caller's mistake."""
    with pytest.raises(KeyError, match="x"):
        dealt("9S").fighter("x")
