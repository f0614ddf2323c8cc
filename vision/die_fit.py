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
    dtype=np.float32,
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
_RAISED = np.repeat(np.array([1.0, 0.0, 0.5], dtype=np.float32), 4)
"""Where the edges' middles are for the shifts: those of the top, of the foot, the uprights."""
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
    around = np.tile(_SQUARE * (side_mm * 1.5 + 2 * REACH_MM) + np.asarray(mm), (2, 1))
    both = view.to_frame(np.column_stack([around, np.repeat((on_mm, on_mm + side_mm), 4)]))
    low = np.maximum(np.floor(np.nan_to_num(both.min(axis=0))).astype(int) - 2, 0)
    high = np.minimum(np.ceil(np.nan_to_num(both.max(axis=0))).astype(int) + 3, view.size)
    if (high - low < 12).any():
        return DieFit(mm, 0.0, side_mm, 0.0)
    crop = frame_bgr[low[1] : high[1], low[0] : high[0]]
    side_px = float(np.linalg.norm(both[5] - both[4])) * side_mm / (side_mm * 1.5 + 2 * REACH_MM)
    evidence = _Evidence(low.astype(np.float32), *_strongest(crop), pip_likeness(crop, side_px))
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


def _strongest(crop_bgr: Image) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Give each pixel's change to the right and downwards, in the channel in which it is strongest."""
    soft = cv2.GaussianBlur(crop_bgr, (0, 0), 1.0)
    across, down = (cv2.split(cv2.Sobel(soft, cv2.CV_32F, *axes, scale=0.125)) for axes in ((1, 0), (0, 1)))
    right, below = across[0], down[0]
    most = right * right + below * below
    for other_right, other_below in zip(across[1:], down[1:], strict=True):
        square = other_right * other_right + other_below * other_below
        is_stronger = square > most
        np.copyto(right, other_right, where=is_stronger)
        np.copyto(below, other_below, where=is_stronger)
        np.copyto(most, square, where=is_stronger)
    return np.asarray(right, dtype=np.float32), np.asarray(below, dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    origin: npt.NDArray[np.float32]
    """The crop's corner in the frame."""
    across: npt.NDArray[np.float32]
    """Shape (rows, columns): change to the right, in levels a pixel,"""
    down: npt.NDArray[np.float32]
    """and downwards."""
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
        base = (_SQUARE[None] * sides[:, None, None] @ turns.transpose(0, 2, 1) + middle).reshape(-1, 2)
        around = middle + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        heights, which = np.unique(np.concatenate([[on_mm], on_mm + sides]), return_inverse=True)
        points = np.vstack([base, base, np.tile(around, (len(heights), 1))])
        at = np.concatenate([np.full(len(base), on_mm), np.repeat(on_mm + sides, 4), np.repeat(heights, 3)])
        low, high, three = np.split(view.to_frame(np.column_stack([points, at])), [len(base), 2 * len(base)])
        three = three.reshape(-1, 3, 2)
        jacobians = np.stack([three[:, 1] - three[:, 0], three[:, 2] - three[:, 0]], axis=2)
        moved = (shifts @ jacobians.transpose(0, 2, 1)).astype(np.float32)[which.ravel()]
        to_camera = view.camera_mm[:2] - middle
        outward = _OUTWARD[None] @ turns.transpose(0, 2, 1)
        faces = outward @ to_camera > 0.15 * math.hypot(*to_camera)
        count = len(sides)
        low, high = low.reshape(count, 4, 2), high.reshape(count, 4, 2)
        return cls(start.mm, sides, yaws, shifts, moved[0], moved[1:], low, high, faces)


def explained_pips(likeness: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Say how well pips in the layouts of dice explain what is at the places for pips.

    Args:
        likeness: shape (9, faces, n): of n cubes the places of each face.

    Returns:
        Shape (2, faces, n), for dark pips and for bright ones; each pip that is where one may be counts about 1, each
        that is where none may be -1.
    """
    gains = []
    flat = likeness.reshape(len(likeness), -1)
    for signed in (flat, -flat):
        absent = np.maximum(signed, 0)
        gain = _LAYOUTS @ (signed - np.float32(LEAST_LIKENESS) + absent)
        gains.append(gain.max(axis=0) - absent.sum(axis=0))
    return np.stack(gains).reshape(2, *likeness.shape[1:])


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
    raised = _RAISED[edge][:, None, None]
    moved = cubes.moved_low * (1 - raised) + cubes.moved_high[cube] * raised
    across, down = _picked((evidence.across, evidence.down), evidence.origin, place, moved[None])
    across *= normal[cube, edge, 0][None, :, None]
    down *= normal[cube, edge, 1][None, :, None]
    steps = np.add(across, down, out=across)
    np.sqrt(np.minimum(np.abs(steps, out=steps), np.float32(40.0), out=steps), out=steps)
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
    raised = np.where(face[None] == 0, np.float32(1.0), _LATTICE_V[:, None]).astype(np.float32)[..., None, None]
    moved = cubes.moved_low * (1 - raised) + cubes.moved_high[cube] * raised
    (pips,) = _picked((evidence.pips,), evidence.origin, lattice, moved)
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


def _picked(
    planes: Sequence[npt.NDArray[np.float32]],
    origin: npt.NDArray[np.float32],
    points_px: FloatArray,
    moved_px: npt.NDArray[np.float32],
) -> list[npt.NDArray[np.float32]]:
    """Give what crops hold at the pixels nearest to points, for each shift of each; shape (p, e, n) of each crop.

    Args:
        planes: crops of the same place; beyond their edges they go on as there.
        origin: their corner in the frame.
        points_px: shape (p, e, 2).
        moved_px: the shifts, shape (p or 1, e, n, 2).
    """
    at = (points_px - origin).astype(np.float32)
    columns, rows = (at[..., k, None] + moved_px[..., k] for k in (0, 1))
    shape, wide = columns.shape, (-1, columns.shape[-1])
    maps = cv2.convertMaps(columns.reshape(wide), rows.reshape(wide), cv2.CV_16SC2, nninterpolation=True)
    found = (cv2.remap(plane, *maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE) for plane in planes)
    return [np.asarray(one, dtype=np.float32).reshape(shape) for one in found]
