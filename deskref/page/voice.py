"""What one window lets players hear: tones, effects, spoken rulings. One window of a table sounds at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Final

from nicegui import ui

from deskref import language
from deskref.language import say, shown
from deskref.lights import Light
from deskref.page.keys import key
from deskref.page.ruling_marks import SPOKEN
from deskref.page.site import Site
from deskref.page.titled_dialog import titled_dialog
from deskref.signal import Signal
from deskref.sound_effects import Effect, effect_of, kettle_boils, spoken

REMEMBERED: Final = 20
"""So many of the newest signals are kept for lights that begin later: more than the strip lets wait."""


class _Table:
    """Whether the table sounds, and in which window; windows of one table stand in one room."""

    is_on: bool = False
    window: Voice | None = None
    """None where the window that sounded was closed: the next one that is there takes over."""


class _Started:
    """The settings count for the first window only: a sound that was switched off stays off at a reload."""

    is_past: bool = False


class Voice:
    """The sound of one window, with its key; used by the web server's thread."""

    def __init__(self, site: Site, *, sound: bool) -> None:
        """Draw the key into the current element.

        Args:
            site: the game and the settings.
            sound: whether it sounds from the start, unless another window does; a demo is always silent at first.
        """
        self._site = site
        self._signals: list[Signal] = []
        self._passed_s = site.game.now_s
        self._named: bool | None = None
        self._mute = key("", self.toggle, small=True)
        self._client = ui.context.client
        self._client.on_disconnect(self._leave)
        if sound and not site.notice and not _Started.is_past:
            _Table.is_on = True
        _Started.is_past = True
        self._name()

    @property
    def is_on(self) -> bool:
        """Whether this window sounds."""
        return _Table.is_on and _Table.window is self

    def toggle(self) -> None:
        """Sound, and let no other window sound; or be silent at once."""
        if self.is_on:
            _Table.is_on, _Table.window = False, None
            ui.run_javascript("window.deskrefHush()")
        else:
            _Table.is_on, _Table.window = True, self
            ui.run_javascript("window.deskrefWake()")
        self._name()

    def follow(self) -> None:
        """Take over from a window that was closed, and show it where another sounds by now."""
        if _Table.is_on and _Table.window is None and self._client.has_socket_connection:
            _Table.window = self
        self._name()

    def hear(self, signals: Sequence[Signal]) -> None:
        """Take what is new in the log: speak it, and play the effect of what has no light."""
        self._signals = [*self._signals, *signals][-REMEMBERED:]
        if not self.is_on:
            return
        page = self._site.own.page
        if page.effects:
            moves = [e for e in map(effect_of, signals) if e is Effect.JETS]
            for effect in moves[-1:]:
                self._effect(effect)
        if page.speech:
            for said in spoken(signals, SPOKEN):
                self._run("deskrefSpeak", shown(said.message), language.now().code)

    def begin(self, lights: Sequence[Light]) -> None:
        """Play the sound of the newest light that begins, unless the board does."""
        game = self._site.game
        self.follow()
        before_s, self._passed_s = self._passed_s, game.now_s
        if not self.is_on:
            return
        has_effects = self._site.own.page.effects
        if has_effects and kettle_boils(game.session, before_s=before_s, now_s=self._passed_s):
            self._effect(Effect.KETTLE)
        if not lights or (game.board is not None and game.board.is_sounding):
            return
        light = lights[-1]
        signal = next((s for s in self._signals if s.number == light.number), None)
        effect = effect_of(signal) if has_effects and signal is not None else None
        if effect is not None:
            self._effect(effect)
        elif light.program.tones:
            self._run("deskrefTones", [[tone.hz, tone.ms] for tone in light.program.tones])

    def _effect(self, effect: Effect) -> None:
        self._run("deskrefEffect", effect.value)

    def _run(self, function: str, *given: object) -> None:
        ui.run_javascript(f"window.{function}({', '.join(json.dumps(value) for value in given)})")

    def _name(self) -> None:
        if self._named is self.is_on:
            return
        self._named = self.is_on
        self._mute.set_text(say("page_mute" if self.is_on else "page_unmute"))
        self._mute.props["title"] = say("page_sounds" if self.is_on else "page_is_mute")
        self._mute.classes(**{"add" if self.is_on else "remove": "sounding"})

    def _leave(self) -> None:
        if _Table.window is self:
            _Table.window = None

    def choose(self) -> None:
        """Let players choose what is heard; it is remembered."""
        page = self._site.own.page
        with titled_dialog(say("sound_choose"), classes="card form") as dialog:
            ui.checkbox(say("sound_effects"), value=page.effects, on_change=lambda e: self._keep(effects=bool(e.value)))
            ui.label(say("sound_effects_why")).classes("hint")
            with ui.element("div").classes("row"):
                for effect in Effect:
                    key(say(f"sound_{effect.value}"), partial(self._try, effect), small=True)
            ui.checkbox(say("sound_speech"), value=page.speech, on_change=lambda e: self._keep(speech=bool(e.value)))
            ui.label(say("sound_speech_why")).classes("hint")
            key(say("sound_done"), dialog.close, main=True)
        dialog.open()

    def _try(self, effect: Effect) -> None:
        self._run("deskrefWake")
        self._effect(effect)

    def _keep(self, **choice: bool) -> None:
        trouble = self._site.keep(page=self._site.own.page.model_copy(update=choice))
        if trouble:
            ui.notify(trouble, type="warning")
        if any(choice.values()) and not self.is_on:
            self.toggle()
