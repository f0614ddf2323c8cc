"""What marks the table: mat, tokens or clicked corners, and how it is followed."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.mat import MAT
from calibration.sheets import draw_picture, tokens_target
from calibration.table import TableNotFound
from calibration.table_view import TableView
from calibration.table_watch import Change
from calibration.tokens import turned_tokens
from calibration.view_quality import Concern, check_view
from deskref.calibrated import find_once
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind, TableSight
from deskref.view_advice import advice_on
from tests.calibration.simulated import draw_sheet, photograph, view_of


def picture() -> npt.NDArray[np.uint8]:
    """The mat from straight above, filling half of a picture with something to follow around."""
    sheet = cv2.cvtColor(draw_picture(MAT, px_per_mm=2.0), cv2.COLOR_GRAY2BGR)
    desk = np.random.default_rng(3).integers(60, 160, (90, 160, 3)).astype(np.uint8)
    frame = np.asarray(cv2.resize(desk, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    rows, columns = sheet.shape[:2]
    top, left = (720 - rows) // 2, (1280 - columns) // 2
    frame[top : top + rows, left : left + columns] = sheet
    return frame


CORNERS = tuple(
    ((640 + 2 * x) / 1280, (360 - 2 * y) / 720) for x, y in ((-100, 100), (100, 100), (100, -100), (-100, -100))
)


def test_the_mat_is_the_six_marker_sheet() -> None:
    assert MAT_TABLE.target is MAT
    assert MAT_TABLE.area.sheet_mm == (210.0, 297.0)


def test_tokens_lie_outside_the_corners_of_their_grid() -> None:
    choice = TableChoice(TableKind.TOKENS, 600.0, 500.0)
    assert choice.target.field_mm == (-300.0, -250.0, 300.0, 250.0)
    assert (choice.area.width_mm, choice.area.depth_mm, choice.area.sheet_mm) == (600.0, 500.0, None)


@pytest.mark.parametrize("corners", [(), CORNERS[:3]])
def test_clicked_corners_are_four(corners: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="four corners"):
        TableChoice(TableKind.CORNERS, corners=corners)


def test_the_mat_is_found_and_clicked_corners_say_the_same() -> None:
    """Both give the play area's corners within 1.5 mm: a straight view from above."""
    frame = picture()
    printed = TableSight(MAT_TABLE)
    view, change, _, advice = printed.follow(frame, 0.0)
    assert view is not None
    assert (change, advice) == (Change.FOUND, None)
    clicked = TableSight(TableChoice(TableKind.CORNERS, corners=CORNERS))
    by_hand, change, is_steady, _ = clicked.follow(frame, 0.0)
    assert by_hand is not None
    assert (change, is_steady) == (Change.FOUND, True)
    corners = [(-100.0, 100.0), (100.0, 100.0), (100.0, -100.0), (-100.0, -100.0)]
    assert np.abs(by_hand.to_frame(corners) - view.to_frame(corners)).max() < 3.0
    again, change, is_steady, _ = clicked.follow(frame, 0.1)
    assert again is not None
    assert (change, is_steady) == (None, True)


def test_corners_in_the_wrong_order_are_told() -> None:
    crossed = (CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3])
    view, _, _, advice = TableSight(TableChoice(TableKind.CORNERS, corners=crossed)).follow(picture(), 0.0)
    assert view is None
    assert advice is not None
    assert advice.startswith("Click the corners in the order far left")


WIDTH, DEPTH = 600.0, 500.0
TOKENS = TableChoice(TableKind.TOKENS, WIDTH, DEPTH)
TRUTH = view_of(turn_degrees=0, tilt_degrees=25, focal_share=0.9, reach_mm=(370, 320), fill=0.95)


