"""A whole table, drawn: a mat on a desk, figures, dice, obstacles and hands, the camera's picture and the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.training.tables.draw import DIE, GRAIN, LABEL, PLAIN, Drawn, Float32, Lamps, Triangles, draw
from models.training.tables.figures import miniature
from models.training.tables.shapes import Array, Mesh, lowest_rest, turned
from models.training.tables.things import die, die_turn, flat_thing, hand, obstacle

Random = np.random.Generator
Image = npt.NDArray[np.uint8]

GROUND_PX_PER_MM = 2.5
MARKER_CENTRES_MM = ((-84, 116), (0, 116), (84, 116), (84, -116), (0, -116), (-84, -116))

DESK_MM = (640, 760)
"""What is drawn of the desk; beyond, its edge goes on."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One thing of the scene and its truth."""

    kind: str
    """`figure`, `die`, `obstacle`, `hand`, `flat` (counts as nothing)."""
    mm: tuple[float, float]
    mesh: Mesh
    """Where it lies, in table mm."""
    outline_mm: Array = field(default_factory=lambda: np.empty((0, 2)))
    """Footprint: a standing figure's base, a die's square, an obstacle's outline."""
    height_mm: float = 0.0
    standing: bool = True
    base_mm: float | None = None
    value: int | None = None
    local: Array | None = None
    """The mesh's vertices in its own axes."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A drawn table."""

    frame_bgr: Image
    empty_bgr: Image | None
    """The same camera and light with nothing on the mat, where it was asked for."""
    view: TableView
    drawn: Drawn
    bodies: tuple[Body, ...]


def camera(random: Random, *, size: tuple[int, int] = (1280, 720)) -> TableView:
    """Place a camera as people do: on a stand or a pile of books, the mat any way round."""
    distance = float(random.uniform(360, 640))
    elevation = math.radians(float(random.uniform(36, 86)))
    quarter = float(random.choice([0, 90, 180, 270])) if random.random() < 0.85 else float(random.uniform(0, 360))
    azimuth = math.radians(quarter + float(random.normal(0, 14)))
    foot = distance * math.cos(elevation)
    place = np.array([foot * math.cos(azimuth), foot * math.sin(azimuth), distance * math.sin(elevation)])
    target = np.array([*random.normal(0, 14, 2), 0.0])
    ahead = target - place
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    roll = float(random.normal(0, 0.1))
    down = np.cross(ahead, right)
    right, down = right * math.cos(roll) + down * math.sin(roll), down * math.cos(roll) - right * math.sin(roll)
    rotation = np.stack([right, down, ahead])
    focal = size[0] / 1280 * distance * float(random.uniform(2.1, 3.4))
    matrix = np.array([[focal, 0, size[0] / 2 - 0.5], [0, focal, size[1] / 2 - 0.5], [0, 0, 1.0]])
    return TableView(matrix, np.zeros(5), rotation, -rotation @ place, size)


def _mix(random: Random, low: float = 0.02, high: float = 0.85) -> Array:
    """A paint: often grey, bone, brown or black, else any colour; linear blue, green, red."""
    if random.random() < 0.45:
        grey = float(random.uniform(low, high)) ** 1.5
        return np.asarray(np.clip(grey * (1 + random.normal(0, 0.12, 3)), 0.01, 0.9))
    hue_saturation_value = [int(random.integers(0, 180)), int(random.integers(60, 255)), int(random.integers(40, 255))]
    hue = np.array([[hue_saturation_value]], np.uint8)
    bgr = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0] / 255.0
    return np.asarray(np.clip(bgr**2.2, 0.008, 0.9))


def _smooth_noise(random: Random, shape: tuple[int, int], cell: float) -> Float32:
    total = np.zeros(shape, np.float32)
    weight = 1.0
    for _ in range(4):
        small = (max(2, int(shape[0] / cell) + 2), max(2, int(shape[1] / cell) + 2))
        total += weight * cv2.resize(
            random.normal(size=small).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC
        )
        weight *= 0.6
        cell = max(2.0, cell / 2.2)
    return total


