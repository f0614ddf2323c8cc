"""Glue around the dice nets: which scales are searched, how faces are cut, which of nested finds stay."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from models.dice_crops import CROP_PX, FACE_MARGIN, UPRIGHT_MARGIN, Pyramid, face_affine, upright_affine
from models.dice_nets import (
    COARSEST_LONG_PX,
    FINEST_LONG_PX,
    Candidate,
    NetReading,
    corners_of,
    level_scales,
    without_nested,
)


def reading(box, value, probability=0.95, score=0.8):
    """A reading of a box whose both views say `value` with `probability`."""
    rest = (1 - probability) / 6
    votes = tuple(probability if k == value else rest for k in range(7))
    x0, y0, x1, y1 = box
    top = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return NetReading(Candidate(tuple(map(float, box)), top, score), votes, votes, np.zeros(48, np.float32))


@pytest.mark.parametrize("size", [(320, 240), (640, 640), (1280, 720), (8000, 6000), (1, 1), (4000, 300)])
def test_pictures_are_searched_from_fine_to_half_a_picture_wide(size):
    """A die of half the picture is at most 80 px wide at the coarsest scale, within what the net was trained on."""
    scales = level_scales(*size)
    assert scales[0] * max(size) <= FINEST_LONG_PX + 1e-6
    assert scales[-1] * max(size) <= COARSEST_LONG_PX
    assert all(b == a / 2 for a, b in itertools.pairwise(scales))


def test_small_pictures_are_not_enlarged():
    assert level_scales(100, 80) == (1.0,)


@pytest.mark.parametrize("turn_deg", [0.0, 30.0, 44.0])
def test_corners_come_back_from_the_detectors_code(turn_deg):
    """The vectorised decoding in play agrees with the one that training uses."""
    faces = pytest.importorskip("models.training.dice.faces")
    t = np.radians(turn_deg)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array(
        [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    )
    top = square * (20, 9) + (50, 40)
    centre = np.array([52.0, 44.0])
    code = faces.encode(top, centre, 60.0)
    back = corners_of(code[None], centre[None], np.array([60.0]))[0]
    assert back == pytest.approx(faces.decode(code, centre, 60.0), abs=1e-9)
    assert np.linalg.norm(back[:, None] - top[None], axis=2).min(1).max() < 0.01


def test_face_view_puts_the_corners_on_a_square():
    top = np.array([[10, 20], [50, 24], [44, 40], [4, 36.0]])
    affine = face_affine(top)
    at = top @ affine[:, :2].T + affine[:, 2]
    half = CROP_PX / 2 / FACE_MARGIN
    middle = (CROP_PX - 1) / 2
    assert np.abs(np.abs(at - middle) - half).max() < 1e-9


def test_a_face_without_area_still_gives_a_crop():
    top = np.array([[10, 10], [20, 10], [20, 10], [10, 10.0]])
    assert Pyramid(np.zeros((40, 40, 3), np.uint8)).crop(face_affine(top)).shape == (CROP_PX, CROP_PX, 3)


@pytest.mark.parametrize("size", [20, 64, 200, 900])
def test_upright_view_holds_the_die_at_one_size_whatever_its_size_in_the_picture(size):
    """A white square on black fills 1 / margin of the crop's edge, from 20 px to 900 px, without aliasing."""
    picture = np.zeros((1400, 1400, 3), np.uint8)
    lo, hi = 700 - size // 2, 700 + size // 2
    picture[lo:hi, lo:hi] = 255
    box = np.array([lo - 0.5, lo - 0.5, hi - 0.5, hi - 0.5])
    crop = Pyramid(picture).crop(upright_affine(box, (box[:2] + box[2:]) / 2))
    share = crop[..., 0].mean() / 255
    assert share == pytest.approx(1 / UPRIGHT_MARGIN**2, rel=0.06)


def test_crop_beyond_the_picture_repeats_the_edge():
    picture = np.full((30, 30, 3), 77, np.uint8)
    box = np.array([20, 20, 60, 60.0])
    assert (Pyramid(picture).crop(upright_affine(box, np.array([60.0, 60.0]))) == 77).all()


def test_pip_of_a_big_die_is_dropped():
    kept = without_nested([reading((0, 0, 200, 200), 5), reading((90, 90, 120, 120), 1)])
    assert [r.candidate.box_px[2] for r in kept] == [200]


def test_group_of_dice_is_dropped_for_its_dice():
    """A tray lost 7 of 14 dice to boxes around two of them that scored 0.25 where the dice scored 0.7."""
    group = reading((0, 0, 200, 200), 0, score=0.3)
    dice = [reading((10, 10, 70, 70), 3), reading((100, 100, 170, 170), 5)]
    assert set(without_nested([group, *dice])) == set(dice)


def test_one_of_two_dice_found_in_a_group_is_enough():
    die = reading((10, 10, 70, 70), 0, score=0.6)
    assert without_nested([reading((0, 0, 200, 200), 0, score=0.3), die]) == (die,)


def test_vote_is_high_only_where_neither_view_objects():
    agreed = reading((0, 0, 60, 60), 3)
    torn = replace(agreed, face=reading((0, 0, 60, 60), 5).face)
    assert agreed.vote[3] > 0.95
    assert sum(torn.vote) == pytest.approx(1.0)
    assert max(torn.vote) < 0.5


def test_dice_beside_each_other_all_stay():
    dice = [reading((0, 0, 60, 60), 3), reading((55, 0, 115, 60), 5), reading((0, 58, 60, 118), 1)]
    assert len(without_nested(dice)) == 3


def test_order_of_candidates_does_not_matter():
    group = [
        reading((0, 0, 200, 200), 0, score=0.3),
        reading((10, 10, 70, 70), 3),
        reading((100, 100, 170, 170), 5),
        reading((300, 0, 340, 40), 2),
    ]
    one, two = without_nested(group), without_nested(group[::-1])
    assert {id(r) for r in one} == {id(r) for r in two}


def test_nothing_found_is_nothing_read():
    assert without_nested([]) == ()
