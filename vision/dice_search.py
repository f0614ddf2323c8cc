"""Find and read dice by their pips alone, without a net: faces among the spots of a picture.

Spots that could be pips (`pip_spots`) are joined to faces (`pip_patterns`), each face is measured with its body
(`die_body`) and weighed (`face_belief`); of the faces of one die the top one answers. An answer is given where the
belief is high and no other reading comes near it; everything else is None with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.dice_colour import colour_name
from vision.die_body import Bodies, bare_enough, inverted, measure_bodies
from vision.face_belief import beliefs, face_measures, slants
from vision.observation import SeenDie
from vision.pip_cells import are_cells
from vision.pip_patterns import Faces, Mask, find_faces
from vision.pip_spots import FloatArray, Spots, UInt8Array, find_spots

LEAST_BELIEF = 0.9
"""Belief from which a value is given."""

SURE_FACES = 4
"""So many sure faces show how the table lies."""

OTHER_SLANT = 0.35
"""Distance of two slants (logarithms of aspects) from which they are not of one plane."""

LEAST_LOOKED_AT = 0.15
"""Belief below which a face is no reading of anything."""

WHOLE_BONUS = 0.06
"""Added to the belief for each pip when faces are ranked: half a 6 is a good 3."""

CORNER_REACH = 1.9
"""Where the corners of a face are, in units of the half diagonals to its pips (measured 1.7 to 2.2)."""

MOST_CELLS = 0.5
"""Where so many of a face's pips go on into their neighbours it is a piece of a checkerboard: all of 16 that were taken
for faces in turned, slanted and blurred ones, and none of 285 photographed faces."""

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
    faces = faces[bare_enough(image_bgr, spots, faces)]
    if not len(faces):
        return []
    bodies = measure_bodies(image_bgr, spots, faces)
    belief = beliefs(faces, face_measures(spots, faces, bodies))
    belief[_are_of_cells(image_bgr, spots, faces, belief)] = 0.0
    return [
        _seen(faces, bodies, choice, least_belief, image_bgr.shape[:2]) for choice in choose_faces(spots, faces, belief)
    ]


def _are_of_cells(image_bgr: UInt8Array, spots: Spots, faces: Faces, belief: FloatArray) -> Mask:
    """Which of the faces that are looked at are pieces of a checkerboard, shape (n,)."""
    asked = np.unique(faces.pips[belief >= LEAST_LOOKED_AT])
    asked = asked[asked >= 0]
    cells = np.zeros(len(spots), np.float32)
    cells[asked] = are_cells(image_bgr, spots[asked])
    refused: Mask = faces.mean(cells) >= MOST_CELLS
    return refused


@dataclass(frozen=True, slots=True)
class Choice:
    """A face that stands for a die."""

    face: int
    """Index into the faces."""
    belief: float
    rival: int | None = None
    """Another value that the die may show instead, None where there is none."""


def on_one_table(spots: Spots, faces: Faces, belief: FloatArray) -> FloatArray:
    """Beliefs, shape (n,), lessened for faces that are slanted otherwise than the surest ones.

    All dice of a picture lie on one table, so their top faces share one slant up to the perspective; their sides do
    not. At least `SURE_FACES` sure faces of 4 and more must agree on it.
    """
    sure = (belief > 0.85) & (faces.value >= 4)
    if int(sure.sum()) < SURE_FACES:
        return belief
    slant = slants(spots, faces)
    common = np.median(slant[sure], axis=0)
    away = np.linalg.norm(slant - common, axis=1)
    if float(np.median(away[sure])) > 0.5 * OTHER_SLANT:
        return belief
    # One, two and three show their slant by the pips' ellipses alone.
    allowed = np.where(faces.value >= 4, OTHER_SLANT, 1.6 * OTHER_SLANT)
    lessened: FloatArray = np.where(away > allowed, 0.2 * belief, belief)
    return lessened


def choose_faces(spots: Spots, faces: Faces, belief: FloatArray) -> list[Choice]:
    """Choose one face for each die: the best believed, the whole before its parts, the top before the sides.

    Returns:
        Choices of belief `LEAST_SEEN` and more, the best first.
    """
    belief = on_one_table(spots, faces, belief)
    candidates = np.nonzero(belief >= LEAST_LOOKED_AT)[0]
    rank = -(belief[candidates] + WHOLE_BONUS * faces.value[candidates])
    order = candidates[np.lexsort((faces.misfit[candidates], rank))].tolist()
    inverse = inverted(faces.axes)
    pips = {n: set(faces.pips_of(n)) for n in order}
    chosen: list[int] = []
    rivals: dict[int, int] = {}
    for n in order:
        clash = next((c for c in chosen if pips[c] & pips[n] or _apart(faces, inverse, c, n)[0] < 1.5), None)
        if clash is None:
            chosen.append(n)
        elif belief[n] > 0.5 * belief[clash] and faces.value[n] != faces.value[clash] and not pips[n] <= pips[clash]:
            rivals.setdefault(clash, int(faces.value[n]))
    sides: set[int] = set()
    for a in chosen:
        for b in chosen:
            if a != b and _beside(spots, faces, inverse, a, b):
                winner = _top_of(faces, a, b)
                if winner is None:
                    rivals.setdefault(a, int(faces.value[b]))
                elif winner == a and belief[a] > 0.4 * belief[b]:
                    sides.add(b)
                elif winner == a:
                    rivals.setdefault(b, int(faces.value[a]))
    return [Choice(n, float(belief[n]), rivals.get(n)) for n in chosen if n not in sides and belief[n] >= LEAST_SEEN]


def _apart(faces: Faces, inverse: FloatArray, a: int, b: int) -> tuple[float, float]:
    """How far two faces are apart, in units of either's half diagonals: the smaller and the larger figure."""
    away = faces.centre[b] - faces.centre[a]
    one, two = (float(np.abs(inverse[n] @ away).sum()) for n in (a, b))
    return min(one, two), max(one, two)


