"""What a look is about: the part of the table whose things it may change, and what is known there already.

The net is shown more than that, for context. What it sees of things that would be left out in the end need not be
measured: cubes, prisms and pips take most of a look's time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.lean import thrown
from vision.observation import Point
from vision.pieces import Kind, Piece
from vision.rectify import TopView
from vision.watch_grid import Cells, Mask, are_same, cells_around, cells_of, changed_share, meets

FloatArray = npt.NDArray[np.float64]

CHANGED_SHARE = 0.3
"""Of a known thing's outline: when less has changed, the thing is what it was, whatever came to lie beside it."""
SURER = 0.15
"""By so much a second look must be surer than the first, where nothing has changed in between."""
BESIDE_MM = 14.0
"""As far as things are held against each other: a die and what may be a figure there."""
LARGEST_CUBE_MM = 19.1
"""Of the cubes that are laid where only the detector sees a die: of 16 mm, three times enlarged a little."""
FARTHEST_CUBE_MM = 4.5
"""As far as such a cube may lie from there."""


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Tells which of the things that are seen can change what is known."""

    top: TopView
    cells: Cells | None
    """The part of the grid that is looked at; None is all."""
    changed: Mask | None = None
    """Shape of the grid: what differs from the last look; None looks at the same things again."""
    settled: Sequence[Piece] = ()
    """What is known and has not changed since."""

    def takes(self, piece: Piece) -> bool:
        """Whether a thing belongs to what is looked at."""
        if self.cells is not None and not meets(cells_of(piece, self.top), self.cells, 1):
            return False
        return self.changed is None or changed_share(self.changed, piece, self.top) >= CHANGED_SHARE

    def is_beyond(self, piece: Piece) -> bool:
        """Whether neither a thing nor what it may turn out to be belongs to it."""
        low, high = piece.outline_mm.min(axis=0) - BESIDE_MM, piece.outline_mm.max(axis=0) + BESIDE_MM
        return self._is_beyond(np.array([low, high]))

    def is_beyond_cube(self, mm: Point) -> bool:
        """Whether no die that the detector sees at a place belongs to it."""
        reach = LARGEST_CUBE_MM / math.sqrt(2) + FARTHEST_CUBE_MM
        corners = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]) + mm
        return self._is_beyond(np.vstack([corners, thrown(corners, LARGEST_CUBE_MM, self.top.view)]))

    def is_settled(self, piece: Piece) -> bool:
        """Whether what is known where a figure or an obstacle is seen stands, whatever a closer look at it may say."""
        return any(self._stands(known, piece) for known in self.settled if are_same(known, piece))

    def _stands(self, known: Piece, piece: Piece) -> bool:
        is_like = known.kind is piece.kind and piece.kind is Kind.OBSTACLE
        return self.changed is not None or is_like or piece.confidence <= known.confidence + SURER

    def _is_beyond(self, outline_mm: FloatArray) -> bool:
        around = cells_around(outline_mm, self.top)
        if self.cells is not None and not meets(around, self.cells, 1):
            return True
        if self.changed is None:
            return False
        upper, lower, left, right = (max(0, v) for v in around)
        return not bool(self.changed[upper:lower, left:right].any())
