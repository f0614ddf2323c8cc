"""What the eyes know beforehand of the table and the lens, as journals keep it: with it a film is seen the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.lens import Lens
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind


@dataclass(frozen=True, slots=True, eq=False)
class Looking:
    """What marks the table, and through which lens it is seen."""

    table: TableChoice = MAT_TABLE
    lens: Lens | None = None
    """None where the camera was not calibrated."""

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON objects: `table`, and `lens` or null."""
        table = self.table
        return {
            "table": {
                "kind": table.kind.value,
                "width_mm": table.width_mm,
                "depth_mm": table.depth_mm,
                "corners": [list(corner) for corner in table.corners],
                "print_scale": table.print_scale,
            },
            "lens": None if self.lens is None else [_as_json(lens) for lens in (self.lens, *self.lens.others)],
        }


def looking_from_json(data: dict[str, Any]) -> Looking:
    """Make it again from `Looking.as_json`'s objects; what is not there is the mat, and no lens.

    Raises:
        ValueError: something in it cannot be; says what.
    """
    try:
        table, lens = data.get("table"), data.get("lens")
        choice = MAT_TABLE if table is None else _table(table)
        if lens is None:
            return Looking(choice)
        first, *others = (_lens(one) for one in lens)
        return Looking(choice, Lens(first.camera_matrix, first.distortion, first.size, others=tuple(others)))
    except KeyError as error:
        raise ValueError(f"table or lens lack {error.args[0]!r}") from error
    except (TypeError, AttributeError) as error:
        raise ValueError("table or lens are of a wrong kind") from error


def _table(data: dict[str, Any]) -> TableChoice:
    corners = tuple((_finite(x), _finite(y)) for x, y in data["corners"])
    width_mm, depth_mm, scale = (_finite(data[name]) for name in ("width_mm", "depth_mm", "print_scale"))
    if min(width_mm, depth_mm, scale) <= 0:
        raise ValueError(f"a table has a size and a scale above 0, not {width_mm!r} x {depth_mm!r} at {scale!r}")
    return TableChoice(TableKind(data["kind"]), width_mm, depth_mm, corners, scale)


def _as_json(lens: Lens) -> dict[str, Any]:
    return {
        "size": list(lens.size),
        "camera_matrix": lens.camera_matrix.tolist(),
        "distortion": lens.distortion.tolist(),
    }


def _lens(data: dict[str, Any]) -> Lens:
    width, height = (int(side) for side in data["size"])
    if width < 1 or height < 1:
        raise ValueError(f"a picture has a width and a height, not {width!r} x {height!r}")
    matrix = [[_finite(value) for value in row] for row in data["camera_matrix"]]
    return Lens(np.array(matrix), np.array([_finite(value) for value in data["distortion"]]), (width, height))


def _finite(value: Any) -> float:
    if not isinstance(value, int | float):
        raise ValueError(f"expected a number, not {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"expected a number, not {value!r}")
    return number
