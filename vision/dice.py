"""Read dice: where they lie in a picture and what their top faces show, or that it is unsure.

Dice are found by a trained detector, by whoever knows the table (`candidates`), or by their pips alone. However a die
was found, the pips on its flattened top face are counted, and where a net is there too, both must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.table_view import TableView
from models.dice_finds import Candidate, NetReading
from models.dice_nets import DiceNets
from vision.cocked import lean_of_cocked
from vision.dice_agreement import Verdict, Views, agree, needs_count
from vision.dice_colour import colour_name
from vision.dice_search import LEAST_BELIEF, search_dice
from vision.die_likelihood import die_likelihood, off_usual
from vision.observation import Box, Point, SeenDie
from vision.pip_count import WORKING_SIDE_PX, PipCount, count_faces
from vision.pip_spots import FloatArray, UInt8Array
from vision.taught_faces import TaughtFaces
from vision.top_face import Quad, flattened, points_in_frame, quad_side_px, top_square

LONGEST_SIDE_PX = 1920
"""Larger pictures are reduced to it before the search: a die of interest is more than 1/140 of the picture."""

MARGIN = 0.35
"""How much around a top face is shown to the count, in parts of its side: its place is known to about a fifth."""

SLACK = 0.2
"""How far the place of a top face may be wrong, in parts of its side: 3 mm on a die of 16 mm."""

OFF_CENTRE = 0.08
"""Where a top face's middle is so far from its die's, in parts of the die's width, it may be half of the true one:
a 6 seen from above is easily taken for a 3 on top with a 3 in front."""

DOUBLED_COUNT = 0.45
"""Confidence from which a count of twice the value on the whole die shows that this is so: no die has two faces with
the same value."""

MOST_OF_HALF = 3
"""Half of a 6; twice a larger value is none."""

COUNT_OF_COCKED = 0.5
"""Confidence from which the places of the counted pips may show that a die is cocked."""

USUAL_SIZE_MM = 16.0
"""Edge of a die whose size is not known."""


@dataclass(frozen=True, slots=True)
class DieCandidate:
    """Where something die-like is, found by someone else: a detector, or the table finder."""

    box: Box
    """Of the whole die, in pixels of the picture."""
    confidence: float = 1.0
    """That it is a die, 0 to 1."""
    mm: Point | None = None
    """Centre of the die on the table, where the table is known."""
    size_mm: float | None = None
    """Edge of the die, where it is known."""
    height_mm: float = 0.0
    """Of what it lies on."""
    top_px: Quad | None = None
    """Corners of the top face in order around it, where they are known."""
    net: Views | None = None
    """What a net makes of its two views; None where none was asked."""
    feature: tuple[float, ...] | None = None
    """What the net saw in the flattened face, for taught faces; None where none was asked."""


def read_dice(
    image_bgr: UInt8Array,
    *,
    view: TableView | None = None,
    candidates: Sequence[DieCandidate] | None = None,
    nets: DiceNets | None = None,
    taught: TaughtFaces | None = None,
    least_belief: float = LEAST_BELIEF,
) -> tuple[SeenDie, ...]:
    """Find the dice of a picture and read their top faces.

    Args:
        image_bgr: shape (rows, columns, 3), any size from one pixel on.
        view: pose of the table, where it is known; then the top face of a candidate with `mm` is known from it.
        candidates: where to look; None searches the whole picture.
        nets: the trained detector and reader; None reads by the pips alone.
        taught: faces without pips that the player has taught; they need the nets.
        least_belief: from which a value is given by the search without nets, 0 to 1.

    Returns:
        One die for each candidate, in their order; without candidates, the dice found, in reading order. Those that
        are not surely read have the value None and a reason.
    """
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3:
        raise ValueError(f"expected a picture of shape (rows, columns, 3), not {image_bgr.shape!r}")
    if candidates is not None:
        placed = [_placed(c, view) for c in candidates]
        if nets is not None:
            placed = _asked(image_bgr, placed, nets)
        return tuple(_read(image_bgr, placed, least_belief, taught, view))
    scale = max(image_bgr.shape[:2]) / LONGEST_SIDE_PX
    if nets is not None:
        found = [candidate_of(reading) for reading in nets.look(image_bgr)]
        dice = _doubted(found, _read(image_bgr, found, least_belief, taught))
    elif scale > 1:
        size = max(1, round(image_bgr.shape[1] / scale)), max(1, round(image_bgr.shape[0] / scale))
        reduced = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        dice = [_moved(d, scale, (0.0, 0.0)) for d in search_dice(reduced, least_belief=least_belief)]
    else:
        dice = search_dice(image_bgr, least_belief=least_belief)
    return tuple(sorted(dice, key=lambda d: (d.box[1], d.box[0])))


def candidate_of(reading: NetReading) -> DieCandidate:
    """Make a candidate of what the nets found and read."""
    corners = [(float(x), float(y)) for x, y in reading.candidate.top_px]
    return DieCandidate(
        reading.candidate.box_px,
        reading.candidate.score,
        top_px=(corners[0], corners[1], corners[2], corners[3]),
        net=(reading.upright, reading.face),
        feature=tuple(reading.feature.tolist()),
    )


def _placed(candidate: DieCandidate, view: TableView | None) -> DieCandidate:
    """The candidate with its top face, where the table's pose tells it."""
    if candidate.top_px is not None or view is None or candidate.mm is None:
        return candidate
    size = candidate.size_mm or USUAL_SIZE_MM
    return replace(candidate, top_px=top_square(view, candidate.mm, size_mm=size, height_mm=candidate.height_mm))


