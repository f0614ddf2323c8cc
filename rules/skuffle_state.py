"""The values of a game of Skuffle Wammer: soldiers, options, the game itself and every action.

Positions are millimetres in the play area from above: x to the right, y down towards the players.
All of it is frozen; `rules.skuffle` makes the next game out of a game and an action.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

from rules.ruling import Reason
from rules.sight import COVER_FROM

Point = tuple[float, float]

POOL_OF_MINUTES = {1: 1, 3: 2, 5: 3}
"""Dice beside each soldier for a game of 1, 3 or 5 minutes (Skuffle Wammer, Setup)."""

AREA_20X20_MM = (200.0, 200.0)
"""The play area of the rules: 20 x 20 cm (Skuffle Wammer)."""

AREA_A4_MM = (210.0, 297.0)
"""A sheet of A4, the play area of the author's later diaries."""

SMALL_BASE_RADIUS_MM = 12.5
"""Half of a 25 mm base, the smallest common round base."""

MELEE_GAP_MM = 10.0
"""Up to this gap between bases an attack counts as melee (reading SK-R6): they all but touch."""

VANTAGE_MM = 30.0
"""Standing this much higher than the target is a vantage point (reading SK-R8): about a figure's height."""


class Phase(StrEnum):
    """What the game waits for."""

    SETUP = "setup"
    """Soldiers are being placed; `Start` begins."""
    TURN = "turn"
    """`Game.current` moves, attacks or passes."""
    AWAIT_DIE = "await_die"
    """An attack is declared, its die taken from the pool; `Die` says what it shows."""
    AWAIT_TIP = "await_tip"
    """`Game.fallen` has died and is still to be tipped on its side."""
    OVER = "over"
    """`Game.winners` and `Game.result` are set."""


class AttackKind(StrEnum):
    """The two attacks of the rules."""

    RANGED = "ranged"
    MELEE = "melee"


class TurnOrder(StrEnum):
    """How turns go round between teams. Without teams both are clockwise."""

    TEAM_BLOCK = "team_block"
    """Everybody of one team, then everybody of the next."""
    TEAM_ALTERNATE = "team_alternate"
    """One soldier of each team in turn; a smaller team comes round again sooner."""


class Breed(StrEnum):
    """What kind of fighter a soldier is; all but SOLDIER can be played by the desk (`rules.solo`)."""

    SOLDIER = "soldier"
    GHOUL = "ghoul"
    """Starts with one die fewer and hits on 1 or more."""
    ZOMBIE = "zombie"
    """Slow; only bites."""
    ROBOT = "robot"
    """Shoots while it has dice to spare."""


class Result(StrEnum):
    """How a game ended."""

    WIN = "win"
    """One side stands."""
    SHARED = "shared"
    """Several sides stand and no dice are left."""


class Event(StrEnum):
    """What an action led to."""

    STARTED = "started"
    ATTACK = "attack"
    """Declared; the die is awaited."""
    HIT = "hit"
    MISS = "miss"
    KILL = "kill"
    """A hit that killed."""
    CANCELLED = "cancelled"
    MOVED = "moved"
    PASSED = "passed"
    TIPPED = "tipped"
    REPOSITIONED = "repositioned"
    ADJUSTED = "adjusted"


