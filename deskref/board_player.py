"""Plays what the referee says on the light board: a thread between the game and the board that neither waits for."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from typing import Literal

from deskref.lights import RULING, Light, Lights, Sides, advance, hear, is_moving, picture_at
from deskref.signal import Signal
from devices.board import Board, BoardStatus
from devices.board_list import Consents, PortFound

logger = logging.getLogger(__name__)

Sound = Literal["on", "quiet", "off"]
"""All sounds; only those of rulings, for which a player should look up; none."""

PICTURE_S = 0.05
"""A moving light is drawn 20 times a second; what begins is drawn at once."""

IDLE_S = 0.5
"""How long a still strip waits for something new."""

INBOX = 200
"""Steps of the game that may wait: seconds of the fastest play; then they are left out and counted."""

USUAL_LEDS = 48
"""Length of the strip while no board has said its own."""

JOIN_S = 3.0
"""How long stopping waits for the thread."""


class BoardPlayer:
    """Owns a board; `hear` may be called by the referee's thread and returns at once."""

    def __init__(
        self,
        board: Board,
        *,
        sides: Sides,
        sound: Sound = "on",
        brightness: float = 1.0,
        consents: Consents | None = None,
    ) -> None:
        """Prepare; `start` begins.

        Args:
            board: not started yet; closed by `stop`.
            sides: the number of a soldier's side; called in the referee's thread's wake by this one.
            sound: which sounds are played.
            brightness: 0 to 1.
            consents: the player's word on serial devices, as the board's finder reads it.
        """
        self.board = board
        self._consents = consents
        self.missed = 0
        """Steps of the game that were left out, since the player stood still."""
        self.lights = Lights()
        """Replaced as a whole; any thread may read it."""
        self._sides = sides
        self._sound = sound
        self._brightness = brightness
        self._inbox: queue.Queue[tuple[Signal, ...] | None] = queue.Queue(INBOX)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board player", daemon=True)

    @property
    def status(self) -> BoardStatus:
        """How the board is."""
        return self.board.status

    @property
    def is_sounding(self) -> bool:
        """Whether the board plays the sounds, so that the page need not."""
        status = self.board.status
        return status.is_ready and status.has_sound and self._sound != "off"

    def start(self) -> None:
        """Start the board and the thread; returns at once."""
        self.board.start()
        self._thread.start()

    def hear(self, signals: tuple[Signal, ...]) -> None:
        """Take signals of one step; never waits."""
        try:
            self._inbox.put_nowait(signals)
        except queue.Full:
            self.missed += 1

    def answer(self, port: PortFound, *, agreed: bool) -> None:
        """Take the player's word on whether a device is a light board; it is remembered and acted upon at once."""
        if self._consents is not None:
            self._consents.remember(port, agreed=agreed)
        self.board.look_now()

    def answer_on(self, port: PortFound) -> bool | None:
        """What the player said about a device; None where nobody has yet."""
        return self._consents.answer(port) if self._consents is not None else None

    def stop(self) -> None:
        """Make the board dark and let go of it."""
        self._stop.set()
        with contextlib.suppress(queue.Full):
            self._inbox.put_nowait(None)
        if self._thread.is_alive():
            self._thread.join(JOIN_S)
        self.board.close()

    def _run(self) -> None:
        shown: tuple[object, int] | None = None
        wait_s = IDLE_S
        while not self._stop.is_set():
            try:
                self._take(wait_s)
                now_s = time.monotonic()
                self.lights, begun = advance(self.lights, now_s)
                for light in begun:
                    self._sound_of(light)
                leds = self.board.status.leds or USUAL_LEDS
                picture = picture_at(self.lights, now_s, count=leds, brightness=self._brightness)
                if shown != (picture, leds):
                    shown = (picture, leds)
                    self.board.show(picture)
                wait_s = PICTURE_S if is_moving(self.lights, now_s) else IDLE_S
            except Exception:
                logger.exception("the light player failed; it begins afresh")
                self.lights = Lights()
                self._stop.wait(IDLE_S)

    def _take(self, wait_s: float) -> None:
        """Take everything that waits, waiting for the first of it."""
        try:
            given = self._inbox.get(timeout=wait_s)
            while True:
                if given is not None:
                    self.lights = hear(self.lights, given, self._sides)
                given = self._inbox.get_nowait()
        except queue.Empty:
            pass

    def _sound_of(self, light: Light) -> None:
        tones = light.program.tones
        if not tones or self._sound == "off" or (self._sound == "quiet" and light.program.priority < RULING):
            return
        self.board.play(tuple((tone.hz, tone.ms) for tone in tones))
