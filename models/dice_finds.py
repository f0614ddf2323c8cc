"""What the dice nets found, and which of the finds are dice: no parts of dice, no groups, no specks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CLEAR_SCORE = 0.50
"""Finds from it on are dice for the questions where a finer look is needed, and how large dice are here."""
SURE_SCORE = 0.35
"""Candidates below stay only if they can be read: carpets and shadows score up to 0.3, but never look readable."""
READABLE = 0.50
"""A candidate can be read if the net's mean probability of 0 (unreadable) is below this."""
SAME_OVERLAP = 0.40
"""Candidates that overlap more (intersection over union) are one die."""
SAME_DISTANCE = 0.30
"""Candidates of like size whose centres are nearer, in units of the smaller size, are one die."""
SAME_FACE = 0.40
"""Finds whose top faces overlap more (intersection over union) are one die: on left-out photographs no two labelled
dice overlap so much, and 56 values of 3,274 were given twice without it."""
NESTED_COVER = 0.80
"""A box of which so much lies in a box at least `NESTED_RATIO` times as large is a part of the larger die."""
NESTED_RATIO = 1.8
READS_WELL = 0.60
"""A large candidate that reads below this and scores below an inner one is a group of dice and not a die."""
CLEARLY_READ = 0.80
"""A candidate inside of a larger one that reads so well in both views' mean, and"""
CLEARLY_READ_ONE = 0.90
"""so well if it is a 1, and"""
NO_VIEW_BELOW = 0.60
"""so well in each view, is a die and no part of one. Parts of dice in photographs read up to 0.78, mostly as a 1."""
LEAST_ONE = 0.35
"""A 1 that is smaller than this part of a larger candidate which reads well is one of its pips."""
CLEARLY_LARGER = 0.10
"""A large candidate around such dice stays only if it scores by so much higher and reads as well as a 1 must."""
LEAST_ALIKE = 3
"""From so many clear and readable dice on their median size is the usual size of the picture's dice:"""
USUAL_SIZES = (0.7, 1.4)
"""faint finds between these parts of it stay also when they read badly,"""
READS_BADLY = 0.80
"""up to this probability of 0: on left-out photographs of trays 95.0 instead of 93.5 % of the dice are found;"""
POSSIBLE_SIZES = (0.5, 2.0)
"""and finds outside of these parts of it that cannot be read go: groups, trays and specks."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A place that looks like a die."""

    box_px: tuple[float, float, float, float]
    """x0, y0, x1, y1 of the whole die."""
    top_px: tuple[tuple[float, float], ...]
    """The four corners of the top face's square in order around it; the first is arbitrary."""
    score: float
    """The detector's score from 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class NetReading:
    """A candidate and what the value net makes of its two views."""

    candidate: Candidate
    upright: tuple[float, ...]
    """Probability of 0 (unreadable), 1, ... 6 in the view as the camera sees it."""
    face: tuple[float, ...]
    """The same in the view of the flattened top face."""
    feature: npt.NDArray[np.float32]
    """Shape (48,): what the net saw in the face view, of length 1; alike for like faces. Read-only."""

    @property
    def mean(self) -> tuple[float, ...]:
        """Mean probability of both views."""
        return tuple((a + b) / 2 for a, b in zip(self.upright, self.face, strict=True))

    @property
    def vote(self) -> tuple[float, ...]:
        """Geometric mean of both views, scaled to sum to 1: high only where neither view objects."""
        product = [(a * b) ** 0.5 for a, b in zip(self.upright, self.face, strict=True)]
        whole = sum(product) or 1.0
        return tuple(p / whole for p in product)


def shares_of_both(box: Floats, others: Floats) -> Floats:
    """Intersection over union of a box, shape (4,), with each other one, shape (n, 4); x0, y0, x1, y1."""
    shared = np.maximum(0, np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])).prod(1)
    areas = (others[:, 2:] - others[:, :2]).prod(1)
    return np.asarray(shared / ((box[2:] - box[:2]).prod() + areas - shared), np.float64)


def same_die(box: Floats, others: Floats) -> npt.NDArray[np.bool_]:
    """Which of the other boxes are the same die as `box`."""
    size = box[2:] - box[:2]
    longest = (others[:, 2:] - others[:, :2]).max(1)
    like = np.maximum(longest, size.max()) < 1.6 * np.minimum(longest, size.max())
    distance = np.hypot(*((box[:2] + box[2:]) / 2 - (others[:, :2] + others[:, 2:]) / 2).T)
    is_near = like & (distance < SAME_DISTANCE * np.minimum(longest, size.max()))
    return np.asarray((shares_of_both(box, others) > SAME_OVERLAP) | is_near)


def plausible(readings: Sequence[NetReading]) -> tuple[NetReading, ...]:
    """Drop faint finds that can neither be read nor are as large as the picture's clear dice, and specks and groups."""
    usual = _usual_size_px(readings)
    kept = []
    for reading in readings:
        unread = reading.mean[0]
        part = None if usual is None else _size_px(reading) / usual
        is_likely = reading.candidate.score >= SURE_SCORE or unread < READABLE
        if part is not None and unread >= READABLE:
            is_likely = is_likely or (unread < READS_BADLY and USUAL_SIZES[0] < part < USUAL_SIZES[1])
            is_likely = is_likely and POSSIBLE_SIZES[0] < part < POSSIBLE_SIZES[1]
        if is_likely:
            kept.append(reading)
    return tuple(kept)


