"""Where the page answers, and whether the port is free."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"
"""Only this computer; phones are let in by a switch of their own."""


class PortTakenError(Exception):
    """The page's port is in use: another copy runs, or another program has it."""


def check_port(port: int) -> None:
    """Raise `PortTakenError` where something has the port already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise PortTakenError(
                f"Port {port} is in use: deskref is running already (open http://{HOST}:{port}), or another program "
                f"has the port. Close it, or choose another: --port {port + 1}"
            ) from error
