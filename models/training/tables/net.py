"""The finder's net: a small U of convolutions on the difference to the empty table."""

from __future__ import annotations

import torch
from torch import Tensor, nn

OUTPUTS = {"classes": 5, "height": 1, "offset": 2, "feet": 2, "heat": 4, "size": 2}
"""Maps of the answer and how many channels each has; `heat`: standing, tipped, die, obstacle; `size`: height, base."""
CHANNELS = sum(OUTPUTS.values())


def _conv(inputs: int, outputs: int, *, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class _Block(nn.Module):
    """A convolution around a shortcut. Dense ones train three times as fast on a CPU as depthwise ones."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = _conv(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Keep the shape."""
        change: Tensor = self.body(x)
        return x + change


class FinderNet(nn.Module):
    """From (n, 7, H, W) int8-scaled input to (n, 16, H/4, W/4); H and W are multiples of 64."""

    def __init__(self) -> None:
        """Make it with random weights."""
        super().__init__()
        b, c, d, e = 32, 48, 80, 112
        # All work is done on the grid of the answer: a 4x4 patch of the picture is one place of 48 numbers.
        self.fold = nn.PixelUnshuffle(4)
        self.patch = nn.Sequential(_conv(100, 56, kernel=1), _conv(56, b, kernel=1))
        self.down1 = _Block(b)
        self.down2 = nn.Sequential(_conv(b, c, stride=2), *(_Block(c) for _ in range(3)))
        self.down3 = nn.Sequential(_conv(c, d, stride=2), *(_Block(d) for _ in range(5)))
        self.down4 = nn.Sequential(_conv(d, e, stride=2), *(_Block(e) for _ in range(5)))
        self.up3 = _conv(e, d, kernel=1)
        self.join3 = _Block(d)
        self.up2 = _conv(d, c, kernel=1)
        self.join2 = _Block(c)
        self.up1 = _conv(c, b, kernel=1)
        self.join1 = _Block(b)
        last = nn.Conv2d(48, CHANNELS, 1)
        with torch.no_grad():  # heat and feet are rare: start from "nothing there"
            assert last.bias is not None
            last.bias[8:14] = torch.tensor([-2.5, -2.5, -4.0, -4.0, -4.0, -4.0])
        self.head = nn.Sequential(_conv(b, 48, kernel=1), last)

    def forward(self, x: Tensor) -> Tensor:
        """Answer with the raw maps: logits for classes, feet and heat; units of 50 mm for the rest."""
        fine = self.fold(x[:, :3])
        coarse = x[:, 3:, 1::4, 1::4]
        # A white die on white paper differs by a few units only: roots lift them beside differences of a hundred.
        faint = torch.sign(fine) * torch.sqrt(torch.abs(fine)) / 4.0
        x1 = self.down1(self.patch(torch.cat([torch.cat([fine, coarse], dim=1) / 64.0, faint], dim=1)))
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        y = self.join3(x3 + nn.functional.interpolate(self.up3(x4), scale_factor=2.0, mode="nearest"))
        y = self.join2(x2 + nn.functional.interpolate(self.up2(y), scale_factor=2.0, mode="nearest"))
        y = self.join1(x1 + nn.functional.interpolate(self.up1(y), scale_factor=2.0, mode="nearest"))
        answer: Tensor = self.head(y)
        return answer
