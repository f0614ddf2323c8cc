"""Where a die's top face is in the picture, and how it looks straight on."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.table_view import TableView
from vision.observation import Point
from vision.pip_spots import FloatArray, UInt8Array

Quad = tuple[Point, Point, Point, Point]
"""Corners of a top face in pixels of the picture, in order around it."""

MOST_PX = 160
"""Faces are flattened to at most this side: larger pips tell nothing more."""


def top_square(
    view: TableView, mm: Point, *, size_mm: float, height_mm: float = 0.0, turn_degrees: float = 0.0
) -> Quad:
    """Give the corners of the top face of a die that lies flat on the table.

    Args:
        view: pose of the table.
        mm: centre of the die on the table.
        size_mm: edge of the die.
        height_mm: of what the die lies on.
        turn_degrees: of the die, counter-clockwise seen from above; 0 is along the table's axes.
    """
    c, s = np.cos(np.radians(turn_degrees)), np.sin(np.radians(turn_degrees))
    around = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], float) * size_mm / 2 @ np.array([[c, s], [-s, c]])
    corners = view.to_frame(around + np.asarray(mm), height_mm=height_mm + size_mm)
    a, b, c_, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c_, d


def quad_side_px(quad: Quad) -> float:
    """Side in pixels of the square that has a quad's area."""
    return float(np.sqrt(max(cv2.contourArea(np.array(quad, np.float32)), 0.0)))


def flattened(image_bgr: UInt8Array, quad: Quad, *, side_px: int, margin: float = 0.0) -> UInt8Array:
    """Show a top face straight on.

    Args:
        image_bgr: the picture.
        quad: the face's corners.
        side_px: of the face in the result.
        margin: how much is shown around it on each side, in parts of its side.

    Returns:
        A square picture of side `side_px * (1 + 2 * margin)`; the border of the picture repeats outside it.
    """
    edge = round(side_px * (1 + 2 * margin))
    low, high = side_px * margin - 0.5, side_px * (1 + margin) - 0.5
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    source = np.array(quad, np.float32)
    # A quad seen larger than the result would be sampled too thinly: blur first by the excess.
    excess = quad_side_px(quad) / side_px
    if excess > 1.5:
        last = np.array(image_bgr.shape[1::-1]) - 1  # of a face beyond the picture its nearest pixels are shown
        left, top = np.clip(np.floor(source.min(axis=0) - 2 * side_px * margin), 0, last).astype(int)
        right, bottom = np.clip(np.ceil(source.max(axis=0) + 2 * side_px * margin), 0, last).astype(int) + 1
        image_bgr = np.asarray(
            cv2.GaussianBlur(image_bgr[top:bottom, left:right], (0, 0), 0.45 * excess), dtype=np.uint8
        )
        source = source - np.array([left, top], np.float32)
    transform = cv2.getPerspectiveTransform(source, square)
    warped = cv2.warpPerspective(
        image_bgr, transform, (edge, edge), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, dtype=np.uint8)


def points_in_frame(quad: Quad, points: FloatArray, *, side_px: int, margin: float = 0.0) -> FloatArray:
    """Map points, shape (n, 2), of a flattened face back to pixels of the picture."""
    low, high = side_px * margin - 0.5, side_px * (1 + margin) - 0.5
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    back = cv2.getPerspectiveTransform(square, np.array(quad, np.float32))
    mapped = cv2.perspectiveTransform(points.astype(np.float32).reshape(-1, 1, 2), back)
    return np.asarray(mapped, np.float32).reshape(-1, 2)
