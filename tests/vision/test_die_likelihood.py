"""How likely an unread find in a plain picture is a die."""

from __future__ import annotations

import math

import pytest

from vision.die_likelihood import die_likelihood, off_usual
from vision.observation import DOUBTFUL_DIE, SeenDie

READABLE, UNREADABLE = (0.1, *([0.15] * 6)), (0.95, *([0.05 / 6] * 6))


def test_a_tuft_among_dice_is_hardly_one_and_a_blurred_die_is_likely_one() -> None:
    tuft = die_likelihood(0.3, (UNREADABLE, UNREADABLE), math.log(2.0))
    blurred = die_likelihood(0.6, (READABLE, READABLE), 0.05)
    assert tuft < DOUBTFUL_DIE < 0.5 < blurred


def test_score_readability_and_the_usual_size_speak_for_a_die() -> None:
    usual = die_likelihood(0.4, (READABLE, UNREADABLE), 0.1)
    assert die_likelihood(0.6, (READABLE, UNREADABLE), 0.1) > usual
    assert die_likelihood(0.4, (READABLE, READABLE), 0.1) > usual
    assert die_likelihood(0.4, (READABLE, UNREADABLE), 0.7) < usual
    assert die_likelihood(0.4, (READABLE, UNREADABLE), -0.1) == usual
    assert die_likelihood(0.4, (READABLE, UNREADABLE), None) < usual


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_the_ends_of_the_score_are_no_trouble(score: float) -> None:
    assert 0 <= die_likelihood(score, (READABLE, READABLE), None) <= 1


def test_the_usual_size_is_the_middle_of_at_least_two() -> None:
    assert off_usual(30.0, [30.0]) is None
    assert off_usual(60.0, [20.0, 30.0, 31.0]) == pytest.approx(math.log(2.0))


def test_only_what_is_unread_and_on_no_table_is_doubtful() -> None:
    box = (0.0, 0.0, 9.0, 9.0)
    assert SeenDie(box, None, 0.05).is_doubtful
    assert not SeenDie(box, 4, 0.05).is_doubtful
    assert not SeenDie(box, None, 0.05, mm=(1.0, 2.0)).is_doubtful
    assert not SeenDie(box, None, 0.2).is_doubtful
