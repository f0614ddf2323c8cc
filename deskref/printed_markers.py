"""The markers printed on the mat are dark squares with light dots: they are not listed among the dice of a picture."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.markers import Marker, as_gray, detect, find_markers, is_tiny, search_scales
from calibration.mat import MAT
from vision.observation import SeenDie

SURELY_PRINTED = 3
"""So many markers that lie to each other as on the mat are the mat: nothing that covers the code of one is on it."""


def without_printed(image_bgr: npt.NDArray[np.uint8], dice: tuple[SeenDie, ...]) -> tuple[SeenDie, ...]:
    """Leave out finds that lie on a printed marker, whose code is seen whole, so that no die covers it.

    A find with a value is left out only where the whole mat vouches for the marker: a code of 4 x 4 squares could be
    seen in something else by chance, and a die that was read counts more than that. Pictures without any unread find
    are not searched: it takes some 10 to 30 ms.

    Args:
        image_bgr: shape (rows, columns, 3).
        dice: that were found in it.
    """
    if all(die.value is not None for die in dice) or is_tiny(image_bgr):
        return dice
    gray = as_gray(image_bgr)
    whole = find_markers(gray, MAT)
    printed = whole if len(whole) >= SURELY_PRINTED else ()
    scale, _ = search_scales(gray.shape[1])
    alone = [m for m in detect(gray, MAT.dictionary, scale=scale) if m.number in MAT.ids]
    return tuple(
        die
        for die in dice
        if not _lies_on(die, printed) and not (die.value is None and _lies_on(die, (*printed, *alone)))
    )


def _lies_on(die: SeenDie, markers: tuple[Marker, ...]) -> bool:
    x0, y0, x1, y1 = die.box
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    return any(cv2.pointPolygonTest(m.corners_px.astype(np.float32), middle, False) >= 0 for m in markers)
