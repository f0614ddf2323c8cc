"""Ctrl+C: one line that says what became of the game, and nothing that looks like a fault."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.sync.client import connect

from deskref.inputs import EnterDie, StartGame
from deskref.live import LiveGame
from deskref.page.ending import told_at_end
from deskref.play import Play
from deskref.program import PRACTICE
from deskref.recording import Journal, is_finished
from tests.deskref.ports import free_port

PATIENCE_S = 60.0

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")


def begun(path: Path, *, rolls: int) -> Play:
    """A game with its journal, cut off after some rolls."""
    path.parent.mkdir(exist_ok=True)
    journal = Journal(path, version="0", started="now")
    play = Play(journal)
    play.happened(StartGame(setup=PRACTICE))
    for _ in range(rolls):
        play.happened(EnterDie(value=2))
    journal.close(orderly=False)
    return play


def opened(address: str) -> str:
    """A page, as soon as it is served."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as page:
                return str(page.read().decode())
        except urllib.error.URLError:
            assert time.monotonic() < end, "the page does not answer"
            time.sleep(0.05)


def hear_ctrl_c() -> None:
    """What a shell starts in the background ignores Ctrl+C, and so would what these tests start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@posix_only
def test_ctrl_c_with_a_page_and_a_picture_open_is_quiet_and_keeps_the_game(tmp_path: Path) -> None:
    journal = tmp_path / "games" / "2026-01-02T03-04-05.jsonl"
    begun(journal, rolls=1)
    port = free_port()
    address = f"127.0.0.1:{port}"
    given = [sys.executable, "-m", "deskref", "play", "--camera", "none", "--no-browser", "--port", str(port)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NICEGUI"))}
    program = subprocess.Popen(
        given,
        env={**kept, "DESKREF_HOME": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )
    try:
        assert program.stderr is not None
        said = ""
        while "deskref is at" not in said:
            said = program.stderr.readline()
            assert said, "it ended before it answered"
        page = opened(f"http://{address}/")
        found = re.search(r"'client_id': '([0-9a-f-]{36})'", page)
        assert found is not None
        asked = f"EIO=4&transport=websocket&client_id={found[1]}&next_message_id=0"
        picture = urllib.request.urlopen(f"http://{address}/stream.mjpg", timeout=PATIENCE_S)
        with picture, connect(f"ws://{address}/_nicegui_ws/socket.io/?{asked}", max_size=None) as window:
            window.recv(timeout=PATIENCE_S)
            window.send("40")
            assert str(window.recv(timeout=PATIENCE_S)).startswith("40")
            program.send_signal(signal.SIGINT)
            rest = program.communicate(timeout=PATIENCE_S)[1]
    finally:
        program.kill()
        program.wait(PATIENCE_S)
    assert program.returncode == 130
    assert "Traceback" not in rest
    assert "ERROR" not in rest
    (line,) = (line for line in rest.splitlines() if line)
    assert "The game is kept" in line
    assert "goes on where it was" in line
    assert not is_finished(journal)


def test_the_last_line_says_what_became_of_the_game(tmp_path: Path) -> None:
    """Nothing was played, a game goes on later, and one that is kept but does not go on, as a demo's."""
    assert told_at_end(LiveGame(begun(tmp_path / "fresh.jsonl", rolls=0))) == "deskref has ended."
    game = LiveGame(begun(tmp_path / "played.jsonl", rolls=1))
    assert told_at_end(game).endswith(f"The game is kept in {tmp_path / 'played.jsonl'}")
    game.goes_on_later = True
    assert "goes on where it was" in told_at_end(game)
