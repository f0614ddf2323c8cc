"""The second camera's threads: frames of the dice tray in, rolls out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from deskref.inputs import InTray
from deskref.tray import TrayEyes
from devices.camera import Source, Trouble
from devices.camera_loop import CameraState, CameraStatus
from devices.camera_thread import CameraThread, slot_for
from vision.taught_faces import TaughtFaces

logger = logging.getLogger(__name__)

LOOK_S = 0.2
"""How long is waited for a frame before the thread looks whether it is to end."""

STOP_S = 5.0
"""How long stopping waits for each thread."""


class TrayFeed:
    """Watches the tray beside the game."""

    def __init__(self, source: Source, tell: Callable[[InTray], None], *, eyes: TrayEyes | None = None) -> None:
        """Prepare; `start` begins.

        Args:
            source: the camera over the tray; belongs to this from now on.
            tell: takes what is new in the tray, in this feed's thread.
            eyes: what looks at the frames. By default their dice are numbered by the clock, so that those of a game
                that goes on after a restart get other numbers than before.
        """
        self._tell = tell
        self._eyes = eyes or TrayEyes(first=-int(time.time()))
        self._frames = slot_for(source)
        self._camera = CameraThread(source, self._frames)
        self._thread = threading.Thread(target=self._look, name="tray", daemon=True)
        self._stop = threading.Event()
        self._opening = -1

    @property
    def source(self) -> Source:
        """The camera over the tray."""
        return self._camera.source

    @property
    def status(self) -> CameraStatus:
        """How its camera is."""
        return self._camera.status

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with its camera now; None while it delivers."""
        return self._camera.status.trouble

    @property
    def values(self) -> tuple[int | None, ...]:
        """What the dice in the tray show, as last read."""
        return self._eyes.values

    def know_faces(self, taught: TaughtFaces) -> None:
        """Know these taught faces from the next throw on."""
        self._eyes.know_faces(taught)

    @property
    def has_ended(self) -> bool:
        """Whether no frame will follow: the end of a film."""
        return self._camera.status.state is CameraState.ENDED

    def start(self) -> None:
        """Start the threads."""
        self._camera.start()
        self._thread.start()

    def stop(self) -> None:
        """End them; waits a few seconds at most."""
        self._stop.set()
        self._camera.stop()
        self._frames.close()
        if self._thread.is_alive():
            self._thread.join(STOP_S)
        self._camera.join(STOP_S)

    def _look(self) -> None:
        while not self._stop.is_set():
            frame = self._frames.take(LOOK_S)
            if frame is None:
                if self._frames.is_closed:
                    return
                continue
            opening = self._camera.status.openings
            if opening != self._opening:
                # While nobody looked dice may have been put there by hand.
                self._opening = opening
                self._eyes.forget()
            try:
                told = self._eyes.look(frame)
            except Exception:
                logger.exception("a frame of the tray could not be looked at; the next one is tried")
                continue
            for each in told:
                self._tell(each)
