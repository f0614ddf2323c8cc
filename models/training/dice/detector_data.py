"""Batches for the detector: tiles and crops of photographs with the maps that the net should answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.dice import degrade, faces
from models.training.dice.nets import HEADS, STRIDE
from models.training.dice.photographs import TOP_DOWN, Photograph
from models.training.dice.scenes import CUBE, DIE, TILE_PX
from models.training.dice.tiles import Shard, read_shards

Rng = np.random.Generator
Picture = npt.NDArray[np.uint8]
Maps = npt.NDArray[np.float32]

SMALLEST_PX, LARGEST_PX = 12.0, 76.0
"""Dice of this size (longer edge of the box) are found at a level of the pyramid."""
TOO_SMALL_PX, TOO_LARGE_PX = 9.0, 92.0
"""Beyond these a die is a negative of the level; in between it does not count."""
LEAST_VISIBLE, IGNORED_VISIBLE = 0.5, 0.3
"""Share of a die that must be seen for it to be found; below the second it does not count at all."""
CELLS = TILE_PX // STRIDE


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One body as the detector sees it."""

    box: npt.NDArray[np.float64]
    """x0, y0, x1, y1 in pixels."""
    top: npt.NDArray[np.float64] | None
    """Shape (4, 2), or None where it is not known."""
    counts: bool
    """False where the die should be neither found nor missed."""


def maps(targets: Sequence[Target]) -> tuple[Maps, Maps, Maps]:
    """Draw the maps for a tile's dice.

    Returns:
        heat (cells, cells) from 0 to 1; weight (cells, cells) of the heat; regression (12, cells, cells), where channel
        0 says how much the cell's regression counts and a NaN top code means that it is not known.
    """
    heat = np.zeros((CELLS, CELLS), np.float32)
    weight = np.ones((CELLS, CELLS), np.float32)
    regression = np.zeros((HEADS, CELLS, CELLS), np.float32)
    for target in targets:
        x0, y0, x1, y1 = target.box
        wide, high = x1 - x0, y1 - y0
        size = max(wide, high)
        centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        cx, cy = centre / STRIDE - 0.5
        fits = SMALLEST_PX <= size <= LARGEST_PX
        if not fits and (size < TOO_SMALL_PX or size > TOO_LARGE_PX):
            continue
        ix, iy = round(cx), round(cy)
        if target.counts and not (0 <= ix < CELLS and 0 <= iy < CELLS):
            continue
        a, b = max(1.0, 0.16 * wide / STRIDE), max(1.0, 0.16 * high / STRIDE)
        reach_x, reach_y = int(np.ceil(3 * a)), int(np.ceil(3 * b))
        xs = np.arange(max(0, ix - reach_x), min(CELLS, ix + reach_x + 1))
        ys = np.arange(max(0, iy - reach_y), min(CELLS, iy + reach_y + 1))
        if not len(xs) or not len(ys):
            continue
        patch = np.ix_(ys, xs)
        bump = np.exp(-0.5 * (((xs - cx) / a) ** 2 + ((ys[:, None] - cy) / b) ** 2)).astype(np.float32)
        if not (target.counts and fits):
            weight[patch] = np.minimum(weight[patch], np.where(bump > 0.05, 0.0, 1.0))
            continue
        heat[patch] = np.maximum(heat[patch], bump * 0.98)
        heat[iy, ix] = 1.0
        weight[iy, ix] = 1.0
        code = np.full(7, np.nan) if target.top is None else faces.encode(target.top, centre, size)
        current = regression[0][patch]
        nearer = (bump > 0.35) & (bump > current)
        fields = [
            bump,
            cx - xs + 0 * ys[:, None],
            cy - ys[:, None] + 0 * xs,
            np.log2(wide / 32),
            np.log2(high / 32),
            *code,
        ]
        for channel, field in enumerate(fields):
            view = regression[channel, ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1]
            view[nearer] = np.broadcast_to(field, bump.shape)[nearer]
    return heat, weight, regression


def _flip(rgb: Picture, targets: list[Target], *, transpose: bool) -> tuple[Picture, list[Target]]:
    """Mirror left to right, or swap x and y."""
    out = []
    edge = rgb.shape[1]
    for t in targets:
        x0, y0, x1, y1 = t.box
        if transpose:
            box, top = np.array([y0, x0, y1, x1]), None if t.top is None else t.top[:, ::-1]
        else:
            box = np.array([edge - x1, y0, edge - x0, y1])
            top = None if t.top is None else t.top * (-1, 1) + (edge, 0)
        out.append(Target(box, top, t.counts))
    return (rgb.transpose(1, 0, 2) if transpose else rgb[:, ::-1]), out


def from_tile(rng: Rng, rgb: Picture, truth: dict[str, Any], *, sought: str = DIE) -> tuple[Picture, list[Target]]:
    """Take a drawn tile: flipped, freely turned when seen from above, degraded; `sought` is the kind to be found."""
    targets = []
    for body in truth["bodies"]:
        if body["kind"] not in (sought, CUBE) or body["visible"] < IGNORED_VISIBLE:
            continue
        x0, y0, x1, y1 = body["box"]
        cut = x0 <= 0 or y0 <= 0 or x1 >= TILE_PX or y1 >= TILE_PX
        top = np.array(body["top"], float) if body["top"] and not cut else None
        targets.append(
            Target(np.array(body["box"], float), top, body["kind"] == sought and body["visible"] >= LEAST_VISIBLE)
        )
    if rng.random() < 0.5:
        rgb, targets = _flip(rgb, targets, transpose=False)
    if truth["elevation_deg"] > 75:
        if rng.random() < 0.5:
            rgb, targets = _flip(rgb, targets, transpose=True)
        if rng.random() < 0.5:
            rgb, targets = _flip(rgb, targets, transpose=False)
    return degrade.tile(rng, np.ascontiguousarray(rgb)), targets


