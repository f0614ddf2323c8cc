"""The six-marker mat: its geometry, the same on A4 and Letter, and the vector PDF that is printed."""

from __future__ import annotations

import math
import os
from typing import Any, Literal

from calibration.target import DICTIONARY_NAME, Target, marker_cells, square_corners

mm = 72 / 25.4
"""PDF points in a millimetre."""

Paper = Literal["a4", "letter"]
Grid = Literal["inch", "hex", "none"]

PAPER_MM: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the sheets, upright."""
INCH_MM = 25.4
SQUARE_MM = 200.0
"""Side of the play area; its corners are at +-100."""
MARKER_MM = 24.0
"""Side of a marker with its black border: six modules of 4 mm."""
MARKER_CENTRES_MM: dict[int, tuple[float, float]] = {
    0: (-84.0, 116.0),
    1: (0.0, 116.0),
    2: (84.0, 116.0),
    3: (84.0, -116.0),
    4: (0.0, -116.0),
    5: (-84.0, -116.0),
}
TICK_MM = 10.0
RULER_MM = 50.0
BANK_CARD_MM = (85.60, 53.98)
"""ISO/IEC 7810 ID-1: bank cards, most identity and membership cards."""
INCH_SQUARES = 7
"""Inch squares along the play area: 177.8 mm of the 200."""
DICE_TRAYS_MM: tuple[tuple[float, float, float, float], ...] = (
    (-67.0, 104.0, -17.0, 133.0),
    (17.0, 104.0, 67.0, 133.0),
)
"""Left, near, right, far of the outlines "roll here" on the far strip; both fit Letter with 6 mm to its edge."""

MAT = Target(
    name="mat",
    corners_mm={number: square_corners(centre, MARKER_MM) for number, centre in MARKER_CENTRES_MM.items()},
    field_mm=(-SQUARE_MM / 2, -SQUARE_MM / 2, SQUARE_MM / 2, SQUARE_MM / 2),
)
"""The mat as a target. Origin at the sheet's centre; markers 3, 4, 5 on the near strip."""

_GREY = 0.55
"""Lines of the field are grey, so that they are not taken for a marker's edge or a die's shadow."""


def draw_marker(
    canvas: Any,
    number: int,
    center_mm: tuple[float, float],
    side_mm: float,
    *,
    dictionary_name: str = DICTIONARY_NAME,
) -> None:
    """Draw a marker as vector squares, its own top towards +y.

    The black square is one shape and all its white modules are one path, so that no viewer leaves hairlines between
    neighbouring modules.

    Args:
        canvas: a reportlab canvas whose origin and axes are the target's, in points.
        number: the marker's id.
        center_mm: in target millimetres.
        side_mm: with the black border.
        dictionary_name: of its dictionary.
    """
    cells = marker_cells(dictionary_name, number)
    module = side_mm / len(cells)
    left, top = center_mm[0] - side_mm / 2, center_mm[1] + side_mm / 2
    canvas.setFillGray(0)
    canvas.rect(left * mm, (top - side_mm) * mm, side_mm * mm, side_mm * mm, stroke=0, fill=1)
    path = canvas.beginPath()
    for row, column in zip(*cells.nonzero(), strict=True):
        path.rect((left + column * module) * mm, (top - (row + 1) * module) * mm, module * mm, module * mm)
    canvas.setFillGray(1)
    canvas.drawPath(path, stroke=0, fill=1)


