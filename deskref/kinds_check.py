"""What was read from a recording is of the kinds that its fields say: a text in a number's place is found here.

Vision and the referees make such values themselves and trust them; a recording may have been written by anybody.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from deskref.file_mistake import first_mistake
from vision.observation import Observation

T = TypeVar("T")


def of_its_kinds(value: T) -> T:
    """Return a value of a dataclass; values of dataclasses in its fields are taken as checked.

    Raises:
        ValueError: a field holds something of another kind; names it.
    """
    try:
        _model(cast(Any, type(value)))(**{field.name: getattr(value, field.name) for field in fields(cast(Any, value))})
    except ValidationError as error:
        raise ValueError(first_mistake(error)) from error
    return value


def seen_of_its_kinds(seen: Observation) -> Observation:
    """Return an observation; `ValueError` where something in it is of another kind than it says."""
    for part in (seen.table, *seen.dice, *seen.figures, *seen.obstacles, *seen.hands, *seen.motions):
        of_its_kinds(part)
    return of_its_kinds(seen)


@cache
def _model(kind: Any) -> type[BaseModel]:  # Any: mypy takes no type[T] for hashable
    """Return a check of a dataclass's fields; a dataclass by itself is checked by being one, whatever it holds."""
    hints = get_type_hints(kind)
    named: Any = {field.name: (hints[field.name], ...) for field in fields(kind)}
    return create_model(kind.__name__, __config__=ConfigDict(strict=True), **named)
