"""Every parser meets its seeds, what it once failed on, and changed inputs; `python -m tests.fuzz` runs more."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import engine
from tests.fuzz.found import FOUND
from tests.fuzz.targets import TARGETS

INPUTS = 120
"""Changed inputs of each parser in the default run: about a tenth of a second to a second each."""


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", TARGETS)
def test_nonsense_is_refused_or_read_but_never_fails(name: str) -> None:
    result = engine.fuzz(TARGETS[name], executions=INPUTS, seed=1)
    assert result.findings == {}
    assert len(result.answers) > 1 or name in ("consents", "strip"), "the seeds reach nothing"


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_is_sound(name: str, tmp_path: Path) -> None:
    """A seed that is refused at the first byte leads nowhere."""
    target = TARGETS[name]
    result = engine.Result(name)
    for seed in target.seeds:
        engine.tried(target, seed, tmp_path, result)
    assert result.findings == {}
    if name in ("setup", "settings", "character", "lenses", "faces", "consents"):
        assert set(result.answers) == {"sound"}


@pytest.mark.parametrize(("name", "data"), [(name, data) for name, found in FOUND.items() for data in found])
def test_what_once_failed_does_so_no_longer(name: str, data: bytes, tmp_path: Path) -> None:
    result = engine.Result(name)
    engine.tried(TARGETS[name], data, tmp_path, result)
    assert result.findings == {}


def test_a_parser_that_fails_is_found_out() -> None:
    """Without this, a harness that swallows everything would pass all tests above."""

    def run(data: bytes, folder: Path) -> str | None:
        value = json.loads(data)
        return str(1 / value["n"])

    target = engine.Target("bad", "", run, (b'{"n": 1}',), form="json")
    found = engine.fuzz(target, executions=300, seed=1).findings
    kinds = {where.split(" ")[0] for where in found}
    assert {"ZeroDivisionError", "KeyError", "TypeError"} <= kinds
    assert all(":" in where for where in found)


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="nothing watches the time here")
def test_a_parser_that_hangs_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "HANGS_S", 0.05)

    def run(data: bytes, folder: Path) -> str | None:
        while True:
            pass

    (where,) = engine.fuzz(engine.Target("slow", "", run, (b"",)), executions=1).findings
    assert where.startswith("HangsError")


def test_the_same_seed_gives_the_same_inputs() -> None:
    seen: list[list[bytes]] = [[], []]
    for each in seen:
        target = engine.Target(
            "same", "", lambda data, _, each=each: each.append(data), (b'{"a": [1, 2]}',), form="json"
        )
        engine.fuzz(target, executions=100, seed=5)
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > 50


@pytest.mark.slow
def test_the_documented_command_runs(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", "faces", "--minutes", "0.02", "--plain"]
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "DESKREF_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0 findings" in done.stdout
