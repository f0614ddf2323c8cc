"""What starting had to say stands on the page in its language, covers nothing, and can be closed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nicegui import ui

from deskref import language
from deskref.page.notices import Notices
from deskref.page.site import Site
from deskref.settings import Settings
from deskref.words import CATALOGUE
from tests.deskref.drawn_page import DrawnPage, ToldGame


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.use("en")


@pytest.mark.parametrize(
    ("code", "said", "close"),
    [("en", "goes on where it was: game.jsonl", "Close"), ("de", "geht weiter, wo es war: game.jsonl", "Schließen")],
)
def test_a_game_that_goes_on_is_said_until_it_is_closed(
    code: str, said: str, close: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over: list[str] = []
    monkeypatch.setattr(ui, "notify", lambda text, **_: over.append(text))
    language.use(code)
    own = Settings()
    news = (CATALOGUE.told("game_goes_on", name="game.jsonl"), "settings.toml has a mistake.")
    page = DrawnPage(Notices(Site(ToldGame(), tmp_path, own, own.page, news=news)).draw)
    assert said in page.text
    page.press(close)
    assert said not in page.text
    assert "settings.toml" in page.text
    assert over == [], "nothing lies over the page"
