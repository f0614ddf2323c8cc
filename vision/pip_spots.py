"""Pip-like spots in a picture: small ellipses of one colour on an even ground of another, at any scale.

A spot is first suspected where the difference of two blurs of a colour channel has a peak, and then measured along
rays from its middle: the outline where the colour is half way between the spot's and its ground's, the ellipse of the
outline's moments, and how even spot, ground and outline are. Light on dark, dark on light and one hue on another are
all the same to it, because each spot is measured along its own colour direction.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

UInt8Array = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.floating[Any]]

RAYS = 16
"""Rays on which a spot's outline is measured: enough for an ellipse of aspect 3, and cheap."""

STEPS = 15
"""Samples on each ray, from the middle to `REACH` times the expected radius."""

REACH = 2.6
"""Length of the rays in expected radii; a neighbouring pip of a narrow 6 begins at 2.4."""

SMALLEST_RADIUS_PX = 1.2
"""A die of 14 px has pips of about this radius; smaller spots have no shape."""

OCTAVE_RADII_PX = (2.7, 3.8)
"""Expected radii searched in each level of the pyramid (half an octave apart)."""

FIRST_RADII_PX = (1.35, 1.9)
"""Searched in the finest level only."""

MOST_SPOTS_A_LEVEL = 1500
"""Strongest peaks kept in each level and polarity-blind: a carpet has thousands, dice come among the strongest."""

FEW_SPOTS = 700
"""Up to so many spots, comparing all with all is faster than a grid of cells."""

LOWEST_PEAK = 5
"""Grey levels of difference of blurs under which noise makes peaks (measured: sensor noise of sigma 4 gives 3.5)."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Measured spots, one a row in each array."""

    centres: FloatArray
    """Shape (n, 2), pixels of the picture."""
    shapes: FloatArray
    """Shape (n, 2, 2): the outline is where `d @ inv(shape) @ d == 1`; in pixels squared."""
    inner: FloatArray
    """Shape (n, 3): BGR of the spot."""
    ground: FloatArray
    """Shape (n, 3): BGR of what it lies on."""
    contrast: FloatArray
    """Shape (n,): distance of the two colours in grey levels (0..442)."""
    roughness: FloatArray
    """Shape (n,): how far the outline is from its ellipse, relative to the radius."""
    unevenness: FloatArray
    """Shape (n,): spread of the ground around the spot, relative to the contrast."""

    def __len__(self) -> int:
        return len(self.centres)

    def __getitem__(self, index: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Spots:
        """The spots chosen by an index or mask array."""
        return Spots(**{f.name: getattr(self, f.name)[index] for f in fields(self)})

    @property
    def radii(self) -> FloatArray:
        """Shape (n,): radius in pixels of the circle of the same area."""
        determinant = self.shapes[:, 0, 0] * self.shapes[:, 1, 1] - self.shapes[:, 0, 1] ** 2
        root: FloatArray = np.maximum(determinant, 1e-6) ** np.float32(0.25)
        return root

    @property
    def aspects(self) -> FloatArray:
        """Shape (n,): long axis by short axis, at least 1."""
        half = (self.shapes[:, 0, 0] + self.shapes[:, 1, 1]) / 2
        away = np.hypot((self.shapes[:, 0, 0] - self.shapes[:, 1, 1]) / 2, self.shapes[:, 0, 1])
        ratio: FloatArray = np.sqrt((half + away) / np.maximum(half - away, 1e-6))
        return ratio


def no_spots() -> Spots:
    """Spots of a picture without any."""
    empty = np.zeros(0, np.float32)
    wide = np.zeros((0, 3), np.float32)
    return Spots(np.zeros((0, 2), np.float32), np.zeros((0, 2, 2), np.float32), wide, wide, empty, empty, empty)


def joined(parts: list[Spots]) -> Spots:
    """All spots of several findings."""
    if not parts:
        return no_spots()
    return Spots(**{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Spots)})


