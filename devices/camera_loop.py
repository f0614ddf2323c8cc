"""One source kept alive: open, read, judge, hand on, and open again when it is lost. No thread of its own."""

from __future__ import annotations

import logging
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from devices.camera import Clock, Sleep, Source, SourceEnded, SourceError, Trouble, TroubleCode, trouble
from devices.camera_watch import Sight, Watch, after_pause, note_frame, sight
from devices.frame import Frame
from devices.picture_quality import Quality, advice_on, measure

logger = logging.getLogger(__name__)

TURN_S = 0.1
"""Longest wait for one frame: how soon a stop is heeded and a stall is noticed."""

BACKOFF_S = (0.5, 1.0, 2.0, 4.0)
"""Waits between attempts to open, the last one for ever: a replugged camera is back within 4 s, and a missing one costs
no more than an attempt each 4 s."""

BACKOFF_JITTER = 0.2
"""Part by which a wait differs at random, so that two cameras on one bus do not open at the same moment for ever."""

PAUSE_S = 0.5
"""If this loop was not reading for so long (the computer slept), what lies in the driver's queue is old."""

AT_ONCE_PART = 0.25
"""A frame that was there after less than this part of the time between frames lay in a queue."""

LEFT_OVER_AT_MOST = 64
"""Queued frames skipped after a pause: more than any driver holds; a faster camera than measured must not starve."""

MEASURE_EACH_S = 1.0
"""How often brightness and sharpness are measured."""

RATE_FRAMES = 31
"""Frames over which the rate is measured: a second at 30 frames a second."""

EDGES_KEPT = 12
"""Seconds of the edges' width in which a searching focus is looked for."""


SIZE_TOLD_S = 20.0
"""How long a change of the picture's size is told."""


class CameraState(StrEnum):
    """What a source is doing."""

    OPENING = "opening"
    LIVE = "live"
    STALLED = "stalled"
    """Open, but what it shows is not now: rule on nothing."""
    LOST = "lost"
    """Not open; it is tried again."""
    ENDED = "ended"
    """Over for good: the film's end, a broken file, or stopped."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """A source's state as the screen shows it."""

    state: CameraState
    name: str
    identity: str
    trouble: Trouble | None = None
    """Why it is stalled, lost or ended; None if nothing is wrong."""
    advice: tuple[Trouble, ...] = ()
    """What could be better while it works."""
    size: tuple[int, int] | None = None
    """Measured width and height in pixels."""
    rate_hz: float | None = None
    """Measured frames a second; None before a few have come."""
    quality: Quality | None = None
    """Of the last second; None before the first frame."""
    way: str = ""
    """How the frames come, for the expert."""
    delivered: int = 0
    """Frames handed on."""
    repeated: int = 0
    """Frames that came but showed nothing new, or nothing: not handed on."""
    left_over: int = 0
    """Frames that had waited in a queue: not handed on."""
    last_frame_s: float | None = None
    """When the last frame was handed on, on the loop's clock."""
    openings: int = 0
    """How often it was opened, or tried to."""


