"""The whole reader with the shipped nets on real photographs: slow, and only where the photographs are."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.dice_nets import Candidate, DiceNets
from models.training.dice.known import match
from vision.dice import read_dice

PHOTOS = Path(__file__).parents[2].parent / "shared" / "eval" / "photos"
PICTURES = 12
"""Taken evenly from each folder."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason="the labelled photographs are not here"),
]


@pytest.fixture(scope="module")
def nets() -> DiceNets:
    return DiceNets.load(threads=1)


def rates(nets: DiceNets, folder: str) -> tuple[int, int, int, int]:
    """Dice, found, read and right on some pictures of a folder."""
    rows = [json.loads(line) for line in (PHOTOS / folder / "labels.jsonl").read_text().splitlines()]
    dice = found = read = right = 0
    for row in rows[:: max(1, len(rows) // PICTURES)][:PICTURES]:
        bgr = cv2.imread(str(PHOTOS / folder / row["file"]))
        boxes = np.array([d["box"] for d in row["dice"]], float).reshape(-1, 4)
        seen = read_dice(np.asarray(bgr, np.uint8), nets=nets)
        pairs = match(boxes, tuple(Candidate(d.box, d.top_px or (), d.confidence) for d in seen))
        dice += len(boxes)
        found += len(pairs)
        for i, j in pairs.items():
            read += seen[j].value is not None
            right += seen[j].value == row["dice"][i]["value"]
    return dice, found, read, right


@pytest.mark.parametrize(
    ("folder", "found_floor", "read_floor", "right_floor"),
    [
        ("home-surfaces", 0.95, 0.85, 0.97),
        ("topdown-colours", 0.96, 0.7, 0.98),
        ("oblique-phone", 0.9, 0.57, 0.96),
        ("felt-trays", 0.94, 0.46, 0.96),
        ("felt-trays-more", 0.93, 0.5, 0.96),
    ],
)
def test_dice_are_found_read_and_right(
    nets: DiceNets, folder: str, found_floor: float, read_floor: float, right_floor: float
):
    """Floors a little under what was measured; these pictures took part in the training, so they guard the glue."""
    dice, found, read, right = rates(nets, folder)
    assert found >= found_floor * dice
    assert read >= read_floor * dice
    assert right >= right_floor * read
