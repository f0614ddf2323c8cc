"""The thread that reads a source and hands its newest frame on, whatever the source does."""

from __future__ import annotations

import logging
import random
import threading
from dataclasses import replace
from types import TracebackType
from typing import Self

from devices.camera import Clock, Source, SourceError, now_s
from devices.camera_loop import CameraLoop, CameraState, CameraStatus, hangs, still_opening
from devices.camera_watch import LOST_S, STALLED_S
from devices.frame import Frame
from devices.latest import Latest

logger = logging.getLogger(__name__)

OPENING_SLOW_S = 5.0
"""Opening for longer is said on the screen: webcams take 0.5 to 3 s."""

OPENING_HANGS_S = 90.0
"""Opening for longer counts as hung. Media Foundation has been reported to take "minutes" with hardware transforms,
which are off here."""

READING_HANGS_S = 8.0
"""A read that takes longer will not return: the thread in it is left behind, and the source is opened afresh."""

LOOK_S = 0.25
"""How often a hung thread is looked for."""

PATIENCE_S = 5.0
"""How long a patient source, as a film is, waits for its frame to be looked at: on a slow computer it plays slower and
nothing is lost."""

HUNG_AT_MOST = 2
"""Threads left behind at once. While as many hang, no further is started: each holds a camera handle with buffers."""


def slot_for(source: Source | None) -> Latest[Frame]:
    """Make the slot for a source's frames: the newest wins, but a patient source waits until each was looked at."""
    return Latest(wait_s=PATIENCE_S if source is not None and source.is_patient else 0.0)


class CameraThread:
    """Read a source in a thread of its own and put the newest frame into a slot.

    Films are read at their own speed this way; with a slot of `slot_for` those that are `steady` lose no frame.
    Where every frame counts, read the source itself (`Source.frames`).
    Several of these run side by side, one for each camera.
    """

    def __init__(
        self, source: Source, latest: Latest[Frame], *, clock: Clock = now_s, chance: random.Random | None = None
    ) -> None:
        """Remember what is needed; `start` begins.

        Args:
            source: belongs to this thread from now on.
            latest: gets each frame; closed by `stop`. When a film is over, `status` says so.
            clock: seconds.
            chance: for the jitter of the waits between attempts to open.
        """
        self._latest = latest
        self._clock = clock
        self._chance = chance or random.Random()
        self._stopping = threading.Event()
        self._loop = self._new_loop(source)
        self._workers: list[threading.Thread] = []
        self._look_out: threading.Thread | None = None

    @property
    def source(self) -> Source:
        """The source that is read; another object for the same camera after it had hung."""
        return self._loop.source

    @property
    def status(self) -> CameraStatus:
        """The state as of now, from any thread, never waiting; also right while the source hangs."""
        loop = self._loop
        status, busy_since_s = loop.status, loop.busy_since_s
        if busy_since_s is None or status.state is CameraState.ENDED or not loop.source.is_live:
            return status
        busy_s = self._clock() - busy_since_s
        if status.state in (CameraState.LIVE, CameraState.STALLED):
            if busy_s > LOST_S:
                return replace(status, state=CameraState.LOST, trouble=hangs())
            if busy_s > STALLED_S:
                return replace(status, state=CameraState.STALLED, trouble=status.trouble or hangs())
        elif busy_s > OPENING_SLOW_S:
            return replace(status, trouble=status.trouble or still_opening())
        return status

    def start(self) -> None:
        """Begin to read. On macOS call it on the main thread: only there the system asks for the permission.

        Raises:
            RuntimeError: it was started before.
        """
        if self._workers:
            raise RuntimeError("a camera thread is started once, this one has been started before")
        source = self._loop.source
        if source.opens_on_main_thread and threading.current_thread() is threading.main_thread():
            try:
                source.open()
            except SourceError as error:
                # The loop meets the same error and shows it.
                logger.info("the first attempt to open the camera failed: %s", error.code.value)
        self._start_worker(self._loop)
        if source.is_live:
            self._look_out = threading.Thread(target=self._look_for_hanging, name="camera look-out", daemon=True)
            self._look_out.start()

    def lock(self) -> None:
        """Ask the camera to hold exposure, white balance and focus; what it refuses shows up in `status.advice`."""
        self._loop.lock_is_wanted = True

    def unlock(self) -> None:
        """Ask the camera to find exposure, white balance and focus by itself again, as when the light has changed."""
        self._loop.unlock_is_wanted = True

    def stop(self) -> None:
        """Ask to end, and wake whoever waits for a frame."""
        self._stopping.set()
        self._latest.close()

    def join(self, timeout_s: float) -> bool:
        """Wait until the threads have ended.

        Returns:
            False if one still hangs in its camera after the timeout; it does not keep the program from ending.
        """
        deadline_s = now_s() + timeout_s
        threads = [*self._workers, *([self._look_out] if self._look_out else [])]
        for thread in threads:
            thread.join(max(0.0, deadline_s - now_s()))
        return not any(thread.is_alive() for thread in threads)

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop and wait a moment."""
        self.stop()
        self.join(2.0)

    def _new_loop(self, source: Source) -> CameraLoop:
        """Make a loop whose frames count only while it is the current one."""

        def deliver(frame: Frame) -> None:
            if self._loop is loop:
                self._latest.put(frame)

        def forget() -> None:
            if self._loop is loop:
                self._latest.clear()

        loop = CameraLoop(
            source,
            deliver,
            forget=forget,
            clock=self._clock,
            sleep=self._sleep,
            chance=self._chance,
        )
        return loop

    def _sleep(self, wait_s: float) -> None:
        """Wait, but not beyond a stop."""
        self._stopping.wait(wait_s)

    def _start_worker(self, loop: CameraLoop) -> None:
        """Run a loop in a thread that does not keep the program alive if its camera hangs."""
        thread = threading.Thread(target=self._work, args=(loop,), name=f"camera {loop.source.name}", daemon=True)
        self._workers.append(thread)
        thread.start()

    def _work(self, loop: CameraLoop) -> None:
        """Turn the loop until the end, the stop, or until another took its place."""
        try:
            while self._loop is loop and not self._stopping.is_set() and not loop.has_ended:
                try:
                    loop.turn()
                except Exception:
                    logger.exception("reading the camera failed")
                    loop.give_up()
        finally:
            loop.close()

    def _look_for_hanging(self) -> None:
        """Look again and again for a thread that hangs in its source."""
        while not self._stopping.wait(LOOK_S) and not self._loop.has_ended:
            self._leave_hanging_behind()

    def _leave_hanging_behind(self) -> None:
        """Start another thread if the present one has been in its source for too long, up to `HUNG_AT_MOST`."""
        loop = self._loop
        busy_since_s = loop.busy_since_s
        if busy_since_s is None:
            return
        limit_s = READING_HANGS_S if loop.is_open else OPENING_HANGS_S
        if self._clock() - busy_since_s <= limit_s:
            return
        self._workers = [thread for thread in self._workers if thread.is_alive()]
        if len(self._workers) > HUNG_AT_MOST:
            return
        logger.warning("the camera %r hangs; it is opened afresh", loop.source.name)
        fresh = self._new_loop(loop.source.again())
        fresh.status = replace(loop.status, state=CameraState.LOST, trouble=hangs())
        self._loop = fresh
        self._latest.clear()
        self._start_worker(fresh)
