"""From one frame after the other to what is seen and what has happened."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.table_view import TableView
from devices.frame import Frame
from vision.events import TableEvent
from vision.observation import Observation


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A frame with everything that vision makes of it."""

    frame: Frame
    view: TableView | None
    """Where the table is; None while it is not found."""
    observation: Observation
    events: tuple[TableEvent, ...]


class Eyes:
    """Looks at frames in order; remembers what it needs for the next."""

    def look(self, frame: Frame) -> Seen:
        """Give what is seen in a frame and what has happened since the frame before."""
        raise NotImplementedError
