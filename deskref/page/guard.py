"""Who may reach the page: this computer's own pages and programs, and phones that were let in by a link.

Every request and every socket passes here first. A page of another site in the same browser could otherwise look at
the table or move the game, since the browser reaches 127.0.0.1 for any page; and a name that somebody lets point to
127.0.0.1 would make it look like our own.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, quote_from_bytes

from deskref.language import say
from deskref.page.plain_pages import refused_page
from deskref.page.port import HOST

Scope = MutableMapping[str, Any]  # Any: as ASGI has it
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

ASCII: Final = "".join(map(chr, range(128)))

TOKEN: Final = "token"
"""Name of the link's part and of the cookie that hold the token."""

PHONE_PATHS: Final = frozenset(
    {
        "/phone",
        "/camera",
        "/score",
        "/overlay",
        "/score.json",
        "/frame",
        "/stream.mjpg",
        "/plain.css",
        "/score.js",
        "/camera.js",
    }
)
"""All that a phone gets: the camera page, the score board and the picture; never the table page or the set-up."""

FOREIGN: Final = "set_guard_foreign"
NO_TOKEN: Final = "set_guard_no_token"
NOT_FOR_PHONES: Final = "set_guard_not_for_phones"
"""Ids of the sentences by which a call is refused."""


@dataclass(frozen=True, slots=True)
class Call:
    """What is known of a request or a socket before anything answers it."""

    port: int
    """Where it came in."""
    path: str
    method: str = "GET"
    host: str = ""
    """As the caller wrote it: address and port."""
    origin: str | None = None
    referer: str | None = None
    site: str | None = None
    """What a browser says of the calling page: `same-origin`, `same-site`, `cross-site` or `none`."""
    mode: str | None = None
    destination: str | None = None
    token: str = ""
    """By the link or by the cookie."""
    is_secure: bool = False
    """Whether it came by TLS: phones do, this computer's own page never does."""

    def is_at_home(self, page_port: int) -> bool:
        """Whether it came in where this computer's own page is served; the phones' door may have the same port."""
        return self.port == page_port and not self.is_secure


def refusal(call: Call, *, page_port: int, phone_token: str | None) -> str | None:
    """Give the id of the sentence that says why a call is not answered; None lets it in.

    Args:
        call: what came.
        page_port: where this computer's own page is served.
        phone_token: what phones have to show; None while phones are not allowed.
    """
    if call.is_at_home(page_port):
        return _refusal_here(call, page_port)
    if phone_token is None or not hmac.compare_digest(call.token.encode(), phone_token.encode()):
        return NO_TOKEN
    if call.path not in PHONE_PATHS:
        return NOT_FOR_PHONES
    if call.origin is not None and call.origin != f"https://{call.host}":
        return FOREIGN
    return None


def _refusal_here(call: Call, page_port: int) -> str | None:
    hosts = (f"{HOST}:{page_port}", f"localhost:{page_port}")
    if call.host not in hosts:
        return FOREIGN
    own = tuple(f"http://{host}" for host in hosts)
    if call.origin is not None:
        return None if call.origin in own else FOREIGN
    is_visit = call.mode == "navigate" and call.method == "GET" and call.destination in (None, "document")
    if is_visit or call.site in ("same-origin", "none"):
        return None
    if call.site is not None:
        return FOREIGN
    # Neither origin nor site: a program, or a browser of before 2023 of which the referer tells.
    is_foreign = call.referer is not None and not call.referer.startswith(tuple(f"{o}/" for o in own))
    return FOREIGN if is_foreign else None


class Guard:
    """The ASGI middleware that asks `refusal` about every call, and gives phones their cookie."""

    def __init__(self, app: AsgiApp, *, page_port: int, phone_token: Callable[[], str | None]) -> None:
        """Stand before an application.

        Args:
            app: what answers who is let in.
            page_port: where this computer's own page is served.
            phone_token: gives what phones have to show now; None while they are not allowed.
        """
        self.app = app
        self._page_port = page_port
        self._phone_token = phone_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call, or let it through."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        # What no browser sends: bytes that are no ASCII break the frameworks' own redirections.
        scope = {**scope, "query_string": quote_from_bytes(scope.get("query_string", b""), safe=ASCII).encode("ascii")}
        call = call_of(scope)
        why = refusal(call, page_port=self._page_port, phone_token=self._phone_token())
        if why is not None:
            await _refuse(scope, send, say(why), is_page=call.mode == "navigate")
        elif not call.is_at_home(self._page_port) and scope["type"] == "http":
            await self.app(scope, receive, _with_cookie(send, call.token))
        else:
            await self.app(scope, receive, send)


def call_of(scope: Scope) -> Call:
    """Read a call from its ASGI scope."""
    headers: dict[str, str] = {}
    for name, value in scope.get("headers", ()):
        headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    server = scope.get("server") or ("", 0)
    by_link = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(TOKEN, [""])[0]
    return Call(
        port=int(server[1] or 0),
        path=str(scope.get("path", "")),
        method=str(scope.get("method", "GET")),
        host=headers.get("host", ""),
        origin=headers.get("origin"),
        referer=headers.get("referer"),
        site=headers.get("sec-fetch-site"),
        mode=headers.get("sec-fetch-mode"),
        destination=headers.get("sec-fetch-dest"),
        token=by_link or _cookie(headers.get("cookie", ""), TOKEN),
        is_secure=scope.get("scheme") in ("https", "wss"),
    )


def _cookie(header: str, name: str) -> str:
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


def _with_cookie(send: Send, token: str) -> Send:
    """Keep the token in the phone's browser, so that the page's own requests carry it."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            cookie = f"{TOKEN}={token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800"
            message["headers"] = [*message.get("headers", ()), (b"set-cookie", cookie.encode("latin-1"))]
        await send(message)

    return sending


async def _refuse(scope: Scope, send: Send, why: str, *, is_page: bool) -> None:
    """Say no; who opened an address in a browser, such as an old link on a phone, gets a page that can be read."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    body = (refused_page(why) if is_page else why).encode()
    kind = b"text/html; charset=utf-8" if is_page else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
