"""What is seen in one frame, without memory: dice, figures, obstacles and hands, in pixels and millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the frame."""


class Pose(StrEnum):
    """How a figure stands."""

    STANDING = "standing"
    TIPPED = "tipped"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class TableSeen:
    """Whether and how the table was found in the frame."""

    found: bool
    markers: int = 0
    """How many of the printed markers were seen whole; 0 while an earlier pose is held."""
    advice: str | None = None
    """Why it was not found, in words for the player."""
    moved: bool = False
    """Whether camera or mat were pushed since the frame before."""
    steady: bool = True
    """Whether the pose can be trusted to the millimetre; not in the first frames after a push."""
    doubt_mm: float | None = None
    """How far off the places of this frame may be by the pose, in mm; None where it is not known."""


DOUBTFUL_DIE = 0.1
"""An unread find in a plain picture below this is hardly ever a die: `vision.die_likelihood`."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die, on the table or in a plain photograph."""

    box: Box
    value: int | None
    """Pips of the top face, 1 to 6; None while unsure."""
    confidence: float
    """0..1, of the value where there is one, else that this is a die."""
    mm: Point | None = None
    """Centre of the die on the table; None without a table."""
    size_mm: float | None = None
    colour: str | None = None
    """Name of the body's colour class, such as `ivory` or `blue`."""
    height_mm: float = 0.0
    """Of what the die lies on: 0 on the table, more on an obstacle."""
    cocked: bool = False
    """Leans on something: its top face is not level."""
    why: str | None = None
    """Why the value is unsure, in words for the player."""
    top_px: tuple[Point, Point, Point, Point] | None = None
    """Corners of the top face, where they were found."""
    arrived: bool | None = None
    """Whether it came to lie here by itself: the place was seen bare after any hand had been over it; None where only
    one picture is known."""

    @property
    def is_doubtful(self) -> bool:
        """Whether this is hardly a die: nothing that a person should be asked about."""
        return self.value is None and self.mm is None and self.confidence < DOUBTFUL_DIE


@dataclass(frozen=True, slots=True)
class SeenFigure:
    """One miniature."""

    box: Box
    pose: Pose
    confidence: float
    mm: Point | None = None
    """Where it stands: the base's centre; a tipped figure's middle. None without a table."""
    height_mm: float | None = None
    """Along the vertical when standing; the length when tipped."""
    base_mm: float | None = None
    """Diameter of the base; None where none was made out."""
    on_mm: float = 0.0
    """Height of what it stands on: 0 on the table."""
    appearance: tuple[float, ...] = ()
    """A short colour signature by which the tracker tells figures apart."""


MEASURED_CORNERS = (4, 24)
"""Corners of an obstacle's outline that was laid by its edges in the picture (`vision.prism_fit`: rectangles and
circles); outlines that only the net has drawn have others."""


@dataclass(frozen=True, slots=True)
class SeenObstacle:
    """Something solid that is neither die, figure nor hand."""

    outline_mm: tuple[Point, ...]
    """Footprint on the table, counter-clockwise seen from above."""
    height_mm: float
    box: Box
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand or arm or whatever reaches in; what lies below it is unknown."""

    outline_px: tuple[Point, ...]
    outline_mm: tuple[Point, ...] = ()
    """The same on the table plane (its shadow on the table as the camera sees it); empty without a table."""


@dataclass(frozen=True, slots=True)
class SeenMotion:
    """A place whose picture changes though no hand is there: a die that rolls, a figure that falls."""

    outline_mm: tuple[Point, ...]
    """As thrown on the table."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything seen in one frame."""

    frame: int
    time_s: float
    size: tuple[int, int]
    """Width and height of the frame in pixels."""
    table: TableSeen
    dice: tuple[SeenDie, ...] = ()
    figures: tuple[SeenFigure, ...] = ()
    obstacles: tuple[SeenObstacle, ...] = ()
    hands: tuple[SeenHand, ...] = ()
    moving: bool = False
    """Whether the picture of the table changes so much that nothing in it is settled."""
    moved_px: tuple[float, ...] = ()
    """For each die, how far its picture changed since the frame before, 0..1; empty where not measured."""
    motions: tuple[SeenMotion, ...] = ()
    hidden_mm: tuple[Point, ...] = ()
    """Where things stand that are known of but out of view behind others; only a watcher with memory can tell."""


def as_json(observation: Observation) -> dict[str, Any]:
    """Give the observation as a JSON object in the format of `deskref observe --json`, without the file's name."""
    return {
        "table": {"found": observation.table.found, "markers": observation.table.markers},
        "dice": [
            {
                "mm": _rounded(d.mm),
                "value": d.value,
                "confidence": round(d.confidence, 3),
                "box": _rounded(d.box),
                "size_mm": d.size_mm and round(d.size_mm, 1),
                "colour": d.colour,
                "cocked": d.cocked,
                "why": d.why,
            }
            for d in observation.dice
        ],
        "figures": [
            {
                "mm": _rounded(f.mm),
                "pose": f.pose.value,
                "height_mm": f.height_mm and round(f.height_mm, 1),
                "base_mm": f.base_mm and round(f.base_mm, 1),
                "confidence": round(f.confidence, 3),
                "box": _rounded(f.box),
            }
            for f in observation.figures
        ],
        "obstacles": [
            {
                "outline_mm": [_rounded(p) for p in o.outline_mm],
                "height_mm": round(o.height_mm, 1),
                "box": _rounded(o.box),
            }
            for o in observation.obstacles
        ],
        "hands": [{"outline_px": [_rounded(p) for p in h.outline_px]} for h in observation.hands],
    }


def _rounded(values: tuple[float, ...] | None) -> list[float] | None:
    return None if values is None else [round(v, 1) for v in values]
