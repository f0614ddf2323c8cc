"""Which cheerful sound a signal has where players asked for them; the page makes the sounds itself.

An effect takes the place of the signal's tones, so nothing is heard twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from deskref.session import Session
from deskref.signal import Signal, SignalKind
from rules.skuffle_choices import NEEDED
from rules.skuffle_state import AttackKind

KETTLE_S: Final = 300.0
"""The kettle boils five minutes after the game has begun: Skuffle Wammer is made for that time."""


class Effect(StrEnum):
    """The effects, by the names of their makers in `page/effects.js`."""

    JETS = "jets"
    """Somebody moves: jump jets."""
    LASGUN = "lasgun"
    """An attack at range hits."""
    LASGUN_PAST = "lasgun_past"
    """An attack at range goes past."""
    CLANK = "clank"
    """A blow hits; cover takes a shot."""
    SWISH = "swish"
    """A blow misses."""
    TOPPLE = "topple"
    """Somebody falls."""
    FANFARE = "fanfare"
    """Somebody has won."""
    KETTLE = "kettle"
    """Five minutes are over."""


FIXED: Final = {
    SignalKind.MOVED: Effect.JETS,
    SignalKind.SAVED: Effect.CLANK,
    SignalKind.DEATH: Effect.TOPPLE,
    SignalKind.WINNER: Effect.FANFARE,
}


def effect_of(signal: Signal) -> Effect | None:
    """The effect of a signal; None where it has none."""
    if signal.kind in (SignalKind.HIT, SignalKind.MISS):
        hits = signal.kind is SignalKind.HIT
        if _is_at_range(signal):
            return Effect.LASGUN if hits else Effect.LASGUN_PAST
        return Effect.CLANK if hits else Effect.SWISH
    return FIXED.get(signal.kind)


def kettle_boils(session: Session, *, before_s: float, now_s: float) -> bool:
    """Whether the game's first five minutes ended between two moments of the session's time."""
    started = next((s for s in reversed(session.log) if s.kind is SignalKind.STARTED), None)
    return started is not None and before_s < started.time_s + KETTLE_S <= now_s


def spoken(signals: Iterable[Signal], kinds: frozenset[SignalKind]) -> tuple[Signal, ...]:
    """The signals that are read aloud: rulings and questions, and the newest of several turns only."""
    heard = [s for s in signals if s.kind in kinds or s.kind is SignalKind.YOUR_TURN]
    turns = [s for s in heard if s.kind is SignalKind.YOUR_TURN]
    return tuple(s for s in heard if s.kind is not SignalKind.YOUR_TURN or s is turns[-1])


def _is_at_range(signal: Signal) -> bool:
    """Whether the rules' reasons tell of an attack at range; only Skuffle Wammer's name a value that was needed."""
    needed = [value for reason in signal.reasons for name, value in reason.params if name == "needed"]
    return bool(needed) and needed[0] != NEEDED[AttackKind.MELEE]
