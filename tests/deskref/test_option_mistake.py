"""Options that cannot be are refused in plain words."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from deskref.command_line import app


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("mat", "--paper", "legal"), "'legal' is not one of 'a4', 'letter'"),
        (("board", "test", "--kind", "lamp"), "'lamp' is not one of 'auto'"),
        (("bench", "--frames", "5"), "5"),
        (("bench", "--frames", "five"), "'five'"),
        (("play", "--port", "99999999"), "65535"),
        (("calibrate", "--seconds", "soon"), "'soon'"),
        (("mat", "--kind", "tiles", "--tiles", "٢x٣"), "--tiles 2x3"),
        (("mat", ""), "an empty name is no file"),
        (("read", "--draw", "", "a.png"), "an empty name is no file"),
        (("explain", "--out", " ", "a.png"), "an empty name is no file"),
        (("demo", "--headless", "--record", ""), "an empty name is no file"),
        (("doctor", "--bundle", ""), "an empty name is no file"),
        (("replay", ""), "an empty name is no file"),
        (("demo", "--json"), "--headless"),
    ],
)
def test_what_cannot_be_is_said_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "300")
    result = CliRunner().invoke(app, list(command))
    assert (result.exit_code, says in result.output) == (2, True), result.output
    assert "Value error" not in result.output
    assert "Input should" not in result.output
    assert list(tmp_path.iterdir()) == []
