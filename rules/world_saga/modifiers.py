"""Ranks, modifiers by type, and the Target Number that they make.

A test succeeds with a d20 at or under its Target Number, which is the Rank plus modifiers: modifiers change the number,
not the die. Of each type only the best bonus and the worst penalty count; untyped modifiers all count.

Rule: World Saga, Modifiers; Skills; Resistances.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rules.ruling import Reason, signed, total
from rules.world_saga.words import CATALOGUE, MODIFIERS


class ModifierType(StrEnum):
    """The types of modifiers; UNTYPED is none."""

    ITEM = "item"
    CONDITION = "condition"
    SITUATION = "situation"
    FORTUNE = "fortune"
    MISFORTUNE = "misfortune"
    UNTYPED = "untyped"


@dataclass(frozen=True, slots=True)
class Modifier:
    """A bonus (over 0) or penalty (under 0) to a Target Number."""

    kind: ModifierType
    amount: int
    why: str
    """For the players, for example `Distracted 2`."""
    source: str = MODIFIERS
    """The rule that gives it."""


def rank(attributes: Iterable[int], training: int) -> int:
    """Return the Rank of a skill or resistance: the lower of its attributes plus the training rank.

    Raises:
        ValueError: no attribute is given, or the training rank is not 0 to 8.
    """
    values = tuple(attributes)
    if not values:
        raise ValueError("a Rank needs at least one attribute")
    if not 0 <= training <= 8:
        raise ValueError(f"a training rank is 0 to 8, not {training!r}")
    return min(values) + training


def counted(modifiers: Iterable[Modifier]) -> tuple[Reason, ...]:
    """Return a reason for each modifier in the order given; what does not count adds 0 and says why.

    Of equal modifiers the first counts, so the total does not depend on the order.
    """
    modifiers = tuple(modifiers)
    best: dict[tuple[ModifierType, bool], int] = {}
    for index, modifier in enumerate(modifiers):
        key = (modifier.kind, modifier.amount > 0)
        if key not in best or abs(modifier.amount) > abs(modifiers[best[key]].amount):
            best[key] = index
    return tuple(
        CATALOGUE.reason(
            "ws_modifier" if counts else "ws_not_stacked",
            modifier.source,
            modifier.amount if counts else 0,
            why=modifier.why,
            modifier=signed(modifier.amount),
            kind=modifier.kind.value,
        )
        for index, modifier in enumerate(modifiers)
        for counts in [modifier.kind is ModifierType.UNTYPED or best[modifier.kind, modifier.amount > 0] == index]
    )


def target_number(skill: str, skill_rank: int, modifiers: Iterable[Modifier]) -> tuple[int, tuple[Reason, ...]]:
    """Return the Target Number and the reasons that add up to it."""
    reasons = (
        CATALOGUE.reason("ws_rank", MODIFIERS, skill_rank, skill=skill, rank=skill_rank),
        *counted(modifiers),
    )
    return total(reasons), reasons
