"""How the program ends: by Ctrl+C or by the computer's shutting down, quietly, with a game that goes on later."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

from deskref.game_report import is_going_on
from deskref.live import LiveGame
from deskref.typed_command import as_typed

SERVER_LOG: Final = "uvicorn.error"
"""Where the web server says which windows it had to cut off: at the end that is no fault, but how it has to be."""


def prepare_end(live: LiveGame, *, is_kept: bool, on_end: Callable[[], object]) -> None:
    """Prepare the program's end; called in the main thread once the web server has taken the signals over.

    Args:
        live: the running game.
        is_kept: whether a game that is interrupted goes on at the next start; a demo does not.
        on_end: called when the end is asked for; in a signal's handler, so it must not wait.
    """

    def before(number: signal.Signals, note: Callable[[], object]) -> None:
        end = signal.getsignal(number)

        def asked(got: int, frame: FrameType | None) -> None:
            note()
            on_end()
            logging.getLogger(SERVER_LOG).setLevel(logging.CRITICAL)
            if callable(end):
                end(got, frame)

        signal.signal(number, asked)

    def terminated() -> None:
        live.goes_on_later = True

    def interrupted() -> None:
        live.goes_on_later = live.goes_on_later or (is_kept and is_going_on(live.session))

    before(signal.SIGTERM, terminated)
    before(signal.SIGINT, interrupted)


def told_at_end(live: LiveGame) -> str:
    """Say that the program has ended, and how a game that was interrupted goes on."""
    if live.journal is None or live.record_trouble is not None or not is_going_on(live.session):
        return "deskref has ended."
    if live.goes_on_later:
        return as_typed("deskref has ended. The game is kept and goes on where it was with: deskref play")
    return f"deskref has ended. The game is kept in {live.journal}"
