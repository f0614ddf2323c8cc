"""The owner of a session: what it plays is what its journal plays again, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

from deskref.inputs import StartGame
from deskref.play import Play
from deskref.recording import Journal
from deskref.replay import followed
from deskref.signal import Signal
from tests.deskref.played_desk import skirmish_setup
from vision import events


def said(log: tuple[Signal, ...]) -> list[str]:
    return [json.dumps(signal.as_json()) for signal in log]


def test_a_game_replays_to_the_same_bytes_whatever_its_times_are(tmp_path: Path) -> None:
    """Found by a soak: 0.240529 s was said as 0.241, kept as 0.2405, and said again as 0.24."""
    with Journal(tmp_path / "game.jsonl", version="0", started="now") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=skirmish_setup()))
        for number in range(200):
            time_s = 0.240529 + number * 0.0333377
            moved = (events.TableLost, events.TableFound)[number % 2]
            more = {"advice": ""} if number % 2 == 0 else {"markers": 6}
            play.happened(moved(frame=number, time_s=time_s, **more))
    again = followed(journal.path)
    assert said(again.session.log) == said(play.session.log)
    assert again.session.time_s == play.session.time_s


def test_time_that_passes_without_a_trace_is_not_in_what_is_said(tmp_path: Path) -> None:
    """Found by a soak: the clock runs ahead of a picture that takes long, and only the running game knew of it."""
    with Journal(tmp_path / "game.jsonl", version="0", started="now") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
        play.happened(events.TableFound(frame=1, time_s=1.0, markers=6))
        play.passed(2.5)
        play.happened(events.TableLost(frame=2, time_s=2.0, advice=""))
    assert play.session.log[-1].time_s == 2.0
    assert said(followed(journal.path).session.log) == said(play.session.log)
