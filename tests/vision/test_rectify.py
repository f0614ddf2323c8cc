"""Pictures from above: the two ways of mapping agree, and the picture shows what lies there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.table_view import TableView
from tests.vision.drawn_table import camera, empty_table
from vision.rectify import TableArea, TopViews, plane_patch, top_view


@pytest.mark.parametrize("azimuth", [-90.0, 0.0, 37.0, 180.0])
@pytest.mark.parametrize("elevation", [38.0, 60.0, 85.0])
def test_every_place_is_taken_from_where_the_camera_sees_it(azimuth: float, elevation: float) -> None:
    view = camera(azimuth=azimuth, elevation=elevation)
    # A picture whose colours are its own coordinates tells from where each pixel was taken.
    columns, rows = np.meshgrid(np.arange(view.size[0]), np.arange(view.size[1]))
    frame = np.stack([columns % 256, rows % 256, columns // 256 * 60 + rows // 256], axis=2).astype(np.uint8)
    top = top_view(view)
    picture = top.from_frame(frame)
    for mm in [(0.0, 0.0), (-80.0, 60.0), (90.0, -90.0), (33.3, 12.7)]:
        column, row = np.round(top.to_top([mm])[0]).astype(int)
        if not top.seen[row, column]:
            continue
        expected = view.to_frame(top.to_mm([(column, row)]))[0]
        blue, green, _ = picture[row, column].astype(float)
        if 2 < blue < 253:
            assert abs(blue - expected[0] % 256) < 1.0
        if 2 < green < 253:
            assert abs(green - expected[1] % 256) < 1.0


def test_millimetres_and_top_pixels_are_inverse() -> None:
    top = top_view(camera())
    points = np.array([(0.0, 0.0), (12.3, -45.6), (-99.0, 140.0)])
    assert np.allclose(top.to_mm(top.to_top(points)), points)


def test_far_up_is_away_from_the_near_edge() -> None:
    top = top_view(camera())
    near, far = top.to_top([(0, -100), (0, 100)])
    assert far[1] < near[1]


def test_places_that_the_camera_does_not_see_are_marked_and_black() -> None:
    view = camera(distance=260)
    top = top_view(view)
    assert not top.seen.all()
    picture = top.from_frame(np.full((720, 1280, 3), 200, np.uint8))
    assert picture[~top.seen].max() == 0
    assert picture[top.seen].min() >= 199


def test_a_bent_lens_does_not_fold_far_places_back_into_the_picture() -> None:
    straight = camera()
    bent = TableView(
        straight.camera_matrix, [-0.5, 0, 0, 0, 0], straight.rotation, straight.translation, straight.size
    )  # fmt: skip
    top = top_view(bent, TableArea(margin_mm=600))
    corner = top.seen[:40, :40]
    assert not corner.any()


def test_a_frame_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(1280, 720\)"):
        top_view(camera()).from_frame(np.zeros((480, 640, 3), np.uint8))


def test_the_map_is_made_once_for_a_pose() -> None:
    views = TopViews()
    view = camera()
    first = views.of(view)
    assert views.of(camera()) is first
    assert views.of(camera(elevation=61)) is not first


def test_a_dice_top_is_a_true_square_in_its_own_plane() -> None:
    view = camera(elevation=45)
    frame = empty_table(view)
    side, height = 16.0, 16.0
    corners = np.array([(-8, -8), (8, -8), (8, 8), (-8, 8)]) + (20.0, 30.0)
    import cv2

    cv2.fillPoly(frame, [np.round(view.to_frame(corners, height_mm=height)).astype(np.int32)], (0, 0, 255))
    patch = plane_patch(frame, view, (20.0, 30.0), size_mm=32, height_mm=height, side_px=64)
    red = (patch[..., 2] > 200) & (patch[..., 0] < 90)
    assert red[18:46, 18:46].mean() > 0.97
    outside = red.copy()
    outside[13:51, 13:51] = False
    assert outside.mean() < 0.01
    assert math.isclose(math.sqrt(red.sum()) / 2, side, abs_tol=0.8)
    with pytest.raises(ValueError, match="2 pixels"):
        plane_patch(frame, view, (0, 0), size_mm=10, height_mm=0, side_px=1)