def bare_desk(random: Random) -> Float32:
    """Draw wood, cloth or paint: linear colours, 0 to 1, shape (rows, columns, 3) of `DESK_MM`."""
    scale = GROUND_PX_PER_MM
    shape = (int(DESK_MM[1] * scale), int(DESK_MM[0] * scale))
    desk = np.ones((*shape, 3), np.float32) * _mix(random).astype(np.float32)
    kind = random.random()
    if kind < 0.55:  # wood
        grain = cv2.resize(
            random.normal(size=(12, 700) if random.random() < 0.5 else (700, 12)).astype(np.float32),
            shape[::-1],
            interpolation=cv2.INTER_CUBIC,
        )
        warm = np.array([0.22, 0.42, 0.72]) * float(random.uniform(0.25, 1.0))
        desk = warm.astype(np.float32) * (1 + 0.12 * grain[..., None]).astype(np.float32)
    elif kind < 0.8:
        desk *= 1 + np.float32(0.08) * _smooth_noise(random, shape, float(random.uniform(10, 120)))[..., None]
    elif kind < 0.88:  # cloth with a pattern
        step = float(random.uniform(6, 40)) * scale
        y, x = np.mgrid[: shape[0], : shape[1]]
        desk *= np.where(((x // step) + (y // step)) % 2 > 0, 1.0, float(random.uniform(0.5, 0.95)))[..., None].astype(
            np.float32
        )
    return desk


def ground(random: Random) -> Image:
    """Draw the desk with the printed sheet on it: linear colours, 0..255."""
    scale = GROUND_PX_PER_MM
    desk = bare_desk(random)
    paper_mm = (210.0, 297.0) if random.random() < 0.75 else (215.9, 279.4)
    size = (round(paper_mm[1] * scale), round(paper_mm[0] * scale))
    dark = random.random() < 0.38
    if dark:
        base = float(random.uniform(0.02, 0.12)) * np.clip(1 + random.normal(0, 0.2, 3), 0.5, 1.6)
    elif random.random() < 0.25:
        base = np.array([0.35, 0.55, 0.7]) * float(random.uniform(0.6, 1.1))
    elif random.random() < 0.15:
        base = _mix(random, 0.2)
    else:
        base = float(random.uniform(0.6, 0.9)) * np.clip(1 + random.normal(0, 0.03, 3), 0.8, 1.1)
    sheet = np.ones((*size, 3), np.float32) * base.astype(np.float32)
    blotch = float(random.choice([0.0, 0.02, 0.05, 0.09])) * (1.6 if dark else 1.0)
    sheet *= np.exp(np.float32(blotch) * _smooth_noise(random, size, float(random.uniform(15, 90))))[..., None]
    sheet = np.clip(sheet, 0.004, 0.95)
    ink = (
        (sheet + (0.3 - sheet) * float(random.uniform(0.2, 0.8))) if dark else sheet * float(random.uniform(0.25, 0.7))
    )
    _print(sheet, ink, random, dark=dark, scale=scale)
    top, left = (desk.shape[0] - size[0]) // 2, (desk.shape[1] - size[1]) // 2
    desk[top : top + size[0], left : left + size[1]] = sheet
    image: Image = np.clip(desk * np.float32(255), 0, 255).astype(np.uint8)
    return image


def _print(sheet: Float32, ink: Float32, random: Random, *, dark: bool, scale: float) -> None:
    """Print lines, ticks and markers into the sheet."""
    rows, columns = sheet.shape[:2]

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x * scale) + columns / 2), round(rows / 2 - y * scale)

    lines = np.zeros((rows, columns), np.uint8)
    thick = int(random.choice([1, 1, 2]))
    cv2.rectangle(lines, at(-100, 100), at(100, -100), 255, thick)
    for k in range(-9, 10):
        for side in (-100, 100):
            tick = 6 if k % 5 == 0 else 3
            inner = side - math.copysign(tick, side)
            cv2.line(lines, at(10 * k, side), at(10 * k, inner), 255, 1)
            cv2.line(lines, at(side, 10 * k), at(inner, 10 * k), 255, 1)
    if random.random() < 0.5:
        if random.random() < 0.8:
            for k in range(8):
                place = -88.9 + 25.4 * k
                cv2.line(lines, at(place, -88.9), at(place, 88.9), 255, thick)
                cv2.line(lines, at(-88.9, place), at(88.9, place), 255, thick)
        else:
            for column in range(-4, 5):
                for row in range(-4, 5):
                    centre = (column * 22.0, row * 25.4 + (12.7 if column % 2 else 0))
                    corners = [
                        at(centre[0] + 14.66 * math.cos(a), centre[1] + 14.66 * math.sin(a))
                        for a in np.arange(6) * math.pi / 3
                    ]
                    if max(map(abs, centre)) < 86:
                        cv2.polylines(lines, [np.array(corners)], True, 255, thick)
    if random.random() < 0.5:  # trays, a ruler, lettering
        for x in (-67, 17):
            cv2.rectangle(lines, at(x, 133), at(x + 50, 104), 255, 1)
            cv2.putText(lines, "roll here", at(x + 12, 117), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 255, 1)
        cv2.line(lines, at(-60, -125), at(-10, -125), 255, 1)
        cv2.putText(lines, "each side 20.0 cm", at(15, -128), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 255, 1)
    mix = (lines / 255.0)[..., None]
    sheet[:] = sheet * (1 - mix) + ink * mix
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    white = np.full(3, 0.75 if dark else 0.0)
    for number, (x, y) in enumerate(MARKER_CENTRES_MM):
        side = round(24 * scale)
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)[..., None] / 255.0
        left, top = at(x - 12, y + 12)
        rim = round(4 * scale)
        if dark or random.random() < 0.4:
            sheet[top - rim : top + side + rim, left - rim : left + side + rim] = np.maximum(white, 0.7)
        paper = sheet[top : top + side, left : left + side]
        bright = np.maximum(white, np.maximum(paper, 0.55) if not dark else paper * 0 + 0.7)
        sheet[top : top + side, left : left + side] = marker * bright + (1 - marker) * 0.02


