"""What must hold of a game's journal: nothing is missing, it replays to the same bytes, and its rulings are right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from deskref import replay
from deskref.recording import Line, LineKind, RecordingError, read_journal
from deskref.session import Session
from deskref.signal import Signal
from tests.deskref.forked import end_with_parent, quick_context
from tests.soak import second_opinion
from tests.soak.program_run import SoakError

FEW = 100
"""So many rulings are played again twice; more take seconds, and `replay.rulings` holds each against the recorded game
anyway."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a journal was found to hold."""

    lines: int
    rulings: int
    """That came out the same twice, from the recorded actions alone."""
    opinions: int
    """Rulings on which the second opinion was heard, and was the same."""


def check(journal: Path, session: Session) -> Checked:
    """Hold a journal against the session that it is of.

    Args:
        journal: everything that has happened so far is in it.
        session: nothing happens in it meanwhile.

    Raises:
        SoakError: something is missing or differs.
        RecordingError: a line is broken, or the rules say otherwise.
    """
    lines = list(read_journal(journal))
    again = replay.followed(journal)
    if again.trouble is not None:
        raise SoakError(f"{journal.name}: {again.trouble}")
    said = as_lines(session.log)
    differs(said, as_lines(again.session.log), "the replay says otherwise")
    if again.session.book != session.book or len(again.session.past) != len(session.past):
        raise SoakError(f"{journal.name}: the replay leads to another book")
    check_written(lines, session.log)
    rulings = list(replay.rulings(journal)) if any(line.kind is LineKind.GAME for line in lines) else []
    if 0 < len(rulings) <= FEW and rulings != list(replay.rulings(journal)):
        raise SoakError(f"{journal.name}: the rulings differ from one replay to the next")
    return Checked(len(lines), len(rulings), second_opinion.check(lines))


def check_apart(journal: Path, session: Session, *, observed_since: int | None = None) -> Checked:
    """Check in a process of its own: the memory that a whole journal takes is none of the program's.

    Args:
        journal: everything that has happened so far is in it.
        session: nothing happens in it meanwhile.
        observed_since: also hold the recorded observations against what was said after this signal.

    Raises:
        SoakError: as `check` and `check_observations` do, or the process died.
    """
    context = quick_context()
    found, telling = context.Pipe(duplex=False)
    process = context.Process(target=_tell_checked, args=(journal, session, observed_since, telling))
    process.start()
    telling.close()
    try:
        checked: Checked | str = found.recv()
    except EOFError as error:
        raise SoakError(f"{journal.name}: the check came to nothing") from error
    finally:
        process.join()
        process.close()
        found.close()
    if isinstance(checked, str):
        raise SoakError(checked)
    return checked


def _tell_checked(journal: Path, session: Session, observed_since: int | None, telling: Connection) -> None:
    end_with_parent()
    try:
        checked = check(journal, session)
        if observed_since is not None:
            check_observations(journal, session, since=observed_since)
        telling.send(checked)
    except (SoakError, RecordingError) as trouble:
        telling.send(str(trouble))


def check_written(lines: list[Line], log: Iterable[Signal]) -> None:
    """Raise where a signal is not in the journal, but for those that a killed program had not written any more.

    Of games before the last two the session keeps no signals: they were held against the journal in their time.
    """
    said = {signal.number: json.dumps(signal.as_json()) for signal in log}
    written = 0
    may_lack = False
    for line in lines:
        if line.kind is LineKind.RESUMED:
            may_lack = True
        if line.kind is not LineKind.SIGNAL:
            continue
        number = int(line.data["n"])
        if number != written + 1 and not (may_lack and number > written):
            raise SoakError(f"{line.where}: signal {number} follows {written}")
        kept = said.get(number, json.dumps(line.data) if number < min(said, default=0) else "nothing")
        if kept != json.dumps(line.data):
            raise SoakError(f"{line.where}: {json.dumps(line.data)} was said as {kept}")
        written, may_lack = number, False
    if written != max(said, default=written):
        raise SoakError(f"{lines[0].file}: {max(said) - written} of the last signals are not in it")


def check_observations(journal: Path, session: Session, *, since: int) -> None:
    """Raise where the recorded observations of a game lead to other signals than were said, times aside.

    Ticks of a running game come by the clock, those of the replay by the frames.
    """
    want = [_timeless(s) for s in session.log if s.number > since]
    found = [_timeless(s) for s in replay.from_observations(journal) if s.number > since]
    differs(want, found, "the observations lead to something else")


def check_facts(found: Iterable[object], truth: Iterable[object]) -> None:
    """Raise where a filmed game was refereed otherwise than it happened."""
    differs([repr(fact) for fact in truth], [repr(fact) for fact in found], "the referee saw something else")


def as_lines(signals: Iterable[Signal]) -> list[str]:
    """Signals as the journal holds them."""
    return [json.dumps(signal.as_json()) for signal in signals]


def differs(want: list[str], found: list[str], what: str) -> None:
    """Raise where two lists differ, with the first difference."""
    if want == found:
        return
    at = next((i for i, (a, b) in enumerate(zip(want, found, strict=False)) if a != b), min(len(want), len(found)))
    raise SoakError(
        f"{what}: {len(want)} wanted, {len(found)} found; number {at + 1} "
        f"wanted {want[at : at + 1]}, found {found[at : at + 1]}"
    )


def _timeless(signal: Signal) -> str:
    return json.dumps({key: value for key, value in signal.as_json().items() if key not in ("time_s", "n")})
