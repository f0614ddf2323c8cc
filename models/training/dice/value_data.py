"""Batches for the value net: crops of drawn and photographed dice in both views, and crops that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.dice_crops import CROP_PX, Pyramid, face_affine, upright_affine
from models.training.dice import degrade, faces
from models.training.dice.scenes import DIE, TILE_PX
from models.training.dice.tiles import Shard, read_shards

Rng = np.random.Generator
Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

READABLE_PX = 13.0
"""Dice whose box is wider are read; between this and `UNREADABLE_PX` they are left out."""
UNREADABLE_PX = 8.0
READABLE_BLUR_PART, UNREADABLE_BLUR_PART = 0.065, 0.19
"""A Gaussian blur up to the first, in parts of the face's side (0.26 of the usual pip pitch), leaves pips that a person
can count; from the second (0.75) even a 4 is one spot. What lies between teaches neither and is not drawn."""
LEAST_FACE_PX = 6.0
"""Top faces that are thinner in the picture have pips of less than a pixel: flattened, they are streaks."""
LEAST_INSIDE = 22.0
"""Colours within a top face that are nearer to each other than so many grey levels show no pips to count."""
ASKEW_SHARE = 0.35
"""Face views that are cut as badly as the first guess at a top face may be: the net then says how to cut better."""
READABLE_MOTION_PART, UNREADABLE_MOTION_PART = 0.17, 0.55
"""The same for the length of a motion blur."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A photographed die with its top face as a detector saw it."""

    pyramid: Pyramid
    box: Floats
    top: Floats
    """Shape (4, 2)."""
    value: int
    """0 for things that a detector took for a die."""
    turns_freely: bool
    sure: bool = True
    """False where the top face's corners are only roughly known: no face view is cut."""


def _around_middle(linear: Floats) -> Floats:
    middle = np.full(2, (CROP_PX - 1) / 2)
    return np.concatenate([linear, (middle - linear @ middle)[:, None]], 1)


def _then(first: Floats, second: Floats) -> Floats:
    return np.concatenate([second[:, :2] @ first[:, :2], (second[:, :2] @ first[:, 2] + second[:, 2])[:, None]], 1)


def _jitter(rng: Rng, affine: Floats, *, turn_deg: float, shift: float, zoom: float, stretch: float) -> Floats:
    t = np.radians(rng.uniform(-turn_deg, turn_deg))
    s = np.exp(rng.uniform(-zoom, zoom))
    k = np.exp(rng.uniform(-stretch, stretch))
    shear = rng.uniform(-stretch, stretch) * 0.5
    linear = s * np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) @ np.array([[k, shear], [0, 1 / k]])
    out = _around_middle(linear)
    out[:, 2] += rng.normal(0, shift, 2) * CROP_PX
    return _then(affine, out)


def views(rng: Rng, box: Floats, top: Floats, *, turns_freely: bool, face_view: bool) -> Floats:
    """A jittered affine of one of the two views."""
    if face_view:
        askew = 2.5 if rng.random() < ASKEW_SHARE else 1.0
        out = _jitter(
            rng, face_affine(top), turn_deg=9 * askew, shift=0.022 * askew, zoom=0.1 * askew, stretch=0.09 * askew
        )
        turn = _around_middle(np.linalg.matrix_power(np.array([[0.0, -1], [1, 0]]), int(rng.integers(4))))
        out = _then(out, turn)
        return _then(out, _around_middle(np.diag([-1.0, 1]))) if rng.random() < 0.5 else out
    widest = 180.0 if turns_freely else 10.0
    out = _jitter(rng, upright_affine(box, top.mean(0)), turn_deg=widest, shift=0.022, zoom=0.12, stretch=0.08)
    return _then(out, _around_middle(np.diag([-1.0, 1]))) if rng.random() < 0.5 else out


def spoil(
    rng: Rng, crop: Picture, die_px: float, face_crop_px: float = 24.0, *, most_noise: float = 11.0
) -> tuple[Picture, bool]:
    """Degrade a crop as cameras do.

    Args:
        die_px: how wide the die was in the picture; small dice are not shrunk further.
        face_crop_px: side of the top face in the crop: how much blur hides its pips goes by that.
        most_noise: standard deviation in grey levels beyond which no noise is added.

    Returns:
        The crop and whether its pips can still be told apart.
    """
    crop = degrade.recolour(rng, crop)
    readable = True
    pick = rng.random()
    if pick < 0.3:
        sigma = float(rng.uniform(0.3, max(0.5, READABLE_BLUR_PART * face_crop_px)))
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), sigma), np.uint8)
    elif pick < 0.36:
        crop = degrade.motion(rng, crop, float(rng.uniform(1.5, max(2.0, READABLE_MOTION_PART * face_crop_px))))
    elif pick < 0.38:
        sigma = UNREADABLE_BLUR_PART * face_crop_px * float(rng.uniform(1, 1.8))
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), sigma), np.uint8)
        readable = False
    elif pick < 0.395:
        crop = degrade.motion(rng, crop, UNREADABLE_MOTION_PART * face_crop_px * float(rng.uniform(1, 1.8)))
        readable = False
    elif pick < 0.65 and die_px > 18:
        wish = float(np.exp(rng.uniform(np.log(15), np.log(30))))
        if wish < die_px * 0.9:
            crop = degrade.shrink(rng, crop, min(0.95, wish / 33))
    if rng.random() < 0.3:
        crop = degrade.sharpen(rng, crop)
    if rng.random() < 0.5:
        crop = degrade.noisy(rng, crop, min(most_noise, float(np.exp(rng.uniform(0, np.log(11))))))
    if rng.random() < 0.5:
        crop = degrade.compress(rng, crop)
    return crop, readable


