"""Settings: defaults, broken files, and writing without losing anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref import settings
from deskref.settings import FILE_NAME, PageSettings, Settings, load, save


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert load(tmp_path) == settings.LoadedSettings(Settings())


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    wanted = Settings(page=PageSettings(port=9000, theme="dark", sound=True))
    save(tmp_path / "new", wanted)
    assert load(tmp_path / "new").settings == wanted


def test_comments_of_the_player_stay(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("# my desk\n[page]\nport = 9000 # the other one\n", encoding="utf-8")
    save(tmp_path, load(tmp_path).settings)
    text = (tmp_path / FILE_NAME).read_text(encoding="utf-8")
    assert "# my desk" in text
    assert "# the other one" in text


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[page\n", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[page]\nport = 'x'\n", "page.port"),
        (b"[page]\nport = 0\n", "page.port"),
        (b"[page]\ncolour = 'red'\n", "page.colour"),
        (b"[desk]\n", "desk"),
    ],
)
def test_a_broken_file_means_defaults_and_a_message(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert loaded.trouble is not None
    assert says in loaded.trouble


def test_saving_over_a_broken_file_mends_it(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"[page\n")
    save(tmp_path, Settings())
    assert load(tmp_path).trouble is None


def test_the_folder_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.FOLDER_VARIABLE, str(tmp_path))
    assert settings.home() == tmp_path
