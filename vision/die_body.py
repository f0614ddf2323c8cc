"""What lies between and around the pips of a face: a body of one colour, no further pip, and an end.

Pips alone are not a die: text, cloth and wood grain have groups of spots. A face is believed when the places between
its pips are of the body's colour, the places where other values have pips are bare, and the body ends around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.pip_patterns import Faces, Mask
from vision.pip_spots import FloatArray, Spots, UInt8Array, sampled

GRID = 11
"""Samples along each side of the square in which the body's evenness is measured."""

GRID_REACH = 1.12
"""Half side of that square, in units where the corner pips' middles are at 1 (the face ends at 1.7 to 2.3)."""

RAYS = 32
"""Directions in which the end of the body is sought."""

RAY_STEPS = 26
"""Samples along each of them."""

RAY_REACH = 4.4
"""Their length, in units where the corner pips' middles are at sqrt(2)."""


MOST_EXTRA = 0.75
"""A face is refuted where a place without pip has so much of a pip's colour; true faces measure under 0.5."""


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Measures of many faces, one a row."""

    colour: FloatArray
    """Shape (n, 3): BGR of the body around the pips."""
    roughness: FloatArray
    """Shape (n,): spread of the body's colour between the pips, in parts of the pips' contrast (upper tenth)."""
    extra: FloatArray
    """Shape (n,): how much a place without pip looks like a pip, 0 to 1."""
    extent: FloatArray
    """Shape (n, RAYS): where the body ends along each ray, in units of the corner pips' distance from the middle."""
    ended: FloatArray
    """Shape (n, RAYS): whether it ends within reach, 0 or 1."""
    ray_px: FloatArray
    """Shape (n, RAYS, 2): pixels that one unit of `extent` makes along each ray."""
    edge: FloatArray
    """Shape (n,): median colour step at the body's end, in grey levels."""
    pip_like_end: FloatArray
    """Shape (n,): share of the rays on which the body ends in the colour of its own pips, as cloth does."""


_SITES = np.array(
    [(1, 0), (-1, 0), (0, 1), (0, -1), (0, 0), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5)], np.float32
)
"""All places of pips, in units of the half diagonals."""


def bare_enough(image_bgr: UInt8Array, spots: Spots, faces: Faces) -> Mask:
    """Which faces are not refuted at first sight: where they have no pip, the picture does not look like one.

    Args:
        image_bgr: the picture in which the spots were found, shape (rows, columns, 3).
        spots: all spots.
        faces: of these spots.

    Returns:
        Shape (n,); meant to spare `measure_bodies` the chance groups that cloth and text are full of.
    """
    body, pip = faces.mean(spots.ground), faces.mean(spots.inner)
    return _extra(image_bgr, spots, faces, body, pip) < MOST_EXTRA


def _places(spots: Spots, faces: Faces) -> FloatArray:
    """Where the pips lie in units of the half diagonals, shape (n, 6, 2); far away where there is none."""
    away = spots.centres[np.maximum(faces.pips, 0)] - faces.centre[:, None]
    places = np.matmul(away, inverted(faces.axes).transpose(0, 2, 1))
    far: FloatArray = np.where(faces.pips[..., None] >= 0, places, np.float32(99))
    return far


def inverted(axes: FloatArray) -> FloatArray:
    """Inverses of matrices, shape (n, 2, 2)."""
    a, b, c, d = axes[:, 0, 0], axes[:, 0, 1], axes[:, 1, 0], axes[:, 1, 1]
    determinant = a * d - b * c
    determinant = np.where(np.abs(determinant) < 1e-6, 1e-6, determinant)
    inverse: FloatArray = (np.stack([d, -b, -c, a], axis=1) / determinant[:, None]).reshape(-1, 2, 2)
    return inverse


