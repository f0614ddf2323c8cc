"""Keep what was measured about cameras and sheets in one small file of the settings folder."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.lens import Lens

FILE_NAME = "calibration.json"


class StoreError(Exception):
    """The file with the calibrations cannot be read or written; says which and why."""


_Number = Annotated[float, Field(allow_inf_nan=False)]
_Row = tuple[_Number, _Number, _Number]
_Pixels = Annotated[int, Field(ge=1)]
_Scale = Annotated[float, Field(gt=0.2, lt=5)]


class _StoredLens(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    camera: str = Field(min_length=1)
    size: tuple[_Pixels, _Pixels]
    camera_matrix: tuple[_Row, _Row, _Row]
    distortion: tuple[_Number, _Number, _Number, _Number, _Number]
    rms_px: float
    views: int


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    lenses: tuple[_StoredLens, ...] = ()
    print_scales: dict[str, _Scale] = {}


def save_lens(folder: Path, camera: str, lens: Lens) -> None:
    """Keep a lens under its camera's identity and picture size; replaces an earlier one of both.

    Args:
        folder: of the settings; made if it is not there.
        camera: the camera's stable identity, not its number.
        lens: what was calibrated.

    Raises:
        StoreError: the file cannot be read or written.
    """
    stored = _read(folder)
    new = _StoredLens(
        camera=camera,
        size=lens.size,
        camera_matrix=lens.camera_matrix.tolist(),
        distortion=lens.distortion.tolist(),
        rms_px=lens.rms_px,
        views=lens.views,
    )
    others = tuple(old for old in stored.lenses if (old.camera, old.size) != (camera, lens.size))
    _write(folder, stored.model_copy(update={"lenses": (*others, new)}))


def load_lens(folder: Path, camera: str, size: tuple[int, int]) -> Lens | None:
    """Give the lens of a camera for pictures of a size, scaled from another size of the same aspect where needed.

    Returns:
        None where this camera was never calibrated at this aspect.

    Raises:
        StoreError: the file is broken.
    """
    lens = load_lenses(folder, camera)
    return lens.at(size) if lens is not None and lens.fits(size) else None


def load_lenses(folder: Path, camera: str) -> Lens | None:
    """Give the lens of a camera with all sizes that it was calibrated at, for pictures whose size is not known yet.

    Returns:
        The last calibrated one, the others in its `others`; None where this camera was never calibrated.

    Raises:
        StoreError: the file is broken.
    """
    lenses = [
        Lens(np.array(old.camera_matrix), np.array(old.distortion), old.size, old.rms_px, old.views)
        for old in _read(folder).lenses
        if old.camera == camera
    ]
    return replace(lenses[-1], others=tuple(lenses[:-1])) if lenses else None


def calibrated_cameras(folder: Path) -> tuple[str, ...]:
    """Give the identities of all cameras whose lens was calibrated, in alphabetical order.

    Raises:
        StoreError: the file is broken.
    """
    return tuple(sorted({lens.camera for lens in _read(folder).lenses}))


def save_print_scale(folder: Path, sheet: str, scale: float) -> None:
    """Keep the print scale of a sheet, such as that of `mat`.

    Raises:
        ValueError: a scale that is none.
        StoreError: the file cannot be read or written.
    """
    if not 0.2 < scale < 5:
        raise ValueError(f"a print scale is about 1, not {scale!r}")
    stored = _read(folder)
    _write(folder, stored.model_copy(update={"print_scales": {**stored.print_scales, sheet: scale}}))


def load_print_scale(folder: Path, sheet: str) -> float:
    """Give the print scale of a sheet: true millimetres for each nominal one; 1.0 where it was never checked.

    Raises:
        StoreError: the file is broken.
    """
    return _read(folder).print_scales.get(sheet, 1.0)


def _read(folder: Path) -> _Stored:
    path = folder / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return _Stored()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    try:
        return _Stored.model_validate_json(text)
    except ValidationError as error:
        raise StoreError(f"{path} is damaged; delete it and calibrate again ({error.error_count()} errors)") from error


def _write(folder: Path, stored: _Stored) -> None:
    path = folder / FILE_NAME
    fresh = path.with_suffix(".new")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(stored.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
        os.replace(fresh, path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
