"""Faces of dice among spots: pips that lie as the face of a die lays them, seen at any slant.

A face of a die is the same when turned by half a turn: its pips are pairs around a middle, with or without a pip in
the middle. So a face is sought as pairs of like spots that share their midpoint, and its layout is checked in the
slant that the pips' own ellipses show: a 4 is a square only where its pips are circles.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from vision.pip_spots import FloatArray, Spots, inverses

Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

ROUGHEST = 0.24
"""Most a pip's outline may leave its ellipse, in parts of its radius; pips of 3 px measure up to 0.2."""

MOST_UNEVEN = 1.0
"""Spread of the ground around a pip over the contrast: at 1 the ground is no ground."""

MOST_SLANT = 3.6
"""Aspect of a pip's ellipse: a top face seen from 16 degrees above the table."""

CLOSEST_RADII = 1.8
"""Least distance of two pips' middles in pip radii; touching pips are at 2, and 0.2 is the error of their measure."""

FARTHEST_RADII = 15.0
"""Most distance across a face in pip radii: small pips (radius 0.055 of the side) in the far corners (0.8)."""

CLOSEST_CORNER_RADII = 2.3
"""Least distance of a corner pip of 4, 5, 6 from the middle in pip radii: fat ones (0.16) close by (0.26)."""

CLOSEST_THIRD_RADII = 1.9
"""Least distance of the outer pips of a 3 from the middle one, in pip radii."""

CLOSEST_MIDDLE_RADII = 1.5
"""Least distance of the middle pips of a 6 from the middle of the face, in pip radii (measured from 1.75)."""

SIZE_RATIO = 1.5
"""Most by which the radii of two pips of one face differ."""

COLOUR_PART = 0.5
"""Most by which the colours of two pips differ, in parts of the contrast."""

GROUND_PART = 0.7
"""Most by which their grounds differ: those next to the die's edge are the lighter for its gleam."""

MIDPOINT_RADII = 0.75
"""How far the midpoints of two pairs of one face may be apart, in pip radii (small pips are placed to 0.3 px)."""

LAYOUT_RADII = 0.85
"""How far a pip may be from where the layout wants it, in pip radii."""

MOST_SKEW = 0.5
"""Small pips show the slant badly; a square face rarely measures above 0.3 (pips from 3 px)."""

MOST_PAIRS = 12000
"""Pairs looked at, the narrowest first: a weave has tens of thousands, and no dice among its widest."""

NARROWEST_SIX, STEEPNESS = 0.56, 10.0
"""Least width of a 6 over its length: many dice have its two rows of three closer together than its ends. At 0.5 a 6 is
a part of any lattice of dots: such are refused."""

RADII_TO_CORNER_OF_ONE = 3.3
"""Half diagonal of a 1's supposed corner pips in radii of its pip (0.11 of the side in radius, 0.36 to the corners)."""

_PLACES: dict[int, list[tuple[float, float]]] = {
    4: [(1, 0), (-1, 0), (0, 1), (0, -1)],
    5: [(1, 0), (-1, 0), (0, 1), (0, -1), (0, 0)],
    6: [(1, 0), (-1, 0), (0, 1), (0, -1), (0.5, 0.5), (-0.5, -0.5)],
}
"""Where the pips lie in units of the half diagonals, in the order in which `pips` lists them."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Groups of spots that lie like the pips of one face, one a row in each array."""

    value: Indices
    """Shape (n,), 1 to 6."""
    pips: Indices
    """Shape (n, 6): indices of the spots, then -1."""
    centre: FloatArray
    """Shape (n, 2): middle of the face in pixels."""
    axes: FloatArray
    """Shape (n, 2, 2): columns are the half diagonals in pixels, from the middle to two neighbouring corner pips (2, 3:
    the first to a pip, the second where another corner's pip would be; 1: those of a face of usual proportion)."""
    radius: FloatArray
    """Shape (n,): of the pips, in units where the half diagonals' geometric mean is 1."""
    misfit: FloatArray
    """Shape (n,): how far the pips are from the layout, in pip radii: root mean square."""
    skew: FloatArray
    """Shape (n,): how far the half diagonals are from equal and perpendicular in the slant of the pips, 0 to 1; 0 for
    1, 2, 3."""
    unlike: FloatArray
    """Shape (n,): how much the pips differ in size, colour and shape; 0 for a single pip."""

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Indices | Mask) -> Faces:
        """The faces chosen by an index or mask array."""
        return Faces(**{f.name: getattr(self, f.name)[index] for f in fields(self)})

    def pips_of(self, n: int) -> list[int]:
        """The spots of one face."""
        row: list[int] = self.pips[n, : self.value[n]].tolist()
        return row

    def mean(self, of_spots: FloatArray) -> FloatArray:
        """Mean over each face's pips of something measured for each spot, shape (spots, ...)."""
        gathered = of_spots[np.maximum(self.pips, 0)]
        weight = (self.pips >= 0).astype(np.float32) / self.value[:, None].astype(np.float32)
        mean: FloatArray = (gathered * weight.reshape(*weight.shape, *[1] * (of_spots.ndim - 1))).sum(axis=1)
        return mean

    def largest(self, of_spots: FloatArray) -> FloatArray:
        """Largest value over each face's pips of something measured for each spot, shape (spots,)."""
        largest: FloatArray = np.where(self.pips >= 0, of_spots[np.maximum(self.pips, 0)], -np.inf).max(axis=1)
        return largest


