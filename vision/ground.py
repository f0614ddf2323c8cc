"""What the empty table looks like, and how far each place of a picture from above differs from it.

Differences are taken between logarithms, so that a lamp turned up or a cloud before the sun shifts everything alike:
channel 0 is lightness (natural logarithm of a ratio), channels 1 and 2 are the colour: blue and red against green. A
shadow changes channel 0 alone, and only downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.rectify import Image, TopView

Float32 = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_LOG = np.log(np.arange(256, dtype=np.float32) + 4.0)
"""The 4 keeps sensor noise in the dark (sigma 1 to 2 levels) below the texture of paper."""
_LOG.setflags(write=False)

MARKER_CENTRES_MM = ((-84.0, 116.0), (0.0, 116.0), (84.0, 116.0), (84.0, -116.0), (0.0, -116.0), (-84.0, -116.0))
"""Of the six-marker sheet."""
MARKER_MM = 34.0
"""Side of what is printed around a marker: 24 mm of marker and its light rim, one module wide, and a little more."""

EDGE_DOUBT = 0.5
"""Share of the contrast within half a millimetre that may come from a pose that is half a millimetre off, or from a
film's compression."""

STRIP_ROWS = 64
"""Several pictures are held against each other in strips of so many rows, an even number: at once they take 120 MB."""

_TUKEY_WIDTHS = ((1, 0.30), (3, 0.30), (3, 0.25), (6, 0.20), (6, 0.15), (6, 0.12), (6, 0.12))
"""Terms of the fitted surface and width of the robust weight, step by step. Paper of all four looks of the rendered
sheets lies within 0.08 of the surface; the first width takes in a lamp that lights one end twice as much."""


