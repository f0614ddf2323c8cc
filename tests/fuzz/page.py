"""What browsers send to the page: requests with any path, query and headers, posted pictures, events of the pages."""

from __future__ import annotations

import asyncio
import json
import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from fastapi import FastAPI

from deskref.board_places import Layout
from deskref.live import LiveGame
from deskref.page import live_view
from deskref.page.clicked_point import point_of
from deskref.page.guard import Guard
from deskref.page.live_view import LiveView
from deskref.page.routes import add_routes
from deskref.page.site import Site
from deskref.page.world_saga_fields import squares
from deskref.play import Play
from deskref.settings import PageSettings, Settings
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from tests.fuzz.engine import Target
from tests.fuzz.wires import _images

PORT = 8377
TOKEN = "a" * 32

ENDLESS = ("/stream.mjpg",)
"""Answers that never end are not waited for."""


@cache
def _served() -> tuple[Guard, asyncio.AbstractEventLoop]:
    app = FastAPI()
    folder = Path(tempfile.mkdtemp(prefix="deskref-fuzz-"))
    site = Site(LiveGame(Play()), folder, Settings(), PageSettings())
    add_routes(app, site)
    return Guard(app, page_port=PORT, phone_token=lambda: TOKEN), asyncio.new_event_loop()


def _request(data: bytes, folder: Path) -> str | None:
    """Method, path and query, then headers, an empty line, and what is posted."""
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _, target = first.partition(b" ")
    path, _, query = target.partition(b"?")
    headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
    port = PORT + 1 if method.endswith(b"+") else PORT
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method.rstrip(b"+").decode("latin-1").upper(),
        "scheme": "http",
        "path": path.decode("utf-8", "replace"),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "server": ("127.0.0.1", port),
        "client": ("127.0.0.1", 5),
    }
    if scope["path"] in ENDLESS:
        return "endless"
    app, loop = _served()
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def answered() -> None:
        await asyncio.wait_for(app(scope, receive, send), 0.5)

    try:
        loop.run_until_complete(answered())
    except TimeoutError:
        return "waits"  # for a newer score
    status = sent[0]["status"] if sent else 0
    assert 200 <= status < 500, f"status {status}"
    if status in (400, 422):
        _plain(b"".join(message.get("body", b"") for message in sent[1:]))
    return {204: "taken", 200: "answered", 307: "elsewhere", 400: "refused", 403: "kept out", 404: "nothing there"}.get(
        status, "status " + "i" * (status // 100) + "x" * (status % 100)
    )


def _plain(body: bytes) -> None:
    assert b"Input should" not in body, "a library's words"


def _event(data: bytes, folder: Path) -> str | None:
    """What the pages' own scripts emit when a board or the picture is clicked, and lists of squares that are typed."""
    squares(data.decode("utf-8", "replace"))
    try:
        sent = json.loads(data)
    except (ValueError, RecursionError):
        return "no JSON"
    event: Any = SimpleNamespace(args=sent)
    at = point_of(event)
    if at is not None:
        for board in (SquareBoard(7, 7), HexBoard(7, 7), Ground()):
            layout = Layout(board, 25.4, (200.0, 200.0))
            place = layout.place_at(at)
            assert place is None or layout.place_at(layout.middle(place)) is not None
    with mock.patch.object(live_view, "correct_die"), mock.patch.object(live_view, "name_figure"):
        view: Any = SimpleNamespace(site=SimpleNamespace(game=None))
        LiveView._clicked(view, event)
    return "nothing" if at is None else "a place"


HERE = b"\nhost: 127.0.0.1:8377\nsec-fetch-site: same-origin"
CALLS = (
    b"GET /sheet.pdf?kind=mat&paper=a4&grid=inch&wide=1&deep=1" + HERE,
    b"GET /sheet.pdf?kind=tiles&wide=2&deep=2" + HERE,
    b"GET /score.json?after=0" + HERE,
    b"GET /overlay?parts=turn,log" + HERE,
    b"GET /phone" + HERE,
    b"GET /camera?as=phone" + HERE + b"\norigin: http://127.0.0.1:8377",
    b"GET /sent.jpg" + HERE,
    b"GET+ /score?token=" + TOKEN.encode() + b"\nhost: 192.168.1.5:8378\ncookie: token=x",
    b"POST+ /frame?sender=me&token=" + TOKEN.encode() + b"\nhost: h\norigin: https://h\n\n" + _images()[0],
    b"POST /frame?sender=x" + HERE + b"\n\n" + _images()[1],
)

TARGETS = (
    Target(
        "request",
        "requests to the page's addresses, posted pictures among them",
        _request,
        CALLS,
        (b"?", b"&", b"=", b"%", b"%ff", b"token=", b"\n\n", b"\n", b"kind=", b"wide=99", b"deep=-1", b"after=", b"/"),
    ),
    Target(
        "event",
        "what the pages' scripts emit, and lists of squares",
        _event,
        (b'{"x": 3.5, "y": 2}', b'{"die": "12"}', b'{"figure": 3}', b"1,2 3,4"),
        form="json",
    ),
)
