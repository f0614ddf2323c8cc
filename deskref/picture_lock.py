"""When a camera holds its exposure, white balance and focus: while the table is in view, until the light changes.

An automatic that follows a hand over the table shifts every colour, and a focus that hunts looks like motion. Held for
good they would leave the picture dark when a lamp is switched off, so the camera finds them anew then.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from deskref.eyes import Seen
from devices.camera_loop import CameraState, CameraStatus

CALM_S = 3.0
"""The table is steadily in view for so long before the camera is asked: its automatics have come to rest."""

OTHER_LIGHT = (0.6, 1.6)
"""Brightness relative to that at the lock beyond which the light is another: the same bounds that tell whether a lock
itself has changed the picture."""

OTHER_LIGHT_S = 5.0
"""For so long: a hand or a bright sleeve passes sooner."""


class Ask(Enum):
    """What the camera is to be asked."""

    LOCK = "lock"
    UNLOCK = "unlock"


@dataclass(frozen=True, slots=True)
class PictureLock:
    """What is remembered between frames; start with `PictureLock()`."""

    opening: int = -1
    """Which opening of the camera this is about: one that was opened again holds nothing."""
    calm_since_s: float | None = None
    is_locked: bool = False
    brightness: float | None = None
    """Some time after the lock, 0 to 255."""
    other_since_s: float | None = None
    """Since when the light has been another."""


def next_ask(lock: PictureLock, seen: Seen, status: CameraStatus) -> tuple[PictureLock, Ask | None]:
    """Take one frame in.

    Args:
        lock: from the frame before.
        seen: in this frame.
        status: of its camera.

    Returns:
        What is remembered, and what the camera is to be asked now.
    """
    if status.openings != lock.opening:
        lock = PictureLock(status.openings)
    now_s = seen.frame.time_s
    brightness = status.quality.brightness if status.quality is not None else None
    observation = seen.observation
    is_calm = (
        status.state is CameraState.LIVE
        and seen.view is not None
        and observation.table.steady
        and not observation.moving
        and not observation.hands
    )
    calm_since_s = (lock.calm_since_s if lock.calm_since_s is not None else now_s) if is_calm else None
    if not lock.is_locked:
        if calm_since_s is not None and now_s - calm_since_s >= CALM_S:
            return PictureLock(lock.opening, is_locked=True), Ask.LOCK
        return PictureLock(lock.opening, calm_since_s), None
    if brightness is None:
        return lock, None
    if lock.brightness is None:
        # Measured once a second: the first that is surely later than the lock.
        first_s = lock.calm_since_s if lock.calm_since_s is not None else now_s
        known = brightness if now_s - first_s > CALM_S else None
        return PictureLock(lock.opening, first_s, True, known), None
    low, high = OTHER_LIGHT
    if low * lock.brightness <= brightness <= high * lock.brightness:
        return PictureLock(lock.opening, lock.calm_since_s, True, lock.brightness), None
    other_since_s = lock.other_since_s if lock.other_since_s is not None else now_s
    if now_s - other_since_s >= OTHER_LIGHT_S:
        return PictureLock(lock.opening), Ask.UNLOCK
    return PictureLock(lock.opening, lock.calm_since_s, True, lock.brightness, other_since_s), None
