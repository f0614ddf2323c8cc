"""The two nets: a dice detector on a heatmap at stride 4, and a value net for one die's crop."""

from __future__ import annotations

import torch
from torch import Tensor, nn

STRIDE = 4
"""Picture pixels for a cell of the detector's maps."""
HEADS = 12
"""Channels: heat logit; box centre offset x, y in cells; log2 of width and height / 32 px; the top face's code (7)."""
CROP_PX = 48
"""Edge of the value net's crop."""
VALUE_CLASSES = 7
"""0 = unreadable, then 1 to 6."""


def _conv(inside: int, outside: int, *, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two convolutions around a shortcut. It begins as the identity: a block put into a trained net spoils nothing."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        last = nn.BatchNorm2d(width)
        nn.init.zeros_(last.weight)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), last)

    def forward(self, x: Tensor) -> Tensor:
        """Same shape in and out."""
        return torch.relu(x + self.second(self.first(x)))


class Detector(nn.Module):
    """Find dice: RGB from 0 to 255, shape (n, 3, height, width), edges divisible by 16; maps at stride 4."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, stride=2), _conv(16, 24, stride=2), _conv(24, 24))
        self.eighth = nn.Sequential(_conv(24, 40, stride=2), Residual(40))
        self.sixteenth = nn.Sequential(_conv(40, 56, stride=2), Residual(56), Residual(56))
        self.from_sixteenth = nn.Conv2d(56, 40, 1)
        self.mix_eighth = _conv(40, 40)
        self.from_eighth = nn.Conv2d(40, 24, 1)
        self.mix_quarter = _conv(24, 24)
        self.head = _conv(24, 40)
        self.out = nn.Conv2d(40, HEADS, 1)
        nn.init.normal_(self.out.weight, std=0.01)
        start = torch.zeros(HEADS)
        start[0] = -4.0
        self.out.bias = nn.Parameter(start)

    def forward(self, x: Tensor) -> Tensor:
        """Maps of shape (n, 12, height / 4, width / 4)."""
        quarter = self.stem(x * (1 / 64) - 2)
        eighth = self.eighth(quarter)
        deep = self.from_sixteenth(self.sixteenth(eighth))
        eighth = self.mix_eighth(eighth + nn.functional.interpolate(deep, scale_factor=2.0, mode="nearest"))
        up = nn.functional.interpolate(self.from_eighth(eighth), scale_factor=2.0, mode="nearest")
        return torch.as_tensor(self.out(self.head(self.mix_quarter(quarter + up))))


class ValueNet(nn.Module):
    """Read one die: RGB crop from 0 to 255, shape (n, 3, 48, 48).

    Normalises each crop itself, so that lamps and exposure matter little.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16),
            _conv(16, 20),
            _conv(20, 40, stride=2),
            Residual(40),
            _conv(40, 56, stride=2),
            Residual(56),
            Residual(56),
            _conv(56, 72, stride=2),
            Residual(72),
        )
        self.dropout = nn.Dropout(0.2)
        self.feature = nn.Sequential(nn.Linear(72 * 36, 48), nn.ReLU(inplace=True))
        self.out = nn.Linear(48, VALUE_CLASSES)
        self.top = nn.Sequential(nn.Linear(72 * 36, 64), nn.ReLU(inplace=True), nn.Linear(64, 7))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of shape (n, 7), features of shape (n, 48) and the top face's code of shape (n, 7).

        The code is that of `faces`, about the crop's middle, in units of the crop's edge: it corrects the detector's,
        which sees the die with a quarter of the resolution.
        """
        mean = x.mean(dim=(1, 2, 3), keepdim=True)
        spread = ((x - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        deep = self.body((x - mean) / (spread + 4.0))
        flat = deep.flatten(1)
        feature = self.feature(self.dropout(flat))
        return self.out(self.dropout(feature)), feature, self.top(flat)
