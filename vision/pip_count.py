"""Count the pips of one face seen straight on: the reader that knows geometry only.

It stands beside a trained net as an independent witness: it knows nothing but that pips are like spots, where a face
has them, and that elsewhere the face is bare. What does not fit is not counted but refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

MOST_SPOTS = 100
"""Of one face in each level, the strongest first."""

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

TURN_DEGREES = 16.0
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
    faces: Sequence[npt.NDArray[np.uint8]], *, margin: float = 0.0, slack: float = 0.0
) -> tuple[PipCount, ...]:
    """Count the pips of many faces at once, each as `count_pips` does; together they cost half as much.

    Args:
        faces: square pictures as `count_pips` takes them.
        margin: as for `count_pips`.
        slack: as for `count_pips`.
    """
    for face in faces:
        if face.ndim not in (2, 3) or (face.ndim == 3 and face.shape[2] != 3):
            raise ValueError(f"expected a face of shape (rows, columns) or (rows, columns, 3), not {face.shape!r}")
    sides = [min(face.shape[:2]) / (1 + 2 * margin) for face in faces]
    usable = [n for n, side in enumerate(sides) if side >= SMALLEST_SIDE_PX]
    counts = [PipCount(None, 0.0, (), f"the face is only {side:.0f} px wide") for side in sides]
    images = [_working_copy(faces[n], margin) for n in usable]
    for n, image, spots in zip(usable, images, _spots_of(images), strict=True):
        counts[n] = _counted(faces[n], image, spots, sides[n], slack)
    return tuple(counts)


def _spots_of(images: list[UInt8Array]) -> list[Spots]:
    """The spots of each of several pictures of the same size, found in one common picture."""
    if not images:
        return []
    edge = images[0].shape[0]
    # Places that are multiples of 8 apart look the same at every level of the pyramid, whatever their neighbours are.
    after = APART_PX + -(edge + 2 * APART_PX) % 8
    step = APART_PX + edge + after
    bordered = [cv2.copyMakeBorder(i, APART_PX, APART_PX, APART_PX, after, cv2.BORDER_REPLICATE) for i in images]
    common = np.asarray(np.concatenate(bordered, axis=1), np.uint8)
    spots = find_spots(
        common,
        smallest_radius_px=PIP_RADII[0] * WORKING_SIDE_PX,
        largest_radius_px=PIP_RADII[1] * WORKING_SIDE_PX,
        most_peaks=MOST_SPOTS * len(images),
    )
    owner = np.floor(spots.centres[:, 0] / step).astype(int)
    out = []
    for n in range(len(images)):
        own = spots[owner == n]
        offset = np.array([n * step + APART_PX, APART_PX], np.float32)
        out.append(replace(own, centres=own.centres - offset))
    return out


def _counted(face: npt.NDArray[np.uint8], image: UInt8Array, spots: Spots, side: float, slack: float) -> PipCount:
    """The count of one face whose spots are known."""
    faces = find_faces(spots, most=MOST_LOOKED_AT)
    most_aspect = MOST_ASPECT if side >= SMALL_SIDE_PX else MOST_ASPECT_OF_SMALL
    fit = _Frame((image.shape[0] - 1) / 2, slack, most_aspect).fits(spots, faces)
    for n in np.nonzero(fit >= LEAST_FIT)[0].tolist():
        fit[n] *= _bare(image, spots, faces, n)
    each = tuple(float(fit[faces.value == value].max(initial=0.0)) for value in range(1, 7))
    fitting = np.nonzero(fit >= LEAST_FIT)[0].tolist()
    # Half a 6 is a good 3: what is part of a larger face that fits is no face.
    pips = {n: set(faces.pips_of(n)) for n in fitting}
    fitting = [n for n in fitting if not any(pips[n] < whole for whole in pips.values())]
    if not fitting:
        return PipCount(None, 0.0, (), "no pips that lie like a face's were made out", fits=each)
    best = max(fitting, key=lambda n: (fit[n], len(pips[n])))
    rival = max((float(fit[n]) for n in fitting if faces.value[n] != faces.value[best]), default=0.0)
    chosen = faces.pips_of(best)
    factor = np.array([face.shape[1], face.shape[0]], float) / image.shape[0]
    middles = tuple((float(x), float(y)) for x, y in (spots.centres[chosen] + 0.5) * factor - 0.5)
    blue, green, red = (float(c) for c in spots.ground[chosen].mean(axis=0))
    confidence = float(fit[best]) * (1 - 0.5 * rival)
    return PipCount(int(faces.value[best]), confidence, middles, body_bgr=(blue, green, red), fits=each)


def _working_copy(face: npt.NDArray[np.uint8], margin: float) -> UInt8Array:
    image = face if face.ndim == 3 else np.repeat(face[..., None], 3, axis=2)
    edge = round(WORKING_SIDE_PX * (1 + 2 * margin))
    if image.shape[:2] == (edge, edge):
        return image
    method = cv2.INTER_AREA if min(face.shape[:2]) > edge else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, (edge, edge), interpolation=method), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the face is expected in the working copy."""

    middle_px: float
    slack: float
    most_aspect: float

    def fits(self, spots: Spots, faces: Faces) -> FloatArray:
        """How well each group of spots fills the square as a face does, shape (n,), 0 to 1."""
        side = WORKING_SIDE_PX
        allowed = CENTRE_PART + self.slack
        away = np.abs(faces.centre - self.middle_px).max(axis=1) / side
        radius = faces.mean(spots.radii) / side
        good = (away <= allowed) & (radius >= PIP_RADII[0]) & (radius <= PIP_RADII[1])
        good &= (faces.value > 1) | (radius >= LEAST_RADIUS_OF_ONE)
        good &= faces.largest(spots.aspects) <= self.most_aspect
        good &= self._lie_square(faces)
        fit = 1.2 - 0.6 * faces.misfit - 0.5 * faces.skew - 0.2 * faces.unlike - faces.largest(spots.roughness)
        # A single pip has no layout that could speak for it: its place must.
        centred = np.where(faces.value == 1, np.exp(-((away / ONE_OFF_CENTRE) ** 2)), 1 - 0.5 * (away / allowed) ** 2)
        fit = np.clip(fit * centred, 0, 1) * good
        result: FloatArray = fit.astype(np.float32)
        likely = _Likely.of(spots)
        for n in np.nonzero(fit >= LEAST_FIT)[0].tolist():
            result[n] *= self._lonely(spots, likely, faces, n)
        return result

    def _lie_square(self, faces: Faces) -> npt.NDArray[np.bool_]:
        """Whether the corner pips lie on the square's diagonals (2 and 3: or on its middle lines), shape (n,)."""
        small, large = 1 - 2 * self.slack, 1 + 2 * self.slack
        good: npt.NDArray[np.bool_] = np.ones(len(faces), bool)
        nearest = np.where(faces.value == 2, CLOSE_PAIR_PART, CORNER_PART[0])
        for k in (0, 1):
            length = np.hypot(faces.axes[:, 0, k], faces.axes[:, 1, k]) / WORKING_SIDE_PX
            turn = np.degrees(np.arctan2(faces.axes[:, 1, k], faces.axes[:, 0, k])) % 90
            free = self.slack > 0
            diagonal = (length >= nearest * small) & (length <= CORNER_PART[1] * large)
            diagonal &= free | (np.abs(turn - 45) < TURN_DEGREES)
            along = (length >= LINE_PART[0] * small) & (length <= LINE_PART[1] * large)
            along &= free | (np.minimum(turn, 90 - turn) < TURN_DEGREES)
            along &= (faces.value == 2) | (faces.value == 3)
            good &= diagonal | along | (faces.value == 1) | ((k == 1) & (faces.value < 4))
        return good

    def _lonely(self, spots: Spots, likely: _Likely, faces: Faces, n: int) -> float:
        """1 where no other spot on the face could be a pip too, less with each that could."""
        pips = faces.pips_of(n)
        radius, contrast = likely.every_radius[pips].mean(), spots.contrast[pips].mean()
        places = likely.spots.centres - faces.centre[n]
        x, y = np.abs(places[:, 0]), np.abs(places[:, 1])
        inside = np.maximum(x, y) < BARE_PART * WORKING_SIDE_PX
        if self.slack and faces.value[n] <= 3:
            level = likely.aspects < likely.every_aspect[pips].max() + 0.25
            inside |= (x * x + y * y < (NEIGHBOUR_PART * WORKING_SIDE_PX) ** 2) & level
        inside &= (likely.radii > 0.6 * radius) & (likely.radii < 1.7 * radius)
        inside &= likely.spots.contrast > 0.45 * contrast
        others = [k for k in np.nonzero(inside)[0].tolist() if likely.index[k] not in pips]
        if not others:
            return 1.0
        colour = likely.spots.inner[others] - spots.inner[pips].mean(axis=0)
        near = (colour**2).sum(axis=1) < (0.6 * contrast) ** 2
        # Two pips of a 6 that all but touch are also found as one long spot: what holds a counted pip is no other.
        away = spots.centres[pips][None] - likely.spots.centres[others][:, None]
        within = (np.matmul(away, inverses(likely.spots.shapes[others])) * away).sum(axis=2)
        return float(0.45 ** int((near & (within > 1.3).all(axis=1)).sum()))


