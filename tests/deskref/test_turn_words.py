"""What a newcomer reads in a turn: what came of the last roll, what the desk's figure needs, what keys do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from deskref.chance import Chance
from deskref.inputs import AutomatedSoldier, EnterDie, PassTurn, Setup, SoldierSetup, StartGame
from deskref.language import shown
from deskref.page.panel import Panel, Table
from deskref.page.ruling_marks import reasons_of, shown_big
from deskref.page.score import score_of
from deskref.page.skuffle_panel import SkufflePanel
from rules.skuffle_state import Breed, Options, Phase
from tests.deskref.drawn_page import DrawnPage, ToldGame


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))


def panel_of(game: ToldGame, kind: Callable[[Table], Panel]) -> Panel:
    return kind(Table(game, Chance(), lambda: None))


def drawn(game: ToldGame, kind: Callable[[Table], Panel]) -> DrawnPage:
    return DrawnPage(partial(panel_of(game, kind).turn, game.session))


def big(game: ToldGame) -> tuple[str, str]:
    said = shown_big(game.session)
    assert said is not None
    return shown(said.message), reasons_of(game.session, said)


def against(breed: Breed) -> ToldGame:
    game = ToldGame()
    soldiers = (SoldierSetup("anna", "Anna", "A"), AutomatedSoldier("robbi", "Robbi", "B", breed=breed))
    game.tell(StartGame(setup=Setup(soldiers, Options(minutes=3), False)))
    return game


@pytest.mark.parametrize(("face", "result"), [(3, "Anna misses Robbi."), (5, "Anna hits Robbi.")])
def test_what_came_of_a_roll_stays_big_while_the_desk_says_what_it_does(face: int, result: str) -> None:
    """It was hidden at once by "Robbi shoots."."""
    game = against(Breed.ROBOT)
    game.tell(EnterDie(value=face))
    headline, why = big(game)
    assert headline == result
    assert f"The die shows {face}." in why
    assert "Robbi shoots." in drawn(game, SkufflePanel).text
    assert "Robbi shoots." in score_of(game.session)["tasks"]
    game.tell(EnterDie(value=2))
    assert big(game)[0] == "Robbi misses Anna."


def test_a_robot_that_shoots_asks_for_its_die_and_for_nothing_else() -> None:
    game = against(Breed.ROBOT)
    game.tell(PassTurn())
    page = drawn(game, SkufflePanel)
    assert "Roll one of Robbi's dice: 4 or more hits Anna, 50 %." in page.text
    assert "Done as told" not in page.text
    assert "Or move" not in page.text
    told = list(game.told)
    assert not panel_of(game, SkufflePanel).key("enter")
    assert game.told == told
    page.press("4")
    assert big(game)[0] == "Robbi hits Anna."


def test_a_push_of_the_desk_is_done_by_enter() -> None:
    game = against(Breed.ZOMBIE)
    game.tell(PassTurn())
    assert "Done as told (Enter)" in drawn(game, SkufflePanel).text
    assert panel_of(game, SkufflePanel).key("enter")
    assert game.session.game is not None
    assert game.session.game.phase is Phase.TURN
    assert game.session.game.current == "anna"
    assert "Robbi moves" in big(game)[0]
