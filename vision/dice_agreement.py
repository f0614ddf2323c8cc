"""Whether the witnesses of one die agree: what a net reads and what a count of the pips gives.

A net knows what dice look like and a count knows where pips lie, so they err on different dice: where both say the
same, they are right far more often than either is where it is sure of itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.pip_count import PipCount

LEAST_COUNT = 0.8
"""Confidence from which a count of the pips answers alone, where no net is asked.

Measured on the rendered tables with places wrong by 0.7 to 1.3 mm and sizes by 6 to 10 %: of 368 counts 332 are right
and reach it in 97 of 100 cases, one wrong count does."""

LEAST_NET = 0.55
"""Probability from which a net's value counts as its word beside an agreeing count."""

LEAST_AGREEING_COUNT = 0.4
"""Confidence from which a count counts as a word beside an agreeing net."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the witnesses of one die amount to."""

    value: int | None
    confidence: float
    why: str | None = None
    """Why there is no value, in words for the player."""


def agree(count: PipCount, net: Sequence[float] | None = None) -> Verdict:
    """Judge a count of the pips, and a net's reading where there is one.

    Args:
        count: of the flattened top face.
        net: probabilities of 0 (unreadable), 1, ... 6; None where no net was asked.
    """
    if net is None:
        return _alone(count)
    probabilities = np.asarray(net, float)
    if probabilities.shape != (7,):
        raise ValueError(f"expected seven probabilities, not {probabilities.shape!r}")
    value = int(probabilities[1:].argmax()) + 1
    sure = float(probabilities[value])
    if probabilities[0] >= sure:
        return Verdict(None, float(probabilities[0]), "its top face cannot be made out")
    if count.value is None:
        return Verdict(None, sure, f"it looks like {value}, but the pips could not be counted")
    if count.value != value:
        return Verdict(
            None, sure * (1 - count.confidence), f"it looks like {value}, but {count.value} pips are counted"
        )
    if sure < LEAST_NET or count.confidence < LEAST_AGREEING_COUNT:
        return Verdict(None, sure, f"it looks like {value}, but not surely")
    return Verdict(value, 1 - (1 - sure) * (1 - count.confidence))


def _alone(count: PipCount) -> Verdict:
    if count.value is None:
        return Verdict(None, 0.0, count.why)
    if count.confidence < LEAST_COUNT:
        return Verdict(None, count.confidence, f"it looks like {count.value}, but not surely")
    return Verdict(count.value, count.confidence)