def _wrong_place(rng: Rng, box: Floats, top: Floats, *, face_view: bool) -> Floats:
    """An affine that shows a part of a die, a group, or the space beside it."""
    base = face_affine(top) if face_view else upright_affine(box, top.mean(0))
    pick = rng.random()
    if pick < 0.45:
        t = rng.uniform(0, 2 * np.pi)
        away = rng.uniform(0.45, 1.2) * CROP_PX / 1.4
        out = np.concatenate([np.eye(2), away * np.array([[np.cos(t)], [np.sin(t)]])], 1)
        return _jitter(rng, _then(base, out), turn_deg=10, shift=0.02, zoom=0.15, stretch=0.1)
    zoom = rng.uniform(2.4, 5.5) if pick < 0.75 else rng.uniform(0.16, 0.45)
    return _jitter(rng, _then(base, _around_middle(np.eye(2) * zoom)), turn_deg=15, shift=0.12, zoom=0.1, stretch=0.1)


Crop = tuple[Picture, int, Floats | None]
"""A crop, its class, and the code of the top face in it where that is known."""


def _code(top: Floats, affine: Floats) -> Floats:
    middle = np.full(2, (CROP_PX - 1) / 2)
    return faces.encode(top @ affine[:, :2].T + affine[:, 2], middle, float(CROP_PX))


def _side_in_crop(top: Floats, affine: Floats) -> float:
    """Side in crop pixels of the square that has the top face's area in the crop."""
    area = abs(float(cv2.contourArea(top.astype(np.float32)))) * abs(float(np.linalg.det(affine[:, :2])))
    return float(np.clip(area**0.5, 8, CROP_PX))


def _thinnest(top: Floats) -> float:
    """The smaller of the two heights of a top face's parallelogram, in pixels."""
    e1 = (top[1] - top[0] + top[2] - top[3]) / 2
    e2 = (top[3] - top[0] + top[2] - top[1]) / 2
    return float(np.linalg.svd(np.stack([e1, e2], 1), compute_uv=False)[1])


def _inside(crop: Picture, top: Floats, affine: Floats) -> float:
    """How far the colours within the top face are apart, in grey levels of the channel where they are most."""
    quad = top @ affine[:, :2].T + affine[:, 2]
    mask = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad.mean(0) + 0.85 * (quad - quad.mean(0))).astype(np.int32), 255)
    pixels = crop[mask > 0]
    if len(pixels) < 12:
        return 0.0
    low, high = np.percentile(pixels, (3, 97), axis=0)
    return float((high - low).max())


