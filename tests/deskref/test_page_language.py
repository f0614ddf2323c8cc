"""What the system refuses is said on the page in the table's language, and with what to do."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from nicegui import ui

from deskref import language
from deskref.page import kept_characters, last_fields
from deskref.page.phones import Phones, PhonesError
from deskref.page.skirmish_form import HeroRow, SceneRow, character_of
from deskref.settings import PhoneSettings
from tests.deskref.drawn_page import DrawnPage


@pytest.fixture(autouse=True)
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    language.use("de")
    yield
    language.use("en")


def test_a_port_for_phones_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        phones = Phones(tmp_path, PhoneSettings(address="127.0.0.1", port=other.getsockname()[1]))
        with pytest.raises(PhonesError, match="wird von einem anderen Programm benutzt"):
            asyncio.run(phones.open(None))


def test_a_picture_that_is_too_large_has_a_comma() -> None:
    assert "4,2 MB" in language.say("cam_push_large", megabytes="4.2", most="4.1")


def test_a_full_disk_is_told_without_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    said: list[str] = []
    monkeypatch.setattr(kept_characters, "keep_character", full)
    monkeypatch.setattr(ui, "notify", lambda text, **_: said.append(text))
    DrawnPage(lambda: kept_characters.keep(character_of, HeroRow("Mirel")))
    assert len(said) == 1
    assert "the disk is full" in said[0]
    assert "Errno" not in said[0]


def test_a_full_disk_is_left_no_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, *_: object, **__: object) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    last_fields.remember(tmp_path, "quick-skirmish", SceneRow(3))
    assert list(tmp_path.iterdir()) == []
