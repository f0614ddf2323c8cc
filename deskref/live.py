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
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from calibration.lens import Lens
from calibration.view_quality import Advice
from deskref.board_player import BoardPlayer
from deskref.eyes import Eyes, Seen
from deskref.inputs import AnyInput, StartGame
from deskref.looking import Looking
from deskref.picture_lock import Ask, PictureLock, next_ask
from deskref.play import TICK_S, Play
from deskref.session import Session
from deskref.signal import Signal
from deskref.table_choice import TableChoice
from deskref.tray_feed import TrayFeed
from deskref.view_advice import ViewAdvice
from devices.camera import Source, Trouble
from devices.camera_loop import CameraState, CameraStatus
from devices.camera_thread import CameraThread, slot_for
from devices.frame import Frame
from devices.pace import TIMES_KEPT, pace_told
from vision.events import TableEvent
from vision.observation import Observation
from vision.taught_faces import TaughtFaces

logger = logging.getLogger(__name__)

INBOX = 1000
"""Events and inputs that may wait for the referee: minutes of play; it takes them in well under a millisecond each."""

STOP_S = 5.0
"""How long stopping waits for each thread."""

LOOK_S = 0.2
"""How long the vision thread waits for a frame before it looks whether something else was asked of it."""


class Output(Protocol):
    """What follows the game: a light board, a broker. Nothing of it may keep the caller waiting."""

    def start(self) -> None:
        """Begin; returns at once."""

    def hear(self, signals: tuple[Signal, ...]) -> None:
        """Take the signals of one step; called in the referee's thread, returns at once."""

    def stop(self) -> None:
        """End; waits a few seconds at most."""


@dataclass(frozen=True, slots=True, eq=False)
class _Anew:
    """The eyes look otherwise at all frames later than a time; for the journal."""

    looking: Looking
    after_s: float


