"""Miniatures without end: people, beasts, busts, chess pieces, machines and lumps, on bases of every kind or none."""

from __future__ import annotations

import math
from dataclasses import dataclass

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
    turned,
)

Random = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Miniature:
    """A figure as it stands: base below, on z = 0, its base's middle at the origin."""

    mesh: Mesh
    """Paint 0 is the base's colour where there is one; 1 and up the body's."""
    base_mm: float | None
    """Diameter; None without a base."""
    height_mm: float
    footprint: Array
    """Shape (n, 2): outline of what touches the table."""


def miniature(random: Random) -> Miniature:
    """Make one figure."""
    kind = random.choice(
        ["person", "beast", "bust", "turned", "machine", "lump", "block"], p=[0.42, 0.13, 0.1, 0.13, 0.08, 0.08, 0.06]
    )
    height = float(random.uniform(18, 48)) if random.random() < 0.9 else float(random.uniform(48, 75))
    maker = {
        "person": _person, "beast": _beast, "bust": _bust, "turned": _turned, "machine": _machine, "lump": _lump,
        "block": _block,
    }[str(kind)]  # fmt: skip
    body = maker(random, height)
    if random.random() < 0.35:
        body = lumpy(body, random, float(random.uniform(0.2, 1.0)), float(random.uniform(3, 9)))
    body = body.moved(turn=turned((0, 0, 1), float(random.uniform(0, 2 * math.pi))))
    no_base = (kind in ("turned", "bust", "block", "lump") and random.random() < 0.7) or random.random() < 0.08
    low = float(body.vertices[:, 2].min())
    body = body.moved((0, 0, -low))
    if no_base:
        feet = body.vertices[body.vertices[:, 2] < max(1.2, 0.05 * height)]
        middle = (feet.max(axis=0) + feet.min(axis=0)) / 2
        body = body.moved((-middle[0], -middle[1], 0.0))
        feet = feet - middle
        wide = 2 * float(np.hypot(feet[:, 0], feet[:, 1]).max())
        round_foot = kind in ("turned", "bust")
        return Miniature(
            body, wide if round_foot else None, float(body.vertices[:, 2].max()), _hull(feet[:, :2])
        )  # fmt: skip
    base, width, thick, outline = _base(random, height)
    body = body.moved((float(random.normal(0, 0.06 * width)), float(random.normal(0, 0.06 * width)), thick - 0.3))
    mesh = joined([base, body])
    return Miniature(mesh, width, float(mesh.vertices[:, 2].max()), outline)


def _hull(points: Array) -> Array:
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(sequence: Array) -> list[Array]:
        chain: list[Array] = []
        for p in sequence:
            while len(chain) > 1:
                a, b = chain[-1] - chain[-2], p - chain[-2]
                if a[0] * b[1] - a[1] * b[0] > 0:
                    break
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]) or [points.mean(axis=0)] * 3)


def _base(random: Random, height: float) -> tuple[Mesh, float, float, Array]:
    width = float(np.clip(random.normal(0.85, 0.15) * height, 16, 50)) if random.random() < 0.3 else 0.0
    width = width or float(random.choice([20, 25, 25, 25, 25.4, 28, 28.5, 30, 32, 40]))
    thick = float(random.uniform(1.0, 5.5))
    shape = random.choice(["round", "round", "round", "round", "square", "hex", "oval"])
    taper = float(random.choice([1.0, 0.93, 0.85, 1.0]))
    if shape == "round" or shape == "oval":
        angle = np.arange(28) * 2 * math.pi / 28
        stretch = float(random.uniform(0.65, 0.85)) if shape == "oval" else 1.0
        outline = np.column_stack([np.cos(angle), np.sin(angle) * stretch]) * width / 2
    else:
        count = 4 if shape == "square" else 6
        angle = (np.arange(count) + 0.5) * 2 * math.pi / count
        outline = np.column_stack([np.cos(angle), np.sin(angle)]) * width / 2 / math.cos(math.pi / count)
    turn = float(random.uniform(0, 2 * math.pi))
    outline = outline @ turned((0, 0, 1), turn)[:2, :2].T
    parts = [extruded(outline, thick, 0, taper=taper)]
    if random.random() < 0.3:  # a rim, a lid of grass, stones
        inner = outline * taper * float(random.uniform(0.8, 0.92))
        parts.append(extruded(inner, thick + float(random.uniform(0.2, 0.8)), int(random.integers(0, 3))))
    for _ in range(int(random.integers(0, 4)) if random.random() < 0.3 else 0):
        place = random.normal(0, 0.22 * width, 2)
        size = float(random.uniform(0.8, 2.5))
        parts.append(ball((size, size, size * 0.7), 7, 5, int(random.integers(0, 3))).moved((*place, thick)))
    return joined(parts), width, thick, outline


