"""Everything else that lies on a desk: dice, obstacles, hands, and flat things that are none of these."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from models.training.tables.shapes import (
    Array,
    Mesh,
    ball,
    box,
    extruded,
    joined,
    limb,
    lumpy,
    revolved,
    rounded_cube,
    turned,
)

Random = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Obstacle:
    """Something that gives cover, standing on z = 0 about the origin."""

    mesh: Mesh
    outline: Array
    """Shape (n, 2), counter-clockwise."""
    height_mm: float


def die(random: Random, side: float) -> Mesh:
    """A cube about the origin with rounded edges; pips are painted on by the drawing."""
    return rounded_cube(side, side * float(random.uniform(0.04, 0.22)), 4)


def die_turn(top: int, random: Random) -> Array:
    """Give a turn that brings a face up: 1 is +z, 6 -z, 2 +y, 5 -y, 3 +x, 4 -x of the cube."""
    lift = {
        1: np.eye(3), 6: turned((1, 0, 0), math.pi), 2: turned((1, 0, 0), math.pi / 2),
        5: turned((1, 0, 0), -math.pi / 2), 3: turned((0, 1, 0), -math.pi / 2), 4: turned((0, 1, 0), math.pi / 2),
    }[top]  # fmt: skip
    return np.asarray(turned((0, 0, 1), float(random.uniform(0, 2 * math.pi))) @ lift)


def obstacle(random: Random) -> Obstacle:
    """Make a book, box, eraser, cup, bottle, mug, tape, wall or rock."""
    kind = random.choice(["box", "flat", "tall", "cylinder", "turned", "prism", "rock", "mug", "wall"],
                         p=[0.24, 0.16, 0.12, 0.2, 0.08, 0.07, 0.05, 0.04, 0.04])  # fmt: skip
    if kind in ("box", "flat", "tall", "wall"):
        size = {
            "box": (random.uniform(18, 75), random.uniform(14, 50), random.uniform(9, 45)),
            "flat": (random.uniform(35, 110), random.uniform(25, 75), random.uniform(6, 25)),
            "tall": (random.uniform(35, 70), random.uniform(14, 35), random.uniform(45, 95)),
            "wall": (random.uniform(40, 100), random.uniform(4, 14), random.uniform(15, 45)),
        }[str(kind)]
        mesh = box(size, 1)
        if random.random() < 0.3:  # a spine, a sleeve, a lid
            mesh = joined(
                [mesh, box((size[0] * 1.005, size[1] * 1.005, size[2] * 0.6), 2).moved((0, 0, size[2] * 0.2))]
            )
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size[:2]) / 2
        height = size[2]
    elif kind in ("cylinder", "turned", "mug"):
        wide = float(random.uniform(12, 34)) if kind != "mug" else float(random.uniform(30, 42))
        height = float(random.uniform(12, 90)) if kind != "mug" else float(random.uniform(60, 95))
        if kind == "turned":
            count = int(random.integers(2, 6))
            levels = np.linspace(0.15, 1.0, count) * height
            profile = np.vstack(
                [[(wide, 0.0), (wide, 0.1 * height)], np.column_stack([wide * random.uniform(0.4, 1.0, count), levels])]
            )
        else:
            taper = float(random.uniform(0.9, 1.0)) if random.random() < 0.5 else 1.0
            profile = np.array([(wide, 0.0), (wide * taper, height)])
            if kind == "mug" or random.random() < 0.25:  # hollow
                profile = np.vstack([profile, [(wide * taper * 0.88, height), (wide * 0.86, height * 0.15)]])
        mesh = revolved(profile, 36, 1, crease=kind != "turned")
        if kind == "mug":
            ring = [
                np.array([wide + math.sin(t) * 14, 0, height * 0.5 + math.cos(t) * height * 0.28])
                for t in np.linspace(0, math.pi, 7)
            ]
            mesh = joined([mesh, *[limb(a, b, 4.0, 4.0, 1) for a, b in pairwise(ring)]])
        angle = np.arange(24) * 2 * math.pi / 24
        outline = np.column_stack([np.cos(angle), np.sin(angle)]) * wide
    else:
        count = int(random.integers(3, 9))
        angle = (
            np.sort(random.uniform(0, 2 * math.pi, count))
            if kind == "prism"
            else np.arange(count) * 2 * math.pi / count
        )
        radius = float(random.uniform(12, 32))
        outline = np.column_stack([np.cos(angle), np.sin(angle) * float(random.uniform(0.6, 1.0))]) * radius
        if _area(outline) < 200:
            outline = np.array([(-1, -1), (1, -1), (0, 1)]) * radius
        height = float(random.uniform(8, 60))
        mesh = extruded(outline, height, 1, taper=float(random.uniform(0.4, 1.0)))
        if kind == "rock":
            mesh = lumpy(ball((radius, radius * 0.8, height * 0.6), 16, 11, 1), random, radius * 0.25, radius)
            vertices = mesh.vertices + (0, 0, height * 0.25)
            vertices[:, 2] = np.maximum(vertices[:, 2], 0)
            mesh = Mesh(vertices, mesh.normals, mesh.faces, mesh.paint)
            height = float(vertices[:, 2].max())
            low = vertices[vertices[:, 2] < height * 0.5, :2]
            outline = _outline(low)
    turn = turned((0, 0, 1), float(random.uniform(0, 2 * math.pi)))
    return Obstacle(mesh.moved(turn=turn), outline @ turn[:2, :2].T, float(height))


def _area(outline: Array) -> float:
    after = np.roll(outline, -1, axis=0)
    return abs(float((outline[:, 0] * after[:, 1] - outline[:, 1] * after[:, 0]).sum())) / 2


def _outline(points: Array) -> Array:
    from models.training.tables.figures import _hull

    return _hull(points)


def hand(random: Random, target: Array, from_angle: float, height: float) -> Mesh:
    """Make an arm that reaches in to above `target`.

    Args:
        random: source of its shape.
        target: shape (2,), where the finger tips are, in mm.
        from_angle: direction from which the arm comes, in radians.
        height: of the finger tips above the table.
    """
    size = float(random.uniform(0.75, 1.15))
    away = np.array([math.cos(from_angle), math.sin(from_angle), 0.0])
    side = np.array([-away[1], away[0], 0.0])
    up = np.array([0, 0, 1.0])
    tips = np.array([*target, height])
    palm = tips + away * 75 * size + up * float(random.uniform(15, 45)) + side * float(random.normal(0, 15))
    elbow = palm + away * 260 + up * float(random.uniform(-30, 60)) + side * float(random.normal(0, 90))
    wrist = palm + (elbow - palm) * 0.16
    parts = [
        limb(palm + away * 10, palm - away * 18 * size, 20 * size, 26 * size, 0),
        limb(palm + side * 18 * size - away * 10, palm - side * 18 * size - away * 10, 17 * size, 17 * size, 0),
        limb(palm + away * 20, wrist, 22 * size, 24 * size, 0),
        limb(wrist, elbow, float(random.uniform(24, 42)) * size, 52 * size, int(random.integers(0, 2))),
    ]
    curl = float(random.uniform(-0.2, 1.0))
    for k in range(4):
        root = palm - away * 28 * size + side * (k - 1.5) * 17 * size
        spread = side * (k - 1.5) * float(random.uniform(1, 8))
        tip = tips * (1 - 0.12 * abs(k - 1)) + (root - away * 55) * (0.12 * abs(k - 1)) + spread
        if curl > 0.6 and k > 1:
            tip = root - away * 12 - up * 25
        middle = (root + tip) / 2 + up * float(random.uniform(4, 16))
        parts += [limb(root, middle, 8.5 * size, 8.0 * size, 0), limb(middle, tip, 8.0 * size, 6.5 * size, 0)]
    sign = 1.0 if random.random() < 0.5 else -1.0
    thumb_root = palm + side * sign * 28 * size - away * 2
    thumb_tip = tips + side * sign * float(random.uniform(8, 30)) + away * float(random.uniform(0, 25))
    middle = (thumb_root + thumb_tip) / 2 + side * sign * 12
    parts += [limb(thumb_root, middle, 10 * size, 9 * size, 0), limb(middle, thumb_tip, 9 * size, 7 * size, 0)]
    return joined(parts)


def flat_thing(random: Random) -> Mesh:
    """A coin, card, pen, cable or scrap of paper: lies on the table and counts as nothing."""
    kind = random.random()
    if kind < 0.35:
        wide = float(random.uniform(8, 14))
        return revolved(np.array([(wide, 0.0), (wide, 1.2)]), 24, 1, crease=True)
    if kind < 0.7:
        return box((float(random.uniform(10, 90)), float(random.uniform(8, 60)), 0.3), 1)
    points = np.cumsum(np.vstack([[0, 0], random.normal(0, 14, (7, 2))]), axis=0)
    return joined([limb(np.array([*a, 1.2]), np.array([*b, 1.2]), 1.3, 1.3, 1) for a, b in pairwise(points)])
