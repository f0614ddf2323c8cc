"""Which light is shown when: every ruling is seen, in order, never faster than twice a second."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deskref.light_and_sound import DARK, PROGRAMS, SIDE_COLOURS
from deskref.lights import CHASE_S, LEAST_S, RULING, Light, Lights, advance, hear, is_moving, picture_at
from deskref.signal import Signal, SignalKind
from rules.ruling import Message

RULINGS = sorted(kind for kind, program in PROGRAMS.items() if program.priority >= RULING)


def signal(
    kind: SignalKind,
    number: int = 1,
    *,
    soldier: str | None = None,
    winners: tuple[str, ...] = (),
    code: str = "",
    place_mm: tuple[float, float] | None = (0.0, -90.0),
) -> Signal:
    return Signal(
        number=number,
        time_s=0.0,
        kind=kind,
        message=Message(code, "words"),
        soldier=soldier,
        winners=winners,
        place_mm=place_mm,
    )


def sides(soldier: str) -> int:
    return {"lokan": 0, "daemon": 1}.get(soldier, 0)


class Strip:
    """A strip over time; remembers what began and when."""

    def __init__(self) -> None:
        self.lights = Lights()
        self.time_s = 0.0
        self.begun: list[tuple[float, Light]] = []

    def say(self, *kinds: SignalKind | Signal) -> None:
        signals = [k if isinstance(k, Signal) else signal(k, self.next_number + i) for i, k in enumerate(kinds)]
        self.lights = hear(self.lights, signals, sides)
        self.at(self.time_s)

    @property
    def next_number(self) -> int:
        return 1 + round(self.time_s * 1000)

    def at(self, time_s: float) -> tuple[tuple[int, int, int], ...]:
        while self.time_s + 0.05 < time_s:
            self._step(self.time_s + 0.05)
        self._step(time_s)
        return picture_at(self.lights, time_s, count=48)

    def _step(self, time_s: float) -> None:
        self.time_s = time_s
        self.lights, begun = advance(self.lights, time_s)
        self.begun += [(time_s, light) for light in begun]

    @property
    def kinds(self) -> list[SignalKind]:
        return [light.kind for _, light in self.begun]


@pytest.mark.parametrize("kind", RULINGS)
def test_a_ruling_begins_at_once_over_a_turn(kind: SignalKind) -> None:
    strip = Strip()
    strip.say(SignalKind.YOUR_TURN)
    strip.at(0.01)
    strip.say(kind)
    assert strip.kinds == [SignalKind.YOUR_TURN, kind]
    assert strip.begun[-1][0] == 0.01


def test_the_rulings_of_one_step_are_seen_in_the_order_said() -> None:
    """A hit that kills and wins: hit, death, winner, each for half a second at least; nothing is skipped."""
    strip = Strip()
    strip.say(SignalKind.HIT, SignalKind.DEATH, signal(SignalKind.WINNER, 3, winners=("daemon",)))
    strip.at(3.0)
    assert strip.kinds == [SignalKind.HIT, SignalKind.DEATH, SignalKind.WINNER]
    times = [t for t, _ in strip.begun]
    assert times[1] - times[0] == pytest.approx(LEAST_S, abs=0.06)
    assert times[2] - times[1] == pytest.approx(LEAST_S, abs=0.06)


def test_a_ruling_alone_runs_its_time_and_the_turn_comes_back() -> None:
    strip = Strip()
    strip.say(signal(SignalKind.YOUR_TURN, 1, soldier="daemon", place_mm=(0.0, 90.0)))
    strip.at(1.0)
    strip.say(SignalKind.HIT)
    orange = SIDE_COLOURS[1]
    strip.at(1.0 + PROGRAMS[SignalKind.HIT].duration_s + 0.1)
    lit = [led for led in picture_at(strip.lights, strip.time_s, count=48) if led != DARK]
    assert len(lit) == 12
    assert all(red * orange[1] == pytest.approx(green * orange[0], abs=24) and blue == 0 for red, green, blue in lit)
    assert strip.kinds == [SignalKind.YOUR_TURN, SignalKind.HIT], "the turn's sound is not played again"


def test_the_next_turn_is_shown_and_heard_after_the_ruling() -> None:
    strip = Strip()
    strip.say(SignalKind.MISS, signal(SignalKind.YOUR_TURN, 2, soldier="daemon"))
    assert strip.kinds == [SignalKind.MISS]
    strip.at(1.2)
    assert strip.kinds == [SignalKind.MISS, SignalKind.YOUR_TURN]


def test_a_winner_chases_and_stays_lit_until_a_newer_turn() -> None:
    strip = Strip()
    strip.say(signal(SignalKind.YOUR_TURN, 1, soldier="lokan"))
    strip.at(1.0)
    strip.say(signal(SignalKind.WINNER, 2, winners=("daemon",)))
    assert len(set(strip.at(2.0))) > 2
    assert set(strip.at(1.0 + CHASE_S + 0.2)) == {SIDE_COLOURS[1]}
    assert not is_moving(strip.lights, strip.time_s + 1)
    assert set(strip.at(60.0)) == {SIDE_COLOURS[1]}
    strip.say(signal(SignalKind.YOUR_TURN, 3, soldier="lokan"))
    assert {led for led in strip.at(61.0) if led != DARK} != {SIDE_COLOURS[1]}


def test_a_turn_said_during_the_winners_wave_is_not_lost() -> None:
    strip = Strip()
    strip.say(signal(SignalKind.WINNER, 1, winners=("daemon",)))
    strip.at(1.0)
    strip.say(signal(SignalKind.YOUR_TURN, 2, soldier="lokan"))
    strip.at(CHASE_S + 0.2)
    assert strip.kinds[-1] is SignalKind.YOUR_TURN


@pytest.mark.parametrize(
    ("worry", "ends"),
    [
        (SignalKind.TROUBLE, signal(SignalKind.INFO, 9, code="table_found")),
        (SignalKind.TROUBLE, signal(SignalKind.HIT, 9)),
        (SignalKind.UNREADABLE, signal(SignalKind.ROLL, 9)),
        (SignalKind.UNREADABLE, signal(SignalKind.MOVED, 9)),
    ],
)
def test_a_worry_ends_with_what_resolves_it(worry: SignalKind, ends: Signal) -> None:
    strip = Strip()
    strip.say(SignalKind.YOUR_TURN)
    strip.at(1.0)
    strip.say(worry)
    strip.at(2.0)
    assert strip.lights.resting is not None
    assert strip.lights.resting.kind is worry
    strip.say(signal(SignalKind.INFO, 8, code="camera_moved"))
    assert strip.lights.worry is not None
    strip.say(ends)
    strip.at(5.0)
    assert strip.lights.resting.kind is SignalKind.YOUR_TURN


@pytest.mark.parametrize("kind", [SignalKind.YOUR_TURN, SignalKind.WINNER])
def test_a_turn_that_comes_back_after_a_worry_does_not_sound_again(kind: SignalKind) -> None:
    """Nor does the winner's fanfare play twice."""
    strip = Strip()
    strip.say(signal(kind, 1, soldier="lokan", winners=("lokan",)))
    strip.at(4.0)
    strip.say(signal(SignalKind.TROUBLE, 2))
    strip.at(6.0)
    strip.say(signal(SignalKind.INFO, 3, code="table_found"))
    strip.at(8.0)
    assert strip.kinds == [kind, SignalKind.TROUBLE]
    assert strip.lights.resting is not None
    assert strip.lights.resting.kind is kind


