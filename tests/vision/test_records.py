"""Observations and their JSON records."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.observation import (
    Observation,
    Pose,
    SeenDie,
    SeenFigure,
    SeenHand,
    SeenMotion,
    SeenObstacle,
    TableSeen,
    as_json,
)
from vision.records import observation_as_record, observation_from_record

FULL = Observation(
    7,
    0.25,
    (1280, 720),
    TableSeen(True, 5, None, True, False, 1.7),
    dice=(
        SeenDie((1.0, 2.0, 3.0, 4.0), 6, 0.97, (10.5, -3.25), 16.0, "red", 22.0, True, None,
                ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))),
        SeenDie((1.0, 2.0, 3.0, 4.0), None, 0.4, why="it is being read"),
    ),
    figures=(SeenFigure((1.0, 2.0, 3.0, 4.0), Pose.TIPPED, 0.8, (1.0, 2.0), 30.5, 25.0, 22.0, (0.5, 0.25, 0.25)),),
    obstacles=(SeenObstacle(((0.0, 0.0), (10.0, 0.0), (0.0, 10.0)), 18.0, (1.0, 2.0, 3.0, 4.0), 0.7),),
    hands=(SeenHand(((1.0, 1.0), (2.0, 2.0), (1.0, 2.0)), ((0.0, 0.0), (5.0, 5.0), (0.0, 5.0))),),
    moving=True,
    moved_px=(0.5, 0.25),
    motions=(SeenMotion(((0.0, 0.0), (5.0, 5.0), (0.0, 5.0))),),
    hidden_mm=((3.0, 4.5),),
)  # fmt: skip


def test_a_full_observation_survives() -> None:
    line = json.dumps(observation_as_record(FULL))
    assert observation_from_record(json.loads(line)) == FULL


def test_an_empty_one_is_short() -> None:
    empty = Observation(0, 0.0, (640, 480), TableSeen(False, 0, "No mat in the picture."))
    record = observation_as_record(empty)
    assert observation_from_record(record) == empty
    assert set(record) == {"frame", "time_s", "size", "table"}


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(0, 1))
def test_what_was_recorded_once_is_recorded_the_same_again(x: float, y: float, confidence: float) -> None:
    seen = Observation(1, 1.0, (2, 2), TableSeen(True), dice=(SeenDie((x, y, x, y), 3, confidence, (x, y)),))
    record = observation_as_record(seen)
    assert observation_as_record(observation_from_record(record)) == record


@pytest.mark.parametrize("broken", [{}, {"frame": 1}, {"frame": 1, "time_s": 0, "size": [1, 2], "table": None},
                                    {"frame": 1, "time_s": 0, "size": [1], "table": {"found": True}}])  # fmt: skip
def test_a_broken_record_is_refused_with_what_is_wrong(broken: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="observation"):
        observation_from_record(broken)


def test_the_scoring_form_has_what_the_measuring_tools_read() -> None:
    seen = as_json(FULL)
    assert seen["table"] == {"found": True, "markers": 5}
    assert {"mm", "value", "confidence", "box"} <= set(seen["dice"][0])
    assert {"mm", "pose", "height_mm", "base_mm", "box"} <= set(seen["figures"][0])
    assert {"outline_mm", "height_mm"} <= set(seen["obstacles"][0])
