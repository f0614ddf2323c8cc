"""A free port on this computer."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Give a port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
