"""Tables photographed to learn from: quickly, only the sheet and what stands on it, with maps of what each pixel shows.

The picture is rendered with few rays. Some things have the colour of the mat: those are what a net misses first.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.training.scenes import mat_print, random_tables, sensor, truth
from models.training.scenes.scene import Camera, Colour, Mat, Obstacle, Scene
from models.training.scenes.solids import FloatArray, convex_outline
from models.training.scenes.turning import matrix
from models.training.scenes.view import to_frame, undistorted_margin

SAMPLES = 5
"""Rays a pixel: with twice as many, a picture looks the same after the sensor's noise and takes two thirds longer."""
TALLEST_MM = 85.0
"""What stands higher is cut off."""
BASE_MM = 1.5
"""So high above the table a base begins to be something else."""
ALIKE_FIGURES, ALIKE_OBSTACLES = 0.3, 0.15
"""Shares that have the colour of the mat."""
SQUARE_BASES = 0.25
SCREENED = 0.55
"""Share of the tables on which obstacles stand before figures, as the camera sees them."""
SCREENS: tuple[tuple[bool, tuple[float, float, float]], ...] = (
    (True, (64, 64, 62)),
    (True, (40, 40, 52)),
    (True, (28, 28, 30)),
    (False, (62, 14, 72)),
    (False, (55, 24, 22)),
    (False, (48, 36, 40)),
)
"""Whether it is round, and size in mm, of what hides figures: cups, jars, boxes on end."""
FARTHEST_MM = 92.0
"""From the sheet's middle to a screen's, along each axis."""

SMALL = 0.75
"""Of the camera's 1280x720: still 2 pixels a mm, which is what the net is given."""
SHARP_EVERY = 4
"""Every fourth table is seen by the whole camera."""

Box = tuple[int, int, int, int]


def lesson_scene(seed: int) -> Scene:
    """Draw a random table on which things are hard to see; most are seen by a smaller camera, which costs less.

    Some things have the mat's colour, some figures are half hidden, some stand on square bases.
    """
    scene = with_square_bases(random_tables.random_scene(seed), seed)
    scene = with_hidden_colours(with_screens(scene, seed), seed)
    camera = scene.camera
    if seed % SHARP_EVERY == 0:
        return scene
    width, height = (round(side * SMALL) for side in camera.size)
    return dataclasses.replace(
        scene, camera=dataclasses.replace(camera, size=(width, height), focal_px=camera.focal_px * SMALL)
    )


def with_hidden_colours(scene: Scene, seed: int) -> Scene:
    """Give some figures and obstacles of a scene the colour of its mat."""
    generator = np.random.default_rng(seed + 4_000_000)
    colour = _mat_colour(scene.mat or Mat())

    def alike() -> Colour:
        shade = float(generator.uniform(0.6, 1.15))
        red, green, blue = (min(0.95, c * shade * float(generator.uniform(0.93, 1.07))) for c in colour)
        return (red, green, blue)

    figures = tuple(
        dataclasses.replace(f, colour=alike(), paint="plastic") if generator.random() < ALIKE_FIGURES else f
        for f in scene.figures
    )
    obstacles = tuple(
        dataclasses.replace(o, colour=alike()) if generator.random() < ALIKE_OBSTACLES else o for o in scene.obstacles
    )
    return dataclasses.replace(scene, figures=figures, obstacles=obstacles)


def with_square_bases(scene: Scene, seed: int) -> Scene:
    """Put some of a scene's standing figures on square bases; one that lies was let fall with the base that it has."""
    generator = np.random.default_rng(seed + 5_000_000)
    figures = tuple(
        dataclasses.replace(f, base_shape="square")
        if generator.random() < SQUARE_BASES and not f.tipped and not f.mesh
        else f
        for f in scene.figures
    )
    return dataclasses.replace(scene, figures=figures)


