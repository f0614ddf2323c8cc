"""Characters that are kept: a TOML file each, with what each game needs of somebody."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import tomlkit
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from deskref.file_mistake import first_mistake, not_truth
from deskref.given_file import read_given
from deskref.names import checked, likeness
from deskref.number_ranges import within
from deskref.plain_errors import said_of
from deskref.settings import decoded, sound_toml
from deskref.whole_file import write_whole

FOLDER_NAME = "characters"
"""Below the folder of settings and games."""

Shown = Annotated[str, Field(min_length=1, max_length=30), AfterValidator(checked)]
"""What the forms offer."""
Die = Literal[4, 6, 8, 10, 12]
Rank = Annotated[int, within("rank"), BeforeValidator(not_truth)]
"""Of a skill, attribute or resistance."""
Pool = Annotated[int, within("pool"), BeforeValidator(not_truth)]
"""Stamina, Focus or Courage."""


class CharacterError(Exception):
    """A character's file that cannot be used; says which file, where in it, and what was expected."""


class Part(BaseModel):
    """A part of a character; an unknown name in it is an error that names it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SkirmishPart(Part):
    """Section `[quick_skirmish]`."""

    trait: Shown = "Fighting"
    """What it rolls as a rule."""
    die: Die = 8
    """Of the trait."""
    toughness: Annotated[int, within("toughness")] = 5
    spirit: Die = 6
    vigor: Die = 6
    bennies: Annotated[int, within("bennies")] = 3


class CombatPart(Part):
    """Section `[world_saga]`."""

    reflexes: Rank = 10
    ranks: dict[Shown, Rank] = {}
    """Other Ranks by skill or resistance."""
    speed: Annotated[int, within("speed")] | None = None
    stamina: Pool | None = None
    focus: Pool | None = None
    courage: Pool | None = None
    strike_cost: Annotated[int, within("strike_cost")] = 0


class Character(Part):
    """Somebody who is played again and again."""

    name: Shown
    quick_skirmish: SkirmishPart | None = None
    """None where it has not been in a Quick Skirmish."""
    world_saga: CombatPart | None = None


def load_character(path: Path) -> Character:
    """Read a character.

    Raises:
        CharacterError: the file is no character.
    """
    try:
        return Character.model_validate(sound_toml(read_given(path)))
    except OSError as error:
        raise CharacterError(said_of(error)) from error
    except ValidationError as error:
        raise CharacterError(f"{path.name}: {first_mistake(error)}") from error
    except ValueError as error:
        raise CharacterError(f"{path.name}: {error}") from error


def all_characters(home: Path) -> tuple[tuple[Character, ...], tuple[CharacterError, ...]]:
    """Read everybody who is kept, by name, and what is wrong with files that cannot be used."""
    found, wrong = [], []
    for path in sorted((home / FOLDER_NAME).glob("*.toml")):
        try:
            found.append(load_character(path))
        except CharacterError as error:
            wrong.append(error)
    return tuple(sorted(found, key=lambda c: c.name.lower())), tuple(wrong)


def keep_character(home: Path, character: Character) -> Path:
    """Write a character to its file; what the file has of other games, and its comments, stays.

    Whoever is called otherwise has another file, though the file names were the same.

    Returns:
        The file.

    Raises:
        CharacterError: the file that is there cannot be read, and is left as it is.
        OSError: the folder cannot be written.
    """
    path = _file_of(home, character.name)
    if path.exists():
        load_character(path)
        document = tomlkit.parse(decoded(path.read_bytes()))
    else:
        document = tomlkit.document()
    for name, value in character.model_dump(exclude_none=True).items():
        if isinstance(value, dict) and isinstance(document.get(name), dict):
            _fill(document[name], value)
        else:
            document[name] = value
    write_whole(path, tomlkit.dumps(document))
    return path


def kept_alike(home: Path, name: str) -> Character | None:
    """Return who is kept under a name, or one that nobody could tell from it; None where nobody is.

    Raises:
        CharacterError: the file that would be theirs cannot be read.
    """
    path = _file_of(home, name)
    return load_character(path) if path.exists() else None


def _file_of(home: Path, name: str) -> Path:
    """The file of somebody: the one that has them, or the first of their file names that nobody else has.

    Names as unlike as `!!!` and `???` give one file name. A file there that cannot be read may be theirs.
    """
    first = home / FOLDER_NAME / file_name(name)
    taken = set()
    for path in (first, *sorted(first.parent.glob("*.toml"))):
        try:
            if likeness(load_character(path).name) == likeness(name):
                return path
        except CharacterError:
            if path == first and path.exists():
                return path
        taken.add(path.name)
    further = (first.with_name(f"{first.stem}-{n}.toml") for n in range(2, len(taken) + 3))
    return next(path for path in (first, *further) if not path.exists())


def _fill(table: Any, values: dict[str, Any]) -> None:  # Any: tomlkit's table, and what TOML may hold
    """Give a table these values and no others; the comments beside what stays are left."""
    for key in [key for key in table if key not in values]:
        del table[key]
    for key, value in values.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            _fill(table[key], value)
        else:
            table[key] = value


def file_name(name: str) -> str:
    """Return the name of a character's file: letters and digits of any alphabet, the rest as `-`."""
    plain = re.sub(r"[^\w]+", "-", name.strip().lower()).strip("-")
    return f"{plain or 'character'}.toml"
