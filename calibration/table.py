"""Find the printed target in one picture: the table's pose, or why there is none and what a player can do."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from calibration.edges import MATCH, Edges, fit_edges, match_patterns
from calibration.lens import Lens
from calibration.markers import (
    GrayImage,
    Marker,
    as_gray,
    count_dictionaries,
    detect,
    find_markers,
    homography_of,
    is_tiny,
)
from calibration.mat import MAT
from calibration.pose import PARAMETERS, Fit, LensGuess, fit_points, lens_terms, start_fits, typical_lens
from calibration.table_view import TableView
from calibration.target import FloatArray, Target
from calibration.words import WORDS

MIN_MARKERS = 3
"""Two opposite ones place the mat within 1.3 mm (measured), but nothing tells then whether one of them is false."""
DARK_LEVEL = 25.0
"""Grey value under which 95 % of a picture lie when it is too dark: with noise of sigma 3 a mat is found at 27 and not
at 20 (measured)."""
BLURRED_SHARPNESS = 0.11
"""Of `sharpness`: the evaluation scenes have 0.25-0.34; a mat blurred by 4 px is found at 0.115, one blurred by 5 px
not at 0.104."""
SMALL_MARKER_PX = 12.0
"""Side of a marker under which its modules are under two pixels: at 11 px half of them are decoded (measured)."""
STRETCH_CHECK_PX = 0.6
"""Reprojection error from which a stretched picture is considered: sharp flat sheets stay under 0.2, those whose ends
rise by 8 mm reach 0.55 (measured)."""
STRANGE_LENS = 3.5
"""A lens less likely than this (2.6 standard deviations: a telephoto) makes a stretched picture the likelier reason.
Both explain the markers equally well where the stretch runs along or across the tilt."""
MOST_ROUNDS = 12
"""Of measuring edges and fitting, after two with a farther reach. With markers at both ends three are enough; three in
a row under a barrel lens creep along a flat valley and were 9 mm off after four rounds (measured)."""
RESTING_PX = 0.02
"""A round that moves no corner of the play area further ends the fit."""
LEAST_MARKER_PX = 10.7
"""Mean side of the markers under which a view is refused: at 11.2 px it errs by 0.3 mm, at 10.2 px by up to 7 mm
(measured at 640x480)."""
MAX_RMS_PX = 2.5
"""Edges that one flat drawing leaves further off than this are not that drawing: a sheet whose ends rise by 15 mm
leaves 0.9 (measured)."""
OTHER_DICTIONARIES = (
    "DICT_5X5_1000",
    "DICT_6X6_1000",
    "DICT_7X7_1000",
    "DICT_ARUCO_ORIGINAL",
    "DICT_APRILTAG_36h11",
    "DICT_APRILTAG_25h9",
    "DICT_APRILTAG_16h5",
    "DICT_ARUCO_MIP_36h12",
    "DICT_4X4_1000",
)
"""Searched to tell a player that another program's markers lie there."""


class TableProblem(StrEnum):
    """Why no table was found."""

    NO_MARKERS = "no_markers"
    TOO_FEW = "too_few"
    MIRRORED = "mirrored"
    WRONG_DICTIONARY = "wrong_dictionary"
    OTHER_SHEET = "other_sheet"
    TOO_DARK = "too_dark"
    TOO_SMALL = "too_small"
    BLURRED = "blurred"
    NOT_FLAT = "not_flat"
    WRONG_SIZE = "wrong_size"
    WRONG_CORNERS = "wrong_corners"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNotFound:
    """No table in this picture. Not an error: the usual state of a picture without a mat."""

    problem: TableProblem
    """For the page's catalogue of messages."""
    seen: tuple[int, ...] = ()
    """Ids of the markers that were recognised."""
    detail: str = ""
    """What the message names: the other dictionary."""

    @property
    def message(self) -> str:
        """What is wrong, in a player's words."""
        return WORDS[self.says].format_map(self.params)

    @property
    def advice(self) -> str:
        """What to do about it, in a player's words."""
        return WORDS[f"{self.says}_do"].format_map(self.params)

    @property
    def says(self) -> str:
        """Id of the message in `words.WORDS`; the advice's ends in `_do`."""
        return f"table_{self.problem}"

    @property
    def params(self) -> dict[str, str | int]:
        """What fills the gaps of both."""
        return {"count": len(self.seen), "detail": self.detail}


