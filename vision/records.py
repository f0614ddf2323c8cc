"""Observations as JSON lines and back: what a recording holds, and what is replayed from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vision.observation import (
    Box,
    Observation,
    Point,
    Pose,
    SeenDie,
    SeenFigure,
    SeenHand,
    SeenMotion,
    SeenObstacle,
    TableSeen,
)

_PLACES = 3
"""Decimals of millimetres and pixels: far below what is measured, and they keep a line short."""


def observation_as_record(observation: Observation) -> dict[str, Any]:
    """Give everything of an observation as a JSON object; what is absent or usual is left out."""
    table = observation.table
    record: dict[str, Any] = {
        "frame": observation.frame,
        "time_s": round(observation.time_s, 4),
        "size": list(observation.size),
        "table": _lean({"found": table.found, "markers": table.markers, "advice": table.advice, "moved": table.moved}),
    }
    if not table.steady:
        record["table"]["steady"] = False
    if table.doubt_mm is not None:
        record["table"]["doubt_mm"] = _number(table.doubt_mm)
    parts: dict[str, list[dict[str, Any]]] = {
        "dice": [_die_record(d) for d in observation.dice],
        "figures": [_figure_record(f) for f in observation.figures],
        "obstacles": [
            {"outline_mm": _pairs(o.outline_mm), "height_mm": _number(o.height_mm), "box": _list(o.box),
             "confidence": _number(o.confidence)}
            for o in observation.obstacles
        ],
        "hands": [
            {"outline_px": _pairs(h.outline_px), "outline_mm": _pairs(h.outline_mm)} for h in observation.hands
        ],
        "motions": [{"outline_mm": _pairs(m.outline_mm)} for m in observation.motions],
    }  # fmt: skip
    record.update({name: values for name, values in parts.items() if values})
    if observation.moving:
        record["moving"] = True
    if observation.hidden_mm:
        record["hidden_mm"] = _pairs(observation.hidden_mm)
    if observation.moved_px:
        record["moved_px"] = _list(observation.moved_px)
    return record


def observation_from_record(record: dict[str, Any]) -> Observation:
    """Make an observation again from `observation_as_record`'s object.

    Raises:
        ValueError: a field is missing or of the wrong kind; the message names it.
    """
    try:
        table = record["table"]
        return Observation(
            frame=int(record["frame"]),
            time_s=float(record["time_s"]),
            size=(int(record["size"][0]), int(record["size"][1])),
            table=TableSeen(
                bool(table["found"]),
                int(table.get("markers", 0)),
                table.get("advice"),
                bool(table.get("moved", False)),
                bool(table.get("steady", True)),
                None if table.get("doubt_mm") is None else float(table["doubt_mm"]),
            ),
            dice=tuple(_die(d) for d in record.get("dice", ())),
            figures=tuple(_figure(f) for f in record.get("figures", ())),
            obstacles=tuple(
                SeenObstacle(_points(o["outline_mm"]), float(o["height_mm"]), _box(o["box"]), float(o["confidence"]))
                for o in record.get("obstacles", ())
            ),
            hands=tuple(SeenHand(_points(h["outline_px"]), _points(h["outline_mm"])) for h in record.get("hands", ())),
            moving=bool(record.get("moving", False)),
            moved_px=tuple(float(v) for v in record.get("moved_px", ())),
            motions=tuple(SeenMotion(_points(m["outline_mm"])) for m in record.get("motions", ())),
            hidden_mm=_points(record.get("hidden_mm", ())),
        )
    except KeyError as error:
        raise ValueError(f"the observation lacks {error.args[0]!r}") from error
    except (TypeError, IndexError, AttributeError, OverflowError) as error:
        raise ValueError(f"the observation does not fit: {error}") from error


def as_recorded(observation: Observation) -> Observation:
    """Give the observation as its record would: who goes on from it live comes to the same as who replays it."""
    return observation_from_record(observation_as_record(observation))


def _die_record(die: SeenDie) -> dict[str, Any]:
    return _lean(
        {
            "box": _list(die.box), "value": die.value, "confidence": _number(die.confidence), "mm": _maybe(die.mm),
            "size_mm": _number(die.size_mm), "colour": die.colour, "height_mm": _number(die.height_mm) or None,
            "cocked": die.cocked or None, "why": die.why, "top_px": die.top_px and _pairs(die.top_px),
            "arrived": None if die.arrived is None else int(die.arrived),
        }
    )  # fmt: skip


def _die(record: dict[str, Any]) -> SeenDie:
    top = record.get("top_px")
    corners = _points(top) if top else None
    if corners is not None and len(corners) != 4:
        raise ValueError(f"a die's top face has 4 corners, not {len(corners)!r}")
    return SeenDie(
        _box(record["box"]), record.get("value"), float(record["confidence"]), _point(record.get("mm")),
        record.get("size_mm"), record.get("colour"), float(record.get("height_mm", 0.0)),
        bool(record.get("cocked", False)), record.get("why"),
        (corners[0], corners[1], corners[2], corners[3]) if corners else None,
        None if record.get("arrived") is None else bool(record["arrived"]),
    )  # fmt: skip


def _figure_record(figure: SeenFigure) -> dict[str, Any]:
    return _lean(
        {
            "box": _list(figure.box), "pose": figure.pose.value, "confidence": _number(figure.confidence),
            "mm": _maybe(figure.mm), "height_mm": _number(figure.height_mm), "base_mm": _number(figure.base_mm),
            "on_mm": _number(figure.on_mm) or None, "appearance": _list(figure.appearance) or None,
        }
    )  # fmt: skip


def _figure(record: dict[str, Any]) -> SeenFigure:
    return SeenFigure(
        _box(record["box"]), Pose(record["pose"]), float(record["confidence"]), _point(record.get("mm")),
        record.get("height_mm"), record.get("base_mm"), float(record.get("on_mm", 0.0)),
        tuple(float(v) for v in record.get("appearance", ())),
    )  # fmt: skip


def _lean(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in record.items() if (value is not None and value is not False) or name == "found"
    }


def _number(value: float | None) -> float | None:
    return None if value is None else round(float(value), _PLACES)


def _list(values: Sequence[float]) -> list[float]:
    return [round(float(v), _PLACES) for v in values]


def _maybe(values: Sequence[float] | None) -> list[float] | None:
    return None if values is None else _list(values)


def _pairs(points: Sequence[Point]) -> list[list[float]]:
    return [_list(p) for p in points]


def _point(values: Any) -> Point | None:
    return None if values is None else (float(values[0]), float(values[1]))


def _points(values: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in values)


def _box(values: Any) -> Box:
    left, top, right, bottom = values
    return float(left), float(top), float(right), float(bottom)
