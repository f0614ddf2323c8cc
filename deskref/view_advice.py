"""What could be better about the camera's view of the table, told once while it looks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.lens import Lens
from calibration.table import TableNotFound
from calibration.table_view import TableView
from calibration.view_quality import Advice, Concern, check_view
from deskref.calibrated import find_once
from deskref.eyes import Seen
from deskref.table_choice import TableChoice, TableKind, tokens_as_laid

EACH_S = 1.0
"""So often a view is judged: light and hands change slowly, and it costs up to 20 ms."""

TWICE = 2
"""A concern is told when it was found so many times in a row: a hand that passes is none."""


def advice_on(
    image_bgr: npt.NDArray[np.uint8], table: TableChoice, *, lens: Lens | None = None
) -> TableNotFound | tuple[Advice, ...]:
    """Judge one picture: why the table is not found, or what could be better; nothing about clicked corners."""
    if table.kind is TableKind.TOKENS:
        placed = tokens_as_laid(image_bgr, table, lens)
        if isinstance(placed, TableNotFound):
            return placed
        return check_view(image_bgr, placed.view, target=placed.target)
    view = find_once(image_bgr, table, lens=lens)
    if isinstance(view, TableNotFound):
        return view
    return () if table.kind is TableKind.CORNERS else check_view(image_bgr, view, target=table.target)


def advice_as_json(advice: tuple[Advice, ...]) -> list[dict[str, Any]]:
    """Give what could be better as JSON objects, the serious first."""
    return [
        {"concern": a.concern.value, "serious": a.is_serious, "value": round(a.value, 3), "message": a.message}
        for a in advice
    ]


class ViewAdvice:
    """Looks at what is seen now and then, and gives each piece of advice once until it has been heeded."""

    def __init__(self, table: TableChoice) -> None:
        """Begin without having seen anything.

        Args:
            table: what marks it.
        """
        self.table = table
        """What marks it."""
        self._judged_s = -float("inf")
        self._found: dict[Concern, int] = {}
        self._lost = ""
        self._now: tuple[Advice, ...] = ()

    @property
    def now(self) -> tuple[Advice, ...]:
        """What could be better now and has been for a while, the serious first; empty where no table is seen."""
        return self._now

    def on(self, seen: Seen) -> tuple[str, ...]:
        """Give what is new to say after a frame, in a player's words."""
        view = seen.view
        if view is None:
            self._now = ()
            advice = seen.observation.table.advice or ""
            is_new = bool(advice) and advice != self._lost
            self._lost = advice
            return (advice,) if is_new else ()
        self._lost = ""
        if not _is_measured(view) or seen.frame.time_s - self._judged_s < EACH_S:
            return ()
        self._judged_s = seen.frame.time_s
        advice_now = check_view(seen.frame.image_bgr, view, target=seen.target or self.table.target)
        self._found = {a.concern: self._found.get(a.concern, 0) + 1 for a in advice_now}
        self._now = tuple(a for a in advice_now if self._found[a.concern] >= TWICE)
        return tuple(a.message for a in advice_now if self._found[a.concern] == TWICE)


def _is_measured(view: TableView) -> bool:
    """Whether markers fix this view in this frame; one that is held over from before says nothing new."""
    return view.markers > 0
