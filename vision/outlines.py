"""Measures of outlines: areas, overlap, how like a rectangle or a circle they are."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def area(outline: FloatArray) -> float:
    """Give the area within a closed outline, shape (n, 2)."""
    if len(outline) < 3:
        return 0.0
    after = np.roll(outline, -1, axis=0)
    return abs(float((outline[:, 0] * after[:, 1] - outline[:, 1] * after[:, 0]).sum())) / 2


def hull(points: FloatArray) -> FloatArray:
    """Give the convex hull, counter-clockwise with y up."""
    ring = np.asarray(cv2.convexHull(points.astype(np.float32)), dtype=np.float64).reshape(-1, 2)
    after = np.roll(ring, -1, axis=0)
    signed = float((ring[:, 0] * after[:, 1] - ring[:, 1] * after[:, 0]).sum())
    return ring if signed >= 0 else ring[::-1]


def overlap(one: FloatArray, other: FloatArray, *, step: float = 0.5) -> float:
    """Give intersection over union of two outlines, drawn on a grid of `step`."""
    both = np.vstack([one, other])
    low = both.min(axis=0) - step
    size = np.ceil((both.max(axis=0) - low) / step).astype(int) + 2
    if size.max() > 2000:
        return 0.0
    drawn = []
    for ring in (one, other):
        canvas = np.zeros((size[1], size[0]), np.uint8)
        # Filling takes in the pixels that the outline crosses: half a step inwards makes the areas true.
        middle = ring.mean(axis=0)
        inner = ring + np.sign(middle - ring) * np.minimum(np.abs(middle - ring), step / 2)
        cv2.fillPoly(canvas, [np.round((inner - low) / step * 16).astype(np.int32)], 1, shift=4)
        drawn.append(canvas)
    union = int((drawn[0] | drawn[1]).sum())
    return int((drawn[0] & drawn[1]).sum()) / union if union else 0.0


def rectangle_of(outline: FloatArray) -> tuple[FloatArray, float]:
    """Give the least rectangle around an outline, shape (4, 2), and how much of it the outline fills."""
    corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))), dtype=np.float64)
    return hull(corners), area(outline) / max(area(corners), 1e-9)


def circle_of(outline: FloatArray) -> tuple[FloatArray, float, float]:
    """Give centre, radius and fill of the circle of the hull's area around its middle; the fill is an overlap."""
    moments = cv2.moments(outline.astype(np.float32))
    if moments["m00"] <= 0:
        return outline.mean(axis=0), 0.0, 0.0
    centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    radius = math.sqrt(area(outline) / math.pi)
    angle = np.arange(32) * 2 * math.pi / 32
    ring = centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return centre, radius, overlap(outline, ring)


def fit_circle(points: FloatArray) -> tuple[FloatArray, float]:
    """Fit a circle to points, shape (n, 2), by least squares: centre and radius."""
    middle = points.mean(axis=0)
    shifted = points - middle
    design = np.column_stack([2 * shifted, np.ones(len(shifted))])
    solution, *_ = np.linalg.lstsq(design, (shifted**2).sum(axis=1), rcond=None)
    centre = solution[:2]
    return centre + middle, math.sqrt(max(0.0, float(solution[2] + centre @ centre)))
