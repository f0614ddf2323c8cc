"""Cells of a checkerboard told from pips: a pip is surrounded by the body's colour, cells touch others at corners.

A picture's halvings blur the corners away, and then a cell is as round, even and well surrounded as a pip. So it is
asked in the picture itself: along how many ways does a spot's colour go on into a neighbour?
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.pip_spots import FloatArray, Spots, UInt8Array, sampled

DIRECTIONS = 64
"""Ways out of a spot that are tried; with 32 some corners of cells of 6 px are passed by."""

REACHES = np.arange(1.0, 2.26, 0.125, dtype=np.float32)
"""Where on each way, in the spot's own ellipse: its half-blurred outline lies up to 1.5 times too far inside of a cell,
and the next cell's corner up to 1.9 times."""

RING = slice(5, 9)
"""Those among them, 1.6 to 2 times as far, at which most of what surrounds a cell or a pip is ground."""

OPEN = 0.3
"""So much of the way from the ground's colour to the spot's must stay all along: half of it is what a corner shows, and
less where the picture is blurred or the way passes by."""

MOST_WAYS = 2
"""A pip may touch a neighbour on both sides, as the middle ones of a narrow 6 do; cells touch four."""


def are_cells(image_bgr: UInt8Array, spots: Spots) -> npt.NDArray[np.bool_]:
    """Which spots go on into neighbours along more than two separate ways, shape (n,).

    Args:
        image_bgr: the picture in which the spots were found, shape (rows, columns, 3).
        spots: as measured in it.
    """
    if not len(spots):
        return np.zeros(0, bool)
    angles = np.arange(DIRECTIONS, dtype=np.float32) * np.float32(2 * np.pi / DIRECTIONS)
    unit = np.column_stack([np.cos(angles), np.sin(angles)])
    edges = np.matmul(unit[None], _roots(spots.shapes).transpose(0, 2, 1))
    points = spots.centres[:, None, None] + edges[:, :, None] * REACHES[:, None]
    colours = sampled(image_bgr, points)
    inner = sampled(image_bgr, spots.centres)
    ground = np.median(colours[:, :, RING].reshape(len(spots), -1, 3), axis=1)
    direction = inner - ground
    square = np.maximum((direction**2).sum(axis=1), 1.0)
    likeness = ((colours - ground[:, None, None]) * direction[:, None, None]).sum(axis=3) / square[:, None, None]
    is_open = likeness.min(axis=2) > OPEN
    begins = is_open & ~np.roll(is_open, 1, axis=1)
    ways: npt.NDArray[np.bool_] = begins.sum(axis=1) > MOST_WAYS
    return ways


def _roots(shapes: FloatArray) -> FloatArray:
    """Lower triangular roots of ellipse matrices, shape (n, 2, 2): they map the unit circle to the ellipse."""
    a, b, d = shapes[:, 0, 0], shapes[:, 0, 1], shapes[:, 1, 1]
    first = np.sqrt(np.maximum(a, 1e-6))
    below = b / first
    second = np.sqrt(np.maximum(d - below**2, 1e-6))
    roots: FloatArray = np.stack([first, np.zeros_like(a), below, second], axis=1).reshape(-1, 2, 2).astype(np.float32)
    return roots
