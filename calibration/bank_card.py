"""The scale of the print, checked with a bank card laid on the mat: every ID-1 card is 85.60 x 53.98 mm."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.edges import sample
from calibration.markers import as_gray
from calibration.mat import BANK_CARD_MM
from calibration.table_view import TableView
from calibration.target import FloatArray

CARD_HEIGHT_MM = 0.76
"""ISO/IEC 7810: thickness; the outline that a camera sees is the upper edge."""
WORTH_STORING = 0.005
"""A print scale nearer to 1 is within what a card's laid edge can be measured to; players are warned beyond it."""
SEARCH_SIZE = 0.15
"""A card may look this much larger or smaller: printers scale by 0.92 to 1.06 when they "fit to page"."""
PX_PER_MM = 4.0
"""Of the rectified picture in which the card is sought."""
MOST_SKEW_DEGREES = 1.5
SIDES_AGREE = 0.006
"""Width and height must say the same scale within this share. Cards laid flat agree within 0.003 at
640x480; an edge of a shadow taken for the card's disagrees by 0.01 (measured on renders)."""


@dataclass(frozen=True, slots=True, eq=False)
class CardMeasure:
    """A bank card found on the mat."""

    width_mm: float
    """Of the long side, in the millimetres of the view it was found with."""
    height_mm: float
    corners_mm: FloatArray
    """Shape (4, 2): where its sides meet (the card's own corners are round)."""
    print_scale: float
    """True millimetres for each nominal one of the sheet: what `find_table` and the store want."""

    @property
    def differs(self) -> bool:
        """Whether the sheet was printed at another scale than 100 % by more than half a per cent."""
        return abs(self.print_scale - 1) > WORTH_STORING


def measure_bank_card(image: npt.NDArray[np.uint8], view: TableView) -> CardMeasure | None:
    """Find a bank card on the play area and say at which scale the sheet was printed.

    Args:
        image: BGR or grey, the frame of the view.
        view: of the table; found with whatever print scale it carries.

    Returns:
        None where no card is seen clearly: its edges must stand out from the paper, and it must be flat and uncovered.
    """
    gray = as_gray(image)
    channels = [gray] if image.ndim == 2 else [gray, *cv2.split(image[:, :, :3])]
    best: tuple[float, CardMeasure] | None = None
    places = _places(view)
    for channel in channels:
        top: npt.NDArray[np.uint8] = np.round(sample(np.asarray(channel, np.uint8), places)).astype(np.uint8)
        for quad in _card_like(top):
            measured = _measure(top, quad, view)
            if measured is not None and (best is None or measured[0] > best[0]):
                best = measured
    return best[1] if best is not None else None


_REACH_MM = 100.0
_NODE = 8
_CANNY = ((15, 40), (40, 100))
_STEPS = (12, 25, 50)
"""Differences from the paper's grey that set a card off, faint to strong."""


def _places(view: TableView) -> FloatArray:
    """Where each pixel of the rectified play area lies in the frame, at the height of the card's upper face.

    Exact at every eighth pixel (2 mm) and linear between, which is off by under 0.01 px. Shape (n, n, 2); row 0 far.
    """
    count = round(2 * _REACH_MM * PX_PER_MM)
    at = (np.arange(0, count + _NODE, _NODE) + 0.5) / PX_PER_MM - _REACH_MM
    x, y = np.meshgrid(at, -at)
    nodes = view.to_frame(np.column_stack([x.ravel(), y.ravel()]), height_mm=CARD_HEIGHT_MM)
    nodes = np.nan_to_num(nodes, nan=-10.0).reshape(len(at), len(at), 2).astype(np.float32)
    fine = np.arange(count, dtype=np.float32) / _NODE
    fine_x, fine_y = np.meshgrid(fine, fine)
    return np.asarray(cv2.remap(nodes, fine_x, fine_y, cv2.INTER_LINEAR), np.float64)


