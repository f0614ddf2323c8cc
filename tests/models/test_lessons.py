"""Tables to learn from: what hides in the mat's colour, what is cut out, and what the net should say. No Blender."""

import json
import math

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="the table finder's samples are drawn with the `train` extra")

from calibration.table import TableNotFound, find_table
from models.training.scenes import lessons, mat_print, miniature, truth
from models.training.scenes.scene import Camera, Die, Figure, Light, Mat, Obstacle, Scene, Sensor, Table
from models.training.scenes.turning import about_vertical
from models.training.scenes.view import orbit, to_frame, undistorted_margin
from models.training.tables import dice_belief
from models.training.tables.dice_belief import Witnessed
from models.training.tables.photographed import Lesson, lesson_things, other_camera, sample_of
from models.training.tables.samples import CLASSES, IGNORED
from vision.finder import GRID_MM
from vision.pip_count import PipCount
from vision.rectify import top_view

CAMERA = orbit(480.0, 55.0, 270.0, (0.0, 0.0))


def table(camera: Camera = CAMERA) -> Scene:
    return Scene(
        Mat("parchment"),
        Table(),
        Light(),
        camera,
        Sensor(),
        figures=(Figure("lokan", (-40.0, 20.0, 0.0)),),
        dice=(Die("d", (30.0, -20.0, 8.0), about_vertical(30.0), 16.0),),
        obstacles=(Obstacle("box", (20.0, 60.0), (50.0, 30.0, 20.0)), Obstacle("far", (300.0, 0.0), (40, 40, 10))),
    )


def test_some_things_take_the_mats_colour_and_the_same_seed_the_same() -> None:
    figures = tuple(Figure(f"f{i}", (0.0, 0.0, 0.0), colour=(0.0, 0.0, 1.0)) for i in range(400))
    scene = Scene(Mat("parchment"), Table(), Light(), CAMERA, Sensor(), figures)
    changed = lessons.with_hidden_colours(scene, 5)
    alike = [figure for figure in changed.figures if figure.colour != (0.0, 0.0, 1.0)]
    assert 80 < len(alike) < 160
    assert all(f.paint == "plastic" and f.colour[0] > f.colour[2] for f in alike)
    assert lessons.with_hidden_colours(scene, 5) == changed != lessons.with_hidden_colours(scene, 6)


def test_screens_stand_between_figures_and_the_camera_and_hit_nothing() -> None:
    seen = []
    for seed in range(60):
        scene = lessons.with_screens(table(), seed)
        screens = [o for o in scene.obstacles if o.name.startswith("screen")]
        for screen in screens:
            room = math.hypot(*screen.size_mm[:2]) / 2 if screen.kind == "box" else screen.size_mm[0] / 2
            assert math.dist(screen.at_mm, (-40.0, 20.0)) > room + 12.5
            assert math.dist(screen.at_mm, (30.0, -20.0)) > room + 8.0
            assert max(map(abs, screen.at_mm)) <= lessons.FARTHEST_MM
            ahead = np.array(screen.at_mm) - (-40.0, 20.0)
            seen.append(float(ahead @ (np.array(scene.camera.at_mm[:2]) - (-40.0, 20.0))))
    assert len(seen) > 30
    assert np.mean(np.array(seen) > 0) > 0.9
    assert lessons.with_screens(table(), 3) == lessons.with_screens(table(), 3)


def test_some_standing_figures_have_square_bases_of_their_width() -> None:
    figures = tuple(Figure(f"f{i}", (0.0, 0.0, 0.0), base_mm=25.0, tipped=i % 2 == 1) for i in range(400))
    scene = Scene(Mat(), Table(), Light(), CAMERA, Sensor(), figures)
    changed = [f for f in lessons.with_square_bases(scene, 1).figures if f.base_shape == "square"]
    assert 25 < len(changed) < 80
    assert not any(f.tipped for f in changed)
    foot = miniature.all_vertices(miniature.build(changed[0]))
    foot = foot[foot[:, 2] < 0.3]
    assert np.ptp(foot, axis=0)[:2] == pytest.approx([25.0, 25.0])
    assert np.abs(foot[:, :2]).min(axis=1).max() == pytest.approx(12.5, abs=0.3)


@pytest.mark.parametrize("k1", [0.0, -0.15])
def test_the_box_that_is_rendered_holds_the_sheet_and_what_stands_on_it(k1: float) -> None:
    camera = Camera(CAMERA.at_mm, CAMERA.target_mm, k1=k1, focal_px=1000.0)
    margin = undistorted_margin(camera)
    left, top, right, bottom = lessons.sheet_box(camera, margin)
    straight = Camera(
        camera.at_mm, camera.target_mm, focal_px=1000.0, size=tuple(round(s * margin) for s in camera.size)
    )
    width, height = mat_print.PAPER_MM["a4"]
    for x in (-width / 2, 0.0, width / 2):
        for y in (-height / 2, 0.0, height / 2):
            for z in (0.0, 40.0):
                ((u, v),) = to_frame([(x, y, z)], straight)
                u, v = np.clip([u, v], 0, np.array(straight.size) - 1)
                assert left <= u < right
                assert top <= v < bottom


