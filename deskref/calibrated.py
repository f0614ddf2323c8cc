"""What was measured about cameras and sheets and what marks the table, for whoever is about to look at pictures.

Every command and the page ask here: the settings say what marks the table, options may say otherwise, and
`calibration.json` beside the settings has the lenses and the scale of the printed mat.
"""

from __future__ import annotations

import contextlib
import logging
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration.clicked import start_clicked
from calibration.lens import Lens
from calibration.mat import INCH_MM
from calibration.store import StoreError, calibrated_cameras, load_lenses, load_print_scale
from calibration.table import TableNotFound, TableProblem, find_table
from calibration.table_view import TableView
from deskref import settings
from deskref.settings import TableSettings
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind, tokens_as_laid
from devices.camera import Source, SourceError
from devices.camera_spec import open_source

logger = logging.getLogger(__name__)

SIZE_MM = (50.0, 3000.0)
"""Least and greatest side of a play area, as the settings have it."""


class GivenError(Exception):
    """Something that was given for table, lens or scale cannot be used; its text is fit for the screen."""


def lens_of(home: Path, source: Source | None) -> Lens | None:
    """Give the lens of a camera that was calibrated, for whatever picture size it delivers.

    Returns:
        None where it was not calibrated, or where the file is damaged, which is logged.
    """
    if source is None:
        return None
    try:
        # A lens calibrated from a film while its camera was not plugged in is kept under the camera's name.
        return load_lenses(home, source.identity) or load_lenses(home, source.name)
    except StoreError as error:
        logger.warning("%s", error)
        return None


def lens_named(home: Path, name: str) -> Lens:
    """Give the lens of the camera that somebody names, whether it is plugged in or not.

    Args:
        home: folder of the settings.
        name: the camera's identity, the name under which it was calibrated, or a part of either.

    Raises:
        GivenError: no such camera was calibrated, or several fit.
        StoreError: the file is damaged.
    """
    identity = identity_of(name)
    known = calibrated_cameras(home)
    folded = name.strip().casefold()
    fitting = [camera for camera in known if camera == identity] or [
        camera for camera in known if folded and folded in camera.casefold()
    ]
    if len(fitting) == 1:
        lens = load_lenses(home, fitting[0])
        assert lens is not None
        return lens
    if fitting:
        raise GivenError(f"Several calibrated cameras fit {name!r}: {', '.join(fitting)}. Name one of them.")
    there_is = f"Calibrated are: {', '.join(known)}." if known else "None is calibrated yet."
    raise GivenError(f"No camera {name!r} was calibrated. {there_is} Calibrate it: deskref calibrate {name!r}")


def identity_of(name: str) -> str:
    """Give the identity under which a camera's lens is kept: that of the camera, address or file, else the name."""
    try:
        with contextlib.closing(open_source(name)) as source:
            return source.identity
    except SourceError:
        return name.strip()


def table_of(home: Path, own: TableSettings) -> TableChoice:
    """Give what marks the table, as the settings and the bank card say; the mat where they do not fit together."""
    if own.kind == "corners" and len(own.corners) != 4:
        return MAT_TABLE
    return TableChoice(TableKind(own.kind), own.width_mm, own.depth_mm, own.corners, print_scale_of(home, own.kind))


def print_scale_of(home: Path, kind: str) -> float:
    """Give the scale at which the mat was printed; 1 for all else, and where the file is damaged, which is logged."""
    if kind != TableKind.MAT:
        return 1.0
    try:
        return load_print_scale(home, "mat")
    except StoreError as error:
        logger.warning("%s", error)
        return 1.0


