"""Sight at the exact edges of its arithmetic: each scene is small enough to be worked out by hand.

Most scenes have round numbers of the binary kind (a view 128 mm deep and 32 mm wide), so that "exactly at the limit"
is exact in the computer as well.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rules.sight import Degree, Eye, Figure, Hider, Obstacle, SightRules, cover, degree_of, hidden_share
from tests.rules.sight_scenes import block

TARGET = Figure("target", (128.0, 0.0), 16.0, 32.0)
EYE = Eye((0.0, 0.0), 32.0)
NO_GRAZING = SightRules(graze_mm=0.0)


def share(*obstacles: Obstacle, eye: Eye = EYE, target: Figure = TARGET, graze_mm: float = 1.0) -> float:
    return hidden_share(eye, target, obstacles, sight_rules=SightRules(graze_mm=graze_mm))


def card(left_x: float, right_x: float, name: str = "card", height: float = 24.0) -> Obstacle:
    """A card as thin as paper across the whole view, from (left_x, -left_x / 8) to (right_x, right_x / 8)."""
    far = 1 + 1e-12
    near_left, near_right = (left_x, -left_x / 8), (right_x, right_x / 8)
    return Obstacle(
        name, (near_left, near_right, (right_x * far, right_x / 8 * far), (left_x * far, -left_x / 8 * far)), height
    )


def tops(*ends: tuple[float, float]) -> tuple[Obstacle, ...]:
    """Cards whose shadows' upper lines run straight from one height to another across the target.

    The shadow of the top of a card at (x, y), 8 mm under the eye, ends 8 * 128 / x under the eye's 32 mm.
    """
    return tuple(card(1024 / (32 - a), 1024 / (32 - b), f"card {n}") for n, (a, b) in enumerate(ends))


@pytest.mark.parametrize(
    ("ends", "expected_mm"),
    [
        ([(16, 16)], 16),
        ([(8, 24)], 16),
        ([(24, 8)], 16),
        # Under the table on one side: only the triangle above it counts.
        ([(-16, 16)], 4),
        ([(16, -16)], 4),
        # Crossing in the middle: the upper V.
        ([(8, 24), (24, 8)], 20),
        ([(0, 16), (16, 0)], 12),
        # Crossing a quarter of the way, and with one line under the table.
        ([(12, 4), (8, 16)], (12 + 10) / 2 / 4 + (10 + 16) / 2 * 3 / 4),
        ([(-16, 16), (4, 4)], 4 * 20 / 32 + (4 + 16) / 2 * 12 / 32),
        # By less than a millimetre on either side.
        ([(16, 16.5), (16.5, 16)], 16.375),
        ([(16.5, 16), (16, 16.5)], 16.375),
        ([(-0.5, 0.5)], 0.125),
        # Meeting at one end, and the very same line twice.
        ([(8, 16), (16, 16)], 16),
        ([(16, 16), (16, 8)], 16),
        ([(8, 24), (8, 24)], 16),
        ([(16, 16), (16, 16)], 16),
        # Three lines, the third on top at neither end.
        ([(0, 20), (20, 0), (12, 12)], 2 * (8 * 16 + 12 * 2) / 20),
    ],
)
def test_the_area_under_slanting_shadows_is_exact(ends: list[tuple[float, float]], expected_mm: float) -> None:
    """The mean height of what is hidden, out of the target's 32 mm."""
    assert share(*tops(*ends)) * 32 == pytest.approx(expected_mm, abs=1e-6)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_shadow_that_rises_over_the_targets_head_hides_no_more_than_the_target(mirrored: bool) -> None:
    """A card 1 mm over the eye, slanting from right before it to right before the target."""
    target = replace(TARGET, height_mm=36.0)
    # The line is at 40 mm on one side (over the head) and at 33 mm on the other; it crosses 36 mm 4/7 of the way.
    outline = card(16.0, 127.0, height=33.0).outline_mm
    outline = tuple((x, -y) for x, y in outline) if mirrored else outline
    low = 32 + 128 / 127
    crossing = (40 - 36) / (40 - low)
    expected = crossing + (1 - crossing) * (36 + low) / 2 / 36
    assert share(Obstacle("card", outline, 33.0), target=target) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_near_face_of_a_narrow_post_over_the_eye_counts(reverse: bool) -> None:
    """The near face, 0.1 mm wide 10 mm away: what is a little over the eye is enlarged tenfold there."""
    target = Figure("t", (100.0, 0.0), 12.5, 40.0)
    post = block(10, -0.05, 20, 0.05)
    post = post[::-1] if reverse else post
    # Above the middle of the target the top ends at 28 + 0.2 * 10 = 30 mm; the post is 1 mm wide there, of 25.
    # No corner of the far face lies outside the near one's shadow.
    found = share(Obstacle("post", post, 28.2), eye=Eye((0.0, 0.0), 28.0), target=target)
    assert found == pytest.approx(30 / 40 * 1 / 25, abs=1e-9)


# What reaches to the eye, to the target's plane, and no farther


def test_a_card_held_before_the_eye_hides_all() -> None:
    """Less than 1 mm from the eye; what is seen of it is small, so only where nothing is taken for grazing."""
    assert share(Obstacle("card", block(0.25, -1, 0.75, 1)), graze_mm=0.0) == 1


