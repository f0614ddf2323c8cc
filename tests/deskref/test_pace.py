"""A computer that looks at few pictures says so; a film then plays slower and loses none."""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from deskref.eyes import Eyes, Seen
from deskref.live import LiveGame
from deskref.page.frames_in import FramesIn
from deskref.page.score import score_of
from deskref.page.site import source_of
from deskref.play import Play
from deskref.session import Session, Task
from devices.camera import Source, SourceDetails, TroubleCode
from devices.frame import Frame
from devices.pace import TIMES_KEPT, pace_told
from rules.ruling import Message
from vision.observation import Observation, TableSeen

PATIENCE_S = 20.0

FRAMES, FILM_HZ = 48, 120.0


class Pictures(Source):
    """A source of which only the kind and the rate count."""

    name = identity = "pictures"

    def __init__(self, *, rate_hz: float, is_live: bool, is_patient: bool = False) -> None:
        super().__init__()
        self._rate_hz = rate_hz
        self.is_live = is_live
        self.is_patient = is_patient

    def open(self) -> None:
        pass

    def read(self, timeout_s: float) -> Frame | None:
        return None

    def close(self) -> None:
        pass

    def again(self) -> Source:
        return self

    @property
    def details(self) -> SourceDetails:
        return SourceDetails(rate_hz=self._rate_hz)


CAMERA = Pictures(rate_hz=30.0, is_live=True)
FILM = Pictures(rate_hz=30.0, is_live=False, is_patient=True)
HURRIED_FILM = Pictures(rate_hz=30.0, is_live=False)


def looked(rate_hz: float, count: int = TIMES_KEPT) -> tuple[float, ...]:
    return tuple(number / rate_hz for number in range(count))


@pytest.mark.parametrize(
    ("source", "looked_hz", "came_hz", "says"),
    [
        (CAMERA, 11.5, 30.0, "cam_slow_computer"),
        (CAMERA, 12.5, 30.0, None),
        (CAMERA, 8.0, 8.0, None),
        (CAMERA, 8.0, None, None),
        (FILM, 23.0, None, "cam_film_slower"),
        (FILM, 25.0, None, None),
        (HURRIED_FILM, 11.5, None, "cam_slow_computer"),
        (HURRIED_FILM, 12.5, None, None),
    ],
)
def test_a_slow_computer_is_told_apart_from_a_slow_camera(
    source: Source, looked_hz: float, came_hz: float | None, says: str | None
) -> None:
    """A camera's own slowness is told where it is measured, and a patient film loses nothing."""
    told = pace_told(source, looked(looked_hz), came_hz=came_hz)
    assert (told.says if told is not None else None) == says
    if says == "cam_slow_computer":
        assert told is not None
        assert told.code is TroubleCode.SLOW


def test_one_long_look_is_no_pace() -> None:
    """The first picture loads the models, and now and then other work begins."""
    times_s = looked(30.0)
    assert pace_told(CAMERA, (times_s[0] - 4.0, *times_s[1:]), came_hz=30.0) is None
    assert pace_told(CAMERA, looked(5.0, TIMES_KEPT - 1), came_hz=30.0) is None


class SlowEyes(Eyes):
    """Eyes that take four times as long for a picture as the film shows it."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: queue.Queue[int] = queue.Queue()
        self._never = threading.Event()

    def look(self, frame: Frame) -> Seen:
        self._never.wait(4 / FILM_HZ)
        self.numbers.put(frame.number)
        return Seen(frame, None, Observation(frame.number, frame.time_s, frame.size, TableSeen(False)), ())


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FILM_HZ, (64, 48))
    for number in range(FRAMES):
        writer.write(np.full((48, 64, 3), 4 * number, np.uint8))
    writer.release()
    return path


def test_a_played_film_skips_no_picture_on_a_slow_computer(film: Path) -> None:
    """`deskref play --camera film.mp4` saw 3 to 8 of 30 pictures a second, and every roll was lost."""
    eyes = SlowEyes()
    game = LiveGame(Play(), source_of(str(film), FramesIn()), eyes=eyes)
    assert not game.is_film_over
    game.start()
    try:
        assert [eyes.numbers.get(timeout=PATIENCE_S) for _ in range(FRAMES)] == list(range(FRAMES))
    finally:
        game.stop()


def test_a_slow_computer_stands_in_the_cameras_status(film: Path) -> None:
    """The set-up, the doctor and the table page tell what stands there."""
    eyes = SlowEyes()
    game = LiveGame(Play(), source_of(str(film), FramesIn()), eyes=eyes)
    game.start()
    told: set[str] = set()
    try:
        for _ in range(FRAMES):
            eyes.numbers.get(timeout=PATIENCE_S)
            status = game.camera_status
            told |= {advice.says for advice in status.advice} if status is not None else set()
    finally:
        game.stop()
    assert "cam_film_slower" in told
    assert not any(advice.says == "cam_film_slower" for advice in game.camera_status.advice)  # type: ignore[union-attr]


def test_after_a_film_nothing_is_asked_of_its_desk(film: Path) -> None:
    """The page went on asking to stand figures up, though nobody can reach into a film that is over."""
    session = Session(tasks=(Task("up", Message("put", "Put Brand back."), 0.0),))
    assert score_of(session)["tasks"]
    assert score_of(session, is_film_over=True)["tasks"] == []
    question = replace(session.tasks[0], choices=(("yes", Message("yes", "Yes")),))
    assert len(score_of(replace(session, tasks=(question,)), is_film_over=True)["tasks"]) == 1
    eyes = SlowEyes()
    game = LiveGame(Play(), source_of(str(film), FramesIn()), eyes=eyes)
    game.start()
    try:
        for _ in range(FRAMES):
            eyes.numbers.get(timeout=PATIENCE_S)
        assert ended(game)
    finally:
        game.stop()


def ended(game: LiveGame) -> bool:
    """Whether the film is told to be over, soon after its last picture."""
    looks, never = int(PATIENCE_S / 0.02), threading.Event()
    return any(game.is_film_over or never.wait(0.02) for _ in range(looks))


def test_a_camera_is_never_a_film_that_is_over() -> None:
    game = LiveGame(Play(), CAMERA)
    game.start()
    game.stop()
    assert not game.is_film_over
    assert not LiveGame(Play()).is_film_over
