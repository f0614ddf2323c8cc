"""Faces taught on the page: kept in the settings' folder, told to the running eyes, refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from deskref.face_book import forget_face, known_faces, remember_face
from deskref.live import LiveGame
from vision.observation import SeenDie
from vision.taught_faces import FILE_NAME, TaughtFaces

TOP = ((60.0, 60.0), (120.0, 60.0), (120.0, 120.0), (60.0, 120.0))
DIE = SeenDie((50.0, 50.0, 130.0, 140.0), None, 0.8, top_px=TOP)


@dataclass
class _Frame:
    image_bgr: np.ndarray


@dataclass
class _Seen:
    frame: _Frame


@dataclass
class FakeGame:
    """Remembers what its eyes were told."""

    seen: _Seen | None
    told: list[TaughtFaces] = field(default_factory=list)

    def know_faces(self, taught: TaughtFaces) -> None:
        self.told.append(taught)


def game(*, pips: bool = False) -> Any:
    image = np.full((200, 200, 3), (205, 226, 236), np.uint8)
    if pips:
        for x, y in ((75, 75), (105, 105), (75, 105), (105, 75)):
            cv2.circle(image, (x, y), 6, (20, 20, 20), -1, cv2.LINE_AA)
    else:
        cv2.line(image, (72, 72), (108, 108), (30, 30, 160), 6, cv2.LINE_AA)
        cv2.line(image, (108, 72), (72, 108), (30, 30, 160), 6, cv2.LINE_AA)
    return FakeGame(_Seen(_Frame(image)))


def test_a_remembered_face_is_kept_and_the_eyes_know_it_at_once(tmp_path: Path) -> None:
    playing = game()
    assert "as 1" in remember_face(tmp_path, cast(LiveGame, playing), DIE, 1)
    known, trouble = known_faces(tmp_path)
    assert trouble is None
    assert [f.value for f in known.faces] == [1]
    assert playing.told == [known]


def test_a_forgotten_face_is_gone_from_the_disk_and_the_eyes(tmp_path: Path) -> None:
    playing = game()
    for value in (1, 6):
        remember_face(tmp_path, playing, DIE, value)
    assert forget_face(tmp_path, playing, 0) == ""
    assert [f.value for f in known_faces(tmp_path)[0].faces] == [6]
    assert [f.value for f in playing.told[-1].faces] == [6]
    assert forget_face(tmp_path, playing, 7) == ""
    assert len(known_faces(tmp_path)[0].faces) == 1


def test_a_face_with_pips_is_refused_with_their_number(tmp_path: Path) -> None:
    playing = game(pips=True)
    assert "4 pips" in remember_face(tmp_path, playing, DIE, 1)
    assert not (tmp_path / FILE_NAME).exists()
    assert playing.told == []


@pytest.mark.parametrize("seen", [None, "unplaced"])
def test_without_a_picture_or_a_top_face_nothing_is_kept(tmp_path: Path, seen: str | None) -> None:
    playing = game()
    die = DIE
    if seen is None:
        playing.seen = None
    else:
        die = SeenDie(DIE.box, None, 0.8)
    assert remember_face(tmp_path, playing, die, 1)
    assert not (tmp_path / FILE_NAME).exists()


def test_a_broken_file_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("{", encoding="utf-8")
    playing = game()
    known, trouble = known_faces(tmp_path)
    assert known == TaughtFaces()
    assert trouble is not None
    assert FILE_NAME in remember_face(tmp_path, playing, DIE, 1)
    assert forget_face(tmp_path, playing, 0) == trouble
    assert (tmp_path / FILE_NAME).read_text(encoding="utf-8") == "{"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    said = remember_face(in_the_way / "home", game(), DIE, 1)
    assert "in_the_way" in said or "file" in said
