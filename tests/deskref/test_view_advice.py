"""Advice on the camera's view in `deskref doctor` and `deskref watch`: each shortcoming with its remedy, once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from calibration.store import FILE_NAME, save_print_scale
from calibration.table import TableNotFound
from calibration.view_quality import Concern
from deskref import doctor
from deskref.command_line import app
from deskref.eyes import Seen
from deskref.finding import Finding, Health
from deskref.settings import CameraSettings, Settings, TableSettings, load, save
from deskref.table_choice import MAT_TABLE, TableSight
from deskref.view_advice import ViewAdvice, advice_on
from devices.frame import Frame
from tests.calibration.simulated import Image, draw_sheet, expose, frame, photograph, view_of
from vision.observation import Observation, TableSeen


def bgr(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


def shot(*, tilt: float = 20, without: tuple[int, ...] = (), gain: float = 1.0) -> Image:
    sheet = draw_sheet(without=without)
    return expose(photograph(sheet, view_of(size=(640, 480), tilt_degrees=tilt)), gain=gain)


def looking() -> Callable[[Frame], Seen]:
    """Eyes that look for the table only: what stands on it does not matter here."""
    sight = TableSight(MAT_TABLE)

    def look(frame: Frame) -> Seen:
        view, _, steady, advice = sight.follow(frame.image_bgr, frame.time_s)
        table = TableSeen(view is not None, advice=advice, steady=steady)
        return Seen(frame, view, Observation(frame.number, frame.time_s, frame.size, table), ())

    return look


def test_a_picture_is_judged_at_once() -> None:
    good = view_of(size=(1280, 720), tilt_degrees=20)
    assert advice_on(bgr(photograph(draw_sheet(), good, blur_px=0.5)), MAT_TABLE) == ()
    flat = advice_on(bgr(shot(tilt=65)), MAT_TABLE)
    assert isinstance(flat, tuple)
    assert any("Raise it" in advice.message for advice in flat)
    nothing = advice_on(np.full((480, 640, 3), 9, np.uint8), MAT_TABLE)
    assert isinstance(nothing, TableNotFound)


def test_what_lasts_is_told_once_and_a_hand_that_passes_is_not() -> None:
    """Markers of one side only: one second is a hand; two are said, once, and again only after it was well."""
    advice, look = ViewAdvice(MAT_TABLE), looking()
    whole, one_sided = shot(), shot(without=(0, 1, 2))
    told: list[tuple[float, str]] = []
    number = 0
    for clean, seconds in ((whole, 2), (one_sided, 1), (whole, 2), (one_sided, 4), (whole, 2), (one_sided, 4)):
        for _ in range(seconds * 5):
            seen = look(Frame(bgr(frame(clean, number)), number / 5, number))
            told += [(number / 5, line) for line in advice.on(seen) if "one side" in line]
            number += 1
        now = [a.concern for a in advice.now]
        assert (Concern.ONE_SIDED in now) is (seconds == 4)
    assert len(told) == 2
    assert 5.0 < told[0][0] < 9.0 < 11.0 < told[1][0]


def test_why_the_table_is_not_found_is_told_once() -> None:
    advice, look = ViewAdvice(MAT_TABLE), looking()
    dark = np.full((480, 640), 10, np.uint8)
    told = [
        line
        for number in range(12)
        for line in advice.on(look(Frame(bgr(frame(dark, number, noise=2)), number / 5, number)))
    ]
    assert told == ["The picture is too dark."]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(doctor, "list_cameras", tuple)
    return tmp_path / "home"


@pytest.fixture
def film(tmp_path: Path) -> Iterator[Path]:
    """A folder that plays the camera of the settings."""
    folder = tmp_path / "desk"
    folder.mkdir()
    for number in range(2):
        assert cv2.imwrite(str(folder / f"{number}.png"), frame(shot(tilt=65), number))
    yield folder
    assert threading.active_count() < 20


def look(home: Path) -> list[Finding]:
    return list(doctor._cameras(load(home).settings, doctor.NOTHING_RUNS, []))


def test_the_doctor_says_how_the_settings_camera_sees_the_table(home: Path, film: Path) -> None:
    save(home, Settings(camera=CameraSettings(source=str(film))))
    tilted = next(f for f in look(home) if "too far aside" in f.found)
    assert tilted.health is Health.NOTE
    assert "Raise it" in tilted.remedy


def test_the_doctor_finds_a_damaged_file_of_calibrations(home: Path) -> None:
    save_print_scale(home, "mat", 0.97)
    (found,) = doctor._calibrations(home)
    assert "97.0 %" in found.found
    (home / FILE_NAME).write_text("{", encoding="utf-8")
    (found,) = doctor._calibrations(home)
    assert found.health is Health.BAD
    assert "delete it" in found.found
    assert found.remedy


def test_clicked_corners_count_for_their_own_camera(home: Path, film: Path) -> None:
    corners = ((0.3, 0.2), (0.7, 0.2), (0.8, 0.8), (0.2, 0.8))
    table = TableSettings(kind="corners", width_mm=200, depth_mm=200, corners=corners)
    save(home, Settings(camera=CameraSettings(source=str(film)), table=table))
    assert not any("too far aside" in f.found for f in look(home))


def test_watching_says_what_could_be_better(film: Path, home: Path) -> None:
    for number in range(3, 35, 3):
        assert cv2.imwrite(str(film / f"{number}.png"), frame(shot(tilt=65), number))
    result = CliRunner().invoke(app, ["watch", str(film)])
    assert result.exit_code == 0
    assert "the table is found" in result.stdout
    assert result.stderr.count("Raise it") == 1
