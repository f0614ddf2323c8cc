"""Count the pips of one face seen straight on: the reader that knows geometry only.

It stands beside a trained net as an independent witness: it knows nothing but that pips are like spots, where a face
has them, and that elsewhere the face is bare. What does not fit is not counted but refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.observation import Point
from vision.pip_patterns import Faces, find_faces, plausible
from vision.pip_spots import FloatArray, Spots, UInt8Array, find_spots, inverses

WORKING_SIDE_PX = 56
"""The face's side while it is counted: pips are then 5 to 21 px wide. Of 408 photographed faces a side of 80 px counts
no more, with a few more mistakes, and takes half as long again."""

APART_PX = 16
"""Faces that are searched together lie so far apart in the common picture, each border repeated."""

TOGETHER = 12
"""So many faces are searched together: more would compare too many spots that have nothing to do with each other."""

MOST_SPOTS = 100
"""For each face of a pool in each level, the strongest first."""

MOST_LOOKED_AT = 60
"""Measured spots of one face that may be pips, the best first."""

SMALLEST_SIDE_PX = 12
"""Smaller faces have pips of 2 px, which cannot be told from noise."""

PIP_RADII = (0.045, 0.19)
"""Least and largest radius of a pip in parts of the face's side (large single pips of a 1 reach 0.18)."""

LEAST_RADIUS_OF_ONE = 0.06
"""Smaller single spots are specks; the pip of a 1 is no smaller than those of the other faces."""

CENTRE_PART = 0.11
"""How far the middle of the pips may be from the middle of an exact square, in parts of its side."""

ONE_OFF_CENTRE = 0.17
"""Where the pip of a 1 is so far from the square's middle, in parts of its side, its belief falls to a third: one pip
of a 2 lies 0.36 off its face's middle."""

CORNER_PART = (0.22, 0.50)
"""Distance of the corner pips from the middle in parts of the side, along the diagonal."""

LINE_PART = (0.12, 0.36)
"""Distance of the outer pips of an in-line 2 or 3 from the middle, in parts of the side."""

CLOSE_PAIR_PART = 0.14
"""Least distance of a close 2's pips from the middle, in parts of the side."""

TURN_DEGREES, TURN_OF_SIX_DEGREES = 16.0, 34.0
"""How far the pips' diagonal may be turned out of an exact square's."""

BARE_PART = 0.36
"""Within so much of the side around the middle a face must be bare between its pips; the rounding begins beyond."""

MOST_ASPECT = 1.5
"""A pip of a side face that is seen too is longer than this, those of a flattened top face measure 1.0 to 1.3."""

SMALL_SIDE_PX = 28.0
"""Pips of smaller faces are 5 px and less, which shows their aspect badly."""

MOST_ASPECT_OF_SMALL = 1.9
"""Of their pips."""

NEIGHBOUR_PART = 0.62
"""Within so much of the side around the middle of an uncertain square a further pip belongs to the same face."""

LEAST_FIT = 0.25
"""Below this nothing is counted."""


@dataclass(frozen=True, slots=True)
class PipCount:
    """What a count of the pips of one face gave."""

    value: int | None
    """1 to 6; None where the spots do not make a face."""
    confidence: float
    """0 to 1, of the value; 0 without one."""
    spots: tuple[Point, ...]
    """Middles of the counted pips, in pixels of the face's picture."""
    why: str | None = None
    """Why nothing was counted."""
    body_bgr: tuple[float, float, float] | None = None
    """Colour of the face around the pips."""
    fits: tuple[float, ...] = (0.0,) * 6
    """How well spots make each value's face, 1 to 6: what a count of that value would have had as its fit."""


def count_pips(face: npt.NDArray[np.uint8], *, margin: float = 0.0, slack: float = 0.0) -> PipCount:
    """Count the pips of a rectified top face.

    Args:
        face: the face's square, grey of shape (rows, columns) or BGR of shape (rows, columns, 3); the face itself of
            12 px or more, best from 24 px.
        margin: how much the picture shows around the square on each side, in parts of the square's side.
        slack: how far the square may be from the true face, in parts of its side; with any slack the face may also
            be turned by any angle and be larger or smaller by twice this part.

    Returns:
        The count; its value does not depend on quarter turns, brightness or which of pip and body is lighter.
    """
    return count_faces([face], margin=margin, slack=slack)[0]


