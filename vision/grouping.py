"""Make pieces of the finder's maps: peaks of heat are things, each place belongs to the thing that it points to."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.finder import GRID_MM, FinderMaps
from vision.lean import cube_outline, thrown
from vision.observation import Pose
from vision.outlines import area, circle_of, hull, overlap, rectangle_of
from vision.pieces import Kind, Piece
from vision.rectify import TopView

FloatArray = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]

STANDING, TIPPED, DIE, OBSTACLE = range(4)
"""Channels of the heat."""
LEAST_HEAT = (0.22, 0.22, 0.25, 0.12)
"""Peaks below are nothing: at 0.3 one more figure in ten is missed on the rendered tables and as many are false."""
APART_MM = (9.0, 12.0, 7.5, 14.0)
"""Two peaks of a kind nearer than this are one."""
REACH_MM = (16.0, 22.0, 9.0, 45.0)
"""How far a place may point beside a peak and still belong to it."""
LEAST_PLACES = (8, 10, 8, 20)
"""A thing fills at least so many places of the grid (4 mm^2 each)."""
FIGURE_BELIEF = (2.316, 2.525, 0.471, 0.497, -0.333, -1.287)
"""Weights of what speaks for a figure (`FigureSeen.measures`), then a constant: a logistic regression that
`models.training.tables.belief` fitted on drawn and rendered tables which no training saw."""
LOOSE_PLACES = 60
"""An obstacle without a peak of heat fills at least so many places."""
LOOSE_SURE = 0.75
"""Mean probability of its class there."""
LOOSE_APART_MM = 30.0
"""Nearer to a peak of any kind it is a part of that thing."""
LEAST_HAND_MM2 = 350.0
INSTEAD_MM = 12.0
"""As far from where a head shows as its figure stands: a head as big as a die is 20 to 30 mm up."""
LEAST_INSTEAD = 0.12
"""Heat of a figure that counts where a die turns out to be none."""
FINE = 4
"""Outlines are drawn on a grid so many times finer than the maps."""


@dataclass(slots=True)
class _Peak:
    channel: int
    mm: FloatArray
    heat: float
    row: int
    column: int
    mask: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class FigureSeen:
    """What the maps say for a figure at a place."""

    mm: tuple[float, float]
    heat: float
    solid: float
    """Mean probability of a figure over its places."""
    places: int
    is_tipped: bool
    is_beside: bool
    """Whether it is beside the play area, where the sheet is printed."""

    @property
    def measures(self) -> tuple[float, float, float, float, float]:
        """In the order of `FIGURE_BELIEF`."""
        return (
            math.log(self.heat / (1 - self.heat)),
            self.solid,
            math.log(self.places),
            float(self.is_tipped),
            float(self.is_beside),
        )

    @property
    def belief(self) -> float:
        """How probably there is a figure."""
        weighed = sum(w * m for w, m in zip(FIGURE_BELIEF, (*self.measures, 1.0), strict=True))
        return 1 / (1 + math.exp(-weighed))


def figures_seen(maps: FinderMaps, top: TopView) -> tuple[FigureSeen, ...]:
    """Give what speaks for each figure that the maps tell of, on the sheet or play area."""
    peaks = _peaks(maps)
    _share_out(maps, peaks)
    return tuple(_seen(maps, p, top) for p in peaks if p.channel in (STANDING, TIPPED) and _counts(p, top))


def _counts(peak: _Peak, top: TopView) -> bool:
    """Whether a peak is large enough and on the sheet or play area."""
    if peak.mask is None or int(peak.mask.sum()) < LEAST_PLACES[peak.channel]:
        return False
    half_width, half_depth = _half_sheet(top)
    return abs(float(peak.mm[0])) <= half_width and abs(float(peak.mm[1])) <= half_depth


def _half_sheet(top: TopView) -> tuple[float, float]:
    return top.area.ground_mm[0] / 2 + 4, top.area.ground_mm[1] / 2 + 4


def _seen(maps: FinderMaps, peak: _Peak, top: TopView) -> FigureSeen:
    assert peak.mask is not None
    is_beside = abs(peak.mm[0]) > top.area.width_mm / 2 or abs(peak.mm[1]) > top.area.depth_mm / 2
    heat = min(max(peak.heat, 1e-3), 1 - 1e-3)
    solid = float(maps.classes[1][peak.mask].mean())
    return FigureSeen(_point(peak.mm), heat, solid, int(peak.mask.sum()), peak.channel == TIPPED, is_beside)


def group(maps: FinderMaps, top: TopView) -> tuple[Piece, ...]:
    """Give the pieces that the maps tell of, those on the sheet or play area only; hands that reach over it."""
    peaks = _peaks(maps)
    _share_out(maps, peaks)
    peaks += _loose(maps, peaks)
    pieces = []
    for peak in peaks:
        if not _counts(peak, top):
            continue
        maker = _obstacle if peak.channel == OBSTACLE else _die if peak.channel == DIE else _figure
        piece = maker(maps, peak, top)
        if piece is not None and piece.kind is Kind.DIE:
            piece = replace(piece, instead=_figure_instead(maps, peak, top))
        if piece is not None:
            pieces.append(piece)
    sheet = np.array(_half_sheet(top))
    hands = (h for h in _hands(maps) if (np.abs(h.outline_mm) < sheet).all(axis=1).any())
    return (*pieces, *hands)


def _peaks(maps: FinderMaps) -> list[_Peak]:
    peaks: list[_Peak] = []
    for channel in range(4):
        heat = maps.heat[channel]
        highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((heat >= highest) & (heat > LEAST_HEAT[channel]))
        order = np.argsort(-heat[rows, columns], kind="stable")
        kept: list[_Peak] = []
        for k in order:
            row, column = int(rows[k]), int(columns[k])
            place = _fine_place(maps, heat, row, column)
            if all(np.hypot(*(place - p.mm)) > APART_MM[channel] for p in kept):
                kept.append(_Peak(channel, place, float(heat[row, column]), row, column))
        peaks += kept
    return _without_rivals(peaks)


def _fine_place(maps: FinderMaps, heat: Float32, row: int, column: int) -> FloatArray:
    r0, r1 = max(0, row - 2), min(heat.shape[0], row + 3)
    c0, c1 = max(0, column - 2), min(heat.shape[1], column + 3)
    weight = heat[r0:r1, c0:c1].astype(np.float64) ** 2
    total = weight.sum()
    return np.array([(weight * maps.x_mm[None, c0:c1]).sum() / total, (weight * maps.y_mm[r0:r1, None]).sum() / total])


def _without_rivals(peaks: list[_Peak]) -> list[_Peak]:
    """Of two kinds for one thing keep the surer one."""
    gone: set[int] = set()
    for i, one in enumerate(peaks):
        for j, other in enumerate(peaks[:i]):
            if i in gone or j in gone or one.channel == other.channel:
                continue
            both = {one.channel, other.channel}
            limit = 15.0 if both == {STANDING, TIPPED} else 8.0 if OBSTACLE not in both else 10.0
            if np.hypot(*(one.mm - other.mm)) < limit:
                gone.add(i if one.heat < other.heat else j)
    return [p for k, p in enumerate(peaks) if k not in gone]


def _share_out(maps: FinderMaps, peaks: list[_Peak]) -> None:
    """Give every place to the peak of its class that it points to."""
    kind = maps.classes.argmax(axis=0)
    for number, channels in ((1, (STANDING, TIPPED)), (2, (DIE,)), (3, (OBSTACLE,))):
        mine = [p for p in peaks if p.channel in channels]
        rows, columns = np.nonzero(kind == number)
        if not mine or not len(rows):
            continue
        points = np.column_stack(
            [
                maps.x_mm[columns] + maps.offset_mm[0, rows, columns],
                maps.y_mm[rows] + maps.offset_mm[1, rows, columns],
            ]
        )
        centres = np.array([p.mm for p in mine])
        apart = np.linalg.norm(points[:, None] - centres[None], axis=2)
        nearest = apart.argmin(axis=1)
        reach = np.array([REACH_MM[p.channel] for p in mine])
        close = apart[np.arange(len(points)), nearest] < reach[nearest]
        for index, peak in enumerate(mine):
            chosen = close & (nearest == index)
            mask = np.zeros(kind.shape, np.bool_)
            mask[rows[chosen], columns[chosen]] = True
            peak.mask = mask


def _loose(maps: FinderMaps, peaks: list[_Peak]) -> list[_Peak]:
    """Give obstacles that the net sees clearly without a peak of heat: a book's middle is known to centimetres only."""
    taken = np.zeros(maps.classes.shape[1:], np.bool_)
    for peak in peaks:
        if peak.mask is not None:
            taken |= peak.mask
    free = ((maps.classes.argmax(axis=0) == 3) & ~taken).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(free, connectivity=4)
    found = []
    for label in range(1, count):
        mask = labels == label
        if stats[label, cv2.CC_STAT_AREA] < LOOSE_PLACES or float(maps.classes[3][mask].mean()) < LOOSE_SURE:
            continue
        rows, columns = np.nonzero(mask)
        x = float(np.median(maps.x_mm[columns] + maps.offset_mm[0, rows, columns]))
        y = float(np.median(maps.y_mm[rows] + maps.offset_mm[1, rows, columns]))
        if any(p.mask is not None and np.hypot(*(p.mm - (x, y))) < LOOSE_APART_MM for p in peaks):
            continue
        row, column = int(np.abs(maps.y_mm - y).argmin()), int(np.abs(maps.x_mm - x).argmin())
        found.append(_Peak(OBSTACLE, np.array([x, y]), float(maps.classes[3][mask].mean()), row, column, mask))
    return found


