"""`deskref watch` on a folder of pictures, some of which are none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from deskref.command_line import app
from deskref.proofs import proof_of
from devices.frame import Frame
from tests.vision.drawn_table import DrawnTable, camera
from vision.events import DieAppeared, HandOver


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


def test_each_event_of_a_place_has_its_picture_as_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A red die on the right is what its proof shows."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    film, proofs = tmp_path / "film", tmp_path / "proofs"
    film.mkdir()
    table = DrawnTable(3)
    table.die((55.0, -35.0), 5, "red")
    for number in range(12):
        assert cv2.imwrite(str(film / f"{number:02d}.png"), table.image())
    result = CliRunner().invoke(app, ["watch", str(film), "--json", "--proofs", str(proofs)])
    assert result.exit_code == 0, result.output
    events = [json.loads(line) for line in result.stdout.splitlines()]
    (appeared,) = [event for event in events if event["type"] == "die_appeared"]
    assert [event["type"] for event in events if "proof" in event] == ["die_appeared"]
    proof = cv2.imread(appeared["proof"])
    assert proof is not None
    assert [path.name for path in proofs.iterdir()] == [Path(appeared["proof"]).name]
    rows, columns = proof.shape[:2]
    assert 30 < columns < 300
    middle = proof[rows // 3 : 2 * rows // 3, columns // 3 : 2 * columns // 3].reshape(-1, 3).mean(axis=0)
    assert middle[2] > middle[0] + 40, "the die's colour"


def test_an_event_of_no_place_or_beside_the_picture_has_none() -> None:
    frame = Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)
    assert proof_of(HandOver(frame=0, time_s=0.0), frame, camera()) is None
    far = DieAppeared(frame=0, time_s=0.0, die=1, mm=(5000.0, 5000.0))
    assert proof_of(far, frame, camera()) is None
    here = DieAppeared(frame=0, time_s=0.0, die=1, mm=(0.0, 0.0))
    assert proof_of(here, frame, None) is None
    assert proof_of(here, frame, camera()) is not None
