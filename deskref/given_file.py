"""Files that a person names: what has no end is refused and never read for ever; what is new gets its folders."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

MOST_BYTES: Final = 16 * 1024 * 1024
"""Of a file that is read whole. The largest set-up that its checks allow has some hundred kilobytes."""


@contextlib.contextmanager
def open_given(path: Path) -> Iterator[BinaryIO]:
    """Open a file or pipe for reading; `deskref.plain_errors` has plain words for what it raises.

    Raises:
        OSError: it cannot be read; ENODEV for a device, which has no end, or does something when it is opened.
    """
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV), str(path))
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        if error.filename is None:  # it was opened, but reading failed
            error.filename = str(path)
        raise


def read_given(path: Path, *, most_bytes: int = MOST_BYTES) -> bytes:
    """Read a file or pipe that is small by its nature.

    Raises:
        OSError: as `open_given`; EFBIG where it has more than `most_bytes`.
    """
    with open_given(path) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


@contextlib.contextmanager
def making(path: Path) -> Iterator[None]:
    """Make the folders in which a named file is to lie, around the lines that write it: the same for every command.

    Raises:
        OSError: it cannot be written there; EPERM in a folder of the system's own, such as /proc, whose refusal would
            otherwise read as if a file were looked for.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except FileNotFoundError as error:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path)) from error
