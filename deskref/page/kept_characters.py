"""Characters in the forms: one that is kept takes part, and a row of the form is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from nicegui import ui

from deskref.characters import Character, CharacterError, all_characters, keep_character, kept_alike
from deskref.language import say
from deskref.plain_errors import said_of
from deskref.settings import home
from rules.ruling import listed


class Named(Protocol):
    """A row of a form."""

    name: str


Row = TypeVar("Row", bound=Named)


class KeptChoice:
    """The choice of those who are kept for a game; it follows when somebody is kept."""

    def __init__(self, takes: Callable[[Character], bool], on_chosen: Callable[[Character], object]) -> None:
        """Draw it into the current element; nothing where nobody is kept.

        Args:
            takes: says whether a character has what the game needs.
            on_chosen: called with the one that is chosen.
        """
        self._takes = takes
        self._on_chosen = on_chosen
        self._room = ui.element("div").classes("kept")
        self.draw()

    def draw(self) -> None:
        """Draw it anew, with those who are kept now, and say who is kept without this game's numbers."""
        kept, wrong = all_characters(home())
        able = {character.name: character for character in kept if self._takes(character)}
        others = sorted(character.name for character in kept if character.name not in able)
        self._room.clear()
        with self._room:
            for error in wrong:
                ui.label(say("char_broken", why=str(error))).classes("hint").props('role="alert"')
            if able:
                choice = ui.select(sorted(able), label=say("char_choose"))
                choice.props("outlined dense options-dense clearable")

                def chosen() -> None:
                    if choice.value is not None:
                        self._on_chosen(able[str(choice.value)])
                        choice.set_value(None)

                choice.on_value_change(chosen)
            if others:
                ui.label(say("char_other_game", names=listed(others), count=len(others))).classes("hint")


def keep(make: Callable[[Row, Character | None], Character], row: Row, *, choice: KeptChoice | None = None) -> None:
    """Keep somebody, and say where, or what is wrong.

    Args:
        make: makes the character of a form's row from who is kept by that name; raises `ValueError` where a number
            does not fit.
        row: of the form.
        choice: of those who are kept, to offer the one as well.
    """
    try:
        path = keep_character(home(), make(row, kept_alike(home(), row.name)))
    except OSError as error:
        named = error if error.filename else OSError(error.errno, error.strerror, str(home()))
        ui.notify(say("char_not_kept", why=said_of(named)), type="warning", multi_line=True, position="top")
        return
    except (CharacterError, ValueError) as error:
        ui.notify(say("char_not_kept", why=str(error).splitlines()[0]), type="warning", position="top")
        return
    ui.notify(say("char_kept", path=str(path)), type="positive", position="top")  # below are the form's last buttons
    if choice is not None:
        choice.draw()
