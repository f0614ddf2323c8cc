"""The report of the game that is played, in one window: it follows the game, and can be taken away as a file."""

from __future__ import annotations

import json
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Final

from nicegui import run, ui

from deskref.dice_fairness import Fairness, fairness_of
from deskref.game_report import Report, luck_as_json, report_as_json, report_of
from deskref.language import say
from deskref.live import LiveGame
from deskref.page.keys import key
from deskref.page.language_choice import LanguageChoice
from deskref.report_html import TABLE_STYLE, report_file, report_html

LOOK_S: Final = 1.0
"""How often the page looks whether the game has gone on."""


class ReportPage:
    """The report in one window."""

    def __init__(self, game: LiveGame, games: Path) -> None:
        """Build the page in the current client.

        Args:
            game: whose session is reported.
            games: folder of the journals, for the dice of all games.
        """
        self.game = game
        self.games = games
        self.fairness: Fairness | None = None
        self._book: object = None
        ui.add_css(TABLE_STYLE)
        ui.page_title(f"deskref · {say('report_title')}")
        with ui.element("div").classes("report-page"):
            with ui.element("header").classes("bar"):
                ui.html(f"<h1>{escape(say('report_title'))}</h1>")
                with ui.element("div").classes("row"):
                    key(say("report_back"), partial(ui.navigate.to, "/"), small=True)
                    key(say("report_save_html"), self._save_html, small=True)
                    key(say("report_save_json"), self._save_json, small=True)
                    self._language = LanguageChoice()
            self._body = ui.html("", sanitize=False)
        self.refresh()
        ui.timer(LOOK_S, self.refresh)
        ui.timer(0.05, self._read_journals, once=True)

    def refresh(self) -> None:
        """Draw the report again where the game has gone on."""
        if self._language.follow():
            return
        book = (self.game.session.book, self.fairness)
        if self._book is None or book != self._book:
            self._book = book
            self._body.set_content(report_html(self._report(), self.fairness))

    async def _read_journals(self) -> None:
        try:
            self.fairness = await run.io_bound(fairness_of, self.games)
        except OSError as error:
            ui.notify(say("report_no_journals", why=str(error)), type="warning")
        self.refresh()

    def _report(self) -> Report | None:
        return report_of(self.game.session)

    def _save_html(self) -> None:
        ui.download.content(report_file(self._report(), self.fairness), f"{_name()}.html", "text/html")

    def _save_json(self) -> None:
        report = self._report()
        data = {
            **(report_as_json(report) if report is not None else {}),
            "all_games": [
                {"colour": c.colour, "games": c.games, **luck_as_json(c.luck)}
                for c in (self.fairness.colours if self.fairness is not None else ())
            ],
        }
        ui.download.content(json.dumps(data, ensure_ascii=False, indent=1), f"{_name()}.json", "application/json")


def _name() -> str:
    return f"deskref-{datetime.now():%Y-%m-%d-%H%M}"
