"""The Quick Skirmish: turns, tokens, Spirit, Soak, Bennies, milestones, victory and defeat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.cards import DECK, Card, parse_card
from rules.ruling import IllegalActionError, Ruling, total
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
    Reroll,
    Result,
    RollKind,
    Scene,
    Skirmish,
    Soak,
    StepIn,
    TakeWounds,
    Throw,
    Unshake,
)
from rules.skirmish.trait import Level

SkirmishRuling = Ruling[Scene, Outcome]
SWD, SWADE = Edition.SWD, Edition.SWADE


def hero(who: str = "a", *, toughness: int = 6, wounds: int = 0, shaken: bool = False, **fields: Any) -> Fighter:
    """A Wild Card; without Bennies unless told."""
    condition = Condition(toughness, wounds, shaken)
    return Fighter(who, condition, **{"bennies": 0, **fields})


def ally(name: str, of: str, *, wild: bool = False, **fields: Any) -> Fighter:
    return Fighter(name, Condition(5, is_wild_card=wild), **{"bennies": 0, "ally_of": of, **fields})


def dealt(cards: str, *fighters: Fighter, tokens: int = 9, **options: Any) -> Scene:
    """A scene in its first round; cards in the order of the heroes."""
    scene = new_scene(fighters or (hero(),), tokens, Options(**options))
    return deal(scene, cards).state


def deal(scene: Scene, cards: str) -> SkirmishRuling:
    names = [fighter.id for fighter in scene.heroes if not fighter.has_left]
    return resolve(scene, Deal(tuple(zip(names, map(parse_card, cards.split()), strict=True))))


def play(scene: Scene, *actions: Action) -> SkirmishRuling:
    """Resolve actions one after the other; the last ruling."""
    ruling: SkirmishRuling | None = None
    for action in actions:
        ruling = resolve(scene, action)
        scene = ruling.state
    assert ruling is not None
    return ruling


def skirmish(scene: Scene, *throws: tuple[int, ...], by: str = "a", sides: int = 8, **fields: Any) -> SkirmishRuling:
    """Declare a skirmish roll and throw."""
    return play(scene, Skirmish(by, "Fighting", sides, **fields), *(Throw(values) for values in throws))


def codes(ruling: SkirmishRuling) -> list[str]:
    return [reason.code for reason in ruling.reasons]


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


# Spirit


@pytest.mark.parametrize("edition", list(Edition))
@pytest.mark.parametrize(("throw", "recovers"), [((3, 2), False), ((4, 2), True), ((1, 4), True), ((1, 1), False)])
def test_spirit_4_recovers_in_both_editions(throw: tuple[int, int], recovers: bool, edition: Edition) -> None:
    """SPEC 2.6 and 2.7: a success is enough to act as usual."""
    ruling = resolve(dealt("9S", hero(shaken=True), edition=edition), Throw(throw))
    assert ruling.outcome.event is (Event.RECOVERED if recovers else Event.STILL_SHAKEN)
    assert ruling.state.fighter("a").condition.is_shaken is not recovers
    assert ruling.state.is_still_shaken is not recovers
    assert (ruling.state.phase, ruling.state.roll) == (Phase.TURN, None)
    assert codes(ruling)[-1] == ("recovered" if recovers else "not_recovered")
    after = skirmish(ruling.state, (3, 2))
    assert after.outcome.total == (3 if recovers else 1)
    assert not after.state.is_still_shaken or after.state.phase is Phase.DAMAGE


def test_a_joker_and_wounds_count_in_the_spirit_roll() -> None:
    """A Joker: +2 to all own trait rolls of the round."""
    ruling = resolve(dealt("J*B", hero(shaken=True, wounds=1), edition=SWD), Throw((3, 2)))
    assert ruling.outcome == Outcome(Event.RECOVERED, "a", 4)
    assert total(ruling.reasons) == 4


def test_a_die_that_aces_is_awaited_again() -> None:
    """Each 6 asks for the next throw of the same die."""
    scene = dealt("9S", hero(shaken=True, spirit=4))
    once = resolve(scene, Throw((4, 6)))
    assert (once.outcome, once.state.phase, once.reasons) == (Outcome(Event.THROWN_AGAIN, "a"), Phase.SPIRIT, ())
    twice = resolve(once.state, Throw((1, 6)))
    assert twice.outcome.event is Event.THROWN_AGAIN
    done = resolve(twice.state, Throw((2,)))
    assert done.outcome == Outcome(Event.RECOVERED, "a", 14)


# Bennies


def test_a_benny_removes_shaken_at_any_time() -> None:
    """SPEC 2.5: before the Spirit roll, after it, in somebody else's turn, before damage is thrown, between rounds."""
    shaken = hero("a", shaken=True, bennies=1)
    at_once = resolve(dealt("9S", shaken), Unshake("a"))
    assert at_once.outcome == Outcome(Event.RECOVERED, "a")
    assert [reason.text for reason in at_once.reasons] == ["a spends a Benny; left: 0.", "a is no longer Shaken."]
    assert (at_once.state.phase, at_once.state.roll) == (Phase.TURN, None)
    assert at_once.state.fighter("a").bennies == 0
    failed = play(dealt("9S", shaken, may_reroll=False), Throw((1, 2)), Unshake("a")).state
    assert (failed.is_still_shaken, failed.phase) == (False, Phase.TURN)
    assert skirmish(failed, (3, 2)).outcome.total == 3
    other = resolve(dealt("9S KS", shaken, hero("b")), Unshake("a")).state
    assert (other.current, other.phase, other.fighter("a").condition.is_shaken) == ("b", Phase.TURN, False)
    waiting = dealt("9S KS", shaken, hero("b", shaken=True))
    assert resolve(waiting, Unshake("a")).state.phase is Phase.SPIRIT
    damage = play(dealt("9S", shaken, may_reroll=False), Throw((1, 2)), Skirmish("a", "Fighting", 8), Throw((2, 3)))
    calm = resolve(damage.state, Unshake("a")).state
    assert calm.phase is Phase.DAMAGE
    assert resolve(calm, Throw((3, 2, 1))).outcome.event is Event.SHAKEN
    between = new_scene((shaken,), 3)
    assert resolve(between, Unshake("a")).state.phase is Phase.DEAL


