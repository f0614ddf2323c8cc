"""The part of the set-up's first step for a second camera, over a dice tray."""

from __future__ import annotations

from functools import partial

from nicegui import run, ui

from deskref.camera_language import trouble_line
from deskref.language import say
from deskref.page.example_address import example_address
from deskref.page.keys import key
from deskref.page.site import NO_CAMERA, Site
from devices.camera import SourceError
from devices.camera_list import CameraInfo


class TrayChoice:
    """Choose the tray's camera, or none, and see whether it delivers."""

    def __init__(self, site: Site) -> None:
        """Take what is set up."""
        self._site = site
        self._cameras: tuple[CameraInfo, ...] = ()
        self._wrong = ""
        """Why the last choice cannot be used."""

    def build(self) -> None:
        """Draw it, closed where no tray is in use; nobody needs it to play."""
        details = ui.element("details")
        if self._site.game.tray is not None:
            details.props("open")
        with details:
            with ui.element("summary"):
                ui.label(say("tray_title"))
            ui.label(say("tray_why")).classes("hint")
            self._choices = ui.element("div").classes("row")
            address = ui.input(placeholder=example_address()).props("outlined dense")
            address.props["aria-label"] = say("tray_address")
            key(say("tray_use"), lambda: self.use(str(address.value).strip() or NO_CAMERA), small=True)
            self._state = ui.label().classes("says").props('role="status"')
        self.refresh()

    def show(self, cameras: tuple[CameraInfo, ...]) -> None:
        """Offer these cameras, and none."""
        self._cameras = cameras
        used = self._site.game.source
        self._choices.clear()
        with self._choices:
            for camera in cameras:
                if used is None or camera.identity != used.identity:
                    button = key(camera.name, partial(self.use, camera.identity), small=True)
                    button.props["aria-label"] = f"{say('tray_use')}: {camera.name}"
            key(say("tray_none"), partial(self.use, NO_CAMERA), small=True)

    async def use(self, spec: str) -> None:
        """Let a camera look into the tray from now on, or none."""
        try:
            self._wrong = await run.io_bound(self._site.use_tray, spec) or ""
        except SourceError as error:
            self._wrong = trouble_line(error.trouble)
        self.refresh()

    def refresh(self) -> None:
        """Say how the tray's camera is."""
        tray = self._site.game.tray
        told = self._wrong
        if not told and tray is not None:
            trouble = tray.trouble
            told = (
                say("tray_looks", name=tray.source.name)
                if trouble is None
                else say("tray_trouble", problem=trouble_line(trouble))
            )
        if not self._state.is_deleted and self._state.text != told:
            self._state.set_text(told)