def _asked(image_bgr: UInt8Array, candidates: list[DieCandidate], nets: DiceNets) -> list[DieCandidate]:
    """The candidates with what the net reads there; a top face is needed for that."""
    known = [n for n, c in enumerate(candidates) if c.top_px is not None]
    places = [Candidate(candidates[n].box, candidates[n].top_px or (), candidates[n].confidence) for n in known]
    for n, reading in zip(known, nets.read(image_bgr, places, refine=False), strict=True):
        feature = tuple(reading.feature.tolist())
        candidates[n] = replace(candidates[n], net=(reading.upright, reading.face), feature=feature)
    return candidates


def _read(
    image_bgr: UInt8Array,
    candidates: Sequence[DieCandidate],
    least_belief: float,
    taught: TaughtFaces | None,
    view: TableView | None = None,
) -> list[SeenDie]:
    """The dice of all candidates, read or not; the pips of all are counted together."""
    quads = [c.top_px if c.top_px is not None and np.isfinite(c.top_px).all() else None for c in candidates]
    asked = [
        quad if quad is not None and _is_worth_counting(c, taught) else None
        for c, quad in zip(candidates, quads, strict=True)
    ]
    # What may be half of a face is counted whole at once with the others: another count would cost as much again.
    wholes = [
        _wholes(c) if quad is not None and _looks_like_half(c) else ()
        for c, quad in zip(candidates, asked, strict=True)
    ]
    faces = [(0, quad) for quad in asked if quad is not None]
    faces += [(1 + n, whole) for n, more in enumerate(wholes) for whole in more]
    found = counts_on(image_bgr, [quad for _, quad in faces], pools=[pool for pool, _ in faces])
    counts, others = iter(found), iter(found[sum(quad is not None for quad in asked) :])
    out = []
    for candidate, quad, counted, more in zip(candidates, quads, asked, wholes, strict=True):
        if quad is None:
            out.append(_searched(image_bgr, candidate, least_belief))
            continue
        count, colour = next(counts) if counted is not None else (None, middle_colour(image_bgr, quad))
        whole = [next(others)[0] for _ in more]
        verdict = agree(count, candidate.net, die=candidate.confidence, on_table=candidate.mm is not None)
        if verdict.value is not None and verdict.value <= MOST_OF_HALF and candidate.mm is None:
            whole = whole or [c for c, _ in counts_on(image_bgr, _wholes(candidate))]
            if any(c.value == 2 * verdict.value and c.confidence >= DOUBLED_COUNT for c in whole):
                why = f"it looks like {verdict.value}, but may be half of a {2 * verdict.value}"
                verdict = Verdict(None, 1 - verdict.confidence, why)
        if taught is not None and candidate.feature is not None and not verdict.agreed:
            known = taught.recognise(candidate.feature, colour)
            verdict = verdict if known is None else Verdict(known.value, known.alike)
        lean = _lean(candidate, quad, count, view)
        if lean is not None:
            why = f"it is cocked: its top face leans by about {lean:.0f} degrees"
            verdict = Verdict(None, 1 - verdict.confidence, why)
        out.append(
            SeenDie(
                candidate.box,
                verdict.value,
                verdict.confidence if verdict.value is not None else candidate.confidence,
                mm=candidate.mm,
                size_mm=candidate.size_mm,
                colour=colour_name(colour),
                height_mm=candidate.height_mm,
                cocked=lean is not None,
                why=verdict.why,
                top_px=quad,
            )
        )
    return out


