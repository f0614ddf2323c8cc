"""A table that is played on, told as observations with a webcam's flaws: scatter, flicker, hidden places."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from vision.events import TableEvent
from vision.observation import (
    Observation,
    Point,
    Pose,
    SeenDie,
    SeenFigure,
    SeenHand,
    SeenMotion,
    SeenObstacle,
    TableSeen,
)
from vision.table_state import TableState, settle
from vision.track import within


@dataclass
class Die:
    """A die of the simulated table; `mm` None while it is in a hand."""

    mm: Point | None
    value: int
    colour: str = "ivory"
    blurred: bool = False
    size_mm: float = 16.0
    """As it is measured."""


@dataclass
class Figure:
    """A figure of the simulated table."""

    mm: Point | None
    looks: tuple[float, ...]
    height_mm: float = 30.0
    pose: Pose = Pose.STANDING


@dataclass
class SimulatedTable:
    """Plays moves and collects what `settle` makes of them."""

    seed: int = 0
    rate: float = 30.0
    scatter_mm: float = 0.35
    flicker: float = 0.02
    """Share of frames in which a thing is not found."""
    misread: float = 0.03
    """Share of readings that are wrong."""
    dice: list[Die] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    obstacles: list[tuple[Point, float]] = field(default_factory=list)
    hidden: list[Point] = field(default_factory=list)
    """Places of things that others are in front of."""
    hand: tuple[Point, ...] = ()
    state: TableState = field(default_factory=TableState)
    events: list[TableEvent] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    frame: int = 0
    moved: bool = False
    found: bool = True
    doubt_mm: float | None = None

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.motions: list[Point] = []

    def die(self, mm: Point, value: int, colour: str = "ivory") -> Die:
        self.dice.append(Die(mm, value, colour))
        return self.dice[-1]

    def figure(self, mm: Point, looks: tuple[float, ...], height_mm: float = 30.0) -> Figure:
        self.figures.append(Figure(mm, looks, height_mm))
        return self.figures[-1]

    def _near(self, mm: Point, scatter: float | None = None) -> Point:
        size = self.scatter_mm if scatter is None else scatter
        return mm[0] + self.random.gauss(0, size), mm[1] + self.random.gauss(0, size)

    def observation(self) -> Observation:
        dice, figures = [], []
        for die in self.dice:
            if die.mm is None or self._hidden(die.mm) or self.random.random() < self.flicker:
                continue
            if die.blurred and self.random.random() < 0.6:
                continue
            value: int | None = die.value
            if die.blurred or self.random.random() < self.misread:
                value = self.random.choice([None, 1, 2, 3, 4, 5, 6])
            place = self._near(die.mm)
            dice.append(SeenDie(_box(place, 16), value, 0.9, place, die.size_mm, die.colour))
        for figure in self.figures:
            if figure.mm is None or self._hidden(figure.mm) or self.random.random() < self.flicker:
                continue
            place = self._near(figure.mm)
            looks = tuple(max(0.0, v + self.random.gauss(0, 0.02)) for v in figure.looks)
            figures.append(
                SeenFigure(_box(place, 30), figure.pose, 0.9, place, figure.height_mm, 25.0, 0.0, looks)
            )  # fmt: skip
        hands = (SeenHand((), self.hand),) if self.hand else ()
        motions = tuple(SeenMotion(_ring(m, 9)) for m in self.motions if not self._hidden(m))
        obstacles = tuple(
            SeenObstacle(_ring(self._near(mm, 1.0), size), 20.0, (0, 0, 1, 1)) for mm, size in self.obstacles
        )  # fmt: skip
        table = TableSeen(
            self.found, 6 if self.found else 0, moved=self.moved, steady=not self.moved, doubt_mm=self.doubt_mm
        )
        return Observation(
            self.frame, self.frame / self.rate, (1280, 720), table, tuple(dice), tuple(figures), obstacles, hands,
            motions=motions, hidden_mm=tuple(self.hidden),
        )  # fmt: skip

    def _hidden(self, mm: Point) -> bool:
        return bool(self.hand) and within(mm, self.hand)

    def step(self) -> None:
        seen = self.observation()
        self.observations.append(seen)
        self.state, events = settle(self.state, seen)
        self.events += events
        self.frame += 1

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * self.rate)):
            self.step()

    def reach(self, target: Point | None, seconds: float = 0.3) -> None:
        """Bring the hand to a place, from the near edge; None takes it away."""
        start = _tip(self.hand) if self.hand else ((target or (0.0, 0.0))[0], -180.0)
        end = target if target is not None else (start[0], -200.0)
        count = max(1, round(seconds * self.rate))
        for k in range(1, count + 1):
            share = k / count
            tip = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            self.hand = _arm(tip)
            self.step()
        if target is None:
            self.hand = ()
            self.step()

    def take(self, die: Die) -> None:
        assert die.mm is not None
        self.reach(die.mm)
        self.wait(0.1)
        die.mm = None
        self.wait(0.1)

    def throw(self, dice: list[tuple[Die, Point, int]], release: Point) -> None:
        """Throw dice from the hand: they roll to their places with blur, the hand draws back."""
        self.reach(release, 0.2)
        count = round(0.45 * self.rate)
        for k in range(1, count + 1):
            share = 1 - (1 - k / count) ** 2
            self.motions = []
            for die, end, value in dice:
                die.mm = (release[0] + (end[0] - release[0]) * share, release[1] + (end[1] - release[1]) * share)
                die.blurred, die.value = k < count - 2, value
                if die.blurred:
                    self.motions.append(die.mm)
            self.hand = _arm((release[0], release[1] - 12 * k))
            self.step()
        self.motions = []
        for die, _, _ in dice:
            die.blurred = False
        self.hand = ()
        self.step()

    def put(self, thing: Die | Figure, mm: Point) -> None:
        """Put something down carefully."""
        self.reach(mm, 0.4)
        thing.mm = mm
        self.wait(0.15)
        self.reach(None)

    def kinds(self, *prefixes: str) -> list[str]:
        return [e.kind for e in self.events if e.kind.startswith(prefixes or ("",))]


def _box(mm: Point, size: float) -> tuple[float, float, float, float]:
    x, y = 640 + mm[0] * 3, 360 - mm[1] * 3
    return x - size * 1.5, y - size * 1.5, x + size * 1.5, y + size * 1.5


def _ring(mm: Point, radius: float) -> tuple[Point, ...]:
    return tuple(
        (mm[0] + radius * math.cos(a * math.pi / 4), mm[1] + radius * math.sin(a * math.pi / 4)) for a in range(8)
    )


def _arm(tip: Point) -> tuple[Point, ...]:
    x, y = tip
    return (
        (x - 22, y + 18),
        (x + 22, y + 18),
        (x + 30, y - 50),
        (x + 30, y - 400),
        (x - 30, y - 400),
        (x - 30, y - 50),
    )


def _tip(hand: tuple[Point, ...]) -> Point:
    return (hand[0][0] + hand[1][0]) / 2, hand[0][1] - 18
