"""Dice of the table made sure of: a cube is laid over each, and those that the finder missed are added.

The finder's net and the dice detector each miss some dice and place others a few millimetres off. A cube that fits the
picture's edges and pips, over something that differs from the empty table, is what both must agree with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.dice_finds import shares_of_both
from models.dice_nets import DiceNets
from vision.dice import DieCandidate, read_dice
from vision.die_fit import DieFit, fit_die
from vision.ground import Ground
from vision.lean import cube_outline, thrown
from vision.observation import Box, Point
from vision.outlines import hull
from vision.pieces import Kind, Piece
from vision.rectify import Image, TopView
from vision.scope import Scope

FloatArray = npt.NDArray[np.float64]

LEAST_SCORE = 0.2
"""Of the detector: faint finds count where a cube fits."""
SURE_SCORE = 0.45
"""Surer finds need not be read to count, where nothing else stands near:"""
ALONE_MM = 28.0
"""a figure with a base of 25 mm and a die that touch are 21 mm apart; knees and shields look like dice, too."""
LEAST_FIT = 1.9
"""Score of a cube: dice in the rendered tables reach 2.2 to 5, 90 % of bare places stay below 1.6."""
SURE_FIT = 2.9
"""The search ends here: a wrong cube over a rendered die of roughly known side reached 2.7."""
LIKE_SIDE = 0.1
"""Sides that differ by less lead to the same cube."""
GOOD_FIT = 2.2
"""Asked of dice that the finder missed and the detector saw but faintly."""
FARTHEST_FIT_MM = 4.5
"""A cube farther from where the die was seen is a side face or its neighbour."""
SIDES_MM = (10.0, 25.0)
"""Of dice that people play with."""
USUAL_SIDES_MM = (16.0, 12.0)
"""Tried where only a part of a die was seen, as of a white one on white paper."""
SAME_MM = 14.0
"""As far as the net may see a die from where it stands: its height, leaning."""
SAME_START_MM = 2.0
OVERLAP_WEIGHT = 3.0
"""A cube's share with the box that the detector saw (intersection over union) counts as much beside its score. On 540
rendered dice 6 of 100 cubes then lie over 3 mm off, by the score alone 9; from 2 to 6 the weight hardly matters."""
USUAL_OVERLAP = 0.83
"""The median of right cubes."""
APART_MM = 9.0
"""Two dice nearer than this are one."""
FIGURE_APART_MM = 14.0
"""Nearer than this to a die an unsure figure is the die itself: no base and die of usual size stand so close."""
DOUBTED = 0.45
"""A die fainter than this, that cannot be read where the net half sees a figure, is that figure's head: of the heads
that were taken for dice on the rendered tables all are fainter, of the dice beside figures none."""
SURE_FIGURE = 0.75
"""A figure surer than this is not overruled."""
LEAST_ALIKE = 4
"""From so many dice on, of which half are as large as the median, that is the usual size on this table."""
ALIKE = 1.08
ODD = 1.15
"""A die so many times larger or smaller may be a cube laid wrongly: one of the usual size is tried there. In a crowd of
sixty dice a cube of 12 mm lay over half of a die of 16, and a side face was read."""
ROUNDED = 1.035
"""Rounded edges make a die look so much smaller: measured on the rendered tables' dice."""
UNLIKE = (0.08, 0.05, 0.05)
"""A difference to the empty table, in lightness and colour; chosen by eye."""
LEAST_UNLIKE_SHARE = 0.25
"""Of a die's outline: a white die on white paper still has its pips and its shaded side."""
_TURNS = tuple(np.radians((0.0, 22.5, 45.0, 67.5)).tolist())


