"""Trying a camera for a moment, and OpenCV's installation."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from devices import opencv_settings
from devices.camera_loop import CameraState
from devices.camera_trial import opencv_troubles, try_source
from devices.film import Film
from devices.webcam import Webcam
from tests.devices.fakes import FakeCapture, PictureMaker, camera
from tests.devices.test_film import write_film


def webcam(capture: FakeCapture) -> Webcam:
    return Webcam(camera(), make=lambda *_: capture, cameras=lambda: (camera(),), platform="test")


def test_a_trial_gives_a_picture_and_measures() -> None:
    make, pause = PictureMaker(), threading.Event()
    capture = FakeCapture((make() for _ in itertools.count()), before_grab=lambda: pause.wait(0.01))
    trial = try_source(webcam(capture), look_s=0.3)
    assert trial.frame is not None
    assert trial.frame.size == (64, 48)
    assert trial.status.state is CameraState.LIVE
    assert trial.status.rate_hz is not None
    assert trial.seconds_to_first_frame is not None
    assert capture.released


def test_a_trial_of_a_camera_that_does_not_open_returns_with_the_reason() -> None:
    trial = try_source(webcam(FakeCapture([], is_open=False)), open_s=5)
    assert trial.frame is None
    assert trial.seconds_to_first_frame is None
    assert trial.status.state is CameraState.LOST
    assert trial.status.trouble is not None


def test_a_trial_of_a_short_film_ends_with_it(tmp_path: Path) -> None:
    trial = try_source(Film(write_film(tmp_path / "f.avi", frames=4)), look_s=5)
    assert trial.status.state is CameraState.ENDED
    assert trial.frame is not None


def test_c20_two_opencv_packages_are_named_with_the_remedy() -> None:
    """C20: `imshow` "not implemented", and worse, when the headless and the full package overwrite each other."""
    troubles = opencv_troubles(["numpy", "opencv_python", "opencv-python-headless"])
    assert "opencv-python, opencv-python-headless" in troubles[0].message
    assert "pip uninstall opencv-python opencv-python-headless" in troubles[0].remedy
    assert "pip install opencv-python" in troubles[0].remedy
    assert not [t for t in opencv_troubles(["numpy", "opencv-python"]) if "Several" in t.message]


@pytest.mark.parametrize("first", ["import devices.camera_thread", "import devices.camera_list", "import deskref.live"])
def test_c1_windows_hardware_transforms_are_off_before_opencv_is_imported(first: str) -> None:
    """C1: the setting is read while OpenCV is being imported."""
    code = (
        f"{first}, os, sys, devices.opencv_settings as s\n"
        "assert s.SET_IN_TIME and 'cv2' in sys.modules\n"
        "print(os.environ['OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS'])"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENCV_")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_a_setting_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENCV_LOG_LEVEL", "DEBUG")
    monkeypatch.delenv("OPENCV_FFMPEG_LOGLEVEL", raising=False)
    assert opencv_settings.apply_settings() is False
    assert os.environ["OPENCV_LOG_LEVEL"] == "DEBUG"
    assert os.environ["OPENCV_FFMPEG_LOGLEVEL"] == "-8"
