"""Dice whose top face is not level: found by where their pips lie, and never where a die lies flat."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.dice_nets import DiceNets
from tests.vision.drawn_table import PIPS, _fill, camera, empty_table
from vision.cocked import LEAST_LEAN_DEGREES, lean_degrees, lean_of_cocked
from vision.dice import DieCandidate, read_dice
from vision.observation import SeenDie

Floats = npt.NDArray[np.float64]


def towards(elevation: float, azimuth: float = 0.0) -> Floats:
    """Direction to a camera at this height over the table."""
    e, a = math.radians(elevation), math.radians(azimuth)
    return np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])


def turned(lean: float, to: float, yaw: float) -> Floats:
    """A rotation by `yaw` about the vertical, then a lean by so many degrees to a direction."""
    a = math.radians(to)
    axis = np.array([-math.sin(a), math.cos(a), 0.0])
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    t, y = math.radians(lean), math.radians(yaw)
    tilt = np.eye(3) + math.sin(t) * k + (1 - math.cos(t)) * k @ k
    return tilt @ np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1.0]])


def laid(
    value: int, rotation: Floats, seen_from: Floats, *, pitch: float = 4.0, rows: float = 1.0
) -> list[tuple[float, float]]:
    """Where a face's pips are seen on the level plane, from far away."""
    pips = np.array([(x * rows * pitch, y * pitch, 0.0) for x, y in PIPS[value]]) @ rotation.T
    flat = pips[:, :2] - pips[:, 2:] * (seen_from[:2] / seen_from[2])
    return [(float(x), float(y)) for x, y in flat]


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([4, 5, 6]),
    st.floats(30, 89),
    st.floats(0, 360),
    st.floats(0, 360),
    st.floats(2, 8),
    st.floats(0.72, 1.0),
)
def test_a_level_face_never_leans(
    value: int, elevation: float, azimuth: float, yaw: float, pitch: float, rows: float
) -> None:
    spots = laid(value, turned(0, 0, yaw), towards(elevation, azimuth), pitch=pitch, rows=rows if value == 6 else 1.0)
    assert lean_degrees(spots, towards(elevation, azimuth)) == 0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([4, 5, 6]), st.floats(0, 40), st.floats(0, 360), st.floats(35, 80), st.floats(0, 360))
def test_never_more_lean_is_told_than_there_is(
    value: int, lean: float, to: float, elevation: float, yaw: float
) -> None:
    """But for the step in which leans are tried."""
    seen_from = towards(elevation)
    if turned(lean, to, yaw)[:, 2] @ seen_from > 0.2:
        assert lean_degrees(laid(value, turned(lean, to, yaw), seen_from), seen_from) <= lean + 1


@pytest.mark.parametrize("value", [4, 5])
@pytest.mark.parametrize("to", [0, 90, 180, 270])
@pytest.mark.parametrize("elevation", [45, 60])
def test_a_lean_of_thirty_degrees_is_told_in_every_direction(value: int, to: float, elevation: float) -> None:
    seen_from = towards(elevation)
    spots = laid(value, turned(30, to, 20), seen_from)
    assert LEAST_LEAN_DEGREES <= lean_degrees(spots, seen_from) <= 32


@pytest.mark.parametrize("to", [180, 210])
def test_the_lean_of_a_six_is_told_though_its_rows_may_be_near_together(to: float) -> None:
    spots = laid(6, turned(30, to, 20), towards(55), rows=0.8)
    assert LEAST_LEAN_DEGREES <= lean_degrees(spots, towards(55)) <= 32


def test_a_lean_towards_the_camera_that_looks_level_is_not_told() -> None:
    """From 75 degrees a face that leans by 30 towards the camera is seen from 105, which looks the same."""
    assert lean_degrees(laid(4, turned(30, 0, 20), towards(75)), towards(75)) == 0


