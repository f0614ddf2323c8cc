"""Play a recorded game again, from one of three cut points; the same journal gives the same bytes every time."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import typer

from deskref.eyes import Eyes
from deskref.face_book import known_faces
from deskref.inputs import AnyInput
from deskref.play import Play
from deskref.recording import Line, LineKind, RecordingError, read_journal
from deskref.session import AnyGame, Session
from deskref.settings import home
from deskref.signal import Signal
from deskref.told_lines import ruling_line, signal_line
from devices.camera_spec import open_film
from rules.json_form import to_json
from rules.ruling import IllegalActionError, Ruling
from vision.events import TableEvent
from vision.observation import Observation
from vision.table_state import TableState, settle
from vision.taught_faces import TaughtFaces
from vision.track import DieStatus, DieTrack, FigureStatus, FigureTrack, ObstacleTrack, middle

Cut = Literal["actions", "observations", "frames"]


def run(journal: Path, *, cut: Cut, film: Path | None, json: bool) -> None:
    """Print the replay, a line each: signals, or rulings where only the rules are played again.

    Args:
        journal: of the game.
        cut: from where it is played again.
        film: the recording, for frames; None takes the one that the journal names.
        json: JSON lines instead of words.

    Raises:
        RecordingError: the journal is broken, or the rules no longer say what it holds.
        SourceError: the film cannot be opened.
        OSError: the journal cannot be read.
    """
    if cut == "actions":
        for action, ruling in resolved(journal):
            typer.echo(to_json(ruling) if json else ruling_line(action, ruling))
        return
    taught, _ = known_faces(home())
    signals = from_observations(journal) if cut == "observations" else from_frames(journal, film=film, taught=taught)
    for signal in signals:
        typer.echo(json_text.dumps(signal.as_json(), ensure_ascii=False) if json else signal_line(signal))


def rulings(journal: Path) -> Iterator[str]:
    """Resolve the recorded actions again by the rules alone; yields each ruling as JSON, as `resolved` does.

    Raises:
        RecordingError: the journal is broken, holds no game, or a ruling comes out other than it was recorded.
    """
    return (to_json(ruling) for _, ruling in resolved(journal))


def resolved(journal: Path) -> Iterator[tuple[object, Ruling[Any, Any]]]:
    """Resolve the recorded actions again by the rules alone; yields each action with its ruling.

    Raises:
        RecordingError: the journal is broken, holds no game, or a ruling comes out other than it was recorded.
    """
    game: AnyGame | None = None
    is_empty = True
    for line in read_journal(journal):
        if line.kind is not LineKind.GAME:
            continue
        is_empty = False
        actions, after = line.game()
        if game is None or not actions:
            game = after
            continue
        if type(game) is not type(after):
            raise RecordingError(f"{line.where}: a game of another rule set goes on here with nobody beginning it")
        try:
            for action in actions:
                ruling = line.rule_set().resolve(game, action)
                yield action, ruling
                game = ruling.state
        except (IllegalActionError, ValueError) as refusal:
            raise RecordingError(f"{line.where}: the rules refuse what was played: {refusal}") from refusal
        if game != after:
            raise RecordingError(f"{line.where}: the rules now lead to another game than was recorded")
    if is_empty:
        raise RecordingError(f"{journal.name} holds no game: nobody began one while it was written")


def from_observations(journal: Path) -> Iterator[Signal]:
    """Follow the recorded observations and players' inputs again; yields the signals.

    Raises:
        RecordingError: the journal is broken, or holds no observations.
    """
    play = Play()
    state = TableState()
    seen: Observation | None = None
    used = Numbers()
    for line in read_journal(journal):
        if line.kind is LineKind.INPUT:
            yield from _happened(play, line, line.input())
        elif line.kind is LineKind.RESUMED:
            state = remembered_table(play.session, used)
        elif line.kind is LineKind.OBSERVATION:
            seen = line.observation(seen)
            state, events = _settled(state, line, seen)
            for event in events:
                used = used.after(event)
                yield from _happened(play, line, event)
            yield from play.passed(state.time_s)
    if seen is None:
        raise RecordingError(f"{journal.name} holds no observations: replay it with --from actions")


def from_frames(journal: Path, *, film: Path | None, taught: TaughtFaces | None = None) -> Iterator[Signal]:
    """Look at the recorded film again, with the players' inputs at their times; yields the signals.

    Args:
        journal: of the game.
        film: the recording; None takes the one that the journal names.
        taught: faces without pips that the player has taught.

    Raises:
        RecordingError: the journal names no film, and none was given.
        SourceError: the film cannot be opened.
    """
    lines = list(read_journal(journal))
    told = lines[0].data.get("film")
    named = film or (Path(told) if told and isinstance(told, str) else None)
    if named is None:
        raise RecordingError(f"{journal.name} was not made from a film: replay it with --from observations")
    inputs = [line.input() for line in lines if line.kind is LineKind.INPUT]
    looking = lines[0].looking()
    later = [(line.after_s, line.looking()) for line in lines if line.kind is LineKind.LOOKING]
    play = Play()
    eyes = Eyes(table=looking.table, lens=looking.lens)
    eyes.know_faces(taught or TaughtFaces())
    with open_film(named) as source:
        for frame in source.frames():
            while inputs and inputs[0].time_s <= frame.time_s:
                yield from play.happened(inputs.pop(0))
            while later and later[0][0] < frame.time_s:
                _, looking = later.pop(0)
                eyes.begin_anew(looking.table, looking.lens)
            for event in eyes.look(frame).events:
                yield from play.happened(event)
            yield from play.passed(frame.time_s)
    for late in inputs:
        yield from play.happened(late)


def _happened(play: Play, line: Line, happened: TableEvent | AnyInput) -> tuple[Signal, ...]:
    """Let a game take what a line holds; no game that was played has given a die a seventh face."""
    try:
        return play.happened(happened)
    except (ValueError, ArithmeticError) as error:
        raise RecordingError(f"{line.where}: this cannot have happened: {error}") from error


def _settled(state: TableState, line: Line, seen: Observation) -> tuple[TableState, tuple[TableEvent, ...]]:
    """Follow an observation; lines that were put into another order have no frames one after the other."""
    try:
        return settle(state, seen)
    except (ValueError, ArithmeticError) as error:
        raise RecordingError(f"{line.where}: this cannot have been seen: {error}") from error


@dataclass(frozen=True, slots=True)
class Numbers:
    """The highest numbers that events have given to things on the desk; none is ever used again in a game."""

    dice: int = 0
    figures: int = 0
    obstacles: int = 0

    def after(self, event: TableEvent) -> Numbers:
        """Take an event in."""
        return Numbers(
            max(self.dice, getattr(event, "die", 0)),
            max(self.figures, getattr(event, "figure", 0)),
            max(self.obstacles, getattr(event, "obstacle", 0)),
        )


@dataclass(frozen=True, slots=True)
class Followed:
    """A journal followed as far as it can be."""

    session: Session
    lines: int
    """So many lines from the first on are sound."""
    trouble: str | None
    """What broke it off; None where nothing did."""
    used: Numbers


def followed(journal: Path) -> Followed:
    """Make a session again from a journal's events and inputs; a broken line ends it, and the part before it stays."""
    play = Play()
    lines = 0
    used = Numbers()
    try:
        for line in read_journal(journal):
            if line.kind is LineKind.INPUT:
                _happened(play, line, line.input())
            elif line.kind is LineKind.EVENT:
                event = line.event()
                used = used.after(event)
                _happened(play, line, event)
            lines = line.number
    except (RecordingError, OSError) as error:
        return Followed(play.session, lines, str(error), used)
    return Followed(play.session, lines, None, used)


