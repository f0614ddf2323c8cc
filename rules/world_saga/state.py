"""The values of a World Saga combat: combatants, settings, what is under way, and the combat itself.

All of it is frozen; `rules.world_saga.combat` makes the next combat out of a combat and an action. A place is a pair of
numbers: a square (column, row), an axial hex (q, r), or mm on the free table, by the kind of board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engagement import ENGAGED_GAP_MM
from rules.footprints import MOST_FOOTPRINT, ONE_SQUARE, Cell, Footprint
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.sight import PLAIN_RULES, SightRules
from rules.sight import Degree as CoverDegree
from rules.world_saga.d20 import Degree, TestResult
from rules.world_saga.hiding import Hiding
from rules.world_saga.initiative import Side
from rules.world_saga.modifiers import Modifier

Place = tuple[float, float]

Board = SquareBoard | HexBoard | Ground

RESOLVE, RESILIENCE, REFLEXES = "Resolve", "Resilience", "Reflexes"
STEALTH, INVESTIGATE = "Stealth", "Investigate"


class Phase(StrEnum):
    """What a combat waits for; tests under way come first in every phase."""

    SETUP = "setup"
    """Combatants are being entered; `Begin` begins."""
    INITIATIVE = "initiative"
    """Rolls or cards are still missing."""
    CHOICE = "choice"
    """Tied players choose who goes first."""
    TURN = "turn"
    """`Combat.turn` is on."""
    ROUND_END = "round_end"
    """Only those who delayed are left: they may act, or the next round begins."""
    OVER = "over"


class InitiativeMode(StrEnum):
    """The three options for initiative."""

    EACH_ROUND = "each_round"
    ONCE = "once"
    CARDS = "cards"


class BoonMode(StrEnum):
    """How Boons and Banes are rolled, which the public text does not say."""

    REPORT_ONLY = "report_only"
    """The table rolls them its own way and tells the die that counts."""
    EXTRA_D20 = "extra_d20"
    """One more d20 for each, and the best or worst outcome counts."""


class Reserve(StrEnum):
    """What damage takes from: body, mind and spirit."""

    STAMINA = "stamina"
    FOCUS = "focus"
    COURAGE = "courage"


class TestKind(StrEnum):
    """How an action is resolved."""

    __test__ = False  # not a test case, whatever its name

    BASIC = "basic"
    COMPLEX = "complex"
    OPPOSED = "opposed"
    ATTACK = "attack"
    CONFLICT = "conflict"
    """Not in the public text: the players tell who wins."""


@dataclass(frozen=True, slots=True)
class DegreeTable:
    """A number for each degree of success, which the public text does not give."""

    weak: int
    success: int
    strong: int
    great: int

    def __post_init__(self) -> None:
        """Refuse what is no table."""
        numbers = (self.weak, self.success, self.strong, self.great)
        if min(numbers) < 0 or sorted(numbers) != list(numbers):
            raise ValueError(
                f"a table of degrees has numbers from 0 on, none less than that of a worse degree, not {numbers!r}"
            )

    def of(self, degree: Degree) -> int:
        """Return the number for a degree."""
        return {
            Degree.WEAK: self.weak,
            Degree.SUCCESS: self.success,
            Degree.STRONG: self.strong,
            Degree.GREAT: self.great,
        }[degree]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the table agrees on, most of it because the public text leaves it open."""

    initiative: InitiativeMode = InitiativeMode.EACH_ROUND
    boons: BoonMode = BoonMode.REPORT_ONLY
    damage_table: DegreeTable | None = None
    """Base damage of the Attack Test; None asks the table each time."""
    defence_table: DegreeTable | None = None
    """What a defence takes off; None asks the table each time."""
    weary_penalty: int = 0
    """What being Weary takes from every roll, as a condition. The older edition has 2; the new one is not public."""
    horror: bool = False
    """Whether fear costs 1 Courage even on a success."""
    strides_per_turn: int = 1
    """The published Stride: once a round."""
    engaged_gap_mm: float = ENGAGED_GAP_MM
    """Daylight between bases up to which figures on the free table fight."""
    strict: bool = False
    """True refuses what the rules leave to people: line of sight, reach, friends. False only advises."""
    sight: SightRules = PLAIN_RULES
    """How cover is measured."""

    def __post_init__(self) -> None:
        """Refuse what no table can agree on."""
        if self.weary_penalty < 0:
            raise ValueError(f"being Weary takes 0 or more from a roll, not {self.weary_penalty!r}")
        if self.strides_per_turn < 1:
            raise ValueError(f"a turn has one Stride or more, not {self.strides_per_turn!r}")
        if not 0 <= self.engaged_gap_mm < math.inf:
            raise ValueError(f"the gap up to which figures fight is 0 mm or more, not {self.engaged_gap_mm!r}")
        if not 0 < self.sight.cover_from < self.sight.greater_from < self.sight.no_sight_from <= 1:
            raise ValueError(
                "cover begins at a share over 0 and below that of greater cover, which begins below "
                f"{self.sight.no_sight_from!r}; not {self.sight.cover_from!r} and {self.sight.greater_from!r}"
            )


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody in the combat."""

    id: str
    side: Side
    reflexes: int
    """Rank in Reflexes."""
    name: str = ""
    """What players call it; empty means the id."""
    team: str = ""
    """Who fights together; empty means all of one side."""
    group: str = ""
    """NPCs of one group roll initiative once and act one after the other."""
    ranks: tuple[tuple[str, int], ...] = ()
    """Other Ranks by skill or resistance."""
    speed: int | None = None
    """Squares of a Stride; None does not limit it."""
    place: Place | None = None
    """Top left square of the base, hex, or middle of the base in mm; None is nowhere on the board."""
    footprint: Footprint = ONE_SQUARE
    base_radius_mm: float = 12.7
    """For the free table: half an inch, the radius of a 1-inch base."""
    strike_cost: int = 0
    """Stamina that its Strike costs."""
    stamina: int | None = None
    """What is left; None leaves it to the table."""
    focus: int | None = None
    courage: int | None = None
    wounds: int = 0
    stress: int = 0
    fear: int = 0
    is_weary: bool = False
    is_prone: bool = False
    is_unconscious: bool = False
    is_out: bool = False
    """Dead, fled or otherwise gone from the combat."""
    distracted: int = 0
    """Penalty to own Attack Rolls until the end of its turn."""
    exposed: int = 0
    """Penalty to its Defense Rolls, until the table takes it off."""
    hiding: Hiding | None = None

    def __post_init__(self) -> None:
        if self.group and self.side is Side.PC:
            raise ValueError(f"only NPCs roll initiative as a group, and {self.id!r} is a PC")
        counts = (self.stamina, self.focus, self.courage, self.wounds, self.stress, self.fear, self.distracted)
        for count in (*counts, self.exposed, self.strike_cost, self.speed):
            if count is not None and count < 0:
                raise ValueError(f"reserves, conditions and Speed of {self.id!r} are 0 or more, not {count!r}")
        if not all(1 <= side <= MOST_FOOTPRINT for side in self.footprint):
            raise ValueError(
                f"the base of {self.id!r} covers 1 to {MOST_FOOTPRINT} squares each way, not {self.footprint!r}"
            )

    @property
    def label(self) -> str:
        """What to call it in a sentence."""
        return self.name or self.id

    @property
    def allegiance(self) -> str:
        """Whom it fights for; equal for friends."""
        return self.team or self.side.value

    @property
    def entry(self) -> str:
        """Id of its place in the initiative: its group or itself."""
        return self.group or self.id

    @property
    def can_act(self) -> bool:
        """Whether it takes turns."""
        return not self.is_unconscious and not self.is_out

    def rank(self, skill: str) -> int | None:
        """Return its Rank in a skill or resistance, None where it is not known."""
        return self.reflexes if skill == REFLEXES else dict(self.ranks).get(skill)

    def reserve(self, reserve: Reserve) -> int | None:
        """Return what is left of a reserve, None where the table keeps it."""
        return {Reserve.STAMINA: self.stamina, Reserve.FOCUS: self.focus, Reserve.COURAGE: self.courage}[reserve]


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn that is on."""

    who: str
    has_begun: bool = False
    """Whether anything was done in it; until then it can be delayed."""
    action_left: bool = True
    move_left: bool = True
    strides: int = 0
    """Strides begun in this turn."""
    is_striding: bool = False
    """Whether the last Stride can be gone on with: until another Move action."""
    stride_used_squares: float = 0
    """What the Stride under way has cost so far."""
    diagonals_used: int = 0
    """Over the whole turn, whatever Move actions it has."""
    withdrawn_from: tuple[str, ...] = ()
    """Enemies that a Withdraw has succeeded against."""
    is_extra: bool = False
    """Whether it is the turn of somebody who delayed, between two turns of the order."""


