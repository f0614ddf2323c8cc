"""Judge a pair of nets on photographs: look at each, pair finds with labels, keep everything for calibration."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.dice_finds import NetReading
from models.dice_nets import DiceNets
from models.training.dice.photographs import Photograph
from vision.dice import candidate_of, counts_on, read_dice
from vision.pip_count import PipCount

Row = dict[str, Any]


def _near(box: Sequence[float], other: Sequence[float]) -> float | None:
    """Distance of the centres where the scoring of photographs calls two boxes one die, else None."""
    size = max(box[2] - box[0], box[3] - box[1], other[2] - other[0], other[3] - other[1])
    away = float(np.hypot((box[0] + box[2] - other[0] - other[2]) / 2, (box[1] + box[3] - other[1] - other[3]) / 2))
    return away if away <= 0.6 * size else None


def _counted(bgr: npt.NDArray[np.uint8], readings: Sequence[NetReading]) -> list[PipCount]:
    """What the geometric reader counts on the top faces that the nets found."""
    quads = [candidate_of(reading).top_px for reading in readings]
    known = [(n, quad) for n, quad in enumerate(quads) if quad is not None and np.isfinite(quad).all()]
    counts = [PipCount(None, 0.0, ())] * len(quads)
    for (n, _), (count, _) in zip(known, counts_on(bgr, [quad for _, quad in known]), strict=True):
        counts[n] = count
    return counts


def look_at(nets: DiceNets, photos: Iterable[Photograph]) -> list[Row]:
    """Rows for all finds and all missed dice.

    A row has photo, collection, box, top, score, label (1 to 6; 0 where no die is labelled), upright and face (seven
    probabilities each), count (0 = none), its confidence and fits; a missed die has no score.
    """
    rows: list[Row] = []
    for photo in photos:
        bgr: npt.NDArray[np.uint8] = np.ascontiguousarray(photo.rgb[..., ::-1])
        readings = nets.look(bgr)
        pairs = []
        for i, box in enumerate(photo.boxes_px):
            for j, reading in enumerate(readings):
                away = _near(box.tolist(), reading.candidate.box_px)
                if away is not None:
                    pairs.append((away, i, j))
        label_of: dict[int, int] = {}
        for _, i, j in sorted(pairs):
            if i not in label_of.values() and j not in label_of:
                label_of[j] = i
        base = {"photo": photo.name, "collection": photo.collection}
        for j, (reading, count) in enumerate(zip(readings, _counted(bgr, readings), strict=True)):
            rows.append(
                base
                | {
                    "box": reading.candidate.box_px,
                    "top": reading.candidate.top_px,
                    "score": reading.candidate.score,
                    "label": photo.values[label_of[j]] if j in label_of else 0,
                    "upright": reading.upright,
                    "face": reading.face,
                    "count": count.value or 0,
                    "count_confidence": count.confidence,
                    "fits": count.fits,
                }
            )
        for i, value in enumerate(photo.values):
            if i not in label_of.values():
                rows.append(base | {"box": photo.boxes_px[i].tolist(), "label": value})
    return rows


def write_rows(target: Path, rows: Iterable[Row]) -> None:
    """Keep rows as JSON lines."""
    target.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")


def answer(row: Row, least: float) -> int:
    """The nets' value of a row, 0 where the views disagree or their mean probability is below `least`."""
    if "score" not in row:
        return 0
    upright, face = np.array(row["upright"]), np.array(row["face"])
    mean = (upright + face) / 2
    value = int(mean.argmax())
    agree = value == int(upright.argmax()) == int(face.argmax())
    return value if agree and mean[value] >= least else 0


def rates(rows: Sequence[Row], least: float) -> dict[str, float]:
    """Found, read, right (of the answers), wrong (a 1,000 dice) as `score_dice` counts them, for the nets alone."""
    dice = [row for row in rows if row["label"]]
    got = [(row["label"], answer(row, least)) for row in rows]
    given = [(want, value) for want, value in got if value]
    right = sum(want == value for want, value in given)
    read = sum(want > 0 for want, _ in given)
    return {
        "dice": len(dice),
        "found": 100 * sum("score" in row for row in dice) / max(1, len(dice)),
        "read": 100 * read / max(1, len(dice)),
        "right": 100 * right / max(1, read),
        "wrong": 1000 * (len(given) - right) / max(1, len(dice)),
    }


def read_line(nets: DiceNets, picture: Path) -> str:
    """Read a picture with the whole reader: one JSON line with file and dice (box, value or null, confidence)."""
    bgr = cv2.imread(str(picture))
    if bgr is None:
        raise FileNotFoundError(f"cannot read the picture {str(picture)!r}")
    dice = read_dice(np.asarray(bgr, np.uint8), nets=nets)
    return json.dumps(
        {
            "file": picture.name,
            "dice": [{"box": d.box, "value": d.value, "confidence": round(d.confidence, 4)} for d in dice],
        }
    )
