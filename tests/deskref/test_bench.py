"""`deskref bench`: the stages' times, and how soon thrown dice are settled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deskref import bench
from deskref.bench import Measured, measure
from deskref.eyes import Seen
from devices.frame import Frame
from vision.events import DieAtRest
from vision.observation import Observation, TableSeen


class FakeEyes:
    """Sees a die come to rest in some frames."""

    rests: dict[int, tuple[int | None, float]]

    def __init__(self) -> None:
        self.spent_s: dict[str, float] = dict.fromkeys(bench.STAGES, 0.001)
        self.count = 0

    def look(self, frame: Frame) -> Seen:
        self.count += 1
        events = ()
        if self.count in self.rests:
            value, settled_s = self.rests[self.count]
            events = (
                DieAtRest(
                    frame=frame.number, time_s=frame.time_s, die=1, mm=(0.0, 0.0), value=value, confidence=1.0,
                    colour=None, settled_s=settled_s,
                ),
            )  # fmt: skip
        return Seen(frame, None, Observation(frame.number, frame.time_s, frame.size, TableSeen(False)), events)


@pytest.mark.parametrize(
    ("rests", "median_ms"),
    [
        ({5: (3, 0.2), 33: (4, 0.3), 36: (6, 0.25)}, 250.0),
        ({5: (None, 0.9)}, None),
        ({}, None),
    ],
)
def test_dice_that_came_to_rest_and_were_read_are_counted_by_the_films_time(
    monkeypatch: pytest.MonkeyPatch, rests: dict[int, tuple[int | None, float]], median_ms: float | None
) -> None:
    eyes = type("Eyes", (FakeEyes,), {"rests": rests})
    monkeypatch.setattr(bench, "Eyes", eyes)
    measured = measure(bench.FILM, most_frames=10)
    assert measured.settled_ms == median_ms
    assert {t.stage for t in measured.times} == {"decode", *bench.STAGES, "referee", "whole", "processor"}
    assert all(t.frames == 10 for t in measured.times)


def test_a_film_that_is_too_short_has_no_times(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "Eyes", type("Eyes", (FakeEyes,), {"rests": {}}))
    monkeypatch.setattr(bench, "WARM_UP_FRAMES", 10_000)
    monkeypatch.setattr(bench, "open_film", lambda *_, **__: _Short())
    assert measure(tmp_path / "none", most_frames=5) == Measured((), ())


class _Short:
    def __enter__(self) -> _Short:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def frames(self) -> Iterator[Frame]:
        return iter(())


@pytest.mark.parametrize(
    ("rests", "says"), [({5: (3, 0.2)}, "200 ms from rest to value"), ({}, "No thrown die came to")]
)
def test_the_last_line_tells_of_thrown_dice_or_that_there_were_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rests: dict[int, tuple[int, float]], says: str
) -> None:
    """Of few frames the line was missing without a word."""
    monkeypatch.setattr(bench, "Eyes", type("Eyes", (FakeEyes,), {"rests": rests}))
    bench.run(json=False, film=None, most_frames=10)
    assert says in capsys.readouterr().out.splitlines()[-1]
