"""Top faces of dice on a known table, and what they look like straight on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.table_view import TableView
from vision.top_face import flattened, points_in_frame, quad_side_px, top_square


def slanted_view(elevation_degrees: float = 45.0) -> TableView:
    """A camera of 1000 px focal length, 450 mm away from the table's middle."""
    e = np.radians(elevation_degrees)
    right, down = np.array([1.0, 0, 0]), np.array([0, -np.sin(e), -np.cos(e)])
    forward = np.array([0, np.cos(e), -np.sin(e)])
    matrix = np.array([[1000.0, 0, 640], [0, 1000, 360], [0, 0, 1]])
    return TableView(matrix, np.zeros(5), np.stack([right, down, forward]), np.array([0, 0, 450.0]), (1280, 720))


@pytest.mark.parametrize("turn", [0.0, 20.0, 45.0])
def test_the_square_is_the_dies_top_in_the_picture(turn: float) -> None:
    view = slanted_view()
    quad = top_square(view, (30.0, -20.0), size_mm=16, height_mm=5, turn_degrees=turn)
    corners = view.to_table(np.array(quad), height_mm=21)
    assert np.allclose(corners.mean(axis=0), (30, -20), atol=1e-6)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert np.allclose(sides, 16, atol=1e-6)
    direction = np.degrees(np.arctan2(*(corners[1] - corners[0])[::-1])) % 90
    assert direction == pytest.approx(turn, abs=1e-3)


def test_flattening_and_mapping_back_agree() -> None:
    quad = top_square(slanted_view(), (0.0, 0.0), size_mm=16, turn_degrees=30)
    image = np.zeros((720, 1280, 3), np.uint8)
    middle = np.mean(quad, axis=0)
    cv2.circle(image, (round(middle[0]), round(middle[1])), 3, (255, 255, 255), -1)
    face = flattened(image, quad, side_px=60, margin=0.25)
    assert face.shape == (90, 90, 3)
    ys, xs = np.nonzero(face[..., 0] > 127)
    back = points_in_frame(quad, np.array([[xs.mean(), ys.mean()]]), side_px=60, margin=0.25)
    assert np.allclose(back[0], np.rint(middle), atol=0.6)


def test_a_large_face_is_smoothed_before_it_is_made_small() -> None:
    """Without that, fine grain turns into spots."""
    grain = np.random.default_rng(2).integers(0, 256, (900, 900, 3), np.uint8)
    face = flattened(grain, ((50, 50), (850, 50), (850, 850), (50, 850)), side_px=40)
    assert face.std() < 0.25 * grain.std()


@pytest.mark.parametrize("at", [(-900, -900), (50, -900), (2000, 2000), (2000, 50), (880, 880)])
def test_a_large_face_beyond_the_picture_is_no_error(at: tuple[int, int]) -> None:
    x, y = at
    image = np.full((900, 900, 3), 80, np.uint8)
    face = flattened(image, ((x, y), (x + 200, y), (x + 200, y + 200), (x, y + 200)), side_px=40, margin=0.35)
    assert face.shape == (68, 68, 3)
    assert (face == 80).all()


def test_the_side_of_a_quad() -> None:
    assert quad_side_px(((0, 0), (30, 0), (30, 30), (0, 30))) == pytest.approx(30)
