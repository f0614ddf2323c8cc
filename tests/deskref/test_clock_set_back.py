"""The computer's clock was wrong and is put right between two games: the last game is still the last one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deskref.inputs import EnterDie, StartGame
from deskref.play import Play
from deskref.saved_game import begin, forget_old, take_up
from tests.deskref.played_desk import skirmish_setup
from tests.soak.faults import clock_off_by

LATER, EARLIER = timedelta(days=30), timedelta(days=-400)


def play(folder: Path, *, is_finished: bool) -> Path:
    """Play a little of a new game, and end it in an orderly way or not."""
    journal = begin(folder, version="0").journal
    assert journal is not None
    game = Play(journal)
    game.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    game.happened(EnterDie(time_s=1.0, value=6))
    journal.close(orderly=is_finished)
    return journal.path


@pytest.mark.parametrize("shift", [LATER, EARLIER])
def test_the_game_that_was_cut_off_is_taken_up_although_the_clock_was_set(tmp_path: Path, shift: timedelta) -> None:
    """Found by a soak: with its clock set back, a killed game was never offered again."""
    with clock_off_by(-shift):
        play(tmp_path, is_finished=True)
    with clock_off_by(shift):
        cut_off = play(tmp_path, is_finished=False)
    taken = take_up(tmp_path, version="0")
    assert taken.journal is not None
    taken.journal.close()
    assert taken.journal.path == cut_off
    assert taken.session is not None


def test_of_old_games_the_one_that_is_played_is_deleted_last(tmp_path: Path) -> None:
    """Otherwise a clock that was set back would delete the journal that is being written."""
    with clock_off_by(LATER):
        old = [play(tmp_path, is_finished=True) for _ in range(3)]
    playing = play(tmp_path, is_finished=False)
    forget_old(tmp_path, keep=1)
    assert playing.exists()
    assert not any(path.exists() for path in old)


def test_with_a_right_clock_the_name_tells_when_the_game_began(tmp_path: Path) -> None:
    before = datetime.now(UTC)
    began = datetime.strptime(play(tmp_path, is_finished=True).stem, "%Y-%m-%dT%H%M%S.%f").replace(tzinfo=UTC)
    assert before <= began <= datetime.now(UTC)


def test_a_journal_that_a_player_has_named_hides_no_other(tmp_path: Path) -> None:
    """A copy kept as `our best game.jsonl` sorts behind all times."""
    play(tmp_path, is_finished=True).rename(tmp_path / "our best game.jsonl")
    cut_off = play(tmp_path, is_finished=False)
    taken = take_up(tmp_path, version="0")
    assert taken.journal is not None
    taken.journal.close()
    assert taken.journal.path == cut_off
