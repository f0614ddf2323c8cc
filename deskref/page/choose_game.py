"""The dialogue for a new game: which one, and its form."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from nicegui import Client, ui

from deskref import language
from deskref.game_report import is_going_on
from deskref.inputs import AnySetup, CombatSetup, SkirmishSetup, StartGame
from deskref.language import say, shown
from deskref.live import LiveGame
from deskref.names import likeness, printed
from deskref.page import new_game, skirmish_form, world_saga_fields, world_saga_form
from deskref.page.keys import PRESSED, key
from deskref.page.last_fields import forget, is_kept, newest, remember
from deskref.referee import step
from deskref.rule_sets import NAMES, QUICK_SKIRMISH, SKUFFLE_WAMMER, WORLD_SAGA
from deskref.settings import home
from deskref.signal import SignalKind

logger = logging.getLogger(__name__)

MOST_SAID: Final = 200
"""Letters of a refusal that are shown."""

LOOK_S: Final = 0.5
"""How often an open form looks whether the table speaks another language by now."""


@dataclass(frozen=True, slots=True)
class Form:
    """How the form of one game begins, and how it is drawn."""

    begun: Callable[[LiveGame], Any]  # Any: each form has fields of its own kind
    fill: Callable[[LiveGame, Any, Callable[[AnySetup], object], Callable[[], object]], None]
    """Takes the game, the fields, what starts a set-up, and what cancels."""


FORMS: Final[dict[str, Form]] = {
    SKUFFLE_WAMMER.name: Form(new_game.begun, new_game.fill_form),
    QUICK_SKIRMISH.name: Form(skirmish_form.begun, skirmish_form.fill_form),
    WORLD_SAGA.name: Form(world_saga_fields.begun, world_saga_form.fill_form),
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
    with dialog:
        card = ui.element("div").classes("card form")
        forms = GameForms(game, dialog.close)
        drawn_in = ""

        def draw() -> None:
            nonlocal drawn_in
            if drawn_in == language.now().code:
                return
            drawn_in = language.now().code
            dialog.props["aria-label"] = say("page_new_game")
            card.clear()
            with card:
                forms.draw()

        draw()
        ui.timer(LOOK_S, draw)
    _OPEN[client] = dialog

    def closed() -> None:
        _OPEN.pop(client, None)
        dialog.delete()

    dialog.on("hide", closed)
    dialog.open()


class GameForms:
    """The choice of the game with its form; what was filled in stays while another game is looked at."""

    def __init__(self, game: LiveGame, close: Callable[[], object]) -> None:
        """Take the game that is told; starting a game or cancelling calls `close`."""
        self.game = game
        self.close = close
        self.name = _played_now(game)
        self.fields: dict[str, Any] = {}  # Any: each form has fields of its own kind
        """Of each game that was looked at."""
        self._typed: dict[int, str] = {}
        """Names that were typed, by their row: a form that is looked at next has them, too."""
        self._offered: list[tuple[Any, str]] = []
        """The rows of the form that is shown, each with the name that it had when it was drawn."""
        self._has_started = False
        self._told_of = self._at_stake
        """The game that the player knows would be lost, as `_at_stake` gives it."""

    @property
    def _at_stake(self) -> int | None:
        """Which game a new one would end for good: the number of the last signal before it; None where none would."""
        session = self.game.session
        return session.before_game if is_going_on(session) else None

    def draw(self) -> None:
        """Draw choice and form into the current element, with what is filled in; say first if a game would be lost."""
        self._hint = ui.label().classes("says").props('role="note"')
        self._follow()
        ui.timer(LOOK_S, self._follow)
        names = ui.toggle(NAMES, value=self.name).props(PRESSED)
        names.props["aria-label"] = say("page_game")
        self._form = ui.element("div").classes("form-body")
        names.on_value_change(lambda event: self._choose(str(event.value)))
        self._show()

    def _follow(self) -> None:
        """Say whether a game would be lost now: others may begin or end one while the form is open."""
        is_at_stake = self._at_stake is not None
        self._hint.text = say("page_ends_game") if is_at_stake else ""
        self._hint.visible = is_at_stake

    def look_again(self) -> None:
        """Begin the form again, with the figures that stand on the mat now."""
        self.fields.pop(self.name)
        self._show()

    def _choose(self, name: str) -> None:
        self.name = name
        self._show()

    def _keep_typed(self) -> None:
        rows = [row for fields in self.fields.values() for row in _rows(fields)]
        for n, (row, before) in enumerate(self._offered):
            if row.name != before and any(row is one for one in rows):
                self._typed[n] = row.name

    def _show(self) -> None:
        form = FORMS[self.name]
        self._keep_typed()
        if self.name not in self.fields:
            self.fields[self.name] = form.begun(self.game)
        rows = _rows(self.fields[self.name])
        for n, typed in self._typed.items():
            _rename(rows, n, typed)
        self._offered = [(row, row.name) for row in rows]
        self._form.clear()
        with self._form:
            if is_kept(home(), self.name):
                with ui.element("div").classes("row"):
                    ui.label(say("form_as_last")).classes("hint")
                    key(say("form_afresh"), self._begin_afresh, small=True)
            form.fill(self.game, self.fields[self.name], self._start, self.close)

    def _start(self, setup: AnySetup) -> None:
        """Start a game, once: on a slow computer the form still stands when it is pressed again.

        What the rules refuse is said, and the form stays; only what begins is remembered.
        A game that has come meanwhile, over which the form was not opened, is lost only when asked for once more.
        """
        if self._has_started:
            return
        at_stake = self._at_stake
        if at_stake is not None and at_stake != self._told_of:
            self._told_of = at_stake
            self._follow()
            ui.notify(say("page_ends_other_game"), type="warning", position="top", timeout=10_000, multi_line=True)
            return
        begin = StartGame(setup=setup)
        why = self._refusal(begin)
        if why:
            ui.notify(say("form_refused", why=why[:MOST_SAID]), type="warning", timeout=10_000, multi_line=True)
            return
        self._has_started = True
        self.game.tell(begin)
        remember(home(), self.name, self.fields[self.name])
        self.close()

    def _refusal(self, begin: StartGame) -> str:
        """What the rules would say against a game; nothing where it can begin. The game that is on stays as it is."""
        try:
            _, signals = step(self.game.session, replace(begin, time_s=self.game.now_s))
        except Exception as error:
            logger.exception("the game that the form means cannot begin")
            return str(error) or type(error).__name__
        if any(signal.kind is SignalKind.SET_UP for signal in signals):
            return ""  # it waits for the figures; what is wrong with their places now can be put right
        return next((shown(signal.message) for signal in signals if signal.kind is SignalKind.ILLEGAL), "")

    def _begin_afresh(self) -> None:
        forget(home(), self.name)
        self._typed = {}
        self.look_again()


def _rows(fields: Any) -> list[Any]:
    """Those who take part, as a form has them; each has a name."""
    rows: list[Any] = fields.heroes if isinstance(fields, skirmish_form.Fields) else fields.rows
    return rows


def _rename(rows: list[Any], number: int, name: str) -> None:
    """Give a row a name that was typed in another form, if there is such a row and nobody else is called so."""
    alike = any(likeness(row.name) == likeness(name) for n, row in enumerate(rows) if n != number)
    if number >= len(rows) or alike or not printed(name):
        return
    before, rows[number].name = rows[number].name, name
    for row in rows:
        if isinstance(row, skirmish_form.HeroRow) and row.ally_of == printed(before):
            row.ally_of = printed(name)


def _played_now(game: LiveGame) -> str:
    match game.session.setup:
        case SkirmishSetup():
            return QUICK_SKIRMISH.name
        case CombatSetup():
            return WORLD_SAGA.name
        case None:
            last = newest(home())
            return last if last in FORMS else SKUFFLE_WAMMER.name
        case _:
            return SKUFFLE_WAMMER.name
