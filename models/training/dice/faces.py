"""A top face's square as seven numbers that a net can learn, and back.

A square seen in a picture is, nearly, an affine image of the unit square: corners = centre + A @ (+-1, +-1). Which
corner comes first is arbitrary, so corners cannot be learnt directly: a quarter turn renames them. A = L @ R with L
symmetric and R a rotation; L does not change under quarter turns, and R's angle counts only four times over, as
(cos 4t, sin 4t).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def encode(top_px: Floats, centre_px: Floats, size_px: float) -> Floats:
    """Encode four corners in order around the face.

    Args:
        top_px: shape (4, 2).
        centre_px: shape (2,), the box's centre.
        size_px: the box's longer edge.

    Returns:
        Shape (7,): the face's centre relative to the box's (2), L's entries xx, xy, yy (3), all in units of the size,
        and cos 4t, sin 4t (2).
    """
    e1 = (top_px[1] - top_px[0] + top_px[2] - top_px[3]) / 4
    e2 = (top_px[3] - top_px[0] + top_px[2] - top_px[1]) / 4
    a = np.stack([e1, e2], 1)
    if np.linalg.det(a) < 0:
        a = a[:, ::-1]
    values, vectors = np.linalg.eigh(a @ a.T)
    roots = np.sqrt(np.maximum(values, 1e-9))
    left = vectors @ np.diag(roots) @ vectors.T
    turn = vectors @ np.diag(1 / np.maximum(roots, 1e-4)) @ vectors.T @ a
    t = 4 * np.arctan2(turn[1, 0], turn[0, 0])
    middle = (top_px.mean(0) - centre_px) / size_px
    return np.array([*middle, left[0, 0] / size_px, left[0, 1] / size_px, left[1, 1] / size_px, np.cos(t), np.sin(t)])


def decode(code: Floats, centre_px: Floats, size_px: float) -> Floats:
    """Turn seven numbers back into four corners, shape (4, 2); the first corner is arbitrary."""
    left = np.array([[code[2], code[3]], [code[3], code[4]]]) * size_px
    t = np.arctan2(code[6], code[5]) / 4
    a = left @ np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    return np.asarray(centre_px + code[:2] * size_px + unit @ a.T, np.float64)
