"""The table's pose and, where no lens is known, its focal length and first radial term, fitted to what is measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.target import FloatArray

PARAMETERS = 10
"""Rotation vector (3), translation in mm (3), log of the focal length, k1, principal point in px (2)."""
POSE_PARAMETERS = 6
"""The first of them; the others are the lens's."""
TYPICAL_FOCAL_SHARE = 0.85
"""Focal length over the picture's longer side: webcams 0.62-0.95 (56-78 degrees), phones' main cameras 0.75-1.0."""
FOCAL_SPREAD = 0.3
"""Standard deviation of the log of the focal length before anything was seen: 0.6 to 1.2 widths within one."""
K1_SPREAD = 0.2
"""Standard deviation of k1 before anything was seen: webcams are mostly within -0.3..0.1."""
CORNER_SIGMA_PX = 0.7
"""Of a corner as the marker search gives it, before its edges are measured."""
CENTRE_SPREAD = 0.012
"""Standard deviation of the principal point from the picture's middle over the picture's longer side. Left out, an
offset of 30 px in a 960 wide picture misplaces the mat's middle by 2 px (measured)."""
BARREL_K1 = -0.2
"""Tried as a start beside the guess: the robust loss would else take a marker bent by a barrel lens for a false one."""
_START_SHARES = (0.6, 0.85, 1.2, 1.8)


@dataclass(frozen=True, slots=True, eq=False)
class LensGuess:
    """What is known of the lens before a fit.

    With `fixed` the camera matrix and distortion are taken as they are; otherwise the focal length, k1 and principal
    point are fitted, pulled towards this guess as strongly as `information` says.
    """

    camera_matrix: FloatArray
    """Shape (3, 3)."""
    distortion: FloatArray
    """Shape (5,)."""
    fixed: bool
    information: FloatArray
    """Shape (4, 4): inverse covariance of (log focal length, k1, principal point). Unused where fixed."""


def typical_lens(size: tuple[int, int], *, aspect: float = 1.0) -> LensGuess:
    """Give the guess for an unknown camera: principal point in the middle, a webcam's angle of view.

    Args:
        size: of the picture.
        aspect: vertical over horizontal focal length: 1 for square pixels, 0.75 where a picture of 4:3 is squeezed
            into 16:9.
    """
    width, height = size
    focal = TYPICAL_FOCAL_SHARE * max(width, height)
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal * aspect, (height - 1) / 2], [0, 0, 1]])
    centre = (CENTRE_SPREAD * max(width, height)) ** -2
    return LensGuess(matrix, np.zeros(5), False, np.diag([FOCAL_SPREAD**-2, K1_SPREAD**-2, centre, centre]))


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted view of the table plane."""

    rotation_vector: FloatArray
    """Shape (3,)."""
    translation: FloatArray
    """Shape (3,), mm."""
    camera_matrix: FloatArray
    """Shape (3, 3)."""
    distortion: FloatArray
    """Shape (5,)."""
    information: FloatArray
    """Shape (10, 10): of the parameters, priors included; zero rows for a fixed lens."""
    rms_px: float
    """Of the measurements used, weighted."""

    @property
    def rotation(self) -> FloatArray:
        """Shape (3, 3): camera axes from table axes."""
        return np.asarray(cv2.Rodrigues(self.rotation_vector)[0], dtype=np.float64)

    @property
    def log_focal(self) -> float:
        """The logarithm of the focal length in pixels."""
        return math.log(float(self.camera_matrix[0, 0]))

    @property
    def lens_values(self) -> FloatArray:
        """Shape (4,): log of the focal length, k1, principal point."""
        return np.array(
            [self.log_focal, self.distortion[0], self.camera_matrix[0, 2], self.camera_matrix[1, 2]], dtype=np.float64
        )

    def project(self, points_mm: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Map table points, shape (n, 3), to pixels, shape (n, 2), with the derivatives, shape (n, 2, 10)."""
        pixels, jacobian = cv2.projectPoints(
            points_mm.reshape(-1, 1, 3), self.rotation_vector, self.translation, self.camera_matrix, self.distortion
        )
        rows: FloatArray = np.asarray(jacobian, dtype=np.float64).reshape(-1, 2, jacobian.shape[1])
        focal = rows[:, :, 6] * self.camera_matrix[0, 0] + rows[:, :, 7] * self.camera_matrix[1, 1]
        derivatives = np.concatenate([rows[:, :, :6], focal[:, :, None], rows[:, :, 10:11], rows[:, :, 8:10]], axis=2)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2), derivatives

    def moved(self, step: FloatArray) -> Fit:
        """Give the fit with its parameters changed by `step`, shape (10,)."""
        matrix = self.camera_matrix.copy()
        matrix[0, 0] *= math.exp(step[6])
        matrix[1, 1] *= math.exp(step[6])
        matrix[:2, 2] += step[8:10]
        distortion = self.distortion.copy()
        distortion[0] += step[7]
        return replace(
            self,
            rotation_vector=self.rotation_vector + step[:3],
            translation=self.translation + step[3:6],
            camera_matrix=matrix,
            distortion=distortion,
        )

    def covariance(self) -> FloatArray:
        """Shape (10, 10): of the parameters; zero for a fixed lens."""
        free = np.flatnonzero(np.diag(self.information) > 0)
        result = np.zeros((PARAMETERS, PARAMETERS))
        result[np.ix_(free, free)] = np.linalg.pinv(self.information[np.ix_(free, free)], hermitian=True)
        return result


