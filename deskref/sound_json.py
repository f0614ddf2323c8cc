"""JSON that a person wrote: a slip of the pen is refused in plain words, above all what readers would pass over."""

from __future__ import annotations

import json
import math
from typing import Any

from deskref.settings import decoded


def sound_json(data: bytes) -> str:
    """Give the text of a JSON file that says everything once.

    Of a name that stands twice in one pair of braces, every reader of JSON takes the last and forgets the first.

    Raises:
        ValueError: it is no text or no JSON, or says something twice; says where or what.
    """
    try:
        text = decoded(data)
    except UnicodeDecodeError as error:
        raise ValueError("this is no text; it must be JSON, saved as UTF-8") from error
    try:
        json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise ValueError("the file is empty") from error
        raise ValueError(
            f"line {error.lineno}, character {error.colno}: this is not JSON. Look there, or just before, for a quote, "
            "comma or bracket that is missing or too many"
        ) from error
    except RecursionError as error:
        raise ValueError("brackets stand in brackets without end") from error
    return text


def no_number(name: str) -> float:
    """Refuse what JSON does not know as a number, though Python reads it: NaN and the infinities."""
    raise ValueError(f"{name[:40]} is no number that can be measured")


def finite(text: str) -> float:
    """Read a number with a point or an exponent; 1e999 would be an infinity."""
    number = float(text)
    return number if math.isfinite(number) else no_number(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} stands twice in one pair of braces; leave one of them")
    return found
