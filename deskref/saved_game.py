"""The journals of past games in a folder: beginning one, and taking up the game that was cut off."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from deskref.looking import Looking
from deskref.plain_errors import said_of
from deskref.recording import Journal, is_finished
from deskref.replay import followed, remembered_table
from deskref.session import Session
from deskref.words import CATALOGUE
from vision.table_state import TableState

logger = logging.getLogger(__name__)

NAME = "%Y-%m-%dT%H%M%S.%f"
"""Journals are named by when they began, so that their names sort by age; no two begin in one microsecond. Where the
clock was set back meanwhile, a new one is named after the newest all the same."""

STEP = timedelta(microseconds=1)
"""Between two names; the least that they tell apart."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A game that is to be played, with its journal."""

    journal: Journal | None
    """None where none can be written: the game is played all the same."""
    session: Session | None = None
    """Of the game that was cut off; None begins anew."""
    table: TableState | None = None
    """What the eyes must know of it; None begins anew."""
    said: tuple[str, ...] = ()
    """For the player: that a game goes on, that its journal is broken, that no journal can be written."""


def begin(folder: Path, *, version: str, looking: Looking | None = None, film: Path | None = None) -> Taken:
    """Begin a new game's journal.

    Args:
        folder: of the journals.
        version: of the program.
        looking: what the eyes know of the table and the lens.
        film: that is played in place of a camera.
    """
    try:
        return Taken(_new(folder, version, looking, film))
    except OSError as error:
        return Taken(None, said=(_unwritten(folder, error),))


def take_up(folder: Path, *, version: str, looking: Looking | None = None, film: Path | None = None) -> Taken:
    """Take up the newest game where the program was ended in the middle of it; otherwise begin a new one.

    A journal that goes on is the same file. One with a fault is left as it is, and the part before its fault goes on
    in a new one.
    """
    newest = _newest(folder)
    try:
        if newest is None or is_finished(newest):
            return begin(folder, version=version, looking=looking, film=film)
    except OSError as error:
        began = begin(folder, version=version, looking=looking, film=film)
        return Taken(began.journal, said=(f"The last game cannot be read: {error}.", *began.said))
    found = followed(newest)
    if found.session.setup is None:
        said = () if found.trouble is None else (f"The last game's journal cannot be read: {found.trouble}.",)
        began = begin(folder, version=version, looking=looking, film=film)
        return Taken(began.journal, said=(*said, *began.said))
    table = remembered_table(found.session, found.used)
    try:
        if found.trouble is None:
            journal = Journal(newest, version=version, started=_now(), looking=looking, goes_on=True)
            said = (CATALOGUE.told("game_goes_on", name=newest.name),)
        else:
            journal = _copied(newest, found.lines, folder, version, looking)
            said = (CATALOGUE.told("game_goes_on_broken", why=str(found.trouble), name=newest.name),)
    except OSError as error:
        return Taken(None, found.session, table, (_unwritten(folder, error),))
    journal.resumed(found.session)
    return Taken(journal, found.session, table, said)


def forget_old(folder: Path, *, keep: int) -> None:
    """Delete the oldest journals beyond the number that is kept."""
    for path in sorted(folder.glob("*.jsonl"))[: -keep or None] if folder.is_dir() else []:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            logger.warning("%s cannot be deleted: %s", path, error)


def _new(folder: Path, version: str, looking: Looking | None, film: Path | None) -> Journal:
    named = str(film) if film is not None else None
    return Journal(_path(folder), version=version, started=_now(), looking=looking, film=named)


def _copied(broken: Path, lines: int, folder: Path, version: str, looking: Looking | None) -> Journal:
    """Copy the sound part of a journal into a new one that goes on."""
    path = _path(folder)
    with broken.open("rb") as source, path.open("xb") as copy:
        copy.writelines(islice(source, lines))
    return Journal(path, version=version, started=_now(), looking=looking, goes_on=True)


def _path(folder: Path) -> Path:
    now, newest = datetime.now(UTC), _newest(folder)
    began = _named_time(newest) if newest is not None else None
    return folder / f"{now if began is None else max(now, began + STEP):{NAME}}.jsonl"


def _newest(folder: Path) -> Path | None:
    """The journal that was begun last; files that players have named count only where there is no other."""
    found = list(folder.glob("*.jsonl")) if folder.is_dir() else []
    return max(found, key=lambda path: (_named_time(path) is not None, path.name), default=None)


def _named_time(path: Path) -> datetime | None:
    """When a journal began, by its name; None where a player has named it."""
    try:
        return datetime.strptime(path.stem, NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _unwritten(folder: Path, error: OSError) -> str:
    named = error if error.filename is not None else OSError(error.errno, error.strerror, str(folder))
    return f"{said_of(named)} Games are played meanwhile, but not kept; DESKREF_HOME names another folder for them."
