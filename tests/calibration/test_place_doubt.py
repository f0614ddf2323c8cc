"""How far off places may be: said before anybody rules on them, and never less than they are."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from calibration.mat import MAT
from calibration.place_doubt import place_doubt_mm
from calibration.table import find_table
from calibration.table_view import TableView
from tests.calibration.simulated import draw_sheet, errors_mm, photograph, view_of

SIZE = (1280, 720)


def seen(truth: TableView, hidden: tuple[int, ...], curl_mm: float = 0.0) -> TableView:
    view = find_table(photograph(draw_sheet(without=hidden), truth, noise=6, blur_px=1, jpeg=85, curl_mm=curl_mm))
    assert isinstance(view, TableView)
    return view


@pytest.mark.parametrize(("hidden", "low", "high"), [((), 0.0, 0.2), ((1, 3, 5), 0.1, 0.5), ((0, 1, 2), 1.0, 5.0)])
def test_squares_of_one_end_leave_places_in_doubt(hidden: tuple[int, ...], low: float, high: float) -> None:
    """On a flat sheet by a millimetre and more, where those of both ends leave tenths; never less than they are off."""
    truth = view_of(size=SIZE, tilt_degrees=20, k1=-0.1)
    view = seen(truth, hidden)
    doubt = place_doubt_mm(view)
    assert low < doubt < high
    assert errors_mm(view, truth).max() < doubt + 0.05


@pytest.mark.parametrize(("hidden", "tilt"), [((), 13), ((), 43), ((0, 1, 2), 20), ((3, 4, 5), 40), ((1, 2, 5), 46)])
def test_edges_of_the_sheet_that_rise_by_two_millimetres_are_allowed_for(hidden: tuple[int, ...], tilt: float) -> None:
    """The fit takes a bent sheet for another pose, so surely that its covariance says nothing of it."""
    truth = view_of(size=SIZE, tilt_degrees=tilt, k1=-0.1)
    view = seen(truth, hidden, curl_mm=2.0)
    off = errors_mm(view, truth).max()
    assert off > place_doubt_mm(view)
    assert off < 1.1 * place_doubt_mm(view, sheet=MAT) + 0.05


def test_a_larger_play_area_is_known_less_well_at_its_corners() -> None:
    view = seen(view_of(size=SIZE, tilt_degrees=20), ())
    assert place_doubt_mm(view, width_mm=400.0, depth_mm=400.0) > 2 * place_doubt_mm(view)


def test_what_is_not_known_is_not_a_number() -> None:
    view = replace(seen(view_of(size=SIZE, tilt_degrees=20), ()), covariance=None)
    assert math.isnan(place_doubt_mm(view))
    assert math.isnan(place_doubt_mm(view, sheet=MAT))
