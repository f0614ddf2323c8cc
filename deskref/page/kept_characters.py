"""Characters in the forms: one that is kept takes part, and a row of the form is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from nicegui import ui

from deskref.characters import Character, CharacterError, all_characters, keep_character, kept_alike
from deskref.language import say
from deskref.plain_errors import said_of
from deskref.settings import home


class Named(Protocol):
    """A row of a form."""

    name: str


Row = TypeVar("Row", bound=Named)


def choose_character(takes: Callable[[Character], bool], on_chosen: Callable[[Character], object]) -> None:
    """Draw the choice of those who are kept for a game; nothing where nobody is.

    Args:
        takes: says whether a character has what the game needs.
        on_chosen: called with the one that is chosen.
    """
    kept, wrong = all_characters(home())
    able = {character.name: character for character in kept if takes(character)}
    for error in wrong:
        ui.label(say("char_broken", why=str(error))).classes("hint").props('role="alert"')
    if not able:
        return
    choice = ui.select(sorted(able), label=say("char_choose")).props("outlined dense options-dense clearable")

    def chosen() -> None:
        if choice.value is not None:
            on_chosen(able[str(choice.value)])
            choice.set_value(None)

    choice.on_value_change(chosen)


def keep(make: Callable[[Row, Character | None], Character], row: Row) -> None:
    """Keep somebody, and say where, or what is wrong.

    Args:
        make: makes the character of a form's row from who is kept by that name; raises `ValueError` where a number
            does not fit.
        row: of the form.
    """
    try:
        path = keep_character(home(), make(row, kept_alike(home(), row.name)))
    except OSError as error:
        named = error if error.filename else OSError(error.errno, error.strerror, str(home()))
        ui.notify(say("char_not_kept", why=said_of(named)), type="warning", multi_line=True)
        return
    except (CharacterError, ValueError) as error:
        ui.notify(say("char_not_kept", why=str(error).splitlines()[0]), type="warning")
        return
    ui.notify(say("char_kept", path=str(path)), type="positive")
