"""A folder of pictures as a source."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.camera import SourceEnded, SourceError, TroubleCode
from devices.camera_spec import open_source
from devices.picture_folder import HELD_HZ, PictureFolder, pictures_in
from tests.devices.fakes import FakeClock


def write(folder: Path, *names: str) -> None:
    for level, name in enumerate(names):
        cv2.imwrite(str(folder / name), np.full((10, 20, 3), 10 * level, np.uint8))


def test_pictures_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    write(tmp_path, "frame1.png", "frame2.png", "frame10.png")
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / ".hidden.png").write_bytes(b"x")
    (tmp_path / "more.png").mkdir()
    assert [path.name for path in pictures_in(tmp_path)] == ["frame1.png", "frame2.png", "frame10.png"]
    frames = list(PictureFolder(tmp_path, speed="fast", rate_hz=4).frames())
    assert [int(frame.image_bgr[0, 0, 0]) for frame in frames] == [0, 10, 20]
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert [frame.time_s for frame in frames] == [0, 0.25, 0.5]


def test_own_speed_gives_each_picture_its_time(tmp_path: Path) -> None:
    write(tmp_path, "a.png", "b.png", "c.png")
    clock = FakeClock(10.0)
    folder = PictureFolder(tmp_path, rate_hz=2, clock=clock, sleep=clock.sleep)
    assert folder.read(0.1) is not None
    assert folder.read(0.1) is None
    assert folder.read(1.0) is not None
    assert clock.now_s == pytest.approx(10.5)
    assert len(list(folder.frames())) == 1


def test_a_broken_picture_is_skipped_and_told(tmp_path: Path) -> None:
    write(tmp_path, "a.png", "b.png", "c.png")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    folder = PictureFolder(tmp_path, speed="fast")
    assert [frame.number for frame in folder.frames()] == [0, 2]
    assert [advice.code for advice in folder.details.advice] == [TroubleCode.CUT_OFF]
    assert "b.png" in folder.details.advice[0].message


def test_a_folder_of_broken_pictures_only_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    with pytest.raises(SourceError) as caught:
        list(PictureFolder(tmp_path, speed="fast").frames())
    assert caught.value.code is TroubleCode.CUT_OFF


def test_an_empty_and_a_missing_folder_are_told(tmp_path: Path) -> None:
    for place, code in ((tmp_path, TroubleCode.EMPTY_FOLDER), (tmp_path / "none", TroubleCode.NO_SUCH_FILE)):
        with pytest.raises(SourceError) as caught:
            PictureFolder(place).open()
        assert caught.value.code is code
        assert caught.value.trouble.remedy


def test_a_held_picture_stays_as_a_cameras_does(tmp_path: Path) -> None:
    """A picture as a camera is what a newcomer tries first; it was over at once."""
    write(tmp_path, "a.png", "b.png")
    clock = FakeClock(10.0)
    folder = PictureFolder(tmp_path, rate_hz=2, is_held=True, clock=clock, sleep=clock.sleep)
    frames = [folder.read(1.0) for _ in range(2 + 15)]
    assert [int(frame.image_bgr[0, 0, 0]) for frame in frames if frame is not None] == [0] + [10] * 16
    assert [frame.number for frame in frames if frame is not None] == list(range(17))
    assert clock.now_s == pytest.approx(10.0 + 0.5 + 15 / HELD_HZ)
    assert folder.read(0.01) is None, "it is not due yet"


def test_a_held_picture_does_not_catch_up_after_a_pause(tmp_path: Path) -> None:
    write(tmp_path, "a.png")
    clock = FakeClock(10.0)
    folder = PictureFolder(tmp_path / "a.png", is_held=True, clock=clock, sleep=clock.sleep)
    folder.read(1.0)
    clock.now_s += 100.0
    frames = [folder.read(1.0) for _ in range(16)]
    assert all(frames)
    assert clock.now_s == pytest.approx(110.0 + 15 / HELD_HZ, abs=2 / HELD_HZ)


def test_a_held_folder_is_over_where_every_picture_counts(tmp_path: Path) -> None:
    write(tmp_path, "a.png")
    assert len(list(open_source(str(tmp_path / "a.png"), speed="fast", is_held=True).frames())) == 1


def test_one_picture_is_delivered_once(tmp_path: Path) -> None:
    write(tmp_path, "a.png")
    source = PictureFolder(tmp_path / "a.png", speed="fast")
    assert source.read(1) is not None
    with pytest.raises(SourceEnded):
        source.read(1)


def test_the_last_picture_at_own_speed_is_followed_by_the_end(tmp_path: Path) -> None:
    write(tmp_path, "a.png")
    clock = FakeClock()
    folder = PictureFolder(tmp_path, clock=clock, sleep=clock.sleep)
    assert len(list(folder.frames())) == 1


@pytest.mark.parametrize("rate_hz", [0, -1, float("nan")])
def test_a_rate_that_is_none_is_refused(tmp_path: Path, rate_hz: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        PictureFolder(tmp_path, rate_hz=rate_hz)


def test_a_folder_whose_every_picture_is_broken_is_refused_at_once(tmp_path: Path) -> None:
    """Not only when the game has begun and its page is open."""
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "b.jpg").write_bytes(b"no picture")
    with pytest.raises(SourceError):
        open_source(str(tmp_path))
    with pytest.raises(SourceError, match=r"a\.png"):
        open_source(str(tmp_path / "a.png"))
    cv2.imwrite(str(tmp_path / "c.png"), np.zeros((4, 4, 3), np.uint8))
    with open_source(str(tmp_path), speed="fast") as source:
        assert len(list(source.frames())) == 1
