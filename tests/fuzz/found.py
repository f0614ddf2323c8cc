"""Inputs that a parser once failed on; each is run again by the default tests."""

from __future__ import annotations

from typing import Final

HEAD: Final = b'{"line":"head","format":"deskref-journal/1","version":"0","started":"now","film":null}\n'

FOUND: Final[dict[str, tuple[bytes, ...]]] = {
    "option": (b"COM" + b"x" * 300, b"\xc2\xb2", b"~nobody-is-called-so/a.mp4"),
    "recording": (
        # Observations in another order.
        HEAD
        + b'{"line":"observation","frame":9,"time_s":9.0,"size":[1280,720],"table":{"found":true}}\n'
        + b'{"line":"observation","frame":3,"time_s":3.0,"size":[1280,720],"table":{"found":true}}\n',
        # A line whose kind is no text; one that ends in the middle of the first.
        HEAD + b'{"line":["event"]}\n',
        HEAD[:40],
    ),
    "rules": (b'{"source": "typed", "time_s": 0.0, "type": "EnterDie", "value": 7}',),
    "events": (
        b'{"markers": 6, "type": {"type": "x"}, "frame": 0, "time_s": 0.0}',
        b'{"frame": 11, "time_s": 0.7333, "size": [1280, Infinity], "table": {"found": true}}',
    ),
    "event": (b'{"x": 3.5, "y": Infinity}', '{"die": "²"}'.encode(), '{"figure": "²"}'.encode()),
    "request": (b"GET /sheet.pdf?kind=sofa&wide=x\nhost: 127.0.0.1:8377\nsec-fetch-site: none",),
    "wled": (b"\x10WLED 1\r\n" + b'"leds":{"count":' + b"9" * 400 + b",", b"[" * 100_000),
}
"""By the name of the target."""
