"""A game as a log: its first state and every action, one JSON line each; and back into the very same game."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from rules.json_form import JsonFormError, from_json, lines_of, to_json_lines
from rules.ruling import IllegalActionError, Ruling
from rules.soundness import check_state

StateT = TypeVar("StateT")
OutcomeT = TypeVar("OutcomeT")


class BrokenLogError(ValueError):
    """A log that is no game; the message names the line, `line` counts it from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def write_log(first: object, actions: Iterable[object]) -> str:
    """Write a game's first state and its actions as JSON lines."""
    return to_json_lines((first, *actions))


def replay(
    text: str,
    state_kind: type[StateT],
    action_kind: types.UnionType,
    resolve: Callable[[StateT, Any], Ruling[StateT, OutcomeT]],
) -> tuple[StateT, tuple[Ruling[StateT, OutcomeT], ...]]:
    """Play a log again.

    Args:
        text: what `write_log` wrote.
        state_kind: the dataclass of the rule set's games.
        action_kind: the union of its actions.
        resolve: its referee.

    Returns:
        The first state and the ruling on each action; the same log gives the same bytes.

    Raises:
        BrokenLogError: naming the line that cannot be read, or the action that the rules refuse.
    """
    lines = lines_of(text)
    if not lines:
        raise BrokenLogError(1, "a log starts with the state of a game, and this one is empty")
    first = state = _read(1, lines[0], state_kind)
    try:
        check_state(first)
    except ValueError as unsound:
        raise BrokenLogError(1, str(unsound)) from None
    rulings = []
    for number, line in enumerate(lines[1:], start=2):
        action = _read(number, line, action_kind)
        try:
            ruling = resolve(state, action)
        except IllegalActionError as refused:
            raise BrokenLogError(number, f"{refused.code}: {refused.text}") from None
        except ValueError as impossible:
            raise BrokenLogError(number, str(impossible)) from None
        rulings.append(ruling)
        state = ruling.state
    return first, tuple(rulings)


def _read(number: int, line: str, kind: Any) -> Any:  # Any: a dataclass or a union of dataclasses, and its values
    try:
        return from_json(line, kind)
    except JsonFormError as broken:
        raise BrokenLogError(number, str(broken)) from None
