"""Counting the pips of a face seen straight on."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.pip_count import count_faces, count_pips

LAYOUTS: dict[str, list[tuple[float, float]]] = {
    "1": [(0, 0)],
    "2 diagonal": [(-1, -1), (1, 1)],
    "2 in line": [(0, -1), (0, 1)],
    "2 close": [(-0.6, -0.6), (0.6, 0.6)],
    "3 diagonal": [(-1, -1), (0, 0), (1, 1)],
    "3 in line": [(0, -1), (0, 0), (0, 1)],
    "4": [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    "5": [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    "6": [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    "6 in narrow rows": [(-0.8, -1), (0.8, 1), (-0.8, 1), (0.8, -1), (-0.8, 0), (0.8, 0)],
    "6 in close rows": [(-0.68, -1.15), (0.68, 1.15), (-0.68, 1.15), (0.68, -1.15), (-0.68, 0), (0.68, 0)],
}


def face(layout: str, *, side: int = 96, dark_pips: bool = True, radius: float = 0.09) -> npt.NDArray[np.uint8]:
    """A grey face, drawn eight times as large and reduced."""
    big = 768
    body, pip = (205, 40) if dark_pips else (60, 230)
    image = np.full((big, big), body, np.uint8)
    for x, y in LAYOUTS[layout]:
        at = np.array([x, y]) * 0.25 * big + big / 2
        cv2.circle(image, (round(at[0]), round(at[1])), round(radius * big), pip, -1)
    small = np.asarray(cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA), np.float64)
    noise = np.random.default_rng(side).normal(0, 2.0, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("side", [24, 48, 96, 200])
@pytest.mark.parametrize("dark_pips", [True, False])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_counted(layout: str, dark_pips: bool, side: int) -> None:
    counted = count_pips(face(layout, side=side, dark_pips=dark_pips))
    assert counted.value == int(layout[0])
    assert len(counted.spots) == counted.value


@pytest.mark.parametrize("layout", LAYOUTS)
def test_quarter_turns_and_brightness_change_nothing(layout: str) -> None:
    image = face(layout)
    for turns in range(4):
        turned = np.ascontiguousarray(np.rot90(image, turns))
        assert count_pips(turned).value == int(layout[0])
        assert count_pips((turned // 2 + 20).astype(np.uint8)).value == int(layout[0])


def test_a_bare_face_noise_and_stripes_are_not_counted() -> None:
    rng = np.random.default_rng(3)
    stripes = np.repeat(np.where(np.arange(96) % 16 < 8, 60, 200).astype(np.uint8)[None], 96, axis=0)
    for image in (np.full((64, 64), 128, np.uint8), rng.integers(0, 256, (96, 96), np.uint8), stripes):
        assert count_pips(image).value is None


def test_a_face_too_small_says_so() -> None:
    counted = count_pips(face("5", side=11))
    assert counted.value is None
    assert "11 px" in str(counted.why)


def test_faces_counted_together_give_what_each_gives_alone() -> None:
    """More than one sheet full, of different sizes, with bare and tiny ones between; neighbours must not mix."""
    faces = [face(layout, side=side) for side in (24, 60) for layout in LAYOUTS]
    faces[3:3] = [np.full((40, 40), 128, np.uint8), face("5", side=11)]
    together = count_faces(faces, margin=0.1, slack=0.2)
    assert len(together) == len(faces)
    for one, among in zip(faces, together, strict=True):
        alone = count_pips(one, margin=0.1, slack=0.2)
        assert among.value == alone.value
        assert among.confidence == pytest.approx(alone.confidence, abs=0.03)
        assert np.allclose(among.spots, alone.spots, atol=0.1)


def test_no_faces_give_no_counts() -> None:
    assert count_faces([]) == ()


def test_faces_of_other_pools_take_no_spots_away() -> None:
    """Blotches have more peaks, and stronger ones, than a faint face."""
    faint = (150 - face("5") // 10).astype(np.uint8)
    rng = np.random.default_rng(3)
    blurred = [cv2.GaussianBlur(rng.normal(size=(96, 96)), (0, 0), 2.0) for _ in range(3)]
    blotches = [np.where(each > 0, 255, 0).astype(np.uint8) for each in blurred]
    assert count_faces([faint, *blotches], pools=[0, 1, 1, 1])[0].value == 5
    assert count_faces([faint, *blotches])[0].value is None
