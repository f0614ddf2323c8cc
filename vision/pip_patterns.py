"""Faces of dice among spots: pips that lie as the face of a die lays them, seen at any slant.

A face of a die is the same when turned by half a turn: its pips are pairs around a middle, with or without a pip in
the middle. So a face is sought as pairs of like spots that share their midpoint, and its layout is checked in the
slant that the pips' own ellipses show: a 4 is a square only where its pips are circles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pip_spots import FloatArray, Spots

Indices = npt.NDArray[np.intp]

ROUGHEST = 0.24
"""Most a pip's outline may leave its ellipse, in parts of its radius; pips of 3 px measure up to 0.2."""

MOST_UNEVEN = 1.0
"""Spread of the ground around a pip over the contrast: at 1 the ground is no ground."""

MOST_SLANT = 3.6
"""Aspect of a pip's ellipse: a top face seen from 16 degrees above the table."""

CLOSEST_RADII = 2.0
"""Least distance of two pips' middles in pip radii; touching pips are at 2."""

FARTHEST_RADII = 15.0
"""Most distance across a face in pip radii: small pips (radius 0.055 of the side) in the far corners (0.8)."""

SIZE_RATIO = 1.5
"""Most by which the radii of two pips of one face differ."""

COLOUR_PART = 0.5
"""Most by which the colours of two pips, or of their grounds, differ, in parts of the contrast."""

MIDPOINT_RADII = 0.75
"""How far the midpoints of two pairs of one face may be apart, in pip radii (small pips are placed to 0.3 px)."""

