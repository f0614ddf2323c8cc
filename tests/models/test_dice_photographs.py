"""The shipped dice nets on real photographs: slow, and only where the photographs are."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.dice_nets import DiceNets
from models.training.dice.known import match

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


@pytest.mark.parametrize(
    ("folder", "found", "seen_right"),
    [
        ("home-surfaces", 0.95, 0.93),
        ("topdown-colours", 0.93, 0.82),
        ("oblique-phone", 0.85, 0.7),
        ("felt-trays", 0.88, 0.62),
        ("felt-trays-more", 0.85, 0.6),
    ],
)
def test_dice_are_found_and_the_upright_view_is_mostly_right(
    nets: DiceNets, folder: str, found: float, seen_right: float
):
    """Floors a little under what was measured; these pictures took part in the training, so they guard the glue."""
    rows = [json.loads(line) for line in (PHOTOS / folder / "labels.jsonl").read_text().splitlines()]
    dice = pairs = right = 0
    for row in rows[:: max(1, len(rows) // PICTURES)][:PICTURES]:
        bgr = cv2.imread(str(PHOTOS / folder / row["file"]))
        boxes = np.array([d["box"] for d in row["dice"]], float).reshape(-1, 4)
        readings = nets.look(bgr)
        matched = match(boxes, tuple(r.candidate for r in readings))
        dice += len(boxes)
        pairs += len(matched)
        right += sum(int(np.argmax(readings[j].vote[1:])) + 1 == row["dice"][i]["value"] for i, j in matched.items())
    assert pairs >= found * dice
    assert right >= seen_right * pairs
