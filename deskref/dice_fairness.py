"""How fair the dice of a desk are, over all games that were recorded: each physical die by the colour of its body.

Only dice that a camera read for a roll count, with the value that counted in the end: a corrected one as corrected.
Two dice of one colour cannot be told apart from game to game and are tested together.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from deskref.luck import Luck, luck_of

PIP_SIDES: Final = 6
"""Of the dice that the camera reads."""

STARTED: Final = '{"line":"input"'
PLAYED: Final = '{"line":"game","actions":[{'
"""How the lines begin by which the games of a journal are told apart."""

IN_TRAY: Final = "InTray"
"""Kind of the input that tells a die's colour and value in the tray."""

EVENTS: Final = ("die_rest", "die_value", "die_appeared")
"""Kinds of events that tell a die's colour and value."""


@dataclass(frozen=True, slots=True)
class ColourLuck:
    """The test of all dice of a colour."""

    colour: str
    """Its class, as vision names it: `ivory`, `blue`; empty where none was made out."""
    luck: Luck
    games: int
    """In how many games they were thrown."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """The dice of all recorded games."""

    colours: tuple[ColourLuck, ...]
    """Most thrown first."""
    games: int
    """Of which anything was played; a journal holds all games of an evening."""
    broken: int
    """Journals in which something could not be read; the rest of them counts."""


@dataclass(slots=True)
class _Die:
    colour: str
    value: int | None


def fairness_of(folder: Path) -> Fairness:
    """Test the dice of all journals in a folder. Takes some milliseconds for each minute that was recorded.

    Raises:
        OSError: the folder cannot be read.
    """
    values: dict[str, list[int]] = defaultdict(list)
    games: dict[str, int] = defaultdict(int)
    played = broken = 0
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        with path.open(encoding="utf-8", errors="replace") as lines:
            found = _counted(lines)
        broken += found.is_broken
        played += found.games
        for colour, _ in {(roll.colour, roll.game) for roll in found.rolls}:
            games[colour] += 1
        for roll in found.rolls:
            values[roll.colour].append(roll.value)
    colours = (ColourLuck(colour, luck_of(each, PIP_SIDES), games[colour]) for colour, each in values.items())
    return Fairness(tuple(sorted(colours, key=lambda c: (-c.luck.throws, c.colour))), played, broken)


@dataclass(frozen=True, slots=True)
class _Roll:
    """A die that a camera read for a roll."""

    track: int
    colour: str
    value: int
    game: int
    """Which of the journal's games it was thrown in."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """The dice of a journal."""

    rolls: list[_Roll]
    games: int
    is_broken: bool


def _counted(lines: Iterable[str]) -> _Counted:
    """Return every die of a journal that a camera read for a roll, its games, and whether a line is broken."""
    dice: dict[int, _Die] = {}
    rolls: list[_Roll] = []
    counted: set[int] = set()
    is_broken = is_played = False
    game = 0
    for line in lines:
        if line.startswith(PLAYED):
            is_played = True
            continue
        if not line.startswith((STARTED, '{"line":"event"', '{"line":"signal"')):
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            is_broken = True
            continue
        kind = data.get("type")
        if data.get("line") == "input":
            if kind == "StartGame" and is_played:
                game, is_played = game + 1, False
            elif kind == IN_TRAY:
                _see(dice, data, counted, is_thrown=data.get("is_new") is not False)
        elif data.get("line") == "event" and kind in EVENTS:
            _see(dice, data, counted, is_thrown=kind != "die_value")
        elif kind == "roll" and data.get("source") == "camera":
            track = data.get("die")
            die = dice.get(track)
            if die is not None and die.value is not None and track not in counted:
                rolls.append(_Roll(track, die.colour, die.value, game))
                counted.add(track)
                is_played = True
        elif kind == "corrected":
            _correct(rolls, data)
    return _Counted(rolls, game + is_played, is_broken)


def _see(dice: dict[int, _Die], data: dict[str, Any], counted: set[int], *, is_thrown: bool) -> None:
    """Take what a die shows; one that was thrown anew may count again.

    A correction plays every later roll again, and says it again: the die was thrown once all the same.
    """
    track, value = data.get("die"), data.get("value")
    if not isinstance(track, int):
        return
    is_pips = isinstance(value, int) and 1 <= value <= PIP_SIDES
    if is_thrown:
        counted.discard(track)
    dice[track] = _Die(str(data.get("colour") or ""), value if is_pips else None)


def _correct(rolls: list[_Roll], data: dict[str, Any]) -> None:
    """Put the newest roll of a corrected die right."""
    value = data.get("value")
    if not isinstance(value, int) or not 1 <= value <= PIP_SIDES:
        return
    for n in reversed(range(len(rolls))):
        if rolls[n].track == data.get("die"):
            rolls[n] = replace(rolls[n], value=value)
            return
