"""The last steps of the set-up: whether dice are read rightly, and the game with its players."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from html import escape
from typing import Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.face_book import forget_face, known_faces, remember_face
from deskref.language import say
from deskref.page.choose_game import GameForms
from deskref.page.keys import key
from deskref.page.live_picture import LivePicture
from deskref.page.overlay import EMIT_CLICKED, draw_dice, play_area
from deskref.page.pictures import crop_address
from deskref.page.site import Site
from vision.observation import SeenDie

NOTHING: Final = "–"


class CheckStep:
    """Show what is read of some dice, and what helps where that is wrong."""

    def __init__(self, site: Site) -> None:
        """Take what is set up."""
        self.site = site
        self._dice: tuple[SeenDie, ...] = ()
        self._shown: tuple[object, ...] | None = None

    def build(self) -> None:
        """Draw the step."""
        ui.html(f'<h2 class="lead">{escape(say("set_check_lead"))}</h2>', sanitize=False)
        with ui.element("div").classes("aiming"):
            self._picture = LivePicture()
            self._picture.over.on("click", self._clicked, js_handler=EMIT_CLICKED)
            with ui.element("div"):
                self._reads = ui.label().classes("says").props('role="status"')
                ui.label(say("set_check_click")).classes("hint")
                self._list = ui.element("div").classes("row")
                self._wrong = ui.element("div")
                self._taught = ui.element("div")
                self._show_taught()
                ui.element("hr")
                ui.label(say("set_check_empty"))
                key(say("set_check_learn"), self.site.game.learn_empty, small=True)
                self._learnt = ui.label().classes("hint").props('role="status"')

    async def refresh(self) -> None:
        """Show the dice as they are read now."""
        game = self.site.game
        seen = game.seen
        if seen is None:
            return
        area = play_area(seen.view, game.table) if seen.view is not None else ""
        size = seen.frame.size
        drawn = draw_dice(seen.observation.dice, size=size, scale=self._picture.scale(size))
        self._picture.draw(area + drawn, size)
        self._dice = seen.observation.dice
        self._learnt.set_text(say("set_check_learnt") if game.knows_empty_table else "")
        shown = tuple((die.value, round(die.box[0] / 20)) for die in self._dice)
        if shown != self._shown:
            self._shown = shown
            self._show()

    def _show(self) -> None:
        values = " ".join("?" if die.value is None else str(die.value) for die in self._dice)
        self._reads.set_text(say("set_check_sees", values=values) if self._dice else say("set_check_no_dice"))
        seen = self.site.game.seen
        self._list.clear()
        if seen is None:
            return
        with self._list:
            for number, die in enumerate(self._dice):
                read = "?" if die.value is None else str(die.value)
                button = key("", partial(self._ask, number), small=True).classes("die-key")
                with button:
                    picture = crop_address(seen.frame.image_bgr, die.box)
                    ui.html(f'<img src="{picture}" alt="" width="72" height="72"><b>{read}</b>', sanitize=False)

    def _clicked(self, event: GenericEventArguments) -> None:
        data = event.args if isinstance(event.args, dict) else {}
        if str(data.get("die", "")).isdecimal():
            self._ask(int(data["die"]))

    def _ask(self, number: int) -> None:
        self._wrong.clear()
        if number >= len(self._dice):
            return
        die = self._dice[number]
        with self._wrong:
            ui.label(say("page_which_value")).classes("says-small")
            with ui.element("div").classes("row"):
                for value in range(1, 7):
                    key(str(value), partial(self._told, die, value), small=True)

    def _told(self, asked: SeenDie, value: int) -> None:
        """Say what a wrong reading means, and offer to remember the face; it may have been read since it was asked."""
        self._wrong.clear()
        die = self._now(asked)
        if die.value == value:
            return
        read = "?" if die.value is None else str(die.value)
        with self._wrong:
            ui.label(say("set_check_wrong", read=read, shown=value)).props('role="status"')
            if die.why:
                ui.label(say("live_reads_nothing", why=die.why)).classes("hint")
            ui.label(say("set_check_help")).classes("hint")
            if die.value is None:
                key(say("face_remember_as", value=value), partial(self._remember, die, value), small=True)

    def _now(self, die: SeenDie) -> SeenDie:
        """The die as it is seen now; as it was, where none lies there any more."""
        x, y = _middle(die)
        near = (
            other for other in self._dice if other.box[0] <= x <= other.box[2] and other.box[1] <= y <= other.box[3]
        )
        return min(near, key=lambda other: math.dist(_middle(other), (x, y)), default=die)

    def _remember(self, asked: SeenDie, value: int) -> None:
        said = remember_face(self.site.home, self.site.game, self._now(asked), value)
        self._wrong.clear()
        with self._wrong:
            ui.label(said).props('role="status"')
        self._show_taught()

    def _show_taught(self) -> None:
        """List the faces that are known, each with a key that forgets it."""
        known, trouble = known_faces(self.site.home)
        self._taught.clear()
        with self._taught:
            if trouble is not None:
                ui.label(trouble).classes("hint")
            elif known.faces:
                ui.label(say("face_known")).classes("hint")
            with ui.element("div").classes("row"):
                for index, face in enumerate(known.faces):
                    named = say("face_forget", value=face.value, name=face.name)
                    key(" ".join(named.split()), partial(self._forget, index), small=True)

    def _forget(self, index: int) -> None:
        trouble = forget_face(self.site.home, self.site.game, index)
        self._wrong.clear()
        self._show_taught()
        if trouble:
            with self._taught:
                ui.label(trouble).props('role="status"')


def _middle(die: SeenDie) -> tuple[float, float]:
    x0, y0, x1, y1 = die.box
    return ((x0 + x1) / 2, (y0 + y1) / 2)


class GameStep:
    """Name who plays and start the game."""

    def __init__(self, site: Site, leave: Callable[[], None]) -> None:
        """Take what is set up and the way to the table."""
        self.site = site
        self.leave = leave

    def build(self) -> None:
        """Draw the forms of the games."""
        ui.html(f'<h2 class="lead">{escape(say("set_game_lead"))}</h2>', sanitize=False)
        forms = GameForms(self.site.game, self.leave)
        forms.draw()
        if self.site.game.has_camera:
            ui.label(say("set_game_place")).classes("hint")
            key(say("set_game_look"), forms.look_again, small=True)

    async def refresh(self) -> None:
        """Nothing changes by itself: what is being typed must stay."""
