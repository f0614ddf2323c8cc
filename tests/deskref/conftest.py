"""Fixtures of the tests with a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Starts a deskref as a player does; it is ended with the test."""
    from tests.deskref.browsing import Program

    programs: list[Program] = []

    def start(*arguments: str) -> Program:
        programs.append(Program(tmp_path, *arguments))
        return programs[-1]

    yield start
    for program in programs:
        program.end()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium with a camera that plays a clip of the mat, for all tests."""
    from tests.deskref.browsing import open_browser

    with open_browser() as opened:
        yield opened
