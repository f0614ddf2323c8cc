"""What the tests of attacks share."""

from __future__ import annotations

from typing import Any

from rules.world_saga.state import Blow, DegreeTable

TABLE = DegreeTable(2, 4, 6, 8)
FIRE = Blow(name="Fire", is_ranged=True, skill="Shooting")


def codes(reasons: Any) -> list[str]:
    return [reason.code for reason in reasons]
