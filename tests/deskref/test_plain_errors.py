"""What the system refuses is told in a sentence that names the file and what to do, never as a number."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from deskref import settings
from deskref.command_line import app
from deskref.live import LiveGame
from deskref.plain_errors import said_of
from deskref.play import Play
from deskref.recording import Journal, RecordingError, is_finished, read_journal
from deskref.setup_file import SetupError, load_setup
from devices.camera import SourceError, TroubleCode
from devices.camera_spec import open_source


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("DESKREF_HOME", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def picture(path: Path, level: int = 120) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), np.full((48, 64, 3), level, np.uint8))
    return path


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EACCES, "may not be used: your user has no right to it"),
        (errno.EROFS, "may not be used"),
        (errno.ENOSPC, "the disk is full"),
        (errno.ENOTDIR, "is a file that is there already"),
        (errno.ENAMETOOLONG, "too long for a name"),
        (errno.EIO, "cannot be read or written there"),
        (errno.ENODEV, "is a device, not a file"),
        (errno.EFBIG, "is too large to be such a file"),
        (errno.EMFILE, "cannot be used"),
    ],
)
def test_each_refusal_has_its_sentence(number: int, says: str) -> None:
    said = said_of(OSError(number, os.strerror(number), "some/file.png"))
    assert says in said
    assert "Errno" not in said
    assert "some/file.png" in said


def test_a_missing_folder_and_a_missing_file_are_told_apart(tmp_path: Path) -> None:
    lost = tmp_path / "none" / "x.zip"
    assert said_of(FileNotFoundError(errno.ENOENT, "", str(lost))).startswith(
        f"There is no folder '{tmp_path / 'none'}'."
    )
    assert said_of(FileNotFoundError(errno.ENOENT, "", str(tmp_path / "x"))).startswith("There is no file")
    assert said_of(OSError("odd")) == "The system refused it: odd."


def test_a_name_that_is_too_long_is_told_by_its_begin() -> None:
    said = said_of(OSError(errno.ENAMETOOLONG, "", "a" * 300))
    assert said.startswith("'aaaa")
    assert len(said) < 130


def test_a_folder_for_drawings_that_is_a_file_is_said_plainly(home: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    status, said = run("read", str(picture(tmp_path / "a.png")), "--draw", "taken")
    assert status == 2
    assert "'taken' is a file that is there already. Name another one." in said


def test_pictures_of_one_name_from_two_folders_are_both_drawn(home: Path, tmp_path: Path) -> None:
    one, two = picture(tmp_path / "a" / "x.png", 60), picture(tmp_path / "b" / "x.png", 200)
    assert run("read", str(one), str(two), "--draw", "out")[0] == 0
    drawn = {path.name: float(cv2.imread(str(path)).mean()) for path in (tmp_path / "out").iterdir()}
    assert drawn == {"x-dice.png": pytest.approx(60, abs=1), "x-dice-2.png": pytest.approx(200, abs=1)}


def test_a_folder_in_place_of_a_journal_is_said_plainly(home: Path, tmp_path: Path) -> None:
    status, said = run("replay", str(tmp_path))
    assert (status, "is a folder, not a file. Name a file in it." in said) == (2, True)
    status, said = run("demo", "--headless", "--record", str(tmp_path))
    assert (status, "is a folder. Name a file in it that is not there yet." in said) == (2, True)


def test_an_empty_name_is_no_picture(home: Path) -> None:
    """It would mean all pictures of this folder."""
    status, said = run("read", "")
    assert status == 2
    assert "an empty name is no file" in said


@pytest.mark.parametrize("name", ["gmae.mpg4", "films/evening", "films/evening.mp", "gmae.mp4"])
def test_a_mistyped_film_is_a_missing_file_and_no_camera(home: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "films").mkdir()
    with pytest.raises(SourceError) as raised:
        open_source(name)
    assert raised.value.code is TroubleCode.NO_SUCH_FILE


@pytest.mark.parametrize("name", ["Logitech C920", "USB2.0 Camera", "HD Webcam 1.3", "no-such-camera"])
def test_a_mistyped_camera_is_no_file(home: Path, name: str) -> None:
    with pytest.raises(SourceError) as raised:
        open_source(name)
    assert raised.value.code is TroubleCode.NO_SUCH_CAMERA


def test_damaged_settings_are_told_by_commands_that_go_on(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("[table\n", encoding="utf-8")
    status, said = run("read", str(picture(tmp_path / "a.png")))
    assert status == 0
    assert "settings.toml cannot be read, so the defaults are used" in said


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_settings_saved_by_an_editor_of_windows_are_read_and_kept(tmp_path: Path, encoding: str) -> None:
    text = '# mine\r\n[page]\r\nlanguage = "de"\r\n'
    data = text.encode(encoding)
    (tmp_path / "settings.toml").write_bytes((b"\xfe\xff" if encoding == "utf-16-be" else b"") + data)
    loaded = settings.load(tmp_path)
    assert loaded.trouble is None
    assert loaded.settings.page.language == "de"
    settings.save(tmp_path, loaded.settings)
    kept = (tmp_path / "settings.toml").read_text(encoding="utf-8")
    assert kept.startswith("# mine\n")
    assert settings.load(tmp_path).settings.page.language == "de"


def test_settings_that_are_no_text_are_told_and_left(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\x80\x81\x82")
    assert "cannot be read" in (settings.load(tmp_path).trouble or "")


def test_a_journal_with_a_mark_at_its_begin_is_read_and_one_in_utf16_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Journal(path, version="0", started="now"):
        pass
    data = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + data)
    assert len(list(read_journal(path))) == 2
    path.write_bytes(data.decode().encode("utf-16"))
    with pytest.raises(RecordingError, match="saved as UTF-16: save it as UTF-8"):
        list(read_journal(path))


def test_the_diagnostics_file_makes_its_folder(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "for" / "helpers" / "found.zip"
    run("doctor", "--bundle", str(target))
    assert target.is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/null")
def test_watching_a_board_that_never_was_there_is_a_failure(home: Path) -> None:
    status, said = run("board", "monitor", "--port", "/dev/null", "--seconds", "0.5")
    assert status == 2
    assert "no serial port" in said


@pytest.mark.parametrize("name", ["   ", "\x07\x08", "a\nb", "x" * 41])
def test_names_that_cannot_be_shown_are_refused_in_a_set_up_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.json"
    soldiers = [{"name": name, "at": [0, 0]}, {"name": "Imp", "at": [50, 50]}]
    path.write_text(json.dumps({"game": "skuffle-wammer", "soldiers": soldiers}), encoding="utf-8")
    with pytest.raises(SetupError, match=r"soldiers\.1\.name") as raised:
        load_setup(path, with_camera=False)
    assert "Value error" not in str(raised.value)
    assert "String should" not in str(raised.value)


def test_a_game_that_is_ended_from_outside_is_offered_again(tmp_path: Path) -> None:
    """Only a game of which it is said so goes on later."""
    for goes_on, finished in ((True, False), (False, True)):
        path = tmp_path / f"{goes_on}.jsonl"
        game = LiveGame(Play(Journal(path, version="0", started="now")))
        game.start()
        game.goes_on_later = goes_on
        game.stop()
        assert is_finished(path) is finished
