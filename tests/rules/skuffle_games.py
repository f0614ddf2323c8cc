"""Games of Skuffle Wammer, and short words for playing them on."""

from __future__ import annotations

from typing import Any

from rules.skuffle import (
    Attack,
    AttackKind,
    Die,
    Game,
    Options,
    SkuffleRuling,
    Soldier,
    cover_reason,
    resolve,
    start,
    vantage_reason,
)

RANGED, MELEE = AttackKind.RANGED, AttackKind.MELEE
COVER = (cover_reason("the eraser", 0.62),)
VANTAGE = (vantage_reason("the monitor", 41.0),)


def soldiers(*pools: int, teams: str = "") -> tuple[Soldier, ...]:
    """Soldiers a, b, c ... clockwise from the seat; a letter of `teams` each, a point for none."""
    places = ((100.0, 190.0), (20.0, 120.0), (100.0, 10.0), (180.0, 120.0))
    return tuple(
        Soldier("abcd"[i], places[i], None if (teams or "....")[i] == "." else teams[i], own_pool=pool)
        for i, pool in enumerate(pools)
    )


def game(*pools: int, teams: str = "", **options: Any) -> Game:
    """A started game."""
    return start(soldiers(*pools, teams=teams), Options(**options)).state


def shoot(
    state: Game, die: int, by: str = "a", at: str = "b", kind: AttackKind = RANGED, **bonus: Any
) -> SkuffleRuling:
    """Declare and roll."""
    return resolve(resolve(state, Attack(by, at, kind, **bonus)).state, Die(die))


def codes(ruling: SkuffleRuling) -> list[str]:
    return [reason.code for reason in ruling.reasons]
