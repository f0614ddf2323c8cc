"""The report in a browser: the games of an evening each have theirs, and nothing is cut on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskref.report_html import report_file
from tests.deskref.browsing import PATIENCE_MS, SLOW, expect, more, ruling, turn
from tests.deskref.test_game_report import with_long_names

pytestmark = SLOW


def test_two_games_of_an_evening_have_each_their_report(browser: Any, run: Callable[..., Any]) -> None:
    served = run("play", "--camera", "none")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(served.address)
    turn(page, "Lokan")
    page.keyboard.press("6")
    ruling(page, "Lokan hits")
    page.keyboard.press("n")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".q-dialog")).to_have_count(0, timeout=PATIENCE_MS)
    turn(page, "Lokan")
    page.keyboard.press("1")
    ruling(page, "Lokan misses")
    more(page, "Report")
    rows = page.locator(".evening tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_have_attribute("aria-current", "page")
    expect(page.locator(".report")).to_contain_text("-0.5")
    rows.nth(0).get_by_role("link").click()
    expect(rows.nth(0)).to_have_attribute("aria-current", "page")
    expect(page.locator(".report")).to_contain_text("+0.5")
    page.goto(f"{served.address}/report?game=7")
    expect(page.locator(".report-page")).to_contain_text("There is no such game this evening")


@pytest.mark.parametrize("size", [(390, 844), (1280, 720)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_saved_report_fits_every_screen(browser: Any, tmp_path: Path, size: tuple[int, int], scheme: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(report_file(with_long_names(), None), encoding="utf-8")
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(path.as_uri())
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
    for section in page.locator(".report section").all():
        assert section.evaluate("(box) => box.scrollWidth <= box.clientWidth"), "nothing is to be pushed sideways"
    names = page.locator(".report .lines li:visible").all()
    assert len(names) == 4
    for name in names:
        box = name.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert float(name.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")) >= 14
