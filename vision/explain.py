"""What was seen in one picture with what it rests on: the parts of the table, their kinds, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from vision.finder import Finder
from vision.ground import guess_ground
from vision.grouping import group
from vision.observation import Observation, SeenDie, SeenFigure, SeenHand, SeenObstacle
from vision.observe import doubt_about, look_at, measured, observe
from vision.pieces import Kind, Piece
from vision.rectify import Image, TableArea, TopView, top_view
from vision.shipped import shipped_finder
from vision.stand_out import stands_out

Thing = SeenDie | SeenFigure | SeenObstacle | SeenHand

KINDS = ("table", "figure", "die", "obstacle", "hand", "something")
"""What a place of the table may be taken for, by its number in `Above.kinds`; the last one where no net tells."""


@dataclass(frozen=True, slots=True, eq=False)
class Above:
    """The picture from above, and what each place in it was taken for."""

    top: TopView = field(repr=False)
    picture_bgr: Image = field(repr=False)
    """Shape (rows, columns, 3)."""
    kinds: npt.NDArray[np.uint8] = field(repr=False)
    """Shape (rows, columns): numbers of `KINDS`."""


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Something that was made out and does not count."""

    piece: Piece
    why: str
    """In words for the player."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """An observation with what led to it."""

    observation: Observation
    above: Above | None = None
    """None where the table was not found."""
    things: tuple[tuple[Piece, Thing], ...] = ()
    """Each thing that was seen with the part of the picture that it was measured from."""
    left_out: tuple[LeftOut, ...] = ()


def explain(
    image_bgr: Image,
    view: TableView | None,
    *,
    area: TableArea | None = None,
    advice: str | None = None,
    finder: Finder | None = None,
) -> Explanation:
    """See everything on the table in one picture, as `vision.observe.observe` does, and keep what it rests on.

    Args:
        image_bgr: shape (rows, columns, 3), 8 bits.
        view: pose of the table; None where it was not found: then only dice are looked for.
        area: the part of the table that is looked at; None is the six-marker sheet.
        advice: why there is no table, for the player.
        finder: the net; None is the shipped one, and where that is missing things are parted by shape alone.
    """
    if view is None:
        return Explanation(observe(image_bgr, None, advice=advice))
    finder = finder or shipped_finder()
    top = top_view(view, area)
    picture = top.from_frame(image_bgr)
    ground = guess_ground(picture, top)
    left_out: tuple[LeftOut, ...] = ()
    if finder is not None:
        maps = finder.maps(picture, top, ground, both_ways=True)
        coarse = maps.classes.argmax(axis=0).astype(np.uint8)
        kinds = np.asarray(cv2.resize(coarse, top.size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
        doubts = ((piece, doubt_about(piece, top)) for piece in group(maps, top))
        left_out = tuple(LeftOut(piece, why) for piece, why in doubts if why is not None)
    else:
        kinds = stands_out(picture, top, ground).astype(np.uint8) * np.uint8(len(KINDS) - 1)
    pieces = look_at(image_bgr, picture, top, ground, finder, both_ways=True)
    seen = measured(image_bgr, picture, top, pieces, frame=0, time_s=0.0)
    by_kind: tuple[tuple[Kind, tuple[Thing, ...]], ...] = (
        (Kind.FIGURE, seen.figures),
        (Kind.DIE, seen.dice),
        (Kind.OBSTACLE, seen.obstacles),
        (Kind.HAND, seen.hands),
    )
    things = tuple(
        pair for kind, named in by_kind for pair in zip((p for p in pieces if p.kind is kind), named, strict=True)
    )
    return Explanation(seen, Above(top, picture, kinds), things, left_out)
