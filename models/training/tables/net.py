"""The finder's net: a small U of separable convolutions on the difference to the empty table."""

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


class _Separable(nn.Module):
    """A depthwise and a pointwise convolution around a shortcut."""

    def __init__(self, channels: int, kernel: int = 5) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, kernel, 1, kernel // 2, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.Conv2d(channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Keep the shape."""
        return x + self.body(x)


class FinderNet(nn.Module):
    """From (n, 7, H, W) int8-scaled input to (n, 16, H/4, W/4); H and W are multiples of 64."""

    def __init__(self, width: int = 1) -> None:
        """Make it with random weights."""
        super().__init__()
        a, b, c, d, e = 16 * width, 32 * width, 64 * width, 96 * width, 128 * width
        self.fold = nn.PixelUnshuffle(2)
        self.stem = nn.Sequential(_conv(16, a, kernel=1), _Separable(a, 3))
        self.down1 = nn.Sequential(_conv(a, b, stride=2), _Separable(b, 3), _Separable(b, 3))
        self.down2 = nn.Sequential(_conv(b, c, stride=2), _Separable(c), _Separable(c), _Separable(c))
        self.down3 = nn.Sequential(_conv(c, d, stride=2), _Separable(d), _Separable(d), _Separable(d))
        self.down4 = nn.Sequential(_conv(d, e, stride=2), _Separable(e), _Separable(e), _Separable(e), _Separable(e))
        self.up3 = _conv(e, d, kernel=1)
        self.join3 = _Separable(d)
        self.up2 = _conv(d, c, kernel=1)
        self.join2 = nn.Sequential(_Separable(c), _Separable(c))
        self.up1 = _conv(c, b, kernel=1)
        self.join1 = nn.Sequential(_Separable(b), _Separable(b), _Separable(b, 3))
        last = nn.Conv2d(48, CHANNELS, 1)
        with torch.no_grad():  # heat and feet are rare: start from "nothing there"
            assert last.bias is not None
            last.bias[8:14] = torch.tensor([-2.5, -2.5, -4.0, -4.0, -4.0, -4.0])
        self.head = nn.Sequential(_conv(b, 48, kernel=1), last)

    def forward(self, x: Tensor) -> Tensor:
        """Answer with the raw maps: logits for classes, feet and heat; units of 50 mm for the rest."""
        x = x / 64.0
        fine = self.fold(x[:, :3])
        coarse = x[:, 3:, ::2, ::2]
        x0 = self.stem(torch.cat([fine, coarse], dim=1))
        x1 = self.down1(x0)
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        y = self.join3(x3 + nn.functional.interpolate(self.up3(x4), scale_factor=2.0, mode="nearest"))
        y = self.join2(x2 + nn.functional.interpolate(self.up2(y), scale_factor=2.0, mode="nearest"))
        y = self.join1(x1 + nn.functional.interpolate(self.up1(y), scale_factor=2.0, mode="nearest"))
        answer: Tensor = self.head(y)
        return answer
