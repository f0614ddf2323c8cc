"""One run of the program, from its start to its end: what `deskref play` joins, without the page's server."""

from __future__ import annotations

import random
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from deskref import saved_game
from deskref.board_player import BoardPlayer
from deskref.eyes import Eyes
from deskref.inputs import AnyInput
from deskref.live import LiveGame
from deskref.looking import Looking
from deskref.one_copy import OneCopy
from deskref.outputs import resumed_signals
from deskref.page.overlay import side_of
from deskref.page.pictures import Pictures
from deskref.page.score import score_of
from deskref.play import Play
from deskref.session import Session
from devices.board_dialect import DeskrefDialect
from devices.board_link import BoardLink
from devices.camera import Source
from tests.devices.fake_board import FakeBoard

PATIENCE_S = 60.0
"""The longest wait for anything that must happen."""

LOOK_S = 0.002
"""How often it is looked whether it has."""

KEPT = 100
"""Journals that are kept, as in the settings' default."""

PORT = 8080
"""Of the page that is not served here."""


class SoakError(AssertionError):
    """Something that must never happen has happened."""


def pause() -> None:
    """Let other threads go on for a moment."""
    time.sleep(LOOK_S)


class ProgramRun:
    """The running program: a game with its journal, camera, light board and what the page shows."""

    def __init__(self, home: Path, *, source: Source | None, chance: random.Random, eyes: Eyes | None = None) -> None:
        """Start as `deskref play` does: take up what was cut off, or begin anew.

        Args:
            home: folder of the games.
            source: the camera; None plays without one.
            chance: for the waits of the board's link.
            eyes: what looks at the pictures; new ones by default.
        """
        self.home = home
        self.copy = OneCopy(home, port=PORT)
        looking = Looking() if source is not None else None
        self.taken = saved_game.take_up(home / "games", version="0", looking=looking)
        saved_game.forget_old(home / "games", keep=KEPT)
        eyes = eyes or Eyes()
        if self.taken.table is not None:
            eyes.take_up(self.taken.table)
        self.game = LiveGame(Play(self.taken.journal, self.taken.session), source, eyes=eyes)
        self.board = FakeBoard()
        self.link = BoardLink(self.board.open, DeskrefDialect(), chance=chance)
        player = BoardPlayer(self.link, sides=lambda soldier: side_of(self.game.session, soldier))
        self.game.board = player
        self.game.add_output(player)
        player.hear(resumed_signals(self.game.session))
        self.pictures = Pictures(self.game)
        self.longest_wait_s = 0.0
        """Between an input and the session that holds it."""
        self.longest_input = ""
        self.told = 0
        self.game.start()

    @property
    def session(self) -> Session:
        """As it is now."""
        return self.game.session

    @property
    def journal(self) -> Path:
        """The file of the game's journal."""
        if self.taken.journal is None:
            raise SoakError(f"the game has no journal: {self.taken.said}")
        return self.taken.journal.path

    def tell(self, *given: AnyInput) -> None:
        """Tell some things, and wait until the session holds them."""
        began_s = time.monotonic()
        for each in given:
            self.game.tell(each)
            self.told += 1
        self.until(lambda: self.game.has_taken_all, "the inputs are taken")
        waited_s = time.monotonic() - began_s
        if waited_s > self.longest_wait_s:
            self.longest_wait_s, self.longest_input = waited_s, type(given[-1]).__name__

    def until(self, is_so: object, what: str, *, timeout_s: float = PATIENCE_S) -> None:
        """Wait until something is so.

        Raises:
            SoakError: it does not become so.
        """
        assert callable(is_so)
        deadline_s = time.monotonic() + timeout_s
        while not is_so():
            if time.monotonic() > deadline_s:
                raise SoakError(f"not within {timeout_s:.0f} s: {what}")
            pause()

    def look_at_page(self) -> None:
        """Make what an open page asks for: the score, and the picture as it is and from above."""
        score_of(self.session)
        self.pictures.newest()
        self.pictures.newest(from_above=True, wide=640)

    def stop(self, *, later: bool) -> None:
        """End the program; `later` as the computer's shutting down does it, so that the game goes on."""
        self.game.goes_on_later = later
        self.game.stop()
        self.copy.release()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program where nobody has."""
        self.stop(later=False)
