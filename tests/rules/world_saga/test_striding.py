from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.ruling import IllegalActionError
from rules.world_saga.actions import (
    Adjust,
    Attack,
    EndTurn,
    MoveAction,
    MoveName,
    Roll,
    SetEngaged,
    SetHidden,
    Stride,
    Withdraw,
)
from rules.world_saga.combat import Event, reach, squares_left
from rules.world_saga.hiding import HiddenBy
from rules.world_saga.state import Blow
from rules.world_saga.striding import plan_stride


def test_a_stride_is_split_by_an_action_and_the_count_runs_on(
    fighting: Any, pc: Any, npc: Any, field: SquareBoard
) -> None:
    """World Saga, Movement: stride into the open, Fire, and use the rest of the Stride to return to the tree."""
    play = fighting(pc("ann", place=(2, 2), speed=7), npc("orc", place=(9, 9)), board=field)
    assert squares_left(play.combat) == 7
    ruling = play.do(Stride("ann", ((3, 3), (4, 4), (5, 5))))
    assert ruling.outcome.event is Event.STRODE
    assert ruling.outcome.squares == 4
    assert [reason.code for reason in ruling.reasons] == ["ws_stride", "ws_stride_left"]
    assert squares_left(play.combat) == 3
    play.do(Attack("ann", "orc", Blow(name="Fire", is_ranged=True, skill="Shooting")), Roll((19,)))
    assert play.current == "ann"
    # The fourth diagonal of the turn is dear, the fifth cheap: 2 + 1 uses up the rest.
    play.do(Stride("ann", ((4, 4),)))
    assert squares_left(play.combat) == 1
    assert play.refused(Stride("ann", ((3, 4), (2, 4)))) == "ws_too_far"
    play.do(Stride("ann", ((3, 3),)))
    assert squares_left(play.combat) == 0
    assert play["ann"].place == (3, 3)
    assert play.combat.turn.diagonals_used == 5


@pytest.mark.parametrize(("speed", "allowed"), [(3, False), (4, True), (None, True)])
def test_speed_limits_a_stride(fighting: Any, pc: Any, npc: Any, field: SquareBoard, speed: Any, allowed: bool) -> None:
    play = fighting(pc("ann", place=(2, 2), speed=speed), npc("orc", place=(9, 9)), board=field)
    stride = Stride("ann", ((3, 3), (4, 4), (5, 5)))
    if allowed:
        play.do(stride)
    else:
        assert play.refused(stride) == "ws_too_far"


def test_without_a_known_speed_nothing_is_left_to_tell(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2), speed=None), npc("orc", place=(9, 9)), board=field)
    ruling = play.do(Stride("ann", ((3, 2),)))
    assert squares_left(play.combat) is None
    assert [reason.code for reason in ruling.reasons] == ["ws_stride"]
    assert squares_left(fighting(pc("a"), npc("b"), board=field).combat) == 6


def test_one_stride_a_turn_and_other_moves_beside_it(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    """Published Stride: once a round. The diagonals of a second Move action count on."""
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(9, 9)), board=field)
    play.do(Stride("ann", ((3, 3),)))
    ruling = play.do(MoveAction("ann", MoveName.CRAWL, (4, 4), diagonals=1))
    assert ruling.reasons[0].code == "ws_second_move"
    assert play["ann"].place == (4, 4)
    assert play.combat.turn.diagonals_used == 2
    assert squares_left(play.combat) == 0
    assert play.refused(Stride("ann", ((5, 5),))) == "ws_stride_used"
    assert play.refused(MoveAction("ann", MoveName.JUMP)) == "ws_no_move"
    assert play.refused(Attack("ann", "orc")) == "ws_no_action"
    play.do(EndTurn("ann"))
    assert play.combat.turn.diagonals_used == 0


