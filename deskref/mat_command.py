"""The command `deskref mat`: everything that is printed for the table, or shown on a screen that lies flat."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import cv2
import typer

from calibration.mat import MAT, Grid, Paper
from calibration.sheets import Kind, grid_of_tiles_mm, write_sheet
from calibration.sheets import draw_picture as draw_target
from calibration.target import MARKER_MODULES
from deskref.calibrated import GivenError
from deskref.given_file import making
from deskref.plain_errors import said_of
from deskref.typed_command import as_typed

SheetKind = Literal["mat", "tokens", "tiles", "hex", "lens", "screen"]
"""What can be made: the sheets of `calibration.sheets`, and the mat as a picture for a screen."""

SCREEN_PX_PER_MM = 8.0
"""A marker's module of 4 mm is 32 whole pixels; a tablet's viewer reduces them, and edges stay sharp."""

PRINT = 'Print it at 100 % ("actual size", never "fit to page").'

NEXT: dict[SheetKind, str] = {
    "mat": f"{PRINT} The ruler on it must then be exactly 50 mm; or lay a bank card on it: deskref scale",
    "tokens": f"{PRINT} Cut the four tokens out and lay each with its black tip on a corner of your own mat; then "
    "choose corner tokens and type the mat's size in the set-up.",
    "tiles": f"{PRINT} Trim each sheet at its grid and glue it on its neighbour's rim so that the half circles with "
    "the same two letters close; lay corner tokens round it: deskref mat --kind tokens",
    "hex": f"{PRINT} Trim the sheets and fit them together; lay corner tokens round them: deskref mat --kind tokens",
    "lens": "Print it at any size, glue it on something flat and show it to the camera: deskref calibrate",
    "screen": "Show it as large as it goes on a tablet or monitor that lies flat, and measure the side of the grey "
    "square in millimetres: deskref scale --measured MM",
}
"""What to do with each of them."""


def run(
    out: Path | None,
    *,
    paper: Paper = "a4",
    kind: SheetKind = "mat",
    grid: Grid = "none",
    tiles: str | None = None,
) -> None:
    """Write a sheet as a vector PDF, or the mat for a screen as a PNG, and say what to do with it.

    Args:
        out: the file; None names it after the kind, in the current folder. Overwritten.
        paper: of the sheet.
        kind: what to make.
        grid: in the mat's play area.
        tiles: how many sheets a larger grid is wide and deep, such as `2x3`; None is one sheet.

    Raises:
        GivenError: options that do not fit together, or a file that cannot be written.
    """
    suffix = ".png" if kind == "screen" else ".pdf"
    path = out or Path(f"deskref-{kind}{suffix}")
    if path.suffix.lower() != suffix:
        raise GivenError(f"The file has to end in {suffix}, and {str(path)!r} does not. Name another one.")
    if path.is_dir():
        raise GivenError(f"{str(path)!r} is a folder. Name a file, such as {str(path / f'deskref-{kind}{suffix}')!r}.")
    if grid != "none" and kind != "mat":
        raise GivenError(f"--grid is for the mat; {kind!r} has no other grid than its own. Leave --grid out.")
    if tiles is not None and kind not in ("tiles", "hex"):
        raise GivenError(f"--tiles is for larger grids, and {kind!r} is none. Leave it out, or add --kind tiles.")
    many = _many(tiles) if tiles is not None else (1, 1)
    try:
        with making(path):
            if kind == "screen":
                write_screen(path)
            else:
                sheet: Kind = kind
                write_sheet(path, paper=paper, kind=sheet, grid=grid, tiles=many)
    except ValueError as error:
        raise GivenError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    except OSError as error:
        raise GivenError(f"Nothing is written. {said_of(error)}") from error
    typer.echo(f"{path} is written. {as_typed(NEXT[kind])}")
    if kind in ("tiles", "hex"):
        width, depth = grid_of_tiles_mm(many, hexes=kind == "hex")
        typer.echo(f"The whole grid is {width:.1f} x {depth:.1f} mm: type this as the size of the mat.")


def write_screen(path: Path) -> None:
    """Write the mat as a PNG for a tablet or monitor that lies flat on the table.

    Raises:
        OSError: the file cannot be written.
    """
    module_px = MAT.side_mm / MARKER_MODULES * SCREEN_PX_PER_MM
    assert module_px == round(module_px), "modules of whole pixels have sharp edges"
    packed, data = cv2.imencode(".png", draw_target(MAT, px_per_mm=SCREEN_PX_PER_MM))
    assert packed, "OpenCV always writes PNG"
    path.write_bytes(data.tobytes())


def _many(text: str) -> tuple[int, int]:
    numbers = re.fullmatch(r"\s*([0-9]{1,4})\s*[xX×]\s*([0-9]{1,4})\s*", text)
    if numbers is None:
        raise GivenError(f"{text!r} says not how many sheets wide and deep. Write for example --tiles 2x3.")
    return int(numbers[1]), int(numbers[2])
