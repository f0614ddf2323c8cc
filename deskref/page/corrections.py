"""The dialogues by which a player puts right what was read: a die's value, who a figure is, and a soldier's books."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from nicegui import ui

from deskref import inputs
from deskref.face_book import remember_face
from deskref.language import percent, say
from deskref.live import LiveGame
from deskref.page.die_pictures import picture_of_die, seen_die
from deskref.page.keys import key
from deskref.page.overlay import shown_figures
from deskref.page.panel import crop_html
from deskref.page.titled_dialog import titled_dialog
from deskref.settings import home


def correct_die(game: LiveGame, die: int) -> None:
    """Ask what a die on the desk shows; keys 1 to 6 answer as well. A face that was not read may be remembered.

    Args:
        game: that is told.
        die: its track.
    """
    session = game.session
    with titled_dialog(say("page_which_value")) as dialog:
        picture = picture_of_die(game, session, die)
        if picture:
            ui.html(crop_html(picture, say("page_die_alt"), size=160), sanitize=False)
        lying, found = session.desk.die(die), seen_die(game, session, die)
        if lying is not None and lying.value is not None:
            ui.label(say("live_reads", value=lying.value, percent=percent(lying.confidence))).classes("hint")
        elif found is not None and found.cocked:
            ui.label(say("die_is_cocked")).classes("hint")
        elif found is not None and found.why:
            ui.label(say("live_reads_nothing", why=found.why)).classes("hint")
        is_unread = found is not None and found.value is None
        remember = ui.checkbox(say("face_remember")) if is_unread else None

        def answer(value: int) -> None:
            newest = seen_die(game, game.session, die) or found  # it may have been read better since it was asked
            if remember is not None and remember.value and newest is not None:
                ui.notify(remember_face(home(), game, newest, value))
            if game.session.setup is None:
                dialog.close()  # before a game no die counts for anything
            else:
                _answer(game, dialog, inputs.CorrectDie(die=die, value=value))

        def by_key(pressed: str) -> None:
            if dialog.value and pressed in tuple("123456"):
                answer(int(pressed))

        with ui.element("div").classes("row"):
            for value in range(1, 7):
                key(str(value), partial(answer, value))
            key(say("page_leave"), dialog.close, small=True)
        ui.keyboard(on_key=lambda event: by_key(str(event.key)) if event.action.keydown else None)
    dialog.open()


def name_figure(game: LiveGame, figure: int) -> None:
    """Ask which soldier a figure on the desk is; the game master may put that soldier's books right.

    Args:
        game: that is told.
        figure: its track.
    """
    session = game.session
    if session.setup is None:
        return
    bound = dict(session.bindings).get(figure)
    with titled_dialog(say("page_which_figure")) as dialog:
        with ui.element("div").classes("row"):
            for soldier in session.setup.soldiers:
                mark = "● " if soldier.id == bound else ""
                key(
                    mark + soldier.name,
                    partial(_answer, game, dialog, inputs.NameFigure(figure=figure, soldier=soldier.id)),
                )
            key(say("page_leave"), dialog.close, small=True)
        if bound is not None and session.game is not None:
            ui.element("hr")
            _books_of(game, bound, dialog)
    dialog.open()


def choose_thing(game: LiveGame) -> None:
    """List the dice and figures on the desk as buttons, for who does not click in the picture."""
    session = game.session
    names = {s.id: s.name for s in session.setup.soldiers} if session.setup is not None else {}
    with titled_dialog(say("live_correct_what")) as dialog:

        def then(ask: Callable[[LiveGame, int], None], track: int) -> None:
            dialog.close()
            ask(game, track)

        with ui.element("div").classes("row"):
            for die in session.desk.dice:
                read = "?" if die.value is None else str(die.value)
                with key("", partial(then, correct_die, die.die), small=True).classes("die-key"):
                    picture = picture_of_die(game, session, die.die)
                    shown = f'<img src="{picture}" alt="" width="72" height="72">' if picture else ""
                    ui.html(f"{shown}<b>{read}</b>", sanitize=False)
        with ui.element("div").classes("row"):
            for figure in shown_figures(session):
                bound = dict(session.bindings).get(figure.figure, "")
                key(names.get(bound, "?"), partial(then, name_figure, figure.figure))
            key(say("page_leave"), dialog.close, small=True)
    dialog.open()


def put_right(game: LiveGame) -> None:
    """Let the game master put any soldier's books right; nothing in games that have their own way."""
    session = game.session
    if session.game is None:
        return
    with titled_dialog(say("live_gm_books")) as dialog:
        for soldier in session.game.soldiers:
            _books_of(game, soldier.id, dialog)
        key(say("page_leave"), dialog.close, small=True)
    dialog.open()


def _books_of(game: LiveGame, who: str, dialog: ui.dialog) -> None:
    if game.session.game is None:
        return
    soldier = game.session.game.soldier(who)
    ui.html(f"<h3>{escape(say('live_gm', soldier=soldier.label))}</h3>", sanitize=False)
    with ui.element("div").classes("row books"):
        pool = ui.number(say("live_gm_pool"), value=max(0, soldier.pool), min=0, max=20, precision=0)
        pool.props("outlined dense")
        dead = ui.checkbox(say("live_gm_dead"), value=soldier.is_dead)

        def adjusted() -> inputs.AdjustSoldier:
            count = int(pool.value) if pool.value is not None else soldier.pool
            return inputs.AdjustSoldier(soldier=who, pool=count, is_dead=bool(dead.value), why=say("live_gm_why"))

        key(say("live_gm_do"), lambda: _answer(game, dialog, adjusted()), small=True)


def _answer(game: LiveGame, dialog: ui.dialog, given: inputs.AnyInput) -> None:
    dialog.close()
    game.tell(given)
