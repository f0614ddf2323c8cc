"""Commands that take a camera, film or picture, given what cannot be one: one clear line, status 2, no traceback."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from deskref.command_line import app
from deskref.settings import CameraSettings, Settings, save

COMMANDS = {
    "read": ("read", "{}"),
    "observe": ("observe", "{}"),
    "explain": ("explain", "{}"),
    "watch": ("watch", "{}"),
    "calibrate": ("calibrate", "{}", "--for", "x"),
    "scale": ("scale", "{}"),
    "play": ("play", "--no-browser", "--camera", "{}"),
    "tray": ("play", "--no-browser", "--camera", "none", "--tray", "{}"),
    "bench": ("bench", "--film", "{}"),
    "dice-test": ("dice-test", "{}"),
}
PICTURES_ONLY = ("read", "observe", "explain")
FILMS_ONLY = ("bench",)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("devices.camera_list._linux_cameras", lambda root: [])
    return tmp_path / "home"


def refused(command: str, what: str) -> str:
    """Run it; gives the one line that says why."""
    result = CliRunner().invoke(app, [part.format(what) for part in COMMANDS[command]])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2, (command, what, result.output)
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, lines
    assert "Traceback" not in result.output
    assert len(lines[0]) > 20
    return lines[0]


@pytest.fixture
def bad(tmp_path: Path) -> dict[str, Path]:
    """Files of every kind that is none."""
    made = {name: tmp_path / name for name in ("empty.mp4", "text.mp4", "cut.avi", "empty.jpg", "text.png", "folder")}
    made["empty.mp4"].write_bytes(b"")
    made["text.mp4"].write_bytes(b"this is no film, only words " * 50)
    made["empty.jpg"].write_bytes(b"")
    made["text.png"].write_bytes(b"no picture")
    made["folder"].mkdir()
    whole = tmp_path / "whole.avi"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in range(30):
        writer.write(np.full((48, 64, 3), level * 5, np.uint8))
    writer.release()
    made["cut.avi"].write_bytes(whole.read_bytes()[:300])
    return made


@pytest.mark.parametrize("name", ["empty.mp4", "text.mp4", "cut.avi", "empty.jpg", "text.png", "folder", "missing.mp4"])
@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_are_none(command: str, name: str, bad: dict[str, Path], tmp_path: Path) -> None:
    line = refused(command, str(bad.get(name, tmp_path / name)))
    assert name.split(".")[0] in line


@pytest.mark.parametrize("what", ["Nonsense cam", "7", "/dev/video99", "", " ", "\x00", "a" * 300, "*", "ftp://desk/x"])
@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in (*PICTURES_ONLY, *FILMS_ONLY)])
def test_names_that_mean_no_camera(command: str, what: str) -> None:
    if command in ("play", "tray") and not what:
        pytest.skip("an empty name asks, or is no tray")
    refused(command, what)


@pytest.fixture
def dead_port() -> Iterator[int]:
    """A port of this computer where nobody answers."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield int(holder.getsockname()[1])


@pytest.mark.parametrize("command", ["watch", "calibrate", "scale"])
def test_an_address_where_nobody_answers(command: str, dead_port: int) -> None:
    line = refused(command, f"http://127.0.0.1:{dead_port}/video")
    assert "127.0.0.1" in line


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user from whom files can be kept")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_may_not_be_read(command: str, bad: dict[str, Path]) -> None:
    bad["text.mp4"].chmod(0)
    refused(command, str(bad["text.mp4"]))


@pytest.mark.parametrize("command", ["calibrate", "scale"])
def test_a_settings_camera_that_is_gone_is_named(command: str, home: Path) -> None:
    save(home, Settings(camera=CameraSettings(source="Lost cam")))
    result = CliRunner().invoke(app, [command])
    assert result.exit_code == 2
    assert "Lost cam" in result.stderr


def test_a_settings_tray_that_is_gone_is_named(home: Path) -> None:
    save(home, Settings(camera=CameraSettings(source="none", tray="Lost cam")))
    result = CliRunner().invoke(app, ["play", "--no-browser"])
    assert result.exit_code == 2
    assert "Lost cam" in result.stderr
