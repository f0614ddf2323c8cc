"""Make tiles and keep them on disk in shards: pictures as one array, the truth as JSON lines, seeds in the names."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.training.dice import grounds, scenes

logger = logging.getLogger(__name__)

SHARD_TILES = 250
"""Tiles in a shard: 77 MB, so that a broken run loses little."""
GROUNDS_PER_SHARD = 50
"""Different grounds in a shard; a ground takes 11 ms, a tile 46 ms, so sharing each among five tiles saves a fifth."""
LARGE_SHARE = 0.22
"""Tiles with dice of 75 to 260 px, as the trial measured best."""
NEGATIVE_SHARE = 0.08
"""Tiles without any pip die."""


def make_shard(seed: int, *, tiles: int = SHARD_TILES, negatives: bool = False) -> list[scenes.Tile]:
    """Draw one shard's tiles; the same seed gives the same tiles.

    Args:
        seed: of all randomness.
        tiles: how many.
        negatives: draw no pip dice at all.
    """
    rng = np.random.default_rng(seed)
    textures = [grounds.ground(rng) for _ in range(max(1, min(GROUNDS_PER_SHARD, tiles // 2)))]
    out = []
    for _ in range(tiles):
        texture = textures[int(rng.integers(len(textures)))]
        kind = rng.random()
        out.append(
            scenes.compose(rng, texture, large=kind < LARGE_SHARE, negatives=negatives or kind > 1 - NEGATIVE_SHARE)
        )
    return out


def write_shards(folder: Path, make: Callable[[int], list[scenes.Tile]], *, first: int, count: int) -> None:
    """Write shards of seeds `first` to `first + count - 1`; shards that stand already are left alone.

    Args:
        folder: where to.
        make: draws the tiles of a seed, as `make_shard` does.
        first: seed of the first shard.
        count: of shards.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        target = folder / f"tiles-{seed:06d}.npy"
        if target.exists():
            continue
        tiles = make(seed)
        lines = "\n".join(scenes.truth_line(tile) for tile in tiles)
        target.with_suffix(".jsonl").write_text(lines + "\n", encoding="utf-8")
        unfinished = target.with_suffix(".part")
        with unfinished.open("wb") as stream:
            np.save(stream, np.stack([tile.rgb for tile in tiles]))
        unfinished.replace(target)
        logger.info("wrote %s", target.name)


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """One shard as read back."""

    rgb: npt.NDArray[np.uint8]
    """Shape (tiles, 320, 320, 3), mapped from the disk."""
    truths: tuple[dict[str, Any], ...]
    """For each tile what `scenes.truth_line` wrote."""


def read_shards(folder: Path) -> Iterator[Shard]:
    """Yield all finished shards of a folder in order of their seeds."""
    for path in sorted(folder.glob("tiles-*.npy")):
        lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
        yield Shard(rgb=np.load(path, mmap_mode="r"), truths=tuple(json.loads(line) for line in lines))
