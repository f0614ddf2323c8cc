"""The demo game: legal by the rules, clear for a referee, and the committed recording says the same."""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.training.scenes import choreography, recording
from models.training.scenes.film import Film
from models.training.scenes.physics import Pose
from models.training.scenes.shots import plan
from models.training.scenes.turning import UPRIGHT
from rules import skuffle

DEMO = Path(__file__).parents[2] / "deskref" / "data" / "demo"


@pytest.fixture(scope="module")
def truth() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / "truth.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def setup() -> dict[str, Any]:
    result: dict[str, Any] = json.loads((DEMO / "setup.json").read_text())
    return result


def _rules_place(mm: list[float]) -> tuple[float, float]:
    """The rules count from the far left corner, y towards the player."""
    return (mm[0] + 100.0, 100.0 - mm[1])


def test_the_recorded_game_is_legal_and_ends_as_the_truth_says(
    truth: list[dict[str, Any]], setup: dict[str, Any]
) -> None:
    """Skuffle Wammer: order, pools, hits, the save by cover, deaths and the winner, by the rules' own engine."""
    soldiers = tuple(
        skuffle.Soldier(s["name"], _rules_place(s["start_mm"]), s["team"], base_radius_mm=12.5)
        for s in setup["soldiers"]
    )
    game = skuffle.start(soldiers, skuffle.Options(minutes=setup["minutes"], strict=True)).state
    started = next(line for line in truth if line["event"] == "game_started")
    assert list(game.order) == started["order"]
    results = []
    for line in truth:
        if line["event"] == "turn":
            assert game.current == line["soldier"]
            assert game.round == line["round"]
        elif line["event"] == "figure_moved":
            game = skuffle.resolve(game, skuffle.Move(line["name"], _rules_place(line["to_mm"]))).state
        elif line["event"] == "ruling":
            kind = skuffle.AttackKind(line["kind"])
            bonus = (skuffle.cover_reason("eraser", 0.5),) if line["modifier"] == -1 else ()
            attack = skuffle.Attack(line["attacker"], line["target"], kind, defence_bonus=bonus)
            game = skuffle.resolve(game, attack).state
            ruling = skuffle.resolve(game, skuffle.Die(line["natural"]))
            game = ruling.state
            assert game.soldier(line["target"]).is_dead == line["killed"]
            assert {s.id: s.pool for s in game.soldiers} == line["pools"]
            results.append(line["result"])
            if game.phase is skuffle.Phase.AWAIT_TIP:
                game = skuffle.resolve(game, skuffle.Tipped(line["target"])).state
    winner = truth[-1]
    assert winner["event"] == "winner"
    assert game.phase is skuffle.Phase.OVER
    assert list(game.winners) == winner["standing"]
    assert game.result == winner["result"] == "win"
    assert results == ["hit", "saved", "miss", "hit", "hit", "hit"]
    assert {line["kind"] for line in truth if line["event"] == "ruling"} == {"ranged", "melee"}


def test_the_setup_file_says_nothing_about_what_happens(setup: dict[str, Any]) -> None:
    assert set(setup) == {"game", "minutes", "soldiers"}
    assert all(set(soldier) == {"name", "team", "start_mm"} for soldier in setup["soldiers"])


def test_hands_are_gone_for_a_second_between_actions(truth: list[dict[str, Any]]) -> None:
    """The referee waits for a still, free table."""
    over = sorted(line["time_s"] for line in truth if line["event"] == "hand_over")
    gone = sorted(line["time_s"] for line in truth if line["event"] == "hand_gone")
    assert len(over) == len(gone) > 30
    assert all(start < end for start, end in zip(over, gone, strict=True))
    assert min(start - end for start, end in zip(over[1:], gone, strict=False)) >= 1.0


def test_rolled_dice_rest_long_enough_and_away_from_every_base(truth: list[dict[str, Any]]) -> None:
    places: dict[str, list[float]] = {}
    base_mm = {f.name: f.base_mm for f in choreography.FIGURES}
    for i, line in enumerate(truth):
        if line["event"] == "figure_placed":
            places[line["name"]] = line["mm"]
        elif line["event"] == "figure_moved":
            places[line["name"]] = line["to_mm"]
        elif line["event"] == "die_at_rest":
            following = next(other for other in truth[i:] if other["event"] == "hand_over")
            assert following["time_s"] - line["time_s"] >= 1.2
            for name, place in places.items():
                assert math.dist(place, line["mm"]) - base_mm[name] / 2 >= 55.0


