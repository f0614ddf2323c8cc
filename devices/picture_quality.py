"""How good a source's picture is to read from, measured once a second, as advice in a player's words.

The advice never stops anything: it tells what would make the readings better.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Trouble, TroubleCode, trouble

DARK_LEVEL = 50
"""Of 255, for the mean: below, webcams lengthen the exposure until thrown dice smear, and their noise hides pips."""

SMALL_SIZE = (1280, 720)
"""Below this in both directions a 12 mm die's pip has 4.5 px or less on the printed mat (measured on renders)."""

NOT_SHARP_PX = 4.7
"""Edges wider than this are out of focus, or were enlarged from a much smaller picture. Measured on 80 photographs of
dice at 640 px: sharp ones have 1.4 to 4.2, the same blurred by 2 px 4.8 to 6.8, also after JPEG compression."""

DOUBLED_RATIO = 0.45
"""Steps between neighbouring pixels that are this much smaller at every second column or row mean that pixels were
doubled. Measured on the same photographs: doubled 0.09 to 0.35 (0.34 to 0.79 after strong JPEG compression), not
doubled 0.46 to 1. Enlarging with smoothing cannot be told from a soft lens this way."""

EDGE_PART = 0.995
"""The steepest pixel in 200 is taken for an edge."""

EDGE_STEP = 12
"""Of 255 between neighbours: if the steepest are below, there is no edge in view to judge by."""

EDGE_WINDOW_PX = 9
"""Contrast across an edge is looked for within this window, so widths above 9 are not told apart."""

BAR_CHANGE = 3.0
"""Of 255: side bars are columns that are black and differ by less than this from top to bottom."""

FOCUS_SWING = 1.7
"""A lens that searches makes the width of the edges swing by more than this factor: sharp to blurred by 2 px is 2.4 in
the median (measured on photographs). No camera that searches was at hand."""

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
    edge_px: float | None
    """Median width of the steepest edges in pixels, 1 to 9; small is sharp. None if nothing has an edge."""
    doubled: float
    """Steps at odd against even columns and rows, 0 to 1: near 0 if pixels were doubled to enlarge the picture."""
    bar_px: int
    """Width of black bars at the left and right, of the narrower; 0 without."""


def measure(image_bgr: npt.NDArray[np.uint8]) -> Quality:
    """Measure one frame, shape (rows, columns, 3)."""
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    return Quality(float(cv2.mean(gray)[0]), edge_width_px(gray), doubling(gray), side_bar_px(gray))


def edge_width_px(gray: npt.NDArray[np.uint8]) -> float | None:
    """Return the median width of the steepest edges, the contrast across by the steepest step; None without an edge."""
    if min(gray.shape) < 2 * EDGE_WINDOW_PX:
        return None
    across = cv2.absdiff(gray[1:, 1:], gray[1:, :-1])
    down = cv2.absdiff(gray[1:, 1:], gray[:-1, 1:])
    step = cv2.max(across, down)
    # Steps are counted, not sorted: 256 values, a million pixels.
    counted = np.cumsum(np.bincount(step.ravel(), minlength=256))
    steep = int(np.searchsorted(counted, EDGE_PART * step.size))
    if steep < EDGE_STEP:
        return None
    window = np.ones((EDGE_WINDOW_PX, EDGE_WINDOW_PX), np.uint8)
    contrast = cv2.subtract(cv2.dilate(gray, window), cv2.erode(gray, window))[1:, 1:]
    is_edge = step >= steep
    return float(np.median(contrast[is_edge] / step[is_edge]))


def doubling(gray: npt.NDArray[np.uint8]) -> float:
    """Compare the steps from even to odd columns with those from odd to even, also for rows: the least ratio, 0 to 1.

    Steps at the borders of JPEG's blocks of 8 are left out. A sensor's colour pattern has the same steps both ways.
    """
    ratios = [1.0]
    for picture in (gray, gray.T):
        steps = np.minimum(cv2.absdiff(picture[:, 1:], picture[:, :-1]), 2 * EDGE_STEP)
        by_column = np.asarray(cv2.reduce(steps, 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)).ravel()
        column = np.arange(by_column.size)
        inside = column % 8 != 7
        even, odd = by_column[inside & (column % 2 == 0)].mean(), by_column[inside & (column % 2 == 1)].mean()
        if max(even, odd) > 0.1:
            ratios.append(float(min(even, odd) / max(even, odd)))
    return min(ratios)


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


def focus_hunts(edges_px: tuple[float, ...]) -> bool:
    """Whether the width of the edges, one value a second, swings up and down as with a lens that finds no focus."""
    if len(edges_px) < 4 or min(edges_px) <= 0:
        return False
    turns = 0
    low = high = edges_px[0]
    rising: bool | None = None
    for value in edges_px[1:]:
        low, high = min(low, value), max(high, value)
        if rising is not False and value * FOCUS_SWING < high:
            turns, rising, low, high = turns + 1, False, value, value
        elif rising is not True and value > low * FOCUS_SWING:
            turns, rising, low, high = turns + 1, True, value, value
    return turns >= FOCUS_TURNS


def advice_on(
    quality: Quality, *, size: tuple[int, int], rate_hz: float | None, edges_px: tuple[float, ...] = ()
) -> tuple[Trouble, ...]:
    """Say what could be better.

    Args:
        quality: of the newest frame.
        size: width and height of the frame.
        rate_hz: measured frames a second; None while unknown.
        edges_px: widths of the edges in the last seconds, one a second.
    """
    width, height = size
    half = f"{width // 2} x {height // 2}"
    found = []
    if quality.brightness < DARK_LEVEL:
        found.append(trouble(TroubleCode.DARK, "cam_dark"))
    if width < SMALL_SIZE[0] and height < SMALL_SIZE[1]:
        found.append(trouble(TroubleCode.SMALL, "cam_small", width=width, height=height))
    if quality.doubled < DOUBLED_RATIO:
        found.append(trouble(TroubleCode.ENLARGED, "cam_enlarged", width=width, height=height, half=half))
    if focus_hunts(edges_px):
        found.append(trouble(TroubleCode.FOCUS_HUNTS, "cam_focus_hunts"))
    elif quality.edge_px is not None and quality.edge_px > NOT_SHARP_PX:
        found.append(trouble(TroubleCode.NOT_SHARP, "cam_not_sharp", pixels=f"{quality.edge_px:.0f}"))
    if quality.bar_px:
        found.append(trouble(TroubleCode.BARS, "cam_bars"))
    if rate_hz is not None and rate_hz < SLOW_HZ:
        found.append(trouble(TroubleCode.SLOW, "cam_slow", rate=f"{rate_hz:.0f}"))
    return tuple(found)
