"""Kill -9 at fifty random moments of two games: they go on each time, with everything that had been said."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from deskref.replay import followed, rulings
from tests.deskref import kill_me
from tests.deskref.forked import quick_context

GAMES = 2
"""Played and killed at the same time, each in a folder of its own."""

KILLS = 25
"""Of each game."""

LONGEST_S = 0.4
"""Of play before a kill: about a hundred inputs."""


def played_and_killed(folder: Path, seed: int, seconds: float) -> list[dict[str, Any]]:
    """Let the game play for some time in a process of its own, kill it, and give what it told before."""
    context = quick_context()
    told, telling = context.Pipe(duplex=False)
    program = context.Process(target=kill_me.play_on, args=(folder, seed, telling))
    program.start()
    telling.close()
    lines = [told.recv_bytes()]
    program.join(seconds)  # it never ends by itself; what it tells meanwhile waits in the pipe
    program.kill()
    with contextlib.suppress(EOFError, OSError):  # the last line may be cut off
        while True:
            lines.append(told.recv_bytes())
    program.join(20)
    assert program.exitcode == -signal.SIGKILL
    told.close()
    program.close()
    return [json.loads(line) for line in lines]


def kill_again_and_again(folder: Path, seed: int) -> None:
    """Play one game of which nothing may ever be lost."""
    chance = random.Random(seed)
    said: dict[int, dict[str, Any]] = {}
    """What was said last when the log had a length, by that length."""
    longest = 0
    for kill in range(KILLS):
        found, *steps = played_and_killed(folder, 100 * seed + kill, chance.uniform(0.0, LONGEST_S))
        assert found["found"] >= longest, f"kill {kill}: something that had been said is gone"
        for step in steps:
            said[step["log"]] = step["last"]
            longest = step["log"]
        (journal,) = folder.glob("*.jsonl")
        again = followed(journal)
        assert again.trouble is None
        for length, last in said.items():
            assert again.session.log[length - 1].as_json() == last
    assert len(said) > KILLS
    assert sum(1 for _ in rulings(journal)) > 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a signal of POSIX systems")
def test_killed_at_fifty_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    folders = [tmp_path / f"game-{number}" for number in range(GAMES)]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(GAMES) as pool:
        list(pool.map(kill_again_and_again, folders, range(7, 7 + GAMES)))
