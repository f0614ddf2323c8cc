"""Logs that a hand or a disk has broken: whatever is in them, the only error is the one that names its line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import skuffle
from rules.json_form import from_json, lines_of, to_json
from rules.replay import BrokenLogError, replay, write_log
from rules.skirmish import checks as skirmish_checks
from rules.skirmish import play, rolls
from rules.skirmish import state as skirmish
from rules.soundness import check_state
from rules.world_saga import combat as saga
from rules.world_saga.actions import Action as SagaAction
from tests.rules.skirmish.test_games import play_random_scene
from tests.rules.test_skuffle_games import play_random_game
from tests.rules.world_saga.test_random_combats import play_out

SHORT = 60
"""Actions of a log; the same things happen again after that."""

WHOLE = [-1, 0, 1, 2, 100, 10**6, 2**53, -(2**53), None]
NUMBERS = [*WHOLE, 0.5, 1e-300, 1e308, -1e300]
TEXTS = ["", "nobody", "None", "over", "turn", "J*B", "a\u2028b", None]


@dataclass(frozen=True)
class RuleSet:
    """How a rule set is played at random, read and shown."""

    game: Callable[[int], tuple[Any, list[Any]]]
    state: type
    action: Any
    resolve: Callable[[Any, Any], Any]
    shown: tuple[Callable[[Any], Any], ...]
    """What a page asks of every state."""


RULE_SETS = {
    "skuffle": RuleSet(
        lambda seed: play_random_game(seed)[:2],
        skuffle.Game,
        skuffle.Action,
        skuffle.resolve,
        (skuffle.pending, skuffle.legal_actions),
    ),
    "skirmish": RuleSet(
        lambda seed: play_random_scene(seed)[:2],
        skirmish.Scene,
        skirmish.Action,
        play.resolve,
        (rolls.pending, skirmish_checks.legal_actions, rolls.awaited_damage_chances),
    ),
    "saga": RuleSet(
        lambda seed: play_out(seed)[:2],
        saga.Combat,
        SagaAction,
        saga.resolve,
        (saga.pending, saga.legal_actions, saga.squares_left),
    ),
}


@cache
def played(name: str, seed: int) -> tuple[list[Any], list[Any]]:
    """Every state of a game, and the actions between them."""
    rule_set = RULE_SETS[name]
    first, actions = rule_set.game(seed)
    states = [first]
    for action in actions[: 4 * SHORT]:
        states.append(rule_set.resolve(states[-1], action).state)
    return states, actions[: 4 * SHORT]


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every place within a JSON value, with what is there."""
    if way:
        yield way, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*way, key))


def spoil(line: Any, dice: random.Random) -> None:
    """Put something else in one place: what stands elsewhere in the line, or what no game has."""
    everywhere = list(places(line))
    way, value = dice.choice(everywhere)
    alike = [other for _, other in everywhere if type(other) is type(value)]
    strange: list[Any]
    match value:
        case bool():
            strange = [not value]
        case int():
            strange = [value - 1, value + 1, *WHOLE]
        case float():
            strange = [value / 2, *NUMBERS]
        case str():
            strange = [value + "x", *TEXTS]
        case list():
            strange = [[], value[:1], value[:-1], value[::-1], value + value]
        case None:
            strange = [0, "nobody", [], [1, 2], *(other for _, other in everywhere)]
        case _:
            strange = [None]
    new = dice.choice(alike if dice.random() < 0.5 else strange)
    inner = line
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = json.loads(json.dumps(new))


def play_broken(name: str, seed: int, *, games: int = 3) -> bool:
    """Break the log of one of so many games and play it; return whether it was still a game."""
    rule_set, dice = RULE_SETS[name], random.Random(seed)
    states, actions = played(name, seed % games)
    begin = dice.choice([0, 0, dice.randrange(len(states))])
    log = [json.loads(line) for line in lines_of(write_log(states[begin], actions[begin : begin + SHORT]))]
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        spoil(log[dice.choice([0, 0, dice.randrange(len(log))])], dice)
    if dice.random() < 0.2 and len(log) > 2:
        log.pop(dice.randrange(1, len(log)))
    line = 0
    try:
        first, rulings = replay("\n".join(map(json.dumps, log)), rule_set.state, rule_set.action, rule_set.resolve)
    except BrokenLogError as broken:
        line = broken.line
        text = str(broken)
    if line:
        assert text.startswith(f"line {line}: ")
        assert line <= len(log)
        return False
    for state in [first, *(ruling.state for ruling in rulings)][:20]:
        assert from_json(to_json(state), rule_set.state) == state
        for show in rule_set.shown:
            show(state)
    return True


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_state_of_a_game_is_sound(name: str) -> None:
    for seed in range(3):
        for state in played(name, seed)[0]:
            check_state(state)


@pytest.mark.parametrize("name", RULE_SETS)
@settings(max_examples=40)
@given(seed=st.integers(0, 10**9))
def test_a_broken_log_is_still_a_game_or_names_its_line(name: str, seed: int) -> None:
    play_broken(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_SETS)
def test_thousands_of_broken_logs_are_still_games_or_name_their_lines(name: str) -> None:
    """Both happen: some changes do not matter."""
    games = [play_broken(name, seed, games=12) for seed in range(3000)]
    assert 300 < sum(games) < 2700
