"""Frames that a phone or a browser brings."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from devices.camera import SourceError, TroubleCode
from devices.camera_loop import CameraState
from devices.camera_thread import CameraThread
from devices.frame import Frame
from devices.latest import Latest
from devices.pushed import BROKEN_AT_MOST, PUSH_MOST_BYTES, SENDER_KEPT_S, PushedSource
from tests.devices.fakes import WAIT_S, FakeClock, jpeg, stamp_of, stamped, wait_for_status


def test_the_newest_picture_is_read_with_the_time_it_came() -> None:
    clock = FakeClock(5.0)
    source = PushedSource(clock=clock)
    for number in range(3):
        clock.sleep(0.1)
        source.push(jpeg(stamped(number)))
    clock.sleep(1.0)
    frame = source.read(0)
    assert frame is not None
    assert stamp_of(frame.image_bgr) == 2
    assert frame.time_s == pytest.approx(5.3)
    assert source.read(0) is None
    assert source.details.size == (320, 240)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_other_kinds_are_taken(kind: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (64, 48), (10, 200, 30)).save(data, format=kind, lossless=True)
    source = PushedSource()
    source.push(data.getvalue())
    frame = source.read(0)
    assert frame is not None
    assert frame.image_bgr[5, 5].tolist() == [30, 200, 10]


def refused(source: PushedSource, data: bytes, *, sender: str = "") -> TroubleCode:
    with pytest.raises(SourceError) as caught:
        source.push(data, sender=sender)
    assert caught.value.trouble.remedy
    return caught.value.code


def test_what_is_no_picture_or_too_large_is_refused_at_the_door() -> None:
    source = PushedSource()
    assert refused(source, b"") is TroubleCode.NOT_A_PICTURE
    assert refused(source, b"{}") is TroubleCode.NOT_A_PICTURE
    assert refused(source, b"\xff\xd8\xff\xe0 short") is TroubleCode.NOT_A_PICTURE
    assert refused(source, b"\x89PNG\r\n\x1a\n") is TroubleCode.NOT_A_PICTURE
    assert refused(source, jpeg(stamped(1)) + bytes(PUSH_MOST_BYTES)) is TroubleCode.TOO_LARGE
    huge = bytearray(jpeg(stamped(1)))
    place = huge.find(b"\xff\xc0") + 5
    huge[place : place + 4] = (20_000).to_bytes(2, "big") * 2
    assert refused(source, bytes(huge)) is TroubleCode.TOO_LARGE
    assert source.read(0) is None


def test_a_second_phone_is_refused_until_the_first_is_silent() -> None:
    """Two views in turn would look like a table that jumps."""
    clock = FakeClock()
    source = PushedSource(clock=clock)
    picture = jpeg(stamped(1))
    source.push(picture, sender="a")
    clock.sleep(SENDER_KEPT_S - 0.1)
    assert refused(source, picture, sender="b") is TroubleCode.BUSY
    source.push(picture, sender="a")
    clock.sleep(SENDER_KEPT_S + 0.1)
    source.push(picture, sender="b")
    assert refused(source, picture, sender="a") is TroubleCode.BUSY


def test_broken_pictures_are_dropped_and_too_many_told() -> None:
    source = PushedSource()
    broken = jpeg(stamped(1))[:-400]
    for _ in range(BROKEN_AT_MOST - 1):
        source.push(broken)
        assert source.read(0) is None
    source.push(broken)
    with pytest.raises(SourceError) as caught:
        source.read(0)
    assert caught.value.code is TroubleCode.BROKEN_FRAMES


def test_a_waiting_phone_is_told_and_frames_make_it_live() -> None:
    source = PushedSource("phone")
    latest: Latest[Frame] = Latest()
    with CameraThread(source, latest) as thread:
        status = wait_for_status(thread, lambda status: status.trouble is not None)
        assert status.state is CameraState.OPENING
        assert status.trouble is not None
        assert "screen on" in status.trouble.remedy
        for number in range(3):
            source.push(jpeg(stamped(number)))
            frame = latest.take(WAIT_S)
            assert frame is not None
            assert stamp_of(frame.image_bgr) == number
        assert thread.status.state is CameraState.LIVE
        assert thread.status.trouble is None


def test_c5_a_page_that_sends_the_same_picture_again_is_not_believed() -> None:
    """C5 for the phone: a browser tab in the background goes on to send its last picture."""
    source = PushedSource()
    latest: Latest[Frame] = Latest()
    same = jpeg(stamped(3))
    with CameraThread(source, latest) as thread:
        source.push(same)
        assert latest.take(WAIT_S) is not None
        for _ in range(3):
            source.push(same)
            repeated = thread.status.repeated
            wait_for_status(thread, lambda status, repeated=repeated: status.repeated > repeated)  # type: ignore[misc]
        assert latest.take(0) is None


def test_a_picture_that_is_a_little_too_large_does_not_look_as_if_it_kept_the_limit() -> None:
    source = PushedSource()
    with pytest.raises(SourceError) as refused_one:
        source.push(bytes(PUSH_MOST_BYTES + 1))
    assert "4.2 MB" in str(refused_one.value)
    assert "at most 4.1 MB" in str(refused_one.value)
