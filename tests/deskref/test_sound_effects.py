"""Which sound a signal has, that each is said and can be made, and when the kettle boils."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deskref import page
from deskref.page.ruling_marks import SPOKEN
from deskref.session import Session
from deskref.signal import Signal, SignalKind
from deskref.sound_effects import KETTLE_S, Effect, effect_of, kettle_boils, spoken
from deskref.sound_words import WORDS
from rules.ruling import Message, Reason

SCRIPT = (Path(page.__file__).parent / "effects.js").read_text(encoding="utf-8")


def signal(kind: SignalKind, *, number: int = 1, time_s: float = 0.0, needed: int | None = None) -> Signal:
    reasons = (Reason("reaches", "", "", params=(("modified", 5), ("needed", needed))),) if needed is not None else ()
    return Signal(number=number, time_s=time_s, kind=kind, message=Message(kind.value, kind.value), reasons=reasons)


@pytest.mark.parametrize(
    ("kind", "needed", "effect"),
    [
        (SignalKind.HIT, 4, Effect.LASGUN),
        (SignalKind.MISS, 4, Effect.LASGUN_PAST),
        (SignalKind.HIT, 3, Effect.CLANK),
        (SignalKind.MISS, 3, Effect.SWISH),
        (SignalKind.HIT, None, Effect.CLANK),
        (SignalKind.SAVED, 4, Effect.CLANK),
        (SignalKind.MOVED, None, Effect.JETS),
        (SignalKind.DEATH, None, Effect.TOPPLE),
        (SignalKind.WINNER, None, Effect.FANFARE),
        (SignalKind.YOUR_TURN, None, None),
        (SignalKind.ILLEGAL, None, None),
    ],
)
def test_a_signal_has_its_effect(kind: SignalKind, needed: int | None, effect: Effect | None) -> None:
    """Ranged attacks need 4 or more, blows 3 (Skuffle Wammer, Gameplay)."""
    assert effect_of(signal(kind, needed=needed)) is effect


def test_every_effect_can_be_made_and_has_a_name() -> None:
    made = re.search(r"window\.deskrefEffects = \{([^}]*)\}", SCRIPT)
    assert made is not None
    assert {name.strip() for name in made[1].split(",")} == {effect.value for effect in Effect}
    assert {f"sound_{effect.value}" for effect in Effect} <= WORDS.keys()


@pytest.mark.parametrize(
    ("before_s", "now_s", "boils"),
    [
        (10 + KETTLE_S - 0.2, 10 + KETTLE_S - 0.1, False),
        (10 + KETTLE_S - 0.1, 10 + KETTLE_S, True),
        (10 + KETTLE_S, 10 + KETTLE_S + 0.1, False),
        (0.0, 10 + KETTLE_S + 60, True),
    ],
)
def test_the_kettle_boils_once_five_minutes_after_the_start(before_s: float, now_s: float, boils: bool) -> None:
    session = Session(log=(signal(SignalKind.SET_UP), signal(SignalKind.STARTED, number=2, time_s=10.0)))
    assert kettle_boils(session, before_s=before_s, now_s=now_s) is boils


def test_no_kettle_boils_where_no_game_has_begun() -> None:
    assert not kettle_boils(Session(), before_s=0.0, now_s=1000.0)


def test_of_several_turns_only_the_newest_is_read_aloud() -> None:
    kinds = (SignalKind.YOUR_TURN, SignalKind.HIT, SignalKind.INFO, SignalKind.YOUR_TURN)
    said = [signal(kind, number=n) for n, kind in enumerate(kinds, start=1)]
    assert [s.number for s in spoken(said, SPOKEN)] == [2, 4]