class Stage(StrEnum):
    """What a test under way waits for next."""

    OFFER = "offer"
    """Enemies engaged with the shooter may Strike first."""
    ROLL = "roll"
    """The roll of the one who acts."""
    ANSWER = "answer"
    """The roll of the other: Defense Roll, Stealth against Seek."""
    BASE = "base"
    """Base damage, told by the table."""
    REDUCTION = "reduction"
    """What the defence takes off, told by the table."""
    ENDURE = "endure"
    """How Endure Wounds went, told by the table."""
    RESILIENCE = "resilience"
    """Whether the Weary target of a non-lethal attack stays conscious."""
    CONFLICT = "conflict"
    """Who wins, told by the table."""
    COURAGE = "courage"
    """How much Courage is lost, told by the table."""


class Purpose(StrEnum):
    """What a test is for."""

    ATTACK = "attack"
    TEST = "test"
    HIDE = "hide"
    SEEK = "seek"
    FEAR = "fear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """What an attack does, and all that decides how it goes."""

    name: str = "Strike"
    is_ranged: bool = False
    test: TestKind = TestKind.ATTACK
    skill: str = "Fighting"
    rank: int | None = None
    """Rank of the Attack Roll; None takes the combatant's Rank in the skill."""
    defence_skill: str = REFLEXES
    """Reflexes or Resolve as a rule; actions such as Intercept put another in its place."""
    defence_rank: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    """On the Attack Roll, beyond what the state of the combat gives by itself."""
    defence_modifiers: tuple[Modifier, ...] = ()
    boons: int = 0
    """Given by the table to the Attack Roll; Banes under 0. Those of cover and concealment come on top."""
    defence_boons: int = 0
    cover: CoverDegree = CoverDegree.NONE
    """Of the target, seen by the attacker."""
    is_concealed: bool = False
    """Whether smoke, mist or haze obscures the target."""
    is_non_lethal: bool = False
    is_subdued: bool = False
    """Whether the weapon has the Subdued trait."""
    attribute_modifier: int = 0
    """To the damage. Fire adds none, Strike adds that of Strength."""
    item_bonus: int = 0
    """To the damage."""
    reserve: Reserve = Reserve.STAMINA
    stamina_cost: int | None = None
    """None is nothing at range and the attacker's own Strike cost hand to hand."""

    def __post_init__(self) -> None:
        if self.is_non_lethal and self.test is not TestKind.ATTACK:
            raise ValueError(f"only an Attack Test can be non-lethal, not a test of the kind {self.test.value!r}")
        if self.test not in (TestKind.ATTACK, TestKind.OPPOSED, TestKind.CONFLICT):
            raise ValueError(f"an attack is an Attack, Opposed or Conflict Test, not {self.test.value!r}")
        if self.stamina_cost is not None and self.stamina_cost < 0:
            raise ValueError(f"an attack costs 0 Stamina or more, not {self.stamina_cost!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A test under way. Cases lie on a stack: the last one comes first."""

    purpose: Purpose
    stage: Stage
    who: str
    target: str | None = None
    name: str
    blow: Blow | None = None
    """Set for attacks."""
    kind: TestKind = TestKind.BASIC
    skill: str = ""
    rank: int = 0
    modifiers: tuple[Modifier, ...] = ()
    boons: int = 0
    cover_boons: int = 0
    """Those of the one who rolls for its own cover."""
    answer_skill: str = ""
    answer_rank: int = 0
    answer_modifiers: tuple[Modifier, ...] = ()
    answer_boons: int = 0
    offered: tuple[str, ...] = ()
    """Who may still Strike at the shooter."""
    result: TestResult | None = None
    answer: TestResult | None = None
    base: int | None = None
    reduction: int | None = None
    courage: int | None = None
    """What failing a Fear Test costs; None asks the table."""
    hiding: Hiding | None = None
    """What a Hide that succeeds makes."""


@dataclass(frozen=True, slots=True)
class Score:
    """Initiative of one entry."""

    entry: str
    score: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """What the table says about two combatants being engaged, against what their places say."""

    a: str
    b: str
    is_engaged: bool


@dataclass(frozen=True, slots=True)
class Combat:
    """A combat between two actions."""

    combatants: tuple[Combatant, ...]
    """In the order in which they were entered."""
    board: SquareBoard | HexBoard | Ground | None = None
    settings: Settings = field(default_factory=Settings)
    phase: Phase = Phase.SETUP
    round: int = 0
    scores: tuple[Score, ...] = ()
    order: tuple[str, ...] = ()
    """Ids of everybody who still has a regular turn in this round, in order; the first is next or on."""
    settled: tuple[str, ...] = ()
    """Entries in the order of the last initiative; kept where it is rolled once for the whole combat."""
    choices: tuple[tuple[str, ...], ...] = ()
    """Ties that players still have to settle."""
    delaying: tuple[str, ...] = ()
    """Ids of those who may act after any turn."""
    turn: Turn | None = None
    cases: tuple[Case, ...] = ()
    pairs: tuple[Pair, ...] = ()
    winners: tuple[str, ...] = ()

    def get(self, who: str) -> Combatant:
        """Return a combatant by id; `KeyError` where there is none."""
        for combatant in self.combatants:
            if combatant.id == who:
                return combatant
        raise KeyError(who)


def cell_of(place: Place) -> Cell:
    """Return a place on squares or hexes as whole numbers."""
    return (int(place[0]), int(place[1]))
