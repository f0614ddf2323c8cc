"""Find and read dice with the two nets: where each die is, where its top face is, what the nets think it shows.

The nets alone do not answer: whoever uses them compares the two views' readings with a third, independent one.
Pictures are uint8 BGR, pixel centres at integers, x right and y down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.dice_crops import CROP_PX, Pyramid, face_affine, upright_affine
from models.dice_finds import CLEAR_SCORE, Candidate, NetReading, plausible, same_die, without_nested
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
FAINT_SCORE = 0.10
"""A finer look is taken around faint finds from it on, outside of every clear one, and around small ones. In 485
photographs it leaves out no die, and a third of the pictures need no whole look at the finest scale."""
LEAST_AT_FINER_PX = 56.0
"""So large are clear finds at the finer scale if they need it no more: what only that scale shows (12 to 24 px) would
be less than half as large, and corners that are found on 28 px and more are as good."""
LEAST_LEVELS = 2
"""So many scales are searched whole: at a single one a tray may pass for a die."""
AROUND_PX = 48
"""So much is looked at around what needs the finer scale, in its pixels; half of it only so that the net sees it."""
MOST_IN_PART = 0.8
"""A part that is larger than this of the picture saves nothing."""
SURE_VOTE = 0.95
"""A vote for a value from which other guesses at the top face are not tried."""
LEAST_PROBABILITY = 1e-4
"""Probabilities below weigh no more than that in a mean of logarithms."""
MOST_CANDIDATES = 200
"""More are cut off, best first, so that a page of dots does not take seconds."""
VALUES = 7
"""Classes of the value net: 0 = unreadable, then 1 to 6."""


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

    def _level(
        self, frame_bgr: Picture, scale: float, least_score: float, *, around: Floats | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """Boxes, corners and scores at one scale; of the part around some boxes, shape (n, 4), or of the whole."""
        if around is not None:
            size = np.array(frame_bgr.shape[1::-1])
            low, high = around[:, :2].min(0), around[:, 2:].max(0)
            x0, y0 = np.maximum(np.floor(low - AROUND_PX / scale), 0).astype(int)
            x1, y1 = np.minimum(np.ceil(high + AROUND_PX / scale), size).astype(int)
            if (x1 - x0) * (y1 - y0) < MOST_IN_PART * size.prod():
                boxes, corners, scores = self._level(frame_bgr[y0:y1, x0:x1], scale, least_score)
                boxes, corners = boxes + np.array([x0, y0, x0, y0]), corners + np.array([x0, y0])
                middle = (boxes[:, :2] + boxes[:, 2:]) / 2
                edge = AROUND_PX / 2 / scale
                inside = ((middle > low - edge) & (middle < high + edge)).all(1)
                return boxes[inside], corners[inside], scores[inside]
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

    def _levels(self, frame_bgr: Picture, least_score: float) -> tuple[Floats, Floats, Floats]:
        """Finds of all scales, coarsest first; the finer ones only where the coarser do not show all clearly."""
        scales = level_scales(frame_bgr.shape[1], frame_bgr.shape[0])[::-1]
        parts: list[tuple[Floats, Floats, Floats]] = []
        for n, scale in enumerate(scales):
            around = None
            if n >= LEAST_LEVELS:
                boxes, _, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
                around = unclear(boxes, scores, finer=scale)
                if around is not None and not len(around):
                    break
            parts.append(self._level(frame_bgr, scale, least_score, around=around))
        boxes, corners, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
        return boxes, corners, scores

    def find(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[Candidate, ...]:
        """Find what looks like dice, best first.

        Candidates may still be nested (a pip within a big die, a group around dice); `look` sorts those out.

        Args:
            frame_bgr: shape (height, width, 3).
            least_score: peaks below are left out.
        """
        boxes, corners, scores = self._levels(frame_bgr, min(least_score, FAINT_SCORE))
        likely = scores >= least_score
        boxes, corners, scores = boxes[likely], corners[likely], scores[likely]
        order = np.argsort(-scores, kind="stable")[: 4 * MOST_CANDIDATES]
        kept: list[int] = []
        for k in order:
            if len(kept) >= MOST_CANDIDATES:
                break
            if kept and same_die(boxes[k], boxes[kept]).any():
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
        candidates = list(candidates)
        pyramid = Pyramid(frame_bgr)
        affines = [upright_affine(np.array(c.box_px), np.array(c.top_px).mean(0)) for c in candidates]
        upright = self._value.run({"crops": np.stack([pyramid.crop(affine) for affine in affines])})
        detected = candidates
        if refine:
            candidates = _refined(candidates, affines, np.asarray(upright["top"], np.float64))
        face, faces = self._faces(pyramid, candidates)
        if refine:
            said = np.stack([upright["probability"], face["probability"]])
            unsure = np.nonzero(_consensus(said)[:, 1:].max(1) < SURE_VOTE)[0].tolist()
            for others in self._other_faces(pyramid, candidates, detected, faces, face["top"], unsure):
                other, _ = self._faces(pyramid, others)
                better = other["probability"][:, 1:].max(1) > face["probability"][unsure, 1:].max(1)
                for n in np.nonzero(better)[0].tolist():
                    candidates = [others[n] if k == unsure[n] else c for k, c in enumerate(candidates)]
                    for name in ("probability", "feature"):
                        face[name][unsure[n]] = other[name][n]
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

    def _faces(
        self, pyramid: Pyramid, candidates: Sequence[Candidate]
    ) -> tuple[dict[str, npt.NDArray[np.float32]], list[Floats]]:
        """What the value net says of the face views, and the affines by which they were cut."""
        affines = [face_affine(np.array(c.top_px)) for c in candidates]
        said = self._value.run({"crops": np.stack([pyramid.crop(affine) for affine in affines])})
        return {name: np.array(value, np.float32) for name, value in said.items()}, affines

    def _other_faces(
        self,
        pyramid: Pyramid,
        candidates: Sequence[Candidate],
        detected: Sequence[Candidate],
        affines: Sequence[Floats],
        codes: npt.NDArray[np.float32],
        unsure: Sequence[int],
    ) -> Iterator[list[Candidate]]:
        """Other guesses at the top faces of those that were not read surely: the face view's own, the detector's."""
        if not unsure:
            return
        doubted = [candidates[k] for k in unsure]
        yield _refined(doubted, [affines[k] for k in unsure], np.asarray(codes[list(unsure)], np.float64))
        first = [detected[k] for k in unsure]
        yield first
        said, cut = self._faces(pyramid, first)
        yield _refined(first, cut, np.asarray(said["top"], np.float64))

    def look(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[NetReading, ...]:
        """Find and read all dice; faint finds stay where others speak for them, of nested ones the likelier stay."""
        return without_nested(plausible(self.read(frame_bgr, self.find(frame_bgr, least_score=least_score))))


def _consensus(said: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Geometric mean over the first axis, scaled to sum to 1 over the last."""
    mean = np.exp(np.log(np.maximum(said, LEAST_PROBABILITY)).mean(0))
    return np.asarray(mean / mean.sum(-1, keepdims=True), np.float32)


