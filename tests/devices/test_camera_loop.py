"""Keeping one source alive, with a clock that is told the time."""

from __future__ import annotations

import itertools
import random
import tracemalloc
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from devices.camera import FROZEN_S, SourceEnded, SourceError, Trouble, TroubleCode
from devices.camera_loop import BACKOFF_S, TURN_S, CameraLoop, CameraState
from devices.camera_watch import LOST_S
from devices.frame import Frame
from tests.devices.fakes import FakeClock, PictureMaker, ScriptedSource, black_picture, gone


class Bench:
    """A loop with its source, clock, and what it handed on."""

    def __init__(self, steps: Iterable[Any], *, interval_s: float = 1 / 30) -> None:
        self.clock = FakeClock()
        self.source = ScriptedSource(steps, clock=self.clock, interval_s=interval_s)
        self.handed: list[Frame] = []
        self.forgotten = 0
        self.loop = CameraLoop(
            self.source,
            self.handed.append,
            clock=self.clock,
            sleep=self.clock.sleep,
            chance=random.Random(5),
            forget=self._forget,
        )

    def _forget(self) -> None:
        self.forgotten += 1

    def run_for(self, seconds: float) -> None:
        end_s = self.clock.now_s + seconds
        while self.clock.now_s < end_s and not self.loop.has_ended:
            before_s = self.clock.now_s
            self.loop.turn()
            if self.clock.now_s == before_s:
                self.clock.sleep(0.001)

    @property
    def state(self) -> CameraState:
        return self.loop.status.state


def test_a_living_camera_is_live_with_its_measured_rate_and_size() -> None:
    make = PictureMaker(size=(64, 48))
    bench = Bench(make() for _ in itertools.count())
    bench.run_for(3)
    status = bench.loop.status
    assert status.state is CameraState.LIVE
    assert status.size == (64, 48)
    assert status.rate_hz == pytest.approx(30, rel=0.05)
    assert [frame.number for frame in bench.handed] == list(range(len(bench.handed)))
    assert status.quality is not None
    assert TroubleCode.SMALL in [advice.code for advice in status.advice]


@pytest.fixture
def make() -> PictureMaker:
    return PictureMaker()


def test_c5_a_frozen_camera_stalls_is_lost_and_is_opened_again(make: PictureMaker) -> None:
    """C5: the fake repeats one frame. Nothing of it is handed on, so the rulings stop at once."""
    frozen = make()
    bench = Bench(itertools.chain((make() for _ in range(60)), itertools.repeat(frozen)))
    bench.run_for(2.0)
    delivered = len(bench.handed)
    bench.run_for(FROZEN_S + 0.2)
    assert bench.state is CameraState.STALLED
    assert bench.forgotten >= 1
    bench.run_for(LOST_S)
    assert bench.source.opened >= 2
    assert len(bench.handed) <= delivered + 2
    marks = [frame.image_bgr.tobytes() for frame in bench.handed]
    assert len(set(marks)) == len(marks)


def test_c7_a_camera_that_stays_away_costs_few_attempts_and_comes_back(make: PictureMaker) -> None:
    """C7: no busy loop, and recovery after replugging."""
    bench = Bench(itertools.chain((make() for _ in range(30)), [gone()], (make() for _ in itertools.count())))
    bench.source.open_troubles = [None] + [gone()] * 12
    bench.run_for(1.2)
    status = bench.loop.status
    assert status.state is CameraState.LOST
    assert status.trouble is not None
    assert status.trouble.code is TroubleCode.UNPLUGGED
    bench.run_for(30)
    assert bench.source.opened <= 1 + 30 / (BACKOFF_S[-1] * 0.8) + len(BACKOFF_S)
    bench.run_for(30)
    assert bench.state is CameraState.LIVE


def test_the_wait_between_attempts_grows_and_differs_by_chance(make: PictureMaker) -> None:
    bench = Bench([])
    bench.source.open_troubles = [gone() for _ in range(50)]
    times: list[float] = []
    seen = 0
    for _ in range(1000):
        bench.loop.turn()
        if bench.source.opened > seen:
            seen = bench.source.opened
            times.append(bench.clock.now_s)
    waits = np.diff(times)
    nominals = (*BACKOFF_S, *[BACKOFF_S[-1]] * len(waits))
    for wait, nominal in zip(waits, nominals, strict=False):
        assert 0.8 * nominal <= wait <= 1.2 * nominal + 0.001
    assert len({round(float(wait), 6) for wait in waits[3:]}) > 1


