"""A drawn picture for each design of die and for each thing that is no die: read rightly or not at all.

The pictures are drawn from fixed seeds by the renderer of the training; no training has these seeds. Which of them are
read changes with the nets, so floors are asked and no single value; that nothing is misread is asked of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from models.dice_nets import DiceNets
from models.training.dice import decals, designs, scenes
from models.training.dice import render as r
from vision.dice import read_dice

Picture = npt.NDArray[np.uint8]
Draw = Callable[[np.random.Generator, npt.NDArray[np.void]], tuple[int, ...] | None]
"""Fills a body in and gives the pips of its six faces; None for what is no pip die."""

SIZE_MM, TILE_PX = 16.0, 320
SEEDS = (77001, 77002)
WHITE, IVORY, BLACK, RED, BLUE = (
    (0.9, 0.9, 0.9),
    (0.8, 0.72, 0.55),
    (0.02, 0.02, 0.02),
    (0.6, 0.03, 0.03),
    (0.05, 0.1, 0.5),
)


def _die(**look: object) -> Draw:
    """A pip die with these fields of its body, all else plain."""

    def draw(rng: np.random.Generator, body: npt.NDArray[np.void]) -> tuple[int, ...]:
        faces = designs.pip_die(rng, body, SIZE_MM)
        plain = {"pattern": r.PLAIN, "translucency": 0.0, "metal": 0.0, "pip_style": r.PAINTED, "pip_metal": 0.0,
                 "pip_wear": 0.0, "frame": 0.0, "colour": WHITE, "pip_colour": BLACK, "specular": 0.2}  # fmt: skip
        for name, value in (plain | look).items():
            body[name] = value
        body["decal"] = -1
        return faces

    return draw


def _odd(kind: Callable[..., object], *arguments: float) -> Draw:
    def draw(rng: np.random.Generator, body: npt.NDArray[np.void]) -> None:
        kind(rng, body, *arguments)

    return draw


DESIGNS: dict[str, Draw] = {
    "white, painted": _die(),
    "ivory, drilled": _die(colour=IVORY, pip_style=r.DRILLED),
    "black, white pips": _die(colour=BLACK, pip_colour=WHITE),
    "red, white pips": _die(colour=RED, pip_colour=WHITE),
    "blue, white pips": _die(colour=BLUE, pip_colour=WHITE, pip_style=r.DRILLED),
    "white, red pips": _die(pip_colour=RED),
    "worn pips": _die(pip_wear=0.4),
    "rings": _die(pip_style=r.RING),
    "square pips": _die(pip_style=r.SQUARE),
    "marbled": _die(pattern=r.MARBLE, colour=BLUE, colour2=(0.2, 0.3, 0.7), pip_colour=WHITE),
    "speckled": _die(pattern=r.SPECKLE, colour=IVORY, colour2=(0.5, 0.45, 0.35)),
    "two-toned": _die(pattern=r.TWO_TONE, colour=RED, colour2=(0.5, 0.2, 0.02), pip_colour=WHITE),
    "wooden": _die(pattern=r.WOOD, colour=(0.5, 0.3, 0.14), colour2=(0.38, 0.2, 0.08)),
    "translucent": _die(translucency=0.5, colour=RED, pip_colour=WHITE),
    "gold pips": _die(colour=BLACK, pip_colour=(0.7, 0.5, 0.15), pip_metal=0.8),
    "metal": _die(metal=0.8, colour=(0.5, 0.5, 0.52), pip_colour=BLACK),
    "low contrast": _die(colour=(0.3, 0.3, 0.32), pip_colour=(0.12, 0.12, 0.13)),
}
HARD = ("rings", "translucent", "low contrast", "metal", "gold pips", "marbled", "two-toned", "speckled", "worn pips")
"""Designs of which the nets are often unsure."""

THINGS: dict[str, Draw] = {
    "numerals, letters, logos, blanks": _odd(designs.odd_cube, SIZE_MM),
    "polyhedra": _odd(designs.polyhedron, 1.3 * SIZE_MM),
    "discs": _odd(designs.disc, 1.3 * SIZE_MM),
    "lumps": _odd(designs.lump, 1.5 * SIZE_MM),
    "slabs": _odd(designs.slab, (12.0, 9.0, 3.0)),
}


@cache
def drawn(name: str, seed: int) -> tuple[Picture, tuple[tuple[float, float, int | None], ...]]:
    """A picture of six things, each turned otherwise, seen from 62 degrees, with their middles and values."""
    draw = DESIGNS.get(name) or THINGS[name]
    rng = np.random.default_rng(seed)
    camera = np.zeros(1, r.CAMERA)
    far, e = 450.0, np.radians(62)
    camera["position"] = (0, -far * np.cos(e), far * np.sin(e))
    ahead = -camera["position"][0] / far
    right = np.array([1.0, 0, 0])
    camera["axes"] = np.stack([right, np.cross(ahead, right), ahead])
    camera["focal"], camera["principal"] = 52 * far / (1.25 * SIZE_MM), TILE_PX / 2
    lights, ground = np.zeros(1, r.LIGHT), np.zeros(1, r.GROUND)
    lights["position"], lights["colour"], lights["sharpness"], lights["pool"] = (-300, 200, 700), 0.7, 12, (0, 0, 1, 1)
    ground["sky"], ground["floor_bounce"], ground["window"], ground["window_dir"] = 0.45, 0.2, 0.6, (0.3, 0.5, 0.8)
    ground["window_size"], ground["exposure"] = 0.1, 0.9
    ground["map"] = [[2, 0, 300], [0, 2, 300]]
    cloth = np.clip(110 + rng.normal(0, 4, (512, 512, 1)) + np.array([0.0, 6, 12]), 0, 255).astype(np.uint8)
    bodies, values, middles = np.zeros(r.MOST_BODIES, r.BODY), [], []
    for k in range(6):
        body = bodies[k]
        body["decal"] = -1
        faces = draw(rng, body)
        body["seed"], body["up_face"] = rng.random(), k
        axis, sign = k // 2, 1 - 2 * (k % 2)
        rows = np.zeros((3, 3))
        rows[axis], rows[(axis + 1) % 3] = (0, 0, sign), (1, 0, 0)
        rows[(axis + 2) % 3] = np.cross(rows[axis], rows[(axis + 1) % 3])
        turn = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        body["axes"] = rows @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
        place = np.array([(k % 3 - 1) * 2.3, (k // 3 - 0.5) * 3.1]) * SIZE_MM
        body["centre"] = (*place, SIZE_MM / 2)
        middles.append(scenes._project(camera, body["centre"].astype(float)[None])[0])
        values.append(faces[k] if faces is not None else None)
    picture = r.draw(bodies[:6], camera, lights, ground, cloth, decals.atlas(), size=(TILE_PX, TILE_PX)).rgb
    noisy = np.clip(picture[..., ::-1] + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(noisy), tuple(
        (float(x), float(y), v) for (x, y), v in zip(middles, values, strict=True)
    )


@pytest.fixture(scope="module")
def nets() -> DiceNets:
    try:
        r._library()
    except r.CompilerMissingError as error:
        pytest.skip(str(error))
    return DiceNets.load(threads=1)


def read(nets: DiceNets, name: str, seed: int) -> list[tuple[int | None, int | None]]:
    """For each of the six things its value and what is read there."""
    picture, truths = drawn(name, seed)
    dice = read_dice(picture, nets=nets)
    pairs = []
    for x, y, value in truths:
        here = [d.value for d in dice if d.box[0] < x < d.box[2] and d.box[1] < y < d.box[3] and d.value is not None]
        pairs.append((value, here[0] if here else None))
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_each_design_is_never_misread_and_mostly_read(nets: DiceNets, name: str) -> None:
    """Measured: of 12 dice 7 to 12 are read, of the hard designs too; none wrongly."""
    pairs = [pair for seed in SEEDS for pair in read(nets, name, seed)]
    assert [pair for pair in pairs if pair[1] is not None and pair[0] != pair[1]] == []
    assert sum(given is not None for _, given in pairs) >= (4 if name in HARD else 6)


@pytest.mark.parametrize("name", ["white, painted", "black, white pips", "white, red pips", "translucent"])
def test_some_designs_are_never_misread_and_mostly_read(nets: DiceNets, name: str) -> None:
    pairs = read(nets, name, SEEDS[0])
    assert [pair for pair in pairs if pair[1] is not None and pair[0] != pair[1]] == []
    assert sum(given is not None for _, given in pairs) >= 2


@pytest.mark.parametrize("seed", [SEEDS[0], *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[1:])])
@pytest.mark.parametrize("name", THINGS)
def test_what_is_no_pip_die_gets_no_value(nets: DiceNets, name: str, seed: int) -> None:
    assert [given for _, given in read(nets, name, seed) if given is not None] == []


@pytest.mark.parametrize("name", ["white, painted", "black, white pips"])
@pytest.mark.parametrize(("gain", "lift"), [(0.6, 0.0), (1.15, 10.0)])
def test_another_brightness_makes_no_value_another(nets: DiceNets, name: str, gain: float, lift: float) -> None:
    picture, truths = drawn(name, SEEDS[0])
    lit = np.clip(picture * gain + lift, 0, 255).astype(np.uint8)
    values = [d.value for d in read_dice(lit, nets=nets) if d.value is not None]
    assert len(values) >= 3
    assert not Counter(values) - Counter(value for _, _, value in truths)


@pytest.mark.parametrize("scale", [0.5, 0.75, 2.0])
def test_another_size_makes_no_value_another(nets: DiceNets, scale: float) -> None:
    picture, truths = drawn("white, painted", SEEDS[0])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    values = [d.value for d in read_dice(sized, nets=nets) if d.value is not None]
    assert len(values) >= 3
    assert not Counter(values) - Counter(value for _, _, value in truths)


@pytest.mark.slow
def test_a_picture_of_a_hundred_megapixels_is_read_with_the_nets(nets: DiceNets) -> None:
    """Its dice are as large a part of it as before; it is searched on a reduced copy."""
    picture, truths = drawn("white, painted", SEEDS[0])
    huge = np.asarray(cv2.resize(picture, (10000, 10000), interpolation=cv2.INTER_LINEAR), np.uint8)
    values = [d.value for d in read_dice(huge, nets=nets) if d.value is not None]
    assert len(values) >= 3
    assert not Counter(values) - Counter(value for _, _, value in truths)
