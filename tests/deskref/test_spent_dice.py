"""Dice that lie on the desk after their roll was counted, and dice of the same colour that come after them."""

from __future__ import annotations

import pytest

from deskref.inputs import Undo
from deskref.signal import SignalKind
from tests.deskref.played_desk import DAEMON, LOKAN, TARIK, PlayedDesk
from vision import events

VERDICTS = (SignalKind.HIT, SignalKind.MISS, SignalKind.SAVED)


@pytest.fixture
def desk() -> PlayedDesk:
    desk = PlayedDesk()
    desk.begin()
    return desk


def rest(desk: PlayedDesk, track: int, value: int) -> None:
    """A die that vision knows by this number comes to rest."""
    mm = (60.0, 0.0)
    desk.tell(events.DieThrown(frame=1, time_s=desk.time_s, die=track, mm=mm))
    desk.tell(events.DieAtRest(frame=2, time_s=desk.time_s, die=track, mm=mm, value=value, confidence=0.9))
    desk.wait(1)


def test_the_next_die_thrown_counts_though_it_comes_back_under_a_spent_dies_number(desk: PlayedDesk) -> None:
    """Two dice of one colour were taken off the table: the spent one, then Tarik's. Nobody can tell them apart."""
    spent = desk.attack(LOKAN, 2)
    desk.remove_die(spent)
    desk.take_die(TARIK)
    rest(desk, spent, 5)
    rolls = [(s.soldier, s.value) for s in desk.said if s.kind is SignalKind.ROLL]
    assert rolls == [(LOKAN, 2), (TARIK, 5)]
    assert desk.kinds(*VERDICTS) == [SignalKind.MISS, SignalKind.HIT]


def test_a_spent_die_that_is_pushed_and_never_taken_is_no_roll(desk: PlayedDesk) -> None:
    spent = desk.attack(LOKAN, 2)
    desk.take_die(TARIK)
    rest(desk, spent, 5)
    assert desk.kinds(*VERDICTS) == [SignalKind.MISS]


def test_taking_back_the_roll_of_a_die_that_is_gone_asks_for_it(desk: PlayedDesk) -> None:
    spent = desk.attack(LOKAN, 5)
    desk.remove_die(spent)
    desk.tell(Undo(time_s=desk.time_s))
    desk.wait(1)
    game = desk.session.game
    assert game is not None
    assert (game.soldier(LOKAN).pool, game.soldier(DAEMON).pool) == (2, 2)
    assert game.current == LOKAN
