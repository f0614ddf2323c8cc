"""The live table in one browser window: picture, ruling, turn, questions, roster and log."""

from __future__ import annotations

import time
from functools import partial
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments

from deskref import inputs
from deskref.chance import Chance
from deskref.language import say, shown
from deskref.light_and_sound import Colour
from deskref.lights import Lights, advance, hear, picture_at
from deskref.live import LiveGame
from deskref.outputs import resumed_signals
from deskref.page.choose_game import open_form
from deskref.page.keys import key
from deskref.page.language_choice import LanguageChoice
from deskref.page.overlay import overlay, side_of
from deskref.page.panel import Panel, Table, crop_html
from deskref.page.pictures import crop_address
from deskref.page.skirmish_panel import SkirmishPanel
from deskref.page.skuffle_panel import SkufflePanel
from deskref.page.world_saga_panel import WorldSagaPanel
from deskref.session import Session, Task
from deskref.signal import Signal, SignalKind
from devices.board import NO_STATUS

REFRESH_S = 0.1
"""How often the page looks for something new: the overlay stays within this of the picture."""

STRIP_LEDS = 48
"""LEDs of the strip on the page, as on the recommended board."""

MARKS = {
    SignalKind.HIT: "✸",
    SignalKind.MISS: "○",
    SignalKind.SAVED: "⛨",
    SignalKind.DEATH: "✝",
    SignalKind.WINNER: "★",
    SignalKind.MOVED: "→",
    SignalKind.PASSED: "–",
    SignalKind.UNREADABLE: "?",
    SignalKind.RULING: "•",
    SignalKind.ILLEGAL: "!",
    SignalKind.DISAGREE: "≠",
    SignalKind.AGREE: "=",
    SignalKind.UNDONE: "↶",
    SignalKind.REDONE: "↷",
    SignalKind.CORRECTED: "✎",
    SignalKind.TROUBLE: "!",
}
"""A shape for each kind of ruling beside its word, so that nothing hangs on colour."""

SPOKEN = frozenset(MARKS) | {SignalKind.SET_UP, SignalKind.STARTED, SignalKind.GAME_MASTER}
"""Kinds that are shown big; the others are in the log only."""

LOG_LINES = 60
"""So many of the newest lines are shown."""

EMIT_CLICKED = """(event) => {
  const thing = event.target.closest("[data-die],[data-figure]");
  if (thing) emit({...thing.dataset});
}"""
"""Sends which die or figure of the drawing was clicked."""