def start_fits(homography: FloatArray, lens: LensGuess) -> tuple[Fit, ...]:
    """Give starting poses from a picture-from-table homography: one for a known lens, else one for each of several.

    Poses that put the table behind the camera or show its underside are left out.
    """
    longer = 2 * max(lens.camera_matrix[0, 2], lens.camera_matrix[1, 2]) + 1
    focals = (
        [lens.camera_matrix[0, 0]] if lens.fixed else [lens.camera_matrix[0, 0], *(s * longer for s in _START_SHARES)]
    )
    barrel = lens.distortion.copy()
    barrel[0] = BARREL_K1
    starts = [(focal, lens.distortion) for focal in focals]
    if not lens.fixed:
        starts += [(focal, barrel) for focal in focals[:3]]
    fits = []
    for focal, distortion in starts:
        matrix = lens.camera_matrix.copy()
        matrix[1, 1] *= focal / matrix[0, 0]
        matrix[0, 0] = focal
        columns = np.linalg.inv(matrix) @ homography
        scale = 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
        columns = columns * (scale if columns[2, 2] > 0 else -scale)
        axes = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
        left, _, right = np.linalg.svd(axes)
        rotation = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
        if (-rotation.T @ columns[:, 2])[2] <= 0:
            continue
        vector = np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3)
        fits.append(Fit(vector, columns[:, 2], matrix, distortion.copy(), np.zeros((PARAMETERS, PARAMETERS)), math.nan))
    return tuple(fits)


def fit_points(start: Fit, points_mm: FloatArray, points_px: FloatArray, lens: LensGuess) -> tuple[Fit, float]:
    """Fit the pose to corresponding points by damped Gauss-Newton with a robust (Cauchy) loss.

    Args:
        start: from `start_fits`.
        points_mm: shape (n, 3).
        points_px: shape (n, 2).
        lens: the prior; its `fixed` says whether focal length and k1 move.

    Returns:
        The fit and its cost (the smaller the better, comparable between starts).
    """
    fit, damping = start, 1e-3
    cost, gradient, normal = _normal_equations(fit, points_mm, points_px, lens)
    for _ in range(30):
        step = solve_step(normal, gradient, damping=damping, fixed=lens.fixed)
        trial = fit.moved(step)
        trial_cost, trial_gradient, trial_normal = _normal_equations(trial, points_mm, points_px, lens)
        if trial_cost < cost:
            gain = cost - trial_cost
            fit, cost, gradient, normal = trial, trial_cost, trial_gradient, trial_normal
            damping = max(damping / 10, 1e-9)
            if gain < 1e-6 * (1 + cost):
                break
        else:
            damping *= 10
            if damping > 1e6:
                break
    pixels, _ = fit.project(points_mm)
    rms = float(np.sqrt(np.mean(np.sum((pixels - points_px) ** 2, axis=1))))
    return replace(fit, information=normal, rms_px=rms), cost


def solve_step(normal: FloatArray, gradient: FloatArray, *, damping: float, fixed: bool) -> FloatArray:
    """Solve the damped normal equations; a fixed lens's parameters do not move."""
    count = POSE_PARAMETERS if fixed else PARAMETERS
    matrix = normal[:count, :count] + damping * np.diag(np.diag(normal)[:count])
    step = np.zeros(PARAMETERS)
    step[:count] = -np.linalg.lstsq(matrix, gradient[:count], rcond=None)[0]
    step[6] = float(np.clip(step[6], -0.3, 0.3))
    return step


def lens_terms(fit: Fit, lens: LensGuess) -> tuple[float, FloatArray, FloatArray]:
    """Give the prior's cost, gradient (10,) and information (10, 10) at a fit; all zero for a fixed lens."""
    gradient, normal = np.zeros(PARAMETERS), np.zeros((PARAMETERS, PARAMETERS))
    if lens.fixed:
        return 0.0, gradient, normal
    matrix = lens.camera_matrix
    guess = np.array([math.log(float(matrix[0, 0])), lens.distortion[0], matrix[0, 2], matrix[1, 2]])
    away = fit.lens_values - guess
    gradient[POSE_PARAMETERS:] = lens.information @ away
    normal[POSE_PARAMETERS:, POSE_PARAMETERS:] = lens.information
    return 0.5 * float(away @ lens.information @ away), gradient, normal


def _normal_equations(
    fit: Fit, points_mm: FloatArray, points_px: FloatArray, lens: LensGuess
) -> tuple[float, FloatArray, FloatArray]:
    pixels, derivatives = fit.project(points_mm)
    residual: npt.NDArray[Any] = (pixels - points_px) / CORNER_SIGMA_PX
    square = np.sum(residual**2, axis=1)
    if not np.all(np.isfinite(square)):
        return math.inf, np.zeros(PARAMETERS), np.eye(PARAMETERS)
    scale = 9.0
    """Cauchy's scale, squared: three standard deviations, so that a corner under a figure does not pull."""
    weight = 1 / (1 + square / scale)
    prior_cost, prior_gradient, prior_normal = lens_terms(fit, lens)
    scaled = derivatives / CORNER_SIGMA_PX
    gradient = np.einsum("n,nk,nkp->p", weight, residual, scaled) + prior_gradient
    normal = np.einsum("n,nkp,nkq->pq", weight, scaled, scaled) + prior_normal
    return 0.5 * scale * float(np.sum(np.log1p(square / scale))) + prior_cost, gradient, normal
