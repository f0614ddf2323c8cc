"""Compose random tables with dice and things that are no dice, draw them and say the truth about each die."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.training.dice import decals, designs
from models.training.dice import render as r
from models.training.dice.grounds import MM_PER_PX, SIZE

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]

TILE_PX = 320
"""Edge of a tile."""
LEVEL_TILT_DEG = 14.0
"""A top face tilted no more than this is read; between this and `COCKED_TILT_DEG` the value is left out of training."""
COCKED_TILT_DEG = 24.0
"""From this tilt a die is cocked: unreadable. Leaning dice in photographs of trays are labelled up to about 20."""
DIE, CUBE, OTHER = "die", "cube", "other"


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of one body of a tile; pixels of the tile, x right and y down."""

    kind: str
    """'die' (a cube with pips), 'cube' (numerals, logos, blank, odd counts) or 'other'."""
    value: int | None
    """Pips of the up face, 0 = unreadable (cocked, hidden, a logo), None = in between, to be ignored."""
    box: tuple[float, float, float, float]
    """x0, y0, x1, y1 of the whole outline."""
    top: tuple[tuple[float, float], ...]
    """The four corners of the up face's square, in order around it; empty for other things."""
    visible: float
    """Share of the outline that is not hidden."""
    top_visible: float
    """Share of the up face that is not hidden."""


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A picture with its truth."""

    rgb: npt.NDArray[np.uint8]
    """Shape (320, 320, 3)."""
    truths: tuple[Truth, ...]
    elevation_deg: float
    """The camera's height over the table plane, 90 = straight down."""


def truth_line(tile: Tile) -> str:
    """One JSON line for the tile's truth."""
    rows = [
        {
            "kind": t.kind,
            "value": t.value,
            "box": [round(v, 1) for v in t.box],
            "top": [[round(x, 1), round(y, 1)] for x, y in t.top],
            "visible": round(t.visible, 3),
            "top_visible": round(t.top_visible, 3),
        }
        for t in tile.truths
    ]
    return json.dumps({"elevation_deg": round(tile.elevation_deg, 1), "bodies": rows})


