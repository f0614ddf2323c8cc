"""Table scenes as data: JSON form, projection, mat, dice, figures, truth, random tables. No Blender is needed."""

import json
import math

import cv2
import numpy as np
import pytest

from models.training.scenes import dice_shape, mat_print, miniature, random_tables, sensor, truth
from models.training.scenes.scene import Camera, Die, Figure, Mat, Obstacle, Scene, Sensor, from_json, to_json
from models.training.scenes.solids import convex_outline
from models.training.scenes.turning import about_axis, about_vertical, between, from_matrix, matrix, times
from models.training.scenes.view import camera_axes, orbit, to_frame, undistorted_margin


def random_scene(seed: int) -> Scene:
    """A random table; tipped figures come to rest by physics, which needs the extra `train`."""
    pytest.importorskip("mujoco")
    return random_tables.random_scene(seed)


def test_a_scene_survives_json() -> None:
    scene = random_scene(3)
    assert from_json(to_json(scene)) == scene


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("mat", "look"), "lava", "scene.mat.look must be one of"),
        (("camera", "size"), [1280], "scene.camera.size must hold 2 values"),
        (("camera", "focal_px"), "far", "scene.camera.focal_px must be float, not 'far'"),
        (("table", "colours"), 1, "scene.table has no field 'colours'"),
        (("light",), 7, "scene.light must be an object"),
    ],
)
def test_a_broken_scene_is_refused_with_the_fields_name(path: tuple[str, ...], value: object, message: str) -> None:
    data = json.loads(to_json(random_scene(3)))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        from_json(json.dumps(data))


def test_text_that_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="a scene is a JSON object"):
        from_json("{")


