"""Train the finder on stored samples.

    python -m models.training.tables.train SAMPLES CHECKPOINT --minutes 30 [--lr 2e-3] [--photographed FOLDER]

It goes on from the checkpoint where there is one, and takes in samples that are added meanwhile.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from models.training.tables.net import OUTPUTS, FinderNet

CROP_PX = 448
"""224 mm: a hand's width more than the tallest thing leans."""
STEP = 4
SPREAD_MM = (4.0, 5.5, 3.2, 7.0)
"""Sigma of the heat that is no mistake beside a standing figure's place, a tipped one's, a die's, an obstacle's."""
PLACES = (1.5, 3.5, 1.5, 2.2)
"""A thing found counts as much as so many false places: standing, tipped, die, obstacle; the rarer count more."""
RIGHT_MM = (2.6, 4.5, 2.2, 5.5)
"""So far beside the place the heat should be full."""
REACH_MM = 30.0
"""The widest heat is below 1e-4 from here on."""
PHOTOGRAPHED_SHARE = 0.375
"""Of a batch: three of eight."""
CLASS_WEIGHTS = (0.5, 1.2, 1.2, 1.0, 1.0)
Arrays = dict[str, npt.NDArray[Any]]


def load(path: Path) -> Arrays:
    """Read a stored sample and rebuild its seven input channels."""
    with np.load(path) as stored:
        values = {name: stored[name] for name in stored.files}
    rows, columns = values["difference"].shape[1:]
    whole = np.zeros((7, rows, columns), np.int8)
    whole[:3] = values.pop("difference")
    whole[3] = np.repeat(np.repeat(values.pop("seen"), 2, 0), 2, 1)[:rows, :columns]
    whole[4] = np.repeat(np.repeat(values.pop("printed"), 2, 0), 2, 1)[:rows, :columns]
    whole[5] = values.pop("lean_x")[None, :]
    whole[6] = values.pop("lean_y")[:, None]
    return {"input": whole, **values}


