"""Procedural miniatures: seven families of figures on bases, each drawn anew from its seed.

A figure stands on z = 0 with the base's centre at the origin and faces +x. Materials: base, rim, ground, body, cloth,
skin, metal, leather, accent.
"""

from __future__ import annotations

import math

import numpy as np

from models.training.scenes.scene import Figure
from models.training.scenes.solids import FloatArray, Solid, block, ellipsoid, lathe, limb, moved, plate
from models.training.scenes.turning import Quaternion, Vector, about_axis, about_vertical, times

BASE_HEIGHT_MM = 3.4
"""Of the usual slotted plastic base (3 to 4 mm)."""


def build(figure: Figure) -> tuple[Solid, ...]:
    """Build a standing procedural figure, scaled to its height.

    Raises:
        ValueError: the figure asks for a mesh file.
    """
    if figure.mesh:
        raise ValueError(f"the figure {figure.name!r} is made from the mesh {figure.mesh!r}, not by procedure")
    generator = np.random.default_rng(figure.seed)
    family = {
        "soldier": _soldier,
        "robed": _robed,
        "beast": _beast,
        "winged": _winged,
        "walker": _walker,
        "bust": _bust,
        "turned": _turned,
    }[figure.family]
    body = family(generator)
    top = max(float(part.vertices[:, 2].max()) for part in body)
    bottom = min(float(part.vertices[:, 2].min()) for part in body)
    scale = (figure.height_mm - BASE_HEIGHT_MM + 0.2) / (top - bottom)
    placed = [moved(part, scale=scale, shift=(0.0, 0.0, BASE_HEIGHT_MM - 0.2 - bottom * scale)) for part in body]
    return (*base(figure, generator), *placed)


def all_vertices(solids: tuple[Solid, ...]) -> FloatArray:
    """Put the vertices of all solids together, shape (n, 3)."""
    return np.vstack([solid.vertices for solid in solids])


def base(figure: Figure, generator: np.random.Generator) -> list[Solid]:
    """Build a figure's base with some stones on it, its underside on z = 0."""
    r, h = figure.base_mm / 2, BASE_HEIGHT_MM
    slope = float(generator.uniform(0.3, 1.6))
    is_square = figure.base_shape == "square"

    def turned(profile: list[tuple[float, float]], material: str, segments: int) -> Solid:
        if not is_square:
            return lathe(profile, material, segments=segments, is_fused=False)
        corners = [(radius * math.sqrt(2), z) for radius, z in profile]
        return moved(lathe(corners, material, segments=4, is_fused=False), turn=about_vertical(45))

    parts = [
        turned([(r - 0.25, 0.0), (r, 0.25), (r - slope, h - 0.35), (r - slope - 0.4, h)], "rim", 64),
        turned([(r - slope - 0.9, h - 0.5), (r - slope - 0.9, h + 0.12)], "ground", 48),
    ]
    for _ in range(int(generator.integers(0, 6))):
        angle, reach = generator.uniform(0, 2 * math.pi), generator.uniform(0.45, 0.8) * r
        size = float(generator.uniform(0.5, 1.5))
        parts.append(
            ellipsoid(
                (reach * math.cos(angle), reach * math.sin(angle), h),
                (size, size * 0.8, size * 0.7),
                "ground",
                turn=about_vertical(float(generator.uniform(0, 180))),
                segments=10,
            )
        )
    return parts


def _pick(generator: np.random.Generator, low: float, high: float) -> float:
    return float(generator.uniform(low, high))