def _beside(spots: Spots, faces: Faces, inverse: FloatArray, a: int, b: int) -> bool:
    """Whether two faces could be neighbours on one die: near, of one colour."""
    nearest, farthest = _apart(faces, inverse, a, b)
    if nearest >= 4.2 or farthest >= 8:
        return False
    one, two = faces.pips_of(a), faces.pips_of(b)
    inner = np.linalg.norm(spots.inner[one].mean(axis=0) - spots.inner[two].mean(axis=0))
    contrast = min(float(spots.contrast[pips].mean()) for pips in (one, two))
    return float(inner) < 0.6 * contrast


def _top_of(faces: Faces, a: int, b: int) -> int | None:
    """Which of two neighbouring faces is the top one; None where it cannot be told."""
    areas = {n: abs(float(np.linalg.det(faces.axes[n]))) for n in (a, b)}
    side = float(np.sqrt(max(areas.values())))
    height = {n: float(faces.centre[n, 1]) for n in (a, b)}
    higher = a if height[a] < height[b] else b
    larger = a if areas[a] > areas[b] else b
    lift = abs(height[a] - height[b]) / side
    ratio = max(areas.values()) / max(min(areas.values()), 1e-6)
    if lift > 0.7 and (higher == larger or ratio < 1.8):
        return higher
    # A flat face above a full one: the top seen from low down, or the far side of a die seen from above.
    return None


def _seen(faces: Faces, bodies: Bodies, choice: Choice, least_belief: float, shape: tuple[int, ...]) -> SeenDie:
    n = choice.face
    centre, shown = faces.centre[n], int(faces.value[n])
    extent = np.clip(bodies.extent[n], 1.3, 1.35 * float(np.median(bodies.extent[n])))
    outline = centre + bodies.ray_px[n] * extent[:, None]
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    box = (max(0.0, float(x0)), max(0.0, float(y0)), min(shape[1], float(x1)), min(shape[0], float(y1)))
    value: int | None = shown
    why = None
    if choice.rival is not None:
        value, why = None, f"it may be {shown} or {choice.rival}"
    elif choice.belief < least_belief:
        value, why = None, f"it looks like {shown}, but not surely"
    corners = centre + np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.float32) @ faces.axes[n].T * CORNER_REACH
    points = [(float(x), float(y)) for x, y in corners]
    return SeenDie(
        box,
        value,
        choice.belief,
        colour=colour_name(bodies.colour[n]),
        why=why,
        top_px=(points[0], points[1], points[2], points[3]),
    )
