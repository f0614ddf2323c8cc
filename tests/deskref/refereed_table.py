"""The simulated table with a game on it: what is played there is seen, settled into events and refereed."""

from __future__ import annotations

from dataclasses import dataclass, field

from deskref.inputs import AnyInput, StartGame
from deskref.play import Play
from deskref.signal import Signal, SignalKind
from rules.skuffle_state import Game
from tests.deskref.played_desk import START, skirmish_setup
from tests.vision.simulated_table import Die, Figure, SimulatedTable
from vision.observation import Point

VERDICTS = (SignalKind.HIT, SignalKind.MISS, SignalKind.SAVED)
LOOKS = (
    (0.1, 0.1, 0.1, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.1, 0.2, 0.1, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0),
    (0.6, 0.3, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.1, 0.1, 0.2, 0.0, 0.0, 0.0, 0.0, 0.6, 0.0),
)
FREE: Point = (5.0, -10.0)
"""A place far from all bases, where a thrown die joins no pool."""


@dataclass
class RefereedTable(SimulatedTable):
    """Four soldiers of two teams with two dice each; Lokan begins, and the Daemon is nearest to him."""

    play: Play = field(default_factory=Play)
    said: list[Signal] = field(default_factory=list)

    def step(self) -> None:
        before = len(self.events)
        super().step()
        for event in self.events[before:]:
            self.said += self.play.happened(event)
        self.said += self.play.passed(self.time_s)

    @property
    def time_s(self) -> float:
        return self.frame / self.rate

    @property
    def game(self) -> Game:
        game = self.play.session.game
        assert game is not None, [t.message.text for t in self.play.session.tasks]
        return game

    def begin(self) -> None:
        """Put everybody and everybody's dice on the table, and wait until the game begins."""
        self.figures_of: dict[str, Figure] = {}
        self.pools: dict[str, list[Die]] = {}
        for (soldier, (_, _, (x, y))), looks in zip(START.items(), LOOKS, strict=True):
            self.figures_of[soldier] = self.figure((x, y), looks)
            self.pools[soldier] = [self.die((x + dx, y - 26.0), 3) for dx in (22.0, -2.0)]
        self.said += self.play.happened(StartGame(setup=skirmish_setup()))
        self.wait(4.0)
        assert self.game.current == "lokan"
        self.said.clear()

    def tell(self, given: AnyInput) -> None:
        """Let a player tell the referee something."""
        self.said += self.play.happened(given)

    def attack(self, soldier: str, value: int, mm: Point = FREE) -> Die:
        """Take a die of a soldier's pool, throw it, and let it lie."""
        die = self.pools[soldier].pop()
        self.take(die)
        self.throw([(die, mm, value)], (mm[0] - 40.0, mm[1] - 60.0))
        self.wait(2.0)
        return die

    def remove(self, die: Die) -> None:
        """Take a die off the table."""
        self.take(die)
        self.reach(None)
        self.wait(0.6)

    def verdicts(self) -> list[tuple[SignalKind, str | None, int | None]]:
        """What was ruled: verdict, who was hit, the die's value."""
        return [(s.kind, s.target, s.value) for s in self.said if s.kind in VERDICTS]