def _outline(maps: FinderMaps, values: Float32, *, level: float = 0.5) -> FloatArray | None:
    """Give the largest outline of a map above a level, in mm, shape (n, 2)."""
    rows, columns = np.nonzero(values > level)
    if not len(rows):
        return None
    r0, r1 = max(0, int(rows.min()) - 2), min(values.shape[0], int(rows.max()) + 3)
    c0, c1 = max(0, int(columns.min()) - 2), min(values.shape[1], int(columns.max()) + 3)
    fine = cv2.resize(values[r0:r1, c0:c1], None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR)
    contours, _ = cv2.findContours((fine > level).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    best = max(contours, key=len)
    points = (np.asarray(best, dtype=np.float64).reshape(-1, 2) + 0.5) / FINE - 0.5
    if len(points) < 3:
        return None
    return np.column_stack([maps.x_mm[c0] + points[:, 0] * GRID_MM, maps.y_mm[r0] - points[:, 1] * GRID_MM])


def _piece_outline(maps: FinderMaps, peak: _Peak, *numbers: int) -> FloatArray | None:
    assert peak.mask is not None
    near = cv2.dilate(peak.mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kind = maps.classes.argmax(axis=0)
    # Places of other things of the same kind must not flow in.
    is_other = np.isin(kind, numbers, invert=True)
    values = np.where(peak.mask | (near & is_other), maps.classes[list(numbers)].sum(axis=0), 0).astype(np.float32)
    return _outline(maps, values)


def _point(values: FloatArray) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _at(maps: FinderMaps, peak: _Peak, channel: int) -> float:
    r0, c0 = max(0, peak.row - 1), max(0, peak.column - 1)
    weight = maps.heat[peak.channel][r0 : peak.row + 2, c0 : peak.column + 2]
    values = maps.size_mm[channel][r0 : peak.row + 2, c0 : peak.column + 2]
    return float((values * weight).sum() / max(float(weight.sum()), 1e-6))


def _figure_instead(maps: FinderMaps, die: _Peak, top: TopView) -> Piece | None:
    """Give the figure that a die may be the head of, where the net half sees one."""
    assert die.mask is not None
    near = np.hypot(maps.x_mm[None, :] - die.mm[0], maps.y_mm[:, None] - die.mm[1]) < INSTEAD_MM
    heat = np.where(near, maps.heat[[STANDING, TIPPED]], 0)
    channel, row, column = (int(k) for k in np.unravel_index(int(heat.argmax()), heat.shape))
    if heat[channel, row, column] < LEAST_INSTEAD:
        return None
    place = _fine_place(maps, maps.heat[channel], row, column)
    points = np.stack([maps.x_mm[None, :] + maps.offset_mm[0], maps.y_mm[:, None] + maps.offset_mm[1]], axis=-1)
    body = (maps.classes.argmax(axis=0) == 1) & (np.linalg.norm(points - place, axis=-1) < REACH_MM[channel])
    peak = _Peak(channel, place, float(heat[channel, row, column]), row, column, die.mask | body)
    return _figure(maps, peak, top, numbers=(1, 2))


def _figure(maps: FinderMaps, peak: _Peak, top: TopView, *, numbers: tuple[int, ...] = (1,)) -> Piece | None:
    assert peak.mask is not None
    outline = _piece_outline(maps, peak, *numbers)
    if outline is None:
        return None
    standing = peak.channel == STANDING
    height, base = _at(maps, peak, 0), _at(maps, peak, 1)
    place = peak.mm
    if standing and base > 10:
        place = 0.5 * place + 0.5 * _foot_centre(maps, peak, base)
    tops = np.quantile(maps.height_mm[peak.mask], 0.97) if peak.mask.any() else height
    if standing:
        height = 0.5 * height + 0.5 * float(tops)
    other = maps.heat[TIPPED if standing else STANDING]
    rival = float(other[max(0, peak.row - 4) : peak.row + 5, max(0, peak.column - 4) : peak.column + 5].max())
    pose = Pose.STANDING if standing else Pose.TIPPED
    if rival > 0.75 * peak.heat:
        pose = Pose.UNSURE
    return Piece(
        Kind.FIGURE, peak.heat, outline, _point(place), pose, max(5.0, height), base if base > 12 else None,
        belief=_seen(maps, peak, top).belief,
    )  # fmt: skip


def _foot_centre(maps: FinderMaps, peak: _Peak, base: float) -> FloatArray:
    """Give the middle of the base's footprint around a peak, hidden parts included."""
    across = maps.x_mm[None, :] - peak.mm[0]
    up = maps.y_mm[:, None] - peak.mm[1]
    weight = np.where(np.hypot(across, up) < base / 2 + 2.0, maps.feet[0], 0).astype(np.float64)
    weight[weight < 0.2] = 0
    total = weight.sum()
    if total * GRID_MM**2 < 0.4 * math.pi * (base / 2) ** 2:
        return peak.mm
    return np.asarray(peak.mm + np.array([(weight * across).sum(), (weight * up).sum()]) / total)


def _die(maps: FinderMaps, peak: _Peak, top: TopView) -> Piece | None:
    outline = _piece_outline(maps, peak, 2)
    if outline is None:
        return None
    whole = area(outline)
    x, y, height = top.view.camera_mm
    steep = math.hypot(peak.mm[0] - x, peak.mm[1] - y) / height
    side = math.sqrt(whole / (1 + 1.27 * steep))
    if not 7.0 < side < 26.0:
        return None
    best, best_yaw, best_side = 0.0, 0.0, side
    for yaw in np.arange(0, math.pi / 2, math.pi / 16):
        fit = overlap(outline, cube_outline(peak.mm, side, float(yaw), top.view), step=1.0)
        if fit > best:
            best, best_yaw, best_side = fit, float(yaw), side
    shown = area(cube_outline(peak.mm, side, best_yaw, top.view))
    best_side = side * math.sqrt(whole / max(shown, 1e-6))
    cos, sin = math.cos(best_yaw), math.sin(best_yaw)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * best_side / 2 @ np.array([[cos, sin], [-sin, cos]])
    return Piece(
        Kind.DIE, peak.heat, outline, _point(peak.mm), height_mm=best_side, base_mm=best_side,
        footprint_mm=square + peak.mm if best > 0.82 else None,
    )  # fmt: skip


def _obstacle(maps: FinderMaps, peak: _Peak, top: TopView) -> Piece | None:
    assert peak.mask is not None
    outline = _piece_outline(maps, peak, 3)
    if outline is None or area(outline) < 90:
        return None
    height = 0.5 * _at(maps, peak, 0) + 0.5 * float(np.quantile(maps.height_mm[peak.mask], 0.93))
    footprint = _footprint(maps, peak)
    if footprint is None:
        footprint = hull(thrown(outline, -height / 2, top.view))
    sure = float(maps.classes[3][peak.mask].mean())
    confidence = max(peak.heat, sure) if peak.mask.sum() >= LOOSE_PLACES and sure >= LOOSE_SURE else peak.heat
    return Piece(
        Kind.OBSTACLE, confidence, outline, _point(footprint.mean(axis=0)), height_mm=max(2.0, height),
        footprint_mm=footprint,
    )  # fmt: skip


def _footprint(maps: FinderMaps, peak: _Peak) -> FloatArray | None:
    values = maps.feet[1]
    count, labels = cv2.connectedComponents((values > 0.5).astype(np.uint8))
    if count < 2:
        return None
    label = int(labels[peak.row, peak.column])
    if label == 0:
        r0, c0 = max(0, peak.row - 4), max(0, peak.column - 4)
        near = labels[r0 : peak.row + 5, c0 : peak.column + 5]
        label = int(near.max())
        if label == 0:
            return None
    ring = _outline(maps, np.where(labels == label, values, np.minimum(values, 0.49)).astype(np.float32))
    if ring is None or area(ring) < 60:
        return None
    smooth = hull(ring)
    rectangle, filled = rectangle_of(smooth)
    centre, radius, roundness = circle_of(smooth)
    if roundness > max(0.93, filled + 0.02):
        angle = np.arange(24) * 2 * math.pi / 24
        return np.asarray(centre + radius * np.column_stack([np.cos(angle), np.sin(angle)]))
    if filled > 0.88:
        middle = rectangle.mean(axis=0)
        return np.asarray(middle + (rectangle - middle) * math.sqrt(area(smooth) / area(rectangle)))
    return smooth


def _hands(maps: FinderMaps) -> tuple[Piece, ...]:
    mask = (maps.classes[4] > 0.5).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    pieces = []
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] * GRID_MM**2 < LEAST_HAND_MM2:
            continue
        outline = _outline(maps, np.where(labels == label, maps.classes[4], 0).astype(np.float32))
        if outline is not None:
            confidence = float(maps.classes[4][labels == label].mean())
            pieces.append(Piece(Kind.HAND, confidence, outline, _point(outline.mean(axis=0))))
    return tuple(pieces)
