"""Pictures of what was read."""

from __future__ import annotations

import numpy as np

from deskref.drawn_dice import PAPER_BGR, draw_dice
from vision.observation import SeenDie


def die(value: int | None, why: str | None = None) -> SeenDie:
    return SeenDie((30, 30, 60, 60), value, 0.9, why=why)


def test_a_picture_without_question_marks_keeps_its_shape_and_the_original_is_left_alone() -> None:
    image = np.zeros((100, 120, 3), np.uint8)
    drawn = draw_dice(image, [die(4)])
    assert drawn.shape == image.shape
    assert drawn.any()
    assert not image.any()


def test_each_question_mark_gets_a_line_of_its_own_below() -> None:
    image = np.zeros((100, 120, 3), np.uint8)
    one = draw_dice(image, [die(None, "its top face cannot be made out"), die(3)])
    two = draw_dice(image, [die(None, "a"), die(None, "b" * 300)])
    assert 100 < one.shape[0] < two.shape[0] + 60
    assert one.shape[1] >= 480
    below = one[100:].reshape(-1, 3)
    assert (below == PAPER_BGR).all(axis=1).mean() > 0.5
    assert (below < 120).all(axis=1).any()
