"""JSON form of the frozen values: one way to write each, and errors that name the broken place.

A dataclass becomes an object with its class name under `type` and every field under its own name; keys are sorted and
no space is written, so equal values give equal bytes. Tuples become arrays, enums their values, fractions `"1/2"`.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import re
import types
import typing
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar, overload

T = TypeVar("T")

TYPE_KEY = "type"

FRACTION = re.compile(r"(-?[0-9]{1,4000})/([0-9]{1,4000})")
"""How a fraction is written; Python reads whole numbers of up to 4300 digits."""

MOST_WRITTEN = 2**53
"""Whole numbers are written up to this either way: a reader that keeps them as floats, such as a browser, changes
larger ones."""

MOST_READ = 10**15
"""Whole numbers are read up to this: a game may count on from there for good before it can no longer be written."""

LONGEST_SHOWN = 200
"""Characters of a wrong value that an error shows: enough to find it by, and still a sentence."""

UNWRITABLE = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
"""What is escaped in texts besides what JSON asks for: characters that some readers take for the end of a line, and
halves of a character, which no file in UTF-8 can hold."""


class JsonFormError(ValueError):
    """A text that is not the JSON form of the value expected; the message names the place and what came instead."""


def to_json(value: object) -> str:
    """Write a value as JSON in one line.

    Raises:
        TypeError: naming what has no JSON form.
        ValueError: for a NaN, an infinity, or a whole number beyond `MOST_WRITTEN`.
    """
    text = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return UNWRITABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def to_json_lines(values: Iterable[object]) -> str:
    """Write values as JSON lines, each line ended."""
    return "".join(to_json(value) + "\n" for value in values)


@overload
def from_json(text: str, kind: type[T]) -> T: ...
@overload
def from_json(text: str, kind: types.UnionType) -> Any: ...  # Any: a union is no type[T]; callers annotate the result
def from_json(text: str, kind: Any) -> Any:
    """Read back what `to_json` wrote.

    Args:
        text: one JSON document.
        kind: the dataclass expected, or a union of dataclasses.

    Raises:
        JsonFormError: naming the broken place, for example `Game.soldiers[2].pool`.
    """
    try:
        # NaN and infinities are not JSON and equal nothing, so they could not come back as they went.
        plain = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as broken:
        raise JsonFormError(f"not JSON at character {broken.pos + 1}: {broken.msg}") from None
    except RecursionError:
        raise JsonFormError("not a value of the rules: nested too deeply") from None
    except JsonFormError:
        raise
    except ValueError as too_long:  # a whole number of thousands of digits
        raise JsonFormError(f"not a value of the rules: {too_long}") from None
    named = isinstance(plain, dict) and isinstance(plain.get(TYPE_KEY), str)
    return _value(plain, kind, plain[TYPE_KEY] if named else "value")


def lines_of(text: str) -> list[str]:
    """Split JSON lines. Only a line feed ends one: JSON escapes it in texts, but not all else that ends lines."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


@overload
def from_json_lines(text: str, kind: type[T]) -> tuple[T, ...]: ...
@overload
def from_json_lines(text: str, kind: types.UnionType) -> tuple[Any, ...]: ...  # Any: as in from_json
def from_json_lines(text: str, kind: Any) -> tuple[Any, ...]:
    """Read back what `to_json_lines` wrote; the error names the line, counted from 1."""
    values = []
    for number, line in enumerate(lines_of(text), start=1):
        try:
            values.append(from_json(line, kind))
        except JsonFormError as broken:
            raise JsonFormError(f"line {number}: {broken}") from None
    return tuple(values)


def _plain(value: object) -> object:
    if isinstance(value, enum.Enum):
        return value.value
    if type(value) is int and abs(value) > MOST_WRITTEN:
        raise ValueError(f"a whole number in JSON goes up to {MOST_WRITTEN}, not {value!r}")
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        plain: dict[str, object] = {TYPE_KEY: type(value).__name__}
        for field in dataclasses.fields(value):
            plain[field.name] = _plain(getattr(value, field.name))
        return plain
    raise TypeError(f"{value!r} has no JSON form")


def _refuse_constant(name: str) -> float:
    raise JsonFormError(f"{name} is not a number that the rules know")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise JsonFormError(f"{next(n for n in names if names.count(n) > 1)!r} stands twice in one object")
    return found


