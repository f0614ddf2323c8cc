"""What one window tells beside the game: what starting had to say, that it cannot be recorded, what was not taken."""

from __future__ import annotations

from typing import Final

from nicegui import ui

from deskref.language import say, shown
from deskref.page.keys import key
from deskref.page.site import Site
from rules.ruling import Told

MOST_SAID: Final = 200
"""Letters of what was wrong that are shown."""


class Notices:
    """Tells in one window; `refresh` tells what has changed."""

    def __init__(self, site: Site) -> None:
        """Take what starting had to say; `draw` shows it."""
        self._game = site.game
        self._news = site.news
        self._trouble: str | None = None
        self._refused = self._game.refused[0]

    def draw(self) -> None:
        """Draw what starting had to say into the current element: it stays until it is closed, and covers nothing."""
        for text in self._news:
            line = ui.element("div").classes("row").props('role="status"')
            with line:
                ui.label(shown(text.message) if isinstance(text, Told) else text).classes("says-small")
                key(say("news_close"), line.delete, small=True)

    def refresh(self) -> str:
        """Tell whether the game is recorded, where that has changed; gives the words for the page's bar.

        What the referee could not take is told, too.
        """
        count, wrong = self._game.refused
        if count != self._refused:
            self._refused = count
            text = say("referee_refused", why=wrong[:MOST_SAID])
            ui.notify(text, type="warning", timeout=15_000, multi_line=True)
        why = self._game.record_trouble
        if why != self._trouble:
            self._trouble = why
            if why is not None:
                ui.notify(say("record_trouble", why=why), type="warning", timeout=15_000, multi_line=True)
            else:
                ui.notify(say("record_again"), type="positive")
        return say("record_trouble_short", why=why) if why is not None else ""
