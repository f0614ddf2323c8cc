"""Corrections by two at once: none is lost in silence, and what does not hold any more is refused in words."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from nicegui import ui

from deskref.chance import Chance
from deskref.inputs import AdjustSoldier, ConfirmTipped, CorrectDie, DeclareAttack, EnterDie, StartGame, Undo
from deskref.page import corrections
from deskref.page.panel import Table
from deskref.page.skirmish_form import HeroRow, SceneRow, setup_of
from deskref.page.skirmish_panel import SkirmishPanel
from deskref.program import PRACTICE
from deskref.signal import SignalKind
from tests.deskref.drawn_page import DrawnPage, ToldGame
from tests.deskref.played_desk import LOKAN, PlayedDesk, skirmish_setup
from tests.deskref.test_number_field import typed


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    said: list[str] = []
    monkeypatch.setattr(ui, "notify", lambda text, **_: said.append(text))
    return said


def game() -> ToldGame:
    made = ToldGame()
    made.tell(StartGame(setup=skirmish_setup(with_camera=False)))
    return made


def books(made: ToldGame) -> DrawnPage:
    return DrawnPage(partial(corrections.put_right, made))


def pool_of(made: ToldGame, soldier: str) -> int:
    assert made.session.game is not None
    return made.session.game.soldier(soldier).pool


def test_changes_of_two_soldiers_in_one_dialogue_are_both_told() -> None:
    made = game()
    page = books(made)
    page.fill(ui.number, 5, number=0)
    page.fill(ui.number, 4, number=1)
    page.press("Put it right")
    assert (pool_of(made, "lokan"), pool_of(made, "tarik"), pool_of(made, "imp")) == (5, 4, 2)
    assert sum(isinstance(told, AdjustSoldier) for told in made.told) == 1, "one decision"
    made.tell(Undo())
    assert pool_of(made, "lokan") == pool_of(made, "tarik") == 2
    assert made.session.log[-1].message.text == "Taken back: The game master put Lokan and Tarik right."


def test_changes_of_one_dialogue_are_judged_together_whatever_their_order(notes: list[str]) -> None:
    """The game is over after the first two of them; what leaves nobody standing is refused, and all stays open."""
    made = game()
    page = books(made)
    for number in range(4):
        page.fill(ui.checkbox, True, number=number)
    page.tick()
    assert page.values(ui.number) == [0, 0, 0, 0], "the dead have no dice"
    page.press("Put it right")
    assert notes == ["Somebody has to be left standing. Leave Lokan alive."]
    assert len(made.told) == 1
    page.fill(ui.checkbox, False, number=3)
    page.fill(ui.number, 4, number=3)
    page.press("Put it right")
    assert made.session.game is not None
    assert [made.session.game.soldier(who).is_dead for who in ("lokan", "tarik", "daemon")] == [True] * 3
    assert pool_of(made, "imp") == 4
    assert made.session.game.winners == ("imp",)
    assert [said.kind for said in made.session.log][-1] is SignalKind.WINNER


def test_fewer_than_no_dice_are_shown_as_they_are_and_can_be_put_right() -> None:
    """A hit on an empty pool makes it -1; the form said 0, and putting another right would have told the rules so."""
    made = game()
    made.tell(AdjustSoldier(soldier="daemon", pool=0, is_dead=False, why=""))
    made.tell(DeclareAttack(target="daemon"))
    made.tell(EnterDie(value=6))
    made.tell(ConfirmTipped())
    assert pool_of(made, "daemon") == -1
    page = books(made)
    assert page.values(ui.number) == [1, 2, -1, 2]
    assert "-1: it was hit when no die was left." in page.text
    assert page.text.count("Game master") == 1, "said once for all of them"
    page.fill(ui.number, 2, number=0)
    page.press("Put it right")
    assert (pool_of(made, "lokan"), pool_of(made, "daemon")) == (2, -1), "who was left alone stays as it was"
    page = books(made)
    page.fill(ui.checkbox, False, number=2)
    page.tick()
    assert page.values(ui.number)[2] == 0, "nobody lives with fewer than no dice"
    page.fill(ui.number, 1, number=2)
    page.press("Put it right")
    assert made.session.game is not None
    assert (pool_of(made, "daemon"), made.session.game.soldier("daemon").is_dead) == (1, False)


def test_a_finished_game_has_no_books_to_put_right(notes: list[str]) -> None:
    made = game()
    page = books(made)
    for number in range(2):
        page.fill(ui.checkbox, True, number=number)
    page.press("Put it right")
    assert "Put it right" not in books(made).text
    assert notes == ["The game is over. Start another, or take back the last step."]


@pytest.mark.parametrize("is_same", [True, False])
def test_a_dialogue_of_an_earlier_game_changes_nothing_in_the_next(notes: list[str], is_same: bool) -> None:
    made = game()
    page = books(made)
    page.fill(ui.number, 5, number=0)
    made.tell(StartGame(setup=skirmish_setup(with_camera=False) if is_same else PRACTICE))
    page.press("Put it right")
    assert len(made.told) == 2
    assert notes == ["Another game has begun meanwhile: nothing was put right."]


def test_two_windows_that_change_two_soldiers_are_both_heard() -> None:
    made = game()
    one, other = books(made), books(made)
    one.fill(ui.number, 5, number=0)
    other.fill(ui.number, 4, number=1)
    one.press("Put it right")
    other.press("Put it right")
    assert (pool_of(made, "lokan"), pool_of(made, "tarik")) == (5, 4)


def test_a_change_of_a_soldier_that_was_changed_meanwhile_is_refused_in_words(notes: list[str]) -> None:
    made = game()
    one, other = books(made), books(made)
    one.fill(ui.number, 5, number=0)
    other.fill(ui.checkbox, True, number=0)
    one.press("Put it right")
    other.press("Put it right")
    assert pool_of(made, "lokan") == 5
    assert notes == ["Lokan was changed meanwhile: nothing was put right. The fields show how it stands now."]
    other.tick()
    assert other.values(ui.number)[0] == 5
    assert other.values(ui.checkbox)[0] is False
    other.fill(ui.number, 6, number=0)
    other.press("Put it right")
    assert pool_of(made, "lokan") == 6


@pytest.mark.parametrize("text", ["1.5", "1e3", "two"])
def test_a_text_that_is_no_number_is_told_and_nothing_is_put_right(notes: list[str], text: str) -> None:
    """The dialogue once closed without a word, and what else was filled in was told."""
    made = game()
    page = books(made)
    typed(page, text)
    page.fill(ui.number, 4, number=1)
    page.press("Put it right")
    assert len(notes) == 1
    assert text in notes[0]
    assert (pool_of(made, "lokan"), pool_of(made, "tarik")) == (2, 2)
    typed(page, "3")
    page.press("Put it right")
    assert (pool_of(made, "lokan"), pool_of(made, "tarik")) == (3, 4)


def test_a_dialogue_that_changes_nothing_tells_nothing() -> None:
    made = game()
    books(made).press("Put it right")
    assert len(made.told) == 1


def test_an_answer_about_a_die_that_was_corrected_meanwhile_is_refused_in_words(notes: list[str]) -> None:
    desk = PlayedDesk()
    desk.begin()
    die = desk.attack(LOKAN, 2)
    made = ToldGame()
    made.play.session = made.session = desk.session
    one, other = (DrawnPage(partial(corrections.correct_die, made, die)) for _ in range(2))
    one.press("6")
    other.press("5")
    assert [told.value for told in made.told if isinstance(told, CorrectDie)] == [6]
    assert len(notes) == 1
    assert "corrected meanwhile" in notes[0]
    DrawnPage(partial(corrections.correct_die, made, die)).press("5")
    assert [told.value for told in made.told if isinstance(told, CorrectDie)] == [6, 5]


def test_what_the_game_master_fills_in_stays_while_others_play(notes: list[str]) -> None:
    made = ToldGame()
    made.tell(StartGame(setup=setup_of([HeroRow("Mirel"), HeroRow("Brand")], SceneRow(4))))
    panel = SkirmishPanel(Table(made, Chance(), lambda: None))
    panel.is_gm_open = True
    page = DrawnPage(lambda: panel.turn(made.session))
    page.fill(ui.number, 2, label="Wounds")
    again = DrawnPage(lambda: panel.turn(made.session))
    assert again.values(ui.number, "Wounds") == [2]
    again.press("Put right")
    assert made.session.scene is not None
    assert made.session.scene.fighter("mirel").condition.wounds == 2
    assert DrawnPage(lambda: panel.turn(made.session)).values(ui.number, "Wounds") == [2]
    assert notes == []


def test_a_text_that_is_no_number_puts_nothing_right_in_a_skirmish(notes: list[str]) -> None:
    """It once counted as 0: a slip in the field of wounds healed them."""
    made = ToldGame()
    made.tell(StartGame(setup=setup_of([HeroRow("Mirel"), HeroRow("Brand")], SceneRow(4))))
    panel = SkirmishPanel(Table(made, Chance(), lambda: None))
    panel.is_gm_open = True
    page = DrawnPage(lambda: panel.turn(made.session))
    assert typed(page, "2x").props["label"] == "Wounds"
    page.press("Put right")
    assert len(made.told) == 1
    assert len(notes) == 1
    assert "2x" in notes[0]
