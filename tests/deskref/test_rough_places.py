"""Rulings that would hang on a rough place: a question instead, and the same one in every replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref import inputs
from deskref.inputs import Source
from deskref.play import Play
from deskref.recording import Journal
from deskref.referee import step
from deskref.replay import session_of
from deskref.session import Session
from deskref.signal import SignalKind
from rules.skuffle_state import AttackKind
from tests.deskref.played_desk import DAEMON, IMP, LOKAN, TARIK, PlayedDesk
from vision import events
from vision.observation import Point, Pose

VERDICTS = (SignalKind.HIT, SignalKind.MISS, SignalKind.SAVED)


def placed(desk: PlayedDesk, soldier: str, mm: Point, doubt_mm: float | None) -> None:
    """Say that a figure stands where it stands, known so well."""
    desk.places[desk.figures[soldier]] = mm
    desk._figure_event(events.FigurePlaced, soldier, mm, doubt_mm=doubt_mm)


def stand_apart(gap_mm: float, doubt_mm: float | None) -> PlayedDesk:
    """A game in Lokan's turn, with the Daemon this far from his base and places known so well."""
    desk = PlayedDesk()
    desk.begin()
    x, y = desk.places[desk.figures[LOKAN]]
    desk.move(LOKAN, (x, y + 30))
    for _ in (TARIK, DAEMON, IMP):
        desk.tell(inputs.PassTurn(time_s=desk.time_s))
    at = desk.places[desk.figures[LOKAN]]
    before = desk.places[desk.figures[DAEMON]]
    to = (at[0], at[1] + 25.0 + gap_mm)
    desk.places[desk.figures[DAEMON]] = to
    desk._figure_event(events.FigureMoved, DAEMON, to, from_mm=before, doubt_mm=doubt_mm)
    desk.wait(1)
    key = f"task_moved:{DAEMON}"
    if key in desk.task_keys():
        desk.tell(inputs.Choose(time_s=desk.time_s, task=key, choice="leave"))
    placed(desk, LOKAN, at, doubt_mm)
    assert desk.session.game is not None
    assert desk.session.game.current == LOKAN
    return desk


def asked(desk: PlayedDesk) -> list[str]:
    return [task.key for task in desk.session.tasks if task.choices]


def test_a_roll_is_judged_at_once_where_places_are_known() -> None:
    desk = stand_apart(9.0, 0.2)
    desk.attack(LOKAN, 3)
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]


@pytest.mark.parametrize("gap", [9.0, 11.0])
def test_a_three_near_the_melee_limit_is_asked_about(gap: float) -> None:
    """A 3 hits hand to hand and misses at range: two millimetres of doubt must not decide it."""
    desk = stand_apart(gap, 1.5)
    die = desk.attack(LOKAN, 3)
    assert desk.kinds(*VERDICTS) == []
    assert asked(desk) == [f"how_near:{die}"]
    task = desk.session.tasks[0]
    assert task.message.text == (
        f"Lokan and Daemon stand about {gap:.0f} mm apart, and the camera may be 3 mm off. "
        "Hand to hand reaches 10 mm. Which attack is it?"
    )
    assert dict(task.choices).keys() == {"melee", "ranged"}


@pytest.mark.parametrize(("choice", "verdict"), [("melee", SignalKind.HIT), ("ranged", SignalKind.MISS)])
def test_the_answer_decides(choice: str, verdict: SignalKind) -> None:
    desk = stand_apart(11.0, 1.5)
    die = desk.attack(LOKAN, 3)
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"how_near:{die}", choice=choice))
    assert desk.kinds(*VERDICTS) == [verdict]
    roll = next(s for s in desk.said if s.kind is SignalKind.ROLL)
    assert (roll.die, roll.value, roll.source) == (die, 3, Source.CAMERA)
    assert asked(desk) == []
    assert not any(s.message.code == "melee_gap" for s in desk.said)


