"""Which pictures a film needs: key pictures of the table at rest, and the moments when something moves.

The camera stands still, so each picture but the first is only the part of the frame that can have changed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from models.training.scenes import hand_shape, mat_print, miniature
from models.training.scenes.film import Film
from models.training.scenes.physics import Pose
from models.training.scenes.scene import Scene, to_json
from models.training.scenes.solids import FloatArray
from models.training.scenes.turning import matrix
from models.training.scenes.view import to_frame

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""

HAND_FRAMES_PER_SECOND = 10.0
"""Of moving hands; the other frames of the recording repeat them."""
THROW_FRAMES_PER_SECOND = 15.0
"""Of dice in flight."""
EXPOSURE_S = 1 / 50
"""Of one frame, which makes the motion blur: an indoor webcam under mains light."""
MARGIN_PX = 14
"""Around the outline of what moves: the soft edge of its shadow at 3 px/mm."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture to render."""

    time_s: float
    frame: int
    """Number of the recording's first frame that shows it."""
    is_still: bool
    """Whether it becomes the ground for later pictures."""
    is_throw: bool
    """Whether a die is in flight."""
    crop: Box | None
    """Part of the frame; None for all of it."""
    poses: tuple[tuple[str, Pose, Pose], ...]
    """What is on the table: name, pose when the shutter opens, pose when it closes."""
    left_behind: tuple[Box, ...] = ()
    """Where the last picture at rest shows something that is no longer there."""

    def shows_same(self, other: Shot) -> bool:
        """Say whether the same things are in the same places, at rest."""
        return [(name, _rounded(a), _rounded(b)) for name, a, b in self.poses] == [
            (name, _rounded(a), _rounded(b)) for name, a, b in other.poses
        ]

    def key(self, setting: str) -> str:
        """Give a name for the picture that changes with anything that it shows."""
        text = f"{setting} {self.crop!r} {self.is_still} " + " ".join(
            f"{name} {_rounded(a)} {_rounded(b)}" for name, a, b in self.poses
        )
        return hashlib.sha256(text.encode()).hexdigest()[:20]


def plan(
    film: Film,
    scene: Scene,
    throws: Iterable[tuple[float, float]],
    *,
    frames_per_second: int,
    hand_rate: float = HAND_FRAMES_PER_SECOND,
    throw_rate: float = THROW_FRAMES_PER_SECOND,
) -> list[Shot]:
    """List the pictures of a film in order of time."""
    shapes = _shapes(scene)
    throw_spans = list(throws)
    shots = [_shot(film, scene, shapes, 0.0, 0, None)]
    for start, end in film.moving:
        ground = shots[-1] if shots[-1].is_still else next(s for s in reversed(shots) if s.is_still)
        is_throw = any(abs(start - a) < 1e-6 for a, _ in throw_spans)
        first, last = math.ceil(start * frames_per_second), math.floor(end * frames_per_second)
        every = frames_per_second / (throw_rate if is_throw else hand_rate)
        frames = sorted({round(first + i * every) for i in range(int((last - first) / every) + 1)})
        still = _shot(film, scene, shapes, end + 0.01, last + 1, ground)
        moments = [
            _shot(film, scene, shapes, f / frames_per_second, f, ground, moving=True, is_throw=is_throw) for f in frames
        ]
        while moments and moments[-1].shows_same(still):  # the careful picture can start here already
            still = dataclasses.replace(still, frame=moments.pop().frame)
        shots += [*moments, still]
    return [shot for shot in shots if shot.crop is None or shot.crop[2] > shot.crop[0]]


def scene_key(scene: Scene) -> str:
    """Give a short name for the setting that changes with anything in it."""
    sheet = mat_print.draw(scene.mat).tobytes() if scene.mat is not None else b""
    return hashlib.sha256(to_json(scene).encode() + sheet).hexdigest()[:12]


def _rounded(pose: Pose) -> str:
    return ",".join(f"{value:.3f}" for value in (*pose.at_mm, *pose.turn))


def _shapes(scene: Scene) -> dict[str, FloatArray]:
    shapes: dict[str, FloatArray] = {}
    for figure in scene.figures:
        shapes[figure.name] = miniature.all_vertices(miniature.build(figure))
    for die in scene.dice:
        shapes[die.name] = _corners((die.size_mm,) * 3) - np.array([0, 0, die.size_mm / 2])
    for obstacle in scene.obstacles:
        shapes[obstacle.name] = _corners(obstacle.size_mm)
    for hand in scene.hands:
        points = miniature.all_vertices(hand_shape.build(hand.grip))
        shapes[hand.name] = points
    return shapes


def _corners(size: tuple[float, float, float]) -> FloatArray:
    length, width, height = size
    return np.array(
        [(x, y, z) for x in (-length / 2, length / 2) for y in (-width / 2, width / 2) for z in (0, height)]
    )


def _shot(
    film: Film,
    scene: Scene,
    shapes: dict[str, FloatArray],
    time_s: float,
    frame: int,
    ground: Shot | None,
    *,
    moving: bool = False,
    is_throw: bool = False,
) -> Shot:
    poses = []
    for name in shapes:
        pose = film.pose(name, time_s)
        if pose is None:
            continue
        later = film.pose(name, time_s + EXPOSURE_S) if moving else None
        if any(_boxes(scene, shapes[name], p) for p in (pose, later) if p is not None):
            poses.append((name, pose, later if later is not None else pose))
    crop: Box | None = None
    left_behind: list[Box] = []
    if ground is not None:
        before = {name: (a, b) for name, a, b in ground.poses}
        now = {name: (a, b) for name, a, b in poses}
        boxes = []
        for name in {*before, *now}:
            if before.get(name) == now.get(name):
                continue
            if name in before:
                left_behind += _boxes(scene, shapes[name], before[name][0])
            for pair in (before.get(name), now.get(name)):
                if pair is not None:
                    boxes += [box for pose in {pair[0], pair[1]} for box in _boxes(scene, shapes[name], pose)]
        crop = _union(boxes)
    return Shot(time_s, frame, not moving, is_throw, crop, tuple(poses), tuple(left_behind))


def _boxes(scene: Scene, shape: FloatArray, pose: Pose) -> list[Box]:
    """The boxes of a thing and of its shadow by the first lamp, clipped to the picture."""
    points = shape @ matrix(pose.turn).T + np.array(pose.at_mm)
    sets = [points]
    for lamp in scene.light.lamps[:1]:
        light = np.array(lamp.at_mm)
        low = points[points[:, 2] < 130.0]  # what is higher throws its shadow too softly to be seen
        if len(low):
            share = np.clip(low[:, 2:3], 0, None) / (light[2] - low[:, 2:3])
            sets.append(low + (low - light) * share * np.array([1, 1, 0]) - np.array([0, 0, 1]) * low[:, 2:3])
    boxes = []
    width, height = scene.camera.size
    for some in sets:
        pixels = to_frame(some, scene.camera)
        pixels = pixels[~np.isnan(pixels).any(1)]
        if not len(pixels):
            continue
        (x0, y0), (x1, y1) = pixels.min(0) - MARGIN_PX, pixels.max(0) + MARGIN_PX
        box = (max(0, int(x0)), max(0, int(y0)), min(width, int(x1) + 1), min(height, int(y1) + 1))
        if box[2] > box[0] and box[3] > box[1]:
            boxes.append(box)
    return boxes


def _union(boxes: list[Box]) -> Box:
    if not boxes:
        return (0, 0, 0, 0)
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )
