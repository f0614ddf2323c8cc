"""The program killed in the middle of a game, in a process of its own: kill -9, as by a flat battery."""

from __future__ import annotations

import contextlib
import json
import random
import signal
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from deskref.demo import SETUP
from deskref.inputs import StartGame, Tick
from deskref.session import Session
from deskref.setup_file import load_setup
from tests.deskref.forked import end_with_parent, quick_context
from tests.soak.faults import clock_off_by
from tests.soak.players import BY_NAME
from tests.soak.program_run import ProgramRun, SoakError
from tests.soak.sitting import Filming

LONGEST_S = 1.5
"""Of play before the kill."""

START_S = 120.0
"""How long a process may take to begin to play."""

JOIN_S = 20.0


@dataclass(frozen=True, slots=True)
class Killed:
    """What a killed program had said."""

    log: int
    """Number of the last signal."""
    last: dict[str, Any] | None
    """The last of them, as the journal has it; None where there was none."""

    def check(self, session: Session) -> None:
        """Raise where the session that was taken up lacks something that had been said."""
        left = {signal.number: signal for signal in session.log}
        if self.log > max(left, default=0):
            raise SoakError(f"of {self.log} signals before the kill {max(left, default=0)} are left")
        if self.log and left[self.log].as_json() != self.last:
            raise SoakError(f"before the kill it said {self.last}, now {left[self.log].as_json()}")


def kill_typed(home: Path, kind: str, chance: random.Random, *, clock: timedelta) -> Killed:
    """Let a game of a kind be played in a process of its own, and kill that at a random moment."""
    return _kill(play_typed, (home, kind, chance.randrange(10**9), clock), chance.uniform(0.0, LONGEST_S))


def kill_filmed(home: Path, filming: Filming, frame: int, chance: random.Random, *, clock: timedelta) -> Killed:
    """Let the film be refereed in a process of its own up to a frame, and kill that soon after."""
    return _kill(watch_film, (home, filming, frame, clock), chance.uniform(0.0, 0.3))


def play_typed(home: Path, kind: str, seed: int, clock: timedelta, telling: Connection) -> None:
    """Begin a game and play on until killed; tells what has been said after each input."""
    end_with_parent()
    chance = random.Random(seed)
    plays = BY_NAME[kind]
    with clock_off_by(clock):
        run = ProgramRun(home, source=None, chance=chance)
    while True:
        if run.session.book.game is None or plays.is_over(run.session) or type(run.session.book.game) is not plays.game:
            run.tell(StartGame(setup=plays.setup(chance)))
        else:
            run.tell(plays.next_input(chance, run.session))
        tell(telling, run.session)


def watch_film(home: Path, filming: Filming, frame: int, clock: timedelta, telling: Connection) -> None:
    """Referee the film up to a frame, tell what has been said, and wait for the end."""
    end_with_parent()
    camera = filming.camera(hold_at=frame)
    with clock_off_by(clock):
        run = ProgramRun(home, source=camera, chance=random.Random(frame), eyes=filming.eyes())
    run.tell(StartGame(setup=load_setup(SETUP, with_camera=True)))
    run.until(lambda: camera.shown == frame, "the film has come so far", timeout_s=10 * START_S)
    run.until(
        lambda: run.game.seen is not None and run.game.seen.frame.number >= camera.given, "the picture is looked at"
    )
    while True:
        run.tell(Tick())
        tell(telling, run.session)
        with camera.changed:
            camera.changed.wait(0.05)


def tell(telling: Connection, session: Session) -> None:
    """Tell how much has been said, and the last of it."""
    last = session.log[-1].as_json() if session.log else None
    telling.send_bytes(json.dumps({"log": session.log[-1].number if session.log else 0, "last": last}).encode())


def _kill(play: Any, arguments: tuple[Any, ...], seconds: float) -> Killed:  # Any: one of the two above
    context = quick_context()
    told, telling = context.Pipe(duplex=False)
    program = context.Process(target=play, args=(*arguments, telling))
    program.start()
    telling.close()
    if not told.poll(10 * START_S):
        program.kill()
        raise SoakError("the program that is to be killed never played")
    lines = [told.recv_bytes()]
    program.join(seconds)
    program.kill()
    with contextlib.suppress(EOFError, OSError):  # the last one may be cut off
        while True:
            lines.append(told.recv_bytes())
    program.join(JOIN_S)
    if program.exitcode != -signal.SIGKILL:
        raise SoakError(f"the program that was to be killed had ended: {program.exitcode}")
    told.close()
    program.close()
    return Killed(**json.loads(lines[-1]))
