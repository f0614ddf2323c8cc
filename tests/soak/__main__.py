"""`python -m tests.soak --games N [--minutes M] [--seed S]`: play a whole evening and say what it came to."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import threading
import time
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Annotated

import cv2
import typer

from deskref.demo import FILM
from tests.soak.evening import FILMED, THIRTY, Evening, Played
from tests.soak.measures import FLAT, SETTLED, growth, held
from tests.soak.pace import HumanClock, keeps_time
from tests.soak.remembered import look_through, recall
from tests.soak.sitting import Filming

logging.basicConfig(level=logging.ERROR, format="%(asctime)s %(name)s %(levelname)s %(message)s")


def main(
    games: Annotated[int, typer.Option(help="So many games are played.")] = 40,
    minutes: Annotated[float | None, typer.Option(help="Begin no further game after so long.")] = None,
    seed: Annotated[int, typer.Option(help="The same evening for the same number, times aside.")] = 1,
    trace: Annotated[bool, typer.Option(help="Count Python's own memory too; slower.")] = False,
    film: Annotated[bool, typer.Option(help="Play the filmed games; without them an hour has many more.")] = True,
    one_run: Annotated[bool, typer.Option("--one-run", help="Start the program once, not again and again.")] = False,
    seen: Annotated[
        Path | None, typer.Option(help="What the eyes saw in the film once; made where it is missing.")
    ] = None,
    anew: Annotated[float, typer.Option(help="In so many of the runs the film is looked at anew.")] = 0.25,
    hours: Annotated[
        float | None, typer.Option(help="Ten games of each rule set at people's pace: at least so long by their clock.")
    ] = None,
) -> None:
    """Play games with faults in the running program, hold each against its journal, count what the program holds."""
    cv2.setNumThreads(1)
    if trace:
        tracemalloc.start()
    began_s = time.monotonic()
    began = held()
    clock = HumanClock()
    with tempfile.TemporaryDirectory(prefix="deskref-soak-") as folder, keeps_time(clock):
        evening = Evening(Path(folder), seed, is_one_run=one_run, on_played=said)
        if hours is not None:
            games, evening.kinds = len(THIRTY), THIRTY
            evening.clock, evening.each_s = clock, 3600 * hours / games
        if not film:
            evening.kinds = tuple(kind for kind in evening.kinds if kind != FILMED)
        elif anew < 1.0:
            kept = seen or Path(folder) / "seen.jsonl"
            if not kept.exists():
                look_through(FILM, kept)
            evening.filming, evening.looks_anew = Filming(recall(kept)), anew
        with contextlib.suppress(KeyboardInterrupt):  # what was played so far is told
            evening.play(
                lambda played: played < games and (minutes is None or time.monotonic() - began_s < 60 * minutes)
            )
    if not evening.games:
        raise SystemExit("no game was played to its end")
    ended = held()
    typer.echo(f"{len(evening.games)} games in {evening.runs} runs, {(time.monotonic() - began_s) / 60:.1f} minutes")
    for kind, count in Counter(game.kind for game in evening.games).items():
        typer.echo(f"  {kind}: {count}")
    if hours is not None:
        played_s, waited_s = sum(g.played_s for g in evening.games), sum(g.waited_s for g in evening.games)
        typer.echo(f"by the games' clock {played_s / 3600:.2f} hours of play, {waited_s / 3600:.2f} between games")
    typer.echo(f"faults: {dict(Counter(fault for game in evening.games for fault in game.faults))}")
    typer.echo(f"rulings: {sum(game.checked.rulings for game in evening.games)} played again")
    longest = max(evening.games, key=lambda game: game.longest_wait_s)
    typer.echo(f"longest wait: {longest.longest_wait_s * 1000:.0f} ms ({longest.longest_input}, {longest.kind})")
    settled = evening.games[SETTLED:]
    middle = settled[len(settled) // 2].held if settled else ended
    typer.echo(
        f"memory: {began.rss_mb:.0f} MB before, {middle.rss_mb:.0f} in the middle, {ended.rss_mb:.0f} at the end"
    )
    grown = growth([game.held.rss_mb for game in settled])
    if grown is not None:
        typer.echo(f"growth from the third game on: {grown:+.1%} (allowed {FLAT:.0%})")
    traced = [game.held.traced_mb for game in settled if game.held.traced_mb is not None]
    if traced and (of_python := growth(traced)) is not None:
        typer.echo(f"of Python's own memory: {of_python:+.1%}, {traced[-1]:.1f} MB")
    typer.echo(f"threads: {began.threads} before, {ended.threads} at the end; open files {began.files}, {ended.files}")
    if grown is not None and grown > FLAT:
        raise SystemExit(f"memory has grown by {grown:.1%}")
    if threading.active_count() > len(began.threads):
        raise SystemExit(f"threads are left: {ended.threads}")


def said(game: Played) -> None:
    """Print a game's line as soon as it is over."""
    typer.echo(
        f"{game.kind:26} {game.seconds:6.1f} s {game.inputs:5} inputs {game.frames:5} frames "
        f"{game.checked.rulings:5} rulings {game.checked.opinions:5} opinions {game.log:6} said "
        f"{game.longest_wait_s * 1000:6.0f} ms {game.held.rss_mb:7.1f} MB "
        f"{game.held.tasks:3} threads {game.held.files:3} files  {', '.join(game.faults)}"
    )


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