def test_an_ally_may_be_calmed_too() -> None:
    """With its own Benny."""
    friend = replace(ally("x", "a", bennies=1), condition=Condition(5, 0, True, is_wild_card=False))
    assert not resolve(dealt("9S", hero(), friend), Unshake("x")).state.fighter("x").condition.is_shaken


def test_a_benny_buys_another_roll_and_the_better_counts() -> None:
    """Savage Worlds, Bennies: re-roll a trait roll and keep the best."""
    scene = dealt("9S", hero(bennies=2))
    first = skirmish(scene, (5, 3))
    assert (first.outcome, first.state.phase) == (Outcome(Event.MAY_REROLL, "a", 5), Phase.ACCEPT)
    bought = resolve(first.state, Reroll())
    assert (bought.outcome, bought.state.phase) == (Outcome(Event.REROLL, "a"), Phase.ROLL)
    assert bought.reasons[0].text == "a spends a Benny; left: 1."
    worse = resolve(bought.state, Throw((3, 2)))
    assert (worse.outcome.event, worse.outcome.total) == (Event.MAY_REROLL, 5)
    assert worse.reasons[0].text == "The new roll makes 3; the better one of 5 is kept."
    assert total(worse.reasons) == 5
    kept = resolve(worse.state, Accept())
    assert kept.outcome == Outcome(Event.SUCCESS, "a", 5, 1, 2)
    better = play(worse.state, Reroll(), Throw((7, 6)), Throw((3,)))
    assert better.outcome == Outcome(Event.RAISE, "a", 9, 2)
    assert better.state.fighter("a").bennies == 0


def test_an_equal_roll_takes_the_place_of_the_first() -> None:
    """It changes nothing but the reasons."""
    scene = skirmish(dealt("9S", hero(bennies=2)), (5, 3)).state
    again = play(scene, Reroll(), Throw((2, 5)))
    assert again.reasons[0].code == "trait_die_lower"


