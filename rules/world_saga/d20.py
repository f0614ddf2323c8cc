"""What a d20 says: Basic, Complex and Opposed Tests, and the special faces.

Rule: World Saga, Test Types; Special Outcomes; Opposed Test. Readings: a natural 20 fails whatever the Target Number;
with a Target Number under 1 a natural 1 fails too; with a Target Number of 1 it is a complication, not a critical
success.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.ruling import Reason
from rules.world_saga.words import CATALOGUE, OPPOSED, SPECIAL, TESTS

FACES = range(1, 21)


class Degree(StrEnum):
    """How well a Complex Test succeeds, by the number shown."""

    WEAK = "weak"
    SUCCESS = "success"
    STRONG = "strong"
    GREAT = "great"

    @property
    def word(self) -> str:
        """What is said of it before the word "success"."""
        return "plain" if self is Degree.SUCCESS else self.value


DEGREE_FROM = ((15, Degree.GREAT), (10, Degree.STRONG), (5, Degree.SUCCESS), (1, Degree.WEAK))
"""The least face for each degree (Test Types: 2 or more is weak, and a 1 counts as weak)."""

BEST_FACE = 20
"""It fails whatever the Target Number."""


class Special(StrEnum):
    """The special outcomes of a d20."""

    COMPLICATION = "complication"
    CRITICAL_FAILURE = "critical_failure"
    CRITICAL_SUCCESS = "critical_success"


@dataclass(frozen=True, slots=True)
class TestResult:
    """A d20 against its Target Number."""

    __test__ = False  # not a test case, whatever its name

    tn: int
    face: int
    is_success: bool
    special: Special | None
    degree: Degree | None
    """Set on success; a Basic Test has no use for it."""

    @property
    def final(self) -> int:
        """What the roll counts in an Opposed Test: the face on success, else 0."""
        return self.face if self.is_success else 0


def read(tn: int, face: int) -> TestResult:
    """Read a d20 against a Target Number; `ValueError` where no d20 shows such a face."""
    if face not in FACES:
        raise ValueError(f"a d20 shows 1 to 20, not {face!r}")
    if face == BEST_FACE:
        return TestResult(tn, face, False, Special.CRITICAL_FAILURE, None)
    if face > tn:
        return TestResult(tn, face, False, None, None)
    degree = next(degree for least, degree in DEGREE_FROM if face >= least)
    special = Special.COMPLICATION if face == 1 else Special.CRITICAL_SUCCESS if face == tn else None
    return TestResult(tn, face, True, special, degree)


def faces_of(degree: Degree) -> tuple[int, int]:
    """Return the least and the greatest face that make a degree of success."""
    number = next(number for number, (_, other) in enumerate(DEGREE_FROM) if other is degree)
    return DEGREE_FROM[number][0], DEGREE_FROM[number - 1][0] - 1 if number else BEST_FACE - 1


def read_many(tn: int, faces: Sequence[int], *, boons: int) -> TestResult:
    """Read the dice of a test with so many Boons (Banes under 0) and keep the one that counts.

    With Boons the best outcome of all dice counts, with Banes the worst.
    """
    results = [read(tn, face) for face in faces]
    return max(results, key=goodness) if boons >= 0 else min(results, key=goodness)


def goodness(result: TestResult) -> tuple[bool, int]:
    """Order outcomes: critical failure, failure, then successes by the number shown."""
    return (result.is_success, result.face if result.is_success else -int(result.face == BEST_FACE))


_SPECIAL_CODES = {
    Special.COMPLICATION: "ws_complication",
    Special.CRITICAL_FAILURE: "ws_critical_failure",
    Special.CRITICAL_SUCCESS: "ws_critical_success",
}


def explain(who: str, result: TestResult, *, is_complex: bool) -> tuple[Reason, ...]:
    """Say what a roll means and why."""
    reasons = [CATALOGUE.reason("ws_roll", TESTS, who=who, face=result.face, tn=result.tn)]
    if result.special is not None:
        reasons.append(CATALOGUE.reason(_SPECIAL_CODES[result.special], SPECIAL))
    elif result.face == 1 and not result.is_success:
        reasons.append(CATALOGUE.reason("ws_no_chance", TESTS))
    else:
        reasons.append(CATALOGUE.reason("ws_success" if result.is_success else "ws_failure", TESTS))
    if is_complex and result.degree is not None:
        least, most = faces_of(result.degree)
        word = result.degree.word
        reasons.append(CATALOGUE.reason("ws_degree", TESTS, face=result.face, least=least, most=most, degree=word))
    return tuple(reasons)


@dataclass(frozen=True, slots=True)
class OpposedResult:
    """An Opposed Test decided."""

    attacker_final: int
    defender_final: int
    attacker_wins: bool
    reason: Reason


def attacker_wins(attack: TestResult, defence: TestResult) -> bool:
    """Decide an Opposed Test: the higher success wins, ties and double failures go to the defender.

    An attacker's critical success wins outright, unless the defender has one too: then the defender wins.
    """
    if attack.special is Special.CRITICAL_SUCCESS:
        return defence.special is not Special.CRITICAL_SUCCESS
    return attack.final > defence.final


def oppose(attacker: str, attack: TestResult, defender: str, defence: TestResult) -> OpposedResult:
    """Decide an Opposed Test and say why; the two are named by `attacker` and `defender`."""
    wins = attacker_wins(attack, defence)
    winner = attacker if wins else defender
    if attack.special is Special.CRITICAL_SUCCESS:
        code = "ws_opposed_critical" if wins else "ws_opposed_both_critical"
        reason = CATALOGUE.reason(code, OPPOSED, winner=winner)
    elif attack.final == defence.final:
        reason = CATALOGUE.reason("ws_opposed_tie", OPPOSED, final=attack.final, winner=winner)
    else:
        reason = CATALOGUE.reason(
            "ws_opposed",
            OPPOSED,
            attacker=attacker,
            attacker_final=attack.final,
            defender=defender,
            defender_final=defence.final,
            winner=winner,
        )
    return OpposedResult(attack.final, defence.final, wins, reason)
