"""Train the detector: resumable, seeded, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training.dice import parallel
from models.training.dice.detector_data import Batches
from models.training.dice.nets import Detector
from models.training.dice.photographs import Photograph
from models.training.dice.run import Run
from models.training.dice.scenes import DIE

BATCH = 16
"""Tiles in a step."""


def loss_of(out: Tensor, heat: Tensor, weight: Tensor, regression: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Focal loss of the heat plus smooth L1 of boxes and top faces.

    Args:
        out: shape (n, 12, h, w), the net's maps.
        heat: shape (n, h, w).
        weight: shape (n, h, w).
        regression: shape (n, 12, h, w) as `detector_data.maps` draws it.
    """
    logit = out[:, 0].float()
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    positive = (heat >= 1.0).float()
    gain = positive * (1 - p) ** 2 * torch.log(p) + (1 - positive) * weight * (1 - heat) ** 4 * p**2 * torch.log(1 - p)
    count = positive.sum().clamp(min=1)
    focal = -gain.sum() / count
    closeness = regression[:, 0]
    total = closeness.sum().clamp(min=1)
    box = (
        nn.functional.smooth_l1_loss(out[:, 1:5].float(), regression[:, 1:5], reduction="none", beta=0.2).sum(1)
        * closeness
    ).sum() / total
    known = ~torch.isnan(regression[:, 5])
    code = torch.nan_to_num(regression[:, 5:])
    scale = torch.tensor([4.0, 4.0, 4.0, 4.0, 4.0, 0.6, 0.6]).reshape(1, 7, 1, 1)
    miss = nn.functional.smooth_l1_loss(out[:, 5:].float() * scale, code * scale, reduction="none", beta=0.1).sum(1)
    face = (miss * closeness * known).sum() / (closeness * known).sum().clamp(min=1)
    loss = focal + 0.5 * box + 0.5 * face
    return loss, {"heat": float(focal.detach()), "box": float(box.detach()), "face": float(face.detach())}


def train(
    target: Path,
    tiles: Path,
    photos: Sequence[Photograph],
    *,
    steps: int,
    seed: int,
    real_share: float,
    rate: float,
    start: Path | None = None,
    sought: str = DIE,
) -> Path:
    """Train and write `target` (a state dict); a half-done run goes on from its checkpoint.

    Args:
        target: the finished weights' file; `.resume` beside it holds the run's state.
        tiles: the folder of drawn tiles.
        photos: photographs to mix in.
        steps: batches of 16.
        seed: of data and first weights.
        real_share: share of tiles that are cut out of photographs.
        rate: the one-cycle schedule's peak.
        start: weights to start from instead of random ones.
        sought: the kind of body in the tiles that is to be found.
    """
    run = Run(Detector(), target, steps=steps, seed=seed, rate=rate, decay=1e-4, start=start)
    random = np.random.default_rng((seed, run.first, parallel.rank()))
    batches = Batches(random, tiles, photos, real_share=real_share, sought=sought)
    for step in range(run.first, steps):
        rgb, heat, weight, regression = (torch.from_numpy(a) for a in batches.take(BATCH))
        x = rgb.permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            out = run.net(x)
        loss, parts = loss_of(out, heat, weight, regression)
        run.learn(step, loss, parts)
    return run.finish()
