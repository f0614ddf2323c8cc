"""Skuffle Wammer where places are known only roughly: what they leave open, and is for the players to say.

Whoever measured the places tells how far off each may be; a game that was typed has no doubts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from rules import skuffle
from rules.ruling import IllegalActionError
from rules.skuffle_state import Attack, AttackKind, Die, Game, Phase

Doubts = Mapping[str, float]
"""By soldier's id: how far off its place may be, in mm; 0 for those who are not there."""


def gap_doubt_mm(doubts: Doubts, by: str, target: str) -> float:
    """Return how far off the gap between two soldiers may be, as if their places were measured apart."""
    return math.hypot(doubts.get(by, 0.0), doubts.get(target, 0.0))


def is_kind_open(game: Game, by: str, target: str, doubt_mm: float) -> bool:
    """Say whether the gap is so near to the limit of melee that it may lie on either side of it.

    Args:
        game: with both soldiers.
        by: the attacker's id.
        target: the target's id.
        doubt_mm: how far off the gap may be; 0 leaves nothing open.
    """
    gap = skuffle.gap_mm(game.soldier(by), game.soldier(target))
    return doubt_mm > 0 and abs(gap - game.options.melee_gap_mm) <= doubt_mm


def perhaps_nearest(game: Game, by: str, doubts: Doubts) -> tuple[str, ...]:
    """Return the enemies of whom each may be the nearest, the one that seems to be first; empty where there is none.

    Two gaps are the same where they differ by no more than both together may be off.
    """
    attacker = game.soldier(by)
    enemies = [i for i in skuffle.targets(game, by) if game.soldier(i).side != attacker.side]
    if not enemies:
        return ()
    gaps = {i: skuffle.gap_mm(attacker, game.soldier(i)) for i in enemies}
    first = enemies[0]

    def may_be(other: str) -> bool:
        doubt_mm = math.hypot(gap_doubt_mm(doubts, by, first), gap_doubt_mm(doubts, by, other))
        return doubt_mm > 0 and gaps[other] - gaps[first] <= doubt_mm

    return (first, *(i for i in enemies[1:] if may_be(i)))


def kind_decides(game: Game, attack: Attack, value: int | None) -> bool:
    """Say whether melee and range lead to different results of an attack.

    Args:
        game: before the attack.
        attack: of either kind.
        value: what its die shows; None while it cannot be read, when any face counts.
    """
    faces = range(1, 7) if value is None else (value,)
    return any(
        _result(game, replace(attack, kind=AttackKind.MELEE), face)
        != _result(game, replace(attack, kind=AttackKind.RANGED), face)
        for face in faces
    )


def _result(game: Game, attack: Attack, value: int) -> Game | str:
    """The game after an attack and its die, or the code of what the rules refuse."""
    if game.phase is not Phase.TURN:
        raise ValueError(f"an attack is declared in a turn, not in {game.phase.value!r}")
    try:
        return skuffle.resolve(skuffle.resolve(game, attack).state, Die(value)).state
    except IllegalActionError as refusal:
        return refusal.code