def _turn(axis: int, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    out = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[i, i], out[i, j], out[j, i], out[j, j] = c, -s, s, c
    return out


def _camera(rng: Rng, die_mm: float, die_px: float) -> tuple[npt.NDArray[np.void], float]:
    """A camera that sees a die of `die_mm` at the origin about `die_px` wide; returns it with its elevation."""
    pick = rng.random()
    elevation = float(
        rng.uniform(78, 90) if pick < 0.28 else rng.uniform(40, 78) if pick < 0.68 else rng.uniform(20, 42)
    )
    if rng.random() < 0.07:
        elevation = 90.0
    far = die_mm * rng.uniform(9, 60)
    e = np.radians(elevation)
    position = np.array([0, -far * np.cos(e), far * np.sin(e)])
    ahead = -position / far
    right = np.array([1.0, 0, 0])
    down = np.cross(ahead, right)
    roll = np.radians(rng.uniform(-12, 12) if elevation < 75 else rng.uniform(-180, 180))
    c, s = np.cos(roll), np.sin(roll)
    camera = np.zeros(1, r.CAMERA)
    camera["position"] = position
    camera["axes"] = np.stack([c * right + s * down, -s * right + c * down, ahead])
    focal = die_px * far / (1.25 * die_mm)
    squeeze = rng.uniform(0.8, 1.25) if rng.random() < 0.3 else 1.0
    camera["focal"] = (focal * squeeze**0.5, focal / squeeze**0.5)
    camera["principal"] = TILE_PX / 2 + rng.uniform(-30, 30, 2)
    return camera, elevation


def _project(camera: npt.NDArray[np.void], points: Floats) -> Floats:
    rel = (points - camera["position"][0]) @ camera["axes"][0].T
    return np.asarray(rel[:, :2] / rel[:, 2:] * camera["focal"][0] + camera["principal"][0], np.float64)


def _on_table(camera: npt.NDArray[np.void], pixel: Floats, height: float) -> Floats | None:
    ray = np.append((pixel - camera["principal"][0]) / camera["focal"][0], 1.0) @ camera["axes"][0]
    if ray[2] > -1e-3:
        return None
    at = camera["position"][0] + ray * (height - camera["position"][0][2]) / ray[2]
    return np.asarray(at, np.float64)


def _lights(rng: Rng, reach: float) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    lights = np.zeros(1 if rng.random() < 0.65 else 2, r.LIGHT)
    for light in lights:
        high = np.radians(rng.uniform(22, 85))
        side = rng.uniform(0, 2 * np.pi)
        far = reach * rng.uniform(3, 20)
        light["position"] = far * np.array([np.cos(high) * np.cos(side), np.cos(high) * np.sin(side), np.sin(high)])
        warmth = rng.uniform(-0.25, 0.4)
        light["colour"] = rng.uniform(0.15, 1.3) * np.array([1 + warmth * 0.5, 1, 1 - warmth * 0.7]) / len(lights)
        light["sharpness"] = np.exp(rng.uniform(np.log(2), np.log(80)))
        pool = rng.random() < 0.25
        light["pool"] = (
            (*rng.uniform(-reach, reach, 2), reach * rng.uniform(0.6, 2.5), rng.uniform(0.05, 0.6))
            if pool
            else (0, 0, 1, 1)
        )
    ground = np.zeros(1, r.GROUND)
    ground["sky"] = rng.uniform(0.12, 0.75) * (1 + rng.uniform(-0.12, 0.12, 3))
    ground["floor_bounce"] = ground["sky"] * rng.uniform(0.2, 0.8)
    ground["window"] = rng.uniform(0.3, 3.0)
    up = rng.normal(0, 1, 3)
    up[2] = abs(up[2]) + 0.3
    ground["window_dir"] = up / np.linalg.norm(up)
    ground["window_size"] = rng.uniform(0.02, 0.25)
    ground["gloss"] = rng.uniform(0.05, 0.5) if rng.random() < 0.2 else 0
    return lights, ground


def _free(spots: list[tuple[float, float, float]], x: float, y: float, radius: float, slack: float) -> bool:
    return all((x - a) ** 2 + (y - b) ** 2 >= ((radius + c) * slack) ** 2 for a, b, c in spots)


def compose(rng: Rng, texture: npt.NDArray[np.uint8], *, large: bool = False, negatives: bool = False) -> Tile:
    """Draw one random tile.

    Args:
        rng: all randomness; the same state gives the same tile.
        texture: the ground, from `grounds.ground`.
        large: dice of 75 to 260 px instead of 13 to 72.
        negatives: no pip dice, only things that are mistaken for dice.
    """
    die_px = float(np.exp(rng.uniform(np.log(75), np.log(260)) if large else rng.uniform(np.log(13), np.log(72))))
    die_mm = float(rng.uniform(10, 25))
    camera, elevation = _camera(rng, die_mm, die_px)
    span = TILE_PX / die_px * die_mm
    lights, ground = _lights(rng, span)
    scale = MM_PER_PX * np.exp(rng.uniform(np.log(0.5), np.log(2.0)))
    spin = rng.uniform(0, 2 * np.pi)
    ground["map"] = np.array(
        [
            [np.cos(spin) / scale, -np.sin(spin) / scale, rng.uniform(0, SIZE)],
            [np.sin(spin) / scale, np.cos(spin) / scale, rng.uniform(0, SIZE)],
        ]
    )
    many = (
        int(rng.integers(1, 3)) if large else int(rng.choice((1, 2, 3, 5, 8, 12), p=(0.14, 0.16, 0.2, 0.22, 0.18, 0.1)))
    )
    if not large and die_px < 30 and rng.random() < 0.4:
        many += int(rng.integers(3, 12))
    crowded = rng.random() < 0.4
    one_set = rng.random() < 0.35
    bodies = np.zeros(r.MOST_BODIES, r.BODY)
    used = 0
    values: list[tuple[int, ...] | None] = []
    cubes: list[bool] = []
    spots: list[tuple[float, float, float]] = []
    heights: list[float] = []
    centre = np.array([rng.uniform(40, 280), rng.uniform(40, 280)])
    set_seed = int(rng.integers(1 << 30))
    for k in range(many * 3):
        if used >= many:
            break
        odd = negatives or rng.random() < 0.1
        size = die_mm * (1.0 if one_set else float(rng.uniform(0.72, 1.3)))
        pixel = (
            centre + rng.normal(0, die_px * (0.7 + 0.42 * many**0.5), 2)
            if crowded and k
            else rng.uniform(4, TILE_PX - 4, 2)
        )
        at = _on_table(camera, pixel, size / 2)
        if at is None or np.linalg.norm(at[:2]) > span * 4:
            continue
        body = bodies[used]
        body["decal"] = -1
        radius = size * 0.62
        stacked = False
        if not _free(spots, at[0], at[1], radius, 0.86 if crowded else 1.0):
            near = [i for i, (a, b, _) in enumerate(spots) if np.hypot(at[0] - a, at[1] - b) < 0.5 * size]
            flat = [i for i in near if heights[i] > 0]
            if not (flat and rng.random() < 0.25):
                continue
            stacked = True
            lift = heights[flat[0]]
            at[:2] = np.array(spots[flat[0]][:2]) + rng.normal(0, 0.1 * size, 2)
        kind = (
            "cube"
            if not odd
            else str(rng.choice(("cube", "poly", "disc", "lump", "slab"), p=(0.4, 0.27, 0.14, 0.13, 0.06)))
        )
        pips: tuple[int, ...] | None = None
        turn = _turn(2, rng.uniform(0, 2 * np.pi))
        if kind == "cube":
            state = np.random.default_rng(set_seed) if one_set and not odd else rng
            if odd:
                designs.odd_cube(rng, body, size)
            else:
                pips = designs.pip_die(state, body, size)
            body["seed"] = rng.random()
            up = int(rng.integers(6))
            body["up_face"] = up
            axis, sign = up // 2, 1 - 2 * (up % 2)
            rows = np.zeros((3, 3))
            rows[axis] = (0, 0, sign)
            rows[(axis + 1) % 3] = (1, 0, 0)
            rows[(axis + 2) % 3] = np.cross(rows[axis], rows[(axis + 1) % 3])
            tilt = 0.0
            if rng.random() < 0.09:
                tilt = float(rng.uniform(4, 42))
            elif rng.random() < 0.1:
                tilt = float(rng.uniform(0, 4))
            lean = _turn(0, np.radians(tilt))
            rest = turn @ lean @ _turn(2, rng.uniform(0, 2 * np.pi))
            body["axes"] = rows @ rest.T
            half = size / 2
            low = half * float(np.abs(body["axes"][:, 2]).sum()) if tilt > 4 else half
            height = low - (0.12 * half if tilt > 4 else 0)
        elif kind == "poly":
            down = designs.polyhedron(rng, body, size * rng.uniform(0.9, 1.5))
            z = -down
            x = np.cross(z, (0.3, 0.5, 0.8))
            x /= np.linalg.norm(x)
            body["axes"] = (turn @ np.stack([x, np.cross(z, x), z])).T
            height = float(body["planes"][0, 3])
        elif kind == "disc":
            designs.disc(rng, body, size * rng.uniform(0.8, 1.9))
            body["axes"] = turn.T
            height = float(body["half"][2])
        elif kind == "lump":
            designs.lump(rng, body, size * rng.uniform(1.0, 1.9))
            fallen = _turn(0, np.pi / 2) if rng.random() < 0.25 else np.eye(3)
            body["axes"] = (turn @ fallen).T
            height = float(body["half"][0]) * (0.8 if fallen[2, 2] < 0.5 else 1.6)
        else:
            half3 = (size * rng.uniform(0.4, 2), size * rng.uniform(0.3, 1.5), size * rng.uniform(0.05, 0.8))
            designs.slab(rng, body, half3)
            body["axes"] = turn.T
            height = half3[2]
            radius = max(half3[:2])
        body["centre"] = (at[0], at[1], height + (lift if stacked else 0))
        spots.append((float(at[0]), float(at[1]), radius))
        heights.append(height * 2 if kind == "cube" and not stacked else 0)
        values.append(pips)
        cubes.append(kind == "cube")
        used += 1
    walls = 0
    if rng.random() < 0.08 and used:
        wall = bodies[used]
        designs.slab(rng, wall, (span * 2, rng.uniform(1, 4), rng.uniform(0.8, 2.5) * die_mm))
        wall["axes"] = _turn(2, rng.uniform(0, np.pi)).T
        away = rng.uniform(0.3, 0.6) * span
        wall["centre"] = (*(wall["axes"][1, :2] * away), float(wall["half"][2]))
        walls = 1
    brightness = float(rng.uniform(0.35, 1.05))
    lamp = float(np.mean(lights["colour"].sum(0)) * 0.75 + np.mean(ground["sky"]))
    ground["exposure"] = brightness / max(0.15, lamp) * rng.uniform(0.85, 1.3)
    drawn = r.draw(bodies[: used + walls], camera, lights, ground, texture, decals.atlas(), size=(TILE_PX, TILE_PX))
    truths = []
    for k in range(used):
        box = drawn.outline_px[k]
        if not np.isfinite(box).all():
            continue
        body, pips = bodies[k], values[k]
        rows, half = body["axes"].astype(np.float64), float(body["half"][0])
        value: int | None = None
        top: Floats = np.zeros((0, 2))
        whole = True
        if pips is not None:
            up = int(body["up_face"])
            axis, sign = up // 2, 1 - 2 * (up % 2)
            u, v = rows[(axis + 1) % 3], rows[(axis + 2) % 3]
            middle = body["centre"] + rows[axis] * sign * half
            square = np.stack([middle + half * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
            top = _project(camera, square)
            whole = bool((top > -1).all() and (top < TILE_PX + 1).all())
            tilt = float(np.degrees(np.arccos(np.clip(rows[axis, 2] * sign, -1, 1))))
            value = pips[up] if tilt <= LEVEL_TILT_DEG else 0 if tilt >= COCKED_TILT_DEG else None
            if drawn.top_visible[k] < 0.55:
                value = 0
            elif drawn.top_visible[k] < 0.85 or not whole:
                value = None
        truths.append(
            Truth(
                kind=DIE if pips is not None else CUBE if cubes[k] else OTHER,
                value=0 if pips is None else value,
                box=(float(box[0]), float(box[1]), float(box[2]), float(box[3])),
                top=tuple((float(x), float(y)) for x, y in top),
                visible=float(drawn.visible[k]),
                top_visible=float(drawn.top_visible[k]),
            )
        )
    return Tile(rgb=drawn.rgb, truths=tuple(truths), elevation_deg=elevation)
