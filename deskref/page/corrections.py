"""The dialogues by which a player puts right what was read: a die's value, who a figure is, and a soldier's books."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final

from nicegui import ui

from deskref import inputs
from deskref.face_book import remember_face
from deskref.language import percent, say, shown
from deskref.live import LiveGame
from deskref.page.die_pictures import picture_of_die, seen_die
from deskref.page.keys import key
from deskref.page.number_field import NumberField, are_numbers
from deskref.page.overlay import shown_figures
from deskref.page.panel import crop_html
from deskref.page.titled_dialog import titled_dialog
from deskref.session import Session
from deskref.settings import home
from deskref.signal import SignalKind
from deskref.skuffle_referee import righted
from rules.ruling import IllegalActionError, listed
from rules.skuffle_checks import check
from rules.skuffle_state import Adjust, Game, Soldier

ROLLS: Final = frozenset({SignalKind.ROLL, SignalKind.CORRECTED})
"""Kinds of signals after which another answer is meant than the one that was asked for."""


FEWEST: Final = -1
"""Dice of somebody who was hit with none left (Skuffle Wammer, Damage: "he'll have -1 dice")."""


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
        asked_of = _newest_roll(session, die)
        is_unread = found is not None and found.value is None
        remember = ui.checkbox(say("face_remember")) if is_unread else None

        def answer(value: int) -> None:
            newest = seen_die(game, game.session, die) or found  # it may have been read better since it was asked
            if remember is not None and remember.value and newest is not None:
                ui.notify(remember_face(home(), game, newest, value))
            if game.session.setup is None:
                dialog.close()  # before a game no die counts for anything
            elif _newest_roll(game.session, die) != asked_of:
                dialog.close()
                ui.notify(say("live_die_stale"), type="warning")
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
    of = session.before_game
    if session.setup is None:
        return
    bound = dict(session.bindings).get(figure)
    with titled_dialog(say("page_which_figure")) as dialog:
        with ui.element("div").classes("row"):
            for soldier in session.setup.soldiers:
                mark = "● " if soldier.id == bound else ""
                named = inputs.NameFigure(figure=figure, soldier=soldier.id)
                key(mark + soldier.name, partial(_answer, game, dialog, named, of=of))
            key(say("page_leave"), dialog.close, small=True)
        if bound is not None and session.game is not None:
            ui.element("hr")
            refused = _refused(session.game)
            if refused:
                ui.label(refused).classes("hint")
            else:
                one = session.game.soldier(bound)
                books = [_books_of(one, say("live_gm", soldier=one.label))]
                key(say("live_gm_do"), partial(_put_right, game, dialog, books, of=of), main=True)
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
    """Let the game master put any soldier's books right, or say why not now; nothing in other games."""
    session = game.session
    if session.game is None:
        return
    refused = _refused(session.game)
    if refused:
        ui.notify(refused, type="warning", position="top")
        return
    with titled_dialog(say("live_gm_books")) as dialog:
        books = [_books_of(soldier, soldier.label) for soldier in session.game.soldiers]
        with ui.element("div").classes("row gap"):
            key(say("live_gm_do"), partial(_put_right, game, dialog, books, of=session.before_game), main=True)
            key(say("page_leave"), dialog.close)
    dialog.open()


@dataclass(slots=True, eq=False)
class _Books:
    """A soldier's books in a dialogue: as they were when it was opened, and as they are filled in."""

    before: Soldier
    pool: float | None
    is_dead: bool

    def follow(self, soldier: Soldier) -> None:
        """Show the books as they are now."""
        self.before = soldier
        self.pool, self.is_dead = soldier.pool, soldier.is_dead

    @property
    def is_changed(self) -> bool:
        return self.pool is not None and (int(self.pool) != self.before.pool or self.is_dead != self.before.is_dead)

    def die(self) -> None:
        """Leave somebody who is ticked as dead no dice, and bring nobody to life with fewer than none."""
        if self.is_dead:
            self.pool = self.before.pool if self.before.is_dead else 0
        elif self.pool is not None:
            self.pool = max(0, self.pool)

    def given(self) -> inputs.SoldierBooks:
        """What the books are to say."""
        return inputs.SoldierBooks(self.before.id, int(self.pool or 0), self.is_dead)


def _books_of(soldier: Soldier, title: str) -> _Books:
    books = _Books(soldier, soldier.pool, soldier.is_dead)
    ui.html(f"<h3>{escape(title)}</h3>", sanitize=False)
    with ui.element("div").classes("row books"):
        pool = NumberField(say("live_gm_pool"), min=FEWEST, max=20, precision=0)
        pool.bind_value(books, "pool").props("outlined dense inputmode=numeric")
        dead = ui.checkbox(say("live_gm_dead")).bind_value(books, "is_dead")
        dead.on_value_change(books.die)
    if soldier.pool < 0:
        ui.label(say("live_gm_below", count=soldier.pool)).classes("hint")
    return books


def _refused(game: Game) -> str:
    """Say why no books can be put right now, as while a die is awaited or after the end; empty where they can."""
    one = game.soldiers[0]
    return _refusal(game, Adjust(one.id, one.pool, one.is_dead, ""))


def _refusal(game: Game, action: Adjust) -> str:
    try:
        check(game, action)
    except IllegalActionError as refusal:
        return shown(refusal)
    return ""


def _put_right(game: LiveGame, dialog: ui.dialog, rows: list[_Books], *, of: int) -> None:
    """Tell the changes of a dialogue as one decision.

    None is told where what stands in a field is no number, where the rules refuse one of them, where somebody else has
    changed one of these soldiers meanwhile, or where another game is played than the one that had `of` as the number of
    the last signal before it.
    """
    now = game.session.game
    if now is None or game.session.before_game != of:
        dialog.close()
        ui.notify(say("live_gm_other_game"), type="warning")
        return
    if not are_numbers(dialog.descendants()):
        return
    stale = []
    for row in rows:
        soldier = now.soldier(row.before.id)
        has_changed = (soldier.pool, soldier.is_dead) != (row.before.pool, row.before.is_dead)
        if row.is_changed and has_changed:
            stale.append(soldier.label)
        if has_changed:
            row.follow(soldier)
    if stale:
        ui.notify(say("live_gm_stale", soldier=listed(stale)), type="warning")
        return
    changed = [row.given() for row in rows if row.is_changed]
    if not changed:
        dialog.close()
        return
    first, *others = changed
    given = inputs.AdjustSoldier(
        soldier=first.soldier, pool=first.pool, is_dead=first.is_dead, why=say("live_gm_why"), others=tuple(others)
    )
    refused = _refusal(now, righted(given))
    if refused:
        ui.notify(refused, type="warning", position="top")
        return
    dialog.close()
    game.tell(given)


def _newest_roll(session: Session, die: int) -> int:
    """The number of the newest signal that tells a roll of a die, or 0."""
    rolls = (s.number for s in reversed(session.game_log) if s.die == die and s.kind in ROLLS)
    return next(rolls, 0)


def _answer(game: LiveGame, dialog: ui.dialog, given: inputs.AnyInput, *, of: int | None = None) -> None:
    """Tell an answer; not in another game than the one of which it was asked, where that matters."""
    dialog.close()
    if of is not None and game.session.before_game != of:
        ui.notify(say("live_gm_other_game"), type="warning")
        return
    game.tell(given)