def test_after_a_good_picture_the_first_wait_is_short_again(make: PictureMaker) -> None:
    steps = itertools.chain.from_iterable([*(make() for _ in range(10)), gone()] for _ in itertools.count())
    bench = Bench(steps)
    bench.run_for(60)
    # Each round is a third of a second of pictures and a first wait of 0.5 s.
    assert bench.source.opened > 60 / (0.34 + 0.6 + 0.2)


def test_c4_a_black_camera_is_never_live(make: PictureMaker) -> None:
    """C4: it "opens fine"."""
    bench = Bench(itertools.repeat(black_picture()))
    bench.run_for(10)
    assert bench.state is CameraState.OPENING
    assert bench.loop.status.trouble is not None
    assert bench.loop.status.trouble.code is TroubleCode.BLACK
    assert bench.handed == []


def test_c21_the_first_frames_after_opening_are_not_used(make: PictureMaker) -> None:
    """C21: warm-up frames."""
    bench = Bench(make() for _ in itertools.count())
    bench.source.warm_up_frames = 4
    bench.run_for(1)
    assert bench.handed[0].number == 4


def test_c21_a_first_opening_that_fails_is_repeated(make: PictureMaker) -> None:
    """C21: works the second time."""
    bench = Bench(make() for _ in itertools.count())
    bench.source.open_troubles = [gone()]
    bench.run_for(2)
    assert bench.state is CameraState.LIVE
    assert bench.loop.status.openings == 2


def test_c16_frames_that_waited_while_the_computer_slept_are_skipped(make: PictureMaker) -> None:
    """C16: a driver's queue of 4 frames is read at once after a pause, and shows the table before the pause."""
    bench = Bench(make() for _ in itertools.count())
    bench.run_for(2)
    before = bench.handed[-1].number
    bench.clock.sleep(600)
    bench.source._interval_s = 0.0005
    for _ in range(4):
        bench.loop.turn()
    bench.source._interval_s = 1 / 30
    bench.run_for(1)
    numbers = [frame.number for frame in bench.handed]
    queued = set(range(before + 1, before + 5))
    assert not queued & set(numbers)
    assert before + 5 in numbers
    assert bench.loop.status.left_over == 4


def test_c16_a_camera_faster_than_it_seemed_does_not_starve(make: PictureMaker) -> None:
    bench = Bench(make() for _ in itertools.count())
    bench.run_for(2)
    bench.clock.sleep(5)
    bench.source._interval_s = 0.001
    before = len(bench.handed)
    bench.run_for(1)
    assert len(bench.handed) > before + 100


def test_a_change_of_size_is_taken_and_told(make: PictureMaker) -> None:
    """A phone that is turned, or an app whose size is changed, changes the size in the middle."""
    wide, tall = PictureMaker(size=(64, 48)), PictureMaker(size=(48, 64))
    bench = Bench(itertools.chain((wide() for _ in range(40)), (tall() for _ in range(40)), itertools.repeat(None)))
    bench.run_for(2.5)
    assert bench.loop.status.size == (48, 64)
    assert {frame.size for frame in bench.handed} == {(64, 48), (48, 64)}
    told = [advice for advice in bench.loop.status.advice if advice.code is TroubleCode.SIZE_CHANGED]
    assert "from 64 x 48 to 48 x 64" in told[0].message


def test_drops_of_single_frames_do_not_matter(make: PictureMaker) -> None:
    chance = random.Random(3)
    bench = Bench((make() if chance.random() > 0.3 else None for _ in itertools.count()), interval_s=1 / 30)
    bench.run_for(20)
    assert bench.state is CameraState.LIVE
    assert bench.source.opened == 1


def test_a_slow_camera_of_two_frames_a_second_is_live_and_told_so(make: PictureMaker) -> None:
    """C15: uncompressed pictures or dim light."""
    bench = Bench((make() for _ in itertools.count()), interval_s=0.5)
    bench.run_for(10)
    status = bench.loop.status
    assert status.state is CameraState.LIVE
    assert TroubleCode.SLOW in [advice.code for advice in status.advice]
    assert bench.source.opened == 1


