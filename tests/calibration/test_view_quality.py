"""Advice about the view, each concern on either side of its limit."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.table import find_table
from calibration.table_view import TableView
from calibration.view_quality import Advice, Concern, check_view
from tests.calibration.simulated import Image, cover, draw_sheet, expose, photograph, view_of

SIZE = (1280, 720)


@cache
def shot(tilt: float = 20.0, size: tuple[int, int] = SIZE, fill: float = 0.9, curl: float = 0.0) -> Image:
    return photograph(draw_sheet(), view_of(size=size, tilt_degrees=tilt, focal_share=0.9, fill=fill), curl_mm=curl)


def advice(image: Image) -> dict[Concern, Advice]:
    view = find_table(image)
    assert isinstance(view, TableView), view
    return {item.concern: item for item in check_view(image, view)}


def test_a_good_view_needs_no_advice() -> None:
    assert advice(expose(shot(), noise=4)) == {}


@pytest.mark.parametrize(("tilt", "expected", "serious"), [(40, False, False), (50, True, False), (63, True, True)])
def test_d1_a_camera_from_aside_is_told_to_rise(tilt: float, expected: bool, serious: bool) -> None:
    found = advice(shot(tilt=tilt))
    assert (Concern.TILTED in found) is expected
    if expected:
        assert found[Concern.TILTED].value == pytest.approx(90 - tilt, abs=1)
        assert found[Concern.TILTED].is_serious is serious
        assert "Raise it" in found[Concern.TILTED].message


def test_a_small_table_is_told_to_come_closer() -> None:
    found = advice(shot(size=(640, 480), fill=0.7))
    assert found[Concern.SMALL].is_serious
    assert "closer" in found[Concern.SMALL].message
    assert (
        not advice(shot(size=(800, 600), fill=0.95))
        .get(Concern.SMALL, Advice(concern=Concern.SMALL, is_serious=False, value=0))
        .is_serious
    )


def test_darkness_and_burnt_paper_are_told_apart() -> None:
    assert Concern.DARK in advice(expose(shot(), gain=0.3, noise=3))
    assert Concern.OVEREXPOSED in advice(expose(shot(), gain=1.3))


def test_faint_print_is_said() -> None:
    grey = photograph(draw_sheet(ink=205), view_of(size=SIZE, tilt_degrees=20, focal_share=0.9))
    assert Concern.FAINT in advice(grey)


@pytest.mark.parametrize(
    ("place", "where"), [((395, 200), "top left"), ((640, 360), "middle"), ((885, 510), "bottom right")]
)
def test_glare_is_named_with_its_place(place: tuple[int, int], where: str) -> None:
    dimmed = expose(shot(), gain=0.8)
    spot = np.zeros_like(dimmed)
    cv2.circle(spot, place, 45, 200, -1)
    found = advice(cv2.add(dimmed, cv2.GaussianBlur(spot, (0, 0), 9)).astype(np.uint8))
    assert found[Concern.GLARE].where == where
    assert where in found[Concern.GLARE].message


def test_a_soft_picture_is_told_to_focus() -> None:
    assert Concern.BLURRED not in advice(expose(shot(), blur_px=0.8))
    assert Concern.BLURRED in advice(expose(shot(), blur_px=2.5))


def test_a_curled_sheet_is_told_to_be_taped_down() -> None:
    assert Concern.NOT_FLAT not in advice(shot(tilt=30, curl=2))
    assert Concern.NOT_FLAT in advice(shot(tilt=30, curl=12))


def test_hidden_markers_and_a_one_sided_view_are_said() -> None:
    covered = cover(shot(), [(0, 0), (430, 0), (430, 720), (0, 720)])
    found = advice(covered)
    assert found[Concern.FEW_MARKERS].value == 3
    assert found[Concern.ONE_SIDED].is_serious
    one = cover(shot(), [(150, 100), (420, 100), (420, 280), (150, 280)])
    assert Concern.ONE_SIDED not in advice(one)


def test_a_play_area_cut_off_by_the_picture_is_serious() -> None:
    found = advice(
        photograph(draw_sheet(), view_of(size=SIZE, tilt_degrees=20, focal_share=0.9, fill=1.2, aside_mm=(45, 0)))
    )
    assert found[Concern.CUT_OFF].is_serious


def test_serious_advice_comes_first() -> None:
    image = expose(shot(tilt=63), gain=0.3)
    view = find_table(image)
    assert isinstance(view, TableView)
    order = [item.is_serious for item in check_view(image, view)]
    assert order == sorted(order, reverse=True)
    assert True in order


def test_every_concern_has_words() -> None:
    for concern in Concern:
        assert len(Advice(concern=concern, is_serious=False, value=1.0, where="top").message) > 20
