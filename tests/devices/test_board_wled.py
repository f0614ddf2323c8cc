"""WLED over USB and over Wi-Fi, against fakes that behave as WLED's source says."""

from __future__ import annotations

import http.server
import json
import socket
import threading
from collections.abc import Iterator

import pytest

from devices import board_wled
from devices.board import BoardError, Picture
from devices.board_port import AbsentError
from devices.board_wled import Datagrams, WledSerialDialect, WledUdpDialect, drgb, ranges_json

DARK = (0, 0, 0)


class FakeWled:
    """The serial side of WLED: `v` says the version, JSON sets the LEDs, B0 to B7 would change the baud rate."""

    def __init__(self, *, leds: int = 48, is_deaf: bool = False, describes_itself: bool = True) -> None:
        self.leds = leds
        self.is_deaf = is_deaf
        self.describes_itself = describes_itself
        self.pictures: list[Picture] = []
        self.is_on = False
        self.is_frozen = True
        self._out = bytearray()
        self._json = bytearray()

    def say(self, data: bytes) -> None:
        self._out += data

    @property
    def in_waiting(self) -> int:
        return len(self._out)

    def read(self, size: int = 1) -> bytes:
        data = bytes(self._out[:size])
        del self._out[:size]
        return data

    def write(self, data: bytes, /) -> int | None:
        for value in b"" if self.is_deaf else data:
            assert not 0xB0 <= value <= 0xB7, "WLED would change its baud rate"
            if self._json or value == ord("{"):
                self._json.append(value)
                if value == ord("\n"):
                    self._obey(json.loads(self._json))
                    self._json.clear()
            elif value == ord("v"):
                self._out += b"WLED 2506160\r\n"
        return len(data)

    def close(self) -> None:
        pass

    def _obey(self, state: dict[str, object]) -> None:
        if state.get("v") and self.describes_itself:
            self._out += json.dumps({"info": {"leds": {"count": self.leds}}}, separators=(",", ":")).encode()
        self.is_on = bool(state.get("on", self.is_on))
        segment = state.get("seg")
        if isinstance(segment, dict) and "i" in segment:
            leds = [DARK] * self.leds
            items = segment["i"]
            for first, stop, colour in zip(items[::3], items[1::3], items[2::3], strict=True):
                value = int(colour, 16)
                for i in range(first, min(stop, self.leds)):
                    leds[i] = (value >> 16, value >> 8 & 255, value & 255)
            self.pictures.append(tuple(leds))
        if isinstance(segment, dict) and segment.get("frz") is False:
            self.is_frozen = False


def test_it_says_its_version_and_length() -> None:
    met = WledSerialDialect().greet(FakeWled(leds=60), lambda: False)
    assert (met.name, met.leds, met.has_sound) == ("WLED 2506160", 60, False)


def test_a_length_from_the_settings_is_taken() -> None:
    assert WledSerialDialect(leds=30).greet(FakeWled(leds=60), lambda: False).leds == 30


def test_without_a_description_the_usual_length_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_wled, "INFO_S", 0.05)
    assert WledSerialDialect().greet(FakeWled(describes_itself=False), lambda: False).leds == 48


@pytest.mark.parametrize(
    ("said", "words"), [(b"", "GPIO 3 and 1"), (b"Ada\n", "update it"), (b"ets Jun  8 2016\r\n", "GPIO 3 and 1")]
)
def test_wled_that_does_not_answer_gets_advice(said: bytes, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """LEDs on GPIO 3 kill its serial port; a beta prints `Ada` and never listens."""
    monkeypatch.setattr(board_wled, "VERSION_FOR_S", 0.05)
    wled = FakeWled(is_deaf=True)
    wled.say(said)
    with pytest.raises(BoardError, match=words):
        WledSerialDialect().greet(wled, lambda: False)


def test_a_picture_arrives_by_ranges() -> None:
    wled = FakeWled()
    picture = (*((9, 0, 0),) * 15, *((0, 0, 176),) * 33)
    WledSerialDialect().show(wled, picture)
    assert wled.pictures == [picture]
    assert wled.is_on


def test_ranges_are_ascii_and_short() -> None:
    """ASCII holds no byte that changes the baud rate; 12 runs are at most 20 ms on the wire."""
    picture = tuple((i * 5, 255 - i * 5, 177) for i in range(48))
    data = ranges_json(picture)
    assert data.isascii()
    assert data.endswith(b"}\n")
    assert len(data) <= 260
    assert ranges_json(((9, 0, 0),) * 2) == b'{"on":true,"bri":255,"tt":0,"seg":{"id":0,"i":[0,2,"090000"]}}\n'


def test_two_questions_without_an_answer_are_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_wled, "SILENT_S", 0.02)
    wled, dialect = FakeWled(), WledSerialDialect()
    dialect.beat(wled)
    wled.is_deaf = True
    dialect.beat(wled)
    with pytest.raises(BoardError, match="stopped answering"):
        dialect.beat(wled)


