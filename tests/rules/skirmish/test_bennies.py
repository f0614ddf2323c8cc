"""The Quick Skirmish: Spirit rolls, Bennies, Soak, and what milestones give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.cards import Card
from rules.ruling import total
from rules.skirmish.damage import Condition
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.state import (
    Accept,
    Deal,
    Edition,
    Event,
    Leave,
    Milestone,
    MilestoneEffect,
    Outcome,
    Phase,
    Reroll,
    Skirmish,
    Soak,
    TakeWounds,
    Throw,
    Unshake,
)
from tests.rules.skirmish.scenes import (
    SWADE,
    SWD,
    ally,
    codes,
    deal,
    dealt,
    hero,
    play,
    skirmish,
    wounded,
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
