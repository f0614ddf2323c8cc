"""Entering the dice of a roll on the page: what is told before the first die goes with it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from deskref.chance import Chance
from deskref.inputs import DealCards, EnterDie, PlaySkirmish, StartGame, Undo
from deskref.page.panel import Panel, Table
from deskref.page.skirmish_form import HeroRow, SceneRow
from deskref.page.skirmish_form import setup_of as skirmish_of
from deskref.page.skirmish_panel import SkirmishPanel
from rules.skirmish.state import Skirmish
from tests.deskref.drawn_page import DrawnPage, ToldGame


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))


def turn(game: ToldGame, kind: type[SkirmishPanel]) -> str:
    panel: Panel = kind(Table(game, Chance(), lambda: None))
    return DrawnPage(partial(panel.turn, game.session)).text


def test_the_chance_of_a_trait_roll_goes_with_its_first_die() -> None:
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_of([HeroRow("Mirel")], SceneRow(4))))
    game.tell(DealCards(cards=(("mirel", "9H"),)))
    game.tell(PlaySkirmish(action=Skirmish("mirel", "Fighting", 8)))
    assert "Chance: " in turn(game, SkirmishPanel)
    game.tell(EnterDie(value=2))
    assert "Chance: " not in turn(game, SkirmishPanel)
    game.tell(Undo())
    assert "Chance: " in turn(game, SkirmishPanel)