@cache
def _fields(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _value(plain: Any, kind: Any, place: str) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _one_of(plain, typing.get_args(kind), place)
    if origin is tuple:
        return _tuple(plain, typing.get_args(kind), place)
    if origin is typing.Literal:
        if any(type(plain) is type(option) and plain == option for option in typing.get_args(kind)):
            return plain
        raise _WrongValueError(place, f"one of {typing.get_args(kind)!r}", plain)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _dataclass(plain, kind, place)
    if kind is type(None):
        return _exactly(plain, type(None), "null", place)
    if issubclass(kind, enum.Enum):
        try:
            return kind(plain)
        except ValueError:
            raise _WrongValueError(place, f"one of {[member.value for member in kind]!r}", plain) from None
    if kind is Fraction:
        return _fraction(plain, place)
    if kind is float:
        # A whole number is kept as it is, so that it is written back as it was read; 1e999 reads as infinity.
        if type(plain) is int:
            return _exactly(plain, int, "a number", place)
        if type(plain) is float and math.isfinite(plain):
            return plain
        raise _WrongValueError(place, "a number", plain)
    names = {str: "a text", int: "a whole number", bool: "true or false"}
    return _exactly(plain, kind, names[kind], place)


def _exactly(plain: Any, kind: type, name: str, place: str) -> Any:
    if kind is int and type(plain) is int and abs(plain) > MOST_READ:
        raise _WrongValueError(place, f"{name} of at most {MOST_READ}", plain)
    if type(plain) is kind:
        return plain
    raise _WrongValueError(place, name, plain)


def _fraction(plain: Any, place: str) -> Fraction:
    parts = FRACTION.fullmatch(plain) if isinstance(plain, str) else None
    if parts is not None:
        numerator, denominator = int(parts[1]), int(parts[2])
        # 2/4 is refused: it would be written back as 1/2.
        if math.gcd(numerator, denominator) == 1 and denominator > 0:
            return Fraction(numerator, denominator)
    raise _WrongValueError(place, 'a fraction in lowest terms such as "1/2"', plain)


def _tuple(plain: Any, kinds: tuple[Any, ...], place: str) -> tuple[Any, ...]:
    if not isinstance(plain, list):
        raise _WrongValueError(place, "a list", plain)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(plain)
    if len(kinds) != len(plain):
        raise _WrongValueError(place, f"a list of {len(kinds)}", plain)
    pairs = enumerate(zip(plain, kinds, strict=True))
    return tuple(_value(item, kind, f"{place}[{index}]") for index, (item, kind) in pairs)


def _one_of(plain: Any, kinds: tuple[Any, ...], place: str) -> Any:
    named = {kind.__name__: kind for kind in kinds if isinstance(kind, type) and dataclasses.is_dataclass(kind)}
    if isinstance(plain, dict) and named:
        name = plain.get(TYPE_KEY)
        if isinstance(name, str) and name in named:
            return _value(plain, named[name], place)
        raise _WrongValueError(f"{place}.{TYPE_KEY}", f"one of {sorted(named)!r}", name)
    expected = [f"an object of one of the types {sorted(named)!r}"] if named else []
    for kind in kinds:
        if kind not in named.values():
            try:
                return _value(plain, kind, place)
            except _WrongValueError as wrong:
                if wrong.place != place:
                    raise
                expected.append(wrong.expected)
    raise _WrongValueError(place, " or ".join(expected), plain)


def _dataclass(plain: Any, kind: type, place: str) -> Any:
    if not isinstance(plain, dict):
        raise _WrongValueError(place, f"an object of type {kind.__name__!r}", plain)
    fields = _fields(kind)
    if plain.get(TYPE_KEY) != kind.__name__:
        raise _WrongValueError(f"{place}.{TYPE_KEY}", repr(kind.__name__), plain.get(TYPE_KEY))
    missing = fields.keys() - plain.keys()
    if missing:
        raise JsonFormError(f"{place}: {min(missing)!r} is missing")
    unknown = plain.keys() - fields.keys() - {TYPE_KEY}
    if unknown:
        raise JsonFormError(f"{place}: {min(unknown)!r} is not known; expected are {sorted(fields)!r}")
    values = {name: _value(plain[name], hint, f"{place}.{name}") for name, hint in fields.items()}
    try:
        return kind(**values)
    except ValueError as refused:
        raise JsonFormError(f"{place}: {refused}") from None


class _WrongValueError(JsonFormError):
    """A value of a kind that was not expected in its place."""

    def __init__(self, place: str, expected: str, plain: Any) -> None:
        got = repr(plain)
        got = got if len(got) <= LONGEST_SHOWN else f"{got[:LONGEST_SHOWN]}..."
        super().__init__(f"{place}: expected {expected}, got {got}")
        self.place = place
        self.expected = expected
