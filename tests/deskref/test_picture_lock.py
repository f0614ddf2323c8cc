"""C10, C12, C18: a camera holds its picture while the table is in view, and lets go when the light changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deskref.eyes import Seen
from deskref.picture_lock import CALM_S, OTHER_LIGHT_S, Ask, PictureLock, next_ask
from devices.camera_loop import CameraState, CameraStatus
from devices.frame import Frame
from devices.picture_quality import Quality
from tests.calibration.simulated import view_of
from vision.observation import Observation, SeenHand, TableSeen

IMAGE = np.zeros((48, 64, 3), np.uint8)
VIEW = view_of()
STATUS = CameraStatus(CameraState.LIVE, "cam", "cam", quality=Quality(120.0, 2.0, 1.0, 0), openings=1)


def seen(time_s: float, *, found: bool = True, steady: bool = True, hand: bool = False) -> Seen:
    hands = (SeenHand(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))),) if hand else ()
    table = TableSeen(found, steady=steady)
    observation = Observation(round(time_s * 10), time_s, (64, 48), table, hands=hands)
    return Seen(Frame(IMAGE, time_s, round(time_s * 10)), VIEW if found else None, observation, ())


class Play:
    """Time that passes, ten frames a second, and what was asked of the camera, with when."""

    def __init__(self) -> None:
        self.time_s, self.lock, self.status = 0.0, PictureLock(), STATUS
        self.asked: list[tuple[float, Ask]] = []

    def run(self, seconds: float, *, brightness: float = 120.0, **what: bool) -> None:
        for _ in range(round(seconds * 10)):
            self.status = replace(self.status, quality=Quality(brightness, 2.0, 1.0, 0))
            self.lock, ask = next_ask(self.lock, seen(self.time_s, **what), self.status)
            if ask is not None:
                self.asked.append((round(self.time_s, 1), ask))
            self.time_s += 0.1


def test_the_picture_is_held_once_when_the_table_has_been_in_view_for_a_while() -> None:
    play = Play()
    play.run(2, found=False)
    play.run(2)
    play.run(1, hand=True)
    assert play.asked == []
    play.run(60)
    assert [ask for _, ask in play.asked] == [Ask.LOCK]
    assert 5.0 + CALM_S <= play.asked[0][0] <= 5.3 + CALM_S


def test_a_table_that_shakes_is_not_calm() -> None:
    play = Play()
    play.run(20, steady=False)
    assert play.asked == []


def test_a_lamp_that_goes_out_lets_the_camera_find_its_exposure_and_hold_it_again() -> None:
    play = Play()
    play.run(15)
    play.run(OTHER_LIGHT_S + 1, brightness=50)
    play.run(20, brightness=95)
    assert [ask for _, ask in play.asked] == [Ask.LOCK, Ask.UNLOCK, Ask.LOCK]


def test_a_hand_that_darkens_the_picture_for_a_moment_changes_nothing() -> None:
    play = Play()
    play.run(15)
    for _ in range(5):
        play.run(OTHER_LIGHT_S - 1, brightness=60, hand=True)
        play.run(2)
    assert [ask for _, ask in play.asked] == [Ask.LOCK]


def test_a_camera_that_was_unplugged_and_opened_again_is_asked_again() -> None:
    play = Play()
    play.run(15)
    play.status = replace(play.status, openings=2)
    play.run(15)
    assert [ask for _, ask in play.asked] == [Ask.LOCK, Ask.LOCK]


def test_a_stalled_camera_is_not_asked() -> None:
    play = Play()
    play.status = replace(play.status, state=CameraState.STALLED)
    play.run(15)
    assert play.asked == []
