"""Part what stands out into figures, dice, obstacles and hands by shape alone, without a net.

It knows that dice are cubes, that obstacles are upright prisms, that most figures stand on a round base narrower
bodies rise from, and that hands reach in from the picture's border. Things that touch in the picture stay one piece:
that is what the net is for.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.ground import Mask
from vision.lean import cube_outline, height_of_lean, lean_at, prism_of_silhouette, thrown
from vision.observation import Pose
from vision.outlines import area, circle_of, fit_circle, hull, overlap, rectangle_of
from vision.pieces import Kind, Piece
from vision.rectify import TopView

FloatArray = npt.NDArray[np.float64]

LEAST_AREA_MM2 = 60.0
"""Smaller than the top of a 9 mm die: crumbs, glare, print."""
DIE_SIDES_MM = (8.5, 23.0)
"""Common pip dice are 12 to 19 mm; giant 25 mm dice are not told from blocks."""
DIE_OVERLAP = 0.80
"""A cube's outline fits a die's by more than this, with edges found to 1 mm; figures reach 0.75."""
HAND_BORDER_MM = 18.0
"""A forearm is wider than this where it crosses the picture's border."""
BASE_RADII_MM = (7.5, 27.0)
SURE_CUBE = 0.86
SURE_RIM = 0.72
"""A rim of 130 degrees and more."""
ARC_DEGREES = 110.0
"""Of a standing base at least this much of the near rim is seen."""


