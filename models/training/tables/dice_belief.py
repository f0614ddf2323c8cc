"""Fit how far to believe the witnesses of dice on a table whose pose is known, on photographed tables.

    python -m models.training.tables.dice_belief LESSONS [--judge OTHER_LESSONS]

prints the weights for `vision.dice_agreement.ON_TABLE`, and how many dice of the tables to be judged are read with
them, and with the weights that are set now. The dice are those that the whole observation finds; places where no die
lies are read as if one did.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.dice_finds import Candidate
from models.dice_nets import DiceNets
from models.training.dice.calibrate import fitted
from models.training.tables.photographed import Lesson, read_lessons
from vision.dice import DieCandidate, counts_on
from vision.dice_agreement import Views, Weights, agree, features
from vision.dice_check import die_candidate
from vision.ground import guess_ground
from vision.observe import look_at
from vision.pieces import Kind
from vision.pip_count import PipCount
from vision.rectify import top_view
from vision.shipped import shipped_dice_nets, shipped_finder
from vision.top_face import Quad, top_square

NEAR_MM = 9.0
"""A die found within this of where one lies is that one."""
FAR_MM = 22.0
"""Places farther than this from all dice show none."""
PLAIN_VISIBLE = 0.35
"""A die that shows so much of itself is to be read."""
PLACE_COUNTS = 0.1
"""A bare place counts so much: they are many and easy."""


@dataclass(frozen=True, slots=True, eq=False)
class Witnessed:
    """What the witnesses say of a place."""

    value: int
    """That the die there shows; 0 where none is."""
    views: Views
    count: PipCount
    score: float
    is_found: bool
    """Whether the observation takes it for a die."""


def witnessed(lesson: Lesson, nets: DiceNets) -> Iterator[Witnessed]:
    """Give what the witnesses say of the dice that are found on a table, and of bare places, figures and obstacles."""
    top = top_view(lesson.view)
    picture = top.from_frame(lesson.picture_bgr)
    ground = guess_ground(picture, top)
    pieces = look_at(lesson.picture_bgr, picture, top, ground, shipped_finder(), both_ways=True)
    found = [die_candidate(piece, lesson.view) for piece in pieces if piece.kind is Kind.DIE]
    for value, candidate in zip((_value_at(c, lesson) for c in found), found, strict=True):
        if value is not None:
            yield from _asked(lesson, [(value, candidate)], nets, is_found=True)
    yield from _asked(lesson, [(0, place) for place in _bare_places(lesson)], nets, is_found=False)


def _value_at(candidate: DieCandidate, lesson: Lesson) -> int | None:
    """The value of the die that was found, 0 where none is near; None where that is not plain."""
    assert candidate.mm is not None, "candidates on a table have places"
    off, near = min(((math.dist(candidate.mm, die.mm), n) for n, die in enumerate(lesson.dice)), default=(math.inf, -1))
    if off > NEAR_MM:
        return 0 if off > NEAR_MM * 4 / 3 else None
    return lesson.dice[near].value if lesson.dice[near].visible >= PLAIN_VISIBLE else None


def _bare_places(lesson: Lesson) -> list[DieCandidate]:
    """Figures' bases, obstacles' tops and corners, and any places, as if dice lay there."""
    random = np.random.default_rng(int(lesson.picture_bgr[::50, ::50].sum()))
    places: list[tuple[float, float, float]] = []
    for thing in lesson.things:
        if thing.kind == "figure":
            x, y = np.array(thing.mm) + random.normal(0, 3, 2)
            places.append((float(x), float(y), 0.0))
        elif thing.kind == "obstacle":
            corner = (float(thing.outline_mm[0, 0]), float(thing.outline_mm[0, 1]))
            places += [(*thing.mm, 0.0), (*thing.mm, thing.height_mm - 14.0), (*corner, 0.0)]
    places += [(float(x), float(y), -14.0) for x, y in random.uniform((-110, -95), (110, 95), (4, 2))]
    return [
        DieCandidate(
            (0, 0, 10, 10), float(random.uniform(0.3, 0.9)), (x, y), float(random.uniform(11, 18)), height_mm=on_mm
        )
        for x, y, on_mm in places
        if all(math.dist((x, y), die.mm) > FAR_MM for die in lesson.dice)
    ]


def _asked(
    lesson: Lesson, places: Sequence[tuple[int, DieCandidate]], nets: DiceNets, *, is_found: bool
) -> Iterator[Witnessed]:
    kept = []
    for value, place in places:
        top_px = place.top_px or _square_at(place, lesson.view)
        if top_px is not None and np.isfinite(top_px).all():
            kept.append((value, Candidate(place.box, top_px, place.confidence), top_px))
    readings = nets.read(lesson.picture_bgr, [candidate for _, candidate, _ in kept], refine=False)
    counts = counts_on(lesson.picture_bgr, [quad for _, _, quad in kept])
    for (value, candidate, _), reading, (count, _) in zip(kept, readings, counts, strict=True):
        yield Witnessed(value, (reading.upright, reading.face), count, candidate.score, is_found)


def _square_at(place: DieCandidate, view: TableView) -> Quad | None:
    assert place.mm is not None, "places on a table are known"
    return top_square(view, place.mm, size_mm=place.size_mm or 16.0, height_mm=place.height_mm)


def fit(places: Sequence[Witnessed]) -> Weights:
    """Fit the weights on what the witnesses say."""
    x = np.array([features(p.views, p.count, p.score) for p in places])
    label: npt.NDArray[np.int_] = np.array([p.value for p in places])
    return fitted(x, label, counts=np.array([1.0 if p.is_found else PLACE_COUNTS for p in places]))


def rates(places: Sequence[Witnessed], answer: Callable[[Witnessed], int | None]) -> str:
    """Say how many dice an answer reads, how many wrongly, and how often it sees a value where no die is."""
    dice = [(p.value, answer(p)) for p in places if p.value]
    read = sum(given is not None for _, given in dice)
    wrong = sum(given not in (None, value) for value, given in dice)
    false = sum(answer(p) is not None for p in places if not p.value)
    return (
        f"{100 * read / len(dice):.1f} % of {len(dice)} dice read, {wrong} wrongly; "
        f"values at {false} of {len(places) - len(dice)} other places"
    )


def with_weights(place: Witnessed, weights: Weights | None = None) -> int | None:
    """Answer as on a table, by other weights than those set now."""
    return agree(place.count, place.views, die=place.score, on_table=True, weights=weights).value


def main() -> None:
    """Look, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("--judge", type=Path, help="other photographed tables, to judge the weights on")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    nets = shipped_dice_nets()
    if nets is None:
        parser.error("the dice nets are not installed; see models/README.md")

    def places_of(folder: Path) -> list[Witnessed]:
        return [place for lesson in read_lessons(folder) for place in witnessed(lesson, nets)]

    learnt = places_of(options.lessons)
    weights = fit(learnt)
    print("ON_TABLE =", weights)
    for name, places in (("fitted", learnt), ("judged", places_of(options.judge) if options.judge else [])):
        if places:
            print(f"{name}, these weights:", rates(places, lambda place: with_weights(place, weights)))
            print(f"{name}, the weights set now:", rates(places, with_weights))


if __name__ == "__main__":
    main()