class LiveGame:
    """A game that is refereed now, with a camera or without one.

    `session`, `seen` and `trouble` are replaced as a whole and may be read by any thread at any time.
    """

    def __init__(
        self, play: Play, source: Source | None = None, *, eyes: Eyes | None = None, tray: Source | None = None
    ) -> None:
        """Prepare; `start` begins.

        Args:
            play: the owner of the session; from now on only the referee's thread uses it.
            source: where frames come from; None plays with typed and simulated dice.
            eyes: what looks at the frames; new ones by default.
            tray: a second camera over a dice tray, whose dice count as rolls.
        """
        self.session: Session = play.session
        self.seen: Seen | None = None
        self.on_signals: list[Callable[[tuple[Signal, ...]], None]] = []
        """Called in the referee's thread with each step's signals; must return at once."""
        self.goes_on_later = False
        """Whether the program is ended in the middle of the game, by Ctrl+C or the computer's shutting down: the next
        start then goes on with it."""
        self.refused: tuple[int, str] = (0, "")
        """How many of the players' inputs the referee could not take at all, and what was wrong with the last."""
        self.outputs: list[Output] = []
        self.board: BoardPlayer | None = None
        """The light board among the outputs; None where the settings want none."""
        self._play = play
        self._inbox: queue.Queue[Observation | TableEvent | AnyInput | _Anew] = queue.Queue(INBOX)
        self._stop = threading.Event()
        self._clock: tuple[float, float] = (play.session.time_s, time.monotonic())
        """The session's time of the newest frame, or where it began, and when that was by the monotonic clock."""
        self._eyes = eyes or Eyes()
        self._for_eyes: queue.Queue[Callable[[Eyes], None]] = queue.Queue(INBOX)
        self._feed = _Feed(source, is_first=play.session.time_s == 0.0)
        self.tray: TrayFeed | None = TrayFeed(tray, self.tell) if tray is not None else None
        """The dice tray's camera; None without one."""
        self._taught = TaughtFaces()
        self._has_begun = False
        self._told = self._taken = 0
        """Players' inputs handed in and taken."""
        self._telling = threading.Lock()
        """Held while `_told` is counted up: windows, the tray and a broker tell from threads of their own."""
        self._changing = threading.Lock()
        """Held while the camera is changed: two windows may ask at once."""
        self._threads = [
            threading.Thread(target=self._referee, name="referee", daemon=True),
            threading.Thread(target=self._look, name="vision", daemon=True),
        ]
        self._view = ViewAdvice(self.table)
        self.view_advice: tuple[Advice, ...] = ()
        """What could be better about the view of the table, the serious first: `message` is for the
        player. `Concern.ONE_SIDED` means that places are rough."""
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
        self._has_begun = True
        self._feed.start()
        if self.tray is not None:
            self.tray.start()

    def stop(self) -> None:
        """Stop the threads and close the journal."""
        if self.tray is not None:
            self.tray.stop()
        self._stop.set()
        self._feed.stop()
        for thread in self._threads:
            thread.join(STOP_S)
        self._feed.join()
        if self._play.journal is not None:
            self._play.journal.close(orderly=not self.goes_on_later)
        for output in self.outputs:
            output.stop()

    def use_camera(self, source: Source | None, *, table: TableChoice | None = None, lens: Lens | None = None) -> None:
        """Take another camera, or none, in the middle of whatever is played; the book stays as it is.

        May take some seconds, until the camera before is released: not for the web server's own thread.

        Args:
            source: where frames come from now; None plays with typed and simulated dice.
            table: what marks the table; None leaves that.
            lens: of the new camera, where it was calibrated.
        """
        with self._changing:
            before = self._feed
            before.stop()
            before.join()
            marked = table or self._eyes.table
            self._for_eyes.put(lambda eyes: self._look_anew(eyes, Looking(marked, lens)))
            self.seen = None
            self.frame_times_s = ()
            self._feed = _Feed(source, is_first=False)
            if self._has_begun and not self._stop.is_set():
                self._feed.start()

    def use_tray(self, source: Source | None) -> None:
        """Take another camera for the dice tray, or none, in the middle of whatever is played.

        May take some seconds, until the camera before is released: not for the web server's own thread.
        """
        with self._changing:
            if self.tray is not None:
                self.tray.stop()
            self.tray = TrayFeed(source, self.tell) if source is not None else None
            if self.tray is not None:
                self.tray.know_faces(self._taught)
            if self.tray is not None and self._has_begun and not self._stop.is_set():
                self.tray.start()

    def use_table(self, table: TableChoice, *, lens: Lens | None = None) -> None:
        """Let the eyes look for a table that is marked otherwise, or printed at another scale."""
        self._for_eyes.put(lambda eyes: self._look_anew(eyes, Looking(table, lens)))

    def know_faces(self, taught: TaughtFaces) -> None:
        """Let the eyes know these taught faces from the next frame on."""
        self._taught = taught
        self._for_eyes.put(lambda eyes: eyes.know_faces(taught))
        if self.tray is not None:
            self.tray.know_faces(taught)

    def learn_empty(self) -> None:
        """Take the newest picture as that of the empty table; nothing where the table is not seen."""
        seen = self.seen
        if seen is not None and seen.view is not None:
            frame, view = seen.frame, seen.view
            self._for_eyes.put(lambda eyes: eyes.learn_empty(frame, view))

    def tell(self, given: AnyInput) -> None:
        """Hand in a player's input; it is given the session's time when the referee takes it."""
        with self._telling:
            self._told += 1
        try:
            self._inbox.put(given, timeout=STOP_S)
        except queue.Full:
            with self._telling:
                self._told -= 1
            raise

    @property
    def has_taken_all(self) -> bool:
        """Whether `session` holds every player's input that was handed in so far; events of the desk may wait."""
        return self._taken >= self._told

    @property
    def now_s(self) -> float:
        """The session's time: the newest frame's, carried on by the clock."""
        frame_s, at_s = self._clock
        return frame_s + time.monotonic() - at_s

    @property
    def table(self) -> TableChoice:
        """What marks the table for the camera."""
        return self._eyes.table

    @property
    def knows_empty_table(self) -> bool:
        """Whether the empty table has been learnt."""
        return self._eyes.knows_empty_table

    @property
    def source(self) -> Source | None:
        """Where frames come from; None plays with typed and simulated dice."""
        return self._feed.source

    @property
    def has_camera(self) -> bool:
        """Whether a desk is watched."""
        return self._feed.source is not None

    @property
    def camera_status(self) -> CameraStatus | None:
        """How the camera is, and whether this computer keeps up with it; None without one."""
        feed = self._feed
        if feed.camera is None or feed.source is None:
            return None
        status = feed.camera.status
        if status.state is not CameraState.LIVE:
            return status
        pace = pace_told(feed.source, self.frame_times_s, came_hz=status.rate_hz)
        return replace(status, advice=(*status.advice, pace)) if pace is not None else status

    @property
    def is_film_over(self) -> bool:
        """Whether the desk was a film's that has ended: nobody can reach into it to put anything anywhere."""
        source, status = self.source, self.camera_status
        is_over = status is not None and status.state is CameraState.ENDED
        return is_over and source is not None and not source.is_live

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the camera now, None while it delivers."""
        status = self.camera_status
        return status.trouble if status is not None else None

    @property
    def journal(self) -> Path | None:
        """The journal that is written; None where none can be."""
        return self._play.journal.path if self._play.journal is not None else None

    @property
    def record_trouble(self) -> str | None:
        """Why the journal cannot be written now, in the system's words; None while it can."""
        return self._play.journal.trouble if self._play.journal is not None else None

    @property
    def rate_hz(self) -> float:
        """Frames looked at in each of the last seconds."""
        times = self.frame_times_s
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 2 and times[-1] > times[0] else 0.0

    def _look_anew(self, eyes: Eyes, looking: Looking) -> None:
        eyes.begin_anew(looking.table, looking.lens)
        if self._play.journal is not None:
            self._inbox.put(_Anew(looking, after_s=self._clock[0]))

    def _look(self) -> None:
        while not self._stop.is_set():
            feed = self._feed
            frame = feed.frames.take(LOOK_S)
            while not self._for_eyes.empty():
                self._for_eyes.get_nowait()(self._eyes)
            if frame is None:
                if feed.frames.is_closed:
                    self._stop.wait(LOOK_S)
                continue
            if feed is not self._feed:
                continue
            frame = feed.in_session_time(frame, now_s=self.now_s)
            self._clock = (frame.time_s, time.monotonic())
            try:
                seen = self._eyes.look(frame)
            except Exception:
                logger.exception("a frame could not be looked at; the next one is tried")
                continue
            if feed is not self._feed:
                continue
            self.seen = seen
            feed.hold_picture(seen)
            if self._view.table is not self.table:
                self._view = ViewAdvice(self.table)
            self._view.on(seen)
            self.view_advice = self._view.now
            self.frame_times_s = (*self.frame_times_s[1 - TIMES_KEPT :], time.monotonic())
            if self._play.journal is not None:
                self._inbox.put(seen.observation)
            for event in seen.events:
                self._inbox.put(event)

    def _referee(self) -> None:
        while not self._stop.is_set():
            signals: tuple[Signal, ...] = ()
            taken = 0
            try:
                waiting = self._inbox.get(timeout=TICK_S)
                if isinstance(waiting, Observation):
                    self._play.seen(waiting)
                elif isinstance(waiting, _Anew):
                    self._play.looks(waiting.looking, after_s=waiting.after_s)
                elif isinstance(waiting, TableEvent):
                    signals = self._play.happened(waiting)
                else:
                    taken = 1
                    given = replace(waiting, time_s=self.now_s)
                    if isinstance(given, StartGame):
                        given = replace(given, at=datetime.now().astimezone().isoformat(timespec="seconds"))
                    signals = self._play.happened(given)
            except queue.Empty:
                pass
            except Exception as error:
                logger.exception("the referee could not take a step; the game stays as it was")
                if taken:
                    self.refused = (self.refused[0] + 1, str(error) or type(error).__name__)
            signals += self._play.passed(self.now_s)
            self.session = self._play.session
            self._taken += taken
            if signals:
                for listener in self.on_signals:
                    listener(signals)


