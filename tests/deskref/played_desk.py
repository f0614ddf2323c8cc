"""A desk without a camera for tests: figures and dice put, thrown and tipped by name, as events of vision."""

from __future__ import annotations

from dataclasses import dataclass, field

from deskref.inputs import AnyInput, Setup, SoldierSetup, StartGame, Tick
from deskref.referee import step
from deskref.session import Session
from deskref.signal import Signal, SignalKind
from rules.skuffle_state import Options
from vision import events
from vision.observation import Point, Pose

LOKAN, TARIK, DAEMON, IMP = "lokan", "tarik", "daemon", "imp"
START: dict[str, tuple[str, str, Point]] = {
    LOKAN: ("Lokan", "wolves", (-50.0, -70.0)),
    TARIK: ("Tarik", "wolves", (50.0, -60.0)),
    DAEMON: ("Daemon", "warp", (-50.0, 40.0)),
    IMP: ("Imp", "warp", (60.0, 70.0)),
}
"""Lokan is nearest to the seat, so the wolves begin; the Daemon is nearest to Lokan, the Imp to Tarik."""


def skirmish_setup(*, minutes: int = 3, with_camera: bool = True) -> Setup:
    soldiers = tuple(SoldierSetup(i, name, side, place) for i, (name, side, place) in START.items())
    return Setup(soldiers, Options(minutes=minutes), with_camera)


@dataclass
class PlayedDesk:
    """Plays events into a session and keeps what was said."""

    session: Session = field(default_factory=Session)
    said: list[Signal] = field(default_factory=list)
    happened: list[events.TableEvent | AnyInput] = field(default_factory=list)
    time_s: float = 0.0
    next_track: int = 1
    dice: dict[str, list[int]] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    places: dict[int, Point] = field(default_factory=dict)

    def tell(self, happened: events.TableEvent | AnyInput) -> tuple[Signal, ...]:
        self.happened.append(happened)
        self.session, signals = step(self.session, happened)
        self.said += signals
        return signals

    def wait(self, seconds: float) -> None:
        end = self.time_s + seconds
        while self.time_s < end:
            self.time_s = round(self.time_s + 0.2, 3)
            self.tell(Tick(time_s=self.time_s))

    def _when(self) -> dict[str, float]:
        self.time_s = round(self.time_s + 0.1, 3)
        return {"frame": round(self.time_s * 30), "time_s": self.time_s}  # type: ignore[dict-item]

    def hand(self, *, over: bool) -> None:
        self.tell(events.HandOver(**self._when()) if over else events.HandGone(**self._when()))

    def begin(self, *, minutes: int = 3) -> None:
        """Find the table, put everybody and everybody's dice, and wait until the game begins."""
        self.tell(events.TableFound(**self._when(), markers=6))
        self.tell(StartGame(time_s=self.time_s, setup=skirmish_setup(minutes=minutes)))
        self.hand(over=True)
        for soldier, (_, _, (x, y)) in START.items():
            self.put_figure(soldier, (x + 2, y - 1))
            for n in range({1: 1, 3: 2, 5: 3}[minutes]):
                self.put_die(soldier, (x + 22 - 20 * n, y + (22 if n == 2 else -26)), value=1 + n)
        self.hand(over=False)
        self.wait(2)

    def put_figure(self, soldier: str, mm: Point) -> None:
        track = self._track(mm)
        self.figures[soldier] = track
        self.tell(
            events.FigureEntered(
                **self._when(), figure=track, mm=mm, pose=Pose.STANDING, confidence=1.0, height_mm=32.0, base_mm=25.0
            )
        )

    def put_die(self, soldier: str, mm: Point, *, value: int | None = 1) -> int:
        track = self._track(mm)
        self.dice.setdefault(soldier, []).append(track)
        self.tell(events.DieAppeared(**self._when(), die=track, mm=mm, value=value, confidence=0.9, colour="ivory"))
        return track

    def take_die(self, soldier: str) -> int:
        """A hand takes a die out of a soldier's pool."""
        track = self.dice[soldier].pop()
        self.remove_die(track)
        return track

    def remove_die(self, track: int) -> None:
        self.hand(over=True)
        self.tell(events.DieTaken(**self._when(), die=track, mm=self.places[track]))
        self.hand(over=False)

    def throw(self, value: int | None, mm: Point = (5.0, -5.0)) -> int:
        """A die tumbles over the table and rests."""
        track = self._track(mm)
        self.tell(events.DieThrown(**self._when(), die=track, mm=mm))
        self.tell(events.DieAtRest(**self._when(), die=track, mm=mm, value=value, confidence=0.95, settled_s=0.2))
        self.wait(1)
        return track

    def attack(self, soldier: str, value: int | None, mm: Point = (5.0, -5.0)) -> int:
        """Take a die, throw it, and take the thrown die away."""
        self.take_die(soldier)
        return self.throw(value, mm)

    def move(self, soldier: str, mm: Point) -> None:
        self.hand(over=True)
        self._figure_event(events.FigureLifted, soldier, self.places[self.figures[soldier]])
        before = self.places[self.figures[soldier]]
        self.places[self.figures[soldier]] = mm
        self._figure_event(events.FigureMoved, soldier, mm, from_mm=before)
        self.hand(over=False)
        self.wait(1)

    def tip(self, soldier: str) -> None:
        self.hand(over=True)
        self._figure_event(events.FigureTipped, soldier, self.places[self.figures[soldier]], pose=Pose.TIPPED)
        self.hand(over=False)
        self.wait(1)

    def _figure_event(
        self, kind: type[events.FigureEvent], soldier: str, mm: Point, *, pose: Pose = Pose.STANDING, **more: object
    ) -> None:
        self.tell(
            kind(
                **self._when(),
                figure=self.figures[soldier],
                mm=mm,
                pose=pose,
                confidence=1.0,
                height_mm=32.0,
                base_mm=25.0,
                **more,
            )  # type: ignore[arg-type]
        )

    def _track(self, mm: Point) -> int:
        self.next_track += 1
        self.places[self.next_track] = mm
        return self.next_track

    def kinds(self, *wanted: SignalKind) -> list[SignalKind]:
        """The kinds of what was said, all or only those wanted."""
        return [s.kind for s in self.said if not wanted or s.kind in wanted]

    def task_keys(self) -> set[str]:
        return {task.key for task in self.session.tasks}