def with_screens(scene: Scene, seed: int) -> Scene:
    """Stand obstacles between some figures of a scene and its camera, where there is room."""
    generator = np.random.default_rng(seed + 6_000_000)
    if not scene.figures or generator.random() > SCREENED:
        return scene
    taken = [(*f.at_mm[:2], 24.0 if f.tipped else f.base_mm * 0.72) for f in scene.figures]
    taken += [(*d.at_mm[:2], d.size_mm * 0.72) for d in scene.dice]
    taken += [(*o.at_mm, math.hypot(*o.size_mm[:2]) / 2) for o in scene.obstacles]
    screens: list[Obstacle] = []
    for _ in range(40):
        is_round, usual = SCREENS[generator.integers(len(SCREENS))]
        length, width, height = (float(s * t) for s, t in zip(usual, generator.uniform(0.8, 1.2, 3), strict=True))
        width = length if is_round else width
        behind = scene.figures[generator.integers(len(scene.figures))]
        toward = math.atan2(scene.camera.at_mm[1] - behind.at_mm[1], scene.camera.at_mm[0] - behind.at_mm[0])
        angle = toward + float(generator.normal(0, 0.5))
        room = length / 2 if is_round else math.hypot(length, width) / 2
        away = behind.base_mm / 2 + room + float(generator.exponential(8.0)) + 2.0
        x, y = behind.at_mm[0] + away * math.cos(angle), behind.at_mm[1] + away * math.sin(angle)
        is_free = all(math.hypot(x - a, y - b) > room + r for a, b, r in taken)
        if max(abs(x), abs(y)) > FARTHEST_MM or not is_free:
            continue
        taken.append((x, y, room))
        hue, grey = generator.uniform(0, 1, 3), float(generator.random())
        red, green, blue = (0.04 + 0.7 * float(grey * hue.mean() + (1 - grey) * c) for c in hue)
        screens.append(
            Obstacle(
                f"screen-{len(screens)}",
                (x, y),
                (round(length, 1), round(width, 1), round(height, 1)),
                "cylinder" if is_round else "box",
                float(generator.uniform(0, 180)),
                (red, green, blue),
            )
        )
        if len(screens) == 3:
            break
    return dataclasses.replace(scene, obstacles=(*scene.obstacles, *screens))


def _mat_colour(mat: Mat) -> Colour:
    red, green, blue = (float(c) ** 2.2 for c in mat_print.LOOKS[mat.look][0])
    return (red, green, blue)


def photograph_lesson(scene: Scene, stem: Path, *, cache: Path, samples: int = SAMPLES, threads: int = 1) -> None:
    """Write `stem`.jpg, `stem`.json and `stem`.npz. Needs Blender's `bpy`.

    The JSON is the truth as everywhere with a list `things`: `kind`, `mm`, `outline_mm` (of what stands), `height_mm`,
    `standing`, `base_mm`, `visible`. The maps have the picture's size: `numbers` uint8, for each pixel the place of
    what it shows in `things` plus one, 0 is the table; `heights_mm` uint8 above the table.

    Args:
        scene: what to photograph.
        stem: path without ending.
        cache: folder for built dice.
        samples: a pixel.
        threads: of the renderer.
    """
    from models.training.scenes import stage_truth  # needs bpy
    from models.training.scenes.blender import Stage, read_png, write_jpeg

    camera, margin = scene.camera, undistorted_margin(scene.camera)
    stage = Stage(scene, cache=cache, threads=threads)
    stage.widen(margin)
    names = [f.name for f in scene.figures] + [d.name for d in scene.dice] + [o.name for o in scene.obstacles]
    stage.use_quality(is_fast=True, percent=50)
    shares = truth.visible_shares(*stage_truth.silhouettes(stage, names))
    stage.use_quality(is_fast=True)
    numbers, heights = stage_truth.numbers(stage, names), stage_truth.heights_mm(stage)
    box = sheet_box(camera, margin)
    file = cache / "lesson.png"
    stage.render(file, samples=samples, crop=box)
    part = read_png(file)
    whole = np.full((*numbers.shape, 3), part.mean(axis=(0, 1)), np.float32)
    whole[box[1] : box[3], box[0] : box[2]] = part
    picture = sensor.seen(sensor.bent(whole, camera, margin), scene.sensor)
    shapes = {figure.name: stage_truth.shape(stage, figure.name) for figure in scene.figures}
    facts = truth.table_truth(scene, shapes, shares)
    facts["things"] = things(scene, shapes, shares)
    stem.parent.mkdir(parents=True, exist_ok=True)
    write_jpeg(stem.with_name(stem.name + ".jpg"), picture, quality=scene.sensor.jpeg_quality)
    stem.with_name(stem.name + ".json").write_text(json.dumps(facts) + "\n")
    # Last: who finds the maps finds the rest, too.
    ready = stem.with_name(stem.name + ".part.npz")
    np.savez_compressed(
        ready,
        numbers=sensor.bent_mask(numbers, camera, margin),
        heights_mm=sensor.bent_mask(heights, camera, margin),
    )
    ready.rename(stem.with_name(stem.name + ".npz"))


