"""`deskref watch` on a folder of pictures, some of which are none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from deskref.command_line import app
from tests.vision.drawn_table import DrawnTable


def test_bad_pictures_in_a_folder_are_named_and_the_others_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off, empty, words, another size, and nothing but black among good ones: no crash, no event of theirs."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    folder = tmp_path / "film"
    folder.mkdir()
    table = DrawnTable(3)
    for number in (1, 2, 3, 7, 8):
        assert cv2.imwrite(str(folder / f"{number}.png"), table.image())
    whole = (folder / "1.png").read_bytes()
    (folder / "4.png").write_bytes(whole[: len(whole) // 3])
    (folder / "5.jpg").write_bytes(b"")
    (folder / "6.jpg").write_bytes(b"these are words")
    small = cv2.resize(table.image(), (640, 360), interpolation=cv2.INTER_AREA)
    assert cv2.imwrite(str(folder / "9.png"), small)
    assert cv2.imwrite(str(folder / "10.png"), np.zeros((720, 1280, 3), np.uint8))
    result = CliRunner().invoke(app, ["watch", str(folder), "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 0
    kinds = [json.loads(line)["type"] for line in result.stdout.splitlines()]
    assert kinds[0] == "table_found"
    assert set(kinds) <= {"table_found", "table_lost", "camera_moved"}
    for name in ("4.png", "5.jpg", "6.jpg"):
        assert name in result.stderr
    assert "Traceback" not in result.output