def from_tile(rng: Rng, rgb: Picture, truth: dict[str, Any]) -> list[Crop]:
    """All useful crops of one drawn tile."""
    pyramid = Pyramid(rgb)
    free = truth["elevation_deg"] > 75
    out: list[Crop] = []
    for body in truth["bodies"]:
        box = np.array(body["box"], float)
        size = float(max(box[2] - box[0], box[3] - box[1]))
        face_view = rng.random() < 0.5
        if body["kind"] != DIE:
            if body["visible"] < 0.6 or size < UNREADABLE_PX:
                continue
            middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
            t = rng.uniform(0, np.pi) + np.arange(4) * np.pi / 2
            flat = rng.uniform(0.4, 1)
            top = middle + 0.5 * size * rng.uniform(0.8, 1.2) * np.stack([np.cos(t), flat * np.sin(t)], 1)
            top[:, 1] -= (1 - flat) * 0.3 * size
            crop = pyramid.crop(views(rng, box, top, turns_freely=free, face_view=face_view))
            out.append((spoil(rng, crop, size)[0], 0, None))
            continue
        value = body["value"]
        if value is None or body["visible"] < 0.3:
            continue
        top = np.array(body["top"], float)
        if box.min() < -TILE_PX or (top < 0).any() or (top > TILE_PX).any():
            continue
        if value == 0 and body["top_visible"] > 0.8 and face_view:
            continue  # a cocked die's flattened face looks as good as a level one's
        if rng.random() < 0.06:
            crop = pyramid.crop(_wrong_place(rng, box, top, face_view=face_view))
            out.append((spoil(rng, crop, size)[0], 0, None))
            continue
        if UNREADABLE_PX < size < READABLE_PX:
            continue
        if value and _thinnest(top) < LEAST_FACE_PX:
            continue
        affine = views(rng, box, top, turns_freely=free, face_view=face_view)
        crop = pyramid.crop(affine)
        spread = _inside(crop, top, affine)
        if value and spread < LEAST_INSIDE:
            continue
        crop, readable = spoil(rng, crop, size, _side_in_crop(top, affine), most_noise=spread / 5)
        known = readable and body["top_visible"] > 0.8
        out.append((crop, value if readable and size >= READABLE_PX else 0, _code(top, affine) if known else None))
    if rng.random() < 0.25:
        inside = np.array(truth["bodies"][0]["box"], float) if truth["bodies"] else np.array([100, 100, 150, 150.0])
        at = rng.uniform(10, TILE_PX - 10, 2)
        size = float(rng.uniform(12, 90))
        clear = all(
            abs(at[0] - (b["box"][0] + b["box"][2]) / 2) > (size + b["box"][2] - b["box"][0]) / 2
            or abs(at[1] - (b["box"][1] + b["box"][3]) / 2) > (size + b["box"][3] - b["box"][1]) / 2
            for b in truth["bodies"]
        )
        if clear and inside.size:
            half = size / 2
            box = np.array([at[0] - half, at[1] - half, at[0] + half, at[1] + half])
            out.append((spoil(rng, pyramid.crop(upright_affine(box, at)), size)[0], 0, None))
    return out


def from_known(rng: Rng, die: Known) -> Crop:
    """A crop of a photographed die, or of something that was taken for one."""
    size = float(max(die.box[2] - die.box[0], die.box[3] - die.box[1]))
    face_view = die.sure and rng.random() < 0.5
    if die.value and rng.random() < 0.04:
        return spoil(rng, die.pyramid.crop(_wrong_place(rng, die.box, die.top, face_view=face_view)), size)[0], 0, None
    affine = views(rng, die.box, die.top, turns_freely=die.turns_freely, face_view=face_view)
    crop = die.pyramid.crop(affine)
    code = _code(die.top, affine) if die.value and die.sure else None
    if rng.random() < 0.45:
        return degrade.recolour(rng, crop), die.value, code
    crop, readable = spoil(rng, crop, size, _side_in_crop(die.top, affine))
    return crop, die.value if readable else 0, code if readable else None


class Batches:
    """Endless random batches of crops; groups of photographed dice weigh by the root of their size."""

    def __init__(self, rng: Rng, tiles: Path, groups: Sequence[Sequence[Known]], *, real_share: float) -> None:
        self._rng = rng
        self._folder = tiles
        self._groups = [list(group) for group in groups if group]
        weight = np.sqrt([float(len(group)) for group in self._groups])
        self._weight = weight / max(1.0, weight.sum())
        self._real_share = real_share if self._groups else 0.0
        self._tiles: list[tuple[Shard, int]] = []
        self._order: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._next = 0
        self._waiting: list[Crop] = []

    def _drawn(self) -> Crop:
        while len(self._waiting) < 200:
            if self._next >= len(self._order):
                self._tiles = [(shard, k) for shard in read_shards(self._folder) for k in range(len(shard.truths))]
                self._order, self._next = self._rng.permutation(len(self._tiles)), 0
            shard, k = self._tiles[int(self._order[self._next])]
            self._next += 1
            self._waiting += from_tile(self._rng, np.asarray(shard.rgb[k]), shard.truths[k])
        k = int(self._rng.integers(len(self._waiting)))
        self._waiting[k], self._waiting[-1] = self._waiting[-1], self._waiting[k]
        return self._waiting.pop()

    def take(self, count: int) -> tuple[Picture, npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Crops of shape (count, 48, 48, 3), RGB, their classes (0 = unreadable), and top codes (NaN = not known)."""
        crops: list[Crop] = []
        for _ in range(count):
            if self._rng.random() < self._real_share:
                group = self._groups[int(self._rng.choice(len(self._groups), p=self._weight))]
                crops.append(from_known(self._rng, group[int(self._rng.integers(len(group)))]))
            else:
                crops.append(self._drawn())
        blank = np.full(7, np.nan)
        codes = np.array([blank if code is None else code for _, _, code in crops], np.float32)
        return np.stack([crop for crop, _, _ in crops]), np.array([value for _, value, _ in crops], np.int64), codes
