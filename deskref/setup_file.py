"""The set-up of a game as a file: who plays with whom, from where, for how many minutes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deskref.inputs import Setup, SoldierSetup
from rules.skuffle_state import AREA_20X20_MM, Options, TurnOrder


class SetupError(Exception):
    """A set-up file that cannot be used; says where and what was expected."""


class _Soldier(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=40)
    team: str | None = Field(default=None, max_length=40)
    start_mm: tuple[float, float] | None = None
    pool: int | None = Field(default=None, ge=1, le=20)


class _SetupFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    game: Literal["skuffle-wammer"]
    minutes: Literal[1, 3, 5] = 5
    turn_order: TurnOrder = TurnOrder.TEAM_BLOCK
    strict: bool = False
    soldiers: list[_Soldier] = Field(min_length=2, max_length=20)


def load_setup(path: Path, *, with_camera: bool) -> Setup:
    """Read a set-up file.

    Raises:
        SetupError: it is no set-up, or something in it does not fit.
        OSError: the file cannot be read.
    """
    try:
        file = _SetupFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise SetupError(f"{path.name}: {where}: {first['msg']}") from error
    names = [s.name for s in file.soldiers]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise SetupError(f"{path.name}: two soldiers are called {twice!r}; give one of them another name")
    soldiers = tuple(
        SoldierSetup(s.name.lower(), s.name, s.team, s.start_mm if with_camera else None, s.pool) for s in file.soldiers
    )
    options = Options(minutes=file.minutes, area_mm=AREA_20X20_MM, turn_order=file.turn_order, strict=file.strict)
    return Setup(soldiers, options, with_camera)
