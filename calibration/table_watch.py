"""Follow the table through a camera's frames: a pure fold that averages, holds, follows and notices.

Each frame looks for the markers only where they were (well under 5 ms). A full search runs when they are not there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import numpy.typing as npt

from calibration.edges import MATCH, fit_edges, match_patterns
from calibration.lens import Lens
from calibration.markers import GrayImage, as_gray, consistent, detect, is_tiny, search_scales
from calibration.mat import MAT
from calibration.pose import PARAMETERS, POSE_PARAMETERS, Fit, LensGuess, lens_terms, typical_lens
from calibration.stillness import Landmarks, Stillness, landmarks_of, stillness
from calibration.table import MIN_MARKERS, TableNotFound, explain, fit_of_view, locate, refine, view_of_fit
from calibration.table_view import TableView
from calibration.target import FloatArray, Target

STILL_PX = 0.4
"""Markers that shift less belong to the same pose: noise of sigma 6 at 640x480 shifts them by 0.02 (measured), a shadow
that wanders over the sheet by more."""
BUMP_PX = 1.5
"""A larger shift from one frame to the next is a bump; between the two lies drift, which is followed."""
MEMORY_FRAMES = 30
"""Over how many frames a still pose is averaged: one second."""
SETTLED_FRAMES = 3
"""Clear frames without a bump after which a pose can be trusted again."""
STEPS = 3
"""Of the fit in each frame: from the average it takes two."""
ROUGH_PX = 0.35
"""Edges that scatter more in one frame, and three times more than before, are blurred: such a frame confirms the pose
and changes nothing. A blur of 2 px leaves 0.2, of 3 px 0.45; three markers blurred by 5 px gave errors of 4 mm."""
ROUGH_SHIFT_PX = 4.0
"""Up to this shift a blurred frame tells of the blur, not of a bump."""
ROUGH_WEIGHT = 0.25
"""What a blurred frame counts towards settling: a sheet that always looks so, by its curl, settles too."""
SEARCH_S = 0.12
"""Between two full searches while the table is lost: found within 0.3 s at both search scales."""
HELD_SEARCH_S = 0.25
"""Between two full searches while a pose is held, to notice that the mat alone was moved."""
BLIND_S = 10.0
"""How long a pose is held without a single marker in view."""
UNSURE_S = 0.3
"""How long no view is given, before the table counts as lost, while nothing tells whether the camera stands still."""
LANDMARK_S = 1.0
"""Between two choices of landmarks while all is well."""
LENS_FLOOR = (0.003, 0.004, 0.5, 0.5)
"""Least standard deviations of log focal length, k1 and principal point (px) carried to the next pose, against focus
breathing and curled paper."""


class Status(Enum):
    """How the current view is known."""

    LOST = "lost"
    """There is none."""
    SEEN = "seen"
    """Three markers or more confirm it in this frame."""
    HELD = "held"
    """Markers are covered, the camera stands still: the last good view holds."""
    MOVING = "moving"
    """It was just bumped or found; views of these frames are rough. Wait for `SEEN` before ruling on anything."""


class Change(Enum):
    """What happened in this frame."""

    FOUND = "found"
    MOVED = "moved"
    LOST = "lost"


@dataclass(frozen=True, slots=True, eq=False)
class WatchState:
    """What is carried from frame to frame; start with `start_watch`."""

    target: Target
    print_scale: float
    lens: LensGuess | None
    """Known, or guessed from earlier poses; None before the first frame where no camera was given."""
    camera: Lens | None
    status: Status = Status.LOST
    view: TableView | None = None
    """The averaged view; the last one also while lost, to look there first."""
    information: FloatArray | None = None
    """Shape (10, 10): what the averaged frames say, without the lens's prior."""
    frames: float = 0.0
    """How many frames the average counts for."""
    settled: float = 0.0
    """Clear frames since the last bump."""
    landmarks: Landmarks | None = None
    landmarks_s: float = -math.inf
    confirmed_s: float = -math.inf
    """When a marker was last seen in its place."""
    still_s: float = -math.inf
    """When the rest of the picture last said that the camera stands still."""
    searched_s: float = -math.inf
    searches: int = 0
    problem: TableNotFound | None = None
    """While lost: what the last search saw."""


