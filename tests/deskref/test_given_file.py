"""What a person names is read only where it has an end; what is to be written gets its folders."""

from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deskref import recording
from deskref.command_line import app
from deskref.given_file import making, open_given, read_given
from deskref.plain_errors import said_of
from deskref.recording import Journal, RecordingError, read_journal

DEVICES = pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/zero")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@DEVICES
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("replay", "/dev/zero"), "'/dev/zero' is a device, not a file. Name a file."),
        (("play", "--camera", "none", "--setup", "/dev/zero"), "'/dev/zero' is a device, not a file."),
        (("watch", "/dev/zero"), "'/dev/zero' is not a film that can be read here."),
        (("watch", "/dev/null"), "'/dev/null' is not a film that can be read here."),
        (("bench", "--film", "/dev/zero"), "'/dev/zero' is not a film that can be read here."),
        (("bench", "--film", "nope"), "There is no file 'nope'."),
        (("bench", "--film", "."), "There is no picture in the folder '.'."),
        (("watch", "/dev/video-none"), "There is no camera '/dev/video-none'"),
    ],
)
def test_a_device_is_no_file_and_a_film_no_camera(command: tuple[str, ...], says: str) -> None:
    """They hung for ever, or spoke of a camera where a film was meant."""
    status, said = run(*command)
    assert (status, says in said) == (2, True), said


@DEVICES
def test_a_pipe_is_read(tmp_path: Path) -> None:
    """Shells give a command's output as a file: `deskref replay <(zcat game.jsonl.gz)`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"123",), name="writer")
    writer.start()
    assert read_given(pipe) == b"123"
    writer.join(5)


def test_a_file_that_is_far_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_given(path, most_bytes=5) == b"12345"
    with pytest.raises(OSError, match="x") as raised:
        read_given(path, most_bytes=4)
    assert "is too large" in said_of(raised.value)


def test_reading_that_fails_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.touch()
    with pytest.raises(OSError, match="x") as raised, open_given(path):
        raise OSError(errno.EIO, "Input/output error")
    assert said_of(raised.value) == (
        f"{str(path)!r} cannot be read or written there. Copy it to another place, or name another file."
    )


def test_a_new_file_gets_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "x"
    with making(path):
        path.touch()
    assert path.exists()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux has /proc")
@pytest.mark.parametrize("place", ["/proc/x.pdf", "/proc/x/y.pdf"])
def test_in_a_folder_of_the_systems_nothing_is_looked_for(place: str) -> None:
    """It was said that the file that was to be made is not there."""
    for command in (("demo", "--headless", "--record", place), ("mat", place)):
        status, said = run(*command)
        assert (status, "There is no file" in said, "Name another place." in said) == (2, False, True), said


def test_a_journal_without_ends_of_lines_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    with Journal(path, version="0", started="now"):
        pass
    monkeypatch.setattr(recording, "LONGEST_LINE", 200)
    assert len(list(read_journal(path))) == 2
    path.write_bytes(path.read_bytes() + b"0" * 300)
    with pytest.raises(RecordingError, match=r"x\.jsonl, line 3: longer than any line"):
        list(read_journal(path))


HEAD = '{"line":"head","format":"deskref-journal/1","version":"0","started":"now","film":null%s}\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD % "" + '{"line":"observation","frame":NaN}\n', "NaN is no number that can be measured"),
        (HEAD % "" + '{"line":"observation","frame":1e999}\n', "1e999 is no number"),
        (HEAD % "" + '{"line":"observation","frame":1}\n', "the observation lacks 'table'"),
        (HEAD % "" + '{"line":"observation","same":true}\n', "the same as before, but nothing was before"),
        (HEAD % "" + '{"line":["event"]}\n', "expected one of the kinds"),
        (HEAD % "" + "[1, 2\n", "not JSON from character"),
    ],
)
def test_what_is_wrong_in_a_recording_names_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text(text, encoding="utf-8")
    status, said = run("replay", str(path))
    assert (status, said.startswith("evening.jsonl, line 2: "), says in said) == (2, True, True), said


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (',"table":{"kind":"sofa","width_mm":1,"depth_mm":1,"corners":[],"print_scale":1}', "'sofa'"),
        (',"table":{"kind":"mat"}', "lack"),
        (',"table":[]', "of a wrong kind"),
    ],
)
def test_a_head_with_another_table_names_file_and_line(tmp_path: Path, head: str, says: str) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text(HEAD.replace("null", '"evening.mp4"') % head, encoding="utf-8")
    status, said = run("replay", str(path), "--from", "frames")
    assert (status, said.startswith("evening.jsonl, line 1: "), says in said) == (2, True, True), said


def test_a_journal_that_was_cut_off_in_its_first_line_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text('{"line":"he', encoding="utf-8")
    for cut in ("frames", "observations", "actions"):
        status, said = run("replay", str(path), "--from", cut)
        assert (status, "evening.jsonl" in said) == (2, True), (cut, said)
