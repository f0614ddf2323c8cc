"""Publishing to an MQTT broker from a thread of its own, so that the game never waits for the network.

Needs the extra `mqtt` (paho-mqtt). Messages of quality 1 that were not confirmed are sent again after the broker was
away; what is retained is published anew at every connection, for a broker without a memory forgets it.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paho.mqtt.client import Client

logger = logging.getLogger(__name__)

QUEUE_MOST = 10_000
"""Messages that may wait for the broker: an evening of play; later ones are dropped and counted."""

FIRST_WAIT_S = 1
LONGEST_WAIT_S = 10
"""Waits between attempts to reach the broker; whole seconds, as paho takes them."""

KEEPALIVE_S = 10
"""A broker that says nothing for one and a half times as long counts as lost; so does, to it, a program."""

CLOSE_S = 2.0
"""How long closing waits for the last messages."""


class MqttMissingError(Exception):
    """The library is not installed."""

    def __init__(self) -> None:
        super().__init__(f'MQTT needs one more library: "{sys.executable}" -m pip install paho-mqtt')


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where and as whom to publish."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message."""

    topic: str
    payload: bytes
    is_retained: bool = False
    """Whether the broker keeps it for those who come later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttStatus:
    """How the connection is; replaced as a whole."""

    is_connected: bool = False
    trouble: str = ""
    """Why not, for the player."""
    connections: int = 0
    sent: int = 0
    """Messages taken in."""
    confirmed: int = 0
    """Messages that the broker has confirmed."""
    dropped: int = 0
    """Messages for which there was no room."""


class Publisher:
    """One client of a broker. `publish` may be called by one thread and returns at once."""

    def __init__(
        self,
        broker: Broker,
        *,
        name: str,
        will: Message,
        greeting: Callable[[], tuple[Message, ...]] = tuple,
    ) -> None:
        """Prepare; `start` begins.

        Args:
            broker: where to publish.
            name: the client's name, unique at the broker.
            will: what the broker says for us when we are gone without a word.
            greeting: what is published first at each connection, before what is retained.

        Raises:
            MqttMissingError: the library is not installed.
        """
        self.status = MqttStatus()
        self._lock = threading.Lock()
        self._greeting = greeting
        self._retained: dict[str, Message] = {}
        self._client = self._made(broker, name, will)
        self._broker = broker

    def start(self) -> None:
        """Begin to connect, and go on trying; returns at once."""
        self._client.connect_async(self._broker.host, self._broker.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()

    def publish(self, message: Message) -> None:
        """Send a message with quality 1, now or when the broker is there."""
        if message.is_retained:
            with self._lock:
                self._retained[message.topic] = message
        self._send(message)

    def close(self, last: Message | None = None) -> None:
        """Send a last message, and leave politely, so that the will is not said; waits `CLOSE_S` at most."""
        if last is not None and self.status.is_connected:
            info = self._client.publish(last.topic, last.payload, qos=1, retain=last.is_retained)
            try:
                info.wait_for_publish(CLOSE_S)
            except (ValueError, RuntimeError) as error:
                logger.debug("the last message was not sent: %s", error)
        self._client.disconnect()
        thread = threading.Thread(target=self._end, name="mqtt end", daemon=True)
        thread.start()
        thread.join(CLOSE_S)

    def _end(self) -> None:
        """Stop the library's thread, and let go of each other: it closes its sockets only when its client is freed."""
        self._client.loop_stop()
        self._client.on_connect = None
        self._client.on_connect_fail = None
        self._client.on_disconnect = None
        self._client.on_publish = None

    def _send(self, message: Message) -> None:
        from paho.mqtt.enums import MQTTErrorCode

        info = self._client.publish(message.topic, message.payload, qos=1, retain=message.is_retained)
        is_dropped = info.rc == MQTTErrorCode.MQTT_ERR_QUEUE_SIZE
        self._count(sent=not is_dropped, dropped=is_dropped)

    def _count(self, *, sent: int = 0, confirmed: int = 0, dropped: int = 0) -> None:
        with self._lock:
            s = self.status
            self.status = replace(s, sent=s.sent + sent, confirmed=s.confirmed + confirmed, dropped=s.dropped + dropped)

    def _tell(self, **changes: Any) -> None:
        with self._lock:
            self.status = replace(self.status, **changes)

    def _made(self, broker: Broker, name: str, will: Message) -> Client:
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError as error:
            raise MqttMissingError from error
        client = Client(CallbackAPIVersion.VERSION2, client_id=name)
        client.max_queued_messages_set(QUEUE_MOST)
        client.reconnect_delay_set(FIRST_WAIT_S, LONGEST_WAIT_S)
        client.will_set(will.topic, will.payload, qos=1, retain=will.is_retained)
        if broker.user:
            client.username_pw_set(broker.user, broker.password)
        if broker.tls:
            client.tls_set()
        # The library's callbacks hand over values of its own types; only their words are used.
        client.on_connect = self._connected
        client.on_connect_fail = self._failed
        client.on_disconnect = self._disconnected
        client.on_publish = self._published
        return client

    def _connected(self, client: Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._tell(is_connected=False, trouble=f"The MQTT broker at {self._broker.host} refuses us: {reason}.")
            logger.warning("%s", self.status.trouble)
            return
        logger.info("MQTT broker %s reached", self._broker.host)
        self._tell(is_connected=True, trouble="", connections=self.status.connections + 1)
        with self._lock:
            retained = tuple(self._retained.values())
        for message in (*self._greeting(), *retained):
            self._send(message)

    def _failed(self, client: Client, data: Any) -> None:
        self._tell(is_connected=False, trouble=f"There is no MQTT broker at {self._broker.host}:{self._broker.port}.")

    def _disconnected(self, client: Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure and not self.status.trouble:
            self._tell(
                is_connected=False, trouble=f"The MQTT broker at {self._broker.host} is gone; it is tried again."
            )
        else:
            self._tell(is_connected=False)

    def _published(self, client: Client, data: Any, message_id: int, reason: Any, properties: Any) -> None:
        self._count(confirmed=1)
