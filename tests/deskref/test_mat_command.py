"""`deskref mat`: every sheet on every paper, exact; options that do not fit are refused in one line."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from calibration.mat import MAT, PAPER_MM
from calibration.table import find_table
from calibration.table_view import TableView
from deskref.command_line import app


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["mat", *(str(a) for a in arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def pages(path: Path) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("kind", "options", "count"),
    [
        ("mat", (), 1),
        ("mat", ("--grid", "inch"), 1),
        ("mat", ("--grid", "hex"), 1),
        ("tokens", (), 1),
        ("tiles", ("--tiles", "2x3"), 6),
        ("hex", ("--tiles", "2x2"), 4),
        ("lens", (), 1),
    ],
)
def test_every_sheet_is_a_vector_pdf_of_its_paper(
    tmp_path: Path, paper: str, kind: str, options: tuple[str, ...], count: int
) -> None:
    path = tmp_path / "sheet.pdf"
    result = run(path, "--kind", kind, "--paper", paper, *options)
    assert result.exit_code == 0, result.output
    data = path.read_bytes()
    assert data.startswith(b"%PDF")
    assert b"/Subtype /Image" not in data
    assert b"/PrintScaling /None" in data
    width, height = (side / 25.4 * 72 for side in PAPER_MM[paper])
    box = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", data)
    assert box is not None
    assert (float(box[1]), float(box[2])) == pytest.approx((width, height), abs=0.01)
    assert pages(path) == count
    assert str(path) in result.stdout


def test_the_size_of_a_larger_grid_is_told_for_the_set_up(tmp_path: Path) -> None:
    result = run(tmp_path / "x.pdf", "--kind", "tiles", "--tiles", "2x3")
    assert "355.6 x 762.0 mm" in result.stdout


def test_a_grid_is_really_drawn(tmp_path: Path) -> None:
    """The option reaches the drawing: more lines than without it."""
    sizes = {}
    for grid in ("none", "inch", "hex"):
        path = tmp_path / f"{grid}.pdf"
        assert run(path, "--grid", grid).exit_code == 0
        stream = re.search(rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL)
        assert stream is not None
        sizes[grid] = len(stream[1])
    assert sizes["none"] < sizes["inch"] < sizes["hex"]


def test_the_file_is_named_after_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("--kind", "tokens").exit_code == 0
    assert run("--kind", "screen").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deskref-screen.png", "deskref-tokens.pdf"]


def test_the_picture_for_a_screen_is_found_as_the_mat(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    result = run(path, "--kind", "screen")
    assert result.exit_code == 0
    assert "--measured" in result.stdout
    image = np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8)
    small = np.asarray(cv2.resize(image, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA), np.uint8)
    view = find_table(small)
    assert isinstance(view, TableView)
    assert view.markers == len(MAT.ids)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("x.png",), ".pdf"),
        (("x.pdf", "--kind", "screen"), ".png"),
        ((".",), ".pdf"),
        (("folder.pdf",), "folder"),
        (("x.pdf", "--kind", "tokens", "--grid", "inch"), "--grid"),
        (("x.pdf", "--tiles", "2x2"), "--tiles"),
        (("x.pdf", "--kind", "tiles", "--tiles", "two"), "2x3"),
        (("x.pdf", "--kind", "tiles", "--tiles", "0x3"), "1 to 26"),
        (("x.pdf", "--kind", "hex", "--tiles", "9x9"), "1 to 26"),
        (("x.pdf", "--kind", "map"), "map"),
        (("x.pdf", "--paper", "a3"), "a3"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.pdf").mkdir()
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert not (tmp_path / "x.pdf").exists()
