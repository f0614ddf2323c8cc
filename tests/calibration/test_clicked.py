"""Four clicked corners, kept without markers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.clicked import ClickedState, follow_clicked, start_clicked
from calibration.stillness import Stillness, landmarks_of, stillness
from calibration.table_view import TableView
from calibration.table_watch import Change, Status
from tests.calibration.simulated import Image, cover, draw_sheet, errors_mm, frame, on_desk, photograph, view_of

SIZE = (960, 540)
FIELD = np.array([(-100.0, 100.0), (100.0, 100.0), (100.0, -100.0), (-100.0, -100.0)])
BEFORE = view_of(size=SIZE, tilt_degrees=30, focal_share=0.85, fill=0.85)
AFTER = view_of(size=SIZE, tilt_degrees=33, turn_degrees=94, focal_share=0.85, fill=0.8, aside_mm=(7, -5))
HANDS = [(0, 25), (930, 25), (930, 440), (480, 270), (190, 540), (0, 540)]


@pytest.fixture(scope="module")
def pictures() -> tuple[Image, Image]:
    """A table without any markers, before and after a bump."""
    sheet = draw_sheet(without=range(6))
    for index in range(12):
        cv2.circle(sheet, (300 + 90 * index, 500 + 130 * (index % 7)), 30 + 3 * index, 60 + 12 * index, -1)
    desk = on_desk(sheet)
    return photograph(desk, BEFORE), photograph(desk, AFTER)


@pytest.fixture
def state(pictures: tuple[Image, Image]) -> ClickedState:
    return start_clicked(pictures[0], BEFORE.to_frame(FIELD), width_mm=200, depth_mm=200)


def play(
    state: ClickedState, clean: Image, count: int, *, first: int
) -> tuple[ClickedState, list[TableView | None], list[Change]]:
    views, changes = [], []
    for number in range(first, first + count):
        state, view, change = follow_clicked(state, frame(clean, number), number / 30)
        views.append(view)
        changes += [change] if change else []
    return state, views, changes


def test_clicked_corners_measure_the_table(state: ClickedState) -> None:
    assert errors_mm(state.view, BEFORE).max() < 0.05
    assert 0.1 < state.view.uncertainty_mm((100.0, 100.0)) < 2


def test_a_still_camera_and_hands_change_nothing(pictures: tuple[Image, Image], state: ClickedState) -> None:
    state, _, changes = play(state, pictures[0], 5, first=0)
    state, views, more = play(state, cover(pictures[0], HANDS), 10, first=5)
    assert changes + more == []
    assert state.status is Status.SEEN
    assert all(view is not None and errors_mm(view, BEFORE).max() < 0.05 for view in views)


def test_bumps_are_followed_by_the_picture_alone(pictures: tuple[Image, Image], state: ClickedState) -> None:
    state, _, _ = play(state, pictures[0], 3, first=0)
    number = 3
    for _ in range(3):
        for clean, truth in ((pictures[1], AFTER), (pictures[0], BEFORE)):
            state, views, changes = play(state, clean, 4, first=number)
            number += 4
            assert changes == [Change.MOVED]
            assert views[-1] is not None
            assert errors_mm(views[-1], truth).max() < 0.4


def test_darkness_loses_the_table_and_light_finds_it(pictures: tuple[Image, Image], state: ClickedState) -> None:
    state, _, _ = play(state, pictures[0], 3, first=0)
    state, views, changes = play(state, (pictures[0] * 0.02).astype(np.uint8), 15, first=3)
    assert changes == [Change.LOST]
    assert views == [None] * 15
    state, views, changes = play(state, pictures[1], 8, first=18)
    assert changes == [Change.FOUND]
    assert views[-1] is not None
    assert errors_mm(views[-1], AFTER).max() < 0.4


def test_another_scene_is_not_taken_for_the_table(pictures: tuple[Image, Image], state: ClickedState) -> None:
    random = np.random.default_rng(3)
    other = cv2.resize(random.integers(0, 255, (27, 48), dtype=np.uint8), SIZE)
    state, views, changes = play(state, np.asarray(other, np.uint8), 20, first=0)
    assert changes == [Change.LOST]
    assert views[5:] == [None] * 15


@pytest.mark.parametrize(
    "corners",
    [
        FIELD[::-1],
        FIELD[[0, 2, 1, 3]],
        FIELD[:3],
        np.array([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]),
    ],
)
def test_corners_in_the_wrong_order_are_refused(pictures: tuple[Image, Image], corners: np.ndarray) -> None:
    pixels = BEFORE.to_frame(corners) if corners.max() > 10 else corners
    with pytest.raises(ValueError, match="corners"):
        start_clicked(pictures[0], pixels, width_mm=200, depth_mm=200)


def test_a_table_without_size_is_refused(pictures: tuple[Image, Image]) -> None:
    with pytest.raises(ValueError, match="0"):
        start_clicked(pictures[0], BEFORE.to_frame(FIELD), width_mm=0, depth_mm=200)


def test_a_picture_without_any_noise_has_landmarks_too() -> None:
    """Burnt-out paper, a screen's picture: rounding must not leave a place without a number."""
    view = view_of(size=(1280, 720), tilt_degrees=30)
    picture = photograph(draw_sheet(), view)
    assert len(landmarks_of(picture).places) > 20
    assert stillness(landmarks_of(picture), picture) is Stillness.STILL