def session_of(journal: Path) -> tuple[Session, str | None]:
    """The session as a journal left it, and what broke it off, where something did."""
    found = followed(journal)
    return found.session, found.trouble


def remembered_table(session: Session, used: Numbers) -> TableState:
    """What the eyes must know to go on with a game that was cut off: who stood where, and which numbers are used up.

    Dice and figures found at their places keep their numbers, so that everybody stays who he was.
    """
    desk = session.desk
    dice = tuple(
        DieTrack(d.die, d.mm, DieStatus.RESTING, d.colour, value=d.value, confidence=d.confidence, known=True)
        for d in desk.dice
    )
    figures = tuple(
        FigureTrack(
            f.figure, f.mm, f.mm, f.pose, FigureStatus.SEATED,
            poses=(f.pose,), height_mm=f.height_mm, base_mm=f.base_mm, known=True, doubt_mm=f.doubt_mm,
        )
        for f in desk.figures
    )  # fmt: skip
    obstacles = tuple(
        ObstacleTrack(o.obstacle, o.outline_mm, o.height_mm, known=True, told_mm=middle(o.outline_mm))
        for o in desk.obstacles
    )
    return TableState(
        time_s=desk.time_s,
        dice=dice,
        figures=figures,
        obstacles=obstacles,
        next_die=used.dice + 1,
        next_figure=used.figures + 1,
        next_obstacle=used.obstacles + 1,
    )