@pytest.mark.parametrize("marker", range(6))
def test_the_mats_markers_are_those_of_the_dictionary(marker: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture = cv2.aruco.generateImageMarker(dictionary, marker, 6)
    bits = tuple("".join("1" if pixel else "0" for pixel in row) for row in picture[1:5, 1:5])
    assert mat_print.BITS[marker] == bits


@pytest.mark.parametrize("look", ["paper", "slate"])
def test_the_drawn_mat_shows_all_markers_in_their_places(look: str) -> None:
    """A mirrored or turned sheet has no detectable markers, or has them elsewhere."""
    mat = Mat(look="paper" if look == "paper" else "slate", has_grid=True)
    drawn = (mat_print.draw(mat)[..., ::-1] * 255).astype(np.uint8)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(cv2.resize(drawn, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    found = {int(i): c.reshape(4, 2) / (0.5 * mat_print.PX_PER_MM) for i, c in zip(np.ravel(ids), corners, strict=True)}
    assert sorted(found) == [0, 1, 2, 3, 4, 5]
    for marker, (x, y) in mat_print.MARKERS.items():
        assert found[marker].mean(0) == pytest.approx((x + 105, 148.5 - y), abs=0.4)
        assert found[marker][0] == pytest.approx((x + 105 - 12, 148.5 - y - 12), abs=0.6)


@pytest.mark.parametrize("k1", [0.0, -0.15])
def test_points_fall_where_opencv_projects_them(k1: float) -> None:
    base = orbit(470.0, 55.0, 20.0, (10.0, -5.0))
    camera = Camera(base.at_mm, base.target_mm, 4.0, 1300.0, (1280, 720), k1)
    generator = np.random.default_rng(1)
    points = generator.uniform((-100, -140, 0), (100, 140, 60), (50, 3))
    axes = camera_axes(camera)
    lens = np.array([[1300.0, 0, 639.5], [0, 1300.0, 359.5], [0, 0, 1]])
    shift = -axes @ np.array(camera.at_mm)
    expected, _ = cv2.projectPoints(points, cv2.Rodrigues(axes)[0], shift, lens, np.array([k1, 0, 0, 0, 0]))
    assert to_frame(points, camera) == pytest.approx(expected.reshape(-1, 2), abs=1e-6)


def test_points_behind_the_camera_or_beyond_the_lens_are_not_in_the_picture() -> None:
    camera = Camera((0.0, 0.0, 400.0), focal_px=1000.0, k1=-0.2)
    assert np.isnan(to_frame([(0, 0, 500)], camera)).all()
    assert np.isnan(to_frame([(2000, 0, 0)], camera)).all()
    assert to_frame([(0, 0, 0)], camera)[0] == pytest.approx((639.5, 359.5))


def test_a_lens_that_folds_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match=r"has k1 = -0\.2"):
        undistorted_margin(Camera((0.0, 0.0, 400.0), focal_px=700.0, k1=-0.2))
    assert undistorted_margin(Camera((0.0, 0.0, 400.0), focal_px=1100.0, k1=-0.2)) > 1.05


def test_bending_a_picture_agrees_with_the_projection() -> None:
    camera = Camera((0.0, -200.0, 400.0), focal_px=500.0, size=(320, 180), k1=-0.2)
    margin = undistorted_margin(camera)
    flat_camera = Camera(camera.at_mm, focal_px=500.0, size=(round(320 * margin), round(180 * margin)))
    picture = np.zeros((flat_camera.size[1], flat_camera.size[0], 1), np.float32)
    points = [(x, y, 0.0) for x in (-90.0, 0.0, 90.0) for y in (-60.0, 0.0, 60.0)]
    for x, y in to_frame(points, flat_camera):
        cv2.circle(picture, (round(x), round(y)), 3, (1.0,), -1)
    bent = sensor.bent(picture, camera, margin)[..., 0]
    for x, y in to_frame(points, camera):
        assert bent[round(y), round(x)] > 0.5


def test_the_sensor_repeats_itself_with_its_seed() -> None:
    grey = np.full((40, 60, 3), 0.5, np.float32)
    one, same = (sensor.seen(grey, Sensor(noise_sigma=3.0, seed=4)) for _ in range(2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, sensor.seen(grey, Sensor(noise_sigma=3.0, seed=5)))
    assert np.std(one) * 255 == pytest.approx(3.35, rel=0.15)  # 3 grey and 1.5 coloured


@pytest.mark.parametrize("shown", range(1, 7))
@pytest.mark.parametrize("wanted", range(1, 7))
def test_a_die_can_be_renumbered_from_any_face_to_any_other(shown: int, wanted: int) -> None:
    turn = times(about_vertical(33), dice_shape.relabelling(1, shown))
    assert dice_shape.value_up(turn) == shown
    again = dice_shape.renumbered(turn, wanted)
    assert dice_shape.value_up(again) == wanted
    assert dice_shape.cocked_degrees(again) < 0.01


def test_opposite_faces_of_a_die_add_up_to_seven() -> None:
    for value, normal in dice_shape.NORMALS.items():
        assert dice_shape.NORMALS[7 - value] == tuple(-c for c in normal)


@pytest.mark.parametrize("layout", ["standard", "close", "inline", "big_one"])
def test_every_face_has_as_many_pips_as_its_value(layout: str) -> None:
    for value in range(1, 7):
        centres = dice_shape.pip_centres(value, layout)  # type: ignore[arg-type]  # parametrize gives str
        assert len({tuple(c) for c in centres.tolist()}) == value
        assert np.abs(centres).max() < 0.35


def test_a_die_cannot_show_seven() -> None:
    with pytest.raises(ValueError, match="a six-sided die cannot show 7"):
        dice_shape.relabelling(1, 7)


def test_the_built_die_is_closed_and_has_twenty_one_hollows(tmp_path: object) -> None:
    pytest.importorskip("manifold3d")
    trimesh = pytest.importorskip("trimesh")
    from pathlib import Path

    from models.training.scenes.scene import DieStyle

    vertices, faces, kinds = dice_shape.mesh(DieStyle(), Path(str(tmp_path)))
    body = trimesh.Trimesh(vertices, faces, process=False)
    assert body.is_watertight
    assert body.bounds == pytest.approx(np.array([[-0.5] * 3, [0.5] * 3]), abs=1e-4)
    pips = trimesh.Trimesh(vertices, faces[kinds > 0], process=False)
    assert len(trimesh.graph.connected_components(pips.face_adjacency, nodes=np.arange(len(pips.faces)))) == 21
    again = dice_shape.mesh(DieStyle(), Path(str(tmp_path)))
    assert np.array_equal(again[0], vertices)


@pytest.mark.parametrize("family", random_tables.FAMILIES)
def test_a_miniature_has_the_height_and_base_asked_for_and_its_seed_decides(family: str) -> None:
    figures = [
        Figure("f", (0, 0, 0), family=family, seed=seed, base_mm=28, height_mm=33)  # type: ignore[arg-type]  # str
        for seed in (1, 1, 2)
    ]
    one, same, other = (miniature.all_vertices(miniature.build(figure)) for figure in figures)
    assert np.array_equal(one, same)
    assert one.shape != other.shape or not np.allclose(one, other)
    assert one[:, 2].max() == pytest.approx(33, abs=0.2)
    assert one[:, 2].min() == pytest.approx(0, abs=1e-9)
    low = one[one[:, 2] < 0.5]
    assert np.hypot(low[:, 0], low[:, 1]).max() == pytest.approx(14, abs=0.05)


def test_a_mesh_figure_is_not_built_by_procedure() -> None:
    with pytest.raises(ValueError, match=r"made from the mesh 'Knight.glb'"):
        miniature.build(Figure("f", (0, 0, 0), mesh="Knight.glb"))


def test_rotations_round_trip() -> None:
    generator = np.random.default_rng(2)
    for _ in range(30):
        parts = generator.normal(size=4)
        turn = tuple(float(p) for p in parts / np.linalg.norm(parts))
        turn = turn if turn[0] >= 0 else tuple(-p for p in turn)
        w, x, y, z = turn
        assert from_matrix(matrix((w, x, y, z))) == pytest.approx(turn, abs=1e-6)
    half = between(about_vertical(0), about_vertical(90), 0.5)
    assert half == pytest.approx(about_vertical(45))
    assert matrix(about_axis((0, 1, 0), 90)) @ np.array([1, 0, 0]) == pytest.approx([0, 0, -1], abs=1e-9)


def test_truth_gives_places_poses_values_and_boxes() -> None:
    scene = random_scene(3)
    camera = orbit(450, 60, 0, (0, 0))
    figure = Figure("a", (30.0, -20.0, 0.0), height_mm=30.0, base_mm=25.0)
    die = Die("d", (-40.0, 10.0, 8.0), dice_shape.renumbered(about_vertical(20), 5))
    box = Obstacle("book", (0.0, 60.0), (60.0, 20.0, 15.0), heading_degrees=90)
    far = Obstacle("clutter", (300.0, 0.0), (60.0, 20.0, 15.0))
    import dataclasses

    scene = dataclasses.replace(scene, camera=camera, figures=(figure,), dice=(die,), obstacles=(box, far))
    shape = miniature.all_vertices(miniature.build(figure)) + np.array(figure.at_mm)
    facts = truth.table_truth(scene, {"a": shape}, {"a": 0.9, "d": 1.0, "book": 0.5})
    assert facts["figures"][0]["mm"] == [30.0, -20.0]
    assert facts["figures"][0]["pose"] == "standing"
    assert facts["figures"][0]["height_mm"] == pytest.approx(30.0, abs=0.3)
    assert facts["dice"][0]["value"] == 5
    assert len(facts["obstacles"]) == 1, "what lies beside the sheet is clutter"
    xs = sorted(x for x, _ in facts["obstacles"][0]["outline_mm"])
    assert xs == pytest.approx([-10, -10, 10, 10], abs=0.1)
    x0, y0, x1, y1 = facts["dice"][0]["box"]
    centre = to_frame([die.at_mm], camera)[0]
    assert x0 < centre[0] < x1
    assert y0 < centre[1] < y1
    assert 40 < x1 - x0 < 80


def test_a_box_is_clipped_to_the_picture_and_none_outside() -> None:
    camera = orbit(450, 60, 0, (0, 0))
    assert truth.box_px(np.array([(0.0, 900.0, 0.0), (0.0, 950.0, 10.0)]), camera) is None
    box = truth.box_px(np.array([(0.0, 0.0, 0.0), (10.0, 900.0, 10.0)]), camera)
    assert box is not None
    assert 0 <= box[0] < box[2] <= 1279
    assert 0 <= box[1] < box[3] <= 719


def test_half_a_silhouette_behind_another_is_half_visible() -> None:
    numbers = np.zeros((4, 4), np.uint8)
    numbers[:, :2] = 1
    numbers[:2, 2:] = 2
    alone = {"a": numbers == 1, "b": np.ones((4, 4), bool), "c": np.zeros((4, 4), bool)}
    assert truth.visible_shares(numbers, alone) == {"a": 1.0, "b": 0.25, "c": 0.0}


def test_the_middle_of_an_outline_is_that_of_its_area() -> None:
    points = np.array([(0, 0), (3, 0), (0, 3), (0.5, 0.5), (0, 0.1), (0, 0.2)], dtype=float)
    assert truth.outline_middle(points) == pytest.approx((1, 1))
    assert len(convex_outline(points)) == 3


def test_random_tables_repeat_with_their_seed_and_differ_without() -> None:
    pytest.importorskip("mujoco")
    scenes = [random_scene(seed) for seed in (5, 5, 6)]
    assert scenes[0] == scenes[1] != scenes[2]


def test_random_tables_keep_things_apart_and_the_sheet_in_the_picture() -> None:
    pytest.importorskip("mujoco")
    for seed in range(12):
        scene = random_scene(seed)
        assert scene.mat is not None
        width, height = mat_print.PAPER_MM[scene.mat.paper]
        sheet = [(x, y, 0.0) for x in (-width / 2, width / 2) for y in (-height / 2, height / 2)]
        pixels = to_frame(sheet, scene.camera)
        assert (pixels > 0).all()
        assert (pixels < np.array(scene.camera.size) - 1).all()
        standing = [figure for figure in scene.figures if not figure.tipped]
        for i, one in enumerate(standing):
            for other in standing[:i]:
                gap = math.dist(one.at_mm[:2], other.at_mm[:2]) - (one.base_mm + other.base_mm) / 2
                assert gap > 0
        for die in scene.dice:
            assert dice_shape.cocked_degrees(die.turn) < 0.1
            assert all(math.dist(die.at_mm[:2], f.at_mm[:2]) > f.base_mm / 2 for f in standing)
