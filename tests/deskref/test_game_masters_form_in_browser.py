"""What the game master fills in stays as it is filled in, and takes effect, in each game's own form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

browsing = pytest.importorskip("tests.deskref.browsing")

from tests.deskref.browsing import SLOW, Program, choose, expect, ruling, turn  # noqa: E402
from tests.deskref.test_games_in_browser import awaits, open_form, roster, start  # noqa: E402

pytestmark = SLOW

REDRAWN = """(selector) => new Promise((done) => {
  const ids = () => [...document.querySelectorAll(selector)].map((one) => one.id).join();
  const before = ids();
  if (!before) { done("nothing is there"); return; }
  const watch = new MutationObserver(() => { if (ids() !== before) { watch.disconnect(); done("drawn again"); } });
  watch.observe(document.body, {childList: true, subtree: true});
  setTimeout(() => { watch.disconnect(); done(""); }, 2500);
})"""
"""Says whether elements are made anew within some seconds in which nobody touches anything."""


@pytest.fixture
def page(run: Callable[..., Program], browser: Any) -> Any:
    opened = browser.new_page(viewport={"width": 1280, "height": 720})
    opened.goto(run("play", "--camera", "none").address)
    turn(opened, "Lokan")
    yield opened
    opened.close()


def test_world_saga_keeps_and_counts_what_is_put_right(page: Any) -> None:
    """Opening the form once drew the page again without end: what was typed vanished, and no button could be hit."""
    open_form(page, "World Saga")
    start(page)
    turn(page, "Lokan")
    page.get_by_role("button", name="Game Master").click()
    stamina = page.get_by_role("group", name="Lokan").get_by_label("Stamina")
    stamina.fill("3")
    page.get_by_role("checkbox", name="Out of the combat").click()
    assert page.evaluate(REDRAWN, ".side button, .side input") == ""
    expect(stamina).to_have_value("3")
    expect(page.get_by_role("checkbox", name="Out of the combat")).to_be_checked()
    page.get_by_role("checkbox", name="Out of the combat").click()
    page.get_by_role("button", name="Put right").click()
    roster(page, "Lokan", "Stamina 3")
    choose(page, "Who", "Vesta")
    page.get_by_role("group", name="Vesta").get_by_label("Stamina").fill("4")
    page.get_by_role("button", name="Put right").click()
    roster(page, "Vesta", "Stamina 4")
    roster(page, "Lokan", "Stamina 3")
    page.get_by_role("button", name="Game Master").click()
    expect(page.get_by_role("button", name="Put right")).to_have_count(0)


def test_quick_skirmish_keeps_and_counts_what_is_put_right(page: Any) -> None:
    open_form(page, "Quick Skirmish")
    start(page)
    ruling(page, "12 tokens")
    page.get_by_role("button", name="Game master").click()
    choose(page, "Who", "Tarik")
    bennies = page.get_by_role("group", name="Tarik").get_by_label("Bennies")
    bennies.fill("7")
    assert page.evaluate(REDRAWN, ".side button, .side input") == ""
    expect(bennies).to_have_value("7")
    page.get_by_role("button", name="Put right").click()
    roster(page, "Tarik", "Bennies 7")


def test_skuffle_wammer_keeps_and_counts_what_is_put_right(page: Any) -> None:
    open_form(page, "Skuffle Wammer")
    start(page)
    turn(page, "Lokan")
    page.keyboard.press("g")
    dialog = page.get_by_role("dialog")
    pool = dialog.get_by_label("Dice beside it").first
    pool.fill("2")
    assert page.evaluate(REDRAWN, "[role=dialog] button, [role=dialog] input") == ""
    expect(pool).to_have_value("2")
    dialog.get_by_role("button", name="Put it right").click()
    roster(page, "Lokan", "■■")
    awaits(page, "Lokan")
