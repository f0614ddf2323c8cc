"""Colours of dice have names that a change of the lamp leaves alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dice_colour import COLOURS, colour_name

BODIES = {
    "white": (244, 244, 244),
    "ivory": (200, 228, 240),
    "grey": (110, 112, 112),
    "black": (24, 22, 22),
    "red": (30, 30, 180),
    "orange": (30, 120, 240),
    "yellow": (40, 220, 240),
    "green": (50, 140, 40),
    "cyan": (190, 170, 30),
    "blue": (170, 70, 20),
    "purple": (130, 30, 90),
    "pink": (180, 120, 240),
    "brown": (40, 70, 110),
}
"""BGR of plastics in daylight."""


@pytest.mark.parametrize("name", BODIES)
def test_usual_plastics_have_their_names(name: str) -> None:
    assert colour_name(BODIES[name]) == name


@pytest.mark.parametrize("name", ["red", "green", "blue", "yellow", "white", "black"])
def test_a_dim_warm_lamp_is_taken_out_by_white_paper(name: str) -> None:
    lamp = np.array([0.42, 0.62, 0.8])
    paper = 255 * (0.86 * lamp) ** (1 / 2.2)
    seen = 255 * ((np.array(BODIES[name]) / 255) ** 2.2 * lamp) ** (1 / 2.2)
    assert colour_name(seen, white_bgr=paper) == name


def test_every_colour_has_a_name() -> None:
    rng = np.random.default_rng(1)
    assert {colour_name(c) for c in rng.integers(0, 256, (3000, 3))} == set(COLOURS)
