"""Triangle meshes of simple solids and how they are put together; lengths in mm, z up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles with a normal at each vertex and a paint number for each face."""

    vertices: Array
    """Shape (n, 3)."""
    normals: Array
    """Shape (n, 3), unit length."""
    faces: Ints
    """Shape (m, 3)."""
    paint: Ints
    """Shape (m,): which of the body's colours the face has."""

    def moved(self, shift: tuple[float, float, float] | Array = (0.0, 0.0, 0.0), turn: Array | None = None) -> Mesh:
        """Turn about the origin by a 3x3 matrix, then shift."""
        vertices, normals = self.vertices, self.normals
        if turn is not None:
            vertices, normals = vertices @ turn.T, normals @ turn.T
        return replace(self, vertices=vertices + np.asarray(shift), normals=normals)

    def painted(self, number: int) -> Mesh:
        """Give all faces one paint."""
        return replace(self, paint=np.full(len(self.faces), number))


def joined(meshes: list[Mesh]) -> Mesh:
    """Put several meshes into one."""
    offsets = np.cumsum([0] + [len(m.vertices) for m in meshes[:-1]])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.faces + o for m, o in zip(meshes, offsets, strict=True)]),
        np.concatenate([m.paint for m in meshes]),
    )


def smooth(vertices: Array, faces: Ints, paint: int = 0) -> Mesh:
    """Make a mesh with rounded shading."""
    corners = vertices[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], cross)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    return Mesh(vertices, normals, faces, np.full(len(faces), paint))


