"""The view from above: the table as a map, without the camera's perspective."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import FloatArray, TableView
from deskref.table_choice import TableChoice

MARGIN_MM = 16.0
"""Of the desk round the play area: a die's width."""

LONG_SIDE_PX = 960
"""Of the picture: 4 px/mm on the mat, finer than a camera of 1280x720 sees it."""

GRID_PX = 48
"""The lens is followed at points so far apart; between them lines are straight to a tenth of a pixel."""

SAME_PX = 0.4
"""The map to the camera's picture is made anew when the corners have shifted by more than this."""


@dataclass(frozen=True, slots=True)
class Above:
    """The map's scale, in the manner of a `TableView`: millimetres to pixels, whatever the height."""

    width_mm: float
    depth_mm: float

    @property
    def px_per_mm(self) -> float:
        """The scale."""
        return LONG_SIDE_PX / (max(self.width_mm, self.depth_mm) + 2 * MARGIN_MM)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        scale = self.px_per_mm
        return round((self.width_mm + 2 * MARGIN_MM) * scale), round((self.depth_mm + 2 * MARGIN_MM) * scale)

    def to_frame(self, points_mm: npt.ArrayLike, *, height_mm: float = 0.0) -> FloatArray:
        """Map table points, shape (n, 2), to the map's pixels; `height_mm` changes nothing."""
        del height_mm
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        scale = self.px_per_mm
        x = (points[:, 0] + self.width_mm / 2 + MARGIN_MM) * scale
        y = (self.depth_mm / 2 + MARGIN_MM - points[:, 1]) * scale
        return np.column_stack([x, y])

    def to_table(self, points_px: npt.ArrayLike) -> FloatArray:
        """Map the map's pixels, shape (n, 2), to table points."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        scale = self.px_per_mm
        x = points[:, 0] / scale - self.width_mm / 2 - MARGIN_MM
        y = self.depth_mm / 2 + MARGIN_MM - points[:, 1] / scale
        return np.column_stack([x, y])


def above_of(table: TableChoice) -> Above:
    """Give the map of a table."""
    return Above(table.area.width_mm, table.area.depth_mm)


class AboveMaker:
    """Makes the pictures from above; remembers the way from map to picture while the camera stands still."""

    def __init__(self) -> None:
        """Know no view yet."""
        self._of: tuple[Above, TableView] | None = None
        self._map: tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]] | None = None

    def picture(self, image_bgr: npt.NDArray[np.uint8], view: TableView, above: Above) -> npt.NDArray[np.uint8]:
        """Give the table from above, shape (rows, columns, 3); what the camera does not see is dark."""
        if self._map is None or not self._is_same(view, above):
            self._map = _map_of(view, above)
            self._of = (above, view)
        made = cv2.remap(image_bgr, self._map[0], self._map[1], cv2.INTER_LINEAR, borderValue=(17, 13, 11))
        return np.asarray(made, dtype=np.uint8)

    def _is_same(self, view: TableView, above: Above) -> bool:
        if self._of is None or self._of[0] != above or self._of[1].size != view.size:
            return False
        corners = above.to_table([(0, 0), (above.size[0], 0), above.size, (0, above.size[1])])
        shift = np.abs(self._of[1].to_frame(corners) - view.to_frame(corners))
        return bool(np.nan_to_num(shift, nan=1e6).max() <= SAME_PX)


def _map_of(view: TableView, above: Above) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """For each pixel of the map the pixel of the picture: exact at a grid, straight between."""
    width, height = above.size
    columns, rows = width // GRID_PX + 2, height // GRID_PX + 2
    x, y = np.meshgrid(np.arange(columns) * GRID_PX, np.arange(rows) * GRID_PX)
    pixels = view.to_frame(above.to_table(np.column_stack([x.ravel(), y.ravel()])))
    coarse = np.nan_to_num(pixels, nan=-1e4).astype(np.float32).reshape(rows, columns, 2)
    at_x, at_y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    fine = cv2.remap(coarse, at_x / GRID_PX, at_y / GRID_PX, cv2.INTER_LINEAR)
    first, second = cv2.convertMaps(
        np.ascontiguousarray(fine[:, :, 0]), np.ascontiguousarray(fine[:, :, 1]), cv2.CV_16SC2
    )
    return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)
