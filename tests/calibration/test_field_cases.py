"""The ArUco cases that other products' users reported, one test each, named after the case."""

from __future__ import annotations

import ast
from pathlib import Path

import cv2
import numpy as np
import pytest

import calibration
from calibration.lens_views import LensViews, Verdict, add_view
from calibration.markers import Marker, consistent, detect, find_markers
from calibration.mat import MAT
from calibration.table import TableNotFound, TableProblem, find_table
from calibration.table_view import TableView
from calibration.table_watch import Status, start_watch, watch
from calibration.target import Target
from tests.calibration.simulated import (
    SHEET_PX_PER_MM,
    Image,
    cover,
    draw_sheet,
    errors_mm,
    expose,
    frame,
    photograph,
    view_of,
)

SIZE = (960, 540)
TRUTH = view_of(size=SIZE, tilt_degrees=25, focal_share=0.9)


@pytest.fixture(scope="module")
def table() -> Image:
    return photograph(draw_sheet(), TRUTH, noise=3)


def not_found(image: Image) -> TableNotFound:
    found = find_table(image)
    assert isinstance(found, TableNotFound), found
    assert found.message
    assert found.advice
    return found


def test_a1_no_function_that_opencv_5_dropped_is_used() -> None:
    """A1: the free ArUco functions are gone in 5.0; their names must not even be written here."""
    gone = {
        "detectMarkers",
        "Dictionary_get",
        "DetectorParameters_create",
        "estimatePoseSingleMarkers",
        "estimatePoseBoard",
        "drawAxis",
        "interpolateCornersCharuco",
        "CharucoBoard_create",
        "getBoardObjectAndImagePoints",
        "calibrateCameraCharuco",
    }
    folder = Path(calibration.__file__).parent
    used = {
        node.attr
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "aruco"
    }
    assert used
    assert not used & gone


@pytest.mark.parametrize("margin_mm", [2.0, 4.0, 8.0])
def test_a2_half_a_module_of_white_margin_on_a_dark_cloth_is_enough(margin_mm: float) -> None:
    """A2: markers without a white margin are never found; the printed one is 4 mm, and sheets get cut."""
    assert isinstance(find_table(on_dark(margin_mm)), TableView)


def test_a2_markers_without_any_margin_are_not_guessed() -> None:
    not_found(on_dark(0.0))


def on_dark(margin_mm: float) -> Image:
    sheet = draw_sheet(paper=235)
    rows, columns = sheet.shape
    keep = np.zeros_like(sheet)
    for corners in MAT.corners_mm.values():
        (left, far), (right, near) = corners[0], corners[2]
        x0, x1 = (columns / 2 + (x + d) * SHEET_PX_PER_MM for x, d in ((left, -margin_mm), (right, margin_mm)))
        y0, y1 = (rows / 2 - (y + d) * SHEET_PX_PER_MM for y, d in ((far, margin_mm), (near, -margin_mm)))
        keep[round(y0) : round(y1), round(x0) : round(x1)] = 1
    return photograph(np.where(keep, sheet, 25).astype(np.uint8), TRUTH, noise=3)


def test_a3_a_mirrored_picture_is_said_to_be_mirrored(table: Image) -> None:
    """A3: selfie cameras flip; the markers are then found nowhere."""
    found = not_found(np.ascontiguousarray(table[:, ::-1]))
    assert found.problem is TableProblem.MIRRORED
    assert "mirror" in found.advice


def test_a4_small_markers_are_found_at_the_second_scale() -> None:
    """A4: markers of 12 px in a 640x480 picture; OpenCV 5 finds none of them at the picture's own size."""
    truth = view_of(size=(640, 480), tilt_degrees=20, fill=0.25)
    image = photograph(draw_sheet(), truth, noise=2, blur_px=0.6)
    view = find_table(image)
    assert isinstance(view, TableView)
    assert 24 * view.px_per_mm() < 13
    assert errors_mm(view, truth).max() < 0.6


@pytest.mark.parametrize("blur_px", [1.0, 2.0, 3.0])
def test_a4_blur_of_up_to_three_pixels_is_borne(table: Image, blur_px: float) -> None:
    view = find_table(expose(table, blur_px=blur_px))
    assert isinstance(view, TableView)
    assert errors_mm(view, TRUTH).max() < 0.3


def test_a4_what_is_too_small_or_too_blurred_is_said(table: Image) -> None:
    tiny = photograph(draw_sheet(), view_of(size=(640, 480), tilt_degrees=20, fill=0.2), blur_px=0.6)
    assert not_found(tiny).problem in (TableProblem.TOO_SMALL, TableProblem.TOO_FEW)
    assert not_found(expose(table, blur_px=12)).problem is TableProblem.BLURRED


