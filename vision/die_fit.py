"""Lay a cube over a die in the frame, edge on edge: its place to half a millimetre, its turn to a few degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
_OUTWARD = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
_RAISED = np.repeat((1.0, 0.0, 0.5), 4)
"""Where the edges' middles are for the shifts: those of the top, of the foot, the uprights."""
_LAYOUTS_T = np.ascontiguousarray(_LAYOUTS.T, dtype=np.float32)
_ROUNDS = (
    (REACH_MM, REACH_MM / 3, (0.84, 0.95, 1.07), np.radians(np.arange(0, 90, 9.0))),
    (1.0, 0.5, (0.92, 1.0, 1.08), np.radians([-4.0, 0.0, 4.0])),
    (0.5, 0.25, (0.97, 1.0, 1.03), np.radians([-2.0, 0.0, 2.0])),
)
"""How far the place is searched and how densely, in mm, and which sides and turns are tried there."""


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
    for span, step, sizes, turns in _ROUNDS:
        from_yaw = best.yaw if span < REACH_MM else 0.0
        cubes = _Cubes.around(
            view, best, [(size, from_yaw + turn) for size in sizes for turn in turns], on_mm, span, step
        )
        found = _best_of(evidence, cubes)
        if found.score > best.score:
            best = found
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
class _Cubes:
    """Cubes of several sides and turns, each to be tried at the same n shifts; c of them, all at once."""

    mm: tuple[float, float]
    sides_mm: FloatArray
    """Shape (c,)."""
    yaws: FloatArray
    """Shape (c,)."""
    shifts: npt.NDArray[np.float32]
    """Shape (n, 2), millimetres."""
    moved_low: npt.NDArray[np.float32]
    """Shape (n, 2): what the shifts are in pixels, at the foot of the cubes,"""
    moved_high: npt.NDArray[np.float32]
    """shape (c, n, 2): and at the top of each."""
    low: FloatArray
    """Shape (c, 4, 2): corners of the foot in the frame, not shifted,"""
    high: FloatArray
    """and of the top."""
    faces: npt.NDArray[np.bool_]
    """Shape (c, 4): which sides the camera sees."""

    @classmethod
    def around(
        cls,
        view: TableView,
        start: DieFit,
        kinds: Sequence[tuple[float, float]],
        on_mm: float,
        span: float,
        step: float,
    ) -> Self:
        """Lay a square grid of shifts around where a cube lies now.

        Args:
            view: pose of the table.
            start: the cube.
            kinds: for each cube that is tried its side, as a share of `start`'s, and its turn.
            on_mm: height of what the die lies on.
            span: how far the shifts go, and
            step: how dense they are, in mm.
        """
        offsets = np.arange(-span, span + 1e-6, step)
        shifts = np.array([(a, b) for a in offsets for b in offsets], dtype=np.float32)
        shares, yaws = np.array(kinds).T
        sides, middle = start.side_mm * shares, np.asarray(start.mm)
        cos, sin = np.cos(yaws), np.sin(yaws)
        turns = np.stack([cos, -sin, sin, cos], axis=1).reshape(-1, 2, 2)
        base = _SQUARE[None] * sides[:, None, None] @ turns.transpose(0, 2, 1) + middle
        tops = np.repeat(on_mm + sides, 4)
        low = view.to_frame(base.reshape(-1, 2), height_mm=on_mm)
        high = view.to_frame(np.column_stack([base.reshape(-1, 2), tops]))
        around = middle + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        heights, which = np.unique(np.concatenate([[on_mm], on_mm + sides]), return_inverse=True)
        three = view.to_frame(np.column_stack([np.tile(around, (len(heights), 1)), np.repeat(heights, 3)])).reshape(
            -1, 3, 2
        )
        jacobians = np.stack([three[:, 1] - three[:, 0], three[:, 2] - three[:, 0]], axis=2)
        moved = (shifts @ jacobians.transpose(0, 2, 1)).astype(np.float32)[which.ravel()]
        to_camera = view.camera_mm[:2] - middle
        outward = _OUTWARD[None] @ turns.transpose(0, 2, 1)
        faces = outward @ to_camera > 0.15 * math.hypot(*to_camera)
        count = len(sides)
        low, high = low.reshape(count, 4, 2), high.reshape(count, 4, 2)
        return cls(start.mm, sides, yaws, shifts, moved[0], moved[1:], low, high, faces)


def explained_pips(likeness: FloatArray | npt.NDArray[np.float32]) -> FloatArray:
    """Say how well pips in the layouts of dice explain what is at the places for pips.

    Args:
        likeness: shape (faces, n, 9): of n cubes the places of each face.

    Returns:
        Shape (2, faces, n), for dark pips and for bright ones; each pip that is where one may be counts about 1, each
        that is where none may be -1.
    """
    gains = []
    for sign in (1.0, -1.0):
        signed = sign * likeness
        absent = np.maximum(signed, 0)
        gain = (signed - LEAST_LIKENESS + absent) @ _LAYOUTS_T
        gains.append(gain.max(axis=-1) - absent.sum(axis=-1))
    return np.stack(gains)


