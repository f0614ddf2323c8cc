"""Lay a cube over a die in the frame, edge on edge: its place to half a millimetre, its turn to a few degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from vision.rectify import Image

FloatArray = npt.NDArray[np.float64]

REACH_MM = 4.0
"""The finder's places of dice are this good or better: 95 % within 4 mm."""
SAMPLES = 7
"""Points along each edge at which the picture's gradient is asked."""
WEAKER_SAMPLES = 5
HOPELESS = 1.2
"""A cube that scores less after the first round is given up; what fits in the end scores 2 and more."""
PIP_OFFSET = 0.26
"""Of the outer pips from a face's middle, in sides, as dice are usually made."""
PIP_SIGMA = 0.07
"""Of the blur that fits a pip best, in sides."""
CLEAR_PIP_LEVELS = 10.0
LEAST_LIKENESS = 0.3
PIP_WEIGHT = 0.15
"""A pip explained counts as much as so much edge."""
_LAYOUTS = np.array(
    [
        [k in pips for k in range(9)]
        for pips in (
            {4}, {0, 8}, {2, 6}, {0, 4, 8}, {2, 4, 6}, {0, 2, 6, 8}, {0, 2, 4, 6, 8}, {0, 1, 2, 6, 7, 8},
            {0, 2, 3, 5, 6, 8},
        )
    ],
    dtype=np.float64,
)  # fmt: skip
_OFFSETS = np.array([0.5 - PIP_OFFSET, 0.5, 0.5 + PIP_OFFSET])
_LATTICE_U, _LATTICE_V = np.tile(_OFFSETS, 3), np.repeat(_OFFSETS, 3)
_LATTICE = np.column_stack(
    [
        (1 - _LATTICE_U) * (1 - _LATTICE_V), _LATTICE_U * (1 - _LATTICE_V), _LATTICE_U * _LATTICE_V,
        (1 - _LATTICE_U) * _LATTICE_V,
    ]
)  # fmt: skip
"""Shape (9, 4): where the places for pips lie between a face's corners."""
_SHARES = (np.arange(SAMPLES) + 0.5) / SAMPLES
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True, eq=False)
class DieFit:
    """A cube laid over a die."""

    mm: tuple[float, float]
    yaw: float
    """Turn about the vertical in radians, 0 to a quarter turn."""
    side_mm: float
    score: float
    """Mean step of the grey value across the cube's edges, in levels for each pixel."""

    def base_mm(self) -> FloatArray:
        """Give the corners of the footprint, shape (4, 2), counter-clockwise."""
        return np.asarray(_SQUARE * self.side_mm @ _turn(self.yaw).T + np.asarray(self.mm))


def _turn(yaw: float) -> FloatArray:
    cos, sin = math.cos(yaw), math.sin(yaw)
    return np.array([[cos, -sin], [sin, cos]])


