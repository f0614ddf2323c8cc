"""A table scene as data: the mat, what stands on it, the light and the camera; and its JSON form.

Lengths are millimetres. The table's origin is the mat's centre, x right, y away from the near edge (the side of markers
3, 4, 5), z up from the table. Colours are linear RGB, each 0..1.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from dataclasses import dataclass, field
from typing import Any, Literal

from models.training.scenes.turning import UPRIGHT, Quaternion, Vector

Colour = tuple[float, float, float]
Place = tuple[float, float]

MatLook = Literal["paper", "parchment", "slate", "moss"]
BaseShape = Literal["round", "square"]
Family = Literal["soldier", "robed", "beast", "winged", "walker", "bust", "turned"]
Paint = Literal["painted", "plastic", "metal"]
TableLook = Literal["wood", "cloth", "plain"]
PipLayout = Literal["standard", "close", "inline", "big_one"]


@dataclass(frozen=True, slots=True)
class Mat:
    """The printed six-marker sheet, lying at the origin."""

    look: MatLook = "paper"
    paper: Literal["a4", "letter"] = "a4"
    has_grid: bool = False
    curl_mm: float = 0.0
    """How far the corners lift from the table."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The desk under the mat."""

    look: TableLook = "wood"
    colour: Colour = (0.35, 0.2, 0.1)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """One miniature on its base: procedural, or a mesh of a given folder."""

    name: str
    at_mm: Vector
    """Where the underside's centre of the base is."""
    turn: Quaternion = UPRIGHT
    family: Family = "soldier"
    seed: int = 0
    base_mm: float = 25.0
    height_mm: float = 32.0
    """From the base's underside to the highest point, when it stands."""
    paint: Paint = "painted"
    colour: Colour = (0.2, 0.25, 0.5)
    tipped: bool = False
    mesh: str = ""
    """File name in the folder of meshes; empty for a procedural figure."""
    pose: str = ""
    """Animation of the mesh whose middle frame is taken."""
    base_shape: BaseShape = "round"
    """A square one is as wide as `base_mm`."""


@dataclass(frozen=True, slots=True)
class DieStyle:
    """How a six-sided die looks."""

    body: Colour = (0.8, 0.74, 0.58)
    pips: Colour = (0.015, 0.015, 0.015)
    one: Colour | None = None
    """Colour of the single pip where it differs, as on many Asian dice."""
    roughness: float = 0.25
    translucency: float = 0.0
    rounding: float = 0.12
    """Radius of edges and corners as a share of the size."""
    pip_share: float = 0.105
    """Radius of a pip as a share of the size."""
    layout: PipLayout = "standard"


@dataclass(frozen=True, slots=True)
class Die:
    """One six-sided die; its value is the face that its turn brings up."""

    name: str
    at_mm: Vector
    """Where its centre is."""
    turn: Quaternion = UPRIGHT
    size_mm: float = 16.0
    style: DieStyle = field(default_factory=DieStyle)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A box or an upright cylinder standing on the table."""

    name: str
    at_mm: Place
    size_mm: Vector
    """Length, width and height; a cylinder's length is its diameter."""
    kind: Literal["box", "cylinder"] = "box"
    heading_degrees: float = 0.0
    colour: Colour = (0.7, 0.7, 0.72)
    sleeve: Colour | None = None
    """Colour of the paper sleeve around an eraser."""
    lift_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand with forearm and sleeve that reaches in."""

    name: str
    at_mm: Vector
    """Where the finger tips meet."""
    heading_degrees: float
    """Where the arm points, counter-clockwise from +x."""
    grip: Literal["pinch", "wide", "open"] = "pinch"
    skin: Colour = (0.62, 0.36, 0.25)
    sleeve: Colour = (0.05, 0.08, 0.16)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A rectangular lamp that shines on the mat's centre."""

    at_mm: Vector
    power: float
    """In watts at the renderer's scale of one unit for 10 mm."""
    width_mm: float = 120.0
    colour: Colour = (1.0, 0.93, 0.82)


@dataclass(frozen=True, slots=True)
class Light:
    """All the light on the table."""

    lamps: tuple[Lamp, ...] = ()
    surroundings: str = "interior"
    """One of the environment maps that come with Blender: city, courtyard, forest, interior, night, studio, sunrise,
    sunset."""
    surroundings_strength: float = 0.7
    surroundings_degrees: float = 0.0
    exposure: float = 0.0
    """In stops."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera with radial distortion."""

    at_mm: Vector
    target_mm: Vector = (0.0, 0.0, 0.0)
    roll_degrees: float = 0.0
    focal_px: float = 1350.0
    size: tuple[int, int] = (1280, 720)
    k1: float = 0.0
    """First radial coefficient of OpenCV's lens model; negative is barrel distortion."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera does to the picture after the lens."""

    noise_sigma: float = 2.0
    """Standard deviation in grey levels of 255."""
    sharpening: float = 0.0
    vignetting: float = 0.0
    """Share of the light that the corners lose."""
    jpeg_quality: int = 92
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that one picture shows."""

    mat: Mat | None
    table: Table
    light: Light
    camera: Camera
    sensor: Sensor
    figures: tuple[Figure, ...] = ()
    dice: tuple[Die, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    hands: tuple[Hand, ...] = ()


def to_json(scene: Scene) -> str:
    """Give the scene as JSON text; `from_json` brings the equal scene back."""
    return json.dumps(dataclasses.asdict(scene), indent=1)


def from_json(text: str) -> Scene:
    """Read a scene from `to_json`'s text.

    Raises:
        ValueError: the text is no scene; the message names the field.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"a scene is a JSON object: {error}") from error
    scene = _value(Scene, data, "scene")
    assert isinstance(scene, Scene)
    return scene


def _value(kind: Any, data: Any, where: str) -> Any:  # Any: what JSON holds, checked against the dataclass's types here
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _object(kind, data, where)
    if origin in (types.UnionType, typing.Union):
        if data is None and type(None) in arguments:
            return None
        return _value(next(a for a in arguments if a is not type(None)), data, where)
    if origin is Literal:
        if data not in arguments:
            raise ValueError(f"{where} must be one of {arguments!r}, not {data!r}")
        return data
    if origin is tuple:
        if not isinstance(data, list | tuple):
            raise ValueError(f"{where} must be a list, not {data!r}")
        if arguments[-1] is Ellipsis:
            return tuple(_value(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(data))
        if len(data) != len(arguments):
            raise ValueError(f"{where} must hold {len(arguments)} values, not {data!r}")
        return tuple(_value(a, item, f"{where}[{i}]") for i, (a, item) in enumerate(zip(arguments, data, strict=True)))
    if kind is float and isinstance(data, int | float) and not isinstance(data, bool):
        return float(data)
    if type(data) is not kind:
        raise ValueError(f"{where} must be {kind.__name__}, not {data!r}")
    return data


def _object(kind: Any, data: Any, where: str) -> Any:  # Any: as in _value
    if not isinstance(data, dict):
        raise ValueError(f"{where} must be an object, not {data!r}")
    hints = typing.get_type_hints(kind)
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise ValueError(f"{where} has no field {unknown[0]!r}")
    values = {name: _value(hints[name], item, f"{where}.{name}") for name, item in data.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error