def from_photograph(rng: Rng, photo: Photograph) -> tuple[Picture, list[Target]]:
    """Cut a tile out of a photograph at a random scale; what lies beyond the picture is one flat colour."""
    boxes = photo.boxes_px
    sizes = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    high, wide = photo.rgb.shape[:2]
    if len(boxes) and rng.random() < 0.85:
        k = int(rng.integers(len(boxes)))
        wish = float(np.exp(rng.uniform(np.log(14), np.log(74))))
        scale = float(np.clip(wish / sizes[k], 0.15, 1.6))
        focus = np.array([(boxes[k, 0] + boxes[k, 2]) / 2, (boxes[k, 1] + boxes[k, 3]) / 2])
        place = rng.uniform(40, TILE_PX - 40, 2)
    else:
        scale = float(np.exp(rng.uniform(np.log(0.3), np.log(1.3))))
        focus, place = rng.uniform(0, 1, 2) * (wide, high), np.full(2, TILE_PX / 2)
    if rng.random() < 0.9:
        spare = np.array([wide, high]) * scale - TILE_PX
        place = np.where(
            spare > 0, np.clip(place, TILE_PX - (np.array([wide, high]) - focus) * scale, focus * scale), place
        )
    turn = np.radians(rng.uniform(-9, 9)) if rng.random() < 0.5 else 0.0
    squeeze = np.exp(rng.uniform(-0.15, 0.15)) if rng.random() < 0.4 else 1.0
    linear = (
        scale
        * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        @ np.diag([squeeze, 1 / squeeze])
    )
    affine = np.concatenate([linear, (place - linear @ focus)[:, None]], 1)
    rgb, shrunk = photo.rgb, 1.0
    while scale / shrunk < 0.6:
        rgb = np.asarray(
            cv2.resize(rgb, (rgb.shape[1] // 2, rgb.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8
        )
        shrunk /= 2
    moved = np.concatenate([linear / shrunk, affine[:, 2:]], 1)
    fill = tuple(float(v) for v in rng.integers(0, 255, 3))
    cut = cv2.warpAffine(
        rgb, moved, (TILE_PX, TILE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=fill
    )
    targets = []
    loosen = abs(np.sin(turn))
    for x0, y0, x1, y1 in boxes:
        corner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) @ linear.T + affine[:, 2]
        low, top = corner.min(0), corner.max(0)
        tighten = (top - low) * loosen * 0.35
        targets.append(Target(np.concatenate([low + tighten, top - tighten]), None, counts=True))
    out = np.asarray(cut, np.uint8)
    if rng.random() < 0.5:
        out, targets = _flip(out, targets, transpose=False)
    if photo.collection in TOP_DOWN:
        if rng.random() < 0.5:
            out, targets = _flip(out, targets, transpose=True)
        if rng.random() < 0.5:
            out, targets = _flip(out, targets, transpose=False)
    out = np.ascontiguousarray(out)
    return (degrade.tile(rng, out) if rng.random() < 0.6 else degrade.recolour(rng, out)), targets


class Batches:
    """Endless random batches of tiles and crops of photographs.

    Photographs are drawn with equal weight for each collection. The folder of tiles is read anew for each round, so
    training can start while tiles are still being drawn.
    """

    def __init__(
        self, rng: Rng, tiles: Path, photos: Sequence[Photograph], *, real_share: float, sought: str = DIE
    ) -> None:
        self._rng = rng
        self._sought = sought
        self._folder = tiles
        self._tiles: list[tuple[Shard, int]] = []
        self._order: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._next = 0
        groups: dict[str, list[Photograph]] = {}
        for photo in photos:
            groups.setdefault(photo.collection, []).append(photo)
        self._groups = list(groups.values())
        self._real_share = real_share if self._groups else 0.0

    def _one(self) -> tuple[Picture, list[Target]]:
        rng = self._rng
        if rng.random() < self._real_share:
            group = self._groups[int(rng.integers(len(self._groups)))]
            return from_photograph(rng, group[int(rng.integers(len(group)))])
        if self._next >= len(self._order):
            self._tiles = [(shard, k) for shard in read_shards(self._folder) for k in range(len(shard.truths))]
            self._order, self._next = rng.permutation(len(self._tiles)), 0
        shard, k = self._tiles[int(self._order[self._next])]
        self._next += 1
        return from_tile(rng, shard.rgb[k], shard.truths[k], sought=self._sought)

    def take(self, count: int) -> tuple[Picture, Maps, Maps, Maps]:
        """Pictures (n, 320, 320, 3) with heat, weight and regression maps stacked."""
        pictures, heats, weights, regressions = [], [], [], []
        for _ in range(count):
            rgb, targets = self._one()
            heat, weight, regression = maps(targets)
            pictures.append(rgb)
            heats.append(heat)
            weights.append(weight)
            regressions.append(regression)
        return np.stack(pictures), np.stack(heats), np.stack(weights), np.stack(regressions)
