"""What a player types as a camera, and the source it means."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.camera import SourceError, TroubleCode
from devices.camera_list import CameraInfo
from devices.camera_spec import open_source
from devices.film import Film
from devices.network_film import NetworkFilm
from devices.picture_folder import PictureFolder
from devices.stream import Stream
from devices.webcam import Webcam
from tests.devices.fakes import camera
from tests.devices.test_film import write_film


def cameras() -> tuple[CameraInfo, ...]:
    return (camera("HD Pro Webcam C920", "v4l:c920", 0), camera("Iriun Webcam", "v4l:iriun", 2))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_film(tmp_path / "film.avi", frames=3)
    cv2.imwrite(str(tmp_path / "photo.png"), np.zeros((8, 8, 3), np.uint8))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "kind", "identity"),
    [
        ("film.avi", Film, "film:film.avi"),
        ("./film.avi", Film, "film:film.avi"),
        ("photo.png", PictureFolder, "pictures:photo.png"),
        (".", PictureFolder, None),
        ("c920", Webcam, "v4l:c920"),
        ("v4l:iriun", Webcam, "v4l:iriun"),
        ("2", Webcam, "v4l:iriun"),
        (0, Webcam, "v4l:c920"),
        ("http://192.168.1.20:8080/video", Stream, "address:http://192.168.1.20:8080/video"),
        ("https://phone.local:8080", Stream, "address:https://phone.local:8080"),
        ("192.168.1.20:8080", Stream, "address:http://192.168.1.20:8080"),
        ("192.168.1.20", Stream, "address:http://192.168.1.20"),
        ("192.168.1.20:4747/video", Stream, "address:http://192.168.1.20:4747/video"),
        ("phone.local", Stream, "address:http://phone.local"),
        ("my-phone:8080", Stream, "address:http://my-phone:8080"),
        ("rtsp://192.168.1.30/live", NetworkFilm, "address:rtsp://192.168.1.30/live"),
        ("http://192.168.1.30/hls/live.m3u8?x=1", NetworkFilm, None),
    ],
)
def test_each_way_to_name_a_source(desk: Path, spec: str | int, kind: type, identity: str | None) -> None:
    source = open_source(spec, cameras=cameras)
    assert type(source) is kind
    if identity is not None:
        assert source.identity == identity
    source.close()


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("", TroubleCode.NO_SUCH_CAMERA),
        ("Brio", TroubleCode.NO_SUCH_CAMERA),
        ("7", TroubleCode.NO_SUCH_CAMERA),
        ("webcam", TroubleCode.SEVERAL_CAMERAS),
        ("auto", TroubleCode.SEVERAL_CAMERAS),
        ("/dev/video7", TroubleCode.NO_SUCH_CAMERA),
        ("game.mp4", TroubleCode.NO_SUCH_FILE),
        ("films/game", TroubleCode.NO_SUCH_CAMERA),
        ("./films/game", TroubleCode.NO_SUCH_FILE),
        (r"C:\films\game.mp4", TroubleCode.NO_SUCH_FILE),
        ("ftp://192.168.1.20/x", TroubleCode.WRONG_ADDRESS),
        ("file:///etc/passwd", TroubleCode.WRONG_ADDRESS),
    ],
)
def test_what_does_not_exist_has_its_own_words(desk: Path, spec: str, code: TroubleCode) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(spec, cameras=cameras)
    assert caught.value.code is code
    assert caught.value.trouble.remedy
    if code is TroubleCode.NO_SUCH_CAMERA and spec:
        assert "HD Pro Webcam C920" in str(caught.value)


def test_broken_files_are_told_at_once(desk: Path) -> None:
    (desk / "cut.mp4").write_bytes(b"\0\0\0\x18ftypisom" + bytes(200))
    (desk / "empty").mkdir()
    (desk / "text.txt").write_text("text")
    for spec, code in (
        ("cut.mp4", TroubleCode.CUT_OFF),
        ("empty", TroubleCode.EMPTY_FOLDER),
        ("text.txt", TroubleCode.NOT_A_FILM),
    ):
        with pytest.raises(SourceError) as caught:
            open_source(spec, cameras=cameras)
        assert caught.value.code is code


def test_fast_and_own_speed_are_passed_on(desk: Path) -> None:
    assert [frame.number for frame in open_source("film.avi", speed="fast").frames()] == [0, 1, 2]
    with pytest.raises(ValueError, match="'quick'"):
        open_source("film.avi", speed="quick")  # type: ignore[arg-type]
