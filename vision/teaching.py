"""Make taught faces: what the nets see in the top face that a player names, and whether it may be named at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.dice_finds import Candidate
from models.dice_nets import DiceNets
from vision.dice import counts_on
from vision.dice_agreement import OPPOSING_COUNT
from vision.observation import Point, SeenDie
from vision.pip_spots import UInt8Array
from vision.taught_faces import TaughtFace, features_of
from vision.top_face import Quad


def teach_face(image_bgr: UInt8Array, at: Point, value: int, *, nets: DiceNets, name: str = "") -> TaughtFace | None:
    """Make a taught face of the die that a player pointed at in a plain picture.

    Args:
        image_bgr: shape (rows, columns, 3).
        at: place on the die, in pixels.
        value: what its top face counts as, 1 to 6.
        nets: the trained detector and reader.
        name: what the player calls the face.

    Returns:
        The face, to be added to `TaughtFaces`; None where no die is found there.
    """
    inside = [
        c for c in nets.find(image_bgr) if c.box_px[0] <= at[0] <= c.box_px[2] and c.box_px[1] <= at[1] <= c.box_px[3]
    ]
    if not inside:
        return None
    die = nets.read(image_bgr, [max(inside, key=lambda c: c.score)])[0].candidate
    return _face_of(image_bgr, die, value, nets, name)


def teach_seen_die(
    image_bgr: UInt8Array, die: SeenDie, value: int, *, nets: DiceNets, name: str = ""
) -> TaughtFace | None:
    """Make a taught face of a die that was seen in a frame, with the top face that its reader looked at.

    Args:
        image_bgr: the frame.
        die: of its observation.
        value: what its top face counts as, 1 to 6.
        nets: the trained detector and reader.
        name: what the player calls the face.

    Returns:
        The face; None where the die's top face was not made out.
    """
    if die.top_px is None:
        return None
    return _face_of(image_bgr, Candidate(die.box, die.top_px, die.confidence), value, nets, name)


def pips_on(image_bgr: UInt8Array, die: SeenDie) -> int | None:
    """What is surely counted on a die's top face: such a face is read by its pips, and nobody may name it otherwise."""
    if die.top_px is None:
        return None
    count, _ = counts_on(image_bgr, [die.top_px])[0]
    return count.value if count.confidence >= OPPOSING_COUNT else None


def _face_of(image_bgr: UInt8Array, die: Candidate, value: int, nets: DiceNets, name: str) -> TaughtFace:
    turns = [replace(die, top_px=die.top_px[k:] + die.top_px[:k]) for k in range(4)]
    features = np.stack([reading.feature for reading in nets.read(image_bgr, turns, refine=False)])
    corners = [(float(x), float(y)) for x, y in die.top_px]
    quad: Quad = (corners[0], corners[1], corners[2], corners[3])
    _, colour = counts_on(image_bgr, [quad])[0]
    blue, green, red = (float(c) for c in colour)
    return TaughtFace(value, features_of(features), (blue, green, red), name)
