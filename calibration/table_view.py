"""The pose of the table in one camera's picture: millimetres to pixels and back, also above the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def _read_only(values: npt.ArrayLike, shape: tuple[int, ...], name: str) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} must have the shape {shape!r}, not {array.shape!r}")
    array.setflags(write=False)
    return array


def _points(points: npt.ArrayLike, columns: tuple[int, ...]) -> FloatArray:
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] not in columns:
        raise ValueError(f"expected points of shape (n, {' or '.join(map(str, columns))}), not {array.shape!r}")
    return array


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """A calibrated view of the table plane.

    Table coordinates are millimetres: origin at the mat's centre, x to the right and y away from the near edge (where
    the first player sits; the side of markers 3, 4, 5), height up from the table. Pixels: x right, y down, pixel
    centres at integers.
    """

    camera_matrix: FloatArray
    """Shape (3, 3), in pixels."""
    distortion: FloatArray
    """Shape (5,): k1, k2, p1, p2, k3 of OpenCV's lens model."""
    rotation: FloatArray
    """Shape (3, 3): camera axes (x right, y down, z into the scene) from table axes (x right, y away, z up)."""
    translation: FloatArray
    """Shape (3,): the table's origin in camera axes, in mm."""
    size: tuple[int, int]
    """Width and height of the picture in pixels."""
    markers: int = 0
    """How many printed markers fix this pose in this frame; 0 where it is held over from an earlier one."""
    reprojection_error_px: float = math.nan
    """Root mean square over the markers' corners; NaN where unknown."""
    print_scale: float = 1.0
    """True millimetres for each nominal millimetre of the mat, 0.97 for a sheet printed at 97 %. Already applied."""

    def __post_init__(self) -> None:
        """Check the shapes and make the arrays read-only."""
        for name, shape in (
            ("camera_matrix", (3, 3)),
            ("distortion", (5,)),
            ("rotation", (3, 3)),
            ("translation", (3,)),
        ):
            object.__setattr__(self, name, _read_only(getattr(self, name), shape, name))

    @property
    def camera_mm(self) -> FloatArray:
        """The camera's place in table millimetres, shape (3,): x, y, height."""
        return -self.rotation.T @ self.translation

    @property
    def elevation_degrees(self) -> float:
        """How steeply the camera looks at the mat's centre: 90 is straight down."""
        x, y, height = self.camera_mm
        return math.degrees(math.atan2(height, math.hypot(x, y)))

    def to_frame(self, points_mm: npt.ArrayLike, *, height_mm: float = 0.0) -> FloatArray:
        """Map table points to frame pixels.

        Args:
            points_mm: shape (n, 2) at the common height `height_mm`, or (n, 3) with each point's own height.
            height_mm: height above the table of two-column points.

        Returns:
            Shape (n, 2), in pixels of the (distorted) frame. Points behind the camera come out as NaN.
        """
        points = _points(points_mm, (2, 3))
        if points.shape[1] == 2:
            points = np.column_stack([points, np.full(len(points), height_mm)])
        if not len(points):
            return np.empty((0, 2))
        in_camera = points @ self.rotation.T + self.translation
        pixels, _ = cv2.projectPoints(
            in_camera.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), self.camera_matrix, self.distortion
        )
        result = np.array(pixels, dtype=np.float64).reshape(-1, 2)
        result[in_camera[:, 2] <= 1.0] = np.nan
        return result

    def rays(self, points_px: npt.ArrayLike) -> FloatArray:
        """Give the viewing directions of pixels in table axes.

        Args:
            points_px: shape (n, 2), pixels of the frame.

        Returns:
            Shape (n, 3); not normalised; starts at `camera_mm`.
        """
        points = _points(points_px, (2,))
        if not len(points):
            return np.empty((0, 3))
        flat: Any = cv2.undistortPoints(points.reshape(-1, 1, 2), self.camera_matrix, self.distortion)
        flat = np.asarray(flat, dtype=np.float64).reshape(-1, 2)
        return np.column_stack([flat, np.ones(len(flat))]) @ self.rotation

    def to_table(self, points_px: npt.ArrayLike, *, height_mm: float = 0.0) -> FloatArray:
        """Map frame pixels to the plane `height_mm` above the table.

        Args:
            points_px: shape (n, 2), pixels of the frame.
            height_mm: of the plane on which the points lie.

        Returns:
            Shape (n, 2) in mm; NaN where the pixel looks at or above the horizon of that plane.
        """
        directions = self.rays(points_px)
        start = self.camera_mm
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (height_mm - start[2]) / directions[:, 2]
        points: FloatArray = start[:2] + directions[:, :2] * reach[:, None]
        points[~(reach > 0)] = np.nan
        return points

    def px_per_mm(self, point_mm: tuple[float, float] = (0.0, 0.0), *, height_mm: float = 0.0) -> float:
        """The local scale at a table point, as the square root of the pixels that one square millimetre covers."""
        x, y = point_mm
        corners = self.to_frame([(x, y), (x + 1, y), (x, y + 1)], height_mm=height_mm)
        across, along = corners[1] - corners[0], corners[2] - corners[0]
        return math.sqrt(abs(float(across[0] * along[1] - across[1] * along[0])))

    def vertical_px(self, point_mm: tuple[float, float], *, height_mm: float = 1.0) -> FloatArray:
        """The picture's displacement, shape (2,) in pixels, of a point raised from the table by `height_mm`."""
        x, y = point_mm
        foot, top = self.to_frame([(x, y, 0.0), (x, y, height_mm)])
        displacement: FloatArray = top - foot
        return displacement

    def frame_from_plane(self, *, height_mm: float = 0.0) -> FloatArray:
        """The homography, shape (3, 3), from plane millimetres to undistorted pixels at a height above the table."""
        columns = np.column_stack(
            [self.rotation[:, 0], self.rotation[:, 1], self.rotation[:, 2] * height_mm + self.translation]
        )
        homography: FloatArray = self.camera_matrix @ columns
        return homography
