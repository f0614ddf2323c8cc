"""Writing a small file that is read whole: either the new text stands in it or the old one, never a part."""

from __future__ import annotations

import contextlib
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text beside the file and put it in the file's place; makes the folder.

    Raises:
        OSError: the folder cannot be written; the old file stays, and nothing half-written stands beside it.
    """
    scratch = path.with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            scratch.unlink(missing_ok=True)  # on a full disk it is empty
        raise
