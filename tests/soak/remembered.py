"""The demo's film as the eyes saw it once, so that an evening can see it again and again without looking anew.

All that follows the eyes' look at single pictures is done again each time: tracks, events, the game.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from deskref.eyes import Eyes, Seen
from devices.camera_spec import open_film
from devices.frame import Frame
from tests.soak.demo_camera import film_frame_of
from vision.observation import Observation
from vision.records import observation_as_record, observation_from_record
from vision.table_state import TableState, settle


def look_through(film: Path, kept: Path) -> None:
    """Look at every frame of a film and keep what is seen; takes a minute or more."""
    eyes = Eyes()
    unfinished = kept.with_suffix(".unfinished")
    with open_film(film) as source, unfinished.open("w", encoding="utf-8") as file:
        for frame in source.frames():
            file.write(json.dumps(observation_as_record(eyes.look(frame).observation)) + "\n")
    unfinished.rename(kept)


def recall(kept: Path) -> tuple[Observation, ...]:
    """Give what was seen, by the numbers of the film's frames."""
    with kept.open(encoding="utf-8") as file:
        return tuple(observation_from_record(json.loads(line)) for line in file)


class RememberingEyes(Eyes):
    """Eyes that have seen each frame of the film before."""

    def __init__(self, seen: tuple[Observation, ...]) -> None:
        """Remember what was seen."""
        super().__init__()
        self._seen = seen
        self._tracks = TableState()

    def take_up(self, state: TableState) -> None:
        """Go on with what was known of the table."""
        self._tracks = state

    def look(self, frame: Frame) -> Seen:
        """Give what was seen in the frame, at its present time, and what follows from it."""
        before = self._seen[film_frame_of(frame)]
        observation = replace(before, frame=frame.number, time_s=frame.time_s)
        self._tracks, events = settle(self._tracks, observation)
        return Seen(frame, None, observation, events)
