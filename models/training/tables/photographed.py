"""Training samples of photographed tables (`python -m models.training.scenes lessons`), as of drawn ones.

    python -m models.training.tables.photographed LESSONS FOLDER [--times 3]

writes `SEED-0.npz`, `SEED-1.npz`, ... for each table: each time in another light, through another camera.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table import TableNotFound, find_table
from calibration.table_view import TableView
from models.training.tables.samples import Thing, slightly_off, store, targets
from vision.finder import finder_input
from vision.ground import guess_ground
from vision.rectify import top_view

Image = npt.NDArray[np.uint8]


def other_camera(picture_bgr: Image, random: np.random.Generator) -> Image:
    """Give a picture as another camera would have: exposure, white balance, contrast, softness, noise.

    Args:
        picture_bgr: shape (rows, columns, 3).
        random: what is drawn from.
    """
    values = picture_bgr.astype(np.float32) / 255
    values = values ** float(np.exp(random.normal(0, 0.2))) * np.exp(random.normal(0, 0.06, 3)).astype(np.float32)
    values *= float(np.exp(random.normal(0.05, 0.22)))
    if random.random() < 0.4:
        values = np.asarray(cv2.GaussianBlur(values, (0, 0), float(random.uniform(0.4, 1.1))), np.float32)
    values = values + random.normal(0, float(random.uniform(0.0, 4.0)) / 255, values.shape)
    return np.clip(values * 255, 0, 255).astype(np.uint8)


def lesson_things(facts: dict[str, Any]) -> list[Thing]:
    """Read the things of a lesson's JSON."""
    return [
        Thing(
            entry["kind"],
            (entry["mm"][0], entry["mm"][1]),
            np.array(entry["outline_mm"], float).reshape(-1, 2),
            entry["height_mm"],
            entry["standing"],
            entry["base_mm"],
            entry["visible"],
        )
        for entry in facts["things"]
    ]


def sample_of(
    picture_bgr: Image, view: TableView, maps: dict[str, npt.NDArray[np.uint8]], things: list[Thing], *, times: int
) -> dict[str, npt.NDArray[Any]]:
    """Make one sample; the first of a lesson is the picture as it is.

    Args:
        picture_bgr: the photograph.
        view: where its table was found.
        maps: `numbers` and `heights_mm` of the lesson.
        things: what is on the table.
        times: number of the sample, from 0.
    """
    random = np.random.default_rng((times, int(picture_bgr[::50, ::50].sum())))
    if times:
        picture_bgr = other_camera(picture_bgr, random)
    top = top_view(slightly_off(view, random))
    picture = top.from_frame(picture_bgr)
    numbers = maps["numbers"].astype(np.int32) - 1
    truth = targets(top, numbers, maps["heights_mm"].astype(np.float32), things)
    return {"input": finder_input(picture, top, guess_ground(picture, top)), **truth}


def main() -> None:
    """Make the samples that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for file in sorted(options.lessons.glob("*.npz")):
        wanted = [k for k in range(options.times) if not (options.folder / f"{file.stem}-{k}.npz").exists()]
        if not wanted or file.stem.endswith(".part"):
            continue
        picture = np.asarray(cv2.imread(str(file.with_suffix(".jpg"))), np.uint8)
        view = find_table(picture)
        if isinstance(view, TableNotFound):
            print(file.stem, view.problem, flush=True)
            continue
        with np.load(file) as stored:
            maps = {name: stored[name] for name in stored.files}
        things = lesson_things(json.loads(file.with_suffix(".json").read_text()))
        for times in wanted:
            sample = sample_of(picture, view, maps, things, times=times)
            store(sample, options.folder / f"{file.stem}-{times}.npz")


if __name__ == "__main__":
    main()
