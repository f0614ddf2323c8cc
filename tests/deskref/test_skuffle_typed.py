"""Skuffle Wammer with typed dice alone: nobody knows who stands where, however many play."""

from __future__ import annotations

import pytest

from deskref.inputs import AutomatedSoldier, DeclareAttack, MoveSoldier, Setup, SoldierSetup, StartGame
from deskref.signal import SignalKind
from deskref.skuffle_attack import proposal
from rules.skuffle_state import AttackKind, Options
from tests.deskref.played_desk import PlayedDesk


def game(count: int, *, strict: bool = False, zombie: bool = False) -> PlayedDesk:
    desk = PlayedDesk()
    soldiers: list[SoldierSetup] = [SoldierSetup(f"s{n}", f"S{n}", "AB"[n % 2]) for n in range(count)]
    if zombie:
        soldiers = [SoldierSetup(f"s{n}", f"S{n}", "A") for n in range(count - 1)]
        soldiers.append(AutomatedSoldier("z", "Zombie", "B"))
    desk.tell(StartGame(setup=Setup(tuple(soldiers), Options(strict=strict), False)))
    return desk


@pytest.mark.parametrize("count", [2, 4, 5, 6, 8, 20])
def test_no_melee_is_proposed_where_nobody_knows_who_stands_where(count: int) -> None:
    """From five soldiers on, the row that keeps them apart put neighbours within the melee gap."""
    desk = game(count)
    for _ in range(count):
        attack = proposal(desk.session)
        assert attack is not None
        assert attack.kind is AttackKind.RANGED
        desk.tell(MoveSoldier())


def test_a_melee_that_the_player_names_is_one() -> None:
    desk = game(6)
    desk.tell(DeclareAttack(target="s1", attack=AttackKind.MELEE))
    attack = proposal(desk.session)
    assert attack is not None
    assert attack.kind is AttackKind.MELEE


@pytest.mark.parametrize("zombie", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_nobody_stands_on_anothers_base_in_a_crowded_row(*, strict: bool, zombie: bool) -> None:
    desk = game(20, strict=strict, zombie=zombie)
    for _ in range(10):
        desk.tell(MoveSoldier())
    assert SignalKind.ILLEGAL not in desk.kinds()
    assert SignalKind.ADVICE not in desk.kinds()
