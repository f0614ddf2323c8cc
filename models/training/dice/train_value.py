"""Train the value net: resumable, seeded, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training.dice import parallel
from models.training.dice.nets import ValueNet
from models.training.dice.run import Run
from models.training.dice.value_data import Batches, Known

BATCH = 128
"""Crops in a step."""
SMOOTHING = 0.03
"""Label smoothing, as the trial found good."""
TOP_WEIGHT = 1.0
"""A face view that is cut badly is read badly: where the top face is counts as much as what it shows."""


def top_loss(tops: Tensor, codes: Tensor) -> Tensor:
    """Smooth L1 of the top faces' codes, shape (n, 7) each; rows that hold NaN do not count."""
    known = ~torch.isnan(codes[:, 0])
    scale = torch.tensor([10.0, 10.0, 10.0, 10.0, 10.0, 1.0, 1.0])
    miss = nn.functional.smooth_l1_loss(tops * scale, torch.nan_to_num(codes) * scale, reduction="none", beta=0.2).sum(
        1
    )
    return (miss * known).sum() / known.sum().clamp(min=1)


def train(
    target: Path,
    tiles: Path,
    groups: Sequence[Sequence[Known]],
    *,
    steps: int,
    seed: int,
    real_share: float,
    rate: float,
    start: Path | None = None,
) -> Path:
    """Train and write `target` (a state dict); a half-done run goes on from its checkpoint.

    Args:
        target: the finished weights' file; `.resume` beside it holds the run's state.
        tiles: the folder of drawn tiles.
        groups: photographed dice by collection, and mined negatives.
        steps: batches of 128.
        seed: of data and first weights.
        real_share: share of crops that come from photographs.
        rate: the one-cycle schedule's peak.
        start: weights to start from instead of random ones.
    """
    run = Run(ValueNet(), target, steps=steps, seed=seed, rate=rate, decay=5e-3, start=start)
    random = np.random.default_rng((seed, run.first, parallel.rank()))
    batches = Batches(random, tiles, groups, real_share=real_share)
    for step in range(run.first, steps):
        crops, classes, codes = batches.take(BATCH)
        x = torch.from_numpy(crops).permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
        wanted = torch.from_numpy(classes)
        with torch.autocast("cpu", torch.bfloat16):
            logits, _, tops = run.net(x)
        guess = nn.functional.cross_entropy(logits.float(), wanted, label_smoothing=SMOOTHING)
        face = top_loss(tops.float(), torch.from_numpy(codes))
        right = float((logits.argmax(1) == wanted).float().mean())
        run.learn(
            step,
            guess + TOP_WEIGHT * face,
            {"loss": float(guess.detach()), "right": right, "top": float(face.detach())},
        )
    return run.finish()
