"""The other printed sheets: corner tokens, inch and hex tiles for larger grids, and the board for the lens.

All are vector PDFs for A4 or Letter at 100 %, drawn from the same geometry that the camera is later fitted to.
"""

from __future__ import annotations

import math
import os
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mat import (
    INCH_MM,
    Grid,
    Paper,
    centre_page,
    draw_hexagon,
    draw_marker,
    mm,
    start_sheet,
    write_mat,
)
from calibration.target import MARKER_MODULES, Target, marker_cells, square_corners

Kind = Literal["mat", "tokens", "tiles", "hex", "lens"]

TOKEN_MARKER_MM = 48.0
TOKEN_SQUARE_MM = 64.0
"""Side of the cut-out token: its marker and a white margin of one module."""
TOKEN_IDS = (10, 11, 12, 13)
"""At the grid's far left, far right, near right and near left corner."""

TILE_COLUMNS, TILE_ROWS = 7, 10
"""Inch squares of a tile: 177.8 x 254.0 mm leave a rim of 12.7 mm at least on both papers."""
HEX_COLUMNS, HEX_ROWS = 7, 11
"""Inch hexes of a tile, flat to flat: 190.5 mm wide with the half that every second row is shifted."""
MAX_TILES = 26

LENS_SQUARES = (7, 9)
"""Columns and rows of the lens board. With an odd number of rows OpenCV's old and new ChArUco layouts are the same."""
LENS_SQUARE_MM = 27.0
LENS_MARKER_MM = 20.0
LENS_DICTIONARY = "DICT_5X5_100"
"""Another dictionary than the mat's, so that a lens board on the table is never taken for the mat."""


def write_sheet(
    path: str | os.PathLike[str],
    *,
    paper: Paper = "a4",
    kind: Kind = "mat",
    grid: Grid = "none",
    tiles: tuple[int, int] = (1, 1),
) -> None:
    """Write any of the sheets as a vector PDF.

    Args:
        path: of the PDF, overwritten.
        paper: `a4` or `letter`.
        kind: `mat` is the six-marker mat; `tokens` four corner tokens for an own battle mat; `tiles` and `hex` pages of
            a larger grid of inch squares or hexes; `lens` the board for calibrating the camera's lens.
        grid: of the mat's play area; tiles have their own grid.
        tiles: how many sheets the larger grid is wide and deep.

    Raises:
        ValueError: an unknown paper, kind or grid, or a number of tiles out of 1 to 26.
        OSError: the file cannot be written.
    """
    if kind == "mat":
        write_mat(path, paper=paper, grid=grid)
    elif kind == "tokens":
        write_tokens(path, paper=paper)
    elif kind == "tiles":
        write_tiles(path, paper=paper, tiles=tiles)
    elif kind == "hex":
        write_hex_tiles(path, paper=paper, tiles=tiles)
    elif kind == "lens":
        write_lens_board(path, paper=paper)
    else:
        raise ValueError(f"kind must be 'mat', 'tokens', 'tiles', 'hex' or 'lens', not {kind!r}")


def tokens_target(width_mm: float, depth_mm: float) -> Target:
    """Give the target of four corner tokens laid exactly outside the corners of a grid, all upright.

    Args:
        width_mm: of the grid, left to right.
        depth_mm: of the grid, near to far.

    Raises:
        ValueError: a grid that is not larger than a hand and smaller than a table.
    """
    if not (50 <= width_mm <= 3000 and 50 <= depth_mm <= 3000):
        raise ValueError(f"a grid is 50 to 3000 mm wide and deep, not {width_mm!r} x {depth_mm!r}")
    half_width, half_depth, reach = width_mm / 2, depth_mm / 2, TOKEN_SQUARE_MM / 2
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    corners = {
        number: square_corners((sx * (half_width + reach), sy * (half_depth + reach)), TOKEN_MARKER_MM)
        for number, (sx, sy) in zip(TOKEN_IDS, signs, strict=True)
    }
    return Target("tokens", corners, (-half_width, -half_depth, half_width, half_depth))


