"""Calibrations kept by camera identity and picture size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.store import (
    FILE_NAME,
    StoreError,
    calibrated_cameras,
    load_lens,
    load_lenses,
    load_print_scale,
    save_lens,
    save_print_scale,
)


def lens(size: tuple[int, int], focal: float = 1000.0) -> Lens:
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    return Lens(matrix, np.array([-0.1, 0.02, 0.001, 0, 0]), size, 0.2, 14)


def test_a_lens_comes_back_for_its_camera_and_size(tmp_path: Path) -> None:
    save_lens(tmp_path / "new", "usb-046d:0825-ABC", lens((1280, 720)))
    back = load_lens(tmp_path / "new", "usb-046d:0825-ABC", (1280, 720))
    assert back is not None
    assert back.camera_matrix.tolist() == lens((1280, 720)).camera_matrix.tolist()
    assert back.distortion.tolist() == lens((1280, 720)).distortion.tolist()
    assert back.views == 14
    assert load_lens(tmp_path / "new", "another", (1280, 720)) is None


def test_a_size_of_the_same_aspect_is_scaled_and_another_aspect_is_not_used(tmp_path: Path) -> None:
    """A camera that crops for 4:3 has another field of view: guessing would be worse than estimating from the mat."""
    save_lens(tmp_path, "cam", lens((1280, 720)))
    half = load_lens(tmp_path, "cam", (640, 360))
    assert half is not None
    assert half.camera_matrix[0, 0] == pytest.approx(500)
    assert half.camera_matrix[:2, 2] == pytest.approx((319.5, 179.5))
    assert load_lens(tmp_path, "cam", (640, 480)) is None
    with pytest.raises(ValueError, match="640, 480"):
        lens((1280, 720)).at((640, 480))


def test_a_camera_whose_size_is_not_known_yet_brings_all_its_sizes(tmp_path: Path) -> None:
    """A webcam on a full USB connection falls back to 640x480: its own calibration counts then."""
    save_lens(tmp_path, "cam", lens((640, 480), 500))
    save_lens(tmp_path, "cam", lens((1280, 720), 1000))
    save_lens(tmp_path, "other", lens((800, 600), 700))
    both = load_lenses(tmp_path, "cam")
    assert both is not None
    assert both.size == (1280, 720)
    assert both.guess((640, 480)).camera_matrix[0, 0] == 500
    assert both.guess((1920, 1080)).camera_matrix[0, 0] == 1500
    assert both.guess((320, 240)).camera_matrix[0, 0] == 250
    assert not both.fits((1024, 1024))
    assert load_lenses(tmp_path, "none") is None
    assert calibrated_cameras(tmp_path) == ("cam", "other")


def test_calibrating_again_replaces_and_keeps_the_others(tmp_path: Path) -> None:
    save_lens(tmp_path, "cam", lens((1280, 720)))
    save_lens(tmp_path, "other", lens((1280, 720), 900))
    save_lens(tmp_path, "cam", lens((1280, 720), 1100))
    save_print_scale(tmp_path, "mat", 0.97)
    kept, replaced = load_lens(tmp_path, "other", (1280, 720)), load_lens(tmp_path, "cam", (1280, 720))
    assert kept is not None
    assert replaced is not None
    assert kept.camera_matrix[0, 0] == 900
    assert replaced.camera_matrix[0, 0] == 1100
    assert load_print_scale(tmp_path, "mat") == 0.97
    assert load_print_scale(tmp_path, "tokens") == 1.0
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    "text", ["", "{", '{"lenses": 3}', '{"lenses": [{"camera": "x"}]}', '{"print_scales": {"mat": 0}}', "\x00\x01"]
)
def test_a_damaged_file_is_named_with_its_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(StoreError, match="delete it"):
        load_lens(tmp_path, "cam", (1280, 720))


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="file"):
        save_print_scale(tmp_path / "file", "mat", 0.98)


def test_nonsense_is_not_stored(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0"):
        save_print_scale(tmp_path, "mat", 0.0)
    with pytest.raises(ValueError, match="camera_matrix"):
        Lens(np.eye(2), np.zeros(5), (640, 480))
