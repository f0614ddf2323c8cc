"""Corner tokens as they really lie: each touches its corner of the grid, but no hand lays four of them square.

The tip of a token is where the player put it; its turn is measured. The drawn size of the tokens is known too, so the
typed size of the grid is checked against it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.edges import measure_edges
from calibration.lens import Lens
from calibration.markers import GrayImage, Marker, as_gray, detect, search_scales
from calibration.pose import typical_lens
from calibration.sheets import TOKEN_IDS, TOKEN_MARKER_MM, TOKEN_SQUARE_MM, tokens_target
from calibration.table import TableNotFound, TableProblem, explain, fit_of_view, pose_of_markers, refine, view_of_fit
from calibration.table_view import TableView
from calibration.target import FloatArray, Target

ROUNDS = 4
"""Of measuring the tokens' turns and fitting again; after two the turns change by under 0.02 degrees (measured)."""
MOST_TURN_DEGREES = 25.0
"""A token laid further askew is the wrong one or lies elsewhere."""
SIZE_TOLERANCE = 0.03
"""The tokens' own size may differ from the grid's by this: laying them 2 mm off a 20 cm grid makes 2 %."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTokens:
    """Four tokens measured on the table."""

    target: Target
    """The markers where they really lie: to find and watch the table with."""
    view: TableView
    turns_degrees: tuple[float, float, float, float]
    """How far each token is turned, counter-clockwise, in the order of `TOKEN_IDS`."""
    size_ratio: float
    """How large the tokens look against the typed grid; 1.25 where a grid of 25 squares was typed as 20."""

    @property
    def size_agrees(self) -> bool:
        """Whether the typed size of the grid can be right."""
        return abs(self.size_ratio - 1) <= SIZE_TOLERANCE


def place_tokens(
    image: npt.NDArray[np.uint8], *, width_mm: float, depth_mm: float, camera: Lens | None = None
) -> PlacedTokens | TableNotFound:
    """Measure four corner tokens laid round a grid of known size.

    Args:
        image: BGR or grey picture with all four tokens.
        width_mm: of the grid, left to right, such as 24 * 25.4.
        depth_mm: of the grid, near to far.
        camera: its calibrated lens.

    Returns:
        The tokens as they lie, or why they were not found.
    """
    gray = as_gray(image)
    size = (gray.shape[1], gray.shape[0])
    lens = camera.guess(size) if camera is not None and camera.fits(size) else typical_lens(size)
    target = nominal = tokens_target(width_mm, depth_mm)
    markers = _tokens_seen(gray, nominal)
    if len(markers) < len(TOKEN_IDS):
        return explain(gray, nominal, markers, min_markers=len(TOKEN_IDS), thorough=True)
    view: TableView | None = None
    turns, ratio = (0.0, 0.0, 0.0, 0.0), 1.0
    for _ in range(ROUNDS):
        fit = pose_of_markers(markers, target, lens)
        if fit is None:
            return TableNotFound(problem=TableProblem.WRONG_SIZE, seen=TOKEN_IDS)
        view = view_of_fit(fit, size, ids=TOKEN_IDS)
        lines = [_sides_of_corners(view.to_table(marker.corners_px)) for marker in markers]
        turns, ratio = _lie(lines)
        target = turned_tokens(nominal, turns, size_ratio=ratio)
    wrong = TableNotFound(problem=TableProblem.WRONG_SIZE, seen=TOKEN_IDS)
    for _ in range(3):
        if view is None or max(abs(turn) for turn in turns) > MOST_TURN_DEGREES:
            return wrong
        view = refine(gray, fit_of_view(view), target, lens, min_markers=len(TOKEN_IDS), print_scale=1.0)
        if view is None:
            return wrong
        measured = PlacedTokens(target, view, turns, ratio)
        turns, ratio = _lie(_sides_of_edges(gray, view, target))
        target = turned_tokens(nominal, turns, size_ratio=ratio)
    return measured


def _tokens_seen(gray: GrayImage, nominal: Target) -> tuple[Marker, ...]:
    """The tokens' markers, at the first scale that shows all four; turned tokens agree on no common view yet."""
    best: dict[int, Marker] = {}
    for scale in search_scales(gray.shape[1]):
        found = {m.number: m for m in detect(gray, nominal.dictionary, scale=scale) if m.number in TOKEN_IDS}
        best = found if len(found) > len(best) else best
        if len(best) == len(TOKEN_IDS):
            break
    return tuple(best[number] for number in sorted(best))