def _person(random: Random, height: float) -> Mesh:
    """Two legs or a robe, a trunk, arms, a head of any size, and things in the hands."""
    u = height
    chibi = random.random() < 0.3
    head = u * float(random.uniform(0.16, 0.24) if chibi else random.uniform(0.065, 0.1))
    hip = u * float(random.uniform(0.25, 0.36) if chibi else random.uniform(0.4, 0.5))
    shoulder = u - 2 * head - u * float(random.uniform(0.0, 0.04))
    wide = u * float(random.uniform(0.09, 0.17))
    thick = u * float(random.uniform(0.03, 0.065))
    lean = random.normal(0, 0.06, 2) * u
    parts: list[Mesh] = []
    hips = np.array([*(lean * 0.3), hip])
    chest = np.array([*lean, shoulder])
    if random.random() < 0.3:
        profile = np.array([(wide * float(random.uniform(1.0, 1.9)), 0.0), (wide * 1.1, hip * 0.6), (wide * 0.7, hip)])
        parts.append(revolved(profile, 14, 2))
    else:
        for side in (-1, 1):
            foot = np.array([side * wide * float(random.uniform(0.5, 1.6)), random.normal(0, 0.07) * u, thick * 0.6])
            knee = (foot + hips) / 2 + random.normal(0, 0.04 * u, 3)
            parts += [limb(foot, knee, thick, thick * 1.1, 2), limb(knee, hips, thick * 1.1, thick * 1.3, 2)]
            parts.append(ball((thick * 1.1, thick * 1.8, thick * 0.8), 8, 5, 3).moved(foot + (0, thick * 0.5, 0)))
    parts.append(limb(hips, chest, wide * 0.75, wide * float(random.uniform(0.8, 1.2)), 1))
    neck = chest + (0, 0, head * 0.5)
    skull = chest + (random.normal(0, 0.02 * u), random.normal(0, 0.04 * u), head * float(random.uniform(0.9, 1.25)))
    parts.append(limb(chest, neck, thick, thick, 4))
    parts.append(ball((head * 0.9, head, head * 1.05), 12, 9, 4).moved(skull))
    if random.random() < 0.6:  # helmet, hat, hair
        top = np.array(
            [
                (head * 1.05, 0.0),
                (head * float(random.uniform(0.6, 1.0)), head * 0.7),
                (head * 0.2, head * float(random.uniform(0.9, 2.2))),
            ]
        )
        if random.random() < 0.3:
            top = np.vstack([[head * float(random.uniform(1.3, 2.0)), -0.05 * head], top])
        parts.append(revolved(top, 12, int(random.integers(1, 5))).moved(skull + (0, 0, head * 0.2)))
    for _ in range(int(random.integers(0, 3)) if random.random() < 0.25 else 0):
        tip = skull + random.normal(0, 1.0, 3) * head + (0, 0, head * 1.2)
        parts.append(limb(skull, tip, head * 0.25, head * 0.05, 4))
    for side in (-1, 1):
        joint = chest + (side * wide * 1.1, 0, -thick)
        reach = u * float(random.uniform(0.16, 0.24))
        way = np.array([side * random.uniform(0.0, 1.0), random.normal(0, 0.7), random.normal(-0.5, 0.7)])
        elbow = joint + way / np.linalg.norm(way) * reach
        way = np.array([side * random.normal(0.1, 0.5), random.normal(0.3, 0.7), random.normal(0.1, 0.8)])
        hand = elbow + way / np.linalg.norm(way) * reach
        parts += [
            limb(joint, elbow, thick * 0.9, thick * 0.8, 1), limb(elbow, hand, thick * 0.8, thick * 0.7, 1),
            ball((thick, thick, thick), 8, 6, 4).moved(hand),
        ]  # fmt: skip
        parts += _held(random, hand, u)
    if random.random() < 0.3:
        parts.append(_cloak(random, chest, wide, u))
    if random.random() < 0.1:
        for side in (-1, 1):
            parts.append(_wing(random, chest, side, u))
    return joined(parts)