def _extra(image_bgr: UInt8Array, spots: Spots, faces: Faces, body: FloatArray, pip: FloatArray) -> FloatArray:
    """How much the likeliest place without pip looks like a pip, shape (n,), 0 for not at all, 1 for quite."""
    direction = pip - body
    square = np.maximum((direction**2).sum(axis=1), 1.0)
    away = _SITES[None, :, None] - _places(spots, faces)[:, None]
    free = (away**2).sum(axis=3).min(axis=2) > (2.2 * faces.radius[:, None]) ** 2
    site_px = faces.centre[:, None] + np.matmul(_SITES[None], faces.axes.transpose(0, 2, 1))
    likeness = ((sampled(image_bgr, site_px) - body[:, None]) * direction[:, None]).sum(axis=2) / square[:, None]
    extra: FloatArray = np.clip(np.where(free, likeness, 0.0).max(axis=1, initial=0.0), 0, 2)
    return extra


def measure_bodies(image_bgr: UInt8Array, spots: Spots, faces: Faces) -> Bodies:
    """Measure what surrounds the pips of faces.

    Args:
        image_bgr: the picture in which the spots were found, shape (rows, columns, 3).
        spots: all spots.
        faces: of these spots.
    """
    body, pip = faces.mean(spots.ground), faces.mean(spots.inner)
    contrast = np.maximum(np.linalg.norm(pip - body, axis=1), 1.0)
    flipped = faces.axes.transpose(0, 2, 1)

    line = np.linspace(-GRID_REACH, GRID_REACH, GRID, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    # Along the sides of the face, which lie at 45 degrees to the half diagonals.
    grid = np.column_stack([(x + y).ravel() / 2, (x - y).ravel() / 2]).astype(np.float32)
    colours = sampled(image_bgr, faces.centre[:, None] + np.matmul(grid[None], flipped))
    away = grid[None, :, None] - _places(spots, faces)[:, None]
    near_pip = (away**2).sum(axis=3).min(axis=2) < (1.6 * faces.radius[:, None]) ** 2
    deviation = np.sqrt(((colours - body[:, None]) ** 2).sum(axis=2)) / contrast[:, None]
    deviation[near_pip] = -1.0
    ordered = np.sort(deviation, axis=1)
    seen = len(grid) - near_pip.sum(axis=1)
    tenth = len(grid) - 1 - np.rint(0.1 * seen).astype(np.intp)
    roughness = np.where(seen > 5, ordered[np.arange(len(faces)), tenth], 1.0)

    angles = np.arange(RAYS, dtype=np.float32) * np.float32(2 * np.pi / RAYS)
    directions = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    ray_px = np.matmul(directions[None], flipped)
    lengths = np.linspace(1.15, RAY_REACH / np.sqrt(2), RAY_STEPS, dtype=np.float32)
    along = faces.centre[:, None, None] + ray_px[:, :, None] * lengths[None, None, :, None]
    rays = sampled(image_bgr, along)
    step = np.sqrt(((rays - body[:, None, None]) ** 2).sum(axis=3))
    limit = np.clip(0.4 * contrast, 14, 40)
    other = step > limit[:, None, None]
    # A place between pips of the same face may be a neighbour's pip; two samples in a row make an end.
    other[:, :, :-1] &= other[:, :, 1:]
    ended = other.any(axis=2)
    first = np.where(ended, other.argmax(axis=2), RAY_STEPS - 1)
    after = np.minimum(first + 1, RAY_STEPS - 1)
    at_end = np.take_along_axis(step, after[..., None], axis=2)[..., 0]
    end_colour = np.take_along_axis(rays, after[..., None, None], axis=2)[:, :, 0]
    from_pip = np.sqrt(((end_colour - pip[:, None]) ** 2).sum(axis=2)) / contrast[:, None]
    return Bodies(
        body,
        roughness.astype(np.float32),
        _extra(image_bgr, spots, faces, body, pip),
        lengths[first],
        ended.astype(np.float32),
        ray_px,
        np.median(at_end, axis=1).astype(np.float32),
        ((from_pip < 0.45) & ended).mean(axis=1).astype(np.float32),
    )
