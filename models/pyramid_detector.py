"""Find things of one kind at all scales of a picture: a detector's net on an image pyramid, finer where it is needed.

The net answers on a grid at stride 4 with scores at peaks, boxes, and a code of seven numbers that says where a die's
top face is (`models.training.dice.faces`; without meaning where something else is sought). Pictures are uint8 BGR,
pixel centres at integers, x right and y down.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.dice_finds import CLEAR_SCORE, Candidate, same_die
from models.runner import Model

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
MOST_CANDIDATES = 200
"""More are cut off, best first, so that a page of dots does not take seconds."""


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


class PyramidDetector:
    """A loaded detector."""

    def __init__(self, model: Model) -> None:
        """Hold a loaded model."""
        self._model = model

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
            grey = cv2.mean(picture)[:3]
            picture = np.asarray(
                cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_CONSTANT, value=grey), np.uint8
            )
        maps = self._model.run({"picture": np.ascontiguousarray(picture)[None]})["maps"][0]
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
        """Find what looks like a thing of its kind, best first, each once; parts and groups may be among them.

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