def _held(random: Random, hand: Array, u: float) -> list[Mesh]:
    choice = random.random()
    way = random.normal(size=3) * (1, 1, 0.8) + (0, 0, 0.6)
    way /= np.linalg.norm(way)
    if choice < 0.35:  # blade, staff, spear, gun
        length = u * float(random.uniform(0.25, 0.95))
        back = u * float(random.uniform(0.02, 0.35))
        thick = u * float(random.uniform(0.012, 0.03))
        parts = [limb(hand - way * back, hand + way * length, thick, thick * float(random.uniform(0.3, 1.5)), 5)]
        if random.random() < 0.4:
            size = u * float(random.uniform(0.04, 0.1))
            parts.append(ball((size, size * 0.5, size), 8, 6, 5).moved(hand + way * length))
        return parts
    if choice < 0.5:  # shield
        size = u * float(random.uniform(0.1, 0.2))
        disc = revolved(
            np.array([(size, 0.0), (size, u * 0.02), (size * 0.4, u * 0.05)]), 12, int(random.integers(1, 6))
        )
        axis = np.cross((0, 0, 1), way + (0.01, 0, 0))
        return [disc.moved(hand, turned(axis, float(random.uniform(1.0, 1.9))))]
    return []


def _cloak(random: Random, chest: Array, wide: float, u: float) -> Mesh:
    low = u * float(random.uniform(0.02, 0.3))
    outline = np.array([(-wide, 0.0), (wide, 0.0), (wide * 2.0, chest[2] - low), (-wide * 2.0, chest[2] - low)])
    slab = extruded(outline[:, [0, 1]], u * 0.03, 5)
    turn = turned((1, 0, 0), -math.pi / 2 - float(random.uniform(0.05, 0.45)))
    return slab.moved(chest + (0, -wide * 0.7, 0), turn)


def _wing(random: Random, root: Array, side: int, u: float) -> Mesh:
    length = u * float(random.uniform(0.4, 0.8))
    outline = np.array([(0.0, 0.0), (length, length * 0.1), (length * 0.8, length * 0.6), (length * 0.1, length * 0.4)])
    slab = extruded(outline, u * 0.02, 5)
    turn = turned((0, 0, 1), 0.0 if side > 0 else math.pi) @ turned((1, 0, 0), math.pi / 2 - random.uniform(-0.4, 0.4))
    return slab.moved(root, turn)


