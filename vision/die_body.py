"""What lies between and around the pips of a face: a body of one colour, no further pip, and an end.

Pips alone are not a die: text, cloth and wood grain have groups of spots. A face is believed when the places between
its pips are of the body's colour, the places where other values have pips are bare, and the body ends around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pip_patterns import Face
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


def measure_bodies(image_bgr: UInt8Array, spots: Spots, faces: list[Face]) -> Bodies:
    """Measure what surrounds the pips of faces.

    Args:
        image_bgr: the picture in which the spots were found, shape (rows, columns, 3).
        spots: all spots.
        faces: their `pips` are indices into `spots`.
    """
    count = len(faces)
    axes = np.array([f.axes for f in faces], np.float32).reshape(count, 2, 2)
    centres = np.array([f.centre for f in faces], np.float32).reshape(count, 2)
    radius = np.array([f.radius for f in faces], np.float32)
    body = np.array([spots.ground[list(f.pips)].mean(axis=0) for f in faces], np.float32).reshape(count, 3)
    pip = np.array([spots.inner[list(f.pips)].mean(axis=0) for f in faces], np.float32).reshape(count, 3)
    contrast = np.maximum(np.linalg.norm(pip - body, axis=1), 1.0)

    line = np.linspace(-GRID_REACH, GRID_REACH, GRID, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    # Along the sides of the face, which lie at 45 degrees to the half diagonals.
    grid = np.column_stack([(x + y).ravel() / 2, (x - y).ravel() / 2]).astype(np.float32)
    grid_px = centres[:, None] + np.einsum("gk,nik->ngi", grid, axes)
    colours = sampled(image_bgr, grid_px)
    near_pip: npt.NDArray[np.bool_] = np.zeros((count, len(grid)), bool)
    sites: npt.NDArray[np.bool_] = np.zeros((count, len(_SITES)), bool)
    for n, face in enumerate(faces):
        places = _pip_places(face, spots, axes[n])
        distance = np.linalg.norm(grid[:, None] - places[None], axis=2).min(axis=1)
        near_pip[n] = distance < 1.6 * radius[n]
        sites[n] = np.linalg.norm(_SITES[:, None] - places[None], axis=2).min(axis=1) > 2.2 * radius[n]
    deviation = np.linalg.norm(colours - body[:, None], axis=2) / contrast[:, None]
    deviation[near_pip] = np.nan
    roughness = np.nan_to_num(
        np.nanquantile(np.where(near_pip.all(axis=1, keepdims=True), 1.0, deviation), 0.9, axis=1), nan=1.0
    )

    site_px = centres[:, None] + np.einsum("gk,nik->ngi", _SITES, axes)
    likeness = np.einsum("ngc,nc->ng", sampled(image_bgr, site_px) - body[:, None], pip - body) / contrast[:, None] ** 2
    extra = np.where(sites, likeness, 0.0).max(axis=1)

    angles = np.arange(RAYS, dtype=np.float32) * np.float32(2 * np.pi / RAYS)
    directions = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    ray_px = np.einsum("rk,nik->nri", directions, axes)
    lengths = np.linspace(1.15, RAY_REACH / np.sqrt(2), RAY_STEPS, dtype=np.float32)
    along = centres[:, None, None] + ray_px[:, :, None] * lengths[None, None, :, None]
    rays = sampled(image_bgr, along)
    step = np.linalg.norm(rays - body[:, None, None], axis=3)
    limit = np.clip(0.4 * contrast, 14, 40)
    other = step > limit[:, None, None]
    # A place between pips of the same face may be a neighbour's pip; two samples in a row make an end.
    other[:, :, :-1] &= other[:, :, 1:]
    ended = other.any(axis=2)
    first = np.where(ended, other.argmax(axis=2), RAY_STEPS - 1)
    at_end = np.take_along_axis(step, np.minimum(first + 1, RAY_STEPS - 1)[..., None], axis=2)[..., 0]
    end_colour = np.take_along_axis(rays, np.minimum(first + 1, RAY_STEPS - 1)[..., None, None], axis=2)[:, :, 0]
    from_pip = np.linalg.norm(end_colour - pip[:, None], axis=2) / contrast[:, None]
    return Bodies(
        body,
        roughness.astype(np.float32),
        np.clip(extra, 0, 2).astype(np.float32),
        lengths[first],
        ended.astype(np.float32),
        ray_px,
        np.median(at_end, axis=1).astype(np.float32),
        ((from_pip < 0.45) & ended).mean(axis=1).astype(np.float32),
    )


def _pip_places(face: Face, spots: Spots, axes: FloatArray) -> npt.NDArray[np.float32]:
    places: npt.NDArray[np.float32] = np.linalg.solve(axes, (spots.centres[list(face.pips)] - face.centre).T).T.astype(
        np.float32
    )
    return places
