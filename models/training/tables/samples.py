"""Training samples: what the net is given and what it should say, made from drawn scenes and stored by the thousand.

    python -m models.training.tables.samples FOLDER FIRST_SEED COUNT

writes one `SEED.npz` a scene; seeds, not pictures, are what has to be kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.training.tables.scene import Body, Scene, make_scene
from models.training.tables.shapes import Array, turned
from vision.finder import GRID_MM, finder_input
from vision.ground import guess_ground, learn_ground
from vision.rectify import TopView, top_view

CLASSES = {"figure": 1, "die": 2, "obstacle": 3, "hand": 4}
"""0 is the table, and what lies flat on it."""
IGNORED = 255
MIN_VISIBLE = 0.2
"""Of a thing's own pixels: below that the net is neither praised nor blamed for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """What the net should say of one thing."""

    kind: str
    """One of `CLASSES`; anything else counts as the table."""
    mm: tuple[float, float]
    """Where it stands, or the middle of what lies."""
    outline_mm: Array
    """Footprint, shape (n, 2): a die's square, an obstacle's outline."""
    height_mm: float
    standing: bool
    base_mm: float
    """0 where it has none."""
    visible: float
    """Share of its own pixels that nothing hides, 0..1."""


def make_sample(seed: int) -> dict[str, npt.NDArray[Any]]:
    """Make the arrays of one scene.

    Returns:
        `input` (7, H, W) int8 as `vision.finder.finder_input` makes it;
        `classes` (h, w) uint8, `height` (h, w) uint8 in mm, `offset` (2, h, w) int8 in units of 2 mm,
        `feet` (2, h, w) uint8 0..255, and `things`, one row for each: class, x, y, standing, height, base, visible.
    """
    random = np.random.default_rng(seed)
    learnt = bool(random.random() < 0.45)
    scene = make_scene(random, with_empty=learnt)
    top = top_view(slightly_off(scene.view, random))
    picture = top.from_frame(scene.frame_bgr)
    if learnt and scene.empty_bgr is not None:
        ground = learn_ground([top.from_frame(scene.empty_bgr)], top)
    else:
        ground = guess_ground(picture, top)
    maps = targets(top, scene.drawn.body, scene.drawn.height_mm, drawn_things(scene))
    return {"input": finder_input(picture, top, ground), **maps}


def slightly_off(view: TableView, random: np.random.Generator) -> TableView:
    """Move a true pose a little: the one that calibration finds is never quite right, and no sheet quite flat."""
    tilt = turned(random.normal(size=3), float(random.normal(0, 0.002)))
    shift = random.normal(0, (0.4, 0.4, 1.0))
    return replace(view, rotation=view.rotation @ tilt, translation=view.translation + view.rotation @ shift)


def drawn_things(scene: Scene) -> list[Thing]:
    """List a drawn table's bodies in their order."""
    return [
        Thing(
            body.kind,
            anchor(body),
            body.outline_mm,
            body.height_mm,
            body.standing,
            body.base_mm or 0.0,
            float((scene.drawn.body == number).sum()) / max(1, int(scene.drawn.alone_px[number])),
        )
        for number, body in enumerate(scene.bodies)
    ]


