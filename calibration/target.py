"""A printed target: which markers lie where on the table, in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

MARKER_MODULES = 6
"""A 4x4 marker is six modules wide with its black border."""

DICTIONARY_NAME = "DICT_4X4_50"
"""The marker dictionary of everything that this project prints."""


@cache
def dictionary(name: str) -> Any:
    """Look up a predefined marker dictionary by its OpenCV name, such as `DICT_4X4_50`.

    Raises:
        ValueError: there is no such dictionary.
    """
    number = getattr(cv2.aruco, name, None)
    if not name.startswith("DICT_") or number is None:
        raise ValueError(f"there is no marker dictionary {name!r}")
    return cv2.aruco.getPredefinedDictionary(number)


@cache
def marker_cells(name: str, number: int) -> npt.NDArray[np.bool_]:
    """Give a marker's modules with its border: True is white; row 0 is the marker's top.

    Args:
        name: of the dictionary.
        number: the marker's id.

    Returns:
        Shape (n, n), n = 6 for 4x4 markers; read-only.
    """
    found = dictionary(name)
    side = int(found.markerSize) + 2
    cells: npt.NDArray[np.bool_] = np.asarray(found.generateImageMarker(number, side)) > 127
    cells.setflags(write=False)
    return cells


def square_corners(center_mm: tuple[float, float], side_mm: float) -> FloatArray:
    """Give a marker's corners, shape (4, 2): far left, far right, near right, near left (OpenCV's order)."""
    x, y = center_mm
    half = side_mm / 2
    return np.array([(x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)])


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What is printed: the markers' corners on the table and the play area between them.

    Coordinates as in `TableView`: millimetres, x right, y away from the near edge.
    """

    name: str
    """For messages and the store, such as `mat`."""
    corners_mm: Mapping[int, FloatArray]
    """By marker id: shape (4, 2), in the order far left, far right, near right, near left of the upright marker."""
    field_mm: tuple[float, float, float, float]
    """The play area: left, near, right, far."""
    dictionary: str = DICTIONARY_NAME

    def __post_init__(self) -> None:
        """Check the corners and make them read-only."""
        checked: dict[int, FloatArray] = {}
        for number, corners in self.corners_mm.items():
            array = np.array(corners, dtype=np.float64)
            if array.shape != (4, 2):
                raise ValueError(f"marker {number!r} needs corners of shape (4, 2), not {array.shape!r}")
            array.setflags(write=False)
            checked[number] = array
        object.__setattr__(self, "corners_mm", MappingProxyType(checked))

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of all markers, ascending."""
        return tuple(sorted(self.corners_mm))

    @property
    def side_mm(self) -> float:
        """The side of the target's smallest marker."""
        return min(float(np.linalg.norm(c[1] - c[0])) for c in self.corners_mm.values())

    def corners_3d(self, ids: tuple[int, ...]) -> FloatArray:
        """Stack the corners of some markers as table points, shape (4 n, 3), height 0."""
        flat = np.concatenate([self.corners_mm[number] for number in ids])
        return np.column_stack([flat, np.zeros(len(flat))])

    def scaled(self, factor: float) -> Target:
        """Give the target as it is on paper printed at `factor` of its nominal size; at 1 the very same."""
        if factor == 1.0:
            return self
        corners = {number: array * factor for number, array in self.corners_mm.items()}
        left, near, right, far = (edge * factor for edge in self.field_mm)
        return Target(self.name, corners, (left, near, right, far), self.dictionary)
