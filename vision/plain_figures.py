"""Figures in a picture without a table: where they are in it, and no more; nothing tells their size or pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.dice_finds import same_die
from models.pyramid_detector import PyramidDetector
from vision.observation import Pose, SeenDie, SeenFigure
from vision.rectify import Image

LEAST_SCORE = 0.45
"""Of the detector: on pictures that no training saw about one false find in three pictures, as its card tells."""
INSIDE = 0.75
"""A box of which so much lies in another one is a part of that figure, or the other is a group around it:"""
GROUP_LEAD = 0.15
"""the larger one goes where it scores lower by so much."""


def find_figures(image_bgr: Image, detector: PyramidDetector, dice: Sequence[SeenDie]) -> tuple[SeenFigure, ...]:
    """Find miniatures, toy soldiers, chess pieces and the like.

    Args:
        image_bgr: shape (rows, columns, 3), any size.
        detector: trained to find them (`models.training.plain`).
        dice: of the same picture; what is read as a die is no figure.

    Returns:
        The figures from left to right, with `Pose.UNSURE` and without places on a table.
    """
    found = detector.find(image_bgr, least_score=LEAST_SCORE)
    boxes = np.array([f.box_px for f in found], float).reshape(-1, 4)
    scores = np.array([f.score for f in found])
    read = np.array([die.box for die in dice if die.value is not None], float).reshape(-1, 4)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    gone: set[int] = set()
    for large in np.argsort(-areas).tolist():
        if len(read) and same_die(boxes[large], read).any():
            gone.add(large)
        if large in gone:
            continue
        shared = np.minimum(boxes[large, 2:], boxes[:, 2:]) - np.maximum(boxes[large, :2], boxes[:, :2])
        inside = np.maximum(shared, 0).prod(axis=1) > INSIDE * areas
        parts = [k for k in np.nonzero(inside & (areas < areas[large]))[0].tolist() if k not in gone]
        if parts and scores[parts].max() > scores[large] + GROUP_LEAD:
            gone.add(large)
        else:
            gone.update(parts)
    kept = [k for k in range(len(found)) if k not in gone]
    figures = (SeenFigure(found[k].box_px, Pose.UNSURE, found[k].score) for k in kept)
    return tuple(sorted(figures, key=lambda figure: figure.box[0]))
