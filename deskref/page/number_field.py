"""The field of a number, typed with a comma or a point: browsers' own fields drop a comma or refuse it, as they please.

A browser's field of numbers takes the decimal mark of the browser's language, not of the page's; 2,5 in an English
browser becomes 25 without a word. This field is one of text, read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.language import decimal, say, shortest

NUMBER: Final = re.compile(r"[+-]?(\d{1,12}[.,]?\d{0,12}|[.,]\d{1,12})")
"""What is read as a number; longer ones measure nothing on a table."""

THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
"""May be a number of thousands as well as one with three decimals, so that it is not guessed."""

SHOWN_DIGITS: Final = 6
"""Decimals that are shown of a number; nothing here is measured finer."""


def number_in(text: str) -> float:
    """Read a number as players write it in any language of the page; `ValueError` where it is none, or unclear.

    Args:
        text: with a comma or a point before decimals, and no mark for thousands.
    """
    bare = text.strip().replace("\N{MINUS SIGN}", "-")
    if NUMBER.fullmatch(bare) is None or THOUSANDS.fullmatch(bare) is not None:
        raise ValueError(f"no number: {text!r}")
    return float(bare.replace(",", "."))


def are_numbers(fields: Iterable[ui.element]) -> bool:
    """Say whether every field of a number among these can be read, and tell the first mistake.

    Below its field it may be out of view. A form that went on would take a wrong text for 0, or for nothing filled in.
    """
    mistakes = (field.mistake for field in fields if isinstance(field, NumberField) and field.mistake)
    wrong = next(mistakes, "")
    if wrong:
        ui.notify(wrong, type="warning", position="top")
    return not wrong


class NumberField(ui.number):
    """A field of a number: comma and point alike; what is no number is said below it, and the value is then None.

    Arrow keys up and down count by one.
    """

    def __init__(self, label: str | None = None, **options: Any) -> None:  # Any: what `ui.number` takes
        """Draw it into the current element; takes what `ui.number` takes."""
        self._text = ""
        """What stands in the field while it was typed."""
        self._said: str | None = None
        super().__init__(label, validation=lambda _: self._said, **options)
        self.props("type=text autocomplete=off hide-bottom-space")
        if self.min >= 0:  # phones' pads of digits have no minus
            self.props("inputmode=numeric" if self.precision == 0 else "inputmode=decimal")
        self.on("keydown.up.prevent", lambda: self._count(1), [])
        self.on("keydown.down.prevent", lambda: self._count(-1), [])

    @property
    def mistake(self) -> str:
        """What is wrong with the text that stands in the field, in words; empty where nothing is."""
        return self._said or ""

    def _count(self, step: int) -> None:
        self.value = (self.value or 0) + step
        self.sanitize()

    def _event_args_to_value(self, e: GenericEventArguments) -> float | None:
        self._text = "" if e.args is None else str(e.args)
        value, self._said = self._read(self._text)
        # One wrong text after the other is no change of the value: what was typed must be kept all the same, or telling
        # the mistake would put the text of before back into the field.
        with self._props.suspend_updates():
            self._props[self.VALUE_PROP] = self._text
        self.validate(return_result=False)
        return value

    def _read(self, text: str) -> tuple[float | None, str | None]:
        """Give the value of a text and what is wrong with it."""
        if not text.strip():
            return None, None
        try:
            value = number_in(text)
        except ValueError:
            return None, say("number_none", text=text.strip()[:20], example=decimal(2.5, 1))
        if self.precision == 0 and not value.is_integer():
            return None, say("number_whole", text=text.strip())
        return value, None

    def _value_to_model_value(self, value: Any) -> Any:
        if self._text and value == self._read(self._text)[0]:
            return self._text  # stays as it is typed
        self._text, self._said = "", None
        return "" if value is None else shortest(float(value), SHOWN_DIGITS)
