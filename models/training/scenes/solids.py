"""Simple solids as triangle meshes, from which figures, hands and obstacles are put together. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.training.scenes.turning import UPRIGHT, Quaternion, Vector, matrix

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A triangle mesh of one material."""

    vertices: FloatArray
    """Shape (n, 3), in mm."""
    faces: IntArray
    """Shape (m, 3), counter-clockwise as seen from outside."""
    material: str
    is_fused: bool = True
    """Whether the renderer melts it together with the other fused solids of its material."""


def moved(solid: Solid, *, turn: Quaternion = UPRIGHT, shift: Vector = (0.0, 0.0, 0.0), scale: float = 1.0) -> Solid:
    """Scale, then turn, then shift a solid."""
    vertices = solid.vertices * scale @ matrix(turn).T + np.array(shift)
    return Solid(vertices, solid.faces, solid.material, solid.is_fused)


def _grid_faces(rings: int, segments: int, *, first_pole: int, last_pole: int) -> IntArray:
    faces = []
    for i in range(rings - 1):
        for j in range(segments):
            a, b = i * segments + j, i * segments + (j + 1) % segments
            c, d = a + segments, b + segments
            faces += [(a, b, d), (a, d, c)]
    top = (rings - 1) * segments
    for j in range(segments):
        k = (j + 1) % segments
        faces += [(first_pole, k, j), (last_pole, top + j, top + k)]
    return np.array(faces, dtype=np.int32)


def lathe(profile: Sequence[tuple[float, float]], material: str, *, segments: int = 32, is_fused: bool = True) -> Solid:
    """Turn a profile about the z axis.

    Args:
        profile: radius and z from the bottom to the top; closed by caps.
        material: name of the material.
        segments: around the axis.
        is_fused: as in `Solid`.
    """
    angles = np.arange(segments) * (2 * math.pi / segments)
    rings = [np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(segments, z)]) for r, z in profile]
    poles = np.array([[0.0, 0.0, profile[0][1]], [0.0, 0.0, profile[-1][1]]])
    vertices = np.vstack([*rings, poles])
    count = len(profile) * segments
    return Solid(
        vertices, _grid_faces(len(profile), segments, first_pole=count, last_pole=count + 1), material, is_fused
    )


def ellipsoid(centre: Vector, radii: Vector, material: str, *, turn: Quaternion = UPRIGHT, segments: int = 20) -> Solid:
    """Make an ellipsoid with the given half axes."""
    rings = segments // 2
    angles = [math.pi * (i + 0.5) / rings for i in range(rings)]
    ball = lathe([(math.sin(a), -math.cos(a)) for a in angles], material, segments=segments)
    vertices = ball.vertices.copy()
    vertices[-2:, 2] = (-1, 1)
    return moved(Solid(vertices * np.array(radii), ball.faces, material), turn=turn, shift=centre)


def limb(start: Vector, end: Vector, start_radius: float, end_radius: float, material: str) -> Solid:
    """Make a rod with round ends and another thickness at either end."""
    a, b = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    axis = b - a
    length = float(np.linalg.norm(axis))
    if length < 1e-6:
        return ellipsoid(start, (start_radius,) * 3, material)
    steps = [math.pi / 2 * i / 4 for i in range(5)]
    profile = [(start_radius * math.sin(s + 1e-3), -start_radius * math.cos(s)) for s in steps]
    profile += [(end_radius * math.cos(s) + 1e-4, length + end_radius * math.sin(s)) for s in steps]
    rod = lathe(profile, material, segments=14)
    z = axis / length
    x = np.cross(z, (0.0, 0.0, 1.0) if abs(z[2]) < 0.9 else (1.0, 0.0, 0.0))
    x /= np.linalg.norm(x)
    frame = np.column_stack([x, np.cross(z, x), z])
    return Solid(rod.vertices @ frame.T + a, rod.faces, material)


def block(centre: Vector, size: Vector, material: str, *, turn: Quaternion = UPRIGHT, is_fused: bool = True) -> Solid:
    """Make a box with sharp edges."""
    half = np.array(size) / 2
    corners = np.array([(x, y, z) for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * half
    quads = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    solid = Solid(corners, np.array(faces, dtype=np.int32), material, is_fused)
    return moved(solid, turn=turn, shift=centre)


def plate(outline: Sequence[tuple[float, float]], thickness: float, material: str, *, is_fused: bool = False) -> Solid:
    """Make a plate in the x-z plane whose outline is star-shaped about its mean, thick along y."""
    flat = np.array(outline, dtype=np.float64)
    signed = float(np.sum(flat[:, 0] * np.roll(flat[:, 1], -1) - np.roll(flat[:, 0], -1) * flat[:, 1]))
    if signed < 0:
        flat = flat[::-1]
    count = len(flat)
    front = np.column_stack([flat[:, 0], np.full(count, -thickness / 2), flat[:, 1]])
    back = np.column_stack([flat[:, 0], np.full(count, thickness / 2), flat[:, 1]])
    middle = flat.mean(0)
    centres = np.array([[middle[0], -thickness / 2, middle[1]], [middle[0], thickness / 2, middle[1]]])
    faces = []
    for i in range(count):
        j = (i + 1) % count
        faces += [
            (2 * count, i, j),
            (2 * count + 1, count + j, count + i),
            (i, count + i, count + j),
            (i, count + j, j),
        ]
    return Solid(np.vstack([front, back, centres]), np.array(faces, dtype=np.int32), material, is_fused)


def convex_outline(points: FloatArray) -> FloatArray:
    """Give the convex hull of points, shape (n, 2), counter-clockwise, shape (k, 2)."""
    ordered = sorted({(round(float(x), 6), round(float(y), 6)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered, dtype=np.float64)

    def half(sequence: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in sequence:
            while len(chain) > 1:
                (px, py), (qx, qy) = chain[-2], chain[-1]
                if (qx - px) * (y - py) - (qy - py) * (x - px) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]), dtype=np.float64)
