"""One game in the running program: players tell things or the desk is watched, and faults come and go."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from deskref.demo import FILM, FOLDER, SETUP
from deskref.eyes import Eyes
from deskref.inputs import EnterDie, StartGame, Tick
from deskref.setup_file import load_setup
from devices.camera_loop import CameraState
from tests.deskref.test_demo import told, truth
from tests.soak import checks, faults
from tests.soak.demo_camera import DemoCamera
from tests.soak.faults import Fault
from tests.soak.pace import THINK_S, HumanClock
from tests.soak.players import WRONG_FACE, Kind
from tests.soak.program_run import PATIENCE_S, ProgramRun, SoakError
from tests.soak.remembered import RememberingEyes
from vision.observation import Observation

MOST_INPUTS = 4000
"""A typed game that is not over by then is stuck."""

LONG_GAME = 500
"""A combat that nobody has won by then is ended by the Game Master."""

NEW_FAULT = 0.01
"""How often one begins with an input."""

STANDS_STILL = 150
"""Inputs in a row from which nothing follows: nobody is that unlucky, the game takes no die any more."""

LASTS = (1, 40)
"""Inputs until it ends."""

PAGE_EACH = 20
"""Inputs, or pictures of the film, between two looks at what an open page asks for."""

FILM_FAULTS = (2, 5)
"""So many in a film."""

FILM_LASTS_S = (0.1, 5.0)
"""How long one of them lasts."""

STARTED = 860
"""Frames of the film before the game on it begins; what is told before may be undone by nothing."""

FRAMES = 3800
"""Of the film, and some more."""


@dataclass(frozen=True, slots=True)
class Filming:
    """How the demo's film is watched."""

    seen: tuple[Observation, ...] | None = None
    """What the eyes saw in it once; None looks anew."""
    first: int = 0
    """Frame at which a game's camera begins to look."""
    last: int = FRAMES
    """Frame at which it ends, or after the film's last."""

    def eyes(self) -> Eyes:
        """Give what looks at the pictures."""
        return RememberingEyes(self.seen) if self.seen is not None else Eyes()

    def camera(self, *, first: int | None = None, hold_at: int | None = None) -> DemoCamera:
        """Give a camera over the desk, as it is at a frame, by default the first."""
        begin = self.first if first is None else first
        if self.seen is None:
            return DemoCamera(FILM, first=begin, hold_at=hold_at)
        return DemoCamera(None, first=begin, hold_at=hold_at, count=len(self.seen))


