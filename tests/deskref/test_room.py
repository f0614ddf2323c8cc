"""What is published for the room: topics, the table's state, Home Assistant's discovery; and the outputs of a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from deskref.inputs import EnterDie, MoveSoldier, PassTurn, Source, StartGame
from deskref.live import LiveGame
from deskref.outputs import add_outputs, resumed_signals
from deskref.play import Play
from deskref.program import PRACTICE
from deskref.room import RoomPublisher, discovery, is_ruling, messages_of, state_of, table_name
from deskref.session import Session
from deskref.settings import BoardSettings, MqttSettings
from deskref.signal import SignalKind
from devices.board import BoardState
from devices.mqtt import Broker
from tests.deskref.test_lights import signal
from tests.devices.test_mqtt import Follower, Mosquitto, follow, mosquitto, wait_until

__all__ = ["follow", "mosquitto"]


def started() -> Play:
    play = Play(None)
    play.happened(StartGame(setup=PRACTICE, time_s=0.0))
    return play


@pytest.mark.parametrize(
    ("name", "part"), [("Table 1", "Table-1"), ("a/b#+c", "a-b-c"), ("", "table"), ("///", "table"), ("Süd", "S-d")]
)
def test_a_tables_name_cannot_break_a_topic(name: str, part: str) -> None:
    assert table_name(name) == part


def test_rulings_are_kept_and_everything_is_said() -> None:
    said = (signal(SignalKind.HIT, 1), signal(SignalKind.MOVED, 2))
    found = messages_of(said, Session(), table="one")
    assert [(m.topic, m.is_retained) for m in found] == [
        ("deskref/one/signal", False),
        ("deskref/one/event", False),
        ("deskref/one/ruling", True),
        ("deskref/one/signal", False),
        ("deskref/one/event", False),
        ("deskref/one/state", True),
    ]
    assert json.loads(found[0].payload)["type"] == "hit"
    assert json.loads(found[1].payload) == {"event_type": "hit", "text": "words"}


def test_a_disagreement_is_no_ruling() -> None:
    assert not is_ruling(signal(SignalKind.DISAGREE))
    assert not is_ruling(signal(SignalKind.YOUR_TURN))
    assert is_ruling(signal(SignalKind.WINNER))


def test_the_state_says_who_has_what() -> None:
    assert state_of(Session()) == {"phase": "none", "soldiers": []}
    state = state_of(started().session)
    assert state["round"] == 1
    assert state["turn"] in {"Lokan", "Tarik", "Daemon", "Imp"}
    assert {s["side"] for s in state["soldiers"]} == {"Blue", "Orange"}
    assert all(s["dice"] == 2 and not s["dead"] for s in state["soldiers"])
    json.dumps(state)


def test_home_assistant_is_told_with_its_own_names() -> None:
    """Device discovery: abbreviations of Home Assistant's documentation; ids are unique and stable."""
    message = discovery("My table", version="1.2.3")
    assert message.topic == "homeassistant/device/deskref_My-table/config"
    assert message.is_retained
    data = json.loads(message.payload)
    assert data["o"] == {"name": "deskref", "sw": "1.2.3"}
    assert data["avty_t"] == "deskref/My-table/status"
    assert {c["p"] for c in data["cmps"].values()} == {"sensor", "event"}
    ids = [c["uniq_id"] for c in data["cmps"].values()]
    assert len(ids) == len(set(ids))
    assert set(data["cmps"]["signal"]["event_types"]) == {kind.value for kind in SignalKind}


def test_a_game_is_followed_at_a_real_broker(mosquitto: Mosquitto, follow: Callable[..., Follower]) -> None:
    follower = follow("#")
    play = started()
    room = RoomPublisher(
        Broker(host="127.0.0.1", port=mosquitto.port), table="one", session=lambda: play.session, version="1"
    )
    room.start()
    wait_until(lambda: room.status.is_connected)
    room.hear(play.happened(PassTurn(time_s=1.0)))
    room.stop()
    follower.wait_for(lambda: any(payload == b"offline" for _, payload, _ in follower.heard))
    topics = [topic for topic, _, _ in follower.heard]
    assert topics[0] == "homeassistant/device/deskref_one/config"
    assert topics[1] == "deskref/one/status"
    assert {"deskref/one/signal", "deskref/one/event", "deskref/one/state"} <= set(topics)
    assert follower.heard[-1][:2] == ("deskref/one/status", b"offline")


def test_settings_make_the_outputs(tmp_path: Path) -> None:
    game = LiveGame(Play(None))
    board = BoardSettings(kind="deskref", port="/dev/ttyNONE", brightness=50)
    pytest.importorskip("paho.mqtt")
    troubles = add_outputs(game, board=board, mqtt=MqttSettings(host="127.0.0.1"), home=tmp_path, version="1")
    assert troubles == []
    assert len(game.outputs) == 2
    assert game.board is game.outputs[0]
    assert game.board.status.state is BoardState.OFF


def test_no_board_wanted_is_no_output(tmp_path: Path) -> None:
    game = LiveGame(Play(None))
    assert add_outputs(game, board=BoardSettings(kind="none"), mqtt=MqttSettings(), home=tmp_path, version="1") == []
    assert game.outputs == []


def test_what_the_settings_lack_is_said_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    game = LiveGame(Play(None))
    board, mqtt = BoardSettings(kind="wled-udp"), MqttSettings(host="127.0.0.1")
    troubles = add_outputs(game, board=board, mqtt=mqtt, home=tmp_path, version="1")
    assert "needs WLED's address" in troubles[0]
    assert "-m pip install paho-mqtt" in troubles[1]
    assert game.outputs == []


def test_a_game_taken_up_again_shows_whose_turn_it_is() -> None:
    play = started()
    (last,) = resumed_signals(play.session)
    assert last.kind is SignalKind.YOUR_TURN
    assert resumed_signals(Play(None).session) == ()


class Listening:
    """An output that remembers."""

    def __init__(self) -> None:
        self.heard: list[SignalKind] = []
        self.calls: list[str] = []

    def start(self) -> None:
        self.calls.append("start")

    def hear(self, signals: tuple[object, ...]) -> None:
        self.heard += [s.kind for s in signals]  # type: ignore[attr-defined]  # they are signals

    def stop(self) -> None:
        self.calls.append("stop")


def test_a_running_game_starts_feeds_and_stops_its_outputs() -> None:
    game, output = LiveGame(Play(None)), Listening()
    game.add_output(output)  # type: ignore[arg-type]  # hears any signals
    game.start()
    game.tell(StartGame(setup=replace(PRACTICE, with_camera=False)))
    game.tell(EnterDie(value=6, source=Source.TYPED))
    game.tell(MoveSoldier())
    wait_until(lambda: SignalKind.YOUR_TURN in output.heard and len(output.heard) >= 3)
    game.stop()
    assert output.calls == ["start", "stop"]
