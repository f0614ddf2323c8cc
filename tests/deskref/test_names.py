"""Names as players type or paste them: what is shown of them, and which of them nobody could tell apart."""

from __future__ import annotations

import pytest

from deskref.names import first_alike, likeness, printed
from deskref.page import new_game, skirmish_form, world_saga_fields
from deskref.page.skirmish_form import HeroRow, SceneRow
from deskref.page.world_saga_fields import first_fields

ODD = {
    "Lo\tkan\r\n": "Lo kan",
    "  Lokan   the \u00a0 Bold ": "Lokan the Bold",
    "\u202enakoL\u202c": "nakoL",
    "Lo\u200bkan\ufeff": "Lokan",
    "Lo\x00kan\x1b[31m": "Lo kan [31m",
    "e\u0301lan": "\u00e9lan",
    "\u200dLokan\u200c": "Lokan",
    "\ud800Lokan": "Lokan",
    "\u0645\u06cc\u200c\u0631": "\u0645\u06cc\u200c\u0631",
    "\U0001f9d9\u200d\u2642\ufe0f": "\U0001f9d9\u200d\u2642\ufe0f",
    "\u200b\u2060\u2066": "",
    " \u200d ": "",
    "\u3164 \u2800": "",
    " \u0301": "",
}
"""What is typed or pasted, and what is shown."""


@pytest.mark.parametrize(("typed", "shown"), ODD.items(), ids=[ascii(typed) for typed in ODD])
def test_a_name_is_shown_without_what_has_no_shape(typed: str, shown: str) -> None:
    assert printed(typed) == shown
    assert printed(shown) == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lokan", "LOKAN "),
        ("Stra\u00dfe", "STRASSE"),
        ("\u00e9lan", "e\u0301lan"),
        ("\uff2c\uff4f", "Lo"),
        ("A\u200dB", "ab"),
    ],
)
def test_names_that_nobody_can_tell_apart_are_alike(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)
    assert first_alike(["Imp", one, other]) == one


def test_different_names_are_not_alike() -> None:
    assert first_alike(["Lokan", "Lok an", "Imp"]) is None


PASTED = "Lo\u200bkan\u202e\tthe\nBold"
MENDED = "Lokan the Bold"


def test_every_form_mends_a_pasted_name_alike() -> None:
    """Skuffle Wammer's form did; the others kept control characters and marks that turn the writing round."""
    heroes = [HeroRow(PASTED, trait="Fight\ting"), HeroRow("Hound", ally_of=MENDED)]
    assert skirmish_form.wrong(heroes, SceneRow(4)) == ""
    setup = skirmish_form.setup_of(heroes, SceneRow(4))
    assert [f.name for f in setup.fighters] == [MENDED, "Hound"]
    assert setup.fighters[1].ally_of == setup.fighters[0].id
    assert setup.traits[0].name == "Fight ing"
    fields = first_fields()
    fields.rows[0].name, fields.rows[2].group = PASTED, "pack\u200b\n"
    assert world_saga_fields.wrong(fields) == ""
    combatants = world_saga_fields.setup_of(fields).combatants
    assert (combatants[0].name, combatants[0].id, combatants[2].group) == (MENDED, MENDED, "pack")
    rows = [new_game.Row(PASTED, "A"), new_game.Row("Imp", "B")]
    assert new_game._soldier(rows[0]).name == MENDED


def test_every_form_refuses_two_names_that_look_alike() -> None:
    fields = first_fields()
    fields.rows[1].name = "lo\u200bkan"
    assert "Two combatants" in world_saga_fields.wrong(fields)
    assert "Two heroes" in skirmish_form.wrong([HeroRow("Lokan"), HeroRow("lo\u200bkan")], SceneRow(4))
    assert new_game._what_is_wrong([new_game.Row("Lokan", "A"), new_game.Row("LOKAN\u200b", "B")])
