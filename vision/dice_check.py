"""Dice that the finder missed or took for figures: seen by the dice detector, confirmed by edges and pips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.dice_nets import DiceNets
from vision.dice import DieCandidate, read_dice
from vision.die_fit import fit_die
from vision.lean import cube_outline
from vision.pieces import Kind, Piece
from vision.rectify import Image, TableArea

FloatArray = npt.NDArray[np.float64]

LEAST_SCORE = 0.5
"""Of the detector: by itself it also takes printed markers for dice, hence the two confirmations."""
LEAST_FIT = 2.4
"""Of a cube's edges, above what paper and figures reach."""
FARTHEST_FIT_MM = 4.0
APART_MM = 12.0
"""Nearer than this to a die that is known already it is the same die: two dice of 16 mm cannot be."""
FIGURE_APART_MM = 14.0
"""Nearer than this to a die an unsure figure is the die itself: no base and die of usual size stand so close."""
SURE_FIGURE = 0.75
"""A figure surer than this is not overruled."""
SIDES_MM = (9.0, 23.0)


def with_missed_dice(
    image_bgr: Image,
    view: TableView,
    pieces: Sequence[Piece],
    nets: DiceNets,
    area: TableArea,
    *,
    within_px: tuple[int, int, int, int] | None = None,
) -> tuple[Piece, ...]:
    """Add the dice that are surely there and missing from `pieces`, in place of unsure figures.

    Args:
        image_bgr: the frame.
        view: pose of the table in it.
        pieces: what the finder made out.
        nets: the dice nets.
        area: the part of the table that counts.
        within_px: left, top, right, bottom of the part of the frame that is searched; None is all of it.
    """
    left, top, right, bottom = within_px or (0, 0, image_bgr.shape[1], image_bgr.shape[0])
    crop = np.ascontiguousarray(image_bgr[top:bottom, left:right])
    if min(crop.shape[:2]) < 24:
        return tuple(pieces)
    result = list(pieces)
    half_width, half_depth = area.ground_mm[0] / 2, area.ground_mm[1] / 2
    for found in nets.find(crop, least_score=LEAST_SCORE):
        corners = np.asarray(found.top_px, dtype=np.float64) + (left, top)
        placed = _placed(corners, view)
        if placed is None:
            continue
        mm, side = placed
        if abs(mm[0]) > half_width or abs(mm[1]) > half_depth:
            continue
        if any(p.kind is Kind.DIE and math.dist(p.mm, mm) < APART_MM for p in result):
            continue
        near = [p for p in result if p.kind is Kind.FIGURE and math.dist(p.mm, mm) < FIGURE_APART_MM]
        if any(p.confidence > SURE_FIGURE for p in near):
            continue
        piece = _confirmed(image_bgr, view, mm, side, found.score, nets) or _read_as_found(
            image_bgr, view, mm, side, corners, found.score, nets
        )
        if piece is not None:
            result = [p for p in result if p not in near] + [piece]
    return tuple(result)


def _placed(top_px: FloatArray, view: TableView) -> tuple[tuple[float, float], float] | None:
    """Give middle and side of the die on the table whose top face has these corners: its height is its side."""
    side = 16.0
    for _ in range(4):
        on_plane = view.to_table(top_px, height_mm=side)
        if not np.isfinite(on_plane).all():
            return None
        edges = np.linalg.norm(np.roll(on_plane, -1, axis=0) - on_plane, axis=1)
        side = float(np.clip(edges.mean(), 5.0, 40.0))
    if not SIDES_MM[0] < side < SIDES_MM[1]:
        return None
    middle = on_plane.mean(axis=0)
    return (float(middle[0]), float(middle[1])), side


def _confirmed(
    image_bgr: Image, view: TableView, mm: tuple[float, float], side: float, score: float, nets: DiceNets
) -> Piece | None:
    fit = fit_die(image_bgr, view, mm, side)
    if fit.score < LEAST_FIT or math.dist(fit.mm, mm) > FARTHEST_FIT_MM:
        return None
    outline = cube_outline(fit.mm, fit.side_mm, fit.yaw, view)
    piece = Piece(
        Kind.DIE,
        score,
        outline,
        fit.mm,
        height_mm=fit.side_mm,
        base_mm=fit.side_mm,
        footprint_mm=fit.base_mm(),
    )
    pixels = view.to_frame(outline)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    corners = view.to_frame(fit.base_mm(), height_mm=fit.side_mm)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    candidate = DieCandidate(
        (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
        score,
        fit.mm,
        fit.side_mm,
        top_px=((ax, ay), (bx, by), (cx, cy), (dx, dy)),
    )
    seen = read_dice(image_bgr, view=view, candidates=[candidate], nets=nets)[0]
    return replace(piece, confidence=max(score, 0.5)) if seen.value is not None else None


def _read_as_found(
    image_bgr: Image,
    view: TableView,
    mm: tuple[float, float],
    side: float,
    top_px: FloatArray,
    score: float,
    nets: DiceNets,
) -> Piece | None:
    """Give the die where the detector saw it, if its pips are read there: two readers agree on no figure."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = top_px.tolist()
    on_table = view.to_table(top_px, height_mm=side)
    edge = on_table[1] - on_table[0]
    outline = cube_outline(mm, side, math.atan2(float(edge[1]), float(edge[0])), view)
    pixels = view.to_frame(outline)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    candidate = DieCandidate(box, score, mm, side, top_px=((ax, ay), (bx, by), (cx, cy), (dx, dy)))
    seen = read_dice(image_bgr, view=view, candidates=[candidate], nets=nets)[0]
    if seen.value is None:
        return None
    return Piece(Kind.DIE, score, outline, mm, height_mm=side, base_mm=side, footprint_mm=on_table)
