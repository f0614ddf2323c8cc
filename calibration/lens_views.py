"""Calibrate a camera's lens from many views of the printed lens board: a pure fold that says what is still missing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lens import Lens
from calibration.markers import GrayImage, as_gray
from calibration.sheets import lens_board
from calibration.target import FloatArray

MIN_CORNERS = 12
"""Fewer corners hardly constrain a view's pose."""
MAX_SPREAD_PX = 2.0
"""Blur (sigma) of the board's edges over which a view is refused: a hand-held board in a short exposure
has about 1, and what is blurred more was moving, so that its corners do not belong to one moment."""
LEAST_CHANGE_SHARE = 0.04
"""Median shift of the corners, as a share of the picture's width, from every earlier view: nearer ones add nothing."""
GRID = (4, 3)
"""Columns and rows of the picture's cells that must have been covered."""
ENOUGH_VIEWS = 12
ENOUGH_CELLS = 11
"""Of the twelve cells."""
ENOUGH_TILTED = 4
"""Views that look at the board aslant: without them focal length and distance cannot be told apart."""
TILTED_RATIO = 1.12
"""Longest over shortest row of the board in the picture, in proportion, from which a view counts as tilted."""
OUTLIER_TIMES = 2.5
"""A view whose error is so many times the median is left out and the rest calibrated again."""


class Verdict(Enum):
    """What became of a picture shown to the calibration."""

    TAKEN = "taken"
    NO_BOARD = "no_board"
    TOO_FEW_CORNERS = "too_few_corners"
    BLURRED = "blurred"
    TOO_SIMILAR = "too_similar"
    OTHER_SIZE = "other_size"
    OTHER_BOARD = "other_board"
    """Its markers are seen, but no corners: a board from another generator, with another number of squares."""


ADVICE: dict[Verdict, str] = {
    Verdict.TAKEN: "Got it. Show the board from another side.",
    Verdict.NO_BOARD: "Show the printed lens board to the camera.",
    Verdict.TOO_FEW_CORNERS: "Show the whole board, held still and in focus.",
    Verdict.BLURRED: "Hold the board still, or rest it on something, and add light.",
    Verdict.TOO_SIMILAR: "Move or tilt the board.",
    Verdict.OTHER_SIZE: "The camera changed its picture size. Set it back, or start again.",
    Verdict.OTHER_BOARD: "This is a board of another program. Print this program's own lens board.",
}
"""In a player's words."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board's corners in one picture."""

    ids: npt.NDArray[np.int32]
    """Shape (n,)."""
    corners_px: FloatArray
    """Shape (n, 2)."""
    is_tilted: bool


@dataclass(frozen=True, slots=True, eq=False)
class LensViews:
    """What was gathered so far; start with `LensViews()`."""

    size: tuple[int, int] | None = None
    views: tuple[BoardView, ...] = ()

    @property
    def covered(self) -> tuple[tuple[bool, ...], ...]:
        """By row and column of the picture's cells: whether a corner was ever seen there."""
        seen = np.zeros((GRID[1], GRID[0]), bool)
        if self.size is not None:
            for view in self.views:
                cells = (view.corners_px / np.array(self.size) * np.array(GRID)).astype(int)
                cells = np.clip(cells, 0, np.array(GRID) - 1)
                seen[cells[:, 1], cells[:, 0]] = True
        return tuple(tuple(bool(cell) for cell in row) for row in seen)

    @property
    def progress(self) -> float:
        """From 0 to 1: how much of what a good calibration needs is there."""
        cells = sum(map(sum, self.covered))
        tilted = sum(view.is_tilted for view in self.views)
        return (
            min(1.0, len(self.views) / ENOUGH_VIEWS) + min(1.0, cells / ENOUGH_CELLS) + min(1.0, tilted / ENOUGH_TILTED)
        ) / 3

    @property
    def is_enough(self) -> bool:
        """Whether `solve_lens` will give a lens that can be trusted."""
        return self.progress >= 1.0

    @property
    def wanted(self) -> str:
        """What to show next, in a player's words."""
        if self.is_enough:
            return "Enough views."
        names = (("top", "middle", "bottom"), ("left", "middle left", "middle right", "right"))
        for row, cells in enumerate(self.covered):
            for column, seen in enumerate(cells):
                if not seen and self.views:
                    return f"Hold the board at the {names[0][row]} {names[1][column]} of the picture."
        if sum(view.is_tilted for view in self.views) < ENOUGH_TILTED:
            return "Tilt the board towards and away from the camera."
        return "Show the board from more sides."


@dataclass(frozen=True, slots=True, eq=False)
class LensResult:
    """A calibration."""

    lens: Lens
    errors_px: tuple[float, ...]
    """Reprojection error of each view, in the order of the views; also of those left out."""
    left_out: tuple[int, ...]
    """Indices of views that fit badly and were not used."""
    focal_sigma_px: float
    """Standard deviation of the focal length."""


def add_view(state: LensViews, image: npt.NDArray[np.uint8]) -> tuple[LensViews, Verdict]:
    """Look for the board in a picture and take the view in if it adds something.

    Args:
        state: what was gathered before.
        image: BGR or grey, 8 bits.

    Raises:
        ValueError: not a picture.
    """
    gray = as_gray(image)
    size = (gray.shape[1], gray.shape[0])
    if state.size is not None and size != state.size:
        return state, Verdict.OTHER_SIZE
    corners, ids, markers = _board_corners(gray)
    if len(ids) < MIN_CORNERS:
        if not len(ids) and markers >= 6:
            return state, Verdict.OTHER_BOARD
        return state, Verdict.TOO_FEW_CORNERS if markers else Verdict.NO_BOARD
    if _spread_px(gray, corners) > MAX_SPREAD_PX:
        return state, Verdict.BLURRED
    if any(_change_px(corners, ids, view) < LEAST_CHANGE_SHARE * size[0] for view in state.views):
        return state, Verdict.TOO_SIMILAR
    view = BoardView(ids, corners, _is_tilted(corners, ids))
    return replace(state, size=size, views=(*state.views, view)), Verdict.TAKEN