def heat_maps(
    things: npt.NDArray[np.float32], shape: tuple[int, int], extent: tuple[float, float]
) -> npt.NDArray[np.float32]:
    """Draw the maps for the things' places, shape (11, h, w).

    Four heat maps, a weight that is 0 around half-hidden things, two maps of sizes, and for each heat map how much
    each place counts as being right: 1 in all for each thing. A thing's middle is known to a few millimetres only, so
    all places that near are right; were it the nearest alone, being unsure of the place would read as being unsure of
    the thing.
    """
    maps = np.zeros((11, *shape), np.float32)
    maps[4] = 1
    x_mm = (np.arange(shape[1], dtype=np.float32) * STEP + 2.0) / 2.0 - extent[0] / 2
    y_mm = extent[1] / 2 - (np.arange(shape[0], dtype=np.float32) * STEP + 2.0) / 2.0
    for kind, cx, cy, standing, height, base, visible in things:
        # Nothing of a thing reaches farther; the whole table for each thing took a third of the training's time.
        rows, columns = (np.flatnonzero(np.abs(a - c) < REACH_MM) for a, c in ((y_mm, cy), (x_mm, cx)))
        if not len(rows) or not len(columns):
            continue
        near = maps[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        square = (x_mm[columns] - cx)[None, :] ** 2 + (y_mm[rows] - cy)[:, None] ** 2
        if visible < 0.2:
            near[4][square < 12**2] = 0
            continue
        channel = {1: 0 if standing else 1, 2: 2, 3: 3}[int(kind)]
        near[channel] = np.maximum(near[channel], np.exp(-square / 2 / SPREAD_MM[channel] ** 2))
        right = square < RIGHT_MM[channel] ** 2
        near[7 + channel][right] = 1.0 / max(1, int(right.sum()))
        if channel != 2:
            inner = square < 7**2
            near[5][inner], near[6][inner] = height / 50, base / 50
    return maps


def crop(sample: Arrays, random_source: np.random.Generator) -> Arrays:
    """Cut a square, turn and mirror it: the lean and the offsets turn with it."""
    whole = sample["input"]
    rows, columns = whole.shape[1] // STEP, whole.shape[2] // STEP
    size = CROP_PX // STEP
    things = np.asarray(sample["things"], np.float32)
    extent = (whole.shape[2] / 2.0, whole.shape[1] / 2.0)
    heat = heat_maps(things, (rows, columns), extent)
    top = int(random_source.integers(0, rows - size + 1))
    left = int(random_source.integers(0, max(1, columns - size + 1)))
    pick = (slice(top, top + size), slice(left, left + size))
    x = whole[:, top * STEP : (top + size) * STEP, left * STEP : (left + size) * STEP].astype(np.float32)
    y = {
        "classes": np.asarray(sample["classes"])[pick], "height": np.asarray(sample["height"])[pick] / 50.0,
        "offset": np.asarray(sample["offset"], np.float32)[:, pick[0], pick[1]] * 2 / 50.0,
        "feet": np.asarray(sample["feet"])[:, pick[0], pick[1]] / 255.0, "heat": heat[:, pick[0], pick[1]],
    }  # fmt: skip
    x[0] += random_source.normal(0, 2.0)
    turns, mirror = int(random_source.integers(0, 4)), bool(random_source.random() < 0.5)

    def vector(pair: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        u, v = pair[0].copy(), pair[1].copy()
        if mirror:
            u = -u
        for _ in range(turns):  # np.rot90 turns counter-clockwise; y points up
            u, v = -v, u
        return np.stack([u, v])

    def moved(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        values = values[..., ::-1] if mirror else values
        return np.ascontiguousarray(np.rot90(values, turns, axes=(-2, -1)))

    x = moved(x)
    x[5:7] = vector(x[5:7])
    out = {name: moved(values) for name, values in y.items()}
    out["offset"] = vector(np.asarray(out["offset"], np.float32))
    return {"input": x, **out}


def sample_files(folder: Path, source: np.random.Generator) -> Iterator[Path]:
    """Give a folder's samples for ever, in another order each time; the folder is looked at again after each pass."""
    while True:
        paths = sorted(p for p in folder.glob("*.npz") if ".part" not in p.name)
        random.Random(int(source.integers(0, 1 << 30))).shuffle(paths)
        yield from paths


def batches(folder: Path, photographed: Path | None, size: int, seed: int) -> Iterator[dict[str, Tensor]]:
    """Give batches for ever, `PHOTOGRAPHED_SHARE` of each from the second folder where there is one."""
    source = np.random.default_rng(seed)
    drawn = sample_files(folder, source)
    others = sample_files(photographed, source) if photographed is not None else drawn
    while True:
        paths = [next(others if k < size * PHOTOGRAPHED_SHARE else drawn) for k in range(size)]
        cut = [crop(load(path), source) for path in paths]
        yield {name: torch.from_numpy(np.stack([np.asarray(c[name]) for c in cut])) for name in cut[0]}


def _distance(answer: Tensor, truth: Tensor) -> Tensor:
    """Give each place's loss: absolute, and squared where it is small."""
    return functional.smooth_l1_loss(answer, truth, reduction="none", beta=0.1)


def loss_of(answer: Tensor, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Weigh up all maps."""
    parts = dict(zip(OUTPUTS, torch.split(answer, list(OUTPUTS.values()), dim=1), strict=True))
    classes = batch["classes"].long()
    known = classes != 255
    losses = {
        "classes": functional.cross_entropy(
            parts["classes"], classes, weight=torch.tensor(CLASS_WEIGHTS), ignore_index=255
        )
    }
    thing = ((classes > 0) & known).float()[:, None]
    off = _distance(parts["height"], batch["height"][:, None].float())
    losses["height"] = (off * thing).sum() / (thing.sum() + 1) * 2
    single = thing * (classes != 4).float()[:, None]
    off = _distance(parts["offset"], batch["offset"].float())
    losses["offset"] = (off * single).sum() / (single.sum() + 1)
    weight = known.float()[:, None]
    off = functional.binary_cross_entropy_with_logits(parts["feet"], batch["feet"].float(), reduction="none")
    losses["feet"] = (off * weight).mean() * 4
    heat = batch["heat"].float()
    target, weight = heat[:, :4], heat[:, 4:5] * weight
    probability = torch.sigmoid(parts["heat"]).clamp(1e-4, 1 - 1e-4)
    right = heat[:, 7:]
    good = -torch.log(probability) * (1 - probability) ** 2 * right * torch.tensor(PLACES)[:, None, None]
    bad = -torch.log(1 - probability) * probability**2 * (1 - target) ** 4 * (right == 0)
    losses["heat"] = ((good + bad) * weight).sum() / (right.sum() + 4)
    near = (heat[:, 5:6] > 0).float()
    based = torch.cat([near, (heat[:, 6:7] > 0).float()], dim=1)  # a thing without a base has no width to learn
    losses["size"] = (_distance(parts["size"], heat[:, 5:7]) * near * based).sum() / (near.sum() + 1)
    total = torch.stack(list(losses.values())).sum()
    return total, {name: float(value.detach()) for name, value in losses.items()}


def go_on(net: FinderNet, state: dict[str, Tensor]) -> None:
    """Take the weights over; layers that have been added since then begin as they are, hardly doing anything."""
    own = net.state_dict()
    fitting = {name: value for name, value in state.items() if name in own and own[name].shape == value.shape}
    for name, value in own.items():
        if name not in fitting and name.endswith("body.1.weight"):
            value.fill_(0.2)
    net.load_state_dict(fitting, strict=False)


def main() -> None:
    """Train for a number of minutes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--photographed", type=Path, help="samples of photographed tables, to be mixed in")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    net = FinderNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's overloads leave it out
    if options.checkpoint.exists():
        go_on(net, torch.load(options.checkpoint, weights_only=True))
    print(sum(p.numel() for p in net.parameters()), "parameters", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.lr, weight_decay=1e-2)
    start = time.monotonic()
    mean: dict[str, float] = {}
    for step, batch in enumerate(batches(options.samples, options.photographed, options.batch, options.seed), start=1):
        share = (time.monotonic() - start) / 60 / options.minutes
        if share >= 1:
            break
        warm = min(1.0, step / 60)
        for group in optimiser.param_groups:
            group["lr"] = options.lr * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            answer = net(batch["input"].to(memory_format=torch.channels_last))
        total, values = loss_of(answer.float(), batch)
        optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(total)  # `Tensor.backward` has no types
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean = {k: 0.97 * mean.get(k, v) + 0.03 * v for k, v in values.items()}
        if step % 50 == 0:
            print(
                step,
                f"{(time.monotonic() - start) / 60:.1f} min",
                {k: round(v, 3) for k, v in mean.items()},
                flush=True,
            )
            torch.save(net.state_dict(), options.checkpoint.with_suffix(".part"))
            options.checkpoint.with_suffix(".part").rename(options.checkpoint)
    torch.save(net.state_dict(), options.checkpoint)


if __name__ == "__main__":
    main()