def test_the_table_may_allow_two_strides(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2), speed=2), npc("orc", place=(9, 9)), board=field, strides_per_turn=2)
    play.do(Stride("ann", ((3, 3),)))
    assert play.refused(Stride("ann", ((4, 4),))) == "ws_too_far"
    play.do(Stride("ann", ((4, 4),), starts_anew=True))
    assert squares_left(play.combat) == 0
    assert play.combat.turn.strides == 2
    assert not play.combat.turn.action_left
    assert play.refused(Stride("ann", ((5, 4),), starts_anew=True)) == "ws_stride_used"


def test_after_two_moves_no_stride_can_begin(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(9, 9)), board=field)
    play.do(MoveAction("ann", MoveName.CLIMB), MoveAction("ann", MoveName.DIVE_PRONE))
    assert play["ann"].is_prone
    assert play["ann"].place == (2, 2)
    assert squares_left(play.combat) == 0
    assert play.refused(Stride("ann", ((3, 3),))) == "ws_no_move"


def test_a_stride_may_take_the_place_of_the_action(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(9, 9)), board=field)
    play.do(MoveAction("ann", MoveName.BALANCE))
    assert squares_left(play.combat) == 6
    ruling = play.do(Stride("ann", ((3, 2),)))
    assert ruling.reasons[0].code == "ws_second_move"
    assert not play.combat.turn.action_left
    play.do(Stride("ann", ((4, 2),)))


def test_leaving_an_enemy_takes_a_withdraw(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    """World Saga, Movement: "the Withdraw reaction as part of your Stride action to disengage"."""
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(3, 3)), npc("elk", place=(1, 2)), board=field)
    plan = plan_stride(play.combat, "ann", ((2, 1), (2, 0), (3, 0)))
    assert plan.leaves == (("orc",), ("elk",), ())
    assert plan.requires_withdraw == ("orc", "elk")
    assert plan.steps == (1, 1, 1)
    assert play.refused(Stride("ann", ((2, 1),))) == "ws_requires_withdraw"
    assert play.do(Withdraw("ann", ("orc",), False)).outcome.event is Event.HELD
    assert play.refused(Stride("ann", ((2, 1),))) == "ws_requires_withdraw"
    ruling = play.do(Withdraw("ann", ("orc",), True))
    assert ruling.outcome.event is Event.WITHDREW
    assert ruling.reasons[0].text == "ann withdraws from orc."
    play.do(Stride("ann", ((2, 1),)))
    assert play.refused(Stride("ann", ((3, 0),))) == "ws_requires_withdraw"


def test_a_way_of_no_steps_goes_nowhere(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(3, 3)), board=field)
    plan = plan_stride(play.combat, "ann", ())
    assert (plan.end, plan.squares, plan.left, plan.steps) == ((2, 2), 0, 6, ())


def test_sliding_round_an_enemy_takes_none(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(3, 3)), board=field)
    play.do(Stride("ann", ((2, 3), (2, 4), (3, 4))))
    assert play["ann"].place == (3, 4)


def test_a_pair_that_the_table_has_parted_does_not_hold(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), npc("orc", place=(3, 3)), board=field)
    play.do(SetEngaged("ann", "orc", False), Stride("ann", ((1, 1),)))
    assert play["ann"].place == (1, 1)


def test_withdrawing_is_from_enemies_who_can_hold(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(2, 2)), pc("bo"), npc("orc"), npc("elk", is_unconscious=True), board=field)
    assert play.refused(Withdraw("ann", ("bo",), True)) == "ws_nobody_to_leave"
    assert play.refused(Withdraw("ann", ("elk",), True)) == "ws_nobody_to_leave"
    assert play.refused(Withdraw("ann", ("who",), True)) == "ws_unknown"
    assert play.refused(Withdraw("bo", ("orc",), True)) == "ws_not_your_turn"


def test_friends_are_passed_and_enemies_are_not(fighting: Any, pc: Any, npc: Any) -> None:
    board = SquareBoard(6, 1)
    play = fighting(pc("ann", place=(0, 0)), pc("bo", place=(1, 0)), npc("orc", place=(4, 0)), board=board)
    assert play.refused(Stride("ann", ((1, 0),))) == "occupied"
    assert play.refused(Stride("ann", ((1, 0), (2, 0), (3, 0), (4, 0)))) == "enemy"
    play.do(Stride("ann", ((1, 0), (2, 0))))
    assert {square.cell for square in reach(play.combat, "ann").squares} == {(0, 0), (1, 0), (2, 0), (3, 0)}


