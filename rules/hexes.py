"""Movement on a grid of hexes: what a walk costs, what is within reach, and the cheapest route.

A step to one of the six neighbours costs 1, and 1 more into difficult terrain. There are no diagonals. Hexes are axial
(q, r): the neighbours of (0, 0) are (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1) and (0, 1). Costs are squares, for the
rule treats each hex as 1 square.

Rule: World Saga, Combat Mode, Movement.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.footprints import MOST_SIDE, Cell
from rules.grid import SOURCE_DIFFICULT, SOURCE_MOVEMENT, Reach, ReachedSquare, Route, Step, Walk
from rules.ruling import Catalogue, Reason
from rules.search import Steps, cheapest_route, within_reach

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))

WORDS = {
    "hex_step": "One hex.",
    "hex_difficult": "Difficult terrain costs one more to enter.",
    "hex_not_next": "From {at} a figure steps to one of the six hexes around it, not to {to}.",
    "hex_off_board": "{to} lies outside the board.",
    "hex_wall": "A wall stands at {to}: go round it.",
    "hex_enemy": "An enemy stands at {to}: pass through allies only, or go round.",
    "hex_occupied": "Somebody stands at {to}: the move must end on a free hex.",
    "hex_fence": "A wall stands between {at} and {to}: go round it.",
}
"""What is said of steps, in English."""
_CATALOGUE = Catalogue(WORDS)


@dataclass(frozen=True, slots=True)
class HexBoard:
    """A grid of hexes, `columns` by `rows`, with what stands on it for good.

    Row r holds the hexes with q from -(r // 2) to columns - 1 - (r // 2): the rows of a printed hex mat, every second
    one shifted by half a hex. Hexes outside it are ignored in the lists.
    """

    columns: int
    rows: int
    walls: tuple[Cell, ...] = ()
    difficult: tuple[Cell, ...] = ()
    fences: tuple[tuple[Cell, Cell], ...] = ()
    """Walls between two hexes that share a side."""

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise ValueError(f"a board has at least one hex each way, got {self.columns!r} by {self.rows!r}")
        if max(self.columns, self.rows) > MOST_SIDE:
            raise ValueError(f"a board has at most {MOST_SIDE} each way, got {self.columns!r} by {self.rows!r}")
        for a, b in self.fences:
            if distance(a, b) != 1:
                raise ValueError(f"a wall stands between two hexes that share a side, got {a!r}, {b!r}")

    def holds(self, cell: Cell) -> bool:
        """Say whether the hex belongs to the board."""
        q, r = cell
        return 0 <= r < self.rows and 0 <= q + r // 2 < self.columns


@dataclass(frozen=True, slots=True)
class HexMover:
    """Who moves: where it stands and who else stands where."""

    at: Cell
    allies: tuple[Cell, ...] = ()
    """Hexes that may be passed, but not ended on."""
    enemies: tuple[Cell, ...] = ()
    """Hexes that may not be entered."""


def distance(a: Cell, b: Cell) -> int:
    """Return how many steps lie between two hexes."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the six hexes around this one."""
    return tuple((cell[0] + dq, cell[1] + dr) for dq, dr in DIRECTIONS)


def walk(board: HexBoard, mover: HexMover, path: Iterable[Cell]) -> Walk:
    """Judge a walk hex by hex; `path` holds the hexes stepped to, without the start.

    Raises:
        IllegalActionError: a step is not to a neighbour, or a wall or an enemy is in the way.
    """
    walls, enemies, difficult, fences = set(board.walls), set(mover.enemies), set(board.difficult), _fences(board)
    at, steps = mover.at, []
    for to in path:
        code = (
            "hex_not_next"
            if distance(at, to) != 1
            else "hex_off_board"
            if not board.holds(to)
            else "hex_wall"
            if to in walls
            else "hex_enemy"
            if to in enemies
            else "hex_fence"
            if (at, to) in fences
            else None
        )
        if code is not None:
            gaps = {"at": _named(at), "to": _named(to)}
            raise _CATALOGUE.refusal(code, **gaps)
        steps.append(Step(to, _reasons(to in difficult)))
        at = to
    return Walk(mover.at, tuple(steps), 0)


def check_end(mover: HexMover, cell: Cell) -> None:
    """Refuse to end a move where somebody stands.

    Raises:
        IllegalActionError: an ally or enemy stands there.
    """
    if cell in mover.allies or cell in mover.enemies:
        raise _CATALOGUE.refusal("hex_occupied", to=_named(cell))


def cheapest(board: HexBoard, mover: HexMover, goal: Cell) -> Route | None:
    """Return the cheapest route to the goal, or None where there is none; ties: fewer steps, then smaller (r, q).

    Raises:
        IllegalActionError: the mover stands outside the board.
    """
    _check_start(board, mover)
    if not board.holds(goal):
        return None
    numbers = _Numbering(board)

    def least_weight(place: int) -> tuple[int, int]:
        steps = distance(numbers.cell(place), mover.at)
        return steps, steps

    arrival = cheapest_route(
        numbers.place(mover.at),
        numbers.place(goal),
        _steps(board, mover, numbers, backwards=True),
        least_weight=least_weight,
    )
    if arrival is None:
        return None
    may_end = goal not in mover.allies and goal not in mover.enemies
    return Route(tuple(map(numbers.cell, arrival.route)), arrival.weight, 0, may_end)


def reach(board: HexBoard, mover: HexMover, *, speed_squares: int | None = None) -> Reach:
    """Return every hex within reach of so much movement (None: without limit), the start included.

    Raises:
        IllegalActionError: the mover stands outside the board.
    """
    _check_start(board, mover)
    numbers = _Numbering(board)
    arrivals = within_reach(
        numbers.place(mover.at), _steps(board, mover, numbers, backwards=False), most_weight=speed_squares
    )
    taken = {*mover.allies, *mover.enemies}
    return Reach(
        tuple(
            ReachedSquare(
                cell=(cell := numbers.cell(place)),
                cost_squares=arrival.weight,
                left_squares=None if speed_squares is None else speed_squares - arrival.weight,
                diagonals_used=0,
                may_end=cell not in taken,
                came_from=numbers.cell(arrival.route[-2]) if len(arrival.route) > 1 else None,
            )
            for place, arrival in arrivals.items()
        )
    )


def _check_start(board: HexBoard, mover: HexMover) -> None:
    if not board.holds(mover.at):
        raise _CATALOGUE.refusal("hex_off_board", to=_named(mover.at))


def _reasons(is_difficult: bool) -> tuple[Reason, ...]:
    step = _CATALOGUE.reason("hex_step", SOURCE_MOVEMENT, 1)
    return (step, _CATALOGUE.reason("hex_difficult", SOURCE_DIFFICULT, 1)) if is_difficult else (step,)


def _named(cell: Cell) -> str:
    return f"hex {cell[0]}, {cell[1]}"


def _fences(board: HexBoard) -> frozenset[tuple[Cell, Cell]]:
    return frozenset(pair for a, b in board.fences for pair in ((a, b), (b, a)))


class _Numbering:
    """Numbers for hexes in the order of (r, q), for any hex near the board."""

    def __init__(self, board: HexBoard) -> None:
        # q runs from -(rows // 2) on; the shift keeps every number of a hex beside the board positive and its own.
        self.shift = board.rows + board.columns
        self.stride = 2 * self.shift + board.columns

    def place(self, cell: Cell) -> int:
        return (cell[1] + self.shift) * self.stride + cell[0] + self.shift

    def cell(self, place: int) -> Cell:
        r, q = divmod(place, self.stride)
        return (q - self.shift, r - self.shift)


def _steps(board: HexBoard, mover: HexMover, numbers: _Numbering, *, backwards: bool) -> Steps:
    """Return the steps to (or, backwards, from) the neighbours of a place, with their costs."""
    closed, difficult, fences = {*board.walls, *mover.enemies}, set(board.difficult), _fences(board)

    def steps(place: int) -> list[tuple[int, int]]:
        here = numbers.cell(place)
        found = []
        for other in neighbours(here):
            into = here if backwards else other
            if board.holds(other) and into not in closed and (here, other) not in fences:
                found.append((numbers.place(other), 1 + (into in difficult)))
        return found

    return steps
