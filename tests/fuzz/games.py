"""Recordings of games, and the JSON forms of the rules' states, actions and of what players do."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

from deskref import inputs
from deskref.dice_fairness import fairness_of
from deskref.game_report import report_as_json, report_of
from deskref.inputs import AnyInput, DealCards, EnterDie, PassTurn, PlayCombat, StartGame, Undo
from deskref.page.score import score_of
from deskref.play import Play
from deskref.recording import Journal, LineKind, RecordingError, read_journal
from deskref.referee import step
from deskref.replay import followed, from_observations, rulings
from deskref.rule_sets import ALL
from deskref.saved_game import take_up
from deskref.session import Session
from deskref.setup_file import load_setup
from rules.json_form import JsonFormError, from_json, to_json
from rules.soundness import check_state
from rules.world_saga.actions import EndTurn
from tests.fuzz.engine import Target
from vision.events import event_from_json
from vision.observation import Observation
from vision.records import observation_from_record

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def _recording(data: bytes, folder: Path) -> str | None:
    """Replay it in every way that needs no film, and take it up as a game that was cut off."""
    games = folder / "games"
    games.mkdir(exist_ok=True)
    for old in games.iterdir():
        old.unlink()
    path = games / "2026-01-01-000000.jsonl"
    path.write_bytes(data)
    answers = []
    for way in (rulings, from_observations):
        try:
            for signal in way(path):
                assert signal
        except RecordingError as error:
            answers.append(str(error))
    try:
        for line in read_journal(path):
            if line.kind in (LineKind.HEAD, LineKind.LOOKING):
                line.looking()
            if line.kind is LineKind.LOOKING:
                assert line.after_s == line.after_s
    except RecordingError as error:
        answers.append(str(error))
    found = followed(path)
    report = report_of(found.session)
    if report is not None:
        json.dumps(report_as_json(report))
    json.dumps(score_of(found.session))
    fairness_of(games)
    taken = take_up(games, version="0")
    if taken.journal is not None:
        taken.journal.close(orderly=False)
    return " | ".join([*answers, found.trouble or ""])


def _rules(data: bytes, folder: Path) -> str | None:
    """Read as each kind of value; what is read is written back the same, and a sound state can be asked."""
    text = data.decode("utf-8", "replace")
    answer = "none"
    for rule_set in ALL:
        for kind in (rule_set.game, rule_set.action):
            try:
                value = from_json(text, kind)
            except JsonFormError as error:
                answer = str(error)
                continue
            assert from_json(to_json(value), kind) == value, "what is written is read again"
            if kind is rule_set.game:
                try:
                    check_state(value)
                except ValueError as error:
                    answer = str(error)
                else:
                    answer = "a sound game"
    try:
        given: AnyInput = from_json(text, AnyInput)
    except JsonFormError as error:
        return f"{answer} {error}"
    assert to_json(given)
    try:
        step(_begun(), given)
    except ValueError as error:
        return str(error)
    return "an input"


def _events(data: bytes, folder: Path) -> str | None:
    """Lines of observations and events, as vision's recordings hold them."""
    answers = []
    before: Observation | None = None
    for raw in data.split(b"\n")[:50]:
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            continue
        for read in (event_from_json, observation_from_record):
            try:
                read(value)
            except ValueError as error:
                answers.append(str(error))
    del before
    return " ".join(answers)


@cache
def _begun() -> Session:
    """A game of Skuffle Wammer in which a die is awaited."""
    session = Session()
    for given in _skuffle():
        session, _ = step(session, given)
    return session


def _skuffle() -> tuple[AnyInput, ...]:
    soldiers = (
        inputs.SoldierSetup("ann", "Ann", "red", (-50.0, -70.0)),
        inputs.SoldierSetup("zed", "Zed", "green", (50.0, 40.0)),
    )
    setup = inputs.Setup(soldiers, inputs.Options(), with_camera=False)
    return (StartGame(setup=setup), EnterDie(value=5), EnterDie(value=2), PassTurn(), EnterDie(value=6), Undo())


@cache
def recorded() -> tuple[bytes, ...]:
    """A short journal of each game, and one with observations."""
    from tests.fuzz.files import COMBAT, SKIRMISH

    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (content, then) in enumerate(
            (
                (None, _skuffle()),
                (SKIRMISH, (DealCards(cards=(("mina", "9C"),)), EnterDie(value=5), EnterDie(value=3))),
                (COMBAT, (EnterDie(value=7), EnterDie(value=4), EnterDie(value=9), PlayCombat(action=EndTurn("Imp")))),
            )
        ):
            path = Path(folder) / f"{number}.jsonl"
            begin: tuple[AnyInput, ...] = ()
            if content is not None:
                written = Path(folder) / "setup.json"
                written.write_text(json.dumps(content), encoding="utf-8")
                begin = (StartGame(setup=load_setup(written, with_camera=False)),)
            with Journal(path, version="0", started="now", film="a.mp4") as journal:
                play = Play(journal)
                for given in (*begin, *then):
                    play.happened(given)
                play.passed(100.0)
            found.append(path.read_bytes())
        seen = Path(folder) / "seen.jsonl"
        with Journal(seen, version="0", started="now") as journal:
            play = Play(journal)
            play.happened(_skuffle()[0])
            for raw in (GOLDEN / "dice.observations.jsonl").read_text(encoding="utf-8").splitlines()[:60]:
                data = json.loads(raw)
                if not data.get("same"):
                    play.seen(observation_from_record(data))
            for raw in (GOLDEN / "figures.events.jsonl").read_text(encoding="utf-8").splitlines():
                play.happened(event_from_json(json.loads(raw)))
        found.append(seen.read_bytes())
    return tuple(found)


def _forms() -> tuple[bytes, ...]:
    """A game, an action and an input of each rule set, out of the recordings."""
    found = []
    for journal in recorded():
        for raw in journal.splitlines():
            data = json.loads(raw)
            kind = data.pop("line")
            if kind == "game":
                found += [data["game"], *data["actions"][:1]]
            elif kind == "input":
                found.append(data)
    return tuple(json.dumps(value).encode() for value in found)


def _vision_lines() -> tuple[bytes, ...]:
    found = []
    for path in sorted(GOLDEN.glob("*.jsonl")):
        lines = [line for line in path.read_bytes().splitlines() if b'"same"' not in line]
        found += [b"\n".join(lines[begin : begin + 4]) for begin in range(0, min(len(lines), 24), 4)]
    return tuple(found)


TARGETS = (
    Target("recording", "journals of games, replayed and taken up again", _recording, recorded(), form="lines"),
    Target("rules", "the rules' games and actions, and what players do, as JSON", _rules, _forms(), form="json"),
    Target("events", "observations and events as recordings hold them", _events, _vision_lines(), form="lines"),
)
