"""Movement on a grid of squares: what a walk costs, what is within reach, and the cheapest route.

A step to one of the eight neighbours costs 1 square. Every second diagonal step of a character's turn costs 1 more, and
so does a step into difficult terrain. The count of diagonals runs on over the whole turn: through waypoints, through
an Action in the middle of a Stride, and into a second Move action.

Squares are (column, row), rows downwards. Costs are squares.

Rule: World Saga, Combat Mode, Movement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from rules.footprints import MOST_SIDE, ONE_SQUARE, Cell, Footprint, cells_of, newly_covered, offsets
from rules.ruling import Catalogue, IllegalActionError, Reason, total
from rules.search import Steps, cheapest_route, within_reach

SOURCE_MOVEMENT = "World Saga, Combat Mode, Movement"
SOURCE_DIFFICULT = "World Saga, Combat Mode, Special Circumstances, Difficult Terrain"

ORTHOGONAL: tuple[Cell, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
DIAGONAL: tuple[Cell, ...] = ((-1, -1), (1, -1), (-1, 1), (1, 1))

Fence = tuple[Cell, Cell]
"""A wall between two squares that share a side."""

WORDS = {
    "step": "One square.",
    "second_diagonal": "Every second diagonal of the turn costs one more.",
    "difficult": "Difficult terrain costs one more to enter.",
    "not_next": "From {at} a figure steps to one of the eight squares around it, not to {to}.",
    "off_board": "{to} lies outside the board of {columns} by {rows} {rows:square|squares}.",
    "wall": "A wall stands at {blocked}: go round it.",
    "enemy": "An enemy stands at {blocked}: pass through allies only, or go round.",
    "fence": "A wall stands between {at} and {to}: go round it.",
    "corner": "A wall's corner is in the way from {at} to {to}: step straight first, then across.",
    "occupied": "Somebody stands at {blocked}: the move must end on a free square.",
}
"""What is said of steps, in English."""
_CATALOGUE = Catalogue(WORDS)


class CornerRule(Enum):
    """Whether a diagonal step may brush past the corner of a wall; the rule text leaves this to the players."""

    NO_CUT = "no_cut"
    """Never: both flanking squares must be free of walls."""
    BOTH = "both"
    """Past one wall, but not between two."""
    FREE = "free"
    """Always."""


@dataclass(frozen=True, slots=True)
class SquareBoard:
    """A grid of squares with what stands on it for good. Squares outside it are ignored in the lists."""

    columns: int
    rows: int
    walls: tuple[Cell, ...] = ()
    """Squares that nobody enters."""
    difficult: tuple[Cell, ...] = ()
    """Squares that cost one more to enter."""
    fences: tuple[Fence, ...] = ()
    """Walls between two squares that share a side."""
    corners: CornerRule = CornerRule.NO_CUT

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise ValueError(f"a board has at least one square each way, got {self.columns!r} by {self.rows!r}")
        if max(self.columns, self.rows) > MOST_SIDE:
            raise ValueError(f"a board has at most {MOST_SIDE} each way, got {self.columns!r} by {self.rows!r}")
        for (ax, ay), (bx, by) in self.fences:
            if abs(ax - bx) + abs(ay - by) != 1:
                raise ValueError(f"a wall stands between two squares that share a side, got {(ax, ay)!r}, {(bx, by)!r}")

    def holds(self, cell: Cell) -> bool:
        """Say whether the square belongs to the board."""
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows


@dataclass(frozen=True, slots=True)
class Mover:
    """Who moves: where it stands, how big it is, and who else stands where."""

    at: Cell
    """Top left square of its base."""
    footprint: Footprint = ONE_SQUARE
    allies: tuple[Cell, ...] = ()
    """Squares that may be passed, but not ended on."""
    enemies: tuple[Cell, ...] = ()
    """Squares that may not be entered. Unconscious and dead figures belong in neither list."""
    diagonals_used: int = 0
    """Diagonal steps already made in this turn."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a walk with its cost explained."""

    to: Cell
    reasons: tuple[Reason, ...]

    @property
    def cost_squares(self) -> int:
        """What the step costs."""
        return total(self.reasons)


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk that was judged step by step."""

    start: Cell
    steps: tuple[Step, ...]
    diagonals_used: int
    """Diagonal steps made in this turn, those before the walk included."""

    @property
    def cost_squares(self) -> int:
        """What the whole walk costs."""
        return sum(step.cost_squares for step in self.steps)

    @property
    def end(self) -> Cell:
        """Where the walk ends."""
        return self.steps[-1].to if self.steps else self.start


@dataclass(frozen=True, slots=True)
class Route:
    """The cheapest way from one square to another."""

    cells: tuple[Cell, ...]
    """Squares walked, the start first."""
    cost_squares: int
    diagonals_used: int
    """Diagonal steps made in this turn on arrival."""
    may_end: bool
    """Whether nobody stands where the route ends."""


@dataclass(frozen=True, slots=True)
class ReachedSquare:
    """A square within reach."""

    cell: Cell
    cost_squares: int
    left_squares: int | None
    """Movement left on arrival; None where there is no limit."""
    diagonals_used: int
    """Diagonal steps made in this turn on arrival: the next one is dear when this is odd."""
    may_end: bool
    """Whether nobody stands there."""
    came_from: Cell | None
    """The square before it on the cheapest route; None for the start."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Everything within reach, cheapest first."""

    squares: tuple[ReachedSquare, ...]

    def route_to(self, cell: Cell) -> tuple[Cell, ...] | None:
        """Return the squares of the cheapest route, the start first, or None where the cell is out of reach."""
        came_from = {square.cell: square.came_from for square in self.squares}
        if cell not in came_from:
            return None
        route = [cell]
        while (before := came_from[route[-1]]) is not None:
            route.append(before)
        return tuple(reversed(route))