def test_no_roll_is_offered_where_none_can_help() -> None:
    """A raise, no Benny, the option off, a critical failure in swade; a success of Spirit."""
    assert skirmish(dealt("9S", hero(bennies=1)), (7, 6), (2,)).outcome.event is Event.RAISE
    assert skirmish(dealt("9S", hero()), (3, 2)).outcome.event is Event.FAILURE
    assert skirmish(dealt("9S", hero(bennies=1), may_reroll=False), (3, 2)).outcome.event is Event.FAILURE
    assert skirmish(dealt("9S", hero(bennies=1)), (1, 1)).outcome.event is Event.FAILURE
    assert skirmish(dealt("9S", hero(bennies=1), edition=SWD), (1, 1)).outcome.event is Event.MAY_REROLL
    calm = resolve(dealt("9S", hero(shaken=True, bennies=1)), Throw((4, 2)))
    assert calm.outcome.event is Event.RECOVERED
    asked = resolve(dealt("9S", hero(shaken=True, bennies=1)), Throw((3, 2)))
    assert (asked.outcome.event, asked.state.phase) == (Event.MAY_REROLL, Phase.ACCEPT)
    assert resolve(asked.state, Reroll()).state.phase is Phase.SPIRIT
    assert resolve(asked.state, Accept()).outcome.event is Event.STILL_SHAKEN


def test_a_critical_failure_ends_the_attempt_in_swade_only() -> None:
    """Savage Worlds, Bennies: it must be accepted; in swd the better roll stays."""
    for edition, event in ((SWADE, Event.FAILURE), (SWD, Event.SUCCESS)):
        scene = skirmish(dealt("9S", hero(bennies=1), edition=edition), (5, 3)).state
        assert play(scene, Reroll(), Throw((1, 1))).outcome.event is event


def test_a_success_is_better_than_a_higher_critical_failure() -> None:
    """In swd a critical failure with a high bonus makes a higher total and is still no success."""
    scene = dealt("9S", hero(bennies=2), edition=SWD, competence=2, tactics=2)
    first = skirmish(scene, (1, 1), inspired=2)
    assert first.outcome.total == 7
    better = play(first.state, Reroll(), Throw((1, 2)))
    assert (better.outcome.event, better.outcome.total) == (Event.RAISE, 8)


# Soak


def wounded(fighter: Fighter, *, dice: tuple[int, ...] = (5, 4, 3), **options: Any) -> SkirmishRuling:
    """A failure and its damage: 12."""
    return play(
        dealt("9S", fighter, **{"may_reroll": False, **options}), Skirmish("a", "x", 8), Throw((3, 2)), Throw(dice)
    )


def test_wounds_may_be_taken_without_a_soak_roll() -> None:
    """A Benny is worth keeping at times."""
    asked = wounded(hero(toughness=4, bennies=1))
    assert (asked.outcome.event, asked.state.phase) == (Event.MAY_SOAK, Phase.SOAK)
    taken = resolve(asked.state, TakeWounds())
    assert (taken.outcome.event, taken.outcome.new_wounds, taken.state.fighter("a").bennies) == (Event.WOUNDED, 2, 1)


def test_a_blow_that_only_shakes_is_not_soaked() -> None:
    """Reading QS-R12."""
    assert wounded(hero(toughness=9, bennies=1)).outcome.event is Event.SHAKEN


def test_older_wounds_burden_the_soak_roll_and_the_new_ones_do_not() -> None:
    """SPEC 2.5: 4-1 = 3 fails with an older wound; 4 is enough without."""
    fresh = play(wounded(hero(toughness=4, bennies=1)).state, Soak(), Throw((4, 2)))
    assert (fresh.outcome.total, fresh.outcome.new_wounds) == (4, 1)
    hurt = play(wounded(hero(toughness=4, wounds=1, bennies=1)).state, Soak())
    assert [(reason.code, reason.amount) for reason in hurt.reasons] == [("benny_spent", None), ("wound_penalty", -1)]
    failed = resolve(hurt.state, Throw((4, 2)))
    assert (failed.outcome.total, failed.outcome.new_wounds) == (3, 2)
    assert failed.state.fighter("a").condition == Condition(4, 3, True)


