"""What a session keeps of a long evening, and what only the journal keeps."""

from __future__ import annotations

from pathlib import Path

from deskref.game_report import report_of
from deskref.inputs import EnterDie, PassTurn, Source, StartGame
from deskref.play import Play
from deskref.recording import Journal, LineKind, read_journal
from deskref.replay import followed
from deskref.session import LOG_DEPTH, Session
from deskref.signal import SignalKind
from tests.deskref.played_desk import skirmish_setup

START = StartGame(setup=skirmish_setup(with_camera=False))
GAME = (START, EnterDie(value=6, source=Source.TYPED), PassTurn(), EnterDie(value=2, source=Source.TYPED))


def evening(play: Play, games: int) -> list[Session]:
    """Play some games; the session as each ended."""
    ended = []
    for _ in range(games):
        for happened in GAME:
            play.happened(happened)
        ended.append(play.session)
    return ended


def test_the_log_holds_the_game_before_and_the_one_that_is_played() -> None:
    first, second, third = evening(Play(), 3)
    assert second.log[: len(first.log)] == first.log
    assert third.log[0].number == first.log[-1].number + 1
    assert len(third.log) == len(second.log)
    assert third.game_log[0].kind is SignalKind.STARTED
    assert [s.number for s in third.log] == list(range(third.log[0].number, third.log[-1].number + 1))


def test_every_game_of_the_evening_has_the_report_that_it_had() -> None:
    play = Play()
    ended = evening(play, 4)
    play.happened(START)
    assert [game.past for game in play.session.earlier] == [session.past for session in ended]
    assert [report_of(game) for game in play.session.earlier] == [report_of(session) for session in ended]


def test_games_that_are_over_take_little() -> None:
    play = Play()
    evening(play, 30)
    assert sum(len(game.packed) for game in play.session.earlier) < 29 * 2000


def test_the_journal_has_everything_that_was_said(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    with Journal(path, version="1", started="2026-11-30T20:00:00+00:00") as journal:
        play = Play(journal)
        evening(play, 4)
    said = [line.data["n"] for line in read_journal(path) if line.kind is LineKind.SIGNAL]
    assert said == list(range(1, play.session.log[-1].number + 1))
    again = followed(path).session
    assert again.log == play.session.log
    assert [game.past for game in again.earlier] == [game.past for game in play.session.earlier]


def test_a_very_long_game_keeps_its_newest_lines() -> None:
    session = Session()
    for number in range(LOG_DEPTH + 50):
        session = session.say(SignalKind.TROUBLE, "table_lost", why=str(number))
    assert len(session.log) == LOG_DEPTH
    assert (session.log[0].number, session.log[-1].number) == (51, LOG_DEPTH + 50)