def flat(vertices: Array, faces: Ints, paint: int = 0) -> Mesh:
    """Make a mesh whose faces are each flat."""
    corners = vertices[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    cross /= np.linalg.norm(cross, axis=1, keepdims=True) + 1e-12
    return Mesh(
        corners.reshape(-1, 3), np.repeat(cross, 3, axis=0), np.arange(len(faces) * 3).reshape(-1, 3),
        np.full(len(faces), paint),
    )  # fmt: skip


def turned(axis: tuple[float, float, float] | Array, angle: float) -> Array:
    """Give the matrix of a turn by `angle` radians about an axis."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1 - math.cos(angle)) * skew @ skew)


def revolved(profile: Array, segments: int = 20, paint: int = 0, *, crease: bool = False) -> Mesh:
    """Turn a profile of (radius, height) points, from bottom to top, about the z axis; the ends are closed."""
    profile = np.vstack([[0, profile[0, 1]], profile, [0, profile[-1, 1]]])
    angles = np.arange(segments) * 2 * math.pi / segments
    rings = np.stack(
        [
            profile[:, :1] * np.cos(angles),
            profile[:, :1] * np.sin(angles),
            np.repeat(profile[:, 1:], segments, axis=1),
        ],
        axis=2,
    )
    faces = ring_faces(len(profile), segments)
    return (flat if crease else smooth)(rings.reshape(-1, 3), faces, paint)


def ring_faces(rings: int, segments: int) -> Ints:
    """Give the faces of a tube of rings, outwards when the rings go up counter-clockwise."""
    i, j = np.meshgrid(np.arange(rings - 1), np.arange(segments), indexing="ij")
    a, b = i * segments + j, i * segments + (j + 1) % segments
    c, d = a + segments, b + segments
    return np.concatenate([np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)])


def ball(radius: tuple[float, float, float], segments: int = 14, rings: int = 9, paint: int = 0) -> Mesh:
    """An ellipsoid about the origin."""
    polar = np.linspace(-math.pi / 2, math.pi / 2, rings)
    profile = np.column_stack([np.cos(polar), np.sin(polar)])
    mesh = revolved(profile, segments, paint)
    return smooth(mesh.vertices * radius, mesh.faces, paint)


def limb(start: Array, end: Array, width: float, end_width: float | None = None, paint: int = 0) -> Mesh:
    """A round-ended cone between two points; widths are radii."""
    end_width = width if end_width is None else end_width
    direction = end - start
    length = float(np.linalg.norm(direction)) + 1e-9
    direction = direction / length
    side = np.cross(direction, (0.3, 0.5, 0.8))
    side /= np.linalg.norm(side)
    frame = np.column_stack([side, np.cross(direction, side), direction])
    profile = np.array(
        [
            (width * 0.6, -width * 0.8), (width, 0.0), ((width + end_width) / 2, length / 2), (end_width, length),
            (end_width * 0.6, length + end_width * 0.8),
        ]
    )  # fmt: skip
    return revolved(profile, 8, paint).moved(start, frame)


def extruded(outline: Array, height: float, paint: int = 0, *, taper: float = 1.0) -> Mesh:
    """Stand a convex counter-clockwise outline up to `height`; the top is `taper` times the bottom's size."""
    n = len(outline)
    middle = outline.mean(axis=0)
    top = middle + (outline - middle) * taper
    vertices = np.vstack(
        [np.column_stack([outline, np.zeros(n)]), np.column_stack([top, np.full(n, height)]), [*middle, 0],
         [*middle, height]]
    )  # fmt: skip
    k = np.arange(n)
    after = (k + 1) % n
    faces = np.concatenate(
        [
            np.column_stack([k, after, after + n]),
            np.column_stack([k, after + n, k + n]),
            np.column_stack([after, k, np.full(n, 2 * n)]),
            np.column_stack([k + n, after + n, np.full(n, 2 * n + 1)]),
        ]
    )
    return flat(vertices, faces, paint)


def box(size: tuple[float, float, float], paint: int = 0) -> Mesh:
    """A box standing on z = 0 in the middle of x and y."""
    x, y, z = size
    outline = np.array([(-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2)])
    return extruded(outline, z, paint)


def rounded_cube(side: float, radius: float, steps: int = 5) -> Mesh:
    """A cube about the origin with rounded edges."""
    half = side / 2
    places = np.linspace(-1, 1, steps * 2)
    parts: list[Array] = []
    faces: list[Ints] = []
    u, v = np.meshgrid(places, places, indexing="ij")
    count = len(places)
    i, j = np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij")
    a, b, c, d = i * count + j, (i + 1) * count + j, (i + 1) * count + j + 1, i * count + j + 1
    quads = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    for axis in range(3):
        for sign in (-1.0, 1.0):
            side_points = np.zeros((count, count, 3))
            side_points[..., axis] = sign
            side_points[..., (axis + 1) % 3] = u if sign > 0 else v
            side_points[..., (axis + 2) % 3] = v if sign > 0 else u
            faces.append(quads + len(parts) * count * count)
            parts.append(side_points.reshape(-1, 3))
    points = np.concatenate(parts) * half
    core = np.clip(points, -(half - radius), half - radius)
    out = points - core
    out /= np.linalg.norm(out, axis=1, keepdims=True) + 1e-9
    return Mesh(core + out * radius, out, np.concatenate(faces), np.zeros(len(np.concatenate(faces)), dtype=np.int64))


def lumpy(mesh: Mesh, random: np.random.Generator, size: float, scale: float) -> Mesh:
    """Push the surface in and out by smooth noise of `size` mm and wavelength about `scale` mm."""
    push = np.zeros(len(mesh.vertices))
    for _ in range(4):
        wave = random.normal(size=3) * 2 * math.pi / scale / 1.7
        push += np.sin(mesh.vertices @ wave + random.uniform(0, 2 * math.pi))
    vertices = mesh.vertices + mesh.normals * (push * size / 2)[:, None]
    again = smooth(vertices, mesh.faces)
    return replace(again, paint=mesh.paint)


def lowest_rest(vertices: Array, random: np.random.Generator, start: Array) -> tuple[Array, bool]:
    """Let a body fall from an attitude until it rests on the table.

    The centre of mass (the vertices' mean) sinks until no turn lets it sink further.

    Args:
        vertices: shape (n, 3), of the body.
        random: for small nudges.
        start: shape (3,), the direction of the body that points down at first.

    Returns:
        The turn, shape (3, 3), that lays the body down, and whether it rests stably.
    """
    centre = (vertices.max(axis=0) + vertices.min(axis=0)) / 2 * 0.3 + vertices.mean(axis=0) * 0.7
    relative = vertices - centre
    down = start / np.linalg.norm(start)
    step = 0.12
    best, best_height = down, float((relative @ down).max())
    for _ in range(400):
        reach = relative @ down
        lowest = relative[reach > reach.max() - 0.25].mean(axis=0)
        slide = lowest - (lowest @ down) * down
        length = float(np.linalg.norm(slide))
        if length < 1e-6:
            break
        down = down - step * slide / max(length, 6.0) + random.normal(size=3) * 0.002
        down /= np.linalg.norm(down)
        height = float((relative @ down).max())
        if height < best_height:
            best, best_height = down, height
        step *= 0.99
    to = np.array([0.0, 0.0, -1.0])
    axis = np.cross(best, to)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:
        return (np.eye(3) if best[2] < 0 else turned((1, 0, 0), math.pi)), True
    return turned(axis / sine, math.atan2(sine, float(best @ to))), True
