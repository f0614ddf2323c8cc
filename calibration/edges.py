"""The markers' printed edges, measured to a few hundredths of a pixel, and the pose that fits all of them at once.

A corner search sees each marker for itself. Here the whole target is one rigid drawing: every side of every marker is
sampled across, the step from black to white is located, and one pose explains all samples. Covered samples find no
step and drop out, so a half-covered marker still helps; lens distortion bends the drawn sides too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.markers import GrayImage
from calibration.pose import PARAMETERS, POSE_PARAMETERS, Fit, LensGuess, lens_terms
from calibration.target import MARKER_MODULES, FloatArray, Target, marker_cells

SAMPLES_PER_SIDE = 14
"""Across a side of 40-80 px; more do not lower the measured error, since neighbours share their pixels."""
STEP_PX = 0.5
"""Between the points of a profile."""
SMOOTHING_PX = 1.0
"""Sigma of the derivative-of-Gaussian that locates a step: near the blur of a focused webcam, where it is best."""
MIN_STEP = 6.0
"""Weakest step taken for an edge, in grey levels. Bare paper with noise of sigma 6 has chance steps of 6 on the median
and 14 at most (measured); those over the limit lie anywhere and are outvoted."""
RELATIVE_STEP = 0.4
"""Weakest step as a share of the same marker's median step: a shadow or a figure across a side is weaker or absent."""
EDGE_SHARE = 0.75
"""The search across a side ends at this share of a module, before the next printed edge."""
MATCH = 0.6
"""Correlation of a marker's modules with its pattern from which it counts as seen. Uncovered markers of the rendered
scenes reach 0.90 and more, other places of the mat at most 0.47; markers half covered have 0.36-0.72 (measured), and
their visible edges are good either way."""
SAMPLE_CORRELATION = 4.0
"""Samples along one side share pixels and the paper's unevenness; their information is divided by this."""
LEAST_SIGMA_PX = 0.05
"""No edge is trusted further: what a sharp noise-free render leaves."""
SMALL_STEP_PX = 0.002
"""A step that moves no sample further ends the fit: ten times less left three markers in a row 9 mm off (measured)."""
MOST_STEPS = 25
EDGE_SHIFT_SIGMA_PX = 0.4
"""Ink spread and blooming move all edges of all markers outwards alike; fitted along with this prior."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Samples across the sides of some markers, at the places that a pose predicts."""

    ids: tuple[int, ...]
    """The markers sampled, in the order of `marker`."""
    points_mm: FloatArray
    """Shape (n, 3): the sampled places of the sides."""
    marker: npt.NDArray[np.intp]
    """Shape (n,): index into `ids`."""
    normals_px: FloatArray
    """Shape (n, 2): unit vectors across the side, pointing out of the marker."""
    offset_px: FloatArray
    """Shape (n,): how far along the normal the step from black to white lies from its predicted place."""
    strength: FloatArray
    """Shape (n,): of the step, in grey levels."""
    good: npt.NDArray[np.bool_]
    """Shape (n,): whether a step was found that can be the marker's edge."""
    softness: float
    """How blurred the steps are: their spread in modules; NaN where no sample is good. Sharp pictures at 1280x720 have
    0.06-0.12; over 0.25 markers begin to fail (measured on rendered mats)."""

    def good_share(self) -> dict[int, float]:
        """By marker id: the share of its samples that are good."""
        return {number: float(self.good[self.marker == index].mean()) for index, number in enumerate(self.ids)}


@cache
def _step_filter(half: int) -> tuple[FloatArray, FloatArray]:
    """The filter bank, shape (points, places), and the places in px, for a search `half` points to each side."""
    radius = int(np.ceil(3 * SMOOTHING_PX / STEP_PX))
    at = np.arange(-radius, radius + 1) * STEP_PX
    kernel = at * np.exp(-0.5 * (at / SMOOTHING_PX) ** 2)
    kernel /= np.abs(kernel).sum() / 2
    places = np.arange(-half - 1, half + 2)
    points = 2 * (half + 1 + radius) + 1
    bank = np.zeros((points, len(places)))
    for index in range(len(places)):
        bank[index : index + len(kernel), index] = kernel
    return bank, np.asarray(places * STEP_PX, dtype=np.float64)


