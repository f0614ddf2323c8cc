"""A drawn game refereed by the running eyes, held against its truth, with a player who answers and puts things right.

The player does what people at the table would: answers questions with what really lies there, corrects a wrong value,
takes back a roll that was none, and types in what the referee has missed when the game goes on. Each such act is
counted, so that one slip does not spoil the count of what follows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from deskref import inputs
from deskref.eyes import Eyes
from deskref.inputs import AnyInput, StartGame
from deskref.play import Play
from deskref.recording import Journal
from deskref.session import Task
from deskref.setup_file import load_setup
from deskref.signal import Signal, SignalKind
from deskref.tabletop import figure_of
from models.training.tables.game_film import held_frames
from rules.skuffle_state import AttackKind, Phase
from vision.events import DieAtRest, FigureTipped, TableEvent
from vision.observation import Point

NEAR_MM = 14.0
"""A die at rest this near to where one truly lies is that one."""
OWN_MM, OTHER_MM = 25.0, 15.0
"""A soldier's figure is swapped when it is said to be farther than the one from its own place and nearer than the other
to somebody else's."""
SETTLED_S = 1.2
"""So long after something was done it is held against the truth."""
ANSWER_S = 0.4
"""A player answers a question after so long."""
EARLY_S = 0.15
"""What was not told so long before the next thing is done is missed."""
TIP_S = 1.0
"""Within which a tipped figure is to be told."""
END_S = 4.0
"""How long after the last line of truth the player still waits."""
ACTS = ("roll", "figure_moved", "figure_tipped", "pass")


