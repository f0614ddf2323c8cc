"""Inputs that tell the ranges of the dice nets' activations: as in their training, drawn and photographed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.training.dice import detector_data, value_data
from models.training.dice.known import load_groups
from models.training.dice.photographs import Photograph
from models.training.dice.scenes import DIE

TILES, CROPS = 96, 1024
"""So many give the same ranges as ten times as many, but for a few outliers."""
CROPS_TOGETHER = 64
EXACT_IN_DETECTOR = ("/stem.0/", "/net/out/")
"""The first layer and the last keep their precision: without it half a die of a hundred was lost in felt trays."""
EXACT_IN_VALUE = ("/body.0/",)
REAL_SHARE = 0.5
SEED = 7


def detector_pictures(
    tiles: Path, photos: Sequence[Photograph], *, sought: str = DIE
) -> Iterator[npt.NDArray[np.uint8]]:
    """Tiles of shape (1, 320, 320, 3), BGR."""
    batches = detector_data.Batches(np.random.default_rng(SEED), tiles, photos, real_share=REAL_SHARE, sought=sought)
    for rgb in batches.take(TILES)[0]:
        yield np.ascontiguousarray(rgb[None, ..., ::-1])


def value_crops(
    tiles: Path, photos: Path, known: Path, *, without: Collection[str] = ()
) -> Iterator[npt.NDArray[np.uint8]]:
    """Crops of shape (n, 48, 48, 3), BGR."""
    groups = load_groups(known, photos, without=without)
    batches = value_data.Batches(np.random.default_rng(SEED), tiles, groups, real_share=REAL_SHARE)
    for _ in range(CROPS // CROPS_TOGETHER):
        yield np.ascontiguousarray(batches.take(CROPS_TOGETHER)[0][..., ::-1])