def fit_die(
    frame_bgr: Image, view: TableView, mm: tuple[float, float], side_mm: float, *, on_mm: float = 0.0
) -> DieFit:
    """Search around a rough place for the cube whose edges lie on edges of the picture.

    Args:
        frame_bgr: the frame.
        view: pose of the table in it.
        mm: rough place of the die's middle.
        side_mm: rough side; sides up to 12 % off are tried.
        on_mm: height of what the die lies on.
    """
    corners = view.to_frame(_SQUARE * (side_mm * 1.5 + 2 * REACH_MM) + np.asarray(mm), height_mm=on_mm)
    tops = view.to_frame(_SQUARE * (side_mm * 1.5 + 2 * REACH_MM) + np.asarray(mm), height_mm=on_mm + side_mm)
    both = np.vstack([corners, tops])
    low = np.maximum(np.floor(np.nan_to_num(both.min(axis=0))).astype(int) - 2, 0)
    high = np.minimum(np.ceil(np.nan_to_num(both.max(axis=0))).astype(int) + 3, view.size)
    if (high - low < 12).any():
        return DieFit(mm, 0.0, side_mm, 0.0)
    crop = cv2.GaussianBlur(frame_bgr[low[1] : high[1], low[0] : high[0]], (0, 0), 1.0).astype(np.float32)
    across, down = (
        np.asarray(cv2.Sobel(crop, cv2.CV_32F, *axes, scale=0.125), dtype=np.float32) for axes in ((1, 0), (0, 1))
    )
    side_px = float(np.linalg.norm(tops[1] - tops[0])) * side_mm / (side_mm * 1.5 + 2 * REACH_MM)
    pips = pip_likeness(frame_bgr[low[1] : high[1], low[0] : high[0]], side_px)
    evidence = _Evidence(view, on_mm, low.astype(np.float32), _strongest(across, down), pips)
    best = DieFit(mm, 0.0, side_mm, -math.inf)
    yaws = np.arange(0, 90, 9.0)
    for span, step, sizes, turns in (
        (REACH_MM, REACH_MM / 3, (0.84, 0.95, 1.07), yaws),
        (1.0, 0.5, (0.92, 1.0, 1.08), np.array([-4.0, 0.0, 4.0])),
        (0.5, 0.25, (0.97, 1.0, 1.03), np.array([-2.0, 0.0, 2.0])),
    ):
        start = best
        for size in sizes:
            grid = _Grid.around(view, start.mm, start.side_mm * size, on_mm, span, step)
            for turn in turns:
                yaw = math.radians(float(turn)) + (start.yaw if span < REACH_MM else 0.0)
                found, score = _best_shift(evidence, grid, yaw)
                if score > best.score:
                    best = DieFit(found, yaw % (math.pi / 2), grid.side_mm, score)
        if best.score < HOPELESS:
            break
    return best


