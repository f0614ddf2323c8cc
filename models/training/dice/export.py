"""Write trained nets as ONNX files that take BGR bytes and give probabilities and peaks."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from models.training.dice.nets import CROP_PX, Detector, ValueNet
from models.training.shrink import halve

OPSET = 17
"""ONNX operators' version; ONNX Runtime 1.20 and later run it."""


class ShippedDetector(nn.Module):
    """BGR bytes (1, height, width, 3) to maps whose first channel is the score at peaks and 0 elsewhere."""

    def __init__(self, net: Detector) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: Tensor) -> Tensor:
        """Maps of shape (1, 12, height / 4, width / 4)."""
        out = self.net(picture.permute(0, 3, 1, 2).float())
        score = torch.sigmoid(out[:, :1])
        peak = nn.functional.max_pool2d(score, 3, 1, 1)
        return torch.cat([score * (score >= peak), out[:, 1:]], 1)


class ShippedValue(nn.Module):
    """BGR crops as bytes (n, 48, 48, 3) to probabilities (n, 7) and features (n, 48)."""

    def __init__(self, net: ValueNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Probabilities after the calibrated temperature, features, and top codes."""
        logits, feature, top = self.net(crops.permute(0, 3, 1, 2).float())
        return torch.softmax(logits / self.temperature, 1), feature, top


def export_detector(weights: Path, target: Path) -> None:
    """Write the detector; the channel order is turned round in the first convolution's weights."""
    net = Detector()
    net.load_state_dict(torch.load(weights, weights_only=True))
    with torch.no_grad():
        first = net.stem[0][0]  # type: ignore[index]  # a Sequential of Sequentials
        first.weight.copy_(first.weight.flip(1))
    net.eval()
    torch.onnx.export(
        ShippedDetector(net).eval(),
        (torch.zeros(1, 64, 64, 3, dtype=torch.uint8),),
        str(target),
        input_names=["picture"],
        output_names=["maps"],
        dynamic_axes={"picture": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}},
        opset_version=OPSET,
        dynamo=False,
    )
    halve(target)


def export_value(weights: Path, target: Path, *, temperature: float) -> None:
    """Write the value net with its calibrated temperature."""
    net = ValueNet()
    net.load_state_dict(torch.load(weights, weights_only=True), strict=True)
    with torch.no_grad():
        first = net.body[0][0]  # type: ignore[index]  # a Sequential of Sequentials
        first.weight.copy_(first.weight.flip(1))
    net.eval()
    torch.onnx.export(
        ShippedValue(net, temperature).eval(),
        (torch.zeros(2, CROP_PX, CROP_PX, 3, dtype=torch.uint8),),
        str(target),
        input_names=["crops"],
        output_names=["probability", "feature", "top"],
        dynamic_axes={"crops": {0: "n"}, "probability": {0: "n"}, "feature": {0: "n"}, "top": {0: "n"}},
        opset_version=OPSET,
        dynamo=False,
    )
    halve(target)
