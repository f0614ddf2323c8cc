"""Calibration of the dice nets: what is fitted is what the predictions say."""

import numpy as np
import pytest

from models.dice_nets import Candidate
from models.training.dice.calibrate import logistic, temperature, threshold
from models.training.dice.evaluate import answer, rates
from models.training.dice.known import match


def row(label, upright, face=None, **more):
    """A row of a find whose views have these probabilities."""
    return {"label": label, "score": 0.9, "upright": upright, "face": face or upright} | more


def votes(value, p):
    """Seven probabilities: `p` for `value`, the rest shared."""
    return [p if k == value else (1 - p) / 6 for k in range(7)]


def test_temperature_of_a_boastful_net_is_above_one():
    """Says .99 and is right in 8 of 10: softened; says .8 and is right in 8 of 10: left alone."""
    boastful = [row(1 if k % 10 < 8 else 2, votes(1, 0.99)) for k in range(200)]
    honest = [row(1 if k % 10 < 8 else 2, votes(1, 0.8)) for k in range(200)]
    assert temperature(boastful) > 1.5
    assert temperature(honest) == pytest.approx(1.0, abs=0.15)


def test_logistic_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(0)
    x = rng.normal(0, 1, (4000, 2))
    right = (rng.random(4000) < 1 / (1 + np.exp(-(2 * x[:, 0] - x[:, 1] + 0.5)))).astype(float)
    assert logistic(x, right) == pytest.approx([2, -1, 0.5], abs=0.2)


def test_threshold_lets_no_more_through_than_allowed():
    belief = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    right = np.array([1, 1, 0, 1, 0])
    assert threshold(belief, right, 1000, wrong_per_thousand=0.5) == 0.8
    assert threshold(belief, right, 1000, wrong_per_thousand=1.0) == 0.6
    assert threshold(belief, right, 1000, wrong_per_thousand=2.0) == 0.5


def test_no_answer_where_the_views_disagree_or_are_unsure():
    assert answer(row(3, votes(3, 0.97)), 0.9) == 3
    assert answer(row(3, votes(3, 0.97), votes(5, 0.97)), 0.3) == 0
    assert answer(row(3, votes(3, 0.8)), 0.9) == 0
    assert answer(row(3, votes(0, 0.99)), 0.9) == 0
    assert answer({"label": 3}, 0.1) == 0


def test_rates_count_missed_dice_and_values_given_to_nothing():
    rows = [row(3, votes(3, 0.99)), row(4, votes(5, 0.99)), {"label": 6}, row(0, votes(1, 0.99)), row(2, votes(2, 0.4))]
    figures = rates(rows, 0.9)
    assert figures["dice"] == 4
    assert figures["found"] == 75
    assert figures["read"] == 50
    assert figures["right"] == 50
    assert figures["wrong"] == 500


def test_labels_are_matched_with_finds_of_like_place_and_size():
    def find(x, y, size, score=0.5):
        return Candidate((x - size / 2, y - size / 2, x + size / 2, y + size / 2), ((x, y),) * 4, score)

    boxes = np.array([[0, 0, 40, 40], [100, 100, 140, 140.0]])
    finds = (find(22, 20, 42), find(20, 20, 10), find(120, 118, 38), find(300, 300, 40))
    assert match(boxes, finds) == {0: 0, 1: 2}
