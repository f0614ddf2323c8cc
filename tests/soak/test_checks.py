"""The soak's own checks find what they are there for: a changed ruling, a lost line, memory that grows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from deskref.inputs import StartGame
from deskref.play import Play
from deskref.recording import Journal, Line, LineKind, read_journal
from tests.soak import checks, second_opinion
from tests.soak.measures import growth
from tests.soak.players import BY_NAME, SKIRMISH, SKUFFLE
from tests.soak.program_run import SoakError


def played(folder: Path, kind: str, *, seed: int = 4, inputs: int = 120) -> tuple[Path, Play]:
    """Play a game for so many inputs."""
    chance, plays = random.Random(seed), BY_NAME[kind]
    with Journal(folder / "game.jsonl", version="0", started="now") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=plays.setup(chance)))
        for number in range(1, inputs + 1):
            if plays.is_over(play.session):
                break
            play.happened(replace(plays.next_input(chance, play.session), time_s=float(number)))
    return journal.path, play


@pytest.mark.parametrize("kind", BY_NAME)
def test_a_sound_game_passes(tmp_path: Path, kind: str) -> None:
    path, play = played(tmp_path, kind)
    found = checks.check(path, play.session)
    assert found.rulings > 0
    assert found.opinions > 0


def a_pool(line: Line) -> bool:
    """Give somebody one die more."""
    line.data["game"]["soldiers"][0]["pool"] += 1
    return True


def a_token(line: Line) -> bool:
    """Leave a token more, where the roll is not decided any more."""
    is_roll = any(action["type"] == "Throw" for action in line.data["actions"])
    if not is_roll or line.data["game"]["phase"] in ("accept", "roll"):
        return False
    line.data["game"]["tokens_left"] += 1
    return True


@pytest.mark.parametrize(("kind", "change"), [(SKUFFLE.name, a_pool), (SKIRMISH.name, a_token)])
def test_a_ruling_that_was_changed_is_found(tmp_path: Path, kind: str, change: Callable[[Line], bool]) -> None:
    path, _ = played(tmp_path, kind)
    lines = list(read_journal(path))
    assert second_opinion.check(lines) > 0
    assert any(change(line) for line in lines if line.kind is LineKind.GAME and line.data["actions"])
    with pytest.raises(SoakError, match="the second opinion"):
        second_opinion.check(lines)


@pytest.mark.parametrize("which", [3, -2])
def test_a_lost_line_is_found(tmp_path: Path, which: int) -> None:
    path, play = played(tmp_path, SKUFFLE.name)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    said = [line for line in lines if line.startswith('{"line":"signal"')]
    path.write_text("".join(line for line in lines if line != said[which]), encoding="utf-8")
    with pytest.raises(SoakError, match="signal"):
        checks.check(path, play.session)


def test_growth_is_told_from_noise() -> None:
    assert growth([100.0] * 5) is None
    flat, grown = growth([100.0, 103.0, 99.0] * 5), growth([100.0 + each for each in range(30)])
    assert flat == 0.0
    assert grown == pytest.approx(0.19, abs=0.02)
