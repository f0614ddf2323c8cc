"""A shape for each kind of ruling, which of them are shown big, and why each was made."""

from __future__ import annotations

from typing import Final

from deskref.language import say, shown
from deskref.session import Session
from deskref.signal import Signal, SignalKind
from rules.ruling import Reason
from rules.skuffle_words import BONUS

MARKS: Final = {
    SignalKind.HIT: "✸",
    SignalKind.MISS: "○",
    SignalKind.SAVED: "◆",
    SignalKind.DEATH: "✝",
    SignalKind.WINNER: "★",
    SignalKind.MOVED: "→",
    SignalKind.PASSED: "–",
    SignalKind.UNREADABLE: "?",
    SignalKind.RULING: "•",
    SignalKind.ILLEGAL: "!",
    SignalKind.DISAGREE: "≠",
    SignalKind.AGREE: "=",
    SignalKind.UNDONE: "↶",
    SignalKind.REDONE: "↷",
    SignalKind.CORRECTED: "✎",
    SignalKind.TROUBLE: "!",
}
"""A shape for each kind of ruling beside its word, so that nothing hangs on colour."""

SPOKEN: Final = frozenset(MARKS) | {SignalKind.SET_UP, SignalKind.STARTED, SignalKind.TIPPED, SignalKind.GAME_MASTER}
"""Kinds that are shown big; the others are in the log only."""


GOES_ON: Final = frozenset({SignalKind.ROLL, SignalKind.YOUR_TURN})
"""Kinds that are not shown big, but after which a refusal before them is nobody's concern any more."""


def shown_big(session: Session) -> Signal | None:
    """Return what is shown big: the newest ruling; a refusal only until play has gone on, by a roll or a turn."""
    has_gone_on = False
    for said in reversed(session.game_log):
        has_gone_on = has_gone_on or said.kind in GOES_ON
        if said.kind in SPOKEN and not (has_gone_on and said.kind is SignalKind.ILLEGAL):
            return said
    return None


def reasons_of(session: Session, said: Signal) -> str:
    """Say in one line why a ruling was made."""
    if said.kind is SignalKind.DEATH and session.game is not None:
        return say("sk_death_why")
    return " ".join(_told(reason) for reason in said.reasons)


def _told(reason: Reason) -> str:
    """A reason's sentence; one for a bonus of Skuffle Wammer says what it adds."""
    is_bonus = reason.source == BONUS and reason.amount
    return f"{reason.amount:+d} {shown(reason)}" if is_bonus else shown(reason)