def find_spots(
    image_bgr: UInt8Array,
    *,
    smallest_radius_px: float = SMALLEST_RADIUS_PX,
    largest_radius_px: float | None = None,
    most_peaks: int = MOST_SPOTS_A_LEVEL,
    pools: Sequence[int] = (0,),
) -> Spots:
    """Find and measure the pip-like spots of a picture.

    Args:
        image_bgr: shape (rows, columns, 3).
        smallest_radius_px: spots below it are not looked for.
        largest_radius_px: spots above it are not looked for; None for a twelfth of the shorter side.
        most_peaks: suspected in each level, the strongest first.
        pools: for pictures of one width that lie side by side, from 0 on, the pool of each: those of one pool share
            `most_peaks` for each of them, and what is found in others is no matter to them.

    Returns:
        The spots without duplicates; the best measured ones first.
    """
    rows, columns = image_bgr.shape[:2]
    largest = min(rows, columns) / 12 if largest_radius_px is None else largest_radius_px
    found: list[Spots] = []
    level, scale = image_bgr, 1.0
    while min(level.shape[:2]) >= 8:
        wanted = (*FIRST_RADII_PX, *OCTAVE_RADII_PX) if scale == 1.0 else OCTAVE_RADII_PX
        radii = [r for r in wanted if smallest_radius_px * 0.8 <= r * scale <= largest * 1.25]
        if radii:
            spots = _measured(level, *_peaks(level, radii, most_peaks, pools))
            found.append(_scaled(spots, scale))
        if OCTAVE_RADII_PX[-1] * scale > largest * 1.25:
            break
        level = np.asarray(cv2.pyrDown(level), dtype=np.uint8)
        scale *= 2.0
    spots = joined(found)
    radii_px = spots.radii
    return without_duplicates(spots[(radii_px >= smallest_radius_px * 0.8) & (radii_px <= largest * 1.25)])


def _scaled(spots: Spots, scale: float) -> Spots:
    if scale == 1.0:
        return spots
    return Spots(
        spots.centres * np.float32(scale),
        spots.shapes * np.float32(scale * scale),
        spots.inner,
        spots.ground,
        spots.contrast,
        spots.roughness,
        spots.unevenness,
    )


def _peaks(level: UInt8Array, radii: list[float], most: int, pools: Sequence[int]) -> tuple[FloatArray, FloatArray]:
    """Middles (n, 2) and expected radii (n,) of the strongest peaks of the difference of two blurs in each pool."""
    middles, sizes, strengths = [], [], []
    for radius in radii:
        # A disc of radius r answers most to a Gaussian pair around sigma = r / sqrt(2).
        fine = cv2.GaussianBlur(level, (0, 0), 0.5 * radius)
        coarse = cv2.GaussianBlur(level, (0, 0), 1.0 * radius)
        width = 3 if radius < 2.5 else 5
        for lighter, darker in ((fine, coarse), (coarse, fine)):
            b, g, r = cv2.split(cv2.subtract(lighter, darker))
            response = cv2.max(cv2.max(b, g), r)
            top = cv2.dilate(response, np.ones((width, width), np.uint8))
            # Ten times faster than `nonzero` of two axes.
            at = np.flatnonzero((response == top) & (response >= LOWEST_PEAK))
            ys, xs = np.divmod(at, response.shape[1])
            middles.append(np.column_stack([xs, ys]).astype(np.float32))
            sizes.append(np.full(len(at), radius, np.float32))
            strengths.append(response.ravel()[at].astype(np.int16))
    middle, size, strength = np.concatenate(middles), np.concatenate(sizes), np.concatenate(strengths)
    if len(middle) > most:
        part = (middle[:, 0] * np.float32(len(pools) / level.shape[1])).astype(np.intp)
        pool = np.array(pools, np.int32)[part]
        order = np.argsort(pool * 256 - strength, kind="stable")
        pool = pool[order]
        place = np.arange(len(order)) - np.searchsorted(pool, pool)
        kept = order[place < most * np.bincount(pools)[pool]]
        middle, size = middle[kept], size[kept]
    return middle, size


_ANGLES = np.arange(RAYS, dtype=np.float32) * np.float32(2 * np.pi / RAYS)
_DIRECTIONS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)]).astype(np.float32)
_LENGTHS = np.linspace(0.0, REACH, STEPS, dtype=np.float32)
_RAY_OFFSETS = (_DIRECTIONS[:, None] * _LENGTHS[None, :, None]).reshape(-1, 2)
"""Shape (rays * steps, 2), in expected radii."""
_INNER_STEPS = int((_LENGTHS <= 0.45).sum())
_OUTER_STEPS = slice(int((_LENGTHS < 1.55).sum()), int((_LENGTHS <= 2.15).sum()))


