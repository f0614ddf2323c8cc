"""Draw desks with figures as a phone sees them, and cut tiles with the truth about each figure.

The shards are those of the dice detector's training (`models.training.dice.tiles`), and so is the net: figures of 12 to
76 px at a level of the picture's pyramid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.training.dice.photographs import Photograph
from models.training.dice.scenes import TILE_PX, Tile, Truth
from models.training.dice.tiles import SHARD_TILES
from models.training.tables.draw import Drawn, draw
from models.training.tables.scene import (
    DESK_MM,
    GROUND_PX_PER_MM,
    Body,
    Image,
    bare_desk,
    develop,
    ground,
    lamps,
    layout,
    triangles,
    webcam,
)

Random = np.random.Generator
FloatArray = npt.NDArray[np.float64]

FIGURE, OTHER = "figure", "other"
"""Kinds of the truth."""
FRAME_PX = 576
"""Edge of the picture that tiles are cut from."""
TILES_A_SCENE = 3
SMALLEST_PX, LARGEST_PX = 11.0, 170.0
"""Heights of the figure that is looked at; those above 92 px are for a coarser level, and here nothing to find."""
LOWEST_DEGREES, STEEPEST_DEGREES = 6.0, 80.0
"""Of the camera over the desk: from a seat, from a phone held over the table."""
SHEET_SHARE = 0.2
"""Desks with a printed mat on them,"""
PHOTO_SHARE = 0.45
"""and with the texture of a photograph, whatever it shows, in place of a drawn desk."""


def camera(random: Random, target_mm: FloatArray, height_mm: float) -> TableView:
    """Look at a figure from anywhere a person may hold a phone."""
    # Low cameras are as frequent as steep ones: chess pieces and soldiers are photographed from beside the board.
    elevation = math.radians(float(random.uniform(LOWEST_DEGREES, STEEPEST_DEGREES)))
    azimuth = float(random.uniform(0, 2 * math.pi))
    focal = FRAME_PX * float(random.uniform(0.9, 2.6))
    wish_px = float(np.exp(random.uniform(np.log(SMALLEST_PX), np.log(LARGEST_PX))))
    distance = max(60.0, focal * height_mm / wish_px)
    ahead = -np.array(
        [math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)]
    )
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    roll = float(random.normal(0, 0.06))
    right, down = right * math.cos(roll) + down * math.sin(roll), down * math.cos(roll) - right * math.sin(roll)
    place = np.array([*target_mm[:2], height_mm / 2]) - ahead * distance
    rotation = np.stack([right, down, ahead])
    middle = FRAME_PX / 2 - 0.5 + random.uniform(-0.18, 0.18, 2) * FRAME_PX
    matrix = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
    return TableView(matrix, np.zeros(5), rotation, -rotation @ place, (FRAME_PX, FRAME_PX))


def _texture(random: Random, photos: Sequence[Photograph], size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """A piece of a photograph as linear BGR from 0 to 1, of a size in pixels (wide, high)."""
    rgb = photos[int(random.integers(len(photos)))].rgb
    rows, columns = rgb.shape[:2]
    part = float(random.uniform(0.3, 1.0))
    high, wide = max(8, int(rows * part)), max(8, int(columns * part))
    top, left = int(random.integers(0, rows - high + 1)), int(random.integers(0, columns - wide + 1))
    piece = np.ascontiguousarray(rgb[top : top + high, left : left + wide, ::-1])
    return np.asarray((cv2.resize(piece, size, interpolation=cv2.INTER_AREA) / np.float32(255)) ** 2.2, np.float32)


def _desk(random: Random, photos: Sequence[Photograph]) -> Image:
    pick = random.random()
    if pick < SHEET_SHARE:
        return ground(random)
    if pick < SHEET_SHARE + PHOTO_SHARE and photos:
        size = (int(DESK_MM[0] * GROUND_PX_PER_MM), int(DESK_MM[1] * GROUND_PX_PER_MM))
        return np.asarray((_texture(random, photos, size) * 255).clip(0, 255), np.uint8)
    return np.asarray((bare_desk(random) * 255).clip(0, 255), np.uint8)


def _hang_backdrop(random: Random, drawn: Drawn, view: TableView, photos: Sequence[Photograph]) -> None:
    """Fill what lies above the horizon and beyond the desk with a blurred room, in place."""
    columns, rows = np.meshgrid(np.arange(FRAME_PX), np.arange(FRAME_PX))
    matrix = view.camera_matrix
    rays = np.stack(
        [(columns - matrix[0, 2]) / matrix[0, 0], (rows - matrix[1, 2]) / matrix[1, 1], np.ones(columns.shape)], axis=-1
    )
    turned = rays @ view.rotation
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = -view.camera_mm[2] / turned[..., 2]
        place = view.camera_mm[:2] + turned[..., :2] * reach[..., None]
    beyond = (turned[..., 2] >= -1e-6) | (np.abs(place) > np.array(DESK_MM) / 2 - 2).any(axis=-1)
    beyond &= drawn.body < 0
    room = _texture(random, photos, (FRAME_PX, FRAME_PX)) if photos else np.full((*beyond.shape, 3), 0.2, np.float32)
    room = np.asarray(cv2.GaussianBlur(room, (0, 0), float(np.exp(random.uniform(0, np.log(12))))), np.float32)
    lit = float(np.median(drawn.light[drawn.body < 0])) if (drawn.body < 0).any() else 0.2
    drawn.light[beyond] = room[beyond] * np.float32(lit / max(0.02, float(np.median(room))) * random.uniform(0.3, 1.5))


def _outline(body: Body, view: TableView) -> tuple[float, float, float, float] | None:
    """The box of a whole body in the frame; None where a part of it lies behind the camera."""
    seen = body.mesh.vertices @ view.rotation.T + view.translation
    if (seen[:, 2] < 5).any():
        return None
    pixels = seen[:, :2] / seen[:, 2:] * view.camera_matrix[[0, 1], [0, 1]] + view.camera_matrix[:2, 2]
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def make_tiles(random: Random, photos: Sequence[Photograph]) -> list[Tile]:
    """Draw one desk and cut tiles out of its picture; none where the camera sees no figure well.

    Args:
        random: the source of all chance.
        photos: photographs whose textures may serve as desks and rooms; none of them shows a figure.
    """
    bodies = [body for body in layout(random) if body.kind != "hand" or random.random() < 0.5]
    figures = [body for body in bodies if body.kind == "figure"]
    if not figures:
        return []
    chosen = figures[int(random.integers(len(figures)))]
    view = camera(random, np.array(chosen.mm), float(np.ptp(chosen.mesh.vertices[:, 2])))
    desk, light = _desk(random, photos), lamps(random)
    drawn = draw(triangles(bodies, random), len(bodies), view, desk, GROUND_PX_PER_MM, light)
    _hang_backdrop(random, drawn, view, photos)
    picture = develop(drawn.light, random, webcam(random, drawn.light))[..., ::-1]
    boxes = [_outline(body, view) for body in bodies]
    elevation = math.degrees(math.asin(-float(view.rotation[2, 2])))
    out = []
    for _ in range(TILES_A_SCENE):
        left, top = (int(v) for v in random.integers(0, FRAME_PX - TILE_PX + 1, 2))
        window = (slice(top, top + TILE_PX), slice(left, left + TILE_PX))
        truths = []
        for number, (body, box) in enumerate(zip(bodies, boxes, strict=True)):
            if box is None or body.kind != "figure":
                continue
            x0, y0, x1, y1 = box[0] - left, box[1] - top, box[2] - left, box[3] - top
            if x1 < 0 or y1 < 0 or x0 > TILE_PX or y0 > TILE_PX:
                continue
            visible = float((drawn.body[window] == number).sum()) / max(1.0, float(drawn.alone_px[number]))
            truths.append(Truth(FIGURE, None, (x0, y0, x1, y1), (), visible, 0.0))
        out.append(Tile(np.ascontiguousarray(picture[window]), tuple(truths), elevation))
    return out


def make_shard(seed: int, photos: Sequence[Photograph]) -> list[Tile]:
    """Draw one shard's tiles; the same seed and photographs give the same tiles."""
    random = np.random.default_rng(seed)
    tiles: list[Tile] = []
    while len(tiles) < SHARD_TILES:
        tiles += make_tiles(random, photos)
    return tiles[:SHARD_TILES]
