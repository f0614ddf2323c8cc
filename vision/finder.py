"""The net that finds things: what it is given, and the maps that it answers with."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.ground import Ground
from vision.rectify import Image, TopView

GRID_MM = 2.0
"""Step of the maps that the net answers with."""
LIGHT_STEP = 60.0
"""Input units for a lightness difference of 1 (e times as light); int8 holds two of them."""
COLOUR_STEP = 160.0
LEAN_STEP = 40.0
"""Input units for a lean of 1 mm outwards for each mm of height."""


def finder_input(
    top_bgr: Image, top: TopView, ground: Ground, *, where: tuple[slice, slice] | None = None
) -> npt.NDArray[np.int8]:
    """Give what the net sees of a picture from above, shape (7, rows, columns).

    Channels: the three differences to the empty table, whether the
    camera sees the place (twice as strong on the sheet), whether it is print that was
    not learnt, and how far (x, then y up) a point there leans outwards for each millimetre of height. Pictures that
    differ only in mat, lamp or exposure look alike in this.

    Args:
        top_bgr: the picture from above, or its part at `where`.
        top: of the whole picture.
        ground: of the whole picture.
        where: rows and columns of the part.
    """
    rows, columns = where or (slice(0, top.size[1]), slice(0, top.size[0]))
    part = (rows, columns)
    difference = ground.difference(top_bgr, where=part)
    scaled = np.clip(difference * (LIGHT_STEP, COLOUR_STEP, COLOUR_STEP), -127, 127)
    seen = top.seen[part]
    scaled[~seen] = 0
    result = np.zeros((7, *seen.shape), dtype=np.int8)
    result[:3] = np.rint(scaled).astype(np.int8).transpose(2, 0, 1)
    result[3] = seen * np.int8(40) + ground.sheet[part] * np.int8(40)
    if not ground.learnt:
        result[4] = ground.printed[part] * np.int8(64)
    x, y, height = top.view.camera_mm
    width_mm, depth_mm = top.area.extent_mm
    across = (np.arange(columns.start, columns.stop) + 0.5) / top.px_per_mm - width_mm / 2
    up = depth_mm / 2 - (np.arange(rows.start, rows.stop) + 0.5) / top.px_per_mm
    result[5] = np.clip(np.rint((across - x) / height * LEAN_STEP), -127, 127).astype(np.int8)[None, :]
    result[6] = np.clip(np.rint((up - y) / height * LEAN_STEP), -127, 127).astype(np.int8)[:, None]
    return result


def _block_mean(values: npt.NDArray[np.float32], step: int) -> npt.NDArray[np.float32]:
    rows, columns = values.shape[0] // step, values.shape[1] // step
    return np.asarray(cv2.resize(values, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.float32)
