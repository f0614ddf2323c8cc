"""The table found in one picture: accuracy, and why it is not found (the field's ArUco cases)."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.table import TableNotFound, TableProblem, find_table
from calibration.table_view import TableView
from tests.calibration.simulated import draw_sheet, errors_mm, photograph, view_of

SHEET = draw_sheet()


def seen(image: np.ndarray, **options: object) -> TableView:
    found = find_table(image, **options)  # type: ignore[arg-type]
    assert isinstance(found, TableView), found
    return found


@pytest.mark.parametrize(
    ("tilt", "k1", "focal_share"), [(0, 0.0, 0.8), (25, 0.0, 0.7), (45, -0.1, 1.1), (25, -0.3, 0.95), (60, 0.1, 0.8)]
)
def test_six_markers_place_the_play_area_within_two_tenths_without_a_lens_file(
    tilt: float, k1: float, focal_share: float
) -> None:
    truth = view_of(tilt_degrees=tilt, k1=k1, focal_share=focal_share)
    view = seen(photograph(SHEET, truth, blur_px=1.0, noise=4, seed=1))
    assert view.marker_ids == (0, 1, 2, 3, 4, 5)
    assert errors_mm(view, truth).mean() < 0.1
    assert errors_mm(view, truth).max() < 0.2


def test_a_point_above_the_table_is_placed_when_the_camera_looks_aslant() -> None:
    truth = view_of(tilt_degrees=30, focal_share=1.0)
    view = seen(photograph(SHEET, truth, noise=4, seed=2))
    assert errors_mm(view, truth, height_mm=30).max() < 0.3
    assert view.camera_matrix[0, 0] == pytest.approx(1280, rel=0.01)


def test_a_picture_of_a_few_pixels_holds_no_table() -> None:
    for shape in ((1, 1, 3), (1, 3000, 3), (15, 40)):
        found = find_table(np.zeros(shape, np.uint8))
        assert isinstance(found, TableNotFound)
        assert found.problem is TableProblem.NO_MARKERS
