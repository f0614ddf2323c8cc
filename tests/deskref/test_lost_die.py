"""A die that was taken to be rolled and does not come into view: behind a mug, under a hand, off the table."""

from __future__ import annotations

import pytest

from deskref.inputs import Choose
from deskref.signal import SignalKind
from deskref.skuffle_tasks import LOST_AFTER_S
from rules.skuffle_state import Phase
from tests.deskref.played_desk import DAEMON, LOKAN, TARIK, PlayedDesk

LOST = f"lost_die:{LOKAN}"


@pytest.fixture
def desk() -> PlayedDesk:
    desk = PlayedDesk()
    desk.begin()
    return desk


def test_it_is_asked_about_when_nothing_has_stirred_for_a_while(desk: PlayedDesk) -> None:
    desk.take_die(LOKAN)
    desk.wait(LOST_AFTER_S - 1)
    assert desk.task_keys() == set()
    desk.wait(2)
    assert desk.task_keys() == {LOST}
    desk.wait(20)
    assert SignalKind.DISAGREE not in desk.kinds()  # somebody who thinks with a die in the hand disagrees with nobody


def test_what_a_player_says_that_it_shows_is_the_roll(desk: PlayedDesk) -> None:
    desk.take_die(LOKAN)
    desk.wait(LOST_AFTER_S + 1)
    desk.tell(Choose(time_s=desk.time_s, task=LOST, choice="5"))
    hit = next(s for s in desk.said if s.kind is SignalKind.HIT)
    assert (hit.soldier, hit.target, hit.value) == (LOKAN, DAEMON, 5)
    desk.wait(LOST_AFTER_S + 1)
    assert desk.session.game is not None
    assert desk.session.game.current == TARIK
    assert not [key for key in desk.task_keys() if key.startswith("lost_die")]


def test_thrown_after_all_it_is_read_and_the_question_goes(desk: PlayedDesk) -> None:
    desk.take_die(LOKAN)
    desk.wait(LOST_AFTER_S + 1)
    desk.throw(2)
    assert desk.kinds(SignalKind.MISS) == [SignalKind.MISS]
    assert LOST not in desk.task_keys()


def test_a_die_taken_out_of_turn_is_to_be_put_back(desk: PlayedDesk) -> None:
    desk.take_die(TARIK)
    desk.wait(LOST_AFTER_S + 2)
    assert desk.task_keys() == {f"task_back_dice:{TARIK}"}
    assert desk.session.game is not None
    assert desk.session.game.phase is Phase.TURN
