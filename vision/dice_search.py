"""Find and read dice by their pips alone, without a net: faces among the spots of a picture.

Spots that could be pips (`pip_spots`) are joined to faces (`pip_patterns`), each face is measured with its body
(`die_body`) and weighed (`face_belief`); of the faces of one die the top one answers. An answer is given where the
belief is high and no other reading comes near it; everything else is None with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.dice_colour import colour_name
from vision.die_body import Bodies, measure_bodies
from vision.face_belief import beliefs, face_measures
from vision.observation import SeenDie
from vision.pip_patterns import Face, find_faces
from vision.pip_spots import FloatArray, Spots, UInt8Array, find_spots

LEAST_BELIEF = 0.9
"""Belief from which a value is given."""

LEAST_SEEN = 0.35
"""Belief from which a group of spots is reported as a die without a value."""


def search_dice(image_bgr: UInt8Array, *, least_belief: float = LEAST_BELIEF) -> list[SeenDie]:
    """Find dice by their pips alone, the best believed first.

    Args:
        image_bgr: shape (rows, columns, 3), at most about two megapixels.
        least_belief: from which a value is given, 0 to 1.
    """
    spots = find_spots(image_bgr)
    faces = find_faces(spots)
    if not faces:
        return []
    bodies = measure_bodies(image_bgr, spots, faces)
    belief = beliefs(faces, face_measures(spots, faces, bodies))
    return [
        _seen(spots, faces, bodies, choice, least_belief, image_bgr.shape[:2])
        for choice in choose_faces(spots, faces, belief)
    ]


@dataclass(frozen=True, slots=True)
class Choice:
    """A face that stands for a die."""

    face: int
    """Index into the faces."""
    belief: float
    rival: int | None = None
    """Another value that the die may show instead, None where there is none."""


def choose_faces(spots: Spots, faces: list[Face], belief: FloatArray) -> list[Choice]:
    """Choose one face for each die: the best believed, the whole before its parts, the top before the sides.

    Returns:
        Choices of belief `LEAST_SEEN` and more, the best first.
    """
    order = sorted(
        (n for n in range(len(faces)) if belief[n] >= 0.15),
        key=lambda n: (-(float(belief[n]) + 0.06 * len(faces[n].pips)), faces[n].misfit),
    )
    chosen: list[int] = []
    rivals: dict[int, int] = {}
    for n in order:
        clash = next((c for c in chosen if _overlap(faces[c], faces[n])), None)
        if clash is None:
            chosen.append(n)
        elif (
            belief[n] > 0.5 * belief[clash]
            and faces[n].value != faces[clash].value
            and not set(faces[n].pips) <= set(faces[clash].pips)
        ):
            rivals.setdefault(clash, faces[n].value)
    sides: set[int] = set()
    for a in chosen:
        for b in chosen:
            if a != b and _beside(spots, faces[a], faces[b]):
                winner = _top_of(faces[a], faces[b])
                if winner is None:
                    rivals.setdefault(a, faces[b].value)
                elif winner is faces[a] and belief[a] > 0.4 * belief[b]:
                    sides.add(b)
                elif winner is faces[a]:
                    rivals.setdefault(b, faces[a].value)
    return [Choice(n, float(belief[n]), rivals.get(n)) for n in chosen if n not in sides and belief[n] >= LEAST_SEEN]


def _overlap(one: Face, two: Face) -> bool:
    if set(one.pips) & set(two.pips):
        return True
    away = two.centre - one.centre
    return any(float(np.abs(np.linalg.solve(f.axes, away)).sum()) < 1.5 for f in (one, two))


def _beside(spots: Spots, one: Face, two: Face) -> bool:
    """Whether two faces could be neighbours on one die: near, of one colour."""
    away = two.centre - one.centre
    reach = max(float(np.abs(np.linalg.solve(f.axes, away)).sum()) for f in (one, two))
    nearest = min(float(np.abs(np.linalg.solve(f.axes, away)).sum()) for f in (one, two))
    inner = np.linalg.norm(spots.inner[list(one.pips)].mean(axis=0) - spots.inner[list(two.pips)].mean(axis=0))
    contrast = min(float(spots.contrast[list(f.pips)].mean()) for f in (one, two))
    return nearest < 4.2 and reach < 8 and float(inner) < 0.6 * contrast


def _top_of(one: Face, two: Face) -> Face | None:
    """Which of two neighbouring faces is the top one; None where it cannot be told."""
    areas = [abs(float(np.linalg.det(f.axes))) for f in (one, two)]
    side = float(np.sqrt(max(areas)))
    higher = one if one.centre[1] < two.centre[1] else two
    larger = one if areas[0] > areas[1] else two
    lift = abs(float(one.centre[1] - two.centre[1])) / side
    ratio = max(areas) / max(min(areas), 1e-6)
    if lift > 0.7 and (higher is larger or ratio < 1.8):
        return higher
    if ratio > 2.5:
        return larger
    return None


def _seen(
    spots: Spots, faces: list[Face], bodies: Bodies, choice: Choice, least_belief: float, shape: tuple[int, ...]
) -> SeenDie:
    face = faces[choice.face]
    extent = np.clip(bodies.extent[choice.face], 1.3, 1.35 * float(np.median(bodies.extent[choice.face])))
    outline = face.centre + bodies.ray_px[choice.face] * extent[:, None]
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    box = (max(0.0, float(x0)), max(0.0, float(y0)), min(shape[1], float(x1)), min(shape[0], float(y1)))
    value: int | None = face.value
    why = None
    if choice.rival is not None:
        value, why = None, f"it may be {face.value} or {choice.rival}"
    elif choice.belief < least_belief:
        value, why = None, f"it looks like {face.value}, but not surely"
    corners = face.centre + np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.float32) @ face.axes.T * 1.9
    points = [(float(x), float(y)) for x, y in corners]
    return SeenDie(
        box,
        value,
        choice.belief,
        colour=colour_name(bodies.colour[choice.face]),
        why=why,
        top_px=(points[0], points[1], points[2], points[3]),
    )