def solve_lens(state: LensViews) -> LensResult:
    """Calibrate from the views gathered.

    Raises:
        ValueError: fewer than five views.
    """
    if len(state.views) < 5 or state.size is None:
        raise ValueError(f"a lens needs at least 5 views of the board, not {len(state.views)!r}")
    used = list(range(len(state.views)))
    matrix, distortion, rms, sigma = _calibrate([state.views[i] for i in used], state.size)
    errors = [_view_error(view, matrix, distortion) for view in state.views]
    limit = OUTLIER_TIMES * float(np.median(errors))
    kept = [index for index in used if errors[index] <= limit]
    if 5 <= len(kept) < len(used):
        matrix, distortion, rms, sigma = _calibrate([state.views[i] for i in kept], state.size)
        errors = [_view_error(view, matrix, distortion) for view in state.views]
        used = kept
    left_out = tuple(sorted(set(range(len(state.views))) - set(used)))
    lens = Lens(matrix, distortion, state.size, rms, len(used))
    return LensResult(lens, tuple(errors), left_out, sigma)


def _board_corners(gray: GrayImage) -> tuple[FloatArray, npt.NDArray[np.int32], int]:
    """The board's corners, their ids, and how many of its markers were seen."""
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(lens_board()).detectBoard(gray)
    markers = 0 if marker_ids is None else len(np.ravel(marker_ids))
    if ids is None or corners is None:
        return np.zeros((0, 2)), np.zeros(0, np.int32), markers
    return np.asarray(corners, np.float64).reshape(-1, 2), np.asarray(np.ravel(ids), np.int32), markers


def _spread_px(gray: GrayImage, corners: FloatArray) -> float:
    """How blurred the chessboard is at its corners: sigma in px, from how steep its steepest steps are."""
    smooth = cv2.GaussianBlur(gray, (0, 0), 1.0).astype(np.float32)
    slope = cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8)
    spreads = []
    height, width = gray.shape
    for x, y in np.round(corners).astype(int):
        reach = 9
        if not (reach <= x < width - reach and reach <= y < height - reach):
            continue
        patch = smooth[y - reach : y + reach + 1, x - reach : x + reach + 1]
        steepest = float(np.percentile(slope[y - reach : y + reach + 1, x - reach : x + reach + 1], 95))
        contrast = float(np.percentile(patch, 95) - np.percentile(patch, 5))
        # A step blurred by sigma is steepest at contrast / (sigma sqrt(2 pi)); the smoothing's own 1 px is taken off.
        spreads.append(math.sqrt(max(0.0, (contrast / (steepest * math.sqrt(2 * math.pi) + 1e-9)) ** 2 - 1)))
    return float(np.median(spreads)) if spreads else 0.0


def _change_px(corners: FloatArray, ids: npt.NDArray[np.int32], other: BoardView) -> float:
    """The median shift of the corners that two views share; infinite where they share too few."""
    _, mine, theirs = np.intersect1d(ids, other.ids, return_indices=True)
    if len(mine) < 4:
        return math.inf
    return float(np.median(np.linalg.norm(corners[mine] - other.corners_px[theirs], axis=1)))


def _is_tilted(corners: FloatArray, ids: npt.NDArray[np.int32]) -> bool:
    """Whether the board's squares at one end look larger than at the other."""
    board = np.asarray(lens_board().getChessboardCorners(), np.float64)[ids][:, :2]
    homography: Any = cv2.findHomography(board, corners, 0)[0]
    if homography is None:
        return False
    ends = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.ptp(board, axis=0) + board.min(axis=0)
    x, y = ends[:, 0], ends[:, 1]
    depth = homography[2, 0] * x + homography[2, 1] * y + homography[2, 2]
    return bool(depth.max() / max(1e-9, depth.min()) > TILTED_RATIO)


def _calibrate(views: list[BoardView], size: tuple[int, int]) -> tuple[FloatArray, FloatArray, float, float]:
    board = np.asarray(lens_board().getChessboardCorners(), np.float32)
    points: Any = [board[view.ids].reshape(-1, 1, 3) for view in views]
    pixels: Any = [view.corners_px.astype(np.float32).reshape(-1, 1, 2) for view in views]
    # k3 stays 0: with a dozen views it trades against k1 and k2 and bends the picture's corners.
    guess = np.array([[0.85 * size[0], 0, (size[0] - 1) / 2], [0, 0.85 * size[0], (size[1] - 1) / 2], [0, 0, 1]])
    flags = cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS
    result: Any = cv2.calibrateCameraExtended(points, pixels, size, guess, np.zeros(5), flags=flags)
    rms, matrix, distortion, deviations = result[0], result[1], result[2], result[5]
    return (
        np.asarray(matrix, np.float64),
        np.asarray(np.ravel(distortion)[:5], np.float64),
        float(rms),
        float(np.ravel(deviations)[0]),
    )


def _view_error(view: BoardView, matrix: FloatArray, distortion: FloatArray) -> float:
    board = np.asarray(lens_board().getChessboardCorners(), np.float64)[view.ids]
    found, rotation, translation = cv2.solvePnP(board, view.corners_px, matrix, distortion)
    if not found:
        return math.inf
    pixels, _ = cv2.projectPoints(board, rotation, translation, matrix, distortion)
    away = np.asarray(pixels, np.float64).reshape(-1, 2) - view.corners_px
    return float(np.sqrt(np.mean(np.sum(away**2, axis=1))))
