from __future__ import annotations

import heapq
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.footprints import Cell
from rules.grid import Route
from rules.hexes import DIRECTIONS, HexBoard, HexMover, cheapest, distance, neighbours, reach, walk
from rules.json_form import from_json, to_json
from rules.ruling import IllegalActionError

BOARD = HexBoard(9, 9)


def refused(board: HexBoard, mover: HexMover, *path: Cell) -> str:
    with pytest.raises(IllegalActionError) as caught:
        walk(board, mover, path)
    return caught.value.code


@st.composite
def scenes(draw: st.DrawFn) -> tuple[HexBoard, HexMover]:
    columns, rows = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = [(q - r // 2, r) for r in range(rows) for q in range(columns)]
    at = draw(st.sampled_from(cells))
    marks = draw(st.lists(st.sampled_from("...##dea"), min_size=len(cells), max_size=len(cells)))
    placed: dict[str, list[Cell]] = {mark: [] for mark in ".#dea"}
    for cell, mark in zip(cells, marks, strict=True):
        if cell != at:
            placed[mark].append(cell)
    pairs = [(a, b) for a in cells for b in neighbours(a) if b in cells]
    fences = draw(st.lists(st.sampled_from(pairs), max_size=4)) if pairs else []
    board = HexBoard(columns, rows, tuple(placed["#"]), tuple(placed["d"]), tuple(fences))
    return board, HexMover(at, tuple(placed["a"]), tuple(placed["e"]))


def oracle(board: HexBoard, mover: HexMover) -> dict[Cell, int]:
    fences = {frozenset(fence) for fence in board.fences}
    best: dict[Cell, int] = {}
    queue = [(0, mover.at)]
    while queue:
        cost, (q, r) = heapq.heappop(queue)
        if (q, r) in best:
            continue
        best[q, r] = cost
        for dq, dr in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)):
            to = (q + dq, r + dr)
            on_board = 0 <= to[1] < board.rows and 0 <= to[0] + to[1] // 2 < board.columns
            if on_board and to not in board.walls + mover.enemies and frozenset(((q, r), to)) not in fences:
                heapq.heappush(queue, (cost + 1 + (to in board.difficult), to))
    return best


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [((0, 0), (0, 0), 0), ((0, 0), (3, -1), 3), ((0, 0), (2, 1), 3), ((0, 0), (-2, 3), 3), ((1, 1), (1, 4), 3)],
)
def test_distance_counts_steps(a: Cell, b: Cell, expected: int) -> None:
    assert distance(a, b) == distance(b, a) == expected


def test_the_six_neighbours_are_one_step_away() -> None:
    around = neighbours((2, 3))
    assert len(set(around)) == 6
    assert {distance((2, 3), cell) for cell in around} == {1}
    assert set(around) == {(2 + q, 3 + r) for q, r in DIRECTIONS}


def test_no_direction_has_a_diagonal_surcharge() -> None:
    """World Saga, Movement: on hexes "this diagonal rule does not apply"."""
    for dq, dr in DIRECTIONS:
        path = [(4 + n * dq, 4 + n * dr) for n in range(1, 4) if BOARD.holds((4 + n * dq, 4 + n * dr))]
        result = walk(BOARD, HexMover((4, 4)), path)
        assert [step.cost_squares for step in result.steps] == [1] * len(path)
        assert result.diagonals_used == 0


def test_difficult_hexes_cost_one_more_to_enter_with_a_reason() -> None:
    board = replace(BOARD, difficult=((1, 0),))
    steps = walk(board, HexMover((0, 0)), [(1, 0), (2, 0)]).steps
    assert [[reason.code for reason in step.reasons] for step in steps] == [
        ["hex_step", "hex_difficult"],
        ["hex_step"],
    ]
    assert [step.cost_squares for step in steps] == [2, 1]


def test_what_is_in_the_way_is_refused_by_name() -> None:
    board = replace(BOARD, walls=((1, 0),), fences=(((0, 0), (0, 1)),))
    assert refused(board, HexMover((0, 0)), (2, 0)) == "hex_not_next"
    assert refused(board, HexMover((0, 0)), (0, 0)) == "hex_not_next"
    assert refused(board, HexMover((0, 0)), (-1, 0)) == "hex_off_board"
    assert refused(board, HexMover((0, 0)), (1, 0)) == "hex_wall"
    assert refused(board, HexMover((0, 0)), (0, 1)) == "hex_fence"
    assert refused(board, HexMover((0, 1)), (0, 0)) == "hex_fence"
    assert refused(BOARD, HexMover((0, 0), enemies=((1, 0),)), (1, 0)) == "hex_enemy"
    with pytest.raises(IllegalActionError, match="A wall stands at hex 1, 0"):
        walk(board, HexMover((0, 0)), [(1, 0)])


def test_every_second_row_is_shifted_by_half_a_hex() -> None:
    board = HexBoard(3, 3)
    held = {(q, r) for q in range(-4, 5) for r in range(-4, 5) if board.holds((q, r))}
    assert held == {(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (-1, 2), (0, 2), (1, 2)}


@given(scenes())
def test_costs_agree_with_a_plain_search(scene: tuple[HexBoard, HexMover]) -> None:
    board, mover = scene
    truth = oracle(board, mover)
    reached = reach(board, mover)
    assert {square.cell: square.cost_squares for square in reached.squares} == truth
    for square in reached.squares:
        route = cheapest(board, mover, square.cell)
        may_end = square.cell not in mover.allies
        assert route == Route(reached.route_to(square.cell) or (), truth[square.cell], 0, may_end)
        assert square.may_end is may_end
        assert square.left_squares is None
        assert walk(board, mover, route.cells[1:]).cost_squares == route.cost_squares
    for r in range(board.rows):
        for q in range(-3, 6):
            if (q, r) not in truth:
                assert cheapest(board, mover, (q, r)) is None


@given(scenes(), st.integers(0, 6))
def test_speed_limits_the_reach(scene: tuple[HexBoard, HexMover], speed: int) -> None:
    board, mover = scene
    truth = oracle(board, mover)
    found = {square.cell: square.left_squares for square in reach(board, mover, speed_squares=speed).squares}
    assert found == {cell: speed - cost for cell, cost in truth.items() if cost <= speed}


@pytest.mark.parametrize(("columns", "rows"), [(0, 2), (2, 0)])
def test_a_board_has_hexes(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="at least one hex each way"):
        HexBoard(columns, rows)


@pytest.mark.parametrize("fence", [((0, 0), (0, 0)), ((0, 0), (1, 1)), ((0, 0), (2, 0))])
def test_a_wall_stands_between_neighbours(fence: tuple[Cell, Cell]) -> None:
    with pytest.raises(ValueError, match="two hexes that share a side"):
        HexBoard(3, 3, fences=(fence,))


@pytest.mark.parametrize("at", [(-1, 0), (0, 9), (9, 0), (0, -1)])
def test_who_stands_outside_the_board_is_told_so(at: Cell) -> None:
    for search in (lambda: reach(BOARD, HexMover(at)), lambda: cheapest(BOARD, HexMover(at), (3, 3))):
        with pytest.raises(IllegalActionError, match="lies outside the board"):
            search()


def test_no_route_ends_on_an_enemy() -> None:
    assert cheapest(BOARD, HexMover((0, 0), enemies=((1, 0),)), (1, 0)) is None


def test_boards_have_a_json_form() -> None:
    board = HexBoard(3, 2, ((1, 0),), ((2, 0),), (((0, 0), (0, 1)),))
    assert from_json(to_json(board), HexBoard) == board
