"""Spots: found where they are, with their size and slant, in any colour and at any scale."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.pip_spots import find_spots


def spot_picture(
    *,
    axes: tuple[float, float],
    turn: float = 0.0,
    at: tuple[float, float] = (60.0, 50.0),
    inner: tuple[int, int, int] = (20, 20, 20),
    ground: tuple[int, int, int] = (200, 200, 200),
) -> npt.NDArray[np.uint8]:
    """One ellipse of these half axes in a picture of 120 x 100, drawn eight times as large and reduced."""
    k = 8
    image = np.full((100 * k, 120 * k, 3), ground, np.uint8)
    middle = ((at[0] + 0.5) * k - 0.5, (at[1] + 0.5) * k - 0.5)
    cv2.ellipse(image, (middle, (2 * axes[0] * k, 2 * axes[1] * k), turn), inner, -1)
    small = cv2.resize(image, (120, 100), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)


@pytest.mark.parametrize("radius", [2.0, 3.0, 4.5, 7.0])
@pytest.mark.parametrize(
    ("inner", "ground"),
    [((20, 20, 20), (200, 200, 200)), ((240, 240, 240), (60, 20, 20)), ((30, 30, 190), (160, 60, 30))],
)
def test_a_round_spot_is_measured(radius: float, inner: tuple[int, int, int], ground: tuple[int, int, int]) -> None:
    """Middle to 0.3 px, radius to 15 %, nearly round; red on blue has hardly any contrast in grey."""
    spots = find_spots(spot_picture(axes=(radius, radius), inner=inner, ground=ground))
    best = int(np.argmin(np.hypot(*(spots.centres - (60, 50)).T) + np.abs(spots.radii - radius)))
    assert np.allclose(spots.centres[best], (60, 50), atol=0.3)
    assert spots.radii[best] == pytest.approx(radius, rel=0.15)
    assert spots.aspects[best] < 1.15
    assert spots.roughness[best] < 0.1


@pytest.mark.parametrize("turn", [0.0, 30.0, 75.0])
def test_a_slanted_spot_shows_its_slant(turn: float) -> None:
    spots = find_spots(spot_picture(axes=(8.0, 4.0), turn=turn))
    best = int(np.argmin(np.hypot(*(spots.centres - (60, 50)).T) + np.abs(spots.radii - 5.66)))
    values, vectors = np.linalg.eigh(spots.shapes[best])
    assert np.sqrt(values) == pytest.approx((4.0, 8.0), rel=0.12)
    across = np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1])) % 180
    assert min(abs(across - turn), 180 - abs(across - turn)) < 4


def test_edges_and_stripes_hold_no_spots() -> None:
    edge = np.full((80, 80, 3), 40, np.uint8)
    edge[:, 40:] = 220
    stripes = np.full((80, 80, 3), 40, np.uint8)
    stripes[:, ::16] = 220
    stripes[:, 1::16] = 220
    assert len(find_spots(edge)) == 0
    assert len(find_spots(stripes)) == 0


def test_a_spot_is_listed_once() -> None:
    spots = find_spots(spot_picture(axes=(5.0, 5.0)))
    assert int((np.hypot(*(spots.centres - (60, 50)).T) < 3).sum()) == 1