def plausible(spots: Spots) -> Mask:
    """Which spots could be pips, shape (n,)."""
    mask: Mask = (spots.roughness < ROUGHEST) & (spots.unevenness < MOST_UNEVEN) & (spots.aspects < MOST_SLANT)
    return mask


def find_faces(spots: Spots, *, most: int = 700, owners: Indices | None = None) -> Faces:
    """List every group of spots that lies like a face; groups overlap, and most of them are chance.

    Args:
        spots: as measured; implausible ones are passed over.
        most: spots looked at, the best first (`find_spots` gives them in that order).
        owners: shape (n,), from 0 on: only spots of one owner make a face, and of each owner `most` are looked at.

    Returns:
        Faces of all values; the indices are those of `spots`. Single spots (value 1) are all listed.
    """
    usable = np.nonzero(plausible(spots))[0]
    usable = usable[:most] if owners is None else _first_of_each(usable, owners, most)
    chosen = spots[usable]
    parts = [_singles(chosen)]
    if len(chosen) > 1:
        alike = _alike(chosen, None if owners is None else owners[usable])
        pairs = _pairs(chosen, alike)
        parts += _lines(chosen, pairs)
        parts += _squares(chosen, pairs, alike)
    faces = Faces(**{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Faces)})
    known = np.where(faces.pips >= 0, usable[np.maximum(faces.pips, 0)] if len(usable) else -1, -1)
    return Faces(**{**{f.name: getattr(faces, f.name) for f in fields(Faces)}, "pips": known})


def _first_of_each(index: Indices, owners: Indices, most: int) -> Indices:
    """The first `most` of each owner's spots among those chosen, in their order."""
    order = np.argsort(owners[index], kind="stable")
    sorted_owners = owners[index][order]
    place = np.arange(len(index)) - np.searchsorted(sorted_owners, sorted_owners)
    return index[np.sort(order[place < most])]


def _alike(spots: Spots, owners: Indices | None = None) -> Mask:
    """Whether two spots could be pips of one face, shape (n, n)."""
    x, y = spots.centres[:, 0], spots.centres[:, 1]
    across, down = x[:, None] - x[None], y[:, None] - y[None]
    a = (spots.shapes[:, 0, 0][:, None] + spots.shapes[:, 0, 0][None]) / 2
    b = (spots.shapes[:, 0, 1][:, None] + spots.shapes[:, 0, 1][None]) / 2
    d = (spots.shapes[:, 1, 1][:, None] + spots.shapes[:, 1, 1][None]) / 2
    determinant = np.maximum(a * d - b * b, 1e-6)
    square = (d * across**2 - 2 * b * across * down + a * down**2) / determinant
    alike: Mask = (square > CLOSEST_RADII**2) & (square < FARTHEST_RADII**2)
    if owners is not None:
        alike &= owners[:, None] == owners[None]
    ratio = np.log(np.maximum(spots.radii, 1e-3))
    alike &= np.abs(ratio[:, None] - ratio[None]) < np.log(SIZE_RATIO)
    i, j = np.nonzero(alike)
    least = np.minimum(spots.contrast[i], spots.contrast[j])
    good = ((spots.inner[i] - spots.inner[j]) ** 2).sum(axis=1) < (COLOUR_PART * least) ** 2
    good &= ((spots.ground[i] - spots.ground[j]) ** 2).sum(axis=1) < (GROUND_PART * least) ** 2
    # Two ellipses are alike when they differ little from their mean; small ones are measured badly.
    size = np.sqrt(determinant[i, j])
    differ = np.abs(spots.shapes[i] - spots.shapes[j]).reshape(-1, 4).max(axis=1, initial=0.0)
    good &= differ < 0.75 * size + 1.2 * np.sqrt(size)
    alike[i, j] = good
    return alike


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    one: Indices
    two: Indices
    middle: FloatArray
    half: FloatArray
    """From the middle to `one`."""
    shape: FloatArray
    """Mean ellipse of the two."""
    length: FloatArray
    """Of `half` in pip radii."""
    reach: FloatArray
    """How far another pair's midpoint may be, in pixels along each axis."""
    central: Indices
    """A spot in the middle that is like both, or -1."""


