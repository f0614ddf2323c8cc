"""Hints name what can be typed in the terminal that deskref was started from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from deskref.command_line import app
from deskref.typed_command import COMMANDS, as_typed, started_as, typed

FOLDER = "/home/ada/deskref"
WINDOWS = r"C:\Users\Ada\deskref"


def test_every_command_is_known() -> None:
    assert sorted(COMMANDS) == sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("program", "folder", "found", "told"),
    [
        (".venv/bin/deskref", FOLDER, None, ".venv/bin/deskref"),
        (f"{FOLDER}/.venv/bin/deskref", FOLDER, None, ".venv/bin/deskref"),
        (f"{FOLDER}/.venv/bin/deskref", "/home/ada", None, "deskref/.venv/bin/deskref"),
        (f"{FOLDER}/.venv/bin/deskref", "/srv", None, f"{FOLDER}/.venv/bin/deskref"),
        ("/home/ada/My games/.venv/bin/deskref", "/srv", None, "'/home/ada/My games/.venv/bin/deskref'"),
        ("/home/ada/.local/bin/deskref", FOLDER, "/home/ada/.local/bin/deskref", "deskref"),
        (f"{FOLDER}/.venv/bin/deskref", FOLDER, "/home/ada/.local/bin/deskref", ".venv/bin/deskref"),
        ("/usr/lib/python3/dist-packages/pytest/__main__.py", FOLDER, None, "deskref"),
    ],
)
def test_the_command_on_linux_and_macos(program: str, folder: str, found: str | None, told: str) -> None:
    given = {"python": "/usr/bin/python3", "folder": folder, "windows": False}
    assert started_as(program, which=lambda name: found if name == "deskref" else None, **given) == told  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("program", "found", "told"),
    [
        (WINDOWS + r"\.venv\Scripts\deskref.exe", None, r".venv\Scripts\deskref"),
        (WINDOWS + r"\.venv\Scripts\deskref", None, r".venv\Scripts\deskref"),
        (WINDOWS + r"\.venv\Scripts\deskref", WINDOWS + r"\.venv\Scripts\deskref.EXE", "deskref"),
        (r"D:\My games\.venv\Scripts\deskref.exe", None, r'"D:\My games\.venv\Scripts\deskref"'),
    ],
)
def test_the_command_on_windows(program: str, found: str | None, told: str) -> None:
    given = {"python": "python.exe", "folder": WINDOWS, "windows": True}
    assert started_as(program, which=lambda name: found if name == "deskref" else None, **given) == told  # type: ignore[arg-type]


def test_a_module_is_started_by_its_python_which_is_no_link_to_another() -> None:
    module = f"{FOLDER}/deskref/__main__.py"
    system = {"python3": "/usr/bin/python3"}
    given = {"folder": FOLDER, "which": system.get, "windows": False}
    assert started_as(module, python=f"{FOLDER}/.venv/bin/python", **given) == ".venv/bin/python -m deskref"  # type: ignore[arg-type]
    assert started_as(module, python="/usr/bin/python3", **given) == "python3 -m deskref"  # type: ignore[arg-type]
    told = typed("/usr/local/bin/python", ("python",), folder=FOLDER, which=system.get, windows=False)
    assert told == "/usr/local/bin/python"


def test_only_commands_are_put_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / ".venv" / "bin" / "deskref"
    monkeypatch.setattr(sys, "argv", [str(program)])
    told = as_typed("Check it: deskref doctor. `deskref board list` shows ports. Look at: deskref dice-test CAMERA")
    assert told.count(str(program)) == 3
    for same in (
        "deskref reads: 3",
        "What deskref needs",
        "There is no file 'deskref mat.pdf'.",
        "deskref board-games",
        f"Enter {program} doctor",
        "What a deskref player wants",
    ):
        assert as_typed(same) == same
    assert as_typed("First: pip install mpremote").endswith(" -m pip install mpremote")
    assert as_typed("python -m pip install x") == "python -m pip install x"


def test_the_command_itself_says_how_it_was_started(tmp_path: Path) -> None:
    """Started as a module, what it refuses names the module."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "DESKREF_HOME": str(tmp_path), "PYTHONPATH": str(root)}
    run = subprocess.run(
        [sys.executable, "-m", "deskref", "demo", "--json"],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.rstrip().endswith(" -m deskref demo --headless --json")
