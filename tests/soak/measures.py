"""What a process holds: memory, threads, open files."""

from __future__ import annotations

import ctypes
import gc
import os
import statistics
import threading
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FLAT = 0.05
"""Growth that is allowed from the third game on, as a part."""

SETTLED = 2
"""Games before the first that counts: they load models and fill what is kept for ever."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the process holds at one moment."""

    rss_mb: float
    traced_mb: float | None
    """Of Python's own allocations; None where they are not traced."""
    threads: tuple[str, ...]
    """Names of Python's threads, sorted."""
    tasks: int
    """Threads as the system counts them, those of libraries included."""
    files: int


def held() -> Held:
    """Measure what the process holds, after what is free was given back to the system."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Held(
        rss_mb=pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        traced_mb=tracemalloc.get_traced_memory()[0] / 2**20 if tracemalloc.is_tracing() else None,
        threads=tuple(sorted(thread.name for thread in threading.enumerate())),
        tasks=len(os.listdir("/proc/self/task")),
        files=len(os.listdir("/proc/self/fd")),
    )


def more_than(before: Held, now: Held) -> dict[str, int]:
    """Threads, by name, that there are more of than before."""
    return dict(Counter(now.threads) - Counter(before.threads))


def growth(values: Sequence[float]) -> float | None:
    """How much the last third of some values is above the first third, as a part; None of fewer than six."""
    if len(values) < 6:
        return None
    third = len(values) // 3
    first, last = statistics.median(values[:third]), statistics.median(values[-third:])
    return last / first - 1.0