def find_table(
    image: npt.NDArray[np.uint8],
    *,
    camera: Lens | None = None,
    near: TableView | None = None,
    target: Target = MAT,
    print_scale: float = 1.0,
    min_markers: int = MIN_MARKERS,
    diagnose: bool = True,
) -> TableView | TableNotFound:
    """Find where the table is in a picture.

    Args:
        image: BGR or grey, 8 bits, shape (rows, columns[, 3]).
        camera: its calibrated lens; None lets the focal length and first radial term be estimated from the target. One
            of another aspect than the picture is not used.
        near: an earlier view of about the same pose: found faster. Its lens starts the search where `camera` is None.
        target: what is printed.
        print_scale: true millimetres for each nominal one, from the bank-card check.
        min_markers: how many must be seen; two give a rough pose only.
        diagnose: look for the reason where nothing is found (mirrored, other dictionary), which costs up to half a
            second; else the problem is told by what was seen on the way.

    Returns:
        The view, or why there is none.

    Raises:
        ValueError: not a picture, or a print scale that is no scale.
    """
    if not 0.5 < print_scale < 2:
        raise ValueError(f"a print scale is about 1, not {print_scale!r}")
    if is_tiny(image):
        return TableNotFound(problem=TableProblem.NO_MARKERS)
    gray = as_gray(image)
    size = (gray.shape[1], gray.shape[0])
    drawing = target.scaled(print_scale)
    lens = camera.guess(size) if camera is not None and camera.fits(size) else typical_lens(size)
    if near is not None and near.size == size:
        start = fit_of_view(near)
        if lens.fixed:
            start = replace(start, camera_matrix=lens.camera_matrix, distortion=lens.distortion)
        matches = match_patterns(gray, start, drawing, drawing.ids)
        if sum(match > MATCH for match in matches.values()) >= min_markers:
            view = refine(gray, start, drawing, lens, min_markers=min_markers, print_scale=print_scale)
            if view is not None:
                return view
    markers = find_markers(gray, drawing)
    view, _ = locate(gray, markers, drawing, lens, min_markers=min_markers, print_scale=print_scale)
    if view is not None:
        return view
    return explain(gray, drawing, markers, min_markers=min_markers, thorough=diagnose)


def locate(
    gray: GrayImage,
    markers: tuple[Marker, ...],
    target: Target,
    lens: LensGuess,
    *,
    min_markers: int,
    print_scale: float,
) -> tuple[TableView | None, LensGuess]:
    """Go from markers to a view; where no square-pixel view fits well, try a stretched picture.

    Returns:
        The view, if any, and the lens to go on with: the given one, or that of a stretched picture.
    """
    if len(markers) < min(min_markers, 2):
        return None, lens
    view: TableView | None = None
    fit = pose_of_markers(markers, target, lens)
    if fit is not None:
        view = refine(gray, fit, target, lens, min_markers=min_markers, print_scale=print_scale)
    if lens.fixed or len(markers) < 4:
        return view, lens
    if view is not None and view.reprojection_error_px < STRETCH_CHECK_PX and _strangeness(view, lens) < STRANGE_LENS:
        return view, lens
    stretched = _stretched_lens(markers, target, (gray.shape[1], gray.shape[0]))
    if stretched is None:
        return view, lens
    fit = pose_of_markers(markers, target, stretched)
    if fit is None:
        return view, lens
    other = refine(gray, fit, target, stretched, min_markers=min_markers, print_scale=print_scale)
    if other is None:
        return view, lens
    if view is None or other.reprojection_error_px < 0.5 * view.reprojection_error_px:
        return other, stretched
    as_exact = other.reprojection_error_px < 1.2 * view.reprojection_error_px
    if as_exact and _strangeness(other, stretched) < _strangeness(view, lens) - STRANGE_LENS:
        return other, stretched
    return view, lens


def _strangeness(view: TableView, lens: LensGuess) -> float:
    """How unlikely a fitted lens is under the guess: half the squared distance in standard deviations."""
    return lens_terms(fit_of_view(view), lens)[0]


