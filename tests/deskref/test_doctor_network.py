"""The doctor asks what the settings name in the network: WLED over Wi-Fi, and the MQTT broker."""

from __future__ import annotations

import contextlib
import http.server
import json
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from deskref import doctor, settings
from deskref.doctor import Running, examine
from deskref.doctor_network import broker_findings, wled_finding
from deskref.finding import Finding, Health
from deskref.language import use as use_language
from deskref.settings import BoardSettings, MqttSettings, Settings
from devices import mqtt_trial
from devices.board import BoardState, BoardStatus
from devices.mqtt import MqttMissingError

WLED = json.dumps({"brand": "WLED", "ver": "0.15.1", "leds": {"count": 30}}).encode()

TAKEN, REFUSED = b"\x20\x02\x00\x00", b"\x20\x02\x00\x05"
"""A broker's greeting in MQTT 3.1.1: taken, and not authorised."""


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], int]]:
    """Start a web server that answers everything with these bytes; gives its port."""
    servers: list[tuple[http.server.HTTPServer, threading.Thread]] = []

    def start(answer: bytes) -> int:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: object) -> None:
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        servers.append((server, thread))
        return server.server_port

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join(10.0)
        server.server_close()


@pytest.fixture
def greeting() -> Iterator[Callable[[bytes], int]]:
    """Start something that takes two connections, the first only looks whether anybody is there; gives its port.

    It hears what is said first and says these bytes.
    """
    sockets: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def start(says: bytes) -> int:
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(10.0)

        def serve() -> None:
            for _ in range(2):
                taken, _ = listener.accept()
                # Who does not understand what is said breaks off.
                with taken, contextlib.suppress(ConnectionError):
                    taken.settimeout(10.0)
                    if taken.recv(1000) and says:
                        taken.sendall(says)
                        while taken.recv(1000):
                            pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        sockets.append(listener)
        threads.append(thread)
        return int(listener.getsockname()[1])

    yield start
    for thread in threads:
        thread.join(10.0)
    for listener in sockets:
        listener.close()


@pytest.fixture
def unused() -> Iterator[int]:
    """A port at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield int(taken.getsockname()[1])


def test_a_wled_that_answers_is_good(answering: Callable[[bytes], int]) -> None:
    """It was said to be "none (optional)", answering or dead."""
    own = BoardSettings(kind="wled-udp", port="127.0.0.1")
    found = wled_finding(own, http_port=answering(WLED))
    assert (found.health, found.found) == (Health.GOOD, "WLED 0.15.1 over Wi-Fi, 30 LEDs")
    assert "127.0.0.1" in found.what
    assert "deskref board test" in found.remedy


def test_a_wled_that_is_off_or_something_else_is_bad_with_a_remedy(
    answering: Callable[[bytes], int], unused: int
) -> None:
    own = BoardSettings(kind="wled-udp", port="127.0.0.1")
    dead = wled_finding(own, http_port=unused)
    assert (dead.health, dead.found) == (Health.BAD, "WLED does not answer")
    assert "same Wi-Fi" in dead.remedy
    other = wled_finding(own, http_port=answering(b"<html>a printer</html>"))
    assert other.health is Health.BAD
    router = wled_finding(own, http_port=answering(b'{"brand": "router"}'))
    assert (router.health, router.found) == (Health.BAD, "what answers there is no WLED")
    nowhere = wled_finding(BoardSettings(kind="wled-udp"))
    assert nowhere.health is Health.BAD
    assert 'port = "192.168.1.40"' in nowhere.remedy


def test_the_doctor_asks_the_wled_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    asked: list[str] = []

    def ask(board: BoardSettings) -> Finding:
        asked.append(board.port)
        return Finding("light board", Health.BAD, "WLED does not answer", "Switch it on.")

    monkeypatch.setattr(doctor, "wled_finding", ask)
    settings.save(tmp_path, Settings(board=BoardSettings(kind="wled-udp", port="10.0.0.7")))
    assert [f.found for f in doctor._board()] == ["WLED does not answer"]
    assert [f.found for f in doctor._board(Running(board=BoardStatus(state=BoardState.LOST)))] == [
        "WLED does not answer"
    ]
    assert asked == ["10.0.0.7", "10.0.0.7"]
    ready = BoardStatus(state=BoardState.READY, name="WLED 0.15.1 over Wi-Fi", port="10.0.0.7", leds=30)
    assert [f.health for f in doctor._board(Running(board=ready))] == [Health.GOOD]
    assert len(asked) == 2, "one that runs is not asked a second time"


def test_a_named_port_that_is_not_there_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was said to be "none (optional)" although the settings name it."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    monkeypatch.setattr(doctor, "list_boards", tuple)
    settings.save(tmp_path, Settings(board=BoardSettings(port=str(tmp_path / "ttyUSB7"))))
    (found,) = doctor._board()
    assert found.health is Health.BAD
    assert "ttyUSB7" in found.what
    assert "[board]" in found.remedy


def test_without_a_broker_in_the_settings_nothing_is_said() -> None:
    assert broker_findings(MqttSettings()) == ()


@pytest.mark.parametrize(
    ("says", "health", "found", "remedy"),
    [
        (TAKEN, Health.GOOD, "takes us", ""),
        (REFUSED, Health.BAD, "refuses us: Not authorized", "user and password"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", Health.BAD, "not as an MQTT broker", "tls"),
        (b"", Health.BAD, "not as an MQTT broker", "tls"),
    ],
    ids=["takes us", "refuses us", "a web server", "says nothing"],
)
def test_a_broker_is_tried(
    greeting: Callable[[bytes], int],
    monkeypatch: pytest.MonkeyPatch,
    says: bytes,
    health: Health,
    found: str,
    remedy: str,
) -> None:
    """Only paho-mqtt's presence was looked at."""
    pytest.importorskip("paho.mqtt")
    monkeypatch.setattr("deskref.doctor_network.try_broker", partial(mqtt_trial.try_broker, answer_s=0.5))
    (finding,) = broker_findings(MqttSettings(host="127.0.0.1", port=greeting(says), user="anna", password="secret"))
    assert finding.health is health
    assert found in finding.found
    assert remedy in finding.remedy
    assert "secret" not in str(finding)


