"""The doctor's page in a real browser, and what starting had to say on the table's page."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect, more

pytestmark = SLOW


def test_the_doctors_page_checks_and_gives_a_file_without_pictures(
    run: Callable[..., Program], browser: Any, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("[page]\nport = 'x'\n", encoding="utf-8")
    program = run("play", "--camera", "none")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(program.address)
    expect(page.get_by_text("page.port is 'x'").first).to_be_visible(timeout=PATIENCE_MS)
    more(page, "Doctor")
    first = page.locator(".findings tbody tr").first
    expect(first).to_contain_text("page.port", timeout=2 * PATIENCE_MS)
    expect(first).to_contain_text("Mend the file")
    expect(page.locator(".findings")).to_contain_text(f"answers at port {program.port}")
    box = page.get_by_role("checkbox", name="With one picture of the camera")
    expect(box).not_to_be_checked()
    with page.expect_download(timeout=PATIENCE_MS) as loaded:
        page.get_by_role("button", name="Save a diagnostics file").click()
    with zipfile.ZipFile(loaded.value.path()) as archive:
        names = archive.namelist()
    assert {"findings.json", "settings.toml", "last-game.jsonl", "messages.txt"} <= set(names)
    assert not [name for name in names if name.endswith(".jpg")]
    page.close()