def test_the_unconscious_and_the_hidden_do_not_stand_in_the_way(fighting: Any, pc: Any, npc: Any) -> None:
    board = SquareBoard(6, 1)
    play = fighting(
        pc("ann", place=(0, 0)),
        npc("down", place=(1, 0), is_unconscious=True),
        npc("sly", place=(2, 0)),
        npc("orc", place=(5, 0)),
        board=board,
    )
    assert play.refused(Stride("ann", ((1, 0), (2, 0)))) == "enemy"
    play.do(SetHidden("sly", HiddenBy.CONCEALMENT))
    play.do(Stride("ann", ((1, 0), (2, 0), (3, 0))))
    assert play["ann"].place == (3, 0)


def test_large_bases_stride_and_block_with_all_their_squares(fighting: Any, pc: Any, npc: Any) -> None:
    board = SquareBoard(6, 3)
    play = fighting(pc("ann", place=(0, 0), footprint=(2, 2)), npc("orc", place=(4, 1), footprint=(2, 2)), board=board)
    play.do(Stride("ann", ((1, 0), (2, 0))))
    assert play.refused(Stride("ann", ((3, 0),))) == "enemy"
    assert plan_stride(play.combat, "ann", ((1, 0),)).requires_withdraw == ("orc",)


def test_reach_counts_the_turns_diagonals_and_the_rest_of_the_stride(
    fighting: Any, pc: Any, npc: Any, field: SquareBoard
) -> None:
    play = fighting(pc("ann", place=(5, 5), speed=3), npc("orc", place=(11, 11)), board=field)
    play.do(Stride("ann", ((4, 4),)))
    left = squares_left(play.combat)
    found = {square.cell: square for square in reach(play.combat, "ann", squares=left).squares}
    assert len(found) == 13
    assert found[(5, 5)].cost_squares == 2
    # For somebody whose turn it is not, diagonals count from the start.
    assert len(reach(play.combat, "orc", squares=1).squares) == 4


def test_strides_on_hexes(fighting: Any, pc: Any, npc: Any) -> None:
    board = HexBoard(9, 9, difficult=((3, 2),))
    play = fighting(
        pc("ann", place=(2, 2), speed=4),
        pc("bo", place=(5, 2)),
        npc("orc", place=(2, 4)),
        npc("elk", place=(0, 6)),
        board=board,
    )
    plan = plan_stride(play.combat, "ann", ((2, 3), (3, 2)))
    assert (plan.squares, plan.left, plan.steps, plan.leaves) == (3, 1, (1, 2), ((), ("orc",)))
    assert play.refused(Stride("ann", ((3, 2), (4, 2), (5, 2)))) == "hex_occupied"
    assert play.refused(Stride("ann", ((3, 2), (4, 2), (4, 1), (4, 0)))) == "ws_too_far"
    play.do(Stride("ann", ((3, 2), (4, 2))))
    assert play["ann"].place == (4, 2)
    assert len(reach(play.combat, "ann", squares=1).squares) == 6
    assert plan_stride(play.combat, "ann", ()).end == (4, 2)


def test_strides_on_the_free_table(fighting: Any, pc: Any, npc: Any) -> None:
    board = Ground(difficult=(((50.0, -9.0), (75.4, -9.0), (75.4, 9.0), (50.0, 9.0)),))
    play = fighting(pc("ann", place=(0, 0), speed=4), npc("orc", place=(150.0, 0)), board=board)
    plan = plan_stride(play.combat, "ann", ((50.0, 0.0), (76.2, 0.0)))
    assert plan.squares == pytest.approx(4)
    assert plan.steps == pytest.approx((50 / 25.4, (26.2 + 25.4) / 25.4))
    play.do(Stride("ann", ((50.0, 0.0), (78.2, 0.0))))
    assert play["ann"].place == (78.2, 0)
    assert squares_left(play.combat) == pytest.approx(-2 / 25.4)
    assert play.ruling.reasons[-1].text == "0 squares of the Stride are left."
    assert play.refused(Stride("ann", ((79.0, 0.0),))) == "ws_too_far"