def test_a_broker_that_is_off_is_bad(unused: int) -> None:
    pytest.importorskip("paho.mqtt")
    (finding,) = broker_findings(MqttSettings(host="127.0.0.1", port=unused))
    assert (finding.health, finding.found) == (Health.BAD, f"nobody answers at port {unused}")
    assert "[mqtt]" in finding.remedy


# The library leaves the socket of a failed handshake to the garbage collection.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_encrypted_connection_to_a_broker_without_is_told(greeting: Callable[[bytes], int]) -> None:
    pytest.importorskip("paho.mqtt")
    (finding,) = broker_findings(MqttSettings(host="127.0.0.1", port=greeting(b""), tls=True))
    assert finding.health is Health.BAD
    assert "tls" in finding.remedy


@pytest.fixture
def language() -> Iterator[Callable[[str], None]]:
    """Speak another language until the test is over."""
    yield use_language
    use_language("en")


def test_the_doctor_tries_the_broker_in_the_tables_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unused: int, language: Callable[[str], None]
) -> None:
    pytest.importorskip("paho.mqtt")
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    for name, nothing in (("list_cameras", list), ("list_boards", tuple)):
        monkeypatch.setattr(doctor, name, nothing)
    settings.save(tmp_path, Settings(mqtt=MqttSettings(host="127.0.0.1", port=unused)))
    language("de")
    finding = {f.what: f for f in examine().findings}["MQTT-Broker 127.0.0.1"]
    assert (finding.health, finding.found) == (Health.BAD, f"an Port {unused} antwortet niemand")
    language("es")
    (finding,) = broker_findings(MqttSettings(host="127.0.0.1", port=unused))
    assert finding.found == f"nadie responde en el puerto {unused}"


def test_without_the_library_the_broker_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> mqtt_trial.Tried:
        raise MqttMissingError

    monkeypatch.setattr("deskref.doctor_network.try_broker", missing)
    (finding,) = broker_findings(MqttSettings(host="127.0.0.1"))
    assert finding.health is Health.BAD
    assert finding.remedy
