"""Glue around the dice nets: which scales are searched, how faces are cut, which of nested finds stay."""

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.dice_crops import CROP_PX, FACE_MARGIN, UPRIGHT_MARGIN, Pyramid, face_affine, upright_affine
from models.dice_finds import Candidate, NetReading, one_a_face, plausible, without_nested
from models.dice_nets import DiceNets
from models.pyramid_detector import COARSEST_LONG_PX, FINEST_LONG_PX, corners_of, level_scales, unclear


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
    assert agreed.vote[3] == pytest.approx(0.95)
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


def with_top(found: NetReading, top: tuple[tuple[float, float], ...]) -> NetReading:
    return replace(found, candidate=replace(found.candidate, top_px=top))


def test_a_die_that_two_levels_of_the_picture_see_counts_once():
    """Of 3,274 values in photographs 56 were given twice: once in a box half as large again."""
    top = ((110.0, 110.0), (150.0, 112.0), (148.0, 152.0), (108.0, 150.0))
    moved = tuple((x + 4, y - 3) for x, y in reversed(top))
    small, large = with_top(reading((105, 105, 155, 155), 4), top), with_top(reading((90, 90, 172, 172), 4), moved)
    beside = with_top(reading((140, 105, 190, 155), 4), tuple((x + 42, y) for x, y in top))
    assert set(one_a_face([large, small, beside])) == {small, beside}
    unread = with_top(reading((105, 105, 155, 155), 0), top)
    assert one_a_face([unread, large]) == (large,)
    broken = with_top(reading((105, 105, 155, 155), 0), ((float("nan"), 0.0),) * 4)
    assert set(one_a_face([broken, small])) == {broken, small}


def test_nothing_found_is_nothing_read():
    assert without_nested([]) == ()


def test_dice_that_are_read_clearly_outlast_a_group_that_seems_to_read_too():
    """On a carpet four dice that read at 0.99 were lost to a box around them that read 5 at 0.70."""
    group = reading((0, 0, 400, 400), 5, probability=0.7, score=0.35)
    dice = [reading((10, 10, 100, 100), 4, 0.99, 0.72), reading((300, 300, 380, 380), 1, 0.97, 0.6)]
    assert set(without_nested([group, *dice])) == set(dice)


def test_half_of_a_clear_die_is_no_die():
    whole, half = reading((0, 0, 100, 100), 6, 0.98, 0.8), reading((5, 5, 55, 50), 3, 0.95, 0.45)
    assert without_nested([whole, half]) == (whole,)


def test_faint_unread_finds_stay_only_where_they_are_as_large_as_the_dice_around():
    dice = [reading((k * 100, 0, k * 100 + 50, 50), 3) for k in range(3)]
    faint = [reading((0, 200, size, 200 + size), 0, 0.7, 0.25) for size in (50, 20, 120)]
    assert plausible([*dice, *faint]) == (*dice, faint[0])
    assert plausible(faint) == ()


@pytest.mark.parametrize(("probability", "stays"), [(0.79, True), (0.81, False)])
def test_faint_finds_that_read_too_badly_go(probability, stays):
    dice = [reading((k * 100, 0, k * 100 + 50, 50), 3) for k in range(3)]
    assert len(plausible([*dice, reading((0, 200, 50, 250), 0, probability, 0.25)])) == 3 + stays


def test_a_faint_find_that_can_be_read_stays_whatever_its_size():
    alone = reading((0, 0, 150, 150), 4, 0.9, 0.22)
    dice = [reading((k * 200, 300, k * 200 + 50, 350), 3) for k in range(3)]
    assert plausible([alone]) == (alone,)
    assert alone in plausible([alone, *dice])


def test_unread_boxes_around_many_dice_go():
    dice = [reading((k * 60, 0, k * 60 + 50, 50), 3) for k in range(4)]
    assert plausible([*dice, reading((0, 0, 240, 200), 0, score=0.6)]) == tuple(dice)


BIG, SMALL = (100.0, 100.0, 180.0, 180.0), (300.0, 300.0, 320.0, 320.0)


def test_a_finer_look_is_taken_where_nothing_is_clear_yet():
    assert unclear(np.array([BIG]), np.array([0.4]), finer=1.0) is None
    assert unclear(np.zeros((0, 4)), np.zeros(0), finer=1.0) is None


def test_clear_large_dice_and_their_parts_need_no_finer_look():
    part = (120.0, 120.0, 140.0, 140.0)
    assert len(unclear(np.array([BIG, part]), np.array([0.8, 0.3]), finer=1.0)) == 0