class CameraLoop:
    """Keep one source alive. Call `turn` again and again; it waits about `TURN_S` at most, unless the source hangs."""

    def __init__(
        self,
        source: Source,
        deliver: Callable[[Frame], None],
        *,
        clock: Clock,
        sleep: Sleep,
        chance: random.Random,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        """Remember what is needed; opens nothing.

        Args:
            source: to keep alive; closed by `close`.
            deliver: gets each frame that shows what happens now, or each of a film.
            clock: seconds.
            sleep: waits; may return early.
            chance: for the jitter of the waits.
            forget: called when the picture is no longer now, so that a frame not yet taken is dropped.
        """
        self.source = source
        self._deliver = deliver
        self._forget = forget
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self.status = CameraStatus(CameraState.OPENING, source.name, source.identity)
        self.busy_since_s: float | None = None
        """When the call into the source began that has not returned yet; None outside."""
        self.lock_is_wanted = False
        """Set by another thread to have the source's `lock` called at the next turn."""
        self.unlock_is_wanted = False
        """The same for `unlock`."""
        self.is_open = False
        """Whether the source is open, so that a call that hangs is a read and not an opening."""
        self._open_at_s = clock()
        self._failures = 0
        self._watch = Watch(0.0)
        self._warm_up_left = 0
        self._read_ended_s: float | None = None
        self._is_draining = False
        self._drained = 0
        self._arrivals: deque[float] = deque(maxlen=RATE_FRAMES)
        self._edges_px: deque[float] = deque(maxlen=EDGES_KEPT)
        self._measured_s: float | None = None
        self._measured_advice: tuple[Trouble, ...] = ()
        self._lock_advice: tuple[Trouble, ...] = ()
        self._size_advice: tuple[Trouble, ...] = ()
        self._size_changed_s = 0.0

    @property
    def has_ended(self) -> bool:
        """Whether no turn is needed any more."""
        return self.status.state is CameraState.ENDED

    def turn(self) -> None:
        """Do one step: wait, open, or read one frame."""
        if self.has_ended:
            return
        if self.is_open:
            self._read()
        elif (wait_s := self._open_at_s - self._clock()) > 0:
            self._sleep(min(wait_s, TURN_S))
        else:
            self._open()

    def give_up(self) -> None:
        """Close the source after a fault of its own that nobody foresaw; a live one is opened again later."""
        self._lose(trouble(TroubleCode.BROKEN_FRAMES, "cam_reading_failed", name=f"{self.source.name!r}"))

    def close(self) -> None:
        """Close the source and end."""
        self.source.close()
        self.is_open = False
        if not self.has_ended:
            self._change(CameraState.ENDED, None)

    def _open(self) -> None:
        """Try to open the source."""
        self.status = replace(self.status, openings=self.status.openings + 1)
        self.busy_since_s = self._clock()
        try:
            self.source.open()
        except SourceError as error:
            self._lose(error.trouble)
            return
        finally:
            self.busy_since_s = None
        self.is_open = True
        # What was seen before stays known: a dead camera that opens again shows its last picture again.
        self._watch = Watch(self._clock(), recent=self._watch.recent)
        self._warm_up_left = self.source.warm_up_frames
        self._read_ended_s = None
        self._arrivals.clear()
        self._edges_px.clear()
        self._measured_s = None
        if not self.source.is_live:
            self._change(CameraState.LIVE, None)

    def _read(self) -> None:
        """Read one frame, judge it and hand it on."""
        began_s = self._clock()
        self.busy_since_s = began_s
        try:
            if self.lock_is_wanted:
                self.lock_is_wanted = False
                self._lock_advice = self.source.lock()
            if self.unlock_is_wanted:
                self.unlock_is_wanted = False
                self._lock_advice = ()
                self.source.unlock()
            frame = self.source.read(TURN_S)
        except SourceEnded:
            self.source.close()
            self.is_open = False
            self._change(CameraState.ENDED, None)
            return
        except SourceError as error:
            self._lose(error.trouble)
            return
        finally:
            self.busy_since_s = None
        now_s = self._clock()
        if not self.source.is_live:
            if frame is not None:
                self._hand_on(frame, now_s)
            return
        if frame is not None:
            if self._is_left_over(began_s, now_s):
                self.status = replace(self.status, left_over=self.status.left_over + 1)
            else:
                self._judge(frame, now_s)
        self._read_ended_s = now_s
        self._note_sight(now_s)

    def _judge(self, frame: Frame, now_s: float) -> None:
        """Hand a live frame on unless it is old, black, or one of the first."""
        self._watch, is_good = note_frame(self._watch, frame.image_bgr, time_s=now_s)
        if not is_good:
            self.status = replace(self.status, repeated=self.status.repeated + 1)
        elif self._warm_up_left > 0:
            self._warm_up_left -= 1
        else:
            self._hand_on(frame, now_s)

    def _note_sight(self, now_s: float) -> None:
        """Turn how the live picture stands into a state."""
        source = self.source
        how, trouble = sight(self._watch, time_s=now_s, first_frame_s=source.first_frame_s, frozen_s=source.frozen_s)
        if how is Sight.LOST:
            self._lose(trouble)
        elif how is Sight.OLD:
            if self.status.state is not CameraState.STALLED:
                self._forget()
            self._change(CameraState.STALLED, trouble)
        elif how is Sight.WAITING:
            self._change(CameraState.OPENING, trouble or self.source.waiting)
        elif self._warm_up_left == 0 and self.status.last_frame_s is not None:
            self._failures = 0
            self._change(CameraState.LIVE, None)

    def _hand_on(self, frame: Frame, now_s: float) -> None:
        """Deliver a frame and measure it now and then."""
        self._arrivals.append(now_s)
        size = frame.size
        if self.status.size is not None and size != self.status.size:
            logger.info("the picture's size changed from %s to %s", self.status.size, size)
            self._size_advice = (size_changed(self.status.size, size),)
            self._size_changed_s = now_s
            self._arrivals.clear()
            self._measured_s = None
        if self._measured_s is None or now_s - self._measured_s >= MEASURE_EACH_S:
            self._measured_s = now_s
            quality = measure(frame.image_bgr)
            if quality.edge_px is not None:
                self._edges_px.append(quality.edge_px)
            self._measured_advice = advice_on(
                quality,
                size=size,
                # A film or a held picture may come as slowly as it likes: it is no camera that misses a throw.
                rate_hz=self._rate_hz() if self.source.is_live else None,
                edges_px=tuple(self._edges_px),
            )
            self.status = replace(self.status, quality=quality)
        if now_s - self._size_changed_s > SIZE_TOLD_S:
            self._size_advice = ()
        details = self.source.details
        advice = (*self._size_advice, *details.advice, *self._lock_advice, *self._measured_advice)
        self.status = replace(
            self.status,
            size=size,
            rate_hz=self._rate_hz(),
            way=details.way,
            advice=advice,
            delivered=self.status.delivered + 1,
            last_frame_s=now_s,
        )
        self._deliver(frame)

    def _rate_hz(self) -> float | None:
        """Measure the frames a second over the last ones."""
        if len(self._arrivals) < 5 or self._arrivals[-1] <= self._arrivals[0]:
            return None
        return (len(self._arrivals) - 1) / (self._arrivals[-1] - self._arrivals[0])

    def _is_left_over(self, began_s: float, now_s: float) -> bool:
        """Whether a frame had waited in a queue while this loop was not reading."""
        if self._read_ended_s is not None and began_s - self._read_ended_s > PAUSE_S:
            self._is_draining = True
            self._drained = 0
            self._arrivals.clear()
            self._forget()
            self._watch = after_pause(self._watch, time_s=began_s)
        if not self._is_draining:
            return False
        rate_hz = self.status.rate_hz or 30.0
        self._drained += 1
        self._is_draining = now_s - began_s < AT_ONCE_PART / rate_hz and self._drained <= LEFT_OVER_AT_MOST
        return self._is_draining

    def _lose(self, trouble: Trouble | None) -> None:
        """Close the source; a live one is opened again later, a file is over."""
        self.source.close()
        self.is_open = False
        self._forget()
        if not self.source.is_live:
            self._change(CameraState.ENDED, trouble)
            return
        wait_s = BACKOFF_S[min(self._failures, len(BACKOFF_S) - 1)]
        self._failures += 1
        self._open_at_s = self._clock() + wait_s * (1 + BACKOFF_JITTER * (2 * self._chance.random() - 1))
        self._change(CameraState.LOST, trouble)

    def _change(self, state: CameraState, trouble: Trouble | None) -> None:
        """Set the state, and log when it changes."""
        if state is self.status.state and trouble == self.status.trouble:
            return
        log = logger.warning if state in (CameraState.LOST, CameraState.STALLED) else logger.info
        log("camera %r is %s%s", self.status.name, state.value, f": {trouble.code.value}" if trouble else "")
        self.status = replace(self.status, state=state, trouble=trouble)


def size_changed(before: tuple[int, int], now: tuple[int, int]) -> Trouble:
    """Say that the picture has another size than before."""
    return trouble(
        TroubleCode.SIZE_CHANGED,
        "cam_size_changed",
        width_before=before[0],
        height_before=before[1],
        width=now[0],
        height=now[1],
    )


def still_opening() -> Trouble:
    """Say that opening takes long, which some systems do."""
    return trouble(TroubleCode.DOES_NOT_OPEN, "cam_still_opening")


def hangs() -> Trouble:
    """Say that the camera does not answer at all."""
    return trouble(TroubleCode.NO_FRAMES, "cam_no_reply")
