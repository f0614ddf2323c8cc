"""Damage of Savage Worlds: Toughness, Shaken, wounds, incapacitation, and the Soak roll that cancels wounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rules.dice import chances_of_sum
from rules.ruling import Reason
from rules.skirmish.words import CATALOGUE, DAMAGE, SOAK

WOUND_STEP: Final = 4
"""Every full step of damage above Toughness is a wound (Savage Worlds, Damage)."""

MAX_WOUNDS: Final = 3
"""A Wild Card takes so many wounds; one more incapacitates (Savage Worlds, Damage)."""

EXTRA_MAX_WOUNDS: Final = 0
"""An Extra is out at its first wound (Savage Worlds, Damage)."""

TOUGHNESS_RANGE: Final = range(201)
"""Far beyond the toughest foe of the published books; every chance of damage is still counted exactly."""

WOUNDS_RANGE: Final = range(51)
"""Wounds that somebody has or may bear: far beyond every Edge, and every chance of damage is still counted exactly."""

MAX_WOUND_PENALTY: Final = 3
"""However many wounds somebody has, rolls suffer no more than this (Savage Worlds, Wounds)."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What damage depends on and changes."""

    toughness: int
    wounds: int = 0
    is_shaken: bool = False
    is_incapacitated: bool = False
    is_wild_card: bool = True
    max_wounds: int = MAX_WOUNDS
    """Wounds that a Wild Card bears; an Edge may allow more."""

    def __post_init__(self) -> None:
        """Refuse numbers whose chances nobody could count."""
        if self.toughness not in TOUGHNESS_RANGE:
            raise ValueError(f"Toughness goes from 0 to {TOUGHNESS_RANGE[-1]}, not {self.toughness!r}")
        for what, wounds in (("wounds", self.wounds), ("max_wounds", self.max_wounds)):
            if wounds not in WOUNDS_RANGE:
                raise ValueError(f"{what} go from 0 to {WOUNDS_RANGE[-1]}, not {wounds!r}")

    @property
    def bears(self) -> int:
        """Wounds that can be borne at all."""
        return self.max_wounds if self.is_wild_card else EXTRA_MAX_WOUNDS


@dataclass(frozen=True, slots=True)
class Blow:
    """What damage does before anybody soaks it."""

    new_wounds: int
    shakes: bool
    """Whether it leaves Shaken, alone or with wounds."""
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Suffered:
    """A condition after damage."""

    condition: Condition
    new_wounds: int
    """Wounds that were left to take after the Soak roll."""
    reasons: tuple[Reason, ...]


def wound_penalty(wounds: int) -> int:
    """Return what wounds take from trait rolls: 0, -1, -2 or -3."""
    return -min(wounds, MAX_WOUND_PENALTY)


def blow(damage: int, toughness: int, *, is_shaken: bool) -> Blow:
    """Return what damage does to somebody.

    Savage Worlds, Damage: below Toughness nothing; up to 3 over Shaken, or a wound for those who are Shaken already;
    from 4 over a wound for every full 4, and an earlier Shaken adds nothing.
    """
    margin = damage - toughness
    if margin < 0:
        return Blow(0, False, (CATALOGUE.reason("below_toughness", DAMAGE, damage=damage, toughness=toughness),))
    wounds = margin // WOUND_STEP
    if wounds:
        code = "wounds_dealt"
    elif is_shaken:
        wounds, code = 1, "shaken_twice"
    else:
        code = "becomes_shaken"
    reason = CATALOGUE.reason(code, DAMAGE, damage=damage, toughness=toughness, margin=margin, wounds=wounds)
    return Blow(wounds, True, (reason,))


def suffer(condition: Condition, struck: Blow, *, soak_successes: int | None = None) -> Suffered:
    """Return a condition after a blow.

    Savage Worlds, Soak rolls: a success and every raise cancel a wound each; where all are cancelled, Shaken goes too,
    even an older one.

    Args:
        condition: before.
        struck: the blow; one that only shakes cannot be soaked (reading QS-R12).
        soak_successes: success and raises of the Soak roll together; None where nobody rolled.
    """
    if struck.new_wounds == 0:
        is_shaken = condition.is_shaken or struck.shakes
        return Suffered(_after(condition, is_shaken=is_shaken), 0, ())
    reasons: list[Reason] = []
    new_wounds = struck.new_wounds
    if soak_successes is not None:
        new_wounds = max(0, new_wounds - soak_successes)
        cancelled = struck.new_wounds - new_wounds
        reasons.append(CATALOGUE.reason("wounds_soaked", SOAK, cancelled=cancelled, left=new_wounds))
    if new_wounds == 0:
        reasons.append(CATALOGUE.reason("soaked_all", SOAK))
        return Suffered(_after(condition, is_shaken=False), 0, tuple(reasons))
    wounds = condition.wounds + new_wounds
    is_incapacitated = wounds > condition.bears
    # An Extra's wound is recorded although it bears none.
    recorded = min(wounds, max(condition.bears, 1))
    reasons.append(CATALOGUE.reason("wounds_taken", DAMAGE, new_wounds=new_wounds, wounds=recorded))
    if is_incapacitated:
        code = "incapacitated" if condition.is_wild_card else "extra_out"
        reasons.append(CATALOGUE.reason(code, DAMAGE, bears=condition.bears))
    after = _after(condition, is_shaken=True, wounds=recorded, is_incapacitated=is_incapacitated)
    return Suffered(after, new_wounds, tuple(reasons))


@dataclass(frozen=True, slots=True)
class DamageChances:
    """The exact chances of what a roll of damage does, before anybody soaks; together they make 1."""

    nothing: Fraction
    shaken: Fraction
    """Shaken and no wound; 0 for those who are Shaken already."""
    wounds: tuple[Fraction, ...]
    """Of exactly 1, 2, 3 ... wounds that can still be borne."""
    incapacitated: Fraction


def damage_chances(condition: Condition, dice: int) -> DamageChances:
    """Return the exact chances of what `dice` acing six-sided dice of damage do."""
    toughness, borne = condition.toughness, condition.bears - condition.wounds
    highest = toughness + WOUND_STEP * (max(0, borne) + 1) - 1
    sums = chances_of_sum(dice, 6, max(0, highest))
    nothing = shaken = Fraction(0)
    wounds = [Fraction(0)] * max(0, borne)
    for damage, chance in enumerate(sums):
        struck = blow(damage, toughness, is_shaken=condition.is_shaken)
        if not struck.shakes:
            nothing += chance
        elif struck.new_wounds == 0:
            shaken += chance
        elif struck.new_wounds <= borne:
            wounds[struck.new_wounds - 1] += chance
    incapacitated = 1 - nothing - shaken - sum(wounds)
    return DamageChances(nothing, shaken, tuple(wounds), incapacitated)


def _after(
    condition: Condition, *, is_shaken: bool, wounds: int | None = None, is_incapacitated: bool = False
) -> Condition:
    return Condition(
        condition.toughness,
        condition.wounds if wounds is None else wounds,
        is_shaken,
        is_incapacitated,
        condition.is_wild_card,
        condition.max_wounds,
    )
