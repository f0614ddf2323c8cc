"""The part of the set-up's first step for a web address, a film or a folder: tried before it is used.

A camera that is plugged in shows its picture in the list before it is chosen. An address shows nothing, and most of
those that are typed wrong lead somewhere: to nobody, to a router's page, to a phone whose app sleeps.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from typing import Final

from nicegui import run, ui

from deskref.camera_language import trouble_line
from deskref.language import say
from deskref.page.example_address import example_address
from deskref.page.keys import key
from deskref.page.site import Site
from devices.camera import Source, SourceError, TroubleCode
from devices.camera_loop import hangs, still_opening
from devices.camera_trial import try_source
from devices.http_answer import shown
from devices.network_film import NetworkFilm
from devices.stream import Stream

ANSWER_S: Final = 6.0
"""An address that shows no picture for so long is told to show none: phones' apps answer within 0.3 s, and a stream
by RTSP begins with its next whole picture, up to 4 s later."""

GLANCE_S: Final = 0.1
"""One picture is enough."""

NAMELESS: Final = (TroubleCode.NO_SUCH_CAMERA, TroubleCode.SEVERAL_CAMERAS)
"""What was typed is neither address nor file, and was therefore taken for a camera's name."""


class AddressChoice:
    """Type an address, and hear within seconds why it shows nothing."""

    def __init__(self, site: Site, use: Callable[[str, str], Awaitable[None]]) -> None:
        """Prepare it.

        Args:
            site: what is set up.
            use: lets the game use what was typed; given twice, as what is meant and as its name.
        """
        self._site = site
        self._use = use
        self._trying = ""
        """The address that is being tried; empty while none is."""

    def build(self) -> None:
        """Draw it into the current element."""
        ui.html(f"<h3>{escape(say('set_camera_address'))}</h3>", sanitize=False)
        self._address = ui.input(placeholder=example_address()).props("outlined dense")
        self._address.props["aria-label"] = say("set_camera_address")
        self._address.on("keydown.enter", self._typed)
        self._told = ui.label().classes("says").props('role="alert"')
        self._anyway = ui.element("div").classes("row")
        key(say("set_camera_use"), self._typed, small=True)

    async def _typed(self) -> None:
        spec = str(self._address.value or "").strip()
        if spec and spec == self._trying:
            return
        self._anyway.clear()
        if not spec:
            self._tell(say("set_camera_address_first", example=example_address()))
            return
        self._trying = spec
        self._tell(say("set_camera_opening", name=shown(spec)))
        try:
            told = await self._tried(spec)
        finally:
            is_newest = spec == self._trying
            if is_newest:
                self._trying = ""
        if self._told.is_deleted or not is_newest:
            return  # the step was left meanwhile, or another address is tried
        self._tell(told)
        if not told:
            await self._use(spec, shown(spec))

    async def _tried(self, spec: str) -> str:
        """Say why nothing can be seen there; empty where a picture comes, or where it need not be tried."""
        try:
            source = self._site.source_of(spec)
        except SourceError as error:
            if error.code in NAMELESS:
                return say("set_camera_no_address", given=shown(spec))
            return trouble_line(error.trouble)
        if not isinstance(source, Stream | NetworkFilm):
            return ""
        told = str(await run.io_bound(no_picture_at, source) or "")
        if told and not self._anyway.is_deleted and spec == self._trying:
            with self._anyway:
                key(say("set_camera_anyway"), lambda: self._use(spec, shown(spec)), small=True)
        return told

    def _tell(self, words: str) -> None:
        self._told.set_text(words)


def no_picture_at(source: Source, *, open_s: float = ANSWER_S) -> str:
    """Look at a source for a moment and say why no picture comes, and what to do; empty where one comes.

    Args:
        source: belongs to the trial from now on.
        open_s: longest wait for the first picture.
    """
    trial = try_source(source, open_s=open_s, look_s=GLANCE_S)
    if trial.frame is not None:
        return ""
    trouble = trial.status.trouble
    if trouble is not None and trouble in (still_opening(), hangs()):
        trouble = None
    return trouble_line(trouble) if trouble is not None else say("set_camera_silent", name=source.name)