def test_an_obstacle_beginning_right_before_the_eye_hides_what_is_beyond_its_edge() -> None:
    """Its nearest corner is half a millimetre away and 1/64 mm to the right: 4 mm on the target."""
    wedge = ((0.5, 0.015625), (64.0, 16.0), (64.0, 40.0))
    assert share(Obstacle("wedge", wedge), graze_mm=0.0) == pytest.approx((16 - 4) / 32)


@pytest.mark.parametrize(("x", "hidden"), [(127.5, 1), (128.0, 0), (128.5, 0)])
def test_only_what_is_before_the_targets_plane_hides_it(x: float, hidden: float) -> None:
    sides = (Obstacle("left", block(x, -40, 140, -1)), Obstacle("right", block(x, 1, 140, 40)))
    assert share(*sides) == pytest.approx(hidden * 15 / 16, abs=1e-9)


def test_a_low_obstacle_entered_twice_and_reaching_through_the_plane_hides_up_to_its_own_height() -> None:
    """A comb lying along the view: a tooth, a gap, and a back that reaches beyond the target's middle."""
    comb = (
        (32.0, -40.0),
        (40.0, -40.0),
        (40.0, -20.0),
        (100.0, -20.0),
        (100.0, -40.0),
        (160.0, -40.0),
        (160.0, -1.0),
        (100.0, -1.0),
        (100.0, -12.0),
        (40.0, -12.0),
        (40.0, -1.0),
        (32.0, -1.0),
    )
    # Every sight line to the left half, but for the 1 mm beside its middle, enters the back and is inside it at the
    # plane. The tooth's shadow ends under the table.
    assert share(Obstacle("comb", comb, 16.0)) == pytest.approx(15 * 16 / (32 * 32), abs=1e-9)


# Grazing


@pytest.mark.parametrize(("more_mm", "counts"), [(0.0, True), (-0.001, True), (0.001, False)])
def test_an_obstacle_reaching_in_by_just_the_limit_counts(more_mm: float, counts: bool) -> None:
    """A wall half way: its far corners within the view are at (32, -4) and (64, 8)."""
    wall = Obstacle("wall", block(32, -40, 64, 40))
    assert (share(wall, graze_mm=math.dist((32, -4), (64, 8)) + more_mm) > 0) is counts


# Who is named


@pytest.mark.parametrize(("height", "named"), [(16.0, False), (16.01, True), (8.0, False)])
def test_a_pebble_whose_shadow_ends_at_the_targets_feet_is_not_named(height: float, named: bool) -> None:
    """From 32 mm over 16 mm half way: the sight line meets the table just where the target stands."""
    pebble = Obstacle("pebble", block(60, -40, 64, 40), height)
    judged = cover(Figure("a", (0.0, 0.0), 16.0, 32.0 / 0.9), TARGET, [pebble])
    assert bool(judged.hiders) is named
    if not named:
        assert judged.message.text == "target is in plain view of a: no cover."


def test_a_shadow_under_the_feet_on_either_side_is_still_named_for_its_other_side() -> None:
    for ends in ((-16, 16), (16, -16)):
        judged = cover(Figure("a", (0.0, 0.0), 16.0, 32.0 / 0.9), TARGET, tops(ends))
        assert [hider.name for hider in judged.hiders] == ["card 0"]
        assert judged.hiders[0].share == pytest.approx(4 / 32, abs=1e-6)


def test_a_lean_that_gains_nothing_keeps_what_is_seen_straight_on() -> None:
    """A wall hides all from everywhere; a post beside it is in the way of a leaning eye only."""
    wall = Obstacle("wall", block(64, -60, 68, 60))
    post = Obstacle("post", block(2, 12.5, 4, 14))
    figures = (Figure("a", (0.0, 0.0), 16.0, 32.0), TARGET)
    rules = SightRules(lean=True, graze_mm=0.0)
    assert cover(*figures, [wall, post], sight_rules=rules).hiders == (Hider("wall", 1.0),)
    # Without the wall the post hides something from that side, so it would have been named.
    leaning = hidden_share(Eye((0.0, 12.8), 32.0), TARGET, [post], sight_rules=NO_GRAZING)
    assert leaning > 0


# The last band, both ways


def test_sight_back_is_judged_by_the_same_limit() -> None:
    """Half hidden both ways, with the limit at exactly one half: nobody sees anybody."""
    half = [Obstacle("half", block(64, 0, 64.0 + 2**-20, 60))]
    a, b = Figure("a", (0.0, 0.0), 16.0), Figure("b", (128.0, 0.0), 16.0)
    there, back = cover(a, b, half).hidden_share, cover(b, a, half).hidden_share
    assert there == back == 0.5
    rules = SightRules(cover_from=0.2, greater_from=0.3, no_sight_from=0.5)
    assert cover(a, b, half, sight_rules=rules).degree is Degree.NO_SIGHT
    assert cover(b, a, half, sight_rules=rules).degree is Degree.NO_SIGHT
    over = replace(rules, no_sight_from=0.5 + 1e-6)
    assert cover(a, b, half, sight_rules=over).degree is Degree.GREATER


@pytest.mark.parametrize(
    ("limit", "below", "at"),
    [
        (0.375, Degree.NONE, Degree.COVER),
        (0.625, Degree.COVER, Degree.GREATER),
        (0.99, Degree.GREATER, Degree.NO_SIGHT),
    ],
)
def test_a_share_that_only_rounding_keeps_under_a_limit_has_reached_it(limit: float, below: Degree, at: Degree) -> None:
    assert degree_of(limit - 1e-12) is at
    assert degree_of(limit - 1e-6) is below
