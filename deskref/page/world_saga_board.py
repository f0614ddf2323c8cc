"""The drawn board of a World Saga combat: what is in reach coloured by cost, the way aimed at, and everybody on it.

Squares, hexes and the free table are drawn alike, in units of a square from the far left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.board_places import Layout, Place, hex_of
from deskref.combat_figures import layout_of, way_to
from deskref.language import say, shortest
from deskref.page.clicked_point import point_of
from deskref.page.overlay import side_of
from deskref.page.panel import Table, shape_of
from deskref.session import Session
from rules.freeform import Ground
from rules.grid import Reach, SquareBoard
from rules.hexes import HexBoard
from rules.ruling import IllegalActionError
from rules.world_saga.combat import reach, squares_left
from rules.world_saga.situation import engaged_with
from rules.world_saga.state import Combat, Combatant, Phase
from rules.world_saga.striding import StridePlan

Cell = tuple[int, int]

ARROWS: dict[str, Cell] = {"arrowleft": (-1, 0), "arrowright": (1, 0), "arrowup": (0, -1), "arrowdown": (0, 1)}

FREE_STEP_MM = 12.7
"""How far an arrow key moves the aim on the free table: half an inch."""

EMIT_PLACE = """(event) => {
  const board = event.target.closest("svg.board");
  if (!board) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  emit({x: at.x, y: at.y});
}"""
"""Sends where in the drawing was clicked, in squares from its far left corner."""

NUMBERS_ROOM = 0.45
"""Beside the board for the numbers of its columns and rows, in squares."""

SHADES = (0.5, 0.12)
"""Opacity of the colour of the nearest and of the farthest square in reach."""


@dataclass(frozen=True, slots=True)
class Way:
    """The cheapest way to the place aimed at."""

    places: tuple[Place, ...]
    """Without the start."""
    plan: StridePlan

    @property
    def running(self) -> tuple[str, ...]:
        """The count after each step, in squares."""
        return tuple(shortest(sum(self.plan.steps[: n + 1])) for n in range(len(self.plan.steps)))


class WorldSagaBoard:
    """The board in one window, with the place aimed at."""

    def __init__(self, table: Table) -> None:
        """Take the table that it shows."""
        self.table = table
        self.aim: Place | None = None
        self._aim_of: object = None

    def draw(self, session: Session) -> None:
        """Draw the board; nothing where a combat has none."""
        combat, layout = session.combat, layout_of(session)
        if combat is None or layout is None:
            return
        self.follow(combat)
        drawing = ui.html(_drawing(session, combat, layout, self.aim, self.way(combat)), sanitize=False)
        drawing.classes("board-room").on("click", self._clicked, js_handler=EMIT_PLACE)
        if combat.phase is Phase.TURN and not combat.cases:
            ui.label(say("wsd_aim_free" if isinstance(layout.board, Ground) else "wsd_aim")).classes("hint")

    def follow(self, combat: Combat) -> None:
        """Let the aim go when another turn begins or somebody has moved."""
        of = (combat.round, combat.turn and combat.turn.who, combat.turn and combat.turn.stride_used_squares)
        if of != self._aim_of:
            self._aim_of, self.aim = of, None

    def key(self, pressed: str) -> bool:
        """Take an arrow key, which moves the aim."""
        combat, layout = self.table.game.session.combat, layout_of(self.table.game.session)
        if combat is None or pressed not in ARROWS or layout is None:
            return False
        self.follow(combat)
        turn = combat.turn
        start = combat.get(turn.who).place if turn is not None else None
        self._set(layout, _next(layout, self.aim or start or (0, 0), ARROWS[pressed]))
        return True

    def way(self, combat: Combat) -> Way | None:
        """Return the cheapest way to the aim; None where it cannot be strided to now."""
        self.follow(combat)
        found = way_to(combat, self.aim) if self.aim is not None else None
        return None if found is None else Way(*found)

    def _clicked(self, event: GenericEventArguments) -> None:
        layout = layout_of(self.table.game.session)
        at = point_of(event)
        if layout is not None and at is not None:
            self._set(layout, layout.place_at(at))

    def _set(self, layout: Layout, place: Place | None) -> None:
        if place is not None and layout.place_at(layout.middle(place)) is not None:
            self.aim = place
            self.table.redraw()


def reach_now(combat: Combat) -> Reach | None:
    """Return where the one whose turn it is can stride; None where it cannot at all, and on the free table."""
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


def board_svg(layout: Layout, inside: str, label: str) -> str:
    """Return a board as SVG with something drawn on it."""
    width, height = layout.size
    left, top, right, bottom = _margins(layout)
    return (
        f'<svg class="board" viewBox="{-left:.2f} {-top:.2f} {width + left + right:.2f} {height + top + bottom:.2f}" '
        f'role="img" aria-label="{escape(label, quote=True)}">{_ground(layout)}{_numbers(layout)}{inside}</svg>'
    )


def _margins(layout: Layout) -> tuple[float, float, float, float]:
    """Room left, above, right and below the board: for its numbers where it has columns and rows."""
    match layout.board:
        case SquareBoard():
            return (NUMBERS_ROOM, NUMBERS_ROOM, 0.05, 0.05)
        case HexBoard():
            return (NUMBERS_ROOM, 0.05, 0.05, NUMBERS_ROOM)
        case Ground():
            return (0.05, 0.05, 0.05, 0.05)


def _numbers(layout: Layout) -> str:
    """Number columns and rows as the form and the roster count them, from where both are 0."""
    board = layout.board
    if isinstance(board, Ground):
        return ""
    is_hexes = isinstance(board, HexBoard)
    beside = layout.size[1] + NUMBERS_ROOM / 2 if is_hexes else -NUMBERS_ROOM / 2
    placed = [(str(n), n + 0.5, beside) for n in range(board.columns)]
    starts = ((n, hex_of((0, n)) if is_hexes else (0, n)) for n in range(board.rows))
    placed += [(str(n), -NUMBERS_ROOM / 2, layout.middle(start)[1]) for n, start in starts]
    return "".join(f'<text class="edge" x="{x:.3f}" y="{y + 0.09:.3f}">{words}</text>' for words, x, y in placed)


def token_svg(layout: Layout, session: Session | None, who: Combatant, *, side: int, classes: str = "") -> str:
    """Return somebody as a token of its side's shape with its first letters; `session` None takes the side given."""
    if who.place is None:
        return ""
    number = side_of(session, who.id) if session is not None else side
    x, y = layout.middle(who.place, who.footprint)
    is_free = isinstance(layout.board, Ground)
    radius = who.base_radius_mm / layout.scale_mm if is_free else min(who.footprint) * 0.4
    return (
        f"<g><title>{escape(who.label)}</title>{shape_of(number, x, y, radius, f'token side{number % 4}{classes}')}"
        f'<text class="initials" x="{x:.3f}" y="{y + 0.11:.3f}">{escape(who.label[:2])}</text></g>'
    )


