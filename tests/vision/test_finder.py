"""The finder's maps: cut to the picture, and looked at both ways round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.drawn_table import camera, empty_table
from vision.finder import LEAN_X, STRIDE, Finder, finder_input
from vision.ground import guess_ground
from vision.rectify import top_view
from vision.shipped import shipped_finder


class Skewed:
    """A net that looks to the left of each place only, and says what leans where as its offset."""

    def run(self, inputs: dict[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
        x = inputs["input"][:, :, ::STRIDE, ::STRIDE].astype(np.float32)
        left = np.roll(x[:, :1], 1, axis=3)
        return {
            "classes": np.repeat(left, 5, 1),
            "height": left,
            "offset": x[:, [LEAN_X, LEAN_X + 1]],
            "feet": np.repeat(left, 2, 1),
            "heat": np.repeat(left, 4, 1),
            "size": np.repeat(left, 2, 1),
        }


@pytest.fixture
def finder() -> Finder:
    whole = shipped_finder()
    assert whole is not None
    made = object.__new__(Finder)
    made._model = Skewed()  # type: ignore[assignment]
    return made


def test_what_a_net_sees_on_one_side_only_is_evened_out_and_offsets_keep_their_side(finder: Finder) -> None:
    view = camera()
    top = top_view(view)
    picture = top.from_frame(empty_table(view))
    ground = guess_ground(picture, top)
    maps = finder.maps(picture, top, ground, both_ways=True)
    values = finder_input(picture, top, ground)[:, ::STRIDE, ::STRIDE].astype(np.float32)
    rows, columns = maps.heat.shape[1:]
    assert (rows, columns) == (top.size[1] // STRIDE, top.size[0] // STRIDE)
    seen = values[0, :rows, :columns]
    inner = slice(2, columns - 2)
    # A mirror shifts the sampled columns by the rest of a step, so sides are compared by their means.
    both = (np.roll(seen, 1, axis=1) + np.roll(seen, -1, axis=1)) / 2
    assert maps.heat[0][:, inner].mean() == pytest.approx(both[:, inner].mean(), abs=1.0)
    assert np.abs(maps.offset_mm[0] - values[LEAN_X, :rows, :columns])[:, inner].max() < 3
    assert np.abs(maps.offset_mm[1] - values[LEAN_X + 1, :rows, :columns])[:, inner].max() < 3
