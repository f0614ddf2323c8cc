"""A shape for each kind of ruling, which of them are shown big, and why each was made."""

from __future__ import annotations

import re
from typing import Final

from deskref.language import say, shown
from deskref.session import Session
from deskref.signal import Signal, SignalKind
from rules import solo
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


REPEATED: Final = frozenset({("wsd_declared_at", "ws_attacks")})
"""Headlines, and reasons that say the same in other words."""


def shown_big(session: Session) -> Signal | None:
    """Return what is shown big: the newest ruling; a refusal only until play has gone on, by a roll or a turn.

    A refusal after the end hides nobody's win. What one of the desk's figures is about to do stands with its turn:
    here it would hide what came of the last roll.
    """
    has_gone_on = is_over(session)
    for said in reversed(session.game_log):
        has_gone_on = has_gone_on or said.kind in GOES_ON
        is_plan = said.kind is SignalKind.RULING and said.message.code in solo.WORDS
        if said.kind in SPOKEN and not is_plan and not (has_gone_on and said.kind is SignalKind.ILLEGAL):
            return said
    return None


def is_over(session: Session) -> bool:
    """Return whether the game that is played has ended."""
    return session.book.game is not None and session.book.game.phase.value == "over"


def reasons_of(session: Session, said: Signal) -> str:
    """Say in one line why a ruling was made."""
    if said.kind is SignalKind.DEATH and session.game is not None:
        return say("sk_death_why")
    return " ".join([*sentences_of(said), *_cost_of(session, said)])


def _cost_of(session: Session, said: Signal) -> list[str]:
    """Say what an attack of Skuffle Wammer has cost the one who threw."""
    if said.kind not in (SignalKind.HIT, SignalKind.MISS, SignalKind.SAVED) or session.game is None:
        return []
    thrower = next((soldier for soldier in session.game.soldiers if soldier.id == said.soldier), None)
    return [say("sk_die_spent", soldier=thrower.label, left=thrower.pool)] if thrower is not None else []


def sentences_of(said: Signal) -> list[str]:
    """Say why a ruling was made, a sentence for each reason; what the ruling says itself is not said again."""
    headline = shown(said.message)
    new = (reason for reason in said.reasons if (said.message.code, reason.code) not in REPEATED)
    return [told for told in map(_told, new) if told != headline]


def _told(reason: Reason) -> str:
    """A reason's sentence, with what it adds where the sentence names no number."""
    words = shown(reason)
    is_silent = reason.source == BONUS or not re.search(r"\d", words)
    return f"{reason.amount:+d} {words}" if reason.amount and is_silent else words
