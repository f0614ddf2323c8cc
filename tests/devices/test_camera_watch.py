"""Whether a live picture shows what happens now."""

from __future__ import annotations

import numpy as np
import pytest

from devices.camera import FROZEN_S, TroubleCode
from devices.camera_watch import (
    BLACK_LEVEL,
    LOST_S,
    STALLED_S,
    Sight,
    Watch,
    fingerprint,
    is_black,
    note_frame,
    sight,
)
from tests.devices.fakes import Image, PictureMaker, black_picture


def watched(pictures: list[Image], *, each_s: float = 1 / 30) -> tuple[Watch, list[bool], float]:
    watch, passed, time_s = Watch(0.0), [], 0.0
    for picture in pictures:
        time_s += each_s
        watch, is_passed = note_frame(watch, picture, time_s=time_s)
        passed.append(is_passed)
    return watch, passed, time_s


def test_pictures_with_noise_are_all_passed_on() -> None:
    make = PictureMaker()
    watch, passed, time_s = watched([make() for _ in range(200)])
    assert all(passed)
    assert sight(watch, time_s=time_s, first_frame_s=5, frozen_s=FROZEN_S) == (Sight.NOW, None)


def test_c5_a_repeated_picture_is_not_passed_on_and_becomes_a_loss() -> None:
    """C5: after unplugging, `read` goes on to succeed with the last picture."""
    make = PictureMaker()
    last = make()
    watch, passed, _ = watched([make(), last] + [last.copy() for _ in range(29)])
    assert passed == [True, True] + [False] * 29
    good_s = 2 / 30
    lost_s = FROZEN_S + LOST_S - STALLED_S
    seen = []
    for after_s in (FROZEN_S - 0.01, FROZEN_S + 0.01, lost_s - 0.01, lost_s + 0.01):
        later, _ = note_frame(watch, last.copy(), time_s=good_s + after_s)
        seen.append(sight(later, time_s=good_s + after_s, first_frame_s=5, frozen_s=FROZEN_S))
    assert [how for how, _ in seen] == [Sight.NOW, Sight.OLD, Sight.OLD, Sight.LOST]
    assert [trouble and trouble.code for _, trouble in seen] == [None] + [TroubleCode.SAME_FRAME] * 3


def test_silence_is_noticed_sooner_than_repetition() -> None:
    watch, _, time_s = watched([PictureMaker()()])
    for after_s, kind in ((STALLED_S - 0.01, Sight.NOW), (STALLED_S + 0.01, Sight.OLD), (LOST_S + 0.01, Sight.LOST)):
        assert sight(watch, time_s=time_s + after_s, first_frame_s=5, frozen_s=FROZEN_S)[0] is kind


def test_a_film_stream_may_repeat_a_still_picture_for_longer() -> None:
    """H.264 leaves a still table unchanged between its key frames."""
    still = PictureMaker()()
    watch, _, time_s = watched([still.copy() for _ in range(300)])
    assert sight(watch, time_s=time_s, first_frame_s=5, frozen_s=30) == (Sight.NOW, None)


@pytest.mark.parametrize("ring", [2, 3, 4, 8])
def test_c16_a_stuck_queue_that_goes_round_in_a_circle_is_repetition(ring: int) -> None:
    """C5 and C16: a stuck driver may show its last few buffers in turn."""
    make = PictureMaker()
    buffers = [make() for _ in range(ring)]
    _, passed, _ = watched([buffers[i % ring].copy() for i in range(5 * ring)])
    assert passed == [True] * ring + [False] * (4 * ring)


def test_no_frame_at_all_is_told_as_such() -> None:
    watch, _, time_s = watched([PictureMaker()()])
    how, trouble = sight(watch, time_s=time_s + STALLED_S + 0.01, first_frame_s=5, frozen_s=FROZEN_S)
    assert how is Sight.OLD
    assert trouble is not None
    assert trouble.code is TroubleCode.NO_FRAMES


