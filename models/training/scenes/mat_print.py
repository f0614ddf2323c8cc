"""The printed six-marker mat as a picture, drawn from its geometry.

The geometry is the product's own: a 200 mm square, markers 0..5 of OpenCV's DICT_4X4_50 with 24 mm sides, centres at
x = -84, 0, 84 and y = 116 (markers 0, 1, 2) and y = -116 (5, 4, 3), each with its top towards +y.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.training.scenes.scene import Colour, Mat, MatLook

FloatArray = npt.NDArray[np.float64]

SQUARE_MM = 200.0
MARKER_MM = 24.0
MARKERS: dict[int, tuple[float, float]] = {
    0: (-84.0, 116.0),
    1: (0.0, 116.0),
    2: (84.0, 116.0),
    3: (84.0, -116.0),
    4: (0.0, -116.0),
    5: (-84.0, -116.0),
}
"""Centre of each marker in mm."""
PAPER_MM: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
BITS: dict[int, tuple[str, str, str, str]] = {
    0: ("1011", "0101", "0011", "0010"),
    1: ("0000", "1111", "1001", "1010"),
    2: ("0011", "0011", "0010", "1101"),
    3: ("1001", "1001", "0100", "0110"),
    4: ("0101", "0100", "1001", "1110"),
    5: ("0111", "1001", "1100", "1101"),
}
"""Rows of the inner 4 x 4 modules from the top, 1 is white; a black module surrounds them."""
LOOKS: dict[MatLook, tuple[Colour, Colour]] = {
    "paper": ((0.93, 0.93, 0.92), (0.45, 0.45, 0.46)),
    "parchment": ((0.86, 0.76, 0.58), (0.42, 0.33, 0.22)),
    "slate": ((0.14, 0.17, 0.18), (0.42, 0.46, 0.48)),
    "moss": ((0.22, 0.25, 0.15), (0.5, 0.52, 0.4)),
}
"""Ground and line colour of each look, as shares of the printed ink's display value (not linear)."""
PX_PER_MM = 8.0
"""Of the drawn picture: more than twice what a 1280x720 camera at 40 cm resolves (3.4 px/mm)."""


def draw(mat: Mat) -> FloatArray:
    """Draw the sheet.

    Returns:
        Shape (rows, columns, 3), RGB display values 0..1; row 0 is the far edge (+y), column 0 the left edge (-x).
    """
    width, height = PAPER_MM[mat.paper]
    rows, columns = round(height * PX_PER_MM), round(width * PX_PER_MM)
    ground, line = LOOKS[mat.look]
    picture = np.empty((rows, columns, 3))
    picture[:] = ground
    if mat.look != "paper":
        picture *= (1 + 0.16 * cloud((rows, columns), mat.seed))[..., None]
    sheet = _Sheet(picture, width, height)
    half = SQUARE_MM / 2
    for at in (-half, half):
        sheet.fill(at - 0.2, at + 0.2, -half, half, line)
        sheet.fill(-half, half, at - 0.2, at + 0.2, line)
    for step in range(-9, 10):
        length = 4.0 if step % 5 == 0 else 2.5
        for edge in (-half, half - length):
            sheet.fill(edge, edge + length, step * 10 - 0.15, step * 10 + 0.15, line)
            sheet.fill(step * 10 - 0.15, step * 10 + 0.15, edge, edge + length, line)
    if mat.has_grid:
        for step in range(8):
            at = -88.9 + 25.4 * step
            sheet.fill(at - 0.15, at + 0.15, -88.9, 88.9, line)
            sheet.fill(-88.9, 88.9, at - 0.15, at + 0.15, line)
    for start in range(0, 50, 10):
        sheet.fill(16 + start, 26 + start, -112, -110.8, line if start % 20 == 0 else (0.9, 0.9, 0.9))
    for at in (-70.0, 15.6):
        sheet.fill(at - 0.15, at + 0.15, 107, 112, line)
    for i in range(24):
        sheet.fill(-42 - i * 0.25, -42 + i * 0.25, -108 - i * 0.4 - 0.4, -108 - i * 0.4, line)
    for marker, (x, y) in MARKERS.items():
        _draw_marker(sheet, marker, x, y)
    return np.clip(picture, 0, 1)


class _Sheet:
    """Fills rectangles that are given in mat millimetres."""

    def __init__(self, picture: FloatArray, width_mm: float, height_mm: float) -> None:
        self.picture, self.width_mm, self.height_mm = picture, width_mm, height_mm

    def fill(self, x0: float, x1: float, y0: float, y1: float, colour: Colour) -> None:
        left, right = (round((x + self.width_mm / 2) * PX_PER_MM) for x in (x0, x1))
        top, bottom = (round((self.height_mm / 2 - y) * PX_PER_MM) for y in (y1, y0))
        self.picture[max(0, top) : max(top + 1, bottom), max(0, left) : max(left + 1, right)] = colour


def _draw_marker(sheet: _Sheet, marker: int, x: float, y: float) -> None:
    module, half = MARKER_MM / 6, MARKER_MM / 2
    white, black = (0.93, 0.93, 0.92), (0.07, 0.07, 0.07)
    sheet.fill(x - half - module, x + half + module, y - half - module, y + half + module, white)
    sheet.fill(x - half, x + half, y - half, y + half, black)
    for row, bits in enumerate(BITS[marker]):
        for column, bit in enumerate(bits):
            if bit == "1":
                left, top = x - half + (column + 1) * module, y + half - (row + 1) * module
                sheet.fill(left, left + module, top - module, top, white)


def cloud(shape: tuple[int, int], seed: int) -> FloatArray:
    """Draw soft mottling of the given (rows, columns), about -1..1, from noise at five scales."""
    generator = np.random.default_rng(seed)
    total = np.zeros(shape)
    for octave in range(5):
        cells = 4 * 2**octave
        coarse = generator.normal(size=(cells + 2, cells + 2))
        rows = np.linspace(0, cells, shape[0])
        columns = np.linspace(0, cells, shape[1])
        i, j = rows.astype(int), columns.astype(int)
        u, v = (rows - i)[:, None], (columns - j)[None, :]
        u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
        top = coarse[i][:, j] * (1 - v) + coarse[i][:, j + 1] * v
        bottom = coarse[i + 1][:, j] * (1 - v) + coarse[i + 1][:, j + 1] * v
        total += (top * (1 - u) + bottom * u) * 0.6**octave
    return total / 2.0