def _usual_size_px(readings: Sequence[NetReading]) -> float | None:
    """Median size of the clear, readable dice; None where there are too few."""
    sizes = [_size_px(r) for r in readings if r.candidate.score >= CLEAR_SCORE and r.mean[0] < READABLE]
    return float(np.median(sizes)) if len(sizes) >= LEAST_ALIKE else None


def _size_px(reading: NetReading) -> float:
    x0, y0, x1, y1 = reading.candidate.box_px
    return max(x1 - x0, y1 - y0)


def _is_clearly_read(reading: NetReading, large: NetReading) -> bool:
    """Whether what lies inside of a larger candidate is surely a die by itself."""
    value = int(np.argmax(reading.mean[1:])) + 1
    if value == 1 and max(large.mean[1:]) >= READS_WELL and _size_px(reading) < LEAST_ONE * _size_px(large):
        return False
    least = CLEARLY_READ_ONE if value == 1 else CLEARLY_READ
    return reading.mean[value] >= least and min(reading.upright[value], reading.face[value]) >= NO_VIEW_BELOW


def one_a_face(readings: Sequence[NetReading]) -> tuple[NetReading, ...]:
    """Keep one of the finds that have the same top face: the best read, and of those about alike the smallest box.

    A coarser level of the picture sees some dice once more, in a box half as large again.
    """
    best = sorted(range(len(readings)), key=lambda k: (-round(max(readings[k].vote[1:]), 1), _size_px(readings[k])))
    faces = [np.array(reading.candidate.top_px, np.float32).reshape(-1, 2) for reading in readings]
    kept: list[int] = []
    for k in best:
        if not any(_share_of_both(faces[k], faces[other]) > SAME_FACE for other in kept):
            kept.append(k)
    return tuple(readings[k] for k in sorted(kept))


def _share_of_both(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """Intersection over union of two convex outlines, shape (n, 2); 0 where one of them is none."""
    if len(one) < 3 or len(other) < 3 or not (np.isfinite(one).all() and np.isfinite(other).all()):
        return 0.0
    if (one.max(axis=0) < other.min(axis=0)).any() or (other.max(axis=0) < one.min(axis=0)).any():
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    whole = cv2.contourArea(one) + cv2.contourArea(other) - shared
    return float(shared / whole) if whole > 0 else 0.0


def without_nested(readings: Sequence[NetReading]) -> tuple[NetReading, ...]:
    """Drop parts of larger dice, or the larger box where it is a group of dice."""
    boxes = np.array([r.candidate.box_px for r in readings]).reshape(-1, 4)
    sizes = (boxes[:, 2:] - boxes[:, :2]).max(1, initial=0.0) if len(boxes) else np.zeros(0)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    gone: set[int] = set()
    for big in np.argsort(-sizes):
        if int(big) in gone:
            continue
        shared = np.maximum(
            0, np.minimum(boxes[big, 2:], boxes[:, 2:]) - np.maximum(boxes[big, :2], boxes[:, :2])
        ).prod(1)
        within = np.nonzero((shared > NESTED_COVER * areas) & (sizes * NESTED_RATIO < sizes[big]))[0]
        inner = [int(k) for k in within if int(k) not in gone]
        if not inner:
            continue
        score, well = readings[big].candidate.score, max(readings[big].mean[1:])
        dice = [readings[k].candidate.score for k in inner if _is_clearly_read(readings[k], readings[big])]
        if dice:
            is_die = well >= CLEARLY_READ_ONE and score >= max(dice) + CLEARLY_LARGER
        else:
            is_die = well >= READS_WELL or score >= max(readings[k].candidate.score for k in inner)
        if is_die:
            gone.update(inner)
        else:
            gone.add(int(big))
    return tuple(r for k, r in enumerate(readings) if k not in gone)
