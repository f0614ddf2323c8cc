"""What a player really types to run deskref here: hints name a command that works in the terminal it was started from.

The sentences say `deskref doctor`. Installed into a folder of its own, as the README does, that is
`.venv/bin/deskref doctor`, on Windows `.venv\\Scripts\\deskref doctor`; where it was started as a module,
`python -m deskref doctor`. `as_typed` puts the one for the other, wherever a hint reaches a player.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

NAME: Final = "deskref"

COMMANDS: Final = (
    "bench",
    "board",
    "calibrate",
    "cameras",
    "demo",
    "dice-test",
    "doctor",
    "explain",
    "mat",
    "observe",
    "play",
    "read",
    "replay",
    "scale",
    "teach",
    "watch",
)
"""What may follow the name in a hint; other sentences begin with the name as well ("deskref reads: ...")."""

_HINT: Final = re.compile(rf"(?<![\w/\\.'\"-]){NAME} (?=(?:{'|'.join(COMMANDS)})(?![\w-]))")
_PIP: Final = re.compile(r"(?<![\w/\\.-])(?<!-m )pip (?=(?:un)?install\b)")

Which = Callable[[str], str | None]
"""Finds a command on the PATH, as `shutil.which` does."""


def as_typed(text: str) -> str:
    """Return a text whose hints can be typed as they stand; a text without one as it came."""
    if f"{NAME} " in text:
        text = _HINT.sub(lambda _: f"{_started_as(sys.argv[0])} ", text)
    if "pip " in text:
        text = _PIP.sub(lambda _: f"{_python()} -m pip ", text)
    return text


def started_as(program: str, *, python: str, folder: str, which: Which, windows: bool) -> str:
    """Return what has to be typed in place of `deskref`.

    Args:
        program: what was started, as `sys.argv[0]` has it: the command's own file, or the module's.
        python: the interpreter.
        folder: where the terminal is.
        which: finds commands on the PATH.
        windows: whether the terminal is one of Windows.
    """
    paths = ntpath if windows else posixpath
    folders, file = paths.split(program)
    if file == "__main__.py" and paths.basename(folders) == NAME:
        return f"{typed(python, ('python', 'python3'), folder=folder, which=which, windows=windows)} -m {NAME}"
    if _bare(file) != NAME:
        return NAME  # started by something else, as by a test
    return typed(program, (NAME,), folder=folder, which=which, windows=windows)


def typed(program: str, names: tuple[str, ...], *, folder: str, which: Which, windows: bool) -> str:
    """Return what has to be typed for a program: its name where that finds it, else its path from the folder.

    Args:
        program: its path, whole or from the folder.
        names: by which it may be found on the PATH.
        folder: where the terminal is.
        which: finds commands on the PATH.
        windows: whether the terminal is one of Windows.
    """
    paths = ntpath if windows else posixpath
    whole = paths.normpath(paths.join(folder, program))
    for name in names:
        found = which(name)
        # No link is followed: the python of a folder of its own is a link to the system's.
        if found is not None and _bare(paths.normpath(paths.join(folder, found))) == _bare(whole):
            return name
    inside = whole.removeprefix(paths.join(folder, ""))
    if not windows:
        return shlex.quote(inside)
    return f'"{_bare(inside)}"' if " " in inside else _bare(inside)


@cache
def _started_as(program: str) -> str:
    here = _here()
    windows = os.name == "nt"
    return (
        NAME
        if here is None
        else started_as(program, python=sys.executable, folder=here, which=shutil.which, windows=windows)
    )


@cache
def _python() -> str:
    here = _here()
    windows = os.name == "nt"
    names = ("python", "python3")
    return names[0] if here is None else typed(sys.executable, names, folder=here, which=shutil.which, windows=windows)


def _here() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:  # the folder was removed meanwhile
        return None


def _bare(path: str) -> str:
    """A path without the ending that Windows adds by itself."""
    return re.sub(r"\.exe$", "", path, flags=re.IGNORECASE)
