"""Rotations as unit quaternions (w, x, y, z), and the few matrices that scenes need."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]

UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)
"""No rotation."""


def about_axis(axis: Vector, degrees: float) -> Quaternion:
    """Give the right-handed rotation by `degrees` about `axis` (any length but zero)."""
    length = math.sqrt(sum(part * part for part in axis))
    if length == 0:
        raise ValueError(f"a rotation needs an axis, not {axis!r}")
    half = math.radians(degrees) / 2
    x, y, z = (part / length * math.sin(half) for part in axis)
    return (math.cos(half), x, y, z)


def about_vertical(degrees: float) -> Quaternion:
    """Give the rotation counter-clockwise as seen from above."""
    return about_axis((0.0, 0.0, 1.0), degrees)


def times(first: Quaternion, second: Quaternion) -> Quaternion:
    """Give the rotation that turns by `second` and then by `first`, normalised."""
    a, b, c, d = first
    e, f, g, h = second
    parts = (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )
    length = math.sqrt(sum(part * part for part in parts))
    w, x, y, z = (part / length for part in parts)
    return (w, x, y, z)


def matrix(turn: Quaternion) -> FloatArray:
    """Give the rotation as a matrix, shape (3, 3), that acts on column vectors."""
    w, x, y, z = turn
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def from_matrix(rotation: FloatArray) -> Quaternion:
    """Give the quaternion with w >= 0 of a rotation matrix, shape (3, 3)."""
    m = rotation
    trace = float(m[0, 0] + m[1, 1] + m[2, 2])
    if trace > 0:
        s = math.sqrt(trace + 1) * 2
        parts = (s / 4, float(m[2, 1] - m[1, 2]) / s, float(m[0, 2] - m[2, 0]) / s, float(m[1, 0] - m[0, 1]) / s)
    else:
        i = int(np.argmax(np.diag(m)))
        j, k = (i + 1) % 3, (i + 2) % 3
        s = math.sqrt(max(1e-12, float(m[i, i] - m[j, j] - m[k, k] + 1))) * 2
        vector = [0.0, 0.0, 0.0]
        vector[i] = s / 4
        vector[j] = float(m[j, i] + m[i, j]) / s
        vector[k] = float(m[k, i] + m[i, k]) / s
        parts = (float(m[k, j] - m[j, k]) / s, vector[0], vector[1], vector[2])
    sign = 1.0 if parts[0] >= 0 else -1.0
    w, x, y, z = (sign * part for part in parts)
    return (w, x, y, z)


def between(start: Quaternion, end: Quaternion, share: float) -> Quaternion:
    """Interpolate from `start` (share 0) to `end` (share 1) along the shorter arc."""
    a, b = np.array(start), np.array(end)
    dot = float(a @ b)
    if dot < 0:
        b, dot = -b, -dot
    if dot > 0.9995:
        mixed = a + share * (b - a)
    else:
        angle = math.acos(dot)
        mixed = (math.sin((1 - share) * angle) * a + math.sin(share * angle) * b) / math.sin(angle)
    mixed = mixed / np.linalg.norm(mixed)
    w, x, y, z = (float(part) for part in mixed)
    return (w, x, y, z)