def start_watch(*, target: Target = MAT, camera: Lens | None = None, print_scale: float = 1.0) -> WatchState:
    """Give the state before the first frame.

    Args:
        target: what is printed.
        camera: its calibrated lens, if there is one.
        print_scale: from the bank-card check.
    """
    return WatchState(target.scaled(print_scale), print_scale, None, camera)


def watch(
    state: WatchState, image: npt.NDArray[np.uint8], time_s: float
) -> tuple[WatchState, TableView | None, Change | None]:
    """Take one frame in.

    Args:
        state: from the frame before.
        image: BGR or grey, 8 bits.
        time_s: of the frame, rising.

    Returns:
        The next state; the view of this frame, None while lost; and what changed. A view with `markers` 0 is held.

    Raises:
        ValueError: not a picture.
    """
    if is_tiny(image):
        return state, None, None
    gray = as_gray(image)
    size = (gray.shape[1], gray.shape[0])
    if state.lens is None or (state.view is not None and state.view.size != size):
        state = _restart(state, size)
    if state.view is not None:
        kept = _look_in_place(state, gray, time_s)
        if kept is not None:
            return kept
        if state.status is not Status.LOST:
            return _covered_or_moved(state, gray, time_s)
    if time_s - state.searched_s < SEARCH_S:
        return state, None, None
    return _search(state, gray, time_s)


def _restart(state: WatchState, size: tuple[int, int]) -> WatchState:
    """Begin anew for pictures of another size."""
    known = state.camera is not None and state.camera.fits(size)
    lens = state.camera.guess(size) if state.camera is not None and known else typical_lens(size)
    return WatchState(state.target, state.print_scale, lens, state.camera)


def _lens(state: WatchState) -> LensGuess:
    if state.lens is None:
        raise ValueError("the watch has seen no frame yet")
    return state.lens


def _look_in_place(
    state: WatchState, gray: GrayImage, time_s: float
) -> tuple[WatchState, TableView | None, Change | None] | None:
    """Follow the markers from their last places; None where fewer than three are there."""
    view, lens = state.view, _lens(state)
    if view is None:
        return None
    average = fit_of_view(view)
    matches = match_patterns(gray, average, state.target, state.target.ids)
    ids = tuple(number for number in state.target.ids if matches[number] > MATCH)
    if len(ids) < min(MIN_MARKERS, len(state.target.ids)):
        return None
    fit, edges = fit_edges(gray, average, state.target, ids, lens, reaches_px=(4.0,), most_steps=STEPS)
    if min(edges.good_share().values()) < 0.4:
        ids = tuple(number for number, share in edges.good_share().items() if share >= 0.4)
        if len(ids) < MIN_MARKERS:
            return None
        fit, edges = fit_edges(gray, average, state.target, ids, lens, reaches_px=(4.0,), most_steps=STEPS)
    shift = _shift_px(average, fit, state.target, ids)
    was_lost = state.status is Status.LOST
    rough = fit.rms_px > max(ROUGH_PX, 3 * view.reprojection_error_px)
    if rough and not was_lost and state.settled >= SETTLED_FRAMES and shift < ROUGH_SHIFT_PX:
        held = replace(view, markers=0, marker_ids=())
        return replace(state, status=Status.HELD, confirmed_s=time_s, still_s=time_s), held, None
    if was_lost or shift >= BUMP_PX:
        state = _learn_lens(state)
        state, found = _refined(state, gray, fit)
        if found is None:
            return None
        return _adopt(state, found, time_s, Change.FOUND if was_lost else Change.MOVED)
    return _average(state, average, fit, ids, gray, time_s, drifts=shift >= STILL_PX, rough=rough)


def _shift_px(before: Fit, after: Fit, target: Target, ids: tuple[int, ...]) -> float:
    """The median distance by which the markers in view shift from one pose to another."""
    corners = target.corners_3d(ids)
    return float(np.median(np.linalg.norm(before.project(corners)[0] - after.project(corners)[0], axis=1)))


