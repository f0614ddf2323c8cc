"""What stands out from the table: the places of a picture from above where something covers it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.ground import Float32, Ground, Mask, log_opponent
from vision.rectify import Image, TopView

_COLOUR_STEP = 0.055
"""A colour difference (log ratio) that paper, print and shadow do not reach: coloured shadows under two lamps stay
below 0.05 in the rendered tables."""
_LIGHTER_STEP = 0.16
_DARKER_STEP = 0.55
"""Darker than this is no soft shadow: they stay above half the light."""
_NOISE_SIGMAS = 5.0
_DESK_STEP = 0.35
"""Around the sheet the table's own grain is stronger than paper's."""
_RIM_MM = 3.0
"""Within this of the sheet's edge either the sheet or the desk may show: paper curls, poses are not perfect."""


def stands_out(top_bgr: Image, top: TopView, ground: Ground) -> Mask:
    """Mark what covers the table, shape (height, width).

    Sure places are found by their colour, or by being lighter than the ground or darker than a shadow can be. From
    there on the picture's edges decide between things and shadows: things end sharply, shadows softly.
    """
    difference = ground.difference(top_bgr)
    strength = _strength(difference, ground)
    if ground.desk is not None:
        other = np.linalg.norm((log_opponent(top_bgr) - ground.desk) * (0.7, 2.0, 2.0), axis=2) / _DESK_STEP
        strength[~ground.sheet] = other[~ground.sheet]
        near = cv2.dilate(ground.sheet.astype(np.uint8), _disc(_RIM_MM, top)) > 0
        inner = cv2.erode(ground.sheet.astype(np.uint8), _disc(_RIM_MM, top)) > 0
        rim = near & ~inner
        sheet_too = _strength(log_opponent(top_bgr) - ground.paper, ground) if ground.paper is not None else other
        strength[rim] = np.minimum(np.minimum(strength, other), sheet_too)[rim]
    if not ground.learnt:
        strength[ground.printed] = 0
    strength[~top.seen] = 0
    return _grown(difference, strength, ground, top)


def _disc(diameter_mm: float, top: TopView) -> npt.NDArray[np.uint8]:
    size = round(diameter_mm * top.px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)


def _strength(difference: Float32, ground: Ground) -> Float32:
    light = difference[..., 0]
    colour = np.hypot(difference[..., 1], difference[..., 2])
    colour = cv2.GaussianBlur(colour, (5, 5), 0)
    steps = np.maximum(
        (_LIGHTER_STEP, _DARKER_STEP, _COLOUR_STEP),
        _NOISE_SIGMAS * np.array([ground.noise[0], ground.noise[0], np.hypot(ground.noise[1], ground.noise[2])]),
    )
    strongest = np.maximum(np.maximum(light / steps[0], -light / steps[1]), colour / steps[2])
    return np.asarray(strongest, dtype=np.float32)


def _grown(difference: Float32, strength: Float32, ground: Ground, top: TopView) -> Mask:
    disc = _disc(1.5, top)
    sure = cv2.morphologyEx((strength > 1).astype(np.uint8), cv2.MORPH_OPEN, disc)
    dark = (difference[..., 0] < -4 * ground.noise[0]) & (difference[..., 0] < -0.15) & ground.sheet
    maybe = (strength > 0.45) | dark
    bare = cv2.erode((~maybe).astype(np.uint8), disc)
    bare[~ground.sheet & (strength < 0.8)] = 1
    labels = np.zeros(strength.shape, dtype=np.int32)
    labels[bare > 0] = 1
    labels[sure > 0] = 2
    weighted = np.clip(difference * (160.0, 320.0, 320.0) + 128, 0, 255).astype(np.uint8)
    cv2.watershed(np.ascontiguousarray(cv2.medianBlur(weighted, 3)), labels)
    mask = (labels == 2).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, disc)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _disc(2.0, top)) > 0)
