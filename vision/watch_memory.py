"""What the watcher remembers of the table from frame to frame, and what it concludes from that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mat import MARKER_CENTRES_MM, MARKER_MM, MAT
from calibration.place_doubt import place_doubt_mm
from calibration.table_view import TableView
from vision.finder import Part
from vision.ground import Ground, log_opponent
from vision.observation import (
    MEASURED_CORNERS,
    SeenDie,
    SeenFigure,
    SeenHand,
    SeenObstacle,
)
from vision.pieces import Piece
from vision.rectify import Image, TopView
from vision.scope import CHANGED_SHARE
from vision.watch_grid import (
    Cells,
    Int16,
    Mask,
    cells_of,
    changed_share,
    drawn_in_grid,
    meets,
    shift_px,
    step_px,
    union,
)

ASK_AGAIN_FRAMES = 15
"""and again after so long."""
LEAST_CELLS = 4
"""Smaller changes are noise or a flicker of the light."""
LEAST_STIRRING_CELLS = 12
"""A finger tip that moves covers so many places (50 mm^2)."""
STILL_THERE_SHARE = 0.5
BEHIND_SHARE = 0.5
"""Of a vanished thing's outline that others must fill for it to count as hidden, and not as gone."""
CONTEXT_CELLS = 14
"""The net is shown so much around a change: 28 mm, a base's width."""
SAME_POSE_PX = 0.5
"""The map to the picture from above is made anew when the sheet's corners have shifted by more than this"""
DRIFT_FRAMES = 45
"""in so many frames without a hand: while one covers markers, the pose sways by up to 1.2 px in the demo recording, and
is averaged over a second,"""
OTHER_POSE_PX = 3.0
"""or at once when they have shifted by more than this."""
SURELY_THERE = 0.7
ON_MARKER_MM = MARKER_MM / 3
"""A die whose middle is so near to a marker's on both axes hides more of its code than can be guessed."""
DOUBT_FRAMES = 30
"""How far off places may be is reckoned anew when other markers come into view, or after so long: the pose is averaged
over a second."""
DOUBT_STEP_MM = 0.1
"""Doubt is told in such steps, upwards, so that it does not change with every frame."""


@dataclass(slots=True, eq=False)
class Known:
    """A thing that was seen, and where it lies in the grid."""

    piece: Piece
    cells: tuple[int, int, int, int]
    """Top, bottom, left, right of its outline in the grid, ends exclusive."""
    thing: SeenDie | SeenFigure | SeenObstacle | SeenHand
    reads: list[SeenDie] = field(default_factory=list)
    """Readings of a die in different frames."""
    hidden: bool = False
    """Out of view behind something that came before it."""
    arrived: bool = False
    """Whether it came to lie there by itself."""
    unseen: int = 0
    """Later looks in a row that did not find it, though nothing has changed there."""
    laid_again: int = 0
    """How often a cube was laid over a die anew because it could not be read."""


@dataclass(slots=True)
class Zone:
    """A place that was looked at not long ago."""

    cells: tuple[int, int, int, int]
    age: int = 0


@dataclass(slots=True)
class Memory:
    """Everything that the watcher keeps for one pose of the camera; it is brought up to date in place."""

    top: TopView
    ground: Ground
    reference: Int16
    """Shape (h, w, 3): the reduced picture as last looked at."""
    previous: Int16
    still: npt.NDArray[np.uint8]
    """Frames since each place last moved."""
    border: Mask
    bare_at: npt.NDArray[np.int32]
    """Frame in which each place was last seen as it was known, no hand near."""
    covered_at: npt.NDArray[np.int32]
    """Frame in which a hand was last over it."""
    tick: int = 0
    known: list[Known] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    hand: Mask | None = None
    changed_s: float = 0.0
    calm: bool = False
    empty: list[Image] = field(default_factory=list)
    drifted: int = 0
    """Frames in a row in which the pose was a little off."""
    asked_tick: int = -ASK_AGAIN_FRAMES
    """When the net was last asked whether what rests at the border is a hand."""
    doubt_mm: float | None = None
    """How far off places may be that were measured by this map, as far as any frame since has told."""
    doubted_ids: tuple[int, ...] = ()
    """The markers in view when that was last reckoned."""
    doubted_tick: int = 0


