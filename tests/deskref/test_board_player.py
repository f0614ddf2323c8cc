"""The thread that plays signals on a board: at once, within its limits, never keeping the game waiting."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from deskref import board_player
from deskref.board_player import INBOX, BoardPlayer
from deskref.light_and_sound import DARK, PROGRAMS
from deskref.signal import Signal, SignalKind
from devices.board import BoardState, BoardStatus, NoBoard, Picture, Tune
from tests.deskref.test_lights import sides, signal

PATIENCE_S = 20.0


class WatchedBoard(NoBoard):
    """A board that remembers everything, with the moment."""

    def __init__(self, leds: int = 48) -> None:
        self.status = BoardStatus(state=BoardState.READY, name="watched", leds=leds, has_sound=True, connections=1)
        self.tunes: list[Tune] = []
        self.shown: list[tuple[float, Picture]] = []
        self.changed = threading.Condition()
        self.is_closed = False
        self.gate: threading.Event | None = None
        self.hangs = threading.Event()

    def show(self, picture: Picture) -> None:
        if self.gate is not None:
            self.hangs.set()
            self.gate.wait(PATIENCE_S)
        with self.changed:
            self.shown.append((time.monotonic(), picture))
            self.changed.notify_all()

    def play(self, tune: Tune) -> None:
        with self.changed:
            self.tunes.append(tune)
            self.changed.notify_all()

    def close(self) -> None:
        self.is_closed = True

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(is_so, PATIENCE_S)


@pytest.fixture
def board() -> WatchedBoard:
    return WatchedBoard()


@pytest.fixture
def playing(board: WatchedBoard) -> Iterator[Callable[..., BoardPlayer]]:
    running: list[BoardPlayer] = []

    def start(**options: object) -> BoardPlayer:
        running.append(BoardPlayer(board, sides=sides, **options))  # type: ignore[arg-type]  # from the test
        running[-1].start()
        return running[-1]

    yield start
    for player in running:
        player.stop()
    assert board.is_closed


def tones_of(kind: SignalKind) -> Tune:
    return tuple((tone.hz, tone.ms) for tone in PROGRAMS[kind].tones)


def test_a_ruling_is_lit_and_sounds(board: WatchedBoard, playing: Callable[..., BoardPlayer]) -> None:
    player = playing()
    player.hear((signal(SignalKind.SAVED),))
    board.wait_for(lambda: any(set(picture) != {DARK} for _, picture in board.shown) and bool(board.tunes))
    assert board.tunes == [tones_of(SignalKind.SAVED)]
    lit = next(picture for _, picture in board.shown if set(picture) != {DARK})
    assert sum(led != DARK for led in lit) == 6
    board.wait_for(lambda: set(board.shown[-1][1]) == {DARK})


def test_moving_lights_are_drawn_at_most_twenty_times_a_second(
    board: WatchedBoard, playing: Callable[..., BoardPlayer]
) -> None:
    player = playing()
    player.hear((signal(SignalKind.HIT),))
    board.wait_for(lambda: len(board.shown) > 2 and set(board.shown[-1][1]) == {DARK})
    times = [t for t, _ in board.shown[1:]]
    assert len(times) >= 3
    assert all(b - a >= 0.045 for a, b in itertools.pairwise(times))


def test_a_still_strip_is_not_sent_again(board: WatchedBoard, playing: Callable[..., BoardPlayer]) -> None:
    player = playing()
    player.hear((signal(SignalKind.TROUBLE, place_mm=None),))
    board.wait_for(lambda: set(board.shown[-1][1]) != {DARK} if board.shown else False)
    count = len(board.shown)
    threading.Event().wait(0.3)
    assert len(board.shown) == count


@pytest.mark.parametrize(
    ("sound", "heard"),
    [("on", [SignalKind.YOUR_TURN, SignalKind.HIT]), ("quiet", [SignalKind.HIT]), ("off", [])],
)
def test_quiet_leaves_the_rulings_sounds_and_off_none(
    board: WatchedBoard, playing: Callable[..., BoardPlayer], sound: str, heard: list[SignalKind]
) -> None:
    player = playing(sound=sound)
    player.hear((signal(SignalKind.YOUR_TURN, 1),))
    board.wait_for(lambda: player.lights.resting is not None)
    player.hear((signal(SignalKind.HIT, 2),))
    board.wait_for(lambda: player.lights.current is not None)
    board.wait_for(lambda: player.lights.current is None)
    assert board.tunes == [tones_of(kind) for kind in heard]
    assert player.is_sounding is (sound != "off")


def test_the_picture_fits_a_board_that_comes_later(
    board: WatchedBoard, playing: Callable[..., BoardPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_player, "IDLE_S", 0.02)
    board.status = BoardStatus(state=BoardState.LOST)
    player = playing()
    player.hear((signal(SignalKind.TROUBLE, place_mm=None),))
    board.wait_for(lambda: bool(board.shown) and set(board.shown[-1][1]) != {DARK})
    assert len(board.shown[-1][1]) == 48
    assert not player.is_sounding
    board.status = BoardStatus(state=BoardState.READY, leds=144, has_sound=True)
    board.wait_for(lambda: len(board.shown[-1][1]) == 144)


def test_the_game_never_waits_although_the_board_does(board: WatchedBoard, playing: Callable[..., BoardPlayer]) -> None:
    """A board that hangs in `show` fills the inbox; what does not fit is left out and counted."""
    board.gate = threading.Event()
    player = playing()
    player.hear((signal(SignalKind.MOVED, 0),))
    assert board.hangs.wait(PATIENCE_S)
    times_s = []
    for number in range(5000):
        step = (signal(SignalKind.MOVED, number),)
        began_s = time.perf_counter()
        player.hear(step)
        times_s.append(time.perf_counter() - began_s)
    assert sorted(times_s)[4995] < 0.002
    assert player.missed == 5000 - INBOX
    board.gate.set()
    player.hear((signal(SignalKind.HIT, 6000),))


def test_a_fault_is_survived(
    board: WatchedBoard, playing: Callable[..., BoardPlayer], caplog: pytest.LogCaptureFixture
) -> None:
    player = playing()
    player.hear((None,))  # type: ignore[arg-type]  # what a bug might give
    board.wait_for(lambda: True)
    player.hear((signal(SignalKind.DEATH),))
    board.wait_for(lambda: bool(board.tunes))
    assert "the light player failed" in caplog.text


def test_brightness_is_obeyed(board: WatchedBoard, playing: Callable[..., BoardPlayer]) -> None:
    player = playing(brightness=0.25)
    said: Signal = signal(SignalKind.ILLEGAL)
    player.hear((said,))
    board.wait_for(lambda: any(set(picture) != {DARK} for _, picture in board.shown))
    assert max(max(led) for _, picture in board.shown for led in picture) == 12
