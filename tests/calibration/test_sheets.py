"""Tokens, tiles, hexes and the lens board as printed."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.markers import detect
from calibration.mat import INCH_MM, MAT, PAPER_MM, Paper
from calibration.sheets import (
    HEX_COLUMNS,
    HEX_ROWS,
    LENS_SQUARE_MM,
    LENS_SQUARES,
    TILE_COLUMNS,
    TILE_ROWS,
    TOKEN_IDS,
    TOKEN_MARKER_MM,
    Kind,
    draw_picture,
    grid_of_tiles_mm,
    lens_board,
    tokens_target,
    write_sheet,
)
from calibration.table import find_table
from calibration.table_view import TableView

needs_poppler = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler's pdftoppm is not installed")


def fits_paper(width_mm: float, depth_mm: float, *, paper: Paper, margin_mm: float) -> bool:
    """Whether a drawing fits a sheet with a margin on every side."""
    width, height = PAPER_MM[paper]
    return width_mm + 2 * margin_mm <= width + 1e-9 and depth_mm + 2 * margin_mm <= height + 1e-9


def pages(pdf: Path, *, dpi: int = 100) -> list[np.ndarray]:
    subprocess.run(["pdftoppm", "-r", str(dpi), "-gray", str(pdf), str(pdf.with_suffix(""))], check=True)
    return [cv2.imread(str(page), cv2.IMREAD_GRAYSCALE) for page in sorted(pdf.parent.glob("*.pgm"))]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_tile_leaves_the_rim_that_glue_and_printers_need(paper: Paper) -> None:
    """12.7 mm for the glue tab of inch tiles; hexes need only the printer's own margin."""
    assert fits_paper(TILE_COLUMNS * INCH_MM, TILE_ROWS * INCH_MM, paper=paper, margin_mm=12.7)
    assert not fits_paper((TILE_COLUMNS + 1) * INCH_MM, TILE_ROWS * INCH_MM, paper=paper, margin_mm=12.7)
    assert fits_paper(*grid_of_tiles_mm((1, 1), hexes=True), paper=paper, margin_mm=9.5)
    assert fits_paper(LENS_SQUARES[0] * LENS_SQUARE_MM, LENS_SQUARES[1] * LENS_SQUARE_MM, paper=paper, margin_mm=10)


def test_grids_of_tiles_have_the_size_that_players_expect() -> None:
    assert grid_of_tiles_mm((2, 2)) == pytest.approx((14 * 25.4, 20 * 25.4))
    assert grid_of_tiles_mm((3, 2)) == pytest.approx((21 * 25.4, 20 * 25.4))
    assert grid_of_tiles_mm((1, 1), hexes=True)[0] == pytest.approx(190.5)
    assert HEX_COLUMNS * HEX_ROWS == 77


@needs_poppler
def test_tokens_are_four_markers_of_48_mm_with_a_white_margin(tmp_path: Path) -> None:
    write_sheet(tmp_path / "tokens.pdf", paper="letter", kind="tokens")
    (page,) = pages(tmp_path / "tokens.pdf", dpi=150)
    found = {marker.number: marker for marker in detect(page, MAT.dictionary)}
    assert tuple(sorted(found)) == TOKEN_IDS
    for marker in found.values():
        assert marker.side_px * 25.4 / 150 == pytest.approx(TOKEN_MARKER_MM, abs=0.25)
        turn = marker.corners_px[1] - marker.corners_px[0]
        assert math.degrees(math.atan2(turn[1], turn[0])) == pytest.approx(0, abs=0.5)


def test_token_tips_are_the_corners_of_the_grid() -> None:
    target = tokens_target(24 * INCH_MM, 20 * INCH_MM)
    for number, (sx, sy) in zip(TOKEN_IDS, ((-1, 1), (1, 1), (1, -1), (-1, -1)), strict=True):
        nearest = np.abs(target.corners_mm[number]).min(axis=0)
        assert nearest == pytest.approx((12 * INCH_MM + 8, 10 * INCH_MM + 8))
        assert np.all(np.sign(target.corners_mm[number]) == (sx, sy))


