"""Options that cannot be are refused in plain words."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from typer.testing import CliRunner

from deskref.command_line import app
from deskref.live import LiveGame
from deskref.page.routes import add_routes
from deskref.page.site import Site
from deskref.play import Play
from deskref.settings import PageSettings, Settings


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("mat", "--paper", "legal"), "'legal' is not one of 'a4', 'letter'"),
        (("board", "test", "--kind", "lamp"), "'lamp' is not one of 'auto'"),
        (("bench", "--frames", "5"), "5"),
        (("bench", "--frames", "five"), "'five'"),
        (("play", "--port", "99999999"), "65535"),
        (("calibrate", "--seconds", "soon"), "'soon'"),
        (("mat", "--kind", "tiles", "--tiles", "٢x٣"), "--tiles 2x3"),
        (("mat", ""), "an empty name is no file"),
        (("read", "--draw", "", "a.png"), "an empty name is no file"),
        (("explain", "--out", " ", "a.png"), "an empty name is no file"),
        (("demo", "--headless", "--record", ""), "an empty name is no file"),
        (("doctor", "--bundle", ""), "an empty name is no file"),
        (("replay", ""), "an empty name is no file"),
        (("demo", "--json"), "--headless"),
    ],
)
def test_what_cannot_be_is_said_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "300")
    result = CliRunner().invoke(app, list(command))
    assert (result.exit_code, says in result.output) == (2, True), result.output
    assert "Value error" not in result.output
    assert "Input should" not in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("kind=sofa", "kind: 'sofa' is not 'mat', 'tokens'"),
        ("kind=tiles&wide=x", "wide: 'x' is no whole number."),
        ("kind=tiles&wide=99", "1 to 26"),
        ("paper=legal", "paper: 'legal' is not 'a4' or 'letter'."),
    ],
)
def test_an_address_that_cannot_be_is_said_in_plain_words(tmp_path: Path, query: str, says: str) -> None:
    page = FastAPI()
    add_routes(page, Site(LiveGame(Play()), tmp_path, Settings(), PageSettings()))
    begin, *rest = asyncio.run(_asked(page, "/sheet.pdf", query))
    text = b"".join(part.get("body", b"") for part in rest).decode()
    assert (begin["status"], says in text) == (400, True), text
    assert dict(begin["headers"])[b"content-type"].startswith(b"text/plain")


async def _asked(app: FastAPI, path: str, query: str) -> list[Any]:
    """Ask an application without a server, and give what it sends."""
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "headers": [],
             "raw_path": path.encode(), "query_string": query.encode(), "server": ("127.0.0.1", 1)}  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent
