"""Skuffle Wammer: the story of the rule text step by step, whole random games, and what always holds."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.json_form import from_json, to_json
from rules.replay import replay, write_log
from rules.ruling import IllegalActionError, total
from rules.skuffle import (
    Action,
    Adjust,
    Attack,
    AttackKind,
    Breed,
    Cancel,
    Die,
    Event,
    Game,
    Move,
    Options,
    Overrule,
    Pass,
    Phase,
    Reposition,
    Result,
    SkuffleRuling,
    Soldier,
    Start,
    Tipped,
    TurnOrder,
    check,
    cover_reason,
    legal_actions,
    new_game,
    pending,
    resolve,
    start,
    targets,
    vantage_reason,
)
from rules.soundness import check_state


def test_the_story_of_garviel_lokan() -> None:
    """Skuffle Wammer, Damage and Bonus points: the examples, step by step, word for word."""
    state = start(
        (
            Soldier("lokan", (100, 190), name="Garviel Lokan"),
            Soldier("daemon", (30, 100), name="the daemon"),
            Soldier("traitor", (100, 20), name="the traitor marine"),
        )
    ).state
    # "Garviel Lokan has 3 dice."
    assert state.soldier("lokan").pool == 3
    assert state.order == ("lokan", "daemon", "traitor")

    # "He makes 1 attack and now has 2 dice."
    ruling = resolve(state, Attack("lokan", "daemon", AttackKind.RANGED))
    assert ruling.state.soldier("lokan").pool == 2
    ruling = resolve(ruling.state, Die(2))
    assert ruling.outcome.event is Event.MISS
    assert [reason.text for reason in ruling.reasons] == ["The die shows 2.", "2 falls short of 4: a miss."]

    # "A daemon attacks him and hits, reducing his dice pool to 1."
    ruling = resolve(ruling.state, Attack("daemon", "lokan", AttackKind.MELEE))
    ruling = resolve(ruling.state, Die(3))
    assert ruling.outcome.event is Event.HIT
    assert ruling.state.soldier("lokan").pool == 1
    ruling = resolve(ruling.state, Pass("traitor"))

    # "On his next turn, Lokan makes another attack and now has 0 dice."
    ruling = resolve(ruling.state, Attack("lokan", "daemon", AttackKind.RANGED))
    ruling = resolve(ruling.state, Die(1))
    assert ruling.state.soldier("lokan").pool == 0

    # "Lokan isn't dead, but all he can do from this point on is move."
    assert not ruling.state.soldier("lokan").is_dead
    ruling = resolve(resolve(ruling.state, Pass("daemon")).state, Pass("traitor"))
    assert ruling.state.current == "lokan"
    assert Attack not in legal_actions(ruling.state)
    with pytest.raises(IllegalActionError) as refused:
        resolve(ruling.state, Attack("lokan", "daemon", AttackKind.RANGED))
    assert str(refused.value) == "Garviel Lokan has no dice left and cannot attack. It can move."

    # "Should he take damage, then he'll be dead because he'll have -1 dice."
    doomed = resolve(resolve(ruling.state, Pass("lokan")).state, Attack("daemon", "lokan", AttackKind.MELEE))
    doomed = resolve(doomed.state, Die(6))
    assert (doomed.state.soldier("lokan").pool, doomed.state.soldier("lokan").is_dead) == (-1, True)

    # "It's his turn, so he dives behind a USB thumbdrive, which grants him +1 defence."
    ruling = resolve(ruling.state, Move("lokan", (150, 170)))
    ruling = resolve(ruling.state, Pass("daemon"))

    # "A traitor marine takes a shot and rolls a 4 ... 4-1 (3), which is a miss for a ranged attack. Lokan lives!"
    shot = Attack("traitor", "lokan", AttackKind.RANGED, defence_bonus=(cover_reason("a USB thumbdrive", 0.5),))
    ruling = resolve(resolve(ruling.state, shot).state, Die(4))
    assert (ruling.outcome.natural, ruling.outcome.modified, ruling.outcome.event) == (4, 3, Event.MISS)
    assert [reason.text for reason in ruling.reasons] == [
        "The die shows 4.",
        "Cover behind a USB thumbdrive (50 % hidden).",
        "3 falls short of 4: a miss.",
    ]
    lokan = ruling.state.soldier("lokan")
    assert (lokan.pool, lokan.is_dead) == (0, False)
    assert ruling.state.phase is Phase.TURN


# random games


def random_setup(chance: random.Random) -> Game:
    """A table of 2 to 6 soldiers, some in teams, some with handicaps."""
    count = chance.randint(2, 6)
    teams = chance.choice(((None,), ("red", "blue"), ("red", "blue", None)))
    breeds = (Breed.SOLDIER, Breed.SOLDIER, Breed.GHOUL, Breed.ROBOT)
    soldiers = [
        Soldier(
            f"s{i}",
            (chance.uniform(0, 200), chance.uniform(0, 200)),
            chance.choice(teams) if i > 1 else teams[i % len(teams)],
            breed=chance.choice(breeds),
            own_pool=chance.choice((None, None, None, 1, 4)),
        )
        for i in range(count)
    ]
    options = Options(
        minutes=chance.choice((1, 3, 5)), turn_order=chance.choice(list(TurnOrder)), strict=chance.random() < 0.3
    )
    return new_game(tuple(soldiers), options)


def random_action(chance: random.Random, state: Game) -> Action:
    """Something that a player might do now; sometimes out of turn, taken back, overruled or put right."""
    somewhere = (chance.uniform(0, 200), chance.uniform(0, 200))
    luck = chance.random()
    match state.phase:
        case Phase.SETUP:
            return Start()
        case Phase.AWAIT_DIE:
            if luck < 0.05:
                return Cancel()
            return Die(chance.randint(1, 6)) if luck < 0.9 else Overrule(chance.random() < 0.5, "so be it")
        case Phase.AWAIT_TIP:
            return Tipped(str(state.fallen))
        case _:
            pass
    by = str(state.current)
    if luck < 0.1 and not state.options.strict:
        by = chance.choice(state.standing).id
    if luck > 0.98:
        return Adjust(chance.choice(state.standing).id, chance.randint(0, 2), is_dead=False, why="a die rolled away")
    if luck > 0.95:
        return Reposition(chance.choice(state.soldiers).id, somewhere)
    whom = targets(state, by)
    if whom and luck < 0.7:
        attack_bonus = (vantage_reason("the monitor", 40),) if chance.random() < 0.3 else ()
        defence_bonus = (cover_reason("the mug", 0.5),) if chance.random() < 0.3 else ()
        return Attack(by, chance.choice(whom), AttackKind.RANGED, attack_bonus, defence_bonus)
    return Move(by, somewhere) if chance.random() < 0.7 else Pass(by)


def hold(before: Game, action: Action, ruling: SkuffleRuling) -> None:
    """Assert what holds of every step."""
    after, outcome = ruling.state, ruling.outcome
    check_state(after)
    for old, new in zip(before.soldiers, after.soldiers, strict=True):
        assert old.id == new.id
        assert not new.is_dead or new.pool in (0, -1)
        if old.is_dead and not isinstance(action, Reposition):
            assert new == old, "a dead soldier never acts and never changes"
    if not isinstance(action, Start | Cancel | Adjust):
        assert after.dice_in_play <= before.dice_in_play, "dice never grow"
    if outcome.event is Event.ATTACK:
        assert after.soldier(str(outcome.soldier)).pool == before.soldier(str(outcome.soldier)).pool - 1
    if outcome.event in (Event.HIT, Event.MISS, Event.KILL):
        lost = before.soldier(str(outcome.target)).pool - after.soldier(str(outcome.target)).pool
        assert lost == (0 if outcome.event is Event.MISS else 1)
        assert total(ruling.reasons) == (outcome.modified or 0)
    assert (after.phase is Phase.AWAIT_DIE) == (after.attack is not None) == (pending(after) is not None)
    assert (after.phase is Phase.OVER) == bool(after.winners) == (after.result is not None)
    if after.phase is Phase.TURN:
        current = after.soldier(str(after.current))
        assert not current.is_dead
        assert after.dice_in_play > 0
        assert len({soldier.side for soldier in after.standing}) > 1
    if after.phase is Phase.OVER:
        assert after.winners == tuple(soldier.id for soldier in after.standing)
        assert after.dice_in_play == 0 or len({soldier.side for soldier in after.standing}) == 1
    for text in (*(reason.text for reason in ruling.reasons), *(advice.text for advice in ruling.advice)):
        assert text
        assert "{" not in text


def play_random_game(seed: int) -> tuple[Game, list[Action], Game]:
    """First state, actions and last state of a whole game; asserts along the way what always holds."""
    chance = random.Random(seed)
    first = state = random_setup(chance)
    actions: list[Action] = []
    attacks = adjustments = 0
    dice = 0
    while state.phase is not Phase.OVER:
        action = random_action(chance, state)
        try:
            ruling = resolve(state, action)
        except IllegalActionError:
            if isinstance(action, Start):
                break
            continue
        hold(state, action, ruling)
        actions.append(action)
        attacks += ruling.outcome.event in (Event.HIT, Event.MISS, Event.KILL)
        adjustments += isinstance(action, Adjust)
        state = ruling.state
        dice = state.dice_in_play if isinstance(action, Start) else dice
        assert len(actions) < 2000, f"seed {seed} does not end"
    assert adjustments or attacks <= dice, "a game with so many dice ends after at most so many attacks"
    return first, actions, state


def play_and_replay(seed: int) -> Game:
    """A whole game, and the same bytes again from its log."""
    first, actions, last = play_random_game(seed)
    log = write_log(first, actions)
    again_first, rulings = replay(log, Game, Action, resolve)
    again_last = rulings[-1].state if rulings else again_first
    assert to_json(again_last) == to_json(last)
    assert write_log(again_first, (from_json(line, Action) for line in log.splitlines()[1:])) == log
    return last


@pytest.mark.parametrize("hundred", range(2))
def test_random_games_come_to_a_legal_end_and_replay_to_the_same_bytes(hundred: int) -> None:
    """The first of the thousand."""
    ends = {play_and_replay(seed).phase for seed in range(hundred * 50, hundred * 50 + 50)}
    assert Phase.OVER in ends


@pytest.mark.slow
def test_a_thousand_random_games_come_to_a_legal_end_and_replay_to_the_same_bytes() -> None:
    """No illegal state, nobody stuck, every log the same game again."""
    ends = [play_and_replay(seed) for seed in range(1000)]
    assert all(end.phase is Phase.OVER for end in ends)
    assert {end.result for end in ends} == {Result.WIN, Result.SHARED}


# properties


@given(
    st.sampled_from(AttackKind),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.integers(0, 4),
    st.sampled_from((Breed.SOLDIER, Breed.GHOUL)),
)
def test_more_on_the_die_or_for_the_attacker_never_turns_a_hit_into_a_miss(
    kind: AttackKind, die: int, has_vantage: bool, has_cover: bool, pool: int, breed: Breed
) -> None:
    """Hits are monotone; a 6 always hits and a soldier's 1 always misses, by arithmetic."""
    pair = (Soldier("a", (100, 190), own_pool=1, breed=breed), Soldier("b", (20, 100), own_pool=pool))
    state = start(pair).state

    def hits(value: int, *, vantage: bool, cover: bool) -> bool:
        bonus = (vantage_reason("x", 40),) if vantage else ()
        defence = (cover_reason("y", 0.5),) if cover else ()
        ruling = resolve(resolve(state, Attack("a", "b", kind, bonus, defence)).state, Die(value))
        return ruling.outcome.event is not Event.MISS

    if hits(die, vantage=has_vantage, cover=has_cover):
        assert hits(min(6, die + 1), vantage=has_vantage, cover=has_cover)
        assert hits(die, vantage=True, cover=has_cover)
        assert hits(die, vantage=has_vantage, cover=False)
    assert hits(6, vantage=has_vantage, cover=has_cover)
    assert breed is Breed.GHOUL or not hits(1, vantage=has_vantage, cover=has_cover)


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_any_game_keeps_to_the_rules(seed: int) -> None:
    """The steps of any random game hold, and its log is the game."""
    play_and_replay(seed)


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_a_refused_action_changes_nothing(seed: int, steps: int) -> None:
    """Checking never changes a game, whatever is asked."""
    chance = random.Random(seed)
    state = random_setup(chance)
    for _ in range(min(steps, 12)):
        before = to_json(state)
        for action in (Start(), Die(3), Cancel(), Tipped("s0"), Attack("s1", "s0", AttackKind.MELEE), Pass("s1")):
            try:
                check(state, action)
            except IllegalActionError as refused:
                with pytest.raises(IllegalActionError, match=re.escape(refused.text)):
                    resolve(state, action)
        assert to_json(state) == before
        try:
            state = resolve(state, random_action(chance, state)).state
        except IllegalActionError:
            return
        if state.phase is Phase.OVER:
            return