def sampled(image: UInt8Array, points: FloatArray) -> FloatArray:
    """Colours, shape (..., channels), at points of shape (..., 2), bilinear; the border repeats outside."""
    flat = points.reshape(-1, 2)
    out = np.empty((len(flat), 3), np.float32)
    block = 30000  # OpenCV's remap takes maps of at most 32,767 rows
    for start in range(0, len(flat), block):
        part = flat[start : start + block]
        got = cv2.remap(
            image,
            np.ascontiguousarray(part[:, 0:1]),
            np.ascontiguousarray(part[:, 1:2]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        out[start : start + block] = got.reshape(-1, 3)
    return out.reshape(*points.shape[:-1], 3)


_PROBES = 12
"""Directions in which a suspected spot is first tried, at some distances each: cheap, and it throws most away."""

_PROBE_RADII = (1.5, 2.0, 2.6)
"""In expected radii: between the pips of a narrow 6, outside a round pip, outside the long way of a slanted one."""

_PROBE_ANGLES = np.arange(_PROBES, dtype=np.float32) * np.float32(2 * np.pi / _PROBES)
_PROBE_OFFSETS = (
    (
        np.array(_PROBE_RADII, np.float32)[:, None, None]
        * np.column_stack([np.cos(_PROBE_ANGLES), np.sin(_PROBE_ANGLES)])[None]
    )
    .astype(np.float32)
    .reshape(-1, 2)
)
_PROBED_GROUND = slice(_PROBES, 2 * _PROBES)
"""The probes at the middle distance."""


def _sampled_around(level: UInt8Array, middles: FloatArray, sizes: FloatArray, offsets: FloatArray) -> FloatArray:
    """Colours, shape (n, k, 3), at offsets of shape (k, 2) in expected radii from each of up to 32,000 middles."""
    x = middles[:, :1] + sizes[:, None] * offsets[:, 0]
    y = middles[:, 1:] + sizes[:, None] * offsets[:, 1]
    got = cv2.remap(level, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(got, np.float32)


def _alone(level: UInt8Array, middles: FloatArray, sizes: FloatArray) -> npt.NDArray[np.bool_]:
    """Which suspected spots differ from what lies around them in all directions but one, shape (n,)."""
    around = _sampled_around(level, middles, sizes, _PROBE_OFFSETS)
    columns, rows = middles.astype(np.intp).T
    inner = level[rows, columns].astype(np.float32)
    ground = _medians(around[:, _PROBED_GROUND])
    direction = inner - ground
    square = np.maximum((direction**2).sum(axis=1), 1.0)
    # The threshold of one half, as a comparison without dividing.
    part = np.matmul(around, direction[:, :, None])[..., 0]
    limit = (ground * direction).sum(axis=1) + 0.55 * square
    first, *others = np.split(part < limit[:, None], len(_PROBE_RADII), axis=1)
    outside = functools.reduce(np.logical_or, others, first)
    alone: npt.NDArray[np.bool_] = (outside.sum(axis=1) >= _PROBES - 1) & (square > 100.0)
    return alone


def _measured(level: UInt8Array, middles: FloatArray, sizes: FloatArray) -> Spots:
    """Measure the suspected spots on rays; those without a closed outline are dropped."""
    if len(middles):
        kept = _alone(level, middles, sizes)
        middles, sizes = middles[kept], sizes[kept]
    if not len(middles):
        return no_spots()
    count = len(middles)
    colours = _sampled_around(level, middles, sizes, _RAY_OFFSETS).reshape(count, RAYS, STEPS, 3)
    inner = _means(colours[:, :, :_INNER_STEPS].reshape(count, -1, 3))
    ground = _medians(colours[:, ::2, _OUTER_STEPS].reshape(count, -1, 3))
    radius, _ = _outline(colours, inner, ground, sizes)
    ground = _medians(_outside(colours, radius, sizes))
    radius, closed = _outline(colours, inner, ground, sizes)
    around = _outside(colours, radius, sizes)
    ground = _medians(around)
    spread = _spread(around, ground)
    centre, shape, roughness = _ellipse(radius)
    contrast = np.sqrt(((inner - ground) ** 2).sum(axis=1))
    good = closed & (contrast > 12) & np.isfinite(roughness)
    return Spots(
        (middles + centre)[good].astype(np.float32),
        shape[good].astype(np.float32),
        inner[good].astype(np.float32),
        ground[good].astype(np.float32),
        contrast[good].astype(np.float32),
        roughness[good].astype(np.float32),
        (spread / np.maximum(contrast, 1.0))[good].astype(np.float32),
    )


def _means(colours: FloatArray) -> FloatArray:
    """Means, shape (n, 3), of n groups of colours, shape (n, k, 3); six times faster than numpy's."""
    count = colours.shape[1]
    means: FloatArray = np.matmul(np.full((1, count), 1 / count, np.float32), colours)[:, 0]
    return means


def _medians(colours: FloatArray) -> FloatArray:
    """Medians, shape (n, 3), of n groups of an even number of colours, shape (n, k, 3); far cheaper than numpy's."""
    half = colours.shape[1] // 2
    channels = np.ascontiguousarray(colours.transpose(0, 2, 1))  # what is sorted must lie together
    channels.partition((half - 1, half), axis=2)
    medians: FloatArray = (channels[:, :, half - 1] + channels[:, :, half]) / 2
    return medians


def inverses(shape: FloatArray) -> FloatArray:
    """Inverses of symmetric positive matrices, shape (n, 2, 2)."""
    a, b, d = shape[:, 0, 0] + 1e-3, shape[:, 0, 1], shape[:, 1, 1] + 1e-3
    determinant = np.maximum(a * d - b * b, 1e-9)
    inverse: FloatArray = (np.stack([d, -b, -b, a], axis=1) / determinant[:, None]).reshape(-1, 2, 2)
    return inverse


def _outline(
    colours: FloatArray, inner: FloatArray, ground: FloatArray, sizes: FloatArray
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Radius (n, rays) where each ray is half way to the ground, and whether (nearly) all rays cross."""
    count = len(inner)
    direction = inner - ground
    unit = direction / np.maximum((direction**2).sum(axis=1), 1.0)[:, None]
    base = (ground * unit).sum(axis=1)
    profile = np.matmul(colours.reshape(count, -1, 3), unit[:, :, None]).reshape(count * RAYS, STEPS)
    profile -= np.repeat(base, RAYS)[:, None]
    below = profile < 0.5
    below[:, 0] = False
    first = below.argmax(axis=1)
    crosses = first > 0
    first = np.where(crosses, first, STEPS - 1)
    rows = np.arange(count * RAYS)
    high, low = profile[rows, first - 1], profile[rows, first]
    part = np.clip((high - 0.5) / np.maximum(high - low, 1e-3), 0.0, 1.0)
    step = REACH / (STEPS - 1)
    radius = ((first - 1 + part) * step).reshape(count, RAYS) * sizes[:, None]
    return radius.astype(np.float32), crosses.reshape(count, RAYS).sum(axis=1) >= RAYS - 1


def _outside(colours: FloatArray, radius: FloatArray, sizes: FloatArray) -> FloatArray:
    """Colours just outside the outline, shape (n, rays, 3): on each ray a third of a radius and at least 0.8 px."""
    step = REACH / (STEPS - 1)
    where = np.maximum(radius * 1.38, radius + 0.8) / (step * sizes[:, None])
    index = np.minimum(np.rint(where).astype(np.intp), STEPS - 1).ravel()
    index += np.arange(index.size) * STEPS
    outside: FloatArray = colours.reshape(-1, 3)[index].reshape(*radius.shape, 3)
    return outside


def _spread(around: FloatArray, ground: FloatArray) -> FloatArray:
    """The deviation from the ground, shape (n,), under which three quarters of the colours around stay."""
    deviation = np.abs(around - ground[:, None, :])
    most = np.maximum(np.maximum(deviation[..., 0], deviation[..., 1]), deviation[..., 2])
    most.partition((RAYS * 3) // 4, axis=1)
    spread: FloatArray = most[:, (RAYS * 3) // 4]
    return spread


def _ellipse(radius: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Centroids (n, 2), ellipse matrices (n, 2, 2) and roughness (n,) of outlines with these radii (n, rays)."""
    x, y = radius * _DIRECTIONS[:, 0], radius * _DIRECTIONS[:, 1]
    following = [*range(1, RAYS), 0]
    next_x, next_y = x[:, following], y[:, following]
    area = (x * next_y - y * next_x) / 2
    total = np.maximum(area.sum(axis=1), 1e-6)[:, None]
    both_x, both_y = x + next_x, y + next_y
    part = area / total
    centre = np.stack([(both_x * part).sum(axis=1), (both_y * part).sum(axis=1)], axis=1) / 3
    # Second moment of a triangle with one corner at the origin: a/12 (pp + qq + (p+q)(p+q)).
    xx = ((x * x + next_x * next_x + both_x * both_x) * part).sum(axis=1) / 12 - centre[:, 0] ** 2
    xy = ((x * y + next_x * next_y + both_x * both_y) * part).sum(axis=1) / 12 - centre[:, 0] * centre[:, 1]
    yy = ((y * y + next_y * next_y + both_y * both_y) * part).sum(axis=1) / 12 - centre[:, 1] ** 2
    shape = 4.0 * np.stack([xx, xy, xy, yy], axis=1).reshape(-1, 2, 2)
    inverse = inverses(shape)
    away_x, away_y = x - centre[:, :1], y - centre[:, 1:]
    square = inverse[:, 0, :1] * away_x**2 + 2 * inverse[:, 0, 1:] * away_x * away_y + inverse[:, 1, 1:] * away_y**2
    return centre, shape, np.sqrt(np.maximum(square, 0.0)).std(axis=1)


def quality(spots: Spots) -> FloatArray:
    """How much each spot looks like a pip, higher is better: even, smooth in outline, strong."""
    score: FloatArray = (
        np.minimum(spots.contrast, 120) / 120 - 2.5 * spots.roughness - 0.8 * np.minimum(spots.unevenness, 1.0)
    ).astype(np.float32)
    return score


def without_duplicates(spots: Spots) -> Spots:
    """Keep the best of the spots whose middle lies within another's outline and that are of similar size."""
    if not len(spots):
        return spots
    order = np.argsort(-quality(spots), kind="stable")
    spots = spots[order]
    kept = _firsts(spots) if len(spots) <= FEW_SPOTS else _firsts_on_grid(spots)
    return spots[np.array(kept, dtype=np.intp)]


def _firsts(spots: Spots) -> list[int]:
    """Indices of the spots that no earlier kept one clashes with, all compared with all."""
    x, y, r = spots.centres[:, 0], spots.centres[:, 1], spots.radii
    larger, smaller = np.maximum(r[:, None], r[None]), np.minimum(r[:, None], r[None])
    away = (x[:, None] - x[None]) ** 2 + (y[:, None] - y[None]) ** 2
    free = (away >= (0.8 * larger) ** 2) | (larger >= 2.2 * smaller)
    alive = np.ones(len(x), bool)
    kept: list[int] = []
    for i in range(len(x)):
        if alive[i]:
            kept.append(i)
            alive &= free[i]
    return kept


def _firsts_on_grid(spots: Spots) -> list[int]:
    """The same, of thousands of spots: each is compared with those in the cells around it."""
    centres, radii = spots.centres, spots.radii
    cell = 8.0
    taken: dict[tuple[int, int], list[int]] = {}
    kept: list[int] = []
    for i, ((x, y), r) in enumerate(zip(centres.tolist(), radii.tolist(), strict=True)):
        span = int(np.ceil(2 * r / cell)) if r > cell / 2 else 1
        cx, cy = int(x // cell), int(y // cell)
        clash = False
        for gx in range(cx - span, cx + span + 1):
            for gy in range(cy - span, cy + span + 1):
                for j in taken.get((gx, gy), ()):
                    other = float(radii[j])
                    near = (x - centres[j, 0]) ** 2 + (y - centres[j, 1]) ** 2 < (0.8 * max(r, other)) ** 2
                    if near and max(r, other) < 2.2 * min(r, other):
                        clash = True
        if not clash:
            kept.append(i)
            taken.setdefault((cx, cy), []).append(i)
    return kept
