from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.ruling import total
from rules.world_saga.modifiers import Modifier, ModifierType, counted, rank, target_number

CONDITION, SITUATION, UNTYPED, ITEM = (
    ModifierType.CONDITION,
    ModifierType.SITUATION,
    ModifierType.UNTYPED,
    ModifierType.ITEM,
)


def made(*modifiers: tuple[ModifierType, int]) -> list[Modifier]:
    return [Modifier(kind, amount, f"{kind.value} {amount}") for kind, amount in modifiers]


@pytest.mark.parametrize(
    ("modifiers", "expected"),
    [
        ([(CONDITION, 4), (CONDITION, 1), (CONDITION, -2)], 2),
        ([(CONDITION, -2), (CONDITION, -2)], -2),
        ([(CONDITION, -1), (CONDITION, -3)], -3),
        ([(UNTYPED, -2), (UNTYPED, -1), (SITUATION, 1)], -2),
        ([(UNTYPED, 2), (UNTYPED, 3)], 5),
        ([(SITUATION, 3), (SITUATION, 2), (ITEM, 1)], 4),
        ([(CONDITION, 0), (CONDITION, -1)], -1),
        ([], 0),
    ],
)
def test_of_each_type_the_best_bonus_and_the_worst_penalty_count(
    modifiers: list[tuple[ModifierType, int]], expected: int
) -> None:
    assert total(counted(made(*modifiers))) == expected


@pytest.mark.parametrize("kind", [kind for kind in ModifierType if kind is not ModifierType.UNTYPED])
def test_every_type_stacks_with_others_and_not_with_itself(kind: ModifierType) -> None:
    assert total(counted(made((kind, 2), (kind, 2), (UNTYPED, 1)))) == 3


@given(st.lists(st.tuples(st.sampled_from(ModifierType), st.integers(-4, 4)), max_size=5))
def test_the_order_of_modifiers_is_irrelevant(modifiers: list[tuple[ModifierType, int]]) -> None:
    assert len({total(counted(made(*order))) for order in permutations(modifiers)}) == 1


def test_what_does_not_count_says_so() -> None:
    reasons = counted(made((CONDITION, -2), (CONDITION, -3)))
    assert [(reason.code, reason.amount) for reason in reasons] == [("ws_not_stacked", 0), ("ws_modifier", -3)]
    assert "does not count" in reasons[0].text
    assert reasons[1].text == "condition -3: -3, condition."


def test_the_target_number_is_rank_plus_modifiers_with_reasons_that_add_up() -> None:
    tn, reasons = target_number("Fighting", 9, made((SITUATION, 3), (UNTYPED, -2)))
    assert tn == 10 == total(reasons)
    assert reasons[0].text == "Fighting Rank 9."


@pytest.mark.parametrize(
    ("attributes", "training", "expected"), [([10, 8], 3, 11), ([4], 0, 4), ([12, 12], 8, 20), ([8, 10], 0, 8)]
)
def test_a_rank_is_the_lower_attribute_plus_training(attributes: list[int], training: int, expected: int) -> None:
    assert rank(attributes, training) == expected


@pytest.mark.parametrize("training", [-1, 9])
def test_training_is_0_to_8(training: int) -> None:
    with pytest.raises(ValueError, match="0 to 8"):
        rank([8, 8], training)


def test_a_rank_needs_an_attribute() -> None:
    with pytest.raises(ValueError, match="at least one attribute"):
        rank([], 1)
