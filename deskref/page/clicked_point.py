"""Where a drawing or picture was clicked, as the pages' own scripts tell it, or anybody who speaks like them."""

from __future__ import annotations

from typing import Final

from nicegui.events import GenericEventArguments

FARTHEST: Final = 1e6
"""No drawing is so large, in pixels or in millimetres; no number compares with NaN."""


def point_of(event: GenericEventArguments) -> tuple[float, float] | None:
    """Return the point that was sent as `x` and `y`; None for anything else."""
    sent = event.args if isinstance(event.args, dict) else {}
    x, y = sent.get("x"), sent.get("y")
    if not (isinstance(x, int | float) and isinstance(y, int | float)):
        return None
    # Compared before they are made floats: JSON's whole numbers may have any length.
    if not (-FARTHEST < x < FARTHEST and -FARTHEST < y < FARTHEST):
        return None
    return (float(x), float(y))
