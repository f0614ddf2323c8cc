"""Fixtures of the tests with a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def ending() -> Iterator[list[Any]]:
    """Programs that were asked to end; in the end each must have done so."""
    programs: list[Any] = []
    yield programs
    for program in programs:
        program.end()


@pytest.fixture
def run(tmp_path: Path, ending: list[Any]) -> Iterator[Callable[..., Any]]:
    """Starts a deskref; with the test it is asked to end, which it does while the next test begins."""
    from tests.deskref.browsing import Program

    programs: list[Program] = []

    def start(*arguments: str, anew: bool = False) -> Program:
        programs.append(Program(tmp_path, *arguments, anew=anew))
        return programs[-1]

    yield start
    for program in programs:
        program.send()
    ending.extend(programs)


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Any]:
    """A Chromium with a camera that plays a clip of the mat, for all tests."""
    from tests.deskref.browsing import open_browser

    with open_browser() as opened:
        yield opened


@pytest.fixture
def browser(shared_browser: Any) -> Iterator[Any]:
    """That Chromium; what a test leaves open, as one that fails does, is closed, for it would slow all others down."""
    yield shared_browser
    shared_browser.close_all()
