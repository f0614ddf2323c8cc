"""The optional light and sound board as the application sees it: show a picture, play a tune, how it is.

Nothing here blocks: a board that hangs, floods or is unplugged costs the caller nothing.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from devices.board_list import PortFound

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""

Picture = tuple[Colour, ...]
"""The whole strip, clockwise from the far left corner of the mat as seen from above."""

Tune = tuple[tuple[int, int], ...]
"""Tones as (Hz, ms); 0 Hz is a pause."""

TUNES_KEPT = 8
"""Tunes that may wait for the board: more than four seconds of sound; the oldest is dropped."""


class BoardState(Enum):
    """How a board is."""

    OFF = "off"
    """There is none, or it was closed."""
    OPENING = "opening"
    GREETING = "greeting"
    """The port is open; the board has not said yet what it is."""
    READY = "ready"
    LOST = "lost"
    """It went away or cannot be used; it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTrouble:
    """What is wrong with a board, in words for the player."""

    message: str
    remedy: str = ""
    is_news: bool = True
    """Whether a player should be told; that no board is plugged in where none ever was is no news."""
    asks: PortFound | None = None
    """A device that may be a board, or a printer at work: the player is to be asked before it is touched."""

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class BoardError(Exception):
    """The board cannot be used now; it is tried again."""

    def __init__(self, message: str, remedy: str = "", *, is_news: bool = True, asks: PortFound | None = None) -> None:
        """Say what is wrong, what to do, whether a player should be told, and about which device to ask."""
        super().__init__(f"{message} {remedy}".strip())
        self.trouble = BoardTrouble(message=message, remedy=remedy, is_news=is_news, asks=asks)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStatus:
    """A board at one moment; replaced as a whole, so any thread may read it."""

    state: BoardState
    name: str = ""
    """What answered, for example `Arduino (deskref-board/1)`."""
    port: str = ""
    leds: int = 0
    """As the board says; 0 while that is not known."""
    has_sound: bool = False
    trouble: BoardTrouble | None = None
    """Why it is lost, or what to look at although it works."""
    connections: int = 0
    """How often it became ready."""

    @property
    def is_ready(self) -> bool:
        """Whether pictures arrive."""
        return self.state is BoardState.READY


NO_STATUS = BoardStatus(state=BoardState.OFF)


class Board(Protocol):
    """A light strip with or without a buzzer."""

    @property
    def status(self) -> BoardStatus:
        """How it is now."""

    def start(self) -> None:
        """Begin to look for it; returns at once."""

    def show(self, picture: Picture) -> None:
        """Let the strip show a picture from now on; the newest wins, and it comes back after a replug."""

    def play(self, tune: Tune) -> None:
        """Play a tune after those that wait; silently nothing where there is no buzzer or no board."""

    def look_now(self) -> None:
        """Look for it at once where it is not there: the player has changed something."""

    def close(self) -> None:
        """Make the board dark and silent and let go of it; waits two seconds at most."""


class NoBoard:
    """What is used where no board is wanted."""

    status = NO_STATUS

    def start(self) -> None:
        """Do nothing."""

    def show(self, picture: Picture) -> None:
        """Do nothing."""

    def play(self, tune: Tune) -> None:
        """Do nothing."""

    def look_now(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Outbox:
    """What a board has still to do, handed from the game's threads to the board's: the newest picture, few tunes."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._picture: Picture | None = None
        self._is_new = False
        self._tunes: deque[Tune] = deque(maxlen=TUNES_KEPT)
        self._is_closed = False

    def show(self, picture: Picture) -> None:
        """Replace the picture and wake the board's thread; never waits for the board."""
        with self._changed:
            self._picture, self._is_new = picture, True
            self._changed.notify()

    def play(self, tune: Tune) -> None:
        """Add a tune and wake the board's thread; the oldest waiting one is dropped where there are too many."""
        with self._changed:
            self._tunes.append(tune)
            self._changed.notify()

    def wait(self, timeout_s: float, *, for_tune: bool) -> None:
        """Wait for something to do.

        Args:
            timeout_s: at most so long.
            for_tune: whether a waiting tune can be sent now.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_new or self._is_closed or (for_tune and bool(self._tunes)), timeout_s
            )

    def take_picture(self) -> Picture | None:
        """Take the picture, where it was not taken yet."""
        with self._changed:
            if not self._is_new:
                return None
            self._is_new = False
            return self._picture

    def take_tune(self) -> Tune | None:
        """Take the oldest waiting tune."""
        with self._changed:
            return self._tunes.popleft() if self._tunes else None

    def renew(self) -> None:
        """After a loss: the picture is to be shown again; tunes are forgotten, for their moment is over."""
        with self._changed:
            self._tunes.clear()
            self._is_new = self._picture is not None

    def close(self) -> None:
        """Wake the board's thread for good."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        with self._changed:
            return self._is_closed
