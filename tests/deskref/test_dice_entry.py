"""What a turn of typed dice shows: chances that go with the first die, modifiers, cards, whom one may attack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from deskref import language
from deskref.chance import Chance
from deskref.inputs import DealCards, EnterDie, PlaySkirmish, StartGame, Undo
from deskref.page.dice_entry import now_words
from deskref.page.panel import Panel, Table
from deskref.page.ruling_marks import reasons_of, sentences_of, shown_big
from deskref.page.skirmish_form import HeroRow, SceneRow
from deskref.page.skirmish_form import setup_of as skirmish_of
from deskref.page.skirmish_panel import SkirmishPanel
from deskref.page.skuffle_panel import SkufflePanel
from deskref.signal import Signal, SignalKind
from rules.ruling import DiceNeed, Message, Pending, Reason
from rules.skirmish.state import Skirmish
from tests.deskref.drawn_page import DrawnPage, ToldGame
from tests.deskref.played_desk import skirmish_setup


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))


def turn(game: ToldGame, kind: Callable[[Table], Panel]) -> str:
    panel = kind(Table(game, Chance(), lambda: None))
    return DrawnPage(partial(panel.turn, game.session)).text


def test_the_chance_of_a_trait_roll_goes_with_its_first_die() -> None:
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_of([HeroRow("Mirel")], SceneRow(4))))
    game.tell(DealCards(cards=(("mirel", "9H"),)))
    game.tell(PlaySkirmish(action=Skirmish("mirel", "Fighting", 8)))
    assert "Chance to succeed: " in turn(game, SkirmishPanel)
    game.tell(EnterDie(value=2))
    assert "Chance to succeed: " not in turn(game, SkirmishPanel)
    game.tell(Undo())
    assert "Chance to succeed: " in turn(game, SkirmishPanel)


def test_after_an_ace_the_sum_so_far_is_told() -> None:
    """Savage Worlds, Acing: what is thrown again is added to what lies there, for each die of the roll by itself."""
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_of([HeroRow("Mirel")], SceneRow(4))))
    game.tell(DealCards(cards=(("mirel", "9H"),)))
    game.tell(PlaySkirmish(action=Skirmish("mirel", "Fighting", 8)))
    assert "Die 1 of 2: trait, d8." in turn(game, SkirmishPanel)
    for value in (8, 6):
        game.tell(EnterDie(value=value))
    assert "Die 1 of 2: trait, d8, thrown again after an ace. So far: 8." in turn(game, SkirmishPanel)
    game.tell(EnterDie(value=8))
    assert "Die 2 of 2: wild, d6, thrown again after an ace. So far: 6." in turn(game, SkirmishPanel)
    game.tell(EnterDie(value=1))
    assert "Die 1 of 1: trait, d8, thrown again after an ace. So far: 16." in turn(game, SkirmishPanel)


def test_dice_of_damage_that_ace_add_to_what_all_of_them_show() -> None:
    entry = Pending("mirel", (DiceNeed(2, 6, "damage", aces=True, so_far=15),), Message("", ""), Message("", ""))
    assert now_words(entry, []) == "Die 1 of 2: damage, d6, thrown again after an ace. So far: 15."
    assert now_words(entry, [4]) == "Die 2 of 2: damage, d6, thrown again after an ace. So far: 19."


def test_a_reason_says_what_it_adds_where_its_sentence_names_no_number() -> None:
    """A hero with a 3 came to 1, and only "Complication" was said of the two that were missing."""
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_of([HeroRow("Mirel")], SceneRow(4))))
    game.tell(DealCards(cards=(("mirel", "9C"),)))
    game.tell(PlaySkirmish(action=Skirmish("mirel", "Fighting", 8)))
    for value in (3, 2):
        game.tell(EnterDie(value=value))
    said = shown_big(game.session)
    assert said is not None
    why = reasons_of(game.session, said)
    assert "-2 Complication" in why
    assert "Trait die d8: 3." in why
    assert "+3" not in why


def test_what_the_headline_says_is_no_reason_as_well() -> None:
    said = Signal(number=1, time_s=0.0, kind=SignalKind.MOVED, message=Message("x", "Lokan strides."))
    reasons = (Reason("x", "Lokan strides.", "rule"), Reason("y", "Four are left.", "rule"))
    assert sentences_of(replace(said, reasons=reasons)) == ["Four are left."]


@pytest.mark.parametrize(("code", "card"), [("en", "10 of Hearts · tokens"), ("de", "Herz 10 · Marken")])
def test_a_heros_card_is_said_in_the_language(code: str, card: str) -> None:
    """It read "Hearts · 10 Marken 0": the separator had gone to the suit."""
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_of([HeroRow("Mirel")], SceneRow(4))))
    game.tell(DealCards(cards=(("mirel", "10H"),)))
    language.use(code)
    panel = SkirmishPanel(Table(game, Chance(), lambda: None))
    assert card in DrawnPage(partial(panel.roster, game.session)).text
    language.use("en")


def test_enemies_are_offered_before_a_soldiers_own_side_which_is_named_so() -> None:
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_setup(with_camera=False)))
    text = turn(game, SkufflePanel)
    assert text.index("● Daemon") < text.index("Imp") < text.index("Tarik (own side)")
