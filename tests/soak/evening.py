"""A whole evening: one game after the other in the running program, with everything that goes wrong meanwhile."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import cycle
from multiprocessing import forkserver
from pathlib import Path

from tests.soak import checks, cut_off, faults
from tests.soak.checks import Checked
from tests.soak.faults import clock_off_by
from tests.soak.measures import Held, held, more_than
from tests.soak.pace import HumanClock
from tests.soak.players import BY_NAME, SAGAS, SKIRMISH, SKUFFLE
from tests.soak.program_run import ProgramRun, SoakError
from tests.soak.sitting import Filming, Sitting, quiet_frames

FILMED = "skuffle filmed"

KINDS = (
    FILMED, SKUFFLE.name, SKIRMISH.name, SAGAS[0].name,
    FILMED, SKUFFLE.name, SKIRMISH.name, SAGAS[1].name,
    FILMED, SKUFFLE.name, SKIRMISH.name, SAGAS[2].name,
)  # fmt: skip
"""The order in which an evening's games follow each other, again and again."""

THIRTY = (
    FILMED, SKIRMISH.name, SAGAS[0].name, SKUFFLE.name, SKIRMISH.name, SAGAS[1].name,
    SKUFFLE.name, SKIRMISH.name, SAGAS[2].name, SKUFFLE.name, SKIRMISH.name, SAGAS[0].name,
    FILMED, SKIRMISH.name, SAGAS[1].name, SKUFFLE.name, SKIRMISH.name, SAGAS[2].name,
    SKUFFLE.name, SKIRMISH.name, SAGAS[0].name, SKUFFLE.name, SKIRMISH.name, SAGAS[1].name,
    FILMED, SKIRMISH.name, SAGAS[2].name, SKUFFLE.name, SKIRMISH.name, SAGAS[0].name,
)  # fmt: skip
"""A whole evening: ten games of each rule set."""

RUN_GAMES = (1, 4)
"""So many games are played in one run of the program."""

MANY = 10**6

KILLED, LATER = 0.35, 0.35
"""How often a run begins with a game that was killed in the middle, and ends in the middle of one as by the computer's
shutting down."""

LEFT_AFTER = (5, 150)
"""Inputs of a game in whose middle a run ends."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a game came to."""

    kind: str
    seconds: float
    inputs: int
    frames: int
    checked: Checked
    """Of the journal so far: the games before it in the same run are in it."""
    faults: tuple[str, ...]
    held: Held
    longest_wait_s: float
    """Between telling something and the session that holds it."""
    longest_input: str
    log: int
    """Signals of the program's run so far."""
    played_s: float
    """By the game's own clock,"""
    waited_s: float
    """and what passed by it before the game was begun."""


