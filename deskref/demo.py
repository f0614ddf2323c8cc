"""The bundled recording, refereed as if a camera saw it now. Nothing here knows what happens in it."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import typer

from deskref import program, settings
from deskref.eyes import Eyes
from deskref.inputs import AnySetup, StartGame
from deskref.play import Play
from deskref.setup_file import load_setup
from deskref.signal import Signal
from deskref.told_lines import signal_line
from devices.camera_spec import open_source

FOLDER = Path(__file__).parent / "data" / "demo"
FILM = FOLDER / "demo.mp4"
SETUP = FOLDER / "setup.json"

NOTICE = "Demo: a recording plays, no camera is in use."


def referee_film(film: Path, setup: AnySetup, *, play: Play | None = None) -> Iterator[Signal]:
    """Referee a film frame by frame, as fast as possible, and yield what is said.

    Raises:
        SourceError: the film cannot be opened or breaks off.
    """
    play = play or Play()
    yield from play.happened(StartGame(setup=setup))
    eyes = Eyes()
    with open_source(str(film), speed="fast") as source:
        for frame in source.frames():
            seen = eyes.look(frame)
            play.seen(seen.observation)
            for event in seen.events:
                yield from play.happened(event)
            yield from play.passed(frame.time_s)


def run_headless(*, json: bool, record: Path | None) -> None:
    """Referee the recording without a page and print what is said."""
    journal = program.new_journal(record, film=FILM) if record is not None else None
    with journal or nullcontext():
        for signal in referee_film(FILM, load_setup(SETUP, with_camera=True), play=Play(journal)):
            if json:
                typer.echo(json_text.dumps(signal.as_json(), ensure_ascii=False))
            else:
                typer.echo(signal_line(signal))


def run_page(*, port: int | None, open_browser: bool, record: Path | None) -> None:
    """Play the recording on the page at its own speed, as `play` plays any film."""
    from deskref.page.frames_in import FramesIn  # loading the web server's parts takes half a second
    from deskref.page.site import source_of

    own = settings.load(settings.home()).settings
    page = own.page.model_copy(
        update={"open_browser": open_browser and own.page.open_browser, "port": port or own.page.port}
    )
    journal = program.new_journal(record, film=FILM) if record is not None else None
    program.serve_game(
        Play(journal),
        source_of(str(FILM), FramesIn()),
        own=own,
        page=page,
        begin=StartGame(setup=load_setup(SETUP, with_camera=True)),
        notice=NOTICE,
    )
