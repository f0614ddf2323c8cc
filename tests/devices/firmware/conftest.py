"""The simulated boards, built once for all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.devices.firmware.simulated_board import LiveBoard, build, build_simulator, need_avr_tools


@pytest.fixture(scope="session")
def firmware_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where everything is built."""
    need_avr_tools()
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="session")
def simulator(firmware_folder: Path) -> Path:
    """The simulator's harness."""
    return build_simulator(firmware_folder)


@pytest.fixture(scope="session")
def program_48(firmware_folder: Path) -> Path:
    """The program for 48 LEDs."""
    return build(firmware_folder, 48)


@pytest.fixture(scope="session")
def program_144(firmware_folder: Path) -> Path:
    """The program for 144 LEDs."""
    return build(firmware_folder, 144)


@pytest.fixture
def live_board(simulator: Path, tmp_path: Path) -> Iterator[Callable[[Path], LiveBoard]]:
    """Starts simulated boards in real time and ends them after the test."""
    running: list[LiveBoard] = []

    def start(program: Path) -> LiveBoard:
        board = LiveBoard(simulator, program, tmp_path / f"port{len(running)}")
        running.append(board.__enter__())
        return board

    yield start
    for board in running:
        board.__exit__()
