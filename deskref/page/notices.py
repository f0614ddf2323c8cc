"""What one window tells about files: what starting had to say, and that the game cannot be recorded."""

from __future__ import annotations

from nicegui import ui

from deskref.language import say
from deskref.page.site import Site


class Notices:
    """Tells in one window; `refresh` tells what has changed."""

    def __init__(self, site: Site) -> None:
        """Show what starting had to say; it stays until it is closed."""
        self._game = site.game
        self._trouble: str | None = None
        for text in site.news:
            ui.notify(text, type="info", timeout=0, close_button=say("news_close"), multi_line=True)

    def refresh(self) -> str:
        """Tell whether the game is recorded, where that has changed; gives the words for the page's bar."""
        why = self._game.record_trouble
        if why != self._trouble:
            self._trouble = why
            if why is not None:
                ui.notify(say("record_trouble", why=why), type="warning", timeout=15_000, multi_line=True)
            else:
                ui.notify(say("record_again"), type="positive")
        return say("record_trouble_short", why=why) if why is not None else ""
