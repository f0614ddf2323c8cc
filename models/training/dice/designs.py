"""Random designs of dice and of things that are mistaken for dice.

Every function takes a numpy generator and fills one record of `render.BODY`; the same generator gives the same design.
Sizes are millimetres, colours linear RGB.
"""

from __future__ import annotations

import colorsys

import numpy as np
import numpy.typing as npt

from models.training.dice import decals
from models.training.dice import render as r

Rng = np.random.Generator
Body = npt.NDArray[np.void]

FACES = ((4, 5), (0, 1), (2, 3))
"""Opposite faces of the box: (+z, -z), (+x, -x), (+y, -y)."""

_PALETTE = ("white", "ivory", "black", "red", "blue", "green", "yellow", "purple", "orange", "pink", "teal", "any")


def colour(rng: Rng, *, name: str | None = None) -> npt.NDArray[np.float32]:
    """A plausible colour for plastic, linear RGB."""
    name = name or str(rng.choice(_PALETTE))
    hue = {"red": 0.0, "orange": 0.07, "yellow": 0.15, "green": 0.37, "teal": 0.5, "blue": 0.62, "purple": 0.77}.get(
        name
    )
    if name == "white":
        rgb = np.full(3, rng.uniform(0.8, 0.97)) + rng.uniform(-0.03, 0.03, 3)
    elif name == "ivory":
        rgb = np.array([0.9, 0.84, 0.68]) * rng.uniform(0.8, 1.05) + rng.uniform(-0.04, 0.04, 3)
    elif name == "black":
        rgb = np.full(3, rng.uniform(0.04, 0.2)) + rng.uniform(-0.02, 0.02, 3)
    elif name == "pink":
        rgb = np.array(colorsys.hsv_to_rgb(rng.uniform(0.86, 0.98), rng.uniform(0.3, 0.8), rng.uniform(0.7, 1)))
    elif hue is None:
        rgb = np.array(colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.05, 1), rng.uniform(0.1, 1)))
    else:
        hue = (hue + rng.normal(0, 0.025)) % 1
        rgb = np.array(colorsys.hsv_to_rgb(hue, rng.uniform(0.5, 1), rng.uniform(0.25, 1)))
    return np.clip(rgb, 0.01, 1).astype(np.float32) ** 2.2


def _luminance(rgb: npt.NDArray[np.float32]) -> float:
    return float(np.dot(rgb, (0.2126, 0.7152, 0.0722)) ** (1 / 2.2))


