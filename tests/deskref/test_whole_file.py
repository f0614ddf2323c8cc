"""A small file is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref.whole_file import write_whole


def test_the_folder_is_made_and_the_old_text_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    write_whole(path, "ä = 1\n")
    write_whole(path, "ä = 2\n")
    assert path.read_bytes() == "ä = 2\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_where_the_new_text_cannot_be_written_the_old_one_stays_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    write_whole(path, "old")

    def full(self: Path, text: str, **_: object) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