def is_rough(known: Known) -> bool:
    """Whether this is an obstacle of which only the net's outline is known, not edges that were measured."""
    return isinstance(known.thing, SeenObstacle) and len(known.thing.outline_mm) not in MEASURED_CORNERS


def is_print(known: Known, memory: Memory) -> bool:
    """Whether this is a die on a marker of the mat whose code is seen: then nothing lies on it.

    While no code at all is seen, as in the first frames after a bump, the pose is rough and print is shown anywhere.
    """
    if memory.top.area.sheet_mm is None or not isinstance(known.thing, SeenDie):
        return False
    x, y = known.piece.mm
    seen = memory.doubted_ids or tuple(MARKER_CENTRES_MM)
    centres = (MARKER_CENTRES_MM[number] for number in seen if number in MARKER_CENTRES_MM)
    return any(abs(x - cx) < ON_MARKER_MM and abs(y - cy) < ON_MARKER_MM for cx, cy in centres)


def is_empty(memory: Memory) -> bool:
    """Whether nothing stands in the play area; what is taken for a thing on the strips beside it is mostly print."""
    half_width, half_depth = memory.top.area.width_mm / 2, memory.top.area.depth_mm / 2
    return not any(
        isinstance(k.thing, SeenHand)
        or k.piece.confidence > SURELY_THERE
        or (abs(k.piece.mm[0]) < half_width and abs(k.piece.mm[1]) < half_depth)
        for k in memory.known
    )


def has_drifted(memory: Memory, view: TableView) -> bool:
    """Whether the table lies elsewhere in the picture than when the map to the picture from above was made."""
    if memory.top.view.size != view.size:
        return True
    shift = shift_px(memory.top.view, view)
    if shift <= SAME_POSE_PX or memory.hand is not None:
        memory.drifted = 0
    else:
        memory.drifted += 1
    return shift > OTHER_POSE_PX or memory.drifted >= DRIFT_FRAMES


def renew_doubt(memory: Memory, view: TableView) -> None:
    """Bring up to date how far off the places may be that are measured by the memory's map.

    It never grows: markers that are covered later make no place worse that was measured before. It falls when more of
    them come into view, to what their pose leaves open and how far the map is from it.
    """
    is_due = view.marker_ids != memory.doubted_ids or memory.tick - memory.doubted_tick >= DOUBT_FRAMES
    if memory.doubt_mm is not None and not (view.marker_ids and is_due):
        return
    memory.doubted_ids, memory.doubted_tick = view.marker_ids, memory.tick
    area = memory.top.area
    sheet = MAT if area.sheet_mm is not None else None
    doubt_mm = place_doubt_mm(view, width_mm=area.width_mm, depth_mm=area.depth_mm, sheet=sheet)
    if memory.top.view is not view:
        doubt_mm += shift_px(memory.top.view, view) / view.px_per_mm()
    if math.isnan(doubt_mm):
        return
    stepped_mm = round(math.ceil(doubt_mm / DOUBT_STEP_MM - 1e-9) * DOUBT_STEP_MM, 3)
    memory.doubt_mm = stepped_mm if memory.doubt_mm is None else min(memory.doubt_mm, stepped_mm)


def stirs(known: Known, memory: Memory, frames: int) -> bool:
    """Whether something has moved within a known thing's outline in the last so many frames.

    What the net takes for a hand in the first frame is one only if it does: a hand trembles, a cloth lies still.
    """
    mine = drawn_in_grid(known.piece, memory.top, memory.previous.shape) > 0
    return int((mine & (memory.still < min(memory.tick, frames))).sum()) >= LEAST_STIRRING_CELLS


def known_share(changed: Mask, known: Known, top: TopView) -> float:
    """Give how much of a known thing's outline has changed."""
    return changed_share(changed, known.piece, top)


def is_behind(known: Known, others: Sequence[Piece], memory: Memory) -> bool:
    """Whether other things now fill most of a known thing's outline."""
    top, shape = memory.top, memory.previous.shape
    mine = drawn_in_grid(known.piece, top, shape) > 0
    covered = np.zeros(mine.shape, np.bool_)
    for piece in others:
        if meets(cells_of(piece, top), known.cells, 0):
            covered |= drawn_in_grid(piece, top, shape) > 0
    return float((covered & mine).sum()) > BEHIND_SHARE * max(1, int(mine.sum()))


