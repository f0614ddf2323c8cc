"""What leans in the picture from above, and undoing it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.drawn_table import camera
from vision.lean import cube_outline, height_of_lean, lean_at, prism_of_silhouette, prism_outline, thrown
from vision.outlines import area, circle_of, fit_circle, hull, overlap, rectangle_of


def test_a_raised_point_shows_where_its_ray_meets_the_table() -> None:
    view = camera(elevation=50, azimuth=20)
    pixel = view.to_frame([(40.0, -30.0, 25.0)])
    assert np.allclose(thrown([(40.0, -30.0)], 25.0, view), view.to_table(pixel), atol=1e-6)


@pytest.mark.parametrize("height", [3.0, 30.0, 90.0])
def test_height_is_read_back_from_the_lean(height: float) -> None:
    view = camera(elevation=50)
    assert height_of_lean((20, 40), thrown([(20, 40)], height, view)[0], view) == pytest.approx(height)


def test_lean_is_the_shift_of_the_first_millimetre() -> None:
    view = camera(elevation=50)
    step = thrown([(20, 40)], 1.0, view)[0] - (20, 40)
    assert np.allclose(lean_at((20, 40), view), step, rtol=0.01)


@pytest.mark.parametrize("height", [10.0, 40.0, 90.0])
@pytest.mark.parametrize("elevation", [40.0, 60.0])
def test_a_boxs_footprint_and_height_come_out_of_its_outline_alone(height: float, elevation: float) -> None:
    view = camera(elevation=elevation)
    turn = np.array([[math.cos(0.5), math.sin(0.5)], [-math.sin(0.5), math.cos(0.5)]])
    footprint = np.array([(-25, -15), (25, -15), (25, 15), (-25, 15)]) @ turn + (10, 20)
    found, found_height = prism_of_silhouette(prism_outline(footprint, height, view), view)
    assert found_height == pytest.approx(height, abs=2.0 + 0.05 * height)
    assert overlap(hull(found), footprint) > 0.87


def test_a_cylinders_footprint_is_its_circle() -> None:
    view = camera(elevation=45)
    a = np.arange(40) * math.pi / 20
    circle = np.column_stack([20 * np.cos(a), 20 * np.sin(a)]) + (-30, 10)
    found, height = prism_of_silhouette(prism_outline(circle, 50, view), view)
    assert height == pytest.approx(50, abs=6)
    assert overlap(hull(found), circle) > 0.85


def test_straight_below_the_camera_there_is_no_lean_to_undo() -> None:
    view = camera(elevation=89.9)
    square = np.array([(-9, -9), (9, -9), (9, 9), (-9, 9.0)])
    assert prism_of_silhouette(square, view)[1] == 0.0


def test_a_cube_covers_more_table_the_flatter_it_is_seen() -> None:
    flat, steep = camera(elevation=40), camera(elevation=80)
    assert area(cube_outline((0, 0), 16, 0.3, flat)) > area(cube_outline((0, 0), 16, 0.3, steep)) > 256


def test_measures_of_outlines() -> None:
    square = np.array([(0, 0), (10, 0), (10, 10), (0, 10.0)])
    assert area(square) == 100
    assert area(square[:2]) == 0
    assert overlap(square, square + (5, 0)) == pytest.approx(1 / 3, abs=0.04)
    rectangle, filled = rectangle_of(square)
    assert filled == pytest.approx(1.0, abs=1e-6)
    assert area(rectangle) == pytest.approx(100)
    a = np.arange(30) * math.pi / 15
    ring = np.column_stack([3 + 7 * np.cos(a), -2 + 7 * np.sin(a)])
    centre, radius = fit_circle(ring[:12])
    assert centre == pytest.approx((3, -2))
    assert radius == pytest.approx(7)
    assert circle_of(ring)[2] > 0.94
    assert circle_of(square)[2] < 0.93
