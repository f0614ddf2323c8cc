"""Each game played in a real browser with typed dice: a whole Skuffle game, a Quick Skirmish round, a World Saga round;
the language, the report and kept characters on the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

browsing = pytest.importorskip("tests.deskref.browsing")

from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, choose, expect, more, ruling, turn, until  # noqa: E402

pytestmark = SLOW


def awaits(page: Any, text: str) -> None:
    expect(page.locator(".side")).to_contain_text(re.compile(text), timeout=PATIENCE_MS)


def open_form(page: Any, name: str) -> None:
    until(page, lambda: page.keyboard.press("n"), ".form-body")
    until(page, lambda: page.get_by_role("button", name=name).click(), f'.form-body h2:has-text("{name}")')


def start(page: Any) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".card.form").wait_for(state="hidden", timeout=PATIENCE_MS)


@pytest.fixture
def page(run: Callable[..., Program], browser: Any) -> Any:
    program = run("play", "--camera", "none")
    opened = browser.new_page()
    opened.goto(program.address)
    turn(opened, "Lokan")
    yield opened
    opened.close()


def roster(page: Any, name: str, says: str) -> None:
    expect(page.locator(".soldier", has_text=name)).to_contain_text(says, timeout=PATIENCE_MS)


def test_a_whole_game_of_skuffle_wammer_with_an_undo_and_a_correction(page: Any) -> None:
    """Two a side with one die each: whoever is hit is dead. A mistyped die is taken back and entered anew; the game
    master puts a pool right; the last side standing wins, and the report tells the luck of it.
    """
    open_form(page, "Skuffle Wammer")
    page.get_by_role("button", name="1 min").click()
    start(page)
    turn(page, "Lokan")
    page.keyboard.press("1")  # mistyped: it was a 6
    ruling(page, "Lokan misses")
    page.keyboard.press("u")
    ruling(page, "Taken back")
    turn(page, "Lokan")
    page.keyboard.press("6")
    ruling(page, "is dead")
    awaits(page, "tip it on its side")
    page.keyboard.press("Enter")
    turn(page, "Tarik")
    page.keyboard.press("2")
    ruling(page, "Tarik misses")
    page.keyboard.press("g")  # the game master gives Tarik his die back
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    books = dialog.locator(".row.books").nth(1)
    books.get_by_label("Dice beside it").fill("1")
    dialog.get_by_role("button", name="Put it right").click()
    roster(page, "Tarik", "■")
    while True:  # the other side passes until Tarik has his turn again
        who = page.locator(".side .who").inner_text()
        if "Tarik" in who:
            break
        page.keyboard.press("p")
        expect(page.locator(".side .who")).not_to_have_text(who, timeout=PATIENCE_MS)
    page.keyboard.press("5")
    awaits(page, "tip it on its side|is over")
    if page.get_by_role("button", name="It lies on its side").count():
        page.keyboard.press("Enter")
    ruling(page, "Lokan and Tarik win together")
    more(page, "Report")
    report = page.locator(".report")
    expect(report).to_contain_text("Lokan and Tarik have won.", timeout=PATIENCE_MS)
    expect(report.locator("svg.course")).to_have_count(1)
    expect(report).to_contain_text("too few to say anything")


def test_a_quick_skirmish_round_with_typed_dice_and_cards(page: Any, tmp_path: Path) -> None:
    """A success with damage, a raise by an ace, a failure that is soaked; then the next round is dealt."""
    open_form(page, "Quick Skirmish")
    page.get_by_role("button", name="Keep", exact=True).first.click()
    expect(page.locator(".q-notification")).to_contain_text("lokan.toml", timeout=PATIENCE_MS)
    start(page)
    ruling(page, "12 tokens")
    assert "quick_skirmish" in (tmp_path / "characters" / "lokan.toml").read_text(encoding="utf-8")
    page.get_by_text("Dealt by hand").first.click()
    for name, card in (("Lokan", "AS"), ("Tarik", "KH"), ("Vesta", "QD")):
        page.get_by_role("textbox", name=name).fill(card)
    page.get_by_role("button", name="Dealt by hand").click()
    ruling(page, "cards are dealt")
    # Lokan: 5 on the d8, a success; the damage of 1 + 2 does not reach his Toughness
    turn(page, "Lokan")
    page.get_by_role("button", name="Choose Fighting").click()
    awaits(page, "Die 1 of 2: trait, d8")
    page.keyboard.type("53")
    ruling(page, "Lokan makes 5")
    page.keyboard.press("Enter")
    ruling(page, "Lokan takes a token: 11 left|takes the damage")
    awaits(page, "Die 1 of 2: damage, d6")
    page.keyboard.type("12")
    ruling(page, "not hurt|cards are dealt|Lokan")
    # Tarik: an ace on the d8, 8 + 4 is a raise
    turn(page, "Tarik")
    page.get_by_role("button", name="Choose Shooting").click()
    page.keyboard.type("82")
    ruling(page, "highest face")
    awaits(page, "Die 1 of 1: trait, d8")
    page.keyboard.press("4")
    ruling(page, "Tarik makes a raise and takes 2: 9 left")
    # Vesta: a failure; 4 + 4 + 3 is 6 over Toughness 5, a wound, which Vigor 5 soaks
    turn(page, "Vesta")
    page.get_by_role("button", name="Choose Stealth").click()
    page.keyboard.type("12")
    ruling(page, "Vesta makes 2")
    page.keyboard.press("Enter")
    ruling(page, "Vesta fails: 3d6 damage")
    awaits(page, "Die 1 of 3: damage, d6")
    page.keyboard.type("443")
    ruling(page, "about to take 1 wound. Soak it")
    page.keyboard.press("b")
    awaits(page, "rolls Vigor")
    page.keyboard.type("52")
    ruling(page, "soaks every wound")
    roster(page, "Vesta", "Bennies 2")
    awaits(page, "Deal the action cards")
    page.keyboard.press("c")
    ruling(page, "Round 2")


def test_a_world_saga_round_with_typed_dice(page: Any) -> None:
    """Initiative, a Stride, a Strike with told damage, a shot whose cover is seen, ended turns, the next round."""
    open_form(page, "World Saga")
    start(page)
    for name, face in (("Lokan", "19"), ("Vesta", "15"), ("Raider", "08"), ("Brute", "04")):
        turn(page, name)
        page.keyboard.type(face)
    awaits(page, "squares left: 6")
    page.evaluate("window.still = []; addEventListener('keydown', (e) => still.push(e.defaultPrevented))")
    for count in (1, 2):
        page.keyboard.press("ArrowRight")
        awaits(page, f"Stride for {count}")
    assert page.evaluate("still") == [True, True]  # arrow keys aim, and do not scroll the page as well
    page.keyboard.press("Enter")
    ruling(page, "Lokan strides 2 squares")
    # walls hide both enemies and none is at hand: no attack is chosen until the player says how
    awaits(page, "Nobody is at hand or in sight")
    expect(page.get_by_role("button", name="Attack Raider")).to_be_disabled()
    page.keyboard.press("a")
    choose(page, "How", "Strike")
    awaits(page, "Lokan is not engaged with Raider; hand to hand usually needs that")
    ruling(page, "Lokan strides 2 squares")
    page.get_by_role("button", name="Attack Raider").click()
    awaits(page, "Chance to succeed: 50 %")
    page.keyboard.type("07")
    turn(page, "Raider")
    page.keyboard.type("19")
    awaits(page, "base damage")
    page.keyboard.press("4")
    ruling(page, "Lokan hits Raider: 4 damage")
    roster(page, "Raider", "Stamina 6")
    page.keyboard.press("e")
    turn(page, "Vesta")
    expect(page.get_by_label("How").first).to_have_value("Shoot", timeout=PATIENCE_MS)
    awaits(page, "Raider: .* hidden by a wall")
    for name in ("Vesta", "Raider", "Brute"):
        turn(page, name)
        page.get_by_role("button", name="End the turn").click()
    ruling(page, "Round 2 begins")
    awaits(page, "Round 2")
    turn(page, "Lokan")  # whose initiative comes first again


@pytest.mark.parametrize(("board", "cost"), [("Hexes", "1"), ("Free table", "0.5")])
def test_a_combat_on_hexes_and_on_a_free_table(page: Any, board: str, cost: str) -> None:
    open_form(page, "World Saga")
    choose(page, "Board", board)
    start(page)
    for name, face in (("Lokan", "19"), ("Vesta", "15"), ("Raider", "08"), ("Brute", "04")):
        turn(page, name)
        page.keyboard.type(face)
    awaits(page, "squares left: 6")
    page.keyboard.press("ArrowRight")
    awaits(page, f"Stride for {cost} ")
    page.keyboard.press("Enter")
    ruling(page, "Lokan strides")


SIZES = {"laptop": (1280, 720), "phone": (390, 844)}


def in_view(page: Any, *parts: str) -> list[str]:
    """Return which of the parts of the page are not wholly in view before anybody scrolls."""
    page.evaluate("window.scrollTo(0, 0)")
    height = page.viewport_size["height"]
    boxes = {part: page.locator(part).first.bounding_box() for part in parts}
    return [part for part, box in boxes.items() if box is None or box["y"] < 0 or box["y"] + box["height"] > height]


@pytest.mark.parametrize("size", SIZES)
def test_what_a_turn_needs_is_in_view_without_scrolling(page: Any, size: str) -> None:
    """World Saga once hid the board's last rows and everybody's state below the fold of a small laptop."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    turn(page, "Lokan")
    skuffle = (".ruling .what", ".side .who", '.side button:text("6")', '.side button:text("Pass")')
    assert in_view(page, *skuffle) == []
    open_form(page, "World Saga")
    start(page)
    for name, face in (("Lokan", "19"), ("Vesta", "15"), ("Raider", "08"), ("Brute", "04")):
        turn(page, name)
        last_key = '.side button:text-is("20")' if size == "laptop" else ".side .who"
        assert in_view(page, ".ruling .what", "svg.board", ".side .who", last_key) == []
        page.keyboard.type(face)
    awaits(page, "squares left: 6")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    awaits(page, "Stride for 3")
    board = (".ruling .what", "svg.board", ".side .who", '.side button:text("Stride for 3")')
    everything = (*board, '.side button:text("Attack")', '.side button:text("End the turn")', ".soldier >> nth=1")
    assert in_view(page, *(everything if size == "laptop" else board)) == []
    open_form(page, "Quick Skirmish")
    start(page)
    page.keyboard.press("c")
    awaits(page, "Raise .* failure")
    assert in_view(page, ".ruling .what", ".side .who", ".side .chances", '.side button:text("Roll")') == []


