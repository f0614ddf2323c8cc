from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from rules.outline import area_mm2, check_outline, contains, share_inside, stretches_inside

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
U_SHAPE = ((0.0, 0.0), (30.0, 0.0), (30.0, 20.0), (20.0, 20.0), (20.0, 10.0), (10.0, 10.0), (10.0, 20.0), (0.0, 20.0))

coordinates = st.floats(-50, 50).map(lambda value: round(value, 2))
points = st.tuples(coordinates, coordinates)


@st.composite
def star_outlines(draw: st.DrawFn) -> tuple[tuple[float, float], ...]:
    """Simple polygons, often not convex: corners at rising angles round a middle."""
    count = draw(st.integers(3, 8))
    middle = draw(points)
    radii = draw(st.lists(st.floats(2, 30), min_size=count, max_size=count))
    return tuple(
        (
            middle[0] + radius * math.cos(2 * math.pi * number / count),
            middle[1] + radius * math.sin(2 * math.pi * number / count),
        )
        for number, radius in enumerate(radii)
    )


@pytest.mark.parametrize(
    ("outline", "words"),
    [
        (((0.0, 0.0), (1.0, 1.0)), "at least three corners, got 2"),
        (((0.0, 0.0), (1.0, 1.0), (2.0, 2.0)), "bound some area"),
        (((0.0, 0.0), (math.nan, 1.0), (2.0, 2.0)), "finite"),
        (((0.0, 0.0), (5.0, math.inf), (2.0, 2.0)), "finite"),
    ],
)
def test_what_bounds_no_area_is_refused(outline: tuple[tuple[float, float], ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        check_outline(outline)


def test_a_triangle_is_an_outline() -> None:
    check_outline(SQUARE[:3])


@pytest.mark.parametrize("outline", [SQUARE, SQUARE[::-1]])
def test_the_area_is_the_same_either_way_round(outline: tuple[tuple[float, float], ...]) -> None:
    assert area_mm2(outline) == 100


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((5, 5), True),
        ((0, 5), True),
        ((10, 5), True),
        ((5, 0), True),
        ((5, 10), True),
        ((0, 0), True),
        ((10, 10), True),
        ((-0.001, 5), False),
        ((10.001, 5), False),
        ((5, -0.001), False),
        ((5, 10.001), False),
        ((10.001, 10.001), False),
        ((-3, 10), False),
        ((13, 0), False),
    ],
)
def test_the_edge_belongs_to_the_inside(point: tuple[float, float], inside: bool) -> None:
    assert contains(SQUARE, point) is inside


@pytest.mark.parametrize(
    ("point", "inside"), [((5, 15), True), ((15, 15), False), ((25, 15), True), ((15, 5), True), ((15, 20), False)]
)
def test_the_gap_of_a_u_is_outside(point: tuple[float, float], inside: bool) -> None:
    assert contains(U_SHAPE, point) is inside


def test_a_corner_named_twice_changes_nothing() -> None:
    doubled = (SQUARE[0], *SQUARE)
    assert contains(doubled, (0.0, 0.0))
    assert contains(doubled, (5.0, 5.0))
    assert not contains(doubled, (-1.0, 0.0))


@pytest.mark.parametrize(
    ("start", "end", "stretches"),
    [
        ((-10, 5), (20, 5), ((1 / 3, 2 / 3),)),
        ((20, 5), (-10, 5), ((1 / 3, 2 / 3),)),
        ((5, 5), (15, 5), ((0.0, 0.5),)),
        ((-5, 5), (5, 5), ((0.5, 1.0),)),
        ((2, 5), (8, 5), ((0.0, 1.0),)),
        ((-10, 12), (20, 12), ()),
        ((20, 5), (30, 5), ()),
        ((5, 5), (5, 5), ()),
    ],
)
def test_the_stretch_inside_is_found(
    start: tuple[float, float], end: tuple[float, float], stretches: tuple[tuple[float, float], ...]
) -> None:
    found = stretches_inside(start, end, SQUARE)
    assert len(found) == len(stretches)
    for one, other in zip(found, stretches, strict=True):
        assert one == pytest.approx(other)


def test_a_u_is_crossed_twice() -> None:
    assert stretches_inside((-10, 15), (40, 15), U_SHAPE) == (pytest.approx((0.2, 0.4)), pytest.approx((0.6, 0.8)))


def test_overlapping_outlines_count_once() -> None:
    shifted = tuple((x + 5, y) for x, y in SQUARE)
    apart = tuple((x + 20, y) for x, y in SQUARE)
    within = ((2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0))
    assert share_inside((-10, 5), (40, 5), [SQUARE, shifted]) == pytest.approx(15 / 50)
    assert share_inside((-10, 5), (40, 5), [apart, SQUARE]) == pytest.approx(20 / 50)
    assert share_inside((-10, 5), (40, 5), [SQUARE, within]) == pytest.approx(10 / 50)
    assert share_inside((-10, 5), (40, 5), []) == 0


def test_two_squares_side_by_side_share_the_line_between_them_once() -> None:
    below = tuple((x, y + 10) for x, y in SQUARE)
    assert share_inside((0, 10), (10, 10), [SQUARE, below]) == pytest.approx(1)


@given(star_outlines(), points, points)
def test_the_stretches_agree_with_shapely(
    outline: tuple[tuple[float, float], ...], start: tuple[float, float], end: tuple[float, float]
) -> None:
    polygon, line = Polygon(outline), LineString([start, end])
    if line.length < 0.1:
        return
    assert share_inside(start, end, [outline]) * line.length == pytest.approx(
        polygon.intersection(line).length, abs=1e-6
    )


@given(star_outlines(), points)
def test_what_is_inside_agrees_with_shapely(
    outline: tuple[tuple[float, float], ...], point: tuple[float, float]
) -> None:
    from shapely import Point

    polygon = Polygon(outline)
    assert area_mm2(outline) == pytest.approx(polygon.area)
    if polygon.exterior.distance(Point(point)) > 1e-6:
        assert contains(outline, point) is polygon.contains(Point(point))
