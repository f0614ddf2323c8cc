"""How long people take: the clock of the game runs ahead of the computer's by what a table would have thought."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from deskref import live

THINK_S = (3.0, 25.0)
"""Between two things that are told: from a die that is thrown at once to a move that is talked over; a choice."""


@dataclass(slots=True)
class HumanClock:
    """Goes as the computer's, and is ahead of it by what was skipped."""

    skipped_s: float = 0.0

    def monotonic(self) -> float:
        """Tell the time as `time.monotonic` does."""
        return time.monotonic() + self.skipped_s

    def skip(self, seconds: float) -> None:
        """Let time pass at once."""
        self.skipped_s += seconds


@contextmanager
def keeps_time(clock: HumanClock) -> Iterator[None]:
    """Let the running game go by a clock."""
    with patch.object(live, "time", clock):
        yield
