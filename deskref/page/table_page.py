"""The live table in one browser window: picture, ruling, turn, questions, roster and log."""

from __future__ import annotations

import math
import time
from collections import deque
from functools import partial
from html import escape
from typing import Final

from nicegui import ui
from nicegui.events import KeyEventArguments

from deskref import inputs
from deskref.camera_language import trouble_line, view_line
from deskref.chance import Chance
from deskref.language import now, say, shown
from deskref.lights import Lights, advance, hear
from deskref.live import LiveGame
from deskref.outputs import resumed_signals
from deskref.page.board_dialog import BoardNews
from deskref.page.choose_game import open_form
from deskref.page.corrections import put_right
from deskref.page.drawn_again import drawn_again
from deskref.page.frames_in import BROWSER
from deskref.page.keys import key
from deskref.page.language_choice import LanguageChoice
from deskref.page.live_view import LiveView
from deskref.page.notices import Notices
from deskref.page.overlay import side_of
from deskref.page.panel import Panel, Table
from deskref.page.ruling_marks import MARKS, is_over, reasons_of, sentences_of, shown_big
from deskref.page.setup_camera import start_browser_camera
from deskref.page.share import open_share
from deskref.page.site import Site
from deskref.page.skirmish_panel import SkirmishPanel
from deskref.page.skuffle_panel import SkufflePanel
from deskref.page.strip import Strip, strip_words
from deskref.page.task_cards import draw_tasks
from deskref.page.titled_dialog import has_open_dialog
from deskref.page.voice import Voice
from deskref.page.world_saga_panel import WorldSagaPanel
from deskref.session import Fate, Session
from deskref.signal import Signal, SignalKind
from devices.camera_loop import CameraState
from devices.pace import PACES

REFRESH_S = 0.1
"""How often the page looks for what is no ruling: the camera, the light board, the strip, who was named."""

NEWS_S = 0.02
"""How often the page looks whether something was said: a ruling is on the screen within a tenth of a second."""

RATE_S = 1.0
"""How often the number of pictures a second is shown anew: it flutters by one from picture to picture."""

LOG_LINES = 60
"""So many of the newest lines are shown."""

TURNED: Final = frozenset({SignalKind.UNDONE, SignalKind.REDONE})
"""Kinds after which it is another's turn, or the game over or not, without its being said again."""


