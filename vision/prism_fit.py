"""Lay an upright prism over an obstacle in the picture from above, edge on edge: its footprint and its height.

The net says roughly where an obstacle stands and how high it is. The picture says it better: the whole rim of the top
is seen, thrown outwards by the height, and so are the edges on the table that face the camera. Of all heights the rim's
near edge, where the front meets the top, fits at one only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from vision.finder import FinderMaps, Part
from vision.outlines import area, circle_of, rectangle_of
from vision.pieces import Kind, Piece
from vision.rectify import Image, TopView
from vision.scope import Scope

FloatArray = npt.NDArray[np.float64]
Gradient = npt.NDArray[np.float32]

HEIGHTS_MM = (2.0, 112.0)
"""Lowest and highest that is tried; what is higher hides the table."""
HEIGHT_STEP_MM = 3.0
SOFT_LEVELS = 3.0
"""Gradient, in grey levels a pixel, that is half an edge."""
BESIDE_MM = 3.0
"""Beside an edge there is none: what texture shows there is taken off by half."""
CLASS_MM = 2.5
"""So far on both sides of its silhouette the net is asked for an obstacle."""
NEAR_RIM, FAR_RIM, BOTTOM, SILHOUETTE = 1.2, 1.0, 1.0, 1.0
"""Weights of the rim's near and far edges, of the edges on the table and of the silhouette. On 116 obstacles drawn for
it and 17 rendered by other means the median of the height's error fell from 8.0 to 2.0 mm and from 10.2 to 0.8 mm; half
or double a weight changed that of the drawn ones by less than a millimetre while the search was chosen."""
NET_HEIGHT, NET_SIZE = 0.4, 0.3
"""What a height, a width or a depth e times the net's costs, by the square of the logarithm."""
REGULAR = 0.1
"""A rectangle or circle is better by so much than the outline that the net drew: desks hold books, boxes and cups."""
COARSE_PX, SHARP_PX = 2.5, 1.0
"""Blur of the picture while a prism is far from its edges, and near them."""
COARSE_STEPS = (1.0, 1.0, 0.7, 0.7, 0.5)
FINE_STEPS = (0.7, 0.5, 0.5, 0.35, 0.35, 0.25, 0.25, 0.15, 0.1)
"""Steps of the search, in units of those below; each prism takes the best of its neighbours."""
SIDE_MM, TURN_RAD, RISE_MM = 4.0, 0.06, 5.0
BAND_MM = 7.0
FIRST_BEST, BEST = 10, 4
"""Prisms of different heights from which the search begins, and how many of them it follows to the end."""
HOPELESS = 0.3
"""A form that fits so much worse than another while the picture is blurred is not followed."""
LEAST_SCORE = 2.5
"""Below, the net's word stands: 13 such prisms of 116 were farther off than the net in the mean, the others nearer."""
FAINT, SURE_SCORE = 0.22, 3.0
"""An obstacle whose heat is less than the first needs a prism that scores the second."""
AROUND_MM = 25.0
"""A prism reaches no farther beyond what the net sees of it."""
LEAST_DEPTH_MM = 4.0
SIDE_SAMPLES = 10
ROUND_SAMPLES = 36
CIRCLE_CORNERS = 24


