"""The games of an evening: each has its outcome and its report, of this run of the program and of those before it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from deskref.evening import EveningGame, games_before, games_of
from deskref.game_report import report_of
from deskref.inputs import EnterDie, Source, StartGame
from deskref.play import Play
from deskref.recording import Journal
from deskref.replay import followed
from deskref.report_html import report_file, report_html
from deskref.saved_game import NAME
from deskref.session import Session
from tests.deskref.played_desk import PlayedDesk, skirmish_setup

TYPED = skirmish_setup(with_camera=False)


def start(at: str = "2026-11-30T20:15:00+00:00") -> StartGame:
    return StartGame(setup=TYPED, at=at)


def die(value: int) -> EnterDie:
    return EnterDie(value=value, source=Source.TYPED)


def three_games() -> Session:
    desk = PlayedDesk()
    for happened in (start(), die(6), start("2026-11-30T20:40:00+00:00"), start(""), die(1), die(6)):
        desk.tell(happened)
    return desk.session


def outcomes(games: tuple[EveningGame, ...]) -> list[tuple[str, int]]:
    return [(game.key, len(game.game.past)) for game in games]


def test_every_game_of_a_session_in_which_somebody_played_is_kept() -> None:
    """The second one was begun and given up before anybody threw: it is no game of the evening."""
    games = games_of(three_games())
    assert outcomes(games) == [("1", 1), ("", 2)]
    assert games[0].began == datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
    assert games[1].began is None


def test_each_game_has_a_report_of_its_own() -> None:
    reports = [report_of(game.game) for game in games_of(three_games())]
    rolls = [sum(a.rolls for a in made.attempts) for made in reports if made is not None]
    assert rolls == [1, 2]


def written(folder: Path, began: datetime, *happened: StartGame | EnterDie) -> Path:
    """Write a journal as a run of the program does."""
    path = folder / f"{began:{NAME}}.jsonl"
    with Journal(path, version="1", started=began.isoformat()) as journal:
        play = Play(journal)
        for each in happened:
            play.happened(each)
    return path


def test_a_game_that_is_taken_up_knows_the_games_before_it(tmp_path: Path) -> None:
    path = written(tmp_path, datetime.now(UTC), start(), die(6), start(), die(1), die(6))
    assert outcomes(games_of(followed(path).session)) == [("1", 1), ("", 2)]


def test_journals_of_the_same_evening_count_and_others_do_not(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    written(tmp_path, now - timedelta(days=1), start(), die(6))
    before = written(tmp_path, now - timedelta(hours=2), start(), die(6), start(), die(1), die(6))
    own = written(tmp_path, now, start(), die(6))
    games = games_before(tmp_path, now=now, but=own)
    assert outcomes(games) == [(f"{before.stem}.1", 1), (f"{before.stem}.2", 2)]


def test_a_journal_of_old_names_no_hour_and_counts(tmp_path: Path) -> None:
    path = written(tmp_path, datetime.now(UTC), start(), die(6))
    text = path.read_text(encoding="utf-8")
    assert '"at":' in text
    path.write_text(re.sub(r'"at":"[^"]*",', "", text), encoding="utf-8")
    (game,) = games_before(tmp_path, now=datetime.now(UTC))
    assert game.began is None
    assert len(game.game.past) == 1


def test_a_broken_journal_gives_what_stands_before_its_fault(tmp_path: Path) -> None:
    path = written(tmp_path, datetime.now(UTC), start(), die(6), start(), die(6), die(1))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    starts = [n for n, line in enumerate(lines) if '"StartGame"' in line]
    path.write_text("".join([*lines[: starts[1] + 1], "{broken\n", *lines[starts[1] + 1 :]]), encoding="utf-8")
    assert outcomes(games_before(tmp_path, now=datetime.now(UTC))) == [(f"{path.stem}.1", 1)]


def test_the_report_lists_the_games_and_links_to_all_but_its_own() -> None:
    games = games_of(three_games())
    html = report_html(report_of(games[0].game), None, evening=games, shown="1")
    assert html.count('href="/report') == 1
    assert 'href="/report"' in html
    assert "Given up in round 1." in html
    assert "Round 1; the game is on." in html
    assert "href" not in report_file(report_of(games[0].game), None, evening=games, shown="1")


def test_a_game_that_was_given_up_is_so_in_the_list_and_in_its_report() -> None:
    games = games_of(three_games())
    earlier = report_html(report_of(games[0].game), None, evening=games, shown="1")
    assert earlier.count("Given up in round 1.") == 2
    assert earlier.count("the game is on.") == 1  # the one that is played, in the list
    now = report_html(report_of(games[1].game), None, evening=games)
    assert (now.count("Given up in round 1."), now.count("the game is on.")) == (1, 2)


def test_a_single_game_is_no_list() -> None:
    games = games_of(three_games())[1:]
    assert "The games of this evening" not in report_html(report_of(games[0].game), None, evening=games)
