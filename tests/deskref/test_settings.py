"""Settings: defaults, broken files, and writing without losing anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref import settings
from deskref.settings import FILE_NAME, PageSettings, Settings, TableSettings, load, save


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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[page]\nport = 0\n", "page.port is 0; it must be at least 1"),
        ("[page]\nport = true\n", "page.port is True; it must be a whole number"),
        ("[page]\nport = 1.5\n", "page.port is 1.5; it must be a whole number"),
        ("[page]\ntheme = 'pink'\n", "page.theme is 'pink'; it must be 'auto', 'dark' or 'light'"),
        ("[page]\nsound = 'yes'\n", "page.sound is 'yes'; it must be true or false"),
        ("[page]\ncolour = 1\n", "page.colour means nothing here; is it misspelt?"),
        ("[table]\ncorners = [[0, 0], [1, 2, 3]]\n", "table.corners.2 has too many entries; it may have 2"),
        ("[table]\nwidth_mm = nan\n", "table.width_mm is nan"),
        ("page = 3\n", "page is 3; it must be names with values in braces"),
        ("[page\n", "cannot be read"),
        ("a = " + "[" * 5000, "brackets"),
    ],
)
def test_a_mistake_is_told_in_plain_words_with_its_remedy(tmp_path: Path, text: str, says: str) -> None:
    """The checking library's own words leaked."""
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert loaded.trouble is not None
    assert says in loaded.trouble
    assert "Input should" not in loaded.trouble
    assert "delete the file to begin anew" in loaded.trouble


def test_corners_that_were_clicked_are_read_again(tmp_path: Path) -> None:
    corners = ((0.1, 0.2), (0.9, 0.2), (0.8, 0.9), (0.2, 0.9))
    save(tmp_path, Settings(table=TableSettings(kind="corners", corners=corners)))
    assert load(tmp_path).settings.table.corners == corners
