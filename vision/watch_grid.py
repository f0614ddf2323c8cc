"""The coarse grid over the picture from above: what has changed on it, and where things lie in it.

A place of the grid is `GRID_MM` wide, as the finder's.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from vision.finder import GRID_MM
from vision.observation import (
    Point,
    SeenHand,
)
from vision.pieces import Piece
from vision.rectify import Image, TopView

Mask = npt.NDArray[np.bool_]
Int16 = npt.NDArray[np.int16]
Cells = tuple[int, int, int, int]
"""Top, bottom, left, right in the grid, ends exclusive."""


def step_px(top: TopView) -> int:
    """Give how many pixels of the picture from above make a place of the grid."""
    return round(GRID_MM * top.px_per_mm)


def reduced(top_bgr: Image, top: TopView) -> Int16:
    """Shrink a picture from above to the grid, shape (h, w, 3)."""
    step = step_px(top)
    rows, columns = top.size[1] // step, top.size[0] // step
    cut = top_bgr[: rows * step, : columns * step]
    return np.asarray(cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.int16)


def seen_places(top: TopView) -> Mask:
    """Mark the places that the camera sees whole, shape (h, w)."""
    step = step_px(top)
    rows, columns = top.size[1] // step, top.size[0] // step
    cut = top.seen[: rows * step, : columns * step]
    return np.asarray(cut.reshape(rows, step, columns, step).all(axis=(1, 3)))


def levels_apart(one: Int16, other: Int16) -> npt.NDArray[np.float32]:
    """Give by how many levels two reduced pictures differ at each place, the change of the whole light left out."""
    difference = (one - other).astype(np.float32)
    # Brighter light lifts bright places more than dark ones: one gain for each channel.
    sample_one, sample_other = one[::4, ::4].astype(np.float32), other[::4, ::4].astype(np.float32)
    bright = sample_other.min(axis=2) > 12
    if int(bright.sum()) > 50:
        gain = np.median(sample_one[bright] / sample_other[bright], axis=0)
        if np.abs(gain - 1).max() > 0.004:
            difference = one - other * gain.astype(np.float32)
    blue, green, red = cv2.split(np.abs(difference))  # numpy's maximum over a short last axis is ten times slower
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)


def widened(mask: Mask, cells: int) -> Mask:
    """Grow a mask by so many places to all sides."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((2 * cells + 1,) * 2, np.uint8)) > 0)


def shift_px(one: TableView, other: TableView) -> float:
    """Give by how many pixels the sheet lies elsewhere in one view than in another, at most."""
    corners = [(-100.0, -140.0), (100.0, -140.0), (100.0, 140.0), (-100.0, 140.0), (0.0, 0.0)]
    return float(np.nan_to_num(np.abs(one.to_frame(corners) - other.to_frame(corners)), nan=1e3).max())


def cells_of(piece: Piece, top: TopView) -> Cells:
    """Give the places around a piece's outline."""
    return cells_around(piece.outline_mm, top)


def cells_around(points_mm: npt.NDArray[np.float64], top: TopView) -> Cells:
    """Give the places around points on the table, shape (n, 2)."""
    pixels = (top.to_top(points_mm) + 0.5) / step_px(top)
    low, high = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int)
    return int(low[1]), int(high[1]) + 1, int(low[0]), int(high[0]) + 1


def meets(one: Cells, other: Cells, margin: int) -> bool:
    """Whether two parts of the grid overlap, or lie within a margin."""
    return (
        one[0] < other[1] + margin
        and other[0] < one[1] + margin
        and one[2] < other[3] + margin
        and other[2] < one[3] + margin
    )


def touches(mask: Mask | None, cells: Cells, share: float = 0.0) -> bool:
    """Whether more than a share of a part is marked."""
    if mask is None:
        return False
    upper, lower, left, right = (max(0, v) for v in cells)
    part = mask[upper:lower, left:right]
    return bool(part.size and part.mean() > share)


def are_same(one: Piece, other: Piece) -> bool:
    """Whether two pieces are one thing by their places, 9 mm apart at most, 6 where they are of other kinds."""
    apart = float(np.hypot(one.mm[0] - other.mm[0], one.mm[1] - other.mm[1]))
    return apart < (9.0 if one.kind is other.kind else 6.0)


def drawn_in_grid(piece: Piece, top: TopView, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Draw a piece's outline into the grid."""
    mask = np.zeros(shape[:2], np.uint8)
    corners = (top.to_top(piece.outline_mm) + 0.5) / step_px(top) - 0.5
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1)
    return mask


def changed_share(changed: Mask, piece: Piece, top: TopView) -> float:
    """Give how much of a piece's outline has changed."""
    mask = drawn_in_grid(piece, top, changed.shape)
    return float((changed & (mask > 0)).sum()) / max(1, int(mask.sum()))


def corners_mm(top: TopView, cells: Cells) -> tuple[Point, ...]:
    """Give the corners of a part of the grid on the table."""
    step = step_px(top)
    upper, lower, left, right = cells
    corners = top.to_mm(
        [
            (left * step - 0.5, lower * step - 0.5),
            (right * step - 0.5, lower * step - 0.5),
            (right * step - 0.5, upper * step - 0.5),
            (left * step - 0.5, upper * step - 0.5),
        ]
    )
    return tuple((float(x), float(y)) for x, y in corners)


def union(one: Cells, other: Cells) -> Cells:
    """Give the part that holds both."""
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])


def hand_outlines(hand: Mask, top: TopView) -> list[SeenHand]:
    """Give the outlines of the hands in a mask, in the frame and on the table."""
    step = step_px(top)
    contours, _ = cv2.findContours(hand.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hands = []
    for contour in contours:
        if len(contour) < 4:
            continue
        ring = np.asarray(cv2.approxPolyDP(contour, 1.0, True), dtype=np.float64).reshape(-1, 2)
        if len(ring) < 3:
            continue
        outline = top.to_mm(ring * step + (step - 1) / 2)
        pixels = top.view.to_frame(outline)
        hands.append(
            SeenHand(
                tuple((float(x), float(y)) for x, y in pixels if np.isfinite(x)),
                tuple((float(x), float(y)) for x, y in outline),
            )
        )
    return hands
