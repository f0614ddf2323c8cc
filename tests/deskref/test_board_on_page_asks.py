"""The whole program with an unknown serial chip plugged in: the page asks before anything is opened."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devices.board_list import FILE_NAME
from tests.deskref.browsing import PATIENCE_MS, Program, playwright
from tests.devices.firmware.conftest import firmware_folder, live_board, program_48, simulator
from tests.devices.firmware.simulated_board import LiveBoard

__all__ = ["firmware_folder", "live_board", "program_48", "simulator"]

pytestmark = pytest.mark.slow

PLUGGED_IN = """
from types import SimpleNamespace
from serial.tools import list_ports

def comports(include_links=False):
    return [SimpleNamespace(device={port!r}, vid=0x1A86, pid=0x7523, serial_number=None, location="1-2",
                            description="USB Serial")]

list_ports.comports = comports
"""
"""A computer with one CH340 chip at the simulated board's port; read by Python before the program begins."""


@pytest.fixture
def chip(
    live_board: Callable[[Path], LiveBoard], program_48: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> LiveBoard:
    board = live_board(program_48)
    folder = tmp_path / "plugged"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(PLUGGED_IN.format(port=str(board.port)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return board


def question(page: Any) -> Any:
    return page.locator(".board-ask")


def test_yes_lights_the_board_and_is_remembered(
    chip: LiveBoard, run: Callable[..., Program], browser: Any, tmp_path: Path
) -> None:
    program = run("play", "--camera", "none", anew=True)
    one, two = browser.new_page(), browser.new_page()
    for page in (one, two):
        page.goto(program.address)
        playwright.expect(question(page)).to_contain_text("CH340", timeout=PATIENCE_MS)
    assert not (tmp_path / FILE_NAME).exists()
    one.get_by_role("button", name="Yes, use it").click()
    for page in (one, two):
        playwright.expect(page.locator(".state")).to_contain_text("board: 48 LEDs", timeout=PATIENCE_MS)
        playwright.expect(question(page)).to_have_count(0, timeout=PATIENCE_MS)
        playwright.expect(page.get_by_text("Light board connected").first).to_be_visible(timeout=PATIENCE_MS)
        page.close()
    assert [entry["agreed"] for entry in json.loads((tmp_path / FILE_NAME).read_text(encoding="utf-8"))] == [True]


def test_no_leaves_it_alone_for_good(
    chip: LiveBoard, run: Callable[..., Program], browser: Any, tmp_path: Path
) -> None:
    program = run("play", "--camera", "none", anew=True)
    page = browser.new_page()
    page.goto(program.address)
    question(page).get_by_role("button", name="No, leave it alone").click(timeout=PATIENCE_MS)
    playwright.expect(question(page)).to_have_count(0, timeout=PATIENCE_MS)
    page.reload()
    playwright.expect(page.locator(".side .who")).to_be_visible(timeout=PATIENCE_MS)
    page.wait_for_timeout(3000)  # longer than the link waits between two looks
    assert question(page).count() == 0
    page.close()
    assert [entry["agreed"] for entry in json.loads((tmp_path / FILE_NAME).read_text(encoding="utf-8"))] == [False]
