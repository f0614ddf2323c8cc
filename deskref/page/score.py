"""What a score board, a phone and a stream's overlay show of the game: one JSON value for all three games."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from deskref.language import shown
from deskref.live import LiveGame
from deskref.page.overlay import side_of
from deskref.page.ruling_marks import MARKS, reasons_of, shown_big
from deskref.session import Session
from deskref.signal import SignalKind
from deskref.solo_turn import plan_of
from rules.skirmish.state import Scene
from rules.skuffle_state import Game, Soldier
from rules.world_saga.state import Combat

LOG_LINES: Final = 8
"""So many of the newest lines are in it."""

LOOK_S: Final = 0.03
"""How often a waiting request looks for something new."""

WAIT_S: Final = 20.0
"""A request waits so long for something new: well under what networks and phones let a silent request live."""


def score_of(session: Session, *, is_film_over: bool = False) -> dict[str, Any]:
    """Give what is shown of a session: the ruling, whose turn it is, everybody's state, tasks, dice on the desk.

    Args:
        session: that is shown.
        is_film_over: whether its desk was a film's that has ended, on which nothing can be done any more.
    """
    said = shown_big(session)
    ruling = None
    if said is not None:
        ruling = {
            "mark": MARKS.get(said.kind, ""),
            "text": shown(said.message),
            "why": reasons_of(session, said),
            "kind": said.kind.value,
        }
    tasks = [task for task in session.tasks if task.choices or not is_film_over]
    lines = [s for s in session.game_log if s.kind not in (SignalKind.YOUR_TURN, SignalKind.INFO)][-LOG_LINES:]
    return {
        "ruling": ruling,
        "turn": _turn(session),
        "everybody": _everybody(session),
        "tasks": [*(shown(task.message) for task in tasks), *_told_of_plan(session)],
        "dice": [die.value for die in session.desk.dice if not die.moving],
        "log": [{"mark": MARKS.get(s.kind, ""), "text": shown(s.message)} for s in reversed(lines)],
    }


class ScoreBoard:
    """The newest score with a number that grows whenever it changes."""

    def __init__(self, game: LiveGame) -> None:
        """Follow a running game."""
        self._game = game
        self._of: tuple[object, ...] = ()
        self._data = b""
        self._number = 0

    def newest(self) -> tuple[int, bytes]:
        """The number and the JSON of the newest score."""
        session = self._game.session
        is_over = self._game.is_film_over
        of = (session.book, session.tasks, session.log, session.setup, session.desk.dice, is_over)
        if len(self._of) != len(of) or any(a is not b for a, b in zip(of, self._of, strict=True)):
            self._of = of
            data = json.dumps(score_of(session, is_film_over=is_over), ensure_ascii=False).encode()
            if data != self._data:
                self._data = data
                self._number += 1
        return self._number, self._data

    async def after(self, number: int) -> tuple[int, bytes]:
        """Wait for another score than the one with this number; after a while the same one comes again."""
        loop = asyncio.get_running_loop()
        end = loop.time() + WAIT_S
        while True:
            newest, data = self.newest()
            if newest != number or loop.time() >= end:
                return newest, data
            await asyncio.sleep(LOOK_S)


def _told_of_plan(session: Session) -> list[str]:
    """What is to be done for a figure that the desk plays."""
    plan = plan_of(session)
    return [shown(plan.reasons[-1])] if plan is not None else []


def _turn(session: Session) -> dict[str, Any] | None:
    game = session.book.game
    current = game.current if isinstance(game, Game | Scene) else _saga_turn(game)
    if current is None or session.setup is None:
        return None
    name = next((s.name for s in session.setup.soldiers if s.id == current), current)
    return {"name": name, "side": side_of(session, current) % 4}


def _saga_turn(game: Combat | None) -> str | None:
    return game.turn.who if game is not None and game.turn is not None else None


def _everybody(session: Session) -> list[dict[str, Any]]:
    if session.setup is None:
        return []
    turn = _turn(session)
    rows = []
    for soldier in session.setup.soldiers:
        state, is_out = _state_of(session, soldier.id)
        rows.append(
            {
                "name": soldier.name,
                "side": side_of(session, soldier.id) % 4,
                "state": state,
                "out": is_out,
                "turn": turn is not None and turn["name"] == soldier.name and not is_out,
            }
        )
    return rows


def _state_of(session: Session, who: str) -> tuple[str, bool]:
    """A short state in signs that need no language, and whether somebody is out of the game."""
    game = session.book.game
    if isinstance(game, Game):
        soldier = game.soldier(who)
        return _pool(soldier), soldier.is_dead
    if isinstance(game, Scene):
        fighter = next((f for f in game.fighters if f.id == who), None)
        if fighter is None:
            return "", False
        signs = "✚" * fighter.condition.wounds + ("~" if fighter.condition.is_shaken else "")
        return f"{signs} ●{fighter.tokens}".strip(), fighter.is_out
    if isinstance(game, Combat):
        combatant = next((c for c in game.combatants if c.id == who), None)
        if combatant is None:
            return "", False
        return "✚" * combatant.wounds, combatant.is_out or combatant.is_unconscious
    return "", False


def _pool(soldier: Soldier) -> str:
    return "✝" if soldier.is_dead else "■" * max(0, soldier.pool)