@cache
def tokens(turns: tuple[float, float, float, float], without: tuple[int, ...] = ()) -> npt.NDArray[np.uint8]:
    """Corner tokens round a grid of 600 x 500 mm, each turned about its tip as it was laid."""
    laid = turned_tokens(tokens_target(WIDTH, DEPTH), turns)
    sheet = draw_sheet(laid, size_mm=(750, 640), px_per_mm=4, without=without)
    return np.asarray(cv2.cvtColor(photograph(sheet, TRUTH, px_per_mm=4, noise=3), cv2.COLOR_GRAY2BGR), np.uint8)


def off_mm(view: TableView) -> float:
    points = np.array([(x, y) for x in (-300.0, 0.0, 300.0) for y in (-250.0, 0.0, 250.0)])
    return float(np.linalg.norm(view.to_table(TRUTH.to_frame(points)) - points, axis=1).max())


@pytest.mark.parametrize("turns", [(0.0, 0.0, 0.0, 0.0), (2.0, -2.0, 1.0, 3.0), (4.0, -6.0, 3.0, 8.0)])
def test_tokens_are_followed_as_they_were_laid(turns: tuple[float, float, float, float]) -> None:
    """Taken as laid square, the second were followed 2.6 mm off, and the third not found at all."""
    frame = tokens(turns)
    sight = TableSight(TOKENS)
    changes = []
    for number in range(8):
        view, change, is_steady, advice = sight.follow(frame, number / 10)
        changes.append(change)
    assert changes[0] is Change.FOUND
    assert set(changes[1:]) == {None}
    assert view is not None
    assert (is_steady, advice) == (True, None)
    assert off_mm(view) < 0.3
    assert Concern.NOT_FLAT not in {a.concern for a in check_view(frame, view, target=sight.target)}
    once = find_once(frame, TOKENS)
    assert isinstance(once, TableView)
    assert off_mm(once) < 0.3
    advised = advice_on(frame, TOKENS)
    assert isinstance(advised, tuple)
    assert Concern.NOT_FLAT not in {a.concern for a in advised}


def test_once_placed_three_tokens_are_enough() -> None:
    turns = (4.0, -6.0, 3.0, 8.0)
    sight = TableSight(TOKENS)
    for number in range(6):
        sight.follow(tokens(turns), number / 10)
    view, change, is_steady, _ = sight.follow(tokens(turns, (12,)), 0.6)
    assert view is not None
    assert (view.markers, change, is_steady) == (3, None, True)
    assert off_mm(view) < 0.5


def test_before_that_all_four_are_wanted() -> None:
    view, _, _, advice = TableSight(TOKENS).follow(tokens((4.0, -6.0, 3.0, 8.0), (12,)), 0.0)
    assert view is None
    assert advice == "Only 3 of the mat's black squares can be seen."


@pytest.mark.parametrize("size", [(500.0, 500.0), (600.0, 300.0), (300.0, 250.0)])
def test_a_mistyped_size_of_the_table_is_told(size: tuple[float, float]) -> None:
    choice = TableChoice(TableKind.TOKENS, *size)
    view, _, _, advice = TableSight(choice).follow(tokens((0.0, 0.0, 0.0, 0.0)), 0.0)
    assert view is None
    assert advice == "The corner tokens do not lie as round a grid of this size."
    assert isinstance(find_once(tokens((0.0, 0.0, 0.0, 0.0)), choice), TableNotFound)


def test_tokens_that_are_laid_anew_are_measured_anew() -> None:
    """After three seconds out of sight they may lie otherwise."""
    blank = np.full((720, 1280, 3), 120, np.uint8)
    sight = TableSight(TOKENS)
    for number in range(6):
        sight.follow(tokens((4.0, -6.0, 3.0, 8.0)), number / 10)
    for number in range(40):
        sight.follow(blank, 20 + number / 10)
    for number in range(8):
        view, _, is_steady, _ = sight.follow(tokens((2.0, -2.0, 1.0, 3.0)), 30 + number / 10)
    assert view is not None
    assert is_steady
    assert off_mm(view) < 0.3
