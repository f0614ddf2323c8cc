"""What goes wrong in an evening, each fault with its end: the board, the disk, the clock, a second copy, the camera."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from typing import Self
from unittest.mock import patch

from deskref import saved_game
from deskref.inputs import Redo, Undo
from deskref.one_copy import OneCopy, RunningError
from tests.soak.demo_camera import DemoCamera
from tests.soak.program_run import PORT, ProgramRun, SoakError

Fault = Iterator[None]
"""Begins at its first step and is over after its second."""

GARBAGE = 200
"""Bytes that a disturbed line says of its own accord."""

USUAL_SIZES = resource.getrlimit(resource.RLIMIT_FSIZE)
"""Largest files that the system allows, before anything goes wrong."""

STORM = 12
"""Steps that are taken back at once, at most."""

CLOCKS = (timedelta(0), timedelta(0), timedelta(days=-400), timedelta(hours=-1), timedelta(days=30))
"""By how much the computer's clock may be wrong when the program starts: a flat battery, summer time, a guess."""


def board_unplugged(run: ProgramRun, chance: random.Random) -> Fault:
    """The board's plug is pulled, and put in again: it must be found again."""
    run.board.unplug()
    yield
    run.board.plug()
    wait_for_board(run)
    yield


def wait_for_board(run: ProgramRun) -> None:
    """Wait until the board works again, unless another fault still keeps it from that."""
    board, link = run.board, run.link
    if board.is_plugged and not board.is_hung and not board.is_silent:
        run.until(lambda: link.status.is_ready, "the board works again")


def board_disturbed(run: ProgramRun, chance: random.Random) -> Fault:
    """The line says garbage, loses answers, refuses frames."""
    run.board.say(chance.randbytes(GARBAGE))
    run.board.lost_answers, run.board.refused = chance.randint(0, 3), chance.randint(0, 3)
    yield
    run.board.say(chance.randbytes(GARBAGE))
    run.board.lost_answers = run.board.refused = 0
    wait_for_board(run)
    yield


def board_hangs(run: ProgramRun, chance: random.Random) -> Fault:
    """The board's driver takes no bytes, or the board says nothing any more."""
    name = chance.choice(("is_hung", "is_silent"))
    setattr(run.board, name, True)
    yield
    setattr(run.board, name, False)
    wait_for_board(run)
    yield


def board_reset(run: ProgramRun, chance: random.Random) -> Fault:
    """Somebody presses the board's button."""
    run.board.reset()
    yield
    wait_for_board(run)
    yield


def disk_full(run: ProgramRun, chance: random.Random) -> Fault:
    """No file may grow beyond where the journal is now; the line that is being written may be cut off in the middle."""
    room = run.journal.stat().st_size + chance.randint(0, 300)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, USUAL_SIZES[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, USUAL_SIZES)
    yield


def second_copy(run: ProgramRun, chance: random.Random) -> Fault:
    """Somebody starts the program once more."""
    try:
        OneCopy(run.home, port=PORT + 1).release()
    except RunningError:
        yield
        yield
    else:
        raise SoakError("a second copy runs with the same folder")


def storm(run: ProgramRun, chance: random.Random) -> Fault:
    """Somebody leans on the keys of undo and redo; in the end as much was done again as was taken back."""
    steps = chance.randint(1, max(1, min(STORM, len(run.session.past))))
    if len(run.session.past) >= steps:
        before = run.session.book
        run.tell(*[Undo()] * steps, *[Redo()] * steps)
        if run.session.book != before:
            raise SoakError(f"{steps} steps taken back and done again lead to another book")
    run.tell(*[chance.choice((Undo(), Redo())) for _ in range(3)], *[Redo()] * 6)
    yield
    yield


ANY = (board_unplugged, board_disturbed, board_hangs, board_reset, disk_full, second_copy, storm)
"""Faults of any game."""


def camera_unplugged(run: ProgramRun, camera: DemoCamera) -> Fault:
    """The camera's plug is pulled, and put in again: it must be found again."""
    camera.unplug()
    run.until(lambda: run.game.trouble is not None, "the unplugged camera is told")
    yield
    opened = camera.opened
    camera.plug()
    run.until(lambda: camera.opened > opened, "the camera is opened again")
    yield


def camera_covered(run: ProgramRun, camera: DemoCamera) -> Fault:
    """Something lies over the lens: black pictures, of which none may be looked at."""
    camera.cover(is_black=True)
    yield
    camera.cover(is_black=False)
    yield


OF_CAMERAS: tuple[Callable[[ProgramRun, DemoCamera], Fault], ...] = (camera_unplugged, camera_covered)


@contextmanager
def clock_off_by(shift: timedelta) -> Iterator[None]:
    """Let the computer's clock be wrong for what names the journals."""

    class Shifted(datetime):
        """A clock that is wrong."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            """Tell the wrong time."""
            return super().now(tz) + shift

    with patch.object(saved_game, "datetime", Shifted):
        yield