def part(standing_out: Mask, top: TopView, *, has_pips: Callable[[Piece], bool] | None = None) -> tuple[Piece, ...]:
    """Give the pieces of a mask.

    Args:
        standing_out: what stands out, shape (height, width) of the picture from above.
        top: how that picture was made.
        has_pips: whether pips can be read on what may be a die, asked where shape alone cannot tell it from a figure.
    """
    contours, _ = cv2.findContours(standing_out.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    half_width, half_depth = top.area.ground_mm[0] / 2, top.area.ground_mm[1] / 2
    pieces = []
    for contour in contours:
        pixels = np.asarray(contour, dtype=np.int32).reshape(-1, 2)
        if len(pixels) < 8:
            continue
        outline = top.to_mm(pixels)
        if area(outline) < LEAST_AREA_MM2:
            continue
        on_sheet = (np.abs(outline[:, 0]) < half_width) & (np.abs(outline[:, 1]) < half_depth)
        if on_sheet.mean() < 0.15:
            continue
        piece = _piece(outline, pixels, top, has_pips)
        if piece is not None and abs(piece.mm[0]) < half_width and abs(piece.mm[1]) < half_depth:
            pieces.append(piece)
    return tuple(pieces)


def _piece(
    outline: FloatArray, pixels: npt.NDArray[np.int32], top: TopView, has_pips: Callable[[Piece], bool] | None
) -> Piece | None:
    if _border_mm(pixels, top) > HAND_BORDER_MM and area(outline) > 1500:
        return Piece(Kind.HAND, 0.6, outline, _point(outline.mean(axis=0)))
    standing = _as_standing(outline, top)
    die = _as_die(outline, top)
    if die is not None and standing is None and die.confidence > SURE_CUBE:
        return die
    if die is not None and (
        has_pips(die) if has_pips is not None else standing is None or standing.confidence < SURE_RIM
    ):
        return die
    if standing is not None:
        return standing
    obstacle = _as_obstacle(outline, top)
    if obstacle is not None:
        return obstacle
    return die or _as_tipped(outline, top)


def _point(values: FloatArray) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _border_mm(pixels: npt.NDArray[np.int32], top: TopView) -> float:
    """How much of an outline runs along the border of what the camera sees."""
    seen = cv2.erode(top.seen.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=0)
    return float((seen[pixels[:, 1], pixels[:, 0]] == 0).sum()) / top.px_per_mm


def _as_die(outline: FloatArray, top: TopView) -> Piece | None:
    whole = area(outline)
    middle = outline.mean(axis=0)
    lean = lean_at(middle, top.view)
    steep = float(np.linalg.norm(lean))
    side = math.sqrt(whole / (1 + 1.27 * steep))
    if not DIE_SIDES_MM[0] * 0.9 < side < DIE_SIDES_MM[1] * 1.1:
        return None
    moments = cv2.moments(outline.astype(np.float32))
    centroid = np.array([moments["m10"], moments["m01"]]) / max(moments["m00"], 1e-9)
    centre = centroid - lean * side / 2
    best, best_side, best_fit = 0.0, side, 0.0
    for yaw in np.arange(0, math.pi / 2, math.pi / 18):
        for factor in (0.94, 1.0, 1.06):
            cube = cube_outline(centre, side * factor, float(yaw), top.view)
            fit = overlap(outline, cube)
            if fit > best_fit:
                best, best_side, best_fit = float(yaw), side * factor, fit
    if best_fit < DIE_OVERLAP or not DIE_SIDES_MM[0] <= best_side <= DIE_SIDES_MM[1]:
        return None
    cos, sin = math.cos(best), math.sin(best)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * best_side / 2 @ np.array([[cos, sin], [-sin, cos]])
    return Piece(
        Kind.DIE,
        best_fit,
        outline,
        _point(centre),
        base_mm=best_side,
        height_mm=best_side,
        footprint_mm=square + centre,
    )


def _near_rim(outline: FloatArray, top: TopView) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the outline's points nearest to the camera in each direction, and the directions ahead and aside."""
    lean = lean_at(outline.mean(axis=0), top.view)
    size = float(np.linalg.norm(lean))
    ahead = lean / size if size > 0.03 else np.array([0.0, 1.0])
    aside = np.array([-ahead[1], ahead[0]])
    along, across = outline @ ahead, outline @ aside
    bins = np.round(across / 0.75).astype(int)
    order = np.lexsort((along, bins))
    first = np.concatenate([[True], np.diff(bins[order]) != 0])
    return outline[order][first], ahead, aside


def _as_standing(outline: FloatArray, top: TopView) -> Piece | None:
    rim, ahead, aside = _near_rim(outline, top)
    if len(rim) < 10:
        return None
    best: tuple[float, FloatArray, float] | None = None
    widths = rim @ aside
    for trim_low, trim_high in ((0.0, 1.0), (0.0, 0.85), (0.15, 1.0), (0.12, 0.88), (0.3, 1.0), (0.0, 0.7)):
        low, high = np.quantile(widths, (trim_low, trim_high))
        part_rim = rim[(widths >= low) & (widths <= high)]
        # The outermost points may already belong to the far side.
        if len(part_rim) < 8:
            continue
        centre, radius = fit_circle(part_rim)
        for _ in range(3):
            off = np.abs(np.linalg.norm(rim - centre, axis=1) - radius)
            good = off < 1.0
            if good.sum() < 8:
                break
            centre, radius = fit_circle(rim[good])
        off = np.abs(np.linalg.norm(outline - centre, axis=1) - radius)
        on_rim = outline[off < 0.9] - centre
        angles = np.degrees(np.arctan2(on_rim @ aside, -(on_rim @ ahead)))
        covered = len(np.unique(np.round(angles[np.abs(angles) < 100] / 5))) * 5.0
        if BASE_RADII_MM[0] < radius < BASE_RADII_MM[1] and (best is None or covered > best[0]):
            best = (covered, centre, radius)
    if best is None or best[0] < ARC_DEGREES:
        return None
    covered, centre, radius = best
    inside = np.linalg.norm(outline - centre, axis=1) < radius + 1.2
    beyond = outline[~inside]
    lean = lean_at(centre, top.view)
    band = beyond[np.abs((beyond - centre) @ aside) < radius] if len(beyond) else beyond
    height = 0.0
    if len(band):
        farthest = band[int(np.argmax((band - centre) @ ahead))]
        height = height_of_lean(centre, centre + ahead * float((farthest - centre) @ ahead), top.view)
    # A cylinder is as wide at the top as at the foot; a figure's body is narrower than its base.
    sides = outline[np.abs((outline - centre) @ ahead - radius * 0.9 - np.linalg.norm(lean) * height * 0.5) < 2.0]
    body_wide = float(np.ptp(sides @ aside)) if len(sides) > 1 else 0.0
    if height > 8 and body_wide > 1.85 * radius and float(np.linalg.norm(lean)) > 0.25:
        return None
    if height < 6 and len(beyond) == 0 and float(np.linalg.norm(lean)) > 0.35:
        return None  # a disc without anything on it: a coin, a token, an empty base
    if area(outline) > 4.5 * math.pi * radius**2:
        return None
    confidence = min(0.9, 0.4 + covered / 400)
    return Piece(
        Kind.FIGURE, confidence, outline, _point(centre), Pose.STANDING, max(height, 10.0), 2 * radius
    )  # fmt: skip


def _as_obstacle(outline: FloatArray, top: TopView) -> Piece | None:
    smooth = hull(outline)
    if area(outline) / max(area(smooth), 1e-9) < 0.88:
        return None
    footprint, height = prism_of_silhouette(smooth, top.view)
    footprint = hull(footprint)
    rectangle, filled = rectangle_of(footprint)
    centre, radius, roundness = circle_of(footprint)
    if roundness > max(0.93, filled):
        angle = np.arange(24) * 2 * math.pi / 24
        footprint = centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    elif filled > 0.86:
        footprint = rectangle
    elif area(outline) < 1200:
        return None
    if area(footprint) < 220 or height < 4:
        return None
    return Piece(
        Kind.OBSTACLE, 0.7, outline, _point(footprint.mean(axis=0)), height_mm=height, footprint_mm=footprint
    )  # fmt: skip


def _as_tipped(outline: FloatArray, top: TopView) -> Piece | None:
    whole = area(outline)
    (_, _), sizes, _ = cv2.minAreaRect(outline.astype(np.float32))
    long, short = max(sizes), min(sizes)
    if not (12 < long < 95 and short > 5 and 120 < whole < 2600):
        return None
    centre = outline.mean(axis=0)
    back = thrown(centre[None], -8.0, top.view)[0]
    return Piece(Kind.FIGURE, 0.4, outline, _point(back), Pose.TIPPED, float(long) / 1.2, None)
