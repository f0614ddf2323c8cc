"""Six-sided dice: which face is up, where the pips are, and the mesh with rounded edges and hollow pips.

Faces of the unturned die: 1 up (+z), 6 down, 2 towards -y, 5 towards +y, 3 towards +x, 4 towards -x. Opposite faces add
up to seven.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.training.scenes.scene import DieStyle, PipLayout
from models.training.scenes.turning import Quaternion, from_matrix, matrix, times

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

NORMALS: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1),
    6: (0, 0, -1),
    2: (0, -1, 0),
    5: (0, 1, 0),
    3: (1, 0, 0),
    4: (-1, 0, 0),
}
"""Outward direction of each face."""
PITCH_SHARE: dict[PipLayout, float] = {"standard": 0.25, "close": 0.17, "inline": 0.25, "big_one": 0.25}
"""Distance of a pip from the face's middle line as a share of the size."""


def value_up(turn: Quaternion) -> int:
    """Say which face points up most."""
    heights = {value: float((matrix(turn) @ np.array(normal))[2]) for value, normal in NORMALS.items()}
    return max(heights, key=lambda value: heights[value])


def cocked_degrees(turn: Quaternion) -> float:
    """Say by how many degrees the upper face leans from level."""
    top = float((matrix(turn) @ np.array(NORMALS[value_up(turn)]))[2])
    return float(np.degrees(np.arccos(min(1.0, top))))


def renumbered(turn: Quaternion, value: int) -> Quaternion:
    """Turn a die in its own frame so that `value` is up where another face was; the body's outline stays the same.

    Raises:
        ValueError: no six-sided die shows `value`.
    """
    return times(turn, relabelling(value_up(turn), value))


def relabelling(shown: int, wanted: int) -> Quaternion:
    """Give the turn within the die's own frame that brings the face `wanted` to where `shown` is.

    Raises:
        ValueError: a six-sided die has no such face.
    """
    for face in (shown, wanted):
        if face not in NORMALS:
            raise ValueError(f"a six-sided die cannot show {face!r}")
    here, there = np.array(NORMALS[shown], dtype=float), np.array(NORMALS[wanted], dtype=float)
    if shown == wanted:
        return (1.0, 0.0, 0.0, 0.0)
    if shown + wanted == 7:
        side = np.roll(here, 1)
        return from_matrix(2 * np.outer(side, side) - np.eye(3))
    axis = np.cross(there, here)
    skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return from_matrix(np.eye(3) + skew + skew @ skew)


def pip_centres(value: int, layout: PipLayout) -> FloatArray:
    """Give the pips of a face in its plane as shares of the size, shape (value, 2), middle at the origin."""
    p = PITCH_SHARE[layout]
    corners = [(-p, -p), (p, p), (-p, p), (p, -p)]
    points: list[tuple[float, float]]
    if layout == "inline" and value in (2, 3):
        points = [(0.0, -p), (0.0, p)] + ([(0.0, 0.0)] if value == 3 else [])
    else:
        points = {
            1: [(0.0, 0.0)],
            2: corners[:2],
            3: [*corners[:2], (0.0, 0.0)],
            4: corners,
            5: [*corners, (0.0, 0.0)],
            6: [*corners, (-p, 0.0), (p, 0.0)],
        }[value]
    return np.array(points)


def mesh(style: DieStyle, cache: Path) -> tuple[FloatArray, IntArray, IntArray]:
    """Build the die of edge length 1, or fetch it from the cache.

    Args:
        style: its rounding, pip size and layout shape the mesh; colours do not.
        cache: folder for built meshes; made if missing.

    Returns:
        Vertices, shape (n, 3); triangles, shape (m, 3); for each triangle 0 for the body, 1 for a pip, 2 for the pip of
        the one.
    """
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / f"die-{style.rounding:.3f}-{style.pip_share:.3f}-{style.layout}.npz"
    if file.exists():
        with np.load(file) as stored:
            return stored["vertices"], stored["faces"], stored["kinds"]
    vertices, faces, kinds = _carve(style)
    part = file.with_suffix(".part.npz")
    np.savez_compressed(part, vertices=vertices, faces=faces, kinds=kinds)
    part.replace(file)
    return vertices, faces, kinds


def _carve(style: DieStyle) -> tuple[FloatArray, IntArray, IntArray]:
    import manifold3d  # only needed where a die is really built

    r = style.rounding
    ball = manifold3d.Manifold.sphere(r, 48)
    inner = 0.5 - r
    corners = [ball.translate((x, y, z)) for x in (-inner, inner) for y in (-inner, inner) for z in (-inner, inner)]
    body = manifold3d.Manifold.batch_hull(corners)
    pips, middles, radii, owners = [], [], [], []
    for value, normal in NORMALS.items():
        n = np.array(normal, dtype=float)
        u = np.roll(n, 1)
        v = np.cross(n, u)
        share = style.pip_share * (1.75 if value == 1 and style.layout == "big_one" else 1.0)
        radius = share * 1.15
        for a, b in pip_centres(value, style.layout):
            middle = n * (0.5 + radius * 0.5) + u * a + v * b
            pips.append(manifold3d.Manifold.sphere(radius, 40).translate(tuple(middle)))
            middles.append(middle)
            radii.append(radius)
            owners.append(2 if value == 1 else 1)
    carved = (body - manifold3d.Manifold.batch_boolean(pips, manifold3d.OpType.Add)).to_mesh()
    vertices = np.array(carved.vert_properties, dtype=np.float64)[:, :3]
    faces = np.array(carved.tri_verts, dtype=np.int32)
    kinds = np.zeros(len(faces), dtype=np.int32)
    corners_of = vertices[faces]
    for middle, radius, owner in zip(middles, radii, owners, strict=True):
        distance = np.linalg.norm(corners_of - middle, axis=2)
        kinds[(distance < radius * 1.004).all(1)] = owner
    return vertices, faces, kinds
