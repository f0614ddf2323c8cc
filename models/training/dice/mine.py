"""Find drawn tiles that the nets get wrong: things that get a value, and dice that get a wrong one."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np

from models.dice_crops import Pyramid
from models.dice_finds import Candidate
from models.dice_nets import DiceNets
from models.training.dice.evaluate import answer
from models.training.dice.known import match
from models.training.dice.scenes import DIE
from models.training.dice.tiles import make_shard, read_shards
from models.training.dice.value_data import Known
from vision.dice import read_dice

logger = logging.getLogger(__name__)

SURE = 0.5
"""Wrong answers from this probability on are kept."""


def mistakes(nets: DiceNets, rgb: Any, truth: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    """Wrong answers on one tile, each with box, top and true value, and how many candidates were read at all."""
    readings = nets.look(np.ascontiguousarray(rgb[..., ::-1]))
    bodies = [body for body in truth["bodies"] if body["kind"] == DIE]
    boxes = np.array([body["box"] for body in bodies], float).reshape(-1, 4)
    body_of = {j: i for i, j in match(boxes, tuple(r.candidate for r in readings)).items()}
    out = []
    for j, reading in enumerate(readings):
        value = answer({"score": 1, "upright": reading.upright, "face": reading.face}, SURE)
        body = bodies[body_of[j]] if j in body_of else None
        want = 0 if body is None else body["value"]
        if not value or want is None or value == want:
            continue
        near = [b for b in bodies if b["box"][0] < np.mean(reading.candidate.box_px[::2]) < b["box"][2]]
        near = [b for b in near if b["box"][1] < np.mean(reading.candidate.box_px[1::2]) < b["box"][3]]
        if body is None and any(b["visible"] > 0.4 for b in near):
            continue
        top = body["top"] if body is not None else reading.candidate.top_px
        box = body["box"] if body is not None else reading.candidate.box_px
        out.append({"box": box, "top": top, "value": want, "read": value})
    return out, len(readings)


def mine(nets: DiceNets, tiles: Path, target: Path) -> None:
    """Look at all drawn tiles and write a JSON line for each mistake."""
    lines = []
    for number, shard in enumerate(read_shards(tiles)):
        for k, truth in enumerate(shard.truths):
            wrong, _ = mistakes(nets, np.asarray(shard.rgb[k]), truth)
            lines += [{"shard": number, "tile": k} | row for row in wrong]
    target.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    logger.info("wrote %d mistakes", len(lines))


def load_mined(source: Path, tiles: Path) -> list[Known]:
    """Read what `mine` wrote, for training."""
    shards = list(read_shards(tiles))
    out = []
    for line in source.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rgb = np.ascontiguousarray(shards[row["shard"]].rgb[row["tile"]])
        out.append(Known(Pyramid(rgb), np.array(row["box"], float), np.array(row["top"], float), row["value"], False))
    return out


def judge_negatives(nets: DiceNets, *, first: int, count: int, negatives: bool) -> dict[str, float]:
    """Draw tiles that training never saw and count what the whole reader gives a value that it should not.

    Args:
        nets: what to judge.
        first: seed of the first shard; training uses 100 to 999.
        count: shards of 250 tiles.
        negatives: draw no pip dice at all.

    Returns:
        Things that are no pip dice, how many values were given where no die is, dice, dice with a value, how many were
        misread, and tiles.
    """
    figures = {"things": 0, "valued": 0, "dice": 0, "read": 0, "misread": 0, "tiles": 0}
    for seed in range(first, first + count):
        for tile in make_shard(seed, negatives=negatives):
            figures["tiles"] += 1
            figures["things"] += sum(t.kind != DIE and t.visible > 0.5 for t in tile.truths)
            seen = read_dice(np.ascontiguousarray(tile.rgb[..., ::-1]), nets=nets)
            dice = [t for t in tile.truths if t.kind == DIE]
            boxes = np.array([t.box for t in dice], float).reshape(-1, 4)
            pairs = match(boxes, tuple(Candidate(d.box, d.top_px or (), d.confidence) for d in seen))
            for i, t in enumerate(dice):
                value = seen[pairs[i]].value if i in pairs else None
                if t.value:
                    figures["dice"] += 1
                    figures["read"] += value is not None
                    figures["misread"] += value not in (None, t.value)
            for j, d in enumerate(seen):
                if d.value is None or j in pairs.values():
                    continue
                x, y = (d.box[0] + d.box[2]) / 2, (d.box[1] + d.box[3]) / 2
                figures["valued"] += not any(t.box[0] < x < t.box[2] and t.box[1] < y < t.box[3] for t in dice)
    return {key: float(value) for key, value in figures.items()}