def _doubted(candidates: Sequence[DieCandidate], dice: Sequence[SeenDie]) -> list[SeenDie]:
    """The dice with how likely each unread one is a die as its confidence."""
    read_px = [_longest_px(die.box) for die in dice if die.value is not None]
    out = []
    for candidate, die in zip(candidates, dice, strict=True):
        if die.value is None and candidate.net is not None:
            off_size = off_usual(_longest_px(die.box), read_px)
            die = replace(die, confidence=die_likelihood(candidate.confidence, candidate.net, off_size))
            if die.is_doubtful:
                die = replace(die, why="it is hardly a die")
        out.append(die)
    return out


def _longest_px(box: Box) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def _is_worth_counting(candidate: DieCandidate, taught: TaughtFaces | None) -> bool:
    """Whether a count could change the answer, or tell that a die on the table is cocked, or a taught face needs it."""
    if candidate.net is None or candidate.mm is not None or (taught is not None and taught.faces):
        return True
    return needs_count(candidate.net, die=candidate.confidence)


def _lean(candidate: DieCandidate, quad: Quad, count: PipCount | None, view: TableView | None) -> float | None:
    """How far a die on the table leans in degrees if it is cocked; None where it is level or nothing tells."""
    if view is None or candidate.mm is None or count is None or count.confidence < COUNT_OF_COCKED:
        return None
    side = _side_px(quad)
    spots = points_in_frame(quad, np.array(count.spots, np.float32).reshape(-1, 2), side_px=side, margin=MARGIN)
    top_mm = candidate.height_mm + (candidate.size_mm or USUAL_SIZE_MM)
    return lean_of_cocked([(float(x), float(y)) for x, y in spots], view, top_mm=top_mm)


def _looks_like_half(candidate: DieCandidate) -> bool:
    """Whether the net sees a value that could be half of another one."""
    if candidate.net is None or candidate.mm is not None:
        return False
    return int(np.sum(candidate.net, axis=0)[1:].argmax()) + 1 <= MOST_OF_HALF


def _wholes(candidate: DieCandidate) -> tuple[Quad, ...]:
    """The faces of which a candidate's top face may be only half; none where it lies in the middle of its die."""
    if candidate.top_px is None:
        return ()
    x0, y0, x1, y1 = candidate.box
    quad = np.array(candidate.top_px, float)
    away = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) - quad.mean(axis=0)
    if float(np.linalg.norm(away)) < OFF_CENTRE * max(x1 - x0, y1 - y0):
        return ()
    # The side of the face that looks to the die's middle moves on, by one and a half to twice the distance.
    edges = (np.roll(quad, -1, axis=0) + quad) / 2 - quad.mean(axis=0)
    far = int((edges @ away).argmax())
    step = edges[far] / np.linalg.norm(edges[far])
    wholes: list[Quad] = []
    for part in (1.5, 2.0):
        moved = quad.copy()
        moved[[far, (far + 1) % 4]] += part * step * float(step @ away)
        corners = [(float(x), float(y)) for x, y in moved]
        wholes.append((corners[0], corners[1], corners[2], corners[3]))
    return tuple(wholes)