@dataclass(frozen=True, slots=True, eq=False)
class Prism:
    """An upright prism on the table."""

    footprint_mm: FloatArray
    """Shape (n, 2), counter-clockwise with y up."""
    height_mm: float
    score: float
    """How well its edges are seen, 0 to about 4."""


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """What the prisms of one picture are held against."""

    top: TopView
    across: Gradient = field(repr=False)
    """Shape (rows, columns): change to the right, in levels a pixel, of the colour that changes most."""
    down: Gradient = field(repr=False)
    maps: FinderMaps = field(repr=False)
    corner: tuple[int, int] = (0, 0)
    """Column and row of the whole picture from above where these begin."""

    @classmethod
    def of(
        cls, top_bgr: Image, top: TopView, maps: FinderMaps, *, blur_px: float = SHARP_PX, part: Part | None = None
    ) -> Self:
        """Take the gradients of a picture from above, or a part of it, blurred by so much first."""
        rows, columns = part or (slice(0, top.size[1]), slice(0, top.size[0]))
        soft = cv2.GaussianBlur(top_bgr[rows, columns], (0, 0), blur_px)
        changes = [cv2.Scharr(soft, cv2.CV_16S, *direction).astype(np.float32) / 32 for direction in ((1, 0), (0, 1))]
        strongest = (changes[0] ** 2 + changes[1] ** 2).argmax(axis=2)[..., None]
        across, down = (np.take_along_axis(change, strongest, axis=2)[..., 0] for change in changes)
        corner = columns.start, rows.start
        return cls(top, across.astype(np.float32), down.astype(np.float32), maps, corner)

    def edge(self, x_mm: FloatArray, y_mm: FloatArray, across: FloatArray, up: FloatArray) -> FloatArray:
        """Give how much of an edge each point lies on, 0 to 1; across it lies the unit vector (`across`, `up`)."""
        rows, columns = self.across.shape
        width, depth = self.top.area.extent_mm
        scale = self.top.px_per_mm
        x = ((x_mm + width / 2) * scale).astype(np.int32)
        y = ((depth / 2 - y_mm) * scale).astype(np.int32)
        for place, corner, count in ((x, self.corner[0], columns), (y, self.corner[1], rows)):
            place -= corner
            np.minimum(np.maximum(place, 0, out=place), count - 1, out=place)
        y *= columns
        y += x
        place = y.astype(np.intp)
        change = self.across.take(place) * across
        change -= self.down.take(place) * up
        np.abs(change, out=change)
        change /= change + SOFT_LEVELS
        return change

    def clear_edge(self, x_mm: FloatArray, y_mm: FloatArray, across: FloatArray, up: FloatArray) -> FloatArray:
        """Give the same less half of what lies beside the edge."""
        beside_x, beside_y = BESIDE_MM * across, BESIDE_MM * up
        away = self.edge(x_mm + beside_x, y_mm + beside_y, across, up)
        away += self.edge(x_mm - beside_x, y_mm - beside_y, across, up)
        away /= 4
        return self.edge(x_mm, y_mm, across, up) - away

    def obstacle(self, x_mm: FloatArray, y_mm: FloatArray) -> FloatArray:
        """Give the net's probability of an obstacle at points."""
        across, down = self.maps.x_mm, self.maps.y_mm
        column = np.rint((x_mm - across[0]) / (across[1] - across[0])).astype(np.intp)
        row = np.rint((y_mm - down[0]) / (down[1] - down[0])).astype(np.intp)
        for place, count in ((column, len(across)), (row, len(down))):
            np.minimum(np.maximum(place, 0, out=place), count - 1, out=place)
        return np.asarray(self.maps.classes[3][row, column], dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """A footprint's form: unit points that are moved, stretched and turned."""

    corners: FloatArray
    points: FloatArray
    normals: FloatArray
    start: FloatArray
    """x, y, width, depth, turn that give the footprint."""
    is_round: bool
    bonus: float


def with_prisms(
    pieces: Sequence[Piece], top_bgr: Image, top: TopView, maps: FinderMaps, *, scope: Scope | None = None
) -> tuple[Piece, ...]:
    """Give the pieces again, obstacles with footprint and height as the picture shows them; faint ones only if it does.

    Args:
        pieces: what the net sees.
        top_bgr: the whole picture from above.
        top: how it was made.
        maps: the net's, of the whole picture or a part.
        scope: obstacles beyond it, and those that are known, stay as the net sees them, without the faint ones.
    """
    obstacles = [piece for piece in pieces if piece.kind is Kind.OBSTACLE]
    left = [p for p in obstacles if scope is not None and (scope.is_beyond(p) or scope.is_settled(p))]
    pieces = [piece for piece in pieces if piece not in left or piece.confidence >= FAINT]
    asked = [piece for piece in obstacles if piece not in left]
    if not asked:
        return tuple(pieces)
    part = _around(asked, top)
    coarse, fine = (Relief.of(top_bgr, top, maps, blur_px=blur, part=part) for blur in (COARSE_PX, SHARP_PX))
    measured = (_measured(piece, coarse, fine) if piece in asked else piece for piece in pieces)
    return tuple(piece for piece in measured if piece is not None)


def _around(pieces: Sequence[Piece], top: TopView) -> Part:
    """Rows and columns of the picture from above that hold all that prisms over some pieces may cover."""
    outline = top.to_top(np.vstack([piece.outline_mm for piece in pieces]))
    reach = AROUND_MM * top.px_per_mm
    left, upper = np.maximum(np.floor(outline.min(axis=0) - reach), 0).astype(int)
    right, lower = np.minimum(np.ceil(outline.max(axis=0) + reach), top.size).astype(int)
    return slice(int(upper), int(lower)), slice(int(left), int(right))


def _measured(piece: Piece, coarse: Relief, fine: Relief) -> Piece | None:
    """Give the piece as the picture shows it; None where neither the net nor the picture is sure that it is there."""
    is_faint = piece.confidence < FAINT
    if piece.footprint_mm is None or len(piece.footprint_mm) < 3:
        return None if is_faint else piece
    prism = fit_prism(coarse, fine, piece.footprint_mm, piece.height_mm)
    if prism.score < (SURE_SCORE if is_faint else LEAST_SCORE):
        return None if is_faint else piece
    x, y = prism.footprint_mm.mean(axis=0)
    return replace(piece, mm=(float(x), float(y)), footprint_mm=prism.footprint_mm, height_mm=prism.height_mm)


def fit_prism(coarse: Relief, fine: Relief, footprint_mm: FloatArray, height_mm: float) -> Prism:
    """Find the prism that the picture shows near a rough one.

    Args:
        coarse: of the picture from above, blurred: edges are felt from afar.
        fine: of the same picture, sharp.
        footprint_mm: shape (n, 2), n at least 3: where the net sees the footprint.
        height_mm: the net's.
    """
    foot, camera_height = fine.top.view.camera_mm[:2], float(fine.top.view.camera_mm[2])
    highest = min(HEIGHTS_MM[1], 0.6 * camera_height)
    height = float(np.clip(height_mm, HEIGHTS_MM[0], highest))
    rough = []
    for shape in _shapes(footprint_mm):
        values = _best_of_each_height(_first(shape, height, foot, camera_height, highest), coarse, shape, height)
        values, scores = _climbed(values, shape, COARSE_STEPS, coarse, height, highest)
        rough.append((float(scores.max()), values[np.argsort(-scores, kind="stable")[:BEST]], shape))
    likeliest = max(score for score, _, _ in rough)
    fitted = []
    for rough_score, values, shape in rough:
        if rough_score < likeliest - HOPELESS:
            continue
        values, scores = _climbed(values, shape, FINE_STEPS, fine, height, highest)
        first = int(scores.argmax())
        fitted.append((float(scores[first]), values[first], shape))
    score, found, shape = max(fitted, key=lambda fit: fit[0])
    corners = np.stack(_placed(shape.corners, found[None]), axis=-1)[0]
    return Prism(corners, float(found[5]), score - shape.bonus)


def _shapes(footprint_mm: FloatArray) -> tuple[_Shape, ...]:
    whole = math.sqrt(max(area(footprint_mm), 1.0))
    rectangle, _ = rectangle_of(footprint_mm)
    along, over = rectangle[1] - rectangle[0], rectangle[2] - rectangle[1]
    width, depth = max(float(np.linalg.norm(along)), 1.0), max(float(np.linalg.norm(over)), 1.0)
    shrunk = whole / math.sqrt(width * depth)
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    share = ((np.arange(SIDE_SAMPLES) + 0.5) / SIDE_SAMPLES)[:, None]
    sides = np.concatenate([square[k] + (square[(k + 1) % 4] - square[k]) * share for k in range(4)])
    outwards = np.repeat(np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]), SIDE_SAMPLES, axis=0)
    middle = rectangle.mean(axis=0)
    turn = math.atan2(along[1], along[0])
    box = _Shape(
        square, sides, outwards, np.array([*middle, width * shrunk, depth * shrunk, turn]), False, REGULAR
    )  # fmt: skip
    centre, radius, _ = circle_of(footprint_mm)
    ring = _circle(ROUND_SAMPLES)
    start = np.array([*centre, 2 * max(radius, 1.0), 2 * max(radius, 1.0), 0.0])
    cup = _Shape(_circle(CIRCLE_CORNERS) / 2, ring / 2, ring, start, True, REGULAR)
    if len(footprint_mm) in (4, CIRCLE_CORNERS):
        return (box, cup)
    around = np.vstack([footprint_mm, footprint_mm[:1]])
    length = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(around, axis=0), axis=1)))
    at = (np.arange(ROUND_SAMPLES) + 0.5) / ROUND_SAMPLES * length[-1]
    points = np.column_stack([np.interp(at, length, around[:, axis]) for axis in (0, 1)])
    tangent = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    normals = np.column_stack([tangent[:, 1], -tangent[:, 0]])
    middle = footprint_mm.mean(axis=0)
    if ((points - middle) * normals).sum() < 0:
        normals = -normals
    as_seen = np.array([*middle, 1.0, 1.0, 0.0])
    return (box, cup, _Shape(footprint_mm - middle, points - middle, normals, as_seen, False, 0.0))


