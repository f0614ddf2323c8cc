from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.world_saga.actions import SetEngaged
from rules.world_saga.hiding import HiddenBy, Hiding
from rules.world_saga.situation import (
    are_adjacent,
    are_engaged,
    attackers_of,
    enemies_of,
    engaged_with,
    may_strike_shooter,
    strikers,
    surrounding_bonus,
)


@pytest.mark.parametrize(("engaged", "bonus"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 4), (9, 4)])
def test_each_additional_ally_gives_one_up_to_four(engaged: int, bonus: int) -> None:
    """World Saga, Surrounding Bonus."""
    assert surrounding_bonus(engaged) == bonus


@pytest.mark.parametrize(
    ("engaged", "conscious", "stamina", "cost", "may"),
    [
        (True, True, 1, 1, True),
        (True, True, 0, 1, False),
        (True, True, 0, 0, True),
        (True, True, None, 3, True),
        (False, True, 9, 1, False),
        (True, False, 9, 1, False),
    ],
)
def test_who_may_strike_at_a_shooter(engaged: bool, conscious: bool, stamina: int | None, cost: int, may: bool) -> None:
    """World Saga, Shooting in Melee: "(paying the normal Stamina cost)"."""
    assert may_strike_shooter(is_engaged=engaged, is_conscious=conscious, stamina=stamina, strike_cost=cost) is may


def test_enemies_are_on_other_teams_and_able(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(
        pc("ann"), pc("bo"), npc("orc"), npc("elf", team="pc"), npc("out", is_out=True), npc("elk", team="x")
    )
    assert [enemy.id for enemy in enemies_of(play.combat, "ann")] == ["orc", "elk"]
    assert [enemy.id for enemy in enemies_of(play.combat, "orc")] == ["ann", "bo", "elf", "elk"]


def test_adjacent_enemies_are_engaged_and_friends_are_not(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(
        pc("ann", place=(2, 2)), pc("bo", place=(3, 2)), npc("orc", place=(3, 3)), npc("far", place=(5, 5)), board=field
    )
    assert engaged_with(play.combat, "ann") == ("orc",)
    assert engaged_with(play.combat, "orc") == ("ann", "bo")
    assert engaged_with(play.combat, "far") == ()
    assert not are_engaged(play.combat, "ann", "bo")
    assert are_adjacent(play.combat, play["ann"], play["bo"])


@pytest.mark.parametrize(
    ("change", "engaged"),
    [
        ({}, True),
        ({"is_prone": True}, True),
        ({"is_unconscious": True}, False),
        ({"is_out": True}, False),
        ({"hiding": Hiding(HiddenBy.COVER)}, False),
        ({"hiding": Hiding(HiddenBy.COVER, located_by=("ann",))}, True),
        ({"place": None}, False),
    ],
)
@pytest.mark.parametrize("who", ["orc", "ann"])
def test_who_engages(
    fighting: Any, pc: Any, npc: Any, field: SquareBoard, change: dict[str, Any], engaged: bool, who: str
) -> None:
    """Prone still engages; unconscious, gone, or hidden at an unknown place does not, on either side."""
    combat = fighting(pc("ann", place=(2, 2)), npc("orc", place=(3, 3)), board=field).combat
    if who == "ann" and "hiding" in change and change["hiding"].located_by:
        change = {"hiding": Hiding(HiddenBy.COVER, located_by=("orc",))}
    changed = replace(combat.get(who), **change)
    combat = replace(combat, combatants=tuple(changed if c.id == who else c for c in combat.combatants))
    assert are_engaged(combat, "ann", "orc") is engaged
    assert are_engaged(combat, "orc", "ann") is engaged


def test_the_table_may_say_otherwise(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(3, 3)), npc("elk", place=(8, 8)), board=field)
    play.do(SetEngaged("ann", "orc", False), SetEngaged("elk", "ann", True))
    assert engaged_with(play.combat, "ann") == ("elk",)
    play.do(SetEngaged("orc", "ann", True))
    assert engaged_with(play.combat, "ann") == ("orc", "elk")
    assert len(play.combat.pairs) == 2
    play.do(SetEngaged("ann", "orc", None), SetEngaged("ann", "elk", None))
    assert play.combat.pairs == ()
    assert engaged_with(play.combat, "ann") == ("orc",)


def test_without_a_board_only_the_table_says_who_is_engaged(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(2, 3)))
    assert engaged_with(play.combat, "ann") == ()
    play.do(SetEngaged("ann", "orc", True))
    assert engaged_with(play.combat, "ann") == ("orc",)


def test_hexes_and_the_free_table_engage_too(fighting: Any, pc: Any, npc: Any) -> None:
    for board, near, far in ((HexBoard(9, 9), (3, 1), (4, 1)), (Ground(), (36.0, 2.0), (41.0, 2.0))):
        for place, engaged in ((near, True), (far, False)):
            play = fighting(pc("ann", place=(2, 2)), npc("orc", place=place), board=board)
            assert are_engaged(play.combat, "ann", "orc") is engaged
    close = fighting(pc("ann", place=(2, 2)), npc("orc", place=(36.0, 2.0)), board=Ground(), engaged_gap_mm=5)
    assert not are_engaged(close.combat, "ann", "orc")


def test_only_the_engaged_gain_from_surrounding(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    """Two friends stand beside the orc too: three engaged attackers, who have +2 each."""
    play = fighting(
        pc("ann", place=(2, 2)),
        pc("bo", place=(3, 4)),
        pc("cy", place=(4, 2)),
        pc("far", place=(9, 9)),
        npc("orc", place=(3, 3)),
        board=field,
    )
    assert [attackers_of(play.combat, who, "orc") for who in ("ann", "bo", "cy", "far")] == [3, 3, 3, 0]
    assert attackers_of(play.combat, "orc", "ann") == 1


def test_only_allies_surround_together(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    """World Saga, Surrounding Bonus: "+1 situation bonus per additional ally"; a third side is no ally."""
    play = fighting(
        pc("ann", place=(2, 2)),
        pc("bo", place=(3, 4)),
        npc("wolf", place=(4, 2), team="wolves"),
        npc("orc", place=(3, 3)),
        board=field,
    )
    assert engaged_with(play.combat, "orc") == ("ann", "bo", "wolf")
    assert [attackers_of(play.combat, who, "orc") for who in ("ann", "bo", "wolf")] == [2, 2, 1]


def test_strikers_are_engaged_and_can_pay(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(
        pc("ann", place=(2, 2)),
        npc("a", place=(1, 1), strike_cost=1),
        npc("b", place=(2, 1), strike_cost=11),
        npc("c", place=(3, 1), is_unconscious=True),
        npc("d", place=(8, 8)),
        npc("e", place=(1, 3), stamina=None, strike_cost=3),
        board=field,
    )
    assert strikers(play.combat, "ann") == ("a", "e")
