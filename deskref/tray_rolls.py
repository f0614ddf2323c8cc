"""What a die in the tray means for the game: the same as one that was thrown onto the mat, beside nobody.

Where a camera sees the table, the referee treats it as an event on the desk, so that a player is asked what cannot be
read and a counted die can be corrected. Without one its value is entered as if it were typed, and comes from a camera.
"""

from __future__ import annotations

from deskref.inputs import EnterDie, InTray, Source
from vision.events import DieAtRest, DieEvent, DieTaken, DieValueChanged
from vision.observation import Point

TRAY_MM: Point = (0.0, 1000.0)
"""Where dice of the tray lie for the referee: beyond the far edge, in nobody's reach."""


def as_event(given: InTray) -> DieEvent:
    """Give it as an event on the desk."""
    kind = DieTaken if given.is_gone else DieAtRest if given.is_new else DieValueChanged
    return kind(
        frame=0,
        time_s=given.time_s,
        die=given.die,
        mm=TRAY_MM,
        value=given.value,
        confidence=given.confidence,
        colour=given.colour,
    )


def as_entry(given: InTray) -> EnterDie | None:
    """Give it as an entered value; None where there is nothing to enter."""
    if given.is_gone or given.value is None:
        return None
    return EnterDie(value=given.value, source=Source.CAMERA, time_s=given.time_s)
