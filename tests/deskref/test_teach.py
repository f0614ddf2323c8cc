"""Teaching a face without pips: known again, listed, forgotten; pips are never overruled."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from deskref.command_line import app
from vision.taught_faces import FILE_NAME


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture with an ivory die that shows a cross at 100, 100, and one that shows a 5 at 300, 100."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    k = 4
    image = np.full((200 * k, 400 * k, 3), (110, 120, 128), np.uint8)
    for x in (100, 300):
        cv2.rectangle(image, ((x - 26) * k, 72 * k), ((x + 34) * k, 132 * k), (84, 94, 100), -1)
        cv2.rectangle(image, ((x - 28) * k, 72 * k), ((x + 28) * k, 128 * k), (205, 226, 236), -1)
    for a, b in (((82, 82), (118, 118)), ((118, 82), (82, 118))):
        cv2.line(image, (a[0] * k, a[1] * k), (b[0] * k, b[1] * k), (30, 30, 160), 5 * k)
    for x, y in ((0, 0), (-14, -14), (14, 14), (-14, 14), (14, -14)):
        cv2.circle(image, ((300 + x) * k, (100 + y) * k), 5 * k, (25, 22, 20), -1)
    path = tmp_path / "dice.png"
    assert cv2.imwrite(str(path), cv2.resize(image, (400, 200), interpolation=cv2.INTER_AREA))
    return path


def value_near(result: Result, x: float) -> int | None:
    seen = json.loads(result.stdout)["dice"]
    die = min(seen, key=lambda d: abs((d["box"][0] + d["box"][2]) / 2 - x))
    value = die["value"]
    assert value is None or isinstance(value, int)
    return value


def test_a_taught_face_is_known_until_it_is_forgotten(dice: Path) -> None:
    assert value_near(run("read", "--json", dice), 100) is None
    taught = run("teach", dice, "--at", "100,100", "--value", "1", "--name", "cross")
    assert taught.exit_code == 0, taught.output
    assert value_near(run("read", "--json", dice), 100) == 1
    assert value_near(run("read", "--json", dice), 300) == 5
    assert "1: counts as 1, cross" in run("teach", "--list").output
    assert run("teach", "--forget", "1").exit_code == 0
    assert "No face is taught." in run("teach", "--list").output
    assert value_near(run("read", "--json", dice), 100) is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--at", "100,100"), "what it counts as"),
        (("--at", "here", "--value", "1"), "two numbers"),
        (("--at", "200,20", "--value", "1"), "no die is seen"),
        (("--at", "300,100", "--value", "1"), "read as 5 by its pips"),
        (("--forget", "3"), "no taught face 3"),
    ],
)
def test_what_cannot_be_taught_is_one_line(dice: Path, arguments: tuple[str, ...], says: str) -> None:
    result = run("teach", dice, *arguments)
    assert result.exit_code == 2
    assert says in result.output


def test_a_broken_store_is_one_line_and_the_pictures_are_read(dice: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / FILE_NAME).write_text("{", encoding="utf-8")
    result = run("read", "--json", dice)
    assert result.exit_code == 2
    assert "delete it" in result.output
    assert '"value": 5' in result.output
