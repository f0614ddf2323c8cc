"""From one frame after the other to what is seen and what has happened."""

from __future__ import annotations

import time
from dataclasses import dataclass

from calibration.lens import Lens
from calibration.table_view import TableView
from calibration.table_watch import Change
from calibration.target import Target
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind, TableSight
from devices.frame import Frame
from vision.events import TableEvent
from vision.observation import Observation
from vision.records import as_recorded
from vision.table_state import TableState, settle
from vision.taught_faces import TaughtFaces
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
    target: Target | None = None
    """The markers as they lie, by which the view was found; None where corners were clicked."""


class Eyes:
    """Looks at frames in order; remembers what it needs for the next. Used by one thread."""

    def __init__(
        self, watcher: Watcher | None = None, *, table: TableChoice = MAT_TABLE, lens: Lens | None = None
    ) -> None:
        """Open them: nothing has been seen yet.

        Args:
            watcher: what looks at the table; by default one for the area of `table`.
            table: what marks the table.
            lens: of the camera, where it was calibrated.
        """
        self._sight = TableSight(table, lens)
        self._watcher = watcher or Watcher(area=table.area)
        self._taught = TaughtFaces()
        self._state = TableState()
        self.spent_s: dict[str, float] = {}
        """Seconds that each of `STAGES` took for the last frame."""

    @property
    def table(self) -> TableChoice:
        """What marks the table."""
        return self._sight.choice

    @property
    def knows_empty_table(self) -> bool:
        """Whether the empty table has been learnt."""
        return self._watcher.knows_empty_table

    def begin_anew(self, table: TableChoice, lens: Lens | None) -> None:
        """Look at another camera's pictures or at a table marked otherwise; what lay there keeps its tracks."""
        if table.area == self._sight.choice.area:
            self._watcher.forget()
        else:
            self._watcher = Watcher(area=table.area)
            self._watcher.know_faces(self._taught)
        self._sight = TableSight(table, lens)

    def take_up(self, state: TableState) -> None:
        """Go on with what was known of a table before the program was ended."""
        self._state = state

    def know_faces(self, taught: TaughtFaces) -> None:
        """Know these taught faces from the next frame on."""
        self._taught = taught
        self._watcher.know_faces(taught)

    def learn_empty(self, frame: Frame, view: TableView) -> None:
        """Take a frame as the picture of the empty table: nothing stands on it."""
        self._watcher.learn_empty(frame.image_bgr, view)

    def look(self, frame: Frame) -> Seen:
        """Give what is seen in a frame and what has happened since the frame before."""
        began = time.perf_counter()
        view, change, is_steady, advice = self._sight.follow(frame.image_bgr, frame.time_s)
        posed = time.perf_counter()
        seen = self._watcher.see(
            frame.image_bgr,
            view,
            frame=frame.number,
            time_s=frame.time_s,
            moved=change is Change.MOVED,
            steady=is_steady,
            advice=advice,
        )
        observation = as_recorded(seen)
        observed = time.perf_counter()
        self._state, events = settle(self._state, observation)
        ended = time.perf_counter()
        self.spent_s = dict(zip(STAGES, (posed - began, observed - posed, ended - observed), strict=True))
        target = self._sight.target if self.table.kind is not TableKind.CORNERS else None
        return Seen(frame, view, observation, events, target)
