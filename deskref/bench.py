"""Measure how long each stage takes for a frame, on the demo's recording or another film."""

from __future__ import annotations

import json as json_text
import os
import platform
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import typer
from rich.console import Console
from rich.table import Table

from deskref.demo import FILM, SETUP
from deskref.eyes import STAGES, Eyes
from deskref.inputs import StartGame
from deskref.play import Play
from deskref.setup_file import load_setup
from devices.camera import SourceError, TroubleCode
from devices.camera_spec import open_film
from vision.events import DieAtRest

ALL, OF_PROCESSOR = "whole", "processor"
"""The last two lines: what passes by the clock for a frame, and what its thread takes of the processor meanwhile. On a
computer that has other work to do the second tells what the first would be without it, or a little more."""

WARM_UP_FRAMES = 30
"""Not counted: caches fill, models load."""


@dataclass(frozen=True, slots=True)
class StageTimes:
    """What one stage took, in milliseconds."""

    stage: str
    median_ms: float
    p95_ms: float
    mean_ms: float
    frames: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What a film took, and how soon its thrown dice were settled."""

    times: tuple[StageTimes, ...]
    """Empty where the film is too short."""
    settled_s: tuple[float, ...]
    """For each thrown die that was read, from its last movement to the event with its value."""

    @property
    def settled_ms(self) -> float | None:
        """Median of `settled_s` in milliseconds; None without a throw."""
        return round(1000 * statistics.median(self.settled_s), 1) if self.settled_s else None


def run(*, json: bool, film: Path | None, most_frames: int) -> None:
    """Print the figures.

    Raises:
        SourceError: the film cannot be opened.
    """
    measured = measure(film or FILM, most_frames=most_frames)
    times = measured.times
    if not times:
        raise SourceError(
            TroubleCode.CUT_OFF,
            f"The film {(film or FILM).name!r} is too short to measure.",
            f"Name one of more than {WARM_UP_FRAMES} pictures.",
        )
    whole = next(t for t in times if t.stage == ALL)
    machine = f"{platform.machine()}, {cpu_count()} cores, Python {platform.python_version()}, OpenCV {cv2.__version__}"
    if json:
        for t in times:
            data = {
                "stage": t.stage,
                "median_ms": t.median_ms,
                "p95_ms": t.p95_ms,
                "mean_ms": t.mean_ms,
                "frames": t.frames,
            }
            typer.echo(json_text.dumps(data))
        last = {"frames_per_s": rate_hz(times), "memory_mb": memory_mb(), "machine": machine}
        settled = {"settled_ms": measured.settled_ms, "settled_dice": len(measured.settled_s)}
        typer.echo(json_text.dumps(last | settled))
        return
    table = Table("Stage", "median ms", "p95 ms", title=f"{whole.frames} frames, {machine}")
    for t in times:
        table.add_row(t.stage, f"{t.median_ms:.2f}", f"{t.p95_ms:.2f}")
    Console().print(table)
    typer.echo(f"{rate_hz(times):.0f} frames a second, one after the other on one thread; memory {memory_mb():.0f} MB")
    if measured.settled_ms is not None:
        typer.echo(f"{measured.settled_ms:.0f} ms from rest to value, median of {len(measured.settled_s)} thrown dice")
    else:
        typer.echo(
            "No thrown die came to rest in these frames, so how long that takes is not known: take more of them."
        )


def measure(film: Path, *, most_frames: int) -> Measured:
    """Referee a film and time each stage of each frame: decoding, the stages of vision, the referee, all of it.

    How soon thrown dice are settled is counted by the film's own time, so a slow computer changes nothing of it.

    Raises:
        SourceError: the film cannot be opened or breaks off.
    """
    spent: dict[str, list[float]] = {stage: [] for stage in ("decode", *STAGES, "referee", ALL, OF_PROCESSOR)}
    settled_s: list[float] = []
    play = Play()
    play.happened(StartGame(setup=load_setup(SETUP, with_camera=True)))
    eyes = Eyes()
    with open_film(film) as source:
        frames = source.frames()
        for number in range(WARM_UP_FRAMES + most_frames):
            began, began_there = time.perf_counter(), time.thread_time()
            frame = next(frames, None)
            if frame is None:
                break
            decoded = time.perf_counter()
            seen = eyes.look(frame)
            looked = time.perf_counter()
            for event in seen.events:
                play.happened(event)
                if isinstance(event, DieAtRest) and event.value is not None:
                    settled_s.append(event.settled_s)
            play.passed(frame.time_s)
            ended = time.perf_counter()
            if number < WARM_UP_FRAMES:
                continue
            spent["decode"].append(decoded - began)
            for stage in STAGES:
                spent[stage].append(eyes.spent_s.get(stage, 0.0))
            spent["referee"].append(ended - looked)
            spent[ALL].append(ended - began)
            spent[OF_PROCESSOR].append(time.thread_time() - began_there)
    times = tuple(_times(stage, seconds) for stage, seconds in spent.items() if seconds)
    return Measured(times, tuple(settled_s))


def rate_hz(times: Sequence[StageTimes]) -> float:
    """Frames a second that are kept up, by the mean of the whole."""
    whole = next(t for t in times if t.stage == ALL)
    return 1000 / whole.mean_ms if whole.mean_ms else 0.0


def memory_mb() -> float:
    """The most memory that this process has held, in MB; 0 where the system does not tell (Windows)."""
    try:
        import resource
    except ImportError:
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def cpu_count() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _times(stage: str, seconds: list[float]) -> StageTimes:
    ordered = sorted(seconds)
    return StageTimes(
        stage,
        round(1000 * statistics.median(ordered), 3),
        round(1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3),
        round(1000 * statistics.fmean(ordered), 3),
        len(ordered),
    )
