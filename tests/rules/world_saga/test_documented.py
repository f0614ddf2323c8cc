from __future__ import annotations

import dataclasses
import pathlib

import pytest

from rules.world_saga.actions import MoveName
from rules.world_saga.state import BoonMode, InitiativeMode, Settings

PAGE = (pathlib.Path(__file__).parents[3] / "docs" / "rules-world-saga.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("field", dataclasses.fields(Settings), ids=lambda field: field.name)
def test_every_setting_is_documented_with_its_default(field: dataclasses.Field[object]) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `") and f"`{field.name}`" in line.split("|")[1])
    shown = "not set" if field.default is None else "off" if field.default is False else str(field.default)
    assert row.split("|")[2].strip().strip("`") == shown


@pytest.mark.parametrize("value", [*InitiativeMode, *BoonMode])
def test_every_choice_is_documented(value: str) -> None:
    assert f"`{value}`" in PAGE


@pytest.mark.parametrize("name", MoveName)
def test_every_move_action_is_documented(name: MoveName) -> None:
    assert name.value in PAGE