def _weapon(generator: np.random.Generator, hand: Vector, *, lean: Quaternion) -> list[Solid]:
    kind = str(generator.choice(["sword", "axe", "spear", "hammer", "gun", "staff"]))
    parts: list[Solid] = []
    if kind == "gun":
        parts = [block((3, 0, 0.6), (11, 1.1, 1.7), "metal"), limb((8, 0, 0.8), (13, 0, 0.8), 0.45, 0.45, "metal")]
        parts += [block((-2, 0, -0.6), (3.5, 1.0, 2.0), "leather"), block((3.5, 0, -1.2), (1.3, 0.9, 2.4), "metal")]
        return [moved(part, turn=about_axis((0, 1, 0), _pick(generator, -25, 15)), shift=hand) for part in parts]
    if kind == "sword":
        length = _pick(generator, 11, 17)
        parts = [plate([(-0.8, 1.5), (0.8, 1.5), (0.7, length - 2), (0, length), (-0.7, length - 2)], 0.6, "metal")]
        parts += [
            limb((-2, 0, 1.2), (2, 0, 1.2), 0.4, 0.4, "accent"),
            limb((0, 0, -1.5), (0, 0, 1.2), 0.45, 0.45, "leather"),
        ]
    else:
        length = {"axe": 13.0, "spear": 26.0, "hammer": 12.0, "staff": 22.0}[kind] * _pick(generator, 0.85, 1.1)
        low = -length * (0.4 if kind in ("spear", "staff") else 0.15)
        parts = [limb((0, 0, low), (0, 0, low + length), 0.5, 0.45, "leather")]
        top = low + length
        if kind == "axe":
            parts += [
                plate(
                    [(0, top - 3.5), (3.6, top - 4.5), (4.2, top - 1.5), (3.6, top + 1), (0, top - 0.6)], 0.7, "metal"
                )
            ]
        elif kind == "hammer":
            parts += [block((0, 0, top), (5.5, 2.6, 2.6), "metal")]
        elif kind == "spear":
            parts += [plate([(-0.9, top), (0.9, top), (0, top + 4)], 0.6, "metal")]
        else:
            parts += [ellipsoid((0, 0, top + 0.8), (1.5, 1.5, 1.7), "accent")]
    return [moved(part, turn=lean, shift=hand) for part in parts]


def _shield(generator: np.random.Generator, hand: Vector) -> list[Solid]:
    if generator.random() < 0.5:
        disc = lathe([(4.4, -0.5), (4.5, 0.0), (3.0, 0.8), (1.0, 1.2)], "accent", segments=28, is_fused=False)
        boss = ellipsoid((0, 0, 1.1), (1.2, 1.2, 0.8), "metal")
        turn = about_axis((0, 1, 0), 90)
        return [moved(part, turn=turn, shift=hand) for part in (disc, boss)]
    outline = [(-3.2, 4.5), (3.2, 4.5), (3.2, 0), (1.8, -3.5), (0, -5.2), (-1.8, -3.5), (-3.2, 0)]
    kite = plate(outline, 0.9, "accent")
    cross = plate([(-0.5, 4), (0.5, 4), (0.5, -4), (-0.5, -4)], 1.3, "metal")
    return [moved(part, turn=about_vertical(80), shift=hand) for part in (kite, cross)]


def _cloak(generator: np.random.Generator, shoulder: float, bottom: float, width: float) -> Solid:
    """A wavy sheet that hangs behind the shoulders."""
    rows, columns = 12, 16
    flare, wave = _pick(generator, 1.2, 2.0), _pick(generator, 0.4, 1.1)
    phase, gust = _pick(generator, 0, 6), _pick(generator, 0.5, 4.5)
    points = []
    for side in (0.0, 0.7):
        for i in range(rows):
            t = i / (rows - 1)
            for j in range(columns):
                s = j / (columns - 1) * 2 - 1
                y = s * width * (1 + (flare - 1) * t)
                x = -2.4 - gust * t * t - wave * t * math.cos(s * 8 + phase) + 1.6 * abs(s) ** 2 - side
                points.append((x, y, shoulder + (bottom - shoulder) * t))
    faces = []
    half = rows * columns
    for i in range(rows - 1):
        for j in range(columns - 1):
            a = i * columns + j
            b, c, d = a + 1, a + columns, a + columns + 1
            faces += [(a, c, d), (a, d, b), (half + a, half + d, half + c), (half + a, half + b, half + d)]
    border = [*range(columns), *((i + 1) * columns - 1 for i in range(1, rows))]
    border += [
        *((rows - 1) * columns + j for j in range(columns - 2, -1, -1)),
        *(i * columns for i in range(rows - 2, 0, -1)),
    ]
    for a, b in zip(border, border[1:] + border[:1], strict=True):
        faces += [(a, b, half + b), (a, half + b, half + a)]
    return Solid(np.array(points), np.array(faces, dtype=np.int32), "cloth", is_fused=False)