def count_faces(
    faces: Sequence[npt.NDArray[np.uint8]],
    *,
    margin: float = 0.0,
    slack: float = 0.0,
    pools: Sequence[int] | None = None,
) -> tuple[PipCount, ...]:
    """Count the pips of many faces at once, each as `count_pips` does; together they cost a third.

    Args:
        faces: square pictures as `count_pips` takes them.
        margin: as for `count_pips`.
        slack: as for `count_pips`.
        pools: for each face a number from 0 on: faces of one pool share the number of spots that are looked at, so a
            speckled one may have more of them where others have few. None is one pool.
    """
    pools = [0] * len(faces) if pools is None else pools
    for face in faces:
        if face.ndim not in (2, 3) or (face.ndim == 3 and face.shape[2] != 3):
            raise ValueError(f"expected a face of shape (rows, columns) or (rows, columns, 3), not {face.shape!r}")
    sides = [min(face.shape[:2]) / (1 + 2 * margin) for face in faces]
    usable = [n for n, side in enumerate(sides) if side >= SMALLEST_SIDE_PX]
    counts = [PipCount(None, 0.0, (), f"the face is only {side:.0f} px wide") for side in sides]
    for start in range(0, len(usable), TOGETHER):
        some = usable[start : start + TOGETHER]
        sheet = _Sheet.of([_working_copy(faces[n], margin) for n in some], [pools[n] for n in some])
        counted = _counted(sheet, [faces[n] for n in some], [sides[n] for n in some], slack)
        for n, count in zip(some, counted, strict=True):
            counts[n] = count
    return tuple(counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """Working copies of several faces side by side in one picture, and the spots on it."""

    image: UInt8Array
    spots: Spots
    owner: npt.NDArray[np.intp]
    """Shape (spots,): on which face each lies."""
    origin_px: FloatArray
    """Shape (faces, 2): where each face's picture begins."""
    edge_px: int
    """Of each face's picture."""

    @classmethod
    def of(cls, images: list[UInt8Array], pools: Sequence[int]) -> _Sheet:
        """Lay pictures of the same size side by side and find the spots of all."""
        edge = images[0].shape[0]
        # Places that are multiples of 8 apart look the same at every level of the pyramid, whatever the neighbours are.
        after = APART_PX + -(edge + 2 * APART_PX) % 8
        step = APART_PX + edge + after
        bordered = [cv2.copyMakeBorder(i, APART_PX, APART_PX, APART_PX, after, cv2.BORDER_REPLICATE) for i in images]
        common = np.asarray(np.concatenate(bordered, axis=1), np.uint8)
        spots = find_spots(
            common,
            smallest_radius_px=PIP_RADII[0] * WORKING_SIDE_PX,
            largest_radius_px=PIP_RADII[1] * WORKING_SIDE_PX,
            most_peaks=MOST_SPOTS,
            pools=pools,
        )
        owner = np.floor(spots.centres[:, 0] / step).astype(np.intp)
        within = (owner >= 0) & (owner < len(images))
        origin = np.array([(n * step + APART_PX, APART_PX) for n in range(len(images))], np.float32)
        return cls(common, spots[within], owner[within], origin, edge)


def _counted(
    sheet: _Sheet, pictures: Sequence[npt.NDArray[np.uint8]], sides: Sequence[float], slack: float
) -> list[PipCount]:
    """The counts of the faces of a sheet."""
    spots = sheet.spots
    faces = find_faces(spots, most=MOST_LOOKED_AT, owners=sheet.owner)
    owner = sheet.owner[faces.pips[:, 0]]
    fit = _fits(sheet, faces, owner, np.array(sides), slack)
    fitting = np.nonzero(fit >= LEAST_FIT)[0]
    if len(fitting):
        fit[fitting] *= _lonely(sheet, faces, owner, fitting, slack)
    for n in np.nonzero(fit >= LEAST_FIT)[0].tolist():
        fit[n] *= _bare(sheet.image, spots, faces, n)
    each = np.zeros((len(sides), 6))
    np.maximum.at(each, (owner, faces.value - 1), fit)
    good = fit >= LEAST_FIT
    out = []
    for k, picture in enumerate(pictures):
        fits = tuple(each[k].tolist())
        own = np.nonzero(good & (owner == k))[0].tolist()
        # Half a 6 is a good 3: what is part of a larger face that fits is no face.
        pips = {n: set(faces.pips_of(n)) for n in own}
        own = [n for n in own if not any(pips[n] < whole for whole in pips.values())]
        if not own:
            out.append(PipCount(None, 0.0, (), "no pips that lie like a face's were made out", fits=fits))
            continue
        best = max(own, key=lambda n: (fit[n], len(pips[n])))
        rival = max((float(fit[n]) for n in own if faces.value[n] != faces.value[best]), default=0.0)
        chosen = faces.pips_of(best)
        factor = np.array([picture.shape[1], picture.shape[0]], float) / sheet.edge_px
        middles = (spots.centres[chosen] - sheet.origin_px[k] + 0.5) * factor - 0.5
        blue, green, red = spots.ground[chosen].mean(axis=0).tolist()
        out.append(
            PipCount(
                int(faces.value[best]),
                float(fit[best]) * (1 - 0.5 * rival),
                tuple((x, y) for x, y in middles.tolist()),
                body_bgr=(blue, green, red),
                fits=fits,
            )
        )
    return out


def _working_copy(face: npt.NDArray[np.uint8], margin: float) -> UInt8Array:
    image = face if face.ndim == 3 else np.repeat(face[..., None], 3, axis=2)
    edge = round(WORKING_SIDE_PX * (1 + 2 * margin))
    if image.shape[:2] == (edge, edge):
        return image
    method = cv2.INTER_AREA if min(face.shape[:2]) > edge else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, (edge, edge), interpolation=method), dtype=np.uint8)


