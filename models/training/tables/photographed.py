"""Training samples of photographed tables (`python -m models.training.scenes lessons`), as of drawn ones.

    python -m models.training.tables.photographed LESSONS FOLDER [--times 3]

writes `SEED-0.npz`, `SEED-1.npz`, ... for each table: each time in another light, through another camera.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class LessonDie:
    """A die of a lesson."""

    mm: tuple[float, float]
    value: int
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A photographed table, found in its picture, with its truth."""

    name: str
    picture_bgr: Image
    view: TableView
    numbers: Image
    """Shape of the picture: place in `things` plus one of what each pixel shows, 0 is the table."""
    heights_mm: Image
    """Shape of the picture: height above the table of what each pixel shows."""
    things: list[Thing]
    dice: tuple[LessonDie, ...] = ()
    """With what they show; they are among the things, too."""


def read_lessons(folder: Path, *, done: Callable[[str], bool] = lambda name: False) -> Iterator[Lesson]:
    """Read the finished lessons of a folder; one whose table is not found is told on the terminal and left out.

    Args:
        folder: that `python -m models.training.scenes lessons` wrote into.
        done: says of a name whether it is not wanted.
    """
    for file in sorted(folder.glob("*.npz")):
        if file.stem.endswith(".part") or done(file.stem):
            continue
        picture = np.asarray(cv2.imread(str(file.with_suffix(".jpg"))), np.uint8)
        view = find_table(picture)
        if isinstance(view, TableNotFound):
            print(file.stem, view.problem, flush=True)
            continue
        facts = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        dice = tuple(LessonDie((d["mm"][0], d["mm"][1]), d["value"], d["visible"]) for d in facts["dice"])
        with np.load(file) as maps:
            yield Lesson(file.stem, picture, view, maps["numbers"], maps["heights_mm"], lesson_things(facts), dice)


def sample_of(lesson: Lesson, *, times: int) -> dict[str, npt.NDArray[Any]]:
    """Make one sample of a lesson; the first, with `times` 0, has the picture as it is."""
    picture_bgr = lesson.picture_bgr
    random = np.random.default_rng((times, int(picture_bgr[::50, ::50].sum())))
    if times:
        picture_bgr = other_camera(picture_bgr, random)
    top = top_view(slightly_off(lesson.view, random))
    picture = top.from_frame(picture_bgr)
    numbers = lesson.numbers.astype(np.int32) - 1
    truth = targets(top, numbers, lesson.heights_mm.astype(np.float32), lesson.things)
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

    def missing(name: str) -> list[int]:
        return [k for k in range(options.times) if not (options.folder / f"{name}-{k}.npz").exists()]

    for lesson in read_lessons(options.lessons, done=lambda name: not missing(name)):
        for times in missing(lesson.name):
            store(sample_of(lesson, times=times), options.folder / f"{lesson.name}-{times}.npz")


if __name__ == "__main__":
    main()
