"""What was made out on the table before it is measured: pieces of the picture, each one thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from vision.observation import Point, Pose

FloatArray = npt.NDArray[np.float64]


class Kind(StrEnum):
    """What a piece is."""

    FIGURE = "figure"
    DIE = "die"
    OBSTACLE = "obstacle"
    HAND = "hand"


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One thing that covers a part of the table."""

    kind: Kind
    confidence: float
    outline_mm: FloatArray = field(repr=False)
    """Shape (n, 2): its outline as the camera sees it, thrown on the table; leans away from the camera."""
    mm: Point
    """Where it stands: the base's centre; a tipped figure's middle; a die's centre; an obstacle's middle."""
    pose: Pose = Pose.UNSURE
    """Of a figure."""
    height_mm: float = 0.0
    base_mm: float | None = None
    """Diameter of a figure's base, side of a die."""
    footprint_mm: FloatArray | None = field(default=None, repr=False)
    """Shape (n, 2), of an obstacle."""
    on_mm: float = 0.0
    """Height of what it stands on."""
    belief: float = 1.0
    """How probably there is a figure at all."""
    instead: Piece | None = field(default=None, repr=False)
    """What else it may be: a round head is taken for a die."""