@dataclass(slots=True)
class Score:
    """Counts of one game or of several; what went wrong in words."""

    games: int = 0
    seconds: float = 0.0
    frames: int = 0
    not_begun: int = 0
    """Games that the referee never began, because it did not see everybody with all dice."""
    rolls: int = 0
    read: int = 0
    """Rolls that were counted with their value by themselves,"""
    asked: int = 0
    """that became a question,"""
    missed: int = 0
    """or of which nothing was said until the game went on."""
    wrong_values: int = 0
    false_rolls: int = 0
    wrong_rulings: int = 0
    """Hits or misses, or targets, that were others."""
    rests: int = 0
    """Throws of which vision told a die at rest in its place, whatever the referee made of it,"""
    rests_unread: int = 0
    """some of them without a value,"""
    rests_wrong: int = 0
    """or with a wrong one."""
    false_rests: int = 0
    moves: int = 0
    moves_seen: int = 0
    false_moves: int = 0
    tips: int = 0
    tips_seen: int = 0
    tips_in_time: int = 0
    tip_delays_s: list[float] = field(default_factory=list)
    false_tips: int = 0
    swaps: int = 0
    wins: int = 0
    wins_seen: int = 0
    mistakes: list[str] = field(default_factory=list)

    def __iadd__(self, other: Score) -> Score:
        """Add another game's counts."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        return self

    def as_json(self) -> dict[str, Any]:
        """Give the counts as a JSON object."""
        return {k: round(v, 2) if isinstance(v, float) else v for k, v in asdict(self).items()}


def words(score: Score) -> str:
    """Say a score in one line, and its mistakes in one each."""
    late = f", slowest {max(score.tip_delays_s):.1f} s" if score.tip_delays_s else ""
    line = (
        f"{score.seconds:.0f} s; rolls {score.rolls}: {score.read} read, {score.asked} asked, {score.missed} missed, "
        f"{score.wrong_values} wrong, {score.false_rolls} false; rulings wrong {score.wrong_rulings}; "
        f"moves {score.moves_seen} of {score.moves}, {score.false_moves} false; "
        f"tips {score.tips_seen} of {score.tips}, {score.tips_in_time} in time{late}, {score.false_tips} false; "
        f"swaps {score.swaps}; wins {score.wins_seen} of {score.wins}; not begun {score.not_begun}"
    )
    return "\n".join([line, *(f"    {m}" for m in score.mistakes)])


def score_game(folder: Path, *, journal: Path | None = None) -> Score:
    """Referee a drawn game and count.

    Args:
        folder: as `models.training.tables.game_film.draw_game` writes it.
        journal: where to write the game's journal.
    """
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    setup = load_setup(folder / "setup.json", with_camera=True)
    if journal is None:
        return _refereed(folder, truth, setup, Play())
    journal.unlink(missing_ok=True)
    with Journal(journal, version="0", started="") as written:
        return _refereed(folder, truth, setup, Play(written))


def _refereed(folder: Path, truth: list[dict[str, Any]], setup: inputs.AnySetup, play: Play) -> Score:
    player = _Player(folder.name, truth, {s.name: s.id for s in setup.soldiers}, play)
    player.hear(play.happened(StartGame(setup=setup)))
    eyes = Eyes()
    for frame in held_frames(folder):
        seen = eyes.look(frame)
        play.seen(seen.observation)
        player.now_s = frame.time_s
        for event in seen.events:
            player.saw(event)
            player.hear(play.happened(event))
        player.hear(play.passed(frame.time_s))
        player.act()
        player.score.frames += 1
    player.end()
    return player.score


class _Player:
    """Knows the truth, hears the referee, and puts right what it gets wrong."""

    def __init__(self, name: str, truth: list[dict[str, Any]], ids: dict[str, str], play: Play) -> None:
        self.name, self.truth, self.ids, self.play = name, truth, ids, play
        self.names = {number: who for who, number in ids.items()}
        self.score = Score(games=1)
        self.now_s = 0.0
        self.acts = [line for line in truth if line["event"] in ACTS]
        self.cursor = 0
        """Of the act that is the next to be told."""
        self.was_asked = False
        self.own_doing = False
        """While the player's own inputs are answered, nothing is the referee's."""
        self.rested: set[int] = set()
        self.swapped: set[str] = set()
        self.has_winner = False
        self.begun_told = False
        self.awaits_ruling = False

    # --- what is seen and said --------------------------------------------------------------------------------------

    def saw(self, event: TableEvent) -> None:
        """Count what vision tells, whatever the referee makes of it."""
        if isinstance(event, DieAtRest):
            near = [
                k
                for k, line in enumerate(self.truth)
                if line["event"] == "roll"
                and k not in self.rested
                and -0.3 <= event.time_s - line["time_s"] <= 4.0
                and math.dist(line["mm"], event.mm) < NEAR_MM
            ]
            if not near:
                self.score.false_rests += 1
                self._mistake(f"false die_rest at {_place(event.mm)}, value {event.value}")
                return
            self.rested.add(near[0])
            value = self.truth[near[0]]["value"]
            self.score.rests += 1
            self.score.rests_unread += event.value is None
            if event.value not in (None, value):
                self.score.rests_wrong += 1
                self._mistake(f"a die at rest reads {event.value}, and shows {value}")
        elif isinstance(event, FigureTipped):
            lying = [line for line in self._past("figure_tipped") if math.dist(line["mm"], event.mm) < 2 * NEAR_MM]
            if not lying:
                self.score.false_tips += 1
                self._mistake(f"false figure_tipped at {_place(event.mm)}")
            else:
                delay = event.time_s - lying[-1]["time_s"]
                self.score.tips_seen += 1
                self.score.tips_in_time += delay <= TIP_S
                self.score.tip_delays_s.append(round(delay, 2))
                if delay > TIP_S:
                    self._mistake(f"{lying[-1]['name']} lay for {delay:.1f} s before it was told")

    def hear(self, signals: tuple[Signal, ...]) -> None:
        """Hold what the referee says against the truth."""
        for signal in signals:
            who = self.names.get(signal.soldier or "")
            if signal.kind is SignalKind.WINNER:
                self.has_winner = True
                self._check_winner(signal)
            if self.own_doing:
                continue
            match signal.kind:
                case SignalKind.ROLL:
                    self._heard_roll(signal, who)
                case SignalKind.HIT | SignalKind.MISS | SignalKind.SAVED:
                    self._heard_ruling(signal)
                case SignalKind.MOVED:
                    self._heard_move(who)
                case SignalKind.TIPPED:
                    self._heard_tip(who)
                case _:
                    pass

    def _heard_roll(self, signal: Signal, who: str | None) -> None:
        self.awaits_ruling = False
        line = self._awaited("roll", who)
        if line is None:
            self.score.false_rolls += 1
            self._mistake(f"false roll of {who}: {signal.value}")
            self._do(inputs.Undo(time_s=self.now_s))
            return
        self.score.read += not self.was_asked
        self.score.asked += self.was_asked
        self.was_asked = False
        self.cursor += 1
        if signal.value != line["value"]:
            self.score.wrong_values += 1
            self._mistake(f"{who} rolled {line['value']}, and {signal.value} was counted")
            if signal.die is not None:
                self._do(inputs.CorrectDie(time_s=self.now_s, die=signal.die, value=line["value"]))
            return
        self.awaits_ruling = True

    def _heard_ruling(self, signal: Signal) -> None:
        if not self.awaits_ruling:
            return  # of a roll that was none, or of another value
        self.awaits_ruling = False
        line = self.acts[self.cursor - 1]
        is_hit = signal.kind is SignalKind.HIT
        target = self.names.get(signal.target or "")
        if target == line["target"] and is_hit == (line["result"] == "hit"):
            return
        self.score.wrong_rulings += 1
        self._mistake(
            f"{line['name']} on {line['target']}: {line['result']}; the referee said {signal.kind} on {target}"
        )
        self._do(inputs.Undo(time_s=self.now_s))
        self._enter(line)

    def _heard_move(self, who: str | None) -> None:
        if self._awaited("figure_moved", who) is None:
            self.score.false_moves += 1
            self._mistake(f"false move of {who}")
            self._do(inputs.Undo(time_s=self.now_s))
            return
        self.score.moves_seen += 1
        self.cursor += 1

    def _heard_tip(self, who: str | None) -> None:
        if self._awaited("figure_tipped", who) is not None:
            self.cursor += 1

    def _check_winner(self, signal: Signal) -> None:
        line = next((t for t in self.truth if t["event"] == "winner"), None)
        said = sorted(self.names.get(w, w) for w in signal.winners)
        if line is None or said != line["standing"]:
            self._mistake(f"winner {said}, in truth {line and line['standing']}")
        elif not self.own_doing:
            self.score.wins_seen += 1

    # --- what the player does ---------------------------------------------------------------------------------------

    def act(self) -> None:
        """Answer questions, and put right what was missed when the game goes on."""
        session = self.play.session
        for task in session.tasks:
            if task.choices and self.now_s - task.since_s >= ANSWER_S:
                self._answer(task)
        game_began = next((t["time_s"] for t in self.truth if t["event"] == "game_started"), math.inf)
        if self.cursor < len(self.acts):
            line = self.acts[self.cursor]
            if line["event"] == "pass" and self.now_s > line["time_s"]:
                self.cursor += 1
                self._do(inputs.PassTurn(time_s=self.now_s))
            elif self.now_s > self._deadline_s(self.cursor):
                self._put_right(line)
                self.cursor += 1
                self.was_asked = False
        if not self.begun_told and self.acts and self.now_s > max(game_began, self.acts[0]["time_s"]):
            self.begun_told = True
            if session.game is None:
                self.score.not_begun += 1
                self._mistake("never begun: " + "; ".join(t.message.text for t in session.tasks))
        self._check_swaps()

    def _deadline_s(self, cursor: int) -> float:
        if cursor + 1 < len(self.acts):
            return float(self.acts[cursor + 1]["time_s"]) - EARLY_S
        return float(self.truth[-1]["time_s"]) + END_S

    def _answer(self, task: Task) -> None:
        head = task.key.split(":")[0]
        line = self.acts[self.cursor] if self.cursor < len(self.acts) else None
        choices = [choice for choice, _ in task.choices]
        is_roll = line is not None and line["event"] == "roll" and self.now_s >= line["time_s"]
        if head in ("read_die", "lost_die", "own_roll", "whose_roll") and (not is_roll or line is None):
            choice = "no" if "no" in choices else choices[0]
            if head in ("read_die", "lost_die"):
                return  # nothing was thrown that could be told
        elif head in ("read_die", "lost_die") and line is not None:
            self.was_asked, choice = True, str(line["value"])
        elif head == "own_roll":
            self.was_asked, choice = True, "count"
        elif head == "whose_roll":
            choice = "no"
        elif line is not None and is_roll and self.ids[line["target"]] in choices:
            self.was_asked, choice = True, self.ids[line["target"]]
        elif AttackKind.RANGED in choices:
            self.was_asked, choice = True, AttackKind.RANGED.value
        else:
            return
        self.hear(self.play.happened(inputs.Choose(time_s=self.now_s, task=task.key, choice=choice)))

    def _put_right(self, line: dict[str, Any]) -> None:
        who, game = line["name"], self.play.session.game
        match line["event"]:
            case "roll":
                self.score.missed += 1
                self._mistake(f"roll of {who} missed: {line['value']} at {_place(line['mm'])}")
                if game is not None and game.phase is Phase.AWAIT_DIE:
                    self._do(inputs.EnterDie(time_s=self.now_s, value=line["value"]))
                else:
                    self._enter(line)
            case "figure_moved":
                self._mistake(f"move of {who} missed")
                x, y = line["mm"]
                self._do(inputs.MoveSoldier(time_s=self.now_s, to_mm=(x, y)))
            case "figure_tipped":
                if game is not None and game.phase is Phase.AWAIT_TIP:
                    self._mistake(f"{who} lies, and the referee still waits for it")
                    self._do(inputs.ConfirmTipped(time_s=self.now_s))
            case _:
                pass

    def _enter(self, line: dict[str, Any]) -> None:
        """Say the attack and type its die."""
        self._do(
            inputs.DeclareAttack(
                time_s=self.now_s,
                target=self.ids[line["target"]],
                attack=AttackKind.RANGED,
                cover=line["cover"],
                vantage=False,
            )
        )
        self._do(inputs.EnterDie(time_s=self.now_s, value=line["value"]))

    def _do(self, given: AnyInput) -> None:
        """Give an input of the player's own; what follows from it is not the referee's."""
        self.own_doing = True
        self.hear(self.play.happened(given))
        self.own_doing = False

    def _check_swaps(self) -> None:
        last = max((t["time_s"] for t in self.truth if t["time_s"] <= self.now_s), default=0.0)
        session = self.play.session
        if self.now_s - last < SETTLED_S or not session.desk.at_rest or session.game is None:
            return
        where: dict[str, Point] = {}
        for line in self._past("figure_placed", "figure_moved", "figure_tipped"):
            where[line["name"]] = (line["mm"][0], line["mm"][1])
        for who, place in where.items():
            figure = figure_of(session.desk, session.bindings, self.ids[who])
            if figure is None:
                continue
            elsewhere = [n for n, p in where.items() if n != who and math.dist(p, figure.mm) < OTHER_MM]
            if math.dist(place, figure.mm) > OWN_MM and elsewhere:
                if who not in self.swapped:
                    self.swapped.add(who)
                    self.score.swaps += 1
                    self._mistake(f"{who} is taken for {elsewhere[0]}")
            else:
                self.swapped.discard(who)

    def end(self) -> None:
        """Count what the whole game had, and what was missed at its end."""
        score = self.score
        score.seconds = self.now_s
        while self.cursor < len(self.acts):
            line = self.acts[self.cursor]
            if line["event"] != "pass" and line["time_s"] < self.now_s:
                self._put_right(line)
            self.cursor += 1
        score.rolls = sum(line["event"] == "roll" for line in self.truth)
        score.moves = sum(line["event"] == "figure_moved" for line in self.truth)
        score.tips = sum(line["event"] == "figure_tipped" for line in self.truth)
        score.wins = sum(line["event"] == "winner" for line in self.truth)
        if score.wins and not self.has_winner:
            self._mistake("no winner told")

    def _awaited(self, event: str, who: str | None) -> dict[str, Any] | None:
        """Give the act that is the next, where it is of this kind and by this soldier and has been done."""
        line = self.acts[self.cursor] if self.cursor < len(self.acts) else None
        fits = line is not None and line["event"] == event and line["name"] == who
        return line if fits and line is not None and self.now_s >= line["time_s"] - EARLY_S else None

    def _past(self, *events: str) -> Iterator[dict[str, Any]]:
        return (t for t in self.truth if t["event"] in events and t["time_s"] <= self.now_s + EARLY_S)

    def _mistake(self, text: str) -> None:
        self.score.mistakes.append(f"{self.name} at {self.now_s:.1f} s: {text}")


def _place(mm: Point | list[float]) -> str:
    return f"{mm[0]:.0f}, {mm[1]:.0f} mm"
