"""Where the page answers, and whether the port is free."""

from __future__ import annotations

import socket
from typing import Final

from deskref.settings import PhoneSettings

HOST = "127.0.0.1"
"""Only this computer; phones are let in by a switch of their own."""


class PortTakenError(Exception):
    """The page's port is in use: another copy runs, or another program has it."""


PHONES_PORT: Final = PhoneSettings().port
"""Where phones are answered unless the settings say otherwise."""

LAST_PORT: Final = 65535
"""There are no ports above it."""


def check_port(port: int, *, phones_port: int = PHONES_PORT) -> None:
    """Raise `PortTakenError` where something has the port already.

    Args:
        port: the page's.
        phones_port: where deskref answers phones: never offered instead.
    """
    trouble = _trouble_of(port)
    if trouble is None:
        return
    offered = (p for p in (*range(port + 1, LAST_PORT + 1), *range(port - 1, 0, -1)) if p != phones_port)
    other = next((p for p in offered if _trouble_of(p) is None), port)
    raise PortTakenError(
        f"Port {port} is in use: deskref is running already (open http://{HOST}:{port}), or another program "
        f"has the port. Close it, or choose another: --port {other}"
    ) from trouble


def _trouble_of(port: int) -> OSError | None:
    """What keeps the page from a port; None where it is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            return error
    return None
