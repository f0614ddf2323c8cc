"""What share of a figure is hidden, on paper, with heights, and in random scenes against brute force."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon

from rules.json_form import from_json, to_json
from rules.sight import (
    PLAIN_RULES,
    Degree,
    Eye,
    Figure,
    Obstacle,
    ObstacleKind,
    SightRules,
    cover,
    degree_of,
    eye_of,
    hidden_share,
    is_borderline,
)
from tests.rules.sight_scenes import EYE, TARGET, Outline, block, figure, sampled_share, share

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
