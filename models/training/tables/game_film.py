"""A planned game drawn: a still for every key moment, how long each is held, and the frames that a camera would give.

Only the part of a still that can have changed is drawn again; hands are drawn at half the size, as they are seen for
an instant only. Noise and a slow drift of the exposure are fresh in every frame, and are not stored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table import TableNotFound, find_table
from calibration.table_view import TableView
from devices.frame import Frame
from models.training.tables.draw import Drawn, Lamps, Triangles, draw
from models.training.tables.game_plan import FAR, Hold, Lying, Plan, Thing, Throw, Visit
from models.training.tables.scene import (
    GROUND_PX_PER_MM,
    Body,
    Image,
    Random,
    develop,
    ground,
    lamps,
    triangles,
)
from models.training.tables.shapes import Array, Mesh, joined, limb, turned
from models.training.tables.things import hand

RATE_HZ = 15.0
"""Frames a second: what cheap webcams give in the evening."""
APPROACH_FRAMES, GRIP_FRAMES, LEAVE_FRAMES = 3, 4, 3
"""A visit of a hand takes 0.9 to 1.1 s."""
FLIGHT_FRAMES = 7
BLUR_DRAWINGS = 3
"""A die in flight is drawn so often in one frame, and the drawings are averaged."""
APPROACH_MM = 95.0
"""So far from the thing a hand is caught on its way."""
SKY_STEP = 3
"""Of a scene's lamps every so many of those of the sky is kept, which halves the time that a drawing takes."""
JPEG_QUALITY = 95
NOISE_FIELDS = 6
DRIFT, DRIFT_FRAMES = 0.012, 40
"""Share by which the exposure wanders, and how fast, as with the camera of the demo recording."""


@dataclass(slots=True)
class _Film:
    """Stills and how long they are held."""

    folder: Path
    count: int = 0
    held: list[tuple[int, int]] = field(default_factory=list)
    """Number of a still and for how many frames."""
    truth: list[dict[str, Any]] = field(default_factory=list)

    @property
    def frames(self) -> int:
        """How many frames there are so far."""
        return sum(frames for _, frames in self.held)

    def still(self, image_bgr: Image) -> int:
        """Store a picture and give its number."""
        path = self.folder / f"{self.count:04d}.jpg"
        if not cv2.imwrite(str(path), image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]):
            raise OSError(f"{path} cannot be written")
        self.count += 1
        return self.count - 1

    def tell(self, facts: Iterable[dict[str, Any]]) -> None:
        """Add lines of truth of this moment."""
        frame = self.frames
        self.truth += [{"time_s": round(frame / RATE_HZ, 3), "frame": frame, **fact} for fact in facts]


