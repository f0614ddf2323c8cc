"""Train the value net: resumable, seeded, on the CPU."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training.dice import parallel
from models.training.dice.nets import ValueNet
from models.training.dice.value_data import Batches, Known

logger = logging.getLogger(__name__)

BATCH = 128
"""Crops in a step."""
SMOOTHING = 0.03
"""Label smoothing, as the trial found good."""
TOP_WEIGHT = 1.0
"""A face view that is cut badly is read badly: where the top face is counts as much as what it shows."""
SAVE_SECONDS = 120.0
"""A checkpoint is written this often."""


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
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = ValueNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's stub lacks it
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True), strict=False)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=5e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1, pct_start=0.15)
    first, resume = 0, target.with_suffix(".resume")
    if resume.exists():
        state = torch.load(resume, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        first = int(state["step"])
        logger.info("goes on from step %d", first)
    batches = Batches(np.random.default_rng((seed, first, parallel.rank())), tiles, groups, real_share=real_share)
    net.train()
    saved = time.monotonic()
    lost = right = askew = 0.0
    for step in range(first, steps):
        crops, classes, codes = batches.take(BATCH)
        x = torch.from_numpy(crops).permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
        wanted = torch.from_numpy(classes)
        with torch.autocast("cpu", torch.bfloat16):
            logits, _, tops = net(x)
        guess = nn.functional.cross_entropy(logits.float(), wanted, label_smoothing=SMOOTHING)
        face = top_loss(tops.float(), torch.from_numpy(codes))
        loss = guess + TOP_WEIGHT * face
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's stub lacks it
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        if (step + 1) % parallel.AVERAGE_EVERY == 0 or step + 1 == steps:
            parallel.average(net)
        lost += float(guess.detach())
        askew += float(face.detach())
        right += float((logits.argmax(1) == wanted).float().mean())
        if (step + 1) % 50 == 0 and parallel.rank() == 0:
            logger.info(
                "%s step %d/%d loss %.4f right %.4f top %.4f",
                target.name,
                step + 1,
                steps,
                lost / 50,
                right / 50,
                askew / 50,
            )
            lost = right = askew = 0.0
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
