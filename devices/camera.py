"""What every source of pictures offers, and what can go wrong with one, in a player's words.

A webcam, a phone, a film and a folder of pictures are equal in rank: each is a `Source` that delivers `Frame`s.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Self

from devices.camera_words import WORDS
from devices.frame import Frame

Clock = Callable[[], float]
"""Returns seconds that never run backwards; `time.monotonic` except in tests."""

Sleep = Callable[[float], None]
"""Waits that many seconds; `time.sleep` except in tests."""

now_s: Clock = time.monotonic
"""The clock of live sources."""

READ_TIMEOUT_S = 1.0
"""How long the plain loop over `Source.frames` waits for one frame before it asks again."""


FROZEN_S = 2.5
"""The same picture for this long is told. Longer than silence may last, as a phone's film encoder may leave a still
table unchanged until its next key frame, each 1 to 2 s in most; meanwhile nothing is handed on, so nothing is ruled."""


class TroubleCode(StrEnum):
    """What is wrong, for programs; the words for people are in `Trouble`."""

    NO_SUCH_FILE = "no-such-file"
    EMPTY_FILE = "empty-file"
    NOT_A_PICTURE = "not-a-picture"
    NOT_A_FILM = "not-a-film"
    CUT_OFF = "cut-off"
    TOO_LARGE = "too-large"
    EMPTY_FOLDER = "empty-folder"
    NO_SUCH_CAMERA = "no-such-camera"
    SEVERAL_CAMERAS = "several-cameras"
    BUSY = "busy"
    NO_PERMISSION = "no-permission"
    DOES_NOT_OPEN = "does-not-open"
    NO_BANDWIDTH = "no-bandwidth"
    UNPLUGGED = "unplugged"
    WRONG_ADDRESS = "wrong-address"
    NO_ANSWER = "no-answer"
    NEEDS_PASSWORD = "needs-password"
    NOT_A_STREAM = "not-a-stream"
    NO_FRAMES = "no-frames"
    SAME_FRAME = "same-frame"
    BLACK = "black"
    BROKEN_FRAMES = "broken-frames"
    DARK = "dark"
    SMALL = "small"
    ENLARGED = "enlarged"
    SLOW = "slow"
    BARS = "bars"
    NOT_SHARP = "not-sharp"
    FOCUS_HUNTS = "focus-hunts"
    SIZE_CHANGED = "size-changed"
    NOT_LOCKED = "not-locked"
    NOTE = "note"


Param = str | int
"""What fills a gap of a sentence."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong with a source, and what the player can do about it; `trouble` makes one by its id."""

    code: TroubleCode
    message: str
    """What was expected and what came: one or two sentences for a player."""
    remedy: str
    """What to do now, in a sentence; empty if nothing has to be done."""
    says: str = ""
    """Id of the message in `camera_words.WORDS`, for other languages; the remedy's ends in `_do`. Empty for none."""
    params: tuple[tuple[str, Param], ...] = ()
    """What fills the gaps of both."""

    def __str__(self) -> str:
        """Give both in one line."""
        return f"{self.message} {self.remedy}".rstrip()


class SourceError(Exception):
    """A source failed: a missing camera, a broken file, a wrong address. Its text is fit for the screen."""

    def __init__(
        self,
        code: TroubleCode,
        message: str,
        remedy: str = "",
        says: str = "",
        params: tuple[tuple[str, Param], ...] = (),
    ) -> None:
        """Take what makes a `Trouble`; `source_error` makes one by its id."""
        self.trouble = Trouble(code, message, remedy, says, params)
        super().__init__(str(self.trouble))

    @property
    def code(self) -> TroubleCode:
        """What is wrong, for programs."""
        return self.trouble.code


def trouble(code: TroubleCode, says: str, **params: Param) -> Trouble:
    """Make a trouble of a sentence in `camera_words.WORDS`, and of the one under the same id with `_do`, if there is.

    Raises:
        KeyError: there is no such sentence, or a gap is left open.
    """
    remedy = WORDS.get(f"{says}_do", "")
    return Trouble(code, WORDS[says].format_map(params), remedy.format_map(params), says, tuple(params.items()))