class _Painter:
    """Draws the table of one game in parts."""

    def __init__(self, plan: Plan) -> None:
        random = np.random.default_rng((plan.seed, 1))
        self.things = plan.things
        self.state: dict[str, Lying] = {}
        self.ground = ground(random)
        self.lamps = _thinned(lamps(random))
        self.view = plan.view
        empty = _empty(self.view, self.ground, self.lamps)
        bright = float(np.percentile(empty.light[180:540, 320:960], 90)) + 1e-4
        self.look = {
            "exposure": float(random.uniform(0.5, 0.9)) / max(bright, 0.08),
            "blue": float(np.exp(random.normal(0, 0.06))),
            "red": float(np.exp(random.normal(0, 0.06))),
            "shoulder": float(random.choice([0.0, 0.3, 1.0])),
            "soft": float(random.uniform(0.4, 1.0)),
            "noise": 0.0,
            "sharpen": float(random.choice([0.0, 0.5])),
            "quality": 97.0,
        }
        self.noise_levels = float(random.uniform(1.0, 4.0))
        self.light = empty.light.copy()
        self.hand_seed = plan.seed * 10

    def developed(self, light: npt.NDArray[np.float32]) -> Image:
        """Turn light into the camera's picture, noise left out."""
        return develop(light, np.random.default_rng(0), self.look)

    def put(self, name: str, lying: Lying | None) -> None:
        """Change where a thing lies, and draw what that changes."""
        before = self.state.pop(name, None)
        if lying is not None:
            self.state[name] = lying
        meshes = [_laid(self.things[name], pose) for pose in (before, lying) if pose is not None]
        window = self._window(meshes)
        if window is not None:
            rows, columns = window
            self.light[rows, columns] = self._draw(self._bodies(), window).light

    def with_die(self, name: str, poses: Iterable[Lying]) -> npt.NDArray[np.float32]:
        """Give the light with a die blurred over several poses."""
        poses = list(poses)
        window = self._window([_laid(self.things[name], pose) for pose in poses])
        light = self.light.copy()
        if window is None:
            return light
        parts = [self._draw([*self._bodies(), (self.things[name], pose)], window).light for pose in poses]
        light[window[0], window[1]] = np.mean(parts, axis=0)
        return light

    def with_hand(
        self, side: int, target: tuple[float, float], height: float, held: list[tuple[Thing, Lying]]
    ) -> npt.NDArray[np.float32]:
        """Give the light with a hand over the table that holds things; both are drawn at half the size."""
        arm = _arm(self.hand_seed + (side == FAR), side, target, height)
        meshes = [arm, *(_laid(thing, pose) for thing, pose in held)]
        window = self._window(meshes)
        light = self.light.copy()
        if window is None:
            return light
        body = Thing("hand", "hand", arm, self.hand_seed + (side == FAR), height)
        here = Lying(np.eye(3), (0.0, 0.0, 0.0))
        bodies = self._bodies()
        bare = self._draw(bodies, window, half=True)
        over = self._draw([*bodies, (body, here), *held], window, half=True)
        rows, columns = window
        size = (columns.stop - columns.start, rows.stop - rows.start)
        covers = cv2.resize((over.body >= len(bodies)).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        shade = np.clip(over.light / np.maximum(bare.light, 1e-4), 0.05, 2.0)
        shade[over.body >= len(bodies)] = 1.0
        part = light[rows, columns] * cv2.resize(shade, size, interpolation=cv2.INTER_LINEAR)
        seen = cv2.resize(over.light, size, interpolation=cv2.INTER_LINEAR)
        light[rows, columns] = part * (1 - covers[..., None]) + seen * covers[..., None]
        return light

    def _bodies(self) -> list[tuple[Thing, Lying]]:
        return [(self.things[name], lying) for name, lying in sorted(self.state.items())]

    def _window(self, meshes: list[Mesh]) -> tuple[slice, slice] | None:
        """Give the rows and columns that bodies and their shadows can reach, even numbers; None where out of view."""
        if not meshes:
            return None
        points = np.concatenate([m.vertices for m in meshes])
        points = points[np.abs(points[:, :2]).max(axis=1) < 700]
        reached = [points]
        for towards in self.lamps.towards.astype(float):
            fall = points[:, 2:] / max(0.2, float(towards[2])) * towards[None, :]
            reached.append(points - fall)
        pixels = self.view.to_frame(np.concatenate(reached))
        pixels = pixels[np.isfinite(pixels).all(axis=1)]
        low = np.clip(np.floor(pixels.min(axis=0)) - 6, 0, self.view.size).astype(int) // 2 * 2
        high = np.clip(np.ceil(pixels.max(axis=0)) + 8, 0, self.view.size).astype(int) // 2 * 2
        if (high - low < 8).any():
            return None
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _draw(self, bodies: list[tuple[Thing, Lying]], window: tuple[slice, slice], *, half: bool = False) -> Drawn:
        rows, columns = window
        matrix = self.view.camera_matrix.copy()
        matrix[0, 2] -= columns.start
        matrix[1, 2] -= rows.start
        width, height = columns.stop - columns.start, rows.stop - rows.start
        if half:
            matrix[:2] *= 0.5
            matrix[:2, 2] -= 0.25
            width, height = width // 2, height // 2
        view = replace(self.view, camera_matrix=matrix, size=(width, height))
        return draw(_painted(bodies), len(bodies), view, self.ground, GROUND_PX_PER_MM, self.lamps)


def draw_game(plan: Plan, folder: Path) -> None:
    """Write a game's stills, `film.json` (which still is held how long), `truth.jsonl` and `setup.json`.

    Raises:
        ValueError: the mat is not found in its picture.
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    painter, film = _Painter(plan), _Film(folder)
    random = np.random.default_rng((plan.seed, 2))
    rest = film.still(painter.developed(painter.light))
    for step in plan.steps:
        if isinstance(step, Hold):
            film.tell(step.facts)
            film.held.append((rest, round(step.seconds * RATE_HZ * float(random.uniform(0.9, 1.3)))))
            continue
        rest = _visit(painter, film, step, rest) if isinstance(step, Visit) else _throw(painter, film, step, random)
    view = painter.view
    head = {
        "seed": plan.seed, "rate_hz": RATE_HZ, "noise_levels": round(painter.noise_levels, 2), "frames": film.frames,
        "elevation_degrees": round(view.elevation_degrees, 1),
        "camera_mm": [round(float(v), 1) for v in view.camera_mm],
        "held": film.held,
    }  # fmt: skip
    (folder / "truth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in film.truth), encoding="utf-8")
    (folder / "setup.json").write_text(json.dumps(plan.setup, indent=1) + "\n", encoding="utf-8")
    (folder / "film.json").write_text(json.dumps(head) + "\n", encoding="utf-8")


def held_frames(folder: Path) -> Iterator[Frame]:
    """Give the frames of a drawn game, with noise and drift of the exposure that depend on its seed only.

    Raises:
        OSError: a file is missing.
        ValueError: a file is no picture.
    """
    head = json.loads((folder / "film.json").read_text(encoding="utf-8"))
    random = np.random.default_rng((head["seed"], 3))
    shown: tuple[int, Image] | None = None
    fields: list[npt.NDArray[np.int16]] = []
    number = 0
    for still, frames in head["held"]:
        if shown is None or shown[0] != still:
            image = cv2.imread(str(folder / f"{still:04d}.jpg"))
            if image is None:
                raise ValueError(f"still {still!r} of {folder} is no picture")
            shown = (still, np.asarray(image, dtype=np.uint8))
        picture = shown[1]
        if not fields:
            shape = (picture.shape[0] + 64, picture.shape[1] + 64)
            for _ in range(NOISE_FIELDS):
                grain = random.standard_normal(shape, np.float32)[..., None]
                grain = grain + 0.6 * random.standard_normal((*shape, 3), np.float32)
                fields.append(np.round(grain * head["noise_levels"]).astype(np.int16))
        for _ in range(frames):
            top, left = (int(v) for v in random.integers(0, 64, 2))
            noise = fields[int(random.integers(0, NOISE_FIELDS))][
                top : top + picture.shape[0], left : left + picture.shape[1]
            ]
            lit = cv2.convertScaleAbs(picture, alpha=1 + DRIFT * math.sin(number / DRIFT_FRAMES))
            noisy = np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), dtype=np.uint8)
            yield Frame(noisy, number / head["rate_hz"], number)
            number += 1


def _visit(painter: _Painter, film: _Film, visit: Visit, rest: int) -> int:
    """Draw a hand that comes, lets go or takes, and leaves; gives the still of the table after it."""
    side = visit.side
    before = {name: painter.state[name] for name, _ in visit.things if name in painter.state}
    carried = {name: lying for name, lying in before.items() if dict(visit.things)[name] is not None}
    put = [(name, lying) for name, lying in visit.things if lying is not None]
    height = max(painter.things[name].height_mm for name, _ in visit.things)
    is_tipped = len(carried) == 1 and math.dist(before[put[0][0]].at_mm[:2], put[0][1].at_mm[:2]) < 30.0

    def over(at: tuple[float, float], held: Iterable[tuple[str, Lying]], frames: int, *, back: bool = False) -> None:
        tips = (at[0], at[1] + (side * APPROACH_MM if back else 0.0))
        shift = (tips[0] - at[0], tips[1] - at[1])
        lifted = [(painter.things[n], _raised(lying, shift, 25.0 if back else 0.0)) for n, lying in held]
        tips_mm = height * 0.7 + (25.0 if back else 0.0)
        light = painter.with_hand(side, tips, tips_mm, lifted)
        film.held.append((film.still(painter.developed(light)), frames))

    if carried and not is_tipped:  # from one place to another
        start = _middle(before.values())
        over(start, (), APPROACH_FRAMES, back=True)
        over(start, (), GRIP_FRAMES)
        for name in carried:
            painter.put(name, None)
        end = _middle(lying for _, lying in put)
        half = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        between = [(n, _raised(lying, (half[0] - end[0], half[1] - end[1]), 30.0)) for n, lying in put]
        over(half, between, APPROACH_FRAMES)
        at = end
    else:
        at = _middle(before.values() if before else (lying for _, lying in put))
        over(at, () if before else put, APPROACH_FRAMES, back=True)
        if before:
            over(at, (), GRIP_FRAMES)
    for name, lying in visit.things:
        painter.put(name, lying)
    film.tell(visit.facts)
    if put:
        over(at, (), GRIP_FRAMES)
    over(at, () if put else before.items(), LEAVE_FRAMES, back=True)
    return film.still(painter.developed(painter.light))


def _throw(painter: _Painter, film: _Film, throw: Throw, random: Random) -> int:
    """Draw a die that leaves a hand, bounces and comes to rest; gives the still of the table after it."""
    end = throw.end
    thing = painter.things[throw.die]
    start = (float(np.clip(end.at_mm[0] + random.uniform(-40, 40), -95, 95)), throw.side * 150.0)
    light = painter.with_hand(throw.side, start, 40.0, [(thing, replace(end, at_mm=(*start, 40.0)))])
    film.held.append((film.still(painter.developed(light)), APPROACH_FRAMES))
    axis = random.normal(size=3)
    spin = float(random.uniform(6, 12))

    def pose(share: float) -> Lying:
        along = 1 - (1 - share) ** 1.8
        bounce = abs(math.cos(share * math.pi * 2.5)) * (1 - share) ** 1.5
        x, y = (start[k] + (end.at_mm[k] - start[k]) * along for k in (0, 1))
        turn = turned(axis, spin * (1 - share) ** 2) @ end.turn
        low = float((thing.mesh.vertices @ turn.T)[:, 2].min())
        return Lying(turn, (x, y, -low + 45.0 * bounce * (1 - share * 0.3)))

    for k in range(FLIGHT_FRAMES):
        shares = [(k + 0.3 + 0.6 * j / (BLUR_DRAWINGS - 1)) / FLIGHT_FRAMES for j in range(BLUR_DRAWINGS)]
        light = painter.with_die(throw.die, [pose(min(1.0, share)) for share in shares])
        film.held.append((film.still(painter.developed(light)), 1))
    painter.put(throw.die, end)
    film.tell(throw.facts)
    return film.still(painter.developed(painter.light))


def _middle(poses: Iterable[Lying]) -> tuple[float, float]:
    places = np.array([lying.at_mm[:2] for lying in poses])
    x, y = places.mean(axis=0)
    return float(x), float(y)


def _raised(lying: Lying, shift_mm: tuple[float, float], by_mm: float) -> Lying:
    x, y, z = lying.at_mm
    return replace(lying, at_mm=(x + shift_mm[0], y + shift_mm[1], z + by_mm))


def _laid(thing: Thing, lying: Lying) -> Mesh:
    return thing.mesh.moved(lying.at_mm, lying.turn)


def _arm(seed: int, side: int, target: tuple[float, float], height: float) -> Mesh:
    """Make a player's arm, the same one for a seed, its sleeve long enough to leave the picture."""
    random = np.random.default_rng(seed)
    shape = hand(random, np.array(target), side * math.pi / 2 + float(random.uniform(-0.25, 0.25)), height)
    sleeve: Array = shape.vertices[np.argmax(np.abs(shape.vertices[:, 1] - target[1]))]
    on = sleeve + np.array([0.0, side * 420.0, 60.0])
    return joined([shape, limb(sleeve + np.array([0.0, -side * 40.0, 0.0]), on, 44.0, 50.0, 1)])


def _painted(bodies: list[tuple[Thing, Lying]]) -> Triangles:
    """Paint each body by its own seed, so that it looks the same whatever else is on the table."""
    parts = []
    for number, (thing, lying) in enumerate(bodies):
        body = Body(thing.kind, (0.0, 0.0), _laid(thing, lying), height_mm=thing.height_mm, local=thing.mesh.vertices)
        one = triangles([body], np.random.default_rng(thing.paint))
        one.body[:] = number
        parts.append(one)
    if not parts:
        return triangles([], np.random.default_rng(0))
    names = ("corners", "normals", "local", "colour", "second", "gloss", "style", "body")
    return Triangles(**{name: np.concatenate([getattr(p, name) for p in parts]) for name in names})


def _thinned(whole: Lamps) -> Lamps:
    """Leave out most lamps of the sky; those that stay shine for them."""
    first = whole.highlights
    chosen = range(first + 1, len(whole.towards), SKY_STEP)
    colour = whole.colour.copy()
    colour[first:] *= (len(whole.towards) - first) / len(chosen)
    keep = [*range(first), *chosen]
    return replace(whole, towards=whole.towards[keep], colour=colour[keep])


def _empty(view: TableView, table: Image, light: Lamps) -> Drawn:
    """Draw the empty table.

    Raises:
        ValueError: the mat is not found in it.
    """
    drawn = draw(triangles([], np.random.default_rng(0)), 0, view, table, GROUND_PX_PER_MM, light)
    bright = float(np.percentile(drawn.light, 90)) + 1e-4
    image = np.clip((drawn.light / bright * 0.7).clip(0, 1) ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)
    if isinstance(find_table(image), TableNotFound):
        raise ValueError("the mat is not found")
    return drawn
