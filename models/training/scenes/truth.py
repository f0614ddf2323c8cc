"""The ground truth of a scene: what stands where, in mm and in pixels, and how much of it is to be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from models.training.scenes import dice_shape, mat_print
from models.training.scenes.scene import Camera, Obstacle, Scene
from models.training.scenes.solids import FloatArray, convex_outline
from models.training.scenes.turning import about_vertical, matrix
from models.training.scenes.view import to_frame

ROUND_SIDES = 16
"""Corners of a cylinder's outline."""


def table_truth(scene: Scene, shapes: Mapping[str, FloatArray], visible: Mapping[str, float]) -> dict[str, Any]:
    """Describe a scene in the form of a scored table.

    Args:
        scene: the table; things whose middle is beside the sheet are clutter and left out.
        shapes: for each figure its vertices in table mm, shape (n, 3).
        visible: for each thing the share of its silhouette that the picture shows, 0..1.

    Returns:
        JSON values: figures, dice, obstacles, mat, size.
    """
    figures = []
    for figure in scene.figures:
        shape = shapes[figure.name]
        low, high = shape.min(0), shape.max(0)
        middle = outline_middle(shape[:, :2]) if figure.tipped else np.array(figure.at_mm[:2])
        figures.append(
            {
                "mm": _rounded(middle),
                "pose": "tipped" if figure.tipped else "standing",
                "height_mm": round(float(high[2] - low[2]), 1),
                "base_mm": figure.base_mm,
                "model": figure.mesh or figure.family,
                "extent_mm": _rounded([low[0], low[1], high[0], high[1]]),
                "visible": round(visible[figure.name], 2),
                "box": box_px(shape, scene.camera),
            }
        )
    dice = [
        {
            "mm": _rounded(die.at_mm[:2]),
            "value": dice_shape.value_up(die.turn),
            "size_mm": die.size_mm,
            "colour": list(die.style.body),
            "visible": round(visible[die.name], 2),
            "box": box_px(die_corners(die.size_mm) @ matrix(die.turn).T + np.array(die.at_mm), scene.camera),
        }
        for die in scene.dice
    ]
    obstacles = [
        {
            "mm": _rounded(obstacle.at_mm),
            "outline_mm": [_rounded(corner) for corner in outline_mm(obstacle)],
            "height_mm": obstacle.size_mm[2],
            "name": obstacle.name,
            "visible": round(visible[obstacle.name], 2),
            "box": box_px(_prism(obstacle), scene.camera),
        }
        for obstacle in scene.obstacles
        if is_on_sheet(obstacle, scene)
    ]
    return {
        "figures": figures,
        "dice": dice,
        "obstacles": obstacles,
        "mat": scene.mat is not None,
        "size": list(scene.camera.size),
    }


def is_on_sheet(obstacle: Obstacle, scene: Scene) -> bool:
    """Say whether an obstacle's middle is on the mat's sheet."""
    width, height = mat_print.PAPER_MM[scene.mat.paper if scene.mat is not None else "a4"]
    return abs(obstacle.at_mm[0]) < width / 2 and abs(obstacle.at_mm[1]) < height / 2


def outline_mm(obstacle: Obstacle) -> FloatArray:
    """Give an obstacle's outline on the table, shape (4 or 16, 2)."""
    length, width, _ = obstacle.size_mm
    if obstacle.kind == "cylinder":
        angles = np.arange(ROUND_SIDES) * 2 * np.pi / ROUND_SIDES
        corners = np.column_stack([np.cos(angles), np.sin(angles)]) * length / 2
    else:
        corners = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * np.array([length, width]) / 2
    turned: FloatArray = corners @ matrix(about_vertical(obstacle.heading_degrees))[:2, :2].T + np.array(obstacle.at_mm)
    return turned


def die_corners(size_mm: float) -> FloatArray:
    """Give the corners of a die around its middle, pulled in as much as rounding takes away, shape (8, 3)."""
    half = size_mm / 2 * 0.93
    return np.array([(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)])


def outline_middle(points_mm: FloatArray) -> FloatArray:
    """Give the middle of the area of the convex outline of points, shape (n, 2)."""
    outline = convex_outline(points_mm)
    following = np.roll(outline, -1, axis=0)
    cross = outline[:, 0] * following[:, 1] - following[:, 0] * outline[:, 1]
    middle: FloatArray = ((outline + following) * cross[:, None]).sum(0) / (3 * cross.sum())
    return middle


def box_px(points_mm: FloatArray, camera: Camera) -> list[float] | None:
    """Give the box around points in the picture, clipped to it; None where nothing of it is inside."""
    pixels = to_frame(points_mm, camera)
    pixels = pixels[~np.isnan(pixels).any(1)]
    if not len(pixels):
        return None
    limit = np.array(camera.size) - 1
    low, high = np.clip(pixels.min(0), 0, limit), np.clip(pixels.max(0), 0, limit)
    return _rounded([*low, *high]) if (high > low).all() else None


def visible_shares(
    numbers: npt.NDArray[np.generic], silhouettes: Mapping[str, npt.NDArray[np.generic]]
) -> dict[str, float]:
    """Say how much of each thing is to be seen.

    Args:
        numbers: for each pixel the number of the nearest thing: its place in `silhouettes` plus one.
        silhouettes: for each thing the pixels that it would cover alone.

    Returns:
        For each thing 0..1; 0 for things outside the picture.
    """
    shares = {}
    for i, (name, alone) in enumerate(silhouettes.items()):
        whole = int(np.count_nonzero(alone))
        shares[name] = int(np.count_nonzero(alone & (numbers == i + 1))) / whole if whole else 0.0
    return shares


def _prism(obstacle: Obstacle) -> FloatArray:
    outline = outline_mm(obstacle)
    low = np.column_stack([outline, np.full(len(outline), obstacle.lift_mm)])
    return np.vstack([low, low + np.array([0, 0, obstacle.size_mm[2]])])


def _rounded(values: Any) -> list[float]:  # Any: anything iterable of numbers
    return [round(float(value), 1) for value in values]