def sample(gray: GrayImage, places_px: FloatArray) -> FloatArray:
    """Read grey values between pixels, of places shape (..., 2); the border is repeated outside."""
    places = places_px.astype(np.float32)
    values = cv2.remap(
        gray, places[..., 0], places[..., 1], interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(values, dtype=np.float64).reshape(places_px.shape[:-1])


def measure_edges(gray: GrayImage, fit: Fit, target: Target, ids: tuple[int, ...], *, reach_px: float) -> Edges:
    """Locate the printed edges of some markers near the places that a pose predicts.

    Args:
        gray: shape (rows, columns).
        fit: the predicted view.
        target: with the markers' corners.
        ids: of the markers to measure; at least one.
        reach_px: how far to each side an edge is looked for; less for small markers (`EDGE_SHARE`).
    """
    corners = np.stack([target.corners_mm[number] for number in ids])
    share = 0.08 + 0.84 * (np.arange(SAMPLES_PER_SIDE) + 0.5) / SAMPLES_PER_SIDE
    starts, along = corners[:, :, None, :], (np.roll(corners, -1, axis=1) - corners)[:, :, None, :]
    flat = (starts + along * share[:, None]).reshape(-1, 2)
    direction = np.broadcast_to(along, (len(ids), 4, SAMPLES_PER_SIDE, 2)).reshape(-1, 2)
    points = np.column_stack([flat, np.zeros(len(flat))])
    ahead = np.column_stack([flat + 0.02 * direction, np.zeros(len(flat))])
    both = cv2.projectPoints(
        np.concatenate([points, ahead]).reshape(-1, 1, 3),
        fit.rotation_vector,
        fit.translation,
        fit.camera_matrix,
        fit.distortion,
    )[0]
    pixels = np.asarray(both, dtype=np.float64).reshape(2, -1, 2)
    tangent = pixels[1] - pixels[0]
    length = np.linalg.norm(tangent, axis=1)
    # Walking round the marker clockwise in the picture, outside is on the left hand: (dy, -dx) with y down.
    normals = np.column_stack([tangent[:, 1], -tangent[:, 0]]) / np.maximum(length, 1e-9)[:, None]
    module_px = float(np.median(length)) / 0.02 / MARKER_MODULES
    half = max(2, int(min(reach_px, EDGE_SHARE * module_px) / STEP_PX))
    bank, places = _step_filter(half)
    reach = (np.arange(len(bank)) - len(bank) // 2) * STEP_PX
    profiles = sample(gray, pixels[0][:, None, :] + reach[:, None] * normals[:, None, :])
    steps = profiles @ bank
    peak = np.argmax(steps[:, 1:-1], axis=1) + 1
    rows = np.arange(len(steps))
    before, top, after = steps[rows, peak - 1], steps[rows, peak], steps[rows, peak + 1]
    bend = before - 2 * top + after
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0.0)
    marker = np.repeat(np.arange(len(ids)), 4 * SAMPLES_PER_SIDE)
    height, width = gray.shape
    inside = np.all((pixels[0] > 2) & (pixels[0] < np.array([width - 3, height - 3])), axis=1)
    good = inside & (np.abs(shift) <= 1) & (top > MIN_STEP) & (top > before) & (top >= after)
    for index in range(len(ids)):
        mine = marker == index
        if np.any(good & mine):
            good[mine] &= top[mine] > RELATIVE_STEP * float(np.median(top[mine & good]))
    softness = math.nan
    if np.any(good):
        at = min(len(reach) // 2, max(2, round(0.5 * module_px / STEP_PX)))
        middle = len(reach) // 2
        contrast = float(np.median((profiles[:, middle + at] - profiles[:, middle - at])[good]))
        # A step blurred by b answers a derivative-of-Gaussian of sigma s with contrast / sqrt(1 + (b / s)^2).
        ratio = max(1.0, contrast / float(np.median(top[good])))
        softness = SMOOTHING_PX * math.sqrt(ratio**2 - 1) / module_px
    return Edges(ids, points, marker, normals, places[peak] + shift * STEP_PX, top, good, softness)


def match_patterns(gray: GrayImage, fit: Fit, target: Target, ids: tuple[int, ...]) -> dict[int, float]:
    """Correlate the picture with each marker's black and white modules at its predicted place.

    Returns:
        By id: -1 to 1; -1 also where the marker is not wholly in the picture.
    """
    height, width = gray.shape
    cells = MARKER_MODULES
    inner = (np.arange(2 * cells) + 0.5) / (2 * cells)
    across, down = np.meshgrid(inner, inner)
    corners = np.stack([target.corners_mm[number] for number in ids])
    origin, right, below = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    flat = (
        origin[:, None, None, :]
        + across[:, :, None] * right[:, None, None, :]
        + down[:, :, None] * below[:, None, None, :]
    ).reshape(-1, 2)
    pixels, _ = cv2.projectPoints(
        np.column_stack([flat, np.zeros(len(flat))]).reshape(-1, 1, 3),
        fit.rotation_vector,
        fit.translation,
        fit.camera_matrix,
        fit.distortion,
    )
    places = np.asarray(pixels, dtype=np.float64).reshape(len(ids), 2 * cells, 2 * cells, 2)
    inside = np.all((places >= 0) & (places <= np.array([width - 1, height - 1])), axis=(1, 2, 3))
    values = sample(gray, places.reshape(len(ids) * 2 * cells, 2 * cells, 2))
    values = values.reshape(len(ids), cells, 2, cells, 2).mean(axis=(2, 4)).reshape(len(ids), -1)
    result: dict[int, float] = {}
    for index, number in enumerate(ids):
        pattern = marker_cells(target.dictionary, number).ravel().astype(np.float64)
        seen = values[index] - values[index].mean()
        pattern -= pattern.mean()
        norm = float(np.linalg.norm(seen) * np.linalg.norm(pattern))
        clear = inside[index] and norm > 0 and float(np.ptp(values[index])) > MIN_STEP
        result[number] = float(seen @ pattern) / norm if clear else -1.0
    return result


def fit_edges(
    gray: GrayImage,
    start: Fit,
    target: Target,
    ids: tuple[int, ...],
    lens: LensGuess,
    *,
    reaches_px: tuple[float, ...] = (4.0, 2.0, 2.0),
    most_steps: int = MOST_STEPS,
) -> tuple[Fit, Edges]:
    """Fit the pose (and focal length and k1 where the lens is not fixed) to all measured edges.

    Args:
        gray: shape (rows, columns).
        start: a pose within a few pixels of the truth.
        target: the drawing.
        ids: of the markers to use.
        lens: prior of the lens.
        reaches_px: for each round how far an edge is looked for.
        most_steps: of each round's fit; few are enough from a pose that is nearly right.

    Returns:
        The fit, and the edges of the last round as measured at the pose before its last step.
    """
    fit, edges = start, None
    for reach in reaches_px:
        edges = measure_edges(gray, fit, target, ids, reach_px=reach)
        if int(edges.good.sum()) < 2 * SAMPLES_PER_SIDE:
            break
        fit = step_to_edges(fit, edges, lens, most_steps=most_steps)
    if edges is None:
        raise ValueError("reaches_px must name at least one round")
    return fit, edges


def step_to_edges(fit: Fit, edges: Edges, lens: LensGuess, *, most_steps: int = MOST_STEPS) -> Fit:
    """Fit the pose to edges as they were measured, robustly; the edges are not measured again.

    Straight above the mat, focal length and distance are nearly one parameter: a step along it is large and far from
    linear, so the derivatives are taken anew until the steps are small, and a step that makes it worse is damped.
    """
    good = edges.good
    points, normals = edges.points_mm[good], edges.normals_px[good]
    count = POSE_PARAMETERS if lens.fixed else PARAMETERS
    start_px, derivatives = fit.project(points)
    residual = edges.offset_px[good]
    measured_px = np.einsum("nk,nk->n", normals, start_px) + residual
    sigma = max(LEAST_SIGMA_PX, 1.4826 * float(np.median(np.abs(residual - np.median(residual)))))
    outward, damping = 0.0, 0.0
    cost = math.inf
    best = fit
    normal = np.eye(count + 1)
    for _ in range(most_steps):
        weight = 1 / (1 + ((residual - outward) / (2.5 * sigma)) ** 2) ** 2
        prior_cost, prior_gradient, prior_normal = lens_terms(fit, lens)
        scale = sigma**2 * SAMPLE_CORRELATION
        # The loss whose weights these are, so that costs of different steps compare.
        square = ((residual - outward) / (2.5 * sigma)) ** 2
        now = 0.5 * float(np.sum(square / (1 + square))) * 6.25 / SAMPLE_CORRELATION + prior_cost
        now += 0.5 * (outward / EDGE_SHIFT_SIGMA_PX) ** 2
        if now > cost + 1e-6:
            damping = max(10 * damping, 1e-3)
            if damping > 1e3:
                break
        else:
            damping /= 10
            best, cost, best_outward = fit, now, outward
            # One more column: the common outward shift of all edges.
            slopes = np.column_stack([np.einsum("nk,nkp->np", normals, derivatives)[:, :count], np.ones(len(residual))])
            prior = np.zeros((count + 1, count + 1))
            prior[:count, :count] = prior_normal[:count, :count]
            prior[count, count] = EDGE_SHIFT_SIGMA_PX**-2
            scaled = slopes * (weight / scale)[:, None]
            normal = scaled.T @ slopes + prior
            pull = scaled.T @ (residual - outward) - np.append(prior_gradient[:count], outward * prior[count, count])
        damped = normal + damping * np.diag(np.diag(normal))
        step = np.linalg.lstsq(damped, pull, rcond=None)[0]
        full = np.zeros(PARAMETERS)
        full[:count] = step[:count]
        fit, outward = best.moved(full), best_outward + float(step[count])
        pixels, derivatives = fit.project(points)
        residual = measured_px - np.einsum("nk,nk->n", normals, pixels)
        if damping <= 1e-3 and float(np.max(np.abs(slopes @ step))) < SMALL_STEP_PX:
            best, best_outward = fit, outward
            break
    pixels, _ = best.project(points)
    residual = measured_px - np.einsum("nk,nk->n", normals, pixels) - best_outward
    spread = max(LEAST_SIGMA_PX, 1.4826 * float(np.median(np.abs(residual))))
    weight = 1 / (1 + (residual / (2.5 * spread)) ** 2) ** 2
    rms = float(np.sqrt(np.sum(weight * residual**2) / max(float(weight.sum()), 1e-9)))
    # What was summed with the first sigma is scaled to the spread that remains; the edge shift is a nuisance and is
    # marginalised out.
    data = (normal - prior) * (sigma / spread) ** 2 + prior
    kept = data[:count, :count] - np.outer(data[:count, count], data[count, :count]) / data[count, count]
    information = np.zeros((PARAMETERS, PARAMETERS))
    information[:count, :count] = kept
    return replace(best, information=information, rms_px=rms)
