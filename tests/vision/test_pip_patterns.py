"""Faces among spots: every layout in every slant, and none where pips do not lie so."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pip_patterns import find_faces
from vision.pip_spots import Spots

LAYOUTS: dict[str, list[tuple[float, float]]] = {
    "2": [(-1, -1), (1, 1)],
    "2 in line": [(0, -1), (0, 1)],
    "3": [(-1, -1), (0, 0), (1, 1)],
    "4": [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    "5": [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    "6": [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    "6 in narrow rows": [(-0.75, -1), (0.75, 1), (-0.75, 1), (0.75, -1), (-0.75, 0), (0.75, 0)],
}
SLANTS = {
    "from above": np.eye(2),
    "turned": np.array([[0.8, -0.6], [0.6, 0.8]]),
    "from low down": np.array([[1.0, 0.0], [0.0, 0.45]]) @ np.array([[0.8, -0.6], [0.6, 0.8]]),
    "oblique": np.array([[1.0, 0.4], [-0.1, 0.6]]),
}


def spots_at(
    places: list[tuple[float, float]], slant: np.ndarray, *, pitch: float = 14.0, radius: float = 5.0
) -> Spots:
    """Ideal pips: dark discs of this radius on a light face, seen under a slant."""
    count = len(places)
    centres = (np.array(places) * pitch) @ slant.T + 100
    shape = slant @ slant.T * radius**2
    return Spots(
        centres.astype(np.float32),
        np.repeat(shape[None], count, axis=0).astype(np.float32),
        np.full((count, 3), 30, np.float32),
        np.full((count, 3), 200, np.float32),
        np.full(count, 294, np.float32),
        np.full(count, 0.02, np.float32),
        np.full(count, 0.05, np.float32),
    )


@pytest.mark.parametrize("slant", SLANTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_found_in_every_slant(layout: str, slant: str) -> None:
    faces = find_faces(spots_at(LAYOUTS[layout], SLANTS[slant]))
    whole = [n for n in range(len(faces)) if len(faces.pips_of(n)) == len(LAYOUTS[layout])]
    assert [int(faces.value[n]) for n in whole] == [int(layout[0])]
    assert faces.misfit[whole[0]] < 0.05
    assert np.allclose(faces.centre[whole[0]], 100, atol=0.1)


def test_the_order_of_spots_changes_nothing() -> None:
    spots = spots_at([*LAYOUTS["5"], (4.0, 0.0), (4.0, 2.0)], SLANTS["oblique"])
    turned = spots[np.arange(len(spots))[::-1]]
    one, two = find_faces(spots), find_faces(turned)
    assert sorted(one.value.tolist()) == sorted(two.value.tolist())
    last = len(spots) - 1
    sets = {frozenset(one.pips_of(n)) for n in range(len(one))}
    assert sets == {frozenset(last - p for p in two.pips_of(n)) for n in range(len(two))}


def test_a_seventh_pip_or_a_shifted_one_makes_no_whole_face() -> None:
    seven = find_faces(spots_at([*LAYOUTS["6"], (0.0, 0.0)], np.eye(2)))
    assert max(len(seven.pips_of(n)) for n in range(len(seven))) < 7
    bent = find_faces(spots_at([(-1, -1), (1, 1), (-1, 1), (0.2, -1)], np.eye(2)))
    assert not (bent.value >= 4).any()


def test_pips_of_another_colour_or_size_do_not_join() -> None:
    spots = spots_at(LAYOUTS["2"], np.eye(2))
    spots.inner[1] = (30, 30, 230)
    assert find_faces(spots).value.tolist() == [1, 1]
    spots = spots_at(LAYOUTS["2"], np.eye(2))
    spots.shapes[1] *= 4
    assert find_faces(spots).value.tolist() == [1, 1]


def test_no_spots_make_no_faces() -> None:
    assert len(find_faces(spots_at(LAYOUTS["2"], np.eye(2))[np.zeros(0, np.intp)])) == 0


def test_spots_of_different_owners_make_no_face() -> None:
    spots = spots_at(LAYOUTS["5"], np.eye(2))
    assert 5 in find_faces(spots, owners=np.zeros(5, np.intp)).value
    parted = find_faces(spots, owners=np.array([0, 0, 1, 1, 1]))
    assert max(parted.value.tolist()) <= 3
    assert all(len({0 if p < 2 else 1 for p in parted.pips_of(n)}) == 1 for n in range(len(parted)))


def test_of_each_owner_only_so_many_spots_are_looked_at() -> None:
    spots = spots_at(LAYOUTS["6"], np.eye(2))
    singles = find_faces(spots, owners=np.array([1, 0, 1, 0, 1, 0]), most=2)
    assert sorted(singles.pips[singles.value == 1, 0].tolist()) == [0, 1, 2, 3]
