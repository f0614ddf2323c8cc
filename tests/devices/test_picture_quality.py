"""Advice on the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from devices.camera import TroubleCode
from devices.picture_quality import Quality, advice_on, edge_width_px, focus_hunts, measure
from tests.devices.fakes import Image


def table_picture(
    *, size: tuple[int, int] = (1280, 720), blur_px: float = 0.6, level: int = 110, seed: int = 3
) -> Image:
    """A grained table with bright and dark squares turned at random, seen sharp, with noise."""
    chance = np.random.default_rng(seed)
    width, height = size
    image = np.full((height, width, 3), level, np.float32)
    grain = cv2.GaussianBlur(chance.normal(0, 30, (height, width)).astype(np.float32), (0, 0), 3)
    image += grain[:, :, np.newaxis] * 3
    for _ in range(25):
        box = ((chance.uniform(0, width), chance.uniform(0, height)), (55.0, 55.0), chance.uniform(0, 90))
        corners = np.round(cv2.boxPoints(box)).astype(np.int32)
        cv2.fillPoly(image, [corners], [float(chance.choice([20, 235]))] * 3)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur_px), np.float32)
    image += chance.normal(0, 2, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def codes(image: Image, *, rate_hz: float = 30.0, edges_px: tuple[float, ...] = ()) -> list[TroubleCode]:
    size = (image.shape[1], image.shape[0])
    return [advice.code for advice in advice_on(measure(image), size=size, rate_hz=rate_hz, edges_px=edges_px)]


def test_a_good_picture_gets_no_advice() -> None:
    assert codes(table_picture()) == []


def test_c11_a_dark_picture_is_told() -> None:
    """C11: brightness check with advice."""
    assert TroubleCode.DARK in codes((table_picture() * 0.3).astype(np.uint8))


def test_c13_a_picture_of_doubled_pixels_is_told_with_its_true_size() -> None:
    """C13: "1280 x 720" that is a scaled smaller picture."""
    small = table_picture(size=(640, 360))
    doubled = cv2.resize(small, (1280, 720), interpolation=cv2.INTER_NEAREST)
    assert TroubleCode.ENLARGED in codes(np.asarray(doubled, np.uint8))
    advice = advice_on(measure(np.asarray(doubled, np.uint8)), size=(1280, 720), rate_hz=30)
    assert "640 x 360" in advice[0].message


@pytest.mark.parametrize("seed", range(5))
def test_c13_a_true_picture_is_not_called_enlarged_after_jpeg(seed: int) -> None:
    data = cv2.imencode(".jpg", table_picture(seed=seed), [cv2.IMWRITE_JPEG_QUALITY, 75])[1]
    assert TroubleCode.ENLARGED not in codes(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))


def test_c18_a_picture_out_of_focus_is_told() -> None:
    """C18 and C13: enlarging with smoothing shows as wide edges, too."""
    assert TroubleCode.NOT_SHARP in codes(table_picture(blur_px=2.5))
    sharp = edge_width_px(np.asarray(cv2.cvtColor(table_picture(), cv2.COLOR_BGR2GRAY), np.uint8))
    assert sharp is not None
    assert sharp < 3.5


def test_an_empty_table_has_no_edges_to_judge() -> None:
    plain = np.full((720, 1280, 3), 128, np.uint8)
    assert measure(plain).edge_px is None
    assert TroubleCode.NOT_SHARP not in codes(plain)
    assert TroubleCode.ENLARGED not in codes(plain)


def test_c14_black_side_bars_are_told() -> None:
    """C14: a 4:3 picture in a 16:9 frame."""
    image = table_picture()
    image[:, :160] = 16
    image[:, -160:] = 16
    assert measure(image).bar_px == 160
    assert TroubleCode.BARS in codes(image)


def test_c14_a_dark_table_edge_is_no_bar() -> None:
    image = table_picture()
    image[:, :160] //= 6
    assert measure(image).bar_px == 0


def test_a_black_picture_has_no_bars() -> None:
    assert measure(np.zeros((720, 1280, 3), np.uint8)).bar_px == 0


@pytest.mark.parametrize(("rate_hz", "told"), [(5.0, True), (11.9, True), (12.1, False), (30.0, False)])
def test_c15_a_slow_camera_is_told_its_true_rate(rate_hz: float, told: bool) -> None:
    """C15: show the true frames a second."""
    quality = Quality(120, 2.0, 1.0, 0)
    advice = advice_on(quality, size=(1280, 720), rate_hz=rate_hz)
    assert [a.code for a in advice] == ([TroubleCode.SLOW] if told else [])
    if told:
        assert f"slowly ({rate_hz:.0f} a second)" in advice[0].message


@pytest.mark.parametrize(
    ("size", "told"), [((640, 480), True), ((1279, 719), True), ((1280, 720), False), ((960, 720), False)]
)
def test_a_small_picture_is_told(size: tuple[int, int], told: bool) -> None:
    advice = advice_on(Quality(120, 2.0, 1.0, 0), size=size, rate_hz=None)
    assert (TroubleCode.SMALL in [a.code for a in advice]) is told


@pytest.mark.parametrize(
    ("edges_px", "hunts"),
    [
        ((2.0, 5.0, 2.1, 5.2, 2.0, 4.9), True),
        ((5.0, 2.0, 4.8, 2.1), True),
        ((2.0, 2.2, 2.1, 2.0, 2.3, 2.2), False),
        ((5.5, 4.0, 3.0, 2.2, 2.0, 2.0), False),
        ((2.0, 2.0, 5.0, 5.0, 2.0, 2.0), False),
        ((2.0,), False),
        ((), False),
    ],
)
def test_c18_a_lens_that_searches_is_told_from_one_that_found(edges_px: tuple[float, ...], hunts: bool) -> None:
    """C18: autofocus hunts. Finding the focus once, or a hand passing once, is no search."""
    assert focus_hunts(edges_px) is hunts
