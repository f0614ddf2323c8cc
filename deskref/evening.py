"""The games of an evening: those of the session that is played and those of journals that were written just before.

A journal holds all games of one run of the program. Each is summed up here, and has its report as any other.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from deskref.game_report import Outcome, outcome_of
from deskref.replay import followed
from deskref.saved_game import NAME
from deskref.session import PlayedGame, Session

logger = logging.getLogger(__name__)

EVENING: Final = timedelta(hours=12)
"""Journals that began longer ago than this are of another evening."""


@dataclass(frozen=True, slots=True)
class EveningGame:
    """One game of the evening."""

    key: str
    """Names it in the report's address; the game that is played is named by nothing."""
    game: Session | PlayedGame
    """For its report."""
    outcome: Outcome
    began: datetime | None
    """By this computer's clock; None in journals of old."""


def games_of(session: Session, *, journal: str = "") -> tuple[EveningGame, ...]:
    """Return the games of a session in their order, the one that is played last.

    Args:
        session: that is played, or that a journal left.
        journal: name of that journal, without its ending; empty for the session that is played.
    """
    games: list[EveningGame] = []
    played: tuple[Session | PlayedGame, ...] = (*session.earlier, session)
    for number, game in enumerate(played, start=1):
        outcome = outcome_of(game)
        if outcome is None or (game is session and not session.past):
            continue  # nobody has played in it yet
        is_now = game is session and not journal
        key = "" if is_now else f"{journal}.{number}" if journal else str(number)
        games.append(EveningGame(key, game, outcome, _moment(game.began_at)))
    return tuple(games)


def games_before(folder: Path, *, now: datetime, but: Path | None = None) -> tuple[EveningGame, ...]:
    """Return the games of all other journals of this evening, the oldest first. Takes seconds for hours of play.

    A journal with a fault gives its games before the fault.

    Args:
        folder: of the journals.
        now: the wall clock's time, with its zone.
        but: the journal that is written now.

    Raises:
        OSError: the folder cannot be read.
    """
    games: list[EveningGame] = []
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        try:
            began = datetime.strptime(path.stem, NAME).replace(tzinfo=UTC)
        except ValueError:
            continue  # a copy that somebody named otherwise
        if path == but or now - began > EVENING:
            continue
        found = followed(path)
        if found.trouble is not None:
            logger.info("the journal %s is read to its fault only: %s", path.name, found.trouble)
        games += games_of(found.session, journal=path.stem)
    return tuple(games)


def _moment(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written).astimezone() if written else None
    except ValueError:
        return None
