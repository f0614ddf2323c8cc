"""A double click counts once: on Start, and on the switch that lets phones in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

browsing = pytest.importorskip("tests.deskref.browsing")

from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect, more, turn, until  # noqa: E402

pytestmark = SLOW


def test_double_clicks_on_start_and_on_the_phones_switch_count_once(run: Callable[..., Program], browser: Any) -> None:
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    until(page, lambda: page.keyboard.press("n"), ".form-body")
    page.get_by_role("button", name="Start", exact=True).dblclick()
    page.locator(".card.form").wait_for(state="hidden", timeout=PATIENCE_MS)
    expect(page.locator(".log .line", has_text="the game begins")).to_have_count(1)
    more(page, "Share")
    switch = page.get_by_role("switch")
    switch.dblclick()
    expect(page.locator(".card.form .address", has_text="https://")).to_have_count(1, timeout=PATIENCE_MS)
    expect(switch).to_have_attribute("aria-checked", "true")
    page.wait_for_timeout(1000)  # a second change would close the door again by now
    expect(switch).to_have_attribute("aria-checked", "true")
    switch.click(delay=50)
    expect(switch).to_have_attribute("aria-checked", "false")
