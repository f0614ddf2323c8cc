"""The journal: nothing lost, read back as it was written, broken lines named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskref.inputs import EnterDie, Source, StartGame
from deskref.page import world_saga_fields
from deskref.play import Play
from deskref.recording import Journal, LineKind, RecordingError, is_finished, read_journal
from deskref.replay import rulings, session_of
from rules.json_form import to_json
from tests.deskref.played_desk import LOKAN, PlayedDesk, skirmish_setup


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "game.jsonl", version="0", started="2026-01-01T00:00:00+00:00")
    yield journal
    journal.close()


def played(journal: Journal) -> Play:
    """A few steps of a game with a camera, through the journal."""
    desk = PlayedDesk()
    desk.begin()
    desk.attack(LOKAN, 5)
    play = Play(journal)
    for happened in desk.happened:
        play.happened(happened)
    return play


def test_a_session_is_made_again_from_its_journal(journal: Journal) -> None:
    play = played(journal)
    session, trouble = session_of(journal.path)
    assert trouble is None
    assert session.game == play.session.game
    assert session.game is not None
    assert [s.as_json() for s in session.log] == [s.as_json() for s in play.session.log]


def test_every_line_is_flushed_before_the_call_returns(journal: Journal) -> None:
    """A killed program loses nothing: the file holds each line while it is still open."""
    play = Play(journal)
    play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    play.happened(EnterDie(time_s=1.0, value=6))
    kinds = [line.kind for line in read_journal(journal.path)]
    assert kinds.count(LineKind.INPUT) == 2
    assert LineKind.GAME in kinds


def test_a_killed_journal_is_not_finished_and_a_closed_one_is(journal: Journal) -> None:
    assert not is_finished(journal.path)
    journal.close()
    assert is_finished(journal.path)


def test_a_last_line_cut_off_is_passed_over(journal: Journal) -> None:
    played(journal)
    whole = session_of(journal.path)[0]
    with journal.path.open("a", encoding="utf-8") as file:
        file.write('{"line":"input","type":"Ent')
    session, trouble = session_of(journal.path)
    assert trouble is None
    assert session.game == whole.game


def test_a_broken_line_is_named_and_the_part_before_it_kept(journal: Journal) -> None:
    play = Play(journal)
    play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    play.happened(EnterDie(time_s=1.0, value=6))
    game = play.session.game
    lines = journal.path.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.path.write_text("".join([*lines, '{"line":"input","nonsense":1}\n', lines[-1]]), encoding="utf-8")
    session, trouble = session_of(journal.path)
    assert session.game == game
    assert trouble is not None
    assert f"line {len(lines) + 1}" in trouble


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "empty"),
        ("hello\n", "not JSON"),
        ('{"line":"head","format":"other/9"}\n', "other/9"),
        ('{"line":"signal"}\n', "head"),
        ("[1]\n", "expected"),
        ("[" * 100_000 + "\n", "not JSON"),
    ],
)
def test_what_is_no_journal_is_refused_with_the_reason(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RecordingError, match=says):
        list(read_journal(path))


def test_rulings_are_resolved_again_to_the_same_bytes(journal: Journal) -> None:
    play = Play(journal)
    play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    for i, value in enumerate((6, 5, 2, 4)):
        play.happened(EnterDie(time_s=float(i + 1), value=value, source=Source.TYPED))
    once, twice = list(rulings(journal.path)), list(rulings(journal.path))
    assert once == twice
    assert len(once) == 8
    assert json.loads(once[-1])["state"] == json.loads(to_json(play.session.game))


def test_a_game_of_another_rule_set_in_the_middle_is_named(journal: Journal, tmp_path: Path) -> None:
    """Its actions were resolved for the game before it, which is none of theirs."""
    play = Play(journal)
    play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    other = Journal(tmp_path / "other.jsonl", version="0", started="2026-01-01T00:00:00+00:00")
    combat = Play(other)
    combat.happened(StartGame(setup=world_saga_fields.setup_of(world_saga_fields.first_fields())))
    combat.happened(EnterDie(time_s=1.0, value=9, source=Source.TYPED))
    other.close()
    lines = other.path.read_text(encoding="utf-8").splitlines()
    acted = next(line for line in lines if '"line":"game"' in line and '"actions":[]' not in line)
    with journal.path.open("a", encoding="utf-8") as file:
        file.write(acted + "\n")
    with pytest.raises(RecordingError, match="another rule set"):
        list(rulings(journal.path))


def test_a_recorded_game_that_the_rules_deny_is_named(journal: Journal) -> None:
    play = Play(journal)
    play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    play.happened(EnterDie(time_s=1.0, value=6))
    text = journal.path.read_text(encoding="utf-8")
    assert '"type":"Die","value":6' in text
    journal.path.write_text(text.replace('"type":"Die","value":6', '"type":"Die","value":1'), encoding="utf-8")
    with pytest.raises(RecordingError, match="another game"):
        list(rulings(journal.path))
