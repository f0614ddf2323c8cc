"""The drawn board of a World Saga combat: squares in reach coloured by cost, the way aimed at, and everybody on it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.language import say
from deskref.page.overlay import side_of
from deskref.page.panel import Table
from deskref.session import Session
from rules.grid import Reach, SquareBoard
from rules.ruling import IllegalActionError
from rules.world_saga.combat import reach, squares_left
from rules.world_saga.situation import engaged_with
from rules.world_saga.state import Combat, Combatant, Phase
from rules.world_saga.striding import StridePlan, plan_stride

Cell = tuple[int, int]

ARROWS: dict[str, Cell] = {"arrowleft": (-1, 0), "arrowright": (1, 0), "arrowup": (0, -1), "arrowdown": (0, 1)}

EMIT_CELL = """(event) => {
  const board = event.target.closest("svg.board");
  if (!board) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  emit({column: Math.floor(at.x), row: Math.floor(at.y)});
}"""
"""Sends which square of the drawing was clicked."""

SHADES = (0.5, 0.12)
"""Opacity of the colour of the nearest and of the farthest square in reach."""


@dataclass(frozen=True, slots=True)
class Way:
    """The cheapest way to the square aimed at."""

    cells: tuple[Cell, ...]
    """Without the start."""
    plan: StridePlan

    @property
    def running(self) -> tuple[int, ...]:
        """The count after each step, in squares."""
        return tuple(int(sum(self.plan.steps[: n + 1])) for n in range(len(self.plan.steps)))


class WorldSagaBoard:
    """The board in one window, with the square aimed at."""

    def __init__(self, table: Table) -> None:
        """Take the table that it shows."""
        self.table = table
        self.aim: Cell | None = None
        self._aim_of: object = None

    def draw(self, session: Session) -> None:
        """Draw the board; nothing where a combat has none."""
        combat = session.combat
        if combat is None or not isinstance(combat.board, SquareBoard):
            return
        self.follow(combat)
        drawing = ui.html(_drawing(session, combat, combat.board, self.aim, self.way(combat)), sanitize=False)
        drawing.on("click", self._clicked, js_handler=EMIT_CELL)
        ui.label(say("wsd_aim")).classes("hint")

    def follow(self, combat: Combat) -> None:
        """Let the aim go when another turn begins or somebody has moved."""
        of = (combat.round, combat.turn and combat.turn.who, combat.turn and combat.turn.stride_used_squares)
        if of != self._aim_of:
            self._aim_of, self.aim = of, None

    def key(self, pressed: str) -> bool:
        """Take an arrow key, which moves the aim."""
        combat = self.table.game.session.combat
        if combat is None or pressed not in ARROWS or not isinstance(combat.board, SquareBoard):
            return False
        turn = combat.turn
        place = combat.get(turn.who).place if turn is not None else None
        column, row = self.aim or ((int(place[0]), int(place[1])) if place is not None else (0, 0))
        right, down = ARROWS[pressed]
        self._set(combat.board, (column + right, row + down))
        return True

    def way(self, combat: Combat) -> Way | None:
        """Return the cheapest way to the aim; None where it cannot be strided to now."""
        turn, within = combat.turn, reach_now(combat)
        if self.aim is None or turn is None or within is None:
            return None
        route = within.route_to(self.aim)
        if route is None or len(route) < 2:
            return None
        used = turn.stride_used_squares if turn.is_striding else 0
        try:
            return Way(route[1:], plan_stride(combat, turn.who, route[1:], used_squares=used))
        except IllegalActionError:
            return None  # somebody stands there

    def _clicked(self, event: GenericEventArguments) -> None:
        combat = self.table.game.session.combat
        place = event.args if isinstance(event.args, dict) else {}
        column, row = place.get("column"), place.get("row")
        if combat is None or not isinstance(combat.board, SquareBoard):
            return
        if isinstance(column, int) and isinstance(row, int):
            self._set(combat.board, (column, row))

    def _set(self, board: SquareBoard, cell: Cell) -> None:
        if board.holds(cell):
            self.aim = cell
            self.table.redraw()


def reach_now(combat: Combat) -> Reach | None:
    """Return where the one whose turn it is can stride; None where it cannot at all."""
    turn = combat.turn
    if turn is None or combat.phase is not Phase.TURN or combat.cases or combat.get(turn.who).place is None:
        return None
    left = squares_left(combat)
    can_begin = turn.strides < combat.settings.strides_per_turn and (turn.move_left or turn.action_left)
    if not turn.is_striding and not can_begin:
        return None
    try:
        return reach(combat, turn.who, squares=None if left is None else int(left))
    except IllegalActionError:
        return None


def board_svg(board: SquareBoard, inside: str, label: str) -> str:
    """Return a board as SVG, a square being one unit, with something drawn on it."""
    ground = [f'<rect class="free" width="{board.columns}" height="{board.rows}"/>']
    for classes, cells in (("difficult", board.difficult), ("wall", board.walls)):
        for column, row in cells:
            if board.holds((column, row)):
                ground.append(f'<rect class="{classes}" x="{column}" y="{row}" width="1" height="1"/>')
    lines = "".join(f"M{x} 0V{board.rows}" for x in range(board.columns + 1))
    lines += "".join(f"M0 {y}H{board.columns}" for y in range(board.rows + 1))
    return (
        f'<svg class="board" viewBox="-.05 -.05 {board.columns + 0.1:.2f} {board.rows + 0.1:.2f}" role="img" '
        f'aria-label="{escape(label, quote=True)}">{"".join(ground)}<path class="line" d="{lines}"/>{inside}</svg>'
    )


def token_svg(session: Session | None, who: Combatant, *, side: int, classes: str = "") -> str:
    """Return somebody as a round token with its first letters; `session` None takes the side given."""
    if who.place is None:
        return ""
    (column, row), (width, height) = who.place, who.footprint
    number = side_of(session, who.id) if session is not None else side
    middle = (column + width / 2, row + height / 2)
    return (
        f'<g><title>{escape(who.label)}</title><circle class="token side{number % 4}{classes}" cx="{middle[0]:g}" '
        f'cy="{middle[1]:g}" r="{min(width, height) * 0.4:g}"/>'
        f'<text class="initials" x="{middle[0]:g}" y="{middle[1] + 0.11:g}">{escape(who.label[:2])}</text></g>'
    )


def _drawing(session: Session, combat: Combat, board: SquareBoard, aim: Cell | None, way: Way | None) -> str:
    parts: list[str] = []
    within = reach_now(combat)
    for square in within.squares if within is not None else ():
        if square.came_from is None or not square.may_end:
            continue
        farthest = max(1, max(s.cost_squares for s in within.squares)) if within is not None else 1
        share = square.cost_squares / farthest
        opacity = SHADES[0] + (SHADES[1] - SHADES[0]) * share
        column, row = square.cell
        parts.append(
            f'<rect class="reach" x="{column}" y="{row}" width="1" height="1" fill-opacity="{opacity:.2f}"/>'
            f'<text class="cost" x="{column + 0.5}" y="{row + 0.6}">{square.cost_squares}</text>'
        )
    turn = combat.turn
    if way is not None and turn is not None:
        start = combat.get(turn.who).place
        cells = ((start,) if start is not None else ()) + way.cells
        points = "L".join(f"{column + 0.5:g} {row + 0.5:g}" for column, row in cells)
        parts.append(f'<path class="way" d="M{points}"/>')
    if aim is not None:
        parts.append(f'<rect class="cursor" x="{aim[0] + 0.05}" y="{aim[1] + 0.05}" width=".9" height=".9"/>')
    parts += _engaged(combat)
    for who in combat.combatants:
        classes = " turn" if turn is not None and turn.who == who.id else ""
        parts.append(token_svg(session, who, side=0, classes=classes + ("" if who.can_act else " out")))
    label = say("wsd_board", columns=board.columns, rows=board.rows)
    return board_svg(board, "".join(parts), label)


def _engaged(combat: Combat) -> list[str]:
    """Draw a line between each engaged pair."""
    lines = []
    for who in combat.combatants:
        for other_id in engaged_with(combat, who.id):
            other = combat.get(other_id)
            if who.id < other_id and who.place is not None and other.place is not None:
                (ax, ay), (bx, by) = who.place, other.place
                lines.append(f'<path class="engaged" d="M{ax + 0.5:g} {ay + 0.5:g}L{bx + 0.5:g} {by + 0.5:g}"/>')
    return lines
