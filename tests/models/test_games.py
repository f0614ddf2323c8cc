"""Recorded games for judging: that they are planned fairly, drawn the same again, and counted rightly."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="games are drawn with the `train` extra")

from devices.frame import Frame
from models.training.tables import game_film, game_score
from models.training.tables.game_plan import CLEAR_MM, Hold, Plan, Throw, Visit, plan_game
from models.training.tables.game_score import Score, score_game, words
from vision import events
from vision.observation import Observation, Pose, TableSeen

SEEDS = (90010, 90007, 90009)


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [plan_game(seed) for seed in SEEDS]


def facts(plan: Plan, *kinds: str) -> list[dict[str, Any]]:
    return [f for step in plan.steps for f in step.facts if f["event"] in kinds]


def test_the_same_seed_plans_the_same_game(plans: list[Plan]) -> None:
    again = plan_game(SEEDS[0])
    assert facts(again, "roll", "figure_moved") == facts(plans[0], "roll", "figure_moved")
    assert again.setup == plans[0].setup
    assert list(again.things) == list(plans[0].things)


def test_a_game_comes_to_an_end_with_as_many_tipped_figures_as_deaths(plans: list[Plan]) -> None:
    for plan in plans:
        rolls, tips = facts(plan, "roll"), facts(plan, "figure_tipped")
        assert rolls
        assert [r["target"] for r in rolls if r["killed"]] == [t["name"] for t in tips]
        (winner,) = facts(plan, "winner")
        assert winner["standing"]
        assert not {t["name"] for t in tips} & set(winner["standing"])


def test_thrown_dice_lie_clear_of_every_pool(plans: list[Plan]) -> None:
    for plan in plans:
        at: dict[str, tuple[float, float]] = {}
        for step in plan.steps:
            for fact in step.facts:
                if "mm" in fact and fact["event"].startswith("figure"):
                    at[fact["name"]] = fact["mm"]
                if fact["event"] == "roll":
                    assert min(math.dist(fact["mm"], place) for place in at.values()) > CLEAR_MM
        assert len(at) == len(plan.setup["soldiers"])


def test_every_step_has_a_thing_that_it_is_about(plans: list[Plan]) -> None:
    """What is put down again was taken before, and nothing is drawn that the plan does not know."""
    for plan in plans:
        lying: set[str] = set()
        for step in plan.steps:
            match step:
                case Visit():
                    for name, pose in step.things:
                        assert name in plan.things
                        assert name in lying or pose is not None
                        (lying.add if pose is not None else lying.discard)(name)
                case Throw():
                    assert step.die not in lying
                    lying.add(step.die)
                case Hold():
                    assert step.seconds > 0


# --- frames ---------------------------------------------------------------------------------------------------------


def test_held_stills_become_frames_with_fresh_noise_the_same_every_time(tmp_path: Path) -> None:
    for number, level in enumerate((60, 160)):
        assert cv2.imwrite(str(tmp_path / f"{number:04d}.jpg"), np.full((72, 128, 3), level, np.uint8))
    head = {"seed": 7, "rate_hz": 15.0, "noise_levels": 3.0, "held": [[0, 4], [1, 3], [0, 2]]}
    (tmp_path / "film.json").write_text(json.dumps(head), encoding="utf-8")
    frames = list(game_film.held_frames(tmp_path))
    assert [f.number for f in frames] == list(range(9))
    assert frames[8].time_s == pytest.approx(8 / 15)
    levels = [float(f.image_bgr.mean()) for f in frames]
    assert levels == pytest.approx([60] * 4 + [160] * 3 + [60] * 2, abs=2.5)
    difference = frames[1].image_bgr.astype(int) - frames[0].image_bgr.astype(int)
    assert 2.0 < float(difference.std()) < 8.0
    again = list(game_film.held_frames(tmp_path))
    assert all((a.image_bgr == b.image_bgr).all() for a, b in zip(frames, again, strict=True))
    (tmp_path / "0001.jpg").write_bytes(b"no picture")
    with pytest.raises(ValueError, match="still 1"):
        list(game_film.held_frames(tmp_path))


@pytest.mark.slow
def test_a_hand_and_a_die_are_drawn_only_where_they_are(tmp_path: Path) -> None:
    """The first steps of a game: the table is left as it was but for what was put down."""
    plan = plan_game(SEEDS[0])
    first = next(k for k, step in enumerate(plan.steps) if isinstance(step, Visit))
    short = Plan(plan.seed, plan.view, plan.things, plan.steps[: first + 2], plan.setup)
    game_film.draw_game(short, tmp_path)
    stills = [cv2.imread(str(p)) for p in sorted(tmp_path.glob("*.jpg"))]
    assert all(s is not None and s.shape == (720, 1280, 3) for s in stills)
    apart = [float((cv2.absdiff(s, stills[0]).max(axis=2) > 12).mean()) for s in stills if s is not None]  # type: ignore[arg-type]
    assert apart[0] == 0
    assert max(apart) > 0.03  # the arm
    assert 0 < apart[-1] < 0.03  # one thing more than before
    truth = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in truth] == [plan.steps[first].facts[0]["event"]]


# --- the count ------------------------------------------------------------------------------------------------------

SETUP = {
    "game": "skuffle-wammer",
    "minutes": 1,
    "soldiers": [{"name": "Arden", "start_mm": [-10, -60]}, {"name": "Brock", "start_mm": [10, 60]}],
}
ROLL = {"event": "roll", "name": "Arden", "value": 5, "mm": [-60.0, 0.0], "target": "Brock", "result": "hit",
        "killed": False, "cover": False}  # fmt: skip
MOVE = {"event": "figure_moved", "name": "Brock", "from_mm": [10, 60], "mm": [50.0, 60.0]}
LATE_ROLL = {**ROLL, "name": "Brock", "target": "Arden"}
Told = list[tuple[float, events.TableEvent]]


def figure(kind: type[events.FigureEvent], time_s: float, track: int, mm: tuple[float, float], **more: Any) -> Any:
    given = {"pose": Pose.STANDING, "confidence": 1.0, "height_mm": 30.0, "base_mm": 25.0, **more}
    return (time_s, kind(frame=0, time_s=time_s, figure=track, mm=mm, **given))


def die(kind: type[events.DieEvent], time_s: float, track: int, mm: tuple[float, float], value: int | None) -> Any:
    return (time_s, kind(frame=0, time_s=time_s, die=track, mm=mm, value=value, confidence=0.9))


def opening() -> Told:
    return [
        (0.0, events.TableFound(frame=0, time_s=0.0, markers=6)),
        figure(events.FigureEntered, 0.2, 1, (-10, -60)),
        figure(events.FigureEntered, 0.2, 2, (10, 60)),
        die(events.DieAppeared, 0.4, 1, (15, -60), 2),
        die(events.DieAppeared, 0.4, 2, (-15, 60), 3),
    ]


def scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, truth: list[tuple[float, dict[str, Any]]], told: Told
) -> Score:
    """Score a game whose eyes tell what is given."""
    lines = [{"time_s": t, "frame": round(t * 10), **line} for t, line in truth]
    (tmp_path / "truth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "setup.json").write_text(json.dumps(SETUP), encoding="utf-8")
    picture = np.zeros((4, 4, 3), np.uint8)

    def frames(folder: Path) -> Iterator[Frame]:
        return (Frame(picture, k / 10, k) for k in range(round((truth[-1][0] + 5) * 10)))

    class Eyes:
        """Tells each event when its time has come."""

        def __init__(self) -> None:
            self.waiting = sorted(told, key=lambda t: t[0])

        def look(self, frame: Frame) -> Any:
            due = [e for t, e in self.waiting if t <= frame.time_s]
            self.waiting = [(t, e) for t, e in self.waiting if t > frame.time_s]
            seen = Observation(frame.number, frame.time_s, (4, 4), TableSeen(True, 6))
            return type("Seen", (), {"observation": seen, "events": tuple(due)})

    monkeypatch.setattr(game_score, "held_frames", frames)
    monkeypatch.setattr(game_score, "Eyes", Eyes)
    return score_game(tmp_path)


BEGUN = (3.0, {"event": "game_started", "order": ["Arden", "Brock"]})
PLACED = [
    (0.2, {"event": "figure_placed", "name": "Arden", "mm": [-10.0, -60.0]}),
    (0.2, {"event": "figure_placed", "name": "Brock", "mm": [10.0, 60.0]}),
]


def thrown(time_s: float, value: int | None, *, track: int = 1) -> Told:
    """The only die of a pool is taken and thrown."""
    place = (-60.0, 0.0)
    return [
        die(events.DieTaken, time_s - 1.0, track, (15, -60) if track == 1 else (-15, 60), 2),
        die(events.DieThrown, time_s - 0.3, track, place, None),
        die(events.DieAtRest, time_s + 0.5, track, place, value),
    ]


def test_a_game_that_is_seen_as_it_was_has_no_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [*opening(), *thrown(6.0, 5)]
    score = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (6.0, ROLL)], told)
    assert score.mistakes == []
    assert (score.rolls, score.read, score.asked, score.missed, score.rests) == (1, 1, 0, 0, 1)
    assert "rolls 1: 1 read" in words(score)


def test_a_wrong_value_is_counted_and_put_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (6.0, ROLL)], [*opening(), *thrown(6.0, 2)])
    assert (score.read, score.wrong_values, score.rests_wrong, score.wrong_rulings) == (1, 1, 1, 0)


def test_an_unread_roll_is_asked_and_an_unseen_one_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unread = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (6.0, ROLL)], [*opening(), *thrown(6.0, None)])
    assert (unread.read, unread.asked, unread.missed, unread.rests_unread) == (0, 1, 0, 1)
    unseen = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (6.0, ROLL)], opening())
    assert (unseen.read, unseen.asked, unseen.missed) == (0, 0, 1)


def test_a_roll_that_was_none_is_false_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told long before anybody throws; the true one after it is counted as ever."""
    false = [die(events.DieTaken, 4.0, 1, (15, -60), 2), die(events.DieAtRest, 4.5, 1, (60, 10), 6)]
    later = [die(events.DieTaken, 7.0, 1, (60, 10), 6), die(events.DieAtRest, 8.5, 1, (-60, 0), 5)]
    score = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (8.0, ROLL)], [*opening(), *false, *later])
    assert (score.false_rolls, score.false_rests, score.read, score.missed) == (1, 1, 1, 0)


