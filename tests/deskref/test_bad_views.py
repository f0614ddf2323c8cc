"""A table that is found is not praised where it is seen badly: the advice is said wherever the finding is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from calibration.view_quality import Advice, Concern
from deskref.command_line import app
from deskref.live import LiveGame
from deskref.page.frames_in import FramesIn
from deskref.page.setup_aim import meters
from deskref.page.site import source_of
from deskref.play import Play
from deskref.table_choice import MAT_TABLE
from devices.camera_loop import CameraState, CameraStatus
from devices.picture_quality import Quality
from tests.calibration.simulated import Image, draw_sheet, expose, photograph, view_of

RUN = CliRunner()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))


def written(path: Path, image: Image) -> Path:
    assert cv2.imwrite(str(path), cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))
    return path


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    """A dark picture from 25 degrees above the table."""
    view = view_of(size=(640, 480), tilt_degrees=65)
    return written(tmp_path / "flat.png", expose(photograph(draw_sheet(), view), gain=0.35))


@pytest.fixture
def good(tmp_path: Path) -> Path:
    view = view_of(size=(1280, 720), tilt_degrees=20)
    return written(tmp_path / "good.png", photograph(draw_sheet(), view, blur_px=0.5))


@pytest.mark.parametrize("command", ["observe", "explain"])
def test_a_bad_view_is_said_below_the_finding(flat: Path, tmp_path: Path, command: str) -> None:
    """A view from 20 degrees, dark and blurred, was praised with "table found by 6 markers"."""
    more = ["--out", str(tmp_path / "out")] if command == "explain" else []
    told = RUN.invoke(app, [command, str(flat), *more]).stdout
    assert "bad view: The camera looks" in told
    assert "Raise it" in told
    (line,) = RUN.invoke(app, [command, "--json", str(flat), *more]).stdout.splitlines()
    data = json.loads(line)
    assert data["table"]["found"]
    found = {one["concern"]: one for one in data["could_be_better"]}
    assert found["tilted"]["serious"]
    assert 20 < found["tilted"]["value"] < 30
    assert "Raise it" in found["tilted"]["message"]
    assert "dark" in found


def test_a_good_view_is_not_talked_about(good: Path) -> None:
    told = RUN.invoke(app, ["observe", str(good)]).stdout
    assert "table found by 6 markers" in told
    assert "bad view:" not in told
    assert "could be better:" not in told
    assert "could_be_better" not in RUN.invoke(app, ["observe", "--json", str(good)]).stdout


def test_a_picture_without_a_table_says_only_why(tmp_path: Path) -> None:
    empty = written(tmp_path / "empty.png", np.full((480, 640), 120, np.uint8))
    told = RUN.invoke(app, ["observe", str(empty)]).stdout
    assert "no table." in told
    assert "view:" not in told


def test_a_film_or_a_picture_is_advised_on_and_measured_as_a_camera_is(flat: Path) -> None:
    """Only live cameras were: the table page praised, and the set-up said "not known yet" to light and sharpness."""
    import threading

    game = LiveGame(Play(), source_of(str(flat), FramesIn()))
    game.start()
    try:
        never = threading.Event()
        assert any(Concern.TILTED in {a.concern for a in game.view_advice} or never.wait(0.05) for _ in range(400))
        assert game.view_advice[0].is_serious
        status = game.camera_status
        assert status is not None
        assert status.quality is not None
        assert not any(advice.says == "cam_slow" for advice in status.advice), "a picture is no slow camera"
    finally:
        game.stop()


@pytest.mark.parametrize(("is_serious", "grade"), [(True, 0), (False, 1)])
@pytest.mark.parametrize("edge_px", [None, 1.5])
def test_the_sharpness_meter_agrees_with_what_is_said(is_serious: bool, grade: int, edge_px: float | None) -> None:
    """Good, or "not known yet", stood beside "The picture is soft (0.7 px)"."""
    quality = Quality(120.0, edge_px, 1.0, 0)
    status = CameraStatus(CameraState.LIVE, "film", "film", quality=quality)
    blurred = Advice(concern=Concern.BLURRED, is_serious=is_serious, value=0.7)
    found = {m.name: m for m in meters(None, status, MAT_TABLE, (blurred,))}["set_aim_sharp"]
    assert (found.value, found.grade) == ("0.7 px", grade)
    tilted = replace(blurred, concern=Concern.TILTED)
    without = {m.name: m for m in meters(None, status, MAT_TABLE, (tilted,))}["set_aim_sharp"]
    assert without.grade == (2 if edge_px is not None else 0)