def sheet_box(camera: Camera, margin: float) -> Box:
    """Give the box of the undistorted picture that holds the sheet and all that stands on it."""
    size = (round(camera.size[0] * margin), round(camera.size[1] * margin))
    straight = dataclasses.replace(camera, k1=0.0, size=size)
    width, height = mat_print.PAPER_MM["a4"]
    corners = [(x, y, z) for x in (-width / 2, width / 2) for y in (-height / 2, height / 2) for z in (0.0, TALLEST_MM)]
    pixels = to_frame(corners, straight)
    low = np.clip(np.floor(np.nanmin(pixels, axis=0)), 0, np.array(size) - 2).astype(int)
    high = np.clip(np.ceil(np.nanmax(pixels, axis=0)) + 1, low + 2, size).astype(int)
    return (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def things(scene: Scene, shapes: dict[str, FloatArray], visible: dict[str, float]) -> list[dict[str, Any]]:
    """List figures, dice and obstacles, those beside the sheet too, in the scene's order."""
    found: list[dict[str, Any]] = []
    for figure in scene.figures:
        shape = shapes[figure.name]
        place = truth.outline_middle(shape[:, :2]) if figure.tipped else np.array(figure.at_mm[:2])
        foot = shape[shape[:, 2] < shape[:, 2].min() + BASE_MM, :2]
        outline = np.empty((0, 2)) if figure.tipped else convex_outline(foot)
        height = float(np.ptp(shape[:, 2]))
        found.append(_thing("figure", place, outline, height, not figure.tipped, figure.base_mm, visible[figure.name]))
    for die in scene.dice:
        corners = np.array(die.at_mm) + truth.die_corners(die.size_mm) @ matrix(die.turn).T
        outline = convex_outline(corners[np.argsort(corners[:, 2])[:4], :2])
        found.append(_thing("die", np.array(die.at_mm[:2]), outline, die.size_mm, True, die.size_mm, visible[die.name]))
    for obstacle in scene.obstacles:
        outline, height = truth.outline_mm(obstacle), obstacle.size_mm[2] + obstacle.lift_mm
        found.append(_thing("obstacle", np.array(obstacle.at_mm), outline, height, True, 0.0, visible[obstacle.name]))
    return found


def _thing(
    kind: str,
    place: npt.NDArray[np.float64],
    outline: FloatArray,
    height: float,
    standing: bool,
    base: float,
    visible: float,
) -> dict[str, Any]:
    return {
        "kind": kind,
        "mm": np.round(place, 2).tolist(),
        "outline_mm": np.round(outline, 2).tolist(),
        "height_mm": round(height, 1),
        "standing": standing,
        "base_mm": base,
        "visible": round(visible, 3),
    }
