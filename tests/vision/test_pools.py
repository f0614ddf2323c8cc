"""Dice belong by place: to the base that they lie beside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pools import CLEAR_MM, REACH_MM, PlacedDie, PlacedFigure, pools

LEFT, RIGHT = PlacedFigure(1, (-60.0, 0.0), 25.0), PlacedFigure(2, (60.0, 0.0), 25.0)


def test_dice_beside_a_base_are_its_pool() -> None:
    found = pools([LEFT, RIGHT], [PlacedDie(1, (-40, 0)), PlacedDie(2, (-60, 25)), PlacedDie(3, (60, -22))])
    assert found.of_figure == ((1, (1, 2)), (2, (3,)))
    assert found.dice_of(1) == (1, 2)
    assert found.owner(3) == 2
    assert found.owner(9) is None
    assert found.dice_of(9) == ()


@pytest.mark.parametrize(("gap", "is_owned"), [(REACH_MM - 0.1, True), (REACH_MM + 0.1, False)])
def test_a_pool_reaches_so_far_from_the_base(gap: float, is_owned: bool) -> None:
    found = pools([LEFT], [PlacedDie(1, (-60 - 12.5 - gap, 0))])
    assert (found.owner(1) == 1) is is_owned
    assert (found.free == (1,)) is not is_owned


@pytest.mark.parametrize(("shift", "is_sure"), [(CLEAR_MM / 2 - 0.1, False), (CLEAR_MM / 2 + 0.1, True)])
def test_a_die_between_two_bases_is_unsure(shift: float, is_sure: bool) -> None:
    one, two = PlacedFigure(1, (-30, 0), 25.0), PlacedFigure(2, (30, 0), 25.0)
    found = pools([one, two], [PlacedDie(7, (-shift, 0))])
    assert found.unsure == (() if is_sure else ((7, (1, 2)),))
    assert found.owner(7) == (1 if is_sure else None)


def test_dice_in_the_tray_belong_to_nobody() -> None:
    found = pools([LEFT], [PlacedDie(1, (-50, 10))], trays_mm=[(-67, 5, -17, 33)])
    assert found.tray == (1,)
    assert found.of_figure == ()


def test_without_figures_all_dice_are_free() -> None:
    assert pools([], [PlacedDie(1, (0, 0))]).free == (1,)


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), max_size=12))
def test_every_die_is_in_exactly_one_place_in_any_order(places: list[tuple[float, float]]) -> None:
    dice = [PlacedDie(k, mm) for k, mm in enumerate(places)]
    found = pools([LEFT, RIGHT], dice)
    told = [d for _, owned in found.of_figure for d in owned] + [d for d, _ in found.unsure]
    assert sorted([*told, *found.tray, *found.free]) == [d.die for d in dice]
    assert pools([RIGHT, LEFT], dice[::-1]) == found
