"""Write the trained finder as an ONNX file with answers in plain units, reckoned with 8 bits.

python -m models.training.tables.export CHECKPOINT OUT.onnx SAMPLES
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from models.training.shrink import halve, quantise
from models.training.tables.net import OUTPUTS, FinderNet
from models.training.tables.train import load

EDGE_PX = 64
"""The net's input edges are multiples of this."""
EXACT = ("/patch.0/", "/head.1/")
"""The first layer and the last keep their precision."""
RANGED = 30
"""Samples from which the ranges of the activations are taken."""


class _Plain(nn.Module):
    """Probabilities and millimetres instead of logits and training units."""

    def __init__(self, net: FinderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        parts = torch.split(self.net(x.float()), list(OUTPUTS.values()), dim=1)
        classes, height, offset, feet, heat, size = parts
        return (
            torch.softmax(classes, dim=1),
            height * 50,
            offset * 50,
            torch.sigmoid(feet),
            torch.sigmoid(heat),
            size * 50,
        )


def export(checkpoint: Path, target: Path) -> None:
    """Convert and store; the batch norms melt into the convolutions, the weights are stored as 16-bit floats."""
    net = FinderNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True))
    plain = _Plain(net).eval()
    torch.onnx.export(
        plain, (torch.zeros((1, 7, 128, 192), dtype=torch.int8),), str(target), input_names=["input"],
        output_names=list(OUTPUTS), dynamo=False, opset_version=17,
        dynamic_axes={name: {2: "rows", 3: "columns"} for name in ("input", *OUTPUTS)},
    )  # fmt: skip
    halve(target)


def quantise_on(target: Path, samples: Path) -> None:
    """Reckon the finder with 8 bits; `samples` is the folder it was trained on."""
    paths = sorted(samples.glob("*.npz"))
    some = paths[:: max(1, len(paths) // RANGED)][:RANGED]
    quantise(target, (_even(load(path)["input"]) for path in some), exact=EXACT)


def _even(whole: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """One input with edges that the net takes."""
    rows, columns = (edge // EDGE_PX * EDGE_PX for edge in whole.shape[1:])
    return np.ascontiguousarray(whole[None, :, :rows, :columns])


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
    quantise_on(Path(sys.argv[2]), Path(sys.argv[3]))
