"""What is needed next is in view without scrolling, on a small laptop and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

browsing = pytest.importorskip("tests.deskref.browsing")

from deskref.demo import FILM  # noqa: E402
from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect, turn, until  # noqa: E402
from tests.deskref.test_games_in_browser import open_form, start  # noqa: E402

pytestmark = SLOW

LAPTOP, PHONE = (1280, 720), (390, 844)

OUT_OF_VIEW = """(selectors) => selectors.filter((selector) => {
  const all = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  return !all.length || all.some(({top, bottom, left, right, width}) =>
    !width || top < 0 || left < 0 || bottom > innerHeight || right > innerWidth);
})"""


def in_view(page: Any, size: tuple[int, int], *selectors: str) -> None:
    """Hold that everything that a selector finds is in view, and that it finds something."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("(width) => innerWidth === width", arg=size[0], timeout=PATIENCE_MS)
    page.wait_for_function(f"(selectors) => !({OUT_OF_VIEW})(selectors).length", arg=list(selectors), timeout=5000)


def test_the_faces_of_a_d20_and_whose_turn_it_is_need_no_scrolling(run: Callable[..., Program], browser: Any) -> None:
    """On a phone the bar alone took three rows, and the keys began below the screen."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(run("play", "--camera", "none").address)
    turn(page, "Lokan")
    open_form(page, "World Saga")
    start(page)
    expect(page.locator(".ruling")).to_contain_text("initiative")
    for size in (LAPTOP, PHONE):
        in_view(page, size, ".ruling", "svg.board", ".side .who", ".dice-keys button")
    page.close()


def test_a_camera_with_a_drawn_board_shows_picture_board_and_turn_together(
    run: Callable[..., Program], browser: Any
) -> None:
    """The board began below the picture, out of view; on a phone it stood between the picture and the turn."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(run("play", "--camera", str(FILM)).address)
    page.wait_for_function("() => document.querySelector('.live img')?.naturalWidth > 0", timeout=PATIENCE_MS)
    open_form(page, "World Saga")
    start(page)
    expect(page.locator(".side .who")).to_be_visible()
    in_view(page, LAPTOP, ".ruling", ".live img", "svg.board", ".side .who", ".dice-keys button")
    in_view(page, PHONE, ".ruling", ".live img", ".side .who", ".dice-keys button")
    page.close()


@pytest.mark.parametrize("game", ["Skuffle Wammer", "Quick Skirmish", "World Saga"])
def test_what_starts_a_game_is_in_view_however_long_its_form(
    run: Callable[..., Program], browser: Any, game: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(run("play", "--camera", "none").address)
    turn(page, "Lokan")
    open_form(page, game)
    for folded in page.locator(".form-body details > summary").all():
        folded.click()
    for size in (LAPTOP, PHONE):
        in_view(page, size, ".form-body button.main")
    page.close()


def test_the_names_of_keys_are_left_out_where_there_are_none(run: Callable[..., Program], browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(run("play", "--camera", "none").address)
    turn(page, "Lokan")
    page.get_by_role("button", name="Undo (U)", exact=True).wait_for()
    page.get_by_role("button", name="Unmute (M)", exact=True).click()
    page.get_by_role("button", name="Mute (M)", exact=True).wait_for()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.get_by_role("button", name="Undo", exact=True).wait_for()
    page.get_by_role("button", name="Mute", exact=True).wait_for()
    page.close()


@pytest.mark.parametrize("step", ["camera", "mat"])
def test_the_way_on_in_the_set_up_is_in_view_however_much_a_step_shows(
    run: Callable[..., Program], browser: Any, step: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{run('play').address}/setup?step={step}")
    page.get_by_role("button", name="Next", exact=True).wait_for()
    for size in (LAPTOP, PHONE):
        in_view(page, size, ".ways button")
    page.close()


BADLY_SET = """() => {
  const wrong = [];
  for (const one of document.querySelectorAll(".desk button.key, .desk summary.key, .mark-word")) {
    if (!one.getClientRects().length) continue;
    if (one.scrollWidth > one.clientWidth + 1) wrong.push("too wide: " + one.innerText);
  }
  const bar = [...document.querySelectorAll(".desk > .bar > .row > *")].map((one) => one.getBoundingClientRect());
  bar.forEach((one, n) => bar.slice(n + 1).forEach((other) => {
    if (one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
      wrong.push("overlaps in the bar");
  }));
  for (const one of document.querySelectorAll(".mark-word"))
    if (one.getClientRects().length && one.clientHeight > 1.6 * parseFloat(getComputedStyle(one).lineHeight))
      wrong.push("broken: " + one.innerText);
  for (const one of document.querySelectorAll(".key-name, .key-hint"))
    if (one.getClientRects().length && one.innerText) wrong.push("names a key: " + one.innerText);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  return wrong;
}"""
"""What does not fit on a phone: buttons, the bar, words of somebody's state; names of keys that a phone lacks."""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_in_the_set_up_what_starts_a_game_is_not_hidden_by_the_ways_on(
    run: Callable[..., Program], browser: Any, size: tuple[int, int]
) -> None:
    """Both stay at the foot of the page; the ways lay over the lower half of the form's own buttons."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(run("play", "--camera", "none").address + "/setup?step=game")
    expect(page.locator(".form-body button.main")).to_be_visible(timeout=PATIENCE_MS)
    form, ways = page.locator(".form-body > .row:has(> button.main)"), page.locator(".setup > .ways")
    for place in ("0", "200", "document.body.scrollHeight"):
        page.evaluate(f"() => window.scrollTo(0, {place})")
        above, below = form.bounding_box(), ways.bounding_box()
        assert above["y"] + above["height"] <= below["y"] + 1, place
        assert below["y"] + below["height"] <= size[1] + 1, place
    page.close()


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_a_phone_overlaps_and_breaks_nothing_in_any_language(
    run: Callable[..., Program], browser: Any, tmp_path: Path, language: str
) -> None:
    """In German the bar's buttons lay over each other, and "angeschlagen" was broken in the middle."""
    (tmp_path / "settings.toml").write_text(f'[page]\nlanguage = "{language}"\n', encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(run("play", "--camera", str(FILM)).address)
    page.locator(".bar button.key").first.wait_for()

    def holds() -> None:
        for width in (390, 375):  # beside a scroll bar, too
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_function("(width) => innerWidth === width", arg=width, timeout=PATIENCE_MS)
            wrong = page.evaluate(BADLY_SET)
            assert not wrong, wrong

    holds()
    until(page, lambda: page.keyboard.press("n"), ".form-body")
    page.get_by_role("button", name="Quick Skirmish", exact=True).click()
    page.locator(".form-body .boxed").nth(2).wait_for()
    page.locator(".form-body button.main").click()
    page.locator(".card.form").wait_for(state="hidden", timeout=PATIENCE_MS)
    page.keyboard.press("c")
    page.locator(".side .chances").wait_for()
    page.locator(".side .card > button.key", has_text="▸").click()
    page.get_by_role("checkbox").nth(1).click()  # shaken
    page.locator(".side .card button.key").last.click()
    page.locator(".mark-word").wait_for()
    holds()
    page.close()