def unclear(boxes_px: Floats, scores: Floats, *, finer: float) -> Floats | None:
    """Which finds of the coarser scales call for a look at a finer one; None where nothing is clear yet.

    Args:
        boxes_px: shape (n, 4), in pixels of the picture.
        scores: shape (n,), down to `FAINT_SCORE`.
        finer: the scale in question.

    Returns:
        The boxes of small dice, and of faint finds that are no part of a large, clear die; shape (k, 4).
    """
    sure = scores >= CLEAR_SCORE
    if not sure.any():
        return None
    large = sure & ((boxes_px[:, 2:] - boxes_px[:, :2]).max(1) * finer >= LEAST_AT_FINER_PX)
    rest = boxes_px[~large & (scores >= FAINT_SCORE)]
    middle = (rest[:, None, :2] + rest[:, None, 2:]) / 2
    part = ((middle > boxes_px[None, large, :2]) & (middle < boxes_px[None, large, 2:])).all(2).any(1)
    return np.asarray(rest[~part], np.float64)


def _refined(candidates: Sequence[Candidate], affines: Sequence[Floats], codes: Floats) -> list[Candidate]:
    """Candidates with the top faces that the value net saw; a face that lies outside of its die is not believed."""
    middle = np.full((len(codes), 2), (CROP_PX - 1) / 2)
    in_crop = corners_of(codes, middle, np.full(len(codes), float(CROP_PX)))
    out = []
    for candidate, affine, corners in zip(candidates, affines, in_crop, strict=True):
        top = (corners - affine[:, 2]) @ np.linalg.inv(affine[:, :2]).T
        x0, y0, x1, y1 = candidate.box_px
        x, y = top.mean(0)
        edge = np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).max()
        sound = x0 < x < x1 and y0 < y < y1 and 0.3 < edge / max(x1 - x0, y1 - y0) < 1.3
        out.append(replace(candidate, top_px=tuple((float(px), float(py)) for px, py in top)) if sound else candidate)
    return out
