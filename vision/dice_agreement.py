"""Whether the witnesses of one die agree: what a net reads and what a count of the pips gives.

A net knows what dice look like and a count knows where pips lie, so they err on different dice: where both say the
same, they are right far more often than either is where it is sure of itself. The thresholds were chosen on
predictions of earlier nets for collections of photographs that took no part in those nets' training; for the shipped
nets they are still to be chosen anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.pip_count import PipCount

LEAST_COUNT = 0.8
"""Confidence from which a count of the pips answers alone, where no net is asked.

Measured on the rendered tables with places wrong by 0.7 to 1.3 mm and sizes by 6 to 10 %: of 368 counts 336 are right
and reach it in 94 of 100 cases, one wrong count does."""

LEAST_NET = 0.5
"""Probability from which a net's value is its word beside an agreeing count: half of all belief. Raised from the 0.35
that suited earlier nets, for safety and without a measurement."""

LEAST_NET_OF_ONE = 0.55
"""The same for a 1: a single spot has no layout, and number discs were called 1 with 0.35 to 0.5."""

LEAST_AGREEING_COUNT = 0.5
"""Confidence from which a count is a word beside an agreeing net."""

LEAST_COUNT_OF_ONE = 0.8
"""The same for a 1: printed figures on discs count as 1 with 0.6 to 0.75, the pips of dice with 0.85 and more."""

LEAST_DIE = 0.4
"""Score from which the detector's find is a die: sides and parts of dice that read as a value score below."""

SURE_COUNT = 0.9
"""Confidence from which a count on a face whose place the table's pose tells needs no more than an unopposed net."""

OPPOSED = 0.6
"""Probability of another value from which a net opposes such a count."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the witnesses of one die amount to."""

    value: int | None
    confidence: float
    """Of the value where there is one, else of what the witnesses came nearest to."""
    why: str | None = None
    """Why there is no value, in words for the player."""


def agree(count: PipCount, net: Sequence[float] | None = None, *, die: float = 1.0, on_table: bool = False) -> Verdict:
    """Judge a count of the pips, and a net's reading where there is one.

    Args:
        count: of the flattened top face.
        net: probabilities of 0 (unreadable), 1, ... 6; None where no net was asked.
        die: how sure it is that there is a die at all, 0 to 1.
        on_table: whether the top face's place comes from the known pose of the table.
    """
    if net is None:
        return _alone(count)
    probabilities = np.asarray(net, float)
    if probabilities.shape != (7,):
        raise ValueError(f"expected seven probabilities, not {probabilities.shape!r}")
    value = int(probabilities[1:].argmax()) + 1
    sure = float(probabilities[value])
    if on_table and count.value is not None and count.confidence >= SURE_COUNT:
        others = np.delete(probabilities, [0, count.value])
        if float(others.max()) < OPPOSED:
            return Verdict(count.value, count.confidence)
    if count.value is None:
        why = "its top face cannot be made out" if probabilities[0] >= sure else f"it looks like {value}"
        return Verdict(None, sure, f"{why}, and its pips could not be counted")
    if count.value != value:
        return Verdict(
            None, sure * (1 - count.confidence), f"it looks like {value}, but {count.value} pips are counted"
        )
    least_net, least_count = (LEAST_NET_OF_ONE, LEAST_COUNT_OF_ONE) if value == 1 else (LEAST_NET, LEAST_AGREEING_COUNT)
    if sure < least_net or probabilities[0] >= sure or count.confidence < least_count:
        return Verdict(None, sure, f"it looks like {value}, but not surely")
    if die < LEAST_DIE:
        return Verdict(None, die, f"it looks like {value}, but not surely like a die")
    return Verdict(value, 1 - (1 - sure) * (1 - count.confidence))


def _alone(count: PipCount) -> Verdict:
    if count.value is None:
        return Verdict(None, 0.0, count.why)
    if count.confidence < LEAST_COUNT:
        return Verdict(None, count.confidence, f"it looks like {count.value}, but not surely")
    return Verdict(count.value, count.confidence)
