"""The picture of what an event tells, cut out of the frame in which it was settled: a proof to look at."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from devices.frame import Frame
from vision.events import DieEvent, FigureEvent, ObstacleMoved, TableEvent
from vision.observation import Point

DIE_REACH_MM = (16.0, 20.0)
"""How far around a die's place is shown, and how high above the table."""
FIGURE_REACH_MM = (25.0, 45.0)
OBSTACLE_MARGIN_MM = 10.0
LEAST_PX = 8
"""A narrower picture shows nothing."""


def proof_of(event: TableEvent, frame: Frame, view: TableView | None) -> npt.NDArray[np.uint8] | None:
    """Cut out of a frame what an event is about.

    Args:
        event: what happened.
        frame: in which it was settled.
        view: pose of the table in it.

    Returns:
        Shape (rows, columns, 3), BGR; None where the event is of no place, or the place is not in the frame.
    """
    if view is None:
        return None
    match event:
        case DieEvent():
            low, high = _shown(view, [event.mm], *DIE_REACH_MM)
        case FigureEvent():
            low, high = _shown(view, [event.mm], *FIGURE_REACH_MM)
        case ObstacleMoved() if event.outline_mm:
            low, high = _shown(view, event.outline_mm, OBSTACLE_MARGIN_MM, event.height_mm)
        case _:
            return None
    rows, columns = frame.image_bgr.shape[:2]
    (left, upper), (right, lower) = np.maximum(low, 0), np.minimum(high, (columns, rows))
    if right - left < LEAST_PX or lower - upper < LEAST_PX:
        return None
    return frame.image_bgr[upper:lower, left:right].copy()


def keep_proof(folder: Path, event: TableEvent, frame: Frame, view: TableView | None) -> Path | None:
    """Write an event's proof into a folder, named by frame and kind.

    Returns:
        The file; None where there is nothing to show.

    Raises:
        OSError: it cannot be written.
    """
    picture = proof_of(event, frame, view)
    if picture is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    number = next((getattr(event, name) for name in ("die", "figure", "obstacle") if hasattr(event, name)), 0)
    path = folder / f"{event.frame:06d}-{event.kind}-{number}.jpg"
    if not cv2.imwrite(str(path), picture):
        raise OSError(f"{path} cannot be written")
    return path


def _shown(
    view: TableView, around: list[Point] | tuple[Point, ...], margin_mm: float, height_mm: float
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The box in pixels around places on the table and what stands there so high."""
    places = np.asarray(around, float)
    low, high = places.min(axis=0) - margin_mm, places.max(axis=0) + margin_mm
    corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
    pixels = np.nan_to_num(np.vstack([view.to_frame(corners), view.to_frame(corners, height_mm=height_mm)]))
    return np.floor(pixels.min(axis=0)).astype(np.int64), np.ceil(pixels.max(axis=0)).astype(np.int64) + 1
