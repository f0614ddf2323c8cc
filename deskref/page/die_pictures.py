"""Pictures of the dice that the camera read for rulings, so that the log shows what was counted."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Final

from deskref.inputs import Source
from deskref.live import LiveGame
from deskref.page.pictures import crop_address
from deskref.session import Session
from deskref.signal import Signal
from vision.observation import SeenDie

KEPT: Final = 120
"""So many pictures are kept: those of the log's lines, 0.4 MB. Nothing is written to the disk."""

SIDE_PX: Final = 96

NEAR_MM: Final = 12.0
"""A die seen within three quarters of a die's width is the one that lies there."""


class DiePictures:
    """Keeps a picture for each signal that tells a die read by the camera; hears them in the referee's thread."""

    def __init__(self, game: LiveGame) -> None:
        """Follow a game."""
        self._game = game
        self._kept: OrderedDict[int, str] = OrderedDict()
        game.on_signals.append(self.hear)

    def hear(self, signals: tuple[Signal, ...]) -> None:
        """Take the pictures for the signals of one step."""
        for signal in signals:
            if signal.die is None or signal.source is not Source.CAMERA:
                continue
            picture = picture_of_die(self._game, self._game.session, signal.die, side_px=SIDE_PX)
            if picture:
                self._kept[signal.number] = picture
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)

    def of(self, signal: Signal) -> str:
        """The picture of the die that a signal tells, as an address for `<img>`; empty where there is none."""
        return self._kept.get(signal.number, "")


def seen_die(game: LiveGame, session: Session, die: int) -> SeenDie | None:
    """Find a die of the desk in the newest frame; None where it is not seen now."""
    seen = game.seen
    lying = session.desk.die(die)
    if seen is None or lying is None:
        return None
    near = [(math.dist(d.mm, lying.mm), n, d) for n, d in enumerate(seen.observation.dice) if d.mm is not None]
    gap_mm, _, nearest = min(near, default=(math.inf, 0, None), key=lambda found: found[:2])
    return nearest if gap_mm <= NEAR_MM else None


def picture_of_die(game: LiveGame, session: Session, die: int | None, *, side_px: int = 160) -> str:
    """The newest picture of a die of the desk, as an address for `<img>`; empty where it is not seen now."""
    found = seen_die(game, session, die) if die is not None else None
    seen = game.seen
    if found is None or seen is None:
        return ""
    return crop_address(seen.frame.image_bgr, found.box, side_px=side_px)