class TablePage:
    """The parts of the page for one window; `refresh` brings them up to date."""

    def __init__(self, site: Site, *, sound: bool = False) -> None:
        """Build the page in the current client.

        Args:
            site: the game that is shown and told, with the settings.
            sound: whether tones are played from the start.
        """
        self.site = site
        self.game = game = site.game
        self._sounds = sound
        self._source = game.source
        self._shown = _state(game, game.session)
        """What stands on the page: drawn a second time at once, it would lose the click that is on its way."""
        self._heard = game.session.log[-1].number if game.session.log else 0
        self._lights = hear(Lights(), resumed_signals(game.session), self._side)
        self._board_news = BoardNews()
        self._notices = Notices(site)
        self._rate = (-math.inf, "")
        """When the pictures a second were last shown, and how many."""
        self._keys: deque[str] = deque()
        """Pressed, and waiting until the game has taken what was told before: each means what it means then."""
        self._chance = Chance()
        table = Table(game, self._chance, self._redraw)
        self._panels: dict[type, Panel] = {
            inputs.Setup: SkufflePanel(table),
            inputs.SkirmishSetup: SkirmishPanel(table),
            inputs.CombatSetup: WorldSagaPanel(table),
        }
        self._build()
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])
        ui.timer(REFRESH_S, self.refresh)
        ui.timer(NEWS_S, self._look_for_news)
        self.refresh()

    def refresh(self) -> None:
        """Show what has changed since the last time."""
        if self._language.follow():
            return
        if self.game.source is not self._source and not has_open_dialog():
            self._source = self.game.source
            ui.navigate.reload()
            return
        session = self.game.session
        self._show_state(session)
        self._hear(session)
        state = _state(self.game, session)
        # Tasks are made anew at every step: drawn again only where they say something else, for a button that is
        # drawn again loses the focus and the click that is on its way.
        if any(a is not b and a != b for a, b in zip(state[:-1], self._shown[:-1], strict=True)):
            self._shown = state
            self._ruling.refresh(session)
            self._redraw()
            self._roster.refresh(session)
            self._log.refresh(session)

    def _look_for_news(self) -> None:
        """Take keys that wait, and show a ruling at once, without waiting for the next refresh."""
        self._take_keys()
        log = self.game.session.log
        if log is not self._shown[2]:
            self.refresh()

    def _redraw(self) -> None:
        """Draw turn and board again."""
        self._turn.refresh(self.game.session)
        self._drawn_board.refresh(self.game.session)

    def _panel(self, session: Session) -> Panel:
        """The part of the page for the game that is played; Skuffle Wammer's while none is."""
        return self._panels[type(session.setup) if session.book.game is not None else inputs.Setup]

    def _build(self) -> None:
        with ui.element("div").classes("desk" if self.game.has_camera else "desk typed"):
            with ui.element("header").classes("bar"):
                ui.html("<h1>deskref</h1>")
                self._state = ui.label().classes("state")
                if self.site.notice:
                    ui.label(self.site.notice).classes("demo")
                with ui.element("div").classes("row"):
                    key(say("page_new_game"), partial(open_form, self.game), small=True)
                    undo, redo = partial(self.game.tell, inputs.Undo()), partial(self.game.tell, inputs.Redo())
                    key(say("page_undo"), undo, small=True, repeats=True)
                    key(say("page_redo"), redo, small=True, repeats=True)
                    self._voice = Voice(self.site, sound=self._sounds)
                    with ui.element("details").classes("menu"):
                        with ui.element("summary").classes("key small"):
                            ui.label(say("page_more"))
                        with ui.element("div").classes("card"):
                            key(say("sound_choose"), self._voice.choose, small=True)
                            key(say("set_share"), partial(open_share, self.site), small=True)
                            key(say("page_report"), lambda: ui.navigate.to("/report"), small=True)
                            key(say("set_open"), lambda: ui.navigate.to("/setup"), small=True)
                            key(say("doc_open"), lambda: ui.navigate.to("/doctor"), small=True)
                            self._language = LanguageChoice()
            with ui.element("section").classes("say"):
                self._notices.draw()
                with ui.element("div").classes("ruling").props('aria-live="polite" aria-atomic="true"'):
                    self._ruling(self.game.session)
                self._strip = Strip()
            with ui.element("section").classes("side"):
                self._turn(self.game.session)
                if self.game.has_camera:
                    self._books()
            with ui.element("section").classes("rest"):
                if self.game.has_camera:
                    LiveView(self.site)
                self._drawn_board(self.game.session)
                if not self.game.has_camera:
                    self._books()
        if self.game.source is self.site.frames_in.sources[BROWSER]:
            start_browser_camera(is_asked=False)

    def _books(self) -> None:
        self._roster(self.game.session)
        self._log(self.game.session)

    def _show_state(self, session: Session) -> None:
        seen = self.game.seen
        trouble = self.game.trouble
        words = []
        if seen is not None:
            table = seen.observation.table
            words.append(
                say("page_table_found", markers=table.markers) if seen.view is not None else say("page_no_mat")
            )
            if time.monotonic() - self._rate[0] >= RATE_S:
                self._rate = (time.monotonic(), f"{self.game.rate_hz:.0f}")
            words.append(say("page_rate", rate=self._rate[1]))
            if seen.view is None and session.desk.advice:
                words.append(now().of_table(session.desk.advice))
        if trouble is not None:
            words.append(trouble_line(trouble))
        words += [view_line(advice) for advice in self.game.view_advice[:1]]
        status = self.game.camera_status
        pace = [note for note in status.advice if note.says in PACES] if status is not None else []
        words += [trouble_line(note) for note in pace]
        if status is not None and status.state is CameraState.ENDED and trouble is None:
            words = [say("page_recording_over")]
        if not self.game.has_camera:
            words = [say("page_no_camera")]
        tray = self.game.tray
        if tray is not None and tray.trouble is not None:
            words.append(say("tray_trouble", problem=trouble_line(tray.trouble)))
        board = self._board_news.refresh(self.game.board)
        self._state.set_text(" · ".join(filter(None, [*words, board, self._notices.refresh()])))
        self._show_strip()

    def _show_strip(self) -> None:
        now_s = time.monotonic()
        self._lights, begun = advance(self._lights, now_s)
        self._voice.begin(begun)
        self._strip.show(self._lights, now_s)
        self._strip.tell(strip_words(self._lights, self.game.session))

    def _hear(self, session: Session) -> None:
        """Give the newest signals to the strip."""
        new = [s for s in session.log if s.number > self._heard]
        if new:
            self._heard = new[-1].number
            turned = resumed_signals(session) if any(s.kind in TURNED for s in new) else ()
            self._lights = hear(self._lights, (*new, *turned), self._side)
            self._voice.hear(new)
            for said in new:
                if said.kind is SignalKind.ILLEGAL and is_over(session):  # the headline stays with who has won
                    ui.notify(shown(said.message), type="warning", position="top")

    def _side(self, soldier: str) -> int:
        return side_of(self.game.session, soldier)

    @drawn_again
    def _ruling(self, session: Session) -> None:
        said = shown_big(session)
        if said is None:
            ui.html(f'<div class="what">{escape(say("page_choose_game"))}</div>')
            return
        ui.html(
            f'<div class="what">{_mark(said.kind)}{escape(shown(said.message))}</div>'
            f'<div class="why">{escape(reasons_of(session, said))}</div>'
        )

    @drawn_again
    def _drawn_board(self, session: Session) -> None:
        self._panel(session).board(session)

    @drawn_again
    def _turn(self, session: Session) -> None:
        draw_tasks(self.game, session)
        self._panel(session).turn(session)

    @drawn_again
    def _roster(self, session: Session) -> None:
        if session.setup is None:
            return
        self._panel(session).roster(session)

    @drawn_again
    def _log(self, session: Session) -> None:
        with ui.element("section").classes("card"):
            ui.html(f"<h2>{escape(say('page_log'))}</h2>")
            lines = [
                _log_line(
                    signal, self.site.die_pictures.of(signal), session.fate(signal.number), began_s=session.began_s
                )
                for signal in reversed(session.game_log[-LOG_LINES:])
                if signal.kind is not SignalKind.YOUR_TURN
            ]
            ui.html(f'<div class="log" tabindex="0">{"".join(lines) or escape(say("page_log_empty"))}</div>')

    def _key(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta or event.modifiers.alt:
            return
        if not has_open_dialog():
            self._keys.append(str(event.key).lower())
            self._take_keys()

    def _take_keys(self) -> None:
        while self._keys and self.game.has_taken_all:
            self._pressed(self._keys.popleft())

    def _pressed(self, pressed: str) -> None:
        if pressed == "u":
            self.game.tell(inputs.Undo())
        elif pressed == "r":
            self.game.tell(inputs.Redo())
        elif pressed == "n":
            open_form(self.game)
        elif pressed == "g" and self.game.session.game is not None:
            put_right(self.game)
        elif pressed == "m":
            self._voice.toggle()
        else:
            self._panel(self.game.session).key(pressed)


def _state(game: LiveGame, session: Session) -> tuple[object, ...]:
    """What the page is drawn from; it is drawn again where something of it but the last changes."""
    return (session.book, session.tasks, session.log, session.bindings, game.is_film_over, session.desk.at_rest)


def _mark(kind: SignalKind) -> str:
    mark = MARKS.get(kind, "")
    return f'<span class="mark" aria-hidden="true">{mark}</span>&nbsp;' if mark else ""


def _log_line(signal: Signal, picture: str, fate: Fate, *, began_s: float) -> str:
    minutes, seconds = divmod(int(signal.time_s - began_s), 60)
    mark = MARKS.get(signal.kind, "")
    source = (
        f' <span class="source">[{escape(say(f"source_{signal.source.value}"))}]</span>'
        if signal.source and signal.value
        else ""
    )
    why = escape(" ".join(sentences_of(signal)))
    crop = f'<img class="die-crop" src="{picture}" alt="" width="30" height="30">' if picture else ""
    reasons = f'<div class="reasons">{why}</div>' if why else ""
    told = f"{mark} {escape(shown(signal.message))}{source}{crop}{reasons}"
    if fate is not Fate.HOLDS:  # the word stands outside, for not every screen reader speaks of struck text
        told = f'<span class="source">[{escape(say(f"log_{fate.value}"))}]</span> <del class="struck">{told}</del>'
    return f'<div class="line"><span class="time">{minutes}:{seconds:02d}</span><div>{told}</div></div>'
