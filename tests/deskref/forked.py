"""Processes of deskref for tests, begun from one that has imported everything: a second of work less for each."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path

PR_SET_PDEATHSIG = 1
"""Of Linux's `prctl`."""


def quick_context() -> ForkServerContext:
    """Give the way to begin processes as copies of a prepared one.

    The preparation is named in one place, for only the first use of a session can name it.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", "tests.deskref.kill_me", "tests.deskref.warm"])
    return context


def fresh_context() -> SpawnContext:
    """Give the way to begin processes as a player does, by a new interpreter."""
    return multiprocessing.get_context("spawn")


def end_with_parent() -> None:
    """End this process when the one that began it is gone, so that tests that are killed leave nothing running."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def serve(arguments: tuple[str, ...], home: Path, said: Path) -> None:
    """Be the command `deskref` with these arguments; what it prints goes into a file."""
    end_with_parent()
    for name in [name for name in os.environ if name.startswith("PYTEST")]:
        del os.environ[name]  # NiceGUI would take itself for under test
    os.environ["DESKREF_HOME"] = str(home)
    with said.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = ["deskref", *arguments]
    from deskref.command_line import main

    main()