def turned_tokens(
    nominal: Target, turns_degrees: tuple[float, float, float, float], *, size_ratio: float = 1.0
) -> Target:
    """Give the target of tokens whose tips lie on the grid's corners, each turned about its tip and all of one size.

    Args:
        nominal: from `tokens_target`.
        turns_degrees: counter-clockwise, in the order of `TOKEN_IDS`.
        size_ratio: of the tokens against their nominal size.
    """
    corners: dict[int, FloatArray] = {}
    for number, turn in zip(TOKEN_IDS, turns_degrees, strict=True):
        tip = _tip(nominal, number)
        cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        spin = size_ratio * np.array([[cosine, -sine], [sine, cosine]])
        corners[number] = tip + (nominal.corners_mm[number] - tip) @ spin.T
    return Target(nominal.name, corners, nominal.field_mm, nominal.dictionary)


def _tip(nominal: Target, number: int) -> FloatArray:
    """The corner of the grid that a token touches."""
    centre = nominal.corners_mm[number].mean(axis=0)
    return np.asarray(centre - np.sign(centre) * TOKEN_SQUARE_MM / 2, dtype=np.float64)


_Side = tuple[FloatArray, FloatArray]
"""A measured side of a marker in table mm: its middle and its direction, going round clockwise from the far left."""


def _sides_of_corners(corners_mm: FloatArray) -> list[_Side]:
    following = np.roll(corners_mm, -1, axis=0)
    return [((a + b) / 2, (b - a) / np.linalg.norm(b - a)) for a, b in zip(corners_mm, following, strict=True)]


def _sides_of_edges(gray: GrayImage, view: TableView, target: Target) -> list[list[_Side]]:
    """Fit a line to each side's measured edge; where it is covered, take the side as drawn."""
    edges = measure_edges(gray, fit_of_view(view), target, TOKEN_IDS, reach_px=6.0)
    points_px = view.to_frame(edges.points_mm) + edges.offset_px[:, None] * edges.normals_px
    points_mm = view.to_table(points_px).reshape(len(TOKEN_IDS), 4, -1, 2)
    good = edges.good.reshape(len(TOKEN_IDS), 4, -1)
    tokens = []
    for index, number in enumerate(TOKEN_IDS):
        sides = _sides_of_corners(target.corners_mm[number])
        for side in range(4):
            mine = points_mm[index, side][good[index, side]]
            if len(mine) >= 5:
                middle = mine.mean(axis=0)
                along = np.linalg.svd(mine - middle)[2][0]
                sides[side] = (middle, along * np.sign(along @ sides[side][1]))
        tokens.append(sides)
    return tokens


def _lie(tokens: list[list[_Side]]) -> tuple[tuple[float, float, float, float], float]:
    """Each token's turn and the common size of the tokens, from their measured sides."""
    turns, sizes = [], []
    for sides in tokens:
        angles = [math.degrees(math.atan2(along[1], along[0])) + 90 * side for side, (_, along) in enumerate(sides)]
        turns.append(float(np.mean([(angle + 180) % 360 - 180 for angle in angles])))
        for (middle, along), (opposite, _) in ((sides[0], sides[2]), (sides[1], sides[3])):
            across = opposite - middle
            sizes.append(float(np.linalg.norm(across - (across @ along) * along)) / TOKEN_MARKER_MM)
    return (turns[0], turns[1], turns[2], turns[3]), float(np.median(sizes))
