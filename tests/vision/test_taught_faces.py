"""Faces that a player has taught: known again, forgotten, and kept whole on the disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.taught_faces import (
    FILE_NAME,
    LEAST_ALIKE,
    TaughtFace,
    TaughtFaces,
    TaughtFacesError,
    features_of,
    load,
    save,
)

RED, BLUE = (40.0, 40.0, 200.0), (200.0, 60.0, 30.0)


def feature(seed: int) -> np.ndarray:
    return np.abs(np.random.default_rng(seed).normal(0, 1, 48)) ** 2


def taught(value: int, seed: int, colour: tuple[float, float, float] = RED) -> TaughtFace:
    return TaughtFace(value, features_of(feature(seed)[None]), colour, f"face {seed}")


def mixed(seed: int, other: int, alike: float) -> tuple[float, ...]:
    """A feature of length 1 whose cosine with that of `seed` is `alike`."""
    a = feature(seed) / np.linalg.norm(feature(seed))
    b = feature(other) - (feature(other) @ a) * a
    b /= np.linalg.norm(b)
    return tuple(alike * a + (1 - alike**2) ** 0.5 * b)


def test_a_like_face_of_a_like_die_is_known_again() -> None:
    known = TaughtFaces().with_face(taught(1, 1))
    found = known.recognise(mixed(1, 9, LEAST_ALIKE + 0.01), (60.0, 55.0, 180.0))
    assert found is not None
    assert found.value == 1
    assert found.name == "face 1"


def test_an_unlike_face_another_colour_and_an_empty_store_are_not() -> None:
    known = TaughtFaces().with_face(taught(1, 1))
    assert known.recognise(mixed(1, 9, LEAST_ALIKE - 0.01), RED) is None
    assert known.recognise(mixed(1, 9, 0.99), BLUE) is None
    assert TaughtFaces().recognise(mixed(1, 9, 0.99), RED) is None


def test_two_faces_of_different_value_that_are_as_near_answer_nothing() -> None:
    known = TaughtFaces().with_face(taught(1, 1)).with_face(taught(6, 1))
    assert known.recognise(mixed(1, 9, 0.99), RED) is None


def test_a_face_can_be_forgotten() -> None:
    known = TaughtFaces().with_face(taught(1, 1)).with_face(taught(6, 2))
    assert [f.value for f in known.without(0).faces] == [6]
    with pytest.raises(IndexError, match="2 taught faces"):
        known.without(2)


@pytest.mark.parametrize("value", [0, 7])
def test_values_that_no_die_has_are_refused(value: int) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        TaughtFaces().with_face(taught(value, 1))


def test_the_store_comes_back_as_it_was_written(tmp_path: Path) -> None:
    known = TaughtFaces().with_face(taught(1, 1)).with_face(taught(6, 2, BLUE))
    save(tmp_path / "new", known)
    assert load(tmp_path / "new") == known
    assert load(tmp_path / "empty") == TaughtFaces()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"faces": [{"value": 1}]}', '{"faces": [{"value": 9, "features": [], "colour_bgr": [1]}]}']
)
def test_a_broken_store_says_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(TaughtFacesError, match="delete it"):
        load(tmp_path)
