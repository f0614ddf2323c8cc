from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.freeform import Ground, forgiven_squares, measure

INCH = 25.4
OPEN = Ground()


def rectangle(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def test_a_walk_is_as_long_as_its_lines() -> None:
    measured = measure(OPEN, [(0, 0), (30, 40), (30, 0)])
    assert measured.length_mm == pytest.approx(90)
    assert measured.squares == pytest.approx(90 / INCH)
    assert measured.difficult_mm == 0
    assert not measured.crosses_wall


def test_there_is_no_rounding_through_a_grid() -> None:
    """A straight walk over two diagonals is 2.83 squares, and no phantom terrain is charged."""
    assert measure(OPEN, [(0, 0), (2 * INCH, 2 * INCH)]).squares == pytest.approx(2 * math.sqrt(2))


@pytest.mark.parametrize("path", [[], [(5, 5)], [(5, 5), (5, 5)]])
def test_standing_still_costs_nothing(path: list[tuple[float, float]]) -> None:
    assert measure(Ground(difficult=(rectangle(0, 0, 10, 10),)), path).squares == 0


def test_difficult_ground_counts_twice_and_overlaps_once() -> None:
    rubble = rectangle(INCH, -10, 3 * INCH, 10)
    ground = Ground(difficult=(rubble, rubble))
    measured = measure(ground, [(0, 0), (4 * INCH, 0)])
    assert measured.difficult_mm == pytest.approx(2 * INCH)
    assert measured.squares == pytest.approx(6)


@pytest.mark.parametrize(
    ("length_mm", "speed", "square_mm", "allowed"),
    [
        (76.2, 3, 25.4, True),
        (78.19, 3, 25.4, True),
        (78.2, 3, 25.4, True),
        (78.21, 3, 25.4, False),
        (76.99, 3, 25.0, True),
        (77.01, 3, 25.0, False),
        (1.9, 0, 25.4, True),
        (2.1, 0, 25.4, False),
    ],
)
def test_two_millimetres_are_forgiven(length_mm: float, speed: int, square_mm: float, allowed: bool) -> None:
    ground = Ground(square_mm)
    squares = measure(ground, [(0, 0), (length_mm, 0)]).squares
    assert (squares <= speed + forgiven_squares(ground)) is allowed


@pytest.mark.parametrize(("y", "crosses"), [(0, True), (9.9, True), (10.1, False), (-10.1, False)])
def test_a_wall_in_the_way_is_noticed(y: float, crosses: bool) -> None:
    ground = Ground(walls=(rectangle(200, 0, 210, 5), rectangle(40, -10, 45, 10)))
    assert measure(ground, [(-20, y), (0, y), (100, y), (120, y)]).crosses_wall is crosses


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=2, max_size=6), st.data())
def test_splitting_a_walk_keeps_its_cost(path: list[tuple[float, float]], data: st.DataObject) -> None:
    ground = Ground(difficult=(rectangle(-30, -30, 20, 40), rectangle(0, 0, 60, 60)))
    at = data.draw(st.integers(1, len(path) - 1))
    whole = measure(ground, path)
    parts = measure(ground, path[: at + 1]), measure(ground, path[at:])
    assert whole.squares == pytest.approx(parts[0].squares + parts[1].squares)
    assert whole.length_mm >= math.dist(path[0], path[-1]) - 1e-6
    assert whole.length_mm <= whole.squares * ground.square_mm + 1e-9 <= 2 * whole.length_mm + 1e-6


@pytest.mark.parametrize("square_mm", [0, -1, math.nan])
def test_a_square_has_a_size(square_mm: float) -> None:
    with pytest.raises(ValueError, match="a square must be over 0 mm"):
        Ground(square_mm)


def test_outlines_bound_an_area() -> None:
    line = ((0.0, 0.0), (1.0, 1.0))
    with pytest.raises(ValueError, match="three corners"):
        Ground(difficult=(line,))
    with pytest.raises(ValueError, match="three corners"):
        Ground(walls=(line,))
