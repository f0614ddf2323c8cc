"""The scenes of sight: an eye, a target, obstacles, and the hidden share by brute force."""

from __future__ import annotations

import math

import numpy as np
from shapely import LineString, Point, Polygon

from rules.sight import (
    Eye,
    Figure,
    Obstacle,
    hidden_share,
)

Outline = tuple[tuple[float, float], ...]


def block(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def figure(name: str, x: float, y: float = 0.0, **more: object) -> Figure:
    return Figure(name, (x, y), 12.5, **{"height_mm": 32.0, **more})  # type: ignore[arg-type]  # free keywords


TARGET = Figure("Lokan", (100.0, 0.0), 12.5, 32.0)
EYE = Eye((0.0, 0.0), 28.0)


def share(outline: Outline, *, height: float | None = None, target: Figure = TARGET, eye: Eye = EYE) -> float:
    return hidden_share(eye, target, [Obstacle("block", outline, height)])


def sampled_share(eye: Eye, target: Figure, obstacles: list[Obstacle], *, across: int = 240, up: int = 400) -> float:
    """The hidden share by brute force: many sight lines, each against each prism, by shapely.

    Written from the rule's model and sharing nothing with the code under test.
    """
    (ex, ey), (tx, ty) = eye.at_mm, target.at_mm
    depth = math.dist(eye.at_mm, target.at_mm)
    side = (-(ty - ey) / depth, (tx - ex) / depth)
    bottom, top = target.base_mm, target.top_mm
    assert top is not None
    assert eye.height_mm is not None
    hidden = 0
    polygons = [(Polygon(obstacle.outline_mm), obstacle.height_mm) for obstacle in obstacles]
    heights = bottom + (np.arange(up) + 0.5) / up * (top - bottom)
    for column in range(across):
        offset = ((column + 0.5) / across * 2 - 1) * target.radius_mm
        line = LineString([eye.at_mm, (tx + side[0] * offset, ty + side[1] * offset)])
        is_hidden = np.zeros(up, dtype=bool)
        for polygon, height in polygons:
            inside = polygon.intersection(line)
            for part in getattr(inside, "geoms", [inside]):
                if part.length > 0:
                    ends = [line.project(Point(end)) / line.length for end in part.coords]
                    lowest = np.min([eye.height_mm + (heights - eye.height_mm) * end for end in ends], axis=0)
                    is_hidden |= lowest < (math.inf if height is None else height)
        hidden += int(is_hidden.sum())
    return hidden / (across * up)
