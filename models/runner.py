"""Load the project's ONNX models and run them on the CPU with a set number of threads.

ONNX Runtime is imported when the first model is loaded, so that programs which need no model start without it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import onnxruntime

logger = logging.getLogger(__name__)

MODEL_FOLDER = Path(__file__).parent
"""Where the shipped models lie, each with a card of the same name (`.md`)."""
DEFAULT_THREADS = 2
"""Threads for one model: the figures in the cards were measured with so many."""


class ModelError(RuntimeError):
    """A model cannot be used; the message says which and what to do."""


class ModelMissingError(ModelError):
    """The model's file is not there."""


class ModelDamagedError(ModelError):
    """The model's file is there, but is no model that ONNX Runtime can load."""


class ModelInputError(ValueError):
    """The model was given inputs that it does not take."""


class Model:
    """A loaded model."""

    def __init__(self, name: str, session: onnxruntime.InferenceSession) -> None:
        """Hold a session; use `load_model` to make one."""
        self.name = name
        self._session = session
        self.inputs = tuple(entry.name for entry in session.get_inputs())
        self.outputs = tuple(entry.name for entry in session.get_outputs())

    def run(self, inputs: Mapping[str, npt.NDArray[np.generic]]) -> dict[str, npt.NDArray[np.generic]]:
        """Run the model once.

        Args:
            inputs: an array for each name in `self.inputs`, with the shape and type that the model's card says.

        Returns:
            An array for each name in `self.outputs`.

        Raises:
            ModelInputError: names, shapes or types are not those of the model.
        """
        if set(inputs) != set(self.inputs):
            raise ModelInputError(f"the model {self.name!r} takes {sorted(self.inputs)!r}, got {sorted(inputs)!r}")
        try:
            answers = self._session.run(list(self.outputs), dict(inputs))
        except Exception as error:  # ONNX Runtime's own classes are not part of its stable interface
            shapes = {key: (value.shape, str(value.dtype)) for key, value in inputs.items()}
            raise ModelInputError(f"the model {self.name!r} cannot take {shapes!r}: {error}") from error
        return dict(zip(self.outputs, answers, strict=True))


def load_model(name: str, *, folder: Path | None = None, threads: int = DEFAULT_THREADS) -> Model:
    """Load a model.

    Args:
        name: the file's name without `.onnx`, such as 'dice_detector'.
        folder: where it lies; the package's own folder if None.
        threads: threads that one run may use, at least 1.

    Raises:
        ValueError: the number of threads is below 1.
        ModelMissingError: there is no such file.
        ModelDamagedError: the file is no model.
    """
    if threads < 1:
        raise ValueError(f"a model needs at least 1 thread, got {threads!r}")
    path = (folder or MODEL_FOLDER) / f"{name}.onnx"
    if not path.is_file():
        raise ModelMissingError(
            f"the model file {path.name!r} is missing from {str(path.parent)!r}: install deskref again"
        )
    # Official builds since 1.29 report models and machine to their makers, also on Linux, and keep an identifier in the
    # user's cache. Read when the library is loaded; `disable_telemetry_events` comes too late (measured on 1.32).
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # A pattern is kept for each shape of input, with memory for all that it holds: 70 MB more in a game, and no faster.
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    data = path.read_bytes()
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime raises a different class for each kind of damage
        raise ModelDamagedError(
            f"the model file {path.name!r} ({len(data)} bytes) cannot be loaded: install deskref again"
        ) from error
    logger.info("loaded %s (%d bytes, %d threads)", path.name, len(data), threads)
    return Model(name, session)