def _circle(corners: int) -> FloatArray:
    angle = np.arange(corners) * 2 * math.pi / corners
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _first(shape: _Shape, height_mm: float, foot: FloatArray, camera_height: float, highest: float) -> FloatArray:
    """Give prisms of all heights, shape (n, 6): the footprint as it is, the top as it is, near and far edge as seen."""
    heights = np.append(np.arange(HEIGHTS_MM[0] + 1, highest, HEIGHT_STEP_MM), height_mm)
    values = np.tile(np.append(shape.start, height_mm), (len(heights), 1))
    return np.vstack([_raised(values, heights, keeping, shape, foot, camera_height) for keeping in range(3)])


def _raised(
    values: FloatArray,
    heights_mm: FloatArray,
    keeping: int,
    shape: _Shape,
    foot: FloatArray,
    camera_height: float,
) -> FloatArray:
    """Give prisms, shape (n, 6), other heights: 0 keeps the footprint, 1 the rim, 2 the near and the far edge as seen.

    Height, depth and place go together: a prism of another height that is still seen where it is has another footprint.
    """
    new = values.copy()
    new[:, 5] = heights_mm
    if keeping == 0:
        return new
    away = values[:, :2] - foot
    shrunk = (camera_height - heights_mm) / (camera_height - values[:, 5])
    if keeping == 1:
        new[:, :2] = foot + away * shrunk[:, None]
        new[:, 2:4] *= shrunk[:, None]
        return new
    reach = np.linalg.norm(away, axis=1)
    ahead = away / np.maximum(reach, 1e-6)[:, None]
    lies_across = np.abs(np.cos(values[:, 4]) * ahead[:, 0] + np.sin(values[:, 4]) * ahead[:, 1]) < math.sqrt(0.5)
    is_across = lies_across & (not shape.is_round)
    unit = np.ptp(shape.corners, axis=0)
    deep = np.where(is_across, values[:, 3] * unit[1], values[:, 2] * unit[0])
    near, far = reach - deep / 2, (reach + deep / 2) * shrunk
    deeper = np.maximum(far - near, LEAST_DEPTH_MM)
    change = deeper / np.maximum(deep, 1e-6)
    new[:, :2] = foot + ahead * (near + deeper / 2)[:, None]
    new[:, 2] *= np.where(is_across, 1.0, change)
    new[:, 3] *= np.where(is_across | shape.is_round, change, 1.0)
    return new