def _pairs(spots: Spots, alike: Mask) -> _Pairs:
    one, two = np.nonzero(np.triu(alike, 1))
    half = (spots.centres[one] - spots.centres[two]) / 2
    shape = (spots.shapes[one] + spots.shapes[two]) / 2
    length = np.sqrt(np.maximum(_form(inverses(shape), half), 0))
    if len(one) > MOST_PAIRS:
        kept = np.argsort(length, kind="stable")[:MOST_PAIRS]
        one, two, half, shape, length = one[kept], two[kept], half[kept], shape[kept], length[kept]
    middle = (spots.centres[one] + spots.centres[two]) / 2
    reach = MIDPOINT_RADII * np.sqrt(np.maximum(shape[:, 0, 0], shape[:, 1, 1]))
    central = np.full(len(one), -1, np.intp)
    p, k = near(middle, reach, spots.centres)
    like = alike[one[p], k] & alike[two[p], k]
    p, k = p[like], k[like]
    off = _form(inverses(shape[p]), spots.centres[k] - middle[p])
    p, k, off = p[off < MIDPOINT_RADII**2], k[off < MIDPOINT_RADII**2], off[off < MIDPOINT_RADII**2]
    worst_first = np.argsort(-off, kind="stable")
    central[p[worst_first]] = k[worst_first]
    return _Pairs(one, two, middle, half, shape, length, reach.astype(np.float32), central)


