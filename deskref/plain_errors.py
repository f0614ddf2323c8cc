"""What the system refused, in a sentence that a player understands, in place of its number and its own words."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def said_of(error: OSError) -> str:
    """Say which file or folder is meant, what is wrong with it, and what to do."""
    # An error with two names is of a file that was to take another's place.
    named = error.filename2 or error.filename
    if named is None:
        return f"The system refused it: {error.strerror or error}."
    name = os.fsdecode(named) if isinstance(named, str | bytes) else str(named)
    what = repr(name)
    is_folder = os.path.isdir(name)  # Path.is_dir raises for a name that is too long
    match error.errno:
        case errno.ENOENT:
            parent = str(Path(name).parent)
            if not os.path.exists(parent):
                return f"There is no folder {parent!r}. Make it first, or name another one."
            return f"There is no file {what}. Check the name and the folder."
        case errno.EISDIR:
            return f"{what} is a folder, not a file. Name a file in it."
        case errno.EEXIST if is_folder:
            return f"{what} is a folder. Name a file in it that is not there yet."
        case errno.EEXIST | errno.ENOTDIR:
            return f"{what} is a file that is there already. Name another one."
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return f"{what} may not be used: your user has no right to it. Name another place."
        case errno.ENOSPC | errno.EDQUOT:
            return f"{what} cannot be written: the disk is full. Make room, and try again."
        case errno.ENODEV:
            return f"{what} is a device, not a file. Name a file."
        case errno.EFBIG:
            return f"{what} is too large to be such a file. Check whether it is the one that you mean."
        case errno.EIO | errno.EINVAL | errno.ENXIO:
            return f"{what} cannot be read or written there. Copy it to another place, or name another file."
        case errno.ENAMETOOLONG:
            return f"{what[:60]}… is too long for a name of a file. Name it shorter."
        case _:
            return f"{what} cannot be used: {error.strerror or error}."