def test_a_file_that_breaks_is_over_and_is_not_opened_again(make: PictureMaker) -> None:
    bench = Bench([make(), SourceError(TroubleCode.CUT_OFF, "The film breaks off.", "Copy it again.")])
    bench.source.is_live = False
    bench.run_for(5)
    assert bench.state is CameraState.ENDED
    assert bench.loop.status.trouble is not None
    assert bench.loop.status.trouble.code is TroubleCode.CUT_OFF
    assert bench.source.opened == 1
    assert bench.source.closed >= 1


def test_a_film_may_repeat_a_picture_and_end(make: PictureMaker) -> None:
    """A film of a still table is no fault, and neither is black in a film."""
    still = make()
    bench = Bench([still, still, black_picture(), SourceEnded()])
    bench.source.is_live = False
    bench.run_for(5)
    assert len(bench.handed) == 3
    assert bench.state is CameraState.ENDED
    assert bench.loop.status.trouble is None


def test_a_lock_is_asked_for_once_and_what_is_refused_is_told(make: PictureMaker) -> None:
    """C10 and C18: exposure and focus are held if the camera lets itself be held."""
    bench = Bench(make() for _ in itertools.count())
    refused = (Trouble(TroubleCode.NOT_LOCKED, "The camera's exposure could not be held fixed.", ""),)
    calls: list[int] = []

    def lock() -> tuple[Trouble, ...]:
        calls.append(1)
        return refused

    bench.source.lock = lock  # type: ignore[method-assign]
    bench.run_for(1)
    bench.loop.lock_is_wanted = True
    bench.run_for(1)
    assert calls == [1]
    assert refused[0] in bench.loop.status.advice
    bench.source.unlock = lambda: calls.append(2)  # type: ignore[method-assign]
    bench.loop.unlock_is_wanted = True
    bench.run_for(1)
    assert calls == [1, 2]
    assert refused[0] not in bench.loop.status.advice


@pytest.mark.parametrize("minutes", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_an_hour_of_unplugging_and_stalls_delivers_nothing_stale_and_does_not_grow(minutes: int) -> None:
    """At 10 frames a second: freezes, circles, black, silence, refusals, sleep, changes of size."""
    chance = random.Random(11)
    makers = [PictureMaker(seed=1, size=(64, 48)), PictureMaker(seed=2, size=(96, 64))]
    truth: set[bytes] = set()
    clock: list[FakeClock] = []

    def life() -> Iterable[Any]:
        while True:
            make = chance.choice(makers)
            for _ in range(chance.randrange(20, 200)):
                picture = make()
                truth.add(picture.tobytes()[:64])
                yield picture
            last = [make() for _ in range(chance.randrange(1, 5))]
            for picture in last:
                truth.add(picture.tobytes()[:64])
                yield picture
            fault = chance.choice(("freeze", "circle", "black", "silence", "gone", "sleep", "blink"))
            if fault in ("freeze", "circle"):
                for number in range(chance.randrange(5, 90)):
                    yield last[number % len(last)] if fault == "circle" else last[-1]
            elif fault == "black":
                for _ in range(chance.randrange(1, 60)):
                    yield black_picture()
            elif fault == "silence":
                for _ in range(chance.randrange(1, 80)):
                    yield None
            elif fault == "gone":
                yield gone()
            elif fault == "sleep":
                clock[0].sleep(chance.uniform(1, 300))

    bench = Bench(life(), interval_s=0.1)
    clock.append(bench.clock)
    handed = 0
    seen: set[bytes] = set()
    states: set[CameraState] = set()

    def deliver(frame: Frame) -> None:
        nonlocal handed
        handed += 1
        mark = frame.image_bgr.tobytes()[:64]
        assert mark in truth
        assert mark not in seen, "an old frame was handed on as a new one"
        assert bench.clock.now_s - frame.time_s < TURN_S
        seen.add(mark)

    bench.loop._deliver = deliver
    tracemalloc.start()
    sizes = []
    for _ in range(12):
        bench.run_for(minutes * 5)
        states.add(bench.state)
        truth.clear()
        seen.clear()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert handed > 150 * minutes
    assert bench.source.opened > minutes / 6
    assert max(sizes[2:]) - min(sizes[2:]) < 400_000, sizes
    assert states <= set(CameraState) - {CameraState.ENDED}
