"""`deskref watch` and `deskref replay` print words for people, and JSON where that is asked for."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import cv2
import pytest
from typer.testing import CliRunner

from deskref.command_line import app
from deskref.inputs import EnterDie, StartGame
from deskref.play import Play
from deskref.program import PRACTICE
from deskref.recording import Journal
from deskref.replay import rulings
from deskref.told_lines import event_line
from tests.vision.drawn_table import DrawnTable
from vision.events import EVENTS, DieAppeared, DieAtRest, FigureEntered, ObstacleMoved, TableEvent
from vision.observation import Pose

RUN = CliRunner()

SAMPLES: dict[str, Any] = {
    "frame": 7,
    "time_s": 12.5,
    "die": 3,
    "figure": 2,
    "obstacle": 1,
    "figures": (1, 2),
    "mm": (55.4, -35.0),
    "from_mm": (0.0, 10.0),
    "pose": Pose.STANDING,
    "value": 5,
    "confidence": 0.0,
    "height_mm": 31.7,
    "outline_mm": ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)),
    "advice": "Uncover the squares.",
    "markers": 6,
}


def sample(kind: type[TableEvent], **changes: Any) -> TableEvent:
    known = {field.name for field in fields(kind)}
    return kind(**{k: v for k, v in (SAMPLES | changes).items() if k in known})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    with Journal(path, version="0", started="2026-01-01T00:00:00+00:00") as written:
        play = Play(written)
        play.happened(StartGame(setup=PRACTICE))
        for value in (6, 2):
            play.happened(EnterDie(value=value))
    return path


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.kind)
def test_every_event_is_a_short_line_of_words(kind: type[TableEvent]) -> None:
    """Outlines of 20 points and `confidence 0.0` were printed."""
    line = event_line(sample(kind))
    assert line.startswith("   12.50 s  ")
    assert kind.kind not in line
    assert not set("[](){}_") & set(line)
    assert "confidence" not in line
    assert len(line) < 80


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (sample(DieAppeared), "die 3 lies at 55, -35 mm and shows 5"),
        (sample(DieAtRest, value=None, colour="red"), "die 3 (red) has come to rest at 55, -35 mm and cannot be read"),
        (sample(FigureEntered), "figure 2 stands at 55, -35 mm, 32 mm high"),
        (sample(FigureEntered, pose=Pose.TIPPED, height_mm=None), "figure 2 lies at 55, -35 mm"),
        (sample(ObstacleMoved), "obstacle 1 stands at 10, 10 mm, 32 mm high"),
        (sample(ObstacleMoved, outline_mm=()), "obstacle 1 is gone"),
    ],
)
def test_an_event_says_what_and_where(event: TableEvent, words: str) -> None:
    assert event_line(event) == f"   12.50 s  {words}"


def test_watch_prints_words_and_json_where_asked(tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.mkdir()
    table = DrawnTable(3)
    table.die((55.0, -35.0), 5, "red")
    for number in range(12):
        assert cv2.imwrite(str(film / f"{number:02d}.png"), table.image())
    words = RUN.invoke(app, ["watch", str(film), "--proofs", str(tmp_path / "proofs")]).stdout.splitlines()
    assert "the table is found by 6 markers" in words[0]
    (die,) = [line for line in words if "die 1" in line]
    assert "lies at 5" in die
    assert "shows 5" in die
    (proof,) = (tmp_path / "proofs").iterdir()
    assert die.endswith(f"({proof})")
    data = [json.loads(line) for line in RUN.invoke(app, ["watch", str(film), "--json"]).stdout.splitlines()]
    assert len(data) == len(words)


def test_a_replay_of_the_rules_is_words_and_json_where_asked(journal: Path) -> None:
    """Two kilobytes of raw state a line were printed, with no choice."""
    words = RUN.invoke(app, ["replay", str(journal), "--from", "actions"]).stdout.splitlines()
    told = RUN.invoke(app, ["replay", str(journal), "--from", "actions", "--json"]).stdout.splitlines()
    assert told == list(rulings(journal))
    assert len(words) == len(told) > 1
    assert "The die shows 6." in "\n".join(words)
    assert all(line and "{" not in line and len(line) < 300 for line in words)


def test_a_replay_of_a_film_is_words_and_json_where_asked(tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.mkdir()
    for number in range(12):
        assert cv2.imwrite(str(film / f"{number:02d}.png"), DrawnTable(3).image())
    path = tmp_path / "film.jsonl"
    with Journal(path, version="0", started="2026-01-01T00:00:00+00:00", film=str(film)) as written:
        Play(written).happened(StartGame(setup=PRACTICE))
    words = RUN.invoke(app, ["replay", str(path), "--from", "frames"]).stdout.splitlines()
    told = RUN.invoke(app, ["replay", str(path), "--from", "frames", "--json"]).stdout.splitlines()
    assert [json.loads(line)["text"] in words[number] for number, line in enumerate(told)] == [True] * len(words)
    assert words
    assert " s  " in words[0]
