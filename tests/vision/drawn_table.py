"""The simulated table drawn as a camera would see it: mat, cubes with pips, figures on bases, arms, blur, noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from tests.calibration.simulated import draw_sheet
from tests.vision.simulated_table import Die, Figure, SimulatedTable
from vision.observation import Observation, Point, Pose
from vision.watcher import Watcher

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]
SIZE = (1280, 720)
COLOURS = {"ivory": (214, 232, 238), "red": (52, 44, 190), "blue": (160, 84, 40), "black": (40, 38, 36)}
SKIN = (120, 150, 205)
PIPS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def camera(*, distance: float = 480.0, elevation: float = 60.0, azimuth: float = -90.0) -> TableView:
    """Give a camera that looks at the mat's centre; the azimuth is where it stands, -90 is before the near edge."""
    e, a = math.radians(elevation), math.radians(azimuth)
    place = distance * np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
    ahead = -place / distance
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    focal = 2.2 * distance
    matrix = np.array([[focal, 0, SIZE[0] / 2 - 0.5], [0, focal, SIZE[1] / 2 - 0.5], [0, 0, 1.0]])
    return TableView(matrix, np.zeros(5), rotation, -rotation @ place, SIZE, 6, 0.3)


@cache
def _ground(sheet: int, desk_bgr: tuple[int, int, int]) -> Image:
    scale = 4.0
    whole = np.empty((int(700 * scale), int(700 * scale), 3), np.uint8)
    grain = np.random.default_rng(3).normal(0, 5, (24, whole.shape[1] // 8)).astype(np.float32)
    wood = cv2.resize(grain, (whole.shape[1], whole.shape[0]), interpolation=cv2.INTER_CUBIC)
    whole[:] = np.clip(np.array(desk_bgr) + wood[..., None], 0, 255)
    paper = draw_sheet(px_per_mm=scale, paper=sheet, ink=30)
    top, left = (whole.shape[0] - paper.shape[0]) // 2, (whole.shape[1] - paper.shape[1]) // 2
    whole[top : top + paper.shape[0], left : left + paper.shape[1]] = paper[..., None]
    return whole


def empty_table(view: TableView, *, sheet: int = 215, desk_bgr: tuple[int, int, int] = (70, 100, 140)) -> Image:
    """Draw the mat on its desk with nothing on it."""
    ground, scale = _ground(sheet, desk_bgr), 4.0
    half = ground.shape[0] / 2
    mm_from_px = np.array([[1 / scale, 0, -half / scale], [0, -1 / scale, half / scale], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            ground, view.frame_from_plane() @ mm_from_px, view.size, flags=cv2.INTER_AREA, borderValue=desk_bgr
        ),
        dtype=np.uint8,
    )


def _fill(image: Image, view: TableView, points: FloatArray, colour: tuple[float, ...], *, hull: bool = False) -> None:
    pixels = view.to_frame(points)
    if not np.isfinite(pixels).all():
        return
    if hull:
        pixels = np.asarray(cv2.convexHull(pixels.astype(np.float32)), dtype=np.float64).reshape(-1, 2)
    cv2.fillPoly(image, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _circle(x: float, y: float, z: float, radius: float) -> FloatArray:
    a = np.arange(20) * math.pi / 10
    return np.column_stack([x + radius * np.cos(a), y + radius * np.sin(a), np.full(20, z)])


def _shade(colour: tuple[float, ...], by: float) -> tuple[float, ...]:
    return tuple(min(255.0, c * by) for c in colour)


def _draw_die(
    image: Image, view: TableView, mm: Point, value: int, colour: tuple[float, ...], yaw: float, lift: float
) -> None:
    side = 16.0
    right, ahead, up = np.array([math.cos(yaw), math.sin(yaw), 0]), np.array([-math.sin(yaw), math.cos(yaw), 0]), np.array([0, 0, 1.0])  # fmt: skip  # noqa: E501
    middle = np.array([*mm, side / 2 + lift])
    _fill(image, view, _circle(mm[0] + 2, mm[1] + 1, 0, side * 0.62), (150, 150, 150)) if lift < 1 else None
    others = [v for v in range(1, 7) if v not in (value, 7 - value)]
    faces = [(up, right, ahead, value, 1.0), (right, ahead, up, others[0], 0.78), (-right, ahead, up, others[-1], 0.62),
             (ahead, right, up, others[1], 0.7), (-ahead, right, up, others[-2], 0.85)]  # fmt: skip
    dark_pips = sum(colour) > 330
    for normal, u, v, pips, light in faces:
        centre = middle + normal * side / 2
        if (view.camera_mm - centre) @ normal <= 0:
            continue
        corners = np.array([centre + (a * u + b * v) * side / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        _fill(image, view, corners, _shade(colour, light))
        for a, b in PIPS[pips]:
            t = np.arange(12) * math.pi / 6
            ring = centre + np.outer(np.cos(t) * 1.6 + a * 4, u) + np.outer(np.sin(t) * 1.6 + b * 4, v)
            _fill(image, view, ring, (25, 25, 25) if dark_pips else (235, 235, 235))


def _draw_figure(image: Image, view: TableView, figure: Figure, colour: tuple[float, ...]) -> None:
    assert figure.mm is not None
    x, y = figure.mm
    h = figure.height_mm
    if figure.pose is Pose.STANDING:
        _fill(image, view, _circle(x + 2, y + 1, 0, 13.5), (165, 165, 165))
        _fill(image, view, np.vstack([_circle(x, y, 0, 12.5), _circle(x, y, 3, 12.5)]), (38, 40, 42), hull=True)
        _fill(image, view, _circle(x, y, 3, 12.0), (58, 60, 62))
        for z0, z1, r0, r1, light in (
            (3, h * 0.5, 6.5, 5.0, 0.75),
            (h * 0.5, h * 0.78, 6.0, 6.5, 0.95),
            (h * 0.78, h, 4.2, 4.0, 1.15),
        ):
            _fill(
                image, view, np.vstack([_circle(x, y, z0, r0), _circle(x, y, z1, r1)]), _shade(colour, light), hull=True
            )
        return
    shadow = np.vstack([_circle(x - h / 2, y + 2, 0, 12), _circle(x + h / 2 + 3, y + 1, 0, 5)])
    _fill(image, view, shadow, (150, 150, 150), hull=True)
    a = np.arange(16) * math.pi / 8
    disc = np.column_stack([np.full(16, x - h / 2), y + 12.5 * np.cos(a), 12.5 + 12.5 * np.sin(a)])
    _fill(image, view, np.vstack([disc, disc + (3, 0, 0)]), (48, 50, 52), hull=True)
    body = np.vstack([_circle(x - h / 2 + 4, y, 12, 6), _circle(x + h / 2, y, 5, 4.5), _circle(x + h / 2, y, 0.5, 4.5)])
    _fill(image, view, body, _shade(colour, 0.8), hull=True)
    lit = np.vstack([_circle(x - h / 2 + 6, y + 2, 16, 3), _circle(x + h / 2 - 8, y + 1.5, 11, 2)])
    _fill(image, view, lit, _shade(colour, 1.15), hull=True)
    arm = np.vstack([_circle(x + 2, y - 5, 9, 2.2), _circle(x + 7, y - 13, 3, 2.0)])
    _fill(image, view, arm, _shade(colour, 0.65), hull=True)
    head = np.vstack([_circle(x + h / 2 - 1, y, 3, 4.2), _circle(x + h / 2 - 1, y, 9, 3.4)])
    _fill(image, view, head, _shade(SKIN, 0.85), hull=True)


def _draw_block(image: Image, view: TableView, mm: Point, half: float) -> None:
    """A block of 18 mm, lit from behind on the left as everything here: each of its faces has a shade of its own."""
    colour, high = (60.0, 90.0, 40.0), 18.0
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + mm
    foot, top = (np.column_stack([square, np.full(4, z)]) for z in (0.0, high))
    _fill(image, view, np.vstack([foot, foot + (7, 3, 0)]), (135, 135, 135), hull=True)
    for k, light in ((0, 0.62), (1, 0.5), (2, 0.72), (3, 0.85)):
        pair = [k, (k + 1) % 4]
        ahead = foot[pair].mean(axis=0) - foot.mean(axis=0)
        if (view.camera_mm - foot[pair].mean(axis=0)) @ ahead > 0:
            _fill(image, view, np.vstack([foot[pair], top[pair[::-1]]]), _shade(colour, light))
    _fill(image, view, top, _shade(colour, 1.15))


def _draw_arm(image: Image, view: TableView, hand: tuple[Point, ...]) -> None:
    tip = ((hand[0][0] + hand[1][0]) / 2, hand[0][1])
    x, y = tip
    for dx in (-15, -5, 5, 15):
        finger = np.vstack([_circle(x + dx * 0.6, y - 4, 18, 5), _circle(x + dx, y - 45, 30, 7)])
        _fill(image, view, finger, _shade(SKIN, 0.95 + dx / 200), hull=True)
    palm = np.vstack([_circle(x, y - 60, 35, 24), _circle(x, y - 110, 45, 20)])
    _fill(image, view, palm, SKIN, hull=True)
    sleeve = np.vstack([_circle(x, y - 110, 45, 24), _circle(x, y - 330, 60, 34)])
    _fill(image, view, sleeve, (110, 60, 50), hull=True)


@dataclass
class DrawnTable(SimulatedTable):
    """Like `SimulatedTable`, but every frame is drawn and seen by a `Watcher`."""

    view: TableView = field(default_factory=camera)
    noise: float = 2.0
    light: float = 0.0
    """Depth of a slow change of the light, as a share."""
    watcher: Watcher = field(default_factory=Watcher)
    sheet: int = 215
    desk_bgr: tuple[int, int, int] = (70, 100, 140)
    paints: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.empty = empty_table(self.view, sheet=self.sheet, desk_bgr=self.desk_bgr)
        self.grain = np.random.default_rng(self.seed)
        self.last: dict[int, Point] = {}
        self.yaws: dict[int, float] = {}

    def paint(self, figure: Figure, colour: tuple[int, int, int]) -> Figure:
        """Say what colour a figure has."""
        self.paints[id(figure)] = colour
        return figure

    def image(self) -> Image:
        """Draw the frame."""
        image = self.empty.copy()
        camera_mm = self.view.camera_mm
        things: list[tuple[float, Die | Figure]] = []
        things += [
            (-math.hypot(thing.mm[0] - camera_mm[0], thing.mm[1] - camera_mm[1]), thing)
            for thing in (*self.dice, *self.figures)
            if thing.mm is not None
        ]
        for mm, size in self.obstacles:
            _draw_block(image, self.view, mm, size)
        for _, thing in sorted(things, key=lambda t: t[0]):
            assert thing.mm is not None
            if isinstance(thing, Figure):
                _draw_figure(image, self.view, thing, self.paints.get(id(thing), (90, 90, 200)))
                continue
            key = id(thing)
            if key not in self.yaws or thing.blurred:
                self.yaws[key] = self.random.uniform(0, 1.5)
            colour = COLOURS[thing.colour]
            if thing.blurred:
                before = self.last.get(key, thing.mm)
                mixed = np.zeros(image.shape, np.float32)
                for share in (0.0, 0.5, 1.0):
                    one = image.copy()
                    at = (before[0] + (thing.mm[0] - before[0]) * share, before[1] + (thing.mm[1] - before[1]) * share)
                    _draw_die(one, self.view, at, self.random.randint(1, 6), colour, self.yaws[key] + share, 4.0)
                    mixed += one
                image = (mixed / 3).astype(np.uint8)
            else:
                _draw_die(image, self.view, thing.mm, thing.value, colour, self.yaws[key], 0.0)
            self.last[key] = thing.mm
        if self.hand:
            _draw_arm(image, self.view, self.hand)
        soft = cv2.GaussianBlur(image, (0, 0), 0.7)
        noise = self.grain.normal(0, self.noise, image.shape[:2]).astype(np.float32)
        if not self.light:  # the same to the bit as below, in whole numbers and in half the time
            whole = np.floor(noise).astype(np.int16)
            return np.asarray(cv2.add(soft, cv2.merge([whole, whole, whole]), dtype=cv2.CV_8U), np.uint8)
        light = 1 + self.light * math.sin(self.frame / 25)
        return np.clip(soft * light + noise[..., None], 0, 255).astype(np.uint8)

    def observation(self) -> Observation:
        """Draw the frame and see it."""
        return self.watcher.see(
            self.image(),
            self.view if self.found else None,
            frame=self.frame,
            time_s=self.frame / self.rate,
            moved=self.moved,
            steady=not self.moved,
        )
