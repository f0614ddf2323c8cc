"""The whole program with a simulated Arduino at its port: the page says when the board comes and goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.deskref.browsing import PATIENCE_MS, Program, playwright
from tests.devices.firmware.conftest import firmware_folder, live_board, program_48, simulator
from tests.devices.firmware.simulated_board import LiveBoard, strips

__all__ = ["firmware_folder", "live_board", "program_48", "simulator"]

pytestmark = pytest.mark.slow

DARK = (0, 0, 0)


def test_the_page_says_when_the_board_comes_and_goes(
    run: Callable[..., Program],
    browser: Any,
    live_board: Callable[[Path], LiveBoard],
    program_48: Path,
    tmp_path: Path,
) -> None:
    board = live_board(program_48)
    (tmp_path / "settings.toml").write_text(f'[board]\nport = "{board.port}"\n', encoding="utf-8")
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.goto(program.address)
    state = page.locator(".state")
    playwright.expect(state).to_contain_text("board: 48 LEDs", timeout=PATIENCE_MS)
    board.wait_for(lambda: any(set(s.colours) != {DARK} for s in strips(board.events)), PATIENCE_MS / 1000)
    board.unplug()
    playwright.expect(state).to_contain_text("board: ", timeout=PATIENCE_MS)
    playwright.expect(state).not_to_contain_text("48 LEDs", timeout=PATIENCE_MS)
    playwright.expect(page.get_by_text("game goes on").first).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("6")
    playwright.expect(page.locator(".ruling")).to_contain_text("hits", timeout=PATIENCE_MS)
    before = len(board.events)
    board.plug()
    playwright.expect(state).to_contain_text("board: 48 LEDs", timeout=PATIENCE_MS)
    board.wait_for(lambda: any(set(s.colours) != {DARK} for s in strips(board.events[before:])), PATIENCE_MS / 1000)
    page.close()
