"""The view from above: millimetres fall where the drawing says, whatever way the camera looks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.mat import MAT
from calibration.sheets import draw_picture
from calibration.table_view import TableView
from deskref.page.above import MARGIN_MM, Above, AboveMaker, above_of
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind

MAP = above_of(MAT_TABLE)


def tilted(*, k1: float = 0.0) -> TableView:
    """A camera 50 degrees above the table, turned a little."""
    axes = cv2.Rodrigues(np.array([0.0, 0.0, 0.15]))[0]
    tilt = np.radians(50)
    down = np.array([[1, 0, 0], [0, -np.sin(tilt), -np.cos(tilt)], [0, np.cos(tilt), -np.sin(tilt)]])
    camera = np.array([[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]])
    return TableView(camera, np.array([k1, 0, 0, 0, 0]), down @ axes, np.array([0.0, 0.0, 480.0]), (1280, 720))


def test_the_map_has_the_far_left_corner_at_the_top_left() -> None:
    scale = MAP.px_per_mm
    assert MAP.size == (960, 960)
    assert MAP.to_frame([(-100, 100)])[0] == pytest.approx((MARGIN_MM * scale, MARGIN_MM * scale))
    assert MAP.to_frame([(100, -100)])[0] == pytest.approx((960 - MARGIN_MM * scale, 960 - MARGIN_MM * scale))


def test_points_go_there_and_back() -> None:
    points = np.array([(-63.0, 12.0), (0.0, 0.0), (99.0, -99.0)])
    assert MAP.to_table(MAP.to_frame(points, height_mm=30.0)) == pytest.approx(points)


def test_a_table_that_is_wider_than_deep_has_a_wide_map() -> None:
    wide = above_of(TableChoice(TableKind.TOKENS, 600.0, 500.0))
    assert wide.size[0] == 960
    assert wide.size[1] == pytest.approx(960 * (500 + 2 * MARGIN_MM) / (600 + 2 * MARGIN_MM), abs=1)


@pytest.mark.parametrize("k1", [0.0, -0.2], ids=["straight lens", "bent lens"])
def test_what_the_camera_sees_comes_out_where_it_lies(k1: float) -> None:
    """A dot on the table is in the map where the drawing would put it, within a pixel."""
    view = tilted(k1=k1)
    dots = [(-80.0, 80.0), (70.0, -60.0), (0.0, 0.0), (90.0, 90.0)]
    frame = np.full((720, 1280, 3), 200, np.uint8)
    for x, y in view.to_frame(dots):
        cv2.circle(frame, (round(16 * x), round(16 * y)), 16 * 5, (0, 0, 0), -1, cv2.LINE_AA, 4)
    seen = AboveMaker().picture(frame, view, MAP)
    for x, y in MAP.to_frame(dots):
        left, top = round(x) - 30, round(y) - 30
        darkness = 200.0 - np.minimum(seen[max(0, top) : top + 61, max(0, left) : left + 61, 0], 200).astype(float)
        rows, columns = np.nonzero(darkness > 20)
        weights = darkness[rows, columns]
        at = (np.average(columns, weights=weights) + left, np.average(rows, weights=weights) + top)
        assert at == pytest.approx((x, y), abs=1.0)


def test_the_map_is_kept_while_the_camera_stands_still() -> None:
    maker = AboveMaker()
    frame = np.zeros((720, 1280, 3), np.uint8)
    maker.picture(frame, tilted(), MAP)
    kept = maker._map
    maker.picture(frame, tilted(), MAP)
    assert maker._map is kept
    maker.picture(frame, tilted(k1=-0.2), MAP)
    assert maker._map is not kept


def test_the_printed_mat_comes_out_straight() -> None:
    """The mat's markers, warped into a camera's picture, are found in the map at their places."""
    view = tilted()
    sheet = cv2.cvtColor(draw_picture(MAT, px_per_mm=4.0), cv2.COLOR_GRAY2BGR)
    rows, columns = sheet.shape[:2]
    half_x, half_y = columns / 8, rows / 8
    sides = view.to_frame([(-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y)])
    corners = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, sides.astype(np.float32))
    frame = np.asarray(cv2.warpPerspective(sheet, warp, (1280, 720)), np.uint8)
    tall = Above(200.0, 270.0)
    seen = AboveMaker().picture(frame, view, tall)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found, ids, _ = detector.detectMarkers(seen)
    assert set(np.ravel(ids)) == {0, 1, 2, 3, 4, 5}
    for number, quad in zip(np.ravel(ids), found, strict=True):
        assert tall.to_table(quad.reshape(4, 2)) == pytest.approx(MAT.corners_mm[int(number)], abs=1.2)
