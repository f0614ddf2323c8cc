"""Who may reach the page: only its own pages and programs of this computer, and phones with the token."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

import pytest

from deskref import language
from deskref.page.guard import FOREIGN, NO_TOKEN, NOT_FOR_PHONES, Call, Guard, Scope, call_of, refusal

PORT, PHONES, SECRET = 8377, 8378, "a-token-of-many-letters"
HERE = Call(port=PORT, path="/", host="127.0.0.1:8377")
PHONE = Call(port=PHONES, path="/score", host="192.168.1.5:8378", token=SECRET)


def asked(call: Call, *, token: str | None = SECRET) -> str | None:
    return refusal(call, page_port=PORT, phone_token=token)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"host": "localhost:8377"},
        {"origin": "http://127.0.0.1:8377"},
        {"origin": "http://localhost:8377", "method": "POST"},
        {"site": "same-origin", "path": "/stream.mjpg"},
        {"site": "none", "mode": "navigate", "destination": "document"},
        {"site": "cross-site", "mode": "navigate", "destination": "document"},
        {"referer": "http://127.0.0.1:8377/setup"},
    ],
)
def test_this_computer_is_answered(changed: dict[str, Any]) -> None:
    """Own pages, programs without any origin, and links that a player follows from elsewhere."""
    assert asked(replace(HERE, **changed)) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"host": "evil.example:8377"},
        {"host": "127.0.0.1:9999"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8377"},
        {"origin": "http://127.0.0.1:8377.evil.example"},
        {"site": "cross-site", "mode": "no-cors", "path": "/stream.mjpg"},
        {"site": "same-site", "mode": "no-cors", "path": "/stream.mjpg"},
        {"site": "cross-site", "mode": "navigate", "destination": "iframe"},
        {"site": "cross-site", "mode": "navigate", "destination": "document", "method": "POST"},
        {"referer": "http://evil.example/"},
        {"referer": "http://127.0.0.1:83771/"},
    ],
)
def test_a_foreign_page_in_the_same_browser_is_not_answered(changed: dict[str, Any]) -> None:
    """Other sites, other ports, names that were made to point here, frames and pictures in foreign pages."""
    assert asked(replace(HERE, **changed)) == FOREIGN


def test_a_phone_is_let_in_by_its_token_only_while_phones_are_allowed() -> None:
    assert asked(PHONE) is None
    assert asked(replace(PHONE, token="wrong")) == NO_TOKEN
    assert asked(replace(PHONE, token="")) == NO_TOKEN
    assert asked(PHONE, token=None) == NO_TOKEN


@pytest.mark.parametrize("path", ["/", "/setup", "/_nicegui_ws/socket.io/", "/sheet.pdf", "/sent.jpg", "/../"])
def test_a_phone_gets_its_own_pages_only(path: str) -> None:
    assert asked(replace(PHONE, path=path)) == NOT_FOR_PHONES


def test_a_foreign_page_cannot_use_a_phones_token() -> None:
    assert asked(replace(PHONE, path="/frame", method="POST", origin="https://192.168.1.5:8378")) is None
    assert asked(replace(PHONE, path="/frame", method="POST", origin="https://evil.example")) == FOREIGN
    assert asked(replace(PHONE, path="/frame", method="POST", origin="null")) == FOREIGN


def test_the_phones_door_on_the_pages_own_port_is_not_this_computer() -> None:
    """Any caller can write this computer's address into a request's host."""
    forged = replace(HERE, is_secure=True)
    assert asked(forged) == NO_TOKEN
    assert asked(replace(forged, token=SECRET)) == NOT_FOR_PHONES
    assert asked(replace(forged, token=SECRET, path="/score", origin=None)) is None
    for scheme, is_secure in (("http", False), ("ws", False), ("https", True), ("wss", True)):
        assert call_of({"type": "http", "scheme": scheme, "server": ("127.0.0.1", PORT)}).is_secure is is_secure


def test_the_token_is_read_from_link_or_cookie() -> None:
    scope: Scope = {"type": "http", "server": ("0.0.0.0", PHONES), "path": "/score", "query_string": b"token=abc"}
    assert call_of(scope).token == "abc"
    headers = [(b"cookie", b"other=1; token=def"), (b"Host", b"h:8378")]
    call = call_of({**scope, "query_string": b"", "headers": headers})
    assert (call.token, call.host, call.port) == ("def", "h:8378", PHONES)


def _answers(kind: str, **scope: Any) -> list[MutableMapping[str, Any]]:
    """What a caller gets from a guarded application that answers everything."""
    sent: list[MutableMapping[str, Any]] = []

    async def app(scope: Scope, receive: object, send: Any) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {}

    guard = Guard(app, page_port=PORT, phone_token=lambda: SECRET)
    asyncio.run(guard({"type": kind, "path": "/", "headers": [], **scope}, receive, send))
    return sent


def test_a_socket_of_a_foreign_page_is_closed_before_it_opens() -> None:
    host = (b"host", b"127.0.0.1:8377")
    foreign = _answers("websocket", server=("127.0.0.1", PORT), headers=[host, (b"origin", b"http://evil.example")])
    assert [m["type"] for m in foreign] == ["websocket.close"]
    own = _answers("websocket", server=("127.0.0.1", PORT), headers=[host, (b"origin", b"http://127.0.0.1:8377")])
    assert [m["type"] for m in own] == ["websocket.accept"]


def test_an_address_with_bytes_that_are_no_text_is_answered() -> None:
    """`/sheet.pdf/?kind=\xbb` was a fault of the program where the slash at its end is redirected."""
    received: list[Scope] = []

    async def app(scope: Scope, receive: object, send: object) -> None:
        received.append(scope)

    guard = Guard(app, page_port=PORT, phone_token=lambda: SECRET)
    host = (b"host", b"127.0.0.1:8377")
    asked = {"type": "http", "path": "/", "headers": [host], "server": ("127.0.0.1", PORT)}
    asyncio.run(guard({**asked, "query_string": b"kind=\xbbe&wide=1%20+2"}, None, None))  # type: ignore[arg-type]
    assert [scope["query_string"] for scope in received] == [b"kind=%BBe&wide=1%20+2"]


def test_a_phone_gets_a_cookie_that_scripts_and_other_sites_cannot_use() -> None:
    answer = _answers("http", server=("0.0.0.0", PHONES), path="/phone", query_string=f"token={SECRET}".encode())
    cookie = dict(answer[0]["headers"])[b"set-cookie"].decode()
    assert f"token={SECRET}" in cookie
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Strict"))
    refused = _answers("http", server=("0.0.0.0", PHONES), path="/phone", query_string=b"token=guess")
    assert refused[0]["status"] == 403
    assert not any(name == b"set-cookie" for name, _ in refused[0]["headers"])


@pytest.mark.parametrize(
    ("code", "says"), [("en", "Scan the code"), ("de", "Scanne noch einmal den Code"), ("es", "Escanea otra vez")]
)
def test_who_is_not_let_in_hears_it_in_the_tables_language(code: str, says: str) -> None:
    """An old link on a phone, opened in its browser, shows a page; a program gets the sentence alone."""
    language.use(code)
    try:
        program = _answers("http", server=("0.0.0.0", PHONES), path="/phone", query_string=b"token=old")
        page = _answers(
            "http",
            server=("0.0.0.0", PHONES),
            path="/phone",
            query_string=b"token=old",
            headers=[(b"sec-fetch-mode", b"navigate")],
        )
    finally:
        language.use("en")
    assert says in program[1]["body"].decode()
    assert dict(program[0]["headers"])[b"content-type"].startswith(b"text/plain")
    assert says in page[1]["body"].decode()
    assert page[0]["status"] == 403
    assert b"<style>" in page[1]["body"]
    assert b"/plain.css" not in page[1]["body"]
