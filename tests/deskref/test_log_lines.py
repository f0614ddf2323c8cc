"""The log strikes out what no longer holds: lines of steps that were taken back, and those that were corrected."""

from __future__ import annotations

import pytest

from deskref import session
from deskref.inputs import CorrectDie, EnterDie, PassTurn, Redo, StartGame, Undo
from deskref.page.table_page import _log_line
from deskref.session import Fate, Session
from deskref.signal import SignalKind
from tests.deskref.played_desk import LOKAN, TARIK, PlayedDesk, skirmish_setup
from tests.deskref.test_camera_dice import skirmish


def lines(session: Session, fate: Fate) -> list[str]:
    return [s.message.text for s in session.game_log if session.fate(s.number) is fate]


def typed() -> PlayedDesk:
    desk = PlayedDesk()
    desk.tell(StartGame(setup=skirmish_setup(with_camera=False)))
    desk.tell(EnterDie(value=6))
    desk.tell(EnterDie(value=1))
    return desk


def test_lines_of_a_step_that_was_taken_back_are_struck_and_no_others() -> None:
    desk = typed()
    desk.tell(Undo())
    undone = lines(desk.session, Fate.UNDONE)
    assert undone[0] == "Tarik rolled 1."
    assert undone[1].startswith("Tarik misses")
    assert "Lokan rolled 6." in lines(desk.session, Fate.HOLDS)
    assert any(text.startswith("Taken back") for text in lines(desk.session, Fate.HOLDS))
    desk.tell(Undo())
    assert "Lokan rolled 6." in lines(desk.session, Fate.UNDONE)


def test_what_is_done_again_holds_again() -> None:
    desk = typed()
    desk.tell(Undo())
    desk.tell(Undo())
    desk.tell(Redo())
    assert "Lokan rolled 6." in lines(desk.session, Fate.HOLDS)
    assert "Tarik rolled 1." in lines(desk.session, Fate.UNDONE)
    desk.tell(EnterDie(value=5))
    assert "Tarik rolled 5." in lines(desk.session, Fate.HOLDS)
    assert "Tarik rolled 1." in lines(desk.session, Fate.UNDONE)


def test_a_refusal_after_a_step_is_not_part_of_it() -> None:
    desk = typed()
    desk.tell(EnterDie(value=9))
    desk.tell(Undo())
    refusals = [s for s in desk.session.log if s.kind is SignalKind.ILLEGAL]
    assert refusals
    assert all(desk.session.fate(s.number) is Fate.HOLDS for s in refusals)


def test_a_corrected_roll_and_what_followed_from_it_are_struck_and_said_anew() -> None:
    desk = PlayedDesk()
    desk.begin()
    die = desk.attack(LOKAN, 2)
    desk.remove_die(die)
    desk.attack(TARIK, 5, (20.0, 10.0))
    desk.tell(CorrectDie(time_s=desk.time_s, die=die, value=6))
    replaced, hold = (lines(desk.session, fate) for fate in (Fate.REPLACED, Fate.HOLDS))
    assert "Lokan rolled 2." in replaced
    assert "Tarik rolled 5." in replaced
    assert "Corrected: Lokan rolled 6, not 2." in hold
    assert {"Lokan rolled 6.", "Tarik rolled 5."} <= set(hold)
    assert lines(desk.session, Fate.UNDONE) == []


def test_each_die_of_a_roll_is_a_step_of_its_own() -> None:
    desk = skirmish(8)
    for value in (5, 2):
        desk.tell(EnterDie(value=value))
    desk.tell(Undo())
    undone = lines(desk.session, Fate.UNDONE)
    assert "Lokan: the d6 shows 2." in undone
    assert "Lokan: the d8 shows 5." in lines(desk.session, Fate.HOLDS)


def test_a_game_so_long_that_its_first_steps_are_forgotten_has_nothing_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "UNDO_DEPTH", 4)
    desk = PlayedDesk()
    desk.tell(StartGame(setup=skirmish_setup(with_camera=False)))
    for _ in range(7):
        desk.tell(PassTurn())
    assert len(desk.session.past) == 4
    assert desk.session.replaced == ()


def test_a_struck_line_says_so_in_a_word_beside_the_struck_text() -> None:
    desk = typed()
    signal = next(s for s in desk.session.log if s.kind is SignalKind.ROLL)
    struck = _log_line(signal, "", Fate.UNDONE, began_s=0.0)
    assert '[taken back]</span> <del class="struck">' in struck
    assert "<del" not in _log_line(signal, "", Fate.HOLDS, began_s=0.0)
    assert "[corrected]" in _log_line(signal, "", Fate.REPLACED, began_s=0.0)
