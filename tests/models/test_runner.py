"""Loading models: what goes wrong is said in one line with what to do."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models.runner import (
    Model,
    ModelDamagedError,
    ModelInputError,
    ModelMissingError,
    load_model,
)

onnx = pytest.importorskip("onnx")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a model that doubles its input."""
    helper = onnx.helper
    value = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "x"], ["y"])],
        "double",
        [helper.make_tensor_value_info("x", value, ["n"])],
        [helper.make_tensor_value_info("y", value, ["n"])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (tmp_path / "double.onnx").write_bytes(model.SerializeToString())
    return tmp_path


def test_a_loaded_model_runs(folder: Path):
    model = load_model("double", folder=folder, threads=1)
    assert isinstance(model, Model)
    assert model.inputs == ("x",)
    assert model.run({"x": np.float32([1, 2.5])})["y"].tolist() == [2.0, 5.0]


def test_a_missing_model_is_named_with_the_remedy(tmp_path: Path):
    with pytest.raises(ModelMissingError, match=r"'nothing\.onnx' is missing .* install deskref again"):
        load_model("nothing", folder=tmp_path)


@pytest.mark.parametrize("keep", [0, 10, -20])
def test_a_damaged_model_is_named_with_the_remedy(folder: Path, keep: int):
    """Empty, cut after a few bytes, cut near the end."""
    path = folder / "double.onnx"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ModelDamagedError, match=r"'double\.onnx' .* install deskref again"):
        load_model("double", folder=folder)


def test_a_page_of_text_is_no_model(tmp_path: Path):
    (tmp_path / "text.onnx").write_text("version https://git-lfs\n" * 20)
    with pytest.raises(ModelDamagedError, match=r"text\.onnx"):
        load_model("text", folder=tmp_path)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads_are_refused(folder: Path, threads: int):
    with pytest.raises(ValueError, match="at least 1 thread"):
        load_model("double", folder=folder, threads=threads)


@pytest.mark.parametrize(
    "inputs",
    [{}, {"z": np.float32([1])}, {"x": np.float32([[1]])}, {"x": np.int64([1])}],
    ids=["none", "other name", "other shape", "other type"],
)
def test_wrong_inputs_are_refused(folder: Path, inputs: dict):
    with pytest.raises(ModelInputError, match="double"):
        load_model("double", folder=folder).run(inputs)


def test_importing_the_runner_does_not_import_onnx_runtime():
    """Commands that read no picture start without its 80 ms."""
    code = "import sys, models.runner; sys.exit('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_library_reports_to_nobody(tmp_path: Path) -> None:
    """Official builds of ONNX Runtime since 1.29 send reports, and keep an identifier in the user's cache."""
    silent = {"CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME"}
    around = {name: value for name, value in os.environ.items() if name not in silent}
    around |= {"HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "USERPROFILE": str(tmp_path)}
    code = "from models.runner import load_model; load_model('dice_value')"
    subprocess.run([sys.executable, "-c", code], env=around, cwd=Path(__file__).parents[2], check=True, timeout=60)
    assert [path for path in tmp_path.rglob("*") if "onnxruntime" in str(path).lower()] == []
