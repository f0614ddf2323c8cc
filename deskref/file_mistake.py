"""What is wrong with a file that a person wrote, in words that name the place and what is expected there."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pydantic import ValidationError

LONGEST: Final = 60
"""So much of a wrong value is quoted."""

LIMITS: Final = {
    "greater_than_equal": ("ge", "at least {limit}"),
    "less_than_equal": ("le", "at most {limit}"),
    "greater_than": ("gt", "more than {limit}"),
    "less_than": ("lt", "less than {limit}"),
}
"""What the checks of numbers are called, the name of their limit, and what they ask for."""

KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "string": "a text in quotes",
    "bool": "true or false",
    "list": "a list in square brackets",
    "dict": "names with values in braces",
    "model": "names with values in braces",
    "tuple": "a list in square brackets",
}
"""What a value should be, by how the check of it begins."""


def not_truth(value: object) -> object:
    """Refuse true and false in a number's place, where Python takes them for 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("true and false are no numbers here; write the number")
    return value


def first_mistake(error: ValidationError, *, tags: Collection[str] = ()) -> str:
    """Say what is wrong first: where, what stands there, and what is expected.

    Args:
        error: what checking the file found.
        tags: words of the place that the file does not write, such as the names of its kinds.
    """
    first = error.errors()[0]
    place = [part for part in first["loc"] if part not in tags]
    where = ".".join(str(part + 1 if isinstance(part, int) else part) for part in place) or "the file"
    kind, context = first["type"], first.get("ctx", {})
    found = repr(first["input"])
    found = found if len(found) <= LONGEST else f"{found[:LONGEST]}…"
    if kind == "missing":
        return f"{where} is missing"
    if kind == "extra_forbidden":
        return f"{where} means nothing here; is it misspelt?"
    if kind in LIMITS:
        name, words = LIMITS[kind]
        return f"{where} is {found}; it must be {words.format(limit=context[name])}"
    if kind == "finite_number":
        return f"{where} is {found}; it must be a number that can be measured"
    if kind in ("literal_error", "enum"):
        return f"{where} is {found}; it must be {context['expected']}"
    if kind == "too_short":
        return f"{where} has {context['actual_length']} entries; it must have at least {context['min_length']}"
    if kind == "too_long":
        return f"{where} has too many entries; it may have {context['max_length']}"
    expected = next((words for start, words in KINDS.items() if kind.startswith(start)), None)
    if expected is not None and kind.endswith(("_type", "_parsing", "_from_float", "_parsing_size")):
        return f"{where} is {found}; it must be {expected}"
    if kind == "string_too_long":
        return f"{where} is {found}; it may have {context['max_length']} letters"
    if kind == "string_too_short":
        return f"{where} is {found}; it must have at least {context['min_length']} letter"
    if kind == "string_pattern_mismatch" or kind == "string_unicode":
        return f"{where} is {found}; it has letters that cannot be here"
    if kind.startswith("union_tag"):  # of the games' kinds
        name = str(context["discriminator"]).strip("'")
        said = f"{name} is {context['tag'][:LONGEST]!r}; it must be" if "tag" in context else f"{name} is missing:"
        return f"{said} one of {', '.join(map(repr, sorted(tags)))}"
    if kind == "value_error":  # raised by a check of our own, whose words are meant for people
        return f"{where}: {context['error']}"
    return f"{where} is {found}; that does not fit here"
