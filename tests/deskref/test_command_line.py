"""The commands given what they cannot use: one clear line each, exit status 2, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from deskref.command_line import app


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def picture(path: Path, image: np.ndarray) -> Path:  # type: ignore[type-arg]
    assert cv2.imwrite(str(path), image)
    return path


@pytest.fixture
def grey(tmp_path: Path) -> Path:
    return picture(tmp_path / "grey.png", np.full((120, 160, 3), 128, np.uint8))


@pytest.mark.parametrize("command", ["read", "observe", "explain"])
@pytest.mark.parametrize(
    ("name", "content"),
    [("empty.jpg", b""), ("text.jpg", b"this is no picture"), ("cut.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")],
)
def test_files_that_are_no_pictures_are_named(tmp_path: Path, command: str, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    result = run(command, path)
    assert result.exit_code == 2
    assert name in result.stderr


def test_the_other_pictures_are_still_read(tmp_path: Path, grey: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no")
    result = run("read", "--json", bad, grey, tmp_path / "missing.jpg")
    assert result.exit_code == 2
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == [str(grey)]
    assert "missing.jpg" in result.stderr


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    result = run("read", tmp_path)
    assert result.exit_code == 2
    assert "no picture" in result.stderr


@pytest.mark.parametrize("fill", [0, 255])
def test_a_picture_of_nothing_has_no_dice(tmp_path: Path, fill: int) -> None:
    path = picture(tmp_path / "x.png", np.full((300, 400, 3), fill, np.uint8))
    result = run("read", "--json", path)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["dice"] == []


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    assert run("read", picture(tmp_path / "one.png", np.zeros((1, 1, 3), np.uint8))).exit_code == 0


@pytest.mark.slow
def test_a_picture_of_100_megapixels_is_read_or_refused_plainly(tmp_path: Path) -> None:
    path = picture(tmp_path / "huge.png", np.full((10_000, 10_000, 3), 90, np.uint8))
    result = run("read", path)
    assert result.exit_code in (0, 2)


def test_without_a_mat_the_advice_is_printed(grey: Path) -> None:
    result = run("observe", grey)
    assert result.exit_code == 0
    assert "no table" in result.stdout
    assert "table. The picture is out of focus or shaken. " in result.stdout, "what to do is said with it"
    assert json.loads(run("observe", "--json", grey).stdout)["table"] == {"found": False, "markers": 0}


def test_drawings_are_written(tmp_path: Path, grey: Path) -> None:
    drawn = tmp_path / "out" / "grey-dice.png"
    result = run("read", grey, "--draw", tmp_path / "out")
    assert result.exit_code == 0
    assert drawn.exists()
    assert f"drawn in {drawn}" in result.stdout
    assert json.loads(run("read", "--json", grey, "--draw", tmp_path / "out").stdout)["picture"] == str(drawn)
    assert "picture" not in json.loads(run("read", "--json", grey).stdout)


@pytest.mark.parametrize(
    ("name", "content"), [("x.mp4", b""), ("x.mp4", b"no film"), ("missing.mp4", None), ("folder", None)]
)
def test_films_that_cannot_be_watched_are_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    elif name == "folder":
        path.mkdir()
    result = run("watch", path)
    assert result.exit_code == 2
    assert name.split(".")[0] in result.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "empty"),
        ("{}\n", "line 1"),
        ('{"line":"head","format":"deskref-journal/1"}\n', "no observations"),
    ],
)
def test_broken_journals_are_named(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(content, encoding="utf-8")
    result = run("replay", path)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_missing_journal_is_named(tmp_path: Path) -> None:
    result = run("replay", tmp_path / "none.jsonl")
    assert result.exit_code == 2
    assert "none.jsonl" in result.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "JSON"),
        ('{"game": "chess", "soldiers": []}', "game"),
        ('{"game": "skuffle-wammer", "soldiers": [{"name": "A"}]}', "soldiers"),
        ('{"game": "skuffle-wammer", "minutes": 2, "soldiers": [{"name": "A"}, {"name": "B"}]}', "minutes"),
        ('{"game": "skuffle-wammer", "soldiers": [{"name": "A"}, {"name": "A"}]}', "two soldiers"),
        ('{"game": "skuffle-wammer", "soldiers": [{"name": "A", "dice": 3}, {"name": "B"}]}', "dice"),
    ],
)
def test_set_ups_that_do_not_fit_are_refused_with_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, says: str
) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    path = tmp_path / "setup.json"
    path.write_text(content, encoding="utf-8")
    result = run("play", "--camera", "none", "--setup", path, "--no-browser")
    assert result.exit_code == 2
    assert says in result.stderr


def test_an_unknown_camera_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    result = run("play", "--camera", "no such camera", "--no-browser")
    assert result.exit_code == 2
    assert "no such camera" in result.stderr


def test_the_mat_is_written(tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    assert run("mat", out, "--paper", "letter", "--grid", "inch").exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_a_mat_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("mat", tmp_path / "file" / "mat.pdf")
    assert result.exit_code == 2
    assert "is a file that is there already" in result.stderr


def test_a_mat_in_a_new_folder_makes_it(tmp_path: Path) -> None:
    """As every other command that writes a file does."""
    assert run("mat", tmp_path / "new" / "mat.pdf").exit_code == 0
    assert (tmp_path / "new" / "mat.pdf").exists()


def test_the_version_is_printed() -> None:
    assert run("--version").stdout.startswith("deskref ")


def test_doctor_prints_a_finding_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    found = [json.loads(line) for line in run("doctor", "--json").stdout.splitlines()]
    assert {"deskref", "Python", "OpenCV", "settings", "demo recording"} <= {f["check"] for f in found}
    assert all(f["remedy"] for f in found if f["health"] == "bad")
