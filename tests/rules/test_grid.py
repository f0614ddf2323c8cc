from __future__ import annotations

from dataclasses import replace

import pytest

from rules.footprints import Cell
from rules.grid import (
    CornerRule,
    Mover,
    Reach,
    Route,
    SquareBoard,
    cheapest,
    check_end,
    reach,
    walk,
)
from rules.json_form import from_json, to_json
from rules.ruling import IllegalActionError
from tests.rules.grid_boards import OPEN, STEPS, costs, drawn, refused

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
