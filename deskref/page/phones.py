"""Letting phones in: a second door with https and a token, open only while the player's switch is on."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from deskref.language import say
from deskref.page.certificate import CertificateMissingError, certificate_for, write_secret
from deskref.page.guard import TOKEN
from deskref.page.lan import lan_addresses
from deskref.plain_errors import said_of
from deskref.settings import PhoneSettings

TOKEN_FILE = "phone-token"
"""In the folder of the settings: a phone that was let in once finds in again after a restart."""

TOKEN_BYTES = 16
"""128 bits: nobody guesses them."""

CLOSE_S = 5.0
"""How long closing waits for what is being answered."""


class PhonesError(Exception):
    """Phones cannot be let in; says why and what to do."""


class _Server(uvicorn.Server):
    """A second server in the same program: the first one looks after Ctrl+C."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


class Phones:
    """The door for phones. Opened and closed in the web server's own loop."""

    def __init__(self, home: Path, settings: PhoneSettings) -> None:
        """Prepare; nothing listens yet.

        Args:
            home: folder of the settings, where certificate and token are kept.
            settings: port and address.
        """
        self._home = home
        self._settings = settings
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None
        self._token = ""

    @property
    def is_open(self) -> bool:
        """Whether phones are let in."""
        return self._server is not None

    @property
    def token(self) -> str | None:
        """What phones have to show; None while they are not let in."""
        return self._token if self.is_open else None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Under which addresses phones reach this computer."""
        return (self._settings.address,) if self._settings.address else lan_addresses()

    def link(self, path: str = "phone") -> str:
        """The address with its token that a phone opens, for the code to scan; empty where there is no network."""
        if not self.addresses or not self.is_open:
            return ""
        return f"https://{self.addresses[0]}:{self._settings.port}/{path}?{TOKEN}={self._token}"

    async def open(self, app: Any) -> None:  # Any: an ASGI application
        """Begin to answer phones; nothing where they are answered already.

        Args:
            app: what answers, with the guard before it.

        Raises:
            PhonesError: no network, the port is taken, or a library is missing.
        """
        if self.is_open:
            return
        if not self.addresses:
            raise PhonesError(say("phones_no_network"))
        try:
            certificate, key = certificate_for(self._home, self.addresses)
            self._token = self._kept_token()
        except CertificateMissingError as error:
            raise PhonesError(str(error)) from error
        except OSError as error:
            named = error if error.filename else OSError(error.errno, error.strerror, str(self._home))
            raise PhonesError(said_of(named)) from error
        listening = self._listening()
        config = uvicorn.Config(
            app,
            ssl_certfile=str(certificate),
            ssl_keyfile=str(key),
            lifespan="off",
            log_level="warning",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)
        self._task = asyncio.get_running_loop().create_task(self._server.serve(sockets=[listening]))

    async def close(self) -> None:
        """Answer phones no more."""
        server, task = self._server, self._task
        self._server = self._task = None
        if server is None or task is None:
            return
        server.should_exit = True
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(task, CLOSE_S)

    def renew(self) -> None:
        """Make a new token: links and phones of before are let in no more."""
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        with contextlib.suppress(OSError):
            write_secret(self._home / TOKEN_FILE, self._token.encode())

    def _kept_token(self) -> str:
        try:
            kept = (self._home / TOKEN_FILE).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            kept = ""
        if len(kept) < TOKEN_BYTES:
            kept = secrets.token_urlsafe(TOKEN_BYTES)
            write_secret(self._home / TOKEN_FILE, kept.encode())
        return kept

    def _listening(self) -> socket.socket:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((self._settings.address, self._settings.port))
        except OSError as error:
            listening.close()
            raise PhonesError(say("phones_port_taken", port=self._settings.port)) from error
        return listening


def qr_code(text: str) -> str:
    """Draw a code to scan, as an inline SVG on white; empty where the extra `phone` is not installed."""
    try:
        import segno
    except ImportError:
        return ""
    drawn = segno.make(text, error="m").svg_inline(scale=6, border=3, dark="#000", light="#fff")
    return str(drawn)
