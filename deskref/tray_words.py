"""The English words of the page about the second camera, over a dice tray."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

WORDS: Final = {
    "tray_title": "A second camera over a dice tray",
    "tray_why": "Its dice count as rolls. Nothing has to be chosen here.",
    "tray_none": "No tray camera",
    "tray_address": "Web address or video of the tray",
    "tray_use": "Use it for the tray",
    "tray_looks": "{name} looks into the tray.",
    "tray_same": "The dice tray needs a camera of its own; {name} is the table's.",
    "tray_trouble": "Dice tray: {problem}",
}

CATALOGUE: Final = Catalogue(WORDS)