def _stretched_lens(markers: tuple[Marker, ...], target: Target, size: tuple[int, int]) -> LensGuess | None:
    """Find the ratio of a picture's vertical to horizontal scale that explains the markers; None where 1 does."""
    points_mm = target.corners_3d(tuple(marker.number for marker in markers))
    points_px = np.concatenate([marker.corners_px for marker in markers])
    homography = homography_of(markers, target)
    if homography is None:
        return None

    def cost(log_aspect: float) -> float:
        lens = typical_lens(size, aspect=math.exp(log_aspect))
        fits = (fit_points(start, points_mm, points_px, lens) for start in start_fits(homography, lens)[:3])
        return min((value for fit, value in fits if _is_possible(fit)), default=math.inf)

    square = cost(0.0)
    tried = {at: cost(at) for at in np.linspace(-0.4, 0.4, 9)}
    middle = min(tried, key=lambda at: tried[at])
    low, high = middle - 0.1, middle + 0.1
    for _ in range(8):
        left, right = high - 0.618 * (high - low), low + 0.618 * (high - low)
        low, high = (low, right) if cost(left) < cost(right) else (left, high)
    best = (low + high) / 2
    if abs(best) < 0.02 or not cost(best) < square - STRANGE_LENS:
        return None
    return typical_lens(size, aspect=math.exp(best))


def pose_of_markers(markers: tuple[Marker, ...], target: Target, lens: LensGuess) -> Fit | None:
    """Fit a pose to the markers' corners, the likeliest of those that are possible; None where they fix none."""
    homography = homography_of(markers, target)
    if homography is None:
        return None
    points_mm = target.corners_3d(tuple(marker.number for marker in markers))
    return pose_of_points(points_mm, np.concatenate([marker.corners_px for marker in markers]), homography, lens)


def pose_of_points(points_mm: FloatArray, points_px: FloatArray, homography: FloatArray, lens: LensGuess) -> Fit | None:
    """Fit a pose to points of the table, the likeliest of those that a camera can have; None where there is none.

    Args:
        points_mm: shape (n, 3).
        points_px: where they are in the picture, shape (n, 2).
        homography: shape (3, 3), roughly from table millimetres to pixels.
        lens: known or guessed.
    """
    fits = [fit_points(start, points_mm, points_px, lens) for start in start_fits(homography, lens)]
    usable = [(fit, cost) for fit, cost in fits if math.isfinite(cost) and _is_possible(fit)]
    return min(usable, key=lambda found: found[1])[0] if usable else None


def refine(
    gray: GrayImage, start: Fit, target: Target, lens: LensGuess, *, min_markers: int, print_scale: float
) -> TableView | None:
    """Fit a view to all markers that can be seen from a rough pose; None where too few confirm it."""
    fit = start
    seen: tuple[int, ...] = ()
    edges: Edges | None = None
    for reach in (4.0, 3.0, *[2.0] * MOST_ROUNDS):
        matches = match_patterns(gray, fit, target, target.ids)
        now = tuple(number for number in target.ids if matches[number] > MATCH)
        if len(now) < min_markers:
            return None
        before = fit.project(_field_points(target))[0]
        fit, edges = fit_edges(gray, fit, target, now, lens, reaches_px=(reach,))
        shift = float(np.max(np.abs(fit.project(_field_points(target))[0] - before)))
        settled = now == seen and shift < RESTING_PX
        seen = now
        if settled:
            break
    if edges is None or not _is_possible(fit) or fit.rms_px > MAX_RMS_PX:
        return None
    sides = [
        np.roll(corners, 1, axis=0) - corners for corners in fit.project(target.corners_3d(seen))[0].reshape(-1, 4, 2)
    ]
    if float(np.mean(np.linalg.norm(sides, axis=2))) < LEAST_MARKER_PX:
        return None
    clear = tuple(number for number, share in edges.good_share().items() if share >= 0.4)
    if len(clear) < min_markers:
        return None
    return view_of_fit(fit, (gray.shape[1], gray.shape[0]), ids=clear, print_scale=print_scale)


def _field_points(target: Target) -> FloatArray:
    """The play area's corners, shape (4, 3)."""
    left, near, right, far = target.field_mm
    return np.array([(left, near, 0.0), (right, near, 0.0), (right, far, 0.0), (left, far, 0.0)])


def view_of_fit(fit: Fit, size: tuple[int, int], *, ids: tuple[int, ...], print_scale: float = 1.0) -> TableView:
    """Turn a fit into the frozen view that other packages use."""
    return TableView(
        camera_matrix=fit.camera_matrix,
        distortion=fit.distortion,
        rotation=fit.rotation,
        translation=fit.translation,
        size=size,
        markers=len(ids),
        reprojection_error_px=fit.rms_px,
        print_scale=print_scale,
        marker_ids=ids,
        covariance=fit.covariance(),
    )


