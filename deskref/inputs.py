"""What a player tells the referee, by mouse, key or file; each can be written to the journal and read back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.skuffle_state import AttackKind, Options

Point = tuple[float, float]


class Source(StrEnum):
    """Where a die's value came from; every value carries it."""

    CAMERA = "camera"
    TYPED = "typed"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class SoldierSetup:
    """One soldier as the players name it."""

    id: str
    name: str
    side: str | None = None
    """Team; None fights for itself."""
    start_mm: Point | None = None
    """Where it stands at the start, in table millimetres (origin at the mat's centre, y away from the near edge);
    None in a game without a camera."""
    pool: int | None = None
    """Its own number of dice; None for the game's."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game of Skuffle Wammer as the players agree on it."""

    soldiers: tuple[SoldierSetup, ...]
    options: Options
    with_camera: bool
    """Whether the desk is watched; False plays with typed or simulated dice alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerInput:
    """Something a player does."""

    time_s: float = 0.0
    """The session's time; a running game fills it in when the referee takes the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame(PlayerInput):
    """Begin a new game; a running one is given up."""

    setup: Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareAttack(PlayerInput):
    """Say whom the soldier whose turn it is attacks, and how; takes the place of what the referee proposes."""

    target: str
    attack: AttackKind | None = None
    """None leaves the kind to the distance."""
    cover: bool | None = None
    """Whether the target has its bonus; None leaves it to what the camera sees."""
    vantage: bool | None = None
    """Whether the attacker has its bonus; None leaves it to what the camera sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterDie(PlayerInput):
    """Enter a die's value by hand or by the generator."""

    value: int
    source: Source = Source.TYPED


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDie(PlayerInput):
    """Say what a die on the desk really shows."""

    die: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSoldier(PlayerInput):
    """Move without a camera: the soldier whose turn it is moves."""

    to_mm: Point | None = None
    """None where places do not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTurn(PlayerInput):
    """The soldier whose turn it is does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelAttack(PlayerInput):
    """Take back the declared attack before its die is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmTipped(PlayerInput):
    """Say that the dead soldier lies on its side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverruleAttack(PlayerInput):
    """The game master decides the attack that waits for its die."""

    is_hit: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustSoldier(PlayerInput):
    """The game master puts a soldier's books right."""

    soldier: str
    pool: int
    is_dead: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFigure(PlayerInput):
    """Say which soldier a figure on the desk is."""

    figure: int
    soldier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(PlayerInput):
    """Answer one of the referee's questions by one of its choices."""

    task: str
    """Key of the task."""
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(PlayerInput):
    """Take back the last step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo(PlayerInput):
    """Do again what was taken back last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(PlayerInput):
    """Time passes: what has been at rest long enough is now believed."""


AnyInput = (
    StartGame
    | DeclareAttack
    | EnterDie
    | CorrectDie
    | MoveSoldier
    | PassTurn
    | CancelAttack
    | ConfirmTipped
    | OverruleAttack
    | AdjustSoldier
    | NameFigure
    | Choose
    | Undo
    | Redo
    | Tick
)
