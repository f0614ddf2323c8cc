"""The promised accuracy on simulated photographs of the printed PDF, and real pictures where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.markers import detect
from tests.calibration.accuracy import K1S, SUBSETS, Case, measure

MARKER_PHOTOGRAPHS = os.environ.get("DESKREF_MARKER_PHOTOGRAPHS")
"""A folder of real photographs with `truth.json`: the ids that are whole in each."""


@pytest.mark.slow
@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0, 60.0])
def test_six_markers_at_1280x720_place_the_play_area_within_a_tenth_on_average(tilt: float) -> None:
    """Flat sheet, noise 6, blur 1 px, JPEG 85: mean 0.1 and at most 0.4 mm without distortion, at most 1.0 with it."""
    for k1 in K1S:
        result = measure(Case((1280, 720), tilt, k1))
        assert result is not None
        mean, largest, markers = result
        assert markers == 6
        assert mean < 0.1
        assert largest < (0.4 if k1 == 0 else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4 corners", "3 of both ends"])
def test_three_markers_of_both_ends_stay_under_a_millimetre(name: str) -> None:
    for size in ((640, 480), (1280, 720)):
        result = measure(Case(size, 20.0, 0.0, SUBSETS[name]))
        assert result is not None
        assert result[1] < 1.0


@pytest.mark.slow
@pytest.mark.skipif(MARKER_PHOTOGRAPHS is None, reason="no folder of marker photographs is named")
def test_real_photographs_every_marker_is_found_and_none_invented() -> None:
    folder = Path(MARKER_PHOTOGRAPHS or ".")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    names = [name for name in truth if name.endswith(".jpg")]
    assert len(names) >= 6
    for name in names:
        image = np.asarray(cv2.imread(str(folder / name), cv2.IMREAD_GRAYSCALE), np.uint8)
        found = [marker.number for marker in detect(image, "DICT_6X6_250")]
        assert sorted(found) == truth[name]
