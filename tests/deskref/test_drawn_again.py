"""A window that closes while it is to be drawn again leaves no trace of calls in the player's terminal."""

from __future__ import annotations

import pytest
from nicegui import ui

from deskref.page.drawn_again import drawn_again
from tests.deskref.drawn_page import DrawnPage


class Part:
    """A part of a page that counts how often it is drawn."""

    def __init__(self) -> None:
        self.count = 0

    @drawn_again
    def draw(self) -> None:
        self.count += 1
        ui.label(f"drawn {self.count}")


@pytest.mark.parametrize("closes", [False, True])
def test_only_a_window_that_is_open_is_drawn_again(closes: bool, caplog: pytest.LogCaptureFixture) -> None:
    part = Part()
    page = DrawnPage(part.draw)
    if closes:
        page.client.delete()
    # What the library does a moment after `refresh` was called, in a task of its own that needs its server.
    part.draw._execute_refresh((), {}, instance=part)
    assert part.count == (1 if closes else 2)
    assert closes or "drawn 2" in page.text
    assert caplog.text == ""
