"""The values of a session: what is seen, what the rules say, what has been said; `deskref.referee` makes the next.

The desk (what the camera sees) and the book (what the rules say) are kept apart and may disagree openly: tasks say
what to put where, and the game goes on. Undo and redo turn the pages of the book; the desk is then asked to follow.
"""

from __future__ import annotations

import pickle
import zlib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from deskref.desk import Desk
from deskref.inputs import AnySetup, Source
from deskref.signal import Signal, SignalKind
from deskref.tabletop import Bindings, Owners
from deskref.words import CATALOGUE
from rules.ruling import Message, Param, Reason
from rules.skirmish.state import Scene
from rules.skuffle_state import AttackKind, Game
from rules.world_saga.state import Combat
from vision.observation import Point

AnyGame = Game | Scene | Combat
"""What the rules of Skuffle Wammer, the Quick Skirmish and World Saga say of a game at one moment."""

UNDO_DEPTH = 500
"""Steps that can be taken back: more than a long evening's game has."""

LOG_DEPTH = 4000
"""Signals that are kept: a game of 700 inputs in World Saga says 900."""


Lines = tuple[int, int]
"""Numbers of the first and the last signal of some that follow each other."""


class Fate(StrEnum):
    """What has become of something that was said."""

    HOLDS = "holds"
    UNDONE = "undone"
    """Its step was taken back."""
    REPLACED = "replaced"
    """A roll was corrected, and its step was played anew, or no longer follows."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What the player has said about the attack of this turn; None leaves it to the referee's proposal."""

    target: str
    attack: AttackKind | None
    cover: bool | None
    vantage: bool | None


@dataclass(frozen=True, slots=True)
class TypedDie:
    """A die that was entered for a roll, by hand, by the generator or by the camera."""

    value: int
    source: Source
    die: int | None = None
    """Its track on the desk, where a camera read it."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something only a player can tell; it stays until answered or until the desk answers it."""

    key: str
    """Code, and what it is about: two questions with one key are the same question."""
    message: Message
    choices: tuple[tuple[str, Message], ...]
    """Answer's id and its words."""
    soldier: str | None = None
    die: int | None = None
    figure: int | None = None
    entered: TypedDie | None = None
    """The die of the roll that waits for the answer, where it was entered."""
    target: str | None = None
    """Whom a player has named as the attack's target in the answer before."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing played: the rules' actions that made it, for taking back, doing again and correcting."""

    actions: tuple[Any, ...]  # Any: actions of the rule set that is played; its referee resolves them
    what: Message
    """What was done, in a sentence about the past."""
    die: int | None = None
    """Track of the die on the desk that was read for it."""
    source: Source | None = None
    dice: tuple[TypedDie, ...] = ()
    """Of a roll of several dice: all that were entered for its action, or without an action the one entered here."""
    said: Lines = (0, 0)
    """What was said of it; the last is 0 until everything has been said."""


Pages = tuple[tuple["Book", Step], ...]
"""Books, each with the step that led away from it."""


@dataclass(frozen=True, slots=True)
class Throws:
    """Dice on the desk that came to rest while a roll is awaited, until they are entered for it; undo forgets them."""

    waiting: tuple[int, ...] = ()
    """Tracks, in the order in which they came to rest."""
    meant: tuple[int, ...] = ()
    """Those of them that a player has said are six-sided dice of the roll itself."""
    told: tuple[tuple[int, int], ...] = ()
    """Track and value of dice that a player read in place of the camera."""


