"""Every page is held against axe-core: no serious or critical violation of WCAG 2.1 A and AA."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

browsing = pytest.importorskip("tests.deskref.browsing")

from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, turn  # noqa: E402
from tests.deskref.test_games_in_browser import open_form, start  # noqa: E402

AXE = Path(os.environ.get("DESKREF_NODE_MODULES", "/nonexistent")) / "axe-core" / "axe.min.js"
"""It is not part of deskref; whoever runs these tests fetches it (`npm install axe-core`) and names the folder."""

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa")

RUN = """async (rules) => (await axe.run(document, {runOnly: rules})).violations
  .filter((found) => found.impact === "serious" || found.impact === "critical")
  .map((found) => `${found.id}: ${found.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`)"""

pytestmark = [
    *SLOW,
    pytest.mark.skipif(
        not AXE.exists() and not os.environ.get("DESKREF_NEED_FIRMWARE_TOOLS"),
        reason="axe-core is not there: npm install axe-core, and DESKREF_NODE_MODULES names the folder",
    ),
]


def serious(page: Any) -> list[str]:
    """Return the serious violations of what the page shows now, and load it anew: the test keeps it busy so long that
    the server may have given it up.
    """
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN, list(RULES))
    page.reload()
    page.locator("body :is(.bar, .setup, main)").first.wait_for(timeout=PATIENCE_MS)
    return found


def test_tables_and_forms_of_the_games(run: Callable[..., Program], browser: Any) -> None:
    program = run("play", "--camera", "none")
    page = browser.new_page(bypass_csp=True)
    page.goto(program.address)
    turn(page, "Lokan")
    assert serious(page) == []
    for name in ("Skuffle Wammer", "Quick Skirmish", "World Saga"):
        turn(page, "")
        open_form(page, name)
        assert serious(page) == []
    for name, key in (("Quick Skirmish", "c"), ("World Saga", "s")):
        turn(page, "")
        open_form(page, name)
        start(page)
        page.keyboard.press(key)
        assert serious(page) == []
    page.close()


PATHS = ("/report", "/setup", "/setup?step=mat", "/setup?step=game", "/doctor", "/overlay")


def test_other_pages_in_light_and_dark(run: Callable[..., Program], browser: Any) -> None:
    program = run("play", "--camera", "none")
    found = {}
    for scheme in ("light", "dark"):
        page = browser.new_page(bypass_csp=True, color_scheme=scheme)
        page.goto(program.address)
        turn(page, "")
        page.keyboard.press("6")
        for path in PATHS:
            page.goto(program.address + path)
            page.wait_for_load_state("load")
            page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
            found[scheme, path] = page.evaluate(RUN, list(RULES))
        page.close()
    assert {place: violations for place, violations in found.items() if violations} == {}
