"""Playing a recording again from its frames: the table and the lens are those that the game was seen with."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.sheets import tokens_target
from deskref.looking import Looking, looking_from_json
from deskref.play import Play
from deskref.recording import Journal, LineKind, RecordingError, read_journal
from deskref.replay import from_frames
from deskref.signal import Signal
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind
from tests.calibration.simulated import draw_sheet, photograph, view_of

TOKENS = TableChoice(TableKind.TOKENS, 260.0, 180.0)
LENS = Lens(
    np.array([[900.0, 0, 639.5], [0, 900.0, 359.5], [0, 0, 1]]),
    np.array([-0.1, 0, 0, 0, 0]),
    (1280, 720),
    others=(Lens(np.array([[450.0, 0, 319.5], [0, 450.0, 179.5], [0, 0, 1]]), np.zeros(5), (640, 360)),),
)
FRAMES = 14


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Corner tokens round an own mat, as a camera films them; no printed mat is in view."""
    sheet = draw_sheet(tokens_target(TOKENS.width_mm, TOKENS.depth_mm), size_mm=(480.0, 400.0))
    picture = photograph(sheet, view_of(size=(1280, 720), tilt_degrees=15, reach_mm=(210.0, 170.0), turn_degrees=0))
    path = tmp_path_factory.mktemp("film") / "tokens.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (1280, 720))
    for _ in range(FRAMES):
        writer.write(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    writer.release()
    return path


def codes(signals: list[Signal]) -> list[str]:
    return [signal.message.code for signal in signals]


def journal(path: Path, film: Path, looking: Looking | None) -> Path:
    with Journal(path, version="0", started="now", film=str(film), looking=looking):
        pass
    return path


def test_the_film_is_looked_at_for_what_marked_the_table(film: Path, tmp_path: Path) -> None:
    """Else a game on tokens replays as one whose table was never found."""
    path = journal(tmp_path / "game.jsonl", film, Looking(TOKENS))
    assert codes(list(from_frames(path, film=None))) == ["table_found"]


def test_an_old_journal_is_of_the_printed_mat(film: Path, tmp_path: Path) -> None:
    path = journal(tmp_path / "game.jsonl", film, None)
    head = next(read_journal(path))
    assert set(head.data) == {"format", "version", "started", "film"}
    assert head.looking().table == MAT_TABLE
    assert head.looking().lens is None
    assert codes(list(from_frames(path, film=None))) == []


def test_a_table_marked_otherwise_in_the_middle_counts_from_there(film: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Journal(path, version="0", started="now", film=str(film), looking=Looking()) as written:
        Play(written).looks(Looking(TOKENS), after_s=0.5)
    signals = list(from_frames(path, film=None))
    assert codes(signals) == ["table_found"]
    assert signals[0].time_s >= 0.6


@pytest.mark.parametrize(
    "looking",
    [
        Looking(),
        Looking(TOKENS, LENS),
        Looking(TableChoice(TableKind.CORNERS, 300.0, 200.0, ((0.1, 0.2), (0.9, 0.2), (0.8, 0.9), (0.2, 0.9)))),
        Looking(TableChoice(print_scale=0.973), Lens(LENS.camera_matrix, LENS.distortion, LENS.size)),
    ],
)
def test_what_the_eyes_know_survives_the_journal(tmp_path: Path, looking: Looking) -> None:
    path = journal(tmp_path / "game.jsonl", tmp_path / "none.mp4", looking)
    found = next(read_journal(path)).looking()
    assert found.table == looking.table
    assert found.as_json() == looking.as_json()
    assert looking_from_json(json.loads(json.dumps(looking.as_json()))).as_json() == looking.as_json()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"table": {}}, "lack"),
        ({"table": 3}, "of a wrong kind"),
        ({"lens": [{"size": [0, 4]}]}, "width and a height"),
        ({"lens": [{"size": [4, 4], "camera_matrix": [[1, 0], [0, 1]], "distortion": [0] * 5}]}, "shape"),
        ({"lens": [{"size": [4, 4], "camera_matrix": "no", "distortion": [0] * 5}]}, "a number, not 'n'"),
    ],
)
def test_a_head_that_was_broken_is_named(tmp_path: Path, change: dict[str, object], says: str) -> None:
    path = journal(tmp_path / "game.jsonl", tmp_path / "none.mp4", Looking())
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), **change}), *rest, ""]), encoding="utf-8")
    with pytest.raises(RecordingError, match=f"line 1: .*{says}"):
        list(from_frames(path, film=None))


def test_a_looking_line_tells_nothing_to_the_rules(film: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Journal(path, version="0", started="now", looking=Looking()) as written:
        written.looks(Looking(TOKENS, LENS), after_s=1.25)
    kinds = [line.kind for line in read_journal(path)]
    assert kinds == [LineKind.HEAD, LineKind.LOOKING, LineKind.END]