def test_the_things_of_a_lesson_have_their_places_outlines_and_heights() -> None:
    scene = table()
    cube = np.array([(x, y, z) for x in (-9.0, 9.0) for y in (-9.0, 9.0) for z in (0.0, 30.0)]) + (-40.0, 20.0, 0.0)
    shares = {"lokan": 1.0, "d": 0.5, "box": 0.25, "far": 1.0}
    figure, die, box, far = lesson_things({"things": lessons.things(scene, {"lokan": cube}, shares)})
    assert (figure.kind, figure.mm, figure.height_mm, figure.standing) == ("figure", (-40.0, 20.0), 30.0, True)
    assert die.kind == "die"
    assert die.height_mm == 16.0
    assert die.visible == 0.5
    side = np.linalg.norm(np.diff(die.outline_mm, axis=0), axis=1)
    assert side == pytest.approx([16.0 * 0.93] * len(side), abs=0.05)
    assert box.outline_mm == pytest.approx(truth.outline_mm(scene.obstacles[0]), abs=0.01)
    assert (far.kind, far.mm) == ("obstacle", (300.0, 0.0))


def test_a_lesson_becomes_what_the_net_should_say() -> None:
    sheet = (mat_print.draw(Mat()) * 255).astype(np.uint8)[..., ::-1]
    high, wide = sheet.shape[:2]
    width, height = mat_print.PAPER_MM["a4"]
    corners = [(-width / 2, height / 2, 0.0), (width / 2, height / 2, 0.0), (width / 2, -height / 2, 0.0)]
    corners.append((-width / 2, -height / 2, 0.0))
    pixels = to_frame(corners, CAMERA).astype(np.float32)
    source = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    warp = cv2.getPerspectiveTransform(source, pixels)
    columns, rows = CAMERA.size
    picture = cv2.warpPerspective(sheet, warp, (columns, rows), flags=cv2.INTER_AREA, borderValue=(60, 70, 80))
    view = find_table(np.asarray(picture, np.uint8))
    assert not isinstance(view, TableNotFound)
    numbers = np.zeros((rows, columns), np.uint8)
    heights = np.zeros_like(numbers)
    (middle,) = to_frame([(30.0, -20.0, 0.0)], CAMERA)
    cv2.circle(numbers, (round(middle[0]), round(middle[1])), 14, 1, -1)
    heights[numbers == 1] = 16
    facts = {
        "things": [
            {"kind": "die", "mm": [30.0, -20.0], "outline_mm": [[22, -28], [38, -28], [38, -12], [22, -12]],
             "height_mm": 16.0, "standing": True, "base_mm": 16.0, "visible": 1.0},
        ]
    }  # fmt: skip
    things = lesson_things(json.loads(json.dumps(facts)))
    lesson = Lesson("one", np.asarray(picture, np.uint8), view, numbers, heights, things)
    sample = sample_of(lesson, times=0)
    top = top_view(view)
    x, y = (np.array(top.to_top(np.array([[30.0, -20.0]])))[0] / (GRID_MM * top.px_per_mm)).astype(int)
    assert sample["classes"][y, x] == CLASSES["die"]
    assert sample["height"][y, x] == 16
    assert (sample["classes"] == CLASSES["die"]).sum() < 0.02 * sample["classes"].size
    assert set(np.unique(sample["classes"])) <= {0, CLASSES["die"], IGNORED}
    assert sample["things"].shape == (1, 7)
    again = sample_of(lesson, times=0)
    assert np.array_equal(again["input"], sample["input"])
    other = sample_of(lesson, times=1)
    assert not np.array_equal(other["input"][:3], sample["input"][:3])


def test_another_camera_changes_the_light_and_keeps_the_picture() -> None:
    random = np.random.default_rng(3)
    picture = np.tile(np.arange(256, dtype=np.uint8), (40, 1))[..., None].repeat(3, axis=2)
    seen = other_camera(picture, random)
    assert seen.shape == picture.shape
    assert seen.dtype == np.uint8
    assert np.corrcoef(seen.ravel(), picture.ravel())[0, 1] > 0.95


def test_the_belief_in_dice_is_fitted_on_what_the_witnesses_of_a_table_say() -> None:
    random = np.random.default_rng(3)
    places = []
    for n in range(600):
        value = int(random.integers(0, 7))
        views = np.full((2, 7), 0.02)
        views[:, value if random.random() < 0.95 else int(random.integers(0, 7))] = 0.88
        counted = value if value and random.random() < 0.6 else None
        fits = tuple(float(k == counted) for k in range(1, 7))
        count = PipCount(counted, 0.9 if counted else 0.0, (), fits=fits)
        places.append(Witnessed(value, (views[0].tolist(), views[1].tolist()), count, 0.8, is_found=n % 2 == 0))
    weights = dice_belief.fit(places)
    assert weights.upright > 0
    assert weights.count > 0
    assert "0 of" not in dice_belief.rates(places, lambda place: 1)
    answered = [(p.value, dice_belief.with_weights(p, weights)) for p in places if p.value]
    assert np.mean([given is not None for _, given in answered]) > 0.9
    assert np.mean([given in (None, value) for value, given in answered]) > 0.95