def walk(board: SquareBoard, mover: Mover, path: Iterable[Cell]) -> Walk:
    """Judge a walk square by square.

    Args:
        board: the ground.
        mover: who walks, where from and with how many diagonals behind it.
        path: the squares stepped to, without the start. A walk over waypoints is their squares one after another.

    Raises:
        IllegalActionError: a step is not to a neighbour, or a wall or an enemy is in the way.
    """
    ground = _Ground(board, mover)
    at, diagonals, steps = mover.at, mover.diagonals_used, []
    for to in path:
        ground.check_step(at, to)
        step = (to[0] - at[0], to[1] - at[1])
        reasons = [_CATALOGUE.reason("step", SOURCE_MOVEMENT, 1)]
        if step[0] and step[1]:
            diagonals += 1
            if diagonals % 2 == 0:
                reasons.append(_CATALOGUE.reason("second_diagonal", SOURCE_MOVEMENT, 1))
        if ground.is_difficult(at, step):
            reasons.append(_CATALOGUE.reason("difficult", SOURCE_DIFFICULT, 1))
        steps.append(Step(to, tuple(reasons)))
        at = to
    return Walk(mover.at, tuple(steps), diagonals)


def check_end(mover: Mover, cell: Cell) -> None:
    """Refuse to end a move where somebody stands.

    Raises:
        IllegalActionError: an ally or enemy stands on a square that the base would cover.
    """
    blocked = _occupied(mover, cell)
    if blocked is not None:
        raise _CATALOGUE.refusal("occupied", blocked=_named(blocked))


