"""Figures in pictures without a mat, judged on pictures that no training saw: slow, and only where the pictures are.

No labelled photographs of figures are there. Rendered tables of another renderer, read as if they had no mat, say what
is found; photographs of dice on desks, on which no figure stands, say what is taken for one. `pytest -m slow -s` prints
it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.table import find_table
from calibration.table_view import TableView
from vision.observation import Box
from vision.observe import observe

EVAL = Path(__file__).parents[2].parent / "shared" / "eval"
COLLECTION = "oblique-phone"
"""Of photographs that the training was not shown as pictures without figures."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EVAL.is_dir(), reason="the pictures to judge by are not here"),
]


def figures_in(image_bgr: np.ndarray[Any, np.dtype[np.uint8]]) -> list[Box]:
    return [figure.box for figure in observe(image_bgr, None).figures]


def standing_box(figure: dict[str, Any], view: TableView) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Where a figure is in the picture: around its extent on the table and what rises from it."""
    x0, y0, x1, y1 = figure["extent_mm"]
    corners = [(x, y) for x in (x0, x1) for y in (y0, y1)]
    high = figure["height_mm"] if figure["pose"] == "standing" else figure["base_mm"] or 12.0
    pixels = np.vstack([view.to_frame(corners), view.to_frame(corners, height_mm=high)])
    return np.concatenate([pixels.min(axis=0), pixels.max(axis=0)])


def is_same(box: Box, truth: np.ndarray[Any, np.dtype[np.float64]]) -> bool:
    low, high = np.maximum(box[:2], truth[:2]), np.minimum(box[2:], truth[2:])
    shared = float(np.maximum(high - low, 0).prod())
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (box, truth)]
    return shared > 0.3 * (sum(areas) - shared)


def photographs() -> list[Path]:
    lines = (EVAL / "photos" / COLLECTION / "labels.jsonl").read_text().splitlines()
    return [EVAL / "photos" / COLLECTION / json.loads(line)["file"] for line in lines]


def test_figures_are_found_and_dice_are_none() -> None:
    there = found = false = 0
    scenes = sorted((EVAL / "scenes").glob("*.jpg"))
    for path in scenes:
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        view = find_table(image)
        assert isinstance(view, TableView)
        truth = json.loads(path.with_suffix(".json").read_text())["figures"]
        boxes = [standing_box(figure, view) for figure in truth]
        left = figures_in(image)
        for figure, box in zip(truth, boxes, strict=True):
            mine = next((seen for seen in left if is_same(seen, box)), None)
            if mine is not None:
                left.remove(mine)
            if figure["visible"] >= 0.5:
                there += 1
                found += mine is not None
        false += len(left)
    pictures = photographs()
    taken = sum(len(figures_in(np.asarray(cv2.imread(str(path)), np.uint8))) for path in pictures)
    print(
        f"\nrendered tables: {found} of {there} figures found, {false} false in {len(scenes)}; "
        f"photographs of dice: {taken} false in {len(pictures)}"
    )
    assert found >= 0.75 * there
    assert taken <= 0.4 * len(pictures)
