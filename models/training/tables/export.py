"""Write the trained finder as an ONNX file with answers in plain units.

python -m models.training.tables.export CHECKPOINT OUT.onnx
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor, nn

from models.training.tables.net import OUTPUTS, FinderNet


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
    model = onnx.load(str(target))
    _halve(model)
    onnx.save(model, str(target))


def _halve(model: onnx.ModelProto) -> None:
    """Store large weights as 16-bit floats, widened again when the model is loaded: half the size, same arithmetic."""
    graph = model.graph
    casts = []
    for weight in graph.initializer:
        if weight.data_type != TensorProto.FLOAT:
            continue
        values = numpy_helper.to_array(weight)
        if values.size < 64:
            continue
        name = weight.name
        small = numpy_helper.from_array(values.astype(np.float16), name + "_half")
        weight.CopyFrom(small)
        casts.append(onnx.helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
