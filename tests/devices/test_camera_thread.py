"""The reading thread with sources that block, hang and disappear."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from devices.camera import Source, SourceDetails, SourceError, TroubleCode
from devices.camera_loop import CameraState
from devices.camera_thread import HUNG_AT_MOST, OPENING_SLOW_S, CameraThread
from devices.film import Film
from devices.frame import Frame
from devices.latest import Latest
from devices.webcam import Webcam
from tests.devices.fakes import (
    WAIT_S,
    FakeCapture,
    FakeClock,
    PictureMaker,
    camera,
    stamp_of,
    wait_for_status,
    wait_until,
)
from tests.devices.test_film import FRAMES, write_film


class BlockingSource(Source):
    """Live; delivers until told to block in `open` or `read`, where it stays until it is released."""

    is_live = True
    name = "blocking"
    identity = "blocking"

    def __init__(self, *, makes: list[BlockingSource] | None = None) -> None:
        super().__init__()
        self.blocks_open = threading.Event()
        self.blocks_read = threading.Event()
        self.is_inside = threading.Event()
        self.release = threading.Event()
        self.opened_on: list[threading.Thread] = []
        self.makes = makes if makes is not None else []
        self._make = PictureMaker(seed=len(self.makes))
        self._tick = threading.Event()
        self.closed = 0

    @property
    def details(self) -> SourceDetails:
        return SourceDetails()

    def open(self) -> None:
        self.opened_on.append(threading.current_thread())
        if self.blocks_open.is_set():
            self.is_inside.set()
            self.release.wait(6 * WAIT_S)

    def read(self, timeout_s: float) -> Frame | None:
        if self.blocks_read.is_set():
            self.is_inside.set()
            self.release.wait(6 * WAIT_S)
        self._tick.wait(0.005)
        return Frame(self._make(), time.monotonic(), self._next_number())

    def close(self) -> None:
        self.closed += 1

    def again(self) -> BlockingSource:
        fresh = BlockingSource(makes=self.makes)
        self.makes.append(fresh)
        return fresh._count_from(self)


class SteppedClock(FakeClock):
    """The true clock, plus what a test adds."""

    def __call__(self) -> float:
        return time.monotonic() + self.now_s


def test_frames_flow_and_stopping_ends_all_threads() -> None:
    latest: Latest[Frame] = Latest()
    thread = CameraThread(BlockingSource(), latest)
    thread.start()
    numbers = [frame.number for frame in (latest.take(WAIT_S) for _ in range(5)) if frame]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 5
    thread.stop()
    assert thread.join(WAIT_S)
    assert not [worker for worker in threading.enumerate() if worker.name in ("camera blocking", "camera look-out")]
    assert thread.status.state is CameraState.ENDED
    source = thread.source
    assert isinstance(source, BlockingSource)
    assert source.closed >= 1
    assert latest.is_closed


def test_c1_an_opening_that_takes_ten_seconds_leaves_the_program_alive_and_is_told() -> None:
    """C1: Media Foundation takes 12 s to minutes."""
    clock = SteppedClock(0.0)
    source = BlockingSource()
    source.blocks_open.set()
    latest: Latest[Frame] = Latest()
    thread = CameraThread(source, latest, clock=clock)
    thread.start()
    assert source.is_inside.wait(WAIT_S)
    assert thread.status.state is CameraState.OPENING
    assert thread.status.trouble is None
    clock.now_s += OPENING_SLOW_S + 1
    status = thread.status
    assert status.state is CameraState.OPENING
    assert status.trouble is not None
    assert "still being opened" in status.trouble.message
    source.release.set()
    wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
    thread.stop()
    assert thread.join(WAIT_S)


def test_c6_a_read_that_never_returns_stalls_is_lost_and_a_fresh_source_takes_over() -> None:
    """C6: the game can go on and quit; the number of threads left behind is bounded."""
    clock = SteppedClock(0.0)
    source = BlockingSource()
    latest: Latest[Frame] = Latest()
    thread = CameraThread(source, latest, clock=clock)
    thread.start()
    wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
    source.blocks_read.set()
    assert source.is_inside.wait(WAIT_S)
    clock.now_s += 2
    stalled = thread.status
    clock.now_s += 3
    lost = thread.status
    assert (stalled.state, lost.state) == (CameraState.STALLED, CameraState.LOST)
    assert lost.trouble is not None
    assert "does not answer" in lost.trouble.message
    delivered_before = source._frames_counted
    clock.now_s += 5
    wait_until(lambda: len(source.makes) == 1)
    wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
    latest.clear()
    frame = latest.take(WAIT_S)
    assert frame is not None
    assert frame.number >= delivered_before
    # What the thread left behind still delivers does not count.
    fresh = thread.source
    source.blocks_read.clear()
    source.release.set()
    wait_until(lambda: source.closed > 0)
    assert thread.source is fresh
    thread.stop()
    assert thread.join(WAIT_S)


def test_c6_a_camera_whose_every_read_hangs_gets_no_more_than_a_few_threads() -> None:
    clock = SteppedClock(0.0)
    all_sources: list[BlockingSource] = []
    first = BlockingSource(makes=all_sources)
    all_sources.append(first)
    first.blocks_read.set()
    original_again = BlockingSource.again

    def hanging_again(self: BlockingSource) -> BlockingSource:
        fresh = original_again(self)
        fresh.blocks_read.set()
        return fresh

    thread = CameraThread(first, Latest(), clock=clock)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BlockingSource, "again", hanging_again)
        patch.setattr("devices.camera_thread.LOOK_S", 3600.0)
        thread.start()
        for _ in range(6):
            newest = thread.source
            assert isinstance(newest, BlockingSource)
            assert newest.is_inside.wait(WAIT_S)
            clock.now_s += 60
            thread._leave_hanging_behind()
        assert len(all_sources) == HUNG_AT_MOST + 1
        assert sum(worker.name == "camera blocking" for worker in threading.enumerate()) == HUNG_AT_MOST + 1
        assert thread.status.state in (CameraState.LOST, CameraState.OPENING)
    thread.stop()
    assert not thread.join(0.05)
    for source in all_sources:
        source.release.set()
    assert thread.join(WAIT_S)


def test_a_hanging_camera_does_not_keep_the_program_from_ending() -> None:
    source = BlockingSource()
    source.blocks_open.set()
    thread = CameraThread(source, Latest())
    thread.start()
    assert source.is_inside.wait(WAIT_S)
    thread.stop()
    began_s = time.monotonic()
    assert thread.join(0.1) is False
    assert time.monotonic() - began_s < 2
    assert all(worker.daemon for worker in threading.enumerate() if worker.name == "camera blocking")
    source.release.set()
    assert thread.join(WAIT_S)


def test_c17_macos_opens_on_the_main_thread_first() -> None:
    """C17: the system asks for the permission only there."""
    source = BlockingSource()
    source.opens_on_main_thread = True
    with CameraThread(source, Latest()) as thread:
        wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
    assert source.opened_on[0] is threading.main_thread()
    elsewhere = BlockingSource()
    with CameraThread(elsewhere, Latest()) as thread:
        wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
    assert elsewhere.opened_on[0] is not threading.main_thread()


def test_c17_a_refused_permission_does_not_stop_the_program() -> None:
    class Refused(BlockingSource):
        def open(self) -> None:
            raise SourceError(TroubleCode.NO_PERMISSION, "Not allowed.", "Allow it.")

    source = Refused()
    source.opens_on_main_thread = True
    with CameraThread(source, Latest()) as thread:
        status = wait_for_status(thread, lambda status: status.state is CameraState.LOST)
        assert status.trouble is not None
        assert status.trouble.code is TroubleCode.NO_PERMISSION


def test_a_fault_that_nobody_foresaw_is_logged_and_the_source_opened_again(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(BlockingSource):
        faults = 0

        def read(self, timeout_s: float) -> Frame | None:
            if self.faults == 0:
                self.faults += 1
                raise RuntimeError("a driver's surprise")
            return super().read(timeout_s)

    with CameraThread(Faulty(), Latest()) as thread:
        status = wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
        assert status.openings == 2
    assert "a driver's surprise" in caplog.text


def test_a_thread_is_started_once() -> None:
    with (
        CameraThread(BlockingSource(), Latest()) as thread,
        pytest.raises(RuntimeError, match="started once"),
    ):
        thread.start()


def test_two_cameras_side_by_side_deliver_their_own() -> None:
    """A second camera for a dice tray; one is unplugged, the other goes on."""
    wide, tall = PictureMaker(size=(64, 48)), PictureMaker(size=(48, 64))
    pause = threading.Event()

    def webcam(make: PictureMaker, name: str, plugged: list[Any]) -> Webcam:
        capture = FakeCapture(
            ((make() if plugged else None) for _ in itertools.count()), before_grab=lambda: pause.wait(0.003)
        )
        return Webcam(
            camera(name, f"v4l:{name}"), make=lambda *_: capture, cameras=lambda: tuple(plugged), platform="test"
        )

    table_plug, tray_plug = [camera("table", "v4l:table")], [camera("tray", "v4l:tray")]
    table_slot: Latest[Frame] = Latest()
    tray_slot: Latest[Frame] = Latest()
    with (
        CameraThread(webcam(wide, "table", table_plug), table_slot) as table,
        CameraThread(webcam(tall, "tray", tray_plug), tray_slot) as tray,
    ):
        wait_for_status(table, lambda status: status.state is CameraState.LIVE)
        wait_for_status(tray, lambda status: status.state is CameraState.LIVE)
        for _ in range(5):
            first, second = table_slot.take(WAIT_S), tray_slot.take(WAIT_S)
            assert first is not None
            assert second is not None
            assert first.size == (64, 48)
            assert second.size == (48, 64)
        tray_plug.clear()
        lost = wait_for_status(tray, lambda status: status.state is CameraState.LOST)
        assert lost.trouble is not None
        assert lost.trouble.code is TroubleCode.UNPLUGGED
        assert tray_slot.take(0) is None
        assert table.status.state is CameraState.LIVE
        assert table_slot.take(WAIT_S) is not None


def test_a_film_at_its_own_speed_ends_without_trouble(tmp_path: Path) -> None:
    latest: Latest[Frame] = Latest()
    film = Film(write_film(tmp_path / "film.avi", frames=20))
    with CameraThread(film, latest) as thread:
        stamps = []
        while thread.status.state is not CameraState.ENDED:
            frame = latest.take(0.2)
            if frame is not None:
                stamps.append(stamp_of(frame.image_bgr))
        assert thread.status.trouble is None
    assert stamps == sorted(set(stamps))
    assert stamps[-1] == 19


def test_a_film_that_breaks_off_says_so_at_its_end(tmp_path: Path) -> None:
    data = write_film(tmp_path / "film.avi").read_bytes()
    (tmp_path / "cut.avi").write_bytes(data[: len(data) // 3])
    with CameraThread(Film(tmp_path / "cut.avi", speed="fast"), Latest()) as thread:
        status = wait_for_status(thread, lambda status: status.state is CameraState.ENDED)
    assert status.trouble is not None
    assert status.trouble.code is TroubleCode.CUT_OFF
    assert 0 < status.delivered < FRAMES
