"""Games that were cut off, journals with faults, a full disk, a folder that cannot be written, two copies."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deskref import one_copy, program, saved_game
from deskref.command_line import app
from deskref.inputs import EnterDie, StartGame
from deskref.live import LiveGame
from deskref.one_copy import OneCopy, RunningError
from deskref.play import Play
from deskref.recording import Journal, LineKind, read_journal
from deskref.replay import rulings, session_of
from deskref.saved_game import begin, forget_old, take_up
from deskref.session import Session
from tests.deskref.played_desk import LOKAN, PlayedDesk, skirmish_setup
from tests.deskref.ports import free_port
from vision import events
from vision.observation import Observation, Pose, SeenFigure, TableSeen
from vision.table_state import settle

PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def killed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let go of the files of journals that were never closed, as the end of a killed program does."""
    opened: list[Journal] = []
    made = Journal.__init__

    def remember(journal: Journal, *given: Path, **named: Any) -> None:
        made(journal, *given, **named)
        opened.append(journal)

    monkeypatch.setattr(Journal, "__init__", remember)
    yield
    for journal in opened:
        journal._file.close()


def play_some(folder: Path, *values: int) -> Play:
    """A typed game with some dice, not closed: the program is ended here."""
    play = Play(begin(folder, version="0").journal)
    play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
    for number, value in enumerate(values, start=1):
        play.happened(EnterDie(time_s=float(number), value=value))
    return play


def said(session: Session) -> list[dict[str, object]]:
    return [signal.as_json() for signal in session.log]


def only(folder: Path) -> Path:
    (path,) = folder.glob("*.jsonl")
    return path


def test_a_game_that_was_cut_off_goes_on_in_its_own_journal_again_and_again(tmp_path: Path) -> None:
    """Killed, taken up, played on, killed again: what was played before the first kill is still there."""
    play = play_some(tmp_path, 6, 3)
    for value in (2, 5, 4):
        taken = take_up(tmp_path, version="0")
        assert taken.session is not None
        assert said(taken.session) == said(play.session)
        assert "goes on where it was" in taken.said[0]
        play = Play(taken.journal, taken.session)
        play.happened(EnterDie(time_s=play.session.time_s + 1, value=value))
    assert session_of(only(tmp_path))[0].game == play.session.game
    assert [line.kind for line in read_journal(only(tmp_path))].count(LineKind.RESUMED) == 3


def test_killed_between_an_input_and_what_follows_the_rules_can_still_be_replayed(tmp_path: Path) -> None:
    play_some(tmp_path, 6, 3)
    journal = only(tmp_path)
    lines = journal.read_bytes().splitlines(keepends=True)
    last = max(i for i, line in enumerate(lines) if b'"line":"input"' in line)
    journal.write_bytes(b"".join(lines[: last + 1]))
    taken = take_up(tmp_path, version="0")
    play = Play(taken.journal, taken.session)
    for number, value in enumerate((2, 5, 4), start=3):
        play.happened(EnterDie(time_s=float(number), value=value))
    assert len(list(rulings(journal))) >= 3


@pytest.mark.parametrize("rest", ['{"line":"inp', "\u00e9".encode()[:1].decode("latin-1"), "\0" * 70_000])
def test_the_line_that_a_killed_program_was_writing_is_passed_over(tmp_path: Path, rest: str) -> None:
    play = play_some(tmp_path, 6)
    with only(tmp_path).open("ab") as file:
        file.write(rest.encode("latin-1"))
    taken = take_up(tmp_path, version="0")
    assert taken.session is not None
    assert said(taken.session) == said(play.session)
    assert [line.kind for line in read_journal(only(tmp_path))][-2:] == [LineKind.RESUMED, LineKind.GAME]


def test_of_a_broken_saved_game_the_part_before_the_fault_is_offered(tmp_path: Path) -> None:
    """The broken file stays as it is; the player is told the line and that a new game can be begun instead."""
    whole = play_some(tmp_path / "whole", 6)
    play_some(tmp_path, 6, 3)
    broken = only(tmp_path)
    lines = broken.read_bytes().splitlines(keepends=True)
    second = [i for i, line in enumerate(lines) if b'"EnterDie"' in line][1]
    lines[second] = b'{"line":"input","type":"EnterDie","value":"six"}\n'
    broken.write_bytes(b"".join(lines))
    taken = take_up(tmp_path, version="0")
    assert taken.session is not None
    assert said(taken.session) == said(whole.session)
    assert f"line {second + 1}" in taken.said[0]
    assert "New game (N)" in taken.said[0]
    assert broken.read_bytes() == b"".join(lines)
    Play(taken.journal, taken.session).happened(EnterDie(time_s=9.0, value=2))
    again = take_up(tmp_path, version="0")
    assert again.session is not None
    assert len(again.session.log) > len(taken.session.log)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n", "not text"),
        (b'{"line":"head","format":"deskref-journal/9"}\n', "deskref-journal/9"),
        (b"[1, 2]\n", "expected one of the kinds"),
    ],
)
def test_a_saved_game_that_is_none_begins_a_new_one_and_says_so(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "2000-01-01.jsonl").write_bytes(content)
    taken = take_up(tmp_path, version="0")
    assert taken.session is None
    assert taken.journal is not None
    assert "cannot be read" in taken.said[0]
    assert words in taken.said[0]