def _best_of_each_height(values: FloatArray, relief: Relief, shape: _Shape, height_mm: float) -> FloatArray:
    """Give the best prisms of different heights: the best ones of all are often alike, and none of them right."""
    scores = _scores(relief, shape, values, height_mm)
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique((values[order, 5] // BAND_MM).astype(int), return_index=True)
    return values[order[np.sort(first)[:FIRST_BEST]]]


def _neighbours(values: FloatArray, shape: _Shape, step: float, foot: FloatArray, camera_height: float) -> FloatArray:
    """Give prisms and those that differ from each in one respect: a side, the turn, the height; shape (m, n, 6)."""
    out = [values]
    for sign in (-step, step):
        for keeping in range(3):
            heights = np.maximum(values[:, 5] + sign * RISE_MM, HEIGHTS_MM[0])
            out.append(_raised(values, heights, keeping, shape, foot, camera_height))
        if shape.is_round:
            for axis in range(2):
                new = values.copy()
                new[:, axis] += sign * SIDE_MM / 2
                out.append(new)
            new = values.copy()
            new[:, 2:4] += sign * SIDE_MM
            out.append(new)
            continue
        new = values.copy()
        new[:, 4] += sign * TURN_RAD
        out.append(new)
        cos, sin = np.cos(values[:, 4]), np.sin(values[:, 4])
        unit = np.ptp(shape.corners, axis=0)
        for axis, along in enumerate((np.stack([cos, sin], 1), np.stack([-sin, cos], 1))):
            for side in (-1.0, 1.0):  # one side goes out or in, the one opposite stays
                new = values.copy()
                new[:, 2 + axis] += sign * SIDE_MM / unit[axis]
                new[:, :2] += along * (side * sign * SIDE_MM / 2)
                out.append(new)
    found = np.stack(out)
    unit = np.ptp(shape.corners, axis=0)
    found[..., 2:4] = np.maximum(found[..., 2:4], LEAST_DEPTH_MM / unit)
    return found


def _climbed(
    values: FloatArray, shape: _Shape, steps: Sequence[float], relief: Relief, height_mm: float, highest: float
) -> tuple[FloatArray, FloatArray]:
    """Let each of n prisms take the best step it can, one of each width after another; gives them and their scores."""
    foot, camera_height = relief.top.view.camera_mm[:2], float(relief.top.view.camera_mm[2])
    values, scores = values.copy(), np.empty(len(values))
    goes_on, before = np.arange(len(values)), 0.0
    for step in steps:
        if step != before:  # what has found no better place with a step finds none with it again
            goes_on, before = np.arange(len(values)), step
        if not len(goes_on):
            continue
        around = _neighbours(values[goes_on], shape, step, foot, camera_height)
        around[..., 5] = np.minimum(around[..., 5], highest)
        found = _scores(relief, shape, around.reshape(-1, 6), height_mm).reshape(around.shape[:2])
        best = found.argmax(axis=0)
        each = np.arange(len(goes_on))
        values[goes_on], scores[goes_on] = around[best, each], found[best, each]
        goes_on = goes_on[best > 0]
    return values, scores


def _placed(unit: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give x and y of unit points, shape (m, 2), as each of n prisms has them on the table, shape (n, m) each."""
    cos, sin = np.cos(values[:, 4, None]), np.sin(values[:, 4, None])
    x, y = unit[:, 0] * values[:, 2, None], unit[:, 1] * values[:, 3, None]
    return x * cos - y * sin + values[:, 0, None], x * sin + y * cos + values[:, 1, None]


def _scores(relief: Relief, shape: _Shape, values: FloatArray, height_mm: float) -> FloatArray:
    """Hold prisms, shape (n, 6), against the picture; shape (n,)."""
    foot_x, foot_y, camera_height = (float(v) for v in relief.top.view.camera_mm)
    bottom_x, bottom_y = _placed(shape.points, values)
    level = values.copy()
    level[:, :2] = 0
    level[:, 2:4] = 1 / values[:, 2:4]
    across, up = _placed(shape.normals, level)
    length = np.sqrt(across * across + up * up) + 1e-9
    across /= length
    up /= length
    away_x, away_y = bottom_x - foot_x, bottom_y - foot_y
    raised = (camera_height / (camera_height - values[:, 5]))[:, None]
    rim_x, rim_y = foot_x + away_x * raised, foot_y + away_y * raised
    faces = away_x * across + away_y * up < 0
    hides = ~faces
    fronts, backs = faces.sum(axis=1) + 1e-6, hides.sum(axis=1) + 1e-6
    rims, low = relief.clear_edge(rim_x, rim_y, across, up), relief.clear_edge(bottom_x, bottom_y, across, up)
    seen_x, seen_y = np.where(faces, bottom_x, rim_x), np.where(faces, bottom_y, rim_y)
    side_x, side_y = CLASS_MM * across, CLASS_MM * up
    silhouette = relief.obstacle(seen_x - side_x, seen_y - side_y)
    silhouette -= relief.obstacle(seen_x + side_x, seen_y + side_y)
    score = (
        NEAR_RIM * (rims * faces).sum(axis=1) / fronts
        + FAR_RIM * (rims * hides).sum(axis=1) / backs
        + BOTTOM * (low * faces).sum(axis=1) / fronts
        + SILHOUETTE * ((silhouette * faces).sum(axis=1) / fronts + (silhouette * hides).sum(axis=1) / backs)
    )
    score -= NET_HEIGHT * np.log(values[:, 5] / height_mm) ** 2
    score -= NET_SIZE * (np.log(values[:, 2:4] / shape.start[2:4]) ** 2).sum(axis=1)
    return np.asarray(score + shape.bonus, dtype=np.float64)