def test_a_restart_is_noticed_and_leaving_frees_the_strip() -> None:
    wled, dialect = FakeWled(), WledSerialDialect()
    assert not dialect.hears_reset(wled)
    wled.say(b"Ada\n")
    assert dialect.hears_reset(wled)
    dialect.play(wled, ((880, 50),))
    dialect.show(wled, ((1, 1, 1),) * 48)
    dialect.leave(wled)
    assert not wled.is_on
    assert not wled.is_frozen


class NetworkWled:
    """WLED in the network: HTTP on one port, UDP on another, both on this computer."""

    def __init__(self, info: bytes) -> None:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path == "/json/info" else 404)
                self.end_headers()
                self.wfile.write(info)

            def log_message(self, *args: object) -> None:
                pass

        self.http = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.udp.settimeout(10.0)

    def close(self) -> None:
        self.http.shutdown()
        self.thread.join(10.0)
        self.http.server_close()
        self.udp.close()

    @property
    def port(self) -> Datagrams:
        return Datagrams("127.0.0.1", self.udp.getsockname()[1])

    def dialect(self, leds: int = 0) -> WledUdpDialect:
        return WledUdpDialect("127.0.0.1", leds=leds, http_port=self.http.server_port)


@pytest.fixture
def network_wled() -> Iterator[NetworkWled]:
    wled = NetworkWled(json.dumps({"brand": "WLED", "ver": "0.15.1", "leds": {"count": 30}}).encode())
    yield wled
    wled.close()


def test_over_the_network_it_is_met_by_http_and_lit_by_udp(network_wled: NetworkWled) -> None:
    dialect, port = network_wled.dialect(), network_wled.port
    met = dialect.greet(port, lambda: False)
    assert (met.name, met.leds, met.has_sound) == ("WLED 0.15.1 over Wi-Fi", 30, False)
    picture = ((1, 2, 3), (4, 5, 6))
    dialect.show(port, picture)
    dialect.play(port, ((880, 50),))
    dialect.beat(port)
    assert network_wled.udp.recv(2000) == bytes((2, 3, 1, 2, 3, 4, 5, 6))
    assert network_wled.udp.recv(2000) == bytes((2, 3, 1, 2, 3, 4, 5, 6)), "repeated, for WLED forgets it"
    dialect.leave(port)
    assert network_wled.udp.recv(2000) == bytes((2, 1, 0, 0, 0, 0, 0, 0))
    assert not dialect.hears_reset(port)
    port.close()


def test_what_is_no_wled_is_refused() -> None:
    for info in (b"{}", b"<html>", b"[]"):
        other = NetworkWled(info)
        port = other.port
        with pytest.raises(BoardError, match=r"no WLED|does not answer"):
            other.dialect().greet(port, lambda: False)
        port.close()
        other.close()


def test_nobody_there_is_absent() -> None:
    unused = socket.socket()
    unused.bind(("127.0.0.1", 0))
    dialect = WledUdpDialect("127.0.0.1", http_port=unused.getsockname()[1])
    port = Datagrams("127.0.0.1")
    with pytest.raises(AbsentError, match="does not answer at"):
        dialect.greet(port, lambda: False)
    port.close()
    unused.close()


def test_an_unknown_host_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise OSError("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(AbsentError, match=r"no 'wled\.local'"):
        Datagrams("wled.local")


def test_a_long_strip_is_cut_at_what_the_form_carries() -> None:
    assert len(drgb(((1, 1, 1),) * 600)) == 2 + 3 * 490
