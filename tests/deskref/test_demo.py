"""The bundled recording against the truth of how it was made: nothing missed, nothing invented, in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deskref import replay
from deskref.demo import FILM, FOLDER, SETUP, referee_film
from deskref.play import Play
from deskref.recording import Journal
from deskref.setup_file import load_setup
from deskref.signal import Signal, SignalKind

Fact = tuple[Any, ...]


def truth() -> list[Fact]:
    """What the recording's makers say happened, as the referee should say it."""
    facts: list[Fact] = []
    lines = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    started = next(line["time_s"] for line in lines if line["event"] == "game_started")
    for line in lines:
        match line["event"]:
            case "ruling":
                facts.append(("roll", line["attacker"], line["natural"]))
                facts.append((line["result"], line["attacker"], line["target"]))
                if line["killed"]:
                    facts.append(("death", line["target"]))
            case "figure_moved" if line["time_s"] > started:
                facts.append(("moved", line["name"]))
            case "figure_tipped":
                facts.append(("tipped", line["name"]))
            case "winner":
                facts.append(("winner", tuple(line["standing"])))
    return facts


def told(signals: list[Signal], names: dict[str, str]) -> list[Fact]:
    """What the referee said, in the same form."""
    facts: list[Fact] = []
    for s in signals:
        soldier, target = names.get(s.soldier or ""), names.get(s.target or "")
        match s.kind:
            case SignalKind.ROLL:
                facts.append(("roll", soldier, s.value))
            case SignalKind.HIT | SignalKind.MISS | SignalKind.SAVED:
                facts.append((s.kind.value, soldier, target))
            case SignalKind.DEATH | SignalKind.TIPPED | SignalKind.MOVED:
                facts.append((s.kind.value, soldier))
            case SignalKind.WINNER:
                facts.append(("winner", tuple(names[w] for w in s.winners)))
    return facts


@pytest.mark.slow
def test_the_demo_is_refereed_as_it_happened_and_replays_to_the_same_bytes(tmp_path: Path) -> None:
    """Every roll with its value, every hit, miss, save, death and the winner, in order, nothing extra."""
    setup = load_setup(SETUP, with_camera=True)
    names = {s.id: s.name for s in setup.soldiers}
    with Journal(tmp_path / "demo.jsonl", version="0", started="", film=str(FILM)) as journal:
        signals = list(referee_film(FILM, setup, play=Play(journal)))
    assert told(signals, names) == truth()
    assert not [s for s in signals if s.kind in (SignalKind.ILLEGAL, SignalKind.UNREADABLE, SignalKind.DISAGREE)]
    said = [json.dumps(s.as_json()) for s in signals]
    assert [json.dumps(s.as_json()) for s in replay.from_observations(journal.path)] == said
    assert list(replay.rulings(journal.path)) == list(replay.rulings(journal.path))
