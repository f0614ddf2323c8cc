"""Names of forty letters without a space: no page becomes broader than its window, and none cuts them off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

browsing = pytest.importorskip("tests.deskref.browsing")

from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect, turn  # noqa: E402
from tests.deskref.test_games_in_browser import open_form, start  # noqa: E402

pytestmark = SLOW

LONG = "Donaudampfschifffahrtsgesellschaftskapit"
OTHER = "Rindfleischetikettierungsaufgabenuebertr"
SIZES = ((1280, 720), (390, 844))

TOO_BROAD = """() => {
  const wide = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("body *")].filter((one) => {
    if (one.closest(".q-ripple")) return false;  // the wave of a press, cut off by its button
    const { right, width, height } = one.getBoundingClientRect();
    return width > 2 && height > 2 && right > wide + 1 && getComputedStyle(one).visibility !== "hidden";
  });
  const broad = document.documentElement.scrollWidth;
  return (broad > wide ? [`the page: ${broad}`] : []).concat(
    out.slice(0, 5).map((one) => `${one.tagName} ${one.className}: ${one.textContent.slice(0, 40)}`));
}"""
"""What stands out of the window at its right side."""


def stands_within(page: Any) -> None:
    """Hold that nothing stands out of the window, on a small laptop and on a phone."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width, timeout=PATIENCE_MS)
        assert page.evaluate(TOO_BROAD) == [], f"at {width} x {height}"
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def test_in_skuffle_wammer_on_the_table_the_score_board_and_the_overlay(
    run: Callable[..., Program], browser: Any, tmp_path: Path
) -> None:
    soldiers = [{"name": LONG, "team": "Wolves"}, {"name": OTHER, "team": "Dead"}]
    setup = tmp_path / "long.json"
    setup.write_text(json.dumps({"game": "skuffle-wammer", "soldiers": soldiers}), encoding="utf-8")
    program = run("play", "--camera", "none", "--setup", str(setup))
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(program.address)
    turn(page, LONG)
    page.keyboard.press("6")
    turn(page, OTHER)
    stands_within(page)
    page.keyboard.press("g")
    page.get_by_role("dialog").wait_for(timeout=PATIENCE_MS)
    stands_within(page)
    for address in ("/score", "/overlay?parts=ruling,turn,everybody,dice,log"):
        page.goto(program.address + address)
        expect(page.locator('[data-part="ruling"]')).to_contain_text(LONG)
        stands_within(page)
    page.close()


@pytest.mark.parametrize(("game", "key"), [("Quick Skirmish", "c"), ("World Saga", "s")])
def test_in_the_other_games(run: Callable[..., Program], browser: Any, game: str, key: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(run("play", "--camera", "none").address)
    turn(page, "Lokan")
    open_form(page, game)
    name = page.locator(".form-body input[type=text]:visible")
    first = next(n for n in range(name.count()) if name.nth(n).input_value() == "Lokan")
    name.nth(first).fill(LONG)
    stands_within(page)
    start(page)
    expect(page.locator(".soldier", has_text=LONG[:20])).to_be_visible()
    stands_within(page)
    page.keyboard.press(key)
    expect(page.locator(".ruling")).to_contain_text(LONG[:20])
    stands_within(page)
    page.close()