def dice_made_sure_of(
    image_bgr: Image,
    top_bgr: Image,
    top: TopView,
    ground: Ground,
    pieces: Sequence[Piece],
    nets: DiceNets | None,
    *,
    known: Sequence[Piece] = (),
    within_px: tuple[int, int, int, int] | None = None,
    missed: bool = True,
    scope: Scope | None = None,
) -> tuple[Piece, ...]:
    """Lay cubes over the dice among `pieces`, and add those that are there and missing, in place of unsure figures.

    Args:
        image_bgr: the frame.
        top_bgr: the same from above.
        top: how it was turned.
        ground: the empty table.
        pieces: what the finder made out.
        nets: the dice nets; None adds nothing.
        known: dice that were laid over before and have not changed since; they are taken as they are.
        within_px: left, top, right, bottom of the part of the frame that is searched; None is all of it.
        missed: whether to add the dice that are missing.
        scope: what is looked at: beyond it no dice are added. None is all.
    """
    view = top.view
    is_asked = missed or any(p.kind is Kind.DIE and _as_known(p, known) is None for p in pieces)
    finds = _finds(image_bgr, view, nets, within_px) if nets is not None and is_asked else ()
    result: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: -p.confidence):
        if piece.kind is not Kind.DIE:
            result.append(piece)
            continue
        die = _as_known(piece, known) or laid_over(image_bgr, piece, view, finds=finds)
        if _is_a_head(image_bgr, die, view, nets):
            assert die.instead is not None
            result.append(die.instead)
            continue
        if not any(p.kind is Kind.DIE and math.dist(p.mm, die.mm) < APART_MM for p in result):
            result.append(die)
    if not missed:
        return _of_usual_size(image_bgr, view, result, known)
    half_width, half_depth = top.area.ground_mm[0] / 2, top.area.ground_mm[1] / 2
    for find in finds:
        start = find.mm
        if abs(start[0]) > half_width or abs(start[1]) > half_depth:
            continue
        if any(_is_laid(p) and math.dist(p.mm, start) < APART_MM for p in result):
            continue
        near = [p for p in result if p.kind is Kind.FIGURE and math.dist(p.mm, start) < FIGURE_APART_MM]
        if scope is not None and scope.is_beyond_cube(start) and not any(scope.takes(p) for p in near):
            continue
        if any(p.confidence > SURE_FIGURE for p in near):
            continue
        alone = all(p.kind is Kind.DIE or math.dist(p.mm, start) > ALONE_MM for p in result)
        alone = alone and not _on_print(top, ground, start)
        least = SURE_SCORE if alone else math.inf
        assert nets is not None, "the finds come from them"
        added = _confirmed(image_bgr, top_bgr, top, ground, find, nets, known, unread_from=least)
        if added is None or any(_is_laid(p) and math.dist(p.mm, added.mm) < APART_MM for p in result):
            continue
        rough = [p for p in result if p.kind is Kind.DIE and not _is_laid(p) and math.dist(p.mm, added.mm) < SAME_MM]
        result = [p for p in result if p not in near and p not in rough] + [added]
    return _of_usual_size(image_bgr, view, result, known)


def _of_usual_size(
    image_bgr: Image, view: TableView, pieces: Sequence[Piece], known: Sequence[Piece]
) -> tuple[Piece, ...]:
    """Lay a cube of the size that most dice of the table have over those that are odd, where one fits."""
    laid = [p for p in pieces if _is_laid(p)]
    sides = [p.height_mm for p in {id(p): p for p in (*laid, *filter(_is_laid, known))}.values()]
    if len(sides) < LEAST_ALIKE:
        return tuple(pieces)
    usual = float(np.median(sides))
    if sum(1 / ALIKE < side / usual < ALIKE for side in sides) * 2 < len(sides):
        return tuple(pieces)
    result = []
    for piece in pieces:
        if piece in laid and not 1 / ODD < piece.height_mm / usual < ODD:
            reach = usual / 2
            fit = _best_fit(image_bgr, view, [piece.mm], [usual / ROUNDED], on_mm=piece.on_mm, reach_mm=reach)
            if fit is not None and 1 / ODD < fit.side_mm * ROUNDED / usual < ODD:
                piece = _laid(piece, fit)
        result.append(piece)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class DieFind:
    """What the detector takes for a die, with the cube that its box tells of."""

    mm: Point
    """Place on the table under the middle of the box, for a side of 16 mm.

    The box is surer than the top face, which may be taken for a side face of a cube seen from low."""
    score: float
    box_px: Box
    """In the whole frame."""
    side_mm: float
    """By the size of the box, whatever the turn: of rendered dice 80 of 100 are 0.84 to 1.09 times the true side."""


def _finds(
    image_bgr: Image, view: TableView, nets: DiceNets, within_px: tuple[int, int, int, int] | None
) -> tuple[DieFind, ...]:
    """Give the places on the table under what the detector takes for dice, best first."""
    left, upper, right, lower = within_px or (0, 0, image_bgr.shape[1], image_bgr.shape[0])
    crop = np.ascontiguousarray(image_bgr[upper:lower, left:right])
    if min(crop.shape[:2]) < 24:
        return ()
    result = []
    for found in nets.find(crop, least_score=LEAST_SCORE):
        x0, y0, x1, y1 = found.box_px
        box = (x0 + left, y0 + upper, x1 + left, y1 + upper)
        place = _under(box, USUAL_SIDES_MM[0], view)
        if place is not None:
            result.append(DieFind(place, found.score, box, _side_of(box, view)))
    return tuple(result)


