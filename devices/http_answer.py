"""One HTTP request whose answer never ends, read piece by piece with a timeout for each piece.

The standard library's client cannot go on after a timeout in the middle of an answer; a camera's stream needs that.
"""

from __future__ import annotations

import base64
import contextlib
import ipaddress
import re
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

from devices.camera import SourceError, TroubleCode, source_error

LONGEST_SHOWN = 120
"""Letters of an address that are shown: more than any camera has, and two lines of a phone."""

HEAD_MOST_BYTES = 64 * 1024
"""Longest head of an answer."""

REDIRECTS_AT_MOST = 3
"""Redirections followed."""

PIECE_BYTES = 256 * 1024
"""Read at once: more than one 720p JPEG."""


@dataclass(frozen=True, slots=True)
class HttpHead:
    """The start of an answer."""

    status: int
    fields: dict[str, str]
    """Header fields, names in lower case."""

    @property
    def content_type(self) -> str:
        """The media type without its parameters, in lower case; empty if not said."""
        return self.fields.get("content-type", "").split(";")[0].strip().lower()


class HttpAnswer:
    """An answer being read. Used by one thread."""

    def __init__(self, connection: socket.socket, head: HttpHead, rest: bytes) -> None:
        self.head = head
        self._connection = connection
        self._rest = rest
        self._chunks = ChunkReader() if head.fields.get("transfer-encoding", "").lower() == "chunked" else None
        self._left: int | None = None
        length = head.fields.get("content-length", "")
        if length.isdecimal() and self._chunks is None:
            self._left = int(length)

    def read(self, timeout_s: float) -> bytes | None:
        """Return the bytes that are there, waiting up to `timeout_s` for the first; None if none came in time.

        An empty result is the answer's end.

        Raises:
            OSError: the connection broke.
        """
        while True:
            if self._left == 0:
                return b""
            raw = self._rest or self._receive(timeout_s)
            self._rest = b""
            if raw is None:
                return None
            if self._left is not None:
                raw = raw[: self._left]
                self._left -= len(raw)
            if not raw or self._chunks is None:
                return raw
            body = self._chunks.feed(raw)
            if body:
                return body
            if self._chunks.has_ended:
                return b""

    def close(self) -> None:
        """Close the connection."""
        with contextlib.suppress(OSError):
            self._connection.close()

    def _receive(self, timeout_s: float) -> bytes | None:
        """Receive what is there."""
        self._connection.settimeout(max(timeout_s, 0.0))
        try:
            return self._connection.recv(PIECE_BYTES)
        except (TimeoutError, BlockingIOError, ssl.SSLWantReadError):
            return None


