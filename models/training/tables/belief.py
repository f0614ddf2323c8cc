"""Fit how far the finder's figures are to be believed, on tables that no training saw.

    python -m models.training.tables.belief [--first 980000] [--tables 120] [--lessons FOLDER] [--model FOLDER]
        [--both-ways]

prints the weights for `vision.grouping.FIGURE_BELIEF`, and how many figures are found and how many are false from
which belief on. The training takes seeds below 900000.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.training.dice.calibrate import logistic
from models.training.tables.photographed import read_lessons
from models.training.tables.samples import MIN_VISIBLE, Thing, drawn_things
from models.training.tables.scene import Image, make_scene
from vision.finder import Finder
from vision.ground import guess_ground
from vision.grouping import FigureSeen, figures_seen
from vision.rectify import top_view

NEAR_MM = 14.0
"""A figure found within this of where one stands or lies is that one."""
PLAIN_VISIBLE = 0.35
"""A figure that shows so much of itself is to be found."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture of a table and what is on it."""

    picture_bgr: Image
    view: TableView
    things: list[Thing]


def drawn(first: int, count: int) -> Iterator[Shown]:
    """Draw tables with the seeds from `first` on; seeds whose camera does not see the sheet are passed over."""
    seed = first
    while count:
        seed += 1
        try:
            scene = make_scene(np.random.default_rng(seed), with_empty=False)
        except ValueError:
            continue
        count -= 1
        yield Shown(scene.frame_bgr, scene.view, drawn_things(scene))


def judged(shown: Shown, finder: Finder, *, both_ways: bool) -> tuple[list[tuple[FigureSeen, bool]], int]:
    """What the finder takes for figures on a table, whether there is one, and how many there are to be found."""
    top = top_view(shown.view)
    picture = top.from_frame(shown.picture_bgr)
    maps = finder.maps(picture, top, guess_ground(picture, top), both_ways=both_ways)
    figures = [(thing.mm, thing.visible) for thing in shown.things if thing.kind == "figure"]
    out = []
    for seen in figures_seen(maps, top):
        near = [visible for mm, visible in figures if math.dist(mm, seen.mm) < NEAR_MM]
        if not near or max(near) >= MIN_VISIBLE:  # hardly visible ones are neither right nor wrong
            out.append((seen, bool(near)))
    return out, sum(visible >= PLAIN_VISIBLE for _, visible in figures)


def main() -> None:
    """Draw, look, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=980000)
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--lessons", type=Path, help="photographed tables that no training saw, to be judged as well")
    parser.add_argument("--model", type=Path, help="folder of the finder's model; otherwise the shipped one")
    parser.add_argument("--both-ways", action="store_true", help="look in a mirror, too, as at single pictures")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    finder = Finder(folder=options.model)
    pairs: list[tuple[FigureSeen, bool]] = []
    wanted = 0
    lessons = read_lessons(options.lessons) if options.lessons is not None else ()
    photographed = (Shown(lesson.picture_bgr, lesson.view, lesson.things) for lesson in lessons)
    for shown in itertools.chain(drawn(options.first, options.tables), photographed):
        found, visible = judged(shown, finder, both_ways=options.both_ways)
        pairs += found
        wanted += visible
    measures: Floats = np.array([seen.measures for seen, _ in pairs])
    right: Floats = np.array([float(is_one) for _, is_one in pairs])
    weights = logistic(measures, right)
    print("FIGURE_BELIEF =", tuple(round(float(w), 3) for w in weights))
    belief = 1 / (1 + np.exp(-(measures @ weights[:-1] + weights[-1])))
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = belief >= least
        found_share = 100 * right[kept].sum() / wanted
        print(f"{least}: {found_share:.1f} % of {wanted} found, {int((kept & (right == 0)).sum())} false")


if __name__ == "__main__":
    main()
