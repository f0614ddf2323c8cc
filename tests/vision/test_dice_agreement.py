"""The witnesses are weighed together, and whoever contradicts makes a question mark."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.dice_agreement import LEAST_BELIEF, LEAST_BELIEF_OF_ONE, LEAST_DIE, agree, beliefs, needs_count
from vision.pip_count import PipCount


def count(value: int | None, confidence: float) -> PipCount:
    fits = tuple(confidence if k == value else 0.0 for k in range(1, 7))
    return PipCount(value, confidence, (), None if value else "no pips", fits=fits)


def net(value: int, probability: float, *, unreadable: float = 0.0) -> list[float]:
    """Probabilities with this much on one value; the rest is spread over the other values."""
    rest = (1 - probability - unreadable) / 5
    out = [unreadable] + [rest] * 6
    out[value] = probability
    return out


def both(value: int, probability: float, *, unreadable: float = 0.0) -> tuple[list[float], list[float]]:
    """The same word of both views."""
    one = net(value, probability, unreadable=unreadable)
    return one, one


def test_three_sure_witnesses_give_the_value() -> None:
    verdict = agree(count(5, 0.9), both(5, 0.95), die=0.8)
    assert verdict.value == 5
    assert verdict.confidence >= LEAST_BELIEF
    assert verdict.agreed


def test_disagreement_gives_none_and_names_both_however_sure_they_are() -> None:
    verdict = agree(count(3, 1.0), both(2, 0.999), die=0.9)
    assert verdict.value is None
    assert not verdict.agreed
    assert "2" in str(verdict.why)
    assert "3" in str(verdict.why)


def test_two_unsure_views_are_not_enough_and_a_count_makes_them_so() -> None:
    views = both(4, 0.75, unreadable=0.05)
    assert agree(count(None, 0.0), views, die=0.7).value is None
    assert agree(count(4, 0.9), views, die=0.7).value == 4


def test_views_that_differ_give_none() -> None:
    assert agree(count(None, 0.0), (net(4, 0.9), net(6, 0.9)), die=0.8).value is None


def test_a_one_needs_more() -> None:
    """Somewhere between the two thresholds a 6 is answered and a 1 is not."""
    assert LEAST_BELIEF_OF_ONE > LEAST_BELIEF
    answered: dict[int, list[bool]] = {1: [], 6: []}
    for probability in np.linspace(0.5, 0.99, 50):
        for value in (1, 6):
            answered[value].append(agree(count(value, 0.6), both(value, float(probability)), die=0.7).value == value)
    assert sum(answered[1]) < sum(answered[6])
    assert answered[6][-1]


def test_a_one_that_a_view_or_the_count_doubts_is_none() -> None:
    """Numerals, letters and logos look like a single pip to one witness or another."""
    sure = net(1, 0.95)
    assert agree(count(1, 0.95), (sure, sure), die=0.8).value == 1
    assert agree(count(1, 0.95), (sure, net(1, 0.5, unreadable=0.45)), die=0.8).value is None
    assert agree(count(1, 0.35), (sure, sure), die=0.8).value is None
    assert agree(count(None, 0.0), (sure, sure), die=0.8).value is None


def test_a_view_that_sees_no_readable_face_forbids_a_value() -> None:
    readable, unreadable = net(4, 0.99), net(4, 0.3, unreadable=0.65)
    assert agree(count(4, 1.0), (readable, readable), die=0.8).value == 4
    assert agree(count(4, 1.0), (readable, unreadable), die=0.8).value is None


def test_what_the_detector_doubts_is_no_die() -> None:
    assert agree(count(4, 0.9), both(4, 0.95), die=0.7).value == 4
    assert agree(count(4, 0.9), both(4, 0.95), die=LEAST_DIE - 0.01).value is None


def test_views_that_see_no_readable_face_get_no_value() -> None:
    verdict = agree(count(None, 0.0), both(4, 0.05, unreadable=0.9), die=0.5)
    assert verdict.value is None
    assert verdict.why


def test_on_the_table_sure_views_need_no_count_and_a_count_may_still_contradict() -> None:
    assert agree(count(None, 0.0), both(1, 0.97), die=0.5, on_table=True).value == 1
    assert agree(count(None, 0.0), both(1, 0.97), die=0.5).value is None
    assert agree(count(2, 0.95), both(6, 0.7), die=0.5, on_table=True).value is None
    assert agree(count(6, 0.95), both(6, 0.6), die=0.5, on_table=True).value == 6


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("die", [0.3, 1.0])
def test_on_the_table_views_that_hardly_see_a_face_get_no_value_without_a_count(value: int, die: float) -> None:
    views = both(value, 0.1, unreadable=0.8)
    assert agree(count(None, 0.0), views, die=die, on_table=True).value is None


def test_a_count_answers_alone_only_where_it_is_sure() -> None:
    assert agree(count(6, 0.81)).value == 6
    assert agree(count(6, 0.79)).value is None
    assert agree(count(None, 0.0)).why == "no pips"


def test_probabilities_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="seven probabilities"):
        agree(count(1, 1.0), ([0.5, 0.5], [0.5, 0.5]))


@given(
    value=st.integers(1, 6),
    counted=st.one_of(st.none(), st.integers(1, 6)),
    confidence=st.floats(0, 1),
    low=st.floats(0.2, 0.9),
    more=st.floats(0, 0.09),
    die=st.floats(0, 1),
)
def test_beliefs_are_probabilities_and_grow_with_the_witness(
    value: int, counted: int | None, confidence: float, low: float, more: float, die: float
) -> None:
    witness = count(counted, confidence if counted else 0.0)
    before, after = beliefs(both(value, low), witness, die), beliefs(both(value, low + more), witness, die)
    assert before.sum() == pytest.approx(1)
    assert (before >= 0).all()
    assert after[value] >= before[value] - 1e-9


def test_without_a_count_there_is_no_value_and_no_talk_of_counting() -> None:
    verdict = agree(None, both(4, 0.5, unreadable=0.2), die=0.8)
    assert verdict.value is None
    assert "counted" not in str(verdict.why)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.001, 1), min_size=14, max_size=14),
    st.integers(1, 6),
    st.floats(0, 1),
    st.floats(0.1, 1),
)
def test_where_no_count_is_needed_none_changes_the_answer(
    raw: list[float], value: int, confidence: float, die: float
) -> None:
    views = ([v / sum(raw[:7]) for v in raw[:7]], [v / sum(raw[7:]) for v in raw[7:]])
    if not needs_count(views, die=die):
        assert agree(count(value, confidence), views, die=die).value is None


def test_clear_views_need_a_count_and_unreadable_ones_do_not() -> None:
    assert needs_count(both(4, 0.95), die=0.9)
    assert not needs_count(both(4, 0.05, unreadable=0.9), die=0.9)
