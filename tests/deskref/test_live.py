"""The camera is changed in the middle of a game: the book stays, the session's time goes on, old frames are dropped."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from deskref import play
from deskref.eyes import Eyes, Seen
from deskref.inputs import EnterDie, StartGame
from deskref.live import LiveGame
from deskref.looking import Looking
from deskref.play import Play
from deskref.program import PRACTICE
from deskref.recording import Journal, LineKind, read_journal
from deskref.referee import Input, step
from deskref.session import Session
from deskref.signal import Signal
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind
from devices.camera import Source, SourceDetails, SourceEnded
from devices.frame import Frame
from vision.observation import Observation, TableSeen

PATIENCE_S = 10.0


class Clip(Source):
    """A source that gives what a test puts into it."""

    is_live = False

    def __init__(self, name: str, *times_s: float) -> None:
        super().__init__()
        self.name = self.identity = name
        self.closed = False
        self._coming: queue.Queue[float] = queue.Queue()
        for time_s in times_s:
            self._coming.put(time_s)

    def show(self, time_s: float) -> None:
        self._coming.put(time_s)

    def open(self) -> None:
        pass

    def read(self, timeout_s: float) -> Frame | None:
        try:
            time_s = self._coming.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if time_s < 0:
            raise SourceEnded
        return Frame(np.full((90, 160, 3), 90, np.uint8), time_s, self._next_number())

    def close(self) -> None:
        self.closed = True

    def again(self) -> Source:
        return self

    @property
    def details(self) -> SourceDetails:
        return SourceDetails(size=(160, 90))


class Watched(Eyes):
    """Eyes that see nothing and tell the test of every frame and of every table."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: queue.Queue[Frame] = queue.Queue()
        self.tables: queue.Queue[TableChoice] = queue.Queue()

    def look(self, frame: Frame) -> Seen:
        self.frames.put(frame)
        return Seen(frame, None, Observation(frame.number, frame.time_s, frame.size, TableSeen(False)), ())

    def begin_anew(self, table: TableChoice, lens: object) -> None:
        super().begin_anew(table, None)
        self.tables.put(table)


@pytest.fixture
def eyes() -> Watched:
    return Watched()


@pytest.fixture
def start(eyes: Watched) -> Iterator[object]:
    games: list[LiveGame] = []

    def started(source: Source | None, *, session: Session | None = None) -> LiveGame:
        game = LiveGame(Play(session=session), source, eyes=eyes)
        game.start()
        games.append(game)
        return game

    yield started
    for game in games:
        game.stop()


def next_time_s(eyes: Watched) -> float:
    return eyes.frames.get(timeout=PATIENCE_S).time_s


def test_a_first_camera_gives_the_time(eyes: Watched, start) -> None:  # type: ignore[no-untyped-def]
    game = start(Clip("one", 40.0))
    assert next_time_s(eyes) == 40.0
    assert game.has_camera


def test_another_camera_goes_on_in_the_sessions_time(eyes: Watched, start) -> None:  # type: ignore[no-untyped-def]
    """A film's clock begins at 0, a webcam's at the computer's start: the session's time never runs backwards."""
    first, second = Clip("one", 40.0), Clip("two", 3.0)
    game = start(first)
    assert next_time_s(eyes) == 40.0
    game.use_camera(second)
    assert first.closed
    begun_s = next_time_s(eyes)
    assert 40.0 <= begun_s < 40.0 + 2 * PATIENCE_S
    second.show(3.5)
    assert next_time_s(eyes) == pytest.approx(begun_s + 0.5)
    assert game.source is second
    first.show(41.0)
    second.show(4.0)
    assert next_time_s(eyes) == pytest.approx(begun_s + 1.0)


def test_a_game_that_goes_on_keeps_its_time(eyes: Watched, start) -> None:  # type: ignore[no-untyped-def]
    start(Clip("one", 0.2), session=Session(time_s=500.0))
    assert next_time_s(eyes) >= 500.0


def test_the_book_stays_when_the_camera_goes(eyes: Watched, start) -> None:  # type: ignore[no-untyped-def]
    heard: queue.Queue[object] = queue.Queue()
    game = start(Clip("one", 1.0))
    game.on_signals.append(heard.put)
    game.tell(StartGame(setup=PRACTICE))
    heard.get(timeout=PATIENCE_S)
    book = game.session.book
    game.use_camera(None)
    assert not game.has_camera
    assert game.seen is None
    assert game.trouble is None
    game.tell(EnterDie(value=6))
    heard.get(timeout=PATIENCE_S)
    assert game.session.past[0][0] == book


def test_what_the_referee_cannot_take_is_counted_for_the_page(
    start: Callable[[Source | None], LiveGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_at_nines(session: Session, happened: Input) -> tuple[Session, tuple[Signal, ...]]:
        if isinstance(happened, EnterDie) and happened.value == 9:
            raise ValueError("no die shows 9")
        return step(session, happened)

    monkeypatch.setattr(play, "step", fails_at_nines)
    game = start(None)
    assert game.refused == (0, "")
    taken: queue.Queue[object] = queue.Queue()
    game.on_signals.append(taken.put)
    game.tell(EnterDie(value=9))
    game.tell(StartGame(setup=PRACTICE))
    taken.get(timeout=PATIENCE_S)
    assert game.refused == (1, "no die shows 9")
    assert game.session.setup == PRACTICE


def test_the_table_may_be_marked_otherwise(eyes: Watched, start) -> None:  # type: ignore[no-untyped-def]
    game = start(Clip("one", 1.0))
    next_time_s(eyes)
    tokens = TableChoice(TableKind.TOKENS, 600.0, 500.0)
    game.use_table(tokens)
    assert eyes.tables.get(timeout=PATIENCE_S) == tokens
    game.use_camera(Clip("two", 1.0))
    assert eyes.tables.get(timeout=PATIENCE_S) == tokens
    game.use_camera(Clip("three", 1.0), table=MAT_TABLE)
    assert eyes.tables.get(timeout=PATIENCE_S) == MAT_TABLE
    assert game.table == MAT_TABLE


def test_the_journal_tells_from_which_frame_on_the_table_is_marked_otherwise(eyes: Watched, tmp_path: Path) -> None:
    """Else a replay from the frames would look for the wrong marks."""
    journal = Journal(tmp_path / "game.jsonl", version="0", started="now", looking=Looking())
    clip = Clip("one", 1.0)
    game = LiveGame(Play(journal), clip, eyes=eyes)
    game.start()
    try:
        next_time_s(eyes)
        tokens = TableChoice(TableKind.TOKENS, 600.0, 500.0)
        game.use_table(tokens)
        eyes.tables.get(timeout=PATIENCE_S)
        clip.show(1.5)
        next_time_s(eyes)
        heard: queue.Queue[object] = queue.Queue()
        game.on_signals.append(heard.put)
        game.tell(StartGame(setup=PRACTICE))
        heard.get(timeout=PATIENCE_S)
    finally:
        game.stop()
    lines = list(read_journal(journal.path))
    assert lines[0].looking().table == MAT_TABLE
    changed = next(line for line in lines if line.kind is LineKind.LOOKING)
    assert changed.looking().table == tokens
    assert changed.after_s == 1.0
