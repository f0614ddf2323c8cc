"""Ranks of a character that have no field of their own, written as a list: `Stealth 12, Perception 10`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deskref.language import skill, skill_meant
from deskref.names import printed
from deskref.number_ranges import is_within

LONGEST_NAME = 30
"""Signs of a skill's name, as in a kept character."""


def ranks_written(ranks: Mapping[str, int]) -> str:
    """Write Ranks as a list, the skills in the table's language."""
    return ", ".join(f"{skill(name)} {rank}" for name, rank in ranks.items())


def ranks_meant(text: str) -> dict[str, int] | None:
    """Read a list of Ranks, the skills by the rules' own names; None where it is none."""
    ranks: dict[str, int] = {}
    for part in filter(None, (one.strip() for one in re.split(r"[,;\n]", text))):
        found = re.fullmatch(r"(.*?\S)\s*[: ]\s*([+-]?\d{1,3})", part)
        name = printed(found[1]) if found is not None else ""
        if found is None or not 0 < len(name) <= LONGEST_NAME or not is_within(int(found[2]), "rank"):
            return None
        ranks[skill_meant(name)] = int(found[2])
    return ranks
