"""What the referee says: one value for the log, the page, the sounds, the lights and the recording alike."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from deskref.inputs import Source
from rules.ruling import Message, Reason
from vision.observation import Point


class SignalKind(StrEnum):
    """Kinds of signal; page, sound and light each have a way of saying every one."""

    SET_UP = "set_up"
    STARTED = "started"
    YOUR_TURN = "your_turn"
    ROLL = "roll"
    UNREADABLE = "unreadable"
    HIT = "hit"
    MISS = "miss"
    SAVED = "saved"
    """A miss that would have been a hit without the target's cover."""
    DEATH = "death"
    MOVED = "moved"
    PASSED = "passed"
    TIPPED = "tipped"
    WINNER = "winner"
    RULING = "ruling"
    """What the rules make of something else than an attack: initiative, a test, whose damage it is, what to push."""
    ILLEGAL = "illegal"
    ADVICE = "advice"
    UNDONE = "undone"
    REDONE = "redone"
    CORRECTED = "corrected"
    GAME_MASTER = "game_master"
    DISAGREE = "disagree"
    """Desk and book disagree: a task says what to put where."""
    AGREE = "agree"
    TROUBLE = "trouble"
    """Camera or table cannot be used at the moment."""
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One thing said, with everything by which it can be shown, heard, lit and traced."""

    number: int
    """Counts the signals of a session from 1."""
    time_s: float
    kind: SignalKind
    message: Message
    reasons: tuple[Reason, ...] = ()
    """Why, each with its rule."""
    soldier: str | None = None
    """Who acted or is meant."""
    target: str | None = None
    value: int | None = None
    """A die's natural value."""
    source: Source | None = None
    """Where the value came from."""
    die: int | None = None
    """Track of the die on the desk."""
    place_mm: Point | None = None
    """Where on the table it happened, for the lights."""
    winners: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Give the signal as a JSON object for the log's export and for programs that listen."""
        data: dict[str, Any] = {
            "n": self.number,
            "time_s": round(self.time_s, 3),
            "type": self.kind.value,
            "text": self.message.text,
            "soldier": self.soldier,
            "target": self.target,
            "value": self.value,
            "source": self.source and self.source.value,
            "die": self.die,
            "place_mm": self.place_mm and [round(v, 1) for v in self.place_mm],
            "winners": list(self.winners) or None,
            "reasons": [
                {"text": r.text, "source": r.source, **({} if r.amount is None else {"amount": r.amount})}
                for r in self.reasons
            ]
            or None,
        }
        return {key: value for key, value in data.items() if value is not None}