def test_an_undo_wipes_once_and_a_ruling_takes_its_place() -> None:
    strip = Strip()
    strip.say(SignalKind.UNDONE)
    strip.at(0.1)
    strip.say(SignalKind.HIT)
    assert strip.kinds == [SignalKind.UNDONE, SignalKind.HIT]
    strip.say(SignalKind.CORRECTED)
    strip.at(2.5)
    assert strip.kinds[-1] is SignalKind.CORRECTED


def test_too_many_rulings_drop_the_least_important_and_count_it() -> None:
    strip = Strip()
    strip.say(SignalKind.HIT)
    strip.say(*[SignalKind.MISS] * 5, SignalKind.DEATH, SignalKind.ILLEGAL, *[SignalKind.HIT] * 3)
    assert strip.lights.dropped == 2
    strip.at(20.0)
    assert strip.kinds.count(SignalKind.DEATH) == 1
    assert strip.kinds.count(SignalKind.ILLEGAL) == 1
    assert len(strip.begun) == 9


def test_signals_without_a_light_change_nothing() -> None:
    strip = Strip()
    strip.say(SignalKind.ADVICE, SignalKind.AGREE, SignalKind.SET_UP)
    assert strip.lights == Lights()
    assert set(strip.at(1.0)) == {DARK}
    assert not is_moving(strip.lights, 1.0)