def test_a_finished_game_is_not_taken_up(tmp_path: Path) -> None:
    play = play_some(tmp_path, 6)
    assert play.journal is not None
    play.journal.close()
    assert take_up(tmp_path, version="0").session is None


def test_two_games_may_begin_in_the_same_second(tmp_path: Path) -> None:
    journals = {begin(tmp_path, version="0").journal for _ in range(5)}
    assert None not in journals
    assert len(list(tmp_path.glob("*.jsonl"))) == 5


def test_old_games_beyond_the_number_kept_are_deleted(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.jsonl").touch()
    forget_old(tmp_path, keep=2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.jsonl", "d.jsonl"]


class FullDisk:
    """A journal's file on a disk with room for so many bytes, which writes what fits, as a system does."""

    def __init__(self, journal: Journal, room: int) -> None:
        self._file = journal._file
        self.room = room
        journal._file = self  # type: ignore[assignment]  # stands in for the file

    closed = False

    def write(self, data: bytearray) -> int:
        fits = min(self.room, len(data))
        if fits == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= fits
        return self._file.write(bytes(data[:fits]))

    def close(self) -> None:
        self._file.close()


def seen_at(number: int, time_s: float, *figures: SeenFigure) -> Observation:
    return Observation(number, time_s, (1280, 720), TableSeen(found=True, markers=6), figures=figures)


def standing(x: float, y: float) -> SeenFigure:
    return SeenFigure((0, 0, 9, 9), Pose.STANDING, 0.9, (x, y))


@pytest.mark.parametrize("room", [0, 1, 40, 200, 1500])
def test_on_a_full_disk_the_game_goes_on_and_is_whole_when_there_is_room_again(tmp_path: Path, room: int) -> None:
    play = play_some(tmp_path, 6)
    assert play.journal is not None
    disk = FullDisk(play.journal, room)
    for number, value in enumerate((3, 2, 5), start=2):
        play.happened(EnterDie(time_s=float(number), value=value))
        play.seen(seen_at(number, float(number)))
    assert play.journal.trouble == os.strerror(errno.ENOSPC)
    assert session_of(only(tmp_path))[1] is None, "what is on the disk can be read at any moment"
    disk.room = 10**6
    play.seen(seen_at(9, 9.0))
    play.happened(EnterDie(time_s=9.0, value=1))
    assert play.journal.trouble is None
    assert said(session_of(only(tmp_path))[0]) == said(play.session)
    play.seen(seen_at(10, 10.0))
    seen = [line for line in read_journal(only(tmp_path)) if line.kind is LineKind.OBSERVATION]
    assert seen[-1].observation(None) == seen_at(10, 10.0), "it does not lean on one that was left out"


def test_what_waits_is_written_as_soon_as_there_is_room_though_nobody_plays(tmp_path: Path) -> None:
    """Found by a soak: it waited for the next line, and with the program killed before that it was lost."""
    play = play_some(tmp_path, 6)
    assert play.journal is not None
    disk = FullDisk(play.journal, 40)
    play.happened(EnterDie(time_s=2.0, value=3))
    play.passed(3.0)
    assert play.journal.trouble == os.strerror(errno.ENOSPC)
    disk.room = 10**6
    play.passed(3.2)
    assert play.journal.trouble is None
    assert said(session_of(only(tmp_path))[0]) == said(play.session)


def test_a_full_disk_is_told_with_what_to_do(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = begin(tmp_path, version="0").journal
    assert journal is not None
    FullDisk(journal, 0)
    Play(journal).happened(EnterDie(time_s=1.0, value=2))
    assert "Make room" in caplog.text
    assert "Errno" not in caplog.text


def test_a_full_disk_is_told_by_the_running_game(tmp_path: Path) -> None:
    journal = begin(tmp_path, version="0").journal
    assert journal is not None
    FullDisk(journal, 0)
    game = LiveGame(Play(journal))
    game.tell(StartGame(setup=skirmish_setup(with_camera=False)))
    game.start()
    try:
        wait_for(game, lambda: game.session.setup is not None)
        assert game.record_trouble == os.strerror(errno.ENOSPC)
    finally:
        game.stop()


def wait_for(game: LiveGame, is_so: Callable[[], bool]) -> None:
    import threading

    stepped = threading.Event()
    game.on_signals.append(lambda _: stepped.set())
    assert is_so() or (stepped.wait(PATIENCE_S) and is_so())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_where_no_journal_can_be_written_the_game_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object, **__: object) -> Journal:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(saved_game, "Journal", refuse)
    taken = take_up(tmp_path, version="0")
    assert taken.journal is None
    (told,) = taken.said
    assert repr(str(tmp_path)) in told
    assert "Make room" in told or "Name another place" in told, "what to do"
    assert "DESKREF_HOME" in told


def test_after_a_restart_everybody_on_the_desk_is_who_he_was(tmp_path: Path) -> None:
    """The camera finds the figures in another order than before; they keep their numbers by their places."""
    desk = PlayedDesk()
    desk.begin()
    desk.attack(LOKAN, 5)
    play = Play(begin(tmp_path, version="0").journal)
    for happened in desk.happened:
        play.happened(happened)
    taken = take_up(tmp_path, version="0")
    assert taken.session is not None
    assert taken.table is not None
    assert taken.session.bindings == play.session.bindings
    before = {f.figure: f.mm for f in play.session.desk.figures}
    assert len(before) == 4
    state = taken.table
    told: list[events.TableEvent] = []
    figures = tuple(standing(x + 0.5, y) for x, y in reversed(list(before.values())))
    for frame in range(40):
        seen = seen_at(frame, state.time_s + 0.1, *figures)
        state, happened_now = settle(state, seen)
        told += happened_now
    assert {f.figure: f.mm for f in state.seated_figures}.keys() == before.keys()
    assert not [e for e in told if isinstance(e, events.FigureEvent)]
    for frame in range(40, 80):
        seen = seen_at(frame, state.time_s + 0.1, *figures, standing(0.0, 0.0))
        state, happened_now = settle(state, seen)
        told += happened_now
    assert [e.figure for e in told if isinstance(e, events.FigureEntered)] == [max(before) + 1]


def test_a_second_copy_is_refused_and_says_where_the_first_is(tmp_path: Path) -> None:
    first = OneCopy(tmp_path, port=8400)
    second = subprocess.run(
        [sys.executable, "-m", "deskref", "play", "--camera", "none", "--no-browser", "--port", "8401"],
        env={**os.environ, "DESKREF_HOME": str(tmp_path)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert second.returncode == 2
    assert "running already. Open http://127.0.0.1:8400" in second.stderr
    assert not (tmp_path / "games").exists()
    first.release()
    OneCopy(tmp_path, port=8401).release()


def test_a_copy_that_was_killed_leaves_nothing_locked(tmp_path: Path) -> None:
    held = subprocess.Popen(
        [
            sys.executable, "-c",
            "import sys, pathlib; from deskref.one_copy import OneCopy\n"
            "copy = OneCopy(pathlib.Path(sys.argv[1]), port=8400); print('held', flush=True); sys.stdin.read()",
            str(tmp_path),
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert held.stdout is not None
    assert held.stdout.readline() == b"held\n"
    with pytest.raises(RunningError):
        OneCopy(tmp_path, port=8401)
    held.kill()
    held.communicate(timeout=PATIENCE_S)
    OneCopy(tmp_path, port=8401).release()


def test_a_folder_that_cannot_be_made_holds_no_second_copy_off(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    OneCopy(tmp_path / "file" / "home", port=1).release()
    assert not list(tmp_path.glob(one_copy.FILE_NAME))


def test_a_port_in_use_is_said_before_a_game_is_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that was cut off is still the newest one at the next start."""
    import socket

    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    play_some(tmp_path / "games", 6)
    before = only(tmp_path / "games").read_bytes()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = CliRunner().invoke(app, ["play", "--camera", "none", "--no-browser", "--port", str(port)])
    assert done.exit_code == 2
    assert f"Port {port} is in use" in done.stderr
    assert f"--port {port + 1}" in done.stderr
    assert only(tmp_path / "games").read_bytes() == before


def test_a_broken_settings_file_is_said_and_the_defaults_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told in the terminal and handed to the page, and the file is left for the player to mend."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("[page]\nport = 'eighty'\n", encoding="utf-8")
    served: list[dict[str, object]] = []
    monkeypatch.setattr(program, "serve_game", lambda *_, **given: served.append(given))
    program.play(camera="none", setup=None, port=free_port(), open_browser=False)
    words = "settings.toml has a mistake, so the defaults are used: page.port is 'eighty'; it must be a whole number."
    assert words in "".join(capsys.readouterr().err.split("\n"))
    (news,) = [given["news"] for given in served]
    assert words in str(news)
    assert (tmp_path / "settings.toml").read_text(encoding="utf-8") == "[page]\nport = 'eighty'\n"