def _card_like(top: npt.NDArray[np.uint8]) -> list[FloatArray]:
    """Rectangles of about a card's size in the rectified picture, shape (4, 2) each, long side first."""
    smooth = cv2.GaussianBlur(top, (0, 0), 2.0)
    found: list[FloatArray] = []
    away = cv2.absdiff(smooth, np.full_like(smooth, round(float(np.median(smooth)))))
    masks = [cv2.morphologyEx(cv2.Canny(smooth, *limits), cv2.MORPH_CLOSE, np.ones((7, 7))) for limits in _CANNY]
    masks += [
        cv2.morphologyEx(np.where(away > step, 255, 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((9, 9)))
        for step in _STEPS
    ]
    for mask in masks:
        contours, _ = cv2.findContours(np.asarray(mask, np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if cv2.contourArea(cv2.convexHull(contour)) < 0.5 * BANK_CARD_MM[0] * BANK_CARD_MM[1] * PX_PER_MM**2:
                continue
            (_, _), (a, b), _ = box = cv2.minAreaRect(contour)
            long, short = max(a, b) / PX_PER_MM, min(a, b) / PX_PER_MM
            if (
                abs(long / BANK_CARD_MM[0] - 1) > SEARCH_SIZE + 0.03
                or abs(short / BANK_CARD_MM[1] - 1) > SEARCH_SIZE + 0.03
            ):
                continue
            corners = np.asarray(cv2.boxPoints(box), np.float64)
            if np.linalg.norm(corners[1] - corners[0]) < np.linalg.norm(corners[2] - corners[1]):
                corners = np.roll(corners, -1, axis=0)
            if not any(np.linalg.norm(corners.mean(axis=0) - other.mean(axis=0)) < 4 for other in found):
                found.append(corners)
    return found


def _measure(top: npt.NDArray[np.uint8], quad: FloatArray, view: TableView) -> tuple[float, CardMeasure] | None:
    """Fit lines to the four sides; None where they do not make a card. The first value says how clear the edges are."""
    lines, clearness = [], []
    for index in range(4):
        side = _side_line(top, quad[index], quad[(index + 1) % 4], quad.mean(axis=0))
        if side is None:
            return None
        lines.append(side[:2])
        clearness.append(side[2])
    angles = [math.degrees(math.atan2(direction[1], direction[0])) for _, direction in lines]
    turns = [(angles[i] - angles[0] - 90 * (i % 2) + 90) % 180 - 90 for i in range(4)]
    if max(abs(turn) for turn in turns) > MOST_SKEW_DEGREES:
        return None
    height = _gap(lines[0], lines[2]) / PX_PER_MM
    width = _gap(lines[1], lines[3]) / PX_PER_MM
    by_width, by_height = BANK_CARD_MM[0] / width, BANK_CARD_MM[1] / height
    if abs(by_width / by_height - 1) > SIDES_AGREE or abs(by_width - 1) > SEARCH_SIZE:
        return None
    corners_px = np.array([_crossing(lines[index - 1], lines[index]) for index in range(4)])
    corners_mm = np.column_stack(
        [(corners_px[:, 0] + 0.5) / PX_PER_MM - _REACH_MM, _REACH_MM - (corners_px[:, 1] + 0.5) / PX_PER_MM]
    )
    weight = BANK_CARD_MM[0] / (BANK_CARD_MM[0] + BANK_CARD_MM[1])
    scale = view.print_scale * (weight * by_width + (1 - weight) * by_height)
    return float(min(clearness)), CardMeasure(width, height, corners_mm, scale)


def _side_line(
    top: npt.NDArray[np.uint8], start: FloatArray, end: FloatArray, middle: FloatArray
) -> tuple[FloatArray, FloatArray, float] | None:
    """Fit a line to the step along one side: a point, a direction, and the step's share of samples that agree."""
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    if across @ (middle - start) > 0:
        across = -across
    rim = 6.0 * PX_PER_MM
    length = float(np.linalg.norm(end - start))
    at = np.linspace(rim, length - rim, 60)
    reach = np.arange(-4.0 * PX_PER_MM, 4.0 * PX_PER_MM + 0.1, 0.5)
    places = start + at[:, None, None] * along + reach[None, :, None] * across
    profiles = cv2.GaussianBlur(sample(top, places).astype(np.float32), (9, 1), 2.0)
    steps = profiles[:, 4:] - profiles[:, :-4]
    offsets = reach[2:-2]
    best: tuple[int, FloatArray, npt.NDArray[np.bool_]] | None = None
    for sign in (1, -1):
        response = sign * steps
        peak = np.argmax(response[:, 1:-1], axis=1) + 1
        rows = np.arange(len(peak))
        before, here, after = response[rows, peak - 1], response[rows, peak], response[rows, peak + 1]
        bend = before - 2 * here + after
        shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0.0)
        place = offsets[peak] + 0.5 * np.clip(shift, -1, 1)
        usable = here > 4
        if usable.sum() < 20:
            continue
        agree = _straight(at, place, usable)
        if best is None or agree.sum() > best[0]:
            best = (int(agree.sum()), place, agree)
    if best is None or best[0] < 25:
        return None
    slope, offset = np.polyfit(at[best[2]], best[1][best[2]], 1)
    direction = along + slope * across
    return start + offset * across, direction / np.linalg.norm(direction), best[0] / len(at)


def _straight(at: FloatArray, place: FloatArray, usable: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which samples lie on the line that most of them agree on, within half a pixel; pairs are tried in fixed order."""
    indices = np.flatnonzero(usable)
    first, second = (part.ravel() for part in np.meshgrid(indices[::4], indices[::3]))
    far = at[second] - at[first] >= 0.3 * (at[-1] - at[0])
    first, second = first[far], second[far]
    if not len(first):
        return np.zeros(len(at), bool)
    slopes = (place[second] - place[first]) / (at[second] - at[first])
    lines = place[first][:, None] + slopes[:, None] * (at[None, :] - at[first][:, None])
    agree = usable & (np.abs(place - lines) < 0.6) & (np.abs(slopes) < 0.06)[:, None]
    best: npt.NDArray[np.bool_] = agree[int(np.argmax(agree.sum(axis=1)))]
    return best


_Line = tuple[FloatArray, FloatArray]


def _gap(one: _Line, other: _Line) -> float:
    """The distance of two nearly parallel lines, halfway along."""
    direction = one[1] + other[1] * np.sign(one[1] @ other[1])
    direction = direction / np.linalg.norm(direction)
    apart = other[0] - one[0]
    return float(abs(apart[0] * direction[1] - apart[1] * direction[0]))


def _crossing(one: _Line, other: _Line) -> FloatArray:
    """Where two lines meet."""
    steps = np.linalg.solve(np.column_stack([one[1], -other[1]]), other[0] - one[0])
    return np.asarray(one[0] + steps[0] * one[1], np.float64)