@dataclass(frozen=True, slots=True)
class Soldier:
    """One soldier and what the game knows of it."""

    id: str
    """Unique in the game."""
    pos: Point
    """Centre of the base, mm."""
    team: str | None = None
    """None fights for itself."""
    pool: int = 0
    """Dice beside it. Below zero only when damage struck an empty pool, which kills."""
    is_dead: bool = False
    turns: int = 0
    """Turns taken so far."""
    base_radius_mm: float = SMALL_BASE_RADIUS_MM
    breed: Breed = Breed.SOLDIER
    name: str = ""
    """What players call it; empty means the id."""
    own_pool: int | None = None
    """Dice at the start where it has its own number (a handicap); None deals what the minutes say."""
    attack_sources: tuple[str, ...] = ()
    """Things that have given it +1 to attack where it stands."""
    defence_sources: tuple[str, ...] = ()
    """Things that have protected it where it stands."""

    @property
    def label(self) -> str:
        """What to call it in a sentence."""
        return self.name or self.id

    @property
    def side(self) -> str:
        """Its team, or itself where it has none; never equal for two sides."""
        return f"soldier {self.id}" if self.team is None else f"team {self.team}"

    def changed(
        self,
        *,
        pos: Point | None = None,
        pool: int | None = None,
        is_dead: bool | None = None,
        turns: int | None = None,
        attack_sources: tuple[str, ...] | None = None,
        defence_sources: tuple[str, ...] | None = None,
    ) -> Soldier:
        """Return the soldier with what changes in play; None keeps a value. Three times as fast as `replace`."""
        return Soldier(
            self.id,
            self.pos if pos is None else pos,
            self.team,
            self.pool if pool is None else pool,
            self.is_dead if is_dead is None else is_dead,
            self.turns if turns is None else turns,
            self.base_radius_mm,
            self.breed,
            self.name,
            self.own_pool,
            self.attack_sources if attack_sources is None else attack_sources,
            self.defence_sources if defence_sources is None else defence_sources,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the players agree on before the game."""

    minutes: int = 5
    """1, 3 or 5: 1, 2 or 3 dice for each soldier. The clock is shown and never ends a game."""
    area_mm: tuple[float, float] = AREA_20X20_MM
    """(width, height) of the play area."""
    seat_mm: Point | None = None
    """Where the player sits; None means the middle of the near edge."""
    turn_order: TurnOrder = TurnOrder.TEAM_BLOCK
    melee_gap_mm: float = MELEE_GAP_MM
    """Up to this gap between bases an attack counts as melee."""
    max_move_mm: float | None = None
    """Farthest move; None, as in the rules, sets no limit."""
    vantage_mm: float = VANTAGE_MM
    """Standing this much higher than the target is a vantage point."""
    cover_share: float = COVER_FROM
    """This hidden share of the target is cover (reading SK-R8)."""
    strict: bool = False
    """True refuses what the rules leave to people: range, sight, area, turn order. False only advises."""

    def __post_init__(self) -> None:
        """Refuse a game that the rules do not know."""
        if self.minutes not in POOL_OF_MINUTES:
            raise ValueError(f"a game takes 1, 3 or 5 minutes, not {self.minutes!r}")
        if not (len(self.area_mm) == 2 and all(0 < side < math.inf for side in self.area_mm)):
            raise ValueError(f"a play area has a width and a height above 0 mm, not {self.area_mm!r}")
        if not 0 <= self.melee_gap_mm < math.inf:
            raise ValueError(f"the gap of melee is 0 mm or more, not {self.melee_gap_mm!r}")
        if self.max_move_mm is not None and not 0 < self.max_move_mm < math.inf:
            raise ValueError(f"a farthest move is over 0 mm, or none is set, not {self.max_move_mm!r}")
        if not 0 < self.vantage_mm < math.inf:
            raise ValueError(f"a vantage point is over 0 mm higher, not {self.vantage_mm!r}")
        if not 0 < self.cover_share <= 1:
            raise ValueError(f"cover hides a share over 0 and up to 1, not {self.cover_share!r}")

    @property
    def seat(self) -> Point:
        """Where the player sits."""
        width_mm, height_mm = self.area_mm
        return self.seat_mm if self.seat_mm is not None else (width_mm / 2, height_mm)

    @property
    def centre(self) -> Point:
        """Middle of the play area."""
        width_mm, height_mm = self.area_mm
        return (width_mm / 2, height_mm / 2)


@dataclass(frozen=True, slots=True)
class DeclaredAttack:
    """An attack whose die has left the pool and has not been read."""

    by: str
    target: str
    kind: AttackKind
    needed: int
    """The modified value that hits."""
    modifiers: tuple[Reason, ...] = ()
    """What is added to the die, with amounts; those of 0 say why something does not count."""
    attack_sources: tuple[str, ...] = ()
    """Things the attacker's bonus comes from."""
    defence_sources: tuple[str, ...] = ()
    """Things the target's bonus comes from."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game of Skuffle Wammer between two actions."""

    soldiers: tuple[Soldier, ...]
    """In the order in which they were named."""
    options: Options = field(default_factory=Options)
    phase: Phase = Phase.SETUP
    order: tuple[str, ...] = ()
    """Ids in turn order, fixed at the start."""
    current: str | None = None
    """Whose turn it is; None before the start and after the end."""
    round: int = 0
    """Counted from 1; everybody standing has a turn in each."""
    last_attack_round: int = 0
    """Round of the latest attack; 0 before the first."""
    attack: DeclaredAttack | None = None
    """Set in AWAIT_DIE."""
    fallen: str | None = None
    """Set in AWAIT_TIP."""
    winners: tuple[str, ...] = ()
    result: Result | None = None

    def soldier(self, soldier_id: str) -> Soldier:
        """Return a soldier by id; `KeyError` where there is none."""
        for soldier in self.soldiers:
            if soldier.id == soldier_id:
                return soldier
        raise KeyError(soldier_id)

    @property
    def standing(self) -> tuple[Soldier, ...]:
        """Everybody alive."""
        return tuple(soldier for soldier in self.soldiers if not soldier.is_dead)

    @property
    def dice_in_play(self) -> int:
        """Dice beside soldiers that stand."""
        return sum(max(0, soldier.pool) for soldier in self.soldiers if not soldier.is_dead)


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the game: deal the pools, settle the turn order."""


@dataclass(frozen=True, slots=True)
class Attack:
    """Declare an attack: a die leaves the attacker's pool for good."""

    by: str
    target: str
    kind: AttackKind
    attack_bonus: tuple[Reason, ...] = ()
    """Why the attacker has +1. Many reasons still make one bonus. A parameter `by` names the thing it comes from."""
    defence_bonus: tuple[Reason, ...] = ()
    """Why the target is harder to hit, -1; as above."""
    is_target_hidden: bool = False
    """Whether nothing of the target can be seen; advice only, unless strict."""
    gap_doubt_mm: float = 0.0
    """How far off the gap may be that the two places give: within it the players' word for melee counts."""


@dataclass(frozen=True, slots=True)
class Die:
    """What the attack's die shows, 1 to 6. A cocked or lost die is thrown again and only then told."""

    value: int


@dataclass(frozen=True, slots=True)
class Overrule:
    """Let the game master decide the declared attack, whatever the die shows. The ruling says so."""

    is_hit: bool
    why: str
    """The game master's words."""
    value: int | None = None
    """What the die shows, where it was thrown."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Take back the declared attack; the die returns to the pool."""


@dataclass(frozen=True, slots=True)
class Move:
    """Move a soldier, which is its turn."""

    by: str
    to: Point
    """Centre of the base afterwards, mm."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing this turn."""

    by: str


@dataclass(frozen=True, slots=True)
class Tipped:
    """Confirm that the dead soldier lies on its side."""

    soldier: str


@dataclass(frozen=True, slots=True)
class Reposition:
    """Put right where a soldier stands, without a turn: a hand slipped, or somebody bumped the desk."""

    soldier: str
    to: Point


@dataclass(frozen=True, slots=True)
class Adjust:
    """Let the game master put right a soldier's dice and life. The ruling says so."""

    soldier: str
    pool: int
    """0 or more for the living, 0 or fewer for the dead."""
    is_dead: bool
    why: str
    """The game master's words."""
    others: tuple[Adjust, ...] = ()
    """Further soldiers that are put right at the same time: they are judged together, and all count or none."""

    @property
    def all(self) -> tuple[Adjust, ...]:
        """This one and the others."""
        return (self, *self.others)


def pool_at_start(soldier: Soldier, minutes: int) -> int:
    """Return the dice dealt to a soldier: its own number, or what the minutes say; a ghoul one fewer, never none.

    Reading: with a single die fewer a ghoul could not attack at all in a 1-minute game, so it keeps one.
    """
    if soldier.own_pool is not None:
        return soldier.own_pool
    dealt = POOL_OF_MINUTES[minutes]
    return max(1, dealt - 1) if soldier.breed is Breed.GHOUL else dealt


Action = Start | Attack | Die | Overrule | Cancel | Move | Pass | Tipped | Reposition | Adjust


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action led to, for sound, light and score."""

    event: Event
    soldier: str | None = None
    """Who acted, was tipped, put right; the attacker of an attack."""
    target: str | None = None
    """Whom an attack was aimed at."""
    natural: int | None = None
    """What the die showed."""
    modified: int | None = None
    """Die and modifiers together."""
    needed: int | None = None
    """The modified value that hits."""
