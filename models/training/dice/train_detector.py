"""Train the detector: resumable, seeded, on the CPU."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training.dice import parallel
from models.training.dice.detector_data import Batches
from models.training.dice.nets import Detector
from models.training.dice.photographs import Photograph

logger = logging.getLogger(__name__)

BATCH = 16
"""Tiles in a step."""
SAVE_SECONDS = 120.0
"""A checkpoint is written this often."""


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
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = Detector().to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's stub lacks it
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1, pct_start=0.15)
    first, resume = 0, target.with_suffix(".resume")
    if resume.exists():
        state = torch.load(resume, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        first = int(state["step"])
        logger.info("goes on from step %d", first)
    batches = Batches(np.random.default_rng((seed, first, parallel.rank())), tiles, photos, real_share=real_share)
    net.train()
    saved = time.monotonic()
    sums: dict[str, float] = {}
    for step in range(first, steps):
        rgb, heat, weight, regression = (torch.from_numpy(a) for a in batches.take(BATCH))
        x = rgb.permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            out = net(x)
        loss, parts = loss_of(out, heat, weight, regression)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's stub lacks it
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        if (step + 1) % parallel.AVERAGE_EVERY == 0 or step + 1 == steps:
            parallel.average(net)
        for key, value in parts.items():
            sums[key] = sums.get(key, 0.0) + value
        if (step + 1) % 50 == 0 and parallel.rank() == 0:
            logger.info(
                "%s step %d/%d %s", target.name, step + 1, steps, {k: round(v / 50, 4) for k, v in sums.items()}
            )
            sums = {}
        if time.monotonic() - saved > SAVE_SECONDS and parallel.rank() == 0:
            state = {
                "net": net.state_dict(),
                "optimiser": optimiser.state_dict(),
                "schedule": schedule.state_dict(),
                "step": step + 1,
            }
            torch.save(state, resume.with_suffix(".part"))
            resume.with_suffix(".part").replace(resume)
            saved = time.monotonic()
    if parallel.rank() == 0:
        torch.save(net.state_dict(), target)
        resume.unlink(missing_ok=True)
    return target