def table_given(
    own: TableSettings, *, kind: str | None = None, size: str | None = None, corners: str | None = None
) -> TableSettings:
    """Give the settings of the table as options change them for once.

    Args:
        own: the player's.
        kind: `mat`, `tokens` or `corners`; None leaves it, or follows from `corners`.
        size: of the play area: `300x200` in millimetres, or `24x20in` in inch squares.
        corners: four corners of the play area, far left, far right, near right, near left: `X,Y X,Y X,Y X,Y` as shares
            of the picture from 0 to 1, or in pixels with the picture's size, `X,Y X,Y X,Y X,Y of 1280x720`.

    Raises:
        GivenError: something that cannot be understood, or that does not fit together.
    """
    changes: dict[str, object] = {}
    if corners is not None:
        if kind not in (None, TableKind.CORNERS):
            raise GivenError(f"Corners are given, and a table that is marked by {kind!r}. Leave one of them out.")
        changes |= {"kind": TableKind.CORNERS.value, "corners": _corners(corners)}
    elif kind is not None:
        changes["kind"] = kind
    if size is not None:
        changes["width_mm"], changes["depth_mm"] = _size_mm(size)
    given = own.model_copy(update=changes)
    if given.kind == TableKind.CORNERS.value and len(given.corners) != 4:
        raise GivenError("No corners are known yet. Click them on the page's set-up, or give them with --corners.")
    if size is not None and given.kind == TableKind.MAT.value:
        raise GivenError("The printed mat always has 200 x 200 mm. Leave --size out, or add --table tokens.")
    return given


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What a command line says about table and lens, not yet understood; see `table_given` for the forms."""

    kind: str | None = None
    size: str | None = None
    corners: str | None = None
    lens: str | None = None
    """Which calibrated camera took the film or the pictures."""

    def table(self, home: Path, *, is_live: bool) -> TableChoice:
        """Give what marks the table.

        Args:
            home: folder of the settings.
            is_live: whether the settings' camera looks. Corners that were clicked in its picture do not count for a
                film or a photograph, which would put everything in a wrong place: those get the mat.

        Raises:
            GivenError: an option that cannot be used.
        """
        own = _own_table(home, is_live=is_live)
        return table_of(home, table_given(own, kind=self.kind, size=self.size, corners=self.corners))

    def assumed_size(self, home: Path, *, is_live: bool) -> str:
        """Say which size of an own mat is taken because neither an option nor the settings give one; else nothing.

        Args:
            home: folder of the settings.
            is_live: as for `table`.

        Raises:
            GivenError: an option that cannot be used.
        """
        own = _own_table(home, is_live=is_live)
        table = table_given(own, kind=self.kind, size=self.size, corners=self.corners)
        if table.kind == TableKind.MAT.value or self.size is not None:
            return ""
        nominal = TableSettings()  # saved settings name a size whether anybody typed one or not
        if own.kind != TableKind.MAT.value or (own.width_mm, own.depth_mm) != (nominal.width_mm, nominal.depth_mm):
            return ""
        return (
            f"No size is given: the play area is taken as {table.width_mm:.0f} x {table.depth_mm:.0f} mm, and all "
            "places and sizes follow from it. Give another one with --size 300x200, or --size 24x20in."
        )

    def lens_for(self, home: Path, source: Source | None) -> Lens | None:
        """Give the lens that is named, or else that of the source.

        Raises:
            GivenError: no such camera was calibrated.
            StoreError: the file with the lenses is damaged.
        """
        return lens_named(home, self.lens) if self.lens is not None else lens_of(home, source)


def _own_table(home: Path, *, is_live: bool) -> TableSettings:
    """The settings' table; the mat in place of corners that were clicked in another picture."""
    own = settings.load(home).settings.table
    return TableSettings() if own.kind == TableKind.CORNERS.value and not is_live else own


def find_once(
    image_bgr: npt.NDArray[np.uint8], choice: TableChoice, *, lens: Lens | None = None
) -> TableView | TableNotFound:
    """Find the table in one picture, whatever marks it.

    Args:
        image_bgr: shape (rows, columns, 3), 8 bits.
        choice: what marks the table.
        lens: of the camera that took it.
    """
    if choice.kind is TableKind.TOKENS:
        placed = tokens_as_laid(image_bgr, choice, lens)
        return placed if isinstance(placed, TableNotFound) else placed.view
    if choice.kind is TableKind.MAT:
        return find_table(image_bgr, camera=lens, target=choice.target, print_scale=choice.print_scale)
    rows, columns = image_bgr.shape[:2]
    corners = [(x * columns, y * rows) for x, y in choice.corners]
    try:
        return start_clicked(image_bgr, corners, width_mm=choice.width_mm, depth_mm=choice.depth_mm, camera=lens).view
    except ValueError:
        return TableNotFound(problem=TableProblem.WRONG_CORNERS)


def _corners(text: str) -> tuple[tuple[float, float], ...]:
    places, _, size = text.partition("of")
    try:
        pairs = [tuple(float(number) for number in pair.split(",")) for pair in places.split()]
        if len(pairs) != 4 or any(len(pair) != 2 for pair in pairs):
            raise ValueError
        width, height = (float(side) for side in size.lower().split("x")) if size.strip() else (1.0, 1.0)
        shares = tuple((x / width, y / height) for x, y in pairs)
    except (ValueError, ZeroDivisionError):
        raise GivenError(
            f"{text!r} are no four corners. Give far left, far right, near right and near left as shares of the "
            "picture: '0.2,0.1 0.8,0.1 0.9,0.9 0.1,0.9'; or in pixels: '256,72 1024,72 1152,648 128,648 of 1280x720'."
        ) from None
    if not all(-0.5 <= x <= 1.5 and -0.5 <= y <= 1.5 for x, y in shares):
        raise GivenError(f"The corners {text!r} lie outside the picture. In pixels, add its size: '... of 1280x720'.")
    edges = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(shares, (*shares[1:], shares[0]), strict=True)]
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(edges, (*edges[1:], edges[0]), strict=True)]
    if min(turns) <= 0:
        raise GivenError(
            f"The corners {text!r} do not go round: give them in the order far left, far right, near right, near left."
        )
    return shares


def _size_mm(text: str) -> tuple[float, float]:
    number = re.fullmatch(r"\s*([0-9.]+)\s*[xX×]\s*([0-9.]+)\s*(mm|cm|in)?\s*", text)
    try:
        if number is None:
            raise ValueError
        unit = {"in": INCH_MM, "cm": 10.0}.get(number[3] or "mm", 1.0)
        width, depth = float(number[1]) * unit, float(number[2]) * unit
    except ValueError:
        raise GivenError(
            f"{text!r} is no size of a table. Give width and depth: '300x200' in millimetres, or '24x20in'."
        ) from None
    low, high = SIZE_MM
    if not (low <= width <= high and low <= depth <= high):
        raise GivenError(f"A play area is {low:.0f} to {high:.0f} mm wide and deep, not {width:.0f} x {depth:.0f}.")
    return width, depth
