"""Photographed dice with the top face as a detector saw it, and what the detector wrongly took for dice.

The labels say only where a die is and what it shows. Where its top face is comes from a detector that was trained on
drawn tiles alone, so that no photograph leaks from one fold into another.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.dice_crops import Pyramid
from models.dice_finds import Candidate
from models.dice_nets import DiceNets
from models.training.dice.photographs import TOP_DOWN, load
from models.training.dice.value_data import Known

logger = logging.getLogger(__name__)

LOW_SCORE = 0.12
"""The detector's candidates from here on are matched with labels."""
FALSE_SCORE = 0.2
"""Candidates from here on that match no label are negatives."""
LEAST_FACE = 0.3
"""A flattened top face that shows the labelled value with less probability is cut too badly to learn from."""
CROWDED = 6
"""Pictures of `oblique-phone` with so many dice have unlabelled ones: no negatives are taken from them."""

Floats = npt.NDArray[np.float64]


def match(boxes: Floats, candidates: tuple[Candidate, ...]) -> dict[int, int]:
    """Pair labelled boxes, shape (n, 4), with candidates of like place and size: label index to candidate index."""
    pairs = []
    for i, box in enumerate(boxes):
        size = max(box[2] - box[0], box[3] - box[1])
        for j, candidate in enumerate(candidates):
            x0, y0, x1, y1 = candidate.box_px
            other = max(x1 - x0, y1 - y0)
            away = float(np.hypot((box[0] + box[2] - x0 - x1) / 2, (box[1] + box[3] - y0 - y1) / 2))
            if away < 0.4 * size and 0.62 < other / size < 1.6:
                pairs.append((away / size - 0.1 * candidate.score, i, j))
    out: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in out and j not in out.values():
            out[i] = j
    return out


def collect(root: Path, nets: DiceNets, target: Path, *, refine: bool, only: Collection[str] | None = None) -> None:
    """Look at all photographs with `nets` and write a JSON line for each die and each false find to `target`.

    Args:
        root: the folder that holds the collections of photographs.
        nets: an exported pair.
        target: the file to write.
        refine: whether the value net is good enough to say where the top faces' corners are.
        only: the collections to look at, all if None.
    """
    lines = []
    missed = 0
    for photo in load(root, only=only):
        bgr = np.ascontiguousarray(photo.rgb[..., ::-1])
        candidates = nets.find(bgr, least_score=LOW_SCORE)
        pairs = match(photo.boxes_px, candidates)
        doubtful: set[int] = set()
        if refine:
            candidates, doubtful = _refined(nets, bgr, candidates, {j: photo.values[i] for i, j in pairs.items()})
        for i, value in enumerate(photo.values):
            if i in pairs:
                found, sure = candidates[pairs[i]], refine and pairs[i] not in doubtful
                lines.append(
                    {"photo": photo.name, "box": found.box_px, "top": found.top_px, "value": value, "sure": sure}
                )
            else:
                missed += 1
        if photo.collection == "oblique-phone" and len(photo.values) >= CROWDED:
            continue
        for j, candidate in enumerate(candidates):
            if j in pairs.values() or candidate.score < FALSE_SCORE:
                continue
            x, y = np.mean(candidate.top_px, axis=0)
            boxes = photo.boxes_px
            grown = 0.15 * (boxes[:, 2:] - boxes[:, :2])
            inside = (boxes[:, 0] - grown[:, 0] < x) & (x < boxes[:, 2] + grown[:, 0])
            inside &= (boxes[:, 1] - grown[:, 1] < y) & (y < boxes[:, 3] + grown[:, 1])
            if not inside.any():
                lines.append(
                    {"photo": photo.name, "box": candidate.box_px, "top": candidate.top_px, "value": 0, "sure": True}
                )
    target.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    logger.info("wrote %d dice and negatives, %d labelled dice were not found", len(lines), missed)


def _refined(
    nets: DiceNets, bgr: npt.NDArray[np.uint8], candidates: tuple[Candidate, ...], values: dict[int, int]
) -> tuple[tuple[Candidate, ...], set[int]]:
    """The candidates with better top faces: those with a label (`values`, by index) as shows their value best.

    Returns:
        The candidates, and the indices of those whose top faces show the labelled value nowhere.
    """
    out, doubtful = list(candidates), set()
    labelled, others = sorted(values), [j for j in range(len(out)) if j not in values]
    shown = [values[j] for j in labelled]
    for rows, known in ((labelled, shown), (others, None)):
        for j, reading in zip(rows, nets.read(bgr, [candidates[j] for j in rows], shown=known), strict=True):
            out[j] = reading.candidate
            if j in values and reading.face[values[j]] < LEAST_FACE:
                doubtful.add(j)
    return tuple(out), doubtful


def load_groups(source: Path, root: Path, *, without: Collection[str] = ()) -> list[list[Known]]:
    """Read what `collect` wrote: a group for each collection, and one for the negatives of all.

    Args:
        source: the file of `collect`.
        root: the folder that holds the collections of photographs.
        without: collections to leave out.
    """
    photos = {photo.name: photo for photo in load(root, without=without)}
    pyramids = {name: Pyramid(photo.rgb) for name, photo in photos.items()}
    groups: dict[str, list[Known]] = {}
    for line in source.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        photo = photos.get(row["photo"])
        if photo is None:
            continue
        die = Known(
            pyramid=pyramids[row["photo"]],
            box=np.array(row["box"], float),
            top=np.array(row["top"], float),
            value=int(row["value"]),
            turns_freely=photo.collection in TOP_DOWN,
            sure=bool(row["sure"]),
        )
        groups.setdefault(photo.collection if die.value else "negatives", []).append(die)
    return list(groups.values())