def _form(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """The quadratic forms v @ m @ v, shape (n,)."""
    x, y = vectors[:, 0], vectors[:, 1]
    form: FloatArray = matrices[:, 0, 0] * x * x + 2 * matrices[:, 0, 1] * x * y + matrices[:, 1, 1] * y * y
    return form


def near(points: FloatArray, reach: FloatArray, others: FloatArray) -> tuple[Indices, Indices]:
    """Indices of points, shape (n, 2), and others, shape (m, 2), that are within each point's reach along both axes."""
    order = np.argsort(others[:, 0], kind="stable")
    xs = others[order, 0]
    low = np.searchsorted(xs, points[:, 0] - reach)
    high = np.searchsorted(xs, points[:, 0] + reach)
    count = high - low
    p = np.repeat(np.arange(len(points)), count)
    k = order[np.arange(len(p)) - np.repeat(np.cumsum(count) - count - low, count)]
    good = np.abs(points[p, 1] - others[k, 1]) < reach[p]
    return p[good], k[good]


def _root(shapes: FloatArray) -> FloatArray:
    """Symmetric roots of ellipse matrices, shape (n, 2, 2): they map the unit circle to the ellipse."""
    determinant = np.maximum(shapes[:, 0, 0] * shapes[:, 1, 1] - shapes[:, 0, 1] ** 2, 1e-6)
    s = np.sqrt(determinant)
    t = np.sqrt(shapes[:, 0, 0] + shapes[:, 1, 1] + 2 * s)
    root: FloatArray = (shapes + s[:, None, None] * np.eye(2, dtype=np.float32)) / t[:, None, None]
    return root


def _unlike(spots: Spots, pips: Indices) -> FloatArray:
    """How much the spots of each row, shape (n, k), differ, shape (n,)."""
    if not len(pips):
        return np.zeros(0, np.float32)
    shapes = spots.shapes[pips]
    mean = shapes.mean(axis=1, keepdims=True)
    size = np.sqrt(np.maximum(np.linalg.det(mean[:, 0]), 1e-6))
    spread = np.abs(shapes - mean).reshape(len(pips), -1).max(axis=1) / size
    contrast = np.maximum(spots.contrast[pips].mean(axis=1), 1e-3)
    total = 0.5 * spread
    for colours in (spots.inner[pips], spots.ground[pips]):
        away = np.sqrt(((colours - colours.mean(axis=1, keepdims=True)) ** 2).sum(axis=2)).max(axis=1)
        total = total + away / contrast
    unlike: FloatArray = total.astype(np.float32)
    return unlike


def _made(
    value: int,
    pips: Indices,
    centre: FloatArray,
    axes: FloatArray,
    radius: FloatArray,
    misfit: FloatArray,
    skew: FloatArray,
    unlike: FloatArray,
) -> Faces:
    count = len(pips)
    filled = np.full((count, 6), -1, np.intp)
    filled[:, : pips.shape[1]] = pips
    return Faces(
        np.full(count, value, np.intp),
        filled,
        centre.astype(np.float32),
        axes.astype(np.float32),
        radius.astype(np.float32),
        misfit.astype(np.float32),
        skew.astype(np.float32),
        unlike.astype(np.float32),
    )


def _singles(spots: Spots) -> Faces:
    count = len(spots)
    none = np.zeros(count, np.float32)
    axes = _root(spots.shapes) * np.float32(RADII_TO_CORNER_OF_ONE)
    radius = np.full(count, 1 / RADII_TO_CORNER_OF_ONE, np.float32)
    return _made(1, np.arange(count)[:, None], spots.centres, axes, radius, none, none, none)


def _lines(spots: Spots, pairs: _Pairs) -> list[Faces]:
    """Twos and threes."""
    root = _root(pairs.shape)
    white = inverses(root)
    flat = np.matmul(white, pairs.half[:, :, None])[..., 0]
    turned = np.matmul(root, np.stack([-flat[:, 1], flat[:, 0]], axis=1)[:, :, None])[..., 0]
    axes = np.stack([pairs.half, turned], axis=2)
    radius = 1 / np.maximum(pairs.length, 1e-3)
    short = pairs.length <= FARTHEST_RADII / 2
    two = np.nonzero(short & (pairs.central < 0))[0]
    three = np.nonzero(short & (pairs.central >= 0) & (pairs.length >= CLOSEST_THIRD_RADII))[0]
    out = []
    pips = np.column_stack([pairs.one, pairs.two, pairs.central])
    for value, rows in ((2, two), (3, three)):
        chosen = pips[rows, :value]
        centre = spots.centres[chosen].mean(axis=1)
        none = np.zeros(len(rows), np.float32)
        misfit = none
        if value == 3:
            off = spots.centres[pairs.central[rows]] - pairs.middle[rows]
            # The three are off by a third, a third and two thirds of it.
            misfit = np.sqrt(np.maximum(_form(inverses(pairs.shape[rows]), off), 0) * 2 / 9)
        out.append(_made(value, chosen, centre, axes[rows], radius[rows], misfit, none, _unlike(spots, chosen)))
    return out


def _squares(spots: Spots, pairs: _Pairs, alike: Mask) -> list[Faces]:
    """Fours, fives and sixes: pairs that share their midpoint."""
    p, q = near(pairs.middle, pairs.reach, pairs.middle)
    good = p < q
    good &= np.minimum(pairs.length[p], pairs.length[q]) >= CLOSEST_MIDDLE_RADII
    p, q = p[good], q[good]
    good = alike[pairs.one[p], pairs.one[q]] & alike[pairs.one[p], pairs.two[q]]
    good &= alike[pairs.two[p], pairs.one[q]] & alike[pairs.two[p], pairs.two[q]]
    good &= _form(inverses(pairs.shape[p]), pairs.middle[q] - pairs.middle[p]) < MIDPOINT_RADII**2
    p, q = p[good], q[good]
    # Pairs that share their midpoint with p, whatever their length: the middle pips of a 6 are among them.
    shared: dict[int, list[int]] = {}
    for a, b in zip(p.tolist(), q.tolist(), strict=True):
        shared.setdefault(a, []).append(b)
        shared.setdefault(b, []).append(a)
    wide = (pairs.length[p] >= CLOSEST_CORNER_RADII) & (pairs.length[q] >= CLOSEST_CORNER_RADII)
    p, q = p[wide], q[wide]
    corners = np.column_stack([pairs.one[p], pairs.two[p], pairs.one[q], pairs.two[q]]).reshape(-1, 4)
    central = np.maximum(pairs.central[p], pairs.central[q])
    out = [
        _checked(spots, 4, corners, pairs.half[p], pairs.half[q], rows=central < 0),
        _checked(
            spots,
            5,
            np.column_stack([corners, central]).reshape(-1, 5),
            pairs.half[p],
            pairs.half[q],
            rows=central >= 0,
        ),
    ]
    sixes: list[tuple[list[int], FloatArray, FloatArray]] = []
    for a, b, c in zip(p.tolist(), q.tolist(), central.tolist(), strict=True):
        if c < 0:
            sixes += _middle_pairs(pairs, a, b, set(shared[a]) & set(shared[b]))
    if sixes:
        six = np.array([s[0] for s in sixes], np.intp)
        first, second = np.array([s[1] for s in sixes]), np.array([s[2] for s in sixes])
        out.append(_checked(spots, 6, six, first, second, rows=np.ones(len(six), bool)))
    return out


def _middle_pairs(pairs: _Pairs, a: int, b: int, others: set[int]) -> list[tuple[list[int], FloatArray, FloatArray]]:
    """Sixes with the corner pairs a and b and a further pair on two opposite sides of their square."""
    found = []
    for third in sorted(others):
        for sign in (1.0, -1.0):
            second = pairs.half[b] * np.float32(sign)
            wanted = (pairs.half[a] + second) / 2
            for flip in (1.0, -1.0):
                off = pairs.half[third] * np.float32(flip) - wanted
                if float(off @ off) < 0.12 * float(wanted @ wanted):
                    ends = [int(pairs.one[b]), int(pairs.two[b])][:: int(sign)]
                    mids = [int(pairs.one[third]), int(pairs.two[third])][:: int(flip)]
                    pips = [int(pairs.one[a]), int(pairs.two[a]), *ends, *mids]
                    found.append((pips, pairs.half[a], second))
    return found


def _skew_of_six(one: FloatArray, two: FloatArray) -> FloatArray:
    """How far a 6 is from a rectangle as dice have it, from its flattened half diagonals, shape (n, 2) each."""
    across, along = (one + two) / 2, (one - two) / 2
    wide, long = np.linalg.norm(across, axis=1), np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    slanted = np.abs((across * along).sum(axis=1)) / np.maximum(wide * long, 1e-6)
    ratio = wide / long
    skew: FloatArray = np.maximum(
        slanted, np.maximum(STEEPNESS * (NARROWEST_SIX - ratio), 1 - 1 / np.maximum(ratio, 1.0))
    )
    return np.maximum(skew, 0)


def _checked(spots: Spots, value: int, pips: Indices, first: FloatArray, second: FloatArray, *, rows: Mask) -> Faces:
    """Faces with these half diagonals, those whose pips fit the layout in their own slant."""
    pips, first, second = pips[rows], first[rows], second[rows]
    shape = spots.shapes[pips].mean(axis=1).reshape(-1, 2, 2)
    white = inverses(_root(shape))
    one = np.matmul(white, first[:, :, None])[..., 0]
    two = np.matmul(white, second[:, :, None])[..., 0]
    lengths = np.linalg.norm(one, axis=1), np.linalg.norm(two, axis=1)
    longest = np.maximum(np.maximum(*lengths), 1e-6)
    product = np.maximum(lengths[0] * lengths[1], 1e-6)
    if value == 6:
        skew = _skew_of_six(one, two)
    else:
        skew = np.maximum(np.abs(lengths[0] - lengths[1]) / longest, np.abs((one * two).sum(axis=1)) / product)
    positions = spots.centres[pips].reshape(len(pips), value, 2)
    centre = positions.mean(axis=1)
    axes = np.stack([first, second], axis=2)
    wanted = np.matmul(np.array(_PLACES[value], np.float32)[None], axes.transpose(0, 2, 1))
    error = np.matmul(positions - centre[:, None] - wanted, white.transpose(0, 2, 1))
    misfit = np.sqrt((error**2).sum(axis=2).mean(axis=1))
    good = (misfit < LAYOUT_RADII) & (skew < MOST_SKEW)
    radius = 1 / np.sqrt(product)
    return _made(
        value, pips[good], centre[good], axes[good], radius[good], misfit[good], skew[good], _unlike(spots, pips[good])
    )
