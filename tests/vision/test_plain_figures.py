"""Figures in pictures without a table: which of a detector's finds they are, and what the shipped one sees."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from models.dice_finds import Candidate
from models.pyramid_detector import PyramidDetector
from vision.observation import Box, Pose, SeenDie
from vision.observe import observe
from vision.plain_figures import LEAST_SCORE, find_figures
from vision.shipped import shipped_figure_detector

BLANK = np.zeros((240, 320, 3), np.uint8)
KNIGHT: Box = (100.0, 40.0, 160.0, 160.0)
SHIELD: Box = (102.0, 90.0, 130.0, 130.0)


class Finds:
    """A detector that says what it is told to."""

    def __init__(self, *finds: tuple[Box, float]) -> None:
        self.finds = finds

    def find(self, frame_bgr: object, *, least_score: float) -> tuple[Candidate, ...]:
        return tuple(Candidate(box, (), score) for box, score in self.finds if score >= least_score)


def boxes(*finds: tuple[Box, float], dice: tuple[SeenDie, ...] = ()) -> list[Box]:
    return [f.box for f in find_figures(BLANK, cast("PyramidDetector", Finds(*finds)), dice)]


def test_figures_are_told_from_left_to_right_without_pose_or_place() -> None:
    other = (10.0, 50.0, 60.0, 150.0)
    figures = find_figures(BLANK, cast("PyramidDetector", Finds((KNIGHT, 0.9), (other, 0.6))), ())
    assert [f.box for f in figures] == [other, KNIGHT]
    assert {f.pose for f in figures} == {Pose.UNSURE}
    assert all(f.mm is None and f.height_mm is None for f in figures)


def test_a_part_of_a_figure_is_none_unless_the_larger_is_a_group() -> None:
    assert boxes((KNIGHT, 0.8), (SHIELD, 0.85)) == [KNIGHT]
    assert boxes((KNIGHT, 0.5), (SHIELD, 0.9)) == [SHIELD]


def test_what_is_read_as_a_die_is_no_figure() -> None:
    die = SeenDie((100.0, 100.0, 130.0, 130.0), 4, 0.9)
    near = (101.0, 99.0, 131.0, 131.0)
    assert boxes((near, 0.8), dice=(die,)) == []
    unread = SeenDie(die.box, None, 0.9)
    assert boxes((near, 0.8), dice=(unread,)) == [near]


def test_faint_finds_do_not_count() -> None:
    assert boxes((KNIGHT, LEAST_SCORE - 0.01)) == []


@pytest.mark.parametrize("fill", [0, 128, 255])
def test_nothing_stands_in_a_picture_of_one_colour(fill: int) -> None:
    assert observe(np.full((480, 640, 3), fill, np.uint8), None).figures == ()


def test_the_detector_is_shipped() -> None:
    assert shipped_figure_detector() is not None
