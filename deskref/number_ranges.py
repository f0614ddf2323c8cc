"""Least and greatest of the numbers that players give: in the forms, in set-up files and of kept characters alike."""

from __future__ import annotations

import math
from typing import Any, Final

from pydantic import Field

RANGES: Final[dict[str, tuple[float, float]]] = {
    "width_mm": (50, 5000),
    "depth_mm": (50, 5000),
    "melee_gap_mm": (0, 100),
    "max_move_mm": (1, 5000),
    "vantage_mm": (1, 500),
    "cover_share": (0.01, 1),
    "weary_penalty": (0, 20),
    "strides_per_turn": (1, 10),
    "engaged_gap_mm": (0, 500),
    "degree": (0, 100),
    "cover_from": (0.01, 0.98),
    "greater_from": (0.01, 0.98),
    "cell_mm": (1, 1000),
    "place": (-5000, 5000),
    "rank": (-20, 40),
    "speed": (0, 100),
    "pool": (0, 1000),
    "strike_cost": (0, 100),
    "base": (1, 6),
    "toughness": (1, 40),
    "bennies": (0, 20),
    "tokens": (1, 200),
}
"""What lies outside is a slip of the pen. A side under 50 mm holds nobody, one over 5 m is no table; the largest
miniatures stand on 6 inches; the rest is generous beside the rules' own numbers."""

WHOLE: Final = frozenset(
    ("weary_penalty", "strides_per_turn", "degree", "rank", "speed", "pool", "strike_cost", "base", "toughness")
    + ("bennies", "tokens")
)
"""Those that are counted, not measured."""


def within(name: str) -> Any:  # Any: as pydantic's own `Field`
    """Return what a field of a file must keep to."""
    least, most = RANGES[name]
    return Field(ge=least, le=most) if name in WHOLE else Field(ge=least, le=most, allow_inf_nan=False)


def is_within(value: float | None, name: str) -> bool:
    """Say whether a number of a form keeps to its range, and is whole where it is counted; a cleared one does not."""
    least, most = RANGES[name]
    return value is not None and math.isfinite(value) and least <= value <= most and _is_whole_enough(value, name)


def _is_whole_enough(value: float, name: str) -> bool:
    return name not in WHOLE or float(value).is_integer()
