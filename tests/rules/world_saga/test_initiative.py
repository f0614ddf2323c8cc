from __future__ import annotations

from rules.world_saga.initiative import Drawn, Side, order_by_cards, order_by_rolls

PC, NPC = Side.PC, Side.NPC


def test_the_highest_total_goes_first_and_a_pc_before_an_npc() -> None:
    """World Saga, Rolling Initiative: "If there is a tie for Initiative, the PC always goes first before an NPC"."""
    order = order_by_rolls([Drawn("orc", NPC, 12, 15), Drawn("ann", PC, 5, 15), Drawn("wolf", NPC, 7, 22)])
    assert order.ids == ("wolf", "ann", "orc")
    assert order.choices == ()
    assert [reason.code for reason in order.reasons] == ["ws_pc_first", "ws_order"]
    assert order.reasons[-1].text == "The order of this round: wolf, ann, orc."


def test_tied_players_choose_and_stand_in_order_of_entry_until_then() -> None:
    order = order_by_rolls([Drawn(who, PC, 9, 17) for who in ("bo", "ann", "cy")] + [Drawn("orc", NPC, 5, 17)])
    assert order.ids == ("bo", "ann", "cy", "orc")
    assert order.choices == (("bo", "ann", "cy"),)


def test_two_ties_are_two_choices() -> None:
    order = order_by_rolls([Drawn("a", PC, 1, 9), Drawn("b", PC, 1, 12), Drawn("c", PC, 1, 9), Drawn("d", PC, 1, 12)])
    assert order.ids == ("b", "d", "a", "c")
    assert order.choices == (("b", "d"), ("a", "c"))


def test_tied_npcs_go_by_reflexes_then_entry() -> None:
    order = order_by_rolls([Drawn("a", NPC, 5, 15), Drawn("b", NPC, 5, 15), Drawn("c", NPC, 6, 15)])
    assert order.ids == ("c", "a", "b")
    assert order.choices == ()
    assert [reason.code for reason in order.reasons] == ["ws_npc_tie", "ws_npc_tie", "ws_order"]


def test_reflexes_do_not_part_players() -> None:
    assert order_by_rolls([Drawn("a", PC, 5, 15), Drawn("b", PC, 9, 15)]).choices == (("a", "b"),)


def test_tied_cards_go_by_reflexes_then_pc_then_choice() -> None:
    """World Saga, Alternative Initiative Options: "the character with the higher Reflexes Rank goes first"."""
    drawn = [
        Drawn("ann", PC, 10, 9),
        Drawn("orc", NPC, 12, 9),
        Drawn("elk", NPC, 10, 9),
        Drawn("bo", PC, 10, 9),
        Drawn("cy", PC, 3, 13),
    ]
    order = order_by_cards(drawn)
    assert order.ids == ("cy", "orc", "ann", "bo", "elk")
    assert order.choices == (("ann", "bo"),)
    assert "Alternative Initiative" in order.reasons[0].source