def _average(
    state: WatchState,
    average: Fit,
    fit: Fit,
    ids: tuple[int, ...],
    gray: GrayImage,
    time_s: float,
    *,
    drifts: bool,
    rough: bool,
) -> tuple[WatchState, TableView, Change | None]:
    """Weigh a frame's fit into the average: each direction by what this frame's markers say about it."""
    lens = _lens(state)
    _, _, prior = lens_terms(fit, lens)
    measured = fit.information - prior
    past = state.information if state.information is not None else np.zeros((PARAMETERS, PARAMETERS))
    # While it drifts, each frame speaks for itself.
    keep = 0.0 if drifts else min(1.0, (MEMORY_FRAMES - 1) / max(state.frames, 1e-9))
    past, frames = past * keep, state.frames * keep
    total = past + measured
    difference = np.concatenate(
        [
            fit.rotation_vector - average.rotation_vector,
            fit.translation - average.translation,
            fit.lens_values - average.lens_values,
        ]
    )
    # The fit minimises this frame's misfit plus the lens's prior, so with the past it is weighed including the prior;
    # but the prior is not counted again with every frame.
    step = np.linalg.lstsq(past + fit.information, fit.information @ difference, rcond=1e-12)[0]
    if lens.fixed:
        step[POSE_PARAMETERS:] = 0
    frames += 1
    # White noise averages out, a curled sheet does not: beyond five frames no more certainty is claimed.
    information = prior + total * (min(frames, 5.0) / frames)
    averaged = replace(average.moved(step), information=information, rms_px=fit.rms_px)
    view = view_of_fit(averaged, (gray.shape[1], gray.shape[0]), ids=ids, print_scale=state.print_scale)
    settled = state.settled + (ROUGH_WEIGHT if rough else 1.0)
    status = Status.SEEN if settled >= SETTLED_FRAMES else Status.MOVING
    landmarks, landmarks_s = state.landmarks, state.landmarks_s
    if status is Status.SEEN and (drifts or time_s - landmarks_s >= LANDMARK_S):
        landmarks, landmarks_s = landmarks_of(gray), time_s
    next_state = replace(
        state,
        status=status,
        view=view,
        information=total,
        frames=frames,
        settled=settled,
        landmarks=landmarks,
        landmarks_s=landmarks_s,
        confirmed_s=time_s,
        problem=None,
    )
    return next_state, view, None


def _adopt(
    state: WatchState, view: TableView, time_s: float, change: Change | None
) -> tuple[WatchState, TableView, Change | None]:
    """Start a new average at a new pose."""
    lens = _lens(state)
    fit = fit_of_view(view)
    _, _, prior = lens_terms(fit, lens)
    covariance = view.covariance if view.covariance is not None else np.eye(PARAMETERS)
    information: FloatArray = np.asarray(np.linalg.pinv(covariance, hermitian=True), dtype=np.float64)
    if not lens.fixed:
        information = information - prior
    next_state = replace(
        state,
        status=Status.MOVING,
        view=view,
        information=information,
        frames=1.0,
        settled=0,
        landmarks=None,
        landmarks_s=-math.inf,
        confirmed_s=time_s,
        searches=0,
        problem=None,
    )
    return next_state, view, change


def _refined(state: WatchState, gray: GrayImage, start: Fit) -> tuple[WatchState, TableView | None]:
    """Refine a rough pose; where what was learnt of the lens does not fit any more, forget it.

    Autofocus, zoom and cameras that shift their crop to follow a face change the lens in the middle of a game.
    """

    def attempt(lens: LensGuess) -> TableView | None:
        return refine(gray, start, state.target, lens, min_markers=MIN_MARKERS, print_scale=state.print_scale)

    lens = _lens(state)
    view = attempt(lens)
    usual_px = state.view.reprojection_error_px if state.view is not None else 0.0
    if lens.fixed or (view is not None and view.reprojection_error_px < 1.3 * usual_px + 0.02):
        return state, view
    aspect = float(lens.camera_matrix[1, 1] / lens.camera_matrix[0, 0])
    afresh = typical_lens((gray.shape[1], gray.shape[0]), aspect=aspect)
    other = attempt(afresh)
    if other is None or (view is not None and other.reprojection_error_px > 0.7 * view.reprojection_error_px):
        return state, view
    return replace(state, lens=afresh), other