def _strongest(across: npt.NDArray[np.float32], down: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Give each pixel's gradient in the channel in which it is strongest, shape (rows, columns, 2)."""
    channel = (across * across + down * down).argmax(axis=2)[..., None]
    both = [np.take_along_axis(part, channel, axis=2)[..., 0] for part in (across, down)]
    return np.ascontiguousarray(np.stack(both, axis=-1), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    view: TableView
    on_mm: float
    origin: npt.NDArray[np.float32]
    """The crop's corner in the frame."""
    gradient: npt.NDArray[np.float32]
    """Shape (rows, columns, 2)."""
    pips: npt.NDArray[np.float32]
    """Shape (rows, columns), see `pip_likeness`."""


def pip_likeness(crop_bgr: Image, side_px: float) -> npt.NDArray[np.float32]:
    """Say how much each place looks like the middle of a dark pip (up to 1) or of a bright one (down to -1).

    Args:
        crop_bgr: shape (rows, columns, 3).
        side_px: side of the die in it.
    """
    grey = cv2.cvtColor(crop_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    sigma = max(0.6, PIP_SIGMA * side_px)
    contrast = cv2.GaussianBlur(grey, (0, 0), 2 * sigma) - cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(np.tanh(contrast / CLEAR_PIP_LEVELS), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Places to try for a cube of one size, all at once."""

    mm: tuple[float, float]
    side_mm: float
    shifts: npt.NDArray[np.float32]
    """Shape (n, 2), millimetres."""
    moved_low: npt.NDArray[np.float32]
    """Shape (n, 2): what the shifts are in pixels, at the foot of the cube,"""
    moved_high: npt.NDArray[np.float32]
    """and at its top."""

    @classmethod
    def around(
        cls, view: TableView, mm: tuple[float, float], side: float, on_mm: float, span: float, step: float
    ) -> Self:
        """Lay a square grid around a place."""
        offsets = np.arange(-span, span + 1e-6, step)
        shifts = np.array([(a, b) for a in offsets for b in offsets], dtype=np.float32)
        moved = []
        for z in (on_mm, on_mm + side):
            around = view.to_frame(np.asarray(mm) + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), height_mm=z)
            jacobian = np.column_stack([around[1] - around[0], around[2] - around[0]])
            moved.append((shifts @ jacobian.T).astype(np.float32))
        return cls(mm, side, shifts, moved[0], moved[1])


def explained_pips(likeness: npt.NDArray[np.float32]) -> FloatArray:
    """Say how well pips in the layouts of dice explain what is at the places for pips.

    Args:
        likeness: shape (n, 9 * faces), the top face first.

    Returns:
        Shape (n,); each pip that is where one may be counts about 1, each that is where none may be -1.
    """
    by_face = likeness.reshape(len(likeness), -1, 9)
    best = np.full(len(likeness), -np.inf)
    for sign in (1.0, -1.0):
        present = sign * by_face - LEAST_LIKENESS
        absent = np.maximum(sign * by_face, 0)
        gain = (present + absent) @ _LAYOUTS.T - absent.sum(axis=2, keepdims=True)
        best = np.maximum(best, gain.max(axis=2).sum(axis=1))
    return best


def _best_shift(evidence: _Evidence, grid: _Grid, yaw: float) -> tuple[tuple[float, float], float]:
    """Try all places of the grid for a cube of one turn."""
    view, side = evidence.view, grid.side_mm
    middle = np.asarray(grid.mm)
    base = _SQUARE * side @ _turn(yaw).T + middle
    low, high = view.to_frame(base, height_mm=evidence.on_mm), view.to_frame(base, height_mm=evidence.on_mm + side)
    to_camera = view.camera_mm[:2] - middle
    outward = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]) @ _turn(yaw).T
    faces = outward @ to_camera > 0.15 * math.hypot(*to_camera)
    sides = np.nonzero(faces)[0]
    uprights = np.nonzero(faces | np.roll(faces, 1))[0]
    start = np.concatenate([high, low[sides], low[uprights]])
    along = np.concatenate([np.roll(high, -1, axis=0), low[(sides + 1) % 4], high[uprights]]) - start
    raised = np.repeat((1.0, 0.0, 0.5), (4, len(sides), len(uprights)))
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)
    place = (start[:, None] + _SHARES[:, None] * along[:, None]).reshape(-1, 2)
    normal = np.repeat(np.column_stack([-along[:, 1], along[:, 0]]) / length[:, None], SAMPLES, axis=0)
    found = evidence.gradient[_moved(evidence, grid, place, np.repeat(raised, SAMPLES))]
    normal = normal.astype(np.float32)
    steps = np.abs(found[..., 0] * normal[:, 0] + found[..., 1] * normal[:, 1])
    # A cube's edge is there along all its length, a row of pips only here and there: the weaker part of each edge
    # counts, and strong steps with their root.
    by_edge = np.sort(np.sqrt(np.minimum(steps, 40.0)).reshape(len(steps), -1, SAMPLES), axis=2)
    scores = by_edge[:, :, :WEAKER_SAMPLES].mean(axis=(1, 2))
    corners = [high] + [np.stack([low[k], low[k - 3], high[k - 3], high[k]]) for k in sides]
    lattice = np.concatenate([_LATTICE @ four for four in corners])
    heights = np.concatenate([np.ones(9), *(_LATTICE_V for _ in sides)])
    pips = evidence.pips[_moved(evidence, grid, lattice, heights)]
    scores = scores + PIP_WEIGHT * explained_pips(pips)
    best = int(np.argmax(scores - 0.02 * np.hypot(grid.shifts[:, 0], grid.shifts[:, 1])))
    x, y = grid.mm
    return (x + float(grid.shifts[best, 0]), y + float(grid.shifts[best, 1])), float(scores[best])


def _moved(
    evidence: _Evidence, grid: _Grid, points_px: FloatArray, heights: FloatArray
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Give rows and columns in the crop of points of the cube, for each place of the grid; shape (n, points) each."""
    share = heights.astype(np.float32)
    at = (points_px - evidence.origin).astype(np.float32)
    limits = evidence.pips.shape
    rows, columns = (
        np.clip(
            at[:, k] + grid.moved_low[:, k, None] * (1 - share) + grid.moved_high[:, k, None] * share + np.float32(0.5),
            0,
            limits[1 - k] - 1,
        ).astype(np.int32)
        for k in (1, 0)
    )
    return rows, columns
