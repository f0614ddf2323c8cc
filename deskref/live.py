"""The running referee: the camera thread, the vision thread and the referee's thread, and what they hand each other.

Only frozen values cross between them: frames and what is seen through `Latest` (newest wins), events and players'
inputs through one bounded queue (none lost).
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from deskref.board_player import BoardPlayer
from deskref.eyes import Eyes, Seen
from deskref.inputs import AnyInput
from deskref.play import TICK_S, Play
from deskref.session import Session
from deskref.signal import Signal
from devices.camera import Source, Trouble
from devices.camera_thread import CameraThread
from devices.frame import Frame
from devices.latest import Latest
from vision.events import TableEvent
from vision.observation import Observation

logger = logging.getLogger(__name__)

INBOX = 1000
"""Events and inputs that may wait for the referee: minutes of play; it takes them in well under a millisecond each."""

STOP_S = 5.0
"""How long stopping waits for each thread."""


class Output(Protocol):
    """What follows the game: a light board, a broker. Nothing of it may keep the caller waiting."""

    def start(self) -> None:
        """Begin; returns at once."""

    def hear(self, signals: tuple[Signal, ...]) -> None:
        """Take the signals of one step; called in the referee's thread, returns at once."""

    def stop(self) -> None:
        """End; waits a few seconds at most."""


class LiveGame:
    """A game that is refereed now, with a camera or without one.

    `session`, `seen` and `trouble` are replaced as a whole and may be read by any thread at any time.
    """

    def __init__(self, play: Play, source: Source | None = None, *, eyes: Eyes | None = None) -> None:
        """Prepare; `start` begins.

        Args:
            play: the owner of the session; from now on only the referee's thread uses it.
            source: where frames come from; None plays with typed and simulated dice.
            eyes: what looks at the frames; new ones by default.
        """
        self.session: Session = play.session
        self.seen: Seen | None = None
        self.on_signals: list[Callable[[tuple[Signal, ...]], None]] = []
        """Called in the referee's thread with each step's signals; must return at once."""
        self.outputs: list[Output] = []
        self.board: BoardPlayer | None = None
        """The light board among the outputs; None where the settings want none."""
        self._play = play
        self._inbox: queue.Queue[Observation | TableEvent | AnyInput] = queue.Queue(INBOX)
        self._stop = threading.Event()
        self._started_s = time.monotonic()
        self._clock: tuple[float, float] = (0.0, self._started_s)
        self._frames: Latest[Frame] = Latest()
        self._eyes = eyes or Eyes()
        self._camera = CameraThread(source, self._frames) if source is not None else None
        self._threads = [threading.Thread(target=self._referee, name="referee", daemon=True)]
        if self._camera is not None:
            self._threads.append(threading.Thread(target=self._look, name="vision", daemon=True))
        self.frame_times_s: tuple[float, ...] = ()
        """When the last frames were looked at, by the monotonic clock; for the rate shown."""

    def add_output(self, output: Output) -> None:
        """Let something follow the game; it is started and stopped with it."""
        self.outputs.append(output)
        self.on_signals.append(output.hear)

    def start(self) -> None:
        """Start the threads."""
        for output in self.outputs:
            output.start()
        for thread in self._threads:
            thread.start()
        if self._camera is not None:
            self._camera.start()

    def stop(self) -> None:
        """Stop the threads and close the journal."""
        self._stop.set()
        if self._camera is not None:
            self._camera.stop()
        self._frames.close()
        for thread in self._threads:
            thread.join(STOP_S)
        if self._camera is not None:
            self._camera.join(STOP_S)
        if self._play.journal is not None:
            self._play.journal.close()
        for output in self.outputs:
            output.stop()

    def tell(self, given: AnyInput) -> None:
        """Hand in a player's input; it is given the session's time when the referee takes it."""
        self._inbox.put(given, timeout=STOP_S)

    @property
    def now_s(self) -> float:
        """The session's time: the newest frame's, carried on by the clock."""
        frame_s, at_s = self._clock
        return frame_s + time.monotonic() - at_s

    @property
    def has_camera(self) -> bool:
        """Whether a desk is watched."""
        return self._camera is not None

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the camera now, None while it delivers."""
        return self._camera.status.trouble if self._camera is not None else None

    @property
    def rate_hz(self) -> float:
        """Frames looked at in each of the last seconds."""
        times = self.frame_times_s
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 2 and times[-1] > times[0] else 0.0

    def _look(self) -> None:
        while not self._stop.is_set():
            frame = self._frames.take(0.2)
            if frame is None:
                continue
            self._clock = (frame.time_s, time.monotonic())
            try:
                seen = self._eyes.look(frame)
            except Exception:
                logger.exception("a frame could not be looked at; the next one is tried")
                continue
            self.seen = seen
            self.frame_times_s = (*self.frame_times_s[-30:], time.monotonic())
            if self._play.journal is not None:
                self._inbox.put(seen.observation)
            for event in seen.events:
                self._inbox.put(event)

    def _referee(self) -> None:
        while not self._stop.is_set():
            signals: tuple[Signal, ...] = ()
            try:
                waiting = self._inbox.get(timeout=TICK_S)
                if isinstance(waiting, Observation):
                    self._play.seen(waiting)
                elif isinstance(waiting, TableEvent):
                    signals = self._play.happened(waiting)
                else:
                    signals = self._play.happened(replace(waiting, time_s=self.now_s))
            except queue.Empty:
                pass
            except Exception:
                logger.exception("the referee could not take a step; the game stays as it was")
            signals += self._play.passed(self.now_s)
            self.session = self._play.session
            if signals:
                for listener in self.on_signals:
                    listener(signals)
