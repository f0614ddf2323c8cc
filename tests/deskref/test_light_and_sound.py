"""The light and sound table: complete, gentle on the eyes, readable without colour."""

from __future__ import annotations

import itertools
import math

import pytest

from deskref.light_and_sound import DARK, PROGRAMS, SPOT_LEDS_MOST, Motion, Program, edge_place, leds_at
from deskref.signal import SignalKind

COUNTS = (24, 48, 60, 115, 144)


@pytest.mark.parametrize(
    ("point", "place"),
    [((-100, 99), 0.0), ((0, 100), 0.125), ((100, 0), 0.375), ((0, -100), 0.625), ((-100, 0), 0.875)],
)
def test_places_run_clockwise_from_the_far_left_corner(point: tuple[float, float], place: float) -> None:
    assert edge_place(point) == pytest.approx(place, abs=0.01) or abs(edge_place(point) - place) > 0.98


def test_a_place_outside_the_area_is_on_its_edge() -> None:
    assert edge_place((500.0, 20.0)) == pytest.approx(edge_place((100.0, 20.0)))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", sorted(PROGRAMS))
def test_every_program_lights_up_within_its_limits(kind: SignalKind, count: int) -> None:
    """The full ring stays at 24 of 255 a channel or below, brighter spots on at most 12 LEDs."""
    program = PROGRAMS[kind]
    ages = [i * 0.05 for i in range(80)]
    frames = [leds_at(program, age, count=count, place=0.3) for age in ages]
    assert any(led != DARK for frame in frames for led in frame)
    for frame in frames:
        assert len(frame) == count
        assert all(0 <= v <= 255 for led in frame for v in led)
        bright = sum(1 for led in frame if max(led) > 24)
        assert bright <= SPOT_LEDS_MOST


@pytest.mark.parametrize("kind", sorted(PROGRAMS))
def test_no_program_flashes_more_than_twice_a_second(kind: SignalKind) -> None:
    """WCAG 2.3.1 allows three; board and page stay at two."""
    program = PROGRAMS[kind]
    steps = [i / 100 for i in range(300)]
    light = [sum(max(led) for led in leds_at(program, age, count=48, place=0.3)) for age in steps]
    top = max(light)
    rises = sum(1 for a, b in itertools.pairwise(light) if a < 0.25 * top <= b)
    assert rises <= 2 * min(3.0, program.duration_s) + 1


def test_after_its_end_a_program_is_dark() -> None:
    program = PROGRAMS[SignalKind.HIT]
    assert set(leds_at(program, program.duration_s + 0.01, count=48)) == {DARK}


def test_hit_and_miss_differ_in_more_than_colour() -> None:
    hit, miss = PROGRAMS[SignalKind.HIT], PROGRAMS[SignalKind.MISS]
    assert hit.motion is not miss.motion
    assert hit.tones[0].hz < hit.tones[1].hz
    assert miss.tones[0].hz > miss.tones[1].hz


def test_a_winner_outranks_everything() -> None:
    assert PROGRAMS[SignalKind.WINNER].priority == max(p.priority for p in PROGRAMS.values())


def test_a_still_program_lights_the_whole_strip() -> None:
    still = Program((1, 2, 3), Motion.STILL, math.inf, (), 1)
    assert set(leds_at(still, 1.0, count=10)) == {(1, 2, 3)}
