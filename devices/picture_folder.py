"""A folder of pictures, or one picture, as a source."""

from __future__ import annotations

import re
import time
from pathlib import Path

from devices.camera import (
    Clock,
    Sleep,
    Source,
    SourceDetails,
    SourceEnded,
    SourceError,
    Trouble,
    TroubleCode,
    now_s,
    source_error,
)
from devices.film import Speed
from devices.frame import Frame
from devices.pictures import PICTURE_SUFFIXES, open_picture

PICTURES_PER_S = 1.0
"""A folder says no rate: slow enough to look at each picture."""

HELD_HZ = 15.0
"""How often a picture that is held comes again: as a slow camera's, so that what lies on it settles as usual."""


class PictureFolder(Source):
    """The pictures of a folder in the order of their names, `2.jpg` before `10.jpg`.

    A picture that cannot be read is skipped, its number stays a gap, and `details.advice` says so.
    """

    is_live = False

    def __init__(
        self,
        path: Path,
        *,
        speed: Speed = "own",
        rate_hz: float = PICTURES_PER_S,
        is_held: bool = False,
        clock: Clock = now_s,
        sleep: Sleep = time.sleep,
    ) -> None:
        """Remember the place; `open` looks.

        Args:
            path: a folder, or one picture, which is then delivered once.
            is_held: whether the last picture stays, `HELD_HZ` times a second, as a camera shows a table on which
                nothing moves; unless the speed is `fast`.
            speed: `own` and `steady` give `rate_hz` pictures a second and skip none, `fast` all of them without
                waiting.
            rate_hz: pictures a second; also gives `Frame.time_s`, number / rate.
            clock: for waiting.
            sleep: for waiting.
        """
        super().__init__()
        if speed not in ("own", "steady", "fast"):
            raise ValueError(f"the speed of a folder of pictures is 'own', 'steady' or 'fast', not {speed!r}")
        if not rate_hz > 0:
            raise ValueError(f"the pictures a second of a folder are more than 0, not {rate_hz!r}")
        self._path = path
        self._speed: Speed = speed
        self.is_patient = speed == "steady"
        self._rate_hz = rate_hz
        self._is_held = is_held and speed != "fast"
        self._held: Frame | None = None
        self._clock = clock
        self._sleep = sleep
        self.name = path.name
        self.identity = f"pictures:{path.name}"
        self._files: tuple[Path, ...] | None = None
        self._next = 0
        self._delivered = 0
        self._size: tuple[int, int] | None = None
        self._advice: tuple[Trouble, ...] = ()
        self._started_s: float | None = None

    @property
    def details(self) -> SourceDetails:
        """Number of pictures, and which could not be read."""
        return SourceDetails(
            size=self._size,
            rate_hz=self._rate_hz,
            frame_count=None if self._files is None else len(self._files),
            way="pictures",
            advice=self._advice,
        )

    def again(self) -> PictureFolder:
        """Return the same folder from its first picture."""
        return PictureFolder(
            self._path,
            speed=self._speed,
            rate_hz=self._rate_hz,
            is_held=self._is_held,
            clock=self._clock,
            sleep=self._sleep,
        )

    def open(self) -> None:
        """List the pictures.

        Raises:
            SourceError: there is no such folder, or no picture in it.
        """
        if self._files is not None:
            return
        if not self._path.exists():
            raise source_error(TroubleCode.NO_SUCH_FILE, "cam_no_folder", path=f"{str(self._path)!r}")
        files = pictures_in(self._path) if self._path.is_dir() else (self._path,)
        if not files:
            raise source_error(TroubleCode.EMPTY_FOLDER, "cam_folder_empty", path=f"{str(self._path)!r}")
        self._files = files
        self._held = None
        self._next = 0
        self._delivered = 0
        self._advice = ()
        self._started_s = None

    def check(self) -> None:
        """Look whether any picture can be read, so that a broken one is reported before anything else starts.

        Raises:
            SourceError: there is none, or none can be read.
        """
        self.open()
        trouble: SourceError | None = None
        for path in self._files or ():
            try:
                open_picture(path)
                return
            except SourceError as error:
                trouble = error
        if trouble is not None:
            raise trouble

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next picture that can be read.

        Raises:
            SourceError: the only picture, or every picture, cannot be read.
            SourceEnded: there is no further picture.
        """
        self.open()
        files = self._files
        assert files is not None
        if self._speed != "fast" and self._next < len(files) and not self._wait_until_due(timeout_s):
            return None
        while self._next < len(files):
            number = self._next
            self._next += 1
            try:
                picture = open_picture(files[number])
            except SourceError as error:
                self._advice = (*self._advice, error.trouble)
                if self._next == len(files) and self._delivered == 0:
                    raise
                continue
            self._delivered += 1
            frame = Frame(picture.image_bgr, number / self._rate_hz, number)
            self._size = frame.size
            self._held = frame if self._is_held else None
            self._advice += tuple(Trouble(TroubleCode.NOTE, f"{files[number].name}: {n}.", "") for n in picture.notes)
            return frame
        if self._held is None:
            raise SourceEnded
        return self._hold(self._held, timeout_s)

    def close(self) -> None:
        """Forget the list; opened again, it is listed anew."""
        self._files = None

    def _hold(self, last: Frame, timeout_s: float) -> Frame | None:
        """Give the last picture again when it is time; None if that is not within the timeout."""
        due_s = last.time_s + 1 / HELD_HZ
        if not self._wait_until(due_s, timeout_s):
            return None
        # After a pause, as of a computer that slept, it goes on from now and does not catch up.
        now_s = self._clock() - (self._started_s or 0.0)
        self._held = Frame(last.image_bgr, max(due_s, now_s - 1 / HELD_HZ), last.number + 1)
        return self._held

    def _wait_until_due(self, timeout_s: float) -> bool:
        """Wait for the next picture's time; False if that is not within the timeout."""
        return self._wait_until(self._next / self._rate_hz, timeout_s)

    def _wait_until(self, time_s: float, timeout_s: float) -> bool:
        """Wait for a time of the pictures' own; False if that is not within the timeout."""
        if self._started_s is None:
            self._started_s = self._clock() - time_s
        wait_s = self._started_s + time_s - self._clock()
        if wait_s > timeout_s:
            self._sleep(timeout_s)
            return False
        if wait_s > 0:
            self._sleep(wait_s)
        return True


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """List the picture files directly in a folder, by name with numbers in their order; hidden files are left out."""
    files = [
        path
        for path in folder.iterdir()
        if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".") and path.is_file()
    ]
    return tuple(sorted(files, key=_by_name_and_numbers))


def _by_name_and_numbers(path: Path) -> tuple[tuple[int, int, str], ...]:
    """Make a sorting key in which digits count as numbers."""
    parts = re.findall(r"\d+|\D+", path.name.lower())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)
