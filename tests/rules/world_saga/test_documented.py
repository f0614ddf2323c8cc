from __future__ import annotations

import dataclasses
import pathlib

import pytest

from rules.sight import SightRules
from rules.world_saga.actions import MoveName
from rules.world_saga.state import BoonMode, InitiativeMode, Settings

PAGE = (pathlib.Path(__file__).parents[3] / "docs" / "rules-world-saga.md").read_text(encoding="utf-8")


OWN = [field for field in dataclasses.fields(Settings) if field.name != "sight"]


@pytest.mark.parametrize("field", [*OWN, *dataclasses.fields(SightRules)], ids=lambda field: field.name)
def test_every_setting_is_documented_with_its_default(field: dataclasses.Field[object]) -> None:
    """A row may hold several; those of sight stand among the combat's own."""
    row = next(line for line in PAGE.splitlines() if line.startswith("| `") and f"`{field.name}`" in line.split("|")[1])
    named = [name.strip().strip("`") for name in row.split("|")[1].split(",")]
    defaults = [value.strip().strip("`") for value in row.split("|")[2].split(",")]
    shown = "not set" if field.default is None else "off" if field.default is False else str(field.default)
    assert defaults[named.index(field.name) % len(defaults)] == shown


@pytest.mark.parametrize("value", [*InitiativeMode, *BoonMode])
def test_every_choice_is_documented(value: str) -> None:
    assert f"`{value}`" in PAGE


@pytest.mark.parametrize("name", MoveName)
def test_every_move_action_is_documented(name: MoveName) -> None:
    assert name.value in PAGE