def lamps(random: Random) -> Lamps:
    """Light a table: one or two lamps of some width, and the sky or a ceiling."""
    towards, colours = [], []
    count = 1 if random.random() < 0.7 else 2
    sky_share = float(random.uniform(0.25, 0.92))
    tint = np.exp(random.normal(0, 0.14) * np.array([1.0, 0.0, -1.0]))
    for _ in range(count):
        angle, height = float(random.uniform(0, 2 * math.pi)), float(random.uniform(0.35, 1.45))
        way = np.array([math.cos(angle) * math.cos(height), math.sin(angle) * math.cos(height), math.sin(height)])
        wide = float(random.choice([0.02, 0.06, 0.12, 0.2]))
        for _ in range(4):
            one = way + random.normal(0, wide, 3)
            towards.append(one / np.linalg.norm(one))
            colours.append(tint * (1 - sky_share) / 4 / count / max(0.3, math.sin(height)) * 1.1)
    highlights = len(towards)
    sky = np.exp(random.normal(0, 0.1) * np.array([1.0, 0.0, -1.0]))
    tilt = random.normal(0, 0.35, 2)
    for k in range(7):
        angle, height = k * 2.4 + float(random.uniform(0, 0.8)), math.asin(min(0.98, 0.2 + 0.75 * (k + 0.5) / 7))
        way = np.array([math.cos(angle) * math.cos(height), math.sin(angle) * math.cos(height), math.sin(height)])
        towards.append(way)
        colours.append(sky * sky_share / 7 / 0.62 * max(0.1, 1 + float(way[:2] @ tilt)))
    return Lamps(
        np.array(towards, np.float32), np.array(colours, np.float32),
        (float(random.normal(0, 160)), float(random.normal(0, 160))), float(random.uniform(250, 1500)), highlights,
    )  # fmt: skip


