"""The dialogue for a new game: which one, and its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary

from nicegui import Client, ui

from deskref.game_report import outcome_of
from deskref.inputs import CombatSetup, SkirmishSetup
from deskref.language import say
from deskref.live import LiveGame
from deskref.page import new_game, skirmish_form, world_saga_form
from deskref.page.keys import PRESSED
from deskref.rule_sets import NAMES, QUICK_SKIRMISH, SKUFFLE_WAMMER, WORLD_SAGA

FORMS: Final[dict[str, Callable[[LiveGame, Callable[[], object]], None]]] = {
    SKUFFLE_WAMMER.name: new_game.fill_form,
    QUICK_SKIRMISH.name: skirmish_form.fill_form,
    WORLD_SAGA.name: world_saga_form.fill_form,
}


_OPEN: Final[WeakKeyDictionary[Client, ui.dialog]] = WeakKeyDictionary()
"""The form that each window shows now."""


def open_form(game: LiveGame) -> None:
    """Show the form of a new game over the page, of the kind that is played now; starting the game closes it.

    A window shows one form at a time: asking again while it is open does nothing.
    """
    client = ui.context.client
    if client in _OPEN:
        return
    dialog = ui.dialog()
    dialog.props["aria-label"] = say("page_new_game")
    with dialog, ui.element("div").classes("card form"):
        outcome = outcome_of(game.session)
        if outcome is not None and not outcome.is_over:
            ui.label(say("page_ends_game")).classes("hint")
        names = ui.toggle(NAMES, value=_played_now(game)).props(f'{PRESSED} aria-label="{say("page_game")}"')
        form = ui.element("div").classes("form-body")

    def show() -> None:
        form.clear()
        with form:
            FORMS[str(names.value)](game, dialog.close)

    names.on_value_change(show)
    show()
    _OPEN[client] = dialog

    def closed() -> None:
        _OPEN.pop(client, None)
        dialog.delete()

    dialog.on("hide", closed)
    dialog.open()


def _played_now(game: LiveGame) -> str:
    match game.session.setup:
        case SkirmishSetup():
            return QUICK_SKIRMISH.name
        case CombatSetup():
            return WORLD_SAGA.name
        case _:
            return SKUFFLE_WAMMER.name
