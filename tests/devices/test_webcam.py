"""Webcams through a capture that lies, refuses, hangs back or obeys."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import cv2
import numpy as np
import pytest

from devices.camera import SourceError, TroubleCode
from devices.camera_list import CameraInfo
from devices.camera_opening import MANUAL_EXPOSURES, Capture, open_camera
from devices.webcam import FAILURES_ALLOWED_S, Webcam
from tests.devices.fakes import FakeCapture, FakeClock, PictureMaker, camera

MJPG = float(cv2.VideoWriter.fourcc(*"MJPG"))


class Plugs:
    """What is plugged in, and the captures that are made of it."""

    def __init__(self, *plugged: CameraInfo, captures: Iterable[Callable[[], FakeCapture]] = ()) -> None:
        self.plugged = list(plugged) or [camera()]
        self.clock = FakeClock()
        self.made: list[FakeCapture] = []
        self.made_for: list[tuple[int, int]] = []
        self._captures = iter(captures)

    def cameras(self) -> tuple[CameraInfo, ...]:
        return tuple(self.plugged)

    def make(self, index: int, backend: int) -> Capture:
        self.made_for.append((index, backend))
        build = next(self._captures, None)
        capture = build() if build is not None else endless()
        self.made.append(capture)
        return capture

    def webcam(self, which: CameraInfo | None = None, *, platform: str = "test") -> Webcam:
        return Webcam(
            which or self.plugged[0],
            make=self.make,
            cameras=self.cameras,
            platform=platform,
            clock=self.clock,
            sleep=self.clock.sleep,
        )


def endless(**options: Any) -> FakeCapture:
    make = PictureMaker()
    return FakeCapture((make() for _ in itertools.count()), **options)


def test_c15_format_is_asked_for_before_size_before_rate_and_each_once() -> None:
    """C15: YUYV at 5 frames a second unless MJPG is asked for first. C1: each `set` restarts Media Foundation."""
    plugs = Plugs()
    plugs.webcam().open()
    asked = [prop for prop, _ in plugs.made[0].asked]
    assert asked == [
        cv2.CAP_PROP_FOURCC,
        cv2.CAP_PROP_FRAME_WIDTH,
        cv2.CAP_PROP_FRAME_HEIGHT,
        cv2.CAP_PROP_FPS,
    ]
    assert plugs.made[0].asked[0][1] == MJPG


def test_c11_no_exposure_is_ever_set_at_opening() -> None:
    """C11: a fixed exposure makes another camera black."""
    plugs = Plugs()
    webcam = plugs.webcam()
    webcam.open()
    webcam.read(1)
    props = {prop for prop, _ in plugs.made[0].asked}
    assert not props & {cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_GAIN}


def test_c15_what_the_camera_really_does_is_read_back() -> None:
    """C13 and C15: asked for 1280 x 720 MJPG, got 640 x 480 YUYV."""
    yuyv = float(cv2.VideoWriter.fourcc(*"YUYV"))
    stubborn = {cv2.CAP_PROP_FOURCC: yuyv, cv2.CAP_PROP_FPS: 10.0}
    make = PictureMaker(size=(640, 480))
    plugs = Plugs(captures=[lambda: FakeCapture([make()], properties=stubborn, obeys=lambda *_: False)])
    webcam = plugs.webcam()
    webcam.open()
    assert webcam.details.size == (640, 480)
    assert webcam.details.rate_hz == 10
    assert "YUYV" in webcam.details.way


def test_c9_a_full_usb_bus_falls_back_to_a_smaller_picture_and_says_why() -> None:
    """C9: "No space left on device" shows as a first frame that is refused at once."""
    make = PictureMaker(size=(640, 480))
    plugs = Plugs(captures=[lambda: FakeCapture([]), lambda: FakeCapture([make(), make()])])
    webcam = plugs.webcam()
    webcam.open()
    assert webcam.details.size == (640, 480)
    assert [advice.code for advice in webcam.details.advice] == [TroubleCode.NO_BANDWIDTH]
    assert plugs.made[0].released
    assert (cv2.CAP_PROP_FRAME_WIDTH, 640) in plugs.made[1].asked


def test_c9_at_last_uncompressed_pictures_are_tried() -> None:
    make = PictureMaker(size=(640, 480))
    plugs = Plugs(captures=[lambda: FakeCapture([]), lambda: FakeCapture([]), lambda: FakeCapture([make()])])
    plugs.webcam().open()
    assert cv2.CAP_PROP_FOURCC not in [prop for prop, _ in plugs.made[2].asked]


def test_a_camera_without_any_frame_is_told_and_released() -> None:
    plugs = Plugs(captures=[lambda: FakeCapture([])] * 3)
    with pytest.raises(SourceError) as caught:
        plugs.webcam().open()
    assert caught.value.code is TroubleCode.NO_FRAMES
    assert all(capture.released for capture in plugs.made)


def test_a_camera_that_waits_long_for_no_frame_is_not_tried_in_smaller_sizes() -> None:
    clock = FakeClock()
    made: list[FakeCapture] = []

    def make(index: int, backend: int) -> Capture:
        made.append(FakeCapture([None] * 9, before_grab=lambda: clock.sleep(3)))
        return made[-1]

    with pytest.raises(SourceError):
        open_camera(camera(), make=make, platform="test", clock=clock)
    assert len(made) == 1


@pytest.mark.parametrize(
    ("platform", "code", "words"),
    [
        ("win32", TroubleCode.BUSY, "Let desktop apps"),
        ("darwin", TroubleCode.NO_PERMISSION, "Privacy & Security > Camera, allow your terminal"),
        ("test", TroubleCode.DOES_NOT_OPEN, "plug it in again"),
    ],
)
def test_c8_c17_a_camera_that_does_not_open_has_the_systems_remedy(
    platform: str, code: TroubleCode, words: str
) -> None:
    """C8: busy. C17: the permission on macOS, with its place in the settings."""
    plugs = Plugs(captures=[lambda: FakeCapture([], is_open=False)])
    with pytest.raises(SourceError) as caught:
        plugs.webcam(platform=platform).open()
    assert caught.value.code is code
    assert words in caught.value.trouble.remedy
    assert plugs.made[0].released


def test_c17_only_macos_wants_the_main_thread() -> None:
    assert Plugs().webcam(platform="darwin").opens_on_main_thread
    assert not Plugs().webcam(platform="win32").opens_on_main_thread
    assert not Plugs().webcam(platform="linux").opens_on_main_thread


def test_an_exception_of_opencv_at_opening_is_told() -> None:
    def make(index: int, backend: int) -> Capture:
        raise cv2.error("boom")

    with pytest.raises(SourceError) as caught:
        open_camera(camera(), make=make, platform="test")
    assert caught.value.code is TroubleCode.DOES_NOT_OPEN


def test_c7_refused_frames_cost_no_busy_loop_and_become_an_error() -> None:
    """C7: after unplugging OpenCV refuses at once; without a wait that is 100 % of a core."""
    make = PictureMaker()
    plugs = Plugs(captures=[lambda: FakeCapture(itertools.chain([make(), make()], itertools.repeat(None)))])
    webcam = plugs.webcam()
    assert webcam.read(0.1) is not None
    plugs.plugged.clear()
    began_s = plugs.clock.now_s
    reads: list[object] = []
    with pytest.raises(SourceError) as caught:
        reads.extend(webcam.read(0.1) for _ in range(1000))
    assert caught.value.code is TroubleCode.UNPLUGGED
    assert len(reads) < 40
    assert set(reads) == {None}
    assert plugs.clock.now_s - began_s == pytest.approx(FAILURES_ALLOWED_S, abs=0.1)


def test_garbage_and_exceptions_from_the_driver_are_refused_frames() -> None:
    make = PictureMaker()
    plugs = Plugs(captures=[lambda: FakeCapture([make(), cv2.error("bad JPEG"), None, make()])])
    webcam = plugs.webcam()
    webcam.open()
    assert [webcam.read(0.1) is not None for _ in range(3)] == [False, False, True]


def test_a_gray_camera_becomes_colour() -> None:
    gray = np.full((48, 64), 77, np.uint8)
    plugs = Plugs(captures=[lambda: FakeCapture([gray, gray])])
    frame = plugs.webcam().read(0.1)
    assert frame is not None
    assert frame.image_bgr.shape == (48, 64, 3)


def test_c3_the_same_camera_is_found_again_under_another_number() -> None:
    """C3: the index changed while it was away."""
    mine, other = camera("C920", "v4l:c920", 0), camera("Built-in", "v4l:built-in", 2)
    plugs = Plugs(mine, other)
    webcam = plugs.webcam(mine)
    webcam.open()
    webcam.close()
    plugs.plugged[:] = [camera("Built-in", "v4l:built-in", 0), camera("C920", "v4l:c920", 4)]
    webcam.open()
    assert [index for index, _ in plugs.made_for] == [0, 4]


def test_never_is_another_camera_taken_instead() -> None:
    """After unplugging, the number may lead to another camera; that one shows another view."""
    mine, other = camera("C920", "v4l:c920", 0), camera("Built-in", "v4l:built-in", 2)
    plugs = Plugs(mine, other)
    webcam = plugs.webcam(mine)
    webcam.open()
    webcam.close()
    plugs.plugged[:] = [camera("Built-in", "v4l:built-in", 0)]
    with pytest.raises(SourceError) as caught:
        webcam.open()
    assert caught.value.code is TroubleCode.UNPLUGGED
    assert "Built-in" in str(caught.value)
    assert len(plugs.made) == 1


def test_the_same_camera_in_another_socket_is_taken_but_not_its_twin() -> None:
    """Windows' paths name the socket. A twin that was there before is not the one that was unplugged."""
    mine, twin = camera("C920", "dshow:socket-1", 0), camera("C920", "dshow:socket-2", 1)
    plugs = Plugs(mine, twin)
    webcam = plugs.webcam(mine)
    webcam.open()
    webcam.close()
    plugs.plugged[:] = [camera("C920", "dshow:socket-2", 0)]
    with pytest.raises(SourceError):
        webcam.open()
    plugs.plugged.append(camera("C920", "dshow:socket-3", 1))
    webcam.open()
    assert plugs.made_for[-1][0] == 1
    fresh = webcam.again()
    fresh.open()
    assert plugs.made_for[-1][0] == 1


