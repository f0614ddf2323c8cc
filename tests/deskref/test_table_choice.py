"""What marks the table: mat, tokens or clicked corners, and how it is followed."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.mat import MAT
from calibration.sheets import draw_picture
from calibration.table_watch import Change
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind, TableSight


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
