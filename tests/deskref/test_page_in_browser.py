"""The page in a real browser: a typed game, two windows in step, a killed program that goes on."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, choose, environment, expect, ruling, turn

pytestmark = SLOW

SOLO_SETUP = Path(__file__).with_name("solo_setup.json")


def test_a_game_is_played_with_keys_in_two_windows(run: Callable[..., Program], browser: Any) -> None:
    """Keys 1 to 6 enter dice at once; a second window is in step; undo and redo work."""
    program = run("play", "--camera", "none")
    one, two = browser.new_page(), browser.new_page()
    for page in (one, two):
        page.goto(program.address)
        turn(page, "Lokan")
    one.keyboard.press("6")
    ruling(one, "Lokan hits")
    ruling(two, "Lokan hits")
    turn(two, "Tarik")
    two.keyboard.press("u")
    ruling(one, "Taken back")
    turn(one, "Lokan")
    one.keyboard.press("r")
    ruling(one, "Done again")
    turn(one, "Tarik")
    one.get_by_role("button", name="3", exact=True).click()
    ruling(one, "Tarik misses")
    turn(one, "Daemon")
    one.get_by_role("button", name="2", exact=True).dblclick()  # a slip of the finger
    ruling(one, "Daemon misses")
    turn(one, "Imp")
    one.wait_for_timeout(300)
    turn(one, "Imp")
    for page in (one, two):
        page.close()


def test_a_killed_program_goes_on_where_it_was(run: Callable[..., Program], browser: Any) -> None:
    """Nothing is lost by a kill -9 in mid-game."""
    program = run("play", "--camera", "none", anew=True)
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    page.keyboard.press("6")
    turn(page, "Tarik")
    program.end(signal.SIGKILL)
    page.close()
    again = run("play", "--camera", "none", anew=True)
    page = browser.new_page()
    page.goto(again.address)
    turn(page, "Tarik")
    ruling(page, "Lokan hits")
    page.close()


def test_a_second_copy_says_that_the_port_is_taken(run: Callable[..., Program], tmp_path: Path) -> None:
    program = run("play", "--camera", "none")
    second = subprocess.run(
        [sys.executable, "-m", "deskref", "play", "--camera", "none", "--no-browser", "--port", str(program.port)],
        env=environment(tmp_path / "other"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 2
    assert f"Port {program.port} is in use" in second.stderr
    assert "Traceback" not in second.stderr


def test_pictures_are_not_shown_to_foreign_pages(run: Callable[..., Program]) -> None:
    program = run("play", "--camera", "none")
    request = urllib.request.Request(f"{program.address}/stream.mjpg", headers={"Origin": "http://example.org"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    assert refused.value.code == 403
    refused.value.close()


def test_an_unknown_address_is_none_and_shows_the_way(run: Callable[..., Program], browser: Any) -> None:
    """It answered 200 with the table, so that a mistyped link seemed to be right."""
    program = run("play", "--camera", "none")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    answer = page.goto(f"{program.address}/reprot/<b>x")
    assert answer.status == 404
    expect(page.locator("main")).to_contain_text("deskref has no page /reprot/<b>x")
    page.get_by_role("link", name="To the table").click()
    turn(page, "Lokan")


def new_game(page: Any, name: str) -> None:
    """Start a game with what its form offers."""
    page.keyboard.press("n")
    page.get_by_role("button", name=name).click()
    page.locator(".form-body h2", has_text=name).wait_for(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".card.form").wait_for(state="hidden", timeout=PATIENCE_MS)


def awaits(page: Any, text: str) -> None:
    expect(page.locator(".side")).to_contain_text(re.compile(text), timeout=PATIENCE_MS)


def test_a_quick_skirmish_is_played_with_keys(run: Callable[..., Program], browser: Any) -> None:
    """Cards dealt by the page, a trait roll and its damage by keys, one die taken back."""
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    new_game(page, "Quick Skirmish")
    ruling(page, "12 tokens")
    page.keyboard.press("c")
    ruling(page, "cards are dealt")
    awaits(page, "Raise .* failure")
    page.keyboard.press("Enter")
    awaits(page, "Die 1 of 2: trait, d8")
    page.keyboard.press("2")
    awaits(page, "Die 2 of 2: wild, d6")
    page.keyboard.press("u")
    awaits(page, "Die 1 of 2: trait, d8")
    page.keyboard.press("5")
    awaits(page, "Die 2 of 2: wild, d6")
    page.keyboard.press("s")
    # one time in six the simulated wild die is a six, which is thrown again
    awaits(page, "Keep the roll|Die 1 of 1: wild, d6")
    page.close()


def test_keys_before_the_page_is_connected_are_not_lost(run: Callable[..., Program], browser: Any) -> None:
    """The page's library arrives late, as on a slow computer: what was pressed by then counts, in its order."""
    program = run("play", "--camera", "none")
    page = browser.new_page()
    late: list[Any] = []
    page.route("**/socket.io.min.js", lambda route: late.append(route))
    page.goto(program.address, wait_until="commit")
    page.wait_for_function("document.body !== null", timeout=PATIENCE_MS)
    page.keyboard.type("6u16")
    while not late:
        page.wait_for_timeout(10)
    assert not page.evaluate("Boolean(window.did_handshake)")
    late[0].continue_()
    ruling(page, "Tarik hits")
    said = page.locator(".log").inner_text()
    assert [said.count(what) for what in ("Lokan hits", "Lokan misses", "Tarik hits")] == [1, 1, 1]
    page.close()


