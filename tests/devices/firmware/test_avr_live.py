"""The link's real thread and pyserial against the Arduino's real program at a pty, in real time."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.board import BoardState, Picture
from devices.board_choice import BoardChoice, make_board
from devices.board_link import BoardLink
from devices.board_list import Consents
from tests.devices.firmware.simulated_board import LiveBoard, Pitch, Strip, pitches, strips

Starter = Callable[[Path], LiveBoard]


def plain(index: int, leds: int = 48) -> Picture:
    return ((index % 20, index // 20 % 20, 2),) * leds


def four_runs(index: int, leds: int) -> Picture:
    """A spot of ten LEDs that tells the picture's number, on a ring."""
    spot = 4 + index % (leds - 20)
    return (
        *(((0, 4, 8),) * spot),
        *(((index % 60 + 1, index // 60 % 60, 0),) * 10),
        *(((0, 0, 0),) * (leds - spot - 14)),
        *(((0, 2, 4),) * 4),
    )


class Played:
    """A live board with a link to it."""

    def __init__(self, board: LiveBoard) -> None:
        self.board = board
        self.changed = threading.Condition()
        made = make_board(
            BoardChoice(kind="deskref", port=str(board.port)), Consents(None), on_status=lambda _: self._wake()
        )
        assert isinstance(made, BoardLink)
        self.link = made
        self.link.start()

    def _wake(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def wait_until(self, state: BoardState, timeout_s: float = 20.0) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.link.status.state is state, timeout_s), self.link.status

    def wait_for_connection(self, number: int, timeout_s: float = 20.0) -> None:
        with self.changed:
            assert self.changed.wait_for(
                lambda: self.link.status.is_ready and self.link.status.connections >= number, timeout_s
            ), self.link.status


@pytest.fixture
def start(live_board: Starter) -> Iterator[Callable[[Path], Played]]:
    running: list[Played] = []

    def begin(program: Path) -> Played:
        running.append(Played(live_board(program)))
        return running[-1]

    yield begin
    for played in running:
        played.link.close()


def test_a_picture_and_a_tune_arrive(start: Callable[[Path], Played], program_48: Path) -> None:
    played = start(program_48)
    played.wait_until(BoardState.READY)
    assert played.link.status.leds == 48
    played.link.show(plain(7))
    played.board.wait_for_picture(plain(7))
    played.link.play(((880, 70), (1320, 90)))
    played.board.wait_for(lambda: any(p.hz == 0 for p in pitches(played.board.events)), 20.0)
    heard = [p.hz for p in pitches(played.board.events) if p.hz]
    assert heard[0] == pytest.approx(880, rel=0.02)
    assert heard[-1] == pytest.approx(1320, rel=0.02)
    assert len(heard) <= 3, "at most the one period in which the pitch changes lies between"
    played.link.close()
    played.board.wait_for_picture(((0, 0, 0),) * 48, after=len(played.board.events) - 3)


def test_replugged_the_picture_is_back_within_a_second_and_a_half(
    start: Callable[[Path], Played], program_48: Path
) -> None:
    """Counted from the moment at which the port exists again to the strip's latch."""
    played = start(program_48)
    played.link.show(plain(3))
    played.board.wait_for_picture(plain(3))
    played.board.unplug()
    played.wait_until(BoardState.LOST)
    before = len(played.board.events)
    began_s = time.monotonic()
    played.board.plug()
    strip = played.board.wait_for_picture(plain(3), after=before)
    assert strip.mono_s - began_s < 1.5


def test_a_reset_board_gets_its_picture_again(start: Callable[[Path], Played], program_48: Path) -> None:
    played = start(program_48)
    played.link.show(plain(5))
    played.board.wait_for_picture(plain(5))
    before = len(played.board.events)
    played.board.tell("reset")
    played.board.wait_for_picture(plain(5), after=before)


def test_a_hanging_board_costs_the_caller_nothing_and_comes_back(
    start: Callable[[Path], Played], program_48: Path
) -> None:
    """The simulated chip stands still: its pty takes bytes until it is full, and nothing answers."""
    played = start(program_48)
    played.wait_until(BoardState.READY)
    played.board.tell("hang")
    times_s = []
    for i in range(5000):
        began_s = time.perf_counter()
        played.link.show(plain(i))
        times_s.append(time.perf_counter() - began_s)
    assert sorted(times_s)[4995] < 0.002
    played.wait_until(BoardState.LOST)
    played.board.tell("go")
    played.board.wait_for_picture(plain(4999), timeout_s=30.0)


def latencies_ms(played: Played, leds: int, count: int) -> list[float]:
    """From the call to the last LED latched, by the same clock, for pictures of four runs."""
    found = []
    chance = random.Random(4)
    for i in range(count):
        picture = four_runs(i, leds)
        before = len(played.board.events)
        time.sleep(chance.uniform(0.03, 0.08))  # not in step with the link's polls; nothing is waited for by it
        began_s = time.monotonic()
        played.link.show(picture)
        strip: Strip = played.board.wait_for_picture(picture, after=before)
        found.append(1000 * (strip.mono_s - began_s))
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize(("leds", "median_ms"), [(48, 10.0), (144, 12.0)])
def test_the_light_is_there_within_twenty_milliseconds(
    start: Callable[[Path], Played], leds: int, median_ms: float, request: pytest.FixtureRequest
) -> None:
    program: Path = request.getfixturevalue(f"program_{leds}")
    played = start(program)
    played.wait_until(BoardState.READY)
    latencies_ms(played, leds, 10)
    found = latencies_ms(played, leds, 300)
    median, p99 = found[len(found) // 2], found[len(found) * 99 // 100]
    print(f"\n{leds} LEDs: median {median:.1f} ms, p99 {p99:.1f} ms, longest {found[-1]:.1f} ms")
    assert median < median_ms
    assert p99 < 20.0
    assert not any(isinstance(e, Pitch) for e in played.board.events)
    assert len(strips(played.board.events)) >= 310
