"""A film as a source: every frame when fast, its own speed when live, and clear words for broken files."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.camera import SourceEnded, SourceError, TroubleCode
from devices.film import Film, fourcc_text
from tests.devices.fakes import FakeClock, stamp_of, stamped

RATE_HZ = 20.0
FRAMES = 60


def write_film(path: Path, *, frames: int = FRAMES, code: str = "MJPG", size: tuple[int, int] = (320, 240)) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE_HZ, size)
    assert writer.isOpened()
    for number in range(frames):
        writer.write(stamped(number, size=size))
    writer.release()
    return path


@pytest.fixture(scope="module")
def avi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("films") / "film.avi")


@pytest.fixture(scope="module")
def mp4(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("films") / "film.mp4", code="mp4v")


@pytest.mark.parametrize("kind", ["avi", "mp4"])
def test_fast_gives_every_frame_in_order_with_the_films_own_time(kind: str, request: pytest.FixtureRequest) -> None:
    """Headless runs judge every frame."""
    film = Film(request.getfixturevalue(kind), speed="fast")
    frames = list(film.frames())
    assert [stamp_of(frame.image_bgr) for frame in frames] == list(range(FRAMES))
    assert [frame.number for frame in frames] == list(range(FRAMES))
    assert [frame.time_s for frame in frames] == pytest.approx([n / RATE_HZ for n in range(FRAMES)], abs=1e-6)


def test_a_slow_reader_of_a_fast_film_misses_nothing(avi: Path) -> None:
    clock = FakeClock()
    film = Film(avi, speed="fast", clock=clock, sleep=clock.sleep)
    stamps = []
    for frame in film.frames():
        clock.sleep(5)
        stamps.append(stamp_of(frame.image_bgr))
    assert stamps == list(range(FRAMES))


def test_own_speed_takes_the_films_time(avi: Path) -> None:
    clock = FakeClock(50.0)
    film = Film(avi, clock=clock, sleep=clock.sleep)
    times = [(clock.now_s, frame.time_s) for frame in film.frames()]
    assert len(times) == FRAMES
    for at_s, film_s in times:
        assert at_s - times[0][0] == pytest.approx(film_s, abs=1e-6)


def test_own_speed_skips_what_is_over_when_the_reader_is_late(avi: Path) -> None:
    """The newest wins: a reader of 5 frames a second sees the film at its true speed."""
    clock = FakeClock()
    film = Film(avi, clock=clock, sleep=clock.sleep)
    seen = []
    for frame in film.frames():
        seen.append((frame.number, stamp_of(frame.image_bgr), clock.now_s - 1000.0))
        clock.sleep(0.2)
    assert len(seen) < FRAMES / 3
    for number, stamp, at_s in seen:
        assert number == stamp
        assert number / RATE_HZ == pytest.approx(at_s, abs=1.01 / RATE_HZ)


def test_a_film_waits_for_a_computer_that_slept(avi: Path) -> None:
    """After a long pause the film goes on near where it was instead of rushing to its end."""
    clock = FakeClock()
    film = Film(avi, clock=clock, sleep=clock.sleep)
    first = next(iter(film.frames()))
    clock.sleep(3600)
    following = next(iter(film.frames()))
    assert first.number == 0
    assert following.number <= 31
    after = film.read(1.0)
    assert after is not None
    assert after.number == following.number + 1


def test_a_read_returns_none_until_the_next_frame_is_due(avi: Path) -> None:
    clock = FakeClock()
    film = Film(avi, clock=clock, sleep=clock.sleep)
    assert film.read(0.01) is not None
    assert film.read(0.01) is None
    assert clock.now_s == pytest.approx(1000.01)
    assert film.read(1.0) is not None


def test_the_end_is_told_each_time(avi: Path) -> None:
    film = Film(avi, speed="fast")
    list(film.frames())
    for _ in range(2):
        with pytest.raises(SourceEnded):
            film.read(1)


def test_a_film_that_is_closed_and_opened_starts_anew(avi: Path) -> None:
    film = Film(avi, speed="fast")
    list(itertools.islice(film.frames(), 10))
    film.close()
    film.close()
    frame = film.read(1)
    assert frame is not None
    assert stamp_of(frame.image_bgr) == 0
    again = film.again()
    assert stamp_of(next(iter(again.frames())).image_bgr) == 0


def test_what_is_known_of_a_film(mp4: Path) -> None:
    with Film(mp4, speed="fast") as film:
        assert film.details.size == (320, 240)
        assert film.details.rate_hz == pytest.approx(RATE_HZ)
        assert film.details.frame_count == FRAMES
        assert film.name == "film.mp4"


def test_frames_are_read_only_and_apart(avi: Path) -> None:
    frames = list(itertools.islice(Film(avi, speed="fast").frames(), 3))
    assert not frames[0].image_bgr.flags.writeable
    assert not np.shares_memory(frames[0].image_bgr, frames[1].image_bgr)


def code_of(path: Path) -> tuple[TroubleCode, str]:
    with pytest.raises(SourceError) as caught:
        list(Film(path, speed="fast").frames())
    trouble = caught.value.trouble
    assert trouble.message
    assert trouble.remedy
    return trouble.code, trouble.message


def test_a_missing_an_empty_and_a_foreign_file_have_their_own_words(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "junk.mp4").write_bytes(np.random.default_rng(1).bytes(5000))
    (tmp_path / "text.avi").write_text("This is no film.\n" * 40)
    assert code_of(tmp_path / "none.mp4")[0] is TroubleCode.NO_SUCH_FILE
    assert code_of(tmp_path / "empty.mp4")[0] is TroubleCode.EMPTY_FILE
    assert code_of(tmp_path / "junk.mp4")[0] is TroubleCode.NOT_A_FILM
    assert code_of(tmp_path / "text.avi")[0] is TroubleCode.NOT_A_FILM


def test_a_film_without_its_index_is_cut_off(mp4: Path, tmp_path: Path) -> None:
    """An interrupted recording or copy: MP4 keeps its index at the end."""
    data = mp4.read_bytes()
    assert data.find(b"mdat") < data.find(b"moov")
    (tmp_path / "cut.mp4").write_bytes(data[: data.find(b"moov") - 200])
    code, message = code_of(tmp_path / "cut.mp4")
    assert code is TroubleCode.CUT_OFF
    assert "index" in message


def test_a_film_that_breaks_off_delivers_what_is_there_and_says_where(avi: Path, tmp_path: Path) -> None:
    data = avi.read_bytes()
    (tmp_path / "cut.avi").write_bytes(data[: len(data) // 2])
    film = Film(tmp_path / "cut.avi", speed="fast")
    stamps: list[int] = []
    with pytest.raises(SourceError) as caught:
        stamps.extend(stamp_of(frame.image_bgr) for frame in film.frames())
    assert caught.value.code is TroubleCode.CUT_OFF
    assert FRAMES * 0.35 < len(stamps) < FRAMES * 0.6
    assert stamps == list(range(len(stamps)))
    assert "breaks off after 1." in str(caught.value)


def test_nothing_is_printed_for_broken_films(tmp_path: Path, capfd: pytest.CaptureFixture[str], mp4: Path) -> None:
    """OpenCV and FFmpeg write to the terminal unless they are told not to."""
    (tmp_path / "cut.mp4").write_bytes(mp4.read_bytes()[:3000])
    code_of(tmp_path / "cut.mp4")
    assert capfd.readouterr() == ("", "")


def test_an_unknown_speed_is_refused(avi: Path) -> None:
    with pytest.raises(ValueError, match="'slow'"):
        Film(avi, speed="slow")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "text"), [(float(cv2.VideoWriter.fourcc(*"MJPG")), "MJPG"), (0.0, "?"), (-1.0, "?"), (1e12, "?")]
)
def test_a_fourcc_is_spelled(number: float, text: str) -> None:
    assert fourcc_text(number) == text


def test_a_steady_film_skips_nothing_and_slows_down(avi: Path) -> None:
    """A second for each look: at its own speed frames would be skipped."""
    clock = FakeClock()
    film = Film(avi, speed="steady", clock=clock, sleep=clock.sleep)
    assert film.is_patient
    stamps = []
    for frame in film.frames():
        clock.sleep(1)
        stamps.append(stamp_of(frame.image_bgr))
    assert stamps == list(range(FRAMES))
