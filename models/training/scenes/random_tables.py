"""Draw table scenes at random: mat, desk, figures, pools of dice, obstacles, light, camera, sensor. Seeded."""

from __future__ import annotations

import colorsys
import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from models.training.scenes import dice_shape, mat_print, miniature, physics
from models.training.scenes.physics import Block, Pose
from models.training.scenes.scene import (
    Camera,
    Colour,
    Die,
    DieStyle,
    Family,
    Figure,
    Lamp,
    Light,
    Mat,
    MatLook,
    Obstacle,
    Paint,
    PipLayout,
    Place,
    Scene,
    Sensor,
    Table,
    TableLook,
)
from models.training.scenes.turning import about_axis, about_vertical, matrix, times
from models.training.scenes.view import orbit, strongest_barrel, to_frame

FAMILIES: tuple[Family, ...] = ("soldier", "robed", "beast", "winged", "walker", "bust", "turned")
LOOKS: tuple[MatLook, ...] = ("paper", "parchment", "slate", "moss")
TABLES: tuple[TableLook, ...] = ("wood", "wood", "cloth", "plain")
LAYOUTS: tuple[PipLayout, ...] = ("standard", "standard", "close", "inline", "big_one")
SURROUNDINGS = ("interior", "studio", "courtyard", "city", "forest", "sunrise", "sunset", "night")
OBSTACLES: tuple[tuple[str, bool, tuple[float, float, float]], ...] = (
    ("eraser", False, (55, 22, 13)),
    ("matchbox", False, (53, 36, 15)),
    ("book", False, (70, 52, 22)),
    ("box", False, (62, 12, 80)),
    ("pen case", False, (75, 24, 18)),
    ("spool", True, (28, 28, 32)),
    ("cup", True, (64, 64, 62)),
    ("jar", True, (42, 42, 48)),
    ("coin stack", True, (24, 24, 9)),
)
"""Name, whether it is round, and size in mm of usual desk things."""


def random_scene(seed: int, *, meshes: Sequence[tuple[str, tuple[str, ...]]] = (), mesh_share: float = 0.3) -> Scene:
    """Draw a scene; the same seed and meshes give the equal scene.

    Args:
        seed: of everything.
        meshes: file names of figure meshes, each with the names of its animations.
        mesh_share: of the figures, when there are meshes.
    """
    generator = np.random.default_rng(seed)
    mat = Mat(
        look=LOOKS[generator.integers(4)],
        has_grid=bool(generator.random() < 0.4),
        curl_mm=float(generator.choice([0.0, 0.0, 2.0, 5.0])),
        seed=int(generator.integers(1 << 30)),
    )
    taken: list[tuple[float, float, float]] = []
    figures = _figures(generator, taken, meshes, mesh_share)
    obstacles = _obstacles(generator, taken)
    blocks = [_block(obstacle) for obstacle in obstacles]
    figures = tuple(_laid_down(f, blocks) if f.tipped else f for f in figures)
    return Scene(
        mat,
        Table(TABLES[generator.integers(4)], _warm(generator), int(generator.integers(1 << 30))),
        _light(generator),
        _camera(generator, mat),
        Sensor(
            noise_sigma=float(generator.uniform(0.5, 6.0)),
            sharpening=float(generator.choice([0.0, 0.0, 0.6, 1.2])),
            vignetting=float(generator.uniform(0, 0.3)),
            jpeg_quality=int(generator.integers(60, 96)),
            seed=int(generator.integers(1 << 30)),
        ),
        figures,
        _pools(generator, figures, taken),
        (*obstacles, *_clutter(generator)),
    )


def _colour(generator: np.random.Generator, *, saturation: float = 0.9) -> Colour:
    r, g, b = colorsys.hsv_to_rgb(generator.random(), generator.uniform(0, saturation), generator.uniform(0.04, 0.75))
    return (float(r), float(g), float(b))


def _warm(generator: np.random.Generator) -> Colour:
    r, g, b = colorsys.hsv_to_rgb(
        generator.uniform(0.04, 0.12), generator.uniform(0.1, 0.75), generator.uniform(0.06, 0.6)
    )
    return (float(r), float(g), float(b))


def _free(
    generator: np.random.Generator, taken: list[tuple[float, float, float]], radius: float, limit: float
) -> Place | None:
    for _ in range(200):
        x, y = (float(v) for v in generator.uniform(-limit, limit, 2))
        if all(math.hypot(x - a, y - b) > radius + r for a, b, r in taken):
            taken.append((x, y, radius))
            return (x, y)
    return None


