"""Where the labels over a picture stand, so that they hide neither each other nor a die: greedy, and steady.

Labels are put one after the other, the important ones first, each at the first of its places that hides nothing. A
label stays where it stood in the picture before unless another place is clearly better, so that it does not jump to
and fro with the camera's noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""

DIE, LABEL, FIGURE = 3.0, 4.0, 2.5
"""How bad it is to hide a whole die, another label, a figure; a label's whole area is meant by one. A figure weighs so
much that a label goes to the last of its places round a thing before a fifth of it lies on one."""

OUTSIDE: Final = 8.0
"""How bad it is to stand outside the picture with the whole label."""

LATER: Final = 0.02
"""What each later place costs: enough to prefer the usual one where both are free."""

STAYS: Final = 0.15
"""So much worse a place may be before its label leaves it: a tenth of a label over another one costs 0.4."""


class Labels:
    """Remembers from picture to picture where labels stood."""

    def __init__(self) -> None:
        """Know none yet."""
        self._stood: dict[str, int] = {}

    def layout(self, size: tuple[int, int]) -> Layout:
        """Begin the layout of one picture of a width and height; what it lacks is forgotten."""
        before, self._stood = self._stood, {}
        return Layout(size, before, self._stood)


class Layout:
    """The labels of one picture."""

    def __init__(self, size: tuple[int, int], before: dict[str, int], now: dict[str, int]) -> None:
        """Take the picture's size, the places of the picture before, and where this one's are to be kept."""
        self._size = size
        self._before = before
        self._now = now
        self._boxes: list[Box] = []
        self._weights: list[float] = []

    def block(self, box: Box, weight: float) -> None:
        """Let labels keep away from a box, the more the greater its weight."""
        self._boxes.append(box)
        self._weights.append(weight)

    def put(self, key: str, places: Sequence[Box], *, later: float = LATER) -> int:
        """Choose the place of a label, and let later ones keep away from it.

        Args:
            key: what the label is of, the same from picture to picture.
            places: in the order in which they are liked; at least one.
            later: what each later place costs.

        Returns:
            The number of the place.
        """
        stood = self._before.get(key, -1)
        # No other place costs less than nothing: mostly the label stays, and the others need not be looked at.
        if 0 <= stood < len(places) and self._cost(places[stood]) + later * stood <= STAYS:
            best = stood
        else:
            costs = self._costs(np.asarray(places, dtype=np.float64)) + later * np.arange(len(places))
            best = int(np.argmin(costs))
            if 0 <= stood < len(places) and costs[stood] <= costs[best] + STAYS:
                best = stood
        self._now[key] = best
        self.block(places[best], LABEL)
        return best

    def _cost(self, place: Box) -> float:
        """What one place costs, apart from its number."""
        left, top, right, bottom = place
        area = max((right - left) * (bottom - top), 1.0)
        width, height = self._size
        wide, high = min(right, width) - max(left, 0.0), min(bottom, height) - max(top, 0.0)
        cost = OUTSIDE * (1.0 - max(wide, 0.0) * max(high, 0.0) / area)
        for (x0, y0, x1, y1), weight in zip(self._boxes, self._weights, strict=True):
            if x0 < right and x1 > left and y0 < bottom and y1 > top:
                cost += weight * (min(x1, right) - max(x0, left)) * (min(y1, bottom) - max(y0, top)) / area
        return cost

    def _costs(self, places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """What each place costs, apart from its number; `places` has shape (n, 4)."""
        width, height = self._size
        area = np.maximum((places[:, 2] - places[:, 0]) * (places[:, 3] - places[:, 1]), 1.0)
        inside = _shared(places, np.array([[0.0, 0.0, width, height]]))[:, 0] / area
        costs = OUTSIDE * (1.0 - inside)
        if self._boxes:
            hidden = _shared(places, np.asarray(self._boxes)) / area[:, None]
            costs = costs + hidden @ np.asarray(self._weights)
        return np.asarray(costs, dtype=np.float64)


def _shared(some: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Areas that boxes share; shapes (n, 4) and (m, 4) give (n, m)."""
    wide = np.minimum(some[:, None, 2], others[None, :, 2]) - np.maximum(some[:, None, 0], others[None, :, 0])
    high = np.minimum(some[:, None, 3], others[None, :, 3]) - np.maximum(some[:, None, 1], others[None, :, 1])
    return np.asarray(np.clip(wide, 0.0, None) * np.clip(high, 0.0, None), dtype=np.float64)


def around(thing: Box, size: tuple[float, float], *, gap: float) -> list[Box]:
    """Places of a label round a thing: at it, then farther off, from where a line leads to it.

    Args:
        thing: what the label is of.
        size: the label's width and height.
        gap: between both.

    Returns:
        `NEAR` places at the thing, then as many a label's height farther off, then twice as far.
    """
    places: list[Box] = []
    for away in (gap, gap + 1.2 * size[1], gap + 2.6 * size[1]):
        places += _ring_of(thing, size, away)
    return places


NEAR: Final = 8
"""Places at a thing: below, above, right, left, and at the corners."""


def _ring_of(thing: Box, size: tuple[float, float], away: float) -> list[Box]:
    x0, y0, x1, y1 = thing
    (wide, high), x, y = size, (x0 + x1) / 2, (y0 + y1) / 2
    below, above, right, left = y1 + away + high / 2, y0 - away - high / 2, x1 + away + wide / 2, x0 - away - wide / 2
    middles = (
        (x, below),
        (x, above),
        (right, y),
        (left, y),
        (x1 + wide / 2, below),
        (x0 - wide / 2, below),
        (x1 + wide / 2, above),
        (x0 - wide / 2, above),
    )
    return [centred(at, size) for at in middles]


def centred(at: tuple[float, float], size: tuple[float, float]) -> Box:
    """A box of a size round a point."""
    return (at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2)


def leader(box: Box, thing: Box) -> tuple[float, float, float, float]:
    """The shortest line from a label to its thing: two points."""
    x0, x1 = _nearest(box[0], box[2], thing[0], thing[2])
    y0, y1 = _nearest(box[1], box[3], thing[1], thing[3])
    return x0, y0, x1, y1


def _nearest(low: float, high: float, other_low: float, other_high: float) -> tuple[float, float]:
    """The nearest points of two stretches; the middle of what they share."""
    if high < other_low:
        return high, other_low
    if other_high < low:
        return low, other_high
    middle = (max(low, other_low) + min(high, other_high)) / 2
    return middle, middle


def bounds(pixels: npt.NDArray[np.float64]) -> Box:
    """The box round points, shape (n, 2)."""
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def text_width(text: str, size: float) -> float:
    """How wide bold text of a size is, at most: a letter 0.66 of its height, a wide sign as much as its height."""
    return size * math.fsum(1.0 if ord(sign) > 0x2000 else 0.66 for sign in text)
