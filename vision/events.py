"""What happened on the table: the events that follow from settled observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from vision.observation import Point, Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """Something that happened; `kind` names it in recordings."""

    frame: int
    time_s: float
    kind: ClassVar[str] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DieEvent(TableEvent):
    """Something about one die; `die` is its track, which it keeps until it leaves the table."""

    die: int
    mm: Point
    value: int | None = None
    """Settled pips, None while unsure."""
    confidence: float = 0.0
    colour: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DieAppeared(DieEvent):
    """A die lies on the table, at rest, that was not there: put down, or seen at the start."""

    kind: ClassVar[str] = "die_appeared"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieTaken(DieEvent):
    """A die has gone from the place where it lay, taken by a hand; `mm` and `value` are what it was."""

    kind: ClassVar[str] = "die_taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieRemoved(DieEvent):
    """A die that was taken has not come back and is off the table; `mm` and `value` are what it was."""

    kind: ClassVar[str] = "die_removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieThrown(DieEvent):
    """A die rolls or flies over the table: its value will follow as `DieAtRest`."""

    kind: ClassVar[str] = "die_thrown"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieAtRest(DieEvent):
    """A thrown die has come to rest and is readable, or stays unreadable (`value` None: the player is asked)."""

    settled_s: float = 0.0
    """From the last movement to this event."""
    kind: ClassVar[str] = "die_rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieMoved(DieEvent):
    """A die was pushed or knocked to another place without being taken up or rolled; `mm` is the new one."""

    from_mm: Point
    kind: ClassVar[str] = "die_moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieValueChanged(DieEvent):
    """A die at rest reads differently for good (an unsure one became readable); not a roll."""

    kind: ClassVar[str] = "die_value"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureEvent(TableEvent):
    """Something about one figure; `figure` is its track, which it keeps through moves and occlusions."""

    figure: int
    mm: Point
    pose: Pose
    confidence: float = 0.0
    height_mm: float | None = None
    base_mm: float | None = None
    doubt_mm: float | None = None
    """How far off `mm` may be by the camera's pose and by how flat the sheet lies; None where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureEntered(FigureEvent):
    """A figure stands on the table that was not there."""

    kind: ClassVar[str] = "figure_entered"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLifted(FigureEvent):
    """A figure was taken up by a hand and is in the air; `mm` is where it stood."""

    kind: ClassVar[str] = "figure_lifted"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureMoved(FigureEvent):
    """A figure stands settled at another place; `mm` is the new one."""

    from_mm: Point
    kind: ClassVar[str] = "figure_moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigurePlaced(FigureEvent):
    """The place of a figure that has not stirred is known better than when it was last told; no move."""

    kind: ClassVar[str] = "figure_placed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTipped(FigureEvent):
    """A figure that stood lies on its side."""

    kind: ClassVar[str] = "figure_tipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureStood(FigureEvent):
    """A figure that lay stands again."""

    kind: ClassVar[str] = "figure_stood"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLeft(FigureEvent):
    """A figure is gone from the table."""

    kind: ClassVar[str] = "figure_left"


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresUnsure(TableEvent):
    """Two or more figures can no longer be told apart: the player is asked who is who."""

    figures: tuple[int, ...]
    kind: ClassVar[str] = "figures_unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class ObstacleMoved(TableEvent):
    """An obstacle came, went, or stands elsewhere."""

    obstacle: int
    outline_mm: tuple[Point, ...]
    """The new footprint; empty where it is gone."""
    height_mm: float
    kind: ClassVar[str] = "obstacle_moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver(TableEvent):
    """Something reaches in over the table."""

    kind: ClassVar[str] = "hand_over"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandGone(TableEvent):
    """Nothing reaches in any more."""

    kind: ClassVar[str] = "hand_gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraMoved(TableEvent):
    """The camera or the mat was pushed; places are measured anew."""

    kind: ClassVar[str] = "camera_moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLost(TableEvent):
    """The table can no longer be found in the picture."""

    advice: str = ""
    kind: ClassVar[str] = "table_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFound(TableEvent):
    """The table is found, for the first time or again."""

    markers: int = 0
    kind: ClassVar[str] = "table_found"


EVENTS: tuple[type[TableEvent], ...] = (
    DieAppeared,
    DieTaken,
    DieRemoved,
    DieThrown,
    DieAtRest,
    DieMoved,
    DieValueChanged,
    FigureEntered,
    FigureLifted,
    FigureMoved,
    FigurePlaced,
    FigureTipped,
    FigureStood,
    FigureLeft,
    FiguresUnsure,
    ObstacleMoved,
    HandOver,
    HandGone,
    CameraMoved,
    TableLost,
    TableFound,
)
"""All kinds of event, for recordings and their documentation."""


def event_as_json(event: TableEvent) -> dict[str, Any]:
    """Give the event as a JSON object: `frame`, `time_s`, `type` and the event's own fields."""
    fields = [name for base in type(event).__mro__[::-1] for name in getattr(base, "__slots__", ())]
    values = {name: _plain(getattr(event, name)) for name in fields}
    return {"frame": values.pop("frame"), "time_s": values.pop("time_s"), "type": event.kind, **values}


def event_from_json(data: dict[str, Any]) -> TableEvent:
    """Make the event again from `event_as_json`'s object.

    Raises:
        ValueError: the object names no known kind of event, or its fields do not fit.
    """
    kinds = {kind.kind: kind for kind in EVENTS}
    values = dict(data)
    name = values.pop("type", None)
    if not isinstance(name, str) or name not in kinds:
        raise ValueError(f"{name!r} is no kind of event; known are {', '.join(kinds)}")
    for key, value in values.items():
        if isinstance(value, list):
            values[key] = tuple(tuple(v) if isinstance(v, list) else v for v in value)
        if key == "pose":
            values[key] = Pose(value)
    try:
        return kinds[name](**values)
    except TypeError as error:
        raise ValueError(f"the event {name!r} does not fit: {error}") from error


def _plain(value: Any) -> Any:  # any JSON value goes in and out
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Pose):
        return value.value
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value
