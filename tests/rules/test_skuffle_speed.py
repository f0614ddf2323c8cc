"""Skuffle Wammer: how long a ruling takes."""

from __future__ import annotations

from typing import Any

import pytest

from rules.skuffle import Action, Attack, AttackKind, Die, Game, Move, Soldier, cover_reason, resolve, start

LIMIT_S = 20e-6
"""A ruling is to take less than this, so that the book never holds up the table."""

GAME = start(
    (
        Soldier("a", (100.0, 190.0)),
        Soldier("b", (30.0, 50.0)),
        Soldier("c", (150.0, 60.0)),
        Soldier("d", (150.0, 160.0)),
    )
).state
SHOT = Attack("a", "b", AttackKind.RANGED, (), (cover_reason("the eraser", 0.5),))
WAITING = resolve(GAME, SHOT).state


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "action"),
    [(GAME, SHOT), (WAITING, Die(6)), (WAITING, Die(1)), (GAME, Move("a", (50.0, 50.0)))],
    ids=["attack", "hit", "miss", "move"],
)
def test_a_ruling_takes_less_than_20_microseconds(benchmark: Any, game: Game, action: Action) -> None:
    """Four soldiers, reasons and all; the median of many rounds."""
    ruling = benchmark.pedantic(resolve, (game, action), rounds=2000, iterations=20, warmup_rounds=50)
    assert ruling.reasons
    assert benchmark.stats.stats.median < LIMIT_S