@pytest.mark.parametrize(("value", "verdict"), [(2, SignalKind.MISS), (4, SignalKind.HIT)])
def test_a_roll_that_both_kinds_judge_alike_is_not_asked_about(value: int, verdict: SignalKind) -> None:
    desk = stand_apart(9.0, 1.5)
    desk.attack(LOKAN, value)
    assert desk.kinds(*VERDICTS) == [verdict]


def test_who_has_named_the_attack_is_not_asked() -> None:
    desk = stand_apart(11.0, 1.5)
    desk.tell(inputs.DeclareAttack(time_s=desk.time_s, target=DAEMON, attack=AttackKind.MELEE))
    desk.attack(LOKAN, 3)
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]


def test_naming_the_attack_afterwards_answers_too() -> None:
    desk = stand_apart(11.0, 1.5)
    desk.attack(LOKAN, 3)
    desk.tell(inputs.DeclareAttack(time_s=desk.time_s, target=DAEMON, attack=AttackKind.RANGED))
    assert desk.kinds(*VERDICTS) == [SignalKind.MISS]


def test_naming_only_the_target_leaves_the_kind_to_be_asked() -> None:
    desk = stand_apart(11.0, 1.5)
    desk.tell(inputs.DeclareAttack(time_s=desk.time_s, target=DAEMON))
    die = desk.attack(LOKAN, 3)
    assert asked(desk) == [f"how_near:{die}"]


def test_a_typed_die_waits_for_the_answer_too() -> None:
    desk = stand_apart(9.0, 1.5)
    desk.tell(inputs.EnterDie(time_s=desk.time_s, value=3, source=Source.SIMULATED))
    assert asked(desk) == ["how_near:entered"]
    desk.tell(inputs.Choose(time_s=desk.time_s, task="how_near:entered", choice="ranged"))
    assert desk.kinds(*VERDICTS) == [SignalKind.MISS]
    assert next(s for s in desk.said if s.kind is SignalKind.ROLL).source is Source.SIMULATED


def test_an_unread_die_is_asked_about_after_the_kind() -> None:
    desk = stand_apart(9.0, 1.5)
    die = desk.attack(LOKAN, None)
    assert asked(desk) == [f"how_near:{die}"]
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"how_near:{die}", choice="melee"))
    assert asked(desk) == [f"read_die:{die}"]
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"read_die:{die}", choice="3"))
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]


def test_the_desk_answers_when_the_covered_squares_come_into_view() -> None:
    """The places are then told anew, and the roll counts without anybody's word."""
    desk = stand_apart(11.0, 1.5)
    desk.attack(LOKAN, 3)
    for soldier, shift in ((LOKAN, 1.0), (DAEMON, -1.0)):
        x, y = desk.places[desk.figures[soldier]]
        placed(desk, soldier, (x, y + shift), 0.2)
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]
    assert asked(desk) == []


def test_a_die_that_is_taken_up_again_asks_nothing() -> None:
    desk = stand_apart(9.0, 1.5)
    desk.remove_die(desk.attack(LOKAN, 3))
    desk.wait(1)
    assert asked(desk) == []
    assert desk.kinds(*VERDICTS) == []


def two_equally_near(doubt_mm: float | None) -> PlayedDesk:
    """A game in Lokan's turn: the Daemon is 0.6 mm nearer to him than the Imp."""
    desk = PlayedDesk()
    desk.begin()
    x, y = desk.places[desk.figures[LOKAN]]
    for soldier, place in ((DAEMON, (x, y + 80.0)), (IMP, (x + 80.6, y))):
        before = desk.places[desk.figures[soldier]]
        desk.places[desk.figures[soldier]] = place
        desk._figure_event(events.FigureMoved, soldier, place, from_mm=before, doubt_mm=doubt_mm)
        desk.wait(1)
        desk.tell(inputs.Choose(time_s=desk.time_s, task=f"task_moved:{soldier}", choice="leave"))
    assert desk.session.game is not None
    assert desk.session.game.soldier(IMP).pos != desk.session.game.soldier(DAEMON).pos
    return desk


def test_the_nearest_enemy_is_the_target_where_places_tell() -> None:
    desk = two_equally_near(0.2)
    desk.attack(LOKAN, 4)
    assert next(s for s in desk.said if s.kind is SignalKind.HIT).target == DAEMON


