"""Where the places of a board lie in a drawing and on the mat."""

from __future__ import annotations

import math

import pytest

from calibration.mat import INCH_MM, hex_centres
from deskref.board_places import Layout
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard

SQUARES = Layout(SquareBoard(7, 7), INCH_MM, (200.0, 200.0))
HEXES = Layout(HexBoard(7, 8), INCH_MM, (200.0, 200.0))
FREE = Layout(Ground(), INCH_MM, (200.0, 200.0))


@pytest.mark.parametrize("layout", [SQUARES, HEXES])
def test_every_place_is_found_again_on_the_mat_and_in_the_drawing(layout: Layout) -> None:
    for cell in layout.cells():
        assert layout.place_on_mat(layout.mm(cell)) == cell
        assert layout.place_at(layout.middle(cell)) == cell


def test_the_square_nearest_to_the_players_is_at_the_near_edge_of_the_mat() -> None:
    """Rows count from the far edge, as the page draws them; the table's y counts away from the players."""
    assert SQUARES.mm((0, 6)) == pytest.approx((-76.2, -76.2))
    assert SQUARES.mm((6, 0)) == pytest.approx((76.2, 76.2))


def test_hexes_lie_where_the_printed_mat_has_them() -> None:
    printed = hex_centres(7, 8)
    for (q, r), (x, y) in zip(HEXES.cells(), printed, strict=True):
        assert HEXES.mm((q, r)) == pytest.approx((x, y), abs=1e-9)


@pytest.mark.parametrize(("off_mm", "same"), [(12.6, True), (12.8, False)])
def test_a_square_reaches_half_an_inch_from_its_middle(off_mm: float, same: bool) -> None:
    x, y = SQUARES.mm((3, 3))
    assert (SQUARES.place_on_mat((x + off_mm, y)) == (3, 3)) is same


@pytest.mark.parametrize("layout", [SQUARES, HEXES, FREE])
def test_off_the_board_is_no_place(layout: Layout) -> None:
    assert layout.place_on_mat((150.0, 0.0)) is None
    assert layout.place_on_mat((0.0, -150.0)) is None


def test_a_figure_of_two_squares_is_told_by_its_top_left_square() -> None:
    mm = SQUARES.mm((2, 3), (2, 2))
    assert SQUARES.place_on_mat(mm, (2, 2)) == (2, 3)


def test_the_free_table_counts_from_its_far_left_corner() -> None:
    assert FREE.place_on_mat((-100.0, 100.0)) == (0.0, 0.0)
    assert FREE.mm((200.0, 200.0)) == pytest.approx((100.0, -100.0))


def test_hexes_of_one_row_touch_and_neighbours_are_one_apart() -> None:
    for cell, other in (((0, 0), (1, 0)), ((0, 0), (0, 1)), ((2, 3), (1, 4))):
        assert math.dist(HEXES.middle(cell), HEXES.middle(other)) == pytest.approx(1.0)


def test_the_corners_of_a_hex_lie_half_way_to_its_neighbours_corners() -> None:
    corners = HEXES.hexagon((3, 2))
    middle = HEXES.middle((3, 2))
    assert len(corners) == 6
    for x, y in corners:
        assert math.dist(middle, (x, y)) == pytest.approx(1 / math.sqrt(3))
    assert max(x for x, _ in corners) - min(x for x, _ in corners) == pytest.approx(1.0)