@dataclass(frozen=True, slots=True, eq=False)
class _Likely:
    """The spots of a face that could be pips, and what is asked of them again and again."""

    index: list[int]
    """Among all spots."""
    spots: Spots
    radii: FloatArray
    aspects: FloatArray
    every_radius: FloatArray
    """Of all spots."""
    every_aspect: FloatArray

    @classmethod
    def of(cls, spots: Spots) -> _Likely:
        index = np.nonzero(plausible(spots))[0]
        radii, aspects = spots.radii, spots.aspects
        return cls(index.tolist(), spots[index], radii[index], aspects[index], radii, aspects)


def _bare(image: UInt8Array, spots: Spots, faces: Faces, n: int) -> float:
    """1 where the face is of one colour between its pips, less the more another pip may hide there."""
    pips, centre = faces.pips_of(n), faces.centre[n]
    body = spots.ground[pips].mean(axis=0)
    direction = spots.inner[pips].mean(axis=0) - body
    contrast = float(np.linalg.norm(direction))
    radius = float(spots.radii[pips].mean())
    reach = BARE_PART * WORKING_SIDE_PX
    left, top = np.maximum(np.floor(centre - reach), 0).astype(int)
    right, bottom = np.ceil(centre + reach).astype(int) + 1
    patch = image[top:bottom, left:right]
    # At half a pip's radius of blur a pip keeps most of its contrast and grain loses it.
    smooth = np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.5 * radius), np.float32)
    x, y = np.meshgrid(
        np.arange(left, left + patch.shape[1], dtype=np.float32), np.arange(top, top + patch.shape[0], dtype=np.float32)
    )
    places = np.stack([x, y], axis=-1) - centre
    inside = np.linalg.norm(places, axis=-1) < reach
    if faces.value[n] >= 4:  # the turn is known, so the square can be looked at to its corners
        own = np.abs(places @ np.linalg.inv(faces.axes[n]).T).sum(axis=-1)
        inside = own < 1.2
    for pip in pips:
        inside &= np.hypot(x - spots.centres[pip, 0], y - spots.centres[pip, 1]) > 1.75 * radius
    if int(inside.sum()) < 12:
        return 0.3
    away: FloatArray = (smooth - body)[inside]
    likeness = away @ direction / contrast**2
    extra = float(np.quantile(likeness, 0.985))
    rough = float(np.quantile(np.linalg.norm(away, axis=1), 0.8)) / contrast
    return float(np.clip(1.5 - 1.7 * extra, 0, 1) * np.clip(1.35 - 0.7 * rough, 0, 1))