@pytest.mark.parametrize("target", [DAEMON, IMP])
def test_of_two_equally_near_the_players_say_who_was_meant(target: str) -> None:
    desk = two_equally_near(1.0)
    die = desk.attack(LOKAN, 4)
    assert desk.kinds(*VERDICTS) == []
    assert asked(desk) == [f"whom:{die}"]
    assert [words.text for _, words in desk.session.tasks[0].choices] == ["Daemon", "Imp"]
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"whom:{die}", choice=target))
    assert next(s for s in desk.said if s.kind is SignalKind.HIT).target == target


def test_whom_and_how_near_are_asked_one_after_the_other() -> None:
    desk = two_equally_near(1.0)
    x, y = desk.places[desk.figures[LOKAN]]
    for soldier, place in ((DAEMON, (x, y + 35.0)), (IMP, (x + 35.6, y))):
        before = desk.places[desk.figures[soldier]]
        desk._figure_event(events.FigureMoved, soldier, place, from_mm=before, doubt_mm=1.0)
        desk.wait(1)
        desk.tell(inputs.Choose(time_s=desk.time_s, task=f"task_moved:{soldier}", choice="leave"))
    placed(desk, LOKAN, (x, y), 1.0)
    die = desk.attack(LOKAN, 3, (70.0, 80.0))
    assert asked(desk) == [f"whom:{die}"]
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"whom:{die}", choice=IMP))
    assert asked(desk) == [f"how_near:{die}"]
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"how_near:{die}", choice="melee"))
    assert next(s for s in desk.said if s.kind is SignalKind.HIT).target == IMP


def test_a_place_known_better_moves_nobody() -> None:
    desk = stand_apart(9.0, 1.5)
    assert desk.session.game is not None
    before = desk.session.game
    x, y = desk.places[desk.figures[TARIK]]
    placed(desk, TARIK, (x + 1.5, y), 0.1)
    after = desk.session.game
    assert (after.current, after.round, after.phase) == (before.current, before.round, before.phase)
    assert after.soldier(TARIK).pos[0] == before.soldier(TARIK).pos[0] + 1.5
    assert desk.session.past[-1][1] is not None
    assert not any(s.kind is SignalKind.MOVED and s.soldier == TARIK for s in desk.said)


def test_the_question_and_its_answer_replay_the_same(tmp_path: Path) -> None:
    """A journal of the game leads to the same session, and the same steps to the same signals, byte for byte."""
    desk = stand_apart(11.0, 1.5)
    die = desk.attack(LOKAN, 3)
    half = list(desk.happened)
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"how_near:{die}", choice="melee"))
    with Journal(tmp_path / "game.jsonl", version="1", started="now") as journal:
        play = Play(journal)
        for happened in half:
            if isinstance(happened, inputs.Tick):
                play.passed(happened.time_s)
            else:
                play.happened(happened)
        waiting = session_of(tmp_path / "game.jsonl")[0]
        assert [q.key for q in waiting.book.questions] == [f"how_near:{die}"]
        play.happened(desk.happened[-1])
    restored, trouble = session_of(tmp_path / "game.jsonl")
    assert trouble is None
    assert restored.book == play.session.book == desk.session.book
    again = Session()
    said = []
    for happened in desk.happened:
        again, signals = step(again, happened)
        said += [signal.as_json() for signal in signals]
    assert said == [signal.as_json() for signal in desk.said]


def test_figures_that_lie_or_are_unknown_are_not_put_right() -> None:
    desk = stand_apart(9.0, 1.5)
    assert desk.session.game is not None
    before = desk.session.game.soldier(TARIK).pos
    desk._figure_event(events.FigurePlaced, TARIK, (0.0, 0.0), pose=Pose.TIPPED, doubt_mm=0.1)
    desk.tell(
        events.FigurePlaced(frame=1, time_s=desk.time_s, figure=999, mm=(0.0, 0.0), pose=Pose.STANDING, doubt_mm=0.1)
    )
    assert desk.session.game.soldier(TARIK).pos == before
