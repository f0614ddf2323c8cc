"""Movement on squares: cheapest routes, what is within reach, ranges."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.footprints import Cell
from rules.grid import (
    CornerRule,
    Mover,
    ReachedSquare,
    Route,
    SquareBoard,
    cheapest,
    cheapest_through,
    open_ground_cost,
    range_squares,
    reach,
    walk,
)
from rules.ruling import IllegalActionError
from tests.rules.grid_boards import OPEN, STEPS, boards, drawn, oracle_costs

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


@given(boards(fences=True))
def test_a_board_turned_left_to_right_costs_the_same(scene: tuple[SquareBoard, Mover]) -> None:
    """With the mirror above these are all turns of the board."""
    board, mover = scene
    width = mover.footprint[0]
    assume(mover.at[0] + width <= board.columns)  # the other way round a base over the edge stands outside

    def turned(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple((board.columns - 1 - x, y) for x, y in cells)

    other_board = replace(
        board,
        walls=turned(board.walls),
        difficult=turned(board.difficult),
        fences=tuple((a, b) for a, b in map(turned, board.fences)),
    )
    other_mover = replace(
        mover,
        at=(board.columns - width - mover.at[0], mover.at[1]),
        allies=turned(mover.allies),
        enemies=turned(mover.enemies),
    )
    here = {square.cell: square.cost_squares for square in reach(board, mover).squares}
    there = {
        (board.columns - width - square.cell[0], square.cell[1]): square.cost_squares
        for square in reach(other_board, other_mover).squares
    }
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
