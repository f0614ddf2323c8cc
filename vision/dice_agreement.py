"""Whether the witnesses of one die agree: two views read by a net, and a count of the pips.

The net knows what dice look like and the count knows where pips lie, so they err on different dice. Their words are
weighed together by a small logistic model (seven outcomes: no value, or 1 to 6) whose weights were fitted on dice of
photographs that took no part in the training of the nets that read them (`models.training.dice.calibrate`), so its
probabilities mean what they say. On a table whose pose is known the top face's place is known, too, and what is looked
at has been taken for a die by more than its pips: there the model has weights of its own, fitted on rendered tables
(`models.training.tables.dice_belief`). A value is given where the model is sure enough and nobody contradicts: a count
that is sure of another value makes a "?".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pip_count import PipCount

Views = tuple[Sequence[float], Sequence[float]]
"""What a net makes of the upright view and of the flattened face: probabilities of 0 (unreadable), 1, ... 6 each."""

FLOOR = 0.002
"""Probabilities of a net below this say no more than that."""

LEAST_COUNT = 0.8
"""Confidence from which a count of the pips answers alone, where no net is asked.

Measured on the rendered tables with places wrong by 0.7 to 1.3 mm and sizes by 6 to 10 %: of 368 counts 336 are right
and reach it in 94 of 100 cases, one wrong count does."""

LEAST_BELIEF = 0.9
"""Probability of the fitted model from which a value is given. At 0.8 four to nine more dice of a hundred are read on
left-out collections, but the answers at odds with the labels rise by half."""

LEAST_BELIEF_OF_ONE = 0.97
"""The same for a 1: a single spot has no layout, and one pip of a 2 on a half-seen face looks like one."""

LEAST_VIEW_OF_ONE = 0.7
"""Probability of a 1 that each view must give. With this, the belief and the count below, 24 of 7,328 drawn things that
are no dice are called 1; with a belief of 0.95 and a count of 0.6 they are 26, and one or two fewer of a hundred dice
seen from above are read."""

LEAST_COUNT_OF_ONE = 0.4
"""Confidence that the count of a 1 must have beside it."""

UNREADABLE_VIEW = 0.5
"""Probability of 0 from which one view forbids a value: costs 13 of 1,890 left-out answers."""

OPPOSING_COUNT = 0.6
"""Confidence from which a count of another value is a contradiction."""

LEAST_DIE = 0.2
"""Score from which the detector's find is a die."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the model; by default as `models.training.dice.calibrate` fitted them on left-out photographs."""

    upright: float = 0.587
    """Of the log probability of a value in the upright view."""
    face: float = 0.526
    """The same of the flattened face."""
    fit: float = 0.194
    """Of how well spots make that value's face."""
    count: float = 1.792
    """Of the count's confidence, if that value is what was counted."""
    one: float = 0.226
    """Added for the value 1."""
    none_upright: float = -0.279
    """Of the log probability of 0 in the upright view, for no value."""
    none_face: float = 0.442
    """The same of the flattened face."""
    none: float = 4.274
    """Added for no value."""
    none_score: float = -10.803
    """Of the detector's score, for no value."""
    none_uncounted: float = 0.042
    """Added for no value where the count gave none."""


FITTED = Weights()
"""As fitted on the left-out photographs; the value net's card says when and on how many."""

ON_TABLE = Weights(
    upright=1.424,
    face=0.522,
    fit=0.332,
    count=0.112,
    one=0.254,
    none_upright=0.994,
    none_face=1.333,
    none=-1.889,
    none_score=-2.516,
    none_uncounted=0.086,
)
"""As `models.training.tables.dice_belief` fitted them on rendered tables; `docs/measured.md` says what that brings."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the witnesses of one die amount to."""

    value: int | None
    confidence: float
    """Of the value where there is one, else of what the witnesses came nearest to."""
    why: str | None = None
    """Why there is no value, in words for the player."""
    agreed: bool = False
    """Whether net and count name the same value, even if too softly for an answer."""