@dataclass(slots=True)
class Evening:
    """Plays games and keeps what they came to."""

    home: Path
    seed: int
    kinds: Iterable[str] = KINDS
    filming: Filming = field(default_factory=Filming)
    """How the filmed games are watched."""
    looks_anew: float = 0.0
    """In so many of the runs the eyes look at the film's pictures anew, whatever they remember."""
    is_one_run: bool = False
    """Whether the program is started once and ended once, as by a patient table."""
    clock: HumanClock | None = None
    """By which people play; None lets them answer at once."""
    each_s: float = 0.0
    """So long a game and the break before it take at least by that clock."""
    on_played: Callable[[Played], None] = lambda played: None
    games: list[Played] = field(default_factory=list)
    runs: int = 0

    def play(self, goes_on: Callable[[int], bool]) -> None:
        """Play games in runs of the program, as long as `goes_on` says so of the number of games so far.

        Raises:
            SoakError: something happened that must never happen.
        """
        chance = random.Random(self.seed)
        kinds = cycle(self.kinds)
        forkserver.ensure_running()  # it stays: processes that are to be killed are begun by it
        before: Held | None = None
        while goes_on(len(self.games)):
            self.runs += 1
            self._run(random.Random(chance.random()), kinds, goes_on)
            now = held()
            if before is None:
                before = now  # libraries have opened what they keep
            elif more := more_than(before, now):
                raise SoakError(f"threads are left when the program has ended: {more}")
            elif now.files > before.files:
                raise SoakError(f"{now.files - before.files} files are left open when the program has ended")

    def _is_so(self, chance: random.Random, often: float) -> bool:
        return chance.random() < often and not self.is_one_run

    def _filming(self, chance: random.Random) -> Filming:
        return replace(self.filming, seen=None) if chance.random() < self.looks_anew else self.filming

    def _run(self, chance: random.Random, kinds: Iterator[str], goes_on: Callable[[int], bool]) -> None:
        """Start the program, play, and end it in some way."""
        began: list[str] = []
        filming = self._filming(chance)
        killed = self._kill(chance, next(kinds), began, filming) if self._is_so(chance, KILLED) else None
        with self._started(chance, began, filming) as run:
            if killed is not None:
                self._go_on(run, chance, killed, began, filming)
            for _ in range(MANY if self.is_one_run else chance.randint(*RUN_GAMES)):
                if not goes_on(len(self.games)):
                    return
                self._game(run, chance, next(kinds), began, filming)
                began = []
            if self._is_so(chance, LATER):
                left = chance.choice((SKUFFLE, SKIRMISH, *SAGAS))
                is_over = Sitting(run, chance).typed(left, most=chance.randint(*LEFT_AFTER))
                said = checks.as_lines(run.session.log)
                run.stop(later=True)
            else:
                return
        with self._started(chance, began, filming) as run:
            checks.differs(said, checks.as_lines(run.session.log), "the game that was left goes on otherwise")
            if not is_over:
                self._game(run, chance, left.name, ["shut down in the middle"], filming)

    def _started(self, chance: random.Random, began: list[str], filming: Filming) -> ProgramRun:
        shift = chance.choice(faults.CLOCKS)
        if shift:
            began.append("clock changed")
        with clock_off_by(shift):
            return ProgramRun(self.home, source=None, chance=chance, eyes=filming.eyes())

    def _kill(
        self, chance: random.Random, kind: str, began: list[str], filming: Filming
    ) -> tuple[str, int | None, cut_off.Killed]:
        """Let a game be killed in the middle; gives its kind, the film's frame, and what had been said."""
        began.append("killed")
        clock = chance.choice(faults.CLOCKS)
        if clock:
            began.append("clock changed")
        if kind != FILMED:
            return kind, None, cut_off.kill_typed(self.home, kind, chance, clock=clock)
        frame = chance.choice([quiet for quiet in quiet_frames() if filming.first < quiet < filming.last])
        return kind, frame, cut_off.kill_filmed(self.home, filming, frame, chance, clock=clock)

    def _go_on(
        self,
        run: ProgramRun,
        chance: random.Random,
        killed: tuple[str, int | None, cut_off.Killed],
        began: list[str],
        filming: Filming,
    ) -> None:
        """Play the game that was killed to its end."""
        kind, frame, said = killed
        if run.taken.session is None:
            raise SoakError(f"the killed game is not taken up: {run.taken.said}")
        said.check(run.session)
        self._game(run, chance, kind, began, filming, frame=frame)
        began.clear()

    def _game(
        self,
        run: ProgramRun,
        chance: random.Random,
        kind: str,
        began: list[str],
        filming: Filming,
        *,
        frame: int | None = None,
    ) -> None:
        """Play a game to its end, or go on with one, and hold it against its journal."""
        began_s = time.monotonic()
        sitting = Sitting(run, chance, clock=self.clock)
        run.board.forget()
        last = run.session.log[-1].number if run.session.log else 0
        before = last if frame is None else run.session.before_game
        began_at_s, waited_s = run.game.now_s, 0.0
        if self.clock is not None and self.games and frame is None:
            waited_s = max(0.0, len(self.games) * self.each_s - sum(g.played_s + g.waited_s for g in self.games))
            self.clock.skip(waited_s)  # a break, and the next game is set up
        if kind == FILMED:
            sitting.filmed(filming, goes_on_at=frame)
        else:
            sitting.typed(BY_NAME[kind])
        run.until(lambda: run.game.record_trouble is None, "what waited for room on the disk is written")
        # Eyes that look anew may be slower than the clock, and then ticks come between other frames than again.
        is_watched = kind == FILMED and sitting.is_whole and filming.seen is not None
        checked = checks.check_apart(run.journal, run.session, observed_since=before if is_watched else None)
        seconds = time.monotonic() - began_s
        self.games.append(
            Played(
                kind=kind,
                seconds=seconds,
                inputs=sitting.inputs,
                frames=sitting.frames,
                checked=checked,
                faults=(*began, *sitting.began),
                held=held(),
                longest_wait_s=run.longest_wait_s,
                longest_input=run.longest_input,
                log=run.session.log[-1].number,
                played_s=run.game.now_s - began_at_s - waited_s,
                waited_s=waited_s,
            )
        )
        run.longest_wait_s = 0.0
        self.on_played(self.games[-1])
