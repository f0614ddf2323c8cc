"""The values of a Quick Skirmish: fighters, options, the scene itself and every action."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.cards import Card
from rules.ruling import Reason
from rules.skirmish.damage import Blow, Condition
from rules.skirmish.trait import Level, TraitRoll

MODIFIER_RANGE = range(-2, 3)
"""Competence and tactics go from -2 to +2 (Quick Skirmish)."""

INSPIRED_RANGE = range(3)
"""An inspiring description gives +1 or +2, or nothing (Quick Skirmish)."""

MOST_BONUS = 20
"""Of a milestone, either way: far beyond the rule's +2, and its chances can still be counted."""

START_BENNIES = 3
"""Bennies of each player at the start of a session (Savage Worlds)."""


class Edition(StrEnum):
    """Of Savage Worlds. What a Quick Skirmish needs of both differs little."""

    SWADE = "swade"
    """Adventure Edition."""
    SWD = "swd"
    """Deluxe: the incapacitated get no cards, and a Joker gives no Bennies."""


class MilestoneEffect(StrEnum):
    """What happens when a hero has so many tokens."""

    LEAVE = "leave"
    """He may leave the fight."""
    NEXT_ROLL = "next_roll"
    """His next skirmish roll of this scene is easier."""
    NOTE = "note"
    """Whatever the game master wrote down."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """A benefit for a number of tokens earned, once for each hero."""

    tokens: int
    effect: MilestoneEffect
    bonus: int = 0
    """For NEXT_ROLL."""
    note: str = ""
    """The game master's words."""

    def __post_init__(self) -> None:
        """Refuse a milestone that nobody could reach or notice."""
        if self.tokens < 1:
            raise ValueError(f"a milestone stands at 1 token or more, not {self.tokens}")
        if abs(self.bonus) > MOST_BONUS:
            raise ValueError(f"a milestone's bonus goes from -{MOST_BONUS} to +{MOST_BONUS}, not {self.bonus}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the game master settles before the scene."""

    edition: Edition = Edition.SWADE
    competence: int = 0
    """-2 to +2 for how the foes compare with the heroes; good for the heroes when positive."""
    tactics: int = 0
    """-2 to +2 for a tactical advantage of one side; good for the heroes when positive."""
    milestones: tuple[Milestone, ...] = ()
    has_benny_for_most: bool = False
    """Whether the player with most tokens gets a Benny, for a scene in mid-game."""
    may_reroll: bool = True
    """Whether Bennies re-roll skirmish and Spirit rolls, as trait rolls in Savage Worlds."""

    def __post_init__(self) -> None:
        """Refuse modifiers that the rule does not know."""
        for name, value in (("competence", self.competence), ("tactics", self.tactics)):
            if value not in MODIFIER_RANGE:
                raise ValueError(f"{name} goes from -2 to +2, not {value}")


@dataclass(frozen=True, slots=True)
class Fighter:
    """A hero of a player, or an ally that a player controls."""

    id: str
    """Unique in the scene."""
    condition: Condition
    """Toughness, wounds, Shaken, incapacitated; Wild Card or Extra."""
    spirit: int = 6
    """Sides of the Spirit die."""
    vigor: int = 6
    """Sides of the Vigor die."""
    bennies: int = START_BENNIES
    """Its own, also an ally's, who usually has none. Of a hero: its player's."""
    ally_of: str | None = None
    """Id of the hero whose player controls it; None for a hero."""
    name: str = ""
    """What players call it; empty means the id."""
    tokens: int = 0
    """Taken in this scene."""
    milestones: tuple[int, ...] = ()
    """Positions, in the options, of the milestones that have fired."""
    next_bonus: int = 0
    """Waits for the next skirmish roll."""
    may_leave: bool = False
    has_left: bool = False
    card: Card | None = None
    """Of this round."""
    has_acted: bool = False
    """Whether this round's turn is over."""
    is_delaying: bool = False
    """Whether a Joker's holder waits for his moment."""

    @property
    def label(self) -> str:
        """What to call it in a sentence."""
        return self.name or self.id

    @property
    def is_out(self) -> bool:
        """Whether it takes no more part."""
        return self.has_left or self.condition.is_incapacitated


class Phase(StrEnum):
    """What the scene waits for."""

    DEAL = "deal"
    """A card for everybody: `Deal`."""
    SPIRIT = "spirit"
    """The Spirit roll of a Shaken hero, whose turn it is: `Throw`."""
    TURN = "turn"
    """`Scene.current` declares a skirmish roll: `Skirmish`."""
    ROLL = "roll"
    """The dice of a skirmish or Soak roll: `Throw`."""
    ACCEPT = "accept"
    """Whether to keep a roll or spend a Benny on another: `Accept`, `Reroll`."""
    RECEIVER = "receiver"
    """Who takes the damage of a success: `Receive`."""
    DAMAGE = "damage"
    """The dice of damage: `Throw`."""
    SOAK = "soak"
    """Whether to soak wounds: `Soak`, `TakeWounds`."""
    OVER = "over"


class RollKind(StrEnum):
    """What dice are thrown for."""

    SPIRIT = "spirit"
    SKIRMISH = "skirmish"
    SOAK = "soak"
    DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice being thrown, as far as they have come."""

    kind: RollKind
    who: str
    """Who rolls, or suffers the damage."""
    sides: tuple[int, ...]
    """Of each die: trait die and wild die, or the dice of damage."""
    faces: tuple[tuple[int, ...], ...]
    """Natural faces of each die so far; empty before its first throw."""
    modifiers: tuple[Reason, ...] = ()
    trait: str = ""
    """Name of the trait rolled."""
    kept: TraitRoll | None = None
    """The best roll so far, where a Benny bought another."""


class Result(StrEnum):
    """How a scene ended."""

    VICTORY = "victory"
    DEFEAT = "defeat"


class Event(StrEnum):
    """What an action led to."""

    DEALT = "dealt"
    THROWN_AGAIN = "thrown_again"
    """A die aced and is thrown again."""
    RECOVERED = "recovered"
    STILL_SHAKEN = "still_shaken"
    DECLARED = "declared"
    REROLL = "reroll"
    FAILURE = "failure"
    SUCCESS = "success"
    RAISE = "raise"
    MAY_REROLL = "may_reroll"
    RECEIVER = "receiver"
    UNHURT = "unhurt"
    SHAKEN = "shaken"
    MAY_SOAK = "may_soak"
    SOAKING = "soaking"
    SOAKED = "soaked"
    WOUNDED = "wounded"
    INCAPACITATED = "incapacitated"
    DELAYED = "delayed"
    STEPPED_IN = "stepped_in"
    LEFT = "left"
    ADJUSTED = "adjusted"
    CIRCUMSTANCES = "circumstances"
    AWARDED = "awarded"


@dataclass(frozen=True, slots=True)
class Scene:
    """A Quick Skirmish between two actions."""

    fighters: tuple[Fighter, ...]
    """Heroes and allies in the order in which they were named."""
    tokens_left: int
    options: Options = field(default_factory=Options)
    phase: Phase = Phase.DEAL
    round: int = 0
    """Counted from 1, beginning with the first deal."""
    current: str | None = None
    """Whose turn it is."""
    is_still_shaken: bool = False
    """Whether the Spirit roll of this turn has failed."""
    discards: tuple[Card, ...] = ()
    """Cards of earlier rounds that have not been shuffled back."""
    roll: Roll | None = None
    """Set while dice are thrown or a roll may be bought again."""
    damage_dice: int = 0
    """Dice of damage that somebody takes this turn."""
    receiver: str | None = None
    """Who takes them."""
    blow: Blow | None = None
    """Wounds that may be soaked."""
    can_award: bool = False
    """Whether the game master still gives a Benny to one of those with most tokens."""
    result: Result | None = None

    def fighter(self, fighter_id: str) -> Fighter:
        """Return a hero or ally by id; `KeyError` where there is none."""
        for fighter in self.fighters:
            if fighter.id == fighter_id:
                return fighter
        raise KeyError(fighter_id)

    @property
    def heroes(self) -> tuple[Fighter, ...]:
        """Everybody that a player plays."""
        return tuple(fighter for fighter in self.fighters if fighter.ally_of is None)

    @property
    def most_tokens(self) -> tuple[str, ...]:
        """Ids of the heroes with most tokens; all who tie, nobody without any."""
        most = max((hero.tokens for hero in self.heroes), default=0)
        return tuple(hero.id for hero in self.heroes if hero.tokens == most > 0)


@dataclass(frozen=True, slots=True)
class Deal:
    """Give everybody who gets one an action card, in the order in which they were dealt."""

    cards: tuple[tuple[str, Card], ...]
    """Hero and card."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The faces of the dice asked for, in the order in which `pending` names them."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Skirmish:
    """Declare the skirmish roll of a turn."""

    by: str
    trait: str
    """What the player rolls and tells: "Shooting"."""
    sides: int
    """Of the trait die."""
    inspired: int = 0
    """0, 1 or 2 from the game master for an inspiring description."""
    is_untrained: bool = False
    """Whether the hero lacks the skill: d4 and -2."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Keep the roll."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """Spend a Benny and roll again; the better roll counts."""


@dataclass(frozen=True, slots=True)
class Receive:
    """Choose who takes the damage of a success: the hero, or an ally of the same player."""

    who: str


@dataclass(frozen=True, slots=True)
class Soak:
    """Spend a Benny on a Vigor roll that cancels wounds."""


@dataclass(frozen=True, slots=True)
class TakeWounds:
    """Take the wounds without a Soak roll."""


@dataclass(frozen=True, slots=True)
class Unshake:
    """Spend a Benny to stop being Shaken."""

    who: str


@dataclass(frozen=True, slots=True)
class Delay:
    """Let a Joker's holder wait for the moment that suits him."""

    by: str


@dataclass(frozen=True, slots=True)
class StepIn:
    """Take the turn of a Joker's holder who has waited."""

    by: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the fight, which a milestone has allowed."""

    by: str


@dataclass(frozen=True, slots=True)
class Overrule:
    """Let the game master decide a trait roll. The ruling says so."""

    level: Level
    why: str
    """The game master's words."""


@dataclass(frozen=True, slots=True)
class Adjust:
    """Let the game master put a fighter right. The ruling says so."""

    who: str
    why: str
    """The game master's words."""
    wounds: int
    is_shaken: bool
    is_incapacitated: bool
    bennies: int
    tokens: int
    """What it gains comes from the pile, what it loses goes back."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Let the game master change competence and tactics in mid-scene."""

    competence: int
    tactics: int
    why: str
    """The game master's words."""


@dataclass(frozen=True, slots=True)
class Award:
    """Give the Benny for most tokens; where players tie the game master chooses."""

    to: str


Action = (
    Deal
    | Throw
    | Skirmish
    | Accept
    | Reroll
    | Receive
    | Soak
    | TakeWounds
    | Unshake
    | Delay
    | StepIn
    | Leave
    | Overrule
    | Adjust
    | Circumstances
    | Award
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action led to, for sound, light and score."""

    event: Event
    who: str | None = None
    total: int | None = None
    """Of a trait roll or of damage."""
    tokens_taken: int = 0
    damage_dice: int = 0
    """Six-sided dice of damage to come."""
    new_wounds: int = 0
    awards: tuple[str, ...] = ()
    """Ids of the heroes to whom a Benny was given."""