def _under(box_px: Box, side_mm: float, view: TableView) -> Point | None:
    """Give the place of a die on the table whose box has this middle: half its side above it."""
    x0, y0, x1, y1 = box_px
    place = view.to_table(np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]), height_mm=side_mm / 2)[0]
    return (float(place[0]), float(place[1])) if np.isfinite(place).all() else None


def _side_of(box_px: Box, view: TableView) -> float:
    """Give the side of the cube whose box has this area, in the mean of its turns."""
    side = USUAL_SIDES_MM[0]
    area = (box_px[2] - box_px[0]) * (box_px[3] - box_px[1])
    for _ in range(2):
        place = _under(box_px, side, view)
        if place is None:
            break
        boxes = [box_of(cube_outline(place, side, yaw, view), view) for yaw in _TURNS]
        seen = float(np.mean([(x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes]))
        side *= math.sqrt(area / seen) if seen > 0 else 1.0
    return side


def laid_over(
    image_bgr: Image,
    piece: Piece,
    view: TableView,
    *,
    finds: Sequence[DieFind] = (),
    reach_mm: float = FARTHEST_FIT_MM,
) -> Piece:
    """Give a die's piece with place, side and footprint measured in the frame; the same piece where that fails.

    Args:
        image_bgr: the frame.
        piece: the die.
        view: pose of the table.
        finds: of the detector: where it may be, besides where its outline and the piece itself say.
        reach_mm: how far from a start it may turn out to be.
    """
    x0, y0, x1, y1 = box_of(piece.outline_mm, view)
    half = piece.on_mm + (piece.base_mm or USUAL_SIDES_MM[0]) / 2
    seen = view.to_table(np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]), height_mm=half)[0]
    near = sorted((math.dist(f.mm, piece.mm), n) for n, f in enumerate(finds) if math.dist(f.mm, piece.mm) < SAME_MM)
    find = finds[near[0][1]] if near and near[0][0] < APART_MM else None
    places = [*(finds[n].mm for _, n in near), (float(seen[0]), float(seen[1])), piece.mm]
    places = [p for p in places if all(map(math.isfinite, p)) and math.dist(p, piece.mm) < SAME_MM]
    places = [p for k, p in enumerate(places) if all(math.dist(p, q) > SAME_START_MM for q in places[:k])]
    sides = [piece.base_mm, *USUAL_SIDES_MM, None if find is None else find.side_mm]
    usual = [side for side in sides if side is not None and SIDES_MM[0] < side < SIDES_MM[1]]
    fit = _best_fit(image_bgr, view, places, usual, on_mm=piece.on_mm, reach_mm=reach_mm, find=find)
    return piece if fit is None else _laid(piece, fit)


def box_of(outline_mm: FloatArray, view: TableView) -> Box:
    """Give the box in pixels of an outline as thrown on the table."""
    pixels = view.to_frame(outline_mm)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def die_candidate(piece: Piece, view: TableView) -> DieCandidate:
    """Say where to read a die: its box, and its top face's corners where its turn is known."""
    side = piece.base_mm or 16.0
    top_px: tuple[Point, Point, Point, Point] | None = None
    outline = piece.outline_mm
    if piece.footprint_mm is not None and len(piece.footprint_mm) == 4:
        corners = view.to_frame(piece.footprint_mm, height_mm=piece.on_mm + side)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
        top_px = ((ax, ay), (bx, by), (cx, cy), (dx, dy))
        outline = hull(
            np.vstack(
                [
                    thrown(piece.footprint_mm, piece.on_mm, view),
                    thrown(piece.footprint_mm, piece.on_mm + side, view),
                ]
            )
        )
    return DieCandidate(box_of(outline, view), piece.confidence, piece.mm, side, piece.on_mm, top_px)


def _is_laid(piece: Piece) -> bool:
    return piece.kind is Kind.DIE and piece.footprint_mm is not None


def _as_known(piece: Piece, known: Sequence[Piece]) -> Piece | None:
    return next((k for k in known if _is_laid(k) and math.dist(k.mm, piece.mm) < APART_MM), None)