def _fits(
    sheet: _Sheet, faces: Faces, owner: npt.NDArray[np.intp], sides: npt.NDArray[np.float64], slack: float
) -> FloatArray:
    """How well each group of spots fills its square as a face does, shape (n,), 0 to 1."""
    spots, side = sheet.spots, WORKING_SIDE_PX
    allowed = CENTRE_PART + slack
    middle = sheet.origin_px + np.float32((sheet.edge_px - 1) / 2)
    away = np.abs(faces.centre - middle[owner]).max(axis=1) / side
    radius = faces.mean(spots.radii) / side
    most_aspect = np.where(sides >= SMALL_SIDE_PX, MOST_ASPECT, MOST_ASPECT_OF_SMALL)[owner]
    good = (away <= allowed) & (radius >= PIP_RADII[0]) & (radius <= PIP_RADII[1])
    good &= (faces.value > 1) | (radius >= LEAST_RADIUS_OF_ONE)
    good &= faces.largest(spots.aspects) <= most_aspect
    good &= _lie_square(faces, slack)
    fit = 1.2 - 0.6 * faces.misfit - 0.5 * faces.skew - 0.2 * faces.unlike - faces.largest(spots.roughness)
    # A single pip has no layout that could speak for it: its place must.
    centred = np.where(faces.value == 1, np.exp(-((away / ONE_OFF_CENTRE) ** 2)), 1 - 0.5 * (away / allowed) ** 2)
    fitting: FloatArray = (np.clip(fit * centred, 0, 1) * good).astype(np.float32)
    return fitting


def _lie_square(faces: Faces, slack: float) -> npt.NDArray[np.bool_]:
    """Whether the corner pips lie on the square's diagonals (2 and 3: or on its middle lines), shape (n,)."""
    small, large = 1 - 2 * slack, 1 + 2 * slack
    good: npt.NDArray[np.bool_] = np.ones(len(faces), bool)
    nearest = np.where(faces.value == 2, CLOSE_PAIR_PART, CORNER_PART[0])
    for k in (0, 1):
        length = np.hypot(faces.axes[:, 0, k], faces.axes[:, 1, k]) / WORKING_SIDE_PX
        turn = np.degrees(np.arctan2(faces.axes[:, 1, k], faces.axes[:, 0, k])) % 90
        free = slack > 0
        diagonal = (length >= nearest * small) & (length <= CORNER_PART[1] * large)
        diagonal &= free | (np.abs(turn - 45) < np.where(faces.value == 6, TURN_OF_SIX_DEGREES, TURN_DEGREES))
        along = (length >= LINE_PART[0] * small) & (length <= LINE_PART[1] * large)
        along &= free | (np.minimum(turn, 90 - turn) < TURN_DEGREES)
        along &= (faces.value == 2) | (faces.value == 3)
        good &= diagonal | along | (faces.value == 1) | ((k == 1) & (faces.value < 4))
    return good