def _best_of(evidence: _Evidence, cubes: _Cubes) -> DieFit:
    """Try all cubes at all shifts."""
    count, shifts = len(cubes.sides_mm), len(cubes.shifts)
    low, high, faces = cubes.low, cubes.high, cubes.faces
    start = np.concatenate([high, low, low], axis=1)
    along = np.concatenate([np.roll(high, -1, axis=1), np.roll(low, -1, axis=1), high], axis=1) - start
    seen = np.concatenate([np.ones_like(faces), faces, faces | np.roll(faces, 1, axis=1)], axis=1)
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-6)
    normal = (np.stack([-along[..., 1], along[..., 0]], axis=-1) / length[..., None]).astype(np.float32)
    # Only the edges that the camera sees are asked: e of all cubes' edges, the samples of each in a row of their own.
    cube, edge = np.nonzero(seen)
    place = start[cube, edge][None] + _SHARES[:, None, None] * along[cube, edge][None]
    at = _moved(evidence, cubes, cube, place, _RAISED[edge])
    found = evidence.gradient[at]
    across, down = normal[cube, edge, 0][None, :, None], normal[cube, edge, 1][None, :, None]
    steps = np.sqrt(np.minimum(np.abs(found[..., 0] * across + found[..., 1] * down), np.float32(40.0)))
    # A cube's edge is there along all its length, a row of pips only here and there: the weaker part of each edge
    # counts, and strong steps with their root.
    weaker = _weaker_mean(steps)
    first = np.searchsorted(cube, np.arange(count))
    scores = np.add.reduceat(weaker, first, axis=0) / seen.sum(axis=1)[:, None]
    corners = np.stack(
        [high] + [np.stack([low[:, k], low[:, k - 3], high[:, k - 3], high[:, k]], axis=1) for k in range(4)], axis=1
    )
    cube, face = np.nonzero(np.concatenate([np.ones((count, 1), np.bool_), faces], axis=1))
    lattice = (_LATTICE @ corners[cube, face]).transpose(1, 0, 2)
    heights = np.where(face[None] == 0, 1.0, _LATTICE_V[:, None])
    pips = evidence.pips[_moved(evidence, cubes, cube, lattice, heights)].transpose(1, 2, 0)
    first = np.searchsorted(cube, np.arange(count))
    explained = np.add.reduceat(explained_pips(pips), first, axis=1).max(axis=0)
    scores = scores + PIP_WEIGHT * explained
    places = np.argmax(scores - 0.02 * np.hypot(cubes.shifts[:, 0], cubes.shifts[:, 1]), axis=1)
    best = int(np.argmax(scores[np.arange(count), places]))
    shift = cubes.shifts[places[best]]
    x, y = cubes.mm
    assert scores.shape == (count, shifts)
    return DieFit(
        (x + float(shift[0]), y + float(shift[1])),
        float(cubes.yaws[best]) % (math.pi / 2),
        float(cubes.sides_mm[best]),
        float(scores[best, places[best]]),
    )


def _weaker_mean(steps: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Give the mean of all but the two strongest of the samples, shape (e, n), of the shape (`SAMPLES`, e, n)."""
    strongest, second = np.maximum(steps[0], steps[1]), np.minimum(steps[0], steps[1])
    for sample in steps[2:]:
        second = np.maximum(second, np.minimum(strongest, sample))
        strongest = np.maximum(strongest, sample)
    total: npt.NDArray[np.float32] = (steps.sum(axis=0) - strongest - second) / np.float32(WEAKER_SAMPLES)
    return total


def _moved(
    evidence: _Evidence,
    cubes: _Cubes,
    cube: npt.NDArray[np.intp],
    points_px: FloatArray,
    heights: FloatArray,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Give rows and columns in the crop of points of cubes, for each shift; shape (p, e, n) each.

    Args:
        evidence: has the crop.
        cubes: with the shifts.
        cube: shape (e,), which cube each column of points belongs to.
        points_px: shape (p, e, 2).
        heights: 0 at the foot of the cube to 1 at its top, broadcast to (p, e).
    """
    share = np.broadcast_to(heights, points_px.shape[:2]).astype(np.float32)[..., None]
    at = (points_px - evidence.origin).astype(np.float32)
    limits = evidence.pips.shape
    rows, columns = (
        np.clip(
            at[..., k, None]
            + cubes.moved_low[None, None, :, k] * (1 - share)
            + cubes.moved_high[cube, :, k][None] * share
            + np.float32(0.5),
            0,
            limits[1 - k] - 1,
        ).astype(np.int32)
        for k in (1, 0)
    )
    return rows, columns
