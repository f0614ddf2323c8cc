"""The journal of a game: one JSON line for everything seen, told and said, flushed at once.

A killed program loses nothing but the line it was writing; a full disk keeps lines waiting until there is room. The
lines are kinds of `Line`; `deskref.replay` plays them
again at three cut points: the rules' actions, the observations, the frames.
"""

from __future__ import annotations

import codecs
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

from deskref.given_file import making, open_given
from deskref.inputs import AnyInput
from deskref.kinds_check import of_its_kinds, seen_of_its_kinds
from deskref.looking import Looking, looking_from_json
from deskref.plain_errors import said_of
from deskref.rule_sets import RULE_SETS, RuleSet
from deskref.session import AnyGame, Session
from deskref.signal import Signal
from deskref.sound_json import finite, no_number
from rules.json_form import UNWRITABLE, from_json, to_json
from rules.soundness import check_state
from vision.events import TableEvent, event_as_json, event_from_json
from vision.observation import Observation
from vision.records import observation_as_record, observation_from_record

logger = logging.getLogger(__name__)

FORMAT = "deskref-journal/1"
"""Written into the first line; a reader refuses another."""

TAIL_BYTES: Final = 65536
"""A journal's end is read in pieces of this size; a line has a few hundred bytes."""

LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes. A game on a table full of walls has some hundred thousand; a file without ends of lines is no journal."""

ADDED: Final[Mapping[str, Mapping[str, Any]]] = {"StartGame": {"at": ""}}
"""Fields that inputs have had only since some journals were written, with what stands for them in those."""

T = TypeVar("T")


class RecordingError(Exception):
    """A recording that cannot be read; names the line and what is wrong with it."""


class LineKind(StrEnum):
    """What a line of the journal holds."""

    HEAD = "head"
    """Format, version, when it began, the film where one was played, what marks the table, and the lens."""
    LOOKING = "looking"
    """What marks the table, and the lens, in all later frames: both may be changed in the middle of a game."""
    OBSERVATION = "observation"
    EVENT = "event"
    INPUT = "input"
    GAME = "game"
    """The rules' actions and the game that they led to; no actions where a page was turned back."""
    SIGNAL = "signal"
    RESUMED = "resumed"
    """The program was ended in the middle of the game and has taken it up again."""
    END = "end"
    """The program ended in an orderly way."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a journal."""

    number: int
    """Counted from 1."""
    kind: LineKind
    data: dict[str, Any]
    file: str
    """Name of the journal, for messages."""

    @property
    def where(self) -> str:
        """Where the line stands, for messages."""
        return f"{self.file}, line {self.number}"

    def event(self) -> TableEvent:
        """The event of an event line."""
        return _read(self, lambda: of_its_kinds(event_from_json(self.data)))

    def input(self) -> AnyInput:
        """The player's input of an input line."""
        data = {**ADDED.get(str(self.data.get("type")), {}), **self.data}
        made: AnyInput = _read(self, lambda: from_json(json.dumps(data), AnyInput))
        return made

    def looking(self) -> Looking:
        """What marks the table, and the lens, as a head or a later line tells; the mat, and none, in old journals."""
        return _read(self, lambda: looking_from_json(self.data))

    @property
    def after_s(self) -> float:
        """Time of the last frame for which a looking line does not count yet."""
        return _read(self, lambda: float(self.data["after_s"]))

    def observation(self, before: Observation | None) -> Observation:
        """The observation of an observation line; `before` is the one of the line before it."""
        if not self.data.get("same"):
            return _read(self, lambda: seen_of_its_kinds(observation_from_record(self.data)))
        if before is None:
            raise RecordingError(f"{self.where}: the same as before, but nothing was before")
        return _read(self, lambda: replace(before, frame=int(self.data["frame"]), time_s=float(self.data["time_s"])))

    def rule_set(self) -> RuleSet:
        """The rule set of a game line, told by the kind of its game."""
        return _read(self, lambda: RULE_SETS[self.data["game"]["type"]])

    def game(self) -> tuple[tuple[Any, ...], AnyGame]:
        """The actions, of the line's rule set, and the game of a game line."""
        rule_set = self.rule_set()
        return _read(
            self,
            lambda: (
                tuple(from_json(json.dumps(a), rule_set.action) for a in self.data["actions"]),
                _sound(from_json(json.dumps(self.data["game"]), rule_set.game)),
            ),
        )


