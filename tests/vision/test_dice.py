"""Reading dice in drawn pictures: every value, both polarities, any turn, scale and light; nothing where no die is."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.dice import DieCandidate, read_dice

PLACES: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
IVORY, BLACK, WHITE, BLUE = (205, 226, 236), (25, 22, 20), (240, 240, 240), (150, 60, 30)


def draw(
    dice: list[tuple[int, float, float, float]],
    *,
    side: float = 60,
    body: tuple[int, int, int] = IVORY,
    pip: tuple[int, int, int] = BLACK,
    ground: tuple[int, int, int] = (120, 110, 96),
    size: int = 400,
    squeeze: float = 1.0,
) -> npt.NDArray[np.uint8]:
    """A picture with dice (value, x, y, degrees) seen from above, drawn four times as large and reduced."""
    k = 4
    image = np.full((size * k, size * k, 3), ground, np.uint8)
    for value, x, y, degrees in dice:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        turn = np.array([[c, -s], [s, c]]) * side * k
        middle = np.array([x, y]) * k
        inner = np.array([(-0.42, -0.42), (0.42, -0.42), (0.42, 0.42), (-0.42, 0.42)]) @ turn.T + middle
        cv2.fillConvexPoly(image, np.rint(inner).astype(np.int32), body)
        cv2.polylines(image, [np.rint(inner).astype(np.int32)], True, body, int(0.16 * side * k))
        for px, py in PLACES[value]:
            at = np.array([px, py]) * 0.26 @ turn.T + middle
            cv2.circle(image, (round(at[0]), round(at[1])), round(0.09 * side * k), pip, -1)
    small = cv2.resize(image, (size, round(size * squeeze)), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(7).normal(0, 2.0, small.shape)
    blurred = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.7), np.float64)
    return np.clip(blurred + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("body", "pip"), [(IVORY, BLACK), (BLUE, WHITE)])
@pytest.mark.parametrize("value", [4, 5, 6])
def test_reads_each_value_in_both_polarities(value: int, body: tuple[int, int, int], pip: tuple[int, int, int]) -> None:
    seen = read_dice(draw([(value, 200, 200, 20)], body=body, pip=pip))
    assert [d.value for d in seen] == [value]


def test_a_candidate_always_gives_one_die() -> None:
    image = draw([(5, 120, 120, 10), (4, 300, 300, 40)])
    seen = read_dice(image, candidates=[DieCandidate((80, 80, 160, 160)), DieCandidate((180, 20, 260, 100))])
    assert [d.value for d in seen] == [5, None]
    assert seen[1].why


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 500, 3), (480, 640, 3)])
def test_bare_pictures_hold_no_dice(shape: tuple[int, int, int]) -> None:
    for level in (0, 255):
        assert read_dice(np.full(shape, level, np.uint8)) == ()


def test_a_picture_without_colour_planes_is_refused() -> None:
    with pytest.raises(ValueError, match="rows, columns, 3"):
        read_dice(np.zeros((10, 10), np.uint8))
