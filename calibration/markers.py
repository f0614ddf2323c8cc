"""Marker detection: which printed markers are in the picture, roughly where, and which of them to believe."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.target import FloatArray, Target, dictionary

GrayImage = npt.NDArray[np.uint8]

WORK_WIDTH_PX = 1280
"""Larger pictures are searched at about this width first: a search at 1920x1080 takes 28 ms of processor time, at
1280x720 12 ms (measured), and a mat that fills a third of the picture is found at either."""
SMALL_WIDTH_PX = 960
"""Pictures up to this width are also searched enlarged twice: OpenCV 5 finds markers of 11-12 px only so (measured)."""
CONSENSUS_SHARE = 0.6
"""A marker's corners may lie off the homography of two others by this share of its own side. The best pair of three
leaves up to 0.4 at a distortion of k1 -0.3 (measured on renders); a false marker is off by more than a side, and the
fit that follows is robust against it."""


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """One decoded marker in a picture."""

    number: int
    """Its id."""
    corners_px: FloatArray
    """Shape (4, 2): in the order of the marker's own corners; accurate to about a pixel."""

    @property
    def side_px(self) -> float:
        """The mean side."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


LEAST_PX = 16
"""In a smaller picture there is no marker."""


def is_tiny(image: object) -> bool:
    """Whether it is a picture that is too small for a marker."""
    return isinstance(image, np.ndarray) and image.ndim in (2, 3) and min(image.shape[:2]) < LEAST_PX


def as_gray(image: npt.NDArray[np.uint8]) -> GrayImage:
    """Give the grey picture of a BGR, BGRA or grey one.

    Raises:
        ValueError: not an 8-bit picture of 1, 3 or 4 channels with at least 16x16 pixels.
    """
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8:
        raise ValueError(f"expected an 8-bit picture, not {getattr(image, 'dtype', type(image))!r}")
    if image.ndim == 3 and image.shape[2] == 1:
        image = image[:, :, 0]
    if image.ndim not in (2, 3) or min(image.shape[:2]) < LEAST_PX:
        raise ValueError(f"expected a picture of at least 16x16 pixels, not the shape {image.shape!r}")
    if image.ndim == 2:
        return image
    if image.shape[2] == 3:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if image.shape[2] == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2GRAY), dtype=np.uint8)
    raise ValueError(f"expected 1, 3 or 4 channels, not {image.shape[2]!r}")


def detect(gray: GrayImage, dictionary_name: str, *, scale: float = 1.0) -> tuple[Marker, ...]:
    """Find and decode the markers of one dictionary.

    Args:
        gray: shape (rows, columns).
        dictionary_name: as OpenCV calls it.
        scale: the picture is resized by this factor for the search; corners come out in the given picture's pixels.

    Returns:
        All decoded markers, also false and repeated ones, sorted by id and place.
    """
    searched = gray
    if scale != 1.0:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        searched = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=way), dtype=np.uint8)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.minMarkerPerimeterRate = 0.02
    detector = cv2.aruco.ArucoDetector(dictionary(dictionary_name), parameters)
    corners, ids, _ = detector.detectMarkers(searched)
    if ids is None:
        return ()
    found = [
        Marker(int(number), (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) / scale - 0.5)
        for number, quad in zip(np.ravel(ids), corners, strict=True)
    ]
    return tuple(sorted(found, key=lambda marker: (marker.number, *marker.corners_px[0])))


def count_dictionaries(gray: GrayImage, names: tuple[str, ...], *, scale: float = 1.0) -> dict[str, int]:
    """Count the different markers of several dictionaries in one search; by name, also where there are none."""
    searched = gray
    if scale != 1.0:
        searched = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    detector: Any = cv2.aruco.ArucoDetector(tuple(dictionary(name) for name in names), cv2.aruco.DetectorParameters())
    _, ids, _, which = detector.detectMarkersMultiDict(searched)
    found: dict[str, set[int]] = {name: set() for name in names}
    if ids is not None and which is not None:
        for number, index in zip(np.ravel(ids), np.ravel(which), strict=True):
            found[names[int(index)]].add(int(number))
    return {name: len(numbers) for name, numbers in found.items()}


def find_markers(gray: GrayImage, target: Target) -> tuple[Marker, ...]:
    """Search the whole picture for the target's markers, at a second scale where the first finds too few.

    Returns:
        The largest set of markers that agree on one view of the target (see `consistent`); their ids are all different.
    """
    first, second = search_scales(gray.shape[1])
    found = consistent(detect(gray, target.dictionary, scale=first), target)
    if len(found) >= min(3, len(target.ids)):
        return found
    again = consistent(detect(gray, target.dictionary, scale=second), target)
    return again if len(again) > len(found) else found


def search_scales(width_px: int) -> tuple[float, float]:
    """Give the two scales at which pictures of a width are searched: the quick one, then the one for small markers."""
    first = min(1.0, WORK_WIDTH_PX / width_px)
    return first, 2.0 if width_px <= SMALL_WIDTH_PX else 1.0 if first < 1.0 else 1.5


def consistent(markers: tuple[Marker, ...], target: Target) -> tuple[Marker, ...]:
    """Keep the set of markers that one view of the flat target explains.

    Of several such sets, as where a second sheet lies beside the mat, the one that takes most of the picture is kept.
    Every pair proposes a homography; a marker agrees where its corners lie within `CONSENSUS_SHARE` of its side from
    their predicted places. Of markers with the same id the best placed one is kept. A single marker that agrees with
    no other is returned only where it is the only one that could be meant.
    """
    candidates = [marker for marker in markers if marker.number in target.corners_mm and _is_sane(marker)]
    best: dict[int, tuple[float, Marker]] = {}
    best_score = (0, 0.0)
    for one, two in combinations(candidates, 2):
        if one.number == two.number:
            continue
        homography = homography_of((one, two), target)
        if homography is None:
            continue
        agreeing: dict[int, tuple[float, Marker]] = {}
        for marker in candidates:
            error = _misfit(marker, homography, target)
            if error < CONSENSUS_SHARE and error < agreeing.get(marker.number, (np.inf, marker))[0]:
                agreeing[marker.number] = (error, marker)
        # Three markers are a table; from there on their area counts, less what they lie off.
        area = sum((1 - error) * marker.side_px**2 for error, marker in agreeing.values())
        score = (min(len(agreeing), 3), area)
        if len(agreeing) >= 2 and score > best_score:
            best, best_score = agreeing, score
    if not best and len(candidates) == 1:
        return (candidates[0],)
    return tuple(best[number][1] for number in sorted(best))


def homography_of(markers: tuple[Marker, ...], target: Target) -> FloatArray | None:
    """Fit the picture-from-target homography, shape (3, 3), over all corners; None where they are degenerate."""
    table = np.concatenate([target.corners_mm[marker.number] for marker in markers])
    picture = np.concatenate([marker.corners_px for marker in markers])
    found: Any = cv2.findHomography(table, picture, 0)[0]
    if found is None or not np.all(np.isfinite(found)):
        return None
    return np.asarray(found, dtype=np.float64)


def _is_sane(marker: Marker) -> bool:
    """Whether a quadrilateral can be a square seen in perspective: convex, not mirrored, not a sliver."""
    corners = marker.corners_px
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    sides = np.linalg.norm(edges, axis=1)
    return bool(np.all(turns > 0) and sides.max() < 4 * sides.min())


def _misfit(marker: Marker, homography: FloatArray, target: Target) -> float:
    """The largest distance of a marker's corners from their predicted places, as a share of its side."""
    corners = target.corners_mm[marker.number]
    predicted = np.column_stack([corners, np.ones(4)]) @ homography.T
    if np.any(predicted[:, 2] * predicted[0, 2] <= 0):
        return float("inf")
    places = predicted[:, :2] / predicted[:, 2:]
    return float(np.linalg.norm(places - marker.corners_px, axis=1).max()) / marker.side_px