def _head(generator: np.random.Generator, at: Vector, size: float) -> list[Solid]:
    x, y, z = at
    parts = [
        ellipsoid((x, y, z), (size, size * 0.88, size * 1.15), "skin"),
        limb((x, y, z - size * 1.7), at, size * 0.55, size * 0.5, "skin"),
    ]
    parts.append(
        ellipsoid((x + size * 0.95, y, z - size * 0.1), (size * 0.25, size * 0.2, size * 0.3), "skin", segments=8)
    )
    style = str(generator.choice(["helmet", "hair", "horns", "crest", "hood", "bald"]))
    if style in ("helmet", "horns", "crest"):
        parts.append(ellipsoid((x - size * 0.1, y, z + size * 0.35), (size * 1.15, size * 1.05, size * 1.0), "metal"))
    if style == "hair":
        parts.append(ellipsoid((x - size * 0.35, y, z + size * 0.3), (size * 0.95, size * 1.0, size * 1.1), "leather"))
    if style == "hood":
        parts.append(ellipsoid((x - size * 0.35, y, z + size * 0.1), (size * 1.1, size * 1.15, size * 1.45), "cloth"))
    if style == "horns":
        for side in (-1, 1):
            middle = (x, y + side * size * 1.7, z + size * 1.1)
            parts += [limb((x, y + side * size * 0.8, z + size * 0.6), middle, 0.65, 0.5, "accent")]
            parts += [limb(middle, (x + size * 0.5, y + side * size * 1.8, z + size * 2.2), 0.5, 0.2, "accent")]
    if style == "crest":
        outline = [
            (-1.5 * size, 0.5 * size),
            (-1.0 * size, 2.1 * size),
            (0.7 * size, 2.0 * size),
            (0.7 * size, 1.0 * size),
        ]
        parts.append(moved(plate(outline, 0.9, "accent"), shift=at))
    return parts


def _soldier(generator: np.random.Generator) -> list[Solid]:
    bulk, stance = _pick(generator, 0.85, 1.45), _pick(generator, 2.0, 4.2)
    step, hip, chest = _pick(generator, -2.5, 2.5), 12.0, 19.0
    parts: list[Solid] = []
    for side in (-1, 1):
        foot = (side * step, side * stance, 0.6)
        knee = (side * step * 0.5 + 1.0, side * stance * 0.85, 6.3)
        parts += [
            limb((foot[0] - 0.6, foot[1], 0.7), (foot[0] + 1.9, foot[1], 0.6), 1.15 * bulk, 0.9 * bulk, "leather")
        ]
        parts += [
            limb(foot, knee, 1.2 * bulk, 1.5 * bulk, "leather"),
            limb(knee, (0, side * 1.6, hip), 1.5 * bulk, 2.0 * bulk, "cloth"),
        ]
    parts += [ellipsoid((0, 0, hip + 0.5), (2.4 * bulk, 3.0 * bulk, 2.4), "leather")]
    parts += [ellipsoid((0.2, 0, (hip + chest) / 2 + 0.8), (2.5 * bulk, 3.1 * bulk, 4.8), "body")]
    parts += [ellipsoid((0.4, 0, chest - 0.5), (2.8 * bulk, 3.7 * bulk, 2.8), "body")]
    parts += _head(generator, (0.6, 0, chest + 5.2), _pick(generator, 1.75, 2.3))
    hands: list[Vector] = []
    for side in (-1, 1):
        shoulder = (0.0, side * 3.9 * bulk, chest + 0.6)
        if generator.random() < 0.5:
            parts.append(ellipsoid(shoulder, (2.0 * bulk, 1.8 * bulk, 1.7 * bulk), "metal"))
        elbow = (
            _pick(generator, -1.5, 2.5),
            side * (4.6 * bulk + _pick(generator, 0, 1.8)),
            chest - _pick(generator, 2, 4.5),
        )
        hand = (_pick(generator, 2.5, 6), side * _pick(generator, 3, 6.5), chest - _pick(generator, -3, 4))
        parts += [
            limb(shoulder, elbow, 1.3 * bulk, 1.1 * bulk, "body"),
            limb(elbow, hand, 1.1 * bulk, 0.9 * bulk, "skin"),
        ]
        parts.append(ellipsoid(hand, (1.2, 1.2, 1.2), "skin", segments=12))
        hands.append(hand)
    lean = times(about_axis((0, 1, 0), _pick(generator, -40, 45)), about_axis((1, 0, 0), _pick(generator, -30, 30)))
    parts += _weapon(generator, hands[0], lean=lean)
    if generator.random() < 0.5:
        parts += _shield(generator, (hands[1][0] + 1.2, hands[1][1], hands[1][2]))
    if generator.random() < 0.55:
        parts.append(_cloak(generator, chest + 2.0, _pick(generator, 1.5, 9), 3.4 * bulk))
    if generator.random() < 0.3:
        parts.append(block((-3.2 * bulk, 0, chest - 0.5), (2.6, 4.5, 5.0), "leather"))
    return parts


