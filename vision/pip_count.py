"""Count the pips of one face seen straight on: the reader that knows geometry only.

It stands beside a trained net as an independent witness: it knows nothing but that pips are like spots, where a face
has them, and that elsewhere the face is bare. What does not fit is not counted but refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.observation import Point
from vision.pip_patterns import Face, find_faces, plausible
from vision.pip_spots import Spots, UInt8Array, find_spots

WORKING_SIDE_PX = 96
"""Faces are counted at this size: pips are then 8 to 16 px wide."""

SMALLEST_SIDE_PX = 12
"""Smaller faces have pips of 2 px, which cannot be told from noise."""

PIP_RADII = (0.045, 0.19)
"""Least and largest radius of a pip in parts of the face's side (large single pips of a 1 reach 0.18)."""

CENTRE_PART = 0.11
"""How far the middle of the pips may be from the middle of the square, in parts of its side."""

CORNER_PART = (0.22, 0.50)
"""Distance of the corner pips from the middle in parts of the side, along the diagonal."""

TURN_DEGREES = 16.0
"""How far the pips' diagonal may be turned out of the square's."""


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


def count_pips(face: npt.NDArray[np.uint8]) -> PipCount:
    """Count the pips of a rectified top face.

    Args:
        face: the face's square, corners at the picture's corners (within about a tenth of the side), grey of shape
            (rows, columns) or BGR of shape (rows, columns, 3); of 12 px or more, best from 24 px.

    Returns:
        The count; its value does not depend on quarter turns, brightness or which of pip and body is lighter.
    """
    if face.ndim not in (2, 3) or (face.ndim == 3 and face.shape[2] != 3):
        raise ValueError(f"expected a face of shape (rows, columns) or (rows, columns, 3), not {face.shape!r}")
    if min(face.shape[:2]) < SMALLEST_SIDE_PX:
        return PipCount(None, 0.0, (), f"the face is only {min(face.shape[:2])} px wide")
    image = _working_copy(face)
    spots = find_spots(
        image,
        smallest_radius_px=PIP_RADII[0] * WORKING_SIDE_PX,
        largest_radius_px=PIP_RADII[1] * WORKING_SIDE_PX,
    )
    best: tuple[float, Face] | None = None
    for found in find_faces(spots, most=40):
        fit = _fit(spots, found)
        if best is None or fit > best[0]:
            best = (fit, found)
    if best is None or best[0] < 0.3:
        return PipCount(None, 0.0, (), "no pips that lie like a face's were made out")
    fit, chosen = best
    factor = np.array([face.shape[1], face.shape[0]], float) / WORKING_SIDE_PX
    middles = tuple((float(x), float(y)) for x, y in (spots.centres[list(chosen.pips)] + 0.5) * factor - 0.5)
    return PipCount(chosen.value, fit, middles)


def _working_copy(face: npt.NDArray[np.uint8]) -> UInt8Array:
    image = face if face.ndim == 3 else np.repeat(face[..., None], 3, axis=2)
    smaller = min(face.shape[:2]) > WORKING_SIDE_PX
    method = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    resized = cv2.resize(image, (WORKING_SIDE_PX, WORKING_SIDE_PX), interpolation=method)
    return np.asarray(resized, dtype=np.uint8)


def _fit(spots: Spots, face: Face) -> float:
    """How well a group of spots fills the square as a face does, 0 to 1."""
    side = WORKING_SIDE_PX
    pips = list(face.pips)
    away = face.centre - (side - 1) / 2
    if np.abs(away).max() > CENTRE_PART * side:
        return 0.0
    radius = float(spots.radii[pips].mean()) / side
    if not PIP_RADII[0] <= radius <= PIP_RADII[1] or float(spots.aspects[pips].mean()) > 1.7:
        return 0.0
    if face.value > 1 and not _lies_square(face, side):
        return 0.0
    if face.value == 1 and radius < 0.06:
        return 0.0
    return _lonely(spots, face) * float(
        np.clip(1.25 - 0.6 * face.misfit - 0.5 * face.skew - 0.2 * face.unlike - spots.roughness[pips].max(), 0, 1)
    )


def _lies_square(face: Face, side: int) -> bool:
    """Whether the corner pips lie on the square's diagonals (2 and 3: or on its middle lines)."""
    diagonals = face.axes if face.value >= 4 else face.axes[:, :1]
    for x, y in diagonals.T:
        length = float(np.hypot(x, y)) / side
        turn = float(np.degrees(np.arctan2(y, x)) % 90)
        nearest = 0.14 if face.value == 2 else CORNER_PART[0]
        diagonal = abs(turn - 45) < TURN_DEGREES and nearest <= length <= CORNER_PART[1]
        along = min(turn, 90 - turn) < TURN_DEGREES and 0.12 <= length <= 0.36
        if not (diagonal or (face.value in (2, 3) and along)):
            return False
    return True


def _lonely(spots: Spots, face: Face) -> float:
    """1 where no other spot on the face could be a pip too, less with each that could."""
    pips = list(face.pips)
    side = WORKING_SIDE_PX
    inside = np.abs(spots.centres - (side - 1) / 2).max(axis=1) < 0.40 * side
    size = spots.radii / spots.radii[pips].mean()
    strong = spots.contrast > 0.45 * spots.contrast[pips].mean()
    other = plausible(spots) & inside & strong & (size > 0.6) & (size < 1.7)
    other[pips] = False
    colour = np.linalg.norm(spots.inner - spots.inner[pips].mean(axis=0), axis=1)
    other &= colour < 0.6 * spots.contrast[pips].mean()
    # Two pips of a 6 that all but touch are also found as one long spot: what holds a counted pip is no other.
    away = spots.centres[pips][None] - spots.centres[:, None]
    within = np.einsum("npi,nij,npj->np", away, np.linalg.inv(spots.shapes), away)
    other &= (within > 1.3).all(axis=1)
    return 0.45 ** int(other.sum())