def targets(
    top: TopView, numbers: npt.NDArray[np.int32], height_mm: npt.NDArray[np.float32], things: Sequence[Thing]
) -> dict[str, npt.NDArray[Any]]:
    """Turn the truth of a frame into maps on the net's output grid of `GRID_MM`.

    Args:
        top: the view from above that the net is given.
        numbers: for each pixel of the frame the place in `things` of what it shows; -1 is the table.
        height_mm: height above the table of what each pixel of the frame shows.
        things: what is there.
    """
    step = round(GRID_MM * top.px_per_mm)
    columns, rows = top.size[0] // step, top.size[1] // step
    first = (step - 1) // 2
    pick = (slice(first, first + rows * step, step), slice(first, first + columns * step, step))
    frame_map = cv2.remap(
        numbers.astype(np.float32), top.map_x, top.map_y, cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_CONSTANT, borderValue=-1,
    )[pick]  # fmt: skip
    body = np.round(frame_map).astype(np.int32)
    height = cv2.remap(height_mm, top.map_x, top.map_y, cv2.INTER_NEAREST)[pick]
    classes = np.zeros(body.shape, np.uint8)
    offset = np.zeros((2, *body.shape), np.float32)
    feet = np.zeros((2, *body.shape), np.float32)
    seen = top.seen[pick]
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    places = top.to_mm(
        np.column_stack([(across.ravel() * step + (step - 1) / 2), (down.ravel() * step + (step - 1) / 2)])
    )
    places = places.reshape(rows, columns, 2)
    rows_of_things = []
    for number, thing in enumerate(things):
        mine = body == number
        kind = CLASSES.get(thing.kind, 0)
        classes[mine] = kind if thing.visible >= 0.04 or kind == 4 else IGNORED
        if kind == 0:
            continue
        for axis in (0, 1):
            offset[axis][mine] = thing.mm[axis] - places[..., axis][mine]
        if kind in (1, 3) and thing.standing and len(thing.outline_mm) > 2 and thing.visible >= MIN_VISIBLE:
            fine = np.zeros((rows * 4, columns * 4), np.uint8)
            corners = (top.to_top(thing.outline_mm) + 0.5) / step * 4 - 0.5
            cv2.fillPoly(fine, [np.round(corners * 16).astype(np.int32)], 255, shift=4)
            area = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA) / 255.0
            feet[0 if kind == 1 else 1] = np.maximum(feet[0 if kind == 1 else 1], area)
        if kind != 4:
            rows_of_things.append(
                (kind, *thing.mm, float(thing.standing), thing.height_mm, thing.base_mm, thing.visible)
            )
    classes[~seen] = IGNORED
    return {
        "classes": classes,
        "height": np.clip(np.round(height), 0, 255).astype(np.uint8),
        "offset": np.clip(np.round(offset / 2), -127, 127).astype(np.int8),
        "feet": np.round(feet * 255).astype(np.uint8),
        "things": np.array(rows_of_things, np.float32).reshape(-1, 7),
    }


def anchor(thing: Body) -> tuple[float, float]:
    """Give where a thing stands, or the middle of what lies."""
    if thing.kind == "obstacle" and len(thing.outline_mm):
        middle = thing.outline_mm.mean(axis=0)
        return float(middle[0]), float(middle[1])
    if thing.kind == "figure" and not thing.standing:
        middle = (
            thing.mesh.vertices.mean(axis=0) * 0.5
            + (thing.mesh.vertices.min(axis=0) + thing.mesh.vertices.max(axis=0)) / 4
        )
        return float(middle[0]), float(middle[1])
    return thing.mm


def store(sample: dict[str, npt.NDArray[Any]], target: Path) -> None:
    """Write a sample into a file, a third as big as it is, that appears when it is whole; `train.load` reads it."""
    whole = sample["input"]
    packed = {
        **{name: values for name, values in sample.items() if name != "input"},
        "difference": whole[:3], "seen": whole[3, ::2, ::2], "printed": whole[4, ::2, ::2],
        "lean_x": whole[5, 0], "lean_y": whole[6, :, 0],
    }  # fmt: skip
    # numpy's stubs hold any `**arrays` against `allow_pickle`.
    save: Callable[..., None] = np.savez
    part = target.with_suffix(".part.npz")
    save(part, **packed)
    part.rename(target)


def main() -> None:
    """Make the samples that are not there yet."""
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for seed in range(first, first + count):
        target = folder / f"{seed}.npz"
        if target.exists():
            continue
        try:
            store(make_sample(seed), target)
        except ValueError as problem:  # a camera that does not see the sheet
            print(seed, problem, flush=True)


if __name__ == "__main__":
    main()
