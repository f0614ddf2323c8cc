"""placeholder"""
from collections.abc import Callable
from deskref.live import LiveGame
def fill_form(game: LiveGame, close: Callable[[], object]) -> None: ...