def test_c16_the_drivers_time_is_taken_where_it_is_this_clock() -> None:
    """C16: a reading may use only frames newer than the moment in question, so the time has to be the frame's."""
    plugs = Plugs(captures=[lambda: endless(properties={cv2.CAP_PROP_POS_MSEC: 999_950.0})])
    frame = plugs.webcam(platform="linux").read(0.1)
    assert frame is not None
    assert frame.time_s == pytest.approx(999.95)


@pytest.mark.parametrize("driver_ms", [0.0, 1_000_500.0, 900_000.0])
def test_a_drivers_time_that_cannot_be_is_not_believed(driver_ms: float) -> None:
    plugs = Plugs(captures=[lambda: endless(properties={cv2.CAP_PROP_POS_MSEC: driver_ms})])
    frame = plugs.webcam(platform="linux").read(0.1)
    assert frame is not None
    assert frame.time_s == plugs.clock.now_s


def test_frame_numbers_go_on_after_opening_again() -> None:
    plugs = Plugs()
    webcam = plugs.webcam()
    numbers = [webcam.read(0.1), webcam.read(0.1)]
    webcam.close()
    numbers.append(webcam.read(0.1))
    numbers.append(webcam.again().read(0.1))
    assert [frame.number for frame in numbers if frame] == [0, 1, 2, 3]


