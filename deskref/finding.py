"""What a check of the computer has found, for the doctor's command, page and bundle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How a check came out."""

    GOOD = "good"
    NOTE = "note"
    """Works, or is not needed; could be better."""
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked, in the table's language."""

    what: str
    health: Health
    found: str
    remedy: str = ""
    """What to do; never empty where the health is bad."""

    def as_json(self) -> dict[str, str]:
        """Give it for a line of JSON."""
        return {"check": self.what, "health": self.health.value, "found": self.found, "remedy": self.remedy}
