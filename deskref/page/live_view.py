"""The live table in one window: the camera's picture or the view from above, with what is known drawn over it.

A click on a die or figure corrects it.
"""

from __future__ import annotations

from typing import Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.language import say
from deskref.page.above import above_of
from deskref.page.corrections import choose_thing, correct_die, name_figure
from deskref.page.keys import key
from deskref.page.labels import Labels
from deskref.page.live_picture import LivePicture
from deskref.page.overlay import EMIT_CLICKED, overlay, squares
from deskref.page.site import Site
from deskref.page.world_saga_board import reach_now
from deskref.session import Session
from deskref.sight_lines import SightLines
from rules.grid import SquareBoard

REFRESH_S: Final = 0.05
"""How often the drawing follows the picture: with the way to the browser it stays within 100 ms."""


class LiveView:
    """The picture with its switches; built into the current element."""

    def __init__(self, site: Site) -> None:
        """Show a site's game."""
        self.site = site
        self._is_above = False
        self._has_lines = True
        self._lines = SightLines()
        self._labels = Labels()
        self._drawn_of: tuple[object, ...] = ()
        """What the newest drawing is of."""
        with ui.element("div").classes("live"):
            with ui.element("div").classes("row switches").props('role="group"') as switches:
                switches.props["aria-label"] = say("live_view")
                key(say("live_correct"), lambda: choose_thing(site.game), small=True)
                self._line_switch = key("", self._turn_lines, small=True)
                self._switch = key("", self._turn_view, small=True)
            self._picture = LivePicture()
            self._picture.over.on("click", self._clicked, js_handler=EMIT_CLICKED)
        self._name_switches()
        ui.timer(REFRESH_S, self.refresh)

    def refresh(self) -> None:
        """Draw over the picture what is known now."""
        game = self.site.game
        seen = game.seen
        if seen is None:
            return
        session = game.session
        table = game.table
        of = (seen, session, table, self._is_above, self._has_lines, self._picture.shown_px)
        if len(of) == len(self._drawn_of) and all(a is b for a, b in zip(of, self._drawn_of, strict=True)):
            return  # most of the time: pictures come slower than this looks
        self._drawn_of = of
        above = above_of(table) if self._is_above and seen.view is not None else None
        lines = self._lines.of(session) if self._has_lines else ()
        size = above.size if above is not None else seen.frame.size
        drawn = self._squares(session) + overlay(
            seen, session, above=above, table=table, lines=lines, labels=self._labels, scale=self._picture.scale(size)
        )
        self._picture.draw(drawn, size, frame=seen.frame.number)

    def _squares(self, session: Session) -> str:
        seen, combat = self.site.game.seen, session.combat
        if seen is None or seen.view is None or combat is None or not isinstance(combat.board, SquareBoard):
            return ""
        view = above_of(self.site.game.table) if self._is_above else seen.view
        return squares(view, combat.board, reach_now(combat))

    def _name_switches(self) -> None:
        self._switch.set_text(say("live_camera" if self._is_above else "live_above"))
        self._line_switch.set_text(("● " if self._has_lines else "○ ") + say("live_sight"))
        self._line_switch.props(f'aria-pressed="{str(self._has_lines).lower()}"')

    def _turn_view(self) -> None:
        seen = self.site.game.seen
        if not self._is_above and (seen is None or seen.view is None):
            ui.notify(say("live_needs_mat"))
        self._is_above = not self._is_above
        self._labels = Labels()
        self._picture.show(above=self._is_above)
        self._name_switches()

    def _turn_lines(self) -> None:
        self._has_lines = not self._has_lines
        self._name_switches()

    def _clicked(self, event: GenericEventArguments) -> None:
        data = event.args if isinstance(event.args, dict) else {}
        if str(data.get("die", "")).isdecimal():
            correct_die(self.site.game, int(data["die"]))
        elif str(data.get("figure", "")).isdecimal():
            name_figure(self.site.game, int(data["figure"]))
