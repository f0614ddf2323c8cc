"""Corner tokens round an own battle mat, laid by hand."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.mat import INCH_MM
from calibration.sheets import tokens_target
from calibration.table import TableNotFound, TableProblem
from calibration.tokens import PlacedTokens, place_tokens, turned_tokens
from tests.calibration.simulated import Image, draw_sheet, photograph, view_of

WIDTH, DEPTH = 24 * INCH_MM, 20 * INCH_MM
TURNS = (4.0, -6.0, 3.0, 8.0)
TRUTH = view_of(turn_degrees=0, tilt_degrees=30, focal_share=0.9, reach_mm=(375, 325), fill=0.95)


def picture(*, without: tuple[int, ...] = ()) -> Image:
    target = turned_tokens(tokens_target(WIDTH, DEPTH), TURNS)
    sheet = draw_sheet(target, size_mm=(760, 660), px_per_mm=4, without=without)
    return photograph(sheet, TRUTH, px_per_mm=4, noise=4, blur_px=0.8)


@pytest.fixture(scope="module")
def laid() -> Image:
    return picture()


def test_tokens_laid_askew_still_place_the_grid_within_a_fifth_of_a_millimetre(laid: Image) -> None:
    placed = place_tokens(laid, width_mm=WIDTH, depth_mm=DEPTH)
    assert isinstance(placed, PlacedTokens), placed
    assert placed.turns_degrees == pytest.approx(TURNS, abs=0.2)
    assert placed.size_agrees
    points = np.array([(x, y) for x in (-300.0, -150.0, 0.0, 150.0, 300.0) for y in (-250.0, 0.0, 250.0)])
    away = placed.view.to_table(TRUTH.to_frame(points)) - points
    assert float(np.linalg.norm(away, axis=1).max()) < 0.2


def test_a_mistyped_size_of_the_grid_is_noticed(laid: Image) -> None:
    placed = place_tokens(laid, width_mm=20 * INCH_MM, depth_mm=DEPTH)
    if isinstance(placed, TableNotFound):
        assert placed.problem is TableProblem.WRONG_SIZE
        assert "number of squares" in placed.advice
    else:
        assert not placed.size_agrees


def test_a_missing_token_is_said() -> None:
    placed = place_tokens(picture(without=(12,)), width_mm=WIDTH, depth_mm=DEPTH)
    assert isinstance(placed, TableNotFound)
    assert placed.problem is TableProblem.TOO_FEW
    assert placed.seen == (10, 11, 13)