def _lonely(
    sheet: _Sheet,
    faces: Faces,
    owner: npt.NDArray[np.intp],
    chosen: npt.NDArray[np.intp],
    slack: float,
) -> FloatArray:
    """1 where no other spot on a face could be a pip too, less with each that could; shape (chosen,)."""
    spots = sheet.spots
    radii, aspects = spots.radii, spots.aspects
    some = faces[chosen]
    radius, contrast, inner = some.mean(radii), some.mean(spots.contrast), some.mean(spots.inner)
    likely = np.nonzero(plausible(spots))[0]
    # One row for each face and likely spot of its picture.
    f, at = np.nonzero(owner[chosen][:, None] == sheet.owner[likely][None])
    k = likely[at]
    x, y = np.abs(spots.centres[k] - some.centre[f]).T
    inside = np.maximum(x, y) < BARE_PART * WORKING_SIDE_PX
    if slack:
        level = aspects[k] < some.largest(aspects)[f] + 0.25
        around = x * x + y * y < (NEIGHBOUR_PART * WORKING_SIDE_PX) ** 2
        inside |= (some.value[f] <= 3) & around & level
    inside &= (radii[k] > 0.6 * radius[f]) & (radii[k] < 1.7 * radius[f])
    inside &= spots.contrast[k] > 0.45 * contrast[f]
    f, k = f[inside], k[inside]
    other = ~(some.pips[f] == k[:, None]).any(axis=1)
    other &= ((spots.inner[k] - inner[f]) ** 2).sum(axis=1) < (0.6 * contrast[f]) ** 2
    f, k = f[other], k[other]
    # Two pips of a 6 that all but touch are also found as one long spot: what holds a counted pip is no other.
    away = spots.centres[np.maximum(some.pips[f], 0)] - spots.centres[k][:, None]
    within = (np.matmul(away, inverses(spots.shapes[k])) * away).sum(axis=2)
    apart = ((within > 1.3) | (some.pips[f] < 0)).all(axis=1)
    lonely: FloatArray = np.float32(0.45) ** np.bincount(f[apart], minlength=len(chosen)).astype(np.float32)
    return lonely


def _bare(image: UInt8Array, spots: Spots, faces: Faces, n: int) -> float:
    """1 where the face is of one colour between its pips, less the more another pip may hide there."""
    pips, centre = faces.pips_of(n), faces.centre[n]
    body = spots.ground[pips].mean(axis=0)
    direction = spots.inner[pips].mean(axis=0) - body
    contrast = float(np.linalg.norm(direction))
    radius = float(spots.radii[pips].mean())
    reach = BARE_PART * WORKING_SIDE_PX
    left, top = np.maximum(np.floor(centre - reach), 0).astype(int).tolist()
    right, bottom = (np.ceil(centre + reach).astype(int) + 1).tolist()
    patch = image[top:bottom, left:right]
    # At half a pip's radius of blur a pip keeps most of its contrast and grain loses it.
    smooth = cv2.GaussianBlur(patch, (0, 0), 0.5 * radius)
    x = np.arange(left, left + patch.shape[1], dtype=np.float32) - centre[0]
    y = np.arange(top, top + patch.shape[0], dtype=np.float32) - centre[1]
    if faces.value[n] >= 4:  # the turn is known, so the square can be looked at to its corners
        (a, b), (c, d) = np.linalg.inv(faces.axes[n])
        inside = np.abs(a * x[None] + b * y[:, None]) + np.abs(c * x[None] + d * y[:, None]) < 1.2
    else:
        inside = (x * x)[None] + (y * y)[:, None] < reach * reach
    for pip_x, pip_y in spots.centres[pips] - centre:
        inside &= ((x - pip_x) ** 2)[None] + ((y - pip_y) ** 2)[:, None] > (1.75 * radius) ** 2
    away = smooth[inside] - body
    if len(away) < 12:
        return 0.3
    extra = _quantile(away @ direction, 0.985) / contrast**2
    rough = math.sqrt(_quantile((away * away).sum(axis=1), 0.8)) / contrast
    return min(max(1.5 - 1.7 * extra, 0.0), 1.0) * min(max(1.35 - 0.7 * rough, 0.0), 1.0)


def _quantile(values: FloatArray, part: float) -> float:
    """The value that so much of the others lies under; without the care and cost of `np.quantile`."""
    place = round(part * (len(values) - 1))
    return float(np.partition(values, place)[place])
