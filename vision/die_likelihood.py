"""How likely an unread find in a plain picture is a die at all, and no tuft of carpet, number disc or shadow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from vision.dice_agreement import Views

WEIGHTS: Final = (2.31, -5.13, -2.61, 3.47)
"""Of the log odds of the detector's score, of the net's mean probability of 0, of how far the size is off, and bias:
a logistic fit on what was found in left-out photographs and not read. Of those below `DOUBTFUL` one in 25 is a die."""
SIZE_UNKNOWN: Final = 0.5
"""How far the size is off where fewer than two dice are read, as natural logarithm of the ratio."""


def die_likelihood(score: float, net: Views, off_size: float | None) -> float:
    """Say how likely an unread find is a die, 0 to 1.

    Args:
        score: of the detector, 0 to 1.
        net: probabilities of 0 (unreadable), 1, ... 6 in both views.
        off_size: natural logarithm of its size over the usual size of the picture's read dice; None where that is not
            known.
    """
    odds = math.log(max(score, 1e-4) / max(1 - score, 1e-4))
    none = (net[0][0] + net[1][0]) / 2
    off = SIZE_UNKNOWN if off_size is None else abs(off_size)
    sum_ = WEIGHTS[0] * odds + WEIGHTS[1] * none + WEIGHTS[2] * off + WEIGHTS[3]
    return 1 / (1 + math.exp(-sum_))


def off_usual(size_px: float, read_px: Sequence[float]) -> float | None:
    """Compare a size with the median of the read dice's sizes, as natural logarithm; None for fewer than two."""
    if len(read_px) < 2:
        return None
    return math.log(size_px / sorted(read_px)[len(read_px) // 2])