def counts_on(
    image_bgr: UInt8Array, quads: Sequence[Quad], *, pools: Sequence[int] | None = None
) -> list[tuple[PipCount, FloatArray]]:
    """Count the pips on top faces whose places are roughly known.

    Args:
        image_bgr: the picture.
        quads: corners of the top faces, right to about a fifth of their sides.
        pools: as for `count_faces`.

    Returns:
        For each the count, its spots in pixels of the flattened face, and the body's colour, shape (3,), BGR.
    """
    sides = [_side_px(quad) for quad in quads]
    patches = [flattened(image_bgr, quad, side_px=side, margin=MARGIN) for quad, side in zip(quads, sides, strict=True)]
    counts = count_faces(patches, margin=MARGIN, slack=SLACK, pools=pools)
    return [
        (count, _middle_of(patch, side) if count.body_bgr is None else np.array(count.body_bgr, np.float32))
        for count, patch, side in zip(counts, patches, sides, strict=True)
    ]


def middle_colour(image_bgr: UInt8Array, quad: Quad) -> FloatArray:
    """The median colour of the middle of a top face, shape (3,), BGR."""
    side = _side_px(quad)
    return _middle_of(flattened(image_bgr, quad, side_px=side, margin=MARGIN), side)


def _side_px(quad: Quad) -> int:
    """Side to which a top face is flattened."""
    return int(np.clip(round(quad_side_px(quad)), 4, WORKING_SIDE_PX))


def _middle_of(patch: UInt8Array, side: int) -> FloatArray:
    low, high = round(side * (MARGIN + 0.25)), round(side * (MARGIN + 0.75)) + 1
    colour: FloatArray = np.median(patch[low:high, low:high].reshape(-1, 3), axis=0).astype(np.float32)
    return colour


def _searched(image_bgr: UInt8Array, candidate: DieCandidate, least_belief: float) -> SeenDie:
    """The die in a candidate's box of which no top face is known, found by its pips in a crop at full resolution."""
    x0, y0, x1, y1 = candidate.box
    margin = 0.15 * max(x1 - x0, y1 - y0) + 2
    left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
    crop = image_bgr[top : int(y1 + margin) + 1, left : int(x1 + margin) + 1]
    unread = SeenDie(
        candidate.box,
        None,
        candidate.confidence,
        mm=candidate.mm,
        size_mm=candidate.size_mm,
        height_mm=candidate.height_mm,
        why="no pips were made out",
    )
    if crop.size == 0 or min(crop.shape[:2]) < 8:
        return unread
    found = [_moved(d, 1.0, (float(left), float(top))) for d in search_dice(crop, least_belief=least_belief)]
    middle, reach = _middle(candidate.box), 0.5 * max(x1 - x0, y1 - y0)
    inside = [d for d in found if float(np.abs(_middle(d.box) - middle).max()) < reach]
    if not inside:
        return unread
    die = max(inside, key=lambda d: (d.value is not None, d.confidence))
    return replace(
        unread, value=die.value, confidence=die.confidence, colour=die.colour, why=die.why, top_px=die.top_px
    )


def _middle(box: Box) -> FloatArray:
    return np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2], np.float32)


def _moved(die: SeenDie, scale: float, offset: tuple[float, float]) -> SeenDie:
    x, y = offset
    x0, y0, x1, y1 = die.box
    quad = die.top_px
    if quad is not None:
        a, b, c, d = ((px * scale + x, py * scale + y) for px, py in quad)
        quad = (a, b, c, d)
    return replace(die, box=(x0 * scale + x, y0 * scale + y, x1 * scale + x, y1 * scale + y), top_px=quad)
