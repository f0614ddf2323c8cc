"""What a form says of a number that is outside its range."""

from __future__ import annotations

from deskref.language import say
from deskref.number_ranges import RANGES, WHOLE


def out_of_range(name: str, kind: str, *, who: str = "") -> str:
    """Say from where to where a number goes.

    Args:
        name: what the field is called on the page.
        kind: the number's name among the ranges.
        who: whose number it is; empty for one of the whole game.
    """
    least, most = RANGES[kind]
    said = say("form_whole" if kind in WHOLE else "agreed_range", name=name, least=f"{least:g}", most=f"{most:g}")
    return f"{who}: {said}" if who else said