def test_leaving_on_the_free_table_takes_a_withdraw(fighting: Any, pc: Any, npc: Any) -> None:
    play = fighting(pc("ann", place=(0, 0)), npc("orc", place=(30.0, 0)), board=Ground(), engaged_gap_mm=5)
    assert play.refused(Stride("ann", ((-10.0, 0.0),))) == "ws_requires_withdraw"
    wide = fighting(pc("ann", place=(0, 0)), npc("orc", place=(30.0, 0)), board=Ground())
    wide.do(Stride("ann", ((-5.0, 0.0),)))


@pytest.mark.parametrize("strict", [False, True])
def test_a_wall_on_the_free_table_is_advice_or_refused(fighting: Any, pc: Any, npc: Any, strict: bool) -> None:
    wall = ((20.0, -50.0), (24.0, -50.0), (24.0, 50.0), (20.0, 50.0))
    play = fighting(pc("ann", place=(0, 0)), npc("orc", place=(150.0, 0)), board=Ground(walls=(wall,)), strict=strict)
    stride = Stride("ann", ((40.0, 0.0),))
    if strict:
        assert play.refused(stride) == "ws_crosses_wall"
    else:
        assert [message.code for message in play.do(stride).advice] == ["ws_advice_crosses_wall"]


def test_what_cannot_be_strided(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    nowhere = fighting(pc("ann", place=(0, 0)), npc("orc"))
    assert nowhere.refused(Stride("ann", ((1, 0),))) == "ws_no_board"
    lost = fighting(pc("ann"), npc("orc"), board=field)
    assert lost.refused(Stride("ann", ((1, 0),))) == "ws_no_place"
    play = fighting(pc("ann", place=(0, 0)), npc("orc"), board=field)
    assert play.refused(Stride("ann", ((0.5, 0),))) == "ws_not_a_square"
    assert play.refused(Stride("ann", ((0, 0.5),))) == "ws_not_a_square"
    assert play.refused(Stride("orc", ((1, 0),))) == "ws_not_your_turn"
    assert play.refused(MoveAction("ann", MoveName.JUMP, (0.5, 1))) == "ws_not_a_square"
    assert play.refused(Adjust(replace(play["ann"], place=(0.5, 1)))) == "ws_not_a_square"
    with pytest.raises(ValueError, match="0 diagonal steps or more"):
        MoveAction("ann", MoveName.JUMP, diagonals=-1)
    askew = fighting(pc("ann", place=(0.5, 0)), npc("orc"), board=field)
    assert askew.refused(Stride("ann", ((1, 0),))) == "ws_not_a_square"
    assert play.refused(Stride("ann", ((2, 0),))) == "not_next"
    free = fighting(pc("ann", place=(0, 0)), npc("orc"), board=Ground())
    with pytest.raises(IllegalActionError) as caught:
        reach(free.combat, "ann")
    assert caught.value.code == "ws_no_board"


def test_the_message_says_what_is_possible(fighting: Any, pc: Any, npc: Any, field: SquareBoard) -> None:
    play = fighting(pc("ann", place=(0, 0), speed=2), npc("orc"), board=field)
    with pytest.raises(IllegalActionError, match=r"The way costs 3 squares and ann has 2 left\. Choose"):
        plan_stride(play.combat, "ann", ((1, 0), (2, 0), (3, 0)))
    free = fighting(pc("ann", place=(0, 0), speed=2), npc("orc"), board=Ground())
    with pytest.raises(IllegalActionError, match=r"The way costs 3.9 squares and ann has 2 left"):
        plan_stride(free.combat, "ann", ((100.0, 0),))


def test_nobody_has_squares_left_before_the_turns(setting_up: Any, pc: Any, npc: Any) -> None:
    assert squares_left(setting_up(pc("ann"), npc("orc")).combat) is None
