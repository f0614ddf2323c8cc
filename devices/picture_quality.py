"""How good a source's picture is to read from, measured once a second, as advice in a player's words.

The advice never stops anything: it tells what would make the readings better.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Trouble, TroubleCode

DARK_LEVEL = 50
"""Of 255, for the mean: below, webcams lengthen the exposure until thrown dice smear, and their noise hides pips."""

SMALL_SIZE = (1280, 720)
"""Below this in both directions a 12 mm die's pip has 4.5 px or less on the printed mat (measured on renders)."""

ENLARGED_DETAIL = 0.035
"""A picture that loses less than this part of its fine contrast when it is halved and enlarged again holds no detail
beyond the half size. See `lost_detail` for what was measured."""

BAR_CHANGE = 3.0
"""Of 255: side bars are columns that are black and differ by less than this from top to bottom."""

FOCUS_SWING = 2.0
"""A lens that searches makes the sharpness swing by more than this factor; hands in the picture change it by less."""

FOCUS_TURNS = 3
"""A search goes up and down: at least so many turns within the remembered seconds."""

SLOW_HZ = 12.0
"""Below this a thrown die is seen in too few frames to tell that it was thrown; webcams fall to 5-10 in dim light or
when they send uncompressed pictures."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Measures of one frame."""

    brightness: float
    """Mean of the gray picture, 0 to 255."""
    sharpness: float
    """Standard deviation of the Laplacian of the gray picture, relative to its own contrast; 0 is a plain surface."""
    detail: float
    """Part of the fine contrast lost by halving the picture, 0 to 1: small if it was enlarged or is out of focus."""
    bar_px: int
    """Width of black bars at the left and right, of the narrower; 0 without."""


def measure(image_bgr: npt.NDArray[np.uint8]) -> Quality:
    """Measure one frame, shape (rows, columns, 3); about 3 ms at 1280x720."""
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    contrast = float(gray.std())
    edges = np.asarray(cv2.Laplacian(gray, cv2.CV_16S, ksize=1))
    sharpness = float(edges.std()) / contrast if contrast > 1 else 0.0
    return Quality(float(gray.mean()), sharpness, lost_detail(gray), side_bar_px(gray))


def lost_detail(gray: npt.NDArray[np.uint8]) -> float:
    """Return which part of the fine contrast a gray picture loses by halving and enlarging it, 0 to 1.

    Fine contrast is what differs between the picture and its quarter.
    """
    height, width = gray.shape
    if min(height, width) < 8:
        return 1.0
    half = cv2.resize(cv2.resize(gray, (width // 2, height // 2), interpolation=cv2.INTER_AREA), (width, height))
    quarter = cv2.resize(cv2.resize(gray, (width // 4, height // 4), interpolation=cv2.INTER_AREA), (width, height))
    beyond_half = float(cv2.norm(gray, half, cv2.NORM_L2SQR))
    beyond_quarter = float(cv2.norm(gray, quarter, cv2.NORM_L2SQR))
    return 1.0 if beyond_quarter == 0 else min(1.0, beyond_half / beyond_quarter)


def side_bar_px(gray: npt.NDArray[np.uint8]) -> int:
    """Return the width of the black bars beside a picture that was squeezed into a wider format; 0 without."""
    columns = gray[::8].astype(np.float32)
    is_bar = (columns.mean(axis=0) < 24) & (columns.std(axis=0) < BAR_CHANGE)
    if is_bar.all():
        return 0
    left = int(np.argmin(is_bar))
    right = int(np.argmin(is_bar[::-1]))
    narrower = min(left, right)
    return narrower if narrower >= gray.shape[1] // 32 else 0


def focus_hunts(sharpness: tuple[float, ...]) -> bool:
    """Whether the sharpness, one value a second, swings up and down as with a lens that finds no focus."""
    if len(sharpness) < 4 or min(sharpness) <= 0:
        return False
    turns = 0
    low = high = sharpness[0]
    rising: bool | None = None
    for value in sharpness[1:]:
        low, high = min(low, value), max(high, value)
        if rising is not False and value * FOCUS_SWING < high:
            turns, rising, low, high = turns + 1, False, value, value
        elif rising is not True and value > low * FOCUS_SWING:
            turns, rising, low, high = turns + 1, True, value, value
    return turns >= FOCUS_TURNS


def advice_on(
    quality: Quality, *, size: tuple[int, int], rate_hz: float | None, sharpness: tuple[float, ...] = ()
) -> tuple[Trouble, ...]:
    """Say what could be better.

    Args:
        quality: of the newest frame.
        size: width and height of the frame.
        rate_hz: measured frames a second; None while unknown.
        sharpness: of the last seconds, one a second.
    """
    found = []
    width, height = size
    if quality.brightness < DARK_LEVEL:
        found.append(
            Trouble(
                TroubleCode.DARK,
                "The picture is dark.",
                "Switch a lamp on, best from the side so that it does not glare.",
            )
        )
    if width < SMALL_SIZE[0] and height < SMALL_SIZE[1]:
        found.append(
            Trouble(
                TroubleCode.SMALL,
                f"The picture has only {width} x {height} pixels: small pips are hard to read.",
                "Set the camera or its app to 1280 x 720 or more, or move it closer.",
            )
        )
    elif quality.detail < ENLARGED_DETAIL:
        found.append(
            Trouble(
                TroubleCode.ENLARGED,
                f"The picture has {width} x {height} pixels but no more detail than {width // 2} x {height // 2}: "
                "it is out of focus, or the camera enlarges a smaller picture.",
                "Clean the lens, let it focus, or choose a picture size that the camera really has.",
            )
        )
    if quality.bar_px:
        found.append(
            Trouble(
                TroubleCode.BARS,
                "The picture has black bars at its sides.",
                "It works so; for more detail, set the camera or its app to 16:9.",
            )
        )
    if rate_hz is not None and rate_hz < SLOW_HZ:
        found.append(
            Trouble(
                TroubleCode.SLOW,
                f"Only {rate_hz:.0f} pictures a second come: a quick throw may be missed.",
                "More light, a smaller picture size, or another USB socket makes it faster.",
            )
        )
    if focus_hunts(sharpness):
        found.append(
            Trouble(
                TroubleCode.FOCUS_HUNTS,
                "The camera keeps searching its focus.",
                "Switch its autofocus off in its app, or give it more light.",
            )
        )
    return tuple(found)