def _learn_lens(state: WatchState) -> WatchState:
    """Take a settled view's lens as the guess for the next pose, as sure as it is but not surer."""
    view, lens = state.view, _lens(state)
    if lens.fixed or view is None or view.covariance is None or state.status is Status.LOST:
        return state
    if state.frames < SETTLED_FRAMES:
        return state
    spread = np.array(view.covariance[POSE_PARAMETERS:, POSE_PARAMETERS:]) * 2 + np.diag(np.square(LENS_FLOOR))
    learnt = LensGuess(view.camera_matrix, view.distortion, False, np.asarray(np.linalg.inv(spread), dtype=np.float64))
    return replace(state, lens=learnt)


def _covered_or_moved(
    state: WatchState, gray: GrayImage, time_s: float
) -> tuple[WatchState, TableView | None, Change | None]:
    """Decide between hands over the markers and a bump, from the rest of the picture and a full search."""
    view = state.view
    if view is None:
        return _search(state, gray, time_s)
    in_place = _markers_in_place(state, view, gray)
    camera = Stillness.MOVED
    if in_place:
        camera = Stillness.STILL
    elif in_place == 0 and state.landmarks is not None:
        camera = stillness(state.landmarks, gray)
    if camera is Stillness.MOVED:
        return _search(state, gray, time_s)
    pause_s = HELD_SEARCH_S if camera is Stillness.STILL else SEARCH_S
    if time_s - state.searched_s >= pause_s:
        searched, found, change = _search(state, gray, time_s)
        if found is not None:
            return searched, found, change
        state = replace(state, searched_s=time_s, searches=searched.searches)
    if in_place:
        state = replace(state, confirmed_s=time_s)
    if camera is Stillness.STILL:
        state = replace(state, still_s=time_s)
    if time_s - state.confirmed_s > BLIND_S or time_s - max(state.still_s, state.confirmed_s) > UNSURE_S:
        problem = explain(gray, state.target, (), min_markers=MIN_MARKERS, thorough=False)
        return replace(state, status=Status.LOST, problem=problem), None, Change.LOST
    if camera is Stillness.UNKNOWN:
        return replace(state, status=Status.MOVING), None, None
    held = replace(view, markers=0, marker_ids=())
    return replace(state, status=Status.HELD), held, None


def _markers_in_place(state: WatchState, view: TableView, gray: GrayImage) -> int | None:
    """How many markers are seen where the view says; None where those seen lie elsewhere (the mat was moved)."""
    fit = fit_of_view(view)
    matches = match_patterns(gray, fit, state.target, state.target.ids)
    ids = tuple(number for number in state.target.ids if matches[number] > MATCH)
    if not ids:
        return 0
    _, edges = fit_edges(gray, fit, state.target, ids, _lens(state), reaches_px=(4.0,), most_steps=STEPS)
    if int(edges.good.sum()) < 0.3 * len(edges.good):
        return 0
    if float(np.median(np.abs(edges.offset_px[edges.good]))) > BUMP_PX:
        return None
    return len(ids)


def _search(state: WatchState, gray: GrayImage, time_s: float) -> tuple[WatchState, TableView | None, Change | None]:
    """Search the whole picture, at the quick scale and the fine one by turns."""
    state = _learn_lens(state)
    lens = _lens(state)
    scale = search_scales(gray.shape[1])[state.searches % 2]
    markers = consistent(detect(gray, state.target.dictionary, scale=scale), state.target)
    state = replace(state, searched_s=time_s, searches=state.searches + 1)
    view, lens = locate(gray, markers, state.target, lens, min_markers=MIN_MARKERS, print_scale=state.print_scale)
    if view is not None:
        state, view = _refined(replace(state, lens=lens), gray, fit_of_view(view))
    if view is not None:
        if state.status is Status.LOST or state.view is None:
            return _adopt(state, view, time_s, Change.FOUND)
        away = _shift_px(fit_of_view(state.view), fit_of_view(view), state.target, view.marker_ids)
        return _adopt(state, view, time_s, Change.MOVED if away >= BUMP_PX else None)
    problem = explain(gray, state.target, markers, min_markers=MIN_MARKERS, thorough=False)
    change = None if state.status is Status.LOST else Change.LOST
    return replace(state, status=Status.LOST, problem=problem), None, change
