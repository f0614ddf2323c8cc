from __future__ import annotations

import pytest

from rules.engagement import (
    Standing,
    StandingFree,
    adjacent_on_hexes,
    adjacent_on_squares,
    adjacent_on_table,
    gap_mm,
    withdrawals_on_hexes,
    withdrawals_on_squares,
    withdrawals_on_table,
)
from rules.footprints import Cell, cells_of
from rules.grid import SquareBoard
from rules.hexes import HexBoard, neighbours

OPEN = SquareBoard(9, 9)
A, B, C, D = (0, 0), (1, 0), (0, 1), (1, 1)


@pytest.mark.parametrize("cell", [(x, y) for x in range(5) for y in range(5)])
def test_the_eight_squares_around_are_adjacent(cell: Cell) -> None:
    assert adjacent_on_squares(OPEN, [(2, 2)], [cell]) is (1 <= cell[0] <= 3 and 1 <= cell[1] <= 3)


def test_large_bases_touch_with_their_edges() -> None:
    ogre = cells_of((0, 0), (2, 2))
    assert adjacent_on_squares(OPEN, ogre, iter([(2, 2)]))
    assert adjacent_on_squares(OPEN, [(2, 0)], ogre)
    assert not adjacent_on_squares(OPEN, ogre, [(3, 0)])


@pytest.mark.parametrize(("walls", "adjacent"), [((), True), ((B,), True), ((C,), True), ((B, C), False)])
def test_two_walls_part_a_diagonal_and_one_does_not(walls: tuple[Cell, ...], adjacent: bool) -> None:
    assert adjacent_on_squares(SquareBoard(3, 3, walls=walls), [A], [D]) is adjacent


@pytest.mark.parametrize(
    ("fences", "adjacent"),
    [
        (((A, B),), True),
        (((A, B), (C, D)), False),
        (((A, B), (A, C)), False),
        (((B, D), (C, D)), False),
        (((A, B), (B, D)), True),
    ],
)
def test_walls_between_squares_part_a_diagonal_when_both_ways_are_closed(
    fences: tuple[tuple[Cell, Cell], ...], adjacent: bool
) -> None:
    board = SquareBoard(3, 3, fences=fences)
    assert adjacent_on_squares(board, [A], [D]) is adjacent
    assert adjacent_on_squares(board, [D], [A]) is adjacent


def test_nobody_fights_through_a_wall() -> None:
    board = SquareBoard(3, 3, fences=((A, B),))
    assert not adjacent_on_squares(board, [A], [B])
    assert not adjacent_on_squares(board, [B], [A])
    assert adjacent_on_squares(board, [A], [C])


def test_six_hexes_around_are_adjacent() -> None:
    board = HexBoard(5, 5, fences=(((2, 2), (3, 2)),))
    near = {(q, r) for q in range(5) for r in range(5) if adjacent_on_hexes(HexBoard(5, 5), (2, 2), (q, r))}
    assert near == {(2, 2), *neighbours((2, 2))}
    assert not adjacent_on_hexes(board, (2, 2), (3, 2))
    assert not adjacent_on_hexes(board, (3, 2), (2, 2))


@pytest.mark.parametrize(("gap", "adjacent"), [(0.0, True), (12.7, True), (12.71, False), (25.4, False), (-3.0, True)])
def test_half_an_inch_of_daylight_is_near_enough(gap: float, adjacent: bool) -> None:
    assert adjacent_on_table((0, 0), 12.7, (12.7 + 16 + gap, 0), 16) is adjacent
    assert gap_mm((0, 0), 12.7, (12.7 + 16 + gap, 0), 16) == pytest.approx(gap)


def test_another_gap_may_be_agreed() -> None:
    assert adjacent_on_table((0, 0), 10, (25, 0), 10, most_gap_mm=5)
    assert not adjacent_on_table((0, 0), 10, (25.1, 0), 10, most_gap_mm=5)


def test_leaving_an_enemy_needs_a_withdraw_and_sliding_round_does_not() -> None:
    """World Saga, Movement: "the Withdraw reaction as part of your Stride action to disengage"."""
    orc = Standing("orc", (2, 2))
    sliding = [(1, 1), (2, 1), (3, 2), (3, 3)]
    assert withdrawals_on_squares(OPEN, sliding, (1, 1), [orc]) == ((), (), ())
    leaving = [(1, 1), (1, 0), (0, 0)]
    assert withdrawals_on_squares(OPEN, leaving, (1, 1), [orc]) == (("orc",), ())


def test_passing_an_enemy_counts_and_each_is_named() -> None:
    enemies = (Standing(name, (2, row)) for name, row in (("wolf", 0), ("orc", 2)))
    assert withdrawals_on_squares(OPEN, [(0, 1), (1, 1), (0, 1)], (1, 1), enemies) == ((), ("orc", "wolf"))


def test_large_bases_are_left_when_the_last_square_parts() -> None:
    ogre = Standing("ogre", (3, 0), (2, 2))
    path = [(1, 0), (0, 0)]
    assert withdrawals_on_squares(OPEN, path, (2, 2), [ogre]) == (("ogre",),)
    assert withdrawals_on_squares(OPEN, path, (3, 1), [ogre]) == ((),)


def test_hexes_are_left_alike() -> None:
    board = HexBoard(6, 6)
    enemies = iter([Standing("orc", (2, 2))])
    assert withdrawals_on_hexes(board, [(1, 2), (1, 3), (0, 3)], enemies) == ((), ("orc",))


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ([(0, 0), (-20, 0)], (("orc",),)),
        ([(0, 0), (-10, 0)], ((),)),
        ([(0, 0), (-20, 0), (-40, 0)], (("orc",), ())),
        ([(-100, 0), (30, 25), (130, 0)], ((), ("orc",))),
        ([(-100, 30), (160, 30)], (("orc",),)),
        ([(-100, 60), (160, 60)], ((),)),
        ([(0, 0), (0, 0)], ((),)),
        ([(-60, 0), (-60, 0)], ((),)),
        ([(-60, 0), (-30, 0)], ((),)),
    ],
)
def test_on_the_free_table_a_stretch_that_comes_near_and_goes_leaves(
    path: list[tuple[float, float]], left: tuple[tuple[str, ...], ...]
) -> None:
    assert withdrawals_on_table(path, 12.7, iter([StandingFree("orc", (27.0, 0.0), 12.7)])) == left


def test_another_gap_holds_for_leaving_too() -> None:
    orc = StandingFree("orc", (30.0, 0.0), 12.7)
    assert withdrawals_on_table([(0, 0), (-2, 0)], 12.7, [orc], most_gap_mm=5) == (("orc",),)
    assert withdrawals_on_table([(0, 0), (-2, 0)], 12.7, [orc]) == ((),)
