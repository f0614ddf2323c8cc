from __future__ import annotations

import heapq
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.footprints import Cell
from rules.grid import (
    CornerRule,
    Mover,
    Reach,
    ReachedSquare,
    Route,
    SquareBoard,
    cheapest,
    cheapest_through,
    check_end,
    open_ground_cost,
    range_squares,
    reach,
    walk,
)
from rules.json_form import from_json, to_json
from rules.ruling import IllegalActionError

OPEN = SquareBoard(12, 12)
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def drawn(*rows: str, **more: Any) -> SquareBoard:
    """A board from a picture: '#' wall, 'd' difficult, anything else open."""
    marks = {mark: [] for mark in "#d"}  # type: dict[str, list[Cell]]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            marks.get(mark, []).append((x, y))
    return SquareBoard(len(rows[0]), len(rows), tuple(marks["#"]), tuple(marks["d"]), **more)


def costs(board: SquareBoard, mover: Mover, *path: Cell) -> list[int]:
    return [step.cost_squares for step in walk(board, mover, path).steps]


def refused(board: SquareBoard, mover: Mover, *path: Cell) -> str:
    with pytest.raises(IllegalActionError) as caught:
        walk(board, mover, path)
    assert caught.value.text.endswith((".", "!"))
    return caught.value.code


# An oracle that shares nothing with the code under test: labels (square, parity), rules written out on sets of squares.


def oracle_costs(board: SquareBoard, mover: Mover) -> dict[tuple[Cell, int], int]:
    walls, enemies, difficult = set(board.walls), set(mover.enemies), set(board.difficult)
    fences = {frozenset(fence) for fence in board.fences}
    width, height = mover.footprint

    def covered(at: Cell) -> set[Cell]:
        return {(at[0] + x, at[1] + y) for x in range(width) for y in range(height)}

    def way_closed(one: Cell, by: Cell, other: Cell, *, only_fences: bool) -> bool:
        fenced = frozenset((one, by)) in fences or frozenset((by, other)) in fences
        return fenced or (by in walls and not only_fences)

    def legal(at: Cell, dx: int, dy: int) -> bool:
        before, after = covered(at), covered((at[0] + dx, at[1] + dy))
        for cell in after - before:
            if not (0 <= cell[0] < board.columns and 0 <= cell[1] < board.rows) or cell in walls or cell in enemies:
                return False
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                beside = (cell[0] + x, cell[1] + y)
                if beside in after and frozenset((cell, beside)) in fences:
                    return False
        for x, y in before:
            there = (x + dx, y + dy)
            if dx and dy:
                ways = [(x + dx, y), (x, y + dy)]
                closed = [way_closed((x, y), by, there, only_fences=False) for by in ways]
                fenced = [way_closed((x, y), by, there, only_fences=True) for by in ways]
                if all(fenced):
                    return False
                if board.corners is CornerRule.NO_CUT and any(closed):
                    return False
                if board.corners is CornerRule.BOTH and all(closed):
                    return False
            elif frozenset(((x, y), there)) in fences:
                return False
        return True

    best: dict[tuple[Cell, int], int] = {}
    queue = [(0, mover.at, mover.diagonals_used % 2)]
    while queue:
        cost, at, parity = heapq.heappop(queue)
        if (at, parity) in best:
            continue
        best[at, parity] = cost
        for dx, dy in STEPS:
            if legal(at, dx, dy):
                after = (at[0] + dx, at[1] + dy)
                step = 1 + bool((covered(after) - covered(at)) & difficult)
                if dx and dy:
                    heapq.heappush(queue, (cost + step + parity, after, 1 - parity))
                else:
                    heapq.heappush(queue, (cost + step, after, parity))
    return best


