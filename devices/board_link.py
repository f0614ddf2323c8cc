"""The thread that owns a board: finds it, keeps it alive, shows the newest picture, and comes back after a replug."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from devices.board import BoardError, BoardState, BoardStatus, BoardTrouble, Outbox, Picture, Tune
from devices.board_dialect import Dialect
from devices.board_port import PORT_ERRORS, AbsentError, Port

logger = logging.getLogger(__name__)

POLL_S = 0.1
"""How often an idle link looks whether the board has gone or began afresh."""

ABSENT_S = 0.4
"""How often an unplugged board is looked for: with greeting and picture it is back well within 1.5 s."""

NEVER_SEEN_S = 2.0
"""How often a board is looked for that was not there yet: listing ports takes seconds on some Windows computers."""

FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 5.0
"""Waits between attempts at a board that is there but cannot be used; each is twice the last, and some chance is added
so that two programs do not block each other for ever."""

CLOSE_S = 2.0
"""How long closing waits for the thread; a driver that hangs is left behind with its daemon thread."""

Opener = Callable[[], tuple[Port, str]]
"""Opens the port and says its name; raises BoardError."""


class BoardLink:
    """A board behind a port.

    `status` is replaced as a whole and may be read by any thread.
    """

    def __init__(
        self,
        opener: Opener,
        dialect: Dialect,
        *,
        expected_leds: int = 0,
        on_status: Callable[[BoardStatus], None] | None = None,
        on_met: Callable[[], None] | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """Prepare; `start` begins.

        Args:
            opener: finds and opens the port, called by the link's thread again and again.
            dialect: how to speak with what is there; from now on only the link's thread uses it.
            expected_leds: as the settings say; 0 takes what the board says. A difference is told, not refused.
            on_status: called by the link's thread whenever the status has changed; must return at once.
            on_met: called by the link's thread when a board has answered at the port that the opener opened.
            chance: for the waits between attempts.
        """
        self.status = BoardStatus(state=BoardState.OFF)
        self.tunes_played = 0
        """Tunes that the board has said it plays."""
        self._opener = opener
        self._dialect = dialect
        self._expected_leds = expected_leds
        self._on_status = on_status
        self._on_met = on_met
        self._chance = chance or random.Random()
        self._outbox = Outbox()
        self._stop = threading.Event()
        self._hurry = threading.Event()
        """Ends the wait between two attempts."""
        self._thread = threading.Thread(target=self._run, name="board link", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def show(self, picture: Picture) -> None:
        """Let the strip show a picture from now on; never waits for the board."""
        self._outbox.show(picture)

    def play(self, tune: Tune) -> None:
        """Play a tune after those that wait; forgotten where the board is not there."""
        if self.status.has_sound and self.status.is_ready:
            self._outbox.play(tune)

    def look_now(self) -> None:
        """End the wait between two attempts, where one is waited for."""
        self._hurry.set()

    def close(self) -> None:
        """Make the board dark and let go of it; waits `CLOSE_S` at most."""
        self._stop.set()
        self._hurry.set()
        self._outbox.close()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
            if self._thread.is_alive():
                logger.warning("the board's driver hangs; it is left behind")

    def _run(self) -> None:
        wait_s = FIRST_WAIT_S
        while not self._stop.is_set():
            connections = self.status.connections
            try:
                self._serve()
            except AbsentError as error:
                self._tell(state=BoardState.LOST, trouble=self._told_absent(error.trouble))
                wait_s = ABSENT_S if self.status.connections else NEVER_SEEN_S
            except BoardError as error:
                self._tell(state=BoardState.LOST, trouble=error.trouble)
            except PORT_ERRORS as error:
                logger.debug("board lost: %r", error)
                trouble = BoardTrouble(message="The board was unplugged.", remedy="Plug it in again; the game goes on.")
                self._tell(state=BoardState.LOST, trouble=trouble)
            except Exception:
                logger.exception("the board's thread failed; the board is tried again")
                self._tell(state=BoardState.LOST, trouble=BoardTrouble(message="The board cannot be used."))
            if self.status.connections > connections:
                wait_s = FIRST_WAIT_S
            self._hurry.wait(wait_s * self._chance.uniform(0.8, 1.2))
            self._hurry.clear()
            wait_s = min(LONGEST_WAIT_S, 2 * wait_s)
        self._tell(state=BoardState.OFF, trouble=None)

    def _serve(self) -> None:
        """Open, greet and serve a board until it goes or the link is closed."""
        if self.status.state is not BoardState.LOST:
            self._tell(state=BoardState.OPENING, trouble=None)
        port, name = self._opener()
        try:
            if self.status.state is not BoardState.LOST:
                self._tell(state=BoardState.GREETING, port=name)
            met = self._dialect.greet(port, self._stop.is_set)
            if self._on_met is not None:
                self._on_met()
            self._outbox.renew()
            self._tell(
                state=BoardState.READY,
                name=met.name,
                port=name,
                leds=met.leds,
                has_sound=met.has_sound,
                trouble=self._length_trouble(met.leds),
                connections=self.status.connections + 1,
            )
            self._loop(port, met.leds)
            self._dialect.leave(port)
        finally:
            # On Windows a port that was not closed stays dead until the program ends.
            try:
                port.close()
            except PORT_ERRORS as error:
                logger.debug("closing the port: %r", error)

    def _loop(self, port: Port, leds: int) -> None:
        dialect = self._dialect
        next_beat_s = time.monotonic() + dialect.beat_s
        sounds_until_s = 0.0
        next_picture_s = 0.0
        while not self._stop.is_set():
            now_s = time.monotonic()
            waits = [POLL_S, next_beat_s - now_s]
            if sounds_until_s > now_s:
                waits.append(sounds_until_s - now_s)
            if next_picture_s > now_s:
                self._stop.wait(next_picture_s - now_s)
            else:
                self._outbox.wait(max(0.0, min(waits)), for_tune=sounds_until_s <= now_s)
            if dialect.hears_reset(port):
                logger.info("the board began afresh; its picture is shown again")
                self._outbox.renew()
            picture = self._outbox.take_picture()
            if picture is not None:
                dialect.show(port, fitted(picture, leds))
                next_picture_s = time.monotonic() + dialect.picture_s
            if sounds_until_s <= time.monotonic():
                tune = self._outbox.take_tune()
                if tune is not None:
                    dialect.play(port, tune)
                    self.tunes_played += 1
                    sounds_until_s = time.monotonic() + sum(ms for _, ms in tune) / 1000
            if time.monotonic() >= next_beat_s:
                dialect.beat(port)
                next_beat_s = time.monotonic() + dialect.beat_s

    def _told_absent(self, trouble: BoardTrouble) -> BoardTrouble:
        """A board that was there and is not plugged in is news."""
        return replace(trouble, is_news=True) if self.status.connections else trouble

    def _length_trouble(self, leds: int) -> BoardTrouble | None:
        if self._expected_leds in (0, leds):
            return None
        return BoardTrouble(
            message=f"The board drives {leds} LEDs, the settings say {self._expected_leds}.",
            remedy="Set leds = 0 under [board] to take the board's number, or flash it for your strip.",
        )

    def _tell(self, **changes: object) -> None:
        status = replace(self.status, **changes)  # type: ignore[arg-type]  # names and types are checked by the callers
        if status == self.status:
            return
        if status.state is not self.status.state:
            logger.info("board %s %s %s", status.state.value, status.port, status.trouble or "")
        self.status = status
        if self._on_status is not None:
            self._on_status(status)


def fitted(picture: Picture, leds: int) -> Picture:
    """The picture on a strip of another length: each LED takes the colour at its place."""
    if len(picture) == leds or not picture:
        return picture
    return tuple(picture[(2 * i + 1) * len(picture) // (2 * leds)] for i in range(leds))
