"""The mat's printed markers are no dice: a picture of the mat alone has none, and dice beside its markers stay."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.mat import MAT
from calibration.sheets import draw_picture
from deskref import printed_markers
from deskref.printed_markers import without_printed
from vision.observation import SeenDie

PX_PER_MM = 4.0


@pytest.fixture(scope="module")
def mat() -> npt.NDArray[np.uint8]:
    drawn = draw_picture(MAT, px_per_mm=PX_PER_MM)
    return drawn if drawn.ndim == 3 else np.asarray(cv2.cvtColor(drawn, cv2.COLOR_GRAY2BGR), np.uint8)


def die(middle: tuple[float, float], value: int | None = None, half: float = 30.0) -> SeenDie:
    x, y = middle
    return SeenDie((x - half, y - half, x + half, y + half), value, 0.5)


def marker_middles(image: npt.NDArray[np.uint8]) -> list[tuple[float, float]]:
    found = printed_markers.find_markers(printed_markers.as_gray(image), MAT)
    assert len(found) == 6
    return [(float(m.corners_px[:, 0].mean()), float(m.corners_px[:, 1].mean())) for m in found]


def test_finds_on_the_markers_of_the_mat_are_left_out_even_with_a_value(mat: npt.NDArray[np.uint8]) -> None:
    middles = marker_middles(mat)
    dice = tuple(die(middle, 4 if number == 0 else None) for number, middle in enumerate(middles))
    assert without_printed(mat, dice) == ()


def test_finds_beside_the_markers_stay(mat: npt.NDArray[np.uint8]) -> None:
    height, width = mat.shape[:2]
    inside = (die((width / 2, height / 2)), die((width / 3, height / 2), 5))
    assert without_printed(mat, (*inside, die(marker_middles(mat)[0]))) == inside


def test_a_die_that_covers_a_marker_stays(mat: npt.NDArray[np.uint8]) -> None:
    """Its code is then not seen whole, and no marker is found there."""
    covered = mat.copy()
    x, y = marker_middles(mat)[0]
    cv2.rectangle(covered, (int(x) - 35, int(y) - 35), (int(x) + 35, int(y) + 35), (240, 240, 240), -1)
    there = die((x, y))
    assert without_printed(covered, (there,)) == (there,)


def test_a_lone_marker_outweighs_a_question_but_no_value(mat: npt.NDArray[np.uint8]) -> None:
    """A code may be seen by chance in something else; the whole mat may not."""
    x, y = marker_middles(mat)[0]
    reach = int(22 * PX_PER_MM)
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    piece = mat[top : int(y) + reach, left : int(x) + reach]
    unread, read = die((x - left, y - top)), die((x - left, y - top), 3)
    assert without_printed(piece, (unread, read)) == (read,)


def test_nothing_is_searched_where_every_die_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed_markers, "find_markers", lambda *_: pytest.fail("it takes 20 ms"))
    dice = (die((50.0, 50.0), 2),)
    assert without_printed(np.zeros((90, 90, 3), np.uint8), dice) == dice
    assert without_printed(np.zeros((90, 90, 3), np.uint8), ()) == ()
