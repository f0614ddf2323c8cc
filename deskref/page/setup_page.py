"""The set-up: six steps from an unknown camera to a game, each of which can be skipped and come back to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Final, Protocol

from nicegui import ui

from deskref.game_report import is_going_on
from deskref.language import say
from deskref.page.keys import key
from deskref.page.pictures_news import PicturesNews
from deskref.page.setup_aim import AimStep, ScaleStep
from deskref.page.setup_camera import CameraStep
from deskref.page.setup_check import CheckStep, GameStep
from deskref.page.setup_mat import MatStep
from deskref.page.site import NO_CAMERA, Site

REFRESH_S: Final = 0.25
"""How often a step looks for something new."""


LOOKING: Final = ("aim", "scale", "check")
"""Steps in which the player looks at the camera's picture."""


class Step(Protocol):
    """One step of the set-up in one window; built when it is opened, into the current element."""

    def build(self) -> None:
        """Draw the step."""

    async def refresh(self) -> None:
        """Show what has changed."""


class SetupPage:
    """The frame round the steps: where one is, and the ways back, on and out."""

    def __init__(self, site: Site, *, first: str = "camera") -> None:
        """Build the page in the current client.

        Args:
            site: what is set up.
            first: the step that is opened: `camera`, `mat`, `aim`, `scale`, `check` or `game`.
        """
        self.site = site
        self._makers: dict[str, Callable[[], Step]] = {
            "camera": lambda: CameraStep(site, self.go_on),
            "mat": lambda: MatStep(site),
            "aim": lambda: AimStep(site, self.go_on, may_go_on="aim" not in self._seen),
            "scale": lambda: ScaleStep(site),
            "check": lambda: CheckStep(site),
            "game": lambda: GameStep(site, self.leave),
        }
        self._seen: set[str] = set()
        self._name = first if first in self._makers else "camera"
        self._step: Step | None = None
        self._is_busy = False
        with ui.element("div").classes("setup"):
            with ui.element("header").classes("bar"):
                ui.html(f"<h1>{escape(say('set_title'))}</h1>", sanitize=False)
                with ui.element("div").classes("row push"):
                    key(say("set_leave"), self.leave, small=True)
            self._steps = ui.element("nav")
            self._steps.props["aria-label"] = say("set_steps")
            self._news = PicturesNews(site, choose=partial(self.open, "camera"))
            self._passed_over = ui.label().classes("hint").props('role="status"')
            self._body = ui.element("section").classes("card step").props('aria-live="off"')
            self._ways = ui.element("div").classes("row ways")
        self.open(self._name)
        ui.timer(REFRESH_S, self._refresh)

    @property
    def names(self) -> tuple[str, ...]:
        """The steps in their order."""
        return tuple(self._makers)

    def open(self, name: str) -> None:
        """Open a step; one that is open stays as it is, with what was typed into it."""
        if self._step is not None and name == self._name:
            return
        self._name = name
        self._passed_over.set_text("")
        self._draw_steps()
        self._body.clear()
        self._step = self._makers[name]()
        self._seen.add(name)
        with self._body:
            if name not in ("camera", "mat", "game") and not self.site.game.has_camera:
                ui.label(say("set_needs_camera")).classes("lead")
                self._step = None
            else:
                self._step.build()
        self._ways.clear()
        at = self.names.index(name)
        with self._ways:
            if at > 0:
                key(say("set_back"), partial(self.open, self.names[at - 1]))
            if at + 1 < len(self.names):
                key(say("set_skip"), self.go_on)
                key(say("set_next"), self.go_on, main=True)
            else:
                key(say("set_game_back" if is_going_on(self.site.game.session) else "set_game_later"), self.leave)

    def go_on(self) -> None:
        """Open the next step; what needs a camera is passed over where there is none, and named."""
        at = self.names.index(self._name) + 1
        to = at if self.site.game.has_camera else self.names.index("game")
        self.open(self.names[min(to, len(self.names) - 1)])
        if at < to:
            self._passed_over.set_text(say("set_passed_over", steps=", ".join(map(self._titled, self.names[at:to]))))

    def leave(self) -> None:
        """Go to the table; what was never chosen is typed dice from now on."""
        if not self.site.own.camera.source:
            self.site.keep_camera(NO_CAMERA)
        self.site.is_new = False
        ui.navigate.to("/")

    def _titled(self, name: str) -> str:
        return f"{self.names.index(name) + 1}  {say(f'set_step_{name}')}"

    def _draw_steps(self) -> None:
        self._steps.clear()
        with self._steps, ui.element("ol").classes("steps"):
            for name in self.names:
                with ui.element("li"):
                    is_here = name == self._name
                    button = key(self._titled(name), partial(self.open, name), small=True)
                    if is_here:
                        button.props('aria-current="step"').classes("here")

    async def _refresh(self) -> None:
        self._news.refresh(is_wanted=self._name in LOOKING)
        if self._step is None or self._is_busy:
            return
        self._is_busy = True
        try:
            await self._step.refresh()
        finally:
            self._is_busy = False