def _sound(game: AnyGame) -> AnyGame:
    """The game, if it does not contradict itself."""
    check_state(game)
    return game


class Journal:
    """Writes a game's journal; every line is with the system before the call returns.

    What cannot be written, because the disk is full, waits in memory for the next line; only observations are then
    left out, from which no game is made again.
    """

    def __init__(
        self,
        path: Path,
        *,
        version: str,
        started: str,
        film: str | None = None,
        looking: Looking | None = None,
        goes_on: bool = False,
    ) -> None:
        """Begin a journal, or take one up again.

        Args:
            path: of the file; it must not exist yet, or hold the journal that goes on.
            version: of the program.
            started: the wall clock's time in ISO 8601.
            film: path of the video that is played, where one is.
            looking: what the eyes know of the table and the lens; None where nobody looks.
            goes_on: whether the journal of a game that was cut off goes on; a line that was cut off is removed.

        Raises:
            OSError: the file cannot be made.
        """
        self.path = path
        self.trouble: str | None = None
        """Why lines wait to be written; None while everything is."""
        self._seen: Observation | None = None
        self._waiting = bytearray()
        known = looking.as_json() if looking is not None else {}
        if goes_on:
            _cut_at_last_line(path)
            self._file = path.open("ab", buffering=0)
            self._write(LineKind.RESUMED, {"version": version, "started": started, **known})
        else:
            with making(path):
                self._file = path.open("xb", buffering=0)
            head = {"format": FORMAT, "version": version, "started": started, "film": film}
            self._write(LineKind.HEAD, {**head, **known})

    def __enter__(self) -> Journal:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file; an orderly end is said so."""
        self.close(orderly=error is None)

    def observation(self, observation: Observation) -> None:
        """Write what was seen in one frame; where it is what was seen before, the line says only that."""
        if self._waiting:
            self._seen = None
            return
        bare = replace(observation, frame=0, time_s=0.0)
        if bare == self._seen:
            self._write(
                LineKind.OBSERVATION,
                {"frame": observation.frame, "time_s": round(observation.time_s, 4), "same": True},
            )
        else:
            self._write(LineKind.OBSERVATION, observation_as_record(observation))
        self._seen = bare

    def looks(self, looking: Looking, *, after_s: float) -> None:
        """Write that frames later than a time show a table marked otherwise, or through another lens."""
        self._write(LineKind.LOOKING, {"after_s": round(after_s, 4), **looking.as_json()})

    def happened(self, happened: TableEvent | AnyInput) -> None:
        """Write an event or a player's input before it is acted upon."""
        if isinstance(happened, TableEvent):
            self._write(LineKind.EVENT, event_as_json(happened))
        else:
            self._write(LineKind.INPUT, json.loads(to_json(happened)))

    def resumed(self, session: Session) -> None:
        """Write the game that goes on: the last input before the end may have changed it without saying so."""
        if session.book.game is not None:
            self._write(LineKind.GAME, {"actions": [], "game": json.loads(to_json(session.book.game))})

    def followed(self, before: Session, after: Session, signals: tuple[Signal, ...]) -> None:
        """Write what an event or input led to."""
        if after.book.game is not None and after.book.game is not before.book.game:
            played = len(after.past) == len(before.past) + 1 and after.past[:-1] == before.past
            actions = after.past[-1][1].actions if played else ()
            self._write(
                LineKind.GAME,
                {"actions": [json.loads(to_json(a)) for a in actions], "game": json.loads(to_json(after.book.game))},
            )
        for signal in signals:
            self._write(LineKind.SIGNAL, signal.as_json())

    def catch_up(self) -> None:
        """Write what waits, if there is room again."""
        try:
            while self._waiting:
                del self._waiting[: self._file.write(self._waiting)]
        except OSError as error:
            if self.trouble is None:
                said = said_of(OSError(error.errno, error.strerror, str(self.path)))
                logger.warning("%s The game goes on meanwhile, and is written as soon as it can be", said)
            self.trouble = error.strerror or str(error)
        else:
            self.trouble = None

    def close(self, *, orderly: bool = True) -> None:
        """Close the file; calling it twice is allowed."""
        if not self._file.closed:
            if orderly:
                self._write(LineKind.END, {})
            if self._waiting:
                logger.error("%s lacks its last %d bytes: %s", self.path, len(self._waiting), self.trouble)
            self._file.close()

    def _write(self, kind: LineKind, data: dict[str, Any]) -> None:
        line = json.dumps({"line": kind.value, **data}, ensure_ascii=False, separators=(",", ":"))
        self._waiting += UNWRITABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", line).encode() + b"\n"
        self.catch_up()


