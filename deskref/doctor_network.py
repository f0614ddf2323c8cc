"""What the doctor says of the things in the home's network: WLED over Wi-Fi, and the MQTT broker."""

from __future__ import annotations

from deskref.finding import Finding, Health
from deskref.language import say
from deskref.settings import BoardSettings, MqttSettings
from devices.board import BoardError
from devices.board_port import AbsentError
from devices.board_wled import Datagrams, WledUdpDialect
from devices.mqtt import Broker, MqttMissingError
from devices.mqtt_trial import Answer, try_broker

WLED_PORT = 80
"""WLED's web server, which is asked whether it is there."""


def wled_finding(board: BoardSettings, *, http_port: int = WLED_PORT) -> Finding:
    """Ask the WLED that the settings name; lights nothing.

    Args:
        board: section `[board]`, of the kind `wled-udp`.
        http_port: of its web server.
    """
    if not board.port:
        return Finding(say("doc_board"), Health.BAD, say("doc_wled_no_address"), say("doc_wled_address"))
    what = say("doc_board_at", port=board.port)
    dialect = WledUdpDialect(board.port, leds=board.leds, http_port=http_port)
    try:
        port = Datagrams(board.port)
        try:
            met = dialect.greet(port, lambda: False)
        finally:
            port.close()
    except AbsentError:
        return Finding(what, Health.BAD, say("doc_wled_silent"), say("doc_wled_silent_do"))
    except BoardError:
        return Finding(what, Health.BAD, say("doc_wled_other"), say("doc_wled_address"))
    return Finding(what, Health.GOOD, say("doc_board_runs", name=met.name, leds=met.leds), say("doc_board_test"))


def broker_findings(mqtt: MqttSettings) -> tuple[Finding, ...]:
    """Try the broker that the settings name; nothing where they name none."""
    if not mqtt.host:
        return ()
    what = say("doc_mqtt", host=mqtt.host)
    broker = Broker(host=mqtt.host, port=mqtt.port, user=mqtt.user, password=mqtt.password, tls=mqtt.tls)
    try:
        tried = try_broker(broker)
    except MqttMissingError:
        return (Finding(what, Health.BAD, say("doc_mqtt_untried"), say("doc_mqtt_install")),)
    port = mqtt.port
    match tried.answer:
        case Answer.TAKES_US:
            return (Finding(what, Health.GOOD, say("doc_mqtt_answers", port=port)),)
        case Answer.REFUSES:
            return (Finding(what, Health.BAD, say("doc_mqtt_refuses", why=tried.why), say("doc_mqtt_refuses_do")),)
        case Answer.NO_BROKER:
            said = say("doc_mqtt_other", port=port) + (f" ({tried.why})" if tried.why else "")
            return (Finding(what, Health.BAD, said, say("doc_mqtt_other_do")),)
        case Answer.SILENT:
            said = say("doc_mqtt_silent", port=port)
            return (Finding(what, Health.BAD, said, say("doc_mqtt_silent_do")),)
