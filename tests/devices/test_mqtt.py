"""Publishing to a real Mosquitto: the will, retained messages, a broker that dies and comes back, many tables."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from devices.mqtt import QUEUE_MOST, Broker, Message, MqttMissingError, Publisher
from devices.mqtt_trial import Answer, try_broker
from tests.devices.firmware.simulated_board import need

PATIENCE_S = 30.0


class Mosquitto:
    """A broker on this computer that keeps its messages over a restart."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        lines = [
            f"listener {self.port} 127.0.0.1",
            "allow_anonymous true",
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 1",
            "max_queued_messages 0",
            "max_inflight_messages 1000",
        ]
        import getpass

        (folder / "mosquitto.conf").write_text("\n".join([*lines, f"user {getpass.getuser()}"]) + "\n")

    def start(self) -> None:
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self._process = subprocess.Popen(
            [program, "-c", str(self._folder / "mosquitto.conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end_s = time.monotonic() + PATIENCE_S
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, "mosquitto ended"
            assert time.monotonic() < end_s, "mosquitto does not listen"
            threading.Event().wait(0.02)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE_S)
            self._process = None

    @property
    def broker(self) -> Broker:
        return Broker(host="127.0.0.1", port=self.port)


class Follower:
    """A program that follows topics, with a session that the broker keeps."""

    def __init__(self, port: int, topics: str, *, name: str = "follower") -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.heard: list[tuple[str, bytes, bool]] = []
        self.changed = threading.Condition()
        self.subscribed = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=name, clean_session=False)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_message = self._take
        self._client.on_connect = lambda client, *_: client.subscribe(topics, qos=1)
        self._client.on_subscribe = lambda *_: self.subscribed.set()
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()

    def _take(self, client: Any, data: Any, message: Any) -> None:
        with self.changed:
            self.heard.append((message.topic, message.payload, bool(message.retain)))
            self.changed.notify_all()

    def wait_for(self, is_so: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
        with self.changed:
            assert self.changed.wait_for(is_so, timeout_s), "it was not heard in time"

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    is_there = shutil.which("mosquitto") is not None or Path("/usr/sbin/mosquitto").exists()
    need(is_there=is_there, what="mosquitto", remedy="apt-get install mosquitto")
    pytest.importorskip("paho.mqtt")
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def follow(mosquitto: Mosquitto) -> Iterator[Callable[..., Follower]]:
    running: list[Follower] = []

    def start(topics: str, name: str = "follower") -> Follower:
        running.append(Follower(mosquitto.port, topics, name=name))
        assert running[-1].subscribed.wait(PATIENCE_S)
        return running[-1]

    yield start
    for follower in running:
        follower.close()


def publisher(mosquitto: Mosquitto, table: str = "one") -> Publisher:
    status = f"deskref/{table}/status"
    return Publisher(
        mosquitto.broker,
        name=f"deskref-{table}",
        will=Message(status, b"offline", is_retained=True),
        greeting=lambda: (Message(status, b"online", is_retained=True),),
    )


def wait_until(is_so: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
    end_s = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < end_s, "it did not happen in time"
        threading.Event().wait(0.01)


def test_messages_arrive_in_order_and_a_polite_end_is_said(
    mosquitto: Mosquitto, follow: Callable[..., Follower]
) -> None:
    follower = follow("deskref/#")
    one = publisher(mosquitto)
    one.start()
    for n in range(50):
        one.publish(Message("deskref/one/signal", b"%d" % n))
    follower.wait_for(lambda: len(follower.heard) >= 51)
    said = [payload for topic, payload, _ in follower.heard if topic.endswith("signal")]
    assert said == [b"%d" % n for n in range(50)]
    wait_until(lambda: one.status.confirmed == one.status.sent)
    one.close(Message("deskref/one/status", b"offline", is_retained=True))
    follower.wait_for(lambda: follower.heard[-1] == ("deskref/one/status", b"offline", False))


def test_who_comes_later_gets_the_state(mosquitto: Mosquitto, follow: Callable[..., Follower]) -> None:
    one = publisher(mosquitto)
    one.start()
    one.publish(Message("deskref/one/state", b"{}", is_retained=True))
    wait_until(lambda: one.status.confirmed >= 2)
    late = follow("deskref/#", name="late")
    late.wait_for(lambda: len(late.heard) >= 2)
    assert set(late.heard) == {("deskref/one/status", b"online", True), ("deskref/one/state", b"{}", True)}
    one.close()


def test_a_program_that_dies_is_said_to_be_offline(
    mosquitto: Mosquitto, follow: Callable[..., Follower], tmp_path: Path
) -> None:
    """The last will: another process is killed without a word."""
    follower = follow("deskref/#")
    script = (
        "import sys, threading\n"
        "from devices.mqtt import Broker, Message, Publisher\n"
        "status = lambda word: Message('deskref/two/status', word, is_retained=True)\n"
        f"broker = Broker(host='127.0.0.1', port={mosquitto.port})\n"
        "Publisher(broker, name='two', will=status(b'offline'), greeting=lambda: (status(b'online'),)).start()\n"
        "threading.Event().wait()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[2])
    try:
        follower.wait_for(lambda: ("deskref/two/status", b"online", False) in follower.heard)
    finally:
        process.kill()
        process.wait(PATIENCE_S)
    follower.wait_for(lambda: ("deskref/two/status", b"offline", False) in follower.heard)


def test_what_is_said_while_the_broker_is_away_arrives_when_it_is_back(
    mosquitto: Mosquitto, follow: Callable[..., Follower]
) -> None:
    follower = follow("deskref/#")
    one = publisher(mosquitto)
    one.start()
    one.publish(Message("deskref/one/signal", b"before"))
    follower.wait_for(lambda: any(payload == b"before" for _, payload, _ in follower.heard))
    mosquitto.stop()
    wait_until(lambda: not one.status.is_connected)
    assert "is gone" in one.status.trouble
    longest_s = 0.0
    for n in range(100):
        began_s = time.perf_counter()
        one.publish(Message("deskref/one/signal", b"%d" % n))
        longest_s = max(longest_s, time.perf_counter() - began_s)
    assert longest_s < 0.5
    mosquitto.start()
    follower.wait_for(lambda: len({payload for _, payload, _ in follower.heard}) >= 102)
    wait_until(lambda: one.status.connections == 2)
    assert one.status.dropped == 0
    one.close()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files as Linux lists them")
def test_who_has_closed_holds_no_file_open(mosquitto: Mosquitto) -> None:
    """Without waiting for Python's collection of cycles: an evening of reconnected tables must not run out of files."""

    def play_an_evening(name: str) -> None:
        one = publisher(mosquitto, name)
        one.start()
        wait_until(lambda: one.status.is_connected)
        one.close()

    play_an_evening("first")
    gc.collect()
    gc.disable()
    try:
        before = open_files()
        for n in range(5):
            play_an_evening(f"t{n}")
        assert open_files() == before
    finally:
        gc.enable()


def test_no_broker_costs_nothing_and_is_said() -> None:
    pytest.importorskip("paho.mqtt")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        will = Message("deskref/x/status", b"offline")
        one = Publisher(Broker(host="127.0.0.1", port=unused.getsockname()[1]), name="x", will=will)
        one.start()
        wait_until(lambda: bool(one.status.trouble))
        assert "There is no MQTT broker at 127.0.0.1" in one.status.trouble
        for _ in range(QUEUE_MOST + 5):
            one.publish(Message("deskref/x/signal", b"x"))
        assert one.status.dropped == 5
        one.close()


def test_a_broker_is_tried_beside_a_game_that_publishes(mosquitto: Mosquitto) -> None:
    running = publisher(mosquitto)
    running.start()
    wait_until(lambda: running.status.is_connected)
    assert try_broker(mosquitto.broker).answer is Answer.TAKES_US
    assert running.status.connections == 1, "the game's connection was not taken over"
    running.close()


# The library leaves the socket of a failed handshake to the garbage collection.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_broker_without_encryption_is_not_spoken_to_encrypted(mosquitto: Mosquitto) -> None:
    broker = Broker(host="127.0.0.1", port=mosquitto.port, tls=True)
    assert try_broker(broker).answer is Answer.NO_BROKER


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(MqttMissingError, match="-m pip install paho-mqtt"):
        Publisher(Broker(host="127.0.0.1"), name="x", will=Message("a", b""))


def test_a_password_is_not_shown() -> None:
    assert "secret" not in repr(Broker(host="h", user="u", password="secret"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_two_hundred_tables_lose_nothing_over_a_restart(
    mosquitto: Mosquitto, follow: Callable[..., Follower], how: signal.Signals
) -> None:
    """200 clients at 2 messages a second each for 20 s, with the broker ended and restarted in the middle.

    The broker's end is either orderly (it saves its memory) or a kill, which may take with it what it had confirmed to
    a publisher and not yet given to the follower; how many those are is printed and bounded.
    """
    tables, rounds = 200, 40
    resource = pytest.importorskip("resource")
    # A client has three files open; the usual 1,024 would do by themselves, beside other tests they would not.
    low, high = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(low, min(high, 4096)), high))
    follower = follow("deskref/+/signal")
    clients = [publisher(mosquitto, f"t{n}") for n in range(tables)]
    for client in clients:
        client.start()
    wait_until(lambda: all(client.status.is_connected for client in clients), 240.0)
    longest_s = 0.0
    began_s = time.monotonic()
    restart: threading.Thread | None = None
    for step in range(rounds):
        if step == rounds // 2:
            mosquitto.stop(how)
            restart = threading.Timer(2.0, mosquitto.start)
            restart.start()
        for n, client in enumerate(clients):
            call_s = time.perf_counter()
            client.publish(Message(f"deskref/t{n}/signal", json.dumps({"n": step}).encode()))
            longest_s = max(longest_s, time.perf_counter() - call_s)
        threading.Event().wait(max(0.0, began_s + (step + 1) / 2 - time.monotonic()))
    assert restart is not None
    restart.join(PATIENCE_S)
    wait_until(lambda: all(client.status.confirmed >= client.status.sent for client in clients), 120.0)
    wanted = {(f"deskref/t{n}/signal", step) for n in range(tables) for step in range(rounds)}
    deadline_s = time.monotonic() + 60.0

    def heard() -> Counter[tuple[str, int]]:
        return Counter((topic, json.loads(payload)["n"]) for topic, payload, _ in tuple(follower.heard))

    while set(heard()) != wanted and time.monotonic() < deadline_s:
        threading.Event().wait(0.5)
    found = heard()
    lost = len(wanted - set(found))
    repeated = sum(count - 1 for count in found.values())
    print(
        f"\n{how.name}: {len(wanted)} sent, {lost} lost, {repeated} arrived twice, "
        f"longest call {1000 * longest_s:.1f} ms, dropped {sum(c.status.dropped for c in clients)}"
    )
    for client in clients:
        client.close()
    assert set(found) <= wanted
    assert sum(client.status.dropped for client in clients) == 0
    assert lost == 0 if how is signal.SIGTERM else lost <= 20