def test_the_first_frame_may_take_longer() -> None:
    watch = Watch(10.0)
    assert sight(watch, time_s=18.0, first_frame_s=8.5, frozen_s=FROZEN_S)[0] is Sight.WAITING
    assert sight(watch, time_s=18.6, first_frame_s=8.5, frozen_s=FROZEN_S)[0] is Sight.LOST


def test_c4_black_pictures_are_not_passed_on_and_told_after_a_second() -> None:
    """C4: a metadata node or a camera held by another program "opens fine" and gives black."""
    watch, passed, time_s = watched([black_picture() for _ in range(45)])
    assert not any(passed)
    how, trouble = sight(watch, time_s=time_s, first_frame_s=5, frozen_s=FROZEN_S)
    assert how is Sight.WAITING
    assert trouble is not None
    assert trouble.code is TroubleCode.BLACK
    assert "lens cover" in trouble.remedy


def test_c4_a_lens_covered_while_playing_stops_the_rulings_and_is_not_a_loss() -> None:
    make = PictureMaker()
    watch, passed, time_s = watched([make() for _ in range(30)] + [black_picture() for _ in range(300)])
    assert passed == [True] * 30 + [False] * 300
    how, trouble = sight(watch, time_s=time_s, first_frame_s=5, frozen_s=FROZEN_S)
    assert how is Sight.OLD
    assert trouble is not None
    assert trouble.code is TroubleCode.BLACK
    watch, is_passed = note_frame(watch, make(), time_s=time_s + 0.1)
    assert is_passed
    assert sight(watch, time_s=time_s + 0.1, first_frame_s=5, frozen_s=FROZEN_S) == (Sight.NOW, None)


def test_a_hand_over_the_lens_for_half_a_second_is_not_told() -> None:
    make = PictureMaker()
    watch, _, time_s = watched([make() for _ in range(30)] + [black_picture() for _ in range(15)])
    assert sight(watch, time_s=time_s, first_frame_s=5, frozen_s=FROZEN_S) == (Sight.NOW, None)


@pytest.mark.parametrize(("level", "black"), [(0, True), (BLACK_LEVEL, True), (BLACK_LEVEL + 1, False), (120, False)])
def test_black_is_a_matter_of_level(level: int, black: bool) -> None:
    assert is_black(np.full((48, 64, 3), level, np.uint8)) is black


def test_a_dark_table_with_one_lit_thing_is_not_black() -> None:
    """C11: what is dark but shows something is for the advice, not for the watch."""
    image = np.full((720, 1280, 3), 8, np.uint8)
    image[300:420, 600:720] = 90
    assert not is_black(image)


def test_c19_banding_of_lamps_is_neither_black_nor_repeated() -> None:
    """C19: 50 or 60 Hz lamps move a dark band through the picture."""
    make = PictureMaker(size=(128, 96), level=60)
    rows = np.arange(96)[:, np.newaxis, np.newaxis]
    pictures = []
    for number in range(90):
        band = 0.5 + 0.5 * np.sin(2 * np.pi * (rows / 96 - number / 9))
        pictures.append((make() * band).astype(np.uint8))
    watch, passed, time_s = watched(pictures)
    assert all(passed)
    assert sight(watch, time_s=time_s, first_frame_s=5, frozen_s=FROZEN_S) == (Sight.NOW, None)


def test_c12_c10_a_drifting_gain_or_colour_is_neither_black_nor_repeated() -> None:
    """C10 and C12: exposure and white balance that cannot be locked drift."""
    make = PictureMaker()
    gains = np.linspace(0.4, 1.6, 120)
    pictures = [np.clip(make() * np.array([g, 1.0, 2 - g]), 0, 255).astype(np.uint8) for g in gains]
    _, passed, _ = watched(pictures)
    assert all(passed)


def test_the_same_pixels_in_another_shape_are_another_picture() -> None:
    image = PictureMaker(size=(64, 48))()
    assert fingerprint(image) != fingerprint(image.reshape(64, 48, 3))


def test_a_watch_does_not_grow() -> None:
    make = PictureMaker()
    watch, _, _ = watched([make() for _ in range(500)])
    assert len(watch.recent) <= 8
