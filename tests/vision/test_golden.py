"""Golden recordings: the same sight is told in the same events to the byte, and every kind of event is among them."""

from __future__ import annotations

import json

import pytest

from tests.vision.golden_stories import FOLDER, STORIES, records, told
from vision.events import EVENTS


def kept(name: str, what: str) -> list[str]:
    """The lines of a kept file."""
    return (FOLDER / f"{name}.{what}.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", STORIES)
def test_a_golden_recording_is_told_as_it_was(name: str) -> None:
    assert told(kept(name, "observations")) == kept(name, "events")


def test_every_kind_of_event_is_in_a_golden_recording() -> None:
    kinds = {json.loads(line)["type"] for name in STORIES for line in kept(name, "events")}
    assert kinds == {event.kind for event in EVENTS}


def test_the_stories_are_those_that_were_recorded() -> None:
    """Nobody has changed a story without recording it anew."""
    for name, story in STORIES.items():
        assert [json.dumps(record) for record in records(story().observations)] == kept(name, "observations")