CUT_OFF = """() => [...document.querySelectorAll(
    ".card.form .q-field__label, .card.form .q-field__native span, .card.form button, .card.form legend")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2).map((e) => e.textContent)"""

UNLIKE = """() => [...document.querySelectorAll(".card.form .fields, .card.form .soldier-row")].filter((row) => {
  const tops = new Map();
  for (const field of row.querySelectorAll(".q-field")) {
    const {top, height} = field.getBoundingClientRect();
    if (height) tops.set(Math.round(top), [...(tops.get(Math.round(top)) ?? []), Math.round(height)]);
  }
  const lines = [...tops.keys()].sort((a, b) => a - b);
  return lines.some((top, n) => n && top - lines[n - 1] < 30) || [...tops.values()].some((h) => new Set(h).size > 1);
}).map((row) => row.innerText)"""
"""Rows of fields that do not stand in line, or are of different heights."""


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_no_word_of_the_forms_is_cut_off_in_any_language(
    run: Callable[..., Program], browser: Any, tmp_path: Path, language: str
) -> None:
    (tmp_path / "settings.toml").write_text(f'[page]\nlanguage = "{language}"\n', encoding="utf-8")
    opened = browser.new_page()
    opened.goto(run("play", "--camera", "none").address)
    turn(opened, "Lokan")
    sizes = SIZES.values() if language == "de" else (SIZES["laptop"],)  # German has the longest words
    for width, height in sizes:
        opened.set_viewport_size({"width": width, "height": height})
        opened.keyboard.press("n")
        for game in ("Skuffle Wammer", "Quick Skirmish", "World Saga"):
            opened.get_by_role("button", name=game, exact=True).click()
            opened.locator(".form-body button.main").wait_for()
            opened.evaluate("document.querySelectorAll('.card.form details').forEach((d) => { d.open = true; })")
            opened.wait_for_function(f"({CUT_OFF})().length === 0 && ({UNLIKE})().length === 0")
        opened.keyboard.press("Escape")
        opened.locator(".card.form").wait_for(state="hidden")
    opened.close()


