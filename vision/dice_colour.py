"""Names for the colours of dice: classes in CIE Lab that hold under a desk lamp and under daylight."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

COLOURS = (
    "white",
    "ivory",
    "grey",
    "black",
    "red",
    "pink",
    "orange",
    "brown",
    "yellow",
    "green",
    "cyan",
    "blue",
    "purple",
)
"""All names that `colour_name` gives."""

BLACK_BELOW = 27.0
"""Lightness L* under which a body of little colour is black (black dice in lamp light measure 8 to 24)."""

GREY_BELOW = 62.0
"""Lightness under which a body without colour is grey; white dice in shadow measure 64 and more."""

COLOURLESS_BELOW = 9.0
"""Chroma under which a body has no colour of its own."""

IVORY_BELOW = 34.0
"""Chroma under which a light yellowish body is ivory, not yellow (ivory dice under a lamp reach 30)."""


def lab(colour_bgr: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """CIE Lab, shape (3,): L* 0..100, a*, b*, of a BGR colour of shape (3,) and range 0..255."""
    pixel = np.asarray(colour_bgr, np.float32).reshape(1, 1, 3) / np.float32(255)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2Lab), np.float64).reshape(3)


def colour_name(colour_bgr: npt.ArrayLike, *, white_bgr: npt.ArrayLike | None = None) -> str:
    """Name the colour class of a die's body.

    Args:
        colour_bgr: shape (3,), the body's colour in the picture, 0..255.
        white_bgr: shape (3,), how white paper looks in the same picture (the mat); the lamp's tint and dimness are
            taken out by it. None where nothing white is known.

    Returns:
        One of `COLOURS`.
    """
    colour = np.asarray(colour_bgr, np.float64).reshape(3)
    if white_bgr is not None:
        white = np.maximum(np.asarray(white_bgr, np.float64).reshape(3), 1.0)
        linear = (colour / 255) ** 2.2 / (white / 255) ** 2.2 * 0.86  # paper reflects about 86 %
        colour = np.clip(linear, 0, 1) ** (1 / 2.2) * 255
    lightness, a, b = lab(colour)
    chroma = float(np.hypot(a, b))
    hue = float(np.degrees(np.arctan2(b, a))) % 360
    if chroma < COLOURLESS_BELOW or (lightness < BLACK_BELOW and chroma < 14):
        if lightness < BLACK_BELOW + 6:
            return "black"
        return "grey" if lightness < GREY_BELOW else "white"
    if 50 <= hue < 115 and chroma < IVORY_BELOW and lightness >= 55:
        return "white" if chroma < 12 and lightness > 78 else "ivory"
    return _chromatic(lightness, chroma, hue)


def _chromatic(lightness: float, chroma: float, hue: float) -> str:
    if hue < 50 or hue >= 340:
        if lightness > 58 and chroma < 60 and (hue < 35 or hue >= 340):
            return "pink"
        if hue >= 340 and lightness < 35 and chroma < 25:
            return "purple"
        return "brown" if chroma < 26 and 20 < hue < 50 else "red"
    if hue < 74:
        return "orange" if chroma > 48 and lightness > 45 else "brown"
    if hue < 108:
        return "brown" if lightness < 48 else "yellow"
    if hue < 118:
        return "yellow" if lightness > 75 else "green"
    if hue < 182:
        return "green"
    if hue < 230:
        return "cyan"
    if hue < 296:
        return "blue"
    return "pink" if lightness > 55 and hue > 325 else "purple"
