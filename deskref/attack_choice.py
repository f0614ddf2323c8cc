"""Which attack of World Saga is offered first, and what speaks against the one that is chosen.

The rules are asked, not copied: an attack is resolved on the combat, which changes nothing, and what they refuse or
advise against is what speaks against it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.ruling import IllegalActionError, Message
from rules.world_saga.actions import Attack
from rules.world_saga.combat import resolve
from rules.world_saga.situation import enemies_of, engaged_with
from rules.world_saga.state import Combat

OPENS_A_STRIKE: Final = "ws_may_strike"
"""The reason by which the rules say that a shot lets an engaged enemy strike first."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What speaks against an attack."""

    message: Message
    is_refused: bool = False
    """Whether the rules refuse the attack; otherwise they allow it at a price or against their advice."""


def objections(combat: Combat, attack: Attack) -> tuple[Objection, ...]:
    """Return what the rules say against an attack that would be declared now; nothing where all is well."""
    try:
        ruling = resolve(combat, attack)
    except IllegalActionError as refusal:
        return (Objection(Message(refusal.code, refusal.text, refusal.params), is_refused=True),)
    said = [Objection(advice) for advice in ruling.advice]
    said += [
        Objection(Message(reason.code, reason.text, reason.params))
        for reason in ruling.reasons
        if reason.code == OPENS_A_STRIKE
    ]
    return tuple(said)


def offered(combat: Combat, who: str, attacks_on: Callable[[str], Sequence[Attack]]) -> Attack | None:
    """Return the attack to offer first: one that nothing speaks against, on the enemy at hand or else the nearest.

    Args:
        combat: in somebody's turn.
        who: attacks.
        attacks_on: the ways to attack an enemy, the preferred one first.

    Returns:
        The one with least against it; None where there is nobody to attack.
    """
    engaged = engaged_with(combat, who)
    here = combat.get(who).place
    enemies = [enemy for enemy in enemies_of(combat, who) if enemy.can_act] or list(enemies_of(combat, who))

    def nearness(of: str) -> tuple[bool, float]:
        there = combat.get(of).place
        return (of not in engaged, math.dist(here, there) if here is not None and there is not None else 0.0)

    nearest_first = sorted((enemy.id for enemy in enemies), key=nearness)
    attacks = [attack for enemy in nearest_first for attack in attacks_on(enemy)]
    return min(attacks, key=lambda attack: _weight(objections(combat, attack)), default=None)


def _weight(said: tuple[Objection, ...]) -> int:
    """Nothing said is best, then advice, then a refusal."""
    return 0 if not said else 2 if any(one.is_refused for one in said) else 1
