"""How lucky dice were: counted faces held against fair dice by a chi-square test, in figures and in a verdict.

The statistic is the sum over the faces of (seen - expected)^2 / expected. For few throws its distribution is counted
out exactly; for many it is the chi-square distribution, whose tail is the regularised upper incomplete gamma function
(Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.19 and 6.5.29/31).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Final

EXACT_UP_TO: Final = 30
"""Throws up to which the distribution is counted out: a d20's takes 0.7 s, a d6's 0.1 s (measured on a slow
busy core), once for each number of throws."""

LEAST_THROWS: Final = 8
"""With fewer throws nothing is said: whatever they show, fair dice do too."""

EXPECTED_ENOUGH: Final = 5.0
"""Times that each face should be expected for the chi-square distribution to hold well; the usual rule of thumb."""

ODD: Final = 0.05
"""Under this share of games with fair dice the faces are called uneven: the usual first level."""
VERY_ODD: Final = 0.01
"""Under this share they are called very uneven: the usual second level."""


class Verdict(StrEnum):
    """What the test says in one word."""

    TOO_FEW = "too_few"
    FAIR = "fair"
    """As fair dice do."""
    ODD = "odd"
    VERY_ODD = "very_odd"


@dataclass(frozen=True, slots=True)
class Luck:
    """Throws of dice of one kind, held against fair ones."""

    sides: int
    counts: tuple[int, ...]
    """How often each face was seen, the 1 first."""
    chi_square: float
    p: float
    """Share of fair dice's games with faces at least this uneven."""
    is_exact: bool
    """Whether `p` is counted out or at least well approximated; otherwise it is rough."""
    verdict: Verdict

    @property
    def throws(self) -> int:
        """How many throws there were."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean face; nothing thrown gives the expected one."""
        total = sum(face * count for face, count in enumerate(self.counts, start=1))
        return total / self.throws if self.throws else self.expected_mean

    @property
    def expected_mean(self) -> float:
        """The mean face of fair dice."""
        return (self.sides + 1) / 2


def luck_of(values: Iterable[int], sides: int) -> Luck:
    """Test throws of dice with so many sides.

    Raises:
        ValueError: for a face that the die does not have.
    """
    counts = [0] * sides
    for value in values:
        if not 1 <= value <= sides:
            raise ValueError(f"a d{sides} cannot show {value!r}")
        counts[value - 1] += 1
    throws = sum(counts)
    squares = sum(count * count for count in counts)
    statistic = squares * sides / throws - throws if throws else 0.0
    is_counted = throws <= EXACT_UP_TO
    p = _exact_tail(sides, throws, squares) if is_counted else chi_square_tail(statistic, sides - 1)
    verdict = (
        Verdict.TOO_FEW
        if throws < LEAST_THROWS
        else Verdict.VERY_ODD
        if p < VERY_ODD
        else Verdict.ODD
        if p < ODD
        else Verdict.FAIR
    )
    is_exact = is_counted or throws / sides >= EXPECTED_ENOUGH
    return Luck(sides, tuple(counts), statistic, p, is_exact, verdict)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance that a chi-square variable with so many degrees of freedom reaches a statistic."""
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, 10_000):
            term *= x / (a + n)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1 - front * total)
    # The continued fraction, from its far end by Lentz's method.
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for n in range(1, 10_000):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


@cache
def _square_sums(sides: int, throws: int) -> dict[int, int]:
    """Count the sequences of throws by the sum of the squares of their faces' counts."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in range(sides):
        after: dict[tuple[int, int], int] = {}
        for (done, squares), count in ways.items():
            for more in range(throws - done + 1):
                key = (done + more, squares + more * more)
                after[key] = after.get(key, 0) + count * math.comb(throws - done, more)
        ways = after
    return {squares: count for (done, squares), count in ways.items() if done == throws}


def _exact_tail(sides: int, throws: int, squares: int) -> float:
    if throws == 0:
        return 1.0
    sums = _square_sums(sides, throws)
    return float(Fraction(sum(count for total, count in sums.items() if total >= squares), sides**throws))
