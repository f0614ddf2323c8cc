"""A second camera over a dice tray: each die that comes to rest there is a roll.

No mat is needed, and no scale. The picture is compared with the one before; when it has been still for a moment the
dice are read in several frames. A die whose picture is the same as before has not been thrown again, wherever a hand
went in between; any other is a new roll. What lies in the tray at the start is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.markers import as_gray
from calibration.stillness import Landmarks, Stillness, landmarks_of, stillness
from deskref.inputs import InTray
from devices.frame import Frame
from vision.dice import read_dice
from vision.observation import Box, SeenDie
from vision.shipped import shipped_dice_nets
from vision.taught_faces import TaughtFaces

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
ReadDice = Callable[[Image], Sequence[SeenDie]]

WIDTH_PX = 320
"""Frames are compared at this width: one pixel is the mean of 16 of a 720p picture, noise of sigma 6 leaves 1.5."""
MOVING_LEVELS = 9.0
"""Grey levels between two frames, less the light's common change, from which a place moved: six times the noise."""
MOVING_PX = 6
"""Places that must have moved: a die 12 mm wide in a tray of 30 cm covers 160."""
STILL_S = 0.5
"""At rest for so long, dice are read: a rocking die has stopped."""
READ_EACH_S = 0.1
"""Between two readings, so that they see different noise and, under flicker, different light."""
AGREEING = 3
"""Readings that must say the same value; the same as on the table."""
READS = 6
"""Readings after which a die without agreement is unread."""
SAME_PLACE = 0.4
"""Of a die's width: readings nearer than this are of the same die."""
PATCH_PX = 24
SAME_PATCH = 0.85
"""Correlation of a die's picture with that from before above which it has not been touched: noise of sigma 6 leaves
over 0.95 of a die 30 px wide, and another turn or face under 0.6 (measured on drawn dice)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lying:
    """A die that lies in the tray."""

    number: int
    box: Box
    value: int | None
    patch: Floats


class TrayEyes:
    """Looks at the tray frame by frame. Used by one thread."""

    def __init__(self, read: ReadDice | None = None, *, first: int = -1) -> None:
        """Begin without having seen it.

        Args:
            read: finds and reads the dice of a picture; by default with the shipped nets.
            first: number of the first die; the others count down from it. Below 0: tracks of dice on the table count
                upwards from 1, and these never meet them.
        """
        self._taught = TaughtFaces()
        self._read = read or (lambda image: read_dice(image, nets=shipped_dice_nets(), taught=self._taught))
        self._before: Floats | None = None
        self._moved_s: float | None = None
        self._readings: list[Sequence[SeenDie]] = []
        self._read_s = 0.0
        self._has_looked = False
        self._lying: tuple[_Lying, ...] | None = None
        self._landmarks: Landmarks | None = None
        self._next = first

    @property
    def values(self) -> tuple[int | None, ...]:
        """What the dice show that lie there, as last read."""
        return tuple(die.value for die in self._lying or ())

    def know_faces(self, taught: TaughtFaces) -> None:
        """Know these taught faces from the next throw on; may be called from another thread."""
        self._taught = taught

    def forget(self) -> None:
        """Begin anew: what lies there now is no roll, as after the camera was unplugged."""
        self._before, self._moved_s, self._lying, self._landmarks = None, None, None, None
        self._readings, self._has_looked = [], False

    def look(self, frame: Frame) -> tuple[InTray, ...]:
        """Take one frame in; gives what is new in the tray, to be told to the game."""
        if self._moves(frame):
            self._moved_s, self._readings, self._has_looked = frame.time_s, [], False
            return ()
        assert self._moved_s is not None
        if self._has_looked or frame.time_s - self._moved_s < STILL_S:
            return ()
        if self._readings and frame.time_s - self._read_s < READ_EACH_S:
            return ()
        self._readings.append(tuple(die for die in self._read(frame.image_bgr) if not die.is_doubtful))
        self._read_s = frame.time_s
        if len(self._readings) < AGREEING:
            return ()
        dice = agreed(self._readings)
        if any(die.value is None for die in dice) and len(self._readings) < READS:
            return ()
        self._readings, self._has_looked = [], True
        return self._compared(dice, frame)

    def _moves(self, frame: Frame) -> bool:
        """Whether anything moved since the frame before; the first frame counts as movement."""
        gray = as_gray(frame.image_bgr)
        height = max(16, round(gray.shape[0] * WIDTH_PX / gray.shape[1]))
        small = cv2.resize(gray, (WIDTH_PX, height), interpolation=cv2.INTER_AREA).astype(np.float32)
        before, self._before = self._before, np.asarray(small, np.float32)
        if before is None or before.shape != small.shape:
            return True
        change = small - before
        # Mains flicker and exposure change wide parts of the picture alike.
        change = np.abs(change - cv2.blur(change, (61, 61)))
        return int(np.count_nonzero(change > MOVING_LEVELS)) >= MOVING_PX

    def _compared(self, dice: Sequence[SeenDie], frame: Frame) -> tuple[InTray, ...]:
        """Say which of the dice are new, gone, or read otherwise than before."""
        gray = as_gray(frame.image_bgr)
        known, pushed = self._lying, False
        if self._landmarks is not None:
            pushed = stillness(self._landmarks, gray) is Stillness.MOVED
        if known is None or pushed:
            self._lying = tuple(self._new(die, gray) for die in dice)
            self._landmarks = landmarks_of(gray)
            return ()
        told: list[InTray] = []
        lying: list[_Lying] = []
        rest = list(dice)
        for old in known:
            if _likeness(old.patch, _patch(gray, old.box)) < SAME_PATCH:
                told.append(InTray(die=old.number, value=old.value, is_gone=True))
                continue
            again = next((die for die in rest if _apart(die.box, old.box) < SAME_PLACE), None)
            if again is not None:
                rest.remove(again)
            if again is not None and again.value is not None and old.value is None:
                old = replace(old, value=again.value)
                told.append(InTray(die=old.number, value=old.value, is_new=False))
            lying.append(old)
        for die in rest:
            new = self._new(die, gray)
            lying.append(new)
            told.append(InTray(die=new.number, value=die.value, confidence=die.confidence, colour=die.colour))
        self._lying = tuple(lying)
        self._landmarks = landmarks_of(gray)
        return tuple(told)

    def _new(self, die: SeenDie, gray: Image) -> _Lying:
        number, self._next = self._next, self._next - 1
        return _Lying(number, die.box, die.value, _patch(gray, die.box))


def agreed(readings: Sequence[Sequence[SeenDie]]) -> tuple[SeenDie, ...]:
    """Make one reading of several of the same dice.

    A die is what most readings find at a place; its value is what `AGREEING` of them say and two thirds of all.
    """
    places: list[list[SeenDie]] = []
    for reading in readings:
        for die in reading:
            place = next((seen for seen in places if _apart(seen[0].box, die.box) < SAME_PLACE), None)
            if place is None:
                places.append([die])
            else:
                place.append(die)
    made = []
    for seen in places:
        if 2 * len(seen) <= len(readings):
            continue
        values = [die.value for die in seen]
        value = max(set(values), key=values.count)
        count = values.count(value)
        sure = value is not None and count >= AGREEING and 3 * count >= 2 * len(readings)
        best = max(seen, key=lambda die: (die.value == value, die.confidence))
        made.append(best if sure else replace(best, value=None))
    return tuple(made)


def _apart(one: Box, other: Box) -> float:
    """The distance of two boxes' middles, as a share of their mean width."""
    x = (one[0] + one[2] - other[0] - other[2]) / 2
    y = (one[1] + one[3] - other[1] - other[3]) / 2
    width = (one[2] - one[0] + other[2] - other[0]) / 2
    return float(np.hypot(x, y) / max(width, 1e-6))


def _patch(gray: Image, box: Box) -> Floats:
    """The picture of a die at a common size, without its brightness and contrast. Shape (24, 24)."""
    rows, columns = gray.shape
    left, top = max(0, round(box[0])), max(0, round(box[1]))
    part = gray[top : min(rows, max(top + 1, round(box[3]))), left : min(columns, max(left + 1, round(box[2])))]
    if not part.size:
        return np.zeros((PATCH_PX, PATCH_PX), np.float32)
    small = cv2.resize(part, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray((small - small.mean()) / max(float(small.std()), 2.0), np.float32)


def _likeness(one: Floats, other: Floats) -> float:
    return float((one * other).mean())
