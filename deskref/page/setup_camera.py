"""The first step of the set-up: every camera with its picture, a phone, an address, or none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

import cv2
import numpy as np
from nicegui import app, run, ui

from deskref.camera_language import trouble_line
from deskref.language import say
from deskref.page.frames_in import BROWSER, PHONE
from deskref.page.keys import counts_once, key
from deskref.page.live_picture import CAMERA, show_stream
from deskref.page.phones import PhonesError, qr_code
from deskref.page.pictures import picture_address
from deskref.page.setup_address import AddressChoice
from deskref.page.setup_tray import TrayChoice
from deskref.page.site import NO_CAMERA, Site
from devices.camera import Source, SourceError
from devices.camera_list import CameraInfo, list_cameras
from devices.camera_trial import Trial, try_source
from devices.frame import Frame

THUMBNAIL_PX = 320
"""Width of a camera's picture in the list."""

GLANCE_S = 0.6
"""So long each camera is looked at for its picture: its exposure settles; four cameras take some seconds."""

OPEN_S = 6.0
"""A camera that shows nothing for so long has no picture in the list."""


class CameraStep:
    """Choose a camera by its picture."""

    def __init__(self, site: Site, go_on: Callable[[], None]) -> None:
        """Take what is set up and the way to the next step."""
        self.site = site
        self.go_on = go_on
        self._cameras: list[CameraInfo] = []
        self._pictures: dict[str, str] = {}
        """Thumbnail by identity; empty where the camera shows nothing."""
        self._troubles: dict[str, str] = {}
        self._to_try: list[CameraInfo] = []
        self._sends = False
        """Whether a phone was sending when its part was drawn."""
        self._live_trouble: ui.label | None = None
        self._cards: dict[str, ui.element] = {}
        """Each camera's part of the list; only what changes is drawn again, for a click that is on its way to a
        button that is drawn again is lost, and so is what was typed."""

    def build(self) -> None:
        """Draw the step and begin to look at the cameras."""
        ui.html(f'<h2 class="lead">{escape(say("set_camera_lead"))}</h2>', sanitize=False)
        ui.label(say("set_camera_privacy")).classes("hint")
        self._trouble = ui.label().classes("says").props('role="alert"')
        self._list = ui.element("div").classes("choices")
        self._others = ui.element("div").classes("choices")
        self._tray = TrayChoice(self.site)
        self._tray.build()
        self._live = ui.element("div")
        self.look()
        self._draw_others()
        self._draw_live()

    def look(self) -> None:
        """List the cameras and look at each in turn."""
        self._cameras = list(list_cameras())
        self._to_try = [camera for camera in self._cameras if camera.identity != self._used()]
        self._pictures.clear()
        self._troubles.clear()
        self._draw_cameras()

    async def refresh(self) -> None:
        """Look at the next camera; show a phone or browser that begins to send."""
        if self._phone_sends() != self._sends:
            self._draw_phone()
        self._tell_trouble()
        self._tray.refresh()
        if not self._to_try:
            return
        camera = self._to_try.pop(0)
        try:
            source = self.site.source_of(camera.identity)
        except SourceError as error:
            self._troubles[camera.identity] = trouble_line(error.trouble)
        else:
            if source is not None:
                trial = await run.io_bound(try_source, source, open_s=OPEN_S, look_s=GLANCE_S)
                self._take(camera.identity, trial)
        self._draw_camera(camera)

    def _phone_sends(self) -> bool:
        return self.site.frames_in.newest(PHONE) is not None

    def _take(self, identity: str, trial: Trial | None) -> None:
        if trial is None:
            return  # the program ends
        if trial.frame is not None:
            self._pictures[identity] = thumbnail(trial.frame)
        if trial.status.trouble is not None:
            self._troubles[identity] = trouble_line(trial.status.trouble)

    def _used(self) -> str:
        source = self.site.game.source
        return source.identity if source is not None else ""

    def _draw_cameras(self) -> None:
        self._list.clear()
        with self._list:
            self._cards = {camera.identity: ui.element("article") for camera in self._cameras}
            for camera in self._cameras:
                self._draw_camera(camera)
            if not self._cameras:
                ui.label(say("set_camera_none"))
            key(say("set_camera_look"), self.look, small=True)
        self._tray.show(tuple(self._cameras))

    def _draw_camera(self, camera: CameraInfo) -> None:
        card = self._cards.get(camera.identity)
        if card is None or card.is_deleted:
            return  # the list is another one by now
        is_used = camera.identity == self._used()
        card.clear()
        card.classes(replace="choice used" if is_used else "choice")
        with card:
            picture = self._pictures.get(camera.identity)
            alt = escape(say("set_camera_alt", name=camera.name), quote=True)
            if picture:
                ui.html(f'<img src="{picture}" alt="{alt}">', sanitize=False)
            else:
                trouble = self._troubles.get(camera.identity)
                waiting = say("set_camera_looking") if trouble is None and not is_used else ""
                ui.html(f'<div class="blank">{escape(waiting)}</div>', sanitize=False)
            ui.html(f"<h3>{escape(camera.name)}</h3>", sanitize=False)
            if camera.identity in self._troubles:
                ui.label(self._troubles[camera.identity]).classes("hint")
            self._use_key(camera.identity, is_used=is_used, name=camera.name)

    def _draw_others(self) -> None:
        used = self._used()
        self._others.clear()
        with self._others:
            for kind, title, why in (
                (BROWSER, "set_camera_browser", "set_camera_browser_why"),
                (PHONE, "set_camera_phone", "set_camera_phone_why"),
            ):
                is_used = used == self.site.frames_in.sources[kind].identity
                with ui.element("article").classes("choice used" if is_used else "choice"):
                    ui.html(f"<h3>{escape(say(title))}</h3>", sanitize=False)
                    ui.label(say(why)).classes("hint")
                    if kind == PHONE:
                        self._phone = ui.element("div").classes("choice-part")
                        self._draw_phone()
                    else:
                        self._use_key(kind, is_used=is_used, name=say(title))
            with ui.element("article").classes("choice"):
                AddressChoice(self.site, self.use).build()
            is_typed = self.site.own.camera.source == NO_CAMERA and not used
            with ui.element("article").classes("choice used" if is_typed else "choice"):
                ui.html(f"<h3>{escape(say('set_camera_typed'))}</h3>", sanitize=False)
                ui.label(say("set_camera_typed_why")).classes("hint")
                self._use_key(NO_CAMERA, is_used=is_typed, name=say("set_camera_typed"))

    def _draw_phone(self) -> None:
        if self._phone.is_deleted:
            return  # the step was left meanwhile
        self._sends = self._phone_sends()
        self._phone.clear()
        with self._phone:
            self._draw_phone_parts(is_used=self._used() == self.site.frames_in.sources[PHONE].identity)

    def _draw_phone_parts(self, *, is_used: bool) -> None:
        phones = self.site.phones
        counts_once(
            ui.switch(
                say("set_phones"), value=phones.is_open, on_change=lambda e: self._allow(is_allowed=bool(e.value))
            )
        )
        if not phones.is_open:
            ui.label(say("set_phones_why")).classes("hint")
            return
        draw_phone_code(self.site, "camera")
        if self._sends:
            ui.label(say("set_phones_here"))
            self._use_key(PHONE, is_used=is_used, name=say("set_camera_phone"))
        else:
            ui.label(say("set_phones_waiting")).classes("hint")

    async def _allow(self, *, is_allowed: bool) -> None:
        self._trouble.set_text(await allow_phones(self.site, is_allowed=is_allowed))
        self._draw_phone()

    def _use_key(self, spec: str, *, is_used: bool, name: str) -> None:
        if is_used:
            ui.label(f"✓ {say('set_camera_used')}").classes("used-word")
        else:
            button = key(say("set_camera_use"), partial(self.use, spec, name), small=True)
            button.props["aria-label"] = f"{say('set_camera_use')}: {name}"

    async def use(self, spec: str, name: str) -> None:
        """Let the game use a camera, remember it, and show its picture."""
        self._to_try.clear()
        self._trouble.set_text(say("set_camera_opening", name=name))
        spec = spec.strip() or "auto"
        if Path(spec).exists():
            spec = str(Path(spec).resolve())  # the next start may be in another folder
        try:
            source = self.site.source_of(spec)
        except SourceError as error:
            self._trouble.set_text(trouble_line(error.trouble))
            return
        await run.io_bound(self.site.use_camera, source)
        kept = source.identity if source is not None and _is_plugged_in(source) else spec
        self._trouble.set_text(self.site.keep_camera(kept))
        if spec == BROWSER:
            start_browser_camera(is_asked=True)
        if source is None:
            self.go_on()
            return
        if self._list.is_deleted:
            return  # the step was left meanwhile
        self._draw_cameras()
        self._draw_others()
        self._draw_live()

    def _draw_live(self) -> None:
        self._live.clear()
        if not self.site.game.has_camera:
            return
        with self._live:
            ui.html(f"<h3>{escape(say('set_live'))}</h3>", sanitize=False)
            with ui.element("div").classes("picture modest") as box:
                ui.html(f'<img alt="{escape(say("page_camera_alt"), quote=True)}">', sanitize=False)
            show_stream(box, CAMERA)
            self._live_trouble = ui.label().classes("says").props('role="status"')

    def _tell_trouble(self) -> None:
        """Say under the live picture what is wrong with the camera that is in use."""
        label = self._live_trouble
        if label is None or label.is_deleted:
            return
        trouble = self.site.game.trouble
        told = trouble_line(trouble) if trouble is not None else ""
        if label.text != told:
            label.set_text(told)


