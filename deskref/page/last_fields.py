"""What the forms of a new game begin with: players and agreements of the last game of each kind, until forgotten."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from deskref.given_file import read_given
from deskref.sound_json import finite, no_number, sound_json
from deskref.whole_file import write_whole

logger = logging.getLogger(__name__)

FILE_NAME: Final = "last-games.json"
"""In the folder of the settings: for each game by its name what its form had when it was started last."""

NEWEST: Final = "newest"
"""Beside them, the name of the game that was started last."""

T = TypeVar("T")


def remembered(folder: Path, game: str, kind: type[T]) -> T | None:
    """Return what a game's form had when it was started last; None where nothing is kept, or nothing sound.

    Args:
        folder: of the settings.
        game: the rule set's name.
        kind: of the form's fields, a dataclass.
    """
    kept = _kept(folder).get(game)
    if kept is None:
        return None
    try:
        return TypeAdapter(kind).validate_python(kept)
    except ValidationError as error:
        logger.warning("the last game of %s is not taken up again: %s", game, error)
        return None


def newest(folder: Path) -> str:
    """Return the name of the game that was started last; empty where none is kept."""
    return str(_kept(folder).get(NEWEST, ""))


def is_kept(folder: Path, game: str) -> bool:
    """Return whether something is kept of a game."""
    return game in _kept(folder)


def remember(folder: Path, game: str, fields: object) -> None:
    """Keep what a game's form has; where the folder cannot be written the next form begins as it would have now."""
    kept = TypeAdapter(type(fields)).dump_python(fields, mode="json")
    _write(folder, {**_kept(folder), game: kept, NEWEST: game})


def forget(folder: Path, game: str) -> None:
    """Forget what a game's form had."""
    kept = _kept(folder)
    if kept.pop(game, None) is not None:
        _write(folder, kept)


def _kept(folder: Path) -> dict[str, Any]:  # Any: JSON
    try:
        text = sound_json(read_given(folder / FILE_NAME))
        kept = json.loads(text, parse_constant=no_number, parse_float=finite)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        logger.warning("the last games cannot be read: %s", error)
        return {}
    return kept if isinstance(kept, dict) else {}


def _write(folder: Path, kept: dict[str, Any]) -> None:
    try:
        write_whole(folder / FILE_NAME, json.dumps(kept, ensure_ascii=False, indent=1))
    except OSError as error:
        logger.warning("the last games cannot be kept: %s", error)
