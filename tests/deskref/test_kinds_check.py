"""What a recording holds is of the kinds that its fields say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deskref.kinds_check import of_its_kinds, seen_of_its_kinds
from vision.events import DieAtRest, FiguresUnsure, event_from_json
from vision.observation import Observation, SeenDie, TableSeen

AT_REST = {"type": "die_rest", "frame": 1, "time_s": 2.0, "die": 1, "mm": [1, 2], "value": 3, "confidence": 1.0}


def test_what_fits_is_given_back_as_it_is() -> None:
    event = event_from_json(AT_REST)
    assert of_its_kinds(event) is event
    assert of_its_kinds(FiguresUnsure(frame=1, time_s=0.0, figures=(1, 2))).figures == (1, 2)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"die": "x"}, "die is 'x'; it must be a whole number"),
        ({"time_s": None}, "time_s is None; it must be a number"),
        ({"mm": [1]}, "mm.2 is missing"),
        ({"mm": 5}, "mm is 5"),
        ({"value": [1]}, "value is"),
        ({"colour": 3}, "colour is 3; it must be a text"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, object], says: str) -> None:
    event = event_from_json({**AT_REST, **change})
    assert isinstance(event, DieAtRest)
    with pytest.raises(ValueError, match=says):
        of_its_kinds(event)


def test_what_was_seen_is_looked_into() -> None:
    die = SeenDie((1.0, 1.0, 9.0, 9.0), 3, 0.9, (0.0, 0.0), 16.0)
    seen = Observation(1, 0.0, (640, 480), TableSeen(True, 6), dice=(die,))
    assert seen_of_its_kinds(seen) is seen
    broken = replace(die, size_mm="16 mm")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="size_mm is '16 mm'"):
        seen_of_its_kinds(replace(seen, dice=(die, broken)))