def source_error(code: TroubleCode, says: str, **params: Param) -> SourceError:
    """Make the error of a trouble, as `trouble` does; the caller raises it."""
    told = trouble(code, says, **params)
    return SourceError(told.code, told.message, told.remedy, told.says, told.params)


class SourceEnded(Exception):  # noqa: N818 - the good end of a film, not an error
    """The film or the folder has no further frame."""


@dataclass(frozen=True, slots=True)
class SourceDetails:
    """What is known about an open source."""

    size: tuple[int, int] | None = None
    """Width and height of the frames in pixels, as they come; None before the first."""
    rate_hz: float | None = None
    """Frames a second as the source claims; None if it claims nothing."""
    frame_count: int | None = None
    """Number of frames in all; None if live or unknown."""
    way: str = ""
    """How the frames come, for the expert: backend, pixel format or address."""
    advice: tuple[Trouble, ...] = ()
    """What could be better, found while opening."""


class Source(ABC):
    """Somewhere that frames come from. Used by one thread at a time, `close` included."""

    name: str
    """For people: "Logitech C920", "demo.mp4"."""
    identity: str
    """Stays the same when cameras are plugged elsewhere or the program starts again: the key for settings."""
    is_live: bool
    """Whether the pictures show what happens now. Only then do repeated or black frames mean a fault."""
    is_patient: bool = False
    """Whether it waits until each frame was looked at, so that none is lost on a slow computer."""
    warm_up_frames: int = 0
    """Frames after opening that are not to be used: a webcam finds its exposure in them."""
    first_frame_s: float = 5.0
    """How long the first frame may take after opening."""
    frozen_s: float = FROZEN_S
    """How long the very same picture may come again and again before that is told."""
    waiting: Trouble | None = None
    """What to tell the players while no first frame has come; None if that is only a moment."""
    opens_on_main_thread: bool = False
    """Whether the first `open` has to be on the main thread: macOS asks for the permission only there."""

    def __init__(self) -> None:
        self._frames_counted = 0

    @abstractmethod
    def open(self) -> None:
        """Open what is behind; may take seconds. Opening an open source does nothing.

        Raises:
            SourceError: it cannot be opened.
        """

    @abstractmethod
    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame, waiting at most about `timeout_s` seconds; None if there is none yet.

        The first call opens the source if nobody has. A live source gives the newest frame that has come.

        Raises:
            SourceError: the source failed; it may be closed and opened again.
            SourceEnded: no frame will follow.
        """

    @abstractmethod
    def close(self) -> None:
        """Give up the camera, connection or file. Closing twice does nothing; `open` may follow."""

    @abstractmethod
    def again(self) -> Source:
        """Return a new source for the same thing, not yet open, for when this one hangs for ever."""

    @property
    @abstractmethod
    def details(self) -> SourceDetails:
        """What is known about the source so far."""

    def lock(self) -> tuple[Trouble, ...]:
        """Hold exposure, white balance and focus as they are now, and say what the source would not hold."""
        return ()

    def unlock(self) -> None:  # noqa: B027 - most sources hold nothing
        """Give exposure, white balance and focus back to the automatic that had them before `lock`."""

    def frames(self) -> Iterator[Frame]:
        """Yield every frame until the source ends; for films and folders played as fast as possible.

        Raises:
            SourceError: the source failed.
        """
        while True:
            try:
                frame = self.read(READ_TIMEOUT_S)
            except SourceEnded:
                return
            if frame is not None:
                yield frame

    def _next_number(self) -> int:
        """Count one frame; the numbers go on when the source is opened again."""
        number = self._frames_counted
        self._frames_counted += 1
        return number

    def _count_from(self, other: Source) -> Self:
        """Let the numbers go on where another source for the same thing stands."""
        self._frames_counted = other._frames_counted
        return self

    def __enter__(self) -> Self:
        """Open the source."""
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        self.close()