def cheapest(board: SquareBoard, mover: Mover, goal: Cell) -> Route | None:
    """Return the cheapest route to the goal, or None where there is none.

    Between equally cheap routes the one is taken that leaves the next diagonal cheap, then the one with fewer steps,
    then the one whose squares come first by row and column.

    Raises:
        IllegalActionError: the mover stands outside the board.
    """
    _check_start(board, mover)
    if not board.holds(goal):
        return None
    numbers = _Numbering(board)
    odd = mover.diagonals_used % 2
    stride, start = numbers.stride, numbers.place(mover.at)
    start_row, start_column = divmod(start, stride)

    def least_weight(place: int) -> tuple[int, int]:
        row, column = divmod(place, stride)
        across, down = abs(column - start_column), abs(row - start_row)
        return (2 * across + down, across) if across > down else (2 * down + across, down)

    arrival = cheapest_route(
        start,
        numbers.place(goal),
        _steps(board, mover, numbers, backwards=True),
        least_weight=least_weight,
    )
    if arrival is None:
        return None
    cells = tuple(map(numbers.cell, arrival.route))
    cost = (arrival.weight + odd) // 2
    return Route(cells, cost, mover.diagonals_used + _count_diagonals(cells), _occupied(mover, goal) is None)


def cheapest_through(board: SquareBoard, mover: Mover, waypoints: Sequence[Cell]) -> Route | None:
    """Return the cheapest route that visits the waypoints in order, the count of diagonals running on between them."""
    cells, cost, may_end = [mover.at], 0, True
    for goal in waypoints:
        leg = cheapest(board, mover, goal)
        if leg is None:
            return None
        cells += leg.cells[1:]
        cost += leg.cost_squares
        may_end = leg.may_end
        mover = replace(mover, at=goal, diagonals_used=leg.diagonals_used)
    return Route(tuple(cells), cost, mover.diagonals_used, may_end)


def reach(board: SquareBoard, mover: Mover, *, speed_squares: int | None = None) -> Reach:
    """Return every square within reach of so much movement (None: without limit), the start included.

    Squares where somebody stands are listed, for routes lead through allies, but `may_end` is False there.

    Raises:
        IllegalActionError: the mover stands outside the board.
    """
    _check_start(board, mover)
    numbers = _Numbering(board)
    odd = mover.diagonals_used % 2
    arrivals = within_reach(
        numbers.place(mover.at),
        _steps(board, mover, numbers, backwards=False),
        # A weight is two for each square of cost, and one more while a dear diagonal is next (see `_steps`).
        most_weight=None if speed_squares is None else 2 * speed_squares + 1 - odd,
    )
    taken = {*mover.allies, *mover.enemies}
    covered = offsets(mover.footprint)
    diagonals: dict[int, int] = {}
    squares = []
    for place, arrival in arrivals.items():
        cell = numbers.cell(place)
        column, row = cell
        cost = (arrival.weight + odd) // 2
        came_from, count = None, mover.diagonals_used
        if len(arrival.route) > 1:
            before = arrival.route[-2]
            came_from = numbers.cell(before)
            count = diagonals[before] + (came_from[0] != column and came_from[1] != row)
        diagonals[place] = count
        may_end = not taken or not any((column + right, row + down) in taken for right, down in covered)
        left = None if speed_squares is None else speed_squares - cost
        squares.append(ReachedSquare(cell, cost, left, count, may_end, came_from))
    return Reach(tuple(squares))


def range_squares(from_cells: Iterable[Cell], to_cells: Iterable[Cell]) -> int:
    """Return the distance between two figures in squares: nearest to nearest square, diagonals as in movement."""
    to_cells = tuple(to_cells)
    return min(open_ground_cost(ax - bx, ay - by) for ax, ay in from_cells for bx, by in to_cells)


def open_ground_cost(columns: int, rows: int, *, diagonals_used: int = 0) -> int:
    """Return what a move by so many columns and rows costs where nothing is in the way."""
    across, down = abs(columns), abs(rows)
    return max(across, down) + (min(across, down) + diagonals_used % 2) // 2


def _check_start(board: SquareBoard, mover: Mover) -> None:
    if not board.holds(mover.at):
        raise _off_board(board, mover.at)