def _beast(random: Random, height: float) -> Mesh:
    u = height
    length = u * float(random.uniform(0.5, 1.0))
    back = u * float(random.uniform(0.4, 0.65))
    girth = u * float(random.uniform(0.14, 0.28))
    parts = [ball((girth, length / 2, girth), 14, 9, 1).moved((0, 0, back))]
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = np.array(
                [sx * girth * 0.8 + random.normal(0, 0.03 * u), sy * length * 0.36 + random.normal(0, 0.05 * u), 1.0]
            )
            hip = np.array([sx * girth * 0.7, sy * length * 0.32, back])
            parts.append(limb(foot, hip, u * 0.05, u * float(random.uniform(0.06, 0.1)), 2))
    neck = np.array([0, length * 0.42, back + girth * 0.5])
    head = neck + (
        random.normal(0, 0.05 * u),
        u * float(random.uniform(0.05, 0.3)),
        u * float(random.uniform(0.0, 0.4)),
    )
    size = u * float(random.uniform(0.09, 0.17))
    parts += [limb(neck, head, girth * 0.6, size * 0.8, 1), ball((size, size * 1.4, size), 12, 8, 1).moved(head)]
    if random.random() < 0.7:
        tail = np.array(
            [
                random.normal(0, 0.15 * u),
                -length * float(random.uniform(0.6, 1.0)),
                back * float(random.uniform(0.3, 1.4)),
            ]
        )
        parts.append(limb(np.array([0, -length * 0.45, back]), tail, girth * 0.3, girth * 0.08, 1))
    for side in (-1, 1):
        if random.random() < 0.5:
            ear = head + (side * size * 0.7, 0, size * float(random.uniform(0.9, 1.8)))
            parts.append(limb(head, ear, size * 0.4, size * 0.15, 3))
    if random.random() < 0.25:
        for side in (-1, 1):
            parts.append(_wing(random, np.array([0, 0, back + girth]), side, u))
    return joined(parts)


def _bust(random: Random, height: float) -> Mesh:
    u = height
    foot = u * float(random.uniform(0.15, 0.3))
    profile = np.array(
        [(foot, 0.0), (foot, u * 0.06), (foot * 0.5, u * 0.12), (foot * 0.45, u * 0.2), (foot * 0.8, u * 0.25)]
    )
    head = u * float(random.uniform(0.16, 0.24))
    parts = [revolved(profile, 20, 2) if random.random() < 0.6 else box((foot * 1.8, foot * 1.8, u * 0.25), 2)]
    wide = u * float(random.uniform(0.18, 0.34))
    parts.append(ball((wide, wide * 0.55, u * 0.17), 14, 9, 1).moved((0, 0, u * 0.36)))
    parts.append(limb(np.array([0, 0, u * 0.4]), np.array([0, 0, u - head * 1.6]), head * 0.55, head * 0.5, 1))
    skull = np.array([0, head * 0.15, u - head * 1.1])
    parts.append(ball((head * 0.8, head * 0.95, head * 1.1), 14, 10, 1).moved(skull))
    parts.append(ball((head * 0.16, head * 0.3, head * 0.2), 7, 5, 1).moved(skull + (0, head * 0.95, 0)))
    if random.random() < 0.5:
        parts.append(ball((head * 0.95, head, head * 0.8), 12, 8, 3).moved(skull + (0, -head * 0.2, head * 0.4)))
    return joined(parts)


def _turned(random: Random, height: float) -> Mesh:
    """A turned piece: chess men, bottles, pawns."""
    u = height
    foot = u * float(random.uniform(0.2, 0.34))
    count = int(random.integers(3, 8))
    levels = np.sort(random.uniform(0.1, 0.8, count)) * u
    widths = foot * random.uniform(0.3, 0.75, count)
    profile = np.vstack([[(foot, 0.0), (foot, u * 0.06), (foot * 0.85, u * 0.1)], np.column_stack([widths, levels])])
    parts = [revolved(profile[np.argsort(profile[:, 1], kind="stable")], 22, 1)]
    size = u * float(random.uniform(0.1, 0.2))
    kind = random.random()
    if kind < 0.5:
        parts.append(ball((size, size, size * float(random.uniform(0.8, 1.5))), 14, 9, 1).moved((0, 0, u - size)))
    elif kind < 0.7:
        parts.append(revolved(np.array([(size * 0.7, u * 0.75), (size, u), (size * 0.7, u)]), 16, 1))
    elif kind < 0.85:  # a horse's head
        parts.append(ball((size * 0.6, size * 1.1, size), 12, 8, 1).moved((0, size * 0.3, u * 0.85)))
        parts.append(ball((size * 0.4, size * 0.8, size * 0.4), 10, 7, 1).moved((0, size * 1.2, u * 0.8)))
    else:
        parts.append(box((size * 0.4, size * 1.5, size * 0.4), 1).moved((0, 0, u - size)))
        parts.append(box((size * 0.4, size * 0.4, size * 1.6), 1).moved((0, 0, u - size * 1.6)))
    parts.append(limb(np.array([0, 0, u * 0.1]), np.array([0, 0, u * 0.8]), foot * 0.4, foot * 0.35, 1))
    return joined(parts)