def write_tokens(path: str | os.PathLike[str], *, paper: Paper = "a4") -> None:
    """Write the four corner tokens with cutting lines; each names its corner and the tip to lay on it."""
    canvas = start_sheet(path, paper=paper, title="deskref corner tokens: print at 100 %, cut out")
    names = ("far left", "far right", "near right", "near left")
    inner = ((1, -1), (-1, -1), (-1, 1), (1, 1))
    at = ((-42.0, 62.0), (42.0, 62.0), (42.0, -42.0), (-42.0, -42.0))
    half = TOKEN_SQUARE_MM / 2
    for number, name, (sx, sy), (x, y) in zip(TOKEN_IDS, names, inner, at, strict=True):
        canvas.setStrokeGray(0.6)
        canvas.setLineWidth(0.2 * mm)
        canvas.rect((x - half) * mm, (y - half) * mm, TOKEN_SQUARE_MM * mm, TOKEN_SQUARE_MM * mm, stroke=1, fill=0)
        draw_marker(canvas, number, (x, y), TOKEN_MARKER_MM)
        # The triangle lies in the outer 3 mm of the margin, a module's width less one clear of the marker.
        tip_x, tip_y = x + sx * half, y + sy * half
        path_ = canvas.beginPath()
        path_.moveTo(tip_x * mm, tip_y * mm)
        path_.lineTo((tip_x - sx * 4) * mm, tip_y * mm)
        path_.lineTo(tip_x * mm, (tip_y - sy * 4) * mm)
        path_.close()
        canvas.setFillGray(0)
        canvas.drawPath(path_, stroke=0, fill=1)
        canvas.setFillGray(0.3)
        canvas.setFont("Helvetica", 7)
        canvas.drawCentredString(x * mm, (y + half + 2) * mm, f"{name} corner: the black tip touches the grid")
    canvas.setFillGray(0.2)
    canvas.setFont("Helvetica", 9)
    canvas.drawCentredString(
        0, -90 * mm, "Cut along the thin lines. Lay each token outside its corner of your own mat,"
    )
    canvas.drawCentredString(
        0, -95 * mm, "its black tip on the corner of the outermost square, all upright as seen here."
    )
    canvas.showPage()
    canvas.save()


def grid_of_tiles_mm(tiles: tuple[int, int], *, hexes: bool = False) -> tuple[float, float]:
    """Width and depth of the grid that so many tiles make, in mm; of hexes, to their outermost flats and points."""
    _check_tiles(tiles)
    if not hexes:
        return tiles[0] * TILE_COLUMNS * INCH_MM, tiles[1] * TILE_ROWS * INCH_MM
    pitch = INCH_MM * math.sqrt(3) / 2
    return (tiles[0] * HEX_COLUMNS + 0.5) * INCH_MM, (tiles[1] * HEX_ROWS - 1) * pitch + 2 * INCH_MM / math.sqrt(3)


def write_tiles(path: str | os.PathLike[str], *, paper: Paper = "a4", tiles: tuple[int, int] = (1, 1)) -> None:
    """Write a grid of inch squares as one page for each tile, lettered, with crop marks and matching edges.

    Tile A is at the far left; rows of tiles run left to right. Neighbouring edges carry the same number at the same
    place, half on each sheet: trim one sheet at the grid, glue it on the other's rim so that the halves meet.
    """
    _check_tiles(tiles)
    canvas = start_sheet(path, paper=paper, title="deskref inch tiles: print at 100 %")
    width, depth = TILE_COLUMNS * INCH_MM, TILE_ROWS * INCH_MM
    for row in range(tiles[1]):
        for column in range(tiles[0]):
            if (column, row) != (0, 0):
                centre_page(canvas, paper=paper)
            canvas.setStrokeGray(0.6)
            canvas.setLineWidth(0.3 * mm)
            for step in range(TILE_COLUMNS + 1):
                x = -width / 2 + step * INCH_MM
                canvas.line(x * mm, -depth / 2 * mm, x * mm, depth / 2 * mm)
            for step in range(TILE_ROWS + 1):
                y = -depth / 2 + step * INCH_MM
                canvas.line(-width / 2 * mm, y * mm, width / 2 * mm, y * mm)
            _crop_marks(canvas, width, depth)
            _tile_name(canvas, tiles, column, row, depth)
            _matching_edges(canvas, tiles, column, row, width, depth)
            canvas.showPage()
    canvas.save()


