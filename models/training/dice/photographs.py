"""Labelled photographs of real dice, read from folders of pictures with a `labels.jsonl` each.

A line is {"file", "width", "height", "dice": [{"box": [x0, y0, x1, y1], "value": 1..6, "kind": "d6"}]}.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

FOLDERS = ("home-surfaces", "topdown-colours", "oblique-phone", "felt-trays", "felt-trays-more")
"""All folders of photographs."""
COLLECTION = {"felt-trays-more": "felt-trays"}
"""Folders that count as one collection with another."""
TOP_DOWN = frozenset({"topdown-colours"})
"""Collections whose pictures may be turned freely."""
LONGEST_PX = 1280
"""Larger photographs are halved when read: training tiles never need more."""


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A picture with its labelled dice."""

    collection: str
    """Name of the collection, for leaving one out."""
    name: str
    """Folder and file, for messages."""
    rgb: npt.NDArray[np.uint8]
    """Shape (height, width, 3)."""
    boxes_px: npt.NDArray[np.float64]
    """Shape (n, 4): x0, y0, x1, y1."""
    values: tuple[int, ...]
    """The top face of each die."""


def load(root: Path, *, without: Collection[str] = (), only: Collection[str] | None = None) -> list[Photograph]:
    """Read the photographs under `root`.

    Args:
        root: the folder that holds the collections' folders.
        without: collections to leave out.
        only: the collections to read, all if None.

    Raises:
        FileNotFoundError: a folder of `FOLDERS` has no labels.
    """
    out = []
    for folder in FOLDERS:
        collection = COLLECTION.get(folder, folder)
        if collection in without or (only is not None and collection not in only):
            continue
        for line in (root / folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            bgr = cv2.imread(str(root / folder / row["file"]))
            if bgr is None:
                raise FileNotFoundError(f"cannot read the photograph {str(root / folder / row['file'])!r}")
            boxes = np.array([d["box"] for d in row["dice"]], float).reshape(-1, 4)
            rgb: npt.NDArray[np.uint8] = np.ascontiguousarray(bgr[..., ::-1], np.uint8)
            while max(rgb.shape[:2]) > LONGEST_PX:
                rgb = np.asarray(
                    cv2.resize(rgb, (rgb.shape[1] // 2, rgb.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8
                )
                boxes = boxes / 2
            out.append(
                Photograph(collection, f"{folder}/{row['file']}", rgb, boxes, tuple(d["value"] for d in row["dice"]))
            )
    return out
