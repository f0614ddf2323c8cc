"""What could be better about a view of the table, as advice that a player can follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from calibration.edges import measure_edges, sample
from calibration.markers import GrayImage, as_gray
from calibration.mat import MAT
from calibration.table import fit_of_view
from calibration.table_view import TableView
from calibration.target import MARKER_MODULES, FloatArray, Target
from calibration.words import WORDS

STEEP_DEGREES = 45.0
"""Camera over the table from which dice's tops look larger than their sides; below, side faces are misread (D1)."""
FLAT_DEGREES = 30.0
"""Below, figures hide each other and dice's tops are thinner than half their width."""
FINE_PX_PER_MM = 2.0
"""At the far side of the play area: a 12 mm die is 24 px and its pips 4.5 px, borderline for reading."""
COARSE_PX_PER_MM = 1.5
DARK_PAPER = 90.0
"""Grey level of white paper under which noise and blur of a webcam grow quickly."""
FAINT_CONTRAST = 40.0
"""Between paper and ink: half of what a dim, evenly lit sheet shows."""
SATURATED = 250
GLARE_SHARE = 0.006
"""Of the play area: 240 mm2, a die's top."""
BLURRED_MM = 0.45
"""Spread of edges (sigma) on the table from which pips of 2.2-3 mm run together."""
BLURRED_PX = 1.8
"""Spread in pixels over which a picture is out of focus or enlarged; sharp pictures at their true size have 0.3-1.2."""
UNEVEN_PX = 0.45
"""Reprojection error of a sharp picture from which the sheet is not flat: its ends rise by 8 mm or more (measured on
renders; flat sheets stay under 0.2)."""
STRETCHED = 0.015
"""Vertical over horizontal scale off 1 by this much is no square pixel."""


class Concern(StrEnum):
    """What is not as it should be; the page's catalogue has the words."""

    TILTED = "tilted"
    SMALL = "small"
    DARK = "dark"
    FAINT = "faint"
    OVEREXPOSED = "overexposed"
    GLARE = "glare"
    BLURRED = "blurred"
    NOT_FLAT = "not_flat"
    FEW_MARKERS = "few_markers"
    ONE_SIDED = "one_sided"
    CUT_OFF = "cut_off"
    STRETCHED = "stretched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing to improve."""

    concern: Concern
    is_serious: bool
    """Readings will suffer; otherwise it is a hint."""
    value: float
    """What was measured, in the unit that the concern's threshold has."""
    where: str = ""
    """In the picture, for glare: `top left`."""

    @property
    def message(self) -> str:
        """What is wrong and what to do, in a player's words."""
        return f"{self._said(self.says)} {self._said(f'{self.says}_do')}"

    @property
    def says(self) -> str:
        """Id in `words.WORDS` of what is wrong; what to do about it is under that with `_do`."""
        return f"view_{self.concern}"

    def _said(self, which: str) -> str:
        return WORDS[which].format(value=self.value, where=self.where)


def check_view(image: npt.NDArray[np.uint8], view: TableView, *, target: Target = MAT) -> tuple[Advice, ...]:
    """Judge one frame and its view.

    Args:
        image: BGR or grey.
        view: seen in this frame (not held).
        target: what is printed; at the view's print scale.

    Returns:
        Advice, the serious first; empty where all is well.
    """
    gray = as_gray(image)
    drawing = target.scaled(view.print_scale)
    found = [
        *_of_pose(view, drawing),
        *_of_markers(view, drawing),
        *_of_light(gray, view, drawing),
        *_of_sharpness(gray, view, drawing),
    ]
    return tuple(sorted(found, key=lambda advice: not advice.is_serious))


def _of_pose(view: TableView, target: Target) -> list[Advice]:
    found = []
    elevation = view.elevation_degrees
    if elevation < STEEP_DEGREES:
        found.append(Advice(concern=Concern.TILTED, is_serious=elevation < FLAT_DEGREES, value=elevation))
    corners = _field_corners(target)
    finest = min(view.px_per_mm((float(x), float(y))) for x, y in corners * 0.9)
    if finest < FINE_PX_PER_MM:
        found.append(Advice(concern=Concern.SMALL, is_serious=finest < COARSE_PX_PER_MM, value=finest))
    pixels = view.to_frame(corners)
    inside = np.all((pixels >= 0) & (pixels < np.array(view.size)), axis=1)
    if not np.all(inside):
        found.append(Advice(concern=Concern.CUT_OFF, is_serious=True, value=float(np.sum(~inside))))
    aspect = float(view.camera_matrix[1, 1] / view.camera_matrix[0, 0])
    if abs(aspect - 1) > STRETCHED:
        found.append(Advice(concern=Concern.STRETCHED, is_serious=False, value=aspect))
    return found


