"""Numbers are taken with a comma and with a point, in every language; nothing is taken as something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref import language, page
from deskref.page.number_field import NumberField, number_in
from tests.deskref.drawn_page import DrawnPage


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.use("en")


@dataclass
class Form:
    gap: float | None = 3.0


def typed(page: DrawnPage, text: str) -> NumberField:
    field: NumberField = page._all(NumberField)[0]
    with page.client:
        for listener in field._event_listeners.values():
            if listener.type.lower().replace("-", "") == "update:modelvalue" and listener.handler is not None:
                listener.handler(GenericEventArguments(sender=field, client=page.client, args=text))
    return field


def drawn(form: Form, **options: object) -> DrawnPage:
    return DrawnPage(lambda: NumberField("Gap", **options).bind_value(form, "gap"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2,5", 2.5),
        ("2.5", 2.5),
        ("25", 25),
        (" 7 ", 7),
        ("2,", 2),
        (",5", 0.5),
        ("\N{MINUS SIGN}3", -3),
        ("0,125", 0.125),
    ],
)
@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_comma_and_point_are_alike(code: str, text: str, value: float) -> None:
    language.use(code)
    form = Form()
    field = typed(drawn(form), text)
    assert form.gap == value
    assert field.error is None
    assert field.props["model-value"] == text, "it stays as it was typed"


@pytest.mark.parametrize("text", ["abc", "1.000", "1,000", "1.000,5", "2,5,5", "1e3", "nan", "-", "9" * 40])
def test_what_is_no_number_or_unclear_is_said_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="no number"):
        number_in(text)
    language.use("de")
    form = Form()
    page = drawn(form)
    typed(page, "")
    field = typed(page, text)
    assert form.gap is None
    assert field.error is not None
    assert "keine Zahl" in field.error
    assert "2,5" in field.error
    assert field.props["model-value"] == text
    assert typed(page, "4").error is None
    assert [form.gap] == [4]


def test_a_whole_number_is_not_rounded_in_silence() -> None:
    form = Form()
    page = drawn(form, precision=0)
    field = typed(page, "2,5")
    assert form.gap is None
    assert field.error == "A whole number is needed here, not 2,5."
    assert typed(page, "").error is None


def test_numbers_are_shown_as_the_language_writes_them() -> None:
    language.use("de")
    form = Form(2.5)
    page = drawn(form)
    field: NumberField = page._all(NumberField)[0]
    assert field.props["model-value"] == "2,5"
    form.gap = 12.0
    page.tick()
    assert field.props["model-value"] == "12"
    page.run(lambda: field._count(-1))
    assert form.gap == 11


def test_every_number_of_the_page_is_taken_by_this_field() -> None:
    """A browser's own field of numbers drops a comma."""
    folder = Path(page.__file__).parent
    found = [one.name for one in folder.glob("*.py") if re.search(r"\bui\.number\(", one.read_text(encoding="utf-8"))]
    assert issubclass(NumberField, ui.number)
    assert found == []
