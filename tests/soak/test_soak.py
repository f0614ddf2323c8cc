"""A short evening: games of each kind in the running program with faults, as `python -m tests.soak` plays for hours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.soak.evening import FILMED, Evening
from tests.soak.measures import held, more_than
from tests.soak.players import SAGAS, SKIRMISH, SKUFFLE
from tests.soak.sitting import Filming

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="kill -9 and limits of files are of POSIX systems"),
]

QUIET, RULED = 800, 1050
"""Frames of the film between which the game on it begins and the first die is thrown: a hit."""

SEED = 9
"""Of an evening with a killed game and most of the faults."""


def test_a_short_evening_leaves_nothing_behind_and_loses_nothing(tmp_path: Path) -> None:
    """Every journal whole, every ruling the same by a second opinion, no thread and no file left."""
    before = held()
    evening = Evening(tmp_path, SEED, kinds=(SKUFFLE.name, SKIRMISH.name, *(saga.name for saga in SAGAS)))
    evening.play(lambda played: played < 6)
    assert len({game.kind for game in evening.games}) == 5
    assert any("killed" in game.faults for game in evening.games)
    assert all(game.checked.opinions > 0 for game in evening.games)
    assert not more_than(before, held())


def test_a_part_of_the_filmed_game_is_looked_at_with_faults(tmp_path: Path) -> None:
    """The camera's thread, the eyes and the referee, from the desk as it stands to the first ruling."""
    evening = Evening(tmp_path, SEED, kinds=(FILMED,), filming=Filming(first=QUIET, last=RULED))
    evening.play(lambda played: played < 1)
    assert evening.games[0].checked.rulings > 0
