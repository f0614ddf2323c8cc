"""What lens and sensor do to a rendered picture: bend, darken the corners, sharpen, add noise."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.training.scenes.scene import Camera, Sensor
from models.training.scenes.view import source_pixels

FloatArray = npt.NDArray[np.float32]


def bent(picture: FloatArray, camera: Camera, margin: float) -> FloatArray:
    """Bend an undistorted picture as the camera's lens does.

    Args:
        picture: shape (rows, columns, channels), `margin` times the camera's size.
        camera: whose distortion to apply.
        margin: as for `view.source_pixels`.

    Returns:
        Shape (camera rows, camera columns, channels), bilinear.
    """
    source = source_pixels(camera, margin)
    rows, columns = picture.shape[:2]
    x = np.clip(source[..., 0], 0, columns - 1.001)
    y = np.clip(source[..., 1], 0, rows - 1.001)
    i, j = np.floor(y).astype(int), np.floor(x).astype(int)
    v, u = (y - i)[..., None].astype(np.float32), (x - j)[..., None].astype(np.float32)
    top = picture[i, j] * (1 - u) + picture[i, j + 1] * u
    bottom = picture[i + 1, j] * (1 - u) + picture[i + 1, j + 1] * u
    result: FloatArray = (top * (1 - v) + bottom * v).astype(np.float32)
    return result


def bent_mask(mask: npt.NDArray[np.generic], camera: Camera, margin: float) -> npt.NDArray[np.generic]:
    """Bend a mask or a map of numbers, shape (rows, columns), taking the nearest pixel."""
    source = np.rint(source_pixels(camera, margin)).astype(int)
    rows, columns = mask.shape
    result: npt.NDArray[np.generic] = mask[
        np.clip(source[..., 1], 0, rows - 1), np.clip(source[..., 0], 0, columns - 1)
    ]
    return result


def seen(picture: FloatArray, sensor: Sensor) -> FloatArray:
    """Apply the sensor.

    Args:
        picture: shape (rows, columns, 3), display values 0..1.
        sensor: what to apply; its seed makes the noise.

    Returns:
        The same shape, clipped to 0..1.
    """
    generator = np.random.default_rng(sensor.seed)
    rows, columns = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    result = picture * (1 - sensor.vignetting * (x**2 + y**2)[..., None] / 2)
    if sensor.sharpening:
        padded = np.pad(result, ((1, 1), (1, 1), (0, 0)), mode="edge")
        soft = sum(padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)) / 9
        result = result + sensor.sharpening * (result - soft)
    grey = generator.normal(0, sensor.noise_sigma, (rows, columns, 1))
    colour = generator.normal(0, sensor.noise_sigma * 0.5, (rows, columns, 3))
    noisy: FloatArray = np.clip(result + (grey + colour) / 255, 0, 1).astype(np.float32)
    return noisy
