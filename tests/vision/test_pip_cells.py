"""Cells of a checkerboard and pips, told apart by what surrounds them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.pip_cells import are_cells
from vision.pip_spots import find_spots, no_spots


def turned(pattern: npt.NDArray[np.uint8], degrees: float, blur_px: float) -> npt.NDArray[np.uint8]:
    """A pattern of four times the size, turned, reduced and blurred."""
    turn = cv2.getRotationMatrix2D((640, 480), degrees, 1.3)
    small = cv2.resize(cv2.warpAffine(pattern, turn, (1280, 960)), (320, 240), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), blur_px) if blur_px else small
    return np.repeat(np.asarray(blurred, np.uint8)[..., None], 3, axis=2)


@pytest.mark.parametrize("blur_px", [0.0, 1.0])
@pytest.mark.parametrize("degrees", [0, 9, 30, 45])
def test_cells_touch_at_corners_and_pips_do_not(degrees: float, blur_px: float) -> None:
    y, x = np.mgrid[:960, :1280]
    board = np.where((x // 40 + y // 40) % 2, 220, 40).astype(np.uint8)
    # As dense as the board's dark cells, and nearly touching.
    across, down = (x + y) % 80 - 40, (x - y) % 80 - 40
    pips = np.where(across**2 + down**2 < 2 * 26**2, 40, 220).astype(np.uint8)
    cells, others = (turned(pattern, degrees, blur_px) for pattern in (board, pips))
    assert are_cells(cells, find_spots(cells)).mean() > 0.6
    spots = find_spots(others)
    dark = spots.inner[:, 0] < spots.ground[:, 0]
    assert are_cells(others, spots[dark]).mean() < 0.1


def test_no_spots_are_no_cells() -> None:
    assert are_cells(np.zeros((20, 20, 3), np.uint8), no_spots()).shape == (0,)
