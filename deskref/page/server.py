"""Serve the page on this computer: pages, theme, the guard before them, and the running of the web server."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from fastapi import Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse, RedirectResponse
from nicegui import app, binding, ui
from starlette.exceptions import HTTPException

from deskref import language
from deskref.diagnostics import remember_messages
from deskref.page.doctor_page import DoctorPage
from deskref.page.ending import prepare_end
from deskref.page.guard import Guard
from deskref.page.phones import PhonesError
from deskref.page.plain_pages import unknown_page
from deskref.page.port import HOST, check_port
from deskref.page.report_page import ReportPage
from deskref.page.routes import add_routes
from deskref.page.setup_page import SetupPage
from deskref.page.site import Site
from deskref.page.table_page import TablePage

HERE: Final = Path(__file__).parent
THEME: Final = HERE / "theme.css"
SCRIPTS: Final = ("keys.js", "tones.js", "effects.js", "strip.js", "picture.js", "camera.js")
"""Scripts of the pages that the library builds."""

RECONNECT_S: Final = 30.0
"""A window that was away this long goes on where it was; after more it loads anew and an open form is lost. The
library's 3 s are less than a busy computer or a laptop's lid takes (seen: forms lost under load)."""

DARK: Final = {"auto": None, "dark": True, "light": False}


def serve(
    site: Site,
    *,
    on_started: Callable[[], None] | None = None,
    on_trouble: Callable[[str], None] | None = None,
) -> None:
    """Serve the pages of a game until the program is ended; starts and stops the game.

    Args:
        site: the game, not started yet, with the settings.
        on_started: called when the server answers.
        on_trouble: called with what does not work although the settings want it: phones.

    Raises:
        PortTakenError: the port is in use.
    """
    settings, live = site.page, site.game
    check_port(settings.port)
    binding.MAX_PROPAGATION_TIME = math.inf  # how long the fields of a form take is nothing for a player's terminal
    remember_messages()
    language.use(settings.language)

    def dress() -> None:
        ui.add_css(THEME)
        scripts = "\n".join((HERE / name).read_text(encoding="utf-8") for name in SCRIPTS)
        spoken = f'document.documentElement.lang = "{language.now().code}";'
        ui.add_head_html(f"<script>{spoken}\n{scripts}</script>")

    def table() -> Response | None:
        if site.is_new:
            return RedirectResponse("/setup")
        dress()
        TablePage(site, sound=settings.sound)
        return None

    def setup(step: str = "camera") -> None:
        dress()
        SetupPage(site, first=step)

    def doctor() -> None:
        dress()
        DoctorPage(site)

    def report(game: str = "") -> None:
        dress()
        ReportPage(site.game, site.home / "games", key=game)

    async def not_found(request: Request, error: Exception) -> Response:
        # Addresses for programs answer programs; the library's own pages would answer every address with the table.
        if request.scope.get("endpoint") is not None and isinstance(error, HTTPException):
            return await http_exception_handler(request, error)
        return HTMLResponse(unknown_page(request.url.path), status_code=404)

    async def let_phones_in() -> None:
        try:
            await site.phones.open(app)
        except PhonesError as error:
            if on_trouble is not None:
                on_trouble(str(error))

    add_routes(app, site)
    app.add_exception_handler(404, not_found)
    ui.page("/")(table)
    ui.page("/setup")(setup)
    ui.page("/report")(report)
    ui.page("/doctor")(doctor)
    app.add_middleware(Guard, page_port=settings.port, phone_token=lambda: site.phones.token)
    app.on_startup(live.start)
    app.on_startup(partial(prepare_end, live, is_kept=not site.notice, on_end=site.pictures.end))
    if site.own.phones.allowed:
        app.on_startup(let_phones_in)
    app.on_shutdown(site.phones.close)
    app.on_shutdown(live.stop)
    if on_started is not None:
        app.on_startup(on_started)
    ui.run(
        host=HOST,
        port=settings.port,
        title="deskref",
        favicon="🎲",
        dark=DARK[settings.theme],
        show=settings.open_browser,
        reload=False,
        show_welcome_message=False,
        reconnect_timeout=RECONNECT_S,
        timeout_graceful_shutdown=1,  # streams of open pages never end by themselves
    )
