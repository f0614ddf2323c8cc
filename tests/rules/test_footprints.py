from __future__ import annotations

import math

import pytest

from rules.footprints import cells_of, footprint_of_base, newly_covered, offsets


@pytest.mark.parametrize(
    ("diameter_mm", "side"),
    [
        (5, 1),
        (25, 1),
        (25.4, 1),
        (32, 1),
        (38.0, 1),
        (38.1, 2),
        (40, 2),
        (50, 2),
        (63.4, 2),
        (63.5, 3),
        (80, 3),
        (100, 4),
    ],
)
def test_a_base_takes_the_nearest_whole_number_of_squares(diameter_mm: float, side: int) -> None:
    assert footprint_of_base(diameter_mm) == (side, side)


@pytest.mark.parametrize("diameter_mm", [0, -1, math.nan])
def test_a_base_has_a_size(diameter_mm: float) -> None:
    with pytest.raises(ValueError, match="base diameter must be over 0 mm"):
        footprint_of_base(diameter_mm)


def test_a_base_covers_its_squares_row_by_row() -> None:
    assert cells_of((3, 5)) == ((3, 5),)
    assert cells_of((3, 5), (2, 3)) == ((3, 5), (4, 5), (3, 6), (4, 6), (3, 7), (4, 7))


@pytest.mark.parametrize("footprint", [(0, 1), (1, 0), (-1, 2)])
def test_a_base_covers_at_least_one_square(footprint: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least one square each way"):
        offsets(footprint)


@pytest.mark.parametrize(
    ("step", "new"),
    [
        ((1, 0), {(2, 0), (2, 1)}),
        ((-1, 0), {(-1, 0), (-1, 1)}),
        ((0, 1), {(0, 2), (1, 2)}),
        ((0, -1), {(0, -1), (1, -1)}),
        ((1, 1), {(1, 2), (2, 1), (2, 2)}),
        ((-1, -1), {(-1, -1), (0, -1), (-1, 0)}),
    ],
)
def test_a_step_covers_only_the_squares_before_it(step: tuple[int, int], new: set[tuple[int, int]]) -> None:
    assert set(newly_covered((2, 2), step)) == new
    assert newly_covered((1, 1), step) == (step,)
