"""Skuffle Wammer against the desk: what the desk's figures do, said and played with typed dice."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from deskref.chance import Chance
from deskref.inputs import (
    AutomatedSoldier,
    ConfirmTipped,
    DeclareAttack,
    EnterDie,
    FollowPlan,
    MoveSoldier,
    PassTurn,
    Setup,
    SoldierSetup,
    StartGame,
)
from deskref.play import Play
from deskref.recording import Journal
from deskref.referee import step
from deskref.replay import session_of
from deskref.session import Session
from deskref.signal import SignalKind
from deskref.skuffle_attack import proposal
from deskref.solo_turn import plan_of
from rules.skuffle_state import AttackKind, Breed, Move, Options, Phase


def against(breed: Breed) -> Setup:
    return Setup(
        (SoldierSetup("lokan", "Lokan", "A"), AutomatedSoldier("foe", "Foe", "B", breed=breed)),
        Options(minutes=3),
        False,
    )


def begun(breed: Breed) -> Session:
    return step(Session(), StartGame(setup=against(breed)))[0]


def test_the_rows_stand_opposite_and_the_player_begins() -> None:
    session = begun(Breed.ZOMBIE)
    assert session.game is not None
    assert session.game.current == "lokan"
    assert math.dist(session.game.soldier("lokan").pos, session.game.soldier("foe").pos) == pytest.approx(120)


def test_a_zombie_is_pushed_as_told() -> None:
    """Solo play: a zombie shambles 30 mm at whoever is nearest."""
    session, _ = step(begun(Breed.ZOMBIE), PassTurn())
    plan = plan_of(session)
    assert plan is not None
    assert isinstance(plan.action, Move)
    assert any(s.kind is SignalKind.RULING and s.message.code == "solo_push" for s in session.log)
    assert proposal(session) is None
    session, _ = step(session, FollowPlan())
    assert session.game is not None
    assert session.game.soldier("foe").pos == plan.action.to
    assert session.game.current == "lokan"


def test_a_robot_shoots_whom_the_plan_says_with_a_typed_die() -> None:
    session, _ = step(begun(Breed.ROBOT), PassTurn())
    attack = proposal(session)
    assert attack is not None
    assert (attack.by, attack.target) == ("foe", "lokan")
    session, signals = step(session, EnterDie(value=5))
    assert SignalKind.HIT in [s.kind for s in signals]
    assert session.game is not None
    assert session.game.soldier("lokan").pool == 1


def test_following_a_plan_that_attacks_waits_for_its_die() -> None:
    session, _ = step(begun(Breed.ROBOT), PassTurn())
    session, _ = step(session, FollowPlan())
    assert session.game is not None
    assert session.game.phase is Phase.AWAIT_DIE


def test_a_ghoul_has_a_die_fewer() -> None:
    """The author's expansion: a ghoul has one die fewer than a soldier."""
    session = begun(Breed.GHOUL)
    assert session.game is not None
    assert [s.pool for s in session.game.soldiers] == [2, 1]


def test_a_plan_on_a_players_turn_is_refused() -> None:
    _, signals = step(begun(Breed.ROBOT), FollowPlan())
    assert [s.kind for s in signals] == [SignalKind.ILLEGAL]


@pytest.mark.parametrize("breed", [Breed.GHOUL, Breed.ZOMBIE, Breed.ROBOT])
def test_a_whole_game_alone_ends_and_is_made_again_from_its_journal(breed: Breed, tmp_path: Path) -> None:
    chance = Chance(3)
    with Journal(tmp_path / "s.jsonl", version="0", started="2026-01-01T00:00:00+00:00") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=against(breed)))
        for _ in range(60):
            game = play.session.game
            assert game is not None
            if game.phase is Phase.OVER:
                break
            if game.phase is Phase.AWAIT_TIP:
                play.happened(ConfirmTipped())
            elif plan_of(play.session) is not None and game.phase is Phase.TURN:
                play.happened(FollowPlan())
            elif game.phase is Phase.AWAIT_DIE or proposal(play.session) is not None:
                play.happened(EnterDie(value=chance.die(6)))
            else:
                play.happened(MoveSoldier(to_mm=(0.0, -90.0)))
    assert play.session.game is not None
    assert play.session.game.phase is Phase.OVER
    assert SignalKind.ILLEGAL not in [s.kind for s in play.session.log]
    session, trouble = session_of(journal.path)
    assert trouble is None
    assert session.game == play.session.game


@pytest.mark.parametrize("is_strict", [False, True])
def test_where_nobody_knows_the_places_melee_is_taken_without_a_word_of_distances(is_strict: bool) -> None:
    players = (SoldierSetup("lokan", "Lokan", "A"), SoldierSetup("daemon", "Daemon", "B"))
    setup = Setup(players, Options(minutes=3, strict=is_strict), False)
    session, _ = step(Session(), StartGame(setup=setup))
    assert session.game is not None
    other = "daemon" if session.game.current == "lokan" else "lokan"
    session, _ = step(session, DeclareAttack(target=other, attack=AttackKind.MELEE))
    session, signals = step(session, EnterDie(value=3))
    assert SignalKind.HIT in [s.kind for s in signals]
    assert not [s.message.text for s in session.log if " mm" in s.message.text]


def test_on_the_drawn_table_melee_from_afar_is_advised_against() -> None:
    session, _ = step(begun(Breed.ZOMBIE), DeclareAttack(target="foe", attack=AttackKind.MELEE))
    session, _ = step(session, EnterDie(value=3))
    assert "melee_gap" in [s.message.code for s in session.log]


def test_a_die_typed_for_somebody_without_dice_is_told_what_can_be_done() -> None:
    """Skuffle Wammer: a soldier without dice lives on, and can only move or do nothing."""
    players = (SoldierSetup("lokan", "Lokan", "A", pool=0), SoldierSetup("daemon", "Daemon", "B", pool=2))
    session, _ = step(Session(), StartGame(setup=Setup(players, Options(minutes=3), False)))
    assert session.game is not None
    if session.game.current != "lokan":
        session, _ = step(session, PassTurn())
    _, signals = step(session, EnterDie(value=4))
    assert [s.message.text for s in signals] == ["Lokan has no dice left to roll: move or pass."]
