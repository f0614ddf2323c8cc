"""What the set-up says where no further picture comes: a recording that is over, a camera that is gone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from nicegui import run, ui

from deskref.camera_language import trouble_line
from deskref.language import say
from deskref.page.keys import key
from deskref.page.site import Site
from devices.camera_loop import CameraState, CameraStatus

TROUBLE_S: Final = 3.0
"""A trouble that is over sooner, as of a busy computer, is not told: the step would jump down and up again."""


class PicturesNews:
    """A card over a step of the set-up, empty while pictures come; built into the current element."""

    def __init__(self, site: Site, *, choose: Callable[[], object]) -> None:
        """Prepare it.

        Args:
            site: the game with its camera.
            choose: opens the step in which a camera is chosen.
        """
        self._site = site
        self._choose = choose
        self._shown = self._heard = ""
        self._since_s = 0.0
        """When what is heard was first heard."""
        self._card = ui.element("div").props('role="alert"')

    def refresh(self, *, is_wanted: bool) -> None:
        """Say what has happened to the pictures; nothing where the step needs none."""
        status = self._site.game.camera_status if is_wanted else None
        told = _told(status) if status is not None else ""
        if told != self._heard:
            self._heard, self._since_s = told, time.monotonic()
        has_ended = status is not None and status.state is CameraState.ENDED
        if told == self._shown or (told and not has_ended and time.monotonic() - self._since_s < TROUBLE_S):
            return
        self._shown = told
        self._card.clear()
        if not told or status is None:
            return
        with self._card, ui.element("section").classes("card ask"):
            ui.label(told).classes("says")
            with ui.element("div").classes("row gap"):
                if status.state is CameraState.ENDED:
                    key(say("set_ended_again"), self._again, main=True)
                key(say("set_ended_choose"), self._choose)

    async def _again(self) -> None:
        source = self._site.game.source
        if source is not None:
            await run.io_bound(self._site.use_camera, source.again())


def _told(status: CameraStatus) -> str:
    if status.trouble is not None:
        return trouble_line(status.trouble)
    return say("set_ended", name=status.name) if status.state is CameraState.ENDED else ""
