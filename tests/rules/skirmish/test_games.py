"""The Quick Skirmish: whole random scenes, and what always holds."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK
from rules.json_form import from_json, to_json
from rules.replay import replay, write_log
from rules.ruling import IllegalActionError, Ruling, total
from rules.skirmish.checks import able_receivers, check
from rules.skirmish.damage import Condition
from rules.skirmish.deck import who_draws
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.rolls import pending
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
    Scene,
    Skirmish,
    Soak,
    StepIn,
    TakeWounds,
    Throw,
    Unshake,
)
from rules.skirmish.trait import Level
from rules.soundness import check_state

MILESTONES = (
    Milestone(2, MilestoneEffect.NOTE, note="Smoke rises."),
    Milestone(3, MilestoneEffect.LEAVE),
    Milestone(5, MilestoneEffect.NEXT_ROLL, bonus=2),
)


def random_scene(chance: random.Random) -> Scene:
    """1 to 4 heroes, some with an ally, and 3 to 5 tokens for each."""
    fighters = []
    for number in range(chance.randint(1, 4)):
        hero = f"h{number}"
        fighters.append(
            Fighter(
                hero,
                Condition(chance.randint(4, 9), max_wounds=chance.choice((3, 3, 4))),
                spirit=chance.choice((4, 6, 8)),
                vigor=chance.choice((4, 6, 8, 10)),
                bennies=chance.randint(0, 3),
            )
        )
        if chance.random() < 0.4:
            ally = Condition(chance.randint(4, 7), is_wild_card=chance.random() < 0.3)
            fighters.append(Fighter(f"x{number}", ally, bennies=chance.choice((0, 0, 1)), ally_of=hero))
    heroes = sum(fighter.ally_of is None for fighter in fighters)
    options = Options(
        edition=chance.choice(list(Edition)),
        competence=chance.randint(-2, 2),
        tactics=chance.randint(-2, 2),
        milestones=chance.choice(((), MILESTONES)),
        has_benny_for_most=chance.random() < 0.5,
        may_reroll=chance.random() < 0.7,
    )
    return new_scene(tuple(fighters), heroes * chance.randint(3, 5), options)


def random_action(chance: random.Random, scene: Scene) -> Action:
    """Something that a table might do now; it may be refused."""
    luck = chance.random()
    anybody = chance.choice(scene.fighters)
    if luck < 0.02:
        return Circumstances(chance.randint(-2, 2), chance.randint(-2, 2), "The weather turns.")
    if luck < 0.05 and scene.phase in (Phase.DEAL, Phase.TURN, Phase.SPIRIT):
        condition = anybody.condition
        return Adjust(
            anybody.id, "Counted again.", condition.wounds, luck < 0.03, condition.is_incapacitated, 1, anybody.tokens
        )
    if luck < 0.1 and anybody.condition.is_shaken:
        return Unshake(anybody.id)
    if luck < 0.12:
        return chance.choice((Leave(anybody.id), StepIn(anybody.id), Delay(str(scene.current))))
    match scene.phase:
        case Phase.DEAL:
            # Now and then somebody deals a card that is not in the deck.
            gone = () if luck < 0.14 else scene.discards
            in_deck = [card for card in DECK if card not in gone]
            heroes = who_draws(scene)
            first = chance.sample(in_deck, min(len(in_deck), len(heroes)))
            rest = [card for card in DECK if card not in first]
            cards = first + chance.sample(rest, len(heroes) - len(first))
            return Deal(tuple((hero.id, card) for hero, card in zip(heroes, cards, strict=True)))
        case Phase.TURN:
            return Skirmish(
                str(scene.current), "Fighting", chance.choice((4, 6, 8, 10, 12)), chance.choice((0, 0, 1, 2))
            )
        case Phase.ACCEPT:
            return chance.choice((Accept(), Reroll()))
        case Phase.RECEIVER:
            return Receive(chance.choice(able_receivers(scene)).id)
        case Phase.SOAK:
            return chance.choice((Soak(), TakeWounds()))
        case _:
            if luck > 0.97 and scene.phase is not Phase.DAMAGE:
                return Overrule(chance.choice(list(Level)), "It fell off the table.")
            need = pending(scene)
            assert need is not None
            return Throw(tuple(chance.randint(1, dice.sides) for dice in need.dice for _ in range(dice.count)))


def hold(before: Scene, action: Action, ruling: Ruling[Scene, Outcome]) -> None:
    """Assert what holds of every step."""
    after, outcome = ruling.state, ruling.outcome
    check_state(after)
    pile = [scene.tokens_left + sum(fighter.tokens for fighter in scene.fighters) for scene in (before, after)]
    assert pile[0] == pile[1], "tokens taken and tokens left are the start"
    assert 0 <= after.tokens_left <= before.tokens_left
    for old, new in zip(before.fighters, after.fighters, strict=True):
        assert new.bennies >= 0
        assert 0 <= new.condition.wounds <= max(1, new.condition.bears)
        if not isinstance(action, Adjust):
            assert new.condition.is_incapacitated >= old.condition.is_incapacitated
            assert new.condition.wounds >= old.condition.wounds
        assert new.has_left >= old.has_left
        assert set(old.milestones) <= set(new.milestones)
        assert len(set(new.milestones)) == len(new.milestones)
    assert (pending(after) is not None) == (after.phase in (Phase.SPIRIT, Phase.ROLL, Phase.DAMAGE))
    if after.result is Result.VICTORY:
        assert after.tokens_left == 0
    if after.result is Result.DEFEAT:
        assert after.tokens_left > 0
        assert all(hero.is_out for hero in after.heroes)
    thrown = isinstance(action, Throw) and outcome.total is not None
    if thrown:
        assert total(ruling.reasons) == outcome.total, "the amounts of the reasons add up"
    if outcome.event in (Event.FAILURE, Event.SUCCESS, Event.RAISE):
        asked = {Event.FAILURE: 0, Event.SUCCESS: 1, Event.RAISE: 2}[outcome.event]
        assert outcome.tokens_taken == min(asked, before.tokens_left)
    for text in (*(reason.text for reason in ruling.reasons), *(advice.text for advice in ruling.advice)):
        assert text
        assert "{" not in text


def play_random_scene(seed: int) -> tuple[Scene, list[Action], Scene]:
    """First state, actions and last state of a whole scene."""
    chance = random.Random(seed)
    first = scene = random_scene(chance)
    actions: list[Action] = []
    tries = 0
    while scene.phase is not Phase.OVER:
        action = random_action(chance, scene)
        tries += 1
        assert tries < 5000, f"seed {seed} does not end"
        try:
            ruling = resolve(scene, action)
        except IllegalActionError:
            continue
        hold(scene, action, ruling)
        actions.append(action)
        scene = ruling.state
    if scene.can_award:
        actions.append(Award(scene.most_tokens[0]))
        scene = resolve(scene, actions[-1]).state
    return first, actions, scene


def play_and_replay(seed: int) -> Scene:
    """A whole scene, and the same bytes again from its log."""
    first, actions, last = play_random_scene(seed)
    log = write_log(first, actions)
    again_first, rulings = replay(log, Scene, Action, resolve)
    assert to_json(rulings[-1].state) == to_json(last)
    assert write_log(again_first, (from_json(line, Action) for line in log.splitlines()[1:])) == log
    return last


@pytest.mark.parametrize("half", range(2))
def test_random_scenes_come_to_a_legal_end_and_replay_to_the_same_bytes(half: int) -> None:
    """The first of the thousand."""
    ends = {play_and_replay(seed).result for seed in range(half * 15, half * 15 + 15)}
    assert Result.VICTORY in ends


@pytest.mark.slow
def test_a_thousand_random_scenes_come_to_a_legal_end_and_replay_to_the_same_bytes() -> None:
    """No illegal state, nobody stuck, every log the same scene again; both ends occur."""
    ends = [play_and_replay(seed).result for seed in range(1000)]
    assert set(ends) == {Result.VICTORY, Result.DEFEAT}


@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_any_scene_keeps_to_the_rules(seed: int) -> None:
    """The steps of any random scene hold, and its log is the scene."""
    play_and_replay(seed)


def test_a_check_changes_nothing() -> None:
    """Whatever is asked, in every state of some scenes."""
    for seed in range(5):
        scene, actions, _ = play_random_scene(seed)
        chance = random.Random(seed)
        for action in actions:
            before = to_json(scene)
            for asked in (action, random_action(chance, scene) if scene.phase is not Phase.OVER else action):
                with contextlib.suppress(IllegalActionError):
                    check(scene, asked)
            assert to_json(scene) == before
            scene = resolve(scene, action).state
