"""What is made of a hidden share: what is said, who may aim, leaning, vantage."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.sight import (
    PLAIN_RULES,
    Degree,
    Figure,
    Hider,
    Obstacle,
    SightRules,
    cover,
    hidden_share,
    whole_percent,
)
from tests.rules.sight_scenes import EYE, TARGET, block, figure

# The judgement


def test_the_judgement_is_said_in_one_sentence() -> None:
    eraser = Obstacle("eraser", block(50, -1.5, 60, 50))
    result = cover(figure("Daemon", 0), figure("Lokan", 100), [eraser])
    assert result.message.text == "Lokan: 62 % hidden by the eraser: cover, but it is close: the GM decides."
    result = cover(figure("Daemon", 0), figure("Lokan", 100), [Obstacle("eraser", block(50, 0, 60, 50))])
    assert result.message.text == "Lokan: 50 % hidden by the eraser: cover."
    assert result.degree is Degree.COVER
    assert result.can_target
    assert not result.borderline
    assert (result.attacker, result.target) == ("Daemon", "Lokan")
    assert result.hiders == (Hider("eraser", pytest.approx(0.5)),)
    assert dict(result.message.params)["percent"] == 50


def test_plain_view_is_said_too() -> None:
    result = cover(figure("Daemon", 0), figure("Lokan", 100), [])
    assert result.message.text == "Lokan is in plain view of Daemon: no cover."
    assert result.hidden_share == 0
    assert result.hiders == ()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["the mug"], "the mug"),
        (["Mount Book"], "Mount Book"),
        (["a pen"], "a pen"),
        (["an eraser"], "an eraser"),
        (["anvil"], "the anvil"),
        (["mug", "pen"], "the mug and the pen"),
        (["mug", "pen", "book"], "the mug, the pen and the book"),
    ],
)
def test_obstacles_are_named_as_in_speech_the_greatest_first(names: list[str], said: str) -> None:
    obstacles = [Obstacle(name, block(50, -5 + 2 * n, 60, 50)) for n, name in enumerate(names)]
    result = cover(figure("a", 0), figure("b", 100), obstacles[::-1])
    assert f"hidden by {said}:" in result.message.text
    shares = [hider.share for hider in result.hiders]
    assert shares == sorted(shares, reverse=True)


def test_equal_hiders_are_named_by_name() -> None:
    outline = block(50, 0, 60, 50)
    obstacles = [Obstacle("b", outline), Obstacle("a", outline)]
    assert [hider.name for hider in cover(figure("x", 0), figure("y", 100), obstacles).hiders] == ["a", "b"]


@pytest.mark.parametrize(
    ("hidden", "percent"), [(0.0, 0), (0.004, 0), (0.5, 50), (0.994, 99), (0.996, 99), (0.9999, 99), (1.0, 100)]
)
def test_a_hundred_percent_means_all_of_it(hidden: float, percent: int) -> None:
    assert whole_percent(hidden) == percent


def test_no_sight_where_neither_sees_the_other() -> None:
    wall = [Obstacle("wall", block(50, -30, 60, 30))]
    result = cover(figure("a", 0), figure("b", 100), wall)
    assert result.degree is Degree.NO_SIGHT
    assert not result.can_target
    assert result.message.text == "b: 100 % hidden by the wall: no line of sight."


def test_a_target_that_sees_the_attacker_can_be_aimed_at() -> None:
    """A tree before the attacker hides all of the target, but from there the attacker sticks out on both sides."""
    tree = [Obstacle("tree", block(14, -4, 20, 4))]
    near, far = figure("near", 0), figure("far", 200)
    there, back = cover(near, far, tree), cover(far, near, tree)
    assert there.hidden_share == 1
    assert there.degree is Degree.GREATER
    assert there.can_target
    assert there.message.text == "far: 100 % hidden by the tree, but sees near and so can be seen: greater cover."
    assert back.degree is Degree.NONE
    assert back.can_target


@given(st.integers(0, 10_000))
def test_targeting_is_symmetric(seed: int) -> None:
    """Either both may aim or neither, whatever stands between."""
    randomness = random.Random(seed)
    a = Figure("a", (0.0, 0.0), 12.5, randomness.uniform(10, 40), prone=randomness.random() < 0.3)
    b = Figure("b", (100.0, 0.0), 16.0, randomness.uniform(10, 60), prone=randomness.random() < 0.3)
    obstacles = [
        Obstacle(str(n), block(x := randomness.uniform(14, 70), -40, x + 8, randomness.uniform(-10, 40)), height)
        for n, height in enumerate([randomness.uniform(3, 40), randomness.uniform(3, 40)])
    ]
    for rules in (PLAIN_RULES, SightRules(lean=True)):
        one, other = cover(a, b, obstacles, sight_rules=rules), cover(b, a, obstacles, sight_rules=rules)
        assert one.can_target is other.can_target


# Leaning


def test_a_leaning_attacker_looks_past_the_tree() -> None:
    """A tree before the attacker hides the target; leaning out to the side, it does not."""
    tree = [Obstacle("tree", block(14, -4, 20, 4))]
    straight = cover(figure("a", 0), figure("b", 200), tree)
    leaning = cover(figure("a", 0), figure("b", 200), tree, sight_rules=SightRules(lean=True))
    assert straight.hidden_share == 1
    assert leaning.hidden_share < 0.5


@pytest.mark.parametrize("side", [1, -1])
def test_an_attacker_leans_to_the_open_side(side: int) -> None:
    """A wall reaching far to one side, one edge in the middle: leaning helps to the other side only."""
    wall = [Obstacle("wall", block(20, 0, 22, side * 60))]
    leaning = cover(figure("a", 0), figure("b", 100), wall, sight_rules=SightRules(lean=True))
    assert leaning.hidden_share == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("height", "leans"), [(None, False), (40.0, False), (28.8, False), (28.7, True), (5.0, True)])
def test_nobody_leans_through_a_wall_that_is_over_the_eye(height: float | None, leans: bool) -> None:
    """Between two thin walls, a tree before; the eye is at 28.8 mm and looks over lower walls."""
    walls = [
        Obstacle("tree", block(14, -4, 20, 4)),
        Obstacle("left", block(-5, -7, 5, -6), height),
        Obstacle("right", block(-5, 6, 5, 7), height),
    ]
    leaning = cover(figure("a", 0), figure("b", 200), walls, sight_rules=SightRules(lean=True))
    assert (leaning.hidden_share < 1) is leans


def test_without_heights_nobody_leans_over_anything() -> None:
    walls = [
        Obstacle("tree", block(14, -4, 20, 4)),
        Obstacle("left", block(-5, -7, 5, -6), 5.0),
        Obstacle("right", block(-5, 6, 5, 7), 5.0),
    ]
    rules = SightRules(lean=True)
    assert cover(figure("a", 0, height_mm=None), figure("b", 200), walls, sight_rules=rules).hidden_share == 1


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, 3.9, 5.5])
@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (40, -90), (-150, 220)])
def test_leaning_goes_across_the_view_in_any_direction(angle: float, dx: float, dy: float) -> None:
    """A wall with its edge before the eye: leaning to the open side sees the target, turned however."""

    def moved(x: float, y: float) -> tuple[float, float]:
        return (x * math.cos(angle) - y * math.sin(angle) + dx, x * math.sin(angle) + y * math.cos(angle) + dy)

    wall = Obstacle("wall", tuple(moved(x, y) for x, y in block(20, 0, 22, 60)))
    a, b = Figure("a", moved(0, 0), 12.5, 32.0), Figure("b", moved(100, 0), 12.5, 32.0)
    assert cover(a, b, [wall]).hidden_share == pytest.approx(0.5, abs=1e-6)
    assert cover(a, b, [wall], sight_rules=SightRules(lean=True)).hidden_share == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, 3.9, 5.5])
@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (40, -90), (-150, 220)])
@pytest.mark.parametrize(("half_width", "hidden"), [(9.9, 0), (10.1, 1)])
def test_a_leaning_eye_moves_four_fifths_of_the_radius(
    angle: float, dx: float, dy: float, half_width: float, hidden: float
) -> None:
    """A post twice as wide as that, close to the eye: leaning 10 mm to the side just looks past it, or just not."""

    def moved(x: float, y: float) -> tuple[float, float]:
        return (x * math.cos(angle) - y * math.sin(angle) + dx, x * math.sin(angle) + y * math.cos(angle) + dy)

    post = Obstacle("post", tuple(moved(x, y) for x, y in block(13, -half_width, 14, half_width)))
    a, far = Figure("a", moved(0, 0), 12.5, 32.0), Figure("b", moved(10_000, 0), 12.5, 32.0)
    leaning = cover(a, far, [post], sight_rules=SightRules(lean=True))
    assert leaning.hidden_share == pytest.approx(hidden, abs=1e-6)


def test_leaning_never_makes_a_view_worse() -> None:
    pole = [Obstacle("pole", block(30, 6, 34, 14))]
    for rules in (PLAIN_RULES, SightRules(lean=True)):
        assert cover(figure("a", 0), figure("b", 100), pole, sight_rules=rules).hidden_share <= (
            cover(figure("a", 0), figure("b", 100), pole).hidden_share
        )


def test_pieces_that_hide_all_together_hide_exactly_all() -> None:
    """What is wholly hidden is not left to the rounding of a sum."""
    edges = [-12.5, -7.1, -1.7, 1.7, 1.9, 3.7, 7.5, 7.8, 12.5]  # their shares add up to 0.9999999999999999
    slats = [
        Obstacle(str(n), block(50 + n, low * (50 + n) / 100 - 0.1, 50.5 + n, high * (50 + n) / 100 + 0.1))
        for n, (low, high) in enumerate(pairwise(edges))
    ]
    assert hidden_share(EYE, TARGET, slats) == 1


# Refused values


@pytest.mark.parametrize("radius", [0.0, -1.0, math.nan])
def test_a_base_needs_a_radius(radius: float) -> None:
    with pytest.raises(ValueError, match="base radius must be over 0 mm"):
        Figure("a", (0.0, 0.0), radius)


@pytest.mark.parametrize("height", [0.0, -3.0, math.nan])
def test_heights_are_over_zero(height: float) -> None:
    with pytest.raises(ValueError, match="figure's height must be over 0 mm"):
        Figure("a", (0.0, 0.0), 12.5, height)
    with pytest.raises(ValueError, match="obstacle's height must be over 0 mm"):
        Obstacle("a", block(0, 0, 1, 1), height)


def test_the_smallest_sizes_are_sizes() -> None:
    assert Figure("a", (0.0, 0.0), 0.5, 0.5).top_mm == 0.5
    assert Obstacle("a", block(0, 0, 1, 1), 0.5).height_mm == 0.5


def test_an_obstacle_needs_an_area() -> None:
    with pytest.raises(ValueError, match="at least three corners"):
        Obstacle("a", ((0.0, 0.0), (1.0, 1.0)))
