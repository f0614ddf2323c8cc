"""Everything that can be done in a World Saga combat, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.sight import Degree as CoverDegree
from rules.world_saga.hiding import HiddenBy
from rules.world_saga.modifiers import Modifier
from rules.world_saga.state import Blow, Combatant, Place, TestKind


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin the combat: initiative is rolled next."""


@dataclass(frozen=True, slots=True)
class RollInitiative:
    """Tell the d20 of somebody or of a group."""

    entry: str
    face: int


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal an action card to somebody or to a group, where initiative is by cards."""

    entry: str
    card: str
    """Rank and suit, as 9C, 10H or AS; J*R and J*B are the Jokers."""


@dataclass(frozen=True, slots=True)
class ChooseOrder:
    """Say in which order tied players act."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stride:
    """Stride along a path, or go on with the Stride of this turn."""

    who: str
    path: tuple[Place, ...]
    """Squares or hexes stepped to, or points in mm, without the start."""
    starts_anew: bool = False
    """Whether it begins another Stride, where the table allows more than one."""


class MoveName(StrEnum):
    """The Move actions of the text besides Stride."""

    BALANCE = "Balance"
    CLIMB = "Climb"
    CRAWL = "Crawl"
    DIVE_PRONE = "Dive Prone"
    JUMP = "Jump"
    SHELTER = "Shelter"
    SWIM = "Swim"


@dataclass(frozen=True, slots=True)
class MoveAction:
    """Take another Move action. How it goes is not in the public text: the table tells where it ends."""

    who: str
    name: MoveName
    to: Place | None = None
    """Where it ends; None where nobody changes place."""
    diagonals: int = 0
    """Diagonal steps in it, which count for the rest of the turn."""

    def __post_init__(self) -> None:
        if self.diagonals < 0:
            raise ValueError(f"a move has 0 diagonal steps or more, not {self.diagonals!r}")


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Tell how the Withdraw reaction went; how it is rolled is not in the public text."""

    who: str
    enemies: tuple[str, ...]
    is_success: bool


@dataclass(frozen=True, slots=True)
class Attack:
    """Use an action with the Attack trait."""

    who: str
    target: str
    blow: Blow = field(default_factory=Blow)


@dataclass(frozen=True, slots=True)
class TakeStrike:
    """Strike at a shooter at once."""

    who: str
    blow: Blow = field(default_factory=Blow)


@dataclass(frozen=True, slots=True)
class DeclineStrike:
    """Let the chance to Strike at a shooter go."""

    who: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Tell the d20 that are waited for, in any order."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TellNumber:
    """Tell the number that is waited for: base damage, what a defence takes off, Courage lost."""

    value: int


@dataclass(frozen=True, slots=True)
class TellEndured:
    """Tell how Endure Wounds went; how it is resolved is not in the public text."""

    wounds: int = 0
    """Wounds afterwards."""
    is_unconscious: bool = False
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class TellConflict:
    """Tell who wins a Conflict Test and how well."""

    winner: str
    degree: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """Make a Basic, Complex or Opposed Test without the Attack trait."""

    __test__ = False  # not a test case, whatever its name

    who: str
    name: str
    skill: str
    rank: int | None = None
    """None takes the combatant's Rank in the skill."""
    kind: TestKind = TestKind.BASIC
    against: str | None = None
    """The other in an Opposed Test."""
    against_skill: str = ""
    against_rank: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    against_modifiers: tuple[Modifier, ...] = ()
    boons: int = 0
    against_boons: int = 0
    takes_action: bool = True
    """Whether it is the Action of the turn; reactions and the like may be tested at any time."""

    def __post_init__(self) -> None:
        if self.kind not in (TestKind.BASIC, TestKind.COMPLEX, TestKind.OPPOSED):
            raise ValueError(f"a test without the Attack trait is Basic, Complex or Opposed, not {self.kind.value!r}")
        if (self.kind is TestKind.OPPOSED) is not (self.against is not None):
            raise ValueError(f"an Opposed Test is against somebody and no other is, got {self.against!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaReflexes:
    """Avoid an area effect, such as an explosion or a trap: a Basic Reflexes Test with Boons from cover."""

    who: str
    cover: CoverDegree = CoverDegree.NONE
    modifiers: tuple[Modifier, ...] = ()
    boons: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide:
    """Hide from opponents: a Basic Stealth Test with Boons from cover."""

    who: str
    rank: int | None = None
    cover: CoverDegree = CoverDegree.NONE
    """From the opponents hidden from."""
    is_concealed: bool = False
    is_dark: bool = False
    modifiers: tuple[Modifier, ...] = ()
    boons: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seek:
    """Seek a hidden opponent: Investigate opposed by Stealth."""

    who: str
    target: str
    rank: int | None = None
    target_rank: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    target_modifiers: tuple[Modifier, ...] = ()
    boons: int = 0
    target_boons: int = 0


@dataclass(frozen=True, slots=True)
class Reveal:
    """Let the Game Master decide that somebody who walked round sees a hidden opponent without its cover."""

    who: str
    target: str


@dataclass(frozen=True, slots=True)
class SetHidden:
    """Let the Game Master hide somebody, for example in ambush, or show it again (`by` None)."""

    who: str
    by: HiddenBy | None
    unaware: tuple[str, ...] = ()
    """Those who do not know that it is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FearTest:
    """Test somebody's Resolve against fear."""

    who: str
    is_complex: bool = False
    rank: int | None = None
    courage: int | None = None
    """What failing costs; None asks afterwards."""
    modifiers: tuple[Modifier, ...] = ()
    boons: int = 0


@dataclass(frozen=True, slots=True)
class Delay:
    """Delay the turn, before anything was done in it."""

    who: str


@dataclass(frozen=True, slots=True)
class ActNow:
    """Take a delayed turn, before the next in order does anything, or after the last one."""

    who: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn."""

    who: str


@dataclass(frozen=True, slots=True)
class NextRound:
    """Begin the next round although somebody who delayed has not acted."""


@dataclass(frozen=True, slots=True)
class Join:
    """Let somebody join the combat; the place in the order comes with the next round."""

    combatant: Combatant


@dataclass(frozen=True, slots=True)
class Adjust:
    """Put a combatant right as the table has it: conditions, reserves, place, being out."""

    combatant: Combatant
    why: str = ""


@dataclass(frozen=True, slots=True)
class SetEngaged:
    """Say that two enemies are engaged or not, whatever their places; None lets the places speak again."""

    who: str
    other: str
    is_engaged: bool | None


@dataclass(frozen=True, slots=True)
class EndCombat:
    """End the combat by the Game Master's word."""


FreeAction = (
    RollInitiative
    | DealCard
    | ChooseOrder
    | Stride
    | MoveAction
    | Withdraw
    | Attack
    | Test
    | AreaReflexes
    | Hide
    | Seek
    | Reveal
    | FearTest
    | Delay
    | ActNow
    | EndTurn
    | NextRound
)
"""What is done while no test is under way."""

Answer = Roll | TellNumber | TellEndured | TellConflict | TakeStrike | DeclineStrike
"""What a test under way waits for."""

TableWord = SetHidden | Join | Adjust | SetEngaged | EndCombat
"""What the Game Master may put right at any time of a combat."""

Action = Begin | FreeAction | Answer | TableWord
