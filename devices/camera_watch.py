"""Whether a live camera shows what happens now: pure judgement of frames and times, no thread, no clock.

A camera that was unplugged may go on "delivering" its last frame for ever, or its last few in a circle; a metadata
node or a program that holds the camera gives black. Such frames are never passed on: a referee that looks at an old
picture is worse than one that says that it sees nothing.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Trouble, TroubleCode, trouble

REPEATS_REMEMBERED = 8
"""Fingerprints kept. Drivers hold up to 4 buffers, and a stuck one may show them in turn; a true picture never comes
back, as its noise differs."""

FINGERPRINT_STEP_PX = 8
"""Every 8th pixel of every 8th row: 14,400 of a 720p frame, so that sensor noise cannot miss them all."""

STALLED_S = 1.0
"""Without a new frame for this long the picture is no longer "now". At 5 frames a second, the slowest that webcams
give in the dark, that is five frames."""

LOST_S = 4.0
"""Without a new frame for this long the source is closed and opened again. Longer than a phone's pause when it changes
its Wi-Fi channel or focuses, shorter than players wait before they restart the program."""

BLACK_LEVEL = 16
"""Of 255: a picture whose brightest hundredth is not above this is black. Video's black level is 16; a covered lens
and a metadata node lie at or below it, a dim room with any lamp, screen or window does not. No camera was at hand to
measure it on."""

BLACK_S = 1.0
"""Black for this long is told to the players; shorter, a hand went over the lens."""


class Sight(StrEnum):
    """How well the source shows what happens now."""

    WAITING = "waiting"
    """No true frame has come since it was opened."""
    NOW = "now"
    """New frames come."""
    OLD = "old"
    """None came for `STALLED_S`, or old or black ones only: rule on nothing."""
    LOST = "lost"
    """None came for `LOST_S`, or old ones only for as long: open it again."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What is remembered of a live source between frames."""

    opened_s: float
    """When it was opened."""
    good_s: float | None = None
    """When the last true frame came, neither repeated nor black."""
    arrived_s: float | None = None
    """When anything came last."""
    changed_s: float | None = None
    """When the last frame came that repeated none, black or not."""
    black_since_s: float | None = None
    """Since when every frame has been black."""
    recent: tuple[int, ...] = ()
    """Fingerprints of the last `REPEATS_REMEMBERED` different frames."""


def fingerprint(image_bgr: npt.NDArray[np.uint8]) -> int:
    """Return a number that differs between any two pictures of a camera, since their noise does."""
    part = _part_of(image_bgr)
    return zlib.crc32(part.data, image_bgr.shape[0] * 65_536 + image_bgr.shape[1])


def is_black(image_bgr: npt.NDArray[np.uint8]) -> bool:
    """Whether the picture shows nothing: 99 of 100 pixels at `BLACK_LEVEL` or below in every colour."""
    part = _part_of(image_bgr)
    black = cv2.countNonZero(cv2.inRange(part, (0, 0, 0), (BLACK_LEVEL,) * 3))
    return bool(black >= 0.99 * part.shape[0] * part.shape[1])


def _part_of(image_bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Take every 8th pixel of every 8th row."""
    return np.ascontiguousarray(image_bgr[::FINGERPRINT_STEP_PX, ::FINGERPRINT_STEP_PX])


def note_frame(watch: Watch, image_bgr: npt.NDArray[np.uint8], *, time_s: float) -> tuple[Watch, bool]:
    """Take one frame into account.

    Args:
        watch: as it was.
        image_bgr: the frame.
        time_s: when it came.

    Returns:
        The new watch, and whether the frame is to be passed on.
    """
    mark = fingerprint(image_bgr)
    black = is_black(image_bgr)
    black_since_s = (time_s if watch.black_since_s is None else watch.black_since_s) if black else None
    if mark in watch.recent and not black:
        return replace(watch, arrived_s=time_s, black_since_s=black_since_s), False
    # Black frames are alike even from a living camera, so they do not count as repeated.
    recent = watch.recent if black else (*watch.recent[1 - REPEATS_REMEMBERED :], mark)
    return (
        replace(
            watch,
            good_s=watch.good_s if black else time_s,
            arrived_s=time_s,
            changed_s=time_s,
            black_since_s=black_since_s,
            recent=recent,
        ),
        not black,
    )


def after_pause(watch: Watch, *, time_s: float) -> Watch:
    """Do not blame the source for the time until `time_s`, in which nobody looked."""
    return replace(
        watch,
        opened_s=time_s,
        good_s=None if watch.good_s is None else time_s,
        changed_s=None if watch.changed_s is None else time_s,
        arrived_s=None,
        black_since_s=None,
    )


def sight(watch: Watch, *, time_s: float, first_frame_s: float, frozen_s: float) -> tuple[Sight, Trouble | None]:
    """Say how things stand and, if they are bad, what to tell the players.

    Args:
        watch: the source's.
        time_s: now.
        first_frame_s: how long after opening the first frame may take.
        frozen_s: how long the same picture may come again and again.
    """
    changed_s = watch.changed_s if watch.changed_s is not None else watch.opened_s
    repeats = watch.arrived_s is not None and watch.arrived_s > changed_s and time_s - watch.arrived_s <= STALLED_S
    trouble = SAME_FRAME if repeats else NO_FRAMES
    if repeats:
        old_s, lost_s = frozen_s, frozen_s + LOST_S - STALLED_S
    else:
        old_s, lost_s = STALLED_S, LOST_S
    if watch.changed_s is None:
        lost_s = max(lost_s, first_frame_s)
    if time_s - changed_s > lost_s:
        return Sight.LOST, trouble
    if watch.black_since_s is not None and time_s - watch.black_since_s > BLACK_S:
        return (Sight.OLD if watch.good_s is not None else Sight.WAITING), BLACK
    if watch.good_s is None:
        return Sight.WAITING, None
    if time_s - watch.good_s > old_s:
        return Sight.OLD, trouble
    return Sight.NOW, None


SAME_FRAME = trouble(TroubleCode.SAME_FRAME, "cam_same_picture")
NO_FRAMES = trouble(TroubleCode.NO_FRAMES, "cam_no_pictures")
BLACK = trouble(TroubleCode.BLACK, "cam_black")
