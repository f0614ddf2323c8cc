"""What is known to stand and lie on the desk: the fold of the table's events, without any rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from vision import events
from vision.observation import Point, Pose

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DeskDie:
    """A die that lies on the table."""

    die: int
    """Its track."""
    mm: Point
    value: int | None
    confidence: float
    colour: str | None
    moving: bool = False


@dataclass(frozen=True, slots=True)
class DeskFigure:
    """A figure on the table, or one that a hand has lifted."""

    figure: int
    """Its track."""
    mm: Point
    pose: Pose
    height_mm: float | None
    base_mm: float | None
    lifted: bool = False
    doubt_mm: float | None = None
    """How far off `mm` may be by the camera's pose alone; None where it is not known."""


@dataclass(frozen=True, slots=True)
class DeskObstacle:
    """Something that may give cover."""

    obstacle: int
    """Its track."""
    outline_mm: tuple[Point, ...]
    height_mm: float


@dataclass(frozen=True, slots=True)
class Desk:
    """The table as last settled; places hidden by a hand keep what was there."""

    dice: tuple[DeskDie, ...] = ()
    figures: tuple[DeskFigure, ...] = ()
    obstacles: tuple[DeskObstacle, ...] = ()
    hand_over: bool = False
    table_found: bool = False
    advice: str = ""
    """Why the table is not found, for the player."""
    time_s: float = 0.0
    """Of the last event."""
    changed_s: float = 0.0
    """When anything last changed, the hand included: how long the desk has been at rest."""

    @property
    def at_rest(self) -> bool:
        """Whether what is known can be held against the book: nobody reaches in, nothing moves, the table is seen."""
        return (
            self.table_found
            and not self.hand_over
            and not any(die.moving for die in self.dice)
            and not any(figure.lifted for figure in self.figures)
        )

    def die(self, die: int) -> DeskDie | None:
        """Find a die by its track."""
        return next((d for d in self.dice if d.die == die), None)

    def figure(self, figure: int) -> DeskFigure | None:
        """Find a figure by its track."""
        return next((f for f in self.figures if f.figure == figure), None)


def desk_after(desk: Desk, event: events.TableEvent) -> Desk:
    """Give the desk as it is after an event."""
    desk = replace(desk, time_s=event.time_s, changed_s=event.time_s)
    match event:
        case events.DieTaken() | events.DieRemoved():
            return replace(desk, dice=tuple(d for d in desk.dice if d.die != event.die))
        case events.DieEvent():
            die = DeskDie(
                event.die, event.mm, event.value, event.confidence, event.colour, isinstance(event, events.DieThrown)
            )
            return replace(desk, dice=_put(desk.dice, die, "die"))
        case events.FigureLeft():
            return replace(desk, figures=tuple(f for f in desk.figures if f.figure != event.figure))
        case events.FigureEvent():
            figure = DeskFigure(
                event.figure,
                event.mm,
                event.pose,
                event.height_mm,
                event.base_mm,
                isinstance(event, events.FigureLifted),
                event.doubt_mm,
            )
            return replace(desk, figures=_put(desk.figures, figure, "figure"))
        case events.ObstacleMoved():
            others = tuple(o for o in desk.obstacles if o.obstacle != event.obstacle)
            if not event.outline_mm:
                return replace(desk, obstacles=others)
            return replace(desk, obstacles=(*others, DeskObstacle(event.obstacle, event.outline_mm, event.height_mm)))
        case events.HandOver():
            return replace(desk, hand_over=True)
        case events.HandGone():
            return replace(desk, hand_over=False)
        case events.TableFound():
            return replace(desk, table_found=True, advice="")
        case events.TableLost():
            return replace(desk, table_found=False, advice=event.advice)
        case _:
            return desk


def _put(things: tuple[T, ...], thing: T, key: str) -> tuple[T, ...]:
    """Replace the thing with the same track, in its place, or add it."""
    track = getattr(thing, key)
    if any(getattr(t, key) == track for t in things):
        return tuple(thing if getattr(t, key) == track else t for t in things)
    return (*things, thing)
