"""What follows a game beside the page: the light board, and the broker for the room; made from the settings."""

from __future__ import annotations

import logging
from pathlib import Path

from deskref.board_player import BoardPlayer
from deskref.live import LiveGame
from deskref.page.overlay import side_of
from deskref.session import Fate, Session
from deskref.settings import BoardSettings, MqttSettings
from deskref.signal import Signal, SignalKind
from devices.board_choice import BoardChoice, make_board
from devices.board_list import Consents
from devices.mqtt import Broker, MqttMissingError

logger = logging.getLogger(__name__)


def add_outputs(game: LiveGame, *, board: BoardSettings, mqtt: MqttSettings, home: Path, version: str) -> list[str]:
    """Let the light board and the broker of the settings follow a game that has not begun.

    Args:
        game: to be followed.
        board: section `[board]`.
        mqtt: section `[mqtt]`.
        home: folder in which the player's consent to ports is remembered.
        version: of this program.

    Returns:
        What cannot be used, in words for the player; the game goes on without it.
    """
    troubles = []
    if board.kind != "none":
        try:
            player = board_player(board, home=home, game=game)
        except ValueError as error:
            troubles.append(f"The light board is left out: {error}")
        else:
            game.board = player
            game.add_output(player)
    if mqtt.host:
        from deskref.room import RoomPublisher  # only where it is wanted: its library is an extra

        broker = Broker(host=mqtt.host, port=mqtt.port, user=mqtt.user, password=mqtt.password, tls=mqtt.tls)
        try:
            room = RoomPublisher(
                broker, table=mqtt.table, session=lambda: game.session, version=version, announce=mqtt.home_assistant
            )
        except MqttMissingError as error:
            troubles.append(str(error))
        else:
            game.add_output(room)
    resumed = resumed_signals(game.session)
    for output in game.outputs:
        output.hear(resumed)
    return troubles


def board_player(board: BoardSettings, *, home: Path, game: LiveGame) -> BoardPlayer:
    """The player of the board that the settings name.

    Raises:
        ValueError: the settings lack something.
    """
    choice = BoardChoice(kind=board.kind, port=board.port, leds=board.leds)
    consents = Consents(home)
    return BoardPlayer(
        make_board(choice, consents),
        sides=lambda soldier: side_of(game.session, soldier),
        sound=board.sound,
        brightness=board.brightness / 100,
        consents=consents,
    )


def resumed_signals(session: Session) -> tuple[Signal, ...]:
    """What still holds of the game that is played: whose turn it is, or who has won; nothing of the game before."""
    kinds = (SignalKind.YOUR_TURN, SignalKind.WINNER)
    holding = (s for s in reversed(session.game_log) if s.kind in kinds and session.fate(s.number) is Fate.HOLDS)
    last = next(holding, None)
    return (last,) if last is not None else ()