def _best_fit(
    image_bgr: Image,
    view: TableView,
    starts: Sequence[Point],
    sides: Sequence[float],
    *,
    on_mm: float = 0.0,
    least: float = LEAST_FIT,
    reach_mm: float = FARTHEST_FIT_MM,
    find: DieFind | None = None,
) -> DieFit | None:
    """Give the first cube that fits surely, or else the best one that fits, also to the box that the detector saw."""
    best, most = None, -math.inf
    for side in sides:
        if best is not None and abs(side / best.side_mm - 1) < LIKE_SIDE:
            continue
        for start in starts:
            fit = fit_die(image_bgr, view, start, side, on_mm=on_mm)
            if fit.score < least or math.dist(fit.mm, start) > reach_mm:
                continue
            score = fit.score
            if find is not None:
                box = box_of(cube_outline(fit.mm, fit.side_mm * ROUNDED, fit.yaw, view, on_mm=on_mm), view)
                share = float(shares_of_both(np.array(find.box_px), np.array([box]))[0])
                score += OVERLAP_WEIGHT * min(0.0, share - USUAL_OVERLAP)
            if score > most:
                best, most = fit, score
            if score >= SURE_FIT:
                return fit
    return best


def _laid(piece: Piece, fit: DieFit) -> Piece:
    side = fit.side_mm * ROUNDED
    return replace(piece, mm=fit.mm, base_mm=side, height_mm=side, footprint_mm=fit.base_mm())


def _confirmed(
    image_bgr: Image,
    top_bgr: Image,
    top: TopView,
    ground: Ground,
    find: DieFind,
    nets: DiceNets,
    known: Sequence[Piece],
    *,
    unread_from: float,
) -> Piece | None:
    start = find.mm
    before = next((k for k in known if _is_laid(k) and math.dist(k.mm, start) < APART_MM / 2), None)
    if before is not None:
        return before
    if _unlike_share(top_bgr, top, ground, cube_outline(start, USUAL_SIDES_MM[1], 0.0, top.view)) < LEAST_UNLIKE_SHARE:
        return None
    least = LEAST_FIT if find.score > SURE_SCORE else GOOD_FIT
    fit = _best_fit(image_bgr, top.view, [start], USUAL_SIDES_MM, least=least, find=find)
    if fit is None:
        return None
    outline = cube_outline(fit.mm, fit.side_mm, fit.yaw, top.view)
    if _unlike_share(top_bgr, top, ground, outline) < LEAST_UNLIKE_SHARE:
        return None
    piece = _laid(Piece(Kind.DIE, max(find.score, 0.5), outline, fit.mm), fit)
    if find.score >= unread_from:
        return piece
    return piece if _shows_pips(image_bgr, piece, top.view, nets) else None


def _is_a_head(image_bgr: Image, die: Piece, view: TableView, nets: DiceNets | None) -> bool:
    if nets is None or die.instead is None or die.confidence >= DOUBTED:
        return False
    return not _shows_pips(image_bgr, die, view, nets)


def _shows_pips(image_bgr: Image, piece: Piece, view: TableView, nets: DiceNets) -> bool:
    """Whether a die's face is read, or seen to lean."""
    die = read_dice(image_bgr, view=view, candidates=[die_candidate(piece, view)], nets=nets)[0]
    return die.value is not None or die.cocked


def _on_print(top: TopView, ground: Ground, mm: Point) -> bool:
    """Whether a place is a printed marker, which the detector takes for a die."""
    column, row = np.round(top.to_top([mm])[0]).astype(int)
    rows, columns = ground.printed.shape
    return 0 <= row < rows and 0 <= column < columns and bool(ground.printed[row, column])


def _unlike_share(top_bgr: Image, top: TopView, ground: Ground, outline_mm: FloatArray) -> float:
    """Give how much of an outline differs from the empty table; print that was not learnt does not count."""
    pixels = np.round(top.to_top(outline_mm)).astype(np.int32)
    left, upper = np.maximum(pixels.min(axis=0), 0)
    right, lower = np.minimum(pixels.max(axis=0) + 1, top.size)
    if right - left < 2 or lower - upper < 2:
        return 0.0
    mask = np.zeros((lower - upper, right - left), np.uint8)
    cv2.fillPoly(mask, [pixels - (left, upper)], 1)
    where = (slice(int(upper), int(lower)), slice(int(left), int(right)))
    far = np.abs(ground.difference(top_bgr[where], where=where)) > np.array(UNLIKE, np.float32)
    unlike = np.asarray(far.any(axis=2))
    if not ground.learnt:
        unlike &= ~ground.printed[where]
    return float(unlike[mask > 0].mean()) if mask.any() else 0.0
