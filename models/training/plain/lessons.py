"""Figures on rendered tables (`python -m models.training.scenes lessons`) as if they were labelled photographs."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.training.dice.photographs import Photograph

COLLECTION = "lessons"
LEAST_VISIBLE = 0.4
"""A figure that shows less of itself is not asked for."""


def load(folder: Path) -> list[Photograph]:
    """Read all finished lessons of a folder; the boxes are those of the figures."""
    out = []
    for maps in sorted(folder.glob("*.npz")):
        file = maps.with_suffix(".jpg")
        if maps.stem.endswith(".part"):
            continue
        facts = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        boxes = [f["box"] for f in facts["figures"] if f["visible"] >= LEAST_VISIBLE and f["box"] is not None]
        bgr = np.asarray(cv2.imread(str(file)), np.uint8)
        rgb = np.ascontiguousarray(bgr[..., ::-1])
        out.append(Photograph(COLLECTION, file.name, rgb, np.array(boxes, float).reshape(-1, 4), ()))
    return out
