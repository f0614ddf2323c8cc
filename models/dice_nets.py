"""Find and read dice with the two nets: where each die is, where its top face is, what the nets think it shows.

The nets alone do not answer: whoever uses them compares the two views' readings with a third, independent one.
Pictures are uint8 BGR, pixel centres at integers, x right and y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.dice_crops import CROP_PX, Pyramid, face_affine, upright_affine
from models.runner import DEFAULT_THREADS, Model, load_model

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

STRIDE = 4
"""Picture pixels for a cell of the detector's maps."""
FINEST_LONG_PX = 1280
"""Larger pictures are first shrunk to this longer edge: dice under 14 px of a full-size photograph are not sought."""
COARSEST_LONG_PX = 160
"""The picture is halved until its longer edge is at most this, so that a die of half the picture is found."""
PADDED_TO = 16
"""The detector's input edges are multiples of this."""
LEAST_SCORE = 0.20
"""Peaks below are no candidates."""
SURE_SCORE = 0.35
"""Candidates below stay only if they can be read: carpets and shadows score up to 0.3, but never look readable."""
READABLE = 0.50
"""A candidate can be read if the net's mean probability of 0 (unreadable) is below this."""
SAME_OVERLAP = 0.40
"""Candidates that overlap more (intersection over union) are one die."""
SAME_DISTANCE = 0.30
"""Candidates of like size whose centres are nearer, in units of the smaller size, are one die."""
NESTED_COVER = 0.80
"""A box of which so much lies in a box at least `NESTED_RATIO` times as large is a part of the larger die."""
NESTED_RATIO = 1.8
READS_WELL = 0.60
"""A large candidate that reads below this and scores below an inner one is a group of dice and not a die."""
MOST_CANDIDATES = 200
"""More are cut off, best first, so that a page of dots does not take seconds."""
VALUES = 7
"""Classes of the value net: 0 = unreadable, then 1 to 6."""


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


def level_scales(width: int, height: int) -> tuple[float, ...]:
    """Scales at which a picture is searched, finest first."""
    longest = max(width, height)
    scale = min(1.0, FINEST_LONG_PX / longest)
    out = [scale]
    while longest * out[-1] > COARSEST_LONG_PX:
        out.append(out[-1] / 2)
    return tuple(out)


def corners_of(code: Floats, centre_px: Floats, size_px: Floats) -> Floats:
    """Corners of top faces from the detector's code (see `models.training.dice.faces`).

    Args:
        code: shape (n, 7).
        centre_px: shape (n, 2), the boxes' centres.
        size_px: shape (n,), the boxes' longer edges.

    Returns:
        Shape (n, 4, 2).
    """
    t = np.arctan2(code[:, 6], code[:, 5]) / 4
    c, s = np.cos(t), np.sin(t)
    xx, xy, yy = code[:, 2], code[:, 3], code[:, 4]
    a = np.stack([np.stack([xx * c + xy * s, xy * c - xx * s], 1), np.stack([xy * c + yy * s, yy * c - xy * s], 1)], 1)
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    around = np.einsum("kj,nij->nki", unit, a)
    return np.asarray(centre_px[:, None] + size_px[:, None, None] * (code[:, None, :2] + around), np.float64)


