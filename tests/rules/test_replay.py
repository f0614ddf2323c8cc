"""A game as a log, and back."""

from __future__ import annotations

import pytest

from rules.replay import BrokenLogError, replay, write_log
from rules.skuffle import Action, Attack, AttackKind, Die, Game, Pass, Soldier, Start, new_game, resolve

FIRST = new_game((Soldier("a", (100, 190)), Soldier("b", (20, 100))))
ACTIONS: tuple[Action, ...] = (Start(), Attack("a", "b", AttackKind.RANGED), Die(4), Pass("b"))


def test_a_log_is_the_game() -> None:
    """The first state, then a ruling for each action."""
    first, rulings = replay(write_log(FIRST, ACTIONS), Game, Action, resolve)
    assert first == FIRST
    assert len(rulings) == len(ACTIONS)
    assert rulings[2].state.soldier("b").pool == 2
    assert rulings[-1].state.current == "a"


def test_a_log_may_hold_the_state_alone() -> None:
    """A game that has just been laid out."""
    assert replay(write_log(FIRST, ()), Game, Action, resolve) == (FIRST, ())


@pytest.mark.parametrize(
    ("line", "text", "why"),
    [
        (1, "", "line 1: Game: 'area' is missing"),
        (1, "[]", "line 1: value: expected an object of type 'Game', got []"),
        (3, "rubbish", "line 3: not JSON at character 1: Expecting value"),
        (4, '{"type":"Die","value":7}', "line 4: a six-sided die cannot show 7"),
        (4, '{"type":"Die"}', "line 4: Die: 'value' is missing"),
        (5, '{"by":"a","type":"Pass"}', None),
        (
            5,
            '{"by":"z","type":"Pass"}',
            "line 5: unknown_soldier: There is no soldier z in this game. There are: a, b.",
        ),
        (2, '{"by":"a","type":"Pass"}', "line 2: not_started: The game has not started. Start it first."),
    ],
)
def test_a_broken_log_names_its_line(line: int, text: str, why: str | None) -> None:
    """Unreadable, impossible or against the rules."""
    lines = write_log(FIRST, ACTIONS).splitlines()
    lines[line - 1] = text
    if text == "":
        lines = []
        why = "line 1: a log starts with the state of a game, and this one is empty"
    if why is None:
        assert replay("\n".join(lines), Game, Action, resolve)[1][-1].advice[0].code == "out_of_turn"
        return
    with pytest.raises(BrokenLogError) as broken:
        replay("\n".join(lines), Game, Action, resolve)
    assert str(broken.value) == why
    assert broken.value.line == line
