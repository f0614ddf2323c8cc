from __future__ import annotations

import pytest

from rules.sight import Degree
from rules.world_saga.hiding import (
    HiddenBy,
    Hiding,
    Shelter,
    knows_of,
    may_seek,
    may_target,
    shelter,
    walk_may_reveal,
)


@pytest.mark.parametrize(
    ("degree", "concealed", "dark", "expected"),
    [
        (Degree.NONE, False, False, Shelter(0, 0, 0, False)),
        (Degree.NONE, True, False, Shelter(1, 0, 0, True)),
        (Degree.NONE, False, True, Shelter(0, 0, 0, True)),
        (Degree.COVER, False, False, Shelter(1, 1, 1, True)),
        (Degree.COVER, True, False, Shelter(2, 1, 1, True)),
        (Degree.GREATER, False, False, Shelter(2, 2, 2, True)),
        (Degree.GREATER, True, True, Shelter(3, 2, 2, True)),
        (Degree.NO_SIGHT, False, False, Shelter(2, 2, 2, True)),
    ],
)
def test_cover_and_concealment_add_up(degree: Degree, concealed: bool, dark: bool, expected: Shelter) -> None:
    """World Saga, Concealment and Cover."""
    assert shelter(degree, is_concealed=concealed, is_dark=dark) == expected


@pytest.mark.parametrize(
    ("hiding", "known", "seek", "target", "walk"),
    [
        (None, True, False, True, False),
        (Hiding(HiddenBy.COVER), True, True, False, True),
        (Hiding(HiddenBy.CONCEALMENT), True, True, False, False),
        (Hiding(HiddenBy.LIGHT), True, True, False, False),
        (Hiding(HiddenBy.COVER, located_by=("ann",)), True, False, True, False),
        (Hiding(HiddenBy.COVER, located_by=("bo",)), True, True, False, True),
        (Hiding(HiddenBy.COVER, unaware=("ann",)), False, False, False, False),
        (Hiding(HiddenBy.COVER, unaware=("bo",)), True, True, False, True),
    ],
)
def test_who_may_be_sought_and_targeted(
    hiding: Hiding | None, known: bool, seek: bool, target: bool, walk: bool
) -> None:
    """World Saga, Detection and Hidden."""
    assert knows_of("ann", hiding) is known
    assert may_seek("ann", hiding) is seek
    assert may_target("ann", hiding) is target
    assert walk_may_reveal("ann", hiding) is walk