def _off_board(board: SquareBoard, cell: Cell) -> IllegalActionError:
    return _CATALOGUE.refusal("off_board", to=_named(cell), columns=board.columns, rows=board.rows)


def _count_diagonals(cells: Sequence[Cell]) -> int:
    return sum(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(cells))


def _occupied(mover: Mover, anchor: Cell) -> Cell | None:
    """Return the first square under a base at this anchor where somebody stands."""
    taken = {*mover.allies, *mover.enemies}
    return next((cell for cell in cells_of(anchor, mover.footprint) if cell in taken), None)


def _named(cell: Cell) -> str:
    return f"column {cell[0]}, row {cell[1]}"


class _Ground:
    """The board as one mover finds it: which steps are possible, which difficult. Anchors are top left squares."""

    def __init__(self, board: SquareBoard, mover: Mover) -> None:
        self.board = board
        self.walls = frozenset(board.walls)
        self.enemies = frozenset(mover.enemies)
        self.difficult = frozenset(board.difficult)
        self.fences = frozenset(pair for a, b in board.fences for pair in ((a, b), (b, a)))
        self.footprint = mover.footprint

    def check_step(self, at: Cell, to: Cell) -> None:
        """Refuse an impossible step with its reason."""
        step = (to[0] - at[0], to[1] - at[1])
        if max(abs(step[0]), abs(step[1])) != 1:
            raise _CATALOGUE.refusal("not_next", at=_named(at), to=_named(to))
        for cell in self._new_cells(at, step):
            if not self.board.holds(cell):
                raise _off_board(self.board, cell)
            if cell in self.walls:
                raise _CATALOGUE.refusal("wall", blocked=_named(cell))
            if cell in self.enemies:
                raise _CATALOGUE.refusal("enemy", blocked=_named(cell))
        if not self._passes_fences(at, step):
            raise _CATALOGUE.refusal("fence", at=_named(at), to=_named(to))
        if not self._passes_corners(at, step):
            raise _CATALOGUE.refusal("corner", at=_named(at), to=_named(to))

    def may_step(self, at: Cell, step: Cell) -> bool:
        """Say whether the step is possible."""
        for cell in self._new_cells(at, step):
            if cell in self.walls or cell in self.enemies or not self.board.holds(cell):
                return False
        return self._passes_fences(at, step) and self._passes_corners(at, step)

    def is_difficult(self, at: Cell, step: Cell) -> bool:
        """Say whether the step covers difficult terrain that the base did not stand on before."""
        return not self.difficult.isdisjoint(self._new_cells(at, step))

    def _new_cells(self, at: Cell, step: Cell) -> list[Cell]:
        column, row = at
        return [(column + right, row + down) for right, down in newly_covered(self.footprint, step)]

    def _passes_fences(self, at: Cell, step: Cell) -> bool:
        """Say whether no square of the base crosses a wall between squares, and none then runs under the base.

        Reading: a diagonal step meets such a wall where both ways round its corner are closed by one.
        """
        if not self.fences:
            return True
        right, down = step
        for column, row in cells_of(at, self.footprint):
            here, there = (column, row), (column + right, row + down)
            if right and down:
                ways = ((column + right, row), (column, row + down))
                if all((here, way) in self.fences or (way, there) in self.fences for way in ways):
                    return False
            elif (here, there) in self.fences:
                return False
        after = set(cells_of((at[0] + right, at[1] + down), self.footprint))
        new = set(self._new_cells(at, step))
        return not any(a in new and b in after for a, b in self.fences)

    def _passes_corners(self, at: Cell, step: Cell) -> bool:
        """Say whether no square of the base cuts a wall's corner on a diagonal step."""
        right, down = step
        if not (right and down) or self.board.corners is CornerRule.FREE:
            return True
        most = 0 if self.board.corners is CornerRule.NO_CUT else 1
        return all(
            self._closed((column, row), (column + right, row), (column + right, row + down))
            + self._closed((column, row), (column, row + down), (column + right, row + down))
            <= most
            for column, row in cells_of(at, self.footprint)
        )

    def _closed(self, here: Cell, way: Cell, there: Cell) -> bool:
        """Say whether a wall closes the way round a corner from here to there over one of the flanking squares."""
        return way in self.walls or (here, way) in self.fences or (way, there) in self.fences


