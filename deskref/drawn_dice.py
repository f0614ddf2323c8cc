"""A picture of what was read: each die's box with its value, or a numbered question mark with its reason below."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.observation import SeenDie

SURE_BGR = (200, 120, 0)
UNSURE_BGR = (0, 140, 255)
PAPER_BGR = (245, 245, 245)
INK_BGR = (30, 30, 30)
FONT = cv2.FONT_HERSHEY_SIMPLEX

LEAST_LEGEND_PX = 480
"""Reasons need so much width to be read; narrower pictures get a wider strip below them."""


def draw_dice(
    image_bgr: npt.NDArray[np.uint8], dice: Sequence[SeenDie], *, legend: bool = True
) -> npt.NDArray[np.uint8]:
    """Draw over a copy of the picture, and write the reasons of the question marks below it.

    Args:
        image_bgr: shape (rows, columns, 3).
        dice: with boxes in pixels of this picture.
        legend: whether the reasons are written below.

    Returns:
        The copy; of the same shape if every die has a value, else with a strip of reasons added below.
    """
    drawn = image_bgr.copy()
    thick = max(1, round(max(image_bgr.shape[:2]) / 500))
    reasons: list[str] = []
    for die in dice:
        x0, y0, x1, y1 = (round(v) for v in die.box)
        colour = UNSURE_BGR if die.value is None else SURE_BGR
        cv2.rectangle(drawn, (x0, y0), (x1, y1), colour, thick)
        if die.top_px is not None and np.isfinite(die.top_px).all():
            cv2.polylines(drawn, [np.round(die.top_px).astype(np.int32).reshape(-1, 1, 2)], True, colour, thick)
        if die.value is None:
            reasons.append(die.why or "it could not be read")
            label = f"?{len(reasons)}"
        else:
            label = f"{die.value}"
        scale = float(np.clip((y1 - y0) / 55, 0.5, 6.0))
        place = (x0, max(12, y0 - 2 * thick))
        cv2.putText(drawn, label, place, FONT, scale, (0, 0, 0), 4 * thick)
        cv2.putText(drawn, label, place, FONT, scale, colour, 2 * thick)
    return with_lines(drawn, [f"?{n}: {reason}" for n, reason in enumerate(reasons, 1)]) if legend else drawn


def with_lines(drawn: npt.NDArray[np.uint8], lines: Sequence[str], *, largest: float = 4.0) -> npt.NDArray[np.uint8]:
    """Give the picture with lines of text on paper below it; the same without any.

    Args:
        drawn: shape (rows, columns, 3).
        lines: what is written.
        largest: size of the letters at most, in units of OpenCV's font.
    """
    if not lines:
        return drawn
    rows, columns = drawn.shape[:2]
    width = max(columns, LEAST_LEGEND_PX)
    scale = min(largest, max(0.45, width / 1600))
    widest = max(cv2.getTextSize(line, FONT, scale, 1)[0][0] for line in lines)
    scale *= min(1.0, (width - 16) / widest)
    step = round(34 * scale) + 2
    paper = np.full((rows + step * len(lines) + 10, width, 3), PAPER_BGR, np.uint8)
    paper[:rows, :columns] = drawn
    for n, line in enumerate(lines, 1):
        cv2.putText(paper, line, (8, rows + n * step), FONT, scale, INK_BGR, max(1, round(scale * 1.6)), cv2.LINE_AA)
    return paper
