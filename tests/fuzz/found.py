"""Inputs that a parser once failed on; each is run again by the default tests."""

from __future__ import annotations

from typing import Final

from rules.json_form import to_json
from rules.skuffle_state import Options

HEAD: Final = b'{"line":"head","format":"deskref-journal/1","version":"0","started":"now","film":null}\n'

SEEN: Final = (
    b'{"line":"observation","frame":%d,"time_s":1,"size":[640,480],"table":{"found":true,"markers":6},'
    b'"dice":[{"box":[1,1,9,9],"value":3,"confidence":0.9,"mm":[0,0],"size_mm":%b,"colour":"red"}]}\n'
)
SOLDIER: Final = b'{"type":"SoldierSetup","id":"%b","name":"%b","side":null,"start_mm":null,"pool":null}'
OPTIONS: Final = to_json(Options()).encode()

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
        # Texts in the place of numbers, in an event and in what was seen; a die without a size.
        HEAD + b'{"line":"event","type":"table_found","frame":1,"time_s":"2","markers":6}\n',
        HEAD
        + b'{"line":"event","type":"figure_left","frame":1,"time_s":2,"figure":"x","mm":[0,0],"pose":"standing"}\n',
        HEAD + SEEN % (1, b'"16"') + SEEN % (2, b"16"),
        HEAD + SEEN % (1, b"0") + SEEN % (2, b"0"),
        # Half a character, which no file in UTF-8 holds, in a name.
        HEAD
        + b'{"line":"input","type":"StartGame","time_s":0,"at":"","setup":{"type":"Setup","with_camera":false,'
        + b'"options":'
        + OPTIONS
        + b',"soldiers":['
        + SOLDIER % (b"a", b"\\ud800")
        + b","
        + SOLDIER % (b"b", b"B")
        + b"]}}\n",
    ),
    "faces": (b'{"faces":[{"value":1,"colour_bgr":[9,1' + b"0" * 400 + b',7],"features":[[0.1]]}]}',),
    "rules": (b'{"source": "typed", "time_s": 0.0, "type": "EnterDie", "value": 7}',),
    "events": (
        b'{"markers": 6, "type": {"type": "x"}, "frame": 0, "time_s": 0.0}',
        b'{"frame": 11, "time_s": 0.7333, "size": [1280, Infinity], "table": {"found": true}}',
    ),
    "event": (
        b'{"x": 3.5, "y": Infinity}',
        b'{"y": 1, "x": 1' + b"0" * 400 + b"}",
        '{"die": "²"}'.encode(),
        '{"figure": "²"}'.encode(),
    ),
    "request": (b"GET /sheet.pdf?kind=sofa&wide=x\nhost: 127.0.0.1:8377\nsec-fetch-site: none",),
    "wled": (b"\x10WLED 1\r\n" + b'"leds":{"count":' + b"9" * 400 + b",", b"[" * 100_000),
}
"""By the name of the target."""
