"""The key for the sound says what it does; how it stands is shown beside that."""

from __future__ import annotations

from pathlib import Path

import pytest
from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from deskref.page.site import Site
from deskref.page.voice import Voice, _Started, _Table
from deskref.settings import Settings
from tests.deskref.drawn_page import DrawnPage, ToldGame


def test_it_says_what_it_does_and_its_title_how_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui, "run_javascript", lambda _: None)
    monkeypatch.setattr(_Table, "is_on", False)
    monkeypatch.setattr(_Table, "window", None)
    monkeypatch.setattr(_Started, "is_past", False)
    own = Settings()
    made: list[Voice] = []
    page = DrawnPage(lambda: made.append(Voice(Site(ToldGame(), tmp_path, own, own.page), sound=False)))
    (button,) = (one for one in page.client.elements.values() if isinstance(one, TextElement) and one.tag == "button")
    assert (button.text, button.props["title"], "sounding" in button.classes) == (
        "Unmute",
        "This window is silent.",
        False,
    )
    page.press("Unmute")
    assert (button.text, button.props["title"], "sounding" in button.classes) == ("Mute", "This window sounds.", True)
    page.press("Mute")
    assert (button.text, "sounding" in button.classes) == ("Unmute", False)