def test_further_bennies_reroll_a_soak_roll_until_all_is_cancelled() -> None:
    """SPEC 2.5; also where other rolls are not re-rolled."""
    first = play(wounded(hero(toughness=4, bennies=3)).state, Soak(), Throw((4, 2)))
    assert (first.outcome.event, first.state.phase) == (Event.MAY_REROLL, Phase.ACCEPT)
    kept = resolve(first.state, Accept())
    assert (kept.outcome.event, kept.outcome.new_wounds) == (Event.WOUNDED, 1)
    second = play(first.state, Reroll(), Throw((6, 1)), Throw((2,)))
    assert (second.outcome.event, second.state.fighter("a").bennies) == (Event.SOAKED, 1)
    poor = play(wounded(hero(toughness=4, bennies=1)).state, Soak(), Throw((4, 2)))
    assert poor.outcome.event is Event.WOUNDED


# milestones


LEAVE_AT_3 = Milestone(3, MilestoneEffect.LEAVE)
BEHIND_AT_5 = Milestone(5, MilestoneEffect.NEXT_ROLL, bonus=2)
NOTE_AT_1 = Milestone(1, MilestoneEffect.NOTE, note="The gate stands open.")


def test_a_milestone_fires_once_for_each_hero_also_when_jumped_over() -> None:
    """Reading QS-R9."""
    scene = dealt("9S 8S", hero("a", tokens=2), hero("b"), milestones=(LEAVE_AT_3, BEHIND_AT_5, NOTE_AT_1))
    ruling = skirmish(scene, (7, 6), (2,))
    assert [reason.text for reason in ruling.reasons if reason.source == "Quick Skirmish, milestones"] == [
        "Milestone of a at 3: may leave the fight.",
        "Milestone of a at 1: The gate stands open.",
    ]
    after = ruling.state.fighter("a")
    assert (after.tokens, after.may_leave, after.milestones, after.next_bonus) == (4, True, (0, 2), 0)
    scene = skirmish(ruling.state, (7, 6), (2,), by="b").state
    assert scene.fighter("b").milestones == (2,)
    ruling = skirmish(deal(scene, "KS 2S").state, (7, 6), (2,))
    assert [reason.text for reason in ruling.reasons if reason.source == "Quick Skirmish, milestones"] == [
        "Milestone of a at 5: +2 to the next skirmish roll."
    ]
    assert (ruling.state.fighter("a").next_bonus, ruling.state.fighter("a").tokens) == (2, 6)


def test_a_milestones_bonus_is_for_the_next_skirmish_roll_only() -> None:
    """Quick Skirmish: a +2 bonus to their next skirmish roll this scene; the roll that earned it has none."""
    scene = dealt("9S", hero(tokens=4), milestones=(BEHIND_AT_5, replace(BEHIND_AT_5, tokens=6, bonus=1)))
    first = skirmish(scene, (8, 1), (1,))
    assert first.outcome.total == 9
    assert first.state.fighter("a").next_bonus == 3
    second = skirmish(deal(first.state, "KS").state, (3, 2))
    assert second.outcome.total == 6
    scene = resolve(second.state, Throw((1, 1))).state
    assert skirmish(deal(scene, "QS").state, (3, 2)).outcome.total == 3


def test_who_may_leave_leaves_the_rest_to_fend_for_themselves() -> None:
    """Quick Skirmish: in the own turn, in another's, between rounds."""
    fighters = (hero("a", may_leave=True), hero("b"))
    own = resolve(dealt("KS 9S", *fighters), Leave("a"))
    assert (own.outcome, own.reasons[0].text) == (Outcome(Event.LEFT, "a"), "a leaves the fight.")
    assert (own.state.current, own.state.fighter("a").has_left) == ("b", True)
    others = resolve(dealt("9S KS", *fighters), Leave("a"))
    assert others.state.current == "b"
    between = resolve(new_scene(fighters, 3), Leave("a")).state
    assert (between.phase, between.current) == (Phase.DEAL, None)
    assert resolve(between, Deal((("b", Card("9", "S")),))).state.current == "b"


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
