"""Measure how exactly the table is placed on simulated photographs of the printed PDF.

Run it as a program for the tables of the documentation: `python -m tests.calibration.accuracy`. No lens file is given,
so the focal length and distortion are estimated from each single picture.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from calibration.mat import MAT, write_mat
from calibration.table import find_table
from calibration.table_view import TableView
from tests.calibration.simulated import SHEET_PX_PER_MM, Image, draw_sheet, errors_mm, expose, photograph, view_of

SIZES = ((640, 480), (1280, 720), (1920, 1080))
TILTS = (0.0, 20.0, 40.0, 60.0)
K1S = (-0.3, -0.1, 0.0, 0.1)
SUBSETS: dict[str, tuple[int, ...]] = {
    "all 6": (0, 1, 2, 3, 4, 5),
    "4 corners": (0, 2, 3, 5),
    "3 of both ends": (0, 2, 4),
    "3 of one end": (3, 4, 5),
    "2 opposite": (0, 3),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One simulated photograph."""

    size: tuple[int, int]
    tilt: float
    k1: float
    seen: tuple[int, ...] = SUBSETS["all 6"]
    blur_px: float = 1.0
    noise: float = 6.0
    jpeg: int | None = 85
    curl_mm: float = 0.0


@cache
def printed_sheet() -> Image:
    """The A4 mat as a rasteriser prints it at `SHEET_PX_PER_MM`; drawn from the geometry where there is no poppler."""
    if shutil.which("pdftoppm") is None:
        return draw_sheet()
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "mat.pdf"
        write_mat(pdf)
        dpi = str(SHEET_PX_PER_MM * 25.4)
        subprocess.run(["pdftoppm", "-r", dpi, "-gray", "-singlefile", str(pdf), str(pdf.with_suffix(""))], check=True)
        page = cv2.imread(str(pdf.with_suffix(".pgm")), cv2.IMREAD_GRAYSCALE)
    # The rasteriser adds a row and a column of white at the far ends of a page that is not a whole number of pixels.
    height, width = (round(side * SHEET_PX_PER_MM) for side in (297.0, 210.0))
    page = page[:height, :width]
    # Ink and paper of a real print, not 0 and 255.
    return np.asarray(np.round(25 + page.astype(np.float32) * (210 / 255)), np.uint8)


def camera_of(size: tuple[int, int], tilt: float, k1: float) -> TableView:
    """The simulated camera; a barrel lens of k1 -0.3 needs a slightly longer focal length to be a lens at all."""
    return view_of(size=size, tilt_degrees=tilt, k1=k1, focal_share=0.92 if k1 <= -0.25 else 0.8, fill=0.92)


@cache
def clean_picture(size: tuple[int, int], tilt: float, k1: float, curl_mm: float) -> Image:
    """The picture without blur and noise."""
    return photograph(printed_sheet(), camera_of(size, tilt, k1), blur_px=0.0, curl_mm=curl_mm)


def measure(case: Case) -> tuple[float, float, int] | None:
    """Mean and largest error in mm over the play area and how many markers were used; None where nothing was found."""
    truth = camera_of(case.size, case.tilt, case.k1)
    picture = clean_picture(case.size, case.tilt, case.k1, case.curl_mm).copy()
    for number in set(MAT.ids) - set(case.seen):
        corners = MAT.corners_mm[number]
        middle = corners.mean(axis=0)
        outline = truth.to_frame(middle + (corners - middle) * 1.15)
        cv2.fillConvexPoly(picture, np.round(outline).astype(np.int32), 235)
    seed = int(case.tilt) * 7 + len(case.seen) + round(case.k1 * 100) + 1000
    image = expose(picture, blur_px=case.blur_px, noise=case.noise, jpeg=case.jpeg, seed=seed)
    found = find_table(image, min_markers=min(3, len(case.seen)), diagnose=False)
    if not isinstance(found, TableView):
        return None
    errors = errors_mm(found, truth)
    return float(errors.mean()), float(errors.max()), found.markers


def _cell(results: list[tuple[float, float, int] | None]) -> str:
    found = [result for result in results if result is not None]
    if not found:
        return "not found"
    missed = f" ({len(results) - len(found)} not found)" if len(found) < len(results) else ""
    return f"{np.mean([r[0] for r in found]):.2f} / {max(r[1] for r in found):.2f}{missed}"


def curled(curl_mm: float) -> None:
    """Print the table of a sheet whose two ends rise, by picture, tilt and markers seen."""
    print(f"| ends up by {curl_mm:.0f} mm | tilt |", " | ".join(SUBSETS), "|")
    print("|---|---|" + "---|" * len(SUBSETS))
    for size in SIZES:
        for tilt in TILTS:
            results = [[measure(Case(size, tilt, -0.1, seen, curl_mm=curl_mm))] for seen in SUBSETS.values()]
            print(f"| {size[0]}x{size[1]} | {tilt:.0f}° |", " | ".join(map(_cell, results)), "|", flush=True)


def main() -> None:
    """Print the tables in Markdown: mean / largest error in mm."""
    print("| picture | tilt |", " | ".join(SUBSETS), "|")
    print("|---|---|" + "---|" * len(SUBSETS))
    for size in SIZES:
        for tilt in TILTS:
            cells = [_cell([measure(Case(size, tilt, k1, seen)) for k1 in K1S]) for seen in SUBSETS.values()]
            print(f"| {size[0]}x{size[1]} | {tilt:.0f}° |", " | ".join(cells), "|", flush=True)
    print("\n| k1 |", " | ".join(f"{s[0]}x{s[1]}" for s in SIZES), "|\n|---|" + "---|" * len(SIZES))
    for k1 in K1S:
        print(f"| {k1} |", " | ".join(_cell([measure(Case(s, t, k1)) for t in TILTS]) for s in SIZES), "|", flush=True)
    print("\n| 1280x720, tilt 20° | mean / max |\n|---|---|")
    base = ((1280, 720), 20.0, -0.1)
    for name, case in (
        *((f"blur {b} px", Case(*base, blur_px=b)) for b in (0.5, 2.0, 3.0, 4.0)),
        *((f"noise {n}", Case(*base, noise=n)) for n in (0.0, 12.0, 20.0)),
        *((f"JPEG {q}", Case(*base, jpeg=q)) for q in (95, 60, 30)),
        *((f"ends curled up by {c} mm", Case(*base, curl_mm=c)) for c in (1.0, 2.0, 4.0, 8.0)),
    ):
        print(f"| {name} | {_cell([measure(case)])} |", flush=True)
    print()
    curled(2.0)


if __name__ == "__main__":
    main()