def features(views: Views, count: PipCount, die: float) -> npt.NDArray[np.float64]:
    """What the model weighs: shape (7 outcomes, 10 weights), in the order of `Weights`."""
    upright, face = (np.log(np.asarray(view, float) + FLOOR) for view in views)
    if upright.shape != (7,) or face.shape != (7,):
        raise ValueError(f"expected seven probabilities, not {upright.shape!r} and {face.shape!r}")
    out = np.zeros((7, 10))
    out[1:, 0], out[1:, 1], out[1:, 2] = upright[1:], face[1:], count.fits
    if count.value is not None:
        out[count.value, 3] = count.confidence
    out[1, 4] = 1.0
    out[0, 5:] = upright[0], face[0], 1.0, die, float(count.value is None)
    return out


def beliefs(views: Views, count: PipCount, die: float, weights: Weights = FITTED) -> npt.NDArray[np.float64]:
    """Probability of no value and of 1 to 6, shape (7,)."""
    order = (
        weights.upright,
        weights.face,
        weights.fit,
        weights.count,
        weights.one,
        weights.none_upright,
        weights.none_face,
        weights.none,
        weights.none_score,
        weights.none_uncounted,
    )
    logit = features(views, count, die) @ np.array(order)
    power = np.exp(logit - logit.max())
    return np.asarray(power / power.sum(), np.float64)


def agree(
    count: PipCount | None,
    net: Views | None = None,
    *,
    die: float = 1.0,
    on_table: bool = False,
    weights: Weights | None = None,
) -> Verdict:
    """Judge a count of the pips, and a net's reading where there is one.

    Args:
        count: of the flattened top face; None where nobody counted, as `needs_count` allows.
        net: what a net makes of both views; None where no net was asked.
        die: how sure it is that there is a die at all, 0 to 1.
        on_table: whether the top face's place comes from the known pose of the table.
        weights: of the model; None takes those fitted for the table or for photographs.
    """
    is_counted, count = count is not None, count or PipCount(None, 0.0, ())
    if net is None:
        return _alone(count)
    belief = beliefs(net, count, die, weights or (ON_TABLE if on_table else FITTED))
    value = int(belief[1:].argmax()) + 1
    sure = float(belief[value])
    agreed = count.value == value and belief[0] < sure
    if count.value is not None and count.value != value and count.confidence >= OPPOSING_COUNT:
        return Verdict(
            None, sure * (1 - count.confidence), f"it looks like {value}, but {count.value} pips are counted"
        )
    if die < LEAST_DIE:
        return Verdict(None, die, f"it looks like {value}, but not surely like a die")
    # On a table fewer things are taken for a 1, and what a view cannot read is weighed.
    least = LEAST_BELIEF_OF_ONE if value == 1 and not on_table else LEAST_BELIEF
    if sure >= least and (on_table or _nobody_doubts(net, count, value)):
        return Verdict(value, sure, agreed=True)
    if belief[0] >= sure:
        why = "its top face cannot be made out"
    elif is_counted and count.value is None:
        why = f"it looks like {value}, but its pips could not be counted"
    else:
        why = f"it looks like {value}, but not surely"
    return Verdict(None, sure, why, agreed)


def needs_count(net: Views, *, die: float) -> bool:
    """Whether any count of the pips could bring about a value in a photograph.

    What the net doubts too much stays "?" without one.
    """
    best = [PipCount(v, 1.0, (), fits=tuple(float(v == w) for w in range(1, 7))) for v in range(1, 7)]
    counts = [PipCount(None, 0.0, ()), *best]
    return any(agree(count, net, die=die).value is not None for count in counts)


def _nobody_doubts(net: Views, count: PipCount, value: int) -> bool:
    """Whether each witness by itself lets a value pass that all together are sure of."""
    if value == 1:
        counted = count.value == 1 and count.confidence >= LEAST_COUNT_OF_ONE
        return counted and min(view[1] for view in net) >= LEAST_VIEW_OF_ONE
    return max(view[0] for view in net) < UNREADABLE_VIEW


def _alone(count: PipCount) -> Verdict:
    if count.value is None:
        return Verdict(None, 0.0, count.why)
    if count.confidence < LEAST_COUNT:
        return Verdict(None, count.confidence, f"it looks like {count.value}, but not surely")
    return Verdict(count.value, count.confidence)
