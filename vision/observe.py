"""See one frame: dice, figures, obstacles and hands with their places on the table, without memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from vision.dice import read_dice
from vision.dice_check import SURE_FIGURE, box_of, dice_made_sure_of, die_candidate, laid_over
from vision.finder import Finder, Part
from vision.ground import Ground, Mask, guess_ground
from vision.grouping import group
from vision.lean import lean_at
from vision.observation import (
    Observation,
    Pose,
    SeenDie,
    SeenFigure,
    SeenHand,
    SeenObstacle,
    TableSeen,
)
from vision.outlines import area
from vision.parting import part
from vision.pieces import Kind, Piece
from vision.plain_figures import find_figures
from vision.prism_fit import with_prisms
from vision.rectify import Image, TableArea, TopView, top_view
from vision.scope import Scope
from vision.shipped import shipped_dice_nets, shipped_figure_detector, shipped_finder
from vision.stand_out import stands_out
from vision.taught_faces import TaughtFaces

FloatArray = npt.NDArray[np.float64]

FARTHEST_FROM_FIGURE_MM = 5.5
"""A die that was taken for a figure is placed less well."""
LEAST_ON_STRIPS = 0.6
"""Beside the play area the sheet is printed, and few figures stand there: asked of a standing one. A printed seat mark
was taken for one with up to 0.52."""
LEAST_BELIEF = 0.7
"""Of a figure. On 120 drawn and 20 rendered tables 89 % of the plainly visible figures are believed more, and one false
in 12 tables."""
LEAST_BELIEF_OF_TIPPED = 0.35
"""The same where it may lie: shadows and print seldom look fallen, and a game waits for the fallen."""
SMALLEST_DIE_MM, LARGEST_DIE_MM = 9.0, 22.0


def observe(
    image_bgr: Image,
    view: TableView | None,
    *,
    frame: int = 0,
    time_s: float = 0.0,
    area: TableArea | None = None,
    top: TopView | None = None,
    ground: Ground | None = None,
    advice: str | None = None,
    finder: Finder | None = None,
    taught: TaughtFaces | None = None,
) -> Observation:
    """See everything on the table in one frame.

    Args:
        image_bgr: shape (rows, columns, 3), 8 bits.
        view: pose of the table in this frame; None where it was not found: then dice and figures are
            looked for, without their places.
        frame: number of the frame.
        time_s: time of the frame.
        area: the part of the table that is looked at; None is the six-marker sheet.
        top: the map to the picture from above, made before for this `view`; None makes it.
        ground: the empty table learnt before in the same picture from above; None guesses it from this picture.
        advice: why there is no table, for the player.
        finder: the net; None is the shipped one, and where that is missing things are parted by shape alone.
        taught: faces without pips that the player has taught.
    """
    size = (image_bgr.shape[1], image_bgr.shape[0])
    if view is None:
        dice = read_dice(image_bgr, nets=shipped_dice_nets(), taught=taught)
        detector = shipped_figure_detector()
        figures = find_figures(image_bgr, detector, dice) if detector is not None else ()
        return Observation(frame, time_s, size, TableSeen(False, 0, advice), dice=dice, figures=figures)
    top = top or top_view(view, area)
    picture = top.from_frame(image_bgr)
    ground = ground or guess_ground(picture, top)
    pieces = look_at(image_bgr, picture, top, ground, finder or shipped_finder(), both_ways=True)
    return measured(image_bgr, picture, top, pieces, frame=frame, time_s=time_s, taught=taught)


def look_at(
    image_bgr: Image,
    picture: Image,
    top: TopView,
    ground: Ground,
    finder: Finder | None,
    *,
    where: Part | None = None,
    only: Mask | None = None,
    known: Sequence[Piece] = (),
    missed: bool = True,
    both_ways: bool = False,
    scope: Scope | None = None,
) -> tuple[Piece, ...]:
    """Make out the things in a picture from above, with the net or without.

    Args:
        image_bgr: the frame, in which pips are looked for where shape alone cannot tell.
        picture: the whole picture from above.
        top: how it was made.
        ground: the empty table.
        finder: the net; None parts by shape alone.
        where: rows and columns of the part that is looked at, on whole steps of the net's grid; None is all.
        only: shape of the picture: without the net, what may be new; what lies outside is left out. None is all.
        known: what was made out before and has not changed since.
        missed: whether to look for dice that the net does not see.
        both_ways: whether the net looks in a mirror, too.
        scope: what the look is about; what is beyond it is told as the net sees it, without measuring it. None is all.
    """
    if finder is not None:
        maps = finder.maps(picture, top, ground, where=where, both_ways=both_ways)
        pieces = with_prisms(group(maps, top), picture, top, maps, scope=scope)
        pieces = tuple(
            with_pips_asked(image_bgr, p, top.view, scope=scope) for p in pieces if doubt_about(p, top) is None
        )
        part_px = None if where is None else _frame_part(where, top, image_bgr)
        return dice_made_sure_of(
            image_bgr,
            picture,
            top,
            ground,
            pieces,
            shipped_dice_nets(),
            known=known,
            within_px=part_px,
            missed=missed,
            scope=scope,
        )
    mask = stands_out(picture, top, ground)
    if only is not None:
        mask &= only

    def has_pips(piece: Piece) -> bool:
        found = read_dice(image_bgr, view=top.view, candidates=[die_candidate(piece, top.view)])
        return found[0].value is not None or found[0].cocked

    pieces = part(mask, top, has_pips=has_pips)
    return dice_made_sure_of(image_bgr, picture, top, ground, pieces, None, known=known)


def doubt_about(piece: Piece, top: TopView) -> str | None:
    """Say why what was taken for a figure is more likely print, a shadow's edge or a part of something.

    Returns:
        The reason in words for the player; None where it counts.
    """
    if piece.kind is not Kind.FIGURE:
        return None
    is_beside = abs(piece.mm[0]) > top.area.width_mm / 2 or abs(piece.mm[1]) > top.area.depth_mm / 2
    if is_beside and piece.pose is Pose.STANDING and piece.confidence < LEAST_ON_STRIPS:
        return f"beside the play area, where it is more likely print, {LEAST_ON_STRIPS:.0%} is needed"
    least = LEAST_BELIEF if piece.pose is Pose.STANDING else LEAST_BELIEF_OF_TIPPED
    if piece.belief < least:
        return f"the finder is {piece.belief:.0%} sure of it, and {least:.0%} is needed"
    return None


def _frame_part(where: Part, top: TopView, image_bgr: Image) -> tuple[int, int, int, int]:
    """Give the part of the frame that shows a part of the picture from above."""
    rows, columns = where
    corners = [(c, r) for c in (columns.start, columns.stop) for r in (rows.start, rows.stop)]
    pixels = np.nan_to_num(top.view.to_frame(top.to_mm(corners)), nan=0.0)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return (
        int(max(0.0, low[0])),
        int(max(0.0, low[1])),
        int(min(float(image_bgr.shape[1]), high[0] + 1)),
        int(min(float(image_bgr.shape[0]), high[1] + 1)),
    )


def measured(
    image_bgr: Image,
    top_bgr: Image,
    top: TopView,
    pieces: Sequence[Piece],
    *,
    frame: int,
    time_s: float,
    known_dice: Sequence[SeenDie] = (),
    taught: TaughtFaces | None = None,
) -> Observation:
    """Turn pieces into an observation; dice are read in the frame itself.

    Args:
        image_bgr: the frame.
        top_bgr: the same from above.
        top: how it was turned.
        pieces: what was made out.
        frame: number of the frame.
        time_s: time of the frame.
        known_dice: dice that were read before and have not changed since; they are taken as they are.
        taught: faces without pips that the player has taught.
    """
    view = top.view
    new_dice = [die_candidate(p, view) for p in pieces if p.kind is Kind.DIE]
    nets = shipped_dice_nets()
    dice = read_dice(image_bgr, view=view, candidates=new_dice, nets=nets, taught=taught) if new_dice else ()
    return Observation(
        frame,
        time_s,
        (image_bgr.shape[1], image_bgr.shape[0]),
        TableSeen(True, view.markers),
        dice=(*known_dice, *dice),
        figures=tuple(seen_figure(p, top_bgr, top) for p in pieces if p.kind is Kind.FIGURE),
        obstacles=tuple(seen_obstacle(p, view) for p in pieces if p.kind is Kind.OBSTACLE),
        hands=tuple(seen_hand(p, view) for p in pieces if p.kind is Kind.HAND),
    )


def with_pips_asked(image_bgr: Image, piece: Piece, view: TableView, *, scope: Scope | None = None) -> Piece:
    """Give a die's piece for what was taken for a small figure but shows a face of pips; else the same piece."""
    if piece.kind is not Kind.FIGURE or piece.confidence > SURE_FIGURE:
        return piece
    if scope is not None and (scope.is_beyond(piece) or scope.is_settled(piece)):
        return piece
    lean = float(np.linalg.norm(lean_at(piece.mm, view)))
    side = math.sqrt(area(piece.outline_mm) / (1 + 1.27 * lean))
    if not SMALLEST_DIE_MM < side < LARGEST_DIE_MM:
        return piece
    die = laid_over(image_bgr, replace(piece, kind=Kind.DIE, base_mm=side), view, reach_mm=FARTHEST_FROM_FIGURE_MM)
    if die.footprint_mm is None:
        return piece
    seen = read_dice(image_bgr, view=view, candidates=[die_candidate(die, view)], nets=shipped_dice_nets())[0]
    return die if seen.value is not None or seen.cocked else piece