@pytest.mark.parametrize("hidden", [(0,), (2, 4), (0, 1, 5)])
def test_a5_markers_that_fail_at_one_angle_are_done_without(hidden: tuple[int, ...]) -> None:
    """A5: any three that are not all in a row place the table."""
    image = photograph(draw_sheet(without=hidden), TRUTH, noise=4, seed=3)
    view = find_table(image)
    assert isinstance(view, TableView)
    assert set(view.marker_ids) == set(MAT.ids) - set(hidden)
    assert errors_mm(view, TRUTH).max() < 0.5


def test_a5_a_figure_on_a_part_of_a_marker_does_not_pull_the_table(table: Image) -> None:
    corner = TRUTH.to_frame(MAT.corners_mm[3])
    figure = [
        (float(x) + dx, float(y) + dy) for (x, y) in corner[1:2] for dx, dy in ((-9, -40), (9, -40), (9, 9), (-9, 9))
    ]
    view = find_table(cover(table, figure, gray=60))
    assert isinstance(view, TableView)
    assert errors_mm(view, TRUTH).max() < 0.2


@pytest.mark.parametrize("name", ["DICT_6X6_250", "DICT_5X5_100", "DICT_APRILTAG_36h11", "DICT_ARUCO_ORIGINAL"])
def test_a6_markers_of_another_dictionary_are_named(name: str) -> None:
    """A6: sheets printed from another program look right to a player."""
    other = Target("other", dict(MAT.corners_mm), MAT.field_mm, name)
    found = not_found(photograph(draw_sheet(other), TRUTH, noise=3))
    assert found.problem is TableProblem.WRONG_DICTIONARY
    assert found.detail.split("_")[1] == name.split("_")[1]
    assert found.detail in found.message


def test_a6_tokens_on_the_table_where_the_mat_is_meant_are_named() -> None:
    tokens = Target("tokens", {10 + n: corners for n, corners in MAT.corners_mm.items()}, MAT.field_mm)
    found = not_found(photograph(draw_sheet(tokens), TRUTH, noise=3))
    assert found.problem is TableProblem.OTHER_SHEET
    assert found.detail == "10, 11, 12, 13, 14, 15"


def test_a7_false_and_doubled_markers_are_outvoted(table: Image) -> None:
    """A7: a second sheet under the mat, a marker on a phone, texture that decodes by chance."""
    decoys = table.copy()
    other = photograph(draw_sheet(), view_of(size=SIZE, tilt_degrees=10, turn_degrees=10, fill=0.3), noise=3)
    decoys[:150, :200] = other[195:345, 380:580]
    decoys[400:500, 20:120] = np.kron(
        np.pad(np.random.default_rng(2).integers(0, 2, (4, 4)), 1), np.full((17, 17), 255)
    )[:100, :100].clip(20, 235)
    view = find_table(decoys)
    assert isinstance(view, TableView)
    assert errors_mm(view, TRUTH).max() < 0.2


def test_a7_a_false_marker_with_a_true_number_is_not_believed() -> None:
    corners = {number: TRUTH.to_frame(MAT.corners_mm[number]) for number in MAT.ids}
    true = [Marker(number, corners[number]) for number in (0, 1, 2, 4)]
    false = Marker(5, corners[5] + (60.0, -35.0))
    doubled = Marker(0, corners[0] * 0.5 + 100)
    mirrored = Marker(3, corners[3][::-1].copy())
    kept = consistent((*true, false, doubled, mirrored), MAT)
    assert [marker.number for marker in kept] == [0, 1, 2, 4]
    assert kept[0].corners_px == pytest.approx(corners[0])


def test_a7_noise_and_wood_hold_no_table() -> None:
    random = np.random.default_rng(4)
    noise = random.integers(0, 255, (270, 480), dtype=np.uint8)
    checks = np.kron(random.integers(0, 2, (27, 48)), np.full((10, 10), 220)).astype(np.uint8)
    for image in (noise, checks, cv2.GaussianBlur(noise, (0, 0), 3)):
        not_found(np.asarray(image, np.uint8))


@pytest.mark.parametrize("tilt", [0.0, 1.0, 3.0])
def test_a8_facing_the_camera_the_pose_does_not_flip(tilt: float) -> None:
    """A8: single markers have two poses when seen from the front; the whole mat must have one, frame after frame."""
    truth = view_of(size=SIZE, tilt_degrees=tilt, focal_share=0.85)
    clean = photograph(draw_sheet(), truth)
    state = start_watch()
    places = []
    for number in range(10):
        state, view, _ = watch(state, frame(clean, number), number / 30)
        assert view is not None
        places.append(view.camera_mm)
    away = np.array(places)[:, :2] - truth.camera_mm[:2]
    assert float(np.abs(away).max()) < 12
    assert float(np.ptp(away, axis=0).max()) < 6


