"""A picture of what was read: each die's box with its value, or a question mark."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.observation import SeenDie

SURE_BGR = (200, 120, 0)
UNSURE_BGR = (0, 140, 255)


def draw_dice(image_bgr: npt.NDArray[np.uint8], dice: Sequence[SeenDie]) -> npt.NDArray[np.uint8]:
    """Draw over a copy of the picture.

    Args:
        image_bgr: shape (rows, columns, 3).
        dice: with boxes in pixels of this picture.

    Returns:
        The copy, of the same shape.
    """
    drawn = image_bgr.copy()
    thick = max(1, round(max(image_bgr.shape[:2]) / 500))
    for die in dice:
        x0, y0, x1, y1 = (round(v) for v in die.box)
        colour = UNSURE_BGR if die.value is None else SURE_BGR
        cv2.rectangle(drawn, (x0, y0), (x1, y1), colour, thick)
        if die.top_px is not None:
            cv2.polylines(drawn, [np.round(die.top_px).astype(np.int32).reshape(-1, 1, 2)], True, colour, thick)
        label = "?" if die.value is None else f"{die.value}"
        scale = max(0.5, (y1 - y0) / 55)
        place = (x0, max(12, y0 - 2 * thick))
        cv2.putText(drawn, label, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 4 * thick)
        cv2.putText(drawn, label, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 2 * thick)
    return drawn