def _robed(generator: np.random.Generator) -> list[Solid]:
    wide, folds = _pick(generator, 4.5, 6.5), int(generator.integers(5, 10))
    profile = [
        (wide, 0),
        (wide * 0.92, 1.5),
        (wide * 0.7, 7),
        (wide * 0.52, 13),
        (wide * 0.58, 18),
        (wide * 0.45, 21.5),
        (1.2, 23),
    ]
    robe = lathe(profile, "cloth", segments=40)
    angle = np.arctan2(robe.vertices[:, 1], robe.vertices[:, 0])
    wave = 1 + 0.10 * np.cos(folds * angle + 1.0) * np.clip(1 - robe.vertices[:, 2] / 18, 0, 1)
    robe = Solid(robe.vertices * np.column_stack([wave, wave, np.ones(len(wave))]), robe.faces, "cloth")
    parts = [robe, lathe([(wide * 0.56, 12), (wide * 0.6, 12.6), (wide * 0.56, 13.4)], "accent")]
    if generator.random() < 0.6:
        parts += [ellipsoid((0.4, 0, 25), (2.7, 2.6, 3.2), "cloth"), ellipsoid((1.6, 0, 24.8), (1.6, 1.6, 2.1), "skin")]
        parts.append(limb((-0.6, 0, 26.5), (-2.2, 0, 29), 1.5, 0.3, "cloth"))
    else:
        parts += _head(generator, (0.6, 0, 25.5), 2.0)
        brim = lathe([(4.2, 27.0), (4.2, 27.5), (2.0, 28.0), (1.2, 31.0), (0.2, 34.0)], "accent", segments=24)
        parts.append(brim)
    hand: Vector = (4.5, -4.8, _pick(generator, 14, 18))
    other: Vector = (_pick(generator, 3, 6), 3.5, _pick(generator, 15, 22))
    for shoulder, palm in (((0, -2.6, 20.5), hand), ((0, 2.6, 20.5), other)):
        parts += [limb(shoulder, palm, 1.5, 2.1, "cloth"), ellipsoid(palm, (1.3, 1.2, 1.2), "skin", segments=12)]
    parts += _weapon(generator, (hand[0] + 1.0, hand[1], hand[2]), lean=about_axis((1, 0, 0), _pick(generator, -8, 8)))
    if generator.random() < 0.5:
        parts.append(ellipsoid((other[0] + 1.2, other[1], other[2] + 1.8), (1.7, 1.7, 1.7), "accent"))
    return parts


