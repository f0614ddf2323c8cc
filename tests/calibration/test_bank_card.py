"""A9: printers rescale sheets; a bank card on the mat tells by how much."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.bank_card import CardMeasure, measure_bank_card
from calibration.mat import BANK_CARD_MM
from calibration.table import find_table
from calibration.table_view import TableView
from tests.calibration.simulated import SHEET_PX_PER_MM, Image, draw_sheet, photograph, view_of


def sheet_with_card(scale: float, *, angle_degrees: float, gray: int) -> Image:
    """A sheet printed at `scale`, in nominal millimetres, with a true card on it: rounded corners, a stripe, a chip."""
    sheet = draw_sheet()
    rows, columns = sheet.shape
    width, height, radius = (side / scale for side in (*BANK_CARD_MM, 3.18))
    angle = math.radians(angle_degrees)
    spin = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

    def outline(points: list[tuple[float, float]]) -> np.ndarray:
        mm = np.array(points) @ spin.T + (-5.0, 8.0)
        px = np.column_stack([mm[:, 0] * SHEET_PX_PER_MM + columns / 2, rows / 2 - mm[:, 1] * SHEET_PX_PER_MM]) - 0.5
        return np.round(px * 16).astype(np.int32)

    quarters = ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270))
    card = [
        (
            sx * (width / 2 - radius) + radius * math.cos(math.radians(start + step)),
            sy * (height / 2 - radius) + radius * math.sin(math.radians(start + step)),
        )
        for sx, sy, start in quarters
        for step in range(0, 91, 10)
    ]
    cv2.fillPoly(sheet, [outline(card)], gray, lineType=cv2.LINE_AA, shift=4)
    chip = [(-30.0, 0.0), (-18.0, 0.0), (-18.0, 9.0), (-30.0, 9.0)]
    stripe = [(-38.0, -18.0), (38.0, -18.0), (38.0, -12.0), (-38.0, -12.0)]
    cv2.fillPoly(sheet, [outline(chip), outline(stripe)], 160, shift=4)
    return sheet


def measure(scale: float, *, angle: float, gray: int, tilt: float, size: tuple[int, int]) -> CardMeasure | None:
    truth = view_of(size=size, tilt_degrees=tilt, focal_share=0.9)
    image = photograph(sheet_with_card(scale, angle_degrees=angle, gray=gray), truth, noise=4, blur_px=0.8)
    view = find_table(image)
    assert isinstance(view, TableView)
    return measure_bank_card(image, view)


@pytest.mark.parametrize(
    ("scale", "angle", "gray", "tilt", "size"),
    [
        (1.0, 0, 90, 10, (1280, 720)),
        (0.97, 33, 205, 20, (1280, 720)),
        (0.94, 20, 40, 30, (1280, 720)),
        (1.03, 10, 90, 20, (640, 480)),
    ],
)
def test_a9_the_print_scale_is_measured_within_four_parts_in_a_thousand(
    scale: float, angle: float, gray: int, tilt: float, size: tuple[int, int]
) -> None:
    card = measure(scale, angle=angle, gray=gray, tilt=tilt, size=size)
    assert card is not None
    assert card.print_scale == pytest.approx(scale, abs=0.004)
    assert card.differs is (scale != 1.0)


def test_a_sheet_found_with_its_print_scale_measures_true_millimetres() -> None:
    truth = view_of(tilt_degrees=15)
    image = photograph(sheet_with_card(0.97, angle_degrees=10, gray=60), truth, noise=3)
    view = find_table(image, print_scale=0.97)
    assert isinstance(view, TableView)
    card = measure_bank_card(image, view)
    assert card is not None
    assert card.width_mm == pytest.approx(85.6, abs=0.25)
    assert card.print_scale == pytest.approx(0.97, abs=0.004)


def test_a_bare_mat_has_no_card() -> None:
    image = photograph(draw_sheet(), view_of(tilt_degrees=15), noise=4)
    view = find_table(image)
    assert isinstance(view, TableView)
    assert measure_bank_card(image, view) is None


def test_another_rectangle_is_no_card() -> None:
    """A matchbox of 60 x 38 mm has a card's proportions and not its size."""
    sheet = draw_sheet()
    rows, columns = sheet.shape
    sheet[rows // 2 - 150 : rows // 2 + 152, columns // 2 - 240 : columns // 2 + 240] = 80
    image = photograph(sheet, view_of(tilt_degrees=15), noise=4)
    view = find_table(image)
    assert isinstance(view, TableView)
    assert measure_bank_card(image, view) is None
