"""What is wrong with an option of a command, in plain words in place of those of the library that checks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from deskref.file_mistake import LIMITS, LONGEST


class PlainGroup(TyperGroup):
    """A group of commands that refuses options in plain words; libraries' older versions have such words themselves."""

    def invoke(self, ctx: Any) -> Any:  # Any: as the library has it
        """Run the command that is named, or say what is wrong with its options."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            if isinstance(error.__cause__, ValidationError):
                error.message = said_of_option(error.__cause__.errors()[0])
            raise


def said_of_option(mistake: Mapping[str, Any]) -> str:
    """Say what was given and what an option must be.

    Args:
        mistake: one of `ValidationError.errors()`.
    """
    kind, context = mistake["type"], mistake.get("ctx", {})
    given = str(mistake["input"])
    given = repr(given if len(given) <= LONGEST else f"{given[:LONGEST]}…")
    if kind == "value_error":
        return str(context["error"])
    if kind in ("literal_error", "enum"):
        return f"{given} is not {context['expected']}."
    if kind in LIMITS:
        name, words = LIMITS[kind]
        return f"{given} is not {words.format(limit=context[name])}."
    if kind.startswith("int"):
        return f"{given} is no whole number."
    if kind.startswith("float") or kind == "finite_number":
        return f"{given} is no number."
    return f"{given} cannot be used here."