def fit_of_view(view: TableView) -> Fit:
    """Turn a view back into a fit to start from; its information is empty."""
    vector = np.asarray(cv2.Rodrigues(view.rotation)[0], dtype=np.float64).reshape(3)
    return Fit(
        vector,
        view.translation,
        view.camera_matrix,
        view.distortion,
        np.zeros((PARAMETERS, PARAMETERS)),
        view.reprojection_error_px,
    )


def _is_possible(fit: Fit) -> bool:
    """Whether a camera can be there: above the table, 5 cm to 5 m away, looking at its upper side, with a real lens."""
    rotation = fit.rotation
    place = -rotation.T @ fit.translation
    distance = float(np.linalg.norm(place))
    focal = float(fit.camera_matrix[0, 0])
    longer = 2 * max(fit.camera_matrix[0, 2], fit.camera_matrix[1, 2]) + 1
    if not np.all(np.isfinite(place)):
        return False
    return bool(
        place[2] > 0.1 * distance and 50 < distance < 5000 and 0.3 < focal / longer < 5 and abs(fit.distortion[0]) < 0.8
    )


def explain(
    gray: GrayImage, target: Target, markers: tuple[Marker, ...], *, min_markers: int, thorough: bool
) -> TableNotFound:
    """Say why no table was found in a picture, from what was seen and, where `thorough`, by searching further."""
    seen = tuple(marker.number for marker in markers)
    scale = min(1.0, 960 / gray.shape[1])
    if len(markers) >= min_markers:
        small = float(np.mean([marker.side_px for marker in markers])) < SMALL_MARKER_PX
        return TableNotFound(problem=TableProblem.TOO_SMALL if small else TableProblem.NOT_FLAT, seen=seen)
    if float(np.percentile(gray[::4, ::4], 95)) < DARK_LEVEL:
        return TableNotFound(problem=TableProblem.TOO_DARK, seen=seen)
    if thorough and len(markers) < 2:
        flipped = detect(np.ascontiguousarray(gray[:, ::-1]), target.dictionary, scale=scale)
        mirrored = {marker.number for marker in flipped if marker.number in target.corners_mm}
        if len(mirrored) >= 2:
            return TableNotFound(problem=TableProblem.MIRRORED, seen=tuple(sorted(mirrored)))
        own = {marker.number for marker in detect(gray, target.dictionary, scale=scale)} - set(target.ids)
        if len(own) >= 2:
            return TableNotFound(
                problem=TableProblem.OTHER_SHEET, seen=tuple(sorted(own)), detail=", ".join(map(str, sorted(own)))
            )
        counts = count_dictionaries(gray, OTHER_DICTIONARIES, scale=scale)
        name = max(counts, key=lambda key: counts[key])
        if counts[name] >= 3 and counts[name] > len(markers):
            return TableNotFound(problem=TableProblem.WRONG_DICTIONARY, seen=seen, detail=name)
    if markers and min(marker.side_px for marker in markers) < SMALL_MARKER_PX:
        return TableNotFound(problem=TableProblem.TOO_SMALL, seen=seen)
    if thorough and not markers:
        enlarged = {m.number for m in detect(gray, target.dictionary, scale=2.0)} & set(target.ids)
        if enlarged:
            return TableNotFound(problem=TableProblem.TOO_SMALL, seen=tuple(sorted(enlarged)))
    if markers:
        return TableNotFound(problem=TableProblem.TOO_FEW, seen=seen)
    if sharpness(gray) < BLURRED_SHARPNESS:
        return TableNotFound(problem=TableProblem.BLURRED)
    return TableNotFound(problem=TableProblem.NO_MARKERS)


def sharpness(gray: GrayImage) -> float:
    """How sharp the picture's sharpest edges are: the steepest steps as a share of the contrast about them, 0 to 1."""
    small = gray if gray.shape[1] <= 1280 else np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5), dtype=np.uint8)
    soft = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(soft, cv2.CV_32F, 0, 1) / 8
    slope = np.hypot(across, down)
    window = np.ones((15, 15), np.uint8)
    contrast = cv2.dilate(soft, window) - cv2.erode(soft, window)
    strong = contrast > max(20.0, 0.5 * float(contrast.max()))
    if not np.any(strong):
        return 0.0
    return float(np.percentile(slope[strong] / contrast[strong], 98))
