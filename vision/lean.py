"""How upright things lean in the picture from above, and what their lean tells about height and footprint.

From the point straight below the camera, the foot, everything leans outwards: a point at height h above (x, y) shows
at foot + ((x, y) - foot) * H / (H - h), where H is the camera's height.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView

FloatArray = npt.NDArray[np.float64]


def thrown(points_mm: npt.ArrayLike, height_mm: npt.ArrayLike, view: TableView) -> FloatArray:
    """Throw points at a height onto the table along the camera's rays, shape (n, 2)."""
    x, y, camera_height = view.camera_mm
    points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
    factor = camera_height / (camera_height - np.asarray(height_mm, dtype=np.float64))
    result: FloatArray = np.array([x, y]) + (points - (x, y)) * np.reshape(factor, (-1, 1))
    return result


def height_of_lean(foot_point_mm: npt.ArrayLike, seen_mm: npt.ArrayLike, view: TableView) -> float:
    """Give the height above `foot_point_mm` of what shows at `seen_mm`, in mm; below 0 where it leans inwards."""
    x, y, camera_height = view.camera_mm
    start = np.asarray(foot_point_mm, dtype=np.float64) - (x, y)
    end = np.asarray(seen_mm, dtype=np.float64) - (x, y)
    reach = float(np.linalg.norm(start))
    if reach < 1.0:
        return 0.0
    along = float(end @ start) / reach
    return float(camera_height * (1 - reach / max(along, 1e-6)))


def lean_at(point_mm: npt.ArrayLike, view: TableView) -> FloatArray:
    """Give the shift, shape (2,) in mm, of a point there for each millimetre of height."""
    x, y, camera_height = view.camera_mm
    lean: FloatArray = (np.asarray(point_mm, dtype=np.float64) - (x, y)) / camera_height
    return lean


def prism_outline(footprint_mm: FloatArray, height_mm: float, view: TableView) -> FloatArray:
    """Give the outline, shape (n, 2), that an upright prism shows: the hull of its footprint and its thrown top."""
    both = np.vstack([footprint_mm, thrown(footprint_mm, height_mm, view)]).astype(np.float32)
    return np.asarray(cv2.convexHull(both), dtype=np.float64).reshape(-1, 2)


def cube_outline(
    centre_mm: npt.ArrayLike, side_mm: float, yaw: float, view: TableView, *, on_mm: float = 0.0
) -> FloatArray:
    """Give the outline of a cube that lies flat, turned by `yaw` radians."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side_mm / 2
    cos, sin = math.cos(yaw), math.sin(yaw)
    base = square @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(centre_mm, dtype=np.float64)
    low = thrown(base, on_mm, view)
    high = thrown(base, on_mm + side_mm, view)
    return np.asarray(cv2.convexHull(np.vstack([low, high]).astype(np.float32)), dtype=np.float64).reshape(-1, 2)


def prism_of_silhouette(outline_mm: FloatArray, view: TableView, *, steps: int = 96) -> tuple[FloatArray, float]:
    """Undo the lean of an upright prism: its footprint, shape (n, 2), and height, from its outline alone.

    Seen from the camera's foot, each direction crosses the outline at a near and a far distance. The far one belongs to
    the top; at the outermost directions near and far are the same vertical edge, so their ratio there is H / (H - h).
    """
    x, y, camera_height = view.camera_mm
    away = outline_mm - (x, y)
    middle = away.mean(axis=0)
    turn = math.atan2(middle[1], middle[0])
    cos, sin = math.cos(turn), math.sin(turn)
    ahead = away @ np.array([[cos, -sin], [sin, cos]])
    if ahead[:, 0].min() < 2.0:  # the camera is right above: no lean to undo
        return outline_mm, 0.0
    slopes = ahead[:, 1] / ahead[:, 0]
    low, high = float(slopes.min()), float(slopes.max())
    directions = low + (high - low) * (np.arange(steps) + 0.5) / steps
    near, far = np.full(steps, np.inf), np.zeros(steps)
    after = np.roll(ahead, -1, axis=0)
    for one, two in zip(ahead, after, strict=True):
        first, second = one[1] / one[0], two[1] / two[0]
        inside = (directions - first) * (directions - second) <= 0
        if not inside.any():
            continue
        step = two - one
        across = step[1] - directions[inside] * step[0]
        across = np.where(np.abs(across) < 1e-9, 1e-9, across)
        share = np.clip((directions[inside] * one[0] - one[1]) / across, 0, 1)
        places = one[0] + share * step[0]
        near[inside] = np.minimum(near[inside], places)
        far[inside] = np.maximum(far[inside], places)
    good = np.isfinite(near) & (far > 0)
    near, far, directions = near[good], far[good], directions[good]
    if len(near) < 8:
        return outline_mm, 0.0
    # The ratio at the very ends cannot be measured. Of all heights that fit take the one that makes the footprint most
    # like what desks hold: a rectangle or a circle.
    ratios = far / near
    highest = max(1.0, float(np.quantile(ratios, 0.35)))
    best: tuple[float, FloatArray, float] = (-1.0, outline_mm, 0.0)
    for ratio in np.linspace(max(1.0, float(ratios.min()) * 0.97), highest, 28):
        back = np.maximum(far / ratio, near)
        local = np.vstack(
            [np.column_stack([near, near * directions]), np.column_stack([back, back * directions])[::-1]]
        )
        ring = np.asarray(cv2.convexHull(local.astype(np.float32)), dtype=np.float64).reshape(-1, 2)
        regular = _regularity(ring)
        if regular > best[0] + 0.004:
            best = (regular, local, camera_height * (1 - 1 / float(ratio)))
    footprint = best[1] @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
    return footprint, float(best[2])


def _regularity(ring: FloatArray) -> float:
    """Give how like a rectangle or a circle a convex outline is, 1 at most."""
    filled = abs(float(cv2.contourArea(ring.astype(np.float32))))
    (_, _), (width, depth), _ = cv2.minAreaRect(ring.astype(np.float32))
    round_the = float(np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1).sum())
    rectangle = filled / max(width * depth, 1e-9)
    return max(rectangle, 4 * math.pi * filled / max(round_the, 1e-9) ** 2 - 0.005)
