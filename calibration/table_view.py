"""The pose of the table in one camera's picture: millimetres to pixels and back, also above the table."""

from __future__ import annotations

import math
from dataclasses import dataclass

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


def _undistorted(points_px: FloatArray, camera_matrix: FloatArray, distortion: FloatArray) -> FloatArray:
    """Invert the lens model by Newton's method: pixels, shape (n, 2), to undistorted x/z, y/z.

    Pixels that no direction reaches come out as NaN. `cv2.undistortPoints` is not used: it stops after five fixed-point
    rounds, 1.5 px short in the corners of a 1280x720 picture at k1 -0.25 (measured).
    """
    k1, k2, p1, p2, k3 = distortion
    x_seen = (points_px[:, 0] - camera_matrix[0, 2]) / camera_matrix[0, 0]
    y_seen = (points_px[:, 1] - camera_matrix[1, 2]) / camera_matrix[1, 1]
    x, y = x_seen.copy(), y_seen.copy()
    for _ in range(8):
        square = x * x + y * y
        radial = 1 + square * (k1 + square * (k2 + square * k3))
        growth = 2 * (k1 + square * (2 * k2 + square * 3 * k3))
        off_x = x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x) - x_seen
        off_y = y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y - y_seen
        xx = radial + growth * x * x + 2 * p1 * y + 6 * p2 * x
        yy = radial + growth * y * y + 6 * p1 * y + 2 * p2 * x
        xy = growth * x * y + 2 * p1 * x + 2 * p2 * y
        # Where the model folds over, outside every real picture, the step is kept finite.
        determinant = np.maximum(xx * yy - xy * xy, 1e-2)
        x -= (yy * off_x - xy * off_y) / determinant
        y -= (xx * off_y - xy * off_x) / determinant
    directions = np.column_stack([x, y])
    directions[~((np.abs(off_x) < 1e-3) & (np.abs(off_y) < 1e-3))] = np.nan
    return directions


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
    marker_ids: tuple[int, ...] = ()
    """Which markers fix this pose."""
    covariance: FloatArray | None = None
    """Shape (10, 10): of the rotation vector, the translation in mm, the log of the focal length, k1 and the principal
    point; None where unknown. Zero rows for what is taken as exact."""

    def __post_init__(self) -> None:
        """Check the shapes and make the arrays read-only."""
        for name, shape in (
            ("camera_matrix", (3, 3)),
            ("distortion", (5,)),
            ("rotation", (3, 3)),
            ("translation", (3,)),
        ):
            object.__setattr__(self, name, _read_only(getattr(self, name), shape, name))
        if self.covariance is not None:
            object.__setattr__(self, "covariance", _read_only(self.covariance, (10, 10), "covariance"))

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
            Shape (n, 2), in pixels of the (distorted) frame. Points behind the camera, and points so far to the side
            that the lens model folds them back, come out as NaN.
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
        k1, k2, _, _, k3 = self.distortion
        square = np.sum(in_camera[:, :2] ** 2, axis=1) / np.maximum(in_camera[:, 2], 1.0) ** 2
        folded = 1 + square * (3 * k1 + square * (5 * k2 + square * 7 * k3)) <= 0
        result[(in_camera[:, 2] <= 1.0) | folded] = np.nan
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
        flat = _undistorted(points, self.camera_matrix, self.distortion)
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

    def uncertainty_mm(
        self, point_mm: tuple[float, float], *, height_mm: float = 0.0, point_sigma_px: float = 0.0
    ) -> float:
        """How well a place is known: one standard deviation in mm of a point measured in this frame.

        Args:
            point_mm: the place.
            height_mm: of the plane in which it was measured.
            point_sigma_px: how well its pixel is known, added to what the pose leaves open.

        Returns:
            The larger half-axis of the error ellipse; NaN where the pose's covariance is unknown.
        """
        if self.covariance is None:
            return math.nan
        place = np.array([[(*point_mm, height_mm)]], dtype=np.float64)
        vector = np.asarray(cv2.Rodrigues(self.rotation)[0], dtype=np.float64)
        _, jacobian = cv2.projectPoints(place, vector, self.translation, self.camera_matrix, self.distortion)
        # Columns of OpenCV's: rotation, translation, focal lengths, principal point, k1 and the further lens terms.
        per_pose, per_focal, per_centre, per_k1 = np.split(np.asarray(jacobian)[:, :11], (6, 8, 10), axis=1)
        focal = np.diag(self.camera_matrix)[:2]
        per_parameter = np.column_stack([per_pose, per_focal @ focal, per_k1, per_centre])
        try:
            per_px = np.linalg.inv(jacobian[:, 3:6] @ self.rotation[:, :2])
        except np.linalg.LinAlgError:
            return math.nan
        # A pixel stands: what the pose shifts in the picture is shifted back on the plane.
        slopes = per_px @ per_parameter
        spread = slopes @ self.covariance @ slopes.T + point_sigma_px**2 * per_px @ per_px.T
        return math.sqrt(max(0.0, float(np.linalg.eigvalsh(spread)[-1])))

    def frame_from_plane(self, *, height_mm: float = 0.0) -> FloatArray:
        """The homography, shape (3, 3), from plane millimetres to undistorted pixels at a height above the table."""
        columns = np.column_stack(
            [self.rotation[:, 0], self.rotation[:, 1], self.rotation[:, 2] * height_mm + self.translation]
        )
        homography: FloatArray = self.camera_matrix @ columns
        return homography