def test_moves_and_swaps_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Brock's move is seen; then each is said to be where the other stands."""
    told = [
        *opening(), *thrown(6.0, 5),
        figure(events.FigureMoved, 9.0, 2, (50.0, 60.0), from_mm=(10.0, 60.0)),
        figure(events.FigureMoved, 11.0, 2, (-10.0, -60.0), from_mm=(50.0, 60.0)),
        figure(events.FigureMoved, 11.0, 1, (50.0, 60.0), from_mm=(-10.0, -60.0)),
    ]  # fmt: skip
    missed = {**ROLL, "value": 2, "result": "miss"}
    truth = [*PLACED, BEGUN, (6.0, missed), (8.8, MOVE), (12.0, {"event": "nothing"})]
    told[5:8] = thrown(6.0, 2)
    score = scored(tmp_path, monkeypatch, truth, told)
    assert (score.moves, score.moves_seen) == (1, 1)
    assert score.swaps == 2


@pytest.mark.parametrize(("after_s", "in_time"), [(0.6, 1), (1.4, 0)])
def test_a_tipped_figure_is_in_time_within_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_s: float, in_time: int
) -> None:
    tip = {"event": "figure_tipped", "name": "Brock", "mm": [14.0, 66.0]}
    told = [*opening(), figure(events.FigureTipped, 6.0 + after_s, 2, (14.0, 66.0), pose=Pose.TIPPED)]
    score = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (6.0, tip)], told)
    assert (score.tips, score.tips_seen, score.tips_in_time, score.false_tips) == (1, 1, in_time, 0)
    assert score.tip_delays_s == [pytest.approx(after_s)]
    false = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (9.0, tip)], told)
    assert false.false_tips == 1


def test_a_game_that_never_begins_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scored(tmp_path, monkeypatch, [*PLACED, BEGUN, (6.0, ROLL)], opening()[:-1])
    assert score.not_begun == 1
    assert "Brock" in score.mistakes[0]


def test_scores_add_up() -> None:
    whole = Score(games=1, rolls=4, read=3, tip_delays_s=[0.5], mistakes=["a"])
    whole += Score(games=1, rolls=2, read=2, tip_delays_s=[0.7], mistakes=["b"])
    assert (whole.games, whole.rolls, whole.read, whole.tip_delays_s) == (2, 6, 5, [0.5, 0.7])
    assert whole.as_json()["mistakes"] == ["a", "b"]