class _Layout:
    """Places that are taken already."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, float, float]] = []

    def free(self, x: float, y: float, radius: float) -> bool:
        return all(math.hypot(x - a, y - b) > radius + r for a, b, r in self.taken)

    def find(
        self, random: Random, radius: float, reach: float = 92.0, near: tuple[float, float, float] | None = None
    ) -> tuple[float, float] | None:
        for _ in range(60):
            if near is None:
                x, y = random.uniform(-reach, reach, 2)
            else:
                angle = float(random.uniform(0, 2 * math.pi))
                gap = near[2] + radius + float(random.exponential(6.0)) + 0.5
                x, y = near[0] + gap * math.cos(angle), near[1] + gap * math.sin(angle)
                if max(abs(x), abs(y)) > 112:
                    continue
            if self.free(float(x), float(y), radius):
                self.taken.append((float(x), float(y), radius))
                return float(x), float(y)
        return None


def layout(random: Random) -> list[Body]:
    """Lay things on the table as in a game."""
    bodies: list[Body] = []
    room = _Layout()
    for _ in range(int(random.choice([0, 1, 2, 3], p=[0.25, 0.25, 0.3, 0.2]))):
        thing = obstacle(random)
        radius = float(np.hypot(*thing.outline.T).max())
        place = room.find(random, radius * 0.85, 90)
        if place:
            bodies.append(
                Body(
                    "obstacle",
                    place,
                    thing.mesh.moved((*place, 0.0)),
                    thing.outline + place,
                    thing.height_mm,
                    local=thing.mesh.vertices,
                )
            )
    side = float(random.choice([12, 12, 14, 16, 16, 16, 19])) * float(random.uniform(0.95, 1.05))
    figures = int(random.integers(0, 8))
    for _ in range(figures):
        mini = miniature(random)
        if random.random() < 0.3:
            start = np.array([*random.normal(size=2), float(random.normal(-0.1, 0.25))])
            turn, _ = lowest_rest(mini.mesh.vertices, random, start)
            lying = mini.mesh.moved(turn=turn)
            low, high = lying.vertices.min(axis=0), lying.vertices.max(axis=0)
            up = turn[:, 2]
            middle = (low + high) / 2
            lying = lying.moved((-middle[0], -middle[1], -low[2])).moved(
                turn=turned((0, 0, 1), float(random.uniform(0, 6.28)))
            )
            standing = bool(up[2] > 0.85)
            place = room.find(random, float(max(high[0] - low[0], high[1] - low[1])) / 2 * 0.8)
            if place is None or standing or up[2] < -0.85:
                continue
            bodies.append(
                Body(
                    "figure",
                    place,
                    lying.moved((*place, 0.0)),
                    np.empty((0, 2)),
                    mini.height_mm,
                    False,
                    mini.base_mm,
                    local=mini.mesh.vertices,
                )
            )
        else:
            radius = float(np.hypot(*mini.footprint.T).max())
            near = (
                room.taken[int(random.integers(0, len(room.taken)))] if room.taken and random.random() < 0.25 else None
            )
            place = room.find(random, radius, near=near)
            if place is None:
                continue
            bodies.append(
                Body(
                    "figure",
                    place,
                    mini.mesh.moved((*place, 0.0)),
                    mini.footprint + place,
                    mini.height_mm,
                    True,
                    mini.base_mm,
                    local=mini.mesh.vertices,
                )
            )
        if random.random() < 0.6:
            for _ in range(int(random.integers(1, 4))):
                _add_die(bodies, room, random, side, room.taken[-1] if random.random() < 0.8 else None)
    for _ in range(int(random.integers(0, 3))):
        _add_die(bodies, room, random, side, None)
    if random.random() < 0.15:
        for _ in range(int(random.integers(1, 3))):
            place = room.find(random, 12, 105)
            scrap = flat_thing(random)
            if place:
                bodies.append(Body("flat", place, scrap.moved((*place, 0.0)), local=scrap.vertices))
    for _ in range(int(random.integers(0, 3)) if random.random() < 0.5 else 0):  # clutter beside the mat
        thing = obstacle(random)
        radius = float(np.hypot(*thing.outline.T).max())
        angle = float(random.uniform(0, 2 * math.pi))
        place = (
            math.cos(angle) * (170 + radius + 60 * random.random()),
            math.sin(angle) * (190 + radius + 60 * random.random()),
        )
        bodies.append(Body("flat", place, thing.mesh.moved((*place, 0.0)), local=thing.mesh.vertices))
    if random.random() < 0.22:
        for _ in range(1 if random.random() < 0.8 else 2):
            target = random.uniform(-95, 95, 2)
            mesh = hand(random, target, float(random.uniform(0, 2 * math.pi)), float(random.choice([6, 15, 30, 60])))
            bodies.append(
                Body(
                    "hand", (float(target[0]), float(target[1])), mesh, local=mesh.vertices - mesh.vertices.mean(axis=0)
                )
            )
            if random.random() < 0.4:
                cube = die(random, side)
                held = np.array([*target, float(random.uniform(side / 2, 40))])
                bodies.append(Body("hand", (0.0, 0.0), cube.moved(held), local=cube.vertices))
    return bodies


def _add_die(
    bodies: list[Body], room: _Layout, random: Random, side: float, near: tuple[float, float, float] | None
) -> None:
    place = room.find(random, side * 0.62, 95, near)
    if place is None:
        return
    cube = die(random, side)
    value = int(random.integers(1, 7))
    turn = die_turn(value, random)
    lying = cube.moved((*place, side / 2), turn)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    yaw = math.atan2(turn[1, 0], turn[0, 0]) if abs(turn[2, 0]) < 0.5 else math.atan2(turn[1, 1], turn[0, 1])
    outline = square @ turned((0, 0, 1), yaw)[:2, :2].T + place
    bodies.append(Body("die", place, lying, outline, side, True, side, value, cube.vertices))


def triangles(bodies: list[Body], random: Random) -> Triangles:
    """Paint all bodies and put their triangles together."""
    parts: dict[str, list[npt.NDArray[Any]]] = {
        k: [] for k in ("corners", "normals", "local", "colour", "second", "gloss", "style", "body")
    }
    dice_paint = (_mix(random), _mix(random))
    if abs(dice_paint[0].mean() - dice_paint[1].mean()) < 0.25:
        dice_paint = (dice_paint[0], np.full(3, 0.85) if dice_paint[0].mean() < 0.35 else np.full(3, 0.02))
    skin = np.array([0.25, 0.36, 0.6]) * float(random.uniform(0.12, 1.1))
    for number, body in enumerate(bodies):
        mesh, faces = body.mesh, body.mesh.faces
        paints = np.stack([_mix(random) for _ in range(6)])
        if body.kind == "figure":
            if random.random() < 0.45:
                paints[1:] = paints[1]
            elif random.random() < 0.5:
                paints[1:] = paints[1] * np.exp(random.normal(0, 0.3, (5, 1)))
            if random.random() < 0.55:
                paints[0] = float(random.uniform(0.008, 0.12)) * np.clip(1 + random.normal(0, 0.4, 3), 0.3, 2)
        if body.kind == "hand":
            paints[0] = skin if random.random() < 0.85 else paints[0]
            paints[1] = skin if random.random() < 0.4 else paints[1]
        style, second, gloss = PLAIN, _mix(random), np.zeros(5)
        metal = body.kind == "figure" and random.random() < 0.2
        gloss[:2] = (float(random.uniform(0.1, 0.5)), float(random.uniform(8, 40))) if metal else (
            float(random.choice([0.0, 0.02, 0.06, 0.15])), float(random.uniform(10, 60)))  # fmt: skip
        if body.kind == "die":
            own = dice_paint if random.random() < 0.8 else (_mix(random), np.full(3, 0.85))
            paints[:], second, style = own[0], own[1], DIE
            gloss[2:] = (body.height_mm / 2, float(random.uniform(0.16, 0.24)), float(random.uniform(0.4, 0.58)))
        elif body.kind in ("figure", "obstacle", "flat") and random.random() < (0.3 if body.kind == "figure" else 0.4):
            style = GRAIN if random.random() < 0.6 or body.kind == "figure" else LABEL
            if style == GRAIN:
                second = np.clip(paints[1] * np.exp(random.normal(0, 0.6, 3)), 0.008, 0.9)
                gloss[2:] = (float(random.uniform(1, 20)), float(random.uniform(1, 20)), float(random.integers(0, 999)))
            else:
                gloss[2:] = (
                    float(random.uniform(1.5, 8)),
                    float(random.uniform(2.5, 9)),
                    float(random.integers(0, 999)),
                )
        count = len(faces)
        assert body.local is not None
        parts["corners"].append(mesh.vertices[faces])
        parts["normals"].append(mesh.normals[faces])
        parts["local"].append(body.local[faces] if len(body.local) == len(mesh.vertices) else mesh.vertices[faces])
        parts["colour"].append(paints[np.minimum(mesh.paint, 5)])
        parts["second"].append(np.repeat(second[None], count, axis=0))
        parts["gloss"].append(np.repeat(gloss[None], count, axis=0))
        parts["style"].append(np.full(count, style))
        parts["body"].append(np.full(count, number))
    if not bodies:
        empty = np.zeros((0, 3, 3), np.float32)
        return Triangles(
            empty,
            empty,
            empty,
            empty[:, 0],
            empty[:, 0],
            np.zeros((0, 5), np.float32),
            np.zeros(0, np.int32),
            np.zeros(0, np.int32),
        )

    def whole(name: str) -> Float32:
        return np.ascontiguousarray(np.concatenate(parts[name]), np.float32)

    return Triangles(
        corners=whole("corners"),
        normals=whole("normals"),
        local=whole("local"),
        colour=whole("colour"),
        second=whole("second"),
        gloss=whole("gloss"),
        style=np.concatenate(parts["style"]).astype(np.int32),
        body=np.concatenate(parts["body"]).astype(np.int32),
    )


def webcam(random: Random, metered: npt.NDArray[np.float32]) -> dict[str, float]:
    """Choose how a camera develops a picture; exposed for the light of a part, shape (rows, columns, 3)."""
    bright = float(np.percentile(metered, 90)) + 1e-4
    return {
        "exposure": float(random.uniform(0.35, 0.95)) / max(bright, 0.08),
        "blue": float(np.exp(random.normal(0, 0.08))),
        "red": float(np.exp(random.normal(0, 0.08))),
        "shoulder": float(random.choice([0.0, 0.3, 1.0])),
        "soft": float(random.uniform(0.4, 1.3)),
        "noise": float(random.uniform(0.002, 0.022)),
        "sharpen": float(random.choice([0.0, 0.5, 1.0])),
        "quality": float(random.uniform(55, 96)),
    }


def develop(light: npt.NDArray[np.float32], random: Random, look: dict[str, float]) -> Image:
    """Turn linear light into a webcam's picture: exposure, gamma, softness, noise, sharpening, JPEG."""
    picture = light * look["exposure"] * np.array([look["blue"], 1.0, look["red"]], np.float32)
    picture = np.clip(picture, 0, None)
    picture = (picture / (1 + picture * look["shoulder"]) * (1 + look["shoulder"])).clip(0, 1) ** (1 / 2.2)
    picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), look["soft"])
    picture = picture + look["noise"] * (
        random.standard_normal(picture.shape[:2], np.float32)[..., None]
        + 0.6 * random.standard_normal(picture.shape, np.float32)
    )
    if look["sharpen"] > 0:
        picture = picture + look["sharpen"] * (picture - cv2.GaussianBlur(picture, (0, 0), 1.4))
    image = (picture * 255).clip(0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(look["quality"])])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def make_scene(random: Random, *, with_empty: bool = True) -> Scene:
    """Make one table with its truth."""
    view, light, table = camera(random), lamps(random), ground(random)
    bodies = layout(random)
    drawn = draw(triangles(bodies, random), len(bodies), view, table, GROUND_PX_PER_MM, light)
    look = webcam(random, drawn.light[180:540, 320:960])
    empty = None
    if with_empty:
        nothing = draw(triangles([], random), 0, view, table, GROUND_PX_PER_MM, light)
        drift = dict(look, exposure=look["exposure"] * float(np.exp(random.normal(0, 0.06))))
        empty = develop(nothing.light, random, drift)
    return Scene(develop(drawn.light, random, look), empty, view, drawn, tuple(bodies))
