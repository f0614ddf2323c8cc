"""Take a picture of every page at the size of a small laptop and of a phone.

    python -m tests.deskref.take_screenshots docs/pictures/pages

It plays as a player does: the demo, a typed game of each kind, the set-up with a camera, and the pages for phones.
Look at what comes out before it is kept.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.deskref.browsing import PATIENCE_MS, Program, expect, more, open_browser, turn
from tests.deskref.test_games_in_browser import open_form, start

SIZES = {"": (1280, 720), "-phone": (390, 844)}
"""By what is added to a picture's name."""

QUALITY = 58
"""Of WebP: text stays crisp, and a page takes 20 to 60 kB."""

SETTLE_MS = 700
"""After a change of size: menus have folded, the picture has been drawn at its new size."""


UNNAMED = """() => { for (const cell of document.querySelectorAll(".findings td"))
  cell.textContent = cell.textContent.replace(/ on Linux-.*/, " on Linux"); }"""
"""The system that the pictures were taken on is nobody's business."""


class Photographer:
    """Keeps pictures of pages in a folder."""

    def __init__(self, folder: Path, names: tuple[str, ...]) -> None:
        """Keep them there; only those named, or all where none is."""
        self.folder = folder
        self.names = names
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Any, name: str) -> None:
        """Keep what a page shows now at every size."""
        if self.names and name not in self.names:
            return
        for suffix, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(SETTLE_MS)
            shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert shot is not None
            done, coded = cv2.imencode(".webp", shot, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
            assert done
            path = self.folder / f"{name}{suffix}.webp"
            path.write_bytes(coded.tobytes())
            print(f"{path}  {path.stat().st_size / 1000:.0f} kB", flush=True)
        page.set_viewport_size({"width": SIZES[""][0], "height": SIZES[""][1]})


@contextmanager
def program(*arguments: str) -> Iterator[Program]:
    """Serve a deskref with settings of its own."""
    with tempfile.TemporaryDirectory() as home:
        served = Program(Path(home), *arguments)
        try:
            yield served
        finally:
            served.end()


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click(timeout=PATIENCE_MS)


def begin(page: Any, game: str) -> None:
    """Start a game with what its form offers."""
    open_form(page, game)
    start(page)


@contextmanager
def typed_table(browser: Any) -> Iterator[tuple[Program, Any]]:
    """A table without a camera after three rolls, in a window."""
    with program("play", "--camera", "none") as served:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(served.address)
        turn(page, "Lokan")
        page.keyboard.type("612")
        turn(page, "Imp")
        yield served, page
        browser.close_all()


def dialogues(take: Photographer, browser: Any) -> None:
    """The table without a camera with its menu, its form and its dialogues."""
    with typed_table(browser) as (_, page):
        take.take(page, "skuffle-wammer")
        page.locator(".menu > summary").click()
        take.take(page, "menu")
        page.keyboard.press("Escape")
        more(page, "Share")
        take.take(page, "share")
        press(page, "Close")
        page.get_by_role("dialog").wait_for(state="hidden")
        page.keyboard.press("n")
        page.get_by_text("More agreements").click()
        take.take(page, "new-game")
        press(page, "Cancel")
        page.get_by_role("dialog").wait_for(state="hidden")
        page.keyboard.press("g")
        page.get_by_role("dialog").wait_for()
        take.take(page, "put-right")


def other_pages(take: Photographer, browser: Any) -> None:
    """What a stream and phones show, the report, the doctor."""
    with typed_table(browser) as (served, page):
        page.goto(f"{served.address}/overlay")
        expect(page.locator('[data-part="ruling"]')).to_contain_text("misses")
        take.take(page, "overlay")
        page.goto(f"{served.address}/score")
        expect(page.locator('[data-part="ruling"]')).to_contain_text("misses")
        take.take(page, "score")
        page.goto(f"{served.address}/phone")
        take.take(page, "phone-start")
        page.goto(f"{served.address}/report")
        page.locator(".report svg.course").wait_for()
        take.take(page, "report")
        page.goto(f"{served.address}/doctor")
        page.locator(".findings tbody tr").first.wait_for(timeout=4 * PATIENCE_MS)
        page.evaluate(UNNAMED)
        take.take(page, "doctor")


def typed_games(take: Photographer, browser: Any) -> None:
    """A Quick Skirmish and a World Saga combat in the middle of a turn."""
    with typed_table(browser) as (_, page):
        begin(page, "World Saga")
        turn(page, "Lokan")
        page.keyboard.type("19150804")
        expect(page.locator(".side")).to_contain_text("squares left: 6")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".side")).to_contain_text("Stride for 3")
        take.take(page, "world-saga")
        begin(page, "Quick Skirmish")
        page.keyboard.press("c")
        expect(page.locator(".side")).to_contain_text(re.compile("Raise .* failure"))
        page.keyboard.press("Enter")
        page.keyboard.press("5")
        expect(page.locator(".side")).to_contain_text("Die 2 of 2")
        take.take(page, "quick-skirmish")


def setting_up(take: Photographer, browser: Any) -> None:
    """Every step of the set-up with this browser's camera, and the page of a phone that is the camera."""
    with program("play") as served:
        context = browser.new_context(permissions=["camera"], viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.goto(served.address)
        page.wait_for_url("**/setup")
        press(page, "Use it: This browser's camera")
        page.wait_for_function(
            "[...document.querySelectorAll('img[src^=\"/stream.mjpg\"]')].some((i) => i.naturalWidth > 300)",
            timeout=PATIENCE_MS,
        )
        take.take(page, "setup-1-camera")
        press(page, "2 Mat")
        take.take(page, "setup-2-mat")
        press(page, "3 Aim")
        expect(page.locator(".meters")).to_contain_text(re.compile("6 of 6"))
        take.take(page, "setup-3-aim")
        press(page, "4 Scale")
        take.take(page, "setup-4-scale")
        press(page, "5 Dice check")
        expect(page.get_by_text("No dice are seen.")).to_be_visible()
        take.take(page, "setup-5-dice")
        press(page, "6 Game")
        page.get_by_text("Who plays, and what?").wait_for()
        take.take(page, "setup-6-game")
        page.goto(f"{served.address}/camera?as=phone")
        press(page, "Start the camera")
        expect(page.get_by_role("status")).to_contain_text("pictures a second")
        take.take(page, "phone-camera")
        context.close()


def demo(take: Photographer, browser: Any) -> None:
    """The demo in the middle of its game, seen by the camera and from above, in the dark look too."""
    with program("demo") as served:
        page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="dark")
        page.goto(served.address)
        # A busy computer plays the film slower, for it leaves no picture out.
        said = page.locator(".ruling .what")
        expect(said).to_contain_text(re.compile("hits|misses|is dead"), timeout=8 * PATIENCE_MS)
        take.take(page, "demo-dark")
        page.emulate_media(color_scheme="light")
        take.take(page, "demo")
        page.get_by_role("button", name="From above").click()
        page.wait_for_timeout(2 * SETTLE_MS)
        take.take(page, "demo-from-above")
        page.close()


PARTS: dict[str, Callable[[Photographer, Any], None]] = {
    "dialogues": dialogues,
    "games": typed_games,
    "pages": other_pages,
    "setup": setting_up,
    "demo": demo,
}


def main() -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument("--only", nargs="*", default=(), help="only pictures of these names")
    given = parser.parse_args()
    photographer = Photographer(given.folder, tuple(given.only))
    with open_browser() as browser:
        for name, part in PARTS.items():
            if given.part in (None, name):
                part(photographer, browser)


if __name__ == "__main__":
    main()
