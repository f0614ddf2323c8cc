"""From one frame after the other to what is seen and what has happened."""

from __future__ import annotations

import time
from dataclasses import dataclass

from calibration.table_view import TableView
from calibration.table_watch import Change, Status, start_watch, watch
from devices.frame import Frame
from vision.events import TableEvent
from vision.observation import Observation
from vision.table_state import TableState, settle
from vision.watcher import Watcher

STAGES = ("table pose", "observation", "events")
"""What a look at a frame consists of, in this order; `Eyes.spent_s` has the time of each."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A frame with everything that vision makes of it."""

    frame: Frame
    view: TableView | None
    """Where the table is; None while it is not found."""
    observation: Observation
    events: tuple[TableEvent, ...]


class Eyes:
    """Looks at frames in order; remembers what it needs for the next. Used by one thread."""

    def __init__(self, watcher: Watcher | None = None) -> None:
        """Open them: nothing has been seen yet."""
        self._watch = start_watch()
        self._watcher = watcher or Watcher()
        self._state = TableState()
        self.spent_s: dict[str, float] = {}
        """Seconds that each of `STAGES` took for the last frame."""

    def look(self, frame: Frame) -> Seen:
        """Give what is seen in a frame and what has happened since the frame before."""
        began = time.perf_counter()
        self._watch, view, change = watch(self._watch, frame.image_bgr, frame.time_s)
        posed = time.perf_counter()
        problem = self._watch.problem
        observation = self._watcher.see(
            frame.image_bgr,
            view,
            frame=frame.number,
            time_s=frame.time_s,
            moved=change is Change.MOVED,
            steady=self._watch.status in (Status.SEEN, Status.HELD),
            advice=problem.message if view is None and problem is not None else None,
        )
        observed = time.perf_counter()
        self._state, events = settle(self._state, observation)
        ended = time.perf_counter()
        self.spent_s = dict(zip(STAGES, (posed - began, observed - posed, ended - observed), strict=True))
        return Seen(frame, view, observation, events)
