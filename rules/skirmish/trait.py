"""Trait rolls of Savage Worlds: the better of trait die and wild die, both acing, and modifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from rules.dice import ace_total, chance_at_least
from rules.ruling import Reason, total
from rules.skirmish.words import CATALOGUE, TRAIT_ROLLS

TARGET: Final = 4
"""A total of this much succeeds (Savage Worlds, Trait rolls)."""

RAISE_STEP: Final = 4
"""Every full step above the target is a raise (Savage Worlds, Trait rolls)."""

WILD_SIDES: Final = 6
"""The wild die of a Wild Card."""


class Level(StrEnum):
    """How well a roll went."""

    FAILURE = "failure"
    SUCCESS = "success"
    RAISE = "raise"
    """A success with one raise or more."""


@dataclass(frozen=True, slots=True)
class TraitRoll:
    """A trait roll and how its total came about."""

    total: int
    """Better die and modifiers; the amounts of `reasons` add up to it."""
    raises: int
    """Full steps above the target; 0 for a failure."""
    is_success: bool
    is_critical_failure: bool
    """Trait die and wild die both show a natural 1."""
    reasons: tuple[Reason, ...]

    @property
    def level(self) -> Level:
        """How well it went."""
        if not self.is_success:
            return Level.FAILURE
        return Level.RAISE if self.raises else Level.SUCCESS


def trait_roll(
    sides: int, trait: Sequence[int], wild: Sequence[int] | None, modifiers: Sequence[Reason] = ()
) -> TraitRoll:
    """Return what a trait roll makes.

    Readings: a die aces on its natural face, and modifiers are added once at the end (QS-R2); two natural ones fail
    whatever the modifiers (QS-R3).

    Args:
        sides: of the trait die.
        trait: natural faces of the trait die, one after the other while it aces.
        wild: the same of the wild die; None for an Extra, who has none.
        modifiers: what is added, with amounts.

    Raises:
        ValueError: for a face that a die does not have, or a die still to be thrown again.
    """
    trait_total = ace_total(trait, sides)
    wild_total = 0 if wild is None else ace_total(wild, WILD_SIDES)
    is_trait_better = trait_total >= wild_total
    if is_trait_better:
        reasons = [_die("trait_die", sides, trait, trait_total)]
        reasons += [] if wild is None else [_die("wild_die_lower", WILD_SIDES, wild, 0)]
    else:
        assert wild is not None
        reasons = [_die("trait_die_lower", sides, trait, 0), _die("wild_die", WILD_SIDES, wild, wild_total)]
    reasons += modifiers
    made = total(reasons)
    is_critical = wild is not None and trait[0] == 1 and wild[0] == 1
    if is_critical:
        reasons.append(CATALOGUE.reason("critical_failure", TRAIT_ROLLS))
        return TraitRoll(made, 0, False, True, tuple(reasons))
    is_success = made >= TARGET
    raises = max(0, (made - TARGET) // RAISE_STEP)
    verdict = ("trait_raise" if raises else "trait_success") if is_success else "trait_failure"
    reasons.append(CATALOGUE.reason(verdict, TRAIT_ROLLS, total=made, target=TARGET, raises=raises))
    return TraitRoll(made, raises, is_success, False, tuple(reasons))


def trait_chance(
    at_least: int,
    sides: int,
    *,
    modifier: int = 0,
    is_wild_card: bool = True,
    trait: Sequence[int] = (),
    wild: Sequence[int] = (),
) -> Fraction:
    """Return the exact chance that a trait roll succeeds with a total of `at_least`.

    Args:
        at_least: 4 for a success, 8 for a raise; more raises in steps of 4.
        sides: of the trait die.
        modifier: sum of the modifiers.
        is_wild_card: whether a wild die is thrown too.
        trait: faces of the trait die thrown so far, each the highest: it is to be thrown again.
        wild: the same of the wild die.
    """
    needed = at_least - modifier
    missed = 1 - _reaches(needed, sides, trait)
    if not is_wild_card:
        return 1 - missed
    missed *= 1 - _reaches(needed, WILD_SIDES, wild)
    both_ones = Fraction(1, sides * WILD_SIDES) if needed <= 1 and not trait and not wild else Fraction(0)
    return 1 - missed - both_ones


def _reaches(needed: int, sides: int, faces: Sequence[int]) -> Fraction:
    made = sum(faces)
    if faces and faces[-1] != sides:
        return Fraction(made >= needed)
    return chance_at_least(needed - made, sides)


def _die(code: str, sides: int, faces: Sequence[int], amount: int) -> Reason:
    shown = " + ".join(str(face) for face in faces)
    return CATALOGUE.reason(code, TRAIT_ROLLS, amount, sides=sides, faces=shown)