LAYOUT_RADII = 0.85
"""How far a pip may be from where the layout wants it, in pip radii."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """Spots that lie like the pips of one face."""

    value: int
    """1 to 6."""
    pips: tuple[int, ...]
    """Indices of the spots."""
    centre: FloatArray
    """Shape (2,): middle of the face in pixels."""
    axes: FloatArray
    """Shape (2, 2): columns are the half diagonals in pixels, from the middle to two neighbouring corner pips (2, 3:
    the first to a pip, the second where another corner's pip would be; 1: a face of usual proportion)."""
    radius: float
    """Of the pips, in units where the half diagonals' geometric mean is 1."""
    misfit: float
    """How far the pips are from the layout, in pip radii: root mean square."""
    skew: float
    """How far the half diagonals are from equal and perpendicular in the slant of the pips, 0 to 1; 0 for 1, 2, 3."""
    unlike: float
    """How much the pips differ in size, colour and shape; 0 for a single pip."""


def plausible(spots: Spots) -> npt.NDArray[np.bool_]:
    """Which spots could be pips, shape (n,)."""
    return (spots.roughness < ROUGHEST) & (spots.unevenness < MOST_UNEVEN) & (spots.aspects < MOST_SLANT)


@dataclass(frozen=True, slots=True, eq=False)
class _Likeness:
    alike: npt.NDArray[np.bool_]
    """Shape (n, n): whether two spots could be pips of one face."""
    inverse: FloatArray
    """Shape (n, 2, 2): inverse shapes."""


def _likeness(spots: Spots) -> _Likeness:
    centres, radii = spots.centres, spots.radii
    away = centres[:, None] - centres[None, :]
    shape = (spots.shapes[:, None] + spots.shapes[None, :]) / 2
    determinant = shape[..., 0, 0] * shape[..., 1, 1] - shape[..., 0, 1] ** 2
    square = (
        shape[..., 1, 1] * away[..., 0] ** 2
        - 2 * shape[..., 0, 1] * away[..., 0] * away[..., 1]
        + shape[..., 0, 0] * away[..., 1] ** 2
    ) / np.maximum(determinant, 1e-6)
    least = np.minimum(spots.contrast[:, None], spots.contrast[None, :])
    inner = np.linalg.norm(spots.inner[:, None] - spots.inner[None, :], axis=2)
    ground = np.linalg.norm(spots.ground[:, None] - spots.ground[None, :], axis=2)
    ratio = np.maximum(radii[:, None], radii[None, :]) / np.maximum(np.minimum(radii[:, None], radii[None, :]), 1e-3)
    # Two ellipses are alike when their matrix differs little from the mean; small ones are measured badly.
    differ = np.abs(spots.shapes[:, None] - spots.shapes[None, :]).max(axis=(2, 3))
    size = np.sqrt(np.maximum(determinant, 1e-6))
    allowed = 0.75 + 1.2 / np.sqrt(size)
    alike = (
        (square > CLOSEST_RADII**2 * 0.8)
        & (square < FARTHEST_RADII**2)
        & (inner < COLOUR_PART * least)
        & (ground < COLOUR_PART * least)
        & (ratio < SIZE_RATIO)
        & (differ < allowed * size)
    )
    inverse = np.linalg.inv(spots.shapes + np.eye(2, dtype=np.float32) * 1e-3)
    return _Likeness(alike, inverse.astype(np.float32))


def find_faces(spots: Spots, *, most: int = 700) -> list[Face]:
    """List every group of spots that lies like a face; groups overlap, and most of them are chance.

    Args:
        spots: as measured; implausible ones are passed over.
        most: spots looked at, the best first (`find_spots` gives them in that order).

    Returns:
        Faces of all values; the indices are those of `spots`. Single spots (value 1) are all listed.
    """
    usable = np.nonzero(plausible(spots))[0][:most]
    chosen = spots[usable]
    if not len(chosen):
        return []
    likeness = _likeness(chosen)
    found: dict[frozenset[int], Face] = {}
    for i in range(len(chosen)):
        near = np.nonzero(likeness.alike[i])[0]
        for j in near[near > i]:
            for face in _faces_on(chosen, likeness, i, int(j)):
                key = frozenset(face.pips)
                if key not in found or face.misfit < found[key].misfit:
                    found[key] = face
    faces = list(found.values()) + [_single(chosen, i) for i in range(len(chosen))]
    return [
        Face(f.value, tuple(int(usable[i]) for i in f.pips), f.centre, f.axes, f.radius, f.misfit, f.skew, f.unlike)
        for f in faces
    ]


def _single(spots: Spots, i: int) -> Face:
    # The pip of a 1 is about 0.11 of the side in radius, the corner pips of other faces are 0.36 from the middle.
    root = _root(spots.shapes[i])
    return Face(1, (i,), spots.centres[i], (root * np.float32(3.3)), 1 / 3.3, 0.0, 0.0, 0.0)


def _root(shape: FloatArray) -> FloatArray:
    """The symmetric root of an ellipse matrix: maps the unit circle to the ellipse."""
    values, vectors = np.linalg.eigh(shape)
    root: FloatArray = ((vectors * np.sqrt(np.maximum(values, 1e-3))) @ vectors.T).astype(np.float32)
    return root


def _faces_on(spots: Spots, likeness: _Likeness, i: int, j: int) -> Iterator[Face]:
    """Faces in which spots i and j are an outermost pair: corners, or the two pips of 2 and 3."""
    middle = (spots.centres[i] + spots.centres[j]) / 2
    half = spots.centres[i] - middle
    both = np.nonzero(likeness.alike[i] & likeness.alike[j])[0]
    pair_shape = (spots.shapes[i] + spots.shapes[j]) / 2
    inverse = np.linalg.inv(pair_shape)
    length = float(np.sqrt(half @ inverse @ half))
    offsets = spots.centres[both] - middle
    distance = np.sqrt(np.maximum(np.einsum("ni,ij,nj->n", offsets, inverse, offsets), 0))
    inside = distance < length * 1.35
    both, offsets, distance = both[inside], offsets[inside], distance[inside]
    tolerance = MIDPOINT_RADII
    central = [int(k) for k, d in zip(both, distance, strict=True) if d < tolerance]
    centre = central[:1]
    pairs: list[tuple[int, int, FloatArray]] = []
    for a in range(len(both)):
        for b in range(a + 1, len(both)):
            shared = (offsets[a] + offsets[b]) / 2
            if float(shared @ inverse @ shared) < tolerance**2:
                pairs.append((int(both[a]), int(both[b]), (offsets[a] - offsets[b]) / 2))
    if length <= FARTHEST_RADII / 2:
        if centre and length >= CLOSEST_RADII * 0.95:
            yield from _line(spots, (i, j, centre[0]), half, pair_shape)
        if not centre:
            yield from _line(spots, (i, j), half, pair_shape)
    squares = [p for p in pairs if likeness.alike[p[0], p[1]]]
    for a, b, other in squares:
        if a < i or not (length >= 2.3):
            continue
        yield from _square(spots, (i, j, a, b), centre, half, other)
        if centre:
            continue
        for c, d, third in squares:
            if len({a, b, c, d}) == 4:
                yield from _six(spots, (i, j, a, b, c, d), half, other, third)


def _whitening(spots: Spots, pips: tuple[int, ...]) -> tuple[FloatArray, float]:
    """The matrix that makes the pips' mean ellipse the unit circle, and how unlike the pips are."""
    chosen = list(pips)
    shape = spots.shapes[chosen].mean(axis=0)
    white = np.linalg.inv(_root(shape))
    size = np.sqrt(max(float(np.linalg.det(shape)), 1e-6))
    shape_spread = float(np.abs(spots.shapes[chosen] - shape).max()) / size
    contrast = float(spots.contrast[chosen].mean())
    colour = float(np.linalg.norm(spots.inner[chosen] - spots.inner[chosen].mean(axis=0), axis=1).max()) / contrast
    ground = float(np.linalg.norm(spots.ground[chosen] - spots.ground[chosen].mean(axis=0), axis=1).max()) / contrast
    return white, 0.5 * shape_spread + colour + ground


def _made(
    spots: Spots, value: int, pips: tuple[int, ...], first: FloatArray, second: FloatArray, *, square: bool
) -> Iterator[Face]:
    """A face with these half diagonals, where the pips fit it."""
    white, unlike = _whitening(spots, pips)
    one, two = white @ first, white @ second
    lengths = float(np.linalg.norm(one)), float(np.linalg.norm(two))
    skew = 0.0
    if square:
        longest = max(lengths)
        skew = max(abs(lengths[0] - lengths[1]) / longest, abs(float(one @ two)) / (lengths[0] * lengths[1]))
    positions = spots.centres[list(pips)]
    centre = positions.mean(axis=0)
    axes = np.column_stack([first, second]).astype(np.float32)
    wanted = np.array(_WANTED[value], np.float32) @ axes.T
    error = (positions - centre - wanted) @ white.T
    misfit = float(np.sqrt((error**2).sum(axis=1).mean()))
    if misfit < LAYOUT_RADII:
        yield Face(value, pips, centre, axes, 1 / np.sqrt(lengths[0] * lengths[1]), misfit, skew, unlike)


_WANTED: dict[int, list[tuple[float, float]]] = {
    2: [(1, 0), (-1, 0)],
    3: [(1, 0), (-1, 0), (0, 0)],
    4: [(1, 0), (-1, 0), (0, 1), (0, -1)],
    5: [(1, 0), (-1, 0), (0, 1), (0, -1), (0, 0)],
    6: [(1, 0), (-1, 0), (0, 1), (0, -1), (0.5, 0.5), (-0.5, -0.5)],
}
"""Where the pips lie in units of the half diagonals, in the order in which `pips` lists them."""

MOST_SKEW = 0.5
"""Small pips show the slant badly; a square face rarely measures above 0.3 (pips from 3 px)."""


def _line(spots: Spots, pips: tuple[int, ...], half: FloatArray, shape: FloatArray) -> Iterator[Face]:
    white = np.linalg.inv(_root(shape))
    flat = white @ half
    turned = np.linalg.inv(white) @ np.array([-flat[1], flat[0]], np.float32)
    yield from _made(spots, len(pips), pips, half, turned, square=False)


def _square(
    spots: Spots, pips: tuple[int, int, int, int], centre: list[int], half: FloatArray, other: FloatArray
) -> Iterator[Face]:
    for face in _made(spots, 4 + len(centre), (*pips, *centre), half, other, square=True):
        if face.skew < MOST_SKEW:
            yield face


def _six(spots: Spots, pips: tuple[int, ...], half: FloatArray, other: FloatArray, third: FloatArray) -> Iterator[Face]:
    """Six with corners (i, j), (a, b) and the middle pair (c, d): on the side between two corners."""
    i, j, a, b, c, d = pips
    for second, (p, q) in ((other, (a, b)), (-other, (b, a))):
        for third_, (m, n) in ((third, (c, d)), (-third, (d, c))):
            wanted = (half + second) / 2
            if np.linalg.norm(third_ - wanted) > 0.35 * np.linalg.norm(wanted):
                continue
            for face in _made(spots, 6, (i, j, p, q, m, n), half, second, square=True):
                if face.skew < MOST_SKEW:
                    yield face