def _next(layout: Layout, place: Place, step: Cell) -> Place:
    """Return the place beside another one, in the direction of an arrow key."""
    right, down = step
    match layout.board:
        case SquareBoard():
            return (place[0] + right, place[1] + down)
        case HexBoard():
            row = place[1] - down
            column = place[0] + place[1] // 2 + right
            return (column - row // 2, row)
        case Ground():
            return (place[0] + right * FREE_STEP_MM, place[1] + down * FREE_STEP_MM)


def _ground(layout: Layout) -> str:
    width, height = layout.size
    match layout.board:
        case SquareBoard(columns=columns, rows=rows):
            drawn = f'<rect class="free" width="{columns}" height="{rows}"/>{_marked(layout)}'
            lines = "".join(f"M{x} 0V{rows}" for x in range(columns + 1))
            return drawn + f'<path class="line" d="{lines}{"".join(f"M0 {y}H{columns}" for y in range(rows + 1))}"/>'
        case HexBoard():
            free = "".join(_cell_svg(layout, cell, "free") for cell in layout.cells())
            return free + _marked(layout) + "".join(_cell_svg(layout, cell, "line") for cell in layout.cells())
        case Ground(difficult=difficult, walls=walls, square_mm=square_mm):
            drawn = f'<rect class="free" width="{width:.3f}" height="{height:.3f}"/>'
            for classes, outlines in (("difficult", difficult), ("wall", walls)):
                for outline in outlines:
                    points = " ".join(f"{x / square_mm:.3f},{y / square_mm:.3f}" for x, y in outline)
                    drawn += f'<polygon class="{classes}" points="{points}"/>'
            return drawn


def _marked(layout: Layout) -> str:
    """Draw difficult terrain and walls of a board of squares or hexes."""
    board = layout.board
    assert not isinstance(board, Ground)
    return "".join(
        _cell_svg(layout, cell, classes)
        for classes, cells in (("difficult", board.difficult), ("wall", board.walls))
        for cell in cells
        if board.holds(cell)
    )


def _cell_svg(layout: Layout, cell: Place, classes: str, *, more: str = "", inset: float = 0.0) -> str:
    """Draw a square or a hex."""
    if isinstance(layout.board, HexBoard):
        x, y = layout.middle(cell)
        shrink = 1 - 2 * inset
        corners = ((x + (cx - x) * shrink, y + (cy - y) * shrink) for cx, cy in layout.hexagon(cell))
        points = " ".join(f"{cx:.3f},{cy:.3f}" for cx, cy in corners)
        return f'<polygon class="{classes}" points="{points}"{more}/>'
    side = 1 - 2 * inset
    place = f'x="{cell[0] + inset:g}" y="{cell[1] + inset:g}"'
    return f'<rect class="{classes}" {place} width="{side:g}" height="{side:g}"{more}/>'


def _drawing(session: Session, combat: Combat, layout: Layout, aim: Place | None, way: Way | None) -> str:
    turn = combat.turn
    parts = [*_in_reach(layout, combat)]
    if way is not None and turn is not None:
        start = combat.get(turn.who).place
        places = ((start,) if start is not None else ()) + way.places
        points = "L".join(f"{x:.3f} {y:.3f}" for x, y in map(layout.middle, places))
        parts.append(f'<path class="way" d="M{points}"/>')
    if aim is not None and isinstance(layout.board, Ground):
        x, y = layout.middle(aim)
        parts.append(f'<circle class="cursor" cx="{x:.3f}" cy="{y:.3f}" r=".4"/>')
    elif aim is not None:
        parts.append(_cell_svg(layout, aim, "cursor", inset=0.05))
    parts += _engaged(layout, combat)
    for who in combat.combatants:
        classes = " turn" if turn is not None and turn.who == who.id else ""
        parts.append(token_svg(layout, session, who, side=0, classes=classes + ("" if who.can_act else " out")))
    return board_svg(layout, "".join(parts), board_label(layout))


def board_label(layout: Layout) -> str:
    """Say what kind of board it is and how large."""
    match layout.board:
        case SquareBoard(columns=columns, rows=rows):
            return say("wsd_board", columns=columns, rows=rows)
        case HexBoard(columns=columns, rows=rows):
            return say("wsd_board_hexes", columns=columns, rows=rows)
        case Ground():
            return say("wsd_board_free", width=f"{layout.area_mm[0]:g}", height=f"{layout.area_mm[1]:g}")


def _in_reach(layout: Layout, combat: Combat) -> list[str]:
    """Draw what can be reached: each square or hex with its cost, or a ring on the free table."""
    turn = combat.turn
    if isinstance(layout.board, Ground):
        left = squares_left(combat) if turn is not None and combat.phase is Phase.TURN else None
        place = combat.get(turn.who).place if turn is not None else None
        if not left or place is None:
            return []
        x, y = layout.middle(place)
        return [f'<circle class="range" cx="{x:.3f}" cy="{y:.3f}" r="{left:.3f}"/>']
    within = reach_now(combat)
    squares = [s for s in within.squares if s.came_from is not None and s.may_end] if within is not None else []
    farthest = max((s.cost_squares for s in squares), default=1)
    parts = []
    for square in squares:
        opacity = SHADES[0] + (SHADES[1] - SHADES[0]) * square.cost_squares / max(1, farthest)
        x, y = layout.middle(square.cell)
        parts.append(_cell_svg(layout, square.cell, "reach", more=f' fill-opacity="{opacity:.2f}"'))
        parts.append(f'<text class="cost" x="{x:.3f}" y="{y + 0.1:.3f}">{square.cost_squares}</text>')
    return parts


def _engaged(layout: Layout, combat: Combat) -> list[str]:
    """Draw a line between each engaged pair."""
    lines = []
    for who in combat.combatants:
        for other_id in engaged_with(combat, who.id):
            other = combat.get(other_id)
            if who.id < other_id and who.place is not None and other.place is not None:
                (ax, ay) = layout.middle(who.place, who.footprint)
                (bx, by) = layout.middle(other.place, other.footprint)
                lines.append(f'<path class="engaged" d="M{ax:.3f} {ay:.3f}L{bx:.3f} {by:.3f}"/>')
    return lines