def is_still_there(known: Known, others: Sequence[Piece], small: Int16, memory: Memory) -> bool:
    """Whether a known thing's place looks like no bare table though nothing was found there: it is in shade."""
    top, ground = memory.top, memory.ground
    mask = drawn_in_grid(known.piece, top, small.shape) > 0
    for piece in others:
        if meets(cells_of(piece, top), known.cells, 0):
            mask &= drawn_in_grid(piece, top, small.shape) == 0
    if int(mask.sum()) < LEAST_CELLS:
        return False
    step, half = step_px(top), step_px(top) // 2
    rows, columns = small.shape[:2]
    expected = ground.expected[half::step, half::step][:rows, :columns]
    away = np.abs(log_opponent(small.astype(np.uint8)) - expected)[mask]
    unlike = (away[:, 0] > 0.45) | (away[:, 1] > 0.07) | (away[:, 2] > 0.07)
    return float(unlike.mean()) > STILL_THERE_SHARE


def new_places(changed: Mask, zone: Cells, memory: Memory, kept: Sequence[Known]) -> Mask:
    """Give the pixels of the picture from above where something new may be: what changed, or was something else."""
    rows, columns = changed.shape
    mask = np.zeros((rows, columns), np.uint8)
    upper, lower, left, right = zone
    mask[upper:lower, left:right] = changed[upper:lower, left:right]
    for known in memory.known:
        if known not in kept and meets(known.cells, zone, 0):
            mask |= drawn_in_grid(known.piece, memory.top, changed.shape)
    step = step_px(memory.top)
    width, height = memory.top.size
    whole = np.zeros((height, width), np.bool_)
    big = cv2.resize(mask, (columns * step, rows * step), interpolation=cv2.INTER_NEAREST)
    whole[: rows * step, : columns * step] = big > 0
    return whole


def merged(parts: Sequence[Cells], memory: Memory, changed: Mask) -> list[Cells]:
    """Join changes that lie near each other or in the same known thing."""
    boxes = list(parts)
    for known in memory.known:
        if known_share(changed, known, memory.top) < CHANGED_SHARE:
            continue
        for k, box in enumerate(boxes):
            if meets(box, known.cells, 1):
                boxes[k] = union(box, known.cells)
    merged = True
    while merged:
        merged = False
        for i in range(len(boxes)):
            for j in range(i):
                if meets(boxes[i], boxes[j], 6):
                    boxes[j] = union(boxes[i], boxes[j])
                    del boxes[i]
                    merged = True
                    break
            if merged:
                break
    rows, columns = memory.previous.shape[:2]
    return [(max(0, a), min(rows, b), max(0, c), min(columns, d)) for a, b, c, d in boxes]


def part_shown(cells: tuple[int, int, int, int], memory: Memory) -> Part:
    """Give the pixels that the net is shown for a part of the grid: with context, at least 96 mm wide."""
    rows, columns = memory.previous.shape[:2]
    step = step_px(memory.top)
    upper, lower, left, right = cells

    def spread(low: int, high: int, most: int) -> tuple[int, int]:
        low, high = low - CONTEXT_CELLS, high + CONTEXT_CELLS
        short = 48 - (high - low)
        if short > 0:
            low, high = low - short // 2, high + short - short // 2
        # Multiples of 16 cells are what the net works in: take what is padded otherwise.
        extra = -(high - low) % 16
        low, high = low - extra // 2, high + extra - extra // 2
        shift = max(0, -low) - max(0, high - most)
        return max(0, low + shift), min(most, high + shift)

    upper, lower = spread(upper, lower, rows)
    left, right = spread(left, right, columns)
    return slice(upper * step, lower * step), slice(left * step, right * step)


def light_shift(small: Int16, memory: Memory) -> tuple[float, float, float]:
    """Measure how the light has changed since the empty table was learnt, over the bare parts of the sheet."""
    step = step_px(memory.top)
    half = step // 2
    rows, columns = small.shape[:2]
    expected = memory.ground.expected[half::step, half::step][:rows, :columns]
    sheet = memory.ground.sheet[half::step, half::step][:rows, :columns]
    difference = (log_opponent(small.astype(np.uint8)) - expected)[sheet]
    if not len(difference):
        return 0.0, 0.0, 0.0
    near = difference[np.abs(difference[:, 0] - np.median(difference[:, 0])) < 0.15]
    middle = np.median(near if len(near) else difference, axis=0)
    return float(middle[0]), float(middle[1]), float(middle[2])
