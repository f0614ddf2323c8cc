"""All parsers of deskref that read what others wrote, each with its seeds."""

from __future__ import annotations

from tests.fuzz import files, games, page, wires
from tests.fuzz.engine import Target

TARGETS: dict[str, Target] = {
    target.name: target for target in (*files.TARGETS, *games.TARGETS, *wires.TARGETS, *page.TARGETS)
}
"""By name."""
