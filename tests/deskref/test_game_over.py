"""The Turn card of a game that is over says who has won and why, and leads on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from deskref import language
from deskref.chance import Chance
from deskref.inputs import (
    AnySetup,
    ConfirmTipped,
    EnterDie,
    PlayCombat,
    PlaySkirmish,
    Redo,
    Setup,
    SoldierSetup,
    StartGame,
    Undo,
)
from deskref.outputs import resumed_signals
from deskref.page.panel import Panel, Table
from deskref.page.ruling_marks import shown_big
from deskref.page.skirmish_form import HeroRow, SceneRow
from deskref.page.skirmish_form import setup_of as skirmish_of
from deskref.page.skirmish_panel import SkirmishPanel
from deskref.page.skuffle_panel import SkufflePanel
from deskref.page.world_saga_fields import first_fields
from deskref.page.world_saga_fields import setup_of as combat_of
from deskref.page.world_saga_panel import WorldSagaPanel
from deskref.signal import SignalKind
from rules.skirmish.state import Adjust as PutRight
from rules.skuffle_state import Options
from rules.world_saga.actions import EndCombat
from tests.deskref.drawn_page import DrawnPage, ToldGame

TWO = Setup((SoldierSetup("lokan", "Lokan", "A"), SoldierSetup("imp", "Imp", "B")), Options(minutes=1), False)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    yield
    language.use("en")


def card(game: ToldGame, panel: type[SkufflePanel | SkirmishPanel | WorldSagaPanel]) -> DrawnPage:
    made: Panel = panel(Table(game, Chance(), lambda: None))
    return DrawnPage(partial(made.turn, game.session))


def begun(setup: AnySetup) -> ToldGame:
    game = ToldGame()
    game.tell(StartGame(setup=setup))
    return game


def skuffle() -> ToldGame:
    game = begun(TWO)
    game.tell(EnterDie(value=6))
    game.tell(ConfirmTipped())
    return game


def test_a_game_of_skuffle_wammer_ends_with_its_winner_and_the_reason() -> None:
    game = skuffle()
    page = card(game, SkufflePanel)
    assert [reason.code for reason in game.session.log[-1].reasons] == ["one_side_stands"]
    for words in ("The game is over", "Lokan has won.", "Only one side is standing.", "after 1 round.", "Report"):
        assert words in page.text


def test_the_same_game_is_played_again_by_one_press() -> None:
    game = skuffle()
    card(game, SkufflePanel).press("The same again")
    assert [start.setup for start in game.started] == [TWO, TWO]
    assert game.session.game is not None
    assert game.session.game.current == "lokan"


@pytest.mark.parametrize("is_live", [True, False])
def test_a_game_that_a_recording_played_cannot_be_put_up_again(
    *, is_live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToldGame, "source", SimpleNamespace(is_live=is_live))
    game = ToldGame()
    game.tell(StartGame(setup=TWO))
    game.tell(EnterDie(value=6))
    game.tell(ConfirmTipped())
    game.session = replace(game.session, setup=replace(TWO, with_camera=True))
    assert ("The same again" in card(game, SkufflePanel).text) is is_live


def test_a_skirmish_ends_with_its_heroes_and_the_reason() -> None:
    game = begun(skirmish_of([HeroRow("Mirel")], SceneRow(4)))
    game.tell(PlaySkirmish(action=PutRight("mirel", "so", 3, False, True, 0, 0)))
    page = card(game, SkirmishPanel)
    for words in ("The game is over", "Nobody has won.", "tokens remain: 4", "Report", "New game (N)"):
        assert words in page.text


def test_a_combat_that_the_game_master_ends_says_so() -> None:
    game = begun(combat_of(first_fields()))
    game.tell(PlayCombat(action=EndCombat()))
    language.use("de")
    page = card(game, WorldSagaPanel)
    for words in ("Das Spiel ist aus", "Niemand hat gewonnen.", "Die Spielleitung hat den Kampf beendet.", "Bericht"):
        assert words in page.text


def test_before_any_game_the_card_offers_one() -> None:
    page = card(ToldGame(), SkufflePanel)
    page.press("New game (N)")
    assert "New game of Skuffle Wammer" in page.text


def test_a_key_after_the_end_wipes_no_winner_from_the_headline() -> None:
    """It said "The game is over. Start another, or take back the last step." where the winner had stood."""
    game = skuffle()
    game.tell(EnterDie(value=3))
    assert game.session.log[-1].kind is SignalKind.ILLEGAL
    said = shown_big(game.session)
    assert said is not None
    assert said.kind is SignalKind.WINNER
    game.tell(Undo())
    game.tell(EnterDie(value=7))
    said = shown_big(game.session)
    assert said is not None
    assert said.kind is SignalKind.ILLEGAL


def test_what_holds_follows_undo_and_the_next_game() -> None:
    game = skuffle()
    assert [s.kind for s in resumed_signals(game.session)] == [SignalKind.WINNER]
    game.tell(Undo())
    assert [(s.kind, s.soldier) for s in resumed_signals(game.session)] == [(SignalKind.YOUR_TURN, "lokan")]
    game.tell(Redo())
    assert [s.kind for s in resumed_signals(game.session)] == [SignalKind.WINNER]
    game.tell(StartGame(setup=combat_of(first_fields())))
    assert resumed_signals(game.session) == ()