def seen_figure(piece: Piece, top_bgr: Image, top: TopView) -> SeenFigure:
    """Make the observation's figure of a piece."""
    return SeenFigure(
        box_of(piece.outline_mm, top.view),
        piece.pose,
        piece.confidence,
        piece.mm,
        piece.height_mm or None,
        piece.base_mm,
        piece.on_mm,
        appearance(piece, top_bgr, top),
    )


def appearance(piece: Piece, top_bgr: Image, top: TopView) -> tuple[float, ...]:
    """Give a short colour signature: how much of the piece is dark, grey, light, and of six hues; sums to 1."""
    pixels = np.round(top.to_top(piece.outline_mm)).astype(np.int32)
    left, upper = np.maximum(pixels.min(axis=0), 0)
    right, lower = np.minimum(pixels.max(axis=0) + 1, top.size)
    if right - left < 2 or lower - upper < 2:
        return ()
    mask = np.zeros((lower - upper, right - left), np.uint8)
    cv2.fillPoly(mask, [pixels - (left, upper)], 1)
    hsv = cv2.cvtColor(top_bgr[upper:lower, left:right], cv2.COLOR_BGR2HSV)[mask > 0]
    if not len(hsv):
        return ()
    hue, saturation, value = hsv[:, 0], hsv[:, 1], hsv[:, 2]
    coloured = (saturation > 70) & (value > 50)
    level = np.where(value < 60, 0, np.where(value < 150, 1, 2))
    index = np.where(coloured, 3 + ((hue.astype(int) + 15) % 180) // 30, level)
    counts = np.bincount(index, minlength=9)[:9] / len(index)
    return tuple(round(float(share), 3) for share in counts)


def seen_obstacle(piece: Piece, view: TableView) -> SeenObstacle:
    """Make the observation's obstacle of a piece."""
    ring = piece.footprint_mm if piece.footprint_mm is not None else piece.outline_mm
    outline = tuple((float(x), float(y)) for x, y in ring)
    return SeenObstacle(outline, piece.height_mm, box_of(piece.outline_mm, view), piece.confidence)


def seen_hand(piece: Piece, view: TableView) -> SeenHand:
    """Make the observation's hand of a piece."""
    ring = np.asarray(cv2.approxPolyDP(piece.outline_mm.astype(np.float32), 2.0, True), dtype=np.float64).reshape(-1, 2)
    pixels = view.to_frame(ring)
    return SeenHand(
        tuple((float(x), float(y)) for x, y in pixels if math.isfinite(x)), tuple((float(x), float(y)) for x, y in ring)
    )


__all__ = ["Pose", "measured", "observe"]