def _pip_colour(rng: Rng, body: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A pip colour that differs from the body by at least 10 % of the grey scale."""
    for _ in range(12):
        pick = rng.random()
        if pick < 0.42:
            c = colour(rng, name="white")
        elif pick < 0.72:
            c = colour(rng, name="black") * np.float32(rng.uniform(0.1, 1))
        elif pick < 0.84:
            c = np.array([0.75, 0.5, 0.16], np.float32) * np.float32(rng.uniform(0.5, 1.15))
        else:
            c = colour(rng)
        gap = abs(_luminance(c) - _luminance(body))
        chroma = float(np.abs(c ** (1 / 2.2) - body ** (1 / 2.2)).max())
        if gap > 0.28 or (gap > 0.1 and rng.random() < 0.25) or (chroma > 0.45 and rng.random() < 0.4):
            return c.astype(np.float32)
    return np.full(3, 0.01 if _luminance(body) > 0.4 else 0.9, np.float32)


def layouts(rng: Rng) -> tuple[list[npt.NDArray[np.float64]], float]:
    """Pip places of the faces 1 to 6 in half edges, and the pip's radius.

    Spacing, in-line and close twos and threes, squeezed sixes and slack of the drill are drawn at random.
    """
    a = rng.uniform(0.40, 0.60)
    radius = float(rng.uniform(0.13, 0.235))
    radius = min(radius, 0.47 * a)
    diagonal = np.array([[-a, -a], [a, a]])
    straight = np.array([[0.0, -a], [0.0, a]])

    def pair(inline: float, close: float) -> npt.NDArray[np.float64]:
        two = straight if rng.random() < inline else diagonal
        return two * (
            rng.uniform(max(0.42, 1.15 * radius / a), 0.85) if rng.random() < close else rng.uniform(0.85, 1.05)
        )

    two = pair(0.22, 0.35)
    three = np.concatenate([pair(0.15, 0.0), [[0.0, 0.0]]])
    four = np.array([[-a, -a], [-a, a], [a, -a], [a, a]])
    if rng.random() < 0.15:
        four = four * rng.uniform(max(0.7, 1.2 * radius / a), 1)
    b = a * rng.uniform(0.85, 1.05)
    five = np.concatenate([np.array([[-b, -b], [-b, b], [b, -b], [b, b]]), [[0.0, 0.0]]])
    wide = a * rng.uniform(0.8, 1.05)
    long = max(a, min(0.64, 2.05 * radius)) if rng.random() < 0.6 else a * rng.uniform(1.0, 1.15)
    wide = max(wide, 1.12 * radius)
    six = np.array([[s * wide, k * max(long, 2.05 * radius)] for s in (-1, 1) for k in (-1, 0, 1)])
    six = np.clip(six, -(0.95 - radius), 0.95 - radius)
    out = [np.zeros((1, 2)), two, three, four, five, six]
    for k, points in enumerate(out):
        if rng.random() < 0.5:
            points = points[:, ::-1] if k in (1, 2, 5) else points
        if k in (1, 2) and rng.random() < 0.5:
            points = points * (1, -1)
        out[k] = points + rng.normal(0, 0.008, points.shape)
    return out, radius


def _surface(rng: Rng, body: Body) -> None:
    """Body colour, pattern and finish."""
    c1 = colour(rng)
    pick = rng.random()
    body["pattern"], body["colour"], body["colour2"] = r.PLAIN, c1, colour(rng)
    body["specular"], body["roughness"] = rng.uniform(0.1, 1.0), rng.uniform(0.05, 0.6)
    body["pattern_scale"], body["seed"] = rng.uniform(0.5, 1.6), rng.random()
    if pick < 0.42:
        if rng.random() < 0.3:
            body["specular"] = rng.uniform(0, 0.15)
    elif pick < 0.54:
        body["pattern"] = r.MARBLE
        body["colour2"] = (
            np.clip(c1 * rng.uniform(0.3, 2.2) + rng.uniform(0, 0.15), 0, 1) if rng.random() < 0.7 else colour(rng)
        )
    elif pick < 0.64:
        body["pattern"] = r.TWO_TONE
    elif pick < 0.70:
        body["pattern"] = r.CLOUD
    elif pick < 0.75:
        body["pattern"] = r.SPECKLE
        body["colour2"] = np.clip(c1 + rng.uniform(-0.25, 0.25, 3), 0, 1)
    elif pick < 0.79:
        body["pattern"] = r.GLITTER
        body["colour2"] = np.clip(c1 * rng.uniform(0.4, 2.5), 0, 1)
    elif pick < 0.83:
        body["pattern"] = r.WOOD
        wood = np.array([0.42, 0.23, 0.1]) * rng.uniform(0.4, 2.2)
        body["colour"], body["colour2"] = np.clip(wood, 0, 1), np.clip(wood * rng.uniform(0.6, 0.9), 0, 1)
        body["specular"] = rng.uniform(0, 0.3)
    elif pick < 0.87:
        body["metal"], body["roughness"] = rng.uniform(0.6, 1), rng.uniform(0.1, 0.5)
        body["colour"] = np.array([[0.75, 0.74, 0.72], [0.72, 0.5, 0.2], [0.6, 0.33, 0.2], [0.2, 0.2, 0.22]])[
            rng.integers(4)
        ]
    else:
        body["translucency"] = rng.uniform(0.35, 0.85)
        body["specular"], body["roughness"] = rng.uniform(0.5, 1), rng.uniform(0.02, 0.2)
        if rng.random() < 0.35:
            body["pattern"] = rng.choice((r.CLOUD, r.TWO_TONE, r.MARBLE))


def _box(rng: Rng, body: Body, size_mm: float) -> None:
    body["shape"] = r.BOX
    half = size_mm / 2
    body["half"] = half
    pick = rng.random()
    if pick < 0.18:
        body["edge_radius"] = half * rng.uniform(0.02, 0.1)
    elif pick < 0.62:
        body["edge_radius"] = half * rng.uniform(0.1, 0.42)
    else:
        body["edge_radius"] = half * rng.uniform(0.03, 0.22)
        body["cut_radius"] = half * rng.uniform(1.24, 1.6)
    reach = np.sqrt(3.0) * (half - float(body["edge_radius"])) + float(body["edge_radius"])
    cut = float(body["cut_radius"])
    body["bound_radius"] = min(reach, cut) * 1.001 if cut > 0 else reach * 1.001
    body["decal"] = -1
    body["up_face"] = 4


def pip_die(rng: Rng, body: Body, size_mm: float) -> tuple[int, ...]:
    """Fill a body with a six-sided pip die.

    Returns:
        The value on each of the six faces in the renderer's order (+x, -x, +y, -y, +z, -z); opposite faces sum to 7.
        A face that carries a logo or skull instead of its pips has the value 0.
    """
    _box(rng, body, size_mm)
    _surface(rng, body)
    places, radius = layouts(rng)
    base = _pip_colour(rng, (body["colour"] + body["colour2"]) / 2 if int(body["pattern"]) else body["colour"])
    styles = (r.PAINTED, r.DRILLED, r.RING, r.TARGET, r.SQUARE)
    body["pip_style"] = rng.choice(styles, p=(0.4, 0.52, 0.035, 0.02, 0.025))
    body["pip_depth"] = rng.uniform(0.15, 0.9) if int(body["pip_style"]) == r.DRILLED else 0
    if int(body["pip_style"]) in (r.RING, r.TARGET):
        radius = max(radius, 0.19)
    if float(body["pip_depth"]) > 0.4 and rng.random() < 0.12:
        base = body["colour"] * np.float32(rng.uniform(0.35, 0.8))
    if rng.random() < 0.14:
        body["pip_metal"] = rng.uniform(0.4, 0.9)
    if rng.random() < 0.08:
        body["pip_wear"] = rng.uniform(0.2, 0.5)
    if rng.random() < 0.04:
        body["frame"] = rng.uniform(0.78, 0.88)
    pairs = [(1, 6), (2, 5), (3, 4)]
    rng.shuffle(pairs)
    values = [0] * 6
    for (front, back), (low, high) in zip(FACES, pairs, strict=True):
        if rng.random() < 0.5:
            low, high = high, low
        values[front], values[back] = low, high
    red = rng.random()
    for face, value in enumerate(values):
        points, size = places[value - 1], radius
        tint = base
        if value == 1:
            pick = rng.random()
            size = radius * (rng.uniform(1.3, 2.1) if pick < 0.18 else 1.0)
        if (value == 1 and red < 0.16) or (value == 4 and red < 0.07):
            tint = np.array([0.55, 0.02, 0.02], np.float32) * np.float32(rng.uniform(0.5, 1.3))
            if abs(_luminance(tint) - _luminance(body["colour"])) < 0.15:
                tint = base
        body["pip_colour"][face] = tint
        body["pip_count"][face] = len(points)
        body["pips"][face, : len(points), :2] = points
        body["pips"][face, : len(points), 2] = size
    if rng.random() < 0.07:
        value = 1 if rng.random() < 0.6 else 6
        face = values.index(value)
        body["pip_count"][face] = 0
        body["decal"][face] = rng.choice(decals.LOGOS)
        body["decal_size"], body["decal_turn"] = rng.uniform(0.55, 0.85), rng.integers(0, 4) * np.pi / 2
        values[face] = 0
    return tuple(values)


def odd_cube(rng: Rng, body: Body, size_mm: float) -> None:
    """Fill a body with a cube that is no pip die: blank, numerals, letters, logos, Fate, odd pip counts."""
    _box(rng, body, size_mm)
    _surface(rng, body)
    tint = _pip_colour(rng, body["colour"])
    body["pip_colour"][:] = tint
    kind = rng.choice(("blank", "numeral", "letter", "logo", "fate", "count"), p=(0.18, 0.32, 0.14, 0.16, 0.1, 0.1))
    body["decal_size"], body["decal_turn"] = rng.uniform(0.5, 0.85), rng.integers(0, 4) * np.pi / 2
    if kind == "count":
        for face in range(6):
            many = int(rng.choice((0, 7, 8, 9)))
            grid = np.array([(x, y) for x in (-0.55, 0, 0.55) for y in (-0.55, 0, 0.55)])
            body["pip_count"][face] = many
            body["pips"][face, :many, :2] = grid[rng.permutation(9)[:many]]
            body["pips"][face, :many, 2] = rng.uniform(0.12, 0.2)
        return
    source = {"numeral": range(6), "letter": decals.SIGNS, "logo": decals.LOGOS, "fate": decals.FATE}.get(str(kind))
    if source is not None:
        body["decal"][:6] = rng.permutation(6) if kind == "numeral" else rng.choice(source, 6)
        if kind == "fate":
            body["decal"][:6] = rng.choice((92, 93, -1), 6)


_GOLDEN = (1 + 5**0.5) / 2


def _normals(faces: int) -> npt.NDArray[np.float64]:
    if faces == 4:
        n = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif faces == 8:
        n = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    elif faces == 10:
        turn = np.arange(10) * np.pi / 5
        n = np.stack([np.cos(turn), np.sin(turn), np.where(np.arange(10) % 2, -0.84, 0.84)], 1)
    elif faces == 12:
        n = np.array([[0, s, t * _GOLDEN] for s in (-1, 1) for t in (-1, 1)], float)
        n = np.concatenate([n, n[:, [1, 2, 0]], n[:, [2, 0, 1]]])
    else:
        g = _GOLDEN
        n = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        ring = np.array([[0, s / g, t * g] for s in (-1, 1) for t in (-1, 1)], float)
        n = np.concatenate([n, ring, ring[:, [1, 2, 0]], ring[:, [2, 0, 1]]])
    return np.asarray(n / np.linalg.norm(n, axis=1, keepdims=True), np.float64)


def polyhedron(rng: Rng, body: Body, size_mm: float) -> npt.NDArray[np.float64]:
    """Fill a body with a d4, d8, d10, d12 or d20 with numerals.

    Returns:
        The unit normal of the face it lies on, in body coordinates.
    """
    faces = int(rng.choice((4, 8, 10, 12, 20)))
    normals = _normals(faces)
    body["shape"], body["plane_count"] = r.POLYHEDRON, faces
    near = size_mm / 2 * {4: 0.45, 8: 0.72, 10: 0.78, 12: 0.9, 20: 0.92}[faces]
    body["planes"][:faces, :3], body["planes"][:faces, 3] = normals, near
    body["half"] = near
    body["bound_radius"] = near * {4: 2.6, 8: 1.62, 10: 1.5, 12: 1.24, 20: 1.24}[faces]
    _surface(rng, body)
    body["translucency"] = 0
    body["decal"] = -1
    body["decal"][:faces] = rng.permutation(faces)
    body["decal_size"] = {4: 0.2, 8: 0.34, 10: 0.3, 12: 0.36, 20: 0.28}[faces]
    body["pip_colour"][:] = _pip_colour(rng, body["colour"])
    return np.asarray(normals[rng.integers(faces)])


def disc(rng: Rng, body: Body, size_mm: float) -> None:
    """Fill a body with a coin, button, counter or bottle top lying flat."""
    body["shape"] = r.DISC
    height = rng.uniform(0.6, 2.5)
    body["half"] = (size_mm / 2, size_mm / 2, height)
    body["edge_radius"] = height * rng.uniform(0.1, 0.8)
    body["bound_radius"] = float(np.hypot(size_mm / 2, height)) * 1.001
    _surface(rng, body)
    body["translucency"] = 0
    if rng.random() < 0.4:
        body["metal"], body["roughness"] = rng.uniform(0.5, 1), rng.uniform(0.2, 0.6)
        body["colour"] = np.array([[0.7, 0.69, 0.67], [0.7, 0.48, 0.2], [0.55, 0.28, 0.16]])[rng.integers(3)]
        body["pattern"] = r.PLAIN
    body["decal"] = -1
    body["decal"][0] = rng.integers(0, decals.FATE.stop)
    body["decal_size"] = rng.uniform(0.5, 0.95)
    body["pip_colour"][:] = _pip_colour(rng, body["colour"])


def lump(rng: Rng, body: Body, size_mm: float) -> None:
    """Fill a body with a miniature-like lump: base, legs, trunk, head, limbs and a weapon of capsules."""
    body["shape"] = r.LUMP
    s = size_mm / 2
    parts: list[tuple[float, ...]] = [(0, 0, -s * 0.9, s * 0.75, 0, 0, -s * 0.85, s * 0.7)]
    hip, chest = rng.uniform(-0.3, 0.1), rng.uniform(0.4, 0.9)
    lean = rng.normal(0, 0.12, 2)
    parts.append((0, 0, hip * s, 0.26 * s, lean[0] * s, lean[1] * s, chest * s, 0.32 * s))
    parts.append(
        (lean[0] * s, lean[1] * s, (chest + 0.45) * s, 0.2 * s, lean[0] * s, lean[1] * s, (chest + 0.5) * s, 0.18 * s)
    )
    for side in (-1, 1):
        parts.append((side * 0.3 * s, 0, -0.75 * s, 0.13 * s, side * 0.12 * s, 0, hip * s, 0.16 * s))
        hand = rng.normal((side * 0.5, 0.1, 0.3), 0.4)
        parts.append((side * 0.3 * s, 0, chest * s, 0.12 * s, hand[0] * s, hand[1] * s, hand[2] * s, 0.09 * s))
    grip = rng.normal(0, 0.5, 3)
    parts.append((0.5 * s, 0.1 * s, 0.2 * s, 0.06 * s, grip[0] * s, grip[1] * s, (1 + grip[2]) * s, 0.05 * s))
    body["part_count"] = len(parts)
    body["parts"][: len(parts)] = np.array(parts)
    body["half"] = (s, s, 1.6 * s)
    body["bound_radius"] = 2.2 * s
    _surface(rng, body)
    body["translucency"], body["pattern"] = 0, rng.choice((r.PLAIN, r.CLOUD, r.SPECKLE))
    body["decal"] = -1


def slab(rng: Rng, body: Body, half_mm: tuple[float, float, float]) -> None:
    """Fill a body with a plain box: a card, a box of matches, a tray's wall, a key."""
    body["shape"], body["half"] = r.BOX, half_mm
    body["bound_radius"] = float(np.linalg.norm(half_mm)) * 1.001
    body["edge_radius"] = 0.02
    c = colour(rng)
    body["pattern"], body["colour"], body["colour2"] = r.FELT, c, c * np.float32(rng.uniform(0.5, 0.9))
    body["specular"], body["roughness"] = rng.uniform(0, 0.3), 0.5
    body["pattern_scale"], body["seed"] = 1, rng.random()
    body["decal"] = -1
    body["pip_colour"][:] = _pip_colour(rng, c)