def _of_markers(view: TableView, target: Target) -> list[Advice]:
    found = []
    hidden = len(target.ids) - len(view.marker_ids)
    if view.marker_ids and hidden:
        found.append(Advice(concern=Concern.FEW_MARKERS, is_serious=False, value=hidden))
    if view.marker_ids:
        across = np.array([target.corners_mm[number].mean(axis=0) for number in view.marker_ids])
        centred = across - across.mean(axis=0)
        # The smaller extent of the markers' places: a single row of them has none.
        extent = float(np.linalg.svd(centred, compute_uv=False)[-1])
        if extent < 0.5 * target.side_mm:
            found.append(Advice(concern=Concern.ONE_SIDED, is_serious=True, value=len(view.marker_ids)))
    return found


def _of_light(gray: GrayImage, view: TableView, target: Target) -> list[Advice]:
    paper, ink = _paper_and_ink(gray, view, target)
    if not len(paper):
        return []
    found = []
    white, contrast = float(np.median(paper)), float(np.median(paper - ink))
    if white < DARK_PAPER:
        found.append(Advice(concern=Concern.DARK, is_serious=white < DARK_PAPER / 2, value=white))
    elif contrast < FAINT_CONTRAST:
        found.append(Advice(concern=Concern.FAINT, is_serious=True, value=contrast))
    if white >= SATURATED:
        found.append(Advice(concern=Concern.OVEREXPOSED, is_serious=True, value=white))
    else:
        found += _glare(gray, view, target)
    return found


def _glare(gray: GrayImage, view: TableView, target: Target) -> list[Advice]:
    """The largest burnt-out spot on the play area, where the paper itself is not burnt out."""
    left, near, right, far = target.field_mm
    step = max((right - left), (far - near)) / 160
    x, y = np.meshgrid(np.arange(left, right, step), np.arange(near, far, step))
    places = view.to_frame(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    burnt = sample(gray, np.nan_to_num(places, nan=-10.0)) >= SATURATED
    count, labels, stats, _ = cv2.connectedComponentsWithStats(burnt.astype(np.uint8))
    if count < 2:
        return []
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    share = float(stats[largest, cv2.CC_STAT_AREA]) / burnt.size
    if share < GLARE_SHARE:
        return []
    middle = np.median(places[labels == largest], axis=0)
    return [
        Advice(concern=Concern.GLARE, is_serious=share > 5 * GLARE_SHARE, value=share, where=_where(middle, view.size))
    ]


def _of_sharpness(gray: GrayImage, view: TableView, target: Target) -> list[Advice]:
    if not view.marker_ids:
        return []
    edges = measure_edges(gray, fit_of_view(view), target, view.marker_ids, reach_px=4.0)
    if math.isnan(edges.softness):
        return []
    module_mm = target.side_mm / MARKER_MODULES
    spread_mm = edges.softness * module_mm
    spread_px = spread_mm * view.px_per_mm()
    if spread_mm > BLURRED_MM or spread_px > BLURRED_PX:
        return [Advice(concern=Concern.BLURRED, is_serious=spread_mm > BLURRED_MM, value=spread_px)]
    if view.reprojection_error_px > UNEVEN_PX:
        return [Advice(concern=Concern.NOT_FLAT, is_serious=False, value=view.reprojection_error_px)]
    return []


def _paper_and_ink(gray: GrayImage, view: TableView, target: Target) -> tuple[FloatArray, FloatArray]:
    """Grey of the white margin and of the black border, a pair for each side of each marker seen."""
    white, black = [], []
    for number in view.marker_ids:
        corners = target.corners_mm[number]
        middle = corners.mean(axis=0)
        for index in range(4):
            edge = (corners[index] + corners[(index + 1) % 4]) / 2 - middle
            module = np.linalg.norm(edge) / (MARKER_MODULES / 2)
            outward = edge / np.linalg.norm(edge)
            white.append(middle + edge + 0.5 * module * outward)
            black.append(middle + edge - 0.5 * module * outward)
    if not white:
        return np.zeros(0), np.zeros(0)
    values = sample(gray, view.to_frame(np.array(white + black))[None])[0]
    return values[: len(white)], values[len(white) :]


def _field_corners(target: Target) -> FloatArray:
    left, near, right, far = target.field_mm
    return np.array([(left, far), (right, far), (right, near), (left, near)])


def _where(place_px: FloatArray, size: tuple[int, int]) -> str:
    column = min(2, max(0, int(3 * place_px[0] / size[0])))
    row = min(2, max(0, int(3 * place_px[1] / size[1])))
    name = " ".join(part for part in (("top", "", "bottom")[row], ("left", "", "right")[column]) if part)
    return name or "middle"
