"""Vector kinds of dice."""

from __future__ import annotations

from typing import Any

from rules.dice import emulate


def dice_emulation(given: dict[str, Any]) -> dict[str, Any]:
    """A die thrown with six-sided dice."""
    found = emulate(given["sides"], given["pips"])
    return {"value": found.value, "reroll_last": found.reroll_last}


KINDS = {"dice_emulation": dice_emulation}
