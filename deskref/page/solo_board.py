"""Skuffle Wammer against the desk, on the page: what the desk's figure does, and the drawn table of a typed game."""

from __future__ import annotations

from functools import partial
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.inputs import AutomatedSoldier, FollowPlan, MoveSoldier, Setup
from deskref.language import say, shown
from deskref.page.clicked_point import point_of
from deskref.page.keys import key
from deskref.page.overlay import side_of
from deskref.page.panel import Table, shape_of
from deskref.session import Session
from deskref.solo_turn import plan_of
from deskref.tabletop import table_from_rules
from rules.skuffle_state import Attack, Game, Move, Phase, Point

STEP_MM = 10.0
"""How far an arrow key moves the aim: half a base."""

ARROWS = {
    "arrowleft": (-STEP_MM, 0.0),
    "arrowright": (STEP_MM, 0.0),
    "arrowup": (0.0, -STEP_MM),
    "arrowdown": (0.0, STEP_MM),
}

EMIT_PLACE = """(event) => {
  const board = event.target.closest("svg.board");
  if (!board) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  emit({x: at.x, y: at.y});
}"""
"""Sends where in the drawing was clicked, in the rules' millimetres."""


class SoloBoard:
    """The plan of the desk's figure, and the table drawn where no camera shows it; for one window."""

    def __init__(self, table: Table) -> None:
        """Take the table that it shows and tells."""
        self.table = table
        self.aim: Point | None = None
        """Where the player's soldier would move, in the rules' mm."""
        self._aim_of: tuple[str | None, int] | None = None

    def plan(self, session: Session) -> None:
        """Draw what the desk's figure does, if it is its turn; an attack is done by its die, not by a key."""
        plan = plan_of(session)
        if plan is None:
            return
        with ui.element("div").classes("plan"):
            for reason in plan.reasons:
                ui.label(shown(reason)).classes("says-small")
            if not isinstance(plan.action, Attack):
                key(say("do_plan"), partial(self.table.game.tell, FollowPlan()), main=True)

    def is_drawn(self, session: Session) -> bool:
        """Whether the table is drawn: in a typed game against the desk."""
        return session.game is not None and not self.table.game.has_camera and _has_automated(session)

    def draw(self, session: Session) -> None:
        """Draw the table of a typed game against the desk; nothing in other games."""
        game = session.game
        if game is None or not self.is_drawn(session):
            return
        self._follow(game)
        drawing = ui.html(_drawing(session, game, self.aim), sanitize=False)
        drawing.classes("board-room").on("click", self._clicked, js_handler=EMIT_PLACE)
        if game.phase is Phase.TURN and plan_of(session) is None:
            ui.label(say("solo_board_hint")).classes("hint")

    def key(self, pressed: str) -> bool:
        """Take an arrow key, which moves the aim, or Enter, which carries out the desk's plan where it needs no die."""
        session = self.table.game.session
        game = session.game
        if game is None or not _has_automated(session) or game.phase is not Phase.TURN:
            return False
        self._follow(game)
        plan = plan_of(session)
        if pressed == "enter" and plan is not None and not isinstance(plan.action, Attack):
            self.table.game.tell(FollowPlan())
        elif pressed in ARROWS and plan is None:
            (x, y), (right, down) = self.aim or game.soldier(str(game.current)).pos, ARROWS[pressed]
            self._set_aim(game, (x + right, y + down))
        else:
            return False
        return True

    def move(self) -> MoveSoldier:
        """Return the move of the player's soldier: to the aim, where there is one."""
        game = self.table.game.session.game
        if self.aim is None or game is None:
            return MoveSoldier()
        self._follow(game)
        if self.aim is None:
            return MoveSoldier()
        return MoveSoldier(to_mm=table_from_rules(self.aim, game.options.area_mm))

    def _follow(self, game: Game) -> None:
        """Let the aim go when another turn begins."""
        turn = (game.current, game.round)
        if turn != self._aim_of:
            self._aim_of, self.aim = turn, None

    def _clicked(self, event: GenericEventArguments) -> None:
        session = self.table.game.session
        at = point_of(event)
        if session.game is not None and plan_of(session) is None and at is not None:
            self._set_aim(session.game, at)

    def _set_aim(self, game: Game, place: Point) -> None:
        width, height = game.options.area_mm
        self.aim = (round(min(width, max(0.0, place[0]))), round(min(height, max(0.0, place[1]))))
        self.table.redraw()


def _has_automated(session: Session) -> bool:
    setup = session.setup
    return isinstance(setup, Setup) and any(isinstance(s, AutomatedSoldier) for s in setup.soldiers)


def _drawing(session: Session, game: Game, aim: Point | None) -> str:
    width, height = game.options.area_mm
    parts = [f'<rect class="free" width="{width:g}" height="{height:g}"/>']
    plan = plan_of(session)
    goal = plan.action.to if plan is not None and isinstance(plan.action, Move) else aim
    if goal is not None and game.current is not None:
        x, y = game.soldier(game.current).pos
        parts.append(f'<path class="way mm" d="M{x:.1f} {y:.1f}L{goal[0]:.1f} {goal[1]:.1f}"/>')
        radius = game.soldier(game.current).base_radius_mm
        parts.append(f'<circle class="cursor mm" cx="{goal[0]:.1f}" cy="{goal[1]:.1f}" r="{radius:g}"/>')
    for soldier in game.soldiers:
        x, y = soldier.pos
        turn = " turn" if soldier.id == game.current else ""
        out = " out" if soldier.is_dead else ""
        side, radius = side_of(session, soldier.id), soldier.base_radius_mm
        parts.append(
            f"{shape_of(side, x, y, radius, f'token mm side{side % 4}{turn}{out}')}"
            f'<text class="mm" x="{x:.1f}" y="{y + soldier.base_radius_mm + 8:.1f}">{escape(soldier.label)}</text>'
        )
    return (
        f'<svg class="board" viewBox="-4 -4 {width + 8:g} {height + 16:g}" role="img" '
        f'aria-label="{escape(say("solo_board_label"), quote=True)}">{"".join(parts)}</svg>'
    )