def _machine(random: Random, height: float) -> Mesh:
    u = height
    parts = []
    hip = u * float(random.uniform(0.35, 0.5))
    for side in (-1, 1):
        foot = np.array([side * u * float(random.uniform(0.12, 0.25)), random.normal(0, 0.06) * u, 0.0])
        parts.append(box((u * 0.14, u * 0.22, u * 0.08), 2).moved(foot))
        knee = foot + (side * u * 0.03, u * float(random.normal(0.05, 0.06)), hip * 0.55)
        parts.append(limb(foot + (0, 0, u * 0.06), knee, u * 0.05, u * 0.05, 1))
        parts.append(limb(knee, np.array([foot[0] * 0.6, 0, hip]), u * 0.06, u * 0.06, 1))
    size = (
        u * float(random.uniform(0.3, 0.5)),
        u * float(random.uniform(0.22, 0.4)),
        u * float(random.uniform(0.25, 0.4)),
    )
    parts.append(box(size, 1).moved((0, 0, hip)))
    parts.append(box((u * 0.14, u * 0.14, u - hip - size[2]), 3).moved((0, u * 0.05, hip + size[2])))
    for side in (-1, 1):
        joint = np.array([side * (size[0] / 2 + u * 0.05), 0, hip + size[2] * 0.7])
        length = u * float(random.uniform(0.2, 0.5))
        parts.append(
            limb(joint, joint + (0, length * float(random.uniform(0.2, 1)), -length * 0.5), u * 0.05, u * 0.04, 4)
        )
    return joined(parts)


def _lump(random: Random, height: float) -> Mesh:
    u = height
    parts = [
        ball((u * float(random.uniform(0.25, 0.45)), u * float(random.uniform(0.25, 0.45)), u / 2), 18, 13, 1).moved(
            (0, 0, u / 2)
        )
    ]
    for _ in range(int(random.integers(1, 7))):
        way = random.normal(size=3)
        way /= np.linalg.norm(way)
        size = u * float(random.uniform(0.08, 0.22))
        parts.append(
            ball((size, size, size), 10, 7, int(random.integers(1, 4))).moved(way * u * 0.33 + (0, 0, u * 0.5))
        )
    mesh = lumpy(joined(parts), random, u * float(random.uniform(0.03, 0.1)), u * 0.4)
    vertices = mesh.vertices.copy()
    vertices[:, 2] = np.maximum(vertices[:, 2], u * 0.06)
    return Mesh(vertices, mesh.normals, mesh.faces, mesh.paint)


def _block(random: Random, height: float) -> Mesh:
    """A brick figure."""
    u = height
    leg = u * 0.36
    parts = [box((u * 0.36, u * 0.18, leg), 2), box((u * 0.4, u * 0.2, u * 0.34), 1).moved((0, 0, leg))]
    parts.append(
        revolved(np.array([(u * 0.13, 0.0), (u * 0.13, u * 0.22), (u * 0.09, u * 0.24)]), 16, 4).moved(
            (0, 0, leg + u * 0.35)
        )
    )
    parts.append(
        revolved(np.array([(u * 0.14, 0.0), (u * 0.14, u * 0.08), (u * 0.08, u * 0.12)]), 14, 3).moved((0, 0, u * 0.88))
    )
    for side in (-1, 1):
        joint = np.array([side * u * 0.25, 0, leg + u * 0.28])
        parts.append(
            limb(
                joint,
                joint + (side * u * 0.03, u * float(random.uniform(-0.2, 0.25)), -u * 0.25),
                u * 0.06,
                u * 0.05,
                1,
            )
        )
    return joined(parts)