def read_journal(path: Path) -> Iterator[Line]:
    """Read a journal line by line.

    A last line that was cut off by a crash is passed over.

    Raises:
        RecordingError: the file is no journal, or a line in it is broken.
        OSError: the file cannot be read.
    """
    with open_given(path) as file:
        number = 0
        for number, raw in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            if len(raw) >= LONGEST_LINE:
                raise RecordingError(f"{path.name}, line {number}: longer than any line of a journal")
            if not raw.endswith(b"\n"):
                if number == 1:
                    raise RecordingError(f"{path.name} was cut off in its first line: it holds nothing")
                break
            if number == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise RecordingError(f"{path.name} was saved as UTF-16: save it as UTF-8 again")
            try:
                text = raw.removeprefix(codecs.BOM_UTF8).decode() if number == 1 else raw.decode()
            except UnicodeDecodeError as error:
                raise RecordingError(f"{path.name}, line {number}: not text: {error.reason}") from error
            yield _line(path, number, text)
        if number == 0:
            raise RecordingError(f"{path.name} is empty: it holds no recording")


def is_finished(path: Path) -> bool:
    """Whether the journal was ended in an orderly way; a killed game's was not."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL_BYTES))
        lines = file.read().split()
    return bool(lines) and lines[-1].startswith(b'{"line":"end"')


def count_games(path: Path) -> int:
    """Return how many games a journal holds in which anything was done after they were begun.

    Raises:
        OSError: the file cannot be read.
    """
    count, is_begun = 0, False
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b'{"line":"input"') and b'"type":"StartGame"' in line:
                is_begun = True
            elif is_begun and line.startswith((b'{"line":"input"', b'{"line":"event"')):
                count, is_begun = count + 1, False
    return count


def _cut_at_last_line(path: Path) -> None:
    """Remove what stands after the last end of a line: the line that a killed program was writing."""
    with path.open("r+b") as file:
        end = file.seek(0, 2)
        while end > 0:
            begin = max(0, end - TAIL_BYTES)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                end = begin + found + 1
                break
            end = begin
        file.truncate(end)


def _line(path: Path, number: int, text: str) -> Line:
    where = f"{path.name}, line {number}"
    try:
        data = json.loads(text, parse_constant=no_number, parse_float=finite)
    except json.JSONDecodeError as error:
        raise RecordingError(f"{where}: not JSON from character {error.pos + 1} on: {error.msg}") from error
    except (ValueError, RecursionError) as error:  # brackets in brackets without end
        raise RecordingError(f"{where}: not JSON: {error}") from error
    named = data.pop("line", None) if isinstance(data, dict) else None
    if not isinstance(named, str) or named not in set(LineKind):
        raise RecordingError(f"{where}: expected one of the kinds {', '.join(LineKind)}")
    kind = LineKind(named)
    if (number == 1) != (kind is LineKind.HEAD):
        raise RecordingError(f"{where}: a journal begins with its one head line")
    if kind is LineKind.HEAD and data.get("format") != FORMAT:
        raise RecordingError(f"{where}: the format is {data.get('format')!r}, this program reads {FORMAT!r}")
    return Line(number, kind, data, path.name)


def _read(line: Line, make: Callable[[], T]) -> T:
    try:
        return make()
    except KeyError as error:
        raise RecordingError(f"{line.where}: {error.args[0]!r} is missing") from error
    except (ValueError, OverflowError) as error:
        raise RecordingError(f"{line.where}: {error}") from error
    except (TypeError, AttributeError, RecursionError) as error:
        raise RecordingError(f"{line.where}: what stands in it is not of the kind that belongs there") from error