LATE_SOCKET = """
  const waiting = [];
  let isOpen = false;
  window.openSocket = () => { isOpen = true; waiting.splice(0).forEach((take) => take()); };
  window.WebSocket = class extends WebSocket {
    set onmessage(take) { super.onmessage = (event) => isOpen ? take(event) : waiting.push(() => take(event)); }
  };
"""
"""Keeps what the server says until `openSocket` is called."""


def test_a_click_before_the_page_is_connected_is_not_lost(run: Callable[..., Program], browser: Any) -> None:
    """The page is drawn, but its socket opens late."""
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.add_init_script(LATE_SOCKET)
    page.goto(program.address)
    page.get_by_role("button", name="6", exact=True).click()
    assert not page.evaluate("Boolean(window.did_handshake)")
    page.evaluate("openSocket()")
    ruling(page, "Lokan hits")
    page.close()


def test_keys_typed_at_once_are_each_of_their_own_roll(run: Callable[..., Program], browser: Any) -> None:
    """Nobody waits for the page: a game is set, four twenty-sided dice are typed as one row of digits."""
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    new_game(page, "World Saga")
    turn(page, "Lokan")
    page.keyboard.type("19150804")
    awaits(page, "squares left: 6")
    said = page.locator(".log").inner_text()
    assert [re.findall(rf"{name}: the d20 shows (\d+)", said) for name in ("Lokan", "Vesta", "Raider", "Brute")] == [
        ["19"],
        ["15"],
        ["8"],
        ["4"],
    ]
    page.close()


def test_the_bar_is_one_row_and_its_menu_closes(run: Callable[..., Program], browser: Any) -> None:
    """At 1280 pixels, in the languages with long words too; the menu closes by Escape and by a click beside it."""
    program = run("play", "--camera", "none")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(program.address)
    for name, code in (("English", "en"), ("Deutsch", "de"), ("Español", "es")):
        page.locator(".menu > summary").click()
        page.locator(".menu .q-select").click()
        page.get_by_role("option", name=name, exact=True).click()
        expect(page.locator("html")).to_have_attribute("lang", code)
        turn(page, "Lokan")
        tops = {round(box["y"] + box["height"] / 2) for box in boxes(page, ".bar > .row > *")}
        assert max(tops) - min(tops) < 12, f"{name}: the bar has more than one row"
        expect(page.locator(".menu > .card")).to_be_hidden()
    page.locator(".menu > summary").press("Enter")
    expect(page.locator(".menu > .card")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".menu > .card")).to_be_hidden()
    assert page.locator(":is(main, [role=main])").count() == 1
    page.close()


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    return [one.bounding_box() for one in page.locator(selector).all()]


def test_enter_on_a_button_is_that_buttons(run: Callable[..., Program], browser: Any) -> None:
    """And keys in a dialogue are the dialogue's: neither enters a die or confirms anything in the game."""
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    new_game(page, "Quick Skirmish")
    page.keyboard.press("c")
    awaits(page, "Raise .* failure")
    page.get_by_role("button", name="New game").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for(timeout=PATIENCE_MS)
    page.get_by_role("dialog").get_by_role("button", name="Quick Skirmish").focus()
    page.keyboard.press("2")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").wait_for(state="hidden", timeout=PATIENCE_MS)
    awaits(page, "Raise .* failure")
    page.evaluate("document.activeElement.blur()")  # the button that opened the dialogue has the focus again
    page.keyboard.press("Enter")
    awaits(page, "Die 1 of 2: trait, d8")
    page.close()


def test_a_world_saga_round_is_played_with_keys(run: Callable[..., Program], browser: Any) -> None:
    """Initiative by two digits, a Stride aimed with the arrow keys, an attack with a told number."""
    program = run("play", "--camera", "none")
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    new_game(page, "World Saga")
    for name, face in (("Lokan", "19"), ("Vesta", "15"), ("Raider", "08"), ("Brute", "04")):
        turn(page, name)
        page.keyboard.type(face)
    awaits(page, "squares left: 6")
    for count in (1, 2):
        page.keyboard.press("ArrowRight")
        awaits(page, f"Stride for {count}")
    page.keyboard.press("Enter")
    ruling(page, "Lokan strides 2 squares")
    awaits(page, "squares left: 4")
    page.keyboard.press("a")
    choose(page, "How", "Strike")  # nobody is at hand, so nothing is chosen beforehand
    page.get_by_role("button", name="Attack Raider").click()
    awaits(page, "Chance to succeed: 50 %")
    page.keyboard.type("07")
    turn(page, "Raider")
    page.keyboard.type("19")
    awaits(page, "base damage")
    page.keyboard.press("4")
    ruling(page, "Lokan hits Raider: 4 damage")
    page.close()


def test_the_desk_plays_a_zombie(run: Callable[..., Program], browser: Any) -> None:
    """The page says where to push the desk's figure; Enter carries it out."""
    program = run("play", "--camera", "none", "--setup", str(SOLO_SETUP))
    page = browser.new_page()
    page.goto(program.address)
    turn(page, "Lokan")
    page.keyboard.press("v")
    ruling(page, "Lokan")  # what the player did stays in big type
    awaits(page, "Push Grave")
    page.keyboard.press("Enter")
    turn(page, "Lokan")
    page.close()
