"""Count the pips of a flattened top face by comparing it with drawn faces: a reader that has learnt nothing.

The top face is warped to a square; slow changes of light are taken out; along the two strongest colour axes of what
is left, it is correlated with drawn faces of every value, pip spacing, pip size, orientation and small displacement.
Because it knows only where pips may lie, its mistakes differ from those of the nets, which know what dice look like.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

FACE_PX = 32
"""Edge of the flattened face: a pip of the usual size is 5 px wide."""
SPACINGS = (0.36, 0.44, 0.52, 0.60)
"""Distance of corner pips from the middle in half edges; measured on dice of 16 makers they lie at 0.38 to 0.58."""
RADII = (0.13, 0.18, 0.23)
"""Pip radii in half edges."""
SHIFTS = (-0.09, 0.0, 0.09)
"""Displacements of the layout in half edges: the corners of the face are known to about a tenth."""
EDGE_SHARE = 0.92
"""Share of the face that is compared; rounded edges beyond differ between dice."""

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


def _layouts(spacing: float) -> list[tuple[int, list[tuple[float, float]]]]:
    a = spacing
    line, column = [(-a, 0.0), (a, 0.0)], [(0.0, -a), (0.0, a)]
    rising, falling = [(-a, a), (a, -a)], [(-a, -a), (a, a)]
    middle = [(0.0, 0.0)]
    out = [(1, middle)]
    for pair in (line, column, rising, falling):
        out += [(2, pair), (3, pair + middle)]
    close = 0.62 * a
    out += [(2, [(-close, close), (close, -close)]), (2, [(-close, -close), (close, close)])]
    out += [(4, rising + falling), (5, rising + falling + middle)]
    out.append((6, [(x, y) for x in (-a, a) for y in (-a, 0.0, a)]))
    out.append((6, [(x, y) for x in (-a, 0.0, a) for y in (-a, a)]))
    return out


@cache
def _templates() -> tuple[Singles, npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Unit templates (n, pixels), their values (n,), and which pixels of the face they cover."""
    at = (np.arange(FACE_PX) + 0.5) / FACE_PX * 2 - 1
    x, y = np.meshgrid(at, at)
    inside = np.maximum(np.abs(x), np.abs(y)) < EDGE_SHARE
    rows, values = [], []
    for spacing in SPACINGS:
        for radius in (*RADII, 0.34):
            for value, places in _layouts(spacing):
                if (
                    (radius > 0.3 and value != 1)
                    or (value == 1 and spacing != SPACINGS[0])
                    or 2.1 * radius > 2 * spacing
                ):
                    continue
                if value == 6 and 2.2 * radius > spacing:
                    continue
                for dx in SHIFTS:
                    for dy in SHIFTS:
                        face = np.zeros_like(x)
                        for px, py in places:
                            away = np.hypot(x - px - dx, y - py - dy)
                            face = np.maximum(face, 1 / (1 + np.exp((away - radius) * 28)))
                        smooth = cv2.GaussianBlur(face, (0, 0), FACE_PX / 7, borderType=cv2.BORDER_REFLECT)
                        row = (face - smooth)[inside]
                        row = row - row.mean()
                        rows.append(row / np.linalg.norm(row))
                        values.append(value)
    return np.array(rows, np.float32), np.array(values), inside


def flatten(frame_bgr: Picture, top_px: npt.ArrayLike) -> Picture:
    """Warp the top face to a square of 32 px.

    Args:
        frame_bgr: shape (height, width, 3).
        top_px: shape (4, 2), the face's corners in order around it.
    """
    corners = np.asarray(top_px, np.float32).reshape(4, 2)
    edge = float(np.mean(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)))
    goal = FACE_PX * max(1, min(8, round(edge / FACE_PX)))
    square = np.array([[0, 0], [goal, 0], [goal, goal], [0, goal]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(corners, square)
    face = cv2.warpPerspective(frame_bgr, warp, (goal, goal), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if goal > FACE_PX:
        face = cv2.resize(face, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(face, np.uint8)


def likeness(face_bgr: Picture) -> tuple[float, ...]:
    """How like each value the face is: the best correlation from 0 to 1 for the values 1 to 6.

    Args:
        face_bgr: shape (32, 32, 3), from `flatten`.
    """
    templates, values, inside = _templates()
    picture = cv2.GaussianBlur(face_bgr.astype(np.float32), (0, 0), 0.7)
    rest = picture - cv2.GaussianBlur(picture, (0, 0), FACE_PX / 7, borderType=cv2.BORDER_REFLECT)
    pixels = rest[inside]
    pixels = pixels - pixels.mean(axis=0)
    _, axes = np.linalg.eigh(pixels.T @ pixels)
    planes = pixels @ axes[:, 1:].astype(np.float32)
    planes = planes / (np.linalg.norm(planes, axis=0) + 20.0)
    match = np.abs(templates @ planes).max(axis=1)
    return tuple(float(match[values == value].max()) for value in range(1, 7))