def _beast(generator: np.random.Generator) -> list[Solid]:
    long, bulk, tall = _pick(generator, 7, 10), _pick(generator, 3.0, 4.6), _pick(generator, 9, 13)
    parts = [
        ellipsoid((0, 0, tall), (long, bulk, bulk * 1.05), "body"),
        ellipsoid((long * 0.5, 0, tall + 1), (bulk, bulk, bulk * 1.1), "body"),
    ]
    for x in (-long * 0.62, long * 0.62):
        for side in (-1, 1):
            foot: Vector = (x + _pick(generator, -1.5, 1.8), side * bulk * 0.9, 0.7)
            knee: Vector = (x - 1.2, side * bulk * 0.95, tall * 0.5)
            parts += [
                limb((x, side * bulk * 0.6, tall - 1), knee, bulk * 0.5, 1.2, "body"),
                limb(knee, foot, 1.2, 1.0, "body"),
            ]
            parts.append(ellipsoid((foot[0] + 0.7, foot[1], 0.6), (1.7, 1.2, 0.8), "leather", segments=12))
    rise = _pick(generator, 2, 9)
    head: Vector = (long + 2.5, 0, tall + rise)
    parts += [limb((long * 0.6, 0, tall + 1), head, bulk * 0.7, 1.9, "body"), ellipsoid(head, (2.8, 2.1, 2.2), "body")]
    parts += [limb(head, (head[0] + 3.6, 0, head[2] - 1.2), 1.7, 1.0, "body")]
    for side in (-1, 1):
        parts.append(
            limb(
                (head[0] - 0.6, side * 1.3, head[2] + 1.2),
                (head[0] - 1.6, side * 2.2, head[2] + 4.2),
                0.9,
                0.2,
                "accent",
            )
        )
    tail = [
        (-long, 0.0, tall),
        (-long - 3, _pick(generator, -2, 2), tall - 1),
        (-long - 5, _pick(generator, -4, 4), tall + _pick(generator, -4, 6)),
    ]
    parts += [limb(tail[0], tail[1], 1.6, 1.1, "body"), limb(tail[1], tail[2], 1.1, 0.3, "body")]
    for i in range(int(generator.integers(0, 8))):
        x = long * (0.6 - 0.22 * i)
        parts.append(
            limb(
                (x, 0, tall + bulk * 0.8),
                (x - 1.2, 0, tall + bulk * 1.05 + _pick(generator, 1, 3)),
                0.8,
                0.15,
                "accent",
            )
        )
    scale = 24.0 / (2 * long + 8)
    return [moved(part, scale=scale) for part in parts]


def _winged(generator: np.random.Generator) -> list[Solid]:
    parts = _soldier(generator) if generator.random() < 0.5 else _robed(generator)
    span, lift = _pick(generator, 9, 14), _pick(generator, 2, 11)
    for side in (-1, 1):
        outline = [
            (0.0, 16.0),
            (span * 0.45, 21 + lift),
            (span, 18 + lift),
            (span * 0.92, 11 + lift * 0.6),
            (span * 0.66, 13 + lift * 0.4),
        ]
        outline += [(span * 0.55, 7 + lift * 0.3), (span * 0.34, 11), (span * 0.2, 6.5)]
        wing = plate(outline, 0.8, "accent")
        bone = limb((0, 0, 16), (span * 0.45, 0, 21 + lift), 0.9, 0.6, "body")
        tip = limb((span * 0.45, 0, 21 + lift), (span, 0, 18 + lift), 0.6, 0.3, "body")
        turn = about_vertical(side * 90 + side * _pick(generator, 15, 40))
        parts += [moved(part, turn=turn, shift=(-2.6, side * 1.0, 0)) for part in (wing, bone, tip)]
    return parts