def write_hex_tiles(path: str | os.PathLike[str], *, paper: Paper = "a4", tiles: tuple[int, int] = (1, 1)) -> None:
    """Write a grid of inch hexes as one page for each tile, lettered, shifted so that the tiles fit together."""
    _check_tiles(tiles)
    canvas = start_sheet(path, paper=paper, title="deskref hex tiles: print at 100 %")
    pitch, radius = INCH_MM * math.sqrt(3) / 2, INCH_MM / math.sqrt(3)
    depth = (HEX_ROWS - 1) * pitch + 2 * radius
    width = (HEX_COLUMNS + 0.5) * INCH_MM
    for row in range(tiles[1]):
        for column in range(tiles[0]):
            if (column, row) != (0, 0):
                centre_page(canvas, paper=paper)
            canvas.setStrokeGray(0.6)
            canvas.setLineWidth(0.3 * mm)
            # Rows are counted from the near edge of the whole grid: there the shift alternates.
            first = (tiles[1] - 1 - row) * HEX_ROWS
            for hex_row in range(HEX_ROWS):
                shift = 0.5 * ((first + hex_row) % 2)
                y = -(HEX_ROWS - 1) * pitch / 2 + hex_row * pitch
                for hex_column in range(HEX_COLUMNS):
                    x = -width / 2 + (hex_column + 0.5 + shift) * INCH_MM
                    draw_hexagon(canvas, (x, y))
            _tile_name(canvas, tiles, column, row, depth)
            canvas.showPage()
    canvas.save()