def test_the_recording_is_what_opencv_reads_everywhere(truth: list[dict[str, Any]]) -> None:
    file = DEMO / "demo.mp4"
    assert file.stat().st_size < 12_000_000
    film = cv2.VideoCapture(str(file))
    try:
        assert film.isOpened()
        assert film.get(cv2.CAP_PROP_FPS) == pytest.approx(30)
        size = (film.get(cv2.CAP_PROP_FRAME_WIDTH), film.get(cv2.CAP_PROP_FRAME_HEIGHT))
        assert size == (1280, 720)
        count = film.get(cv2.CAP_PROP_FRAME_COUNT)
        assert 120 * 30 <= count <= 180 * 30
        assert truth[-1]["frame"] < count
        read, frame = film.read()
    finally:
        film.release()
    assert read
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, ids, _ = detector.detectMarkers(frame)
    assert sorted(np.ravel(ids).tolist()) == [0, 1, 2, 3, 4, 5]


@pytest.mark.slow
def test_playing_the_game_again_gives_the_committed_truth(truth: list[dict[str, Any]]) -> None:
    """Physics is the same on every run of one MuJoCo version; places may differ by rounding on another machine."""
    pytest.importorskip("mujoco")
    again = choreography.play().truth
    assert [(line["event"], line["frame"]) for line in again] == [(line["event"], line["frame"]) for line in truth]


def test_a_film_moves_evenly_between_keys_and_hides_what_is_gone() -> None:
    film = Film()
    film.put("die", Pose((0.0, 0.0, 8.0), UPRIGHT), time_s=1.0)
    film.put("die", Pose((10.0, 0.0, 8.0), UPRIGHT), time_s=2.0)
    film.put("die", None, time_s=3.0)
    assert film.pose("die", 0.5) is None
    halfway = film.pose("die", 1.5)
    assert halfway is not None
    assert halfway.at_mm == pytest.approx((5.0, 0.0, 8.0))
    assert film.pose("die", 2.5) == Pose((10.0, 0.0, 8.0), UPRIGHT)
    assert film.pose("die", 3.0) is None
    with pytest.raises(ValueError, match=r"already has a key at 3\.0 s"):
        film.put("die", None, time_s=2.0)


def test_pictures_of_a_film_start_with_all_of_the_frame_and_then_show_only_what_changes() -> None:
    film = Film()
    film.hold(1.0)
    figure = choreography.FIGURES[0]
    film.bring("near-wide", choreography.NEAR, [(figure.name, Pose(figure.at_mm, figure.turn))], grip_mm=20.0)
    film.hold(1.0)
    shots = plan(film, choreography.setting(), [], frames_per_second=30)
    assert shots[0].crop is None
    assert shots[0].is_still
    assert shots[-1].is_still
    assert [name for name, _, _ in shots[-1].poses] == [figure.name]
    assert all(not shot.is_still for shot in shots[1:-1])
    assert [shot.frame for shot in shots] == sorted({shot.frame for shot in shots})
    left, top, right, bottom = shots[-1].crop or (0, 0, 0, 0)
    assert 0 < (right - left) * (bottom - top) < 0.1 * 1280 * 720
    assert len({shot.key("x") for shot in shots}) == len(shots)


def test_a_part_that_shows_nothing_new_leaves_the_ground_as_it_was() -> None:
    generator = np.random.default_rng(3)
    rough = generator.uniform(50, 200, (120, 160, 3)).astype(np.float32)
    ground = np.asarray(cv2.GaussianBlur(rough, (0, 0), 3.0), dtype=np.float32)
    crop = (20, 10, 140, 100)
    part = ground[10:100, 20:140] + np.float32(0.5)
    assert np.abs(recording._laid_over(ground, part, crop) - ground).max() < 0.5
    coarse = np.asarray(cv2.resize(ground[10:100, 20:140], (60, 45), interpolation=cv2.INTER_AREA), dtype=np.float32)
    assert np.abs(recording._laid_over(ground, coarse, crop, is_coarse=True) - ground).max() < 2.0


def test_a_white_die_that_left_white_paper_leaves_no_ghost() -> None:
    ground = np.full((120, 160, 3), 210, np.float32)
    ground[40:70, 60:90] = 190
    coarse = np.full((60, 80, 3), 208, np.float32)
    crop = (0, 0, 160, 120)
    laid = recording._laid_over(ground, coarse, crop, is_coarse=True, left_behind=((55, 35, 95, 75),))
    assert np.abs(laid[40:70, 60:90] - 208).max() < 3
