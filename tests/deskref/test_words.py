"""The application's catalogues: no code has two sentences, and every event of a game has one."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import rules
from deskref import skirmish_words, words, world_saga_words
from rules.skirmish.state import Event as SkirmishEvent
from rules.world_saga.attacks import Event as CombatEvent


def test_the_games_codes_mean_one_sentence_over_all_catalogues() -> None:
    """A translation is looked up by the code alone."""
    modules = [importlib.import_module(m.name) for m in pkgutil.walk_packages(rules.__path__, "rules.")]
    tables = [words.WORDS, *(getattr(module, "WORDS", {}) for module in modules)]
    for own, other in ((skirmish_words.WORDS, world_saga_words.WORDS), (world_saga_words.WORDS, skirmish_words.WORDS)):
        for table in (other, *tables):
            assert not own.keys() & table.keys()


@pytest.mark.parametrize("event", SkirmishEvent)
def test_every_event_of_a_skirmish_has_a_sentence(event: SkirmishEvent) -> None:
    assert f"qs_{event.value}" in skirmish_words.WORDS


@pytest.mark.parametrize("event", CombatEvent)
def test_every_event_of_a_combat_has_a_sentence(event: CombatEvent) -> None:
    assert f"wsd_{event.value}" in world_saga_words.WORDS