def start_sheet(path: str | os.PathLike[str], *, paper: Paper, title: str) -> Any:
    """Open a one-size PDF whose viewer is asked not to scale it, with the origin at the sheet's centre.

    Raises:
        ValueError: an unknown paper.
    """
    if paper not in PAPER_MM:
        raise ValueError(f"paper must be 'a4' or 'letter', not {paper!r}")
    width, height = PAPER_MM[paper]
    # Not before a sheet is drawn: the library looks into the home folder when it is loaded, and may not be able to.
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(os.fspath(path), pagesize=(width * mm, height * mm), pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("deskref")
    canvas.setViewerPreference("PrintScaling", "None")
    centre_page(canvas, paper=paper)
    return canvas


def centre_page(canvas: Any, *, paper: Paper) -> None:
    """Move the origin of a fresh page to the sheet's centre."""
    width, height = PAPER_MM[paper]
    canvas.translate(width / 2 * mm, height / 2 * mm)


def write_mat(path: str | os.PathLike[str], *, paper: Paper = "a4", grid: Grid = "none") -> None:
    """Write the six-marker mat as a vector PDF to be printed at 100 %.

    Args:
        path: of the PDF, overwritten.
        paper: the sheet; the markers and the play area are the same on both.
        grid: `inch` adds the seven by seven inch squares, `hex` inch hexes, `none` leaves the play area free.

    Raises:
        ValueError: an unknown paper or grid.
        OSError: the file cannot be written.
    """
    if grid not in ("inch", "hex", "none"):
        raise ValueError(f"grid must be 'inch', 'hex' or 'none', not {grid!r}")
    canvas = start_sheet(path, paper=paper, title="deskref mat, 20 x 20 cm: print at 100 %")
    if grid == "inch":
        _inch_squares(canvas)
    elif grid == "hex":
        draw_hexes(canvas, columns=7, rows=8)
    _field(canvas)
    for number, centre in MARKER_CENTRES_MM.items():
        draw_marker(canvas, number, centre, MARKER_MM)
    _near_strip(canvas)
    _far_strip(canvas)
    canvas.showPage()
    canvas.save()


def _line(canvas: Any, x0: float, y0: float, x1: float, y1: float) -> None:
    canvas.line(x0 * mm, y0 * mm, x1 * mm, y1 * mm)


def _text(canvas: Any, x: float, y: float, text: str, *, size: float = 7) -> None:
    canvas.setFont("Helvetica", size)
    canvas.drawCentredString(x * mm, y * mm, text)


def _field(canvas: Any) -> None:
    """The play area's outline with a tick every 10 mm on its inside, where no printer's margin reaches them."""
    half = SQUARE_MM / 2
    canvas.setStrokeGray(_GREY)
    canvas.setLineWidth(0.3 * mm)
    canvas.rect(-half * mm, -half * mm, SQUARE_MM * mm, SQUARE_MM * mm, stroke=1, fill=0)
    canvas.setLineWidth(0.2 * mm)
    for step in range(1, int(SQUARE_MM / TICK_MM)):
        at = -half + step * TICK_MM
        length = 4.0 if step % 5 == 0 else 2.0
        for side in (-1, 1):
            _line(canvas, at, side * half, at, side * (half - length))
            _line(canvas, side * half, at, side * (half - length), at)


def _inch_squares(canvas: Any) -> None:
    half = INCH_SQUARES * INCH_MM / 2
    canvas.setStrokeGray(0.7)
    canvas.setLineWidth(0.25 * mm)
    for step in range(INCH_SQUARES + 1):
        at = -half + step * INCH_MM
        _line(canvas, at, -half, at, half)
        _line(canvas, -half, at, half, at)


def hex_centres(columns: int, rows: int) -> tuple[tuple[float, float], ...]:
    """Give the centres of inch hexes (flat to flat), pointed at the top, every second row shifted by half a hex.

    They lie about (0, 0), row by row from the near left. Rows are `INCH_MM * sqrt(3) / 2` apart.
    """
    pitch = INCH_MM * math.sqrt(3) / 2
    left = -((columns - 1) + 0.5) * INCH_MM / 2
    near = -(rows - 1) * pitch / 2
    return tuple(
        (left + (column + 0.5 * (row % 2)) * INCH_MM, near + row * pitch)
        for row in range(rows)
        for column in range(columns)
    )


def draw_hexes(canvas: Any, *, columns: int, rows: int) -> None:
    """Draw inch hexes about the origin, as `hex_centres` places them."""
    canvas.setStrokeGray(0.7)
    canvas.setLineWidth(0.25 * mm)
    for centre in hex_centres(columns, rows):
        draw_hexagon(canvas, centre)


def draw_hexagon(canvas: Any, center_mm: tuple[float, float]) -> None:
    """Draw one inch hex, pointed at the top, with the canvas's line."""
    radius = INCH_MM / math.sqrt(3)
    path = canvas.beginPath()
    for corner in range(6):
        angle = math.radians(30 + 60 * corner)
        point = (center_mm[0] + radius * math.cos(angle)) * mm, (center_mm[1] + radius * math.sin(angle)) * mm
        (path.lineTo if corner else path.moveTo)(*point)
    path.close()
    canvas.drawPath(path, stroke=1, fill=0)


def _near_strip(canvas: Any) -> None:
    """The ruler, the front arrow and the bank card's ticks, clear of the markers' white margins."""
    canvas.setStrokeGray(0.2)
    canvas.setFillGray(0.2)
    canvas.setLineWidth(0.2 * mm)
    left, base = -67.0, -113.0
    _line(canvas, left, base, left + RULER_MM, base)
    for step in range(int(RULER_MM) + 1):
        height = 5.0 if step % 10 == 0 else 3.5 if step % 5 == 0 else 2.0
        _line(canvas, left + step, base, left + step, base + height)
    _text(canvas, left + RULER_MM / 2, base - 3.5, "exactly 50 mm? If not, print again at 100 %")
    path = canvas.beginPath()
    for index, (x, y) in enumerate(
        [(42, -123), (50, -114), (45, -114), (45, -105), (39, -105), (39, -114), (34, -114)]
    ):
        (path.lineTo if index else path.moveTo)(x * mm, y * mm)
    path.close()
    canvas.drawPath(path, stroke=1, fill=0)
    _text(canvas, 59.5, -113.5, "FRONT", size=8)
    _text(canvas, 59.5, -117, "player 1 sits here", size=6)
    half = BANK_CARD_MM[0] / 2
    for side in (-1, 1):
        _line(canvas, side * half, -126.0, side * half, -133.0)
    _text(canvas, -half + 13.5, -131, "a bank card is as wide", size=6)
    _text(canvas, half - 13.5, -131, "as these two ticks", size=6)


def _far_strip(canvas: Any) -> None:
    """The two dice trays."""
    canvas.setStrokeGray(_GREY)
    canvas.setFillGray(_GREY)
    canvas.setLineWidth(0.3 * mm)
    canvas.setDash(2 * mm, 1.5 * mm)
    for left, near, right, far in DICE_TRAYS_MM:
        canvas.roundRect(left * mm, near * mm, (right - left) * mm, (far - near) * mm, 3 * mm, stroke=1, fill=0)
        _text(canvas, (left + right) / 2, far - 4, "roll here", size=7)
    canvas.setDash()
