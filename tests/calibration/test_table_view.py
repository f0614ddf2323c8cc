"""Millimetres to pixels and back, and how well a place is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import find_table
from calibration.table_view import TableView
from tests.calibration.simulated import draw_sheet, errors_mm, frame, photograph, view_of


@settings(max_examples=60, deadline=None)
@given(
    tilt=st.floats(0, 60),
    turn=st.floats(0, 360),
    k1=st.floats(-0.2, 0.1),
    x=st.floats(-120, 120),
    y=st.floats(-120, 120),
    height=st.floats(0, 50),
)
def test_to_the_frame_and_back_is_the_same_place(
    tilt: float, turn: float, k1: float, x: float, y: float, height: float
) -> None:
    view = view_of(tilt_degrees=tilt, turn_degrees=turn, k1=k1, fill=0.9)
    pixels = view.to_frame([(x, y)], height_mm=height)
    assert view.to_table(pixels, height_mm=height) == pytest.approx(np.array([(x, y)]), abs=1e-3)


def test_what_no_lens_can_show_is_not_a_number() -> None:
    """A barrel lens's model folds over far outside the picture: such points must not land inside it."""
    view = view_of(k1=-0.3, focal_share=0.9, tilt_degrees=50)
    far = view.to_frame([(0.0, 5000.0), (4000.0, 0.0), (0.0, -3000.0)])
    assert np.all(np.isnan(far) | (np.abs(far) > 700))
    assert np.all(np.isnan(view.to_table([(1e6, 1e6)])))


def test_strong_barrel_distortion_is_inverted_up_to_the_corners() -> None:
    view = view_of(k1=-0.25, focal_share=0.9, tilt_degrees=20)
    corners = np.array([(0.0, 0.0), (1279.0, 0.0), (1279.0, 719.0), (0.0, 719.0)])
    assert view.to_frame(view.to_table(corners)) == pytest.approx(corners, abs=0.01)


def test_the_stated_uncertainty_covers_the_errors_made() -> None:
    """Of twelve noisy pictures the errors at a corner stay within three stated standard deviations, and near them."""
    truth = view_of(size=(640, 480), tilt_degrees=30, focal_share=0.9)
    clean = photograph(draw_sheet(), truth)
    at = np.array([(100.0, 100.0)])
    away, stated = [], []
    for number in range(12):
        view = find_table(frame(clean, number, noise=8))
        assert isinstance(view, TableView)
        away.append(float(np.linalg.norm(view.to_table(truth.to_frame(at)) - at)))
        stated.append(view.uncertainty_mm((100.0, 100.0)))
    assert max(away) < 3 * float(np.mean(stated)) + 0.05
    assert float(np.mean(stated)) < 0.2


def test_uncertainty_grows_with_height_and_with_missing_markers() -> None:
    truth = view_of(tilt_degrees=5)
    whole = find_table(photograph(draw_sheet(), truth, noise=4))
    part = find_table(photograph(draw_sheet(without=(0, 1, 2)), truth, noise=4))
    assert isinstance(whole, TableView)
    assert isinstance(part, TableView)
    assert part.uncertainty_mm((80.0, 80.0)) > 2 * whole.uncertainty_mm((80.0, 80.0))
    assert whole.uncertainty_mm((80.0, 80.0), height_mm=40) > 2 * whole.uncertainty_mm((80.0, 80.0))
    assert whole.uncertainty_mm((0.0, 0.0), point_sigma_px=1.0) == pytest.approx(1 / whole.px_per_mm(), rel=0.1)
    assert errors_mm(part, truth).max() < 5 * part.uncertainty_mm((100.0, 100.0)) + 0.2
    assert np.isnan(truth.uncertainty_mm((0.0, 0.0)))
