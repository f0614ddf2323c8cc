"""The game for the room: what is published to an MQTT broker, so that lamps, score screens and clubs can follow.

Topics under `deskref/<table>/`: `status` (online, offline), `state` (the table, retained), `ruling` (the newest
ruling, retained), `signal` (everything that is said, one message each), `event` (the same, as Home Assistant's events
want it). `docs/mqtt.md` describes them.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import threading
from collections.abc import Callable
from typing import Any

from deskref.light_and_sound import PROGRAMS
from deskref.lights import RULING
from deskref.session import Session
from deskref.signal import Signal, SignalKind
from deskref.skuffle_report import winning_side
from devices.mqtt import Broker, Message, MqttStatus, Publisher

logger = logging.getLogger(__name__)

INBOX = 10_000
"""Steps of the game that may wait for the thread."""

WAIT_S = 0.5
JOIN_S = 3.0

ONLINE, OFFLINE = b"online", b"offline"


def table_name(name: str) -> str:
    """A table's name as part of a topic: letters, digits, `-` and `_`."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "table"


def topic(table: str, leaf: str) -> str:
    """The topic of one kind of message of a table."""
    return f"deskref/{table_name(table)}/{leaf}"


def messages_of(signals: tuple[Signal, ...], session: Session, *, table: str) -> tuple[Message, ...]:
    """What is published after a step of the game."""
    found = []
    for signal in signals:
        data = signal.as_json()
        found.append(Message(topic(table, "signal"), _bytes(data)))
        event = {"event_type": signal.kind.value, "text": signal.message.text}
        found.append(Message(topic(table, "event"), _bytes(event)))
        if is_ruling(signal):
            found.append(Message(topic(table, "ruling"), _bytes(data), is_retained=True))
    found.append(Message(topic(table, "state"), _bytes(state_of(session)), is_retained=True))
    return tuple(found)


def is_ruling(signal: Signal) -> bool:
    """Whether a signal says what a die or a move came to."""
    program = PROGRAMS.get(signal.kind)
    return program is not None and program.priority >= RULING and signal.kind is not SignalKind.DISAGREE


def state_of(session: Session) -> dict[str, Any]:
    """The table as a JSON object: phase, round, whose turn, everybody with dice and life, winners and their side."""
    game = session.game
    if game is None or session.setup is None:
        return {"phase": "none", "soldiers": []}
    sides = {s.id: s.side for s in session.setup.soldiers}
    current = game.soldier(game.current).label if game.current is not None else None
    return {
        "phase": game.phase.value,
        "round": game.round,
        "turn": current,
        "soldiers": [
            {"id": s.id, "name": s.label, "side": sides.get(s.id, ""), "dice": s.pool, "dead": s.is_dead}
            for s in game.soldiers
        ],
        "winners": [game.soldier(w).label for w in game.winners],
        "winning_side": [game.soldier(w).label for w in winning_side(game)],
    }


def discovery(table: str, *, version: str) -> Message:
    """What makes Home Assistant (2024.11 or newer) show the table as a device of its own, without any set-up."""
    name = table_name(table)
    key = f"deskref_{name}"
    sensors = {
        "ruling": {"name": "Ruling", "stat_t": topic(table, "ruling"), "val_tpl": "{{ value_json.text[:250] }}"},
        "turn": {"name": "Turn", "stat_t": topic(table, "state"), "val_tpl": "{{ value_json.turn or 'nobody' }}"},
        "round": {"name": "Round", "stat_t": topic(table, "state"), "val_tpl": "{{ value_json.round or 0 }}"},
        "winner": {
            "name": "Winner",
            "stat_t": topic(table, "state"),
            "val_tpl": "{{ (value_json.winners or []) | join(', ') or 'nobody yet' }}",
        },
    }
    components: dict[str, Any] = {
        part: {"p": "sensor", "uniq_id": f"{key}_{part}", **fields} for part, fields in sensors.items()
    }
    components["ruling"]["json_attr_t"] = topic(table, "ruling")
    components["signal"] = {
        "p": "event",
        "uniq_id": f"{key}_signal",
        "name": "Signal",
        "stat_t": topic(table, "event"),
        "event_types": [kind.value for kind in SignalKind],
    }
    data = {
        "dev": {"ids": [key], "name": f"deskref {table}", "mf": "deskref", "mdl": "Desk referee", "sw": version},
        "o": {"name": "deskref", "sw": version},
        "avty_t": topic(table, "status"),
        "cmps": components,
        "qos": 1,
    }
    return Message(f"homeassistant/device/{key}/config", _bytes(data), is_retained=True)


class RoomPublisher:
    """Publishes a game; `hear` may be called by the referee's thread and returns at once."""

    def __init__(
        self, broker: Broker, *, table: str, session: Callable[[], Session], version: str, announce: bool = True
    ) -> None:
        """Prepare; `start` begins.

        Args:
            broker: where to publish.
            table: the table's name; two tables at one broker need two names.
            session: gives the game's newest values.
            version: of this program.
            announce: whether Home Assistant is told.

        Raises:
            MqttMissingError: the extra `mqtt` is not installed.
        """
        self.missed = 0
        """Steps that were left out, since the thread stood still."""
        self._table = table
        self._session = session
        self._inbox: queue.Queue[tuple[Signal, ...]] = queue.Queue(INBOX)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="room", daemon=True)
        status = topic(table, "status")
        first: tuple[Message, ...] = (Message(status, ONLINE, is_retained=True),)
        if announce:
            first = (discovery(table, version=version), *first)
        self._last = Message(status, OFFLINE, is_retained=True)
        self._publisher = Publisher(
            broker, name=f"deskref-{table_name(table)}", will=self._last, greeting=lambda: first
        )

    @property
    def status(self) -> MqttStatus:
        """How the connection is."""
        return self._publisher.status

    def start(self) -> None:
        """Start connecting and the thread; returns at once."""
        self._publisher.start()
        self._thread.start()

    def hear(self, signals: tuple[Signal, ...]) -> None:
        """Take the signals of one step; never waits."""
        try:
            self._inbox.put_nowait(signals)
        except queue.Full:
            self.missed += 1

    def stop(self) -> None:
        """Publish what waits, say that the table is offline, and leave."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)
        self._publisher.close(self._last)

    def _run(self) -> None:
        while not (self._stop.is_set() and self._inbox.empty()):
            try:
                signals = self._inbox.get(timeout=WAIT_S)
            except queue.Empty:
                continue
            try:
                for message in messages_of(signals, self._session(), table=self._table):
                    self._publisher.publish(message)
            except Exception:
                logger.exception("a step of the game could not be published")


def _bytes(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
