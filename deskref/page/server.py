"""Serve the page on this computer: routes, theme and the running of the web server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from nicegui import app, ui

from deskref import language
from deskref.live import LiveGame
from deskref.page.pictures import BOUNDARY, Pictures
from deskref.page.port import HOST, check_port
from deskref.page.table_page import TablePage
from deskref.settings import PageSettings

THEME = Path(__file__).with_name("theme.css")
TONES = Path(__file__).with_name("tones.js")

DARK = {"auto": None, "dark": True, "light": False}


def serve(
    game: LiveGame, settings: PageSettings, *, notice: str = "", on_started: Callable[[], None] | None = None
) -> None:
    """Serve the page of a game until the program is ended; starts and stops the game.

    Args:
        game: not started yet.
        settings: port, theme, sound, browser.
        notice: shown in the bar.
        on_started: called when the server answers.

    Raises:
        PortTakenError: the port is in use.
    """
    check_port(settings.port)
    language.use(settings.language)
    pictures = Pictures(game)

    async def stream(request: Request) -> Response:
        if not _is_own_page(request, settings.port):
            return Response("Pictures are shown on deskref's own page only.", status_code=403)
        return StreamingResponse(pictures.stream(), media_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}")

    def page() -> None:
        ui.add_css(THEME)
        ui.add_head_html(f"<script>{TONES.read_text(encoding='utf-8')}</script>")
        TablePage(game, notice=notice, sound=settings.sound)

    app.add_api_route("/stream.mjpg", stream, methods=["GET"])
    app.on_startup(game.start)
    app.on_shutdown(game.stop)
    if on_started is not None:
        app.on_startup(on_started)
    ui.run(
        page,
        host=HOST,
        port=settings.port,
        title="deskref",
        favicon="🎲",
        dark=DARK[settings.theme],
        show=settings.open_browser,
        reload=False,
        show_welcome_message=False,
    )


def _is_own_page(request: Request, port: int) -> bool:
    """Whether a request comes from this page or from a program, not from a foreign site in the browser."""
    origin = request.headers.get("origin") or request.headers.get("referer")
    own = (f"http://{HOST}:{port}", f"http://localhost:{port}")
    hosts = (f"{HOST}:{port}", f"localhost:{port}")
    return request.headers.get("host") in hosts and (origin is None or origin.startswith(own))
