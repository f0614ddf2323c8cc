"""Two witnesses must say the same before a value is given."""

from __future__ import annotations

import pytest

from vision.dice_agreement import agree
from vision.pip_count import PipCount


def count(value: int | None, confidence: float) -> PipCount:
    return PipCount(value, confidence, (), None if value else "no pips")


def net(value: int, probability: float, *, unreadable: float = 0.0) -> list[float]:
    """Probabilities with this much on one value; the rest is spread over the other values."""
    rest = (1 - probability - unreadable) / 5
    out = [unreadable] + [rest] * 6
    out[value] = probability
    return out


def test_agreement_gives_a_value_and_more_confidence_than_either() -> None:
    verdict = agree(count(5, 0.8), net(5, 0.7))
    assert verdict.value == 5
    assert verdict.confidence > 0.8


def test_disagreement_gives_none_and_names_both_however_sure_they_are() -> None:
    verdict = agree(count(3, 1.0), net(2, 0.99))
    assert verdict.value is None
    assert "2" in str(verdict.why)
    assert "3" in str(verdict.why)


@pytest.mark.parametrize(
    ("value", "counted", "read", "answered"),
    [
        (4, 0.55, 0.6, True),
        (4, 0.45, 0.9, False),
        (4, 0.9, 0.3, False),
        (1, 0.85, 0.6, True),
        (1, 0.75, 0.9, False),
        (1, 0.95, 0.5, False),
    ],
)
def test_both_must_be_sure_enough_and_surer_of_a_one(value: int, counted: float, read: float, answered: bool) -> None:
    """A printed figure on a disc looks like a single pip to both."""
    assert (agree(count(value, counted), net(value, read)).value == value) is answered


def test_what_the_detector_doubts_is_no_die() -> None:
    assert agree(count(4, 0.9), net(4, 0.9), die=0.41).value == 4
    assert agree(count(4, 0.9), net(4, 0.9), die=0.39).value is None


def test_a_net_that_sees_no_readable_face_is_not_overruled() -> None:
    assert agree(count(4, 1.0), net(4, 0.4, unreadable=0.5)).value is None


def test_on_the_table_a_sure_count_needs_only_an_unopposed_net() -> None:
    unsure = net(6, 0.3, unreadable=0.4)
    assert agree(count(2, 0.95), unsure, on_table=True).value == 2
    assert agree(count(2, 0.95), unsure).value is None
    assert agree(count(2, 0.95), net(6, 0.7), on_table=True).value is None


def test_a_count_answers_alone_only_where_it_is_sure() -> None:
    assert agree(count(6, 0.81)).value == 6
    assert agree(count(6, 0.79)).value is None
    assert agree(count(None, 0.0)).why == "no pips"


def test_probabilities_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="seven probabilities"):
        agree(count(1, 1.0), [0.5, 0.5])