def _is_plugged_in(source: Source) -> bool:
    return any(camera.identity == source.identity for camera in list_cameras())


async def allow_phones(site: Site, *, is_allowed: bool) -> str:
    """Open or close the door for phones and remember it; gives what went wrong, in words for the player."""
    if not is_allowed:
        await site.phones.close()
        return site.keep(phones=site.own.phones.model_copy(update={"allowed": False}))
    try:
        await site.phones.open(app)
    except PhonesError as error:
        return str(error)
    return site.keep(phones=site.own.phones.model_copy(update={"allowed": True}))


def draw_phone_code(site: Site, path: str) -> None:
    """Draw the code that a phone scans, its address, and what the phone will warn of."""
    link = site.phones.link(path)
    code = qr_code(link)
    ui.label(say("set_phones_scan" if code else "set_phones_no_code"))
    if code:
        ui.html(f'<div class="code">{code}</div>', sanitize=False)
    ui.html(f'<a class="address" href="{escape(link, quote=True)}" target="_blank">{escape(link)}</a>', sanitize=False)
    ui.label(say("set_phones_warning")).classes("hint")


def start_browser_camera(*, is_asked: bool) -> None:
    """Let this window's browser send its camera's pictures.

    Args:
        is_asked: whether the player just asked for it; otherwise only a browser does that did before.
    """
    condition = "true" if is_asked else "localStorage.deskrefCamera === '1'"
    ui.run_javascript(
        f"if ({condition} && !deskrefCamera.running) {{ deskrefCamera.start('browser').then((began) => "
        "{ if (began) localStorage.deskrefCamera = '1'; }); }"
    )


def thumbnail(frame: Frame) -> str:
    """A small copy of a frame, as an address that an `<img>` shows."""
    width, height = frame.size
    size = (THUMBNAIL_PX, max(1, round(THUMBNAIL_PX * height / width)))
    small = cv2.resize(frame.image_bgr, size, interpolation=cv2.INTER_AREA)
    return picture_address(np.asarray(small, dtype=np.uint8))
