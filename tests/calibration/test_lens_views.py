"""The lens calibrated from views of the printed board."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.lens_views import LensViews, Verdict, add_view, solve_lens
from calibration.sheets import LENS_SQUARE_MM, LENS_SQUARES, lens_board
from tests.calibration.simulated import Image, expose, photograph, view_of

SIZE = (640, 480)
K1, FOCAL_SHARE = -0.15, 0.85
PX_PER_MM = 4.0


@cache
def board_sheet() -> Image:
    width, height = (round(count * LENS_SQUARE_MM * PX_PER_MM) for count in LENS_SQUARES)
    drawn = np.asarray(lens_board().generateImage((width, height)), np.uint8)
    return np.asarray(cv2.copyMakeBorder(drawn, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=255), np.uint8)


@cache
def shot(
    tilt: float = 20,
    turn: float = 90,
    aside: tuple[float, float] = (0.0, 0.0),
    fill: float = 0.9,
    size: tuple[int, int] = SIZE,
) -> Image:
    view = view_of(
        size=size,
        tilt_degrees=tilt,
        turn_degrees=turn,
        focal_share=FOCAL_SHARE,
        k1=K1,
        fill=fill,
        reach_mm=(95, 122),
        aside_mm=aside,
    )
    return photograph(board_sheet(), view, px_per_mm=PX_PER_MM, noise=3, blur_px=0.7)


POSES = (
    {"tilt": 0},
    {"tilt": 35},
    {"tilt": 40, "turn": 180},
    {"tilt": 30, "turn": 0},
    {"tilt": 35, "turn": 270},
    {"tilt": 15, "aside": (60.0, 70.0), "fill": 1.1},
    {"tilt": 25, "aside": (-60.0, -70.0), "fill": 1.1},
    {"tilt": 20, "aside": (60.0, -70.0), "fill": 1.1},
    {"tilt": 30, "aside": (-60.0, 70.0), "fill": 1.1},
    {"tilt": 45, "turn": 45},
    {"tilt": 10, "turn": 20, "aside": (0.0, 90.0), "fill": 1.15},
    {"tilt": 10, "turn": 20, "aside": (0.0, -90.0), "fill": 1.15},
    {"tilt": 25, "turn": 135, "aside": (70.0, 0.0)},
)


def gathered(count: int) -> tuple[LensViews, list[Verdict]]:
    state, verdicts = LensViews(), []
    for pose in POSES[:count]:
        state, verdict = add_view(state, shot(**pose))  # type: ignore[arg-type]
        verdicts.append(verdict)
    return state, verdicts


def test_thirteen_views_give_the_lens() -> None:
    state, verdicts = gathered(len(POSES))
    assert verdicts.count(Verdict.TAKEN) >= 12
    result = solve_lens(state)
    assert result.lens.camera_matrix[0, 0] == pytest.approx(FOCAL_SHARE * SIZE[0], rel=0.005)
    assert result.lens.camera_matrix[:2, 2] == pytest.approx(((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2), abs=2)
    assert result.lens.distortion[0] == pytest.approx(K1, abs=0.02)
    assert result.lens.rms_px < 0.3
    assert len(result.errors_px) == len(state.views)
    assert abs(result.lens.camera_matrix[0, 0] - FOCAL_SHARE * SIZE[0]) < 4 * result.focal_sigma_px + 0.5
    assert state.progress > 0.9


def test_what_is_missing_is_said() -> None:
    state = LensViews()
    assert not state.is_enough
    assert "more sides" in state.wanted or "Tilt" in state.wanted
    state, _ = add_view(state, shot(tilt=0, fill=0.5))
    assert state.wanted.startswith("Hold the board at the top left")
    assert 0 < state.progress < 0.6
    assert not all(all(row) for row in state.covered)


def test_blurred_similar_and_foreign_pictures_are_refused() -> None:
    state, verdict = add_view(LensViews(), shot(tilt=20))
    assert verdict is Verdict.TAKEN
    assert add_view(state, shot(tilt=21))[1] is Verdict.TOO_SIMILAR
    assert add_view(state, expose(shot(tilt=35), blur_px=3))[1] in (Verdict.BLURRED, Verdict.TOO_FEW_CORNERS)
    assert add_view(state, np.full((480, 640), 128, np.uint8))[1] is Verdict.NO_BOARD
    assert add_view(state, shot(size=(800, 600)))[1] is Verdict.OTHER_SIZE


def test_a10_a_board_of_another_generator_is_named() -> None:
    """A10: ChArUco boards of other generators have the same markers in another order or count: no corners at all."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    other = cv2.aruco.CharucoBoard((6, 8), 30, 22, dictionary)
    other.setLegacyPattern(True)
    drawn = np.asarray(other.generateImage((480, 640), marginSize=20), np.uint8)
    state, verdict = add_view(LensViews(), drawn)
    assert verdict is Verdict.OTHER_BOARD
    assert state.views == ()


def test_too_few_views_are_no_calibration() -> None:
    state, _ = gathered(3)
    with pytest.raises(ValueError, match="3"):
        solve_lens(state)


def test_a_bent_view_is_left_out() -> None:
    """One view with its corners shifted by a moving board must not spoil the lens."""
    from dataclasses import replace

    state, _ = gathered(9)
    bad = state.views[2]
    bent = replace(bad, corners_px=bad.corners_px + np.random.default_rng(1).normal(0, 3, bad.corners_px.shape))
    result = solve_lens(replace(state, views=(*state.views[:2], bent, *state.views[3:])))
    assert result.left_out == (2,)
    assert result.lens.camera_matrix[0, 0] == pytest.approx(FOCAL_SHARE * SIZE[0], rel=0.01)
