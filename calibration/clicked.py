"""A table without a printer: four corners clicked by hand, kept in place by the picture's own features.

Nothing here knows the table; whatever is textured in the picture is followed. Every followed move adds a small error of
its own (under 0.1 px on rendered tables): after many bumps the corners should be clicked again. Printed markers do not
wander.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lens import Lens
from calibration.markers import GrayImage, as_gray
from calibration.pose import CORNER_SIGMA_PX, typical_lens
from calibration.stillness import REDUCED_WIDTH_PX, Landmarks, Stillness, displacement, landmarks_of, stillness
from calibration.table import pose_of_points, view_of_fit
from calibration.table_view import TableView
from calibration.table_watch import LANDMARK_S, SEARCH_S, UNSURE_S, Change, Status
from calibration.target import FloatArray

CLICK_SIGMA_PX = 1.5
"""How well a corner is clicked with a mouse on a picture of 1280 pixels shown at about its size."""
MIN_AGREEING = 14
"""Features that must agree on one movement of the table plane. Four fix it, and between unrelated pictures up to five
of 13 followed agree by chance (measured)."""
MATCH_WIDTH_PX = 640
"""Width of the reduced pictures whose features are matched and aligned."""
MOST_MISFIT_PX = 10.0
"""Corners that a rectangle of the said size leaves further off (root mean square) were clicked wrongly."""
BUMP_PX = 4.0
"""A movement of the corners from which a bump is reported; less is drift and is followed silently."""


@dataclass(frozen=True, slots=True, eq=False)
class ClickedState:
    """What is carried from frame to frame; start with `start_clicked`."""

    field_mm: tuple[float, float]
    """Width and depth of the clicked rectangle."""
    corners_px: FloatArray
    """Shape (4, 2): where they are now (or were last seen)."""
    view: TableView
    camera: Lens | None
    reference: GrayImage
    """The picture, 640 wide, in which the corners were last known."""
    landmarks: Landmarks
    landmarks_s: float = -math.inf
    status: Status = Status.SEEN
    sure_s: float = -math.inf
    searched_s: float = -math.inf


def start_clicked(
    image: npt.NDArray[np.uint8],
    corners_px: npt.ArrayLike,
    *,
    width_mm: float,
    depth_mm: float,
    camera: Lens | None = None,
) -> ClickedState:
    """Take four clicked corners of a rectangle of known size on the table.

    Args:
        image: the picture that was clicked in, BGR or grey.
        corners_px: shape (4, 2): far left, far right, near right, near left, as the player sits.
        width_mm: from left to right.
        depth_mm: from near to far.
        camera: its calibrated lens.

    Raises:
        ValueError: not a picture, no four corners, or corners that do not go round a rectangle in this order.
    """
    gray = as_gray(image)
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2):
        raise ValueError(f"expected four corners, not the shape {corners.shape!r}")
    if not (20 <= width_mm <= 5000 and 20 <= depth_mm <= 5000):
        raise ValueError(f"a table is 20 to 5000 mm wide and deep, not {width_mm!r} x {depth_mm!r}")
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    if np.any(edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] <= 0):
        raise ValueError("click the corners in the order far left, far right, near right, near left")
    view = _view_of_corners(corners, (gray.shape[1], gray.shape[0]), width_mm, depth_mm, camera)
    if view is None:
        raise ValueError("these four corners are not a rectangle seen from above")
    return ClickedState((width_mm, depth_mm), corners, view, camera, _reduced(gray), landmarks_of(gray))


def follow_clicked(
    state: ClickedState, image: npt.NDArray[np.uint8], time_s: float
) -> tuple[ClickedState, TableView | None, Change | None]:
    """Take one frame in; the counterpart of `table_watch.watch`.

    Raises:
        ValueError: not a picture.
    """
    gray = as_gray(image)
    if (gray.shape[1], gray.shape[0]) != state.view.size:
        change = None if state.status is Status.LOST else Change.LOST
        return replace(state, status=Status.LOST), None, change
    camera = stillness(state.landmarks, gray)
    if camera is Stillness.STILL:
        return _keep(state, gray, time_s)
    before, now = displacement(state.landmarks, gray)
    moved = _movement(before, now, limit_px=0.5 * gray.shape[1] / REDUCED_WIDTH_PX)
    if moved is not None:
        return _move(state, gray, _aligned(state.reference, gray, moved), time_s)
    if time_s - state.searched_s >= SEARCH_S:
        state = replace(state, searched_s=time_s)
        moved = _matched(state.reference, gray)
        if moved is not None:
            return _move(state, gray, _aligned(state.reference, gray, moved), time_s)
    if state.status is Status.LOST:
        return state, None, None
    if time_s - state.sure_s > UNSURE_S:
        return replace(state, status=Status.LOST), None, Change.LOST
    return replace(state, status=Status.MOVING), None, None


def _keep(state: ClickedState, gray: GrayImage, time_s: float) -> tuple[ClickedState, TableView | None, Change | None]:
    change = Change.FOUND if state.status is Status.LOST else None
    state = replace(state, status=Status.SEEN, sure_s=time_s)
    if state.landmarks_s == -math.inf:
        state = replace(state, landmarks_s=time_s)
    elif time_s - state.landmarks_s >= 10 * LANDMARK_S:
        # New things on the table become landmarks too. The corners stay: nothing has moved.
        before, now = displacement(state.landmarks, gray)
        if len(before) >= MIN_AGREEING and float(np.median(np.linalg.norm(now - before, axis=1))) < 0.3:
            state = replace(state, landmarks=landmarks_of(gray), reference=_reduced(gray), landmarks_s=time_s)
    return state, state.view, change


def _move(
    state: ClickedState, gray: GrayImage, movement: FloatArray, time_s: float
) -> tuple[ClickedState, TableView | None, Change | None]:
    """Carry the corners along a homography, shape (3, 3), between the reference and this frame."""
    moved = np.column_stack([state.corners_px, np.ones(4)]) @ movement.T
    corners = moved[:, :2] / moved[:, 2:]
    view = _view_of_corners(corners, state.view.size, *state.field_mm, state.camera)
    if view is None:
        return replace(state, status=Status.MOVING), None, None
    shift = float(np.max(np.linalg.norm(corners - state.corners_px, axis=1)))
    change = Change.FOUND if state.status is Status.LOST else Change.MOVED if shift > BUMP_PX else None
    next_state = replace(
        state,
        corners_px=corners,
        view=view,
        reference=_reduced(gray),
        landmarks=landmarks_of(gray),
        landmarks_s=time_s,
        status=Status.SEEN if change is None else Status.MOVING,
        sure_s=time_s,
    )
    return next_state, view, change


def _view_of_corners(
    corners: FloatArray, size: tuple[int, int], width_mm: float, depth_mm: float, camera: Lens | None
) -> TableView | None:
    half = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * np.array([width_mm, depth_mm]) / 2
    points = np.column_stack([half, np.zeros(4)])
    lens = camera.guess(size) if camera is not None and camera.fits(size) else typical_lens(size)
    homography: Any = cv2.findHomography(half, corners, 0)[0]
    if homography is None:
        return None
    fit = pose_of_points(points, corners, np.asarray(homography, np.float64), lens)
    if fit is None or fit.rms_px > MOST_MISFIT_PX:
        return None
    # Clicked less exactly than markers are found: the information is scaled to it.
    fit = replace(fit, information=fit.information * (CORNER_SIGMA_PX / CLICK_SIGMA_PX) ** 2)
    return view_of_fit(fit, size, ids=())


def _reduced(gray: GrayImage) -> GrayImage:
    height = round(gray.shape[0] * MATCH_WIDTH_PX / gray.shape[1])
    return np.asarray(cv2.resize(gray, (MATCH_WIDTH_PX, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _movement(before: FloatArray, now: FloatArray, *, limit_px: float) -> FloatArray | None:
    """The homography that most features agree on; None where too few do."""
    if len(before) < MIN_AGREEING:
        return None
    movement: Any
    movement, agree = cv2.findHomography(before, now, cv2.RANSAC, limit_px, maxIters=1000)
    if movement is None or int(np.sum(agree)) < max(MIN_AGREEING, 0.35 * len(before)):
        return None
    return np.asarray(movement, dtype=np.float64)


def _aligned(reference: GrayImage, gray: GrayImage, movement: FloatArray) -> FloatArray:
    """Sharpen a movement: turn the new picture back by it and follow many features over what is left."""
    scale = gray.shape[1] / MATCH_WIDTH_PX
    # Between reduced pixels and the frame's: centres are at integers in both.
    enlarge = np.array([[scale, 0, 0.5 * scale - 0.5], [0, scale, 0.5 * scale - 0.5], [0, 0, 1.0]])
    for _ in range(2):
        reduced_movement = np.linalg.inv(enlarge) @ movement @ enlarge
        rows, columns = reference.shape
        back = cv2.warpPerspective(
            _reduced(gray), reduced_movement, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        corners = cv2.goodFeaturesToTrack(reference, 250, 0.01, 8, blockSize=5)
        if corners is None:
            return movement
        before = np.asarray(corners, np.float32).reshape(-1, 1, 2)
        now, found, _ = cv2.calcOpticalFlowPyrLK(
            reference, back, before, np.zeros_like(before), winSize=(17, 17), maxLevel=1
        )
        followed = np.ravel(found) == 1
        if followed.sum() < MIN_AGREEING:
            return movement
        rest, agree = cv2.findHomography(
            before.reshape(-1, 2)[followed], now.reshape(-1, 2)[followed], cv2.RANSAC, 0.6, maxIters=1000
        )
        if rest is None or int(np.sum(agree)) < MIN_AGREEING:
            return movement
        movement = movement @ enlarge @ np.asarray(rest, np.float64) @ np.linalg.inv(enlarge)
    return np.asarray(movement / movement[2, 2], dtype=np.float64)


def _matched(reference: GrayImage, gray: GrayImage) -> FloatArray | None:
    """Find the reference picture again after a large movement, by matching features."""
    small = _reduced(gray)
    finder: Any = cv2.ORB.create(1000)
    old_points, old_marks = finder.detectAndCompute(reference, None)
    new_points, new_marks = finder.detectAndCompute(small, None)
    if old_marks is None or new_marks is None or len(new_marks) < MIN_AGREEING:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(old_marks, new_marks)
    pairs = sorted(pairs, key=lambda pair: (pair.distance, pair.queryIdx))[:300]
    scale = gray.shape[1] / MATCH_WIDTH_PX
    before = (np.array([old_points[pair.queryIdx].pt for pair in pairs]).reshape(-1, 2) + 0.5) * scale - 0.5
    now = (np.array([new_points[pair.trainIdx].pt for pair in pairs]).reshape(-1, 2) + 0.5) * scale - 0.5
    if len(before) < MIN_AGREEING:
        return None
    movement: Any
    movement, agree = cv2.findHomography(before, now, cv2.RANSAC, 1.5 * scale, maxIters=3000)
    if movement is None or int(np.sum(agree)) < max(25, 0.25 * len(before)):
        return None
    return np.asarray(movement, dtype=np.float64)
