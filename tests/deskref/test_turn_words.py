"""What a newcomer reads in a turn: what came of the last roll, what the desk's figure needs, what keys do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from deskref import language
from deskref.chance import Chance
from deskref.game_report import report_as_json, report_of
from deskref.inputs import (
    AutomatedSoldier,
    ConfirmTipped,
    DealCards,
    DeclareAttack,
    EnterDie,
    PassTurn,
    PlayCombat,
    PlaySkirmish,
    Setup,
    SoldierSetup,
    StartGame,
)
from deskref.language import shown
from deskref.page.panel import Panel, Table
from deskref.page.ruling_marks import reasons_of, shown_big
from deskref.page.score import score_of
from deskref.page.skirmish_form import HeroRow, SceneRow
from deskref.page.skirmish_form import setup_of as skirmish_of
from deskref.page.skirmish_panel import SkirmishPanel
from deskref.page.skuffle_panel import SkufflePanel
from deskref.page.world_saga_actions import MELEE, AttackForm
from deskref.page.world_saga_fields import first_fields
from deskref.page.world_saga_fields import setup_of as combat_of
from deskref.page.world_saga_panel import WorldSagaPanel
from deskref.report_html import report_html
from deskref.room import state_of
from rules.skirmish.state import Accept, Skirmish
from rules.skirmish.state import Phase as SkirmishPhase
from rules.skuffle_state import Breed, Options, Phase
from rules.world_saga.actions import Attack
from tests.deskref.drawn_page import DrawnPage, ToldGame


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    yield
    language.use("en")


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


def test_a_ruling_says_what_throwing_has_cost_and_the_pools_what_they_mean() -> None:
    game = ToldGame()
    soldiers = (SoldierSetup("brand", "Brand", "A", pool=1), SoldierSetup("grinder", "Grinder", "B", pool=2))
    game.tell(StartGame(setup=Setup(soldiers, Options(minutes=3), False)))
    game.tell(EnterDie(value=5))
    headline, why = big(game)
    assert headline == "Brand hits Grinder."
    assert "Grinder takes damage and loses a die; left: 1." in why
    assert "Brand has used up a die; left: 0." in why
    page = DrawnPage(partial(panel_of(game, SkufflePanel).roster, game.session))
    assert "lives, but can only move; a hit kills" in page.text
    assert "a hit takes one from the target" in page.text


def test_whoever_is_tipped_leaves_its_last_die_if_it_had_one() -> None:
    """Skuffle Wammer, Damage: the die that the hit cost goes off the desk, too."""
    game = ToldGame()
    soldiers = tuple(SoldierSetup(n.lower(), n, s, pool=p) for n, s, p in (("Brand", "A", 2), ("Imp", "B", 1)))
    game.tell(StartGame(setup=Setup((*soldiers, SoldierSetup("grom", "Grom", "B", pool=0)), Options(minutes=1), False)))
    game.tell(DeclareAttack(target="imp"))
    game.tell(EnterDie(value=6))
    text = drawn(game, SkufflePanel).text
    assert "Imp is dead: tip it on its side." in text
    assert "take that die away, too" in text
    game.tell(ConfirmTipped())
    game.tell(PassTurn())
    game.tell(DeclareAttack(target="grom"))
    game.tell(EnterDie(value=6))
    assert "It had no die left, so there is none to take away." in drawn(game, SkufflePanel).text


def test_who_has_won_is_told_in_one_way_everywhere() -> None:
    """Whoever still stands has won (Skuffle Wammer, Winner), and for whom is said with it, everywhere alike."""
    game = ToldGame()
    soldiers = tuple(
        SoldierSetup(name.lower(), name, side, pool=pool)
        for name, side, pool in (("Brand", "A", 2), ("Mirel", "A", 1), ("Grinder", "B", 1))
    )
    game.tell(StartGame(setup=Setup(soldiers, Options(minutes=1), False)))
    game.tell(DeclareAttack(target="mirel"))
    game.tell(EnterDie(value=5))
    game.tell(ConfirmTipped())
    while game.session.game is not None and game.session.game.phase is not Phase.OVER:
        mine = game.session.game.soldier(str(game.session.game.current)).team == "A"
        assert len(game.told) < 20
        if game.session.game.phase is Phase.AWAIT_TIP:
            game.tell(ConfirmTipped())
        else:
            game.tell(EnterDie(value=6 if mine else 1))
    assert big(game) == ("Brand wins for the side of Brand and Mirel.", "Only one side is standing.")
    assert "Brand has won for the side of Brand and Mirel." in drawn(game, SkufflePanel).text
    assert game.session.log[-1].winners == ("brand",)
    state = state_of(game.session)
    assert (state["winners"], state["winning_side"]) == (["Brand"], ["Brand", "Mirel"])
    report = report_of(game.session)
    assert report is not None
    assert "Brand has won for the side of Brand and Mirel." in report_html(report, None)
    assert report_as_json(report)["winners"] == ["Brand"]
    assert report_as_json(report)["winning_side"] == ["Brand", "Mirel"]


def skirmish_before_a_wound() -> ToldGame:
    """Mirel fails; damage of 4 + 4 + 4 is a wound over Toughness 5."""
    game = ToldGame()
    game.tell(StartGame(setup=skirmish_of([HeroRow("Mirel")], SceneRow(4))))
    game.tell(DealCards(cards=(("mirel", "9H"),)))
    game.tell(PlaySkirmish(action=Skirmish("mirel", "Fighting", 8)))
    for face in (1, 2):
        game.tell(EnterDie(value=face))
    return game


def test_enter_keeps_and_takes_and_only_b_spends_a_benny() -> None:
    """Enter soaked, and so spent a Benny that nobody had offered."""
    game = skirmish_before_a_wound()
    page = drawn(game, SkirmishPanel)
    assert "Keep the roll (Enter)" in page.text
    assert "Benny: roll again (B)" in page.text
    game.tell(PlaySkirmish(action=Accept()))
    for _ in range(3):
        game.tell(EnterDie(value=4))
    scene = game.session.scene
    assert scene is not None
    assert scene.phase is SkirmishPhase.SOAK
    page = drawn(game, SkirmishPanel)
    assert "Benny: soak (B)" in page.text
    assert "Take the wounds (Enter)" in page.text
    before = scene.fighter("mirel").bennies
    assert panel_of(game, SkirmishPanel).key("enter")
    scene = game.session.scene
    assert scene is not None
    assert scene.fighter("mirel").bennies == before
    assert scene.fighter("mirel").condition.wounds == 1


def test_b_spends_a_benny() -> None:
    game = skirmish_before_a_wound()
    scene = game.session.scene
    assert scene is not None
    before = scene.fighter("mirel").bennies
    assert panel_of(game, SkirmishPanel).key("b")
    scene = game.session.scene
    assert scene is not None
    assert scene.fighter("mirel").bennies == before - 1


def struck(*faces: int) -> ToldGame:
    """Lokan strikes Raider; the attack's dice show `faces`."""
    game = ToldGame()
    game.tell(StartGame(setup=combat_of(first_fields())))
    for face in (19, 15, 8, 4):
        game.tell(EnterDie(value=face))
    blow = AttackForm(how=MELEE).blow()
    game.tell(PlayCombat(action=Attack("Lokan", "Raider", blow)))
    for face in faces:
        game.tell(EnterDie(value=face))
    return game


def test_a_number_that_the_table_tells_comes_with_what_happened_and_what_to_do() -> None:
    """It asked for "base damage ... the table says it" before anybody knew that it had hit."""
    game = struck(7, 7)
    assert big(game)[0] == "Lokan hits Raider: how much is the base damage?"
    page = drawn(game, WorldSagaPanel)
    assert "The attack is a plain success. How much damage that is, the public rules do not say" in page.text
    assert "More agreements" in page.text
    page.press("4")
    assert "defends itself: how much does that take off?" in big(game)[0]
    assert "0 takes off nothing" in drawn(game, WorldSagaPanel).text


def test_a_declared_attack_is_said_once() -> None:
    """In German it read "sagt Strike gegen Raider an" and "setzt Strike gegen Raider ein" one after the other."""
    game = struck()
    headline, why = big(game)
    assert headline.startswith("Lokan declares")
    assert "against" not in why
    language.use("de")
    assert "setzt" not in big(game)[1]