@needs_poppler
@pytest.mark.parametrize(("kind", "count"), [("tiles", 6), ("hex", 6)])
def test_tiles_are_one_page_each(tmp_path: Path, kind: Kind, count: int) -> None:
    write_sheet(tmp_path / "grid.pdf", kind=kind, paper="letter", tiles=(3, 2))
    drawn = pages(tmp_path / "grid.pdf", dpi=40)
    assert len(drawn) == count
    assert all((page < 250).mean() > 0.005 for page in drawn)


@needs_poppler
def test_hex_tiles_continue_their_neighbours_shift(tmp_path: Path) -> None:
    """With 11 rows a tile, every second tile towards the far edge begins with the shifted row."""
    write_sheet(tmp_path / "grid.pdf", kind="hex", paper="a4", tiles=(1, 2))
    far, near = pages(tmp_path / "grid.pdf", dpi=100)
    width = PAPER_MM["a4"][0]

    def leftmost_mm(page: np.ndarray, row_mm: float) -> float:
        row = page[round((PAPER_MM["a4"][1] / 2 - row_mm) * 100 / 25.4)]
        return float(np.flatnonzero(row < 230)[0]) * 25.4 / 100 - width / 2

    pitch = INCH_MM * math.sqrt(3) / 2
    first_row = -(HEX_ROWS - 1) / 2 * pitch
    assert leftmost_mm(near, first_row) == pytest.approx(-95.25, abs=0.4)
    assert leftmost_mm(far, first_row) == pytest.approx(-95.25 + 12.7, abs=0.4)
    last_row = (HEX_ROWS - 1) / 2 * pitch
    assert leftmost_mm(near, last_row) == pytest.approx(-95.25, abs=0.4)


@needs_poppler
def test_the_lens_board_is_the_board_that_the_detector_expects(tmp_path: Path) -> None:
    """A10: squares, markers and their order must be those of the detector, or it finds no corners at all."""
    write_sheet(tmp_path / "lens.pdf", kind="lens", paper="a4")
    (page,) = pages(tmp_path / "lens.pdf", dpi=120)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(page)
    assert len(np.ravel(ids)) == (LENS_SQUARES[0] - 1) * (LENS_SQUARES[1] - 1)
    mm = np.asarray(corners).reshape(-1, 2) * 25.4 / 120
    expected = np.asarray(lens_board().getChessboardCorners())[np.ravel(ids)][:, :2]
    assert mm - mm[0] == pytest.approx(expected - expected[0], abs=0.15)


def test_a_screen_laid_flat_shows_the_mat_at_its_measured_scale() -> None:
    """The player typed that the 200 mm play area measures 150 mm on the tablet."""
    picture = draw_picture(MAT, px_per_mm=4)
    view = find_table(cv2.copyMakeBorder(picture, 60, 60, 300, 300, cv2.BORDER_CONSTANT, value=90), print_scale=0.75)
    assert isinstance(view, TableView)
    left, right = view.to_frame([(-75.0, 0.0), (75.0, 0.0)])
    assert np.linalg.norm(right - left) == pytest.approx(200 * 4, abs=1.5)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"kind": "poster"}, "'poster'"),
        ({"kind": "tiles", "tiles": (0, 2)}, "0 x 2"),
        ({"kind": "tiles", "tiles": (9, 9)}, "9 x 9"),
        ({"kind": "tokens", "paper": "a3"}, "'a3'"),
    ],
)
def test_what_cannot_be_printed_is_named(tmp_path: Path, options: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        write_sheet(tmp_path / "x.pdf", **options)  # type: ignore[arg-type]


def test_a_picture_too_coarse_for_the_markers_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.4"):
        draw_picture(MAT, px_per_mm=0.4)
    with pytest.raises(ValueError, match="10"):
        tokens_target(10, 500)
