"""`deskref read` given patterns, odd pictures, and models that are missing or damaged."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from deskref.command_line import app
from deskref.settings import Settings, save
from models import runner


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["read", *(str(a) for a in arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def grey(tmp_path: Path) -> Path:
    path = tmp_path / "grey.png"
    assert cv2.imwrite(str(path), np.full((120, 160, 3), 128, np.uint8))
    return path


def test_a_pattern_that_no_shell_expanded_stands_for_the_pictures_that_fit(tmp_path: Path, grey: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    assert cv2.imwrite(str(tmp_path / "other.jpg"), np.full((60, 80, 3), 90, np.uint8))
    files = [json.loads(line)["file"] for line in run("--json", tmp_path / "*").stdout.splitlines()]
    assert sorted(Path(f).name for f in files) == ["grey.png", "other.jpg"]
    nothing = run(tmp_path / "*.bmp")
    assert nothing.exit_code == 2
    assert "no picture fits this pattern" in nothing.output


@pytest.mark.parametrize("damage", ["missing", "empty", "noise"])
def test_a_model_that_cannot_be_loaded_is_one_line_and_the_pictures_are_read(
    tmp_path: Path, grey: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    if damage != "missing":
        for name in ("dice_detector", "dice_value"):
            (folder / f"{name}.onnx").write_bytes(b"" if damage == "empty" else bytes(range(256)) * 8)
    monkeypatch.setattr(runner, "MODEL_FOLDER", folder)
    result = run("--json", grey)
    assert result.exit_code == 2
    assert result.output.count("dice_detector.onnx") == 1
    assert "pips alone" in result.output
    assert '"dice": []' in result.output


def test_pictures_of_every_kind_are_read(tmp_path: Path) -> None:
    image = np.full((90, 120, 3), 130, np.uint8)
    assert cv2.imwrite(str(tmp_path / "deep.png"), image.astype(np.uint16) * 257)
    assert cv2.imwrite(str(tmp_path / "one-channel.png"), image[..., 0])
    Image.fromarray(image).convert("CMYK").save(tmp_path / "print.jpg")
    frames = [Image.fromarray(image + n) for n in range(3)]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    result = run("--json", tmp_path)
    assert result.exit_code == 0
    assert result.output.count('"dice": []') == 4
    assert "only the first of its 3 pictures" in result.output


def test_truncated_and_empty_files_are_named_and_the_others_read(tmp_path: Path, grey: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)
    assert cv2.imwrite(str(tmp_path / "cut.png"), noise)
    (tmp_path / "cut.png").write_bytes((tmp_path / "cut.png").read_bytes()[:300])
    (tmp_path / "zero.jpg").write_bytes(b"")
    result = run("--json", tmp_path / "cut.png", tmp_path / "zero.jpg", grey)
    assert result.exit_code == 2
    assert "cut.png" in result.output
    assert "empty" in result.output
    assert '"dice": []' in result.output


@pytest.mark.parametrize("command", ["observe", "explain"])
def test_the_size_of_an_own_mat_that_is_assumed_is_said_beside_the_output(
    tmp_path: Path, grey: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """`--table tokens` alone took 200 x 200 mm without a word, and every place was wrong on another mat."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def looked(*options: str) -> tuple[str, str]:
        result = CliRunner().invoke(app, [command, "--json", str(grey), *options])
        assert result.exit_code == 0
        return result.stdout, result.stderr

    assumed = "No size is given: the play area is taken as 200 x 200 mm"
    plain, told = looked("--table", "tokens")
    assert assumed in told
    assert "--size" in told
    assert [json.loads(line)["file"] for line in plain.splitlines()] == [str(grey)], "the output is JSON alone"
    assert assumed in looked("--corners", "0.2,0.1 0.8,0.1 0.9,0.9 0.1,0.9")[1]
    assert looked("--table", "tokens", "--size", "300x200")[1] == ""
    assert looked()[1] == looked("--table", "mat")[1] == ""
    save(tmp_path, Settings())
    assert assumed in looked("--table", "tokens")[1], "what settings say of themselves is nobody's choice"
    (tmp_path / "settings.toml").write_text("[table]\nwidth_mm = 300\ndepth_mm = 200\n", encoding="utf-8")
    assert looked("--table", "tokens")[1] == "", "the player's own size is known"