@pytest.mark.parametrize("score", [0.8, 0.12])
def test_small_dice_and_faint_finds_need_it(score):
    assert unclear(np.array([BIG, SMALL]), np.array([0.8, score]), finer=1.0).tolist() == [list(SMALL)]


def test_what_is_too_faint_does_not_and_a_die_that_is_small_at_the_finer_scale_does():
    assert len(unclear(np.array([BIG, SMALL]), np.array([0.8, 0.09]), finer=1.0)) == 0
    assert unclear(np.array([BIG]), np.array([0.8]), finer=0.5).tolist() == [list(BIG)]


class FakeDetector:
    """Sees a die in each bright place, scored by its width at the scale; remembers the sizes that it was shown."""

    def __init__(self, score):
        self.score, self.shown = score, []

    def run(self, inputs):
        picture = inputs["picture"][0]
        rows, columns = picture.shape[:2]
        self.shown.append((columns, rows))
        maps = np.zeros((1, 12, rows // 4, columns // 4), np.float32)
        count, _, stats, middles = cv2.connectedComponentsWithStats((picture[..., 0] > 160).astype(np.uint8))
        for k in range(1, count):
            x, y = (middles[k] + 0.5) / 4 - 0.5
            column, row = round(x), round(y)
            wide = stats[k, cv2.CC_STAT_WIDTH]
            maps[0, :5, row, column] = self.score(wide), x - column, y - row, *np.log2([wide / 32] * 2)
        return {"maps": maps}


def bright(*squares):
    """A picture with bright squares, each given as left, top, edge."""
    picture = np.full((640, 640, 3), 60, np.uint8)
    for left, top, edge in squares:
        picture[top : top + edge, left : left + edge] = 255
    return picture


def test_a_picture_whose_dice_are_clear_at_coarse_scales_is_not_searched_finely():
    detector = FakeDetector(lambda wide: 0.8)
    finds = DiceNets(detector, None).find(bright((300, 200, 120)))
    assert detector.shown == [(160, 160), (320, 320)]
    assert len(finds) == 1
    assert np.allclose(finds[0].box_px, (300, 200, 420, 320), atol=3)


def test_only_around_a_small_die_is_searched_finely_and_placed_right():
    detector = FakeDetector(lambda wide: 0.8 if wide >= 18 else 0.15)
    finds = DiceNets(detector, None).find(bright((300, 200, 120), (500, 520, 20)))
    assert detector.shown[:2] == [(160, 160), (320, 320)]
    assert len(detector.shown) == 3
    assert max(detector.shown[2]) <= 128
    assert sorted(round(f.box_px[2] - f.box_px[0]) for f in finds) == [20, 120]
    small = min(finds, key=lambda f: f.box_px[2] - f.box_px[0])
    assert np.allclose(small.box_px, (500, 520, 520, 540), atol=1)


def test_without_any_clear_find_every_scale_is_searched_whole():
    detector = FakeDetector(lambda wide: 0.3)
    DiceNets(detector, None).find(bright((300, 200, 120)))
    assert detector.shown == [(160, 160), (320, 320), (640, 640)]


class FakeReader:
    """Sees where the bright face is, but wrongly in upright views; reads a 4 where the crop is cut by that face."""

    def __init__(self, *, upright_sees):
        self.upright_sees, self.calls = upright_sees, 0

    def run(self, inputs):
        crops = inputs["crops"]
        self.calls += 1
        probability, top = np.zeros((len(crops), 7), np.float32), np.zeros((len(crops), 7), np.float32)
        for k, crop in enumerate(crops):
            y, x = np.nonzero(crop[..., 0] > 160)
            off = (np.array([x.mean(), y.mean()]) - (CROP_PX - 1) / 2) / CROP_PX
            half = np.sqrt(len(x)) / 2 / CROP_PX
            right = np.abs(off).max() < 0.02 and abs(half - 0.5 / FACE_MARGIN) < 0.03
            probability[k, 4], probability[k, 0] = (0.98, 0.02) if right else (0.1, 0.9)
            top[k] = *off, half, 0, half, 1, 0
        if self.calls == 1:
            top[:, :2] += self.upright_sees
        return {"probability": probability, "feature": np.ones((len(crops), 48), np.float32), "top": top}


@pytest.mark.parametrize("upright_sees", [(0.0, 0.0), (0.05, -0.04)], ids=["right", "wrong"])
def test_a_face_that_was_cut_badly_is_cut_again_by_what_its_view_shows(upright_sees):
    reader = FakeReader(upright_sees=upright_sees)
    rough = Candidate((290.0, 190.0, 360.0, 270.0), ((292, 190), (330, 190), (330, 250), (292, 250)), 0.8)
    (seen,) = DiceNets(None, reader).read(bright((300, 200, 48)), [rough])
    assert seen.face[4] > 0.9
    middle = np.mean(seen.candidate.top_px, axis=0)
    assert np.allclose(middle, (323.5, 223.5), atol=1.5)


def test_faces_that_are_known_are_left_alone():
    reader = FakeReader(upright_sees=(0.0, 0.0))
    known = Candidate((290.0, 190.0, 360.0, 270.0), ((292, 190), (330, 190), (330, 250), (292, 250)), 0.8)
    (seen,) = DiceNets(None, reader).read(bright((300, 200, 48)), [known], refine=False)
    assert seen.candidate is known
    assert reader.calls == 1


class BlindReader(FakeReader):
    """Reads as the other, but never says where the face is."""

    def run(self, inputs):
        said = super().run(inputs)
        said["top"][:] = (9, 9, 1, 0, 1, 1, 0)
        return said


@pytest.mark.parametrize(
    "guess",
    [((312, 209), (336, 209), (336, 233), (312, 233)), ((290, 190), (360, 190), (360, 260), (290, 260))],
    ids=["half as large", "half as large again"],
)
def test_a_die_seen_from_straight_above_is_cut_by_its_box(guess):
    seen_box = (297.5, 197.5, 350.5, 250.5)  # 48 px of face and what is edge around
    (seen,) = DiceNets(None, BlindReader(upright_sees=(0, 0))).read(
        bright((300, 200, 48)), [Candidate(seen_box, guess, 0.8)]
    )
    assert seen.face[4] > 0.9
    assert np.allclose(np.mean(seen.candidate.top_px, axis=0), (323.5, 223.5), atol=1.5)


def test_where_the_camera_looks_from_the_side_the_box_is_no_guess():
    """The middle of the box is the front face there: its value would be read instead of the top face's."""
    raised = ((300, 182), (348, 182), (348, 212), (300, 212))
    (seen,) = DiceNets(None, BlindReader(upright_sees=(0, 0))).read(
        bright((300, 200, 48)), [Candidate((297.5, 177.5, 350.5, 250.5), raised, 0.8)]
    )
    assert seen.face[4] < 0.5


class HintedReader(BlindReader):
    """Hints at a 2 where it cannot read."""

    def run(self, inputs):
        said = super().run(inputs)
        unread = said["probability"][:, 4] < 0.9
        said["probability"][unread, 4], said["probability"][unread, 2] = 0.0, 0.1
        return said


def test_another_guess_that_shows_another_value_than_was_hinted_at_is_not_taken():
    guess = ((312, 209), (336, 209), (336, 233), (312, 233))
    (seen,) = DiceNets(None, HintedReader(upright_sees=(0, 0))).read(
        bright((300, 200, 48)), [Candidate((297.5, 197.5, 350.5, 250.5), guess, 0.8)]
    )
    assert seen.face[4] < 0.5


class Stubborn:
    """Reads a 5 wherever it looks; a 2 is likelier the lower the bright face lies in the crop."""

    def run(self, inputs):
        crops = inputs["crops"]
        probability, top = np.zeros((len(crops), 7), np.float32), np.zeros((len(crops), 7), np.float32)
        for k, crop in enumerate(crops):
            y, _ = np.nonzero(crop[..., 0] > 160)
            probability[k, 2] = float(np.clip((y.mean() - 20) / 250, 0.001, 0.04))
            probability[k, 5] = 1 - probability[k, 2]
            top[k] = 0, 0, 0.3, 0, 0.3, 1, 0
        return {"probability": probability, "feature": np.ones((len(crops), 48), np.float32), "top": top}


def test_a_known_value_decides_between_guesses_even_where_another_is_read_surely():
    die = Candidate((290.0, 160.0, 360.0, 240.0), ((300, 210), (348, 210), (348, 258), (300, 258)), 0.8)
    picture = bright((300, 210, 48))
    (free,) = DiceNets(None, Stubborn()).read(picture, [die])
    (guided,) = DiceNets(None, Stubborn()).read(picture, [die], shown=[2])
    assert free.face[5] > 0.95
    assert guided.face[2] > free.face[2]
    assert np.mean(guided.candidate.top_px, axis=0)[1] < np.mean(free.candidate.top_px, axis=0)[1]
