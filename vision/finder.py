"""The net that finds things: what it is given, the maps that it answers with, and running it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.runner import Model, load_model
from vision.ground import Ground
from vision.rectify import Image, TopView

Float32 = npt.NDArray[np.float32]
Part = tuple[slice, slice]
"""Rows and columns of a picture from above."""

GRID_MM = 2.0
"""Step of the maps that the net answers with."""
LIGHT_STEP = 60.0
"""Input units for a lightness difference of 1 (e times as light); int8 holds two of them."""
COLOUR_STEP = 160.0
LEAN_STEP = 40.0
"""Input units for a lean of 1 mm outwards for each mm of height."""
LEAN_X = 5
"""The input's channel of the lean to the right; that of the lean away follows."""
STRIDE = 4
"""Pixels of the input for a place of the answer."""
NET_STEP_PX = 64
"""Inputs are padded to multiples of this."""
MODEL_NAME = "table_finder"


def finder_input(top_bgr: Image, top: TopView, ground: Ground, *, where: Part | None = None) -> npt.NDArray[np.int8]:
    """Give what the net sees of a picture from above, shape (7, rows, columns).

    Channels: the three differences to the empty table, whether the camera sees the place (twice as strong on the
    sheet), whether it is print that was not learnt, and how far (x, then y up) a point there leans outwards for each
    millimetre of height. Pictures that differ only in mat, lamp or exposure look alike in this.

    Args:
        top_bgr: the picture from above, or its part at `where`.
        top: of the whole picture.
        ground: of the whole picture.
        where: rows and columns of the part.
    """
    rows, columns = where or (slice(0, top.size[1]), slice(0, top.size[0]))
    part = (rows, columns)
    difference = ground.difference(top_bgr, where=part)
    scaled = np.clip(difference * np.array([LIGHT_STEP, COLOUR_STEP, COLOUR_STEP], np.float32), -127, 127)
    seen = top.seen[part]
    scaled[~seen] = 0
    result = np.zeros((7, *seen.shape), dtype=np.int8)
    result[:3] = np.rint(scaled).astype(np.int8).transpose(2, 0, 1)
    result[3] = seen * np.int8(40) + ground.sheet[part] * np.int8(40)
    if ground.printed[part].any() and (not ground.learnt or ground.desk is not None):
        result[4] = ground.printed[part] * np.int8(64)
    x, y, height = top.view.camera_mm
    width_mm, depth_mm = top.area.extent_mm
    across = (np.arange(columns.start, columns.stop) + 0.5) / top.px_per_mm - width_mm / 2
    up = depth_mm / 2 - (np.arange(rows.start, rows.stop) + 0.5) / top.px_per_mm
    result[LEAN_X] = np.clip(np.rint((across - x) / height * LEAN_STEP), -127, 127).astype(np.int8)[None, :]
    result[LEAN_X + 1] = np.clip(np.rint((up - y) / height * LEAN_STEP), -127, 127).astype(np.int8)[:, None]
    return result


@dataclass(frozen=True, slots=True, eq=False)
class FinderMaps:
    """What the net says, on a grid of `GRID_MM`; h rows, w columns; row 0 is farthest in y."""

    classes: Float32 = field(repr=False)
    """Shape (5, h, w): probability of table, figure, die, obstacle, hand."""
    height_mm: Float32 = field(repr=False)
    """Shape (h, w): of what the camera sees there, above the table."""
    offset_mm: Float32 = field(repr=False)
    """Shape (2, h, w): from there to where the thing stands, x and y."""
    feet: Float32 = field(repr=False)
    """Shape (2, h, w): whether a figure's base, an obstacle's footprint is there, also where hidden."""
    heat: Float32 = field(repr=False)
    """Shape (4, h, w): how surely a standing figure, a tipped one, a die, an obstacle has its place there."""
    size_mm: Float32 = field(repr=False)
    """Shape (2, h, w): height and base of the thing whose place is there."""
    x_mm: npt.NDArray[np.float64] = field(repr=False)
    """Shape (w,): of the columns."""
    y_mm: npt.NDArray[np.float64] = field(repr=False)
    """Shape (h,): of the rows."""


class Finder:
    """Holds the loaded net."""

    def __init__(self, *, folder: Path | None = None, threads: int = 1) -> None:
        """Load the net.

        Args:
            folder: where the model lies; None is the shipped one.
            threads: for one run.

        Raises:
            ModelError: it is missing or damaged.
        """
        self._model: Model = load_model(MODEL_NAME, folder=folder, threads=threads)

    def maps(
        self, top_bgr: Image, top: TopView, ground: Ground, *, where: Part | None = None, both_ways: bool = False
    ) -> FinderMaps:
        """Look at a picture from above, or at a part of it whose edges are multiples of 4 pixels.

        Args:
            top_bgr: the whole picture from above.
            top: how it was made.
            ground: the empty table.
            where: rows and columns of the part; None is all.
            both_ways: look at the picture in a mirror, too, and take the mean: twice the time, and surer. On 120 drawn
                tables 86 instead of 85 % of the figures are then believed with 0.7, and 16 instead of 19 false ones.
        """
        rows, columns = where or (slice(0, top.size[1]), slice(0, top.size[0]))
        values = finder_input(top_bgr[rows, columns], top, ground, where=(rows, columns))
        values = values[:, :, : values.shape[2] // STRIDE * STRIDE]
        cut = self._answers(values)
        if both_ways:
            other = _mirrored(self._answers(_mirrored_input(values)))
            cut = {name: (cut[name] + other[name]) * np.float32(0.5) for name in cut}
        step = round(GRID_MM * top.px_per_mm)
        h, w = cut["height"].shape[1:]
        x = top.to_mm([(columns.start + k * step + (step - 1) / 2, 0) for k in range(w)])[:, 0]
        y = top.to_mm([(0, rows.start + k * step + (step - 1) / 2) for k in range(h)])[:, 1]
        return FinderMaps(cut["classes"], cut["height"][0], cut["offset"], cut["feet"], cut["heat"], cut["size"], x, y)

    def _answers(self, values: npt.NDArray[np.int8]) -> dict[str, Float32]:
        """Run the net on an input of shape (7, rows, columns); its maps of shape (channels, rows / 4, columns / 4)."""
        height, width = values.shape[1:]
        padded = np.zeros(
            (1, 7, -(-height // NET_STEP_PX) * NET_STEP_PX, -(-width // NET_STEP_PX) * NET_STEP_PX), np.int8
        )
        padded[0, :, :height, :width] = values
        h, w = height // STRIDE, width // STRIDE
        return {
            name: np.asarray(value[0, :, :h, :w], dtype=np.float32)
            for name, value in self._model.run({"input": padded}).items()
        }


def _mirrored_input(values: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The input as a mirror would show the table: what leans to the right leans to the left."""
    turned = values[:, :, ::-1].copy()
    turned[LEAN_X] = -turned[LEAN_X]
    return turned


def _mirrored(answers: dict[str, Float32]) -> dict[str, Float32]:
    """The maps of a mirrored table turned back."""
    turned = {name: values[:, :, ::-1].copy() for name, values in answers.items()}
    turned["offset"][0] = -turned["offset"][0]
    return turned
