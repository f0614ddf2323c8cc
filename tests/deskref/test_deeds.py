"""Undo and redo say what was done, in the past: no order to players, no question, and never whose turn it is."""

from __future__ import annotations

import re
from enum import StrEnum

import pytest

from deskref import deed_words
from deskref.inputs import (
    AutomatedSoldier,
    ConfirmTipped,
    DealCards,
    EnterDie,
    PlayCombat,
    PlaySkirmish,
    Redo,
    Setup,
    SkirmishSetup,
    SoldierSetup,
    StartGame,
    Undo,
)
from deskref.page.world_saga_fields import first_fields, setup_of
from deskref.signal import SignalKind
from rules.skirmish.damage import Condition
from rules.skirmish.state import Event as SkirmishEvent
from rules.skirmish.state import Fighter, Skirmish
from rules.skirmish.state import Options as SkirmishOptions
from rules.skuffle_state import Breed, Options
from rules.skuffle_state import Event as SkuffleEvent
from rules.world_saga.actions import EndTurn, Stride
from rules.world_saga.attacks import Event as CombatEvent
from tests.deskref.played_desk import PlayedDesk, skirmish_setup


def headline(desk: PlayedDesk, told: Undo | Redo) -> str:
    said = desk.tell(told)
    return next(s.message.text for s in said if s.kind in (SignalKind.UNDONE, SignalKind.REDONE))


def test_a_killing_hit_is_taken_back_without_an_order_to_tip_anybody() -> None:
    desk = PlayedDesk()
    desk.tell(StartGame(setup=skirmish_setup(minutes=1, with_camera=False)))
    desk.tell(EnterDie(value=6))
    assert headline(desk, Undo()) == "Taken back: Lokan rolled 6 and killed Daemon."
    assert headline(desk, Redo()) == "Done again: Lokan rolled 6 and killed Daemon."
    desk.tell(ConfirmTipped())
    assert headline(desk, Undo()) == "Taken back: Daemon was tipped on its side."


def test_an_ended_turn_is_taken_back_without_a_word_of_whose_turn_it_is() -> None:
    desk = PlayedDesk()
    desk.tell(StartGame(setup=setup_of(first_fields())))
    for face in (19, 15, 8, 4):
        desk.tell(EnterDie(value=face))
    desk.tell(PlayCombat(action=Stride("Lokan", ((2, 2),))))
    desk.tell(PlayCombat(action=EndTurn("Lokan")))
    assert headline(desk, Undo()) == "Taken back: Lokan ended the turn."
    assert headline(desk, Undo()) == "Taken back: Lokan strode 1 square."
    assert headline(desk, Undo()) == "Taken back: The initiative of Brute was told."


def test_a_skirmish_tells_what_was_taken_back() -> None:
    desk = PlayedDesk()
    heroes = (Fighter("lokan", Condition(5), name="Lokan"),)
    desk.tell(StartGame(setup=SkirmishSetup(heroes, 4, options=SkirmishOptions())))
    desk.tell(DealCards(cards=(("lokan", "9C"),)))
    desk.tell(PlaySkirmish(action=Skirmish("lokan", "Fighting", 8)))
    desk.tell(EnterDie(value=5))
    assert headline(desk, Undo()) == "Taken back: Lokan rolled 5 on a d8."
    assert headline(desk, Undo()) == "Taken back: Lokan chose to roll Fighting."
    assert headline(desk, Undo()) == "Taken back: The cards of round 1 were dealt."


def test_no_die_counts_while_the_desk_pushes_its_figure() -> None:
    """Somebody types a die where the page told to push a figure: what is said is what to do."""
    desk = PlayedDesk()
    zombie = AutomatedSoldier("zed", "Zed", "B", breed=Breed.ZOMBIE)
    soldiers = (SoldierSetup("lokan", "Lokan", "A"), zombie)
    desk.tell(StartGame(setup=Setup(soldiers, Options(minutes=3), with_camera=False)))
    desk.tell(EnterDie(value=1))
    (said,) = desk.tell(EnterDie(value=3))
    assert (said.kind, said.message.code) == (SignalKind.ILLEGAL, "desk_moves")
    assert said.message.text == "No die now: Zed does something else. Do as told, then press Enter."


@pytest.mark.parametrize(
    ("game", "events"), [("sk", SkuffleEvent), ("qs", SkirmishEvent), ("ws", CombatEvent)], ids=["sk", "qs", "ws"]
)
def test_every_event_of_every_game_has_its_sentence(game: str, events: type[StrEnum]) -> None:
    begins = {"started"}  # a game that begins is no step
    lacking = [e for e in events if f"did_{game}_{e}" not in deed_words.WORDS and e not in begins]
    assert lacking == []


@pytest.mark.parametrize("sentence", deed_words.WORDS.values())
def test_no_deed_speaks_to_a_player_or_asks(sentence: str) -> None:
    assert re.search(r"\byour?\b|\?|!", sentence) is None
    assert sentence.endswith(".")
