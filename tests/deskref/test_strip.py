"""The strip of lights and the live picture as a browser shows them: drawn cheaply, and right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from deskref import language
from deskref.demo import FILM, SETUP
from deskref.inputs import EnterDie, Setup, SoldierSetup, StartGame
from deskref.light_and_sound import DARK, PROGRAMS, edge_place
from deskref.lights import Light, Lights
from deskref.page.strip import LEDS, SIDES, _written, strip_words
from deskref.referee import step
from deskref.session import Session
from deskref.signal import SignalKind
from rules.skuffle_state import Options
from tests.deskref.browsing import PATIENCE_MS, SLOW, expect, turn
from tests.deskref.played_desk import PlayedDesk

LIT = """() => {
  const canvas = document.querySelector(".strip canvas");
  const pen = canvas.getContext("2d");
  const middles = [...document.querySelectorAll(".strip i")].map((i) => i.offsetLeft + i.offsetWidth / 2);
  const at = (x) => pen.getImageData(x * canvas.width / canvas.clientWidth, canvas.height / 2, 1, 1).data;
  return middles.map((x) => [...at(x)]).map(([r, g, b, a]) => (a ? (r << 16) + (g << 8) + b : 0));
}"""
"""The colour that the canvas shows at each light; 0 where it shows none."""

ASKED = """() => {
  const image = document.querySelector(".live img");
  return [image.getAttribute("src"), image.clientWidth, image.naturalWidth];
}"""


WATCH_HEIGHT = """() => {
  const image = document.querySelector(".live img");
  window.least = image.clientHeight;
  const look = () => { window.least = Math.min(window.least, image.clientHeight); requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""


def test_a_dark_strip_is_written_as_nothing() -> None:
    assert _written((DARK,) * LEDS) == ""
    assert _written(((96, 0, 0), *(DARK,) * (LEDS - 1))) == "ff0000" + "000000" * (LEDS - 1)


@pytest.mark.parametrize("code", list(language.NAMES))
def test_every_light_has_words(code: str) -> None:
    language.use(code)
    try:
        told = {kind: strip_words(Lights(resting=Light(PROGRAMS[kind], 1, kind)), Session()) for kind in PROGRAMS}
        dark = strip_words(Lights(), Session())
    finally:
        language.use("en")
    assert len({*told.values(), dark}) == len(PROGRAMS) + 1


def test_the_words_name_whose_turn_it_is() -> None:
    desk = PlayedDesk()
    desk.begin()
    turn = next(s for s in reversed(desk.said) if s.kind is SignalKind.YOUR_TURN)
    lights = Lights(resting=Light(PROGRAMS[turn.kind], turn.number, turn.kind))
    assert strip_words(lights, desk.session) == "Strip of lights: breathes beside Lokan, for the turn"


def test_the_words_name_who_was_hit_missed_and_killed() -> None:
    """The words "pulses where somebody was hit" named nobody, unlike those of the turn."""
    setup = Setup((SoldierSetup("lokan", "Lokan", "A"), SoldierSetup("imp", "Imp", "B")), Options(minutes=1), False)
    session = Session()
    for given in (StartGame(setup=setup), EnterDie(value=6)):
        session, _ = step(session, given)
    told = {
        s.kind: strip_words(Lights(resting=Light(PROGRAMS[s.kind], s.number, s.kind)), session)
        for s in session.log
        if s.kind in PROGRAMS
    }
    assert told[SignalKind.HIT] == "Strip of lights: pulses beside Imp, who was hit"
    assert told[SignalKind.DEATH] == "Strip of lights: drains beside Imp, who died"


def test_the_edges_under_the_lights_stand_in_the_order_of_the_lights() -> None:
    corners = {"far": (0.0, 99.0), "right": (99.0, 0.0), "near": (0.0, -99.0), "left": (-99.0, 0.0)}
    assert [int(4 * edge_place(corners[side])) for side in SIDES] == [0, 1, 2, 3]


@pytest.mark.slow
class TestInBrowser:
    """What the browser makes of it."""

    pytestmark = SLOW

    def test_the_turn_breathes_on_the_strip(self, browser: Any, run: Callable[..., Any]) -> None:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(run("play", "--camera", "none").address)
        turn(page, "Lokan")
        page.wait_for_function(f"() => ({LIT})().filter((colour) => colour).length >= 12", timeout=PATIENCE_MS)
        expect(page.get_by_role("img", name="breathes beside Lokan")).to_have_attribute("title", re.compile("Lokan"))
        first = page.evaluate(LIT)
        page.wait_for_function(
            f"(first) => JSON.stringify(({LIT})()) !== first", arg=str(first).replace(" ", ""), timeout=PATIENCE_MS
        )
        assert sum(colour > 0 for colour in page.evaluate(LIT)) < LEDS, "only the side whose turn it is"

    def test_the_picture_has_the_pixels_that_the_window_shows(self, browser: Any, run: Callable[..., Any]) -> None:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(run("play", "--camera", str(FILM), "--setup", str(SETUP)).address)
        page.wait_for_function("() => document.querySelector('.live img')?.naturalWidth > 0", timeout=PATIENCE_MS)
        address, shown, wide = page.evaluate(ASKED)
        assert shown <= wide < shown + 32
        assert address == f"/stream.mjpg?wide={wide}"
        page.evaluate(WATCH_HEIGHT)
        page.set_viewport_size({"width": 390, "height": 844})
        narrower = "(wide) => ((now) => now > 0 && now < wide)(document.querySelector('.live img').naturalWidth)"
        page.wait_for_function(narrower, arg=wide, timeout=PATIENCE_MS)
        address, shown, wide = page.evaluate(ASKED)
        assert shown <= wide < shown + 32, "a phone is sent a phone's picture"
        assert page.evaluate("() => window.least") > 200, "the page does not jump while the new picture is on its way"
        page.get_by_role("button", name="From above").click()
        page.wait_for_function("() => document.querySelector('.live img').src.includes('above=true&wide=')")
