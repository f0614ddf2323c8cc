"""The printed mat: geometry, and the PDF as a printer's rasteriser draws it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.markers import detect
from calibration.mat import (
    BANK_CARD_MM,
    DICE_TRAYS_MM,
    MARKER_CENTRES_MM,
    MARKER_MM,
    MAT,
    PAPER_MM,
    SQUARE_MM,
    Grid,
    Paper,
    hex_centres,
    write_mat,
)

DPI = 200
needs_poppler = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler's pdftoppm is not installed")


def render(pdf: Path) -> np.ndarray:
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-singlefile", str(pdf), str(pdf.with_suffix(""))], check=True)
    return cv2.imread(str(pdf.with_suffix(".pgm")), cv2.IMREAD_GRAYSCALE)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_everything_keeps_clear_of_the_paper_edge_and_of_the_white_margins(paper: Paper) -> None:
    """Markers need a white margin of one module (4 mm); printers leave about 5 mm of the edge blank."""
    width, height = PAPER_MM[paper]
    for x, y in MARKER_CENTRES_MM.values():
        assert abs(x) + MARKER_MM / 2 + 9 <= width / 2
        assert abs(y) + MARKER_MM / 2 + 11 <= height / 2
        assert abs(y) - MARKER_MM / 2 - 4 >= SQUARE_MM / 2
        for left, near, right, far in DICE_TRAYS_MM:
            assert far + 6 < height / 2
            assert near > SQUARE_MM / 2
            assert left - 4 > x + MARKER_MM / 2 or right + 4 < x - MARKER_MM / 2 or y < 0


def test_markers_stand_upright_towards_the_far_edge() -> None:
    """OpenCV's corner order on the upright mat is far left, far right, near right, near left."""
    assert MAT.corners_mm[0].tolist() == [[-96, 128], [-72, 128], [-72, 104], [-96, 104]]
    assert MAT.ids == (0, 1, 2, 3, 4, 5)


@needs_poppler
@pytest.mark.parametrize(("paper", "grid"), [("a4", "none"), ("letter", "none"), ("a4", "inch"), ("letter", "hex")])
def test_the_rendered_pdf_has_its_markers_within_a_tenth_of_a_millimetre(
    tmp_path: Path, paper: Paper, grid: Grid
) -> None:
    pdf = tmp_path / "mat.pdf"
    write_mat(pdf, paper=paper, grid=grid)
    page = render(pdf)
    width, height = PAPER_MM[paper]
    scale = DPI / 25.4
    assert page.shape == pytest.approx((height * scale, width * scale), abs=1)
    found = {marker.number: marker.corners_px for marker in detect(page, MAT.dictionary)}
    assert sorted(found) == [0, 1, 2, 3, 4, 5]
    for number, corners in found.items():
        mm = np.column_stack([(corners[:, 0] + 0.5) / scale - width / 2, height / 2 - (corners[:, 1] + 0.5) / scale])
        assert mm == pytest.approx(MAT.corners_mm[number], abs=0.15)


@needs_poppler
def test_the_ruler_ticks_and_bank_card_ticks_measure_what_they_say(tmp_path: Path) -> None:
    """A9: the player checks the print with a ruler or a bank card, so these must be exact."""
    pdf = tmp_path / "mat.pdf"
    write_mat(pdf, paper="a4")
    page = render(pdf)
    scale = DPI / 25.4
    width, height = PAPER_MM["a4"]

    def dark_columns(y_mm: float, left_mm: float, right_mm: float) -> list[float]:
        row = page[round((height / 2 - y_mm) * scale)]
        columns = np.flatnonzero(row < 200)
        mm = (columns + 0.5) / scale - width / 2
        mm = mm[(mm > left_mm) & (mm < right_mm)]
        groups = np.split(mm, np.flatnonzero(np.diff(mm) > 0.3) + 1)
        return [float(group.mean()) for group in groups if len(group)]

    ruler = dark_columns(-108.6, -68, -16)
    assert len(ruler) == 6
    assert ruler[-1] - ruler[0] == pytest.approx(50.0, abs=0.1)
    card = dark_columns(-132.5, -60, 60)
    assert len(card) == 2
    assert card[1] - card[0] == pytest.approx(BANK_CARD_MM[0], abs=0.1)
    ticks = dark_columns(98.5, -99, 99)
    assert ticks == pytest.approx(list(range(-90, 91, 10)), abs=0.1)


def test_the_pdf_asks_viewers_not_to_scale_and_is_the_same_each_time(tmp_path: Path) -> None:
    write_mat(tmp_path / "one.pdf", paper="letter", grid="inch")
    write_mat(tmp_path / "two.pdf", paper="letter", grid="inch")
    one = (tmp_path / "one.pdf").read_bytes()
    assert b"/PrintScaling /None" in one
    assert re.search(rb"/MediaBox \[ 0 0 612(\.\d+)? 792(\.\d+)? \]", one)
    assert one == (tmp_path / "two.pdf").read_bytes()
    assert b"/Subtype /Image" not in one


def test_hexes_fit_the_play_area_and_touch_their_neighbours() -> None:
    centres = np.array(hex_centres(7, 8))
    assert np.abs(centres[:, 0]).max() + 12.7 <= 100
    assert np.abs(centres[:, 1]).max() + 25.4 / 3**0.5 <= 100
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min(axis=1) == pytest.approx(np.full(len(centres), 25.4))


def test_an_unknown_paper_or_grid_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'legal'"):
        write_mat(tmp_path / "m.pdf", paper="legal")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'squares'"):
        write_mat(tmp_path / "m.pdf", grid="squares")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