class _Numbering:
    """Numbers for squares, in the order of (row, column), with a rim of numbers outside the board on every side."""

    def __init__(self, board: SquareBoard) -> None:
        self.stride = board.columns + 2
        self.count = self.stride * (board.rows + 2)

    def place(self, cell: Cell) -> int:
        return (cell[1] + 1) * self.stride + cell[0] + 1

    def cell(self, place: int) -> Cell:
        row, column = divmod(place, self.stride)
        return (column - 1, row - 1)


def _steps(board: SquareBoard, mover: Mover, numbers: _Numbering, *, backwards: bool) -> Steps:
    """Return the steps to (or, backwards, from) the neighbours of a place, with their weights.

    A straight step weighs 2, a diagonal 3, and difficult terrain 2 more. With p = 1 when the number of diagonals used
    is odd, 2 * cost + p grows by exactly that weight whatever p was: a cheap diagonal adds 2 * 1 and turns p from 0
    to 1, a dear one adds 2 * 2 and turns p from 1 to 0. So the least weight is the least cost, and among equal costs
    the one that leaves the next diagonal cheap: one number says all that a search needs to know.
    """
    if mover.footprint == ONE_SQUARE and not board.fences:
        return _steps_of_one_square(board, mover, numbers, backwards=backwards)
    ground = _Ground(board, mover)
    place_of, cell_of = numbers.place, numbers.cell
    back = -1 if backwards else 1

    def steps(place: int) -> list[tuple[int, int]]:
        column, row = cell_of(place)
        found = []
        for step in (*ORTHOGONAL, *DIAGONAL):
            other = (column + back * step[0], row + back * step[1])
            at = other if backwards else (column, row)
            if board.holds(other) and ground.may_step(at, step):
                weight = 2 + (step[0] != 0 and step[1] != 0) + 2 * ground.is_difficult(at, step)
                found.append((place_of(other), weight))
        return found

    return steps


def _steps_of_one_square(board: SquareBoard, mover: Mover, numbers: _Numbering, *, backwards: bool) -> Steps:
    """Return the same as `_steps` for a base of one square among whole walls, several times faster."""
    stride = numbers.stride
    entry = [0] * numbers.count
    for row in range(board.rows):
        first = numbers.place((0, row))
        entry[first : first + board.columns] = [2] * board.columns
    wall = [False] * numbers.count
    for weight, cells in ((4, board.difficult), (0, board.walls), (0, mover.enemies)):
        for cell in cells:
            if board.holds(cell):
                entry[numbers.place(cell)] = weight
    for cell in board.walls:
        if board.holds(cell):
            wall[numbers.place(cell)] = True
    start = numbers.place(mover.at)
    # A figure seen inside a wall may walk out of it.
    entry[start] = entry[start] or 2
    may_pass_walls = {CornerRule.NO_CUT: 0, CornerRule.BOTH: 1, CornerRule.FREE: 2}[board.corners]

    def steps(place: int) -> list[tuple[int, int]]:
        here = entry[place]
        if backwards and not here:
            return []
        north, south = place - stride, place + stride
        found = []
        for other in (north, place - 1, place + 1, south):
            weight = entry[other]
            if weight:
                found.append((other, here if backwards else weight))
        for row, side in ((north, -1), (north, 1), (south, -1), (south, 1)):
            weight = entry[row + side]
            if weight and wall[row] + wall[place + side] <= may_pass_walls:
                found.append((row + side, (here if backwards else weight) + 1))
        return found

    return steps
