from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from rules.json_form import from_json, to_json
from rules.sight import (
    PLAIN_RULES,
    Degree,
    Eye,
    Figure,
    Hider,
    Obstacle,
    ObstacleKind,
    SightRules,
    cover,
    degree_of,
    eye_of,
    hidden_share,
    is_borderline,
    stands_higher,
    whole_percent,
)

Outline = tuple[tuple[float, float], ...]


def block(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def figure(name: str, x: float, y: float = 0.0, **more: object) -> Figure:
    return Figure(name, (x, y), 12.5, **{"height_mm": 32.0, **more})  # type: ignore[arg-type]  # free keywords


TARGET = Figure("Lokan", (100.0, 0.0), 12.5, 32.0)
EYE = Eye((0.0, 0.0), 28.0)


def share(outline: Outline, *, height: float | None = None, target: Figure = TARGET, eye: Eye = EYE) -> float:
    return hidden_share(eye, target, [Obstacle("block", outline, height)])


def sampled_share(eye: Eye, target: Figure, obstacles: list[Obstacle], *, across: int = 240, up: int = 400) -> float:
    """The hidden share by brute force: many sight lines, each against each prism, by shapely.

    Written from the rule's model and sharing nothing with the code under test.
    """
    (ex, ey), (tx, ty) = eye.at_mm, target.at_mm
    depth = math.dist(eye.at_mm, target.at_mm)
    side = (-(ty - ey) / depth, (tx - ex) / depth)
    bottom, top = target.base_mm, target.top_mm
    assert top is not None
    assert eye.height_mm is not None
    hidden = 0
    polygons = [(Polygon(obstacle.outline_mm), obstacle.height_mm) for obstacle in obstacles]
    heights = bottom + (np.arange(up) + 0.5) / up * (top - bottom)
    for column in range(across):
        offset = ((column + 0.5) / across * 2 - 1) * target.radius_mm
        line = LineString([eye.at_mm, (tx + side[0] * offset, ty + side[1] * offset)])
        is_hidden = np.zeros(up, dtype=bool)
        for polygon, height in polygons:
            inside = polygon.intersection(line)
            for part in getattr(inside, "geoms", [inside]):
                if part.length > 0:
                    ends = [line.project(Point(end)) / line.length for end in part.coords]
                    lowest = np.min([eye.height_mm + (heights - eye.height_mm) * end for end in ends], axis=0)
                    is_hidden |= lowest < (math.inf if height is None else height)
        hidden += int(is_hidden.sum())
    return hidden / (across * up)


# Bands


@pytest.mark.parametrize(
    ("hidden", "degree", "borderline"),
    [
        (0.0, Degree.NONE, False),
        (0.3249, Degree.NONE, False),
        (0.3251, Degree.NONE, True),
        (0.3749, Degree.NONE, True),
        (0.375, Degree.COVER, True),
        (0.425, Degree.COVER, True),
        (0.4251, Degree.COVER, False),
        (0.5, Degree.COVER, False),
        (0.5749, Degree.COVER, False),
        (0.575, Degree.COVER, True),
        (0.6249, Degree.COVER, True),
        (0.625, Degree.GREATER, True),
        (0.675, Degree.GREATER, True),
        (0.6751, Degree.GREATER, False),
        (0.75, Degree.GREATER, False),
        (0.9399, Degree.GREATER, False),
        (0.94, Degree.GREATER, True),
        (0.9899, Degree.GREATER, True),
        (0.99, Degree.NO_SIGHT, True),
        (0.9999, Degree.NO_SIGHT, True),
        (1.0, Degree.NO_SIGHT, False),
    ],
)
def test_each_band_ends_where_the_rule_says(hidden: float, degree: Degree, borderline: bool) -> None:
    """World Saga, Concealment and Cover: "about one-half", "about three-quarters or more"; close calls are the GM's."""
    assert degree_of(hidden) is degree
    assert is_borderline(hidden) is borderline


def test_the_bands_may_be_set_otherwise() -> None:
    rules = SightRules(cover_from=0.2, greater_from=0.4, no_sight_from=0.6, borderline=0.01)
    assert [degree_of(hidden, sight_rules=rules) for hidden in (0.19, 0.2, 0.4, 0.6)] == [
        Degree.NONE,
        Degree.COVER,
        Degree.GREATER,
        Degree.NO_SIGHT,
    ]
    assert is_borderline(0.21, sight_rules=rules)
    assert not is_borderline(0.375, sight_rules=rules)
    outline = block(50, 2.5, 60, 50)
    assert cover(figure("a", 0), figure("b", 100), [Obstacle("x", outline)], sight_rules=rules).degree is Degree.COVER


# The share in plan


@pytest.mark.parametrize(
    ("title", "outline", "expected"),
    [
        ("half", block(50, 0, 60, 50), 0.5),
        ("the other half", block(50, -50, 60, 0), 0.5),
        ("three quarters", block(50, -3.125, 60, 50), 0.75),
        ("all", block(50, -30, 60, 30), 1.0),
        ("a pole half way", block(49, -3, 51, 3), 600 / 49 / 25),
        ("a pole near the eye hides more", block(19, -1, 21, 1), 200 / 19 / 25),
        ("behind the target", block(113, -50, 118, 50), 0.0),
        ("from the target's own plane on", block(100, 1, 118, 50), 0.0),
        ("up to the target's own plane", block(90, 1.25, 100, 50), 0.9 / 2 + 0.0),
        ("through the target's plane", block(90, 1.25, 110, 50), 0.9 / 2 + 0.0),
        ("behind the eye", block(-60, -50, -10, 50), 0.0),
        ("a wall along one side", block(-20, 12.5, 200, 16), 0.0),
        ("a corner touching the last sight line", block(50, 7.5, 60, 40), 0.0),
        ("right beside the view on the other side", block(50, -40, 60, -7.5), 0.0),
        ("a wall beside the eye reaching into the view", block(-20, 2, 50, 30), (12.5 - 4) / 25),
        ("a wall beginning beside the eye", block(0, 2, 50, 30), (12.5 - 4) / 25),
        ("slanting through the target's plane", ((80, 12), (120, -4), (120, 40)), (12.5 - 4) / 25),
        ("slanting the other way", ((80, -12), (120, -40), (120, 4)), (12.5 - 4) / 25),
        ("a thin card across", block(50, -30, 50.3, 30), 1.0),
        ("a diamond", ((50, 0), (55, -5), (60, 0), (55, 5)), 2 * 500 / 55 / 25),
    ],
)
def test_the_share_is_exact_in_plan(title: str, outline: Outline, expected: float) -> None:
    assert share(outline) == pytest.approx(expected, abs=1e-9), title


def test_a_gap_in_one_obstacle_is_seen_through() -> None:
    """The arms of a U hide, the space between them does not."""
    arms = ((40, -20), (60, -20), (60, 20), (40, 20), (40, 2), (55, 2), (55, -2), (40, -2))
    assert share(arms) == 1.0  # type: ignore[arg-type]  # whole numbers
    gate = ((40.0, -20.0), (42.0, -20.0), (42.0, -2.0), (40.0, -2.0))
    other = ((40.0, 2.0), (42.0, 2.0), (42.0, 20.0), (40.0, 20.0))
    both = [Obstacle("left", gate), Obstacle("right", other)]
    assert hidden_share(EYE, TARGET, both) == pytest.approx(1 - 2 * 200 / 42 / 25)


def test_a_bent_wall_with_a_window_is_seen_through_at_the_window() -> None:
    """One outline that a sight line enters twice."""
    comb = (
        (40.0, -20.0),
        (45.0, -20.0),
        (45.0, 15.0),
        (60.0, 15.0),
        (60.0, 2.0),
        (65.0, 2.0),
        (65.0, 20.0),
        (40.0, 20.0),
    )
    low = hidden_share(EYE, TARGET, [Obstacle("comb", comb, 20.0)])
    assert low == pytest.approx(sampled_share(EYE, TARGET, [Obstacle("comb", comb, 20.0)]), abs=0.01)


def test_two_poles_in_line_are_not_counted_twice() -> None:
    near, far = Obstacle("near", block(49, -3, 51, 3)), Obstacle("far", block(60, -3, 62, 3))
    assert hidden_share(EYE, TARGET, [near, far]) == pytest.approx(600 / 49 / 25)


def test_nothing_is_hidden_from_a_figure_on_the_same_spot() -> None:
    assert hidden_share(Eye((100.0, 0.0), 28.0), TARGET, [Obstacle("x", block(50, -30, 60, 30))]) == 0
    assert cover(figure("a", 5), figure("b", 5), [], sight_rules=SightRules(lean=True)).degree is Degree.NONE


# Grazing


@pytest.mark.parametrize(("poke_mm", "counts"), [(0.05, False), (0.97, False), (1.03, True), (2.0, True)])
def test_an_obstacle_that_only_grazes_the_view_is_ignored(poke_mm: float, counts: bool) -> None:
    """A tip of less than 1 mm within the view is noise."""
    y = 7.5 - poke_mm
    tip = ((60.0, y), (62.0, y + 30.0), (58.0, y + 30.0))
    assert (share(tip) > 0) is counts


def test_the_length_within_the_view_decides_what_grazes() -> None:
    """A wedge reaching in by a known length: just under and just over a millimetre."""
    outline = block(50, 7.5 - 0.07, 60, 40)
    # The view's edge is crossed at y = x / 8; the block is within the view from x = 59.44 on, 0.56 mm long.
    assert share(outline) == 0
    assert hidden_share(EYE, TARGET, [Obstacle("x", outline)], sight_rules=SightRules(graze_mm=0.5)) > 0
    assert share(block(50, 7.5 - 0.13, 60, 40)) > 0


def test_with_no_grazing_everything_counts() -> None:
    rules = SightRules(graze_mm=0.0)
    assert hidden_share(EYE, TARGET, [Obstacle("x", block(50, 7.499, 60, 40))], sight_rules=rules) > 0


# Heights


@pytest.mark.parametrize(
    ("title", "height", "eye_mm", "target_mm", "expected"),
    [
        ("waist high, hugging the target", 16, 28, 32, (28 - 12 / 0.86) / 32),
        ("prone behind it", 16, 28, 8, 1.0),
        ("from the monitor", 16, 120, 32, 0.0),
        ("just as high as the eye", 28, 28, 32, 28 / 32),
        ("higher than the eye", 30, 28, 32, (28 + 2 / 0.84) / 32),
        ("a little higher still: all", 31.4, 28, 32, 1.0),
        ("a pebble", 0.5, 28, 32, 0.0),
    ],
)
def test_the_share_is_exact_with_heights(
    title: str, height: float, eye_mm: float, target_mm: float, expected: float
) -> None:
    wall = block(84, -40, 86, 40)
    result = share(wall, height=height, target=replace(TARGET, height_mm=target_mm), eye=Eye((0.0, 0.0), eye_mm))
    assert result == pytest.approx(expected, abs=1e-9), title


def test_an_obstacle_in_the_target_plane_hides_up_to_its_own_height() -> None:
    half = block(95, 0.5, 105, 60)
    edge = 100 / 95 * 0.5
    assert share(half, height=16.0) == pytest.approx(
        sampled_share(EYE, TARGET, [Obstacle("half", half, 16.0)], across=400, up=64), abs=0.01
    )
    assert 0.5 * (12.5 - edge) / 25 <= share(half, height=16.0)


def test_a_target_on_a_book_looks_over_a_low_wall() -> None:
    wall = [Obstacle("wall", block(84, -40, 86, 40), 16.0)]
    low = hidden_share(EYE, TARGET, wall)
    raised = hidden_share(EYE, replace(TARGET, base_mm=10.0), wall)
    assert raised == pytest.approx((28 - 12 / 0.86 - 10) / 32)
    assert raised < low
    assert hidden_share(EYE, replace(TARGET, base_mm=20.0), wall) == 0


def test_without_the_height_of_either_figure_the_view_is_taken_in_plan() -> None:
    pebble = [Obstacle("pebble", block(50, -30, 60, 30), 0.5)]
    assert hidden_share(Eye((0.0, 0.0)), TARGET, pebble) == 1
    assert hidden_share(EYE, replace(TARGET, height_mm=None), pebble) == 1
    assert hidden_share(EYE, TARGET, pebble) == 0
    assert eye_of(figure("a", 0, height_mm=None)) == Eye((0.0, 0.0))


@pytest.mark.parametrize(
    ("prone", "base", "expected"), [(False, 0.0, 28.8), (True, 0.0, 7.2), (False, 20.0, 48.8), (True, 20.0, 27.2)]
)
def test_the_eye_sits_at_nine_tenths_of_the_height(prone: bool, base: float, expected: float) -> None:
    eye = eye_of(figure("a", 0, prone=prone, base_mm=base))
    assert eye.height_mm == pytest.approx(expected)
    assert eye.at_mm == (0, 0)


def test_the_eye_may_sit_elsewhere() -> None:
    assert eye_of(figure("a", 0), sight_rules=SightRules(eye_share=0.5)) == Eye((0.0, 0.0), 16.0)
    wall = [Obstacle("wall", block(84, -40, 86, 40), 16.0)]
    low_eye = cover(figure("a", 0), TARGET, wall, sight_rules=SightRules(eye_share=0.5))
    assert low_eye.hidden_share == pytest.approx(0.5)


def test_a_prone_figure_is_a_quarter_as_tall() -> None:
    assert figure("a", 0, prone=True).top_mm == 8
    assert figure("a", 0, prone=True, base_mm=3.0).top_mm == 11
    assert figure("a", 0).top_mm == 32
    assert figure("a", 0, height_mm=None, prone=True).top_mm is None


def shape(randomness: random.Random, middle: tuple[float, float]) -> Outline:
    """A simple polygon of three to seven corners, often not convex."""
    corners = randomness.randint(3, 7)
    start = randomness.uniform(0, 6)
    return tuple(
        (middle[0] + (size := randomness.uniform(2, 12)) * math.cos(angle), middle[1] + size * math.sin(angle))
        for angle in (start + 2 * math.pi * corner / corners for corner in range(corners))
    )


@pytest.mark.parametrize("seed", range(40))
def test_random_scenes_agree_with_brute_force(seed: int) -> None:
    """Four prisms of any shape, height and place, looked at in any direction; 96,000 sight lines a scene."""
    randomness = random.Random(seed)
    eye = Eye((randomness.uniform(-80, 80), randomness.uniform(-80, 80)), randomness.uniform(8, 60))
    angle, depth = randomness.uniform(0, 2 * math.pi), randomness.uniform(40, 120)
    at = (eye.at_mm[0] + depth * math.cos(angle), eye.at_mm[1] + depth * math.sin(angle))
    target = Figure("t", at, randomness.uniform(8, 20), randomness.uniform(20, 60), randomness.choice([0.0, 12.0]))
    obstacles = []
    for number in range(4):
        along, beside = randomness.uniform(-5, depth + 10), randomness.uniform(-14, 14)
        middle = (
            eye.at_mm[0] + along * math.cos(angle) - beside * math.sin(angle),
            eye.at_mm[1] + along * math.sin(angle) + beside * math.cos(angle),
        )
        height = randomness.choice([None, *[randomness.uniform(4, 70)] * 4])
        obstacles.append(Obstacle(str(number), shape(randomness, middle), height))
    counted = [
        obstacle
        for obstacle in obstacles
        if not Polygon(obstacle.outline_mm).contains(Point(target.at_mm))
        and not Polygon(obstacle.outline_mm).contains(Point(eye.at_mm))
    ]
    exact = hidden_share(eye, target, obstacles, sight_rules=SightRules(graze_mm=0.0))
    assert exact == pytest.approx(sampled_share(eye, target, counted), abs=0.006)


def test_the_highest_of_the_shadows_counts_where_they_overlap() -> None:
    """Two slanting walls whose shadows' tops cross; each alone hides less."""
    rising = Obstacle("rising", ((40.0, -8.0), (70.0, 8.0), (71.0, 7.0), (41.0, -9.0)), 18.0)
    falling = Obstacle("falling", ((70.0, -10.0), (40.0, 6.0), (41.0, 7.0), (71.0, -9.0)), 15.0)
    tall = Obstacle("tall", ((60.0, -9.0), (75.0, 9.0), (76.0, 8.0), (61.0, -10.0)), 31.0)
    for obstacles in ([rising, falling], [falling, tall], [rising, tall], [rising, falling, tall]):
        exact = hidden_share(EYE, TARGET, obstacles)
        assert exact == pytest.approx(sampled_share(EYE, TARGET, obstacles, across=500, up=1000), abs=0.003)
        assert exact >= max(hidden_share(EYE, TARGET, [alone]) for alone in obstacles)


def test_a_tall_obstacle_entered_twice_hides_from_its_nearer_part() -> None:
    """Two teeth of one comb, both over the eye: the nearer one hides higher."""
    comb = (
        (30.0, -20.0),
        (32.0, -20.0),
        (32.0, 15.0),
        (60.0, 15.0),
        (60.0, -20.0),
        (62.0, -20.0),
        (62.0, 20.0),
        (30.0, 20.0),
    )
    tooth = block(30, -20, 32, 20)
    eye = Eye((0.0, 0.0), 28.0)
    assert share(comb, height=29.0, eye=eye) == pytest.approx(share(tooth, height=29.0, eye=eye))
    assert share(comb, height=29.0, eye=eye) == pytest.approx((28 + 1 / 0.3) / 32)
    # Below the eye it is the farther one.
    assert share(comb, height=20.0, eye=eye) == pytest.approx((28 - 8 / 0.62) / 32)


def test_a_low_wall_half_way_hides_the_feet_only() -> None:
    """Heights are used: seen over a 16 mm wall half way, only what is under its line of sight is hidden."""
    wall = block(49, -40, 51, 40)
    assert share(wall, height=16.0) == pytest.approx((28 - 12 / 0.51) / 32)
    assert share(wall) == 1


def test_what_is_judged_has_a_json_form() -> None:
    eraser = Obstacle("eraser", block(50, 0, 60, 50), 20.0, ObstacleKind.CREATURE)
    judged = cover(figure("a", 0), TARGET, [eraser], sight_rules=SightRules(creatures_cover=True))
    for value in (eraser, TARGET, EYE, SightRules(lean=True), judged):
        assert from_json(to_json(value), type(value)) == value


# What is ignored


def test_a_figure_on_a_book_is_not_hidden_by_it() -> None:
    book = block(80, -30, 130, 30)
    assert share(book, height=20.0) == 0
    assert hidden_share(Eye((100.0, 60.0), 28.0), figure("b", 100, -60), [Obstacle("book", book, 20.0)]) > 0


def test_a_book_under_the_attacker_does_not_hide_the_target() -> None:
    book = block(-30, -30, 80, 30)
    assert share(book, height=200.0) == 0


def test_figures_between_hide_nothing_unless_the_players_want_it() -> None:
    """World Saga speaks of "an object"."""
    between = [Obstacle("ogre", block(45, -30, 55, 30), None, ObstacleKind.CREATURE)]
    assert hidden_share(EYE, TARGET, between) == 0
    assert hidden_share(EYE, TARGET, between, sight_rules=SightRules(creatures_cover=True)) == 1


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


# Vantage


@pytest.mark.parametrize(("height", "higher"), [(29.9, False), (30.0, True), (45.0, True), (0.0, False)])
def test_thirty_millimetres_higher_is_a_vantage_point(height: float, higher: bool) -> None:
    assert stands_higher(figure("a", 0, base_mm=height), figure("b", 100)) is higher
    assert not stands_higher(figure("b", 100), figure("a", 0, base_mm=height))


def test_another_height_may_be_agreed() -> None:
    assert stands_higher(figure("a", 0, base_mm=20.0), figure("b", 0, base_mm=10.0), by_mm=10)


def test_pieces_that_hide_all_together_hide_exactly_all() -> None:
    """What is wholly hidden is not left to the rounding of a sum."""
    edges = [-12.5, -7.1, -1.7, 1.7, 1.9, 3.7, 7.5, 7.8, 12.5]  # their shares add up to 0.9999999999999999
    slats = [
        Obstacle(str(n), block(50 + n, low * (50 + n) / 100 - 0.1, 50.5 + n, high * (50 + n) / 100 + 0.1))
        for n, (low, high) in enumerate(pairwise(edges))
    ]
    assert hidden_share(EYE, TARGET, slats) == 1


# Properties


@st.composite
def scenes(draw: st.DrawFn) -> list[Obstacle]:
    obstacles = []
    for number in range(draw(st.integers(0, 4))):
        x, y = draw(st.floats(14, 120)), draw(st.floats(-30, 30))
        width, depth = draw(st.floats(2, 40)), draw(st.floats(2, 40))
        height = draw(st.one_of(st.none(), st.floats(2, 60)))
        obstacles.append(Obstacle(str(number), block(x, y, x + width, y + depth), height))
    return obstacles


@given(scenes(), scenes())
def test_an_obstacle_more_never_hides_less(obstacles: list[Obstacle], more: list[Obstacle]) -> None:
    before = hidden_share(EYE, TARGET, obstacles)
    after = hidden_share(EYE, TARGET, obstacles + more)
    assert 0 <= before <= 1
    assert after >= before - 1e-9


@given(scenes(), st.floats(0.2, 5))
def test_scaling_the_scene_keeps_the_share(obstacles: list[Obstacle], factor: float) -> None:
    rules = replace(PLAIN_RULES, graze_mm=0.0)
    larger = [
        Obstacle(o.name, tuple((x * factor, y * factor) for x, y in o.outline_mm), o.height_mm and o.height_mm * factor)
        for o in obstacles
    ]
    target = Figure("t", (100.0 * factor, 0.0), 12.5 * factor, 32.0 * factor)
    assert hidden_share(Eye((0.0, 0.0), 28 * factor), target, larger, sight_rules=rules) == pytest.approx(
        hidden_share(EYE, TARGET, obstacles, sight_rules=rules), abs=1e-6
    )


@given(scenes(), st.floats(0, 2 * math.pi), st.floats(-500, 500), st.floats(-500, 500))
def test_turning_and_moving_the_scene_keeps_the_share(
    obstacles: list[Obstacle], angle: float, dx: float, dy: float
) -> None:
    def moved(place: tuple[float, float]) -> tuple[float, float]:
        x, y = place
        return (
            x * math.cos(angle) - y * math.sin(angle) + dx,
            x * math.sin(angle) + y * math.cos(angle) + dy,
        )

    rules = replace(PLAIN_RULES, graze_mm=0.0)
    elsewhere = [Obstacle(o.name, tuple(map(moved, o.outline_mm)), o.height_mm) for o in obstacles]
    assert hidden_share(
        Eye(moved(EYE.at_mm), EYE.height_mm), replace(TARGET, at_mm=moved(TARGET.at_mm)), elsewhere, sight_rules=rules
    ) == pytest.approx(hidden_share(EYE, TARGET, obstacles, sight_rules=rules), abs=1e-5)


@given(scenes(), st.floats(14, 80), st.floats(8, 60))
def test_an_obstacle_outside_the_view_changes_nothing(obstacles: list[Obstacle], x: float, width: float) -> None:
    # The view is at most 12.5 mm to either side, at its far end.
    beside = Obstacle("beside", block(x, 12.6, x + width, 50), None)
    behind = Obstacle("behind", block(100.5, -50, 140, 50), None)
    assert hidden_share(EYE, TARGET, [*obstacles, beside, behind]) == hidden_share(EYE, TARGET, obstacles)


@given(scenes())
def test_the_order_of_obstacles_is_irrelevant(obstacles: list[Obstacle]) -> None:
    results = {round(hidden_share(EYE, TARGET, order), 9) for order in permutations(obstacles)}
    assert len(results) == 1


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
