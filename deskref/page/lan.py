"""Under which addresses other devices in the same network reach this computer."""

from __future__ import annotations

import ipaddress
import socket

NOWHERE = "192.0.2.1"
"""An address for documentation that nobody has: asking for the way there sends nothing."""


def lan_addresses() -> tuple[str, ...]:
    """List this computer's IPv4 addresses that others may reach, the one towards the router first."""
    found = [address for address in (_address_towards(NOWHERE), *_addresses_of_name()) if address]
    return tuple(dict.fromkeys(address for address in found if _is_reachable(address)))


def _address_towards(target: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _addresses_of_name() -> tuple[str, ...]:
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return ()
    return tuple(str(entry[4][0]) for entry in known)


def _is_reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)
