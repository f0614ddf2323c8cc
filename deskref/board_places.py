"""Where the places of a World Saga board lie: in a drawing of it, and in millimetres on the mat.

A drawing counts in squares (or hexes, flat to flat) from its far left corner, x right and y towards the players. The
board lies in the middle of the mat. Squares are told by column and row from the far left; hexes by the rows of the
printed hex mat, the first row nearest to the players; on the free table a place is in mm from the far left corner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rules.footprints import ONE_SQUARE, Footprint
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from vision.observation import Point

ROW_PITCH = math.sqrt(3) / 2
"""Between rows of hexes that are pointed at the top, in hexes flat to flat."""

CORNER = 1 / math.sqrt(3)
"""From a hex's middle to its corners, in hexes flat to flat."""

Board = SquareBoard | HexBoard | Ground
Place = tuple[float, float]


def hex_of(cell: tuple[int, int]) -> tuple[int, int]:
    """Return a hex in the rules' slanted columns from its column and row, as people count them on the mat."""
    column, row = cell
    return (column - row // 2, row)


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as it is drawn and as it lies on the mat."""

    board: Board
    cell_mm: float
    """Side of a square, or a hex from flat to flat."""
    area_mm: tuple[float, float]
    """Size of a free table."""

    @property
    def scale_mm(self) -> float:
        """Millimetres of one unit of the drawing."""
        return self.board.square_mm if isinstance(self.board, Ground) else self.cell_mm

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the drawing."""
        match self.board:
            case SquareBoard(columns=columns, rows=rows):
                return (float(columns), float(rows))
            case HexBoard(columns=columns, rows=rows):
                return (columns + (0.5 if rows > 1 else 0.0), (rows - 1) * ROW_PITCH + 2 * CORNER)
            case Ground(square_mm=square_mm):
                return (self.area_mm[0] / square_mm, self.area_mm[1] / square_mm)

    def middle(self, place: Place, footprint: Footprint = ONE_SQUARE) -> Point:
        """Return the middle of somebody who stands at a place, in the drawing."""
        match self.board:
            case SquareBoard():
                return (place[0] + footprint[0] / 2, place[1] + footprint[1] / 2)
            case HexBoard():
                q, r = place
                return (q + r // 2 + 0.5 * (r % 2) + 0.5, self.size[1] - CORNER - r * ROW_PITCH)
            case Ground(square_mm=square_mm):
                return (place[0] / square_mm, place[1] / square_mm)

    def place_at(self, at: Point) -> Place | None:
        """Return the place at a point of the drawing; None off the board."""
        if not (math.isfinite(at[0]) and math.isfinite(at[1])):
            return None
        match self.board:
            case SquareBoard():
                cell = (math.floor(at[0]), math.floor(at[1]))
                return cell if self.board.holds(cell) else None
            case HexBoard():
                return self._hex_at(at)
            case Ground(square_mm=square_mm):
                width, height = self.size
                is_on = 0 <= at[0] <= width and 0 <= at[1] <= height
                return (round(at[0] * square_mm, 1), round(at[1] * square_mm, 1)) if is_on else None

    def mm(self, place: Place, footprint: Footprint = ONE_SQUARE) -> Point:
        """Return where the middle of somebody at a place lies on the mat, in table millimetres."""
        x, y = self.middle(place, footprint)
        width, height = self.size
        return ((x - width / 2) * self.scale_mm, (height / 2 - y) * self.scale_mm)

    def place_on_mat(self, mm: Point, footprint: Footprint = ONE_SQUARE) -> Place | None:
        """Return the place of somebody whose base has its middle at a table point; None off the board."""
        width, height = self.size
        x, y = mm[0] / self.scale_mm + width / 2, height / 2 - mm[1] / self.scale_mm
        if isinstance(self.board, SquareBoard):
            x, y = x - (footprint[0] - 1) / 2, y - (footprint[1] - 1) / 2
        return self.place_at((x, y))

    def hexagon(self, place: Place) -> tuple[Point, ...]:
        """Return the corners of a hex in the drawing."""
        x, y = self.middle(place)
        turns = (math.radians(60 * n + 30) for n in range(6))
        return tuple((x + CORNER * math.cos(turn), y + CORNER * math.sin(turn)) for turn in turns)

    def cells(self) -> tuple[tuple[int, int], ...]:
        """Return every square or hex; none for a free table."""
        match self.board:
            case SquareBoard(columns=columns, rows=rows):
                return tuple((column, row) for row in range(rows) for column in range(columns))
            case HexBoard(columns=columns, rows=rows):
                return tuple((column - row // 2, row) for row in range(rows) for column in range(columns))
            case Ground():
                return ()

    def _hex_at(self, at: Point) -> Place | None:
        assert isinstance(self.board, HexBoard)
        row = round((self.size[1] - CORNER - at[1]) / ROW_PITCH)
        near = (
            (round(at[0] - 0.5 - 0.5 * (r % 2)) - r // 2, r)
            for r in (row - 1, row, row + 1)
            if 0 <= r < self.board.rows
        )
        best = min(near, key=lambda cell: math.dist(self.middle(cell), at), default=None)
        if best is None or not self.board.holds(best) or math.dist(self.middle(best), at) > CORNER:
            return None
        return best