def lens_board() -> Any:
    """Give the ChArUco board of the lens sheet, lengths in mm."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, LENS_DICTIONARY))
    return cv2.aruco.CharucoBoard(LENS_SQUARES, LENS_SQUARE_MM, LENS_MARKER_MM, dictionary)


def write_lens_board(path: str | os.PathLike[str], *, paper: Paper = "a4") -> None:
    """Write the ChArUco board for calibrating a lens."""
    canvas = start_sheet(path, paper=paper, title="deskref lens board: print at 100 %, glue on something flat")
    columns, rows = LENS_SQUARES
    left, far = -columns * LENS_SQUARE_MM / 2, rows * LENS_SQUARE_MM / 2
    canvas.setFillGray(0)
    black = canvas.beginPath()
    number = 0
    markers = []
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * LENS_SQUARE_MM, far - (row + 1) * LENS_SQUARE_MM
            if (row + column) % 2 == 0:
                black.rect(x * mm, y * mm, LENS_SQUARE_MM * mm, LENS_SQUARE_MM * mm)
            else:
                markers.append((number, (x + LENS_SQUARE_MM / 2, y + LENS_SQUARE_MM / 2)))
                number += 1
    canvas.drawPath(black, stroke=0, fill=1)
    for number, centre in markers:
        draw_marker(canvas, number, centre, LENS_MARKER_MM, dictionary_name=LENS_DICTIONARY)
    canvas.setFont("Helvetica", 7)
    canvas.setFillGray(0.3)
    canvas.drawCentredString(
        0,
        (-far - 6) * mm,
        "Glue it on something flat. Show it to the camera from 15 sides: near, far, tilted, in the corners.",
    )
    canvas.showPage()
    canvas.save()


def draw_picture(target: Target, *, px_per_mm: float, rim_mm: float = 12.0) -> npt.NDArray[np.uint8]:
    """Draw a target as a grey picture, to be shown on a tablet or monitor that lies flat on the table.

    The screen's true size is unknown: the player measures the play area on it with a ruler, and the true over the
    nominal length is the print scale.

    Args:
        target: what to draw; its field gets a thin grey outline.
        px_per_mm: of the picture; markers come out exact only where a module is a whole number of pixels.
        rim_mm: white around the outermost markers.

    Returns:
        Shape (rows, columns); row 0 at the far edge.

    Raises:
        ValueError: a scale at which a module is under two pixels.
    """
    module = target.side_mm / MARKER_MODULES * px_per_mm
    if module < 2:
        raise ValueError(f"{px_per_mm!r} px/mm draws a marker's module with less than two pixels")
    points = np.concatenate([*target.corners_mm.values(), np.array(target.field_mm).reshape(2, 2)])
    low, high = points.min(axis=0) - rim_mm, points.max(axis=0) + rim_mm
    width, height = (round(float(side) * px_per_mm) for side in high - low)
    picture = np.full((height, width), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x - float(low[0])) * px_per_mm), round((float(high[1]) - y) * px_per_mm)

    left, near, right, far = target.field_mm
    cv2.rectangle(picture, at(left, far), at(right, near), 150, max(1, round(0.3 * px_per_mm)))
    for number, corners in target.corners_mm.items():
        cells = marker_cells(target.dictionary, number)
        x0, y0 = at(*corners[0])
        x1, y1 = at(*corners[2])
        margin = round(4 * px_per_mm)
        picture[max(0, y0 - margin) : y1 + margin, max(0, x0 - margin) : x1 + margin] = 255
        drawn = cv2.resize(cells.astype(np.uint8) * 255, (x1 - x0, y1 - y0), interpolation=cv2.INTER_NEAREST)
        picture[y0:y1, x0:x1] = drawn
    return picture


def _check_tiles(tiles: tuple[int, int]) -> None:
    columns, rows = tiles
    if columns < 1 or rows < 1 or columns * rows > MAX_TILES:
        raise ValueError(f"a grid has 1 to {MAX_TILES} tiles, not {columns!r} x {rows!r}")


def _crop_marks(canvas: Any, width: float, depth: float) -> None:
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.15 * mm)
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * width / 2, sy * depth / 2
            canvas.line((x + sx * 2) * mm, y * mm, (x + sx * 7) * mm, y * mm)
            canvas.line(x * mm, (y + sy * 2) * mm, x * mm, (y + sy * 7) * mm)


def _letter(tiles: tuple[int, int], column: int, row: int) -> str:
    return chr(ord("A") + row * tiles[0] + column)


def _tile_name(canvas: Any, tiles: tuple[int, int], column: int, row: int, depth: float) -> None:
    canvas.setFillGray(0.35)
    canvas.setFont("Helvetica", 8)
    name = _letter(tiles, column, row)
    place = (
        f"tile {name} of {tiles[0]} x {tiles[1]}: column {column + 1} from the left, row {row + 1} from the far edge"
    )
    canvas.drawCentredString(0, (-depth / 2 - 6) * mm, place)


def _matching_edges(canvas: Any, tiles: tuple[int, int], column: int, row: int, width: float, depth: float) -> None:
    """Circles with the neighbours' letters, centred on shared edges: each sheet shows one half inside its grid."""
    canvas.setFillGray(0.45)
    canvas.setStrokeGray(0.45)
    canvas.setLineWidth(0.25 * mm)
    canvas.setFont("Helvetica", 6)
    here = _letter(tiles, column, row)
    sides = (
        (1, 0, width / 2, INCH_MM / 2),
        (-1, 0, -width / 2, INCH_MM / 2),
        (0, 1, 2.5 * INCH_MM, -depth / 2),
        (0, -1, 2.5 * INCH_MM, depth / 2),
    )
    for dx, dy, x, y in sides:
        other_column, other_row = column + dx, row + dy
        if not (0 <= other_column < tiles[0] and 0 <= other_row < tiles[1]):
            continue
        canvas.circle(x * mm, y * mm, 5 * mm, stroke=1, fill=0)
        pair = "".join(sorted((here, _letter(tiles, other_column, other_row))))
        canvas.drawCentredString((x - dx * 2.5) * mm, (y + dy * 2.5 - 0.8) * mm, pair)