def test_a10_a_lens_board_on_the_table_is_not_the_mat() -> None:
    """A10: only this program's own sheets count, each for its own purpose."""
    from tests.calibration.test_lens_views import shot

    assert isinstance(find_table(shot()), TableNotFound)
    assert add_view(LensViews(), photograph(draw_sheet(), TRUTH))[1] is Verdict.NO_BOARD


def test_c13_an_enlarged_picture_is_said_to_be_soft() -> None:
    """C13: the camera was asked for 1280x720 and sends 426x240 enlarged."""
    from calibration.view_quality import Concern, check_view

    truth = view_of(tilt_degrees=20, focal_share=0.9)
    sharp = photograph(draw_sheet(), truth, noise=2)
    small = cv2.resize(sharp, (426, 240), interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.resize(small, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    for image, expected in ((sharp, False), (soft, True)):
        view = find_table(image)
        assert isinstance(view, TableView)
        concerns = {advice.concern for advice in check_view(image, view)}
        assert (Concern.BLURRED in concerns) is expected


@pytest.mark.parametrize("tilt", [5.0, 15.0])
def test_c14_a_squeezed_picture_is_measured_and_reported(tilt: float) -> None:
    """C14: 4:3 squeezed into 16:9. The table still has its millimetres, and the player is told."""
    from calibration.view_quality import Concern, check_view

    truth = view_of(size=(960, 720), tilt_degrees=tilt, focal_share=0.9)
    whole = photograph(draw_sheet(), truth, noise=2)
    squeezed = np.asarray(cv2.resize(whole, SIZE, interpolation=cv2.INTER_AREA), np.uint8)
    view = find_table(squeezed)
    assert isinstance(view, TableView)
    points = np.array([(x, y) for x in (-100.0, 0.0, 100.0) for y in (-100.0, 0.0, 100.0)])
    seen = (truth.to_frame(points) + 0.5) * (1, 0.75) - 0.5
    assert float(np.linalg.norm(view.to_table(seen) - points, axis=1).max()) < 0.2
    stretched = [advice for advice in check_view(squeezed, view) if advice.concern is Concern.STRETCHED]
    assert len(stretched) == 1
    assert stretched[0].value == pytest.approx(0.75, abs=0.01)


def test_c14_black_side_bars_do_not_matter(table: Image) -> None:
    barred = cv2.copyMakeBorder(table, 0, 0, 120, 120, cv2.BORDER_CONSTANT, value=0)
    view = find_table(np.asarray(barred, np.uint8))
    assert isinstance(view, TableView)
    points = np.array([(90.0, 90.0), (-90.0, -90.0)])
    assert view.to_frame(points) == pytest.approx(TRUTH.to_frame(points) + np.array([120.0, 0.0]), abs=0.3)


@pytest.mark.parametrize("level", [0, 6, 255])
def test_an_empty_picture_has_no_table_and_says_so(level: int) -> None:
    found = not_found(np.full((480, 640, 3), level, np.uint8))
    assert (found.problem is TableProblem.TOO_DARK) is (level < 25)


def test_what_is_no_picture_is_refused() -> None:
    for wrong in (np.zeros((50, 50, 2), np.uint8), np.zeros((50, 50), np.float32), None):
        with pytest.raises(ValueError, match="expected"):
            find_table(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="7"):
        find_table(np.zeros((50, 50), np.uint8), print_scale=7)


def test_two_markers_are_too_few_unless_asked_for(table: Image) -> None:
    image = photograph(draw_sheet(without=(1, 2, 3, 4)), TRUTH, noise=3)
    found = not_found(image)
    assert found.problem is TableProblem.TOO_FEW
    assert found.seen == (0, 5)
    assert "2" in found.message
    rough = find_table(image, min_markers=2)
    assert isinstance(rough, TableView)
    assert errors_mm(rough, TRUTH).max() < 6


def test_the_order_of_detections_changes_nothing(table: Image) -> None:
    markers = detect(table, MAT.dictionary)
    forwards, backwards = consistent(markers, MAT), consistent(markers[::-1], MAT)
    assert [m.number for m in forwards] == [m.number for m in backwards] == [m.number for m in find_markers(table, MAT)]


def test_a_view_near_by_finds_the_same_table_without_a_search(table: Image) -> None:
    first = find_table(table)
    assert isinstance(first, TableView)
    again = find_table(table, near=first)
    assert isinstance(again, TableView)
    assert again.to_frame([(50.0, 50.0)]) == pytest.approx(first.to_frame([(50.0, 50.0)]), abs=0.05)


def test_status_is_never_seen_without_a_view() -> None:
    state = start_watch()
    for number in range(6):
        state, view, _ = watch(state, np.full((120, 160), 90, np.uint8), number / 30)
        assert view is None
        assert state.status is Status.LOST
