"""Serve the page on this computer: routes, theme and the running of the web server."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from nicegui import app, ui

from deskref.live import LiveGame
from deskref.page.pictures import BOUNDARY, Pictures
from deskref.page.table_page import TablePage
from deskref.settings import PageSettings

HOST = "127.0.0.1"
"""Only this computer; phones are let in by a switch of their own."""

THEME = Path(__file__).with_name("theme.css")
TONES = Path(__file__).with_name("tones.js")

DARK = {"auto": None, "dark": True, "light": False}


class PortTakenError(Exception):
    """The page's port is in use: another copy runs, or another program has it."""


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


def check_port(port: int) -> None:
    """Raise `PortTakenError` where something answers on the port already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise PortTakenError(
                f"Port {port} is in use: deskref is running already (open http://{HOST}:{port}), or another program "
                f"has the port. Close it, or choose another: --port {port + 1}"
            ) from error


def _is_own_page(request: Request, port: int) -> bool:
    """Whether a request comes from this page or from a program, not from a foreign site in the browser."""
    origin = request.headers.get("origin") or request.headers.get("referer")
    own = (f"http://{HOST}:{port}", f"http://localhost:{port}")
    hosts = (f"{HOST}:{port}", f"localhost:{port}")
    return request.headers.get("host") in hosts and (origin is None or origin.startswith(own))
