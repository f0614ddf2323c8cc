"""The field of a skill or trait, in the words of the table's language."""

from __future__ import annotations

from nicegui import ui

from deskref.language import say, skill, skill_meant

FIELD = "outlined dense"


def skill_field(form: object, *, name: str = "skill", words: str = "wsd_skill") -> ui.input:
    """Draw the field; the rules' own name of the skill is kept, by which a Rank is looked up.

    Args:
        form: that has the skill.
        name: of its attribute.
        words: what the field is called.
    """
    field = ui.input(say(words)).props(f'{FIELD} maxlength="30"')
    return field.bind_value(form, name, forward=lambda text: skill_meant(str(text or "")), backward=skill)
