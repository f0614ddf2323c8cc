"""The table from above at a fixed scale: a picture in which a millimetre on the table is the same everywhere.

What stands up leans away from the camera in such a picture, exactly as if the camera were a lamp and the picture the
shadow on the table: a point at height h above (x, y) appears where the ray from the camera through it meets the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]

DEFAULT_PX_PER_MM = 2.0
"""A 16 mm die is 32 pixels wide, a 25 mm base 50: enough to part them, and half a million pixels in all. The dice are
read in the full picture, not here."""


@dataclass(frozen=True, slots=True)
class TableArea:
    """The part of the table that is looked at, in millimetres, centred on the table's origin."""

    width_mm: float = 200.0
    """Of the play area, along x."""
    depth_mm: float = 200.0
    """Of the play area, along y."""
    sheet_mm: tuple[float, float] | None = (210.0, 297.0)
    """Width and depth of the sheet or mat that lies under the play area; None where the play area is all there is."""
    margin_mm: float = 60.0
    """How far beyond sheet and play area the picture goes: tall things at the edge lean out over the desk."""

    @property
    def extent_mm(self) -> tuple[float, float]:
        """Width and depth of the whole picture from above."""
        sheet = self.sheet_mm or (0.0, 0.0)
        return (
            max(self.width_mm, sheet[0]) + 2 * self.margin_mm,
            max(self.depth_mm, sheet[1]) + 2 * self.margin_mm,
        )

    @property
    def ground_mm(self) -> tuple[float, float]:
        """Width and depth of what things stand on: the sheet, or the play area where there is none."""
        sheet = self.sheet_mm or (0.0, 0.0)
        return max(self.width_mm, sheet[0]), max(self.depth_mm, sheet[1])


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """How one camera's frames are turned into pictures from above; made once for a pose, used for every frame.

    Top pixels: column right along +x, row down along -y, pixel centres at integers.
    """

    view: TableView
    area: TableArea
    px_per_mm: float
    size: tuple[int, int]
    """Width and height of the picture from above, in pixels."""
    seen: npt.NDArray[np.bool_] = field(repr=False)
    """Shape (height, width): whether the camera sees that place."""
    map_x: npt.NDArray[np.int16] = field(repr=False)
    map_y: npt.NDArray[np.uint16] = field(repr=False)

    def from_frame(self, frame_bgr: Image) -> Image:
        """Give the table from above, shape (height, width, 3); black where the camera does not see it.

        Raises:
            ValueError: the frame's size is not the one that the pose was made for.
        """
        size = (frame_bgr.shape[1], frame_bgr.shape[0])
        if size != self.view.size:
            raise ValueError(f"this view is for frames of {self.view.size!r} pixels, not {size!r}")
        turned = cv2.remap(frame_bgr, self.map_x, self.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(turned, dtype=np.uint8)

    def to_top(self, points_mm: npt.ArrayLike) -> FloatArray:
        """Map table millimetres, shape (n, 2), to pixels of the picture from above."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        width, depth = self.area.extent_mm
        return np.column_stack(
            [(points[:, 0] + width / 2) * self.px_per_mm - 0.5, (depth / 2 - points[:, 1]) * self.px_per_mm - 0.5]
        )

    def to_mm(self, points_top: npt.ArrayLike) -> FloatArray:
        """Map pixels of the picture from above, shape (n, 2), to table millimetres."""
        points = np.asarray(points_top, dtype=np.float64).reshape(-1, 2)
        width, depth = self.area.extent_mm
        return np.column_stack(
            [(points[:, 0] + 0.5) / self.px_per_mm - width / 2, depth / 2 - (points[:, 1] + 0.5) / self.px_per_mm]
        )

    def camera_top(self) -> FloatArray:
        """Where the point of the table straight below the camera lies in the picture from above, shape (2,)."""
        foot: FloatArray = self.to_top(self.view.camera_mm[None, :2])[0]
        return foot

    def rectangle_top(self, width_mm: float, depth_mm: float) -> tuple[int, int, int, int]:
        """Give left, top, right, bottom (exclusive) of a rectangle of the table centred on the origin."""
        corners = self.to_top([(-width_mm / 2, depth_mm / 2), (width_mm / 2, -depth_mm / 2)])
        left, top = np.maximum(np.ceil(corners[0]), 0)
        right, bottom = np.minimum(np.floor(corners[1]) + 1, self.size)
        return int(left), int(top), int(right), int(bottom)


def top_view(view: TableView, area: TableArea | None = None, *, px_per_mm: float = DEFAULT_PX_PER_MM) -> TopView:
    """Make the map from frames of `view` to the picture from above.

    It costs some 20 ms: make it once for each pose and keep it.
    """
    area = area or TableArea()
    width_mm, depth_mm = area.extent_mm
    size = (round(width_mm * px_per_mm), round(depth_mm * px_per_mm))
    # Every place of a coarse grid is projected, the pixels between are interpolated: 0.03 px off at worst, 20 times
    # as fast.
    columns = np.append(np.arange(0, size[0] - 1, _GRID_STEP_PX), size[0] - 1).astype(np.float64)
    rows = np.append(np.arange(0, size[1] - 1, _GRID_STEP_PX), size[1] - 1).astype(np.float64)
    across, down = np.meshgrid((columns + 0.5) / px_per_mm - width_mm / 2, depth_mm / 2 - (rows + 0.5) / px_per_mm)
    table_mm = np.column_stack([across.ravel(), down.ravel()])
    coarse = view.to_frame(table_mm)
    # Far outside of the picture the lens model folds back into it: such places are not seen either.
    coarse[_folds_back(view, table_mm)] = -1e5
    coarse = np.nan_to_num(coarse, nan=-1e5).clip(-1e5, 1e5).reshape(len(rows), len(columns), 2)
    left, top = _between(rows, size[1]), _between(columns, size[0])
    pixels = np.stack([left @ coarse[..., axis] @ top.T for axis in (0, 1)], axis=2)
    seen = (pixels >= 0).all(axis=2) & (pixels[..., 0] <= view.size[0] - 1) & (pixels[..., 1] <= view.size[1] - 1)
    pixels = np.where(seen[..., None], pixels, -10.0).astype(np.float32)
    map_x, map_y = cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)
    seen.setflags(write=False)
    return TopView(
        view, area, px_per_mm, size, seen, np.asarray(map_x, dtype=np.int16), np.asarray(map_y, dtype=np.uint16)
    )


_GRID_STEP_PX = 8


def _between(knots: FloatArray, count: int) -> FloatArray:
    """Give the weights, shape (count, len(knots)), of linear interpolation from `knots` to 0, 1, ... count - 1."""
    places = np.arange(count, dtype=np.float64)
    after = np.clip(np.searchsorted(knots, places, side="right"), 1, len(knots) - 1)
    share = (places - knots[after - 1]) / (knots[after] - knots[after - 1])
    weights = np.zeros((count, len(knots)))
    weights[np.arange(count), after - 1] = 1 - share
    weights[np.arange(count), after] = share
    return weights


def _folds_back(view: TableView, table_mm: FloatArray) -> npt.NDArray[np.bool_]:
    k1, k2, _, _, k3 = view.distortion
    in_camera = np.column_stack([table_mm, np.zeros(len(table_mm))]) @ view.rotation.T + view.translation
    with np.errstate(divide="ignore", invalid="ignore"):
        square = (in_camera[:, :2] ** 2).sum(axis=1) / in_camera[:, 2] ** 2
    growth = 1 + 3 * k1 * square + 5 * k2 * square**2 + 7 * k3 * square**3
    return np.asarray(~((growth > 0) & (in_camera[:, 2] > 1.0)))


def plane_patch(
    frame_bgr: Image,
    view: TableView,
    centre_mm: tuple[float, float],
    *,
    size_mm: float,
    height_mm: float,
    side_px: int,
    turned_degrees: float = 0.0,
) -> Image:
    """Give a square piece of the plane `height_mm` above the table as seen from above.

    A die's top face is a true square there. Row 0 is the side away from the near edge when not turned.

    Args:
        frame_bgr: the picture that `view` belongs to.
        view: pose of the table.
        centre_mm: the patch's middle on the table.
        size_mm: side of the patch.
        height_mm: height of the plane above the table.
        side_px: side of the patch in pixels.
        turned_degrees: counter-clockwise turn of the patch's right-hand direction from +x.
    """
    if side_px < 2:
        raise ValueError(f"a patch must have at least 2 pixels a side, not {side_px!r}")
    steps = (np.arange(side_px) + 0.5) / side_px - 0.5
    across, up = np.meshgrid(steps * size_mm, -steps * size_mm)
    cos, sin = math.cos(math.radians(turned_degrees)), math.sin(math.radians(turned_degrees))
    points = np.column_stack(
        [
            centre_mm[0] + (across * cos - up * sin).ravel(),
            centre_mm[1] + (across * sin + up * cos).ravel(),
        ]
    )
    pixels = view.to_frame(points, height_mm=height_mm).reshape(side_px, side_px, 2)
    pixels = np.nan_to_num(pixels, nan=-10.0).astype(np.float32)
    patch = cv2.remap(frame_bgr, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, dtype=np.uint8)


class TopViews:
    """Keeps the last map, so that asking for the same pose again costs nothing."""

    def __init__(self, area: TableArea | None = None, *, px_per_mm: float = DEFAULT_PX_PER_MM) -> None:
        """Start empty.

        Args:
            area: the part of the table that is looked at.
            px_per_mm: scale of the pictures from above.
        """
        self._area = area or TableArea()
        self._px_per_mm = px_per_mm
        self._last: TopView | None = None

    def of(self, view: TableView) -> TopView:
        """Give the map for `view`, made only when the pose has changed."""
        if self._last is None or not same_pose(self._last.view, view):
            self._last = top_view(view, self._area, px_per_mm=self._px_per_mm)
        return self._last


def same_pose(one: TableView, other: TableView) -> bool:
    """Whether two views map the table to the same pixels, to the last bit."""
    if one is other:
        return True
    arrays: list[Callable[[TableView], npt.NDArray[np.float64]]] = [
        lambda view: view.camera_matrix,
        lambda view: view.distortion,
        lambda view: view.rotation,
        lambda view: view.translation,
    ]
    return one.size == other.size and all(np.array_equal(part(one), part(other)) for part in arrays)