def _walker(generator: np.random.Generator) -> list[Solid]:
    wide = _pick(generator, 6.5, 9.5)
    parts = [
        block((0, 0, 17), (_pick(generator, 6, 9), wide, _pick(generator, 6, 8.5)), "body"),
        block((3.5, 0, 16), (3, wide * 0.5, 3), "metal"),
    ]
    parts += [ellipsoid((1, 0, 21.5), (2.6, 2.8, 2.2), "accent"), lathe([(3.2, 11), (3.4, 12), (2.4, 13.5)], "metal")]
    for side in (-1, 1):
        hip: Vector = (0, side * wide * 0.42, 12.5)
        knee: Vector = (_pick(generator, 1.5, 3.5), side * wide * 0.55, 7.5)
        foot: Vector = (_pick(generator, -1.5, 1.0), side * wide * 0.58, 1.5)
        parts += [
            limb(hip, knee, 1.9, 1.6, "metal"),
            limb(knee, foot, 1.5, 1.3, "metal"),
            block((foot[0] + 0.8, foot[1], 0.8), (5.5, 3.6, 1.7), "body"),
        ]
        parts.append(block((knee[0] + 0.5, knee[1], knee[2]), (2.8, 3.2, 4.0), "body"))
        shoulder: Vector = (0, side * (wide * 0.5 + 1.6), 18.5)
        parts.append(block(shoulder, (5.0, 3.0, 4.6), "accent", turn=about_axis((1, 0, 0), side * 12)))
        wrist: Vector = (_pick(generator, 3, 6), shoulder[1] + side * 0.8, _pick(generator, 11, 17))
        parts.append(limb(shoulder, wrist, 1.6, 1.5, "metal"))
        if generator.random() < 0.5:
            for offset in (-0.7, 0.7):
                parts.append(
                    limb(
                        (wrist[0], wrist[1] + offset, wrist[2]),
                        (wrist[0] + 6, wrist[1] + offset, wrist[2]),
                        0.7,
                        0.7,
                        "metal",
                    )
                )
        else:
            parts.append(block(wrist, (4, 3, 3), "body"))
            for offset in (-1, 0, 1):
                parts.append(
                    limb(
                        (wrist[0] + 1.5, wrist[1] + offset, wrist[2] - 1),
                        (wrist[0] + 4, wrist[1] + offset, wrist[2] - 2),
                        0.5,
                        0.3,
                        "metal",
                    )
                )
    for _ in range(int(generator.integers(0, 4))):
        y = _pick(generator, -wide / 2, wide / 2)
        parts.append(limb((-3, y, 18), (-4, y, _pick(generator, 22, 28)), 0.8, 0.7, "metal"))
    return parts


def _bust(generator: np.random.Generator) -> list[Solid]:
    parts = [lathe([(5.5, 0), (5.5, 1.2), (3.2, 2.4), (2.6, 6), (4.2, 8)], "leather")]
    parts += [ellipsoid((0, 0, 11.5), (4.5, 7.6, 4.6), "body"), limb((0, 0, 13), (0.8, 0, 19), 3.0, 2.6, "skin")]
    parts += _head(generator, (1.2, 0, 23), _pick(generator, 4.2, 5.2))
    for side in (-1, 1):
        parts.append(ellipsoid((0, side * 6.2, 12), (3.2, 2.6, 3.0), "metal" if generator.random() < 0.5 else "body"))
    return parts


def _turned(generator: np.random.Generator) -> list[Solid]:
    profile = [(6.0, 0.0), (6.2, 1.2), (5.0, 2.8)]
    z, radius = 2.8, 5.0
    for _ in range(int(generator.integers(4, 9))):
        z += _pick(generator, 1.2, 5.0)
        radius = max(1.4, min(5.5, radius * _pick(generator, 0.6, 1.25)))
        profile.append((radius, z))
    parts = [lathe(profile, "body", segments=36)]
    head = _pick(generator, 2.4, 4.2)
    parts.append(ellipsoid((0, 0, z + head * 0.8), (head, head, head * _pick(generator, 0.9, 1.5)), "body"))
    if generator.random() < 0.4:
        parts += [
            block((0, 0, z + head * 2.2), (1.0, 3.6, 1.0), "accent"),
            block((0, 0, z + head * 2.0), (1.0, 1.0, 5.0), "accent"),
        ]
    return parts
