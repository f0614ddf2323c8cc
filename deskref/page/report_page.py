"""The report of a game of the evening, in one window: it follows the game, and can be taken away as a file."""

from __future__ import annotations

import json
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

from nicegui import run, ui

from deskref.dice_fairness import Fairness, fairness_of
from deskref.evening import EveningGame, games_before, games_of
from deskref.game_report import Report, luck_as_json, report_as_json, report_of
from deskref.language import say
from deskref.live import LiveGame
from deskref.page.keys import key as key_button
from deskref.page.language_choice import LanguageChoice
from deskref.report_html import TABLE_STYLE, report_file, report_html

LOOK_S: Final = 1.0
"""How often the page looks whether the game has gone on."""

DICE_S: Final = 10.0
"""How often the dice of all games are counted anew while a game goes on: hours of play take a second or two."""


class ReportPage:
    """The report in one window."""

    def __init__(self, game: LiveGame, games: Path, *, key: str = "") -> None:
        """Build the page in the current client.

        Args:
            game: whose session is reported.
            games: folder of the journals, for the dice of all games and the other games of the evening.
            key: of the evening's game that is shown; empty shows the one that is played, and follows it.
        """
        self.game = game
        self.games = games
        self.key = key
        self.fairness: Fairness | None = None
        self._before: tuple[EveningGame, ...] | None = None
        """Of the evening's other journals; None until they are read."""
        self._book: object = None
        self._counted: object = None
        """The book of the game when the dice of all games were counted last."""
        ui.add_css(TABLE_STYLE)
        ui.page_title(f"deskref · {say('report_title')}")
        with ui.element("div").classes("report-page"):
            with ui.element("header").classes("bar"):
                ui.html(f"<h1>{escape(say('report_title'))}</h1>")
                with ui.element("div").classes("row"):
                    key_button(say("report_back"), partial(ui.navigate.to, "/"), small=True)
                    key_button(say("report_save_html"), self._save_html, small=True)
                    key_button(say("report_save_json"), self._save_json, small=True)
                    self._language = LanguageChoice()
            self._told = ui.label().classes("hint").props('role="status"')
            self._body = ui.html("", sanitize=False)
        self.refresh()
        ui.timer(LOOK_S, self.refresh)
        ui.timer(0.05, self._read_journals, once=True)
        ui.timer(DICE_S, self._count_dice)

    def refresh(self) -> None:
        """Draw the report again where the game has gone on."""
        if self._language.follow():
            return
        session = self.game.session
        book = (session.book, session.earlier, self.fairness, self._before)
        if self._book is None or book != self._book:
            self._book = book
            shown = self._shown()
            is_missing = bool(self.key) and shown is None and self._before is not None
            self._told.set_text(say("report_unknown") if is_missing else "")
            evening, key = self._evening(), shown.key if shown is not None else ""
            self._body.set_content(
                report_html(self._report(), self.fairness, evening=evening, shown=key, is_recorded=self._is_recorded())
            )

    async def _count_dice(self) -> None:
        """Count the dice of all games where the game has gone on since."""
        book = self.game.session.book
        if book is self._counted:
            return
        self._counted = book
        try:
            self.fairness = await run.io_bound(fairness_of, self.games)
        except OSError as error:
            ui.notify(say("report_no_journals", why=str(error)), type="warning")
        self.refresh()

    def _is_recorded(self) -> bool:
        """Whether the game that is shown is among those whose dice are counted; a demo's is not."""
        journal = self.game.journal
        return bool(self.key) or (journal is not None and journal.parent == self.games)

    async def _read_journals(self) -> None:
        await self._count_dice()
        try:
            now = datetime.now().astimezone()
            self._before = await run.io_bound(games_before, self.games, now=now, but=self.game.journal)
        except OSError as error:
            ui.notify(say("report_no_journals", why=str(error)), type="warning")
        self.refresh()

    def _evening(self) -> tuple[EveningGame, ...]:
        return (*(self._before or ()), *games_of(self.game.session))

    def _shown(self) -> EveningGame | None:
        """The game that the address names; None where there is none, or where it names the one that is played."""
        return next((game for game in self._evening() if self.key and game.key == self.key), None)

    def _report(self) -> Report | None:
        shown = self._shown()
        return report_of(shown.game if shown is not None else self.game.session)

    def _save_html(self) -> None:
        shown = self._shown()
        key = shown.key if shown is not None else ""
        made = report_file(
            self._report(), self.fairness, evening=self._evening(), shown=key, is_recorded=self._is_recorded()
        )
        ui.download.content(made, f"{self._name()}.html", "text/html")

    def _save_json(self) -> None:
        report = self._report()
        data = {
            **(report_as_json(report) if report is not None else {}),
            "evening": [_as_json(game) for game in self._evening()],
            "all_games": [
                {"colour": c.colour, "games": c.games, **luck_as_json(c.luck)}
                for c in (self.fairness.colours if self.fairness is not None else ())
            ],
        }
        ui.download.content(json.dumps(data, ensure_ascii=False, indent=1), f"{self._name()}.json", "application/json")

    def _name(self) -> str:
        shown = self._shown()
        began = shown.began if shown is not None else None
        return f"deskref-{began or datetime.now():%Y-%m-%d-%H%M}"


def _as_json(game: EveningGame) -> dict[str, Any]:
    return {
        "game": game.outcome.game,
        "began": game.began.isoformat(timespec="seconds") if game.began is not None else None,
        "over": game.outcome.is_over,
        "rounds": game.outcome.rounds,
        "winners": list(game.outcome.winners),
        "winning_side": list(game.outcome.side or game.outcome.winners),
    }
