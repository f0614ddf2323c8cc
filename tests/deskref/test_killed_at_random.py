"""Kill -9 at fifty random moments of one game: it goes on each time, with everything that had been said."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from deskref.replay import followed, rulings
from tests.deskref import kill_me

KILLS = 50
LONGEST_S = 0.4
"""Of play before a kill: about a hundred inputs."""


def played_and_killed(folder: Path, seed: int, seconds: float) -> list[dict[str, Any]]:
    """Let the game play for some time in a process of its own, kill it, and give what it told before."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([kill_me.__name__])
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


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a signal of POSIX systems")
def test_killed_at_fifty_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    chance = random.Random(7)
    said: dict[int, dict[str, Any]] = {}
    """What was said last when the log had a length, by that length."""
    longest = 0
    for kill in range(KILLS):
        found, *steps = played_and_killed(tmp_path, kill, chance.uniform(0.0, LONGEST_S))
        assert found["found"] >= longest, f"kill {kill}: something that had been said is gone"
        for step in steps:
            said[step["log"]] = step["last"]
            longest = step["log"]
        (journal,) = tmp_path.glob("*.jsonl")
        again = followed(journal)
        assert again.trouble is None
        for length, last in said.items():
            assert again.session.log[length - 1].as_json() == last
    assert len(said) > KILLS
    assert sum(1 for _ in rulings(journal)) > 0
