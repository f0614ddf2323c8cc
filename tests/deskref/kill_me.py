"""A running game that plays on by itself until it is killed; tells each input once the game has taken it in."""

from __future__ import annotations

import json
import random
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from deskref.inputs import AnyInput, EnterDie, Redo, StartGame, Undo
from deskref.live import LiveGame
from deskref.play import Play
from deskref.saved_game import take_up
from tests.deskref.played_desk import skirmish_setup


def play_on(folder: Path, seed: int, telling: Connection) -> None:
    """Take up whatever was cut off in a folder and play until killed."""
    taken = take_up(folder, version="0")
    game = LiveGame(Play(taken.journal, taken.session))
    telling.send_bytes(json.dumps({"found": len(game.session.log), "said": taken.said}).encode())
    stepped = threading.Event()
    game.on_signals.append(lambda _: stepped.set())
    game.start()
    chance = random.Random(seed)
    if game.session.setup is None:
        tell(game, StartGame(setup=skirmish_setup(with_camera=False)), stepped, telling)
    while True:
        dice: AnyInput = EnterDie(value=chance.randint(1, 6))
        tell(game, chance.choices((dice, Undo(), Redo()), weights=(8, 2, 1))[0], stepped, telling)


def tell(game: LiveGame, given: AnyInput, stepped: threading.Event, telling: Connection) -> None:
    """Hand an input in, wait for what is said, and tell how much has been said and by which words it ended."""
    stepped.clear()
    game.tell(given)
    if not stepped.wait(20):
        raise TimeoutError(given)
    log = game.session.log
    telling.send_bytes(json.dumps({"log": len(log), "last": log[-1].as_json()}).encode())