def _figures(
    generator: np.random.Generator,
    taken: list[tuple[float, float, float]],
    meshes: Sequence[tuple[str, tuple[str, ...]]],
    mesh_share: float,
) -> tuple[Figure, ...]:
    figures = []
    for i in range(int(generator.integers(2, 6))):
        base = float(generator.choice([25.0, 25.0, 28.0, 32.0, 40.0]))
        tipped = bool(generator.random() < 0.25)
        place = _free(generator, taken, (base / 2 + 20) if tipped else base / 2 + 4, 84)
        if place is None:
            continue
        mesh, pose = "", ""
        if meshes and generator.random() < mesh_share:
            mesh, poses = meshes[int(generator.integers(len(meshes)))]
            pose = poses[int(generator.integers(len(poses)))] if poses else ""
        paints: tuple[Paint, ...] = ("painted", "painted", "plastic", "metal")
        figures.append(
            Figure(
                f"figure-{i}",
                (*place, 0.15),
                about_vertical(float(generator.uniform(0, 360))),
                FAMILIES[generator.integers(len(FAMILIES))],
                int(generator.integers(1 << 30)),
                base,
                float(generator.uniform(24, 36) * (1.3 if base == 40 else 1.0)),
                paints[generator.integers(4)],
                _colour(generator),
                tipped and not mesh,
                mesh,
                pose,
            )
        )
    return tuple(figures)


def _laid_down(figure: Figure, blocks: Sequence[Block]) -> Figure:
    """Tip a figure and let it come to rest; it stays standing if it finds no rest."""
    generator = np.random.default_rng(figure.seed + 5)
    points = miniature.all_vertices(miniature.build(figure))
    direction = float(generator.uniform(0, 2 * math.pi))
    tilt = times(about_axis((-math.sin(direction), math.cos(direction), 0.0), 78.0), figure.turn)
    low = float((points @ matrix(tilt).T)[:, 2].min())
    start = Pose((figure.at_mm[0], figure.at_mm[1], 1.0 - low), tilt)
    rest = physics.settle(start, points[::5], blocks=blocks)
    if rest is None or math.dist(rest.at_mm[:2], figure.at_mm[:2]) > 45:
        return dataclasses.replace(figure, tipped=False)
    low = float((points @ matrix(rest.turn).T)[:, 2].min())
    return dataclasses.replace(figure, at_mm=(rest.at_mm[0], rest.at_mm[1], 0.2 - low), turn=rest.turn)


def _die_style(generator: np.random.Generator) -> DieStyle:
    body = _colour(generator)
    if generator.random() < 0.35:
        body = (0.8, 0.77, 0.7) if generator.random() < 0.6 else (0.02, 0.02, 0.02)
    bright = 0.3 * body[0] + 0.6 * body[1] + 0.1 * body[2] > 0.3
    pips: Colour = (0.015, 0.015, 0.015) if bright else (0.85, 0.85, 0.83)
    return DieStyle(
        body,
        pips,
        (0.6, 0.02, 0.02) if bright and generator.random() < 0.15 else None,
        float(generator.uniform(0.1, 0.5)),
        float(generator.choice([0.0, 0.0, 0.0, 0.5])),
        float(generator.choice([0.06, 0.12, 0.18])),
        float(generator.choice([0.085, 0.105, 0.12])),
        LAYOUTS[generator.integers(5)],
    )


def _pools(
    generator: np.random.Generator, figures: Sequence[Figure], taken: list[tuple[float, float, float]]
) -> tuple[Die, ...]:
    size = float(generator.choice([12.0, 16.0, 16.0]))
    styles = [_die_style(generator) for _ in range(int(generator.integers(1, 3)))]
    dice: list[Die] = []
    for i, figure in enumerate(figures):
        if figure.tipped:
            continue
        for _ in range(int(generator.integers(0, 4))):
            for _ in range(60):
                reach = figure.base_mm / 2 + size * float(generator.uniform(0.8, 1.9))
                angle = float(generator.uniform(0, 2 * math.pi))
                x, y = figure.at_mm[0] + reach * math.cos(angle), figure.at_mm[1] + reach * math.sin(angle)
                if max(abs(x), abs(y)) < 97 and all(math.hypot(x - a, y - b) > r + size * 0.72 for a, b, r in taken):
                    break
            else:
                continue
            taken.append((x, y, size * 0.72))
            value, heading = int(generator.integers(1, 7)), float(generator.uniform(0, 360))
            turn = times(about_vertical(heading), dice_shape.relabelling(1, value))
            x_axis, y_axis, z_axis = dice_shape.NORMALS[value]
            turn = times(turn, about_axis((x_axis, y_axis, z_axis), 90.0 * float(generator.integers(4))))
            dice.append(Die(f"die-{len(dice)}", (x, y, size / 2 + 0.15), turn, size, styles[i % len(styles)]))
    return tuple(dice)


