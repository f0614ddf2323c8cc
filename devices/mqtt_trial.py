"""Trying an MQTT broker once, for the doctor: does it answer, as what, and does it take us."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from devices.mqtt import Broker, MqttMissingError

CONNECT_S: Final = 3.0
"""How long a broker in the home's network may take to answer; it takes some milliseconds."""

ANSWER_S: Final = 3.0
"""How long it may then take to greet."""


class Answer(StrEnum):
    """What came of trying."""

    TAKES_US = "takes_us"
    SILENT = "silent"
    """Nobody answers at that address and port."""
    NO_BROKER = "no_broker"
    """Something answers, but does not speak MQTT, or not in the way that was asked: encrypted or not."""
    REFUSES = "refuses"
    """The broker does not take this name or password."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trying a broker."""

    answer: Answer
    why: str = ""
    """In the system's or the broker's words; empty where there are none."""


def try_broker(broker: Broker, *, connect_s: float = CONNECT_S, answer_s: float = ANSWER_S) -> Tried:
    """Connect once, publish nothing, and leave.

    Under a random name, so that a game that publishes meanwhile is not put out.

    Args:
        broker: to try.
        connect_s: how long it may take to answer.
        answer_s: how long it may then take to greet.

    Raises:
        MqttMissingError: the library is not installed.
    """
    try:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
    except ImportError as error:
        raise MqttMissingError from error
    try:
        socket.create_connection((broker.host, broker.port), connect_s).close()
    except (OSError, ValueError) as error:  # ValueError: a name that no address can have
        return Tried(Answer.SILENT, str(error))
    client = Client(CallbackAPIVersion.VERSION2)
    client.connect_timeout = connect_s
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.tls:
        client.tls_set()
    heard: list[Tried] = []

    # The library's callbacks hand over values of its own types; only their words are used.
    def greeted(_: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        heard.append(Tried(Answer.REFUSES, str(reason)) if reason.is_failure else Tried(Answer.TAKES_US))

    client.on_connect = greeted
    try:
        client.connect(broker.host, broker.port)
        end_s = time.monotonic() + answer_s
        while not heard and (left_s := end_s - time.monotonic()) > 0:
            if client.loop(min(0.2, left_s)) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                break
    except (OSError, ValueError) as error:  # somebody is there, but not in the way that was asked: encrypted or not
        return Tried(Answer.NO_BROKER, str(error))
    finally:
        client.disconnect()
        client.loop(0.1)
        client.on_connect = None  # else client and callback hold each other, and the socket stays open
    return heard[0] if heard else Tried(Answer.NO_BROKER)