class ChunkReader:
    """Take the lengths out of a chunked answer."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._left = 0
        self.has_ended = False

    def feed(self, data: bytes) -> bytes:
        """Take bytes as they come and return those of the content.

        Raises:
            ConnectionError: it is not chunked as announced.
        """
        self._buffer += data
        content = bytearray()
        while self._buffer and not self.has_ended:
            if self._left:
                piece = self._buffer[: self._left]
                content += piece
                del self._buffer[: len(piece)]
                self._left -= len(piece)
                continue
            if self._buffer[:2] == b"\r\n":
                del self._buffer[:2]
                continue
            end = self._buffer.find(b"\r\n")
            if end < 0:
                if len(self._buffer) > 1024:
                    raise ConnectionError("a chunk of the answer has no length")
                break
            text = bytes(self._buffer[:end]).split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", text):
                raise ConnectionError(f"a chunk of the answer has the length {text!r}")
            self._left = int(text, 16)
            del self._buffer[: end + 2]
            self.has_ended = self._left == 0
        return bytes(content)


def ask(address: str, *, timeout_s: float) -> HttpAnswer:
    """Request an address and return its answer, of any status.

    Proxies are not used: cameras are in the home's own network.

    Args:
        address: http or https; a user and password in it are sent.
        timeout_s: for connecting, and for each piece of the head.

    Raises:
        SourceError: the address is wrong, nobody answers, or the answer is not HTTP.
    """
    for _ in range(REDIRECTS_AT_MOST + 1):
        parts = _checked(address)
        answer = _ask_once(parts, address, timeout_s)
        if answer.head.status not in (301, 302, 303, 307, 308) or "location" not in answer.head.fields:
            return answer
        answer.close()
        address = _with_login_of(parts, urljoin(address, answer.head.fields["location"]))
    raise source_error(TroubleCode.WRONG_ADDRESS, "cam_address_circle", address=f"{shown(address)!r}")


def shown(address: str) -> str:
    """Return an address without its password, for the screen and the log; a long one is cut.

    A password may hold any sign, written as it is: everything before the last @ is hidden.
    """
    bare = re.sub(r"(?<=//).*@", "", address, flags=re.DOTALL)
    return bare if len(bare) <= LONGEST_SHOWN else f"{bare[:LONGEST_SHOWN]}…"


def _checked(address: str) -> SplitResult:
    """Split an address and refuse one that cannot be asked."""
    wrong = source_error(TroubleCode.WRONG_ADDRESS, "cam_no_address", address=f"{shown(address)!r}")
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise wrong from error
    if not is_good or re.search(r"[\x00-\x20\x7f]", address):
        raise wrong
    return parts


def _ask_once(parts: SplitResult, address: str, timeout_s: float) -> HttpAnswer:
    """Connect, send the request and read the head."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        connection: socket.socket = socket.create_connection((host, port), timeout=timeout_s)
    except socket.gaierror as error:
        raise source_error(TroubleCode.WRONG_ADDRESS, "cam_no_host", host=f"{host!r}") from error
    except (OSError, UnicodeError) as error:
        raise _no_answer(address) from error
    try:
        if parts.scheme == "https":
            connection = _secured(connection, host)
        connection.sendall(_request(parts, host, port))
        return _head_of(connection, address)
    except (OSError, ValueError) as error:
        connection.close()
        raise _no_answer(address) from error
    except SourceError:
        connection.close()
        raise


def _secured(connection: socket.socket, host: str) -> socket.socket:
    """Encrypt the connection; a camera in the home's own network has a certificate that nobody signed."""
    context = ssl.create_default_context()
    if _is_at_home(host):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(connection, server_hostname=host)


def _is_at_home(host: str) -> bool:
    """Whether a host is in a private network, where certificates cannot be signed."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host.endswith((".local", ".lan", ".home", ".fritz.box")) or "." not in host


def _request(parts: SplitResult, host: str, port: int) -> bytes:
    """Write the request."""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    named = f"[{host}]" if ":" in host else host
    lines = [
        f"GET {target} HTTP/1.1",
        f"Host: {named}:{port}",
        "Accept: */*",
        "Connection: close",
        "User-Agent: deskref",
    ]
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        lines.append("Authorization: Basic " + base64.b64encode(login.encode()).decode())
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _head_of(connection: socket.socket, address: str) -> HttpAnswer:
    """Read up to the empty line after the header fields."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        data += piece
        if not piece or len(data) > HEAD_MOST_BYTES or not b"HTTP/".startswith(data[:5]):
            raise source_error(TroubleCode.NOT_A_STREAM, "cam_no_http", address=f"{shown(address)!r}")
    head, _, rest = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return HttpAnswer(connection, HttpHead(status, fields), rest)


def _with_login_of(parts: SplitResult, address: str) -> str:
    """Keep the user and password through a redirection to the same host, and only to the same."""
    to = urlsplit(address)
    if parts.username is None or to.username is not None or to.hostname != parts.hostname:
        return address
    login = parts.netloc.rpartition("@")[0]
    return urlunsplit(to._replace(netloc=f"{login}@{to.netloc}"))


def _no_answer(address: str) -> SourceError:
    """Say that nobody answers."""
    return source_error(TroubleCode.NO_ANSWER, "cam_nobody_answers", address=f"{shown(address)!r}")