@dataclass(frozen=True, slots=True)
class Book:
    """What the rules say; undo gives back an earlier one."""

    game: AnyGame | None = None
    spent: tuple[int, ...] = ()
    """Tracks of dice that lie on the desk after their roll was counted."""
    declared: Declared | None = None
    questions: tuple[Question, ...] = ()
    entered: tuple[TypedDie, ...] = ()
    """Dice of the awaited roll that have been entered so far, in the order in which they are asked for."""
    pips: tuple[int, ...] = ()
    """Throws so far of the six-sided die that stands for the awaited die of another kind."""
    is_emulating: bool = False
    """Whether players throw dice of other kinds with six-sided ones."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to put where so that desk and book agree, or a question; made anew from desk and book at every step."""

    key: str
    message: Message
    since_s: float
    choices: tuple[tuple[str, Message], ...] = ()
    soldier: str | None = None
    die: int | None = None
    figure: int | None = None
    is_expected: bool = False
    """Whether it follows from the last ruling (take the die away, tip the figure), and is no disagreement yet."""
    told: bool = False
    """Whether it has been said as a disagreement."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """An earlier game of a session, as it stood when the next one was asked for; for its report."""

    setup: AnySetup | None
    book: Book
    packed: bytes
    """Its pages. An evening's games are seldom asked for: packed they take a tenth or less."""
    began_at: str
    """By the wall clock, in ISO 8601; empty in journals of old."""

    @classmethod
    def of(cls, session: Session) -> Self:
        """Put the game of a session by."""
        return cls(session.setup, session.book, zlib.compress(pickle.dumps(session.past)), session.began_at)

    @property
    def past(self) -> Pages:
        """Its earlier books, each with the step that led away from it; takes some milliseconds."""
        pages: Pages = pickle.loads(zlib.decompress(self.packed))
        return pages


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that a game is at one moment."""

    setup: AnySetup | None = None
    desk: Desk = field(default_factory=Desk)
    bindings: Bindings = ()
    owners: Owners = ()
    """Whose each untouched die on the desk is since it was put down; by place alone before the game begins."""
    book: Book = field(default_factory=Book)
    past: tuple[tuple[Book, Step], ...] = ()
    """Earlier books, each with the step that led away from it."""
    future: tuple[tuple[Book, Step], ...] = ()
    """Books taken back, the next one last, each with the step that led to it."""
    tasks: tuple[Task, ...] = ()
    throws: Throws = Throws()
    log: tuple[Signal, ...] = ()
    """Of the game that is played and the one before it, `LOG_DEPTH` at most; the journal has all of them."""
    time_s: float = 0.0
    before_game: int = 0
    """Number of the last signal before the game that is played was asked for; 0 where there was none."""
    began_s: float = 0.0
    """When it was asked for."""
    began_at: str = ""
    """The same by the wall clock, in ISO 8601; empty in journals of old."""
    undone: tuple[Lines, ...] = ()
    """What was said of steps that are taken back."""
    replaced: tuple[Lines, ...] = ()
    """What was said of steps that a correction has replaced."""
    earlier: tuple[PlayedGame, ...] = ()
    """The games before it of which anything was played, the oldest first."""

    @property
    def game(self) -> Game | None:
        """The game of Skuffle Wammer; None while none or another game is played."""
        return self.book.game if isinstance(self.book.game, Game) else None

    @property
    def scene(self) -> Scene | None:
        """The scene of the Quick Skirmish; None while none or another game is played."""
        return self.book.game if isinstance(self.book.game, Scene) else None

    @property
    def combat(self) -> Combat | None:
        """The combat of World Saga; None while none or another game is played."""
        return self.book.game if isinstance(self.book.game, Combat) else None

    @property
    def game_log(self) -> tuple[Signal, ...]:
        """What has been said since the game that is played was asked for."""
        return tuple(signal for signal in self.log if signal.number > self.before_game)

    def fate(self, number: int) -> Fate:
        """What has become of the signal with this number."""
        for lines, fate in ((self.undone, Fate.UNDONE), (self.replaced, Fate.REPLACED)):
            if any(first <= number <= last for first, last in lines):
                return fate
        return Fate.HOLDS

    def say(
        self,
        kind: SignalKind,
        code: str,
        *,
        signal: Signal | None = None,
        reasons: tuple[Reason, ...] = (),
        **params: Param,
    ) -> Session:
        """Add a signal with a sentence of the application's catalogue; `signal` gives its further fields."""
        return self.tell(kind, CATALOGUE.message(code, **params), signal=signal, reasons=reasons)

    def tell(
        self, kind: SignalKind, message: Message, *, signal: Signal | None = None, reasons: tuple[Reason, ...] = ()
    ) -> Session:
        """Add a signal with a finished message; `signal` gives its further fields."""
        last = self.log[-1] if self.log else None
        if kind is SignalKind.ILLEGAL and last is not None and last.kind is kind and last.message == message:
            return self  # a key that is pressed again and again says so once
        blank = signal or Signal(number=0, time_s=0.0, kind=kind, message=message)
        said = replace(
            blank,
            number=last.number + 1 if last is not None else 1,
            time_s=self.time_s,
            kind=kind,
            message=message,
            reasons=reasons,
        )
        return replace(self, log=(*self.log, said)[-LOG_DEPTH:])

    def turned(self, book: Book, step: Step) -> Session:
        """Turn a page of the book: remember the old one for undo."""
        step = replace(step, said=(self.log[-1].number + 1 if self.log else 1, 0))
        return replace(self, book=book, past=(*self.past, (self.book, step))[-UNDO_DEPTH:], future=())


def signal_about(
    session: Session,
    soldier: str | None,
    *,
    target: str | None = None,
    die: int | None = None,
    value: int | None = None,
    source: Source | None = None,
    place_mm: Point | None = None,
) -> Signal:
    """The fields of a signal that say whom and what it is about."""
    return Signal(
        number=0,
        time_s=session.time_s,
        kind=SignalKind.INFO,
        message=Message("", ""),
        soldier=soldier,
        target=target,
        die=die,
        value=value,
        source=source,
        place_mm=place_mm,
    )
