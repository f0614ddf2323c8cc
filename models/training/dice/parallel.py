"""Several processes train one net: each takes its own steps on its own data, and every few steps they average.

This keeps a training going where a single process gets little of a busy machine, and needs no fast links.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import torch
from torch import distributed, multiprocessing, nn

AVERAGE_EVERY = 10
"""Steps between two averagings: their cost is then under a hundredth of the training's."""


def average(net: nn.Module) -> None:
    """Average weights and running statistics over all processes; does nothing where there is only one."""
    if not distributed.is_initialized():
        return
    with torch.no_grad():
        parts = [value for value in net.state_dict().values() if value.is_floating_point()]
        flat = torch.cat([part.reshape(-1) for part in parts])
        distributed.all_reduce(flat)
        flat /= distributed.get_world_size()
        place = 0
        for part in parts:
            part.copy_(flat[place : place + part.numel()].reshape(part.shape))
            place += part.numel()


def rank() -> int:
    """This process's number, 0 for the one that writes files."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def _enter(number: int, count: int, meeting: str, work: Callable[[], None]) -> None:
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    distributed.init_process_group(
        "gloo", init_method=f"file://{meeting}", rank=number, world_size=count, timeout=timedelta(hours=1)
    )
    work()
    distributed.destroy_process_group()


def run(count: int, work: Callable[[], None]) -> None:
    """Call `work` in `count` processes of this computer that can average; in this one alone if count is 1."""
    if count == 1:
        work()
        return
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(  # type: ignore[attr-defined, no-untyped-call]  # torch's stub lacks it
            _enter, args=(count, str(Path(folder) / "meeting"), work), nprocs=count
        )
