"""What a player tells the referee, by mouse, key or file; each can be written to the journal and read back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.footprints import MM_PER_INCH
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.skirmish import state as skirmish
from rules.skuffle_state import AREA_20X20_MM, AttackKind, Breed, Options
from rules.world_saga.actions import Action as CombatAction
from rules.world_saga.initiative import Side
from rules.world_saga.state import Combatant, Settings

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
class AutomatedSoldier(SoldierSetup):
    """A soldier that the desk plays, for players who are alone."""

    breed: Breed = Breed.ZOMBIE
    """How it plays: a ghoul, a zombie or a robot."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game of Skuffle Wammer as the players agree on it."""

    soldiers: tuple[SoldierSetup | AutomatedSoldier, ...]
    options: Options
    with_camera: bool
    """Whether the desk is watched; False plays with typed or simulated dice alone."""


@dataclass(frozen=True, slots=True)
class Trait:
    """The trait that a hero rolls as a rule."""

    fighter: str
    name: str
    sides: int
    """Of its die: 4, 6, 8, 10 or 12."""


@dataclass(frozen=True, slots=True)
class SkirmishSetup:
    """A Quick Skirmish as the game master sets it up."""

    fighters: tuple[skirmish.Fighter, ...]
    """Heroes and their allies, before the first card is dealt."""
    tokens: int
    """The pile that stands for the foes."""
    options: skirmish.Options
    traits: tuple[Trait, ...] = ()
    """What the heroes roll unless their players say otherwise."""

    @property
    def soldiers(self) -> tuple[SoldierSetup, ...]:
        """Everybody with a name and a side: a player's hero and its allies are one."""
        return tuple(SoldierSetup(f.id, f.label, f.ally_of or f.id) for f in self.fighters)

    @property
    def with_camera(self) -> bool:
        """Whether the desk is watched: a skirmish needs no places."""
        return False


@dataclass(frozen=True, slots=True)
class CombatSetup:
    """A combat of World Saga as the table sets it up."""

    combatants: tuple[Combatant, ...]
    board: SquareBoard | HexBoard | Ground | None
    settings: Settings
    cell_mm: float = MM_PER_INCH
    """Side of a square on the mat, or of a hex from flat to flat; the board lies in the middle of the mat."""
    area_mm: tuple[float, float] = AREA_20X20_MM
    """Size of a free table, where the board is one."""

    @property
    def soldiers(self) -> tuple[SoldierSetup, ...]:
        """Everybody with a name and a side."""
        sides = {Side.PC: "Player characters", Side.NPC: "Others"}
        return tuple(SoldierSetup(c.id, c.label, c.team or sides[c.side]) for c in self.combatants)

    @property
    def with_camera(self) -> bool:
        """Whether the desk is watched: places are told on the drawn board."""
        return False


AnySetup = Setup | SkirmishSetup | CombatSetup
"""A set-up of any of the games; its kind decides which rules are played."""


def side_number(setup: AnySetup | None, soldier: str) -> int:
    """Return the number of a soldier's side in the order of the set-up, from 0; it decides colour and shape."""
    if setup is None:
        return 0
    sides = list(dict.fromkeys(s.side or s.id for s in setup.soldiers))
    mine = next((s.side or s.id for s in setup.soldiers if s.id == soldier), None)
    return sides.index(mine) if mine in sides else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerInput:
    """Something a player does."""

    time_s: float = 0.0
    """The session's time; a running game fills it in when the referee takes the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame(PlayerInput):
    """Begin a new game; a running one is given up."""

    setup: AnySetup
    at: str = ""
    """The wall clock's time of it in ISO 8601; a running game fills it in. Empty in journals of old."""


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
class InTray(PlayerInput):
    """A die that the tray's camera has seen; told by that camera, and kept in the journal like a player's word."""

    die: int
    """Its track: below 0, those on the table count upwards."""
    value: int | None = None
    """None while it cannot be read."""
    confidence: float = 0.0
    colour: str | None = None
    is_new: bool = True
    """Whether it came to rest just now; otherwise it lay there and has become readable."""
    is_gone: bool = False
    """Whether it was taken out."""


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


@dataclass(frozen=True, slots=True)
class SoldierBooks:
    """What a soldier's books are to say."""

    soldier: str
    pool: int
    is_dead: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustSoldier(PlayerInput):
    """The game master puts a soldier's books right."""

    soldier: str
    pool: int
    is_dead: bool
    why: str
    others: tuple[SoldierBooks, ...] = ()
    """Further soldiers that are put right by the same decision: all count or none, and undo takes all back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowPlan(PlayerInput):
    """Say that the figure that the desk plays has been pushed as told, or let it attack as told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCards(PlayerInput):
    """Tell which action cards were dealt."""

    cards: tuple[tuple[str, str], ...]
    """Who draws, and the card as it is written short: `9C`, `10H`, `AS`, `J*B`."""
    source: Source = Source.TYPED


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySkirmish(PlayerInput):
    """Do something that the rules of the Quick Skirmish know."""

    action: skirmish.Action


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCombat(PlayerInput):
    """Do something that the rules of World Saga's combat know."""

    action: CombatAction


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
    | InTray
    | CorrectDie
    | MoveSoldier
    | PassTurn
    | CancelAttack
    | ConfirmTipped
    | OverruleAttack
    | AdjustSoldier
    | FollowPlan
    | DealCards
    | PlaySkirmish
    | PlayCombat
    | NameFigure
    | Choose
    | Undo
    | Redo
    | Tick
)