@dataclass(slots=True)
class Sitting:
    """One game in a run of the program."""

    run: ProgramRun
    chance: random.Random
    began: list[str] = field(default_factory=list)
    """Names of the faults so far."""
    inputs: int = 0
    frames: int = 0
    clock: HumanClock | None = None
    """By which people think; None lets them answer at once."""
    is_whole: bool = True
    """Whether no observation was left out of the journal."""

    def typed(self, kind: Kind, *, most: int | None = None) -> bool:
        """Play a game by telling it, or go on with one that was cut off.

        Args:
            kind: of the game.
            most: inputs after which it is left in the middle; None plays to the end.

        Returns:
            Whether it is over.

        Raises:
            SoakError: it does not end, or something that must never happen has happened.
        """
        run, chance = self.run, self.chance
        if not self._goes_on(kind):
            run.tell(StartGame(setup=kind.setup(chance)))
            while run.session.book.game is None:
                run.tell(StartGame(setup=kind.setup(chance)))  # one whose set-up the rules refuse
        running: list[tuple[int, Fault]] = []
        book, stood = run.session.book, 0
        while not kind.is_over(run.session):
            self.inputs += 1
            if self.inputs > MOST_INPUTS:
                raise SoakError(f"a game of {kind.name} does not end")
            if most is not None and self.inputs > most:
                break
            if self.clock is not None:
                self.clock.skip(chance.uniform(*THINK_S))
            stood = stood + 1 if run.session.book is book else 0
            book = run.session.book
            if stood > STANDS_STILL:
                raise SoakError(f"a game of {kind.name} stands still: {run.session.log[-1].message.text}")
            if kind.end is not None and self.inputs > LONG_GAME:
                run.tell(kind.end)
            elif chance.random() < WRONG_FACE:
                run.tell(EnterDie(value=chance.choice((0, 7, 21, -1, 10**9))))
            else:
                run.tell(kind.next_input(chance, run.session))
            if chance.random() < NEW_FAULT:
                running.append((self.inputs + chance.randint(*LASTS), self._fault()))
            for over_at, fault in [each for each in running if each[0] <= self.inputs]:
                running.remove((over_at, fault))
                next(fault)
            if self.inputs % PAGE_EACH == 0:
                run.look_at_page()
        for _, fault in running:
            next(fault)
        run.tell(Tick())
        return kind.is_over(run.session)

    def filmed(self, filming: Filming, *, goes_on_at: int | None = None, has_faults: bool = True) -> None:
        """Referee the demo's film in a new game, or in one that was cut off at a frame.

        Raises:
            SoakError: a ruling is missing, invented or wrong, or something that must never happen has happened.
        """
        run, chance, last = self.run, self.chance, filming.last
        setup = load_setup(SETUP, with_camera=True)
        if goes_on_at is None:
            run.tell(StartGame(setup=setup))
        camera = filming.camera(first=goes_on_at)
        first = camera.shown
        camera.hold(is_held=True)
        run.game.use_camera(camera)
        count = chance.randint(*FILM_FAULTS) if has_faults else 0
        try:
            for stop in (*sorted(chance.randint(max(first + 1, STARTED), last) for _ in range(count)), None):
                self._watch(camera, last if stop is None else stop)
                if stop is not None:
                    self._film_fault(camera)
                    run.look_at_page()
            self._catch_up(camera)
            self.frames = camera.shown - first
        finally:
            run.game.use_camera(None)
            camera.put_away()
        run.tell(Tick())
        names = {soldier.id: soldier.name for soldier in setup.soldiers}
        checks.check_facts(told(list(run.session.game_log), names), truth_until(last))

    def _watch(self, camera: DemoCamera, stop: int) -> None:
        """Let the film play up to a frame."""
        camera.go_on_to(stop)
        camera.hold(is_held=False)
        with camera.changed:
            while camera.shown < stop and not camera.is_over:
                before = camera.shown
                camera.changed.wait(PATIENCE_S)
                if camera.shown == before and not camera.is_over and self.run.game.trouble is None:
                    raise SoakError(f"no picture is taken for a minute, at frame {before}: {self.run.game.trouble}")

    def _catch_up(self, camera: DemoCamera) -> None:
        """Wait until everything that was shown is looked at, and what follows from it is known."""
        game = self.run.game
        camera.hold(is_held=True)

        def is_caught_up() -> bool:
            status = game.camera_status
            is_forgotten = status is not None and status.state is not CameraState.LIVE
            return is_forgotten or (game.seen is not None and game.seen.frame.number >= camera.given)

        self.run.until(is_caught_up, "the last picture is looked at")
        self.run.tell(Tick())

    def _film_fault(self, camera: DemoCamera) -> None:
        """Let something go wrong while the desk is still, or while it goes on."""
        chance, run = self.chance, self.run
        if chance.random() < 0.5:
            made = chance.choice(faults.OF_CAMERAS)
            self.began.append(made.__name__)
            fault = made(run, camera)
            next(fault)
            time.sleep(chance.uniform(*FILM_LASTS_S))
            next(fault)
            return
        self._catch_up(camera)
        fault = self._fault()
        camera.go_on_to(min(camera.shown + chance.randint(1, 300), FRAMES))
        camera.hold(is_held=False)
        time.sleep(chance.uniform(*FILM_LASTS_S))
        next(fault)

    def _fault(self) -> Fault:
        made = self.chance.choice(faults.ANY)
        self.began.append(made.__name__)
        self.is_whole = self.is_whole and made is not faults.disk_full
        fault = made(self.run, self.chance)
        next(fault)
        return fault

    def _goes_on(self, kind: Kind) -> bool:
        """Whether a game of this kind is in the middle."""
        session = self.run.session
        game = session.book.game
        return game is not None and type(game) is kind.game and not kind.is_over(session)


def truth_until(frame: int) -> list[tuple[object, ...]]:
    """What has happened on the film's table before one of its frames."""
    lines = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    started = next(line["frame"] for line in lines if line["event"] == "game_started")
    count = 0
    for line in lines:
        if started < line["frame"] <= frame:
            count += {"ruling": 2, "figure_moved": 1, "figure_tipped": 1, "winner": 1}.get(line["event"], 0)
            count += line["event"] == "ruling" and line["killed"]
    return truth()[:count]


def quiet_frames() -> Iterator[int]:
    """Frames of the film at which no hand is over the table and nothing moves."""
    gone: int | None = None
    for line in map(json.loads, (FOLDER / "truth.jsonl").read_text(encoding="utf-8").splitlines()):
        if line["event"] == "hand_gone":
            gone = line["frame"]
        elif line["event"] == "hand_over" and gone is not None:
            yield (gone + line["frame"]) // 2
            gone = None