def test_the_language_changes_in_all_windows_and_is_kept(page: Any, browser: Any, tmp_path: Path) -> None:
    other = browser.new_page()
    other.goto(page.url)
    turn(other, "Lokan")
    page.locator(".menu > summary").click()
    choose(page, "Language", "Deutsch")
    for window in (page, other):
        expect(window.get_by_role("button", name="Neues Spiel")).to_be_visible(timeout=PATIENCE_MS)
        expect(window.locator("html")).to_have_attribute("lang", "de", timeout=PATIENCE_MS)
    page.keyboard.press("6")
    ruling(other, "Lokan trifft")
    assert 'language = "de"' in (tmp_path / "settings.toml").read_text(encoding="utf-8")
    other.close()


def test_the_report_is_saved_as_html_and_json(page: Any, tmp_path: Path) -> None:
    page.keyboard.press("6")
    ruling(page, "Lokan hits")
    more(page, "Report")
    page.locator(".report svg.course").wait_for(timeout=PATIENCE_MS)
    texts = []
    for kind in ("HTML", "JSON"):
        with page.expect_download(timeout=PATIENCE_MS) as download:
            page.get_by_role("button", name=f"Save as {kind}").click()
        path = tmp_path / f"report.{kind.lower()}"
        download.value.save_as(path)
        texts.append(path.read_text(encoding="utf-8"))
    assert texts[0].startswith("<!doctype html>")
    data = json.loads(texts[1])
    assert data["rolls"] == [{"who": "Lokan", "rolls": 1, "successes": 1, "expected": 0.5}]
    assert data["all_games"] == []
    page.get_by_role("button", name="Back to the table").click()
    turn(page, "Tarik")
