"""Whether the page's port is free, and which one is offered instead."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack

import pytest

from deskref.page.port import HOST, PortTakenError, check_port


def taken(ports: ExitStack, port: int = 0) -> int:
    """Take a port of this computer, any one for 0."""
    held = ports.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
    held.bind((HOST, port))
    held.listen()
    return int(held.getsockname()[1])


def offered(port: int, *, phones_port: int) -> int:
    with pytest.raises(PortTakenError, match=f"Port {port} is in use") as caught:
        check_port(port, phones_port=phones_port)
    found = re.search(r"--port (\d+)", str(caught.value))
    assert found is not None
    return int(found[1])


def test_a_free_port_is_offered_and_never_the_one_for_phones() -> None:
    with ExitStack() as ports:
        port = taken(ports)
        first = offered(port, phones_port=1)
        assert first != port
        check_port(first)  # it is free
        second = offered(port, phones_port=first)
        assert second not in (port, first)
        taken(ports, first)
        assert offered(port, phones_port=1) not in (port, first)


def test_the_settings_ports_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the settings have at first, phones keep theirs; whoever may have those ports on this computer."""
    monkeypatch.setattr("deskref.page.port._trouble_of", lambda port: OSError("taken") if port == 8377 else None)
    with pytest.raises(PortTakenError, match="--port 8379"):
        check_port(8377)
