"""What an address of a camera or a film may look like, for the system that deskref runs on."""

from __future__ import annotations

import sys
from typing import Final

from deskref.language import say

FILMS: Final = {"win32": r"C:\videos\game.mp4", "darwin": "/Users/anna/Movies/game.mp4"}
"""A film's path by system."""

FILM: Final = "/home/anna/videos/game.mp4"
"""A film's path on all other systems."""


def example_address(system: str = sys.platform) -> str:
    """Return examples of an address and of a file's path, as a system writes it."""
    return say("set_camera_address_hint", file=FILMS.get(system, FILM))