class DiceNets:
    """The detector and the value net, loaded."""

    def __init__(self, detector: Model, value: Model) -> None:
        """Hold two loaded models; use `load` for the shipped ones."""
        self._detector = detector
        self._value = value

    @classmethod
    def load(cls, *, folder: Path | None = None, threads: int = DEFAULT_THREADS) -> DiceNets:
        """Load the shipped models, or those in `folder`.

        Raises:
            ModelMissingError: a model is not there.
            ModelDamagedError: a model cannot be loaded.
        """
        return cls(
            load_model("dice_detector", folder=folder, threads=threads),
            load_model("dice_value", folder=folder, threads=threads),
        )

    def _level(self, frame_bgr: Picture, scale: float, least_score: float) -> tuple[Floats, Floats, Floats]:
        rows, columns = frame_bgr.shape[:2]
        picture = frame_bgr
        if scale < 1:
            shrunk = (max(1, round(columns * scale)), max(1, round(rows * scale)))
            picture = np.asarray(cv2.resize(frame_bgr, shrunk, interpolation=cv2.INTER_AREA), np.uint8)
        high, wide = picture.shape[:2]
        down, right = -high % PADDED_TO, -wide % PADDED_TO
        if down or right:
            grey = [float(v) for v in picture.mean((0, 1))]
            picture = np.asarray(
                cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_CONSTANT, value=grey), np.uint8
            )
        maps = self._detector.run({"picture": np.ascontiguousarray(picture)[None]})["maps"][0]
        y, x = np.nonzero(maps[0] >= least_score)
        found = maps[:, y, x].T.astype(np.float64)
        to_frame = np.array([columns / wide, rows / high])
        centre = ((np.stack([x, y], 1) + 0.5 + found[:, 1:3]) * STRIDE) * to_frame - 0.5
        extent = 32 * 2.0 ** np.clip(found[:, 3:5], -3, 3) * to_frame
        size = extent.max(1, initial=0.0)
        corners = corners_of(found[:, 5:], centre, size)
        return np.concatenate([centre - extent / 2, centre + extent / 2], 1), corners, found[:, 0]

    def find(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[Candidate, ...]:
        """Find what looks like dice, best first.

        Candidates may still be nested (a pip within a big die, a group around dice); `look` sorts those out.

        Args:
            frame_bgr: shape (height, width, 3).
            least_score: peaks below are left out.
        """
        levels = [
            self._level(frame_bgr, scale, least_score) for scale in level_scales(frame_bgr.shape[1], frame_bgr.shape[0])
        ]
        boxes, corners, scores = (np.concatenate(parts) for parts in zip(*levels, strict=True))
        order = np.argsort(-scores, kind="stable")[: 4 * MOST_CANDIDATES]
        kept: list[int] = []
        for k in order:
            if len(kept) >= MOST_CANDIDATES:
                break
            if kept and _same(boxes[k], boxes[kept]).any():
                continue
            kept.append(int(k))
        return tuple(
            Candidate(
                box_px=(float(boxes[k, 0]), float(boxes[k, 1]), float(boxes[k, 2]), float(boxes[k, 3])),
                top_px=tuple((float(px), float(py)) for px, py in corners[k]),
                score=float(scores[k]),
            )
            for k in kept
        )

    def read(
        self, frame_bgr: Picture, candidates: Sequence[Candidate], *, refine: bool = True
    ) -> tuple[NetReading, ...]:
        """Read each candidate in both views.

        The upright view also says where the top face is, with four times the detector's resolution; the face view is
        cut by that.

        Args:
            frame_bgr: shape (height, width, 3).
            candidates: from `find`, or with top faces that are known better (from the table's pose).
            refine: correct the candidates' top faces; False where they are known better.
        """
        if not candidates:
            return ()
        pyramid = Pyramid(frame_bgr)
        affines = [upright_affine(np.array(c.box_px), np.array(c.top_px).mean(0)) for c in candidates]
        upright = self._value.run({"crops": np.stack([pyramid.crop(affine) for affine in affines])})
        if refine:
            candidates = _refined(candidates, affines, np.asarray(upright["top"], np.float64))
        crops = np.stack([pyramid.crop(face_affine(np.array(c.top_px))) for c in candidates])
        face = self._value.run({"crops": crops})
        feature = np.asarray(face["feature"], np.float32)
        feature = feature / (np.linalg.norm(feature, axis=1, keepdims=True) + 1e-6)
        feature.setflags(write=False)
        return tuple(
            NetReading(
                candidate=candidate,
                upright=tuple(float(p) for p in upright["probability"][k]),
                face=tuple(float(p) for p in face["probability"][k]),
                feature=feature[k],
            )
            for k, candidate in enumerate(candidates)
        )

    def look(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[NetReading, ...]:
        """Find and read all dice; of nested candidates the likelier ones stay."""
        readings = self.read(frame_bgr, self.find(frame_bgr, least_score=least_score))
        return without_nested([r for r in readings if r.candidate.score >= SURE_SCORE or r.mean[0] < READABLE])


def _refined(candidates: Sequence[Candidate], affines: Sequence[Floats], codes: Floats) -> tuple[Candidate, ...]:
    """Candidates with the top faces that the value net saw; a face that lies outside of its die is not believed."""
    middle = np.full((len(codes), 2), (CROP_PX - 1) / 2)
    in_crop = corners_of(codes, middle, np.full(len(codes), float(CROP_PX)))
    out = []
    for candidate, affine, corners in zip(candidates, affines, in_crop, strict=True):
        top = (corners - affine[:, 2]) / affine[0, 0]
        x0, y0, x1, y1 = candidate.box_px
        x, y = top.mean(0)
        edge = np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).max()
        sound = x0 < x < x1 and y0 < y < y1 and 0.3 < edge / max(x1 - x0, y1 - y0) < 1.3
        out.append(replace(candidate, top_px=tuple((float(px), float(py)) for px, py in top)) if sound else candidate)
    return tuple(out)


def _same(box: Floats, others: Floats) -> npt.NDArray[np.bool_]:
    """Which of the other boxes are the same die as `box`."""
    size = box[2:] - box[:2]
    sizes = others[:, 2:] - others[:, :2]
    shared = np.maximum(0, np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])).prod(1)
    union = size.prod() + sizes.prod(1) - shared
    longest = sizes.max(1)
    like = np.maximum(longest, size.max()) < 1.6 * np.minimum(longest, size.max())
    distance = np.hypot(*((box[:2] + box[2:]) / 2 - (others[:, :2] + others[:, 2:]) / 2).T)
    return np.asarray(
        (shared > SAME_OVERLAP * union) | (like & (distance < SAME_DISTANCE * np.minimum(longest, size.max())))
    )


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
        best = max(readings[k].candidate.score for k in inner)
        if max(readings[big].mean[1:]) >= READS_WELL or readings[big].candidate.score >= best:
            gone.update(inner)
        else:
            gone.add(int(big))
    return tuple(r for k, r in enumerate(readings) if k not in gone)