class _Feed:
    """A camera's thread with the slot for its frames, and how its time becomes the session's."""

    def __init__(self, source: Source | None, *, is_first: bool) -> None:
        """Prepare.

        Args:
            source: None delivers nothing.
            is_first: whether its own time is the session's; otherwise the session's goes on where it stands.
        """
        self.source = source
        self.frames = slot_for(source)
        self.camera = CameraThread(source, self.frames) if source is not None else None
        self._shift_s: float | None = 0.0 if is_first else None
        self._lock = PictureLock()

    def start(self) -> None:
        """Start reading."""
        if self.camera is not None:
            self.camera.start()

    def stop(self) -> None:
        """Ask the camera to end and wake whoever waits for a frame."""
        if self.camera is not None:
            self.camera.stop()
        self.frames.close()

    def join(self) -> None:
        """Wait until the camera is released, or hangs for too long."""
        if self.camera is not None:
            self.camera.join(STOP_S)

    def hold_picture(self, seen: Seen) -> None:
        """Let the camera hold exposure, white balance and focus while the table is in view; see `picture_lock`."""
        if self.camera is None:
            return
        self._lock, ask = next_ask(self._lock, seen, self.camera.status)
        if ask is Ask.LOCK:
            self.camera.lock()
        elif ask is Ask.UNLOCK:
            self.camera.unlock()

    def in_session_time(self, frame: Frame, *, now_s: float) -> Frame:
        """Give a frame with the session's time; the first one is of now."""
        if self._shift_s is None:
            self._shift_s = now_s - frame.time_s
        return replace(frame, time_s=frame.time_s + self._shift_s) if self._shift_s else frame
