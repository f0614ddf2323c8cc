"""The chi-square test of dice: against published tables, against counting, and in words."""

from __future__ import annotations

import itertools
import random

import pytest

from deskref.luck import LEAST_THROWS, Verdict, chi_square_tail, luck_of


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (11.070498, 5, 0.05),
        (15.086272, 5, 0.01),
        (30.143527, 19, 0.05),
        (36.190869, 19, 0.01),
        (1.145476, 5, 0.95),
        (10.117013, 19, 0.95),
    ],
)
def test_the_tail_is_that_of_the_published_tables(statistic: float, freedom: int, p: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(p, abs=2e-7)


@pytest.mark.parametrize("values", [(1, 1, 1, 1), (1, 2, 3, 4), (1, 1, 2, 2), (4, 4, 4, 1)])
def test_few_throws_are_counted_out_exactly(values: tuple[int, ...]) -> None:
    """All 256 sequences of four throws of a d4."""

    def squares(faces: tuple[int, ...]) -> int:
        return sum(faces.count(face) ** 2 for face in set(faces))

    games = list(itertools.product(range(1, 5), repeat=4))
    as_uneven = sum(squares(game) >= squares(values) for game in games)
    assert luck_of(values, 4).p == pytest.approx(as_uneven / len(games))


def test_exact_and_approximate_tails_meet_where_they_change_over() -> None:
    rng = random.Random(7)
    for _ in range(20):
        values = [rng.randint(1, 6) for _ in range(30)]
        exact = luck_of(values, 6)
        assert exact.is_exact
        assert exact.p == pytest.approx(chi_square_tail(exact.chi_square, 5), abs=0.05)


def test_fair_dice_are_called_uneven_about_as_often_as_the_levels_say() -> None:
    rng = random.Random(11)
    verdicts = [luck_of([rng.randint(1, 6) for _ in range(60)], 6).verdict for _ in range(400)]
    odd = sum(v in (Verdict.ODD, Verdict.VERY_ODD) for v in verdicts)
    assert 8 <= odd <= 34  # 20 expected


def test_a_loaded_die_is_found_out() -> None:
    rng = random.Random(13)
    values = [6 if rng.random() < 0.3 else rng.randint(1, 6) for _ in range(200)]
    assert luck_of(values, 6).verdict is Verdict.VERY_ODD


@pytest.mark.parametrize(("throws", "says"), [(LEAST_THROWS - 1, Verdict.TOO_FEW), (LEAST_THROWS, Verdict.VERY_ODD)])
def test_nothing_is_said_of_too_few_throws(throws: int, says: Verdict) -> None:
    assert luck_of([6] * throws, 6).verdict is says


def test_means_and_counts() -> None:
    luck = luck_of([1, 6, 6, 3], 6)
    assert luck.counts == (1, 0, 1, 0, 0, 2)
    assert luck.mean == 4.0
    assert luck.expected_mean == 3.5
    assert luck_of([], 20).mean == 10.5


def test_a_hundred_throws_of_a_d20_are_only_just_enough_for_the_approximation() -> None:
    rng = random.Random(5)
    assert not luck_of([rng.randint(1, 20) for _ in range(99)], 20).is_exact
    assert luck_of([rng.randint(1, 20) for _ in range(100)], 20).is_exact


def test_a_face_that_the_die_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="7"):
        luck_of([7], 6)
