"""Whether a die on the table is cocked: where its pips lie on a top face that should be level.

On a level face the pips of 4, 5 and 6 lie on the corners of a square or rectangle. Laid back on the level plane at the
top's height, those of a leaning face are stretched and sheared; the least lean that explains them is told. One, two
and three pips say nothing: a lean only changes their distance, and no die tells how far apart its pips should be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from vision.observation import Point

FloatArray = npt.NDArray[np.float64]

LEAST_LEAN_DEGREES = 9.5
"""From it on a die is cocked. 800 drawn dice of 40 to 60 px, those with 4, 5 or 6 counted pips: of 154 level ones none
was told to lean at all; of 43 leaning by 26 to 45 degrees 42 reach it, of 44 by 14 to 26 degrees 27, of 24 by 8 to 14
degrees 2."""

STRETCH_TOLERANCE = 0.03
"""Pips are placed to so much of their square's side."""

ROWS_OF_SIX = (0.72, 0.8, 0.9, 1.0)
"""How far apart the rows of a 6 are, in parts of their length: on dice that are sold."""

MOST_LEAN_DEGREES = 50
"""A die that leans farther shows another face on top."""

TURN_STEP_DEGREES = 4
"""Directions of leaning are tried in such steps; leans in steps of a degree."""


def lean_degrees(spots_mm: Sequence[Point], towards_camera: FloatArray) -> float:
    """Give the least lean of a top face that explains where its pips lie; 0 for fewer than four pips.

    Args:
        spots_mm: the pips as laid on the level plane at the top face's height, 4, 5 or 6 of them.
        towards_camera: from the die to the camera, any length, z up.

    Returns:
        Degrees from level; 0 also where no lean explains them: then they are no face's pips.
    """
    if len(spots_mm) not in (4, 5, 6):
        return 0.0
    spots = np.asarray(spots_mm, np.float64)
    across, along = _half_sides(spots - spots.mean(axis=0))
    rows = ROWS_OF_SIX if len(spots) == 6 else (1.0,)
    shapes = [np.outer(across, across) / row**2 + np.outer(along, along) for row in rows]
    return min(_least_lean(shape, towards_camera) for shape in shapes)


def lean_of_cocked(spots_px: Sequence[Point], view: TableView, *, top_mm: float) -> float | None:
    """Give the lean in degrees of a die that is cocked; None for one that is level or tells nothing.

    Args:
        spots_px: middles of the counted pips in the frame.
        view: pose of the table.
        top_mm: height of a level die's top face over the table.
    """
    if len(spots_px) not in (4, 5, 6):
        return None
    spots = view.to_table(np.asarray(spots_px, np.float64), height_mm=top_mm)
    if not np.isfinite(spots).all():
        return None
    towards = view.camera_mm - np.array([*spots.mean(axis=0), top_mm])
    lean = lean_degrees([(float(x), float(y)) for x, y in spots], towards)
    return lean if lean >= LEAST_LEAN_DEGREES else None


def _half_sides(around: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Half sides, across the rows and along them, of the rectangle in whose corners pips around the origin lie."""
    left = list(range(len(around)))
    if len(left) % 2:
        left.remove(int(np.linalg.norm(around, axis=1).argmin()))
    pairs = []
    while left:
        one = left.pop(0)
        other = min(left, key=lambda k: float(np.linalg.norm(around[one] + around[k])))
        left.remove(other)
        pairs.append((around[one] - around[other]) / 2)
    if len(pairs) == 2:
        return (pairs[0] + pairs[1]) / 2, (pairs[0] - pairs[1]) / 2
    # The middle pips of a 6 are the pair that is closest together: from one row to the other.
    middle, one, other = sorted(pairs, key=lambda pair: float(np.linalg.norm(pair)))
    sides = (one + other) / 2, (one - other) / 2
    along = max(sides, key=lambda side: abs(float(side[0] * middle[1] - side[1] * middle[0])))
    return middle, along


def _least_lean(shape: FloatArray, towards_camera: FloatArray) -> float:
    """Least lean of a plane on which a circle is seen as this ellipse when laid on the level plane.

    Args:
        shape: the ellipse's matrix, of any scale.
        towards_camera: direction.
    """
    normals = _normals()
    slide = np.array([[1, 0, -towards_camera[0] / towards_camera[2]], [0, 1, -towards_camera[1] / towards_camera[2]]])
    seen = normals[normals @ (towards_camera / np.linalg.norm(towards_camera)) > 0.1]
    moved = seen @ slide.T
    ellipses = slide @ slide.T - moved[:, :, None] * moved[:, None, :]
    whole = np.linalg.det(shape) * np.linalg.det(ellipses)
    if not np.linalg.det(shape) > 1e-9:
        return 0.0
    # The axes' ratio between two ellipses of one area: the trace of one by the other's inverse is ratio + 1 / ratio.
    inverse = np.stack([ellipses[:, 1, 1], -ellipses[:, 0, 1], -ellipses[:, 1, 0], ellipses[:, 0, 0]], axis=1)
    trace = inverse @ np.array([shape[0, 0], shape[1, 0], shape[0, 1], shape[1, 1]]) / np.sqrt(whole)
    limit = (1 + STRETCH_TOLERANCE) ** 2
    fitting = np.nonzero(trace <= limit + 1 / limit)[0]
    return math.degrees(math.acos(min(1.0, float(seen[fitting, 2].max())))) if len(fitting) else 0.0


@cache
def _normals() -> FloatArray:
    """Directions that a top face may have, shape (n, 3), the level one first."""
    steps = [(t, p) for t in range(1, MOST_LEAN_DEGREES + 1) for p in range(0, 360, TURN_STEP_DEGREES)]
    lean, turn = np.radians(np.array([(0, 0), *steps], float)).T
    normals = np.stack([np.sin(lean) * np.cos(turn), np.sin(lean) * np.sin(turn), np.cos(lean)], axis=1)
    normals.setflags(write=False)
    return np.asarray(normals, np.float64)