def _obstacles(generator: np.random.Generator, taken: list[tuple[float, float, float]]) -> tuple[Obstacle, ...]:
    obstacles: list[Obstacle] = []
    for _ in range(int(generator.integers(0, 4))):
        name, is_round, size = OBSTACLES[generator.integers(len(OBSTACLES))]
        stretch = generator.uniform(0.85, 1.2, 3)
        if is_round:
            stretch[1] = stretch[0]
        length, width, height = (round(float(s * t), 1) for s, t in zip(size, stretch, strict=True))
        place = _free(generator, taken, math.hypot(length, width) / 2 if not is_round else length / 2 + 2, 80)
        if place is not None:
            kind = "cylinder" if is_round else "box"
            heading = float(generator.uniform(0, 180))
            obstacles.append(
                Obstacle(
                    f"{name}-{len(obstacles)}",
                    place,
                    (length, width, height),
                    "cylinder" if kind == "cylinder" else "box",
                    heading,
                    _colour(generator, saturation=0.8),
                )
            )
    return tuple(obstacles)


def _clutter(generator: np.random.Generator) -> tuple[Obstacle, ...]:
    things = []
    for i in range(int(generator.integers(0, 4))):
        angle, reach = float(generator.uniform(0, 2 * math.pi)), float(generator.uniform(215, 330))
        size = tuple(float(v) for v in generator.uniform((40, 40, 4), (110, 110, 60)))
        is_round = bool(generator.random() < 0.4)
        things.append(
            Obstacle(
                f"clutter-{i}",
                (reach * math.cos(angle), reach * math.sin(angle)),
                (size[0], size[0] if is_round else size[1], size[2]),
                "cylinder" if is_round else "box",
                float(generator.uniform(0, 180)),
                _colour(generator),
            )
        )
    return tuple(things)


def _block(obstacle: Obstacle) -> Block:
    length, width, height = obstacle.size_mm
    turn = about_vertical(obstacle.heading_degrees)
    return Block((*obstacle.at_mm, height / 2), (length, width, height), turn, is_round=obstacle.kind == "cylinder")


def _light(generator: np.random.Generator) -> Light:
    lamps = []
    for _ in range(int(generator.integers(1, 3))):
        angle, reach = float(generator.uniform(0, 2 * math.pi)), float(generator.uniform(80, 450))
        height = float(generator.uniform(300, 700))
        power = float(generator.uniform(25, 90)) * (reach**2 + height**2) / 600**2
        warmth = float(generator.uniform(0, 1))
        colour = (1.0, 0.95 - 0.2 * warmth, 0.95 - 0.45 * warmth)
        lamps.append(
            Lamp(
                (reach * math.cos(angle), reach * math.sin(angle), height),
                power,
                float(generator.uniform(30, 260)),
                colour,
            )
        )
    return Light(
        tuple(lamps),
        SURROUNDINGS[generator.integers(len(SURROUNDINGS))],
        float(generator.uniform(0.25, 1.0)),
        float(generator.uniform(0, 360)),
        float(generator.uniform(-0.7, 0.5)),
    )


def _camera(generator: np.random.Generator, mat: Mat) -> Camera:
    """Stand 40 to 56 cm away at 38 to 80 degrees, with the sheet filling 75 to 98 % of the picture."""
    target = tuple(float(v) for v in generator.uniform(-12, 12, 2))
    azimuth = float(generator.choice([0.0, 0.0, 180.0, 180.0, 90.0, 270.0]) + generator.normal(0, 16))
    camera = orbit(
        float(generator.uniform(400, 560)), float(generator.uniform(38, 80)), azimuth, (target[0], target[1])
    )
    camera = dataclasses.replace(camera, roll_degrees=float(generator.normal(0, 3)), focal_px=1000.0)
    width, height = mat_print.PAPER_MM[mat.paper]
    corners = np.array([(x, y, 0.0) for x in (-width / 2, width / 2) for y in (-height / 2, height / 2)])
    pixels = to_frame(corners, camera)
    reach = np.abs(pixels - (np.array(camera.size) - 1) / 2) / (np.array(camera.size) / 2)
    focal_px = 1000.0 * float(generator.uniform(0.75, 0.98)) / float(reach.max())
    k1 = 0.0
    if generator.random() < 0.5:
        corner = math.hypot(*camera.size) / 2 / focal_px
        k1 = max(-0.22, float(generator.uniform(0.1, 0.8)) * strongest_barrel(corner))
    return dataclasses.replace(camera, focal_px=focal_px, k1=k1)