@pytest.mark.parametrize(("brightness", "top"), [(1.0, 96), (0.5, 48), (0.001, 1), (0.0, 0)])
def test_brightness_scales_and_leaves_what_is_lit_lit(brightness: float, top: int) -> None:
    strip = Strip()
    strip.say(SignalKind.HIT)
    pictures = [picture_at(strip.lights, t / 50, count=48, brightness=brightness) for t in range(50)]
    assert max(max(led) for picture in pictures for led in picture) == top


def flashes(light: list[float], rate_hz: int) -> int:
    """The most rises of the whole strip's light by a quarter of its top, after a fall as large, in any second."""
    step = 0.25 * max(light)
    rises: list[int] = []
    low = high = light[0]
    is_up = True
    for i, value in enumerate(light):
        if is_up:
            high = max(high, value)
            if high - value >= step:
                is_up, low = False, value
        else:
            low = min(low, value)
            if value - low >= step:
                is_up, high = True, value
                rises.append(i)
    return max((sum(1 for r in rises if first <= r < first + rate_hz) for first in rises), default=0)


@pytest.mark.parametrize("seed", range(4))
def test_no_game_makes_the_strip_flash_more_than_three_times_a_second(seed: int) -> None:
    """20 signals a second of every kind for 20 seconds: WCAG 2.3.1 at most, whatever comes."""
    chance = random.Random(seed)
    strip = Strip()
    light: list[float] = []
    for i in range(2000):
        strip.time_s = i / 100
        if i % 5 == 0:
            who = chance.choice(["lokan", "daemon"])
            place = (chance.uniform(-100, 100), chance.uniform(-100, 100))
            kind = chance.choice(sorted(PROGRAMS))
            strip.lights = hear(strip.lights, [signal(kind, i, soldier=who, winners=(who,), place_mm=place)], sides)
        strip._step(i / 100)
        light.append(sum(max(led) for led in picture_at(strip.lights, i / 100, count=48)))
    assert flashes(light, 100) <= 3


@given(st.lists(st.tuples(st.sampled_from(sorted(PROGRAMS)), st.floats(0.0, 3.0)), max_size=30))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_ruling_is_shown_once_or_counted(played: list[tuple[SignalKind, float]]) -> None:
    strip = Strip()
    for number, (kind, pause_s) in enumerate(played, 1):
        strip.at(strip.time_s + pause_s)
        strip.say(signal(kind, number))
    strip.at(strip.time_s + 40.0)
    shown = [light.number for _, light in strip.begun if light.program.priority >= RULING]
    said = [number for number, (kind, _) in enumerate(played, 1) if PROGRAMS[kind].priority >= RULING]
    assert shown == sorted(shown)
    assert len(shown) == len(set(shown))
    assert len(said) == len(shown) + strip.lights.dropped


def test_a_new_game_and_an_undone_end_leave_no_winner_lit() -> None:
    """A new game began with the winner of the one before lit all round, and still was after its first roll."""
    for kind, soon_s in ((SignalKind.STARTED, 0.2), (SignalKind.SET_UP, 5.0), (SignalKind.UNDONE, 0.2)):
        strip = Strip()
        strip.say(signal(SignalKind.WINNER, 1, winners=("daemon",)))
        strip.at(soon_s)  # while the wave still runs, or after it
        strip.say(signal(kind, 2))
        assert not any(map(any, strip.at(soon_s + 2.0))), kind
        assert strip.lights.resting is None


def test_a_winner_that_waits_is_not_shown_in_the_game_that_follows() -> None:
    strip = Strip()
    strip.say(signal(SignalKind.HIT, 1), signal(SignalKind.WINNER, 2, winners=("daemon",)))
    strip.say(signal(SignalKind.STARTED, 3), signal(SignalKind.YOUR_TURN, 4, soldier="lokan"))
    strip.at(4.0)
    assert strip.kinds == [SignalKind.HIT, SignalKind.YOUR_TURN]
