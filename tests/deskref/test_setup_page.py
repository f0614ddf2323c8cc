"""The frame of the set-up: a game that is going on is not lost unwarned, and steps that are passed over are named."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from nicegui import ui

from deskref.inputs import EnterDie, StartGame
from deskref.page.choose_game import open_form
from deskref.page.setup_page import SetupPage
from deskref.page.site import Site
from deskref.program import PRACTICE
from deskref.settings import Settings
from tests.deskref.drawn_page import DrawnPage, ToldGame

ENDS_IT = "Start ends it for good"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))


def played() -> ToldGame:
    """A game in which something was rolled."""
    game = ToldGame()
    game.tell(StartGame(setup=PRACTICE))
    game.tell(EnterDie(value=2))
    return game


def setup_of(game: ToldGame, home: Path, *, first: str = "camera") -> DrawnPage:
    own = Settings()
    return DrawnPage(partial(SetupPage, Site(game, home, own, own.page), first=first))


def test_the_last_step_warns_of_a_game_that_is_going_on_as_the_dialogue_does(tmp_path: Path) -> None:
    """Both by the same words, and the way out is back to that game."""
    step = setup_of(played(), tmp_path, first="game")
    assert ENDS_IT in step.text
    assert ENDS_IT in DrawnPage(partial(open_form, played())).text
    assert "Back to the game" in step.text
    assert "Later" not in step.text


def test_an_open_form_asks_again_before_it_ends_a_game_that_has_begun_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same set-up played again is another game, too; a game that has ended meanwhile is not warned of."""
    asked: list[str] = []
    monkeypatch.setattr(ui, "notify", lambda text, **_: asked.append(text))
    game = ToldGame()
    game.tell(StartGame(setup=PRACTICE))
    form = DrawnPage(partial(open_form, game))
    assert ENDS_IT not in form.text
    for turn in range(1, 3):
        game.tell(StartGame(setup=PRACTICE))
        game.tell(EnterDie(value=2))
        form.tick()
        assert ENDS_IT in form.text
        form.press("Start")
        assert len(asked) == turn
        assert len(game.started) == 1 + turn
    game.tell(StartGame(setup=PRACTICE))
    form.tick()
    assert ENDS_IT not in form.text
    game.tell(EnterDie(value=2))
    form.press("Start")
    form.press("Start")
    assert len(asked) == 3
    assert len(game.started) == 5


def test_nothing_is_warned_of_where_nothing_was_played(tmp_path: Path) -> None:
    fresh = ToldGame()
    fresh.tell(StartGame(setup=PRACTICE))
    for game in (ToldGame(), fresh):
        step = setup_of(game, tmp_path, first="game")
        assert ENDS_IT not in step.text
        assert "Later" in step.text


def test_steps_that_are_passed_over_without_a_camera_are_named(tmp_path: Path) -> None:
    page = setup_of(ToldGame(), tmp_path)
    assert "Skipped" not in page.text
    page.press("Next")
    assert "Skipped, because these steps need a camera: 2  Mat, 3  Aim, 4  Scale, 5  Dice check." in page.text
    page.press("5  Dice check")
    assert "Skipped" not in page.text
    page.press("Next")
    assert "Skipped" not in page.text
    assert "Who plays, and what?" in page.text
