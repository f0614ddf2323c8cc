"""One training run of a net: a step at a time, resumable, averaged over the processes that train together."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

from models.training.dice import parallel

logger = logging.getLogger(__name__)

SAVE_SECONDS = 120.0
"""A checkpoint is written this often."""
REPORT_STEPS = 50
"""Means of what is told are logged this often."""
MOST_GRADIENT = 5.0

Net = TypeVar("Net", bound=nn.Module)


class Run(Generic[Net]):
    """A net with its optimiser, the one-cycle schedule and the checkpoint beside the target."""

    def __init__(
        self,
        net: Net,
        target: Path,
        *,
        steps: int,
        seed: int,
        rate: float,
        decay: float,
        start: Path | None = None,
    ) -> None:
        """Begin, or go on where a half-done run stopped.

        Args:
            net: with its first weights.
            target: the finished weights' file; `.resume` beside it holds the run's state.
            steps: of the whole run.
            seed: of PyTorch.
            rate: the schedule's peak.
            decay: of the weights.
            start: weights to start from; layers that they lack begin as they are.
        """
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's stub lacks it
        if start is not None:
            net.load_state_dict(torch.load(start, weights_only=True), strict=False)
        self._target, self._resume, self._steps = target, target.with_suffix(".resume"), steps
        self._optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimiser, rate, total_steps=steps + 1, pct_start=0.15
        )
        self.first = 0
        """The step to begin with."""
        if self._resume.exists():
            state = torch.load(self._resume, weights_only=True)
            net.load_state_dict(state["net"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._schedule.load_state_dict(state["schedule"])
            self.first = int(state["step"])
            logger.info("goes on from step %d", self.first)
        net.train()
        self._saved = time.monotonic()
        self._sums: dict[str, float] = {}

    def learn(self, step: int, loss: Tensor, told: dict[str, float]) -> None:
        """Take one step down the loss; log the means of what is told, and save, now and then."""
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's stub lacks it
        nn.utils.clip_grad_norm_(self.net.parameters(), MOST_GRADIENT)
        self._optimiser.step()
        self._schedule.step()
        done = step + 1
        if done % parallel.AVERAGE_EVERY == 0 or done == self._steps:
            parallel.average(self.net)
        for key, value in told.items():
            self._sums[key] = self._sums.get(key, 0.0) + value
        if parallel.rank() != 0:
            return
        if done % REPORT_STEPS == 0:
            means = " ".join(f"{key} {value / REPORT_STEPS:.4f}" for key, value in self._sums.items())
            logger.info("%s step %d/%d %s", self._target.name, done, self._steps, means)
            self._sums = {}
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._save(done)

    def finish(self) -> Path:
        """Write the target, and remove the checkpoint."""
        if parallel.rank() == 0:
            torch.save(self.net.state_dict(), self._target)
            self._resume.unlink(missing_ok=True)
        return self._target

    def _save(self, done: int) -> None:
        state = {
            "net": self.net.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "schedule": self._schedule.state_dict(),
            "step": done,
        }
        torch.save(state, self._resume.with_suffix(".part"))
        self._resume.with_suffix(".part").replace(self._resume)
        self._saved = time.monotonic()