class TablePage:
    """The parts of the page for one window; `refresh` brings them up to date."""

    def __init__(self, game: LiveGame, *, notice: str = "", sound: bool = False) -> None:
        """Build the page in the current client.

        Args:
            game: what is shown and told.
            notice: shown in the bar, for example that a demo plays.
            sound: whether tones are played from the start.
        """
        self.game = game
        self.sound = sound
        self._shown: tuple[object, ...] = ()
        self._heard = game.session.log[-1].number if game.session.log else 0
        self._lights = hear(Lights(), resumed_signals(game), self._side)
        self._board = NO_STATUS
        self._over = ""
        self._strip = ""
        self._chance = Chance()
        table = Table(game, self._chance, self._redraw)
        self._panels: dict[type, Panel] = {
            inputs.Setup: SkufflePanel(table),
            inputs.SkirmishSetup: SkirmishPanel(table),
            inputs.CombatSetup: WorldSagaPanel(table),
        }
        self._build(notice)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])
        ui.timer(REFRESH_S, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what has changed since the last time."""
        if self._language.follow():
            return
        session = self.game.session
        self._show_picture(session)
        self._hear(session)
        state = (session.book, session.tasks, session.log, session.bindings, session.desk.at_rest)
        if not self._shown or any(a is not b for a, b in zip(state[:-1], self._shown[:-1], strict=True)):
            self._shown = state
            self._ruling.refresh(session)
            self._redraw()
            self._roster.refresh(session)
            self._log.refresh(session)

    def _redraw(self) -> None:
        """Draw turn and board again."""
        self._turn.refresh(self.game.session)
        self._drawn_board.refresh(self.game.session)

    def _panel(self, session: Session) -> Panel:
        """The part of the page for the game that is played; Skuffle Wammer's while none is."""
        return self._panels[type(session.setup) if session.book.game is not None else inputs.Setup]

    def _build(self, notice: str) -> None:
        with ui.element("main").classes("desk" if self.game.has_camera else "desk typed"):
            with ui.element("header").classes("bar"):
                ui.html("<h1>deskref</h1>")
                self._state = ui.label().classes("state")
                if notice:
                    ui.label(notice).classes("demo")
                with ui.element("div").classes("row"):
                    key(say("page_new_game"), partial(open_form, self.game), small=True)
                    key(say("page_undo"), partial(self.game.tell, inputs.Undo()), small=True)
                    key(say("page_redo"), partial(self.game.tell, inputs.Redo()), small=True)
                    self._mute = key("", self._toggle_sound, small=True)
                    self._name_sound()
                    self._language = LanguageChoice()
            with ui.element("section").classes("say"):
                with ui.element("div").classes("ruling").props('aria-live="polite" aria-atomic="true"'):
                    self._ruling(self.game.session)
                self._strip_html = ui.html("", sanitize=False).props('aria-hidden="true"')
            with ui.element("section").classes("side"):
                self._turn(self.game.session)
                if self.game.has_camera:
                    self._books()
            with ui.element("section").classes("rest"):
                self._drawn_board(self.game.session)
                if self.game.has_camera:
                    self._build_picture()
                else:
                    self._books()

    def _books(self) -> None:
        self._roster(self.game.session)
        self._log(self.game.session)

    def _build_picture(self) -> None:
        with ui.element("div").classes("picture"):
            ui.html(f'<img src="/stream.mjpg" alt="{escape(say("page_camera_alt"), quote=True)}">', sanitize=False)
            self._over_html = ui.html("", sanitize=False)
            self._over_html.on(
                "click",
                self._clicked,
                js_handler=EMIT_CLICKED,
            )

    def _show_picture(self, session: Session) -> None:
        seen = self.game.seen
        trouble = self.game.trouble
        words = []
        if seen is not None:
            table = seen.observation.table
            words.append(
                say("page_table_found", markers=table.markers) if seen.view is not None else say("page_no_mat")
            )
            words.append(say("page_rate", rate=f"{self.game.rate_hz:.0f}"))
            width, height = seen.frame.size
            drawn = overlay(seen, session)
            if drawn != self._over:
                self._over = drawn
                self._over_html.set_content(
                    f'<svg class="over" viewBox="0 0 {width} {height}" role="img" '
                    f'aria-label="{escape(say("page_overlay_label"), quote=True)}">{drawn}</svg>'
                )
            if seen.view is None and session.desk.advice:
                words.append(session.desk.advice)
        if trouble is not None:
            words.append(str(trouble))
        if not self.game.has_camera:
            words = [say("page_no_camera")]
        board = self._show_board()
        self._state.set_text(" · ".join([*words, board] if board else words))
        self._show_strip()

    def _show_strip(self) -> None:
        now_s = time.monotonic()
        self._lights, begun = advance(self._lights, now_s)
        tones = [[tone.hz, tone.ms] for light in begun[-1:] for tone in light.program.tones]
        on_board = self.game.board is not None and self.game.board.is_sounding
        if tones and self.sound and not on_board:
            ui.run_javascript(f"window.deskrefTones({tones})")
        drawn = "".join(map(_led, picture_at(self._lights, now_s, count=STRIP_LEDS)))
        if drawn != self._strip:
            self._strip = drawn
            self._strip_html.set_content(f'<div class="strip">{drawn}</div>')

    def _show_board(self) -> str:
        """Say when the light board came or went; gives the words for the bar."""
        if self.game.board is None:
            return ""
        status, before = self.game.board.status, self._board
        if status is not before:
            self._board = status
            if status.is_ready and status.connections != before.connections:
                ui.notify(say("page_board_on", name=status.name, leds=status.leds), type="positive")
            if status.trouble is not None and status.trouble.is_news and status.trouble != before.trouble:
                ui.notify(str(status.trouble), type="warning")
        if status.is_ready:
            return say("page_board", leds=status.leds)
        return (
            say("page_board_trouble", why=status.trouble.message)
            if status.trouble is not None and status.trouble.is_news
            else ""
        )

    def _hear(self, session: Session) -> None:
        """Give the newest signals to the strip."""
        new = [s for s in session.log if s.number > self._heard]
        if new:
            self._heard = new[-1].number
            self._lights = hear(self._lights, new, self._side)

    def _side(self, soldier: str) -> int:
        return side_of(self.game.session, soldier)

    @ui.refreshable_method
    def _ruling(self, session: Session) -> None:
        said = next((s for s in reversed(session.log) if s.kind in SPOKEN), None)
        if said is None:
            ui.html(f'<div class="what">{escape(say("page_choose_game"))}</div>')
            return
        why = " ".join(map(shown, said.reasons))
        if said.kind is SignalKind.DEATH and session.game is not None:
            why = say("sk_death_why")
        ui.html(
            f'<div class="what"><span class="mark" aria-hidden="true">{MARKS.get(said.kind, "")}</span> '
            f"{escape(shown(said.message))}</div>"
            f'<div class="why">{escape(why)}</div>'
        )

    @ui.refreshable_method
    def _drawn_board(self, session: Session) -> None:
        self._panel(session).board(session)

    @ui.refreshable_method
    def _turn(self, session: Session) -> None:
        for task in session.tasks:
            self._task(session, task)
        self._panel(session).turn(session)

    def _task(self, session: Session, task: Task) -> None:
        with ui.element("section").classes("card ask").props('role="status"'):
            ui.label(shown(task.message)).classes("says")
            picture = self._picture_of(session, task.die)
            if picture:
                ui.html(crop_html(picture, say("page_die_alt"), size=112), sanitize=False)
            if task.choices:
                with ui.element("div").classes("row"):
                    for choice, words in task.choices:
                        key(
                            shown(words),
                            partial(self.game.tell, inputs.Choose(task=task.key, choice=choice)),
                        )

    def _picture_of(self, session: Session, die: int | None) -> str:
        seen = self.game.seen
        lying = session.desk.die(die) if die is not None else None
        if seen is None or lying is None:
            return ""
        near = [
            d
            for d in seen.observation.dice
            if d.mm is not None and abs(d.mm[0] - lying.mm[0]) + abs(d.mm[1] - lying.mm[1]) < 16
        ]
        return crop_address(seen.frame.image_bgr, near[0].box) if near else ""

    @ui.refreshable_method
    def _roster(self, session: Session) -> None:
        if session.setup is None:
            return
        self._panel(session).roster(session)

    @ui.refreshable_method
    def _log(self, session: Session) -> None:
        with ui.element("section").classes("card"):
            ui.html(f"<h2>{escape(say('page_log'))}</h2>")
            lines = [
                _log_line(signal)
                for signal in reversed(session.log[-LOG_LINES:])
                if signal.kind is not SignalKind.YOUR_TURN
            ]
            ui.html(f'<div class="log" tabindex="0">{"".join(lines) or escape(say("page_log_empty"))}</div>')

    def _toggle_sound(self) -> None:
        self.sound = not self.sound
        self._name_sound()

    def _name_sound(self) -> None:
        self._mute.set_text(say("page_sound_on" if self.sound else "page_sound_off"))

    def _key(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta or event.modifiers.alt:
            return
        pressed = str(event.key).lower()
        if pressed == "u":
            self.game.tell(inputs.Undo())
        elif pressed == "r":
            self.game.tell(inputs.Redo())
        elif pressed == "n":
            open_form(self.game)
        elif pressed == "m":
            self._toggle_sound()
        else:
            self._panel(self.game.session).key(pressed)

    def _clicked(self, event: GenericEventArguments) -> None:
        """A die or a figure in the picture was clicked: let the player correct it."""
        data = event.args if isinstance(event.args, dict) else {}
        if str(data.get("die", "")).isdigit():
            self._correct_die(int(data["die"]))
        elif str(data.get("figure", "")).isdigit():
            self._name_figure(int(data["figure"]))

    def _correct_die(self, die: int) -> None:
        with ui.dialog() as dialog, ui.element("div").classes("card"):
            ui.html(f"<h2>{escape(say('page_which_value'))}</h2>")
            picture = self._picture_of(self.game.session, die)
            if picture:
                ui.html(crop_html(picture, say("page_die_alt"), size=160), sanitize=False)
            with ui.element("div").classes("row"):
                for value in range(1, 7):
                    key(
                        str(value),
                        partial(self._close, dialog, inputs.CorrectDie(die=die, value=value)),
                    )
                key(say("page_leave"), dialog.close, small=True)
        dialog.open()

    def _name_figure(self, figure: int) -> None:
        setup = self.game.session.setup
        if setup is None:
            return
        with ui.dialog() as dialog, ui.element("div").classes("card"):
            ui.html(f"<h2>{escape(say('page_which_figure'))}</h2>")
            with ui.element("div").classes("row"):
                for soldier in setup.soldiers:
                    key(
                        soldier.name,
                        partial(self._close, dialog, inputs.NameFigure(figure=figure, soldier=soldier.id)),
                    )
                key(say("page_leave"), dialog.close, small=True)
        dialog.open()

    def _close(self, dialog: ui.dialog, given: inputs.AnyInput) -> None:
        dialog.close()
        self.game.tell(given)


def _log_line(signal: Signal) -> str:
    minutes, seconds = divmod(int(signal.time_s), 60)
    mark = MARKS.get(signal.kind, "")
    source = (
        f' <span class="source">[{escape(say(f"source_{signal.source.value}"))}]</span>'
        if signal.source and signal.value
        else ""
    )
    why = " ".join(escape(shown(r)) for r in signal.reasons)
    reasons = f'<div class="reasons">{why}</div>' if why else ""
    return (
        f'<div class="line"><span class="time">{minutes}:{seconds:02d}</span>'
        f"<div>{mark} {escape(shown(signal.message))}{source}{reasons}</div></div>"
    )


def _led(colour: Colour) -> str:
    if not any(colour):
        return "<i></i>"
    red, green, blue = map(_bright, colour)
    return f'<i style="background:rgb({red},{green},{blue})"></i>'


def _bright(level: int) -> int:
    """An LED's level as a screen shows it: LEDs are glaring at levels that a screen hardly shows."""
    return min(255, round(255 * (level / 96) ** 0.55)) if level else 0
