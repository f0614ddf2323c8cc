"""Where a scene's points come to lie in its camera's picture: a pinhole with one radial coefficient."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from models.training.scenes.scene import Camera

FloatArray = npt.NDArray[np.float64]


def camera_axes(camera: Camera) -> FloatArray:
    """Give the camera's axes x right, y down, z into the scene as the rows of a matrix, shape (3, 3).

    Raises:
        ValueError: the camera stands in its own target.
    """
    forward = np.subtract(camera.target_mm, camera.at_mm).astype(np.float64)
    distance = float(np.linalg.norm(forward))
    if distance == 0:
        raise ValueError(f"the camera at {camera.at_mm!r} cannot look at the point where it stands")
    forward /= distance
    right = np.cross(forward, (0.0, 0.0, 1.0))
    if float(np.linalg.norm(right)) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])  # straight down: x stays to the right
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = math.radians(camera.roll_degrees)
    turned_right = math.cos(roll) * right + math.sin(roll) * down
    turned_down = -math.sin(roll) * right + math.cos(roll) * down
    return np.array([turned_right, turned_down, forward])


def to_frame(points_mm: npt.ArrayLike, camera: Camera) -> FloatArray:
    """Map table points to pixels of the distorted picture.

    Args:
        points_mm: shape (n, 3).
        camera: that takes the picture.

    Returns:
        Shape (n, 2), x right and y down, pixel centres at integers; NaN behind the camera and beyond the radius where
        the lens model folds back on itself.
    """
    relative = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) - np.array(camera.at_mm)
    in_camera = relative @ camera_axes(camera).T
    with np.errstate(divide="ignore", invalid="ignore"):
        flat = in_camera[:, :2] / in_camera[:, 2:3]
    radius2 = (flat**2).sum(1)
    factor = 1 + camera.k1 * radius2
    pixels = flat * factor[:, None] * camera.focal_px + principal_point(camera)
    folds = 1 + 3 * camera.k1 * radius2 <= 0
    pixels[(in_camera[:, 2] <= 1.0) | folds] = np.nan
    result: FloatArray = pixels
    return result


def principal_point(camera: Camera) -> FloatArray:
    """Give the picture's centre, shape (2,), with pixel centres at integers."""
    return np.array([(camera.size[0] - 1) / 2, (camera.size[1] - 1) / 2])


def undistorted_margin(camera: Camera) -> float:
    """Say how much larger an undistorted picture must be to hold all that the distorted one shows (1.0 or more).

    Raises:
        ValueError: the lens model folds back on itself within the picture.
    """
    corner = principal_point(camera) / camera.focal_px
    distorted = float(np.hypot(*corner))
    if camera.k1 < strongest_barrel(distorted):
        raise ValueError(f"no lens with {camera.focal_px!r} px of focal length has k1 = {camera.k1!r}")
    flat = undistorted_radius(np.array([distorted]), camera.k1)[0]
    return max(1.0, float(flat) / distorted)


def strongest_barrel(distorted_radius: float) -> float:
    """Give the most negative k1 whose lens model still reaches a radius in units of the focal length, less a tenth."""
    return -0.9 * (4 / 27) / distorted_radius**2  # r (1 + k1 r^2) has its maximum (2/3) / sqrt(-3 k1)


def undistorted_radius(distorted: FloatArray, k1: float) -> FloatArray:
    """Invert r * (1 + k1 * r**2) for radii in units of the focal length, by Newton's method."""
    radius = np.array(distorted, dtype=np.float64)
    for _ in range(12):
        radius = radius - (radius * (1 + k1 * radius**2) - distorted) / np.maximum(0.05, 1 + 3 * k1 * radius**2)
    result: FloatArray = radius
    return result


def source_pixels(camera: Camera, margin: float) -> FloatArray:
    """Say where in the undistorted, `margin` times larger picture each pixel of the distorted one comes from.

    Returns:
        Shape (rows, columns, 2): x and y in the larger picture, which has the same focal length in pixels and
        `round(size * margin)` pixels.
    """
    width, height = camera.size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    flat = (np.stack([x, y], axis=-1) - principal_point(camera)) / camera.focal_px
    distorted = np.hypot(flat[..., 0], flat[..., 1])
    radius = undistorted_radius(distorted, camera.k1)
    scale = np.where(distorted > 0, radius / np.maximum(distorted, 1e-12), 1.0)
    centre = np.array([(round(width * margin) - 1) / 2, (round(height * margin) - 1) / 2])
    result: FloatArray = flat * scale[..., None] * camera.focal_px + centre
    return result


def orbit(
    distance_mm: float, elevation_degrees: float, azimuth_degrees: float, target_mm: tuple[float, float]
) -> Camera:
    """Place a camera around a point of the table.

    Args:
        distance_mm: from the target.
        elevation_degrees: 90 looks straight down.
        azimuth_degrees: where the camera stands as seen from the target, counter-clockwise from +x.
        target_mm: x and y of the point it looks at.
    """
    e, a = math.radians(elevation_degrees), math.radians(azimuth_degrees)
    x, y = target_mm
    at = (
        x + distance_mm * math.cos(e) * math.cos(a),
        y + distance_mm * math.cos(e) * math.sin(a),
        distance_mm * math.sin(e),
    )
    return Camera(at_mm=at, target_mm=(x, y, 0.0))