def test_the_order_of_the_pips_changes_nothing() -> None:
    spots = laid(6, turned(28, 40, 15), towards(55))
    leans = {round(lean_degrees([spots[k] for k in order], towards(55)), 6) for order in np.random.default_rng(1).permuted(np.tile(np.arange(6), (12, 1)), axis=1)}  # fmt: skip  # noqa: E501
    assert len(leans) == 1


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7])
def test_other_numbers_of_pips_tell_nothing(count: int) -> None:
    assert lean_degrees([(float(k), float(k * k)) for k in range(count)], towards(60)) == 0
    assert lean_of_cocked([(float(k), float(k * k)) for k in range(count)], camera(), top_mm=16.0) is None


def test_pips_on_one_line_are_no_error() -> None:
    assert lean_degrees([(float(k), 0.0) for k in range(4)], towards(60)) == 0


def drawn(value: int, rotation: Floats) -> npt.NDArray[np.uint8]:
    """A die of 16 mm in the middle of the mat with this face up, leaning as it does on a card's edge."""
    view, half = camera(distance=330.0), 8.0
    image = empty_table(view).copy()
    lift = half * float(np.abs(rotation[2]).sum())
    middle = np.array([0.0, 0.0, lift])
    opposite = [v for v in range(1, 7) if v not in (value, 7 - value)]
    for axis, sign, pips, light in ((2, 1, value, 1.0), (0, 1, opposite[0], 0.8), (0, -1, opposite[-1], 0.65), (1, 1, opposite[1], 0.7), (1, -1, opposite[-2], 0.85)):  # fmt: skip  # noqa: E501
        normal, u, v = sign * rotation[:, axis], rotation[:, (axis + 1) % 3], rotation[:, (axis + 2) % 3]
        centre = middle + half * normal
        if (view.camera_mm - centre) @ normal <= 0:
            continue
        corners = np.array([centre + half * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        _fill(image, view, corners, tuple(light * c for c in (214.0, 232.0, 238.0)))
        ring = np.arange(16) * math.pi / 8
        for a, b in PIPS[pips]:
            at = centre + np.outer(np.cos(ring) * 1.6 + a * 4, u) + np.outer(np.sin(ring) * 1.6 + b * 4, v)
            _fill(image, view, at, (25, 25, 25))
    noise = np.random.default_rng(value).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def read(image: npt.NDArray[np.uint8], nets: DiceNets | None, rotation: Floats) -> SeenDie:
    """The die as it is read where its top face's middle is."""
    view = camera(distance=330.0)
    across, ahead = (8.0 * rotation[:2, 2]).tolist()
    x, y = view.to_frame(np.array([(0.0, 0.0)]), height_mm=8.0)[0]
    candidate = DieCandidate((x - 32, y - 32, x + 32, y + 32), mm=(across, ahead), size_mm=16.0)
    return read_dice(image, view=view, candidates=[candidate], nets=nets)[0]


@pytest.fixture(scope="module")
def nets() -> DiceNets:
    return DiceNets.load(threads=1)


@pytest.mark.parametrize("value", [4, 5])
@pytest.mark.parametrize("to", [150.0, 180.0, 210.0, 330.0])
def test_a_cocked_die_on_the_table_is_a_question_mark_with_its_lean(nets: DiceNets, value: int, to: float) -> None:
    leaning = turned(27, to, 10)
    die = read(drawn(value, leaning), nets, leaning)
    assert die.value is None
    assert die.cocked
    assert "cocked" in str(die.why)


@pytest.mark.parametrize("value", [4, 5, 6])
@pytest.mark.parametrize("yaw", [0.0, 20.0, 70.0])
def test_a_level_die_is_read_and_not_cocked(nets: DiceNets, value: int, yaw: float) -> None:
    level = turned(0, 0, yaw)
    die = read(drawn(value, level), nets, level)
    assert die.value == value
    assert not die.cocked


def test_without_the_nets_it_is_seen_as_well() -> None:
    for lean in (27.0, 0.0):
        rotation = turned(lean, 150, 10)
        assert read(drawn(5, rotation), None, rotation).cocked is (lean > 0)