@st.composite
def boards(draw: st.DrawFn, *, fences: bool = False, most: int = 7) -> tuple[SquareBoard, Mover]:
    columns, rows = draw(st.integers(2, most)), draw(st.integers(2, most))
    marks = draw(st.lists(st.sampled_from("...##dde a"), min_size=columns * rows, max_size=columns * rows))
    at = draw(st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1)))
    footprint = draw(st.sampled_from([(1, 1), (1, 1), (2, 2), (1, 2)])) if fences else (1, 1)
    placed: dict[str, list[Cell]] = {mark: [] for mark in "#dea"}
    own = {(at[0] + x, at[1] + y) for x in range(footprint[0]) for y in range(footprint[1])}
    for number, mark in enumerate(marks):
        cell = (number % columns, number // columns)
        if mark in placed and (mark == "d" or cell not in own):
            placed[mark].append(cell)
    walls_between = ()
    if fences:
        pairs = [((x, y), (x + 1, y)) for x in range(columns - 1) for y in range(rows)]
        pairs += [((x, y), (x, y + 1)) for x in range(columns) for y in range(rows - 1)]
        pairs = [pair for pair in pairs if not set(pair) <= own]
        if pairs:
            walls_between = tuple(draw(st.lists(st.sampled_from(pairs), max_size=len(pairs) // 2, unique=True)))
    board = SquareBoard(
        columns,
        rows,
        tuple(placed["#"]),
        tuple(placed["d"]),
        walls_between,
        draw(st.sampled_from(CornerRule)),
    )
    mover = Mover(at, footprint, tuple(placed["a"]), tuple(placed["e"]), draw(st.integers(0, 3)))
    return board, mover


# Steps


@pytest.mark.parametrize("direction", [step for step in STEPS if step[0] and step[1]])
def test_every_second_diagonal_costs_one_more_in_every_direction(direction: Cell) -> None:
    """World Saga, Movement: "For every second square of movement diagonally taken ... one extra square"."""
    path = [(6 + n * direction[0], 6 + n * direction[1]) for n in range(1, 5)]
    assert costs(OPEN, Mover((6, 6)), *path) == [1, 2, 1, 2]


def test_straight_steps_do_not_touch_the_count() -> None:
    assert costs(OPEN, Mover((0, 0)), (1, 1), (2, 1), (3, 1), (4, 2), (4, 3), (5, 4)) == [1, 1, 1, 2, 1, 1]


@pytest.mark.parametrize(("used", "first"), [(0, 1), (1, 2), (2, 1), (3, 2)])
def test_the_count_runs_on_from_the_diagonals_of_the_turn(used: int, first: int) -> None:
    """Through a waypoint, through an Action in a Stride, into a second Move action."""
    result = walk(OPEN, Mover((0, 0), diagonals_used=used), [(1, 1)])
    assert result.cost_squares == first
    assert result.diagonals_used == used + 1


def test_a_walk_may_stop_and_go_on_anywhere() -> None:
    """Fire in the middle of a Stride and walk back behind the tree: the rule text's own example."""
    out = walk(OPEN, Mover((2, 2)), [(3, 3), (4, 4), (5, 5)])
    back = walk(OPEN, Mover(out.end, diagonals_used=out.diagonals_used), [(4, 4), (3, 3)])
    whole = walk(OPEN, Mover((2, 2)), [(3, 3), (4, 4), (5, 5), (4, 4), (3, 3)])
    assert [s.cost_squares for s in out.steps + back.steps] == [1, 2, 1, 2, 1]
    assert out.cost_squares + back.cost_squares == whole.cost_squares == 7
    assert back.diagonals_used == whole.diagonals_used == 5


def test_an_empty_walk_costs_nothing() -> None:
    result = walk(OPEN, Mover((2, 2), diagonals_used=1), [])
    assert (result.cost_squares, result.end, result.diagonals_used) == (0, (2, 2), 1)


def test_difficult_terrain_costs_one_more_to_enter_and_nothing_to_leave() -> None:
    assert costs(drawn(".d."), Mover((0, 0)), (1, 0), (2, 0)) == [2, 1]


def test_surcharges_add_and_do_not_multiply() -> None:
    """Two diagonals through difficult squares: 2, then 3, never 4."""
    board = drawn("...", ".d.", "..d")
    assert costs(board, Mover((0, 0)), (1, 1), (2, 2)) == [2, 3]


def test_each_square_of_cost_has_its_reason_and_rule() -> None:
    board = drawn("...", ".d.", "..d")
    dear = walk(board, Mover((0, 0)), [(1, 1), (2, 2)]).steps[1]
    assert [(reason.code, reason.amount) for reason in dear.reasons] == [
        ("step", 1),
        ("second_diagonal", 1),
        ("difficult", 1),
    ]
    assert dear.reasons[0].source == dear.reasons[1].source == "World Saga, Combat Mode, Movement"
    assert "Difficult Terrain" in dear.reasons[2].source


@pytest.mark.parametrize("to", [(2, 2), (4, 2), (2, 0), (0, 0), (2, 4)])
def test_a_step_goes_to_a_neighbour(to: Cell) -> None:
    start = (2, 2)
    if to == (2, 2):
        assert refused(OPEN, Mover(start), to) == "not_next"
    else:
        assert refused(OPEN, Mover(start), to) == "not_next"


@pytest.mark.parametrize(("at", "to"), [((0, 0), (-1, 0)), ((0, 0), (0, -1)), ((11, 0), (12, 0)), ((0, 11), (0, 12))])
def test_nobody_leaves_the_board(at: Cell, to: Cell) -> None:
    assert refused(OPEN, Mover(at), to) == "off_board"
    assert OPEN.holds(at)
    assert not OPEN.holds(to)


def test_walls_and_enemies_stop_a_walk_and_allies_do_not() -> None:
    board = drawn(".#.")
    assert refused(board, Mover((0, 0)), (1, 0)) == "wall"
    assert refused(SquareBoard(3, 1), Mover((0, 0), enemies=((1, 0),)), (1, 0)) == "enemy"
    assert costs(SquareBoard(3, 1), Mover((0, 0), allies=((1, 0),)), (1, 0), (2, 0)) == [1, 1]


def test_the_refusal_names_the_square() -> None:
    with pytest.raises(IllegalActionError, match="A wall stands at column 1, row 0: go round it"):
        walk(drawn(".#."), Mover((0, 0)), [(1, 0)])


def test_a_move_ends_on_a_free_square() -> None:
    mover = Mover((0, 0), (2, 2), allies=((3, 1),), enemies=((6, 0),))
    for cell in ((2, 0), (3, 1), (2, 1), (5, 0), (6, 0)):
        with pytest.raises(IllegalActionError) as caught:
            check_end(mover, cell)
        assert caught.value.code == "occupied"
    check_end(mover, (0, 0))
    check_end(mover, (4, 0))


# Corners


@pytest.mark.parametrize(
    ("rows", "rule", "passes"),
    [
        (("S#", ".G"), CornerRule.NO_CUT, False),
        (("S.", "#G"), CornerRule.NO_CUT, False),
        (("S#", "#G"), CornerRule.NO_CUT, False),
        (("S.", ".G"), CornerRule.NO_CUT, True),
        (("S#", ".G"), CornerRule.BOTH, True),
        (("S.", "#G"), CornerRule.BOTH, True),
        (("S#", "#G"), CornerRule.BOTH, False),
        (("S#", ".G"), CornerRule.FREE, True),
        (("S#", "#G"), CornerRule.FREE, True),
        (("Sd", "dG"), CornerRule.NO_CUT, True),
    ],
)
def test_each_corner_rule_passes_what_it_says(rows: tuple[str, ...], rule: CornerRule, passes: bool) -> None:
    board = drawn(*rows, corners=rule)
    if passes:
        assert costs(board, Mover((0, 0)), (1, 1)) == [1]
        assert cheapest(board, Mover((0, 0)), (1, 1)) == Route(((0, 0), (1, 1)), 1, 1, True)
    else:
        assert refused(board, Mover((0, 0)), (1, 1)) == "corner"
        route = cheapest(board, Mover((0, 0)), (1, 1))
        assert route is None or len(route.cells) == 3


def test_figures_never_block_a_corner() -> None:
    mover = Mover((0, 0), enemies=((1, 0), (0, 1)))
    assert costs(SquareBoard(2, 2), mover, (1, 1)) == [1]
    route = cheapest(SquareBoard(2, 2), mover, (1, 1))
    assert route is not None
    assert route.cost_squares == 1


# Walls between squares

A, B, C, D = (0, 0), (1, 0), (0, 1), (1, 1)


def test_a_wall_between_two_squares_is_walked_round() -> None:
    board = SquareBoard(2, 2, fences=((A, B),))
    assert refused(board, Mover(A), B) == "fence"
    assert refused(board, Mover(B), A) == "fence"
    route = cheapest(board, Mover(A), B)
    assert route is not None
    assert route.cells == (A, C, D, B)


@pytest.mark.parametrize("fence", [(A, B), (A, C), (B, D), (C, D), (D, C)])
def test_a_diagonal_does_not_cut_the_end_of_a_wall(fence: tuple[Cell, Cell]) -> None:
    board = SquareBoard(2, 2, fences=(fence,))
    assert refused(board, Mover(A), D) == "corner"
    assert costs(replace(board, corners=CornerRule.BOTH), Mover(A), D) == [1]
    assert costs(replace(board, corners=CornerRule.FREE), Mover(A), D) == [1]


@pytest.mark.parametrize("fences", [((A, B), (C, D)), ((A, B), (A, C)), ((B, D), (C, D)), ((A, C), (B, D))])
def test_no_corner_rule_lets_a_diagonal_through_a_wall(fences: tuple[tuple[Cell, Cell], ...]) -> None:
    for rule in CornerRule:
        assert refused(SquareBoard(2, 2, fences=fences, corners=rule), Mover(A), D) in ("fence", "corner")


def test_a_wall_square_and_a_fence_close_both_ways() -> None:
    board = SquareBoard(2, 2, walls=(B,), fences=((A, C),), corners=CornerRule.BOTH)
    assert refused(board, Mover(A), D) == "corner"
    assert costs(replace(board, corners=CornerRule.FREE), Mover(A), D) == [1]


def test_a_large_base_never_stands_across_a_wall() -> None:
    board = SquareBoard(4, 2, fences=(((2, 0), (3, 0)),))
    assert refused(board, Mover((1, 0), (2, 2)), (2, 0)) == "fence"
    under = SquareBoard(4, 2, fences=(((3, 0), (3, 1)),))
    assert refused(under, Mover((1, 0), (2, 2)), (2, 0)) == "fence"
    below = SquareBoard(2, 4, fences=(((0, 3), (1, 3)),))
    assert refused(below, Mover((0, 1), (2, 2)), (0, 2)) == "fence"
    assert costs(below, Mover((0, 0), (2, 2)), (0, 1)) == [1]
    aside = SquareBoard(4, 3, fences=(((3, 1), (3, 2)),))
    assert costs(aside, Mover((1, 0), (2, 2)), (2, 0)) == [1]


@pytest.mark.parametrize("fence", [((0, 0), (2, 0)), ((0, 0), (1, 1)), ((0, 0), (0, 0))])
def test_a_wall_stands_between_neighbours(fence: tuple[Cell, Cell]) -> None:
    with pytest.raises(ValueError, match="two squares that share a side"):
        SquareBoard(3, 3, fences=(fence,))


# Large bases


def test_a_large_base_pays_for_newly_covered_squares_only() -> None:
    board = drawn("dd..", "dd..")
    assert costs(board, Mover((0, 0), (2, 2)), (1, 0)) == [1]
    assert costs(drawn("..d.", "...."), Mover((0, 0), (2, 2)), (1, 0), (2, 0)) == [2, 1]
    assert costs(drawn("..d.", "..d."), Mover((0, 0), (2, 2)), (1, 0)) == [2]


def test_every_newly_covered_square_must_be_free() -> None:
    assert refused(drawn("...", "..#"), Mover((0, 0), (2, 2)), (1, 0)) == "wall"
    assert refused(SquareBoard(3, 2), Mover((0, 0), (2, 2), enemies=((2, 1),)), (1, 0)) == "enemy"
    assert refused(SquareBoard(3, 2), Mover((0, 0), (2, 2)), (0, 1)) == "off_board"


def test_the_corner_rule_holds_for_every_covered_square() -> None:
    """The wall at the lower left is no neighbour of the anchor, but the lower square of the base cuts it."""
    board = drawn("....", "....", "#...", "....")
    assert refused(board, Mover((0, 0), (2, 2)), (1, 1)) == "corner"
    assert costs(replace(board, corners=CornerRule.BOTH), Mover((0, 0), (2, 2)), (1, 1)) == [1]


def test_a_figure_seen_inside_a_wall_may_walk_out() -> None:
    board = drawn("#..")
    assert costs(board, Mover((0, 0)), (1, 0)) == [1]
    route = cheapest(board, Mover((0, 0)), (2, 0))
    assert route is not None
    assert route.cost_squares == 2
    assert len(reach(board, Mover((0, 0))).squares) == 3


# Routes


@pytest.mark.parametrize("goal", [(12, 0), (0, 12), (-1, 0)])
def test_there_is_no_route_off_the_board(goal: Cell) -> None:
    assert cheapest(OPEN, Mover((0, 0)), goal) is None


def test_no_route_into_a_wall_or_onto_an_enemy() -> None:
    assert cheapest(drawn("..#"), Mover((0, 0)), (2, 0)) is None
    assert cheapest(SquareBoard(3, 1), Mover((0, 0), enemies=((2, 0),)), (2, 0)) is None


def test_a_route_to_an_ally_says_that_it_may_not_end_there() -> None:
    route = cheapest(SquareBoard(3, 1), Mover((0, 0), allies=((2, 0),)), (2, 0))
    assert route == Route(((0, 0), (1, 0), (2, 0)), 2, 0, False)


def test_the_route_to_where_one_stands() -> None:
    assert cheapest(OPEN, Mover((3, 3), diagonals_used=5), (3, 3)) == Route(((3, 3),), 0, 5, True)


@pytest.mark.parametrize("at", [(-1, 0), (0, -1), (12, 0), (0, 12), (99, 99)])
def test_who_stands_outside_the_board_is_told_so(at: Cell) -> None:
    for search in (lambda: reach(OPEN, Mover(at)), lambda: cheapest(OPEN, Mover(at), (3, 3))):
        with pytest.raises(IllegalActionError, match="lies outside the board of 12 by 12 squares"):
            search()


def test_nothing_outside_the_board_is_in_reach() -> None:
    board = SquareBoard(2, 1, difficult=((2, 0), (0, 1), (-1, 0), (0, -1)), walls=((2, 0),))
    mover = Mover((0, 0), enemies=((0, 1),))
    assert [square.cell for square in reach(board, mover).squares] == [(0, 0), (1, 0)]


def test_squares_outside_the_board_are_ignored_in_its_lists() -> None:
    board = SquareBoard(3, 1, walls=((5, 0), (-1, 0)), difficult=((0, 7), (3, 0)))
    route = cheapest(board, Mover((0, 0), enemies=((9, 9),)), (2, 0))
    assert route is not None
    assert route.cost_squares == 2


def every_route(board: SquareBoard, mover: Mover, goal: Cell, most: int) -> list[tuple[int, int, int, list[Cell]]]:
    """All walks to the goal that cost no more than `most`, as (cost, parity, steps, (row, column)...)."""
    found = []
    stack: list[tuple[Cell, ...]] = [()]
    while stack:
        path = stack.pop()
        try:
            result = walk(board, mover, path)
        except IllegalActionError:
            continue
        if result.cost_squares > most:
            continue
        if result.end == goal:
            order = [(y, x) for x, y in path]
            found.append((result.cost_squares, result.diagonals_used % 2, len(path), order))
        at = result.end
        stack += [(*path, (at[0] + x, at[1] + y)) for x, y in STEPS if (at[0] + x, at[1] + y) not in path]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_of_equal_routes_the_ruled_one_is_reported(seed: int) -> None:
    """Parity 0 first, then fewer steps, then the smaller squares by row and column; against a list of all walks."""
    randomness = random.Random(seed)
    rows = ["".join(randomness.choice("....#d") for _ in range(4)) for _ in range(4)]
    board = drawn(*rows, corners=randomness.choice(list(CornerRule)))
    mover = Mover((0, 0), diagonals_used=randomness.randint(0, 1))
    for goal in ((3, 3), (3, 0), (2, 3)):
        route = cheapest(board, mover, goal)
        if route is None:
            assert oracle_costs(board, mover).keys().isdisjoint({(goal, 0), (goal, 1)})
            continue
        cost, parity, steps, order = min(every_route(board, mover, goal, route.cost_squares))
        assert route.cost_squares == cost
        assert route.diagonals_used % 2 == parity
        assert len(route.cells) - 1 == steps
        assert [(y, x) for x, y in route.cells[1:]] == order


@given(boards(fences=True))
def test_costs_agree_with_a_search_over_square_and_parity(scene: tuple[SquareBoard, Mover]) -> None:
    """Two labels a square against the one number used here; every cost, parity and reachable square."""
    board, mover = scene
    truth = oracle_costs(board, mover)
    reached = {square.cell: square for square in reach(board, mover).squares}
    assert reached.keys() == {cell for cell, _ in truth}
    for cell, square in reached.items():
        cost, parity = min((truth[key], key[1]) for key in ((cell, 0), (cell, 1)) if key in truth)
        assert (square.cost_squares, square.diagonals_used % 2) == (cost, parity)


@given(boards(fences=True, most=5))
def test_a_route_is_a_legal_walk_of_that_cost_and_the_same_as_by_reach(scene: tuple[SquareBoard, Mover]) -> None:
    board, mover = scene
    reached = reach(board, mover)
    for square in reached.squares:
        route = cheapest(board, mover, square.cell)
        assert route is not None
        assert route.cells[0] == mover.at
        assert route.cells == reached.route_to(square.cell)
        assert (route.cost_squares, route.diagonals_used) == (square.cost_squares, square.diagonals_used)
        assert route.may_end is square.may_end
        judged = walk(board, mover, route.cells[1:])
        assert (judged.cost_squares, judged.diagonals_used) == (route.cost_squares, route.diagonals_used)
    unreached = {(x, y) for x in range(board.columns) for y in range(board.rows)} - {s.cell for s in reached.squares}
    for cell in unreached:
        assert cheapest(board, mover, cell) is None


@given(
    st.tuples(st.integers(0, 11), st.integers(0, 11)),
    st.tuples(st.integers(0, 11), st.integers(0, 11)),
    st.integers(0, 5),
)
def test_open_ground_has_a_closed_form(start: Cell, goal: Cell, used: int) -> None:
    route = cheapest(OPEN, Mover(start, diagonals_used=used), goal)
    dx, dy = abs(start[0] - goal[0]), abs(start[1] - goal[1])
    assert route is not None
    assert route.cost_squares == max(dx, dy) + (min(dx, dy) + used % 2) // 2
    assert route.cost_squares == open_ground_cost(start[0] - goal[0], goal[1] - start[1], diagonals_used=used)
    assert route.cost_squares >= max(dx, dy)


def mirrored(board: SquareBoard, mover: Mover) -> tuple[SquareBoard, Mover]:
    """The same scene with columns and rows changed about: mirrored in the diagonal."""

    def turned(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple((y, x) for x, y in cells)

    return (
        SquareBoard(
            board.rows,
            board.columns,
            turned(board.walls),
            turned(board.difficult),
            tuple((a[::-1], b[::-1]) for a, b in board.fences),
            board.corners,
        ),
        replace(
            mover,
            at=mover.at[::-1],
            footprint=mover.footprint[::-1],
            allies=turned(mover.allies),
            enemies=turned(mover.enemies),
        ),
    )


@given(boards(fences=True))
def test_a_mirrored_board_costs_the_same(scene: tuple[SquareBoard, Mover]) -> None:
    here = {square.cell: square.cost_squares for square in reach(*scene).squares}
    there = {square.cell[::-1]: square.cost_squares for square in reach(*mirrored(*scene)).squares}
    assert here == there


@given(boards(), st.data())
def test_the_way_back_costs_the_same_where_nothing_is_difficult(
    scene: tuple[SquareBoard, Mover], data: st.DataObject
) -> None:
    board, mover = replace(scene[0], difficult=()), replace(scene[1], diagonals_used=0)
    square = data.draw(st.sampled_from(reach(board, mover).squares))
    back = cheapest(board, replace(mover, at=square.cell), mover.at)
    assert back is not None
    assert back.cost_squares == square.cost_squares


@given(boards(), st.data())
def test_a_wall_more_never_makes_a_route_cheaper(scene: tuple[SquareBoard, Mover], data: st.DataObject) -> None:
    board, mover = scene
    wall = data.draw(st.tuples(st.integers(0, board.columns - 1), st.integers(0, board.rows - 1)))
    before = {square.cell: square.cost_squares for square in reach(board, mover).squares}
    walled = replace(board, walls=(*board.walls, wall))
    for square in reach(walled, mover).squares:
        assert square.cost_squares >= before[square.cell]


@given(boards(), st.data())
def test_splitting_a_route_at_any_waypoint_keeps_its_cost(
    scene: tuple[SquareBoard, Mover], data: st.DataObject
) -> None:
    board, mover = scene
    square = data.draw(st.sampled_from(reach(board, mover).squares))
    route = cheapest(board, mover, square.cell)
    assert route is not None
    via = data.draw(st.sampled_from(route.cells))
    through = cheapest_through(board, mover, [via, square.cell])
    assert through is not None
    assert through.cost_squares == route.cost_squares
    assert through.diagonals_used % 2 == route.diagonals_used % 2
    assert through.cells[0] == mover.at
    assert through.may_end is route.may_end


def test_a_route_through_waypoints_visits_them_and_counts_on() -> None:
    """Two diagonals each way: the third is cheap because two came before the waypoint."""
    route = cheapest_through(OPEN, Mover((0, 0)), [(3, 3), (0, 6)])
    assert route is not None
    assert route.cost_squares == 4 + 5
    assert route.diagonals_used == 6
    assert (3, 3) in route.cells
    assert len(route.cells) == len(set(route.cells)) == 7


def test_no_route_through_a_waypoint_that_cannot_be_reached() -> None:
    assert cheapest_through(drawn("..#."), Mover((0, 0)), [(1, 0), (3, 0)]) is None
    assert cheapest_through(OPEN, Mover((4, 4), diagonals_used=1), []) == Route(((4, 4),), 0, 1, True)


# Reach


def test_what_is_in_reach_is_listed_with_cost_and_rest() -> None:
    reached = reach(drawn("..d"), Mover((0, 0), allies=((1, 0),)), speed_squares=3)
    assert reached.squares == (
        ReachedSquare((0, 0), 0, 3, 0, True, None),
        ReachedSquare((1, 0), 1, 2, 0, False, (0, 0)),
        ReachedSquare((2, 0), 3, 0, 0, True, (1, 0)),
    )
    assert reached.route_to((2, 0)) == ((0, 0), (1, 0), (2, 0))
    assert reached.route_to((7, 0)) is None
    assert reach(drawn("..d"), Mover((0, 0)), speed_squares=2).route_to((2, 0)) is None


@pytest.mark.parametrize(
    ("speed", "used", "count"),
    # By the closed form: squares with max + (min + p) // 2 <= speed, the start among them.
    [(0, 0, 1), (0, 1, 1), (1, 0, 9), (1, 1, 5), (2, 0, 21), (2, 1, 13), (3, 0, 37), (3, 1, 29), (4, 0, 61)],
)
def test_so_many_squares_of_open_ground_are_in_reach(speed: int, used: int, count: int) -> None:
    board = SquareBoard(21, 21)
    expected = {
        (x, y) for x in range(21) for y in range(21) if open_ground_cost(x - 10, y - 10, diagonals_used=used) <= speed
    }
    found = {square.cell for square in reach(board, Mover((10, 10), diagonals_used=used), speed_squares=speed).squares}
    assert found == expected
    assert len(found) == count


@given(boards(fences=True), st.integers(0, 8))
def test_more_speed_reaches_more(scene: tuple[SquareBoard, Mover], speed: int) -> None:
    board, mover = scene
    less = {square.cell for square in reach(board, mover, speed_squares=speed).squares}
    more = {square.cell: square for square in reach(board, mover, speed_squares=speed + 1).squares}
    everything = {square.cell: square.cost_squares for square in reach(board, mover).squares}
    assert less <= more.keys()
    assert less == {cell for cell, cost in everything.items() if cost <= speed}
    assert all(square.left_squares == speed + 1 - square.cost_squares for square in more.values())


@given(boards(), st.integers(0, 4), st.integers(0, 4))
def test_what_is_left_after_a_stop_reaches_what_was_in_reach(
    scene: tuple[SquareBoard, Mover], first: int, more: int
) -> None:
    """The rest of a Stride after an Action, with the count carried on, is neither more nor less."""
    board, mover = scene
    whole = {square.cell for square in reach(board, mover, speed_squares=first + more).squares}
    for stop in reach(board, mover, speed_squares=first).squares:
        rest = replace(mover, at=stop.cell, diagonals_used=stop.diagonals_used)
        assert {s.cell for s in reach(board, rest, speed_squares=first + more - stop.cost_squares).squares} <= whole


def test_large_bases_may_not_end_on_anybody() -> None:
    reached = reach(SquareBoard(4, 2), Mover((0, 0), (2, 2), allies=((3, 1),)))
    assert [(square.cell, square.may_end) for square in reached.squares] == [
        ((0, 0), True),
        ((1, 0), True),
        ((2, 0), False),
    ]


# Ranges


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([(0, 0)], [(0, 0)], 0),
        ([(0, 0)], [(4, 0)], 4),
        ([(0, 0)], [(2, 2)], 3),
        ([(0, 0)], [(3, 3)], 4),
        ([(0, 0), (1, 0), (0, 1), (1, 1)], [(4, 4)], 4),
        ([(4, 4)], [(0, 0), (1, 0), (0, 1), (1, 1)], 4),
    ],
)
def test_ranges_run_from_nearest_to_nearest_square(a: list[Cell], b: list[Cell], expected: int) -> None:
    assert range_squares(iter(a), iter(b)) == expected


# Values


@pytest.mark.parametrize(("columns", "rows"), [(0, 1), (1, 0), (-1, 4)])
def test_a_board_has_squares(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="at least one square each way"):
        SquareBoard(columns, rows)


def test_a_board_of_one_square_is_a_board() -> None:
    assert [square.cell for square in reach(SquareBoard(1, 1), Mover((0, 0))).squares] == [(0, 0)]


def test_boards_movers_and_results_have_a_json_form() -> None:
    board = SquareBoard(3, 2, ((1, 0),), ((2, 0),), (((0, 0), (0, 1)),), CornerRule.BOTH)
    mover = Mover((0, 0), (1, 1), ((2, 1),), (), 1)
    reached = reach(board, mover)
    for value in (board, mover, reached):
        assert from_json(to_json(value), type(value)) == value
    assert isinstance(reached, Reach)