@pytest.mark.parametrize("accepted", MANUAL_EXPOSURES)
def test_c10_exposure_is_held_by_whichever_value_the_backend_takes(accepted: float) -> None:
    """C10: 1, 0.25 or 0 means manual, depending on backend and version."""
    automatic = {3.0, 0.75}

    def obeys(prop: int, value: float) -> bool:
        return prop != cv2.CAP_PROP_AUTO_EXPOSURE or value in automatic | {accepted}

    properties = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_FOCUS: 30.0}
    plugs = Plugs(captures=[lambda: endless(properties=properties, obeys=obeys)])
    webcam = plugs.webcam()
    webcam.open()
    assert webcam.lock() == ()
    held = plugs.made[0].properties
    assert held[cv2.CAP_PROP_AUTO_EXPOSURE] == accepted
    assert held[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert held[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert held[cv2.CAP_PROP_FOCUS] == 30.0


@pytest.mark.parametrize("how", ["unlock", "close"])
def test_c10_what_was_held_is_given_back_to_the_automatic(how: str) -> None:
    """Some drivers keep a lock for the next program that opens the camera."""
    before = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
    plugs = Plugs(captures=[lambda: endless(properties=before)])
    webcam = plugs.webcam()
    webcam.open()
    webcam.unlock()
    asked = len(plugs.made[0].asked)
    webcam.lock()
    webcam.lock()
    assert plugs.made[0].properties[cv2.CAP_PROP_AUTOFOCUS] == 0
    getattr(webcam, how)()
    assert {prop: plugs.made[0].properties[prop] for prop in before} == before
    assert len(plugs.made[0].asked) > asked


def test_c10_c12_c18_what_cannot_be_held_is_told_and_the_camera_works_on() -> None:
    """C10 exposure, C12 white balance, C18 focus: `set` is refused, or accepted and ignored."""
    plugs = Plugs(captures=[lambda: endless(obeys=lambda prop, _: prop in (cv2.CAP_PROP_FOURCC,))])
    webcam = plugs.webcam()
    webcam.open()
    told = webcam.lock()
    assert [trouble.code for trouble in told] == [TroubleCode.NOT_LOCKED] * 3
    assert [word for word in ("exposure", "white balance", "focus") if word in " ".join(map(str, told))] == [
        "exposure",
        "white balance",
        "focus",
    ]
    assert webcam.read(0.1) is not None


def test_c11_a_lock_that_makes_the_picture_dark_is_taken_back() -> None:
    """C11: some cameras jump to another exposure when the automatic is switched off."""
    make = PictureMaker(level=120)
    properties = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
    capture = FakeCapture((), properties=properties)

    def picture() -> Any:
        make.level = 120 if capture.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0 else 10
        return make()

    capture._pictures = itertools.repeat(picture)
    plugs = Plugs(captures=[lambda: capture])
    webcam = plugs.webcam()
    webcam.open()
    told = webcam.lock()
    assert "exposure" in told[0].message
    assert capture.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    frame = webcam.read(0.1)
    assert frame is not None
    assert frame.image_bgr.mean() > 100


def test_two_webcams_side_by_side_open_their_own() -> None:
    """A second camera for a dice tray."""
    table, tray = camera("Table", "v4l:table", 0), camera("Tray", "v4l:tray", 2)
    plugs = Plugs(table, tray)
    first, second = plugs.webcam(table), plugs.webcam(tray)
    first.open()
    second.open()
    assert [index for index, _ in plugs.made_for] == [0, 2]
    first.close()
    assert second.read(0.1) is not None