def log_opponent(top_bgr: Image) -> Float32:
    """Turn a picture into lightness and colour, shape (rows, columns, 3), as the module says."""
    soft = cv2.GaussianBlur(top_bgr, (3, 3), 0)
    logs = cv2.LUT(soft, _LOG)
    blue, green, red = cv2.split(logs)
    light = 0.15 * blue + 0.6 * green + 0.25 * red
    return np.asarray(cv2.merge([light, blue - green, red - green]), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The empty table: what `log_opponent` gives at each place when nothing stands there."""

    expected: Float32 = field(repr=False)
    """Shape (rows, columns, 3)."""
    noise: Float32
    """Shape (3,): spread of the empty table around `expected`, one sigma, at least the sensor's noise."""
    sheet: Mask = field(repr=False)
    """The sheet (or play area) itself, without what lies around it."""
    printed: Mask = field(repr=False)
    """Markers: printed black and white in which differences mean nothing unless `learnt`."""
    learnt: bool
    """Whether it was taken from pictures of the empty table, and not guessed from one with things on it."""
    desk: Float32 | None = field(default=None, repr=False)
    """What the table around the sheet would look like everywhere; None when learnt."""
    paper: Float32 | None = field(default=None, repr=False)
    """What bare paper would look like everywhere; None when learnt."""
    doubt: Float32 | None = field(default=None, repr=False)
    """Shape (rows, columns, 3): differences up to this mean nothing, for print's edges are never quite in the same
    place; None where the empty table has no edges."""
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """By how much the light has changed since, in each channel."""

    def difference(self, top_bgr: Image, *, where: tuple[slice, slice] | None = None) -> Float32:
        """Give how a picture differs from the empty table, shape (rows, columns, 3).

        Args:
            top_bgr: the picture from above, or the part of it at `where`.
            where: rows and columns of the part; None is all.
        """
        expected = self.expected if where is None else self.expected[where]
        result: Float32 = log_opponent(top_bgr) - expected
        if any(self.shift):
            result -= np.array(self.shift, dtype=np.float32)
        if self.doubt is not None:
            doubt = self.doubt if where is None else self.doubt[where]
            result = np.sign(result) * np.maximum(np.abs(result) - doubt, 0)
        return result


def sheet_mask(top: TopView, *, inset_mm: float = 0.0) -> Mask:
    """Mark the sheet, shape (height, width), as far as the camera sees it."""
    width, depth = top.area.ground_mm
    left, upper, right, lower = top.rectangle_top(width - 2 * inset_mm, depth - 2 * inset_mm)
    mask = np.zeros(top.seen.shape, dtype=np.bool_)
    mask[upper:lower, left:right] = True
    return np.asarray(mask & top.seen)


def printed_mask(top: TopView) -> Mask:
    """Mark the printed markers of the six-marker sheet; empty for other tables."""
    mask = np.zeros(top.seen.shape, dtype=np.bool_)
    if top.area.sheet_mm is None:
        return mask
    for x, y in MARKER_CENTRES_MM:
        half = MARKER_MM / 2
        (left, upper), (right, lower) = np.round(top.to_top([(x - half, y + half), (x + half, y - half)])).astype(int)
        mask[max(upper, 0) : max(lower + 1, 0), max(left, 0) : max(right + 1, 0)] = True
    return mask


def guess_ground(top_bgr: Image, top: TopView) -> Ground:
    """Guess the empty table from one picture with things on it.

    The sheet's own colour is the one most frequent on it, its light a smooth surface fitted to what is near that
    colour; the table around the sheet likewise. It holds as long as a third of the sheet is bare.
    """
    picture = log_opponent(top_bgr)
    sheet, printed = sheet_mask(top), printed_mask(top)
    inner = sheet_mask(top, inset_mm=2.0) & ~printed
    surface, noise = _smooth_surface(picture, inner)
    paper = surface.copy()
    around = top.seen & ~sheet_mask(top, inset_mm=-4.0)
    desk = None
    if around.sum() > 2000:
        desk, _ = _smooth_surface(picture, around, simple=True)
        surface[~sheet] = desk[~sheet]
    for array in (surface, noise, sheet, printed):
        array.setflags(write=False)
    return Ground(surface, noise, sheet, printed, False, desk, paper)


def _terms(rows: npt.NDArray[np.float64], columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.stack([np.ones_like(rows), rows, columns, rows * rows, rows * columns, columns * columns], axis=-1)


def _smooth_surface(picture: Float32, where: Mask, *, simple: bool = False) -> tuple[Float32, Float32]:
    """Fit a surface of second order to the most frequent colour's pixels; `simple` stops at a plane."""
    shape = picture.shape[:2]
    rows, columns = np.nonzero(where[::3, ::3])
    if not len(rows):
        raise ValueError("the camera does not see the table's area at all")
    values = picture[rows * 3, columns * 3].astype(np.float64)
    scale = np.array([shape[0], shape[1]]) / 2.0
    terms = _terms(rows * 3 / scale[0] - 1, columns * 3 / scale[1] - 1)
    fit = np.zeros((6, 3))
    fit[0] = _most_frequent(values)
    for count, width in _TUKEY_WIDTHS:
        count = min(count, 3) if simple else count
        rest = values - terms @ fit
        square = (rest[:, 0] ** 2 + (2 * rest[:, 1]) ** 2 + (2 * rest[:, 2]) ** 2) / width**2
        weight = np.clip(1 - square, 0, None) ** 2
        weighted = terms[:, :count] * weight[:, None]
        fit = np.zeros((6, 3))
        fit[:count] = np.linalg.solve(terms[:, :count].T @ weighted + 1e-6 * np.eye(count), weighted.T @ values)
    rest = np.abs(values - terms @ fit)
    near = (rest < (0.12, 0.1, 0.1)).all(axis=1)
    spread = 1.4826 * np.median(rest[near], axis=0) if near.any() else np.full(3, 0.1)
    noise = np.maximum(spread, (0.01, 0.006, 0.006)).astype(np.float32)
    across = np.arange(shape[1]) / scale[1] - 1
    down = np.arange(shape[0]) / scale[0] - 1
    # The terms are sums of products of a row's and a column's part: far cheaper than a term for each pixel.
    surface = np.empty((*shape, 3), dtype=np.float32)
    for channel in range(3):
        constant, row, column, row2, cross, column2 = fit[:, channel]
        surface[..., channel] = (
            (constant + row * down + row2 * down * down)[:, None]
            + (column * across + column2 * across * across)[None, :]
            + cross * down[:, None] * across[None, :]
        )
    return surface, noise


def _most_frequent(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    cells = np.floor(values / (0.15, 0.1, 0.1)).astype(np.int64)
    cells -= cells.min(axis=0)
    shape = tuple(int(n) + 1 for n in cells.max(axis=0))
    counts = np.bincount(np.ravel_multi_index(tuple(cells.T), shape), minlength=int(np.prod(shape)))
    padded = np.pad(counts.reshape(shape), 1)
    around = sum(
        padded[a : a + shape[0], b : b + shape[1], c : c + shape[2]] for a, b, c in product(range(3), repeat=3)
    )
    best = np.array(np.unravel_index(int(np.argmax(around)), shape))
    near = (np.abs(cells - best) <= 1).all(axis=1)
    return np.asarray(values[near].mean(axis=0))


def learn_ground(tops_bgr: list[Image], top: TopView) -> Ground:
    """Learn the empty table from pictures of it, one or better several.

    Args:
        tops_bgr: pictures from above with nothing on the table, all of the same pose.
        top: the pose they were turned with.
    """
    if not tops_bgr:
        raise ValueError("learning the empty table takes at least one picture")
    expected = np.empty(tops_bgr[0].shape, dtype=np.float32)
    apart = []
    for upper in range(0, len(expected), STRIP_ROWS):
        lower = min(upper + STRIP_ROWS, len(expected))
        above, below = max(upper - 1, 0), lower + 1  # a row more on each side: the logarithms are of a blurred picture
        cut = slice(upper - above, upper - above + lower - upper)
        pictures = np.stack([log_opponent(picture[above:below])[cut] for picture in tops_bgr])
        expected[upper:lower] = np.median(pictures, axis=0)
        apart.append(np.abs(pictures[:, ::2, ::2] - expected[upper:lower:2, ::2]))
    if len(tops_bgr) > 1:
        spread = 1.4826 * np.median(np.concatenate(apart, axis=1), axis=(0, 1, 2))
    else:
        # One picture cannot tell noise from texture: the finest texture is an upper bound of the noise.
        spread = 1.4826 * np.median(np.abs(expected - cv2.blur(expected, (5, 5))), axis=(0, 1)) * 1.4
    noise = np.maximum(spread, (0.01, 0.006, 0.006)).astype(np.float32)
    sheet, printed = sheet_mask(top), printed_mask(top)
    around = np.ones((3, 3), np.uint8)
    doubt = np.asarray(EDGE_DOUBT * (cv2.dilate(expected, around) - cv2.erode(expected, around)), dtype=np.float32)
    for array in (expected, noise, sheet, printed, doubt):
        array.setflags(write=False)
    return Ground(expected, noise, sheet, printed, True, None, None, doubt)


def learnt_on_sheet(learnt: Ground, learnt_where: Mask, guessed: Ground) -> Ground:
    """Join a mat learnt from another place of the camera with a guess of the desk as it is seen now.

    Args:
        learnt: the empty table, learnt before.
        learnt_where: shape (rows, columns), where the camera saw it then.
        guessed: from a picture of now, of the same shape.
    """
    here = guessed.sheet & learnt_where
    expected, now = learnt.expected, guessed.expected
    if not here.any():
        return guessed
    shift = np.median((now - expected)[here][::7], axis=0).astype(np.float32)
    joined = np.where(here[..., None], expected + shift, now).astype(np.float32)
    doubt = learnt.doubt if learnt.doubt is not None else np.zeros_like(expected)
    doubt = np.where(here[..., None], doubt, 0).astype(np.float32)
    printed = guessed.printed & ~here
    for array in (joined, doubt, printed):
        array.setflags(write=False)
    noise = np.maximum(learnt.noise, guessed.noise * 0.5).astype(np.float32)
    return Ground(joined, noise, guessed.sheet, printed, True, guessed.desk, guessed.paper, doubt)
