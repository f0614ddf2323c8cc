"""One deskref at a time for each folder of settings and games: a second copy would play on in the same game."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

FILE_NAME: Final = "running"

LOCKED_AT: Final = 1 << 20
"""The byte that Windows locks: behind the text, which other copies must be able to read."""


class RunningError(Exception):
    """Another copy runs with the same folder."""


class OneCopy:
    """Holds a folder for this program until it ends, however it ends."""

    def __init__(self, folder: Path, *, port: int) -> None:
        """Take the folder.

        Args:
            folder: of settings and games.
            port: where this copy's page answers; a second copy tells it.

        Raises:
            RunningError: another copy has it; the message says where that one answers.
        """
        self._file: int | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError:
            return  # a folder that cannot be written has no games to protect
        if not _lock(self._file):
            said = os.read(self._file, 20).decode(errors="replace").strip()
            os.close(self._file)
            self._file = None
            where = f"Open http://127.0.0.1:{said} in the browser" if said.isdigit() else "Use its page"
            raise RunningError(
                f"deskref is running already. {where}, or end it first. A second table on this computer needs a folder "
                "and a port of its own: set DESKREF_HOME to another folder and add --port."
            )
        with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{port}\n".encode())

    def release(self) -> None:
        """Let go of the folder; the end of the program does it too."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _lock(file: int) -> bool:
    """Lock an open file without waiting; False where another program has it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, LOCKED_AT, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return not isinstance(error, BlockingIOError)  # a file system without locks
    return True
