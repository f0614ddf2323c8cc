"""The empty table, learnt or guessed, and what stands out from it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn_table import DrawnTable, camera, empty_table
from vision.ground import guess_ground, learn_ground, learnt_on_sheet, log_opponent, sheet_mask
from vision.rectify import top_view
from vision.stand_out import stands_out


def test_a_lamp_turned_up_shifts_everything_alike() -> None:
    """Except in the dark, where the sensor's own noise rules."""
    picture = np.full((8, 8, 3), (80, 120, 160), np.uint8)
    brighter = np.full((8, 8, 3), (100, 150, 200), np.uint8)
    difference = log_opponent(brighter) - log_opponent(picture)
    assert difference[..., 0] == pytest.approx(np.log(1.25), abs=0.02)
    assert np.abs(difference[..., 1:]).max() < 0.02


@pytest.mark.parametrize("sheet", [215, 60])
def test_the_sheet_is_guessed_from_a_picture_with_things_on_it(sheet: int) -> None:
    view = camera()
    frame = empty_table(view, sheet=sheet)
    top = top_view(view)
    bare = top.from_frame(frame)
    cv2.circle(frame, (640, 330), 110, (40, 40, 200), -1)
    ground = guess_ground(top.from_frame(frame), top)
    inner = sheet_mask(top, inset_mm=4.0) & ~ground.printed
    off = np.abs(ground.difference(bare))[inner]
    assert np.median(off[:, 0]) < 0.03
    assert not ground.learnt


@pytest.mark.parametrize("is_learnt", [True, False])
def test_what_is_put_down_stands_out_and_nothing_else(is_learnt: bool) -> None:
    table = DrawnTable(1)
    top = top_view(table.view)
    empties = [top.from_frame(table.image()) for _ in range(4)]
    table.die((40.0, 40.0), 4, "red")
    table.paint(table.figure((-40.0, 20.0), ()), (60, 60, 190))
    picture = top.from_frame(table.image())
    ground = learn_ground(empties, top) if is_learnt else guess_ground(picture, top)
    mask = stands_out(picture, top, ground) & sheet_mask(top, inset_mm=6.0)
    for mm in ((40.0, 40.0), (-40.0, 20.0)):
        column, row = np.round(top.to_top([mm])[0]).astype(int)
        assert mask[row - 6 : row + 6, column - 6 : column + 6].mean() > 0.9
        mask[row - 140 : row + 60, column - 60 : column + 60] = False
    assert mask.mean() < 0.001


def test_print_that_was_learnt_is_no_thing_even_half_a_millimetre_off() -> None:
    view = camera()
    frame = empty_table(view)
    top = top_view(view)
    ground = learn_ground([top.from_frame(frame)], top)
    shifted = np.roll(frame, 1, axis=1)
    mask = stands_out(top.from_frame(shifted), top, ground)
    assert (mask & sheet_mask(top, inset_mm=3.0)).mean() < 0.002


def test_a_mat_learnt_from_one_side_holds_from_another() -> None:
    first, second = camera(azimuth=-90), camera(azimuth=-75, elevation=55)
    top_one, top_two = top_view(first), top_view(second)
    learnt = learn_ground([top_one.from_frame(empty_table(first))], top_one)
    picture = top_two.from_frame(empty_table(second))
    joined = learnt_on_sheet(learnt, top_one.seen, guess_ground(picture, top_two))
    inner = sheet_mask(top_two, inset_mm=4.0) & top_one.seen
    assert np.quantile(np.abs(joined.difference(picture)[inner][:, 0]), 0.99) < 0.12


def test_learning_takes_at_least_one_picture() -> None:
    with pytest.raises(ValueError, match="at least one"):
        learn_ground([], top_view(camera()))
